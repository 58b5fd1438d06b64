// Where a call is counted that goes through several queues and trunks, or is in two of them at once: snapshots, interval
// records, alerts and outcomes tell the same.

import { alerts, LiveScene } from './scene';

const LOGIN = { ops: [{ id: 101, nom: 'Ada', groups: [] }] };

/**
 * What happens, and in the end: where a missed call was, and the figures of each queue that are not 0. A `!` is a missed
 * call of that queue's alert.
 */
const CASES = `
// It was missed where the caller waited, although the trunk by which it came is left last.
0 trunkIn 7, 2 enters 7, 40 leaves 7, 40 trunkOut 7, 60 - → 51; 51 offered 1 abandoned 1 !
// It overflows into a trunk.
0 enters 7, 30 leaves 7, 30 trunkIn 7, 60 - → ; 51 offered 1 overflowed 1
0 enters 7, 30 trunkIn 7, 30 leaves 7, 60 trunkOut 7, 80 - → trunk; 51 offered 1 overflowed 1
// A trunk that rings an agent meanwhile is no overflow.
0 enters 7, 5 trunkIn 7, 30 leaves 7, 30 trunkOut 7, 60 - → 51; 51 offered 1 abandoned 1 !
0 enters 7, 5 trunkIn 7, 20 trunkOut 7, 30 leaves 7, 60 - → 51; 51 offered 1 abandoned 1 !
// In two queues at once it is in the newer one, as long as it is there.
0 enters 7, 10 enters 7 52, 30 - → ; 51 offered 1 overflowed 1; 52 waiting 1 offered 1
0 enters 7, 10 enters 7 52, 20 leaves 7 52, 20 leaves 7, 40 - → 52; 51 offered 1 overflowed 1; 52 offered 1 abandoned 1 !
0 enters 7, 10 enters 7 52, 25 leaves 7 52, 90 - → ; 51 waiting 1 offered 1; 52 offered 1 overflowed 1
0 enters 7, 10 enters 7 52, 25 leaves 7 52, 90 leaves 7, 110 - → 51; 51 offered 1 abandoned 1 !; 52 offered 1 overflowed 1
0 enters 7, 5 answered 7, 10 enters 7 52, 25 leaves 7 52, 90 - → ; 51 talking 1 offered 1 answered 1; 52 offered 1 overflowed 1
0 enters 7, 10 enters 7 52, 15 answered 7 52, 40 leaves 7 52, 41 leaves 7, 60 - → ; 51 offered 1 overflowed 1; 52 offered 1 answered 1
0 enters 7, 5 cut, 10 enters 7 52, 25 leaves 7 52, 60 - → ; 51 offered 1 unknown 1; 52 offered 1 unknown 1`;

const FIELDS = ['waiting', 'talking', 'offered', 'answered', 'abandoned', 'overflowed', 'unknown'];

it.each(
	CASES.split('\n')
		.filter((line) => line.includes('→'))
		.map((line) => line.split('→').map((part) => part.trim())),
)('%s', async (steps = '', expected = '') => {
	const key = {};
	const board = new LiveScene({ mode: 'snapshots', every: 1, snapshotOf: ['queues'] }, LOGIN, key);
	const outcomes = board.join({ mode: 'callOutcomes', outcomes: ['missed'] }, LOGIN);
	const missed = board.join(alerts({ when: 'missedCalls', threshold: 1 }), LOGIN);
	for (const live of [outcomes, missed]) live.open();
	await board.open().play(steps);
	const [outcome] = outcomes.items;
	const place = outcome?.id_trunk == null ? (outcome?.id_queue ?? '') : 'trunk';
	const told = new Set(missed.items.map(({ id_queue: id }) => id));
	const rows = (board.executions.at(-1) ?? []).map((item) =>
		[
			item.id_queue,
			...FIELDS.filter((field) => Number(item[field] ?? 0) > 0).map(
				(field) => `${field} ${String(item[field])}`,
			),
			...(told.has(item.id_queue) ? ['!'] : []),
		].join(' '),
	);
	expect([place, ...rows].join('; ')).toBe(expected);
});
