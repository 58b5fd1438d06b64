// What is kept after many days in which each day has other agents, queues and calls, by all modes at once: as much as
// after a few.

import { readDirectory } from '../../../../nodes/shared/directory';
import { Alerts } from '../../../../nodes/VoiceManagementTrigger/callCentre/alerts';
import {
	ALERT_KIND_NAMES,
	kindOf,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/alertKinds';
import type { Change } from '../../../../nodes/VoiceManagementTrigger/callCentre/changes';
import { CallCentre } from '../../../../nodes/VoiceManagementTrigger/callCentre/fold';
import {
	SNAPSHOT_PARTS,
	Snapshots,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/snapshots';
import { NO_FILTER } from '../../../../nodes/VoiceManagementTrigger/events/filter';

const DAY_MS = 86_400_000;
const QUEUES = 700;
const CALLS = 700;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The entries of all lists, maps and sets that can be reached. */
function entries(...roots: object[]): number {
	const open: unknown[] = roots;
	const seen = new Set<unknown>();
	let count = 0;
	while (open.length > 0) {
		const one = open.pop();
		if (!isObject(one) || seen.has(one)) continue;
		seen.add(one);
		const parts: unknown[] = one instanceof Map ? [...one.keys(), ...one.values()] : [];
		if (Array.isArray(one) || one instanceof Set) parts.push(...(one as Iterable<unknown>));
		count += parts.length;
		for (const part of parts) open.push(part);
		if (!Array.isArray(one)) for (const part of Object.values(one)) open.push(part);
	}
	return count;
}

it.each([
	['the login lists', 300, true],
	['nothing lists', 4_000, false],
])(
	'of agents whom %s, as of queues and calls, no more is kept from day to day',
	(_, agents, lists) => {
		let now = Date.UTC(2026, 0, 1);
		let cpt = 0;
		let directory = readDirectory({});
		const figures = { serviceLevelSeconds: 20, shortAbandonSeconds: 5 };
		const centre = new CallCentre(() => directory.agents);
		const parts = { of: SNAPSHOT_PARTS, filter: NO_FILTER, namedQueues: [], figures };
		const snapshots = new Snapshots(
			parts,
			centre,
			() => directory,
			now,
			() => {},
		);
		const rows = ALERT_KIND_NAMES.map((when) => ({
			...{ when, threshold: kindOf(when).threshold.default, hold: 0 },
			...{ windowMinutes: 60, minimumCalls: 1, queueIds: [], groupIds: [] },
		}));
		const alerts = new Alerts(
			{ alerts: rows, filter: NO_FILTER, figures, repeatEvery: 21_600, emitResolved: true },
			centre,
			() => directory,
			now,
			() => {},
			() => {},
		);
		const take = (changes: readonly Change[]) => {
			snapshots.take(changes);
			alerts.take(changes, now);
		};
		const send = (type: string, event: string, msg: Record<string, unknown>) => {
			const sent = { type, event, msg, cpt: ++cpt, ts: Math.floor(now / 1000) };
			take(centre.onEvent({ ...sent, raw: {}, receivedAt: now }));
		};
		/** Some are answered, some missed, and of some no end is heard. */
		const call = (id: number, queue: number, agent: number) => {
			send('queue', 'insert_call', { id_call: id, id_queue: queue, caller_id_num: `+4420${id}` });
			send('queue', 'connect_call', {
				id_call: id,
				id_queue: queue,
				id_operator: agent,
				status: 'ringing',
			});
			now += 20_500;
			if (id % 3 === 0)
				send('queue', 'connect_call', { id_call: id, id_queue: queue, id_operator: agent });
			if (id % CALLS === 500) take(centre.onInterruption(now));
			if (id % 7 > 0) send('queue', 'delete_call', { id_call: id, id_queue: queue });
		};
		const day = (number: number) => {
			const [firstAgent, firstQueue] = [number * agents, number * QUEUES];
			const ids = Array.from({ length: agents }, (_, index) => firstAgent + index);
			if (lists) directory = readDirectory({ ops: ids.map((id) => ({ id, nom: `Agent ${id}` })) });
			for (const agent of ids) {
				send('operator', 'status', { id_operator: agent, status: 'available', catchup: 5 });
				if (agent % 2 === 0) send('UI', 'pause', { id_operator: agent, supp: 1 });
			}
			for (let index = 0; index < CALLS; index++)
				call(number * CALLS + index, firstQueue + (index % QUEUES), firstAgent + (index % agents));
			// Some are taken from a trunk, without any queue.
			for (let index = 0; index < 30; index++) {
				const id = `t${number}-${index}`;
				send('trunk', 'insert_call', { id_call: id, id_trunk: 9 });
				send('operator', 'status', { id_operator: firstAgent, id_call: id, status: 'connected' });
				now += 5_000;
				send('trunk', 'delete_call', { id_call: id, id_trunk: 9 });
				send('operator', 'status', { id_operator: firstAgent, status: 'available' });
			}
			now = Date.UTC(2026, 0, 2) + number * DAY_MS;
			take(centre.tick(now));
			snapshots.ends(now);
			snapshots.ended();
			snapshots.told(now);
			return entries(centre, snapshots, alerts);
		};
		const kept = Array.from({ length: 7 }, (_, number) => day(number));
		// Which of the calls are answered repeats every three days.
		expect(kept[6]).toBe(kept[3]);
	},
	120_000,
);
