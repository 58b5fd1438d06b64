import {
	GapTracker,
	FIRST_EVENT_MS,
	REORDER_MS,
} from '../../../../../nodes/VoiceManagementTrigger/feed/stream/gaps';
import { SequenceNumbers } from '../../../../../nodes/VoiceManagementTrigger/feed/stream/sequenceNumbers';
import type { FeedEvent } from '../../../../../nodes/VoiceManagementTrigger/feed/types';

const at = (receivedAt: number, cpt?: number): FeedEvent => ({
	type: '',
	event: '',
	cpt,
	msg: {},
	raw: {},
	receivedAt,
});

/** Half a second between events unless specified; returns the gaps that were reported. */
function play(
	numbers: Array<number | undefined>,
	tracker = new GapTracker(),
	from = 0,
	apart = 500,
) {
	const previous = new SequenceNumbers();
	const gaps = numbers.flatMap((cpt, index) => {
		const now = from + index * apart;
		const due = tracker.due(now);
		const event = at(now, cpt);
		tracker.received(previous, event);
		const gap = tracker.beforeEvent(event);
		return gap ? [...due, gap] : due;
	});
	return {
		tracker,
		previous,
		next: new SequenceNumbers(),
		gaps: [...gaps, ...tracker.due(from + numbers.length * apart + REORDER_MS)],
	};
}

const TAKEOVER = { from: 7_000, to: 20_000, brought: () => [], numbersDiffer: false };

const count = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('the numbering', () => {
	it('is recognised on a connection that lagged when it took over from another one', () => {
		const { tracker, previous, next } = play(count(1, 8));
		const receive = (cpt: number) => tracker.received(next, at(4_000 + cpt, cpt));
		for (const cpt of count(2, 6)) receive(cpt);
		next.knowOf(previous);
		for (const cpt of count(7, 11)) receive(cpt);
		expect(tracker.countsByOne).toBe(false);
		receive(12);
		expect(tracker.countsByOne).toBe(true);
	});

	it('that increments by one is recognised after ten steps, and a jump in it is a gap', () => {
		const { gaps, tracker } = play([...count(1, 11), ...count(15, 20)]);
		expect(tracker.countsByOne).toBe(true);
		expect(gaps).toEqual([
			{
				from: 5_000,
				to: 5_500,
				durationMs: 500,
				reason: 'sequence numbers are missing',
				lastCpt: 11,
				firstCpt: 15,
				missed: 3,
			},
		]);
	});

	it('shows no gap by a jump beside another connection, which may have delivered the rest', () => {
		const { tracker, previous } = play(count(1, 11));
		tracker.received(previous, at(6_000, 15), false);
		expect(tracker.due(6_000 + REORDER_MS)).toEqual([]);
		tracker.received(previous, at(9_000, 20));
		expect(tracker.due(9_000 + REORDER_MS)).toMatchObject([{ lastCpt: 15, firstCpt: 20 }]);
	});

	it('shows what is missing if the connection ends before late numbers could arrive', () => {
		const { tracker, previous } = play(count(1, 11));
		tracker.received(previous, at(6_000, 14));
		const ended = { from: 6_500, reason: 'cut', uncertain: false };
		expect(tracker.lost(previous, ended)).toMatchObject([
			{ from: 5_000, to: 6_000, lastCpt: 11, firstCpt: 14, missed: 2 },
		]);
		expect(tracker.due(6_000 + REORDER_MS)).toEqual([]);
	});

	it('is not restarted by consecutive late numbers', () => {
		const { tracker, previous } = play(count(1, 11));
		for (const cpt of [14, 12, 13, 15, 16]) tracker.received(previous, at(6_000, cpt));
		expect(tracker.due(6_000 + REORDER_MS)).toEqual([]);
	});

	it('waits for the slower one of two lines', () => {
		const { tracker, previous, next } = play(count(1, 20));
		tracker.received(next, at(10_000, 20), previous);
		tracker.received(previous, at(10_500, 22), next);
		expect(tracker.due(12_600)).toEqual([]);
		tracker.received(next, at(12_600, 21), previous);
		expect(tracker.due(30_000)).toEqual([]);
		tracker.received(previous, at(31_000, 24), next);
		expect(tracker.due(36_000)).toMatchObject([{ missed: 1, lastCpt: 22, firstCpt: 24 }]);
	});

	it('shows no gap before it is recognised', () => {
		const { gaps, tracker } = play([...count(1, 10), ...count(15, 20)]);
		expect(tracker.countsByOne).toBe(false);
		expect(gaps).toEqual([]);
	});

	it('that never increments by one is never trusted', () => {
		const { gaps } = play(count(1, 100).map((n) => n * 2));
		expect(gaps).toEqual([]);
		expect(play(count(1, 100).map(() => 7)).gaps).toEqual([]);
		expect(play(count(1, 100).map((n) => (n * 7919) % 1000)).gaps).toEqual([]);
		expect(play(count(1, 100).map(() => undefined)).gaps).toEqual([]);
	});

	it('that contains only some of the numbers is trusted less and less', () => {
		const some = count(0, 199).flatMap((block) => count(block * 20, block * 20 + 12));
		expect(play(some).gaps.length).toBeLessThan(20);
	});

	it('waits for late numbers', () => {
		const { gaps } = play([...count(1, 12), 15, 14, 13, 16, 17]);
		expect(gaps).toEqual([]);
	});

	it.each([
		['the first ones', [...count(7, 20), 5, 3, 4, 1, 2, 6, ...count(21, 30)]],
		['some from before it was known', [...count(1, 3), ...count(6, 20), 4, 5, ...count(21, 30)]],
	])('accepts consecutive late numbers as late: %s', (_name, numbers) => {
		expect(play(numbers, undefined, 0, 100).gaps).toEqual([]);
	});

	it('shows what is still missing of a jump if some numbers arrived late', () => {
		const { gaps } = play([...count(1, 12), 16, 14, 17, 18]);
		expect(gaps).toMatchObject([{ missed: 2, lastCpt: 12, firstCpt: 16 }]);
	});

	it('shows no gap by numbers that are repeated', () => {
		const { gaps } = play([...count(1, 12), 12, 12, 13, 11, 14]);
		expect(gaps).toEqual([]);
	});

	it.each([
		['at 1', 1],
		['at 0', 0],
		['further back', 480],
	])('that restarts %s is not a gap', (_name, first) => {
		const { gaps } = play([...count(490, 510), ...count(first, first + 30)]);
		expect(gaps).toEqual([]);
	});

	it('that restarts far ahead is not a gap', () => {
		expect(play([...count(1, 20), ...count(5_000_000, 5_000_020)]).gaps).toEqual([]);
	});

	it('that restarted is observed again', () => {
		expect(play([...count(490, 510), ...count(1, 20), 25, 26, 27]).gaps).toMatchObject([
			{ missed: 4 },
		]);
	});
});

describe('a time without a connection', () => {
	const broken = (numbers: number[]) => {
		const { tracker, previous } = play(numbers);
		tracker.lost(previous, { from: 20_000, reason: 'cut', uncertain: false });
		tracker.reconnected(30_000);
		return tracker;
	};

	it('is reported with the first event after it', () => {
		const tracker = broken(count(1, 15));
		const first = at(31_000, 20);
		tracker.received(new SequenceNumbers(), first);
		expect(tracker.beforeEvent(first)).toEqual({
			from: 20_000,
			to: 31_000,
			durationMs: 11_000,
			reason: 'cut',
			lastCpt: 15,
			firstCpt: 20,
			missed: 4,
		});
		expect(tracker.beforeEvent(at(32_000, 21))).toBeUndefined();
	});

	it('is reported after a while even without an event', () => {
		const tracker = broken(count(1, 15));
		expect(tracker.nextDue()).toBe(30_000 + FIRST_EVENT_MS);
		expect(tracker.due(30_000 + FIRST_EVENT_MS - 1)).toEqual([]);
		expect(tracker.due(30_000 + FIRST_EVENT_MS)).toEqual([
			{
				from: 20_000,
				to: 30_000 + FIRST_EVENT_MS,
				durationMs: 10_000 + FIRST_EVENT_MS,
				reason: 'cut',
				lastCpt: 15,
			},
		]);
		expect(tracker.nextDue()).toBeUndefined();
	});

	it.each([
		['the numbering is not known', count(1, 5), 20],
		['it restarted', count(1, 15), 3],
	])('has no count of missed events if %s', (_name, numbers, next) => {
		expect(broken(numbers).beforeEvent(at(31_000, next))).not.toHaveProperty('missed');
	});

	it('is reported even if the numbers show that nothing was missed', () => {
		expect(broken(count(1, 15)).beforeEvent(at(31_000, 16))).toMatchObject({ missed: 0 });
	});

	it('is not reported if a renewal was under way and the numbers show that nothing was missed', () => {
		const { tracker, previous } = play(count(1, 15));
		tracker.lost(previous, { from: 20_000, reason: 'cut', uncertain: true });
		tracker.reconnected(20_100);
		expect(tracker.beforeEvent(at(21_000, 16))).toBeUndefined();
		expect(tracker.due(90_000)).toEqual([]);
	});

	it("is not cancelled by a number that may be the new connection's own count", () => {
		const doubtBefore = (next: number) => {
			const { tracker } = play(count(1, 15));
			const numbers = new SequenceNumbers();
			numbers.add(next - 1);
			tracker.lost(numbers, { from: 20_000, reason: 'cut', uncertain: true });
			tracker.reconnected(20_100);
			return tracker.beforeEvent(at(21_000, next));
		};
		expect(doubtBefore(12)).toBeUndefined();
		expect(doubtBefore(11)).toMatchObject({ from: 20_000, lastCpt: 10, firstCpt: 11 });
		expect(doubtBefore(11)).not.toHaveProperty('missed');
	});

	it('is merged with the next one if nothing arrived in between', () => {
		const tracker = broken(count(1, 15));
		tracker.lost(new SequenceNumbers(), {
			from: 30_500,
			reason: 'cut again',
			uncertain: false,
		});
		tracker.reconnected(40_000);
		expect(tracker.beforeEvent(at(41_000, 17))).toMatchObject({
			from: 20_000,
			to: 41_000,
			reason: 'cut',
			missed: 1,
		});
	});
});

describe('a connection taken over', () => {
	it('passes its last number on, with which the next one is compared', () => {
		const { tracker, previous, next } = play(count(1, 15));
		tracker.tookOver({ previous, next, ...TAKEOVER });
		expect(tracker.due(30_000)).toEqual([]);
		tracker.received(next, at(21_000, 18));
		expect(tracker.due(30_000)).toMatchObject([{ missed: 2, lastCpt: 15, firstCpt: 18 }]);
	});

	it('may be followed by a numbering of its own', () => {
		const { tracker, previous, next } = play(count(1, 15));
		tracker.tookOver({ previous, next, ...TAKEOVER });
		tracker.received(next, at(21_000, 1));
		tracker.received(next, at(22_000, 2));
		expect(tracker.due(30_000)).toEqual([]);
	});

	it('is compared with the next one for what neither of the two delivered, unless the next one delivers it late', () => {
		const { tracker, previous, next } = play(count(1, 15));
		tracker.received(next, at(20_000, 19), false);
		tracker.tookOver({ previous, next, ...TAKEOVER });
		tracker.received(next, at(21_000, 17));
		expect(tracker.due(20_000 + REORDER_MS - 1)).toEqual([]);
		expect(tracker.due(20_000 + REORDER_MS)).toMatchObject([
			{ from: 7_000, to: 20_000, lastCpt: 15, firstCpt: 19, missed: 2 },
		]);
	});

	it('does not lose the numbering if neither of the two delivered something each time', () => {
		const { tracker, previous } = play(count(1, 15));
		let before = previous;
		for (const first of [17, 19, 21, 23, 25]) {
			const next = new SequenceNumbers();
			tracker.received(next, at(20_000, first), false);
			tracker.tookOver({ ...TAKEOVER, previous: before, next });
			expect(tracker.due(30_000)).toMatchObject([{ missed: 1, firstCpt: first }]);
			before = next;
		}
	});

	it('is uncertain: reported at once with the first number of the next one, and only once', () => {
		const { tracker, previous, next } = play(count(1, 15));
		tracker.received(next, at(20_000, 19), false);
		const uncertainty = {
			...TAKEOVER,
			from: 14_000,
			exact: true,
			reason: 'stale',
			deferred: false,
		};
		expect(tracker.tookOverUncertainly({ previous, next, ...uncertainty })).toMatchObject({
			from: 14_000,
			to: 20_000,
			missed: 3,
		});
		tracker.tookOver({ previous, next, ...TAKEOVER });
		expect(tracker.due(30_000)).toEqual([]);
		expect(tracker.beforeEvent(at(22_000, 20))).toBeUndefined();
	});

	it('is uncertain because of its silence: reported with the next event, unless the numbers clear it', () => {
		const uncertainty = {
			...TAKEOVER,
			from: 14_000,
			exact: false,
			reason: 'silent',
			deferred: true,
		};
		for (const [cpt, told] of [
			[16, false],
			[18, true],
		] as const) {
			const { tracker, previous, next } = play(count(1, 15));
			expect(tracker.tookOverUncertainly({ previous, next, ...uncertainty })).toBeUndefined();
			tracker.tookOver({ previous, next, ...TAKEOVER });
			expect(tracker.due(9_000_000)).toEqual([]);
			const event = at(9_000_000, cpt);
			tracker.received(next, event);
			expect(tracker.beforeEvent(event) !== undefined).toBe(told);
		}
	});

	it('is certain if it delivered everything until the next one did', () => {
		const doubt = { ...TAKEOVER, reason: 'silent', deferred: true };
		for (const [from, exact, cpt, told] of [
			// The next connection delivers everything five seconds after it opened, or from its first event on.
			[25_000, false, 18, false],
			[24_999, false, 18, true],
			[20_000, true, 16, false],
		] as const) {
			const { tracker, previous, next } = play(count(1, 9));
			const event = at(30_000, cpt);
			if (exact) tracker.received(next, event, false);
			const atOnce = tracker.tookOverUncertainly({ previous, next, ...doubt, from, exact });
			expect(atOnce ?? tracker.beforeEvent(event)).toEqual(
				told ? expect.objectContaining({ from, to: 25_000 }) : undefined,
			);
		}
	});

	it('is certain, and numbers that neither of the two delivered are still reported', () => {
		const { tracker, previous, next } = play(count(1, 15));
		tracker.received(next, at(20_000, 19), false);
		const noDoubt = { ...TAKEOVER, from: 20_000, exact: true, reason: 'silent', deferred: true };
		expect(tracker.tookOverUncertainly({ previous, next, ...noDoubt })).toBeUndefined();
		tracker.tookOver({ previous, next, ...TAKEOVER });
		expect(tracker.due(30_000)).toMatchObject([{ missed: 3, lastCpt: 15, firstCpt: 19 }]);
	});
});

describe('a connection whose successor ended', () => {
	it('continues from what that one delivered, and what neither of the two delivered is reported', () => {
		const { tracker, previous, next } = play(count(1, 15));
		tracker.received(next, at(20_000, 19), false);
		tracker.nextEnded({ previous, next, ...TAKEOVER });
		tracker.received(previous, at(21_000, 17));
		expect(tracker.due(24_999)).toEqual([]);
		expect(tracker.due(25_000)).toMatchObject([
			{ from: 7_000, to: 20_000, lastCpt: 15, firstCpt: 19, missed: 2 },
		]);
		tracker.received(previous, at(26_000, 20));
		expect(tracker.due(90_000)).toEqual([]);
	});

	it('reports nothing more if a waiting gap has the numbers around it', () => {
		const { tracker, previous, next } = play(count(1, 15));
		tracker.lost(previous, { from: 10_000, reason: 'cut', uncertain: false });
		tracker.reconnected(15_000);
		const event = at(20_000, 19);
		tracker.received(next, event, false);
		tracker.nextEnded({ previous, next, ...TAKEOVER });
		expect(tracker.beforeEvent(event)).toMatchObject({ lastCpt: 15, firstCpt: 19, missed: 3 });
		expect(tracker.due(90_000)).toEqual([]);
	});
});

describe('consecutive late numbers look like a restarted numbering, and', () => {
	const late = () => play([...count(107, 120), 105, 106]);

	it.each([
		[121, { lastCpt: 120, missed: 0 }],
		[109, { lastCpt: 106, missed: 2 }],
	])('an interruption is compared with the numbering that %i continues', (first, told) => {
		const { tracker, previous } = late();
		tracker.lost(previous, { from: 20_000, reason: 'cut', uncertain: false });
		tracker.reconnected(30_000);
		expect(tracker.beforeEvent(at(31_000, first))).toMatchObject(told);
	});

	it('an interruption is compared with the newest one if the numbering did restart', () => {
		const { tracker, previous } = play([...count(107, 120), ...count(80, 92)]);
		tracker.lost(previous, { from: 20_000, reason: 'cut', uncertain: false });
		tracker.reconnected(30_000);
		const told = { lastCpt: 92, missed: 38 };
		expect(tracker.beforeEvent(at(31_000, 131))).toMatchObject(told);
	});

	it('the next connection continues from the highest', () => {
		const { tracker, previous, next } = late();
		tracker.tookOver({ previous, next, ...TAKEOVER });
		tracker.received(next, at(21_000, 121));
		expect(tracker.due(90_000)).toEqual([]);
	});

	it('the next connection may continue from the highest before it takes over', () => {
		const { tracker, previous, next } = late();
		tracker.received(next, at(20_000, 122), false);
		tracker.tookOver({ previous, next, ...TAKEOVER });
		expect(tracker.due(30_000)).toMatchObject([{ lastCpt: 120, firstCpt: 122, missed: 1 }]);
	});

	it('the other line lacks nothing that has arrived according to the highest', () => {
		const { tracker, previous, next } = late();
		tracker.received(next, at(20_000, 118), previous);
		tracker.received(next, at(21_000, 121), previous);
		expect(tracker.due(90_000)).toEqual([]);
	});

	it('the connection that continues knows the highest of its successor', () => {
		const { tracker, previous: successor, next: goesOn } = late();
		tracker.received(goesOn, at(20_000, 118), false);
		tracker.nextEnded({ ...TAKEOVER, previous: goesOn, next: successor });
		tracker.received(goesOn, at(21_000, 121));
		expect(tracker.due(90_000)).toEqual([]);
	});
});
