// The merge by values: what several connections deliver, and what comes out. Lives of connections are in feed.test.ts.
import { readUpdate } from '../../../../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import { Merge } from '../../../../../nodes/VoiceManagementTrigger/feed/merge/merge';
import type { Gap } from '../../../../../nodes/VoiceManagementTrigger/feed/gap';
import type { Clock } from '../../../../../nodes/VoiceManagementTrigger/feed/types';
import { HandClock, START } from '../../../../support/world';

const SECOND = 1_000;

interface Fields {
	cpt?: number;
	/** Seconds after the beginning at which the provider sent it. */
	ts?: number;
	/** Computed while it is sent. */
	wait?: number;
}

class TestConnection {
	openedAt: number;
	firstEventAt?: number;
	lastEventAt?: number;
	aliveAt: number;
	expiresAt = Infinity;

	constructor(
		private readonly merge: Merge,
		private readonly clock: Clock,
		recovered = false,
	) {
		this.openedAt = this.aliveAt = clock.now();
		merge.opened(this, recovered);
	}

	deliver(id: string, { cpt, ts, wait = 0 }: Fields = {}): this {
		this.aliveAt = this.lastEventAt = this.clock.now();
		this.firstEventAt ??= this.aliveAt;
		const msg = { id_call: id, duration_in_queue: wait };
		const event = { type_notification: 'queue', event: 'insert_call', msg };
		const update = { ...(cpt === undefined ? {} : { cpt }), ts: START / SECOND + (ts ?? 0), event };
		this.merge.receive(this, readUpdate([update], this.aliveAt));
		return this;
	}

	ping(): void {
		this.aliveAt = this.clock.now();
	}
}

function bench(silenceTimeoutMs = 0) {
	const clock = new HandClock();
	const out: string[] = [];
	const gaps: Gap[] = [];
	const covered: Array<number | undefined> = [];
	const merge = new Merge(clock, silenceTimeoutMs, {
		onEvent: ({ msg, isLate }) => void out.push(`${String(msg.id_call)}${isLate ? ' late' : ''}`),
		onCovered: (continuous) => {
			out.push(continuous ? 'continuous' : 'interrupted');
			covered.push(merge.coveredUntil);
		},
		onGap: (gap) => {
			gaps.push(gap);
			covered.push(merge.coveredUntil);
			out.push(`gap ${gap.missed ?? '?'}`);
		},
	});
	return {
		clock,
		merge,
		out,
		gaps,
		covered,
		open: (recovered?: boolean) => new TestConnection(merge, clock, recovered),
	};
}

/** Two connections that have delivered the same events with these numbers, beginning at 100. */
function pair(numberOf: (cpt: number, connection: number) => number | undefined) {
	const scene = bench();
	const connections = [scene.open(), scene.open()] as const;
	const both = (id: string, cpt: number, ts = 0) =>
		connections.forEach((connection, index) => {
			const own = numberOf(cpt, index);
			connection.deliver(id, { ...(own === undefined ? {} : { cpt: own }), ts, wait: index });
		});
	for (let cpt = 100; cpt < 115; cpt++) both(`e${cpt}`, cpt);
	return { ...scene, connections, both };
}

const NUMBERINGS: ReadonlyArray<[string, (cpt: number, connection: number) => number | undefined]> =
	[
		['one numbering', (cpt) => cpt],
		['a numbering for each connection', (cpt, connection) => cpt - 80 * connection],
		['no numbering', () => undefined],
	];

describe.each(NUMBERINGS)('two connections with %s', (name, numberOf) => {
	it('pass each event on once and in order', () => {
		const { out } = pair(numberOf);
		expect(out).toEqual(Array.from({ length: 15 }, (_, index) => `e${100 + index}`));
	});

	it('pass on what only one of them delivers, and go on with the other one without a gap', async () => {
		const { out, gaps, merge, connections, both, clock } = pair(numberOf);
		out.length = 0;
		const alone = numberOf(115, 1);
		connections[1].deliver('e115', alone === undefined ? {} : { cpt: alone });
		both('e116', 116);
		merge.ended(connections[0], { reason: 'broke', clean: false });
		connections[1].deliver(
			'e117',
			name === 'no numbering' ? {} : { cpt: numberOf(117, 1) as number },
		);
		await clock.turn(10 * SECOND);
		expect(out).toEqual(['e115', 'e116', 'e117']);
		expect(gaps).toEqual([]);
	});

	it('are late for each other only by numbers that both have', () => {
		const { out, connections, both } = pair(numberOf);
		const second = (cpt: number) => {
			const own = numberOf(cpt, 1);
			connections[1].deliver(`e${cpt}`, own === undefined ? {} : { cpt: own });
		};
		// Only the second connection delivers two events: the numbers of the first jump over 115 and 116.
		second(115);
		second(116);
		for (let cpt = 117; cpt < 195; cpt++) both(`e${cpt}`, cpt);
		// By its own count, these are 115 and 116.
		second(195);
		second(196);
		expect(out.filter((one) => one.endsWith('late'))).toEqual([]);
	});

	it('keep two events that look the same apart', () => {
		const { out, both } = pair(numberOf);
		out.length = 0;
		both('same', 115, 20);
		both('same', 116, 20);
		expect(out).toEqual(['same', 'same']);
	});
});

it.each([
	[14, ['late']],
	[16, ['late', 'late']],
])(
	'an event that comes again %i seconds later on the other connection',
	async (seconds, passed) => {
		const { clock, out, connections } = pair(() => undefined);
		out.length = 0;
		connections[0].deliver('late');
		await clock.turn(seconds * SECOND);
		connections[1].deliver('late');
		expect(out).toEqual(passed);
	},
);

it('a burst of ten thousand events that look the same comes out once', () => {
	const { out, connections } = pair(() => undefined);
	out.length = 0;
	for (const connection of connections)
		for (let event = 0; event < 10_000; event++) connection.deliver('same');
	expect(out).toHaveLength(10_000);
});

describe('numbers of a living connection', () => {
	/** One connection delivers these numbers, breaks, and is followed by one that begins with `first`. */
	function told(numbers: number[], first: number): string[] {
		const { merge, out, open } = bench();
		const connection = open();
		for (const cpt of numbers) connection.deliver(`e${cpt}`, { cpt });
		expect(out.filter((one) => one.startsWith('gap'))).toEqual([]);
		merge.ended(connection, { reason: 'broke', clean: false });
		open().deliver('next', { cpt: first });
		return out.slice(numbers.length);
	}
	const from = (first: number, count: number, step = 1) =>
		Array.from({ length: count }, (_, index) => first + step * index);

	it.each<[string, number[], number, string[]]>([
		['count by one', from(100, 20), 123, ['interrupted', 'gap 3', 'next']],
		['lack some, which are not searched for', [...from(100, 20), 150], 151, ['continuous', 'next']],
		[
			'jump again and again',
			[...from(100, 20), ...from(200, 9, 7)],
			257,
			['interrupted', 'gap ?', 'next'],
		],
		['have begun anew', [...from(5000, 20), ...from(1, 20)], 23, ['interrupted', 'gap 2', 'next']],
		[
			'begin anew at the end',
			[...from(5000, 20), ...from(1, 5)],
			23,
			['interrupted', 'gap ?', 'next'],
		],
		[
			'begin anew at the end, as many as are jumped over then',
			[...from(100, 20), ...from(1, 9)],
			129,
			['interrupted', 'gap ?', 'next'],
		],
	])('that %s', (_what, numbers, first, expected) => {
		expect(told(numbers, first)).toEqual(expected);
	});
});

it.each([
	['go on', [], 130, 'gap 10'],
	['come in another order just before it', [121, 120], 132, 'gap ?'],
	['begin anew after it', [], 54, 'gap ?'],
])(
	'numbers that %s, of a connection that had stopped and its successor',
	async (_what, last, first, expected) => {
		const { merge, out, open, clock } = bench();
		const stopped = open();
		for (let cpt = 100; cpt < 120; cpt++) stopped.deliver(`e${cpt}`, { cpt });
		for (const cpt of last) stopped.deliver(`e${cpt}`, { cpt });
		await clock.turn(10 * SECOND);
		const next = open();
		await clock.turn(2 * SECOND);
		for (let cpt = first; cpt < first + 16; cpt++) next.deliver(`n${cpt}`, { cpt });
		await clock.turn(15 * SECOND);
		merge.ended(stopped, { clean: false });
		expect(out.slice(-2)).toEqual(['interrupted', expected]);
	},
);

describe('after an interruption', () => {
	async function broken() {
		const scene = bench();
		const connection = scene.open();
		for (let cpt = 100; cpt < 115; cpt++) connection.deliver(`e${cpt}`, { cpt });
		await scene.clock.turn(10 * SECOND);
		connection.ping();
		scene.merge.ended(connection, { reason: 'broke', clean: false });
		await scene.clock.turn(20 * SECOND);
		scene.out.length = 0;
		return scene;
	}

	it('there is none if the provider sends what came in between', async () => {
		const { open, out, clock } = await broken();
		open(true).deliver('e115').deliver('e116');
		await clock.turn(10 * SECOND);
		expect(out).toEqual(['continuous', 'e115', 'e116']);
	});

	it('nothing that another connection had delivered before comes again with what the provider sends', async () => {
		const { open, out, merge, clock } = bench();
		const connections = [open(), open()];
		for (const connection of connections) connection.deliver('e1');
		connections[0]?.deliver('e2');
		for (const connection of connections)
			merge.ended(connection, { reason: 'broke', clean: false });
		await clock.turn(2 * SECOND);
		open(true).deliver('e2').deliver('e3');
		await clock.turn(10 * SECOND);
		expect(out).toEqual(['e1', 'e2', 'continuous', 'e3']);
	});

	it('a first number up to 11 proves nothing', async () => {
		const { open, out } = await broken();
		open().deliver('e1', { cpt: 1 });
		expect(out).toEqual(['interrupted', 'gap ?', 'e1']);
	});

	it('nothing after its beginning is covered before the gap is reported', async () => {
		const { open, covered, gaps, merge, clock } = await broken();
		open().deliver('e1', { cpt: 200 });
		const [{ from, to }] = gaps as [Gap];
		expect(covered).toEqual([from, from]);
		expect(merge.coveredUntil).toBe(to);
		expect(to).toBe(clock.now());
	});
});

describe('an event whose number had been jumped over', () => {
	const counted = (...cpts: number[]) => {
		const { out, open } = bench();
		const connection = open();
		for (const cpt of cpts) connection.deliver(String(cpt), { cpt });
		return out.slice(12);
	};
	const upTo112 = Array.from({ length: 12 }, (_, at) => 101 + at);

	it('is late: what follows calls takes it for what was sent before', () => {
		expect(counted(...upTo112, 115, 114, 113, 116)).toEqual(['115', '114 late', '113 late', '116']);
	});

	it.each<[string, number[]]>([
		['comes in order', [...upTo112, 113, 114]],
		['begins anew', [...upTo112, 1, 2, 3]],
		['is sent twice', [...upTo112, 112, 111]],
		[
			'is of a numbering that is not known to count by one',
			[...upTo112.map((cpt) => cpt * 2), 300, 298],
		],
	])('is not late if it %s', (_name, cpts) => {
		expect(counted(...cpts).join()).not.toContain('late');
	});
});

it('a connection that the provider continues proves nothing of an interruption before it', async () => {
	const { clock, merge, out, gaps, open } = bench();
	const first = open().deliver('a', { cpt: 100 });
	merge.ended(first, { reason: 'broke', clean: false });
	await clock.turn(10 * SECOND);
	// It brings no event of the feed, and breaks before it covers.
	const second = open();
	await clock.turn(SECOND);
	merge.ended(second, { reason: 'broke', clean: false });
	await clock.turn(SECOND);
	open(true).deliver('b', { cpt: 150 });
	expect(out).toEqual(['a', 'interrupted', 'gap ?', 'b']);
	expect(gaps).toHaveLength(1);
});

it('a message beyond a limit that two connections deliver is one gap, and another one is another', async () => {
	const { clock, merge, gaps, open } = bench();
	const connections = [open(), open()] as const;
	for (const connection of connections) connection.deliver('a');
	await clock.turn(SECOND);
	for (const connection of connections) merge.dropped(connection, 'larger than 2 MB');
	expect(gaps).toHaveLength(1);
	await clock.turn(SECOND);
	merge.dropped(connections[1], 'larger than 2 MB');
	const third = open();
	merge.dropped(connections[0], 'larger than 2 MB');
	expect(gaps).toHaveLength(2);
	merge.dropped(third, 'larger than 2 MB');
	expect(gaps).toHaveLength(3);
});
