// Traces of calls in a table of text. A block is
//
//     # a name | agents=101/11+102 until=620 serviceLevelSeconds=10 quiet
//     0 enters 7, 10 answered 7
//     > outcomes | 10 answered 7 wait=10
//     > alerts callerWaiting 5 queueIds=51/52 + callLasting 60 | 5 started 5 5 7 51; 10 resolved 5 10 answered 7 51
//     > at 20 | q51 answered=1; a101 state=talking; all talking=1
//     > each 5 | q51 offered=1 / offered=0
//
// that is what is set (agents with their groups, options, filters), the steps of LiveScene.play, and what has to come of
// them: all outcomes with fields; all alerts of the rows, as second, event, threshold, value, reason, call, queue, agent
// and fields; of a snapshot at a second the rows of queues, agents and the totals; of the records of so many minutes the
// rows in order. Moments are in seconds since the beginning.

import {
	kindOf,
	type AlertKindName,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/alertKinds';
import type { Plain } from '../../../../nodes/VoiceManagementTrigger/events/simplify';
import { HandClock } from '../../../support/world';
import { LiveScene } from './scene';

/** A value as a word: lists of agents and queues with their seconds, "null", moments in seconds since the beginning. */
function word(live: LiveScene, value: unknown): string {
	if (Array.isArray(value)) return value.map((one) => word(live, one)).join('+') || 'none';
	if (value === null || typeof value !== 'object') {
		const at = /^\d{4}-.*Z$/.test(String(value)) ? Date.parse(String(value)) : NaN;
		return Number.isNaN(at) ? String(value) : String((at - live.start) / 1000);
	}
	return Object.values(value)
		.map((one) => word(live, one))
		.join(':');
}

const ABSENT_IF_ZERO = ['waiting_before', 'overflowed', 'unknown'];

/** What an item has of the fields that are expected, in the same form. */
function like(live: LiveScene, expected: string, item: Plain | undefined, head: string[]): string {
	const fields = [...expected.matchAll(/(\w+)=/g)].map(([, name = '']) => name);
	return [
		...head,
		...fields.map((name) => {
			const value = item?.[name] ?? (ABSENT_IF_ZERO.includes(name) && item ? 0 : item?.[name]);
			return `${name}=${word(live, value)}`;
		}),
	].join(' ');
}

const second = (live: LiveScene, at: unknown) =>
	String((Date.parse(String(at)) - live.start) / 1000);

const BALANCE = ['answered', 'abandoned', 'short_abandoned', 'overflowed', 'unknown', 'waiting'];
const AGENTS = ['talk', 'ringing', 'wrap_up', 'available', 'break'];
const STATES = ['available', 'ringing', 'talking', 'wrap_up', 'on_break', 'logged_out', 'unknown'];
const sum = (item: Plain, names: string[]) =>
	names.reduce((total, name) => total + Number(item[name] ?? 0), 0);

/** What holds of the items of each snapshot, whatever happened. */
function expectSums(items: readonly Plain[]): void {
	const agents = items.filter(({ event }) => event === 'agent');
	for (const item of items)
		if (item.event !== 'agent')
			expect({ of: item, sum: sum(item, ['offered', 'waiting_before']) }).toEqual({
				of: item,
				sum: sum(item, BALANCE),
			});
	const totals = items.find(({ event }) => event === 'totals');
	if (!totals) return;
	expect(
		sum(
			totals,
			STATES.map((state) => `agents_${state}`),
		),
	).toBe(agents.length);
	for (const state of AGENTS)
		expect([state, Number(totals[`agents_${state}_seconds`] ?? 0)]).toEqual([
			state,
			agents.reduce((total, agent) => total + Number(agent[`${state}_seconds`] ?? 0), 0),
		]);
}

interface Setup {
	agents: string[];
	options: Plain;
	filters: Plain;
	start: string;
	until: number;
}

function setupOf(words: string): Setup {
	const setup: Setup = { agents: ['101', '102'], options: {}, filters: {}, start: '', until: 0 };
	for (const one of words.split(' ').filter(Boolean)) {
		const [name = '', value = ''] = one.split('=');
		if (name === 'agents') setup.agents = value.split('+');
		else if (name === 'until') setup.until = Number(value);
		else if (name === 'start') setup.start = value;
		else if (name.endsWith('Ids')) setup.filters[name] = value.split('+');
		else if (name === 'quiet') setup.options.emitResolved = false;
		else setup.options[name] = Number(value);
	}
	return setup;
}

/** "101/11/12" is an agent of the groups 11 and 12. */
const loginOf = ({ agents }: Setup) => ({
	ops: agents.map((agent) => {
		const [id = '', ...groups] = agent.split('/');
		return { id, nom: `Agent ${id}`, groups };
	}),
	groupes: [11, 12, 13].map((id) => ({ id, nom: `Group ${id}` })),
});

async function played(setup: Setup, steps: string, parameters: Plain): Promise<LiveScene> {
	const clock = new HandClock();
	if (setup.start) await clock.turn(Date.parse(setup.start) - clock.now());
	const options = { emitResolved: true, ...setup.options };
	const all = { ...parameters, filters: setup.filters, options };
	const live = new LiveScene(all, loginOf(setup), {}, clock).open();
	await live.play(steps);
	await live.at(Math.max(setup.until, live.now + 10));
	live.close();
	return live;
}

const rowOf = (items: readonly Plain[], who: string) =>
	items.find((item) =>
		who === 'all'
			? item.event === 'totals'
			: who.startsWith('q')
				? item.event === 'queue' && item.id_queue === who.slice(1)
				: item.event === 'agent' && (item.agent as { id: string }).id === who.slice(1),
	);

const split = (text: string, by: string) =>
	text
		.split(by)
		.map((part) => part.trim())
		.filter(Boolean);

const outcomes = async (setup: Setup, steps: string, _: string, expected: string) => {
	const live = await played(setup, steps, { mode: 'callOutcomes', outcomes: [] });
	const wanted = split(expected, ';');
	const got = live.items.map((item, index) =>
		like(live, wanted[index] ?? '', item, [
			second(live, item.date),
			String(item.event),
			String(item.id_call),
		]),
	);
	expect(got).toEqual(wanted);
};

const alerts = async (setup: Setup, steps: string, rows: string, expected: string) => {
	const alert = split(rows, ' + ').map((row) => {
		const [when = '', threshold, ...more] = row.split(' ');
		const fields = more.map((one) => {
			const [name = '', value = ''] = one.split('=');
			return [name, name.endsWith('Ids') ? value.split('/') : Number(value)];
		});
		return {
			when,
			[kindOf(when as AlertKindName).threshold.name]: Number(threshold),
			...(Object.fromEntries(fields) as Plain),
		};
	});
	const live = await played(setup, steps, { mode: 'alerts', alerts: { alert } });
	const wanted = split(expected, ';');
	const got = live.items.map((item, index) => {
		const { event, threshold, value, reason, id_call, id_queue, agent } = item;
		const of = [id_call, id_queue, (agent as Plain | undefined)?.id];
		const head = [second(live, item.date), event, threshold, value, reason, ...of];
		expect(item.seconds).toBe(
			Math.round((Date.parse(String(item.date)) - Date.parse(String(item.since))) / 1000),
		);
		return like(
			live,
			wanted[index] ?? '',
			item,
			head.filter((one) => one !== undefined && one !== null).map(String),
		);
	});
	expect(got).toEqual(wanted);
};

const snapshots = async (setup: Setup, steps: string, when: string, expected: string) => {
	const [at = '', period = 'day'] = when.split(' ');
	const every = Number(at) > 1_000 ? 10 : 1;
	const parameters = { mode: 'snapshots', snapshotOf: [], every, onlyWhenChanged: false };
	const live = await played(setup, steps, { ...parameters, period });
	live.executions.forEach(expectSums);
	const items = live.executions.findLast(
		([first]) => second(live, first?.date) === String(Number(at)),
	);
	const wanted = split(expected, ';');
	const got = wanted.map((row) => {
		const [who = ''] = row.split(' ');
		return like(live, row, rowOf(items ?? [], who), [who]);
	});
	expect(got).toEqual(wanted);
};

const records = async (setup: Setup, steps: string, period: string, expected: string) => {
	const parameters = { mode: 'snapshots', snapshotWhen: 'interval', snapshotOf: [], period };
	const live = await played(setup, steps, parameters);
	live.executions.forEach(expectSums);
	for (const row of split(expected, ';')) {
		const [who = '', ...rest] = row.split(' ');
		const wanted = rest
			.join(' ')
			.split('/')
			.map((one) => one.trim());
		const got = wanted.map((one, index) =>
			like(live, one, rowOf(live.executions[index] ?? [], who), []),
		);
		expect([who, ...got]).toEqual([who, ...wanted]);
	}
};

const CHECKS: Record<string, typeof outcomes> = { outcomes, alerts, at: snapshots, each: records };

/** A test of each expectation of each block. */
export function playTraces(traces: string): void {
	describe.each(
		split(traces, '\n# ').map((block) => {
			const [head = '', steps = '', ...expected] = split(block.replace(/^# /, ''), '\n');
			const [name, setup = ''] = head.split('|');
			return { name, setup, steps, expected };
		}),
	)('$name', ({ setup, steps, expected }) => {
		it.each(expected.filter((line) => line.startsWith('>')))('%s', async (line) => {
			const [, what = '', about = '', wanted = ''] = /^> (\w+) ?(.*?) ?\|(.*)$/.exec(line) ?? [];
			const check = CHECKS[what];
			if (!check) throw new Error(`Not an expectation: ${line}`);
			await check(setupOf(setup), steps, about, wanted);
		});
	});
}
