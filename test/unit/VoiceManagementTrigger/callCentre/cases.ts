// Plays cases of calls, each a few steps with what has to come of them, with the trigger and with the second
// implementation.

import type { Plain } from '../../../../nodes/VoiceManagementTrigger/events/simplify';
import { oracleSelection } from './audit/oracle';
import { LiveScene, trigger, type Implementation } from './scene';

const oracle: Implementation = oracleSelection;

export interface Case {
	/** The steps of LiveScene.play. */
	steps: string;
	/** Agents of the login; 101 and 102 by default. */
	agents?: number[];
	options?: Plain;
	/** All outcomes in order, moments in seconds since the beginning. */
	outcomes?: Plain[];
	/** By the second of a snapshot: rows of queues, agents and the totals. */
	at?: Record<
		number,
		{ queues?: Record<number, Plain>; agents?: Record<number, Plain>; totals?: Plain }
	>;
	/** Rows of alerts, and every alert as "second event when value reason …". */
	alerts?: { rows: Plain[]; told: string[]; repeatEvery?: number; emitResolved?: boolean };
	/** Records of 5 minutes: `offered`, … of the queue's or totals' rows in order. */
	intervals?: { queues?: Record<number, Plain[]>; totals?: Plain[] };
	/** The second up to which it is played; 10 after the last step by default. */
	until?: number;
}

const NAMES_OF_MOMENTS = ['started_at', 'answered_at', 'ended_at', 'date'];

/** An outcome with its moments in seconds. */
function inSeconds(live: LiveScene, item: Plain): Plain {
	const second = (at: unknown) =>
		typeof at === 'string' ? (Date.parse(at) - live.start) / 1000 : null;
	const moments = Object.fromEntries(NAMES_OF_MOMENTS.map((name) => [name, second(item[name])]));
	return { ...item, ...moments, started: moments.started_at, ended: moments.ended_at };
}

const KINDS_OF_CALLS = ['callerWaiting', 'callLasting', 'agentRinging'];
const KINDS_OF_QUEUES = ['callersWaiting', 'missedCalls', 'serviceLevelBelow', 'agentRinging'];

function toldAs(live: LiveScene, item: Plain): string {
	const { event, when, value, reason } = item;
	const isCalls =
		KINDS_OF_CALLS.includes(String(when)) || (when === 'serviceLevelBelow' && event === 'started');
	const agent = (item.agent as { id?: string } | undefined)?.id;
	return [
		(Date.parse(String(item.date)) - live.start) / 1000,
		...[event, when, value, reason],
		isCalls && `call=${String(item.id_call)}`,
		KINDS_OF_QUEUES.includes(String(when)) && `queue=${String(item.id_queue)}`,
		agent !== undefined && `agent=${agent}`,
	]
		.filter((part) => part !== undefined && part !== false)
		.join(' ');
}

/** What is absent if it is 0. */
const present = (row: Plain | undefined) => ({
	waiting_before: 0,
	overflowed: 0,
	unknown: 0,
	...row,
});

async function played(
	one: Case,
	implementation: Implementation,
	parameters: Plain,
): Promise<LiveScene> {
	const ops = (one.agents ?? [101, 102]).map((id) => ({ id, nom: `Agent ${id}`, groups: [] }));
	const live = new LiveScene(parameters, { ops }, {}, undefined, undefined, implementation);
	live.open();
	await live.play(one.steps);
	await live.at(Math.max(one.until ?? 0, live.now + 10));
	live.close();
	return live;
}

const rowOf = (items: readonly Plain[], event: string, id?: string) =>
	items.find(
		(item) =>
			item.event === event &&
			(event !== 'queue' || item.id_queue === id) &&
			(event !== 'agent' || (item.agent as { id: string }).id === id),
	);

/** Each case in each mode of which it has something to say. */
export function playCases(cases: Record<string, Case>): void {
	const each = (part: keyof Case, test: (one: Case) => Promise<void>) => {
		for (const [name, one] of Object.entries(cases))
			if (one[part] !== undefined) it(name, async () => test(one));
	};

	describe.each<[string, Implementation]>([
		['the trigger', trigger],
		['the second implementation', oracle],
	])('%s', (_name, implementation) => {
		describe('tells the outcomes', () => {
			each('outcomes', async (one) => {
				const parameters = { mode: 'callOutcomes', outcomes: [], options: one.options ?? {} };
				const live = await played(one, implementation, parameters);
				const items = live.items.map((item) => inSeconds(live, item));
				expect(items).toMatchObject(one.outcomes ?? []);
			});
		});

		describe('shows the figures', () => {
			each('at', async (one) => {
				const parameters = {
					...{ mode: 'snapshots', snapshotOf: [], every: 1, period: 'day', onlyWhenChanged: false },
					options: one.options ?? {},
				};
				const live = await played(one, implementation, parameters);
				for (const [second, rows] of Object.entries(one.at ?? {})) {
					const date = new Date(live.start + Number(second) * 1000).toISOString();
					const items = live.executions.findLast(([first]) => first?.date === date) ?? [];
					for (const [id, row] of Object.entries(rows.queues ?? {}))
						expect(present(rowOf(items, 'queue', id))).toMatchObject(row);
					for (const [id, row] of Object.entries(rows.agents ?? {}))
						expect(rowOf(items, 'agent', id)).toMatchObject(row);
					if (rows.totals) expect(present(rowOf(items, 'totals'))).toMatchObject(rows.totals);
				}
			});
		});

		describe('records the intervals', () => {
			each('intervals', async (one) => {
				const live = await played(one, implementation, {
					...{ mode: 'snapshots', snapshotWhen: 'interval', period: '5', snapshotOf: [] },
					options: one.options ?? {},
				});
				const { queues = {}, totals = [] } = one.intervals ?? {};
				for (const [id, rows] of Object.entries(queues))
					rows.forEach((row, index) => {
						if (Object.keys(row).length === 0) return;
						expect(present(rowOf(live.executions[index] ?? [], 'queue', id))).toMatchObject(row);
					});
				totals.forEach((row, index) => {
					expect(present(rowOf(live.executions[index] ?? [], 'totals'))).toMatchObject(row);
				});
			});
		});

		describe('raises the alerts', () => {
			each('alerts', async (one) => {
				const { rows = [], told = [], repeatEvery = 0, emitResolved = true } = one.alerts ?? {};
				const live = await played(one, implementation, {
					...{ mode: 'alerts', alerts: { alert: rows } },
					options: { ...one.options, repeatEvery, emitResolved },
				});
				expect(live.items.map((item) => toldAs(live, item))).toEqual(told);
			});
		});
	});
}
