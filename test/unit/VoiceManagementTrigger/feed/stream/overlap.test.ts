import fc from 'fast-check';

import { readUpdate } from '../../../../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import {
	GRACE_MS,
	HOLD_MS,
	Overlap,
} from '../../../../../nodes/VoiceManagementTrigger/feed/stream/overlap';
import {
	decideOverlap,
	OVERLAP_MAX_MS,
	OVERLAP_MIN_MS,
	OVERLAP_QUIET_MS,
} from '../../../../../nodes/VoiceManagementTrigger/feed/stream/overlapDecision';
import { LAG_MS } from '../../../../../nodes/VoiceManagementTrigger/feed/stream/unmatched';
import type { FeedEvent } from '../../../../../nodes/VoiceManagementTrigger/feed/types';
import { nth, present } from '../../../../../simulator/present';

const OPENED = 1_000_000;
const DAY = 24 * 60 * 60_000;

function event(
	name: string,
	fields: { cpt?: number; ts?: number } = {},
	at = OPENED + 100,
): FeedEvent {
	const raw = {
		...fields,
		elapse: Math.random(),
		event: { msg: { name }, type_notification: 't', event: 'e' },
	};
	return nth(readUpdate([raw], at), 0);
}

const names = (events: FeedEvent[]) => events.map(({ msg }) => msg.name).join('');

describe('an overlap', () => {
	it('passes each event once, whichever connection delivers it first', () => {
		const overlap = new Overlap(OPENED);
		expect(names(overlap.fromPrevious(event('a')))).toBe('a');
		expect(names(overlap.fromNext(event('a')))).toBe('');
		expect(names(overlap.fromNext(event('b')))).toBe('');
		expect(names(overlap.fromPrevious(event('b')))).toBe('b');
		expect(names(overlap.end())).toBe('');
		expect(overlap.duplicates).toBe(2);
	});

	it('passes two events that really are equal as two', () => {
		const overlap = new Overlap(OPENED);
		const passed = [
			...overlap.fromPrevious(event('a')),
			...overlap.fromNext(event('a')),
			...overlap.fromNext(event('a')),
			...overlap.fromPrevious(event('a')),
			...overlap.end(),
		];
		expect(names(passed)).toBe('aa');
	});

	it('recognises copies of events before and after thousands that both have delivered, by number and by content', () => {
		const overlap = new Overlap(OPENED, 0);
		overlap.stay();
		const numbered = (cpt: number) => event('x', { cpt });
		const both = (one: FeedEvent) => [...overlap.fromPrevious(one), ...overlap.fromNext(one)];
		expect(both(numbered(1))).toHaveLength(1);
		const late = [event('late', { cpt: 2 }), event('a', { ts: 100 })];
		expect(names(late.flatMap((one) => overlap.fromPrevious(one)))).toBe('latea');
		let given = 0;
		for (let cpt = 3; cpt < 5_000; cpt++) given += both(numbered(cpt)).length;
		expect(given).toBe(4_997);
		expect(names(overlap.fromPrevious(event('c')))).toBe('c');
		const copies = [event('late', { cpt: 2 }), event('a', { ts: 100 }), event('c')];
		expect(names(copies.flatMap((one) => overlap.fromNext(one)))).toBe('');
	});

	it('drops only one event as the copy of another', () => {
		const overlap = new Overlap(OPENED);
		const passed = [
			...overlap.fromPrevious(event('a')),
			...overlap.end(),
			...overlap.fromNext(event('a')),
			...overlap.fromNext(event('a')),
		];
		expect(names(passed)).toBe('aa');
	});

	it("keeps the order: the next connection's first events wait for the previous one", () => {
		const overlap = new Overlap(OPENED);
		expect(names(overlap.fromNext(event('b')))).toBe('');
		expect(names(overlap.fromNext(event('c')))).toBe('');
		// Sent before the next connection was served.
		expect(names(overlap.fromPrevious(event('a')))).toBe('a');
		expect(names(overlap.fromPrevious(event('b')))).toBe('b');
		expect(names(overlap.end())).toBe('c');
	});

	it('does not wait for long', () => {
		const overlap = new Overlap(OPENED);
		overlap.fromNext(event('a', {}, OPENED));
		overlap.fromNext(event('b', {}, OPENED + 100));
		expect(names(overlap.due(OPENED + HOLD_MS - 1, true))).toBe('');
		expect(names(overlap.due(OPENED + HOLD_MS, true))).toBe('a');
		expect(overlap.releaseAt).toBe(OPENED + HOLD_MS + 100);
		expect(names(overlap.due(OPENED + HOLD_MS + 100, true))).toBe('b');
		expect(names(overlap.fromPrevious(event('a')))).toBe('');
	});

	it('recognises copies for a while after one of the two has ended', () => {
		const overlap = new Overlap(OPENED);
		overlap.fromPrevious(event('a'));
		overlap.end();
		expect(names(overlap.fromNext(event('a', {}, OPENED + LAG_MS / 2)))).toBe('');
		expect(names(overlap.fromNext(event('b', {}, OPENED + LAG_MS / 2)))).toBe('b');
	});

	it('forgets events that cannot have copies any more', () => {
		const overlap = new Overlap(OPENED);
		overlap.fromPrevious(event('a', {}, OPENED));
		overlap.end();
		expect(names(overlap.fromNext(event('a', {}, OPENED + 2 * LAG_MS)))).toBe('a');
	});

	it.each([
		['one numbering of the account', 500, 500],
		['a numbering of each connection', 500, 1],
		['numbers that mean something else', 500, 77_777],
	])('is correct if cpt is %s', (_name, oldCpt, freshCpt) => {
		const overlap = new Overlap(OPENED, oldCpt - 1);
		const passed = [0, 1, 2].flatMap((n) => [
			...overlap.fromPrevious(event('a', { cpt: oldCpt + n })),
			...overlap.fromNext(event('a', { cpt: freshCpt + n })),
		]);
		expect(names(passed)).toBe('aaa');
		expect(overlap.duplicates).toBe(3);
	});

	it('forgets events as early if the clock was set back', () => {
		const overlap = new Overlap(OPENED);
		overlap.fromPrevious(event('a'));
		overlap.setBack(DAY);
		expect(names(overlap.fromNext(event('b', {}, OPENED - DAY + 2 * LAG_MS)))).toBe('');
		expect(names(overlap.fromNext(event('a', {}, OPENED - DAY + 2 * LAG_MS)))).toBe('');
		expect(names(overlap.end())).toBe('ba');
	});

	it('does not count forgotten events as missing after the clock was set back', () => {
		const overlap = new Overlap(OPENED);
		overlap.stay();
		const began = OPENED + 2 * GRACE_MS;
		overlap.fromPrevious(event('a', {}, began));
		overlap.fromNext(event('b', {}, began + 2 * LAG_MS));
		overlap.setBack(DAY);
		const now = began + 3 * LAG_MS - DAY;
		expect(overlap.isBehind('next', now - LAG_MS, now)).toBe(false);
	});

	it('does not drop a later equal event as a copy if the numbering of the account distinguishes them', () => {
		const overlap = new Overlap(OPENED, 499);
		// The operator allows one session: the previous connection ends where the next one begins.
		overlap.fromPrevious(event('a', { cpt: 500 }));
		overlap.end();
		expect(names(overlap.fromNext(event('a', { cpt: 501 })))).toBe('a');
	});

	it.each([
		['a working connection did not deliver: the numberings differ', true, ''],
		['a connection whose token has ended did not deliver: it delivers nothing', false, 'a'],
	])(
		'if cpt seems to continue, passes an equal event with a number that %s',
		(_, healthy, given) => {
			const overlap = new Overlap(OPENED, 499);
			overlap.fromPrevious(event('a', { cpt: 500 }));
			overlap.fromNext(event('a', { cpt: 503 }));
			expect(names(overlap.due(OPENED + 100 + HOLD_MS, healthy))).toBe(given);
		},
	);

	it.each([
		['first over the previous connection', ['fromPrevious', 'fromNext']],
		['first over the next connection', ['fromNext', 'fromPrevious']],
	] as const)(
		'if cpt seems to continue, passes an event once if a quiet connection has passed its number, %s',
		(_, order) => {
			const cpts = { fromPrevious: 3, fromNext: 2 };
			const given = (finish: (overlap: Overlap) => FeedEvent[]) => {
				const overlap = new Overlap(OPENED, 1);
				const come = order.flatMap((from) => overlap[from](event('a', { cpt: cpts[from] })));
				return names([...come, ...finish(overlap)]);
			};
			expect(given((overlap) => overlap.due(OPENED + 100 + HOLD_MS, false))).toBe('a');
			expect(given((overlap) => overlap.end())).toBe('a');
		},
	);

	it('if connections counted for themselves before, passes two equal events once each if their numbers meet by chance', () => {
		const overlap = new Overlap(OPENED, 1, true);
		overlap.fromPrevious(event('lacked', { cpt: 2 }));
		const alike = (cpt: number) => event('a', { cpt, ts: 100 });
		const passed = [
			...overlap.fromNext(alike(2)),
			...overlap.fromNext(alike(3)),
			...overlap.fromPrevious(alike(3)),
			...overlap.fromPrevious(alike(4)),
			...overlap.end(),
		];
		expect(names(passed)).toBe('aa');
	});

	it('if two equal events shared a number by chance, passes a later event that shares a number as well', () => {
		const overlap = new Overlap(OPENED);
		const passed = [
			overlap.fromPrevious(event('a', { cpt: 1, ts: 100 })),
			overlap.fromPrevious(event('b', { cpt: 2, ts: 100 })),
			overlap.fromNext(event('a', { cpt: 1, ts: 101 })),
			overlap.fromNext(event('b', { cpt: 2, ts: 104 })),
			overlap.end(),
		];
		expect(names(passed.flat())).toBe('abb');
	});

	it('does not drop an equal event of another second as a copy', () => {
		const overlap = new Overlap(OPENED);
		overlap.fromPrevious(event('a', { ts: 100 }));
		overlap.end();
		expect(names(overlap.fromNext(event('a', { ts: 101 })))).toBe('');
		overlap.fromPrevious(event('b', { ts: 100 }));
		expect(names(overlap.fromNext(event('b', { ts: 102 })))).toBe('b');
	});

	it.each([
		['not by a number that each connection may have counted for itself', 1, 'calling'],
		['by a number that only the account can have reached', 5_000, ''],
	])('drops an event with other content as a copy, %s', (_, cpt, given) => {
		const overlap = new Overlap(OPENED);
		overlap.fromPrevious(event('available', { cpt, ts: 100 }));
		overlap.end();
		expect(names(overlap.fromNext(event('calling', { cpt, ts: 101 })))).toBe(given);
	});

	it('trusts the first number that both deliver, although the events before it look like those after it', () => {
		const overlap = new Overlap(OPENED, 20);
		const given = [
			...overlap.fromNext(event('b', { cpt: 22, ts: 100 })),
			...overlap.fromPrevious(event('a', { cpt: 21, ts: 100 })),
			...overlap.fromPrevious(event('b', { cpt: 22, ts: 100 })),
			...[23, 24].flatMap((cpt) => overlap.fromNext(event('a', { cpt, ts: 101 }))),
			...[23, 24].flatMap((cpt) => overlap.fromPrevious(event('a', { cpt, ts: 101 }))),
			...overlap.end(),
		];
		expect(given.map(({ cpt }) => cpt)).toEqual([21, 22, 23, 24]);
	});

	it.each(['previous', 'next'])(
		'notices that two similar events with the same number had no shared numbering, even if the %s connection is first',
		(first) => {
			const overlap = new Overlap(OPENED);
			overlap.fromPrevious(event('a', { cpt: 1, ts: 100 }));
			overlap.fromPrevious(event('a', { cpt: 2, ts: 101 }));
			overlap.fromNext(event('a', { cpt: 1, ts: 101 }));
			overlap.stay();
			const later = OPENED + 2 * LAG_MS;
			const previous = () => overlap.fromPrevious(event('b', { cpt: 3, ts: 130 }, later));
			const next = () => overlap.fromNext(event('b', { cpt: 2, ts: 130 }, later));
			const passed = first === 'previous' ? [previous(), next()] : [next(), previous()];
			expect(passed.map(names)).toEqual(['b', '']);
			expect(overlap.numbersDiffer).toBe(true);
		},
	);

	const five = [1, 2, 3, 4, 5];

	it('passes both of two similar events of which each connection lacks one, if their numbers were known to be shared', () => {
		const overlap = new Overlap(OPENED, 0);
		const passed = [
			...five.flatMap((cpt) => [
				...overlap.fromPrevious(event(`${cpt}`, { cpt })),
				...overlap.fromNext(event(`${cpt}`, { cpt })),
			]),
			...overlap.fromPrevious(event('a', { cpt: 6 })),
			...overlap.fromPrevious(event('b', { cpt: 8 })),
			...overlap.fromNext(event('a', { cpt: 7 })),
			...overlap.fromNext(event('b', { cpt: 8 })),
		];
		expect(names(passed)).toBe('12345aba');
		expect(overlap.numbersShared).toBe(true);
	});

	describe('once both connections have brought five events with one number each', () => {
		const inStep = () => {
			const overlap = new Overlap(OPENED, 0);
			for (const cpt of five) {
				overlap.fromPrevious(event(`${cpt}`, { cpt }));
				overlap.fromNext(event(`${cpt}`, { cpt }));
			}
			return overlap;
		};

		it('gives two different events that have the same number', () => {
			const overlap = inStep();
			const call = (id_call: number) =>
				nth(readUpdate([{ cpt: 6, event: { msg: { id_call } } }], OPENED + 100), 0);
			const passed = [
				...overlap.fromPrevious(call(1)),
				...overlap.fromNext(call(2)),
				...overlap.end(),
			];
			expect(passed.map(({ msg }) => msg.id_call)).toEqual([1, 2]);
		});

		it('gives each of several events that have the same number and different times', () => {
			const overlap = inStep();
			const at = (ts: number) => event('a', { cpt: 6, ts });
			const passed = [
				...overlap.fromPrevious(at(100)),
				...overlap.fromPrevious(at(200)),
				...overlap.fromNext(at(200)),
				...overlap.fromNext(at(300)),
				...overlap.end(),
			];
			expect(passed.map(({ ts }) => ts)).toEqual([100, 200, 300]);
		});
	});

	it('stops trusting shared numbers if five copies in a row have different ones', () => {
		const overlap = new Overlap(OPENED, 0);
		for (let cpt = 1; cpt < 50; cpt++) {
			overlap.fromPrevious(event(`${cpt}`, { cpt }));
			overlap.fromNext(event(`${cpt}`, { cpt }));
		}
		overlap.stay();
		const passed = [...five, 6].map((n) => [
			...overlap.fromPrevious(event(`${n}`, { cpt: 100 + n })),
			...overlap.fromNext(event(`${n}`, { cpt: 60 + n })),
		]);
		expect(passed.map(names)).toEqual(['11', '22', '33', '44', '5', '6']);
		expect(overlap.numbersDiffer).toBe(true);
	});

	it('trusts a shared numbering after a burst of similar events, although one connection lacks one of them', () => {
		const overlap = new Overlap(OPENED);
		const numbered = (text: string, first: number) =>
			[...text].map((name, at) => event(name, { cpt: first + at, ts: 100 }));
		const given = [
			...numbered('bcde', 1).flatMap((one) => overlap.fromPrevious(one)),
			...numbered('f', 6).flatMap((one) => overlap.fromPrevious(one)),
			...numbered('bcdeaf', 1).flatMap((one) => overlap.fromNext(one)),
			...numbered('aaaaaaa', 7).flatMap((one) => overlap.fromPrevious(one)),
			...numbered('aaaaaaa', 7).flatMap((one) => overlap.fromNext(one)),
			...overlap.end(),
		];
		expect(given.map(({ cpt }) => cpt)).toEqual([1, 2, 3, 4, 6, 5, 7, 8, 9, 10, 11, 12, 13]);
	});

	it('trusts the numbers of the first events, a burst of similar ones of which each connection lacks another one', () => {
		const overlap = new Overlap(OPENED);
		const without = (lacking: number) =>
			[101, 102, 103, 104, 105, 106]
				.filter((cpt) => cpt !== lacking)
				.map((cpt) => event('a', { cpt, ts: 100 }));
		const given = [
			...without(105).flatMap((one) => overlap.fromPrevious(one)),
			...without(104).flatMap((one) => overlap.fromNext(one)),
			...overlap.end(),
		];
		expect(given.map(({ cpt }) => cpt)).toEqual([101, 102, 103, 104, 106, 105]);
	});

	it('trusts a numbering that one event has shown, if another event comes before the similar one', () => {
		const overlap = new Overlap(OPENED, 89);
		const numbered = (name: string, cpt: number) => event(name, { cpt, ts: 100 });
		const given = [
			...overlap.fromPrevious(numbered('z', 90)),
			...overlap.fromNext(numbered('z', 90)),
			...overlap.fromNext(numbered('b', 92)),
			...overlap.fromNext(numbered('a', 93)),
			// The next connection lacks it.
			...overlap.fromPrevious(numbered('a', 91)),
			...overlap.fromPrevious(numbered('b', 92)),
			...overlap.fromPrevious(numbered('a', 93)),
			...overlap.end(),
		];
		expect(given.map(({ cpt }) => cpt).sort()).toEqual([90, 91, 92, 93]);
	});

	it('passes similar events once if their numbers differ on each connection and meet once by chance', () => {
		const overlap = new Overlap(OPENED, 1);
		const passed = [
			...overlap.fromPrevious(event('a', { cpt: 3 })),
			...overlap.fromPrevious(event('a', { cpt: 4 })),
			...overlap.fromNext(event('a', { cpt: 2 })),
			...overlap.fromNext(event('a', { cpt: 3 })),
			...overlap.end(),
		];
		expect(names(passed)).toBe('aa');
	});

	it('distinguishes payloads nested too deep for JSON.stringify by their numbers', () => {
		const deep = (cpt: number) => {
			const text = `{"cpt":${cpt},"event":{"msg":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}}`;
			return nth(readUpdate([JSON.parse(text)], OPENED), 0);
		};
		const overlap = new Overlap(OPENED, 1);
		expect(overlap.fromPrevious(deep(2))).toHaveLength(1);
		expect(overlap.fromPrevious(deep(3))).toHaveLength(1);
		expect(overlap.fromNext(deep(2))).toHaveLength(0);
		overlap.fromNext(deep(4));
		expect(overlap.end()).toHaveLength(1);
	});

	it('passes every event once for any interleaving of two streams, one of which begins later and the other ends sooner', () => {
		const stream = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 });
		fc.assert(
			fc.property(stream, fc.nat(5), fc.infiniteStream(fc.boolean()), (sent, begins, coin) => {
				const overlap = new Overlap(OPENED, 100);
				// Numbered by account: the previous connection delivers everything, the next one the events from
				// `begins` on.
				const previous = sent.map((name, n) => event(name, { cpt: 101 + n }));
				const next = sent.slice(begins).map((name, n) => event(name, { cpt: 101 + begins + n }));
				const passed: FeedEvent[] = [];
				while (previous.length > 0 || next.length > 0) {
					const takeOld = next.length === 0 || (previous.length > 0 && coin.next().value === true);
					passed.push(
						...(takeOld
							? overlap.fromPrevious(previous.shift() as FeedEvent)
							: overlap.fromNext(next.shift() as FeedEvent)),
					);
				}
				passed.push(...overlap.end());
				expect(passed.map(({ cpt }) => cpt)).toEqual(sent.map((_name, n) => 101 + n));
			}),
		);
	});
});

describe('copies of one event that differ in fields computed while sending', () => {
	const status = (sentAt: number, more: Record<string, unknown> = {}, numbers: object = {}) =>
		nth(
			readUpdate(
				[
					{
						...numbers,
						elapse: sentAt % 7,
						sent_at: new Date(sentAt).toISOString(),
						event: {
							type_notification: 'operator',
							event: 'status',
							msg: {
								id_call: 7,
								id_operator: 501,
								status: 'connected',
								step: 2,
								call_duration: 60 + sentAt / 1000,
								duration_in_queue: String(sentAt),
								since: '0:01:23',
								...more,
							},
						},
					},
				],
				OPENED + sentAt,
			),
			0,
		);

	it.each<[string, (number: number, side: 'previous' | 'next') => object, number]>([
		['the same cpt', (number) => ({ cpt: 10 + number }), 10],
		[
			'a cpt for each connection',
			(number, side) => ({ cpt: side === 'previous' ? 10 + number : number }),
			10,
		],
		[
			'a cpt that counts each sending',
			(number, side) => ({ cpt: 8 + 2 * number + (side === 'previous' ? 1 : 2) }),
			10,
		],
		[
			'a cpt that is a time',
			(number, side) => ({ cpt: 5_000 + 100 * number + (side === 'previous' ? 0 : 17) }),
			5_050,
		],
		['no cpt', () => ({}), 10],
		[
			'the same cpt, and a ts three seconds later',
			(number, side) => ({ cpt: 1_000 + number, ts: number > 1 && side === 'next' ? 8 : 5 }),
			1_000,
		],
	])('are one event with %s', (_name, numbers, lastOld) => {
		const overlap = new Overlap(OPENED, lastOld);
		const passed = [1, 2, 3].flatMap((number) => [
			...overlap.fromPrevious(status(number, { id_call: number }, numbers(number, 'previous'))),
			...overlap.fromNext(status(160 + number, { id_call: number }, numbers(number, 'next'))),
		]);
		passed.push(...overlap.due(OPENED + 10 * HOLD_MS, true), ...overlap.end());
		expect(passed.map(({ msg }) => msg.id_call)).toEqual([1, 2, 3]);
		expect(overlap.duplicates).toBe(3);
	});

	it.each([
		['another call', { id_call: 8 }],
		['another agent', { id_operator: 502 }],
		['another status', { status: 'ringing' }],
		['another step', { step: 3 }],
		['another break', { supp: '2' }],
		['another number of unknown meaning', { n: 2 }],
	])('are two events with %s', (_name, other) => {
		const overlap = new Overlap(OPENED);
		overlap.fromPrevious(status(10, { supp: '1', n: 1 }));
		overlap.fromNext(status(20, { supp: '1', n: 1, ...other }));
		expect(overlap.end()).toHaveLength(1);
	});

	it('are two events if their durations are hours apart', () => {
		const overlap = new Overlap(OPENED);
		overlap.fromPrevious(status(10));
		overlap.fromNext(status(20, { call_duration: 50_000 }));
		expect(overlap.end()).toHaveLength(1);
	});

	it('show that the previous connection is not stale', () => {
		const overlap = new Overlap(OPENED);
		overlap.fromPrevious(status(GRACE_MS));
		overlap.fromNext(status(GRACE_MS + 20));
		expect(overlap.statistics(OPENED + 10 * GRACE_MS)).toMatchObject({
			matched: 1,
			onlyPrevious: 0,
			onlyNext: 0,
		});
	});
});

/** How an operator numbers the events that it sends on one of two connections. */
const NUMBERINGS: Record<
	string,
	(sent: number, side: 'previous' | 'next', nth: number) => unknown
> = {
	'one numbering': (sent) => 1_000 + sent,
	'one numbering, as text': (sent) => String(1_000 + sent),
	'one numbering with holes': (sent) => 1_000 + 3 * sent,
	'each connection from 1': (_sent, side, nth) => (side === 'previous' ? 500 + nth : 1 + nth),
	'each connection from anywhere': (_sent, side, nth) =>
		(side === 'previous' ? 1_000 : 77_000) + nth,
	'each connection from near the other': (_sent, side, nth) =>
		(side === 'previous' ? 1_000 : 1_037) + nth,
	'always the same number': () => 0,
	'a number for a group of events': (sent) => 1_000 + Math.floor(sent / 3),
	none: () => undefined,
};

describe.each(Object.keys(NUMBERINGS))('a renewal with %s', (numbering) => {
	interface Sent {
		/** Milliseconds since the previous event. */
		after: number;
		kind: number;
		lag: { previous: number; next: number };
	}

	const SECOND = 1_000;
	const sending: fc.Arbitrary<Sent> = fc.record({
		after: fc.nat(1_500),
		kind: fc.nat(3),
		lag: fc.record({ previous: fc.nat(450), next: fc.nat(450) }),
	});

	/** The events as they arrive on both connections, and what each copy is a copy of. */
	function play(sent: Sent[], begins: number, ends: number, stamped: boolean) {
		const origin = new Map<FeedEvent, number>();
		const arrivals: Array<{ at: number; side: 'previous' | 'next'; event: FeedEvent }> = [];
		const lastOfKind = new Map<number, number>();
		const reached = { previous: 0, next: 0 };
		const counted = { previous: 0, next: 0 };
		let now = OPENED;
		sent.forEach(({ after, kind, lag }, index) => {
			now += after;
			// Two events that are equal in everything within one second cannot be told from copies without a number.
			const previous = lastOfKind.get(kind);
			if (previous !== undefined) now = Math.max(now, previous + 3 * SECOND);
			lastOfKind.set(kind, now);
			for (const side of ['previous', 'next'] as const) {
				if (side === 'previous' ? index >= ends : index < begins) continue;
				// A connection keeps the order.
				const at = Math.max(reached[side], now + lag[side]);
				reached[side] = at;
				const object = {
					cpt: present(NUMBERINGS[numbering])(index, side, counted[side]++),
					...(stamped ? { ts: Math.floor(now / SECOND) } : {}),
					elapse: (at - now) / SECOND,
					event: {
						type_notification: 'queue',
						event: 'insert_call',
						msg: { id_call: kind, id_queue: 301, duration_in_queue: (at - OPENED) / SECOND },
					},
				};
				const event = nth(readUpdate([object], at), 0);
				origin.set(event, index);
				arrivals.push({ at, side, event });
			}
		});
		return { origin, arrivals: arrivals.sort((a, b) => a.at - b.at) };
	}

	function delivered(played: ReturnType<typeof play>): number[] {
		// The last number that the previous connection had delivered when the next one opened.
		const last: Record<string, number | undefined> = {
			'each connection from 1': 499,
			'always the same number': 0,
			none: undefined,
		};
		const overlap = new Overlap(OPENED, numbering in last ? last[numbering] : 999);
		const passed: FeedEvent[] = [];
		for (const { at, side, event } of played.arrivals) {
			passed.push(...overlap.due(at, true));
			passed.push(...(side === 'previous' ? overlap.fromPrevious(event) : overlap.fromNext(event)));
		}
		passed.push(...overlap.due(Infinity, true), ...overlap.end());
		return passed.map((event) => played.origin.get(event) ?? -1).sort((a, b) => a - b);
	}

	const all = (sent: Sent[]) => sent.map((_, index) => index);

	it('passes each event once, whichever connection delivers it when', () => {
		fc.assert(
			fc.property(
				fc.array(sending, { maxLength: 40 }),
				fc.nat(5),
				fc.nat(5),
				(sent, begins, missing) => {
					const ends = Math.max(begins, sent.length - missing);
					expect(delivered(play(sent, begins, ends, true))).toEqual(all(sent));
				},
			),
			{ numRuns: 300 },
		);
	});

	it('passes each event once, without a timestamp, while both connections deliver everything', () => {
		fc.assert(
			fc.property(fc.array(sending, { maxLength: 40 }), (sent) => {
				expect(delivered(play(sent, 0, sent.length, false))).toEqual(all(sent));
			}),
			{ numRuns: 200 },
		);
	});
});

describe('an overlap is decided', () => {
	const nothing = { matched: 0, onlyPrevious: 0, onlyNext: 0, next: 0 };
	const alive = { aliveAt: OPENED + 10, healthy: true };
	const dead = { aliveAt: OPENED - 10, healthy: true };
	const doubted = { aliveAt: OPENED + 10, healthy: false };
	it.each<[string, Partial<typeof nothing>, typeof alive, number, boolean, object]>([
		['too early', { matched: 5 }, alive, OVERLAP_MIN_MS - 1, false, { decision: 'wait' }],
		[
			'both deliver',
			{ matched: 1 },
			alive,
			OVERLAP_MIN_MS,
			false,
			{ decision: 'switch', uncertainty: 'none' },
		],
		[
			'both deliver, the previous one was uncertain',
			{ matched: 1 },
			doubted,
			OVERLAP_MIN_MS,
			false,
			{ decision: 'switch', uncertainty: 'none' },
		],
		[
			'the next one is stale',
			{ onlyPrevious: 1 },
			alive,
			OVERLAP_MIN_MS,
			false,
			{ decision: 'revert' },
		],
		['quiet, not long enough', {}, alive, OVERLAP_QUIET_MS - 1, false, { decision: 'wait' }],
		['quiet', {}, alive, OVERLAP_QUIET_MS, false, { decision: 'switch', uncertainty: 'none' }],
		[
			'quiet, and the previous one was uncertain',
			{},
			doubted,
			OVERLAP_QUIET_MS,
			false,
			{ decision: 'switch', uncertainty: 'unknown' },
		],
		[
			'the previous one is stale',
			{ onlyNext: 2, next: 2 },
			alive,
			OVERLAP_QUIET_MS,
			false,
			{ decision: 'switch', uncertainty: 'stale' },
		],
		[
			'no sign of the previous one yet',
			{ onlyNext: 2, next: 2 },
			dead,
			OVERLAP_QUIET_MS,
			false,
			{ decision: 'wait' },
		],
		[
			'no sign of the previous one',
			{},
			dead,
			OVERLAP_MAX_MS,
			false,
			{ decision: 'switch', uncertainty: 'dead' },
		],
		[
			'forced, both deliver',
			{ matched: 1 },
			alive,
			0,
			true,
			{ decision: 'switch', uncertainty: 'none' },
		],
		[
			'forced, no sign of the previous one',
			{},
			dead,
			0,
			true,
			{ decision: 'switch', uncertainty: 'dead' },
		],
	])('%s', (_name, statistics, previous, age, force, expected) => {
		expect(
			decideOverlap({
				statistics: { ...nothing, ...statistics },
				previous,
				openedAt: OPENED,
				now: OPENED + age,
				force,
			}),
		).toEqual(expected);
	});

	it('by what each should have delivered by now', () => {
		const overlap = new Overlap(OPENED);
		overlap.fromPrevious(event('a', {}, OPENED + GRACE_MS - 1));
		overlap.fromPrevious(event('b', {}, OPENED + GRACE_MS));
		expect(overlap.statistics(OPENED + 2 * GRACE_MS - 1).onlyPrevious).toBe(0);
		expect(overlap.statistics(OPENED + 2 * GRACE_MS)).toMatchObject({
			onlyPrevious: 1,
			next: 0,
			matched: 0,
		});
		overlap.fromNext(event('b', {}, OPENED + 2 * GRACE_MS));
		expect(overlap.statistics(OPENED + 2 * GRACE_MS)).toMatchObject({
			onlyPrevious: 0,
			next: 1,
			matched: 1,
		});
	});
});
