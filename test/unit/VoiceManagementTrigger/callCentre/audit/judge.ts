// Judges items from the items alone, without any model: what an auditor could recompute from a table of them.

import type { Plain } from '../../../../../nodes/VoiceManagementTrigger/events/simplify';

const number = (item: Plain | undefined, field: string): number => Number(item?.[field] ?? 0);

const COUNTS = [
	...['offered', 'answered', 'answered_in_time', 'late', 'abandoned', 'short_abandoned'],
	...['abandoned_in_time', 'overflowed', 'unknown', 'answer_wait_seconds', 'abandon_wait_seconds'],
	...['talks', 'talk_seconds', 'wrap_up_seconds'],
];

const STATES = ['talk', 'ringing', 'wrap_up', 'available', 'break'].map(
	(state) => `${state}_seconds`,
);

/** The quotients: dividends, divisors, factor. */
const QUOTIENTS: Record<string, readonly [readonly string[], readonly string[], number]> = {
	service_level: [['answered_in_time'], ['answered_in_time', 'late', 'abandoned_in_time'], 100],
	abandonment_rate: [['abandoned'], ['answered', 'abandoned'], 100],
	average_speed_of_answer: [['answer_wait_seconds'], ['answered'], 1],
	average_talk: [['talk_seconds'], ['talks'], 1],
	average_handle_time: [['talk_seconds', 'wrap_up_seconds'], ['talks'], 1],
};

/** A row's name, the same in each snapshot. */
export function nameOf(item: Plain): string {
	if (item.event === 'queue') return `queue ${String(item.id_queue)}`;
	return item.event === 'agent' ? `agent ${(item.agent as { id: string }).id}` : 'totals';
}

export const byName = (items: readonly Plain[]): Map<string, Plain> =>
	new Map(items.map((item) => [nameOf(item), item]));

/** What is wrong with one snapshot of either kind. */
export function judgeSnapshot(items: readonly Plain[]): string[] {
	const wrong: string[] = [];
	for (const item of items) {
		const say = (what: string) => wrong.push(`${String(item.date)} ${nameOf(item)}: ${what}`);
		if (item.event === 'agent') judgeAgent(item, '', say);
		else judgeRow(item, say);
		if (item.event === 'totals') judgeAgent(item, 'agents_', say);
	}
	judgeTotals(items, (what) => wrong.push(`${String(items[0]?.date)} ${what}`));
	return wrong;
}

function judgeRow(item: Plain, say: (what: string) => void): void {
	const into = number(item, 'offered') + number(item, 'waiting_before');
	const out = ['answered', 'abandoned', 'short_abandoned', 'overflowed', 'unknown', 'waiting'];
	const sum = out.reduce((all, field) => all + number(item, field), 0);
	if (into !== sum) say(`${into} came in, but ${sum} are accounted for`);
	for (const field of [...COUNTS, 'waiting', 'waiting_before', 'talking'])
		if (number(item, field) < 0 || !Number.isInteger(number(item, field)))
			say(`${field} is ${String(item[field])}`);
	if (number(item, 'answered_in_time') > number(item, 'answered'))
		say('more in time than answered');
	if (number(item, 'abandoned_in_time') > number(item, 'abandoned'))
		say('more abandoned in time than abandoned');
	for (const [field, [dividends, divisors, factor]] of Object.entries(QUOTIENTS)) {
		const isUnknown = dividends.some((name) => item[name] === null);
		const part = dividends.reduce((all, name) => all + number(item, name), 0);
		const whole = divisors.reduce((all, name) => all + number(item, name), 0);
		const expected = whole === 0 || isUnknown ? null : (factor * part) / whole;
		compare(field, item[field], expected, say);
	}
	if ((item.longest_wait === null) !== (item.longest_since === null))
		say('longest_wait and longest_since disagree');
	if (number(item, 'waiting') === 0 && item.longest_wait !== null) say('nobody waits for long');
	if (
		item.longest_wait !== null &&
		number(item, 'longest_wait_of_period') < number(item, 'longest_wait')
	)
		say('longest_wait is longer than that of the period');
	const waited = number(item, 'answer_wait_seconds') + number(item, 'abandon_wait_seconds');
	const calls =
		number(item, 'answered') + number(item, 'abandoned') + number(item, 'short_abandoned');
	if (waited > 0 && waited / calls > number(item, 'longest_wait_of_period') + 0.5)
		say('an average is longer than the longest wait');
}

function compare(
	field: string,
	shown: unknown,
	expected: number | null,
	say: (what: string) => void,
): void {
	const isRight =
		expected === null
			? shown === null
			: typeof shown === 'number' && Math.abs(shown - expected) <= 0.0501;
	if (!isRight) say(`${field} is ${String(shown)} instead of ${String(expected)}`);
}

function judgeAgent(item: Plain, prefix: string, say: (what: string) => void): void {
	const times = STATES.map((state) => item[`${prefix}${state}`]);
	const of = (state: string) => number(item, `${prefix}${state}_seconds`);
	const busy = of('talk') + of('wrap_up');
	const all = busy + of('ringing') + of('available');
	const expected = all === 0 ? null : (100 * busy) / all;
	compare('occupancy', item.occupancy ?? null, expected, say);
	if (prefix !== '' || times.every((time) => time == null)) return;
	const sum = times.reduce((seconds: number, time) => seconds + Number(time ?? 0), 0);
	if (item.from === undefined) return;
	const length = (Date.parse(String(item.to)) - Date.parse(String(item.from))) / 1000;
	if (sum > length + 3) say(`${sum} s in states, of ${length} s`);
}

/** The totals' agents are the rows of agents, and the queues' calls are more than the totals'. */
function judgeTotals(items: readonly Plain[], say: (what: string) => void): void {
	const totals = items.find(({ event }) => event === 'totals');
	if (!totals) return;
	const agents = items.filter(({ event }) => event === 'agent');
	const counted = [
		'available',
		'ringing',
		'talking',
		'wrap_up',
		'on_break',
		'logged_out',
		'unknown',
	];
	const inStates = counted.reduce((sum, state) => sum + number(totals, `agents_${state}`), 0);
	if (agents.length > 0 && inStates !== agents.length)
		say(`${agents.length} agents, but ${inStates} in the totals`);
	for (const state of agents.length > 0 ? STATES : []) {
		const sum = agents.reduce((all, agent) => all + number(agent, state), 0);
		const shown = number(totals, `agents_${state}`);
		if (Math.abs(sum - shown) > agents.length) say(`agents_${state} is ${shown}, not ${sum}`);
	}
	const queues = items.filter(({ event }) => event === 'queue');
	if (queues.length === 0) return;
	const inQueues = (field: string) => queues.reduce((sum, queue) => sum + number(queue, field), 0);
	// A caller who waits in two queues is one.
	for (const field of ['waiting', 'answered_in_time'])
		if (field === 'waiting' && number(totals, field) > inQueues(field) && totals.from === undefined)
			say(`more callers wait than in the queues`);
	for (const field of ['talking', 'talks', 'talk_seconds'])
		if (number(totals, field) < inQueues(field)) say(`${field} of the queues is more`);
}

/** What is wrong between snapshots of one period that follow each other. */
export function judgeNext([before, after]: readonly [
	readonly Plain[],
	readonly Plain[],
]): string[] {
	const wrong: string[] = [];
	const rows = byName(before);
	for (const item of after) {
		const last = rows.get(nameOf(item));
		if (!last || item.event === 'agent') continue;
		if (number(item, 'offered') < number(last, 'offered'))
			wrong.push(`${String(item.date)} ${nameOf(item)}: offered goes back`);
	}
	return wrong;
}

/** Which snapshots show nothing new but times, since the one before in the same period. */
export function judgeChanges(snapshots: ReadonlyArray<readonly Plain[]>): string[] {
	const times = [
		...['date', 'missed_seconds', 'longest_wait', 'longest_wait_of_period', 'occupancy'],
		...STATES.map((state) => `agents_${state}`),
	];
	const lasting = (item: Plain) => {
		const moving = item.event === 'agent' ? [...times, ...STATES, 'seconds'] : times;
		return Object.entries(item).filter(([field]) => !moving.includes(field));
	};
	const shown = snapshots.map((items) => JSON.stringify(items.map(lasting)));
	return snapshots.flatMap(([first], index) =>
		shown[index] === shown[index - 1] ? [`${String(first?.date)} nothing has changed`] : [],
	);
}

/**
 * What is wrong in a chain of intervals: who waits at the end of one was waiting before the next. A caller who came back
 * after the record, and one whose entry was not seen, is before the next one as well.
 */
export function judgeChain(records: ReadonlyArray<readonly Plain[]>): string[] {
	const wrong: string[] = [];
	for (const [index, record] of records.entries()) {
		const last = records[index - 1];
		if (!last) continue;
		if (last[0]?.to !== record[0]?.from) wrong.push(`${String(record[0]?.from)} has a hole before`);
		const rows = byName(last);
		for (const item of record) {
			if (item.event === 'agent') continue;
			const waiting = number(rows.get(nameOf(item)), 'waiting');
			const before = number(item, 'waiting_before');
			if (before < waiting)
				wrong.push(`${String(item.from)} ${nameOf(item)}: ${waiting} waited, but ${before} before`);
		}
	}
	return wrong;
}

/** The counts of several records added up, by row. */
export function addUp(records: ReadonlyArray<readonly Plain[]>): Map<string, Plain> {
	const sums = new Map<string, Plain>();
	for (const record of records)
		for (const item of record) {
			const name = nameOf(item);
			const sum = sums.get(name) ?? {};
			sums.set(name, sum);
			const fields = item.event === 'agent' ? ['answered', 'not_answered', ...STATES] : COUNTS;
			for (const field of fields) sum[field] = number(sum, field) + number(item, field);
		}
	return sums;
}

/** Whether short periods add up to long ones. Agents' seconds are rounded in each. */
export function judgeSum(
	short: ReadonlyArray<readonly Plain[]>,
	long: ReadonlyArray<readonly Plain[]>,
): string[] {
	const wrong: string[] = [];
	const sums = addUp(short);
	for (const [name, sum] of addUp(long))
		for (const [field, value] of Object.entries(sum)) {
			const slack = name.startsWith('agent') && field.endsWith('_seconds') ? short.length : 0;
			const of = number(sums.get(name), field);
			if (Math.abs(of - Number(value)) > slack)
				wrong.push(`${name} ${field}: ${of} in short periods, ${String(value)} in long ones`);
		}
	return wrong;
}

/** What is wrong with outcomes by themselves. */
export function judgeOutcomes(items: readonly Plain[]): string[] {
	const wrong: string[] = [];
	const open = new Map<string, string>();
	for (const item of items) {
		const id = String(item.id_call);
		const say = (what: string) => wrong.push(`${String(item.date)} call ${id}: ${what}`);
		const talks = (item.talks ?? []) as Array<{ talk: number | null }>;
		const sum = talks.reduce((all, { talk }) => all + Number(talk ?? 0), 0);
		const isUnknown = item.answered === null || talks.some(({ talk }) => talk === null);
		if (item.event === 'ended' && item.talk !== (isUnknown ? null : sum))
			say('talk is not their sum');
		const waits = (item.queue_waits ?? []) as Array<{ wait: number | null }>;
		const longest = Math.max(0, ...waits.map(({ wait }) => Number(wait ?? 0)));
		const isFirst = item.after_missed === undefined && item.after_ended === undefined;
		if (item.event !== 'ended' && typeof item.wait === 'number' && longest > item.wait + 1)
			say(`waited ${longest} s in a queue, but ${item.wait} s in all`);
		if (item.event === 'missed') {
			if (item.answered !== false || talks.length > 0) say('missed and answered');
			if (item.within_service_level !== false) say('missed within the level');
			const rings = (item.offered_to ?? []) as unknown[];
			const reason = String(item.missed_reason);
			if (
				['agents_did_not_answer', 'abandoned_while_ringing'].includes(reason) &&
				rings.length === 0
			)
				say(`${reason}, and it rang nobody`);
			if (['no_available_agent', 'abandoned_before_ringing'].includes(reason) && rings.length > 0)
				say(`${reason}, but it rang`);
		}
		if (item.answered === null && (item.wait !== null || item.within_service_level !== null))
			say('a wait of a call whose answer is not known');
		if (item.partial !== (item.reason !== null)) say('partial and reason disagree');
		const moments = [item.started_at, item.answered_at, item.ended_at, item.date];
		const known = moments.filter((at) => at != null).map((at) => Date.parse(String(at)));
		if (known.some((at, index) => at < (known[index - 1] ?? at)))
			say(`moments go back: ${moments.map(String).join(', ')}`);
		if (item.event === 'answered' && open.get(id) === 'answered' && !isFirst) say('answered twice');
		// The second implementation makes none.
		if ('summary' in item) judgeOutcomeSentence(item, say);
		open.set(id, String(item.event));
	}
	return wrong;
}

/** What outcomes and figures of one whole period must have in common, if no end is seen only in part. */
export function judgeTogether(outcomes: readonly Plain[], totals: Plain): string[] {
	const wrong: string[] = [];
	const tell = (what: string, one: number, other: number) => {
		if (one !== other) wrong.push(`${what}: ${one} in outcomes, ${other} in figures`);
	};
	const inQueues = outcomes.filter((item) => ((item.queue_waits ?? []) as unknown[]).length > 0);
	const records = inQueues.filter(({ event }) => event === 'missed' || event === 'ended');
	const talks = records.flatMap(({ talks: list }) => list as Array<{ talk: number }>);
	tell('talks', talks.length, number(totals, 'talks'));
	tell(
		'talk',
		talks.reduce((sum, { talk }) => sum + talk, 0),
		number(totals, 'talk_seconds'),
	);
	const missed = inQueues.filter(({ event }) => event === 'missed');
	const gaveUp = records.filter((item) => item.gave_up === true);
	const left = number(totals, 'abandoned') + number(totals, 'short_abandoned');
	tell('left', missed.length + gaveUp.length, left);
	const short = missed.filter(({ missed_reason: reason }) => reason === 'short_abandoned');
	if (gaveUp.length === 0) tell('short', short.length, number(totals, 'short_abandoned'));
	const answered = inQueues.filter(({ event }) => event === 'answered');
	if (number(totals, 'answered') < answered.length) wrong.push('fewer answered in figures');
	return wrong;
}

/** What is wrong with alerts by themselves, with ends. */
export function judgeAlerts(items: readonly Plain[]): string[] {
	const wrong: string[] = [];
	const open = new Map<string, Plain>();
	for (const item of items) {
		const agent = (item.agent as { id?: string } | undefined)?.id;
		const ofCall = ['callerWaiting', 'callLasting', 'agentRinging'].includes(String(item.when));
		const subject = [
			...[item.when, item.threshold],
			ofCall ? item.id_call : (item.id_queue ?? ''),
			item.when === 'callLasting' ? '' : agent,
		].join(' ');
		const say = (what: string) =>
			wrong.push(`${String(item.date)} ${subject} ${String(item.event)}: ${what}`);
		const since = Date.parse(String(item.since));
		const lasted = Math.round((Date.parse(String(item.date)) - since) / 1000);
		if (item.seconds !== lasted) say(`seconds is ${String(item.seconds)}, not ${lasted}`);
		if ('summary' in item) judgeAlertSentence(item, say);
		const started = open.get(subject);
		if (item.event === 'started') {
			if (started) say('started twice');
			open.set(subject, item);
			continue;
		}
		if (!started) say('not started');
		else if (started.since !== item.since) say('since has changed');
		if (item.event !== 'repeated') open.delete(subject);
		if ((item.event === 'unknown') !== (item.reason === 'feed-gap')) say('reason');
	}
	return wrong;
}

/** Compares what a sentence says with what its item shows. */
const checkOf =
	(text: string, say: (what: string) => void) => (what: string, said: unknown, shown: unknown) => {
		if (said !== shown) say(`${what}: ${String(said)} of "${text}", ${String(shown)} of the item`);
	};

/** Each number and each claim of a sentence is in the fields of its item. */
function judgeOutcomeSentence(item: Plain, say: (what: string) => void): void {
	const text = String(item.summary);
	const talks = item.talks as Array<{ agent: string | null; talk: number | null }>;
	const waits = item.queue_waits as Array<{ id_queue: string; wait: number | null }>;
	const rings = item.offered_to as Array<{ agent: string }>;
	const check = checkOf(text, say);
	const caller = String(item.caller_id_num ?? 'a caller without a number');
	check('caller', text.toLowerCase().includes(caller.toLowerCase()), true);
	for (const [, seconds] of text.matchAll(/(?:after|after a wait of|waited) (\d+) s/g))
		check('wait', Number(seconds), item.wait);
	check('unknown', text.includes('nobody knows whether it was answered'), item.answered === null);
	check('gave up later', text.includes('; then waited again'), item.gave_up === true);
	check(
		'talked',
		/talked to|was connected/.test(text),
		item.event === 'ended' && item.answered === true,
	);
	if (text.includes('talked to')) {
		const words = talks.map(({ agent, talk }) => {
			const whom = agent === null ? 'an agent' : `agent ${agent}`;
			if (talk !== null) return `${whom} for ${talk} s`;
			return talks.length === 1 ? whom : `${whom} for an unknown time`;
		});
		const listed = [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ');
		check('talks', text.toLowerCase().includes(`talked to ${listed}`), true);
	}
	const queues = new Set(waits.map(({ id_queue: queue }) => queue));
	const [, one] = / in queue (\w+)/.exec(text) ?? [];
	if (one !== undefined) check('queue', queues.has(one), true);
	const [, several] = / in (\d+) queues/.exec(text) ?? [];
	if (several !== undefined) check('queues', Number(several) <= queues.size, true);
	if (item.gave_up === undefined && queues.size > 0 && item.answered !== null)
		check('number of queues', Number(several ?? 1) <= queues.size, true);
	const [, agents] = /: (\d+) agents? did not answer/.exec(text) ?? [];
	if (agents !== undefined)
		check('agents', Number(agents) <= new Set(rings.map(({ agent }) => agent)).size, true);
	const reasons: Record<string, RegExp> = {
		agents_did_not_answer: /: \d+ agents? did not answer$/,
		abandoned_while_ringing: /: an agent's phone rang$/,
		no_available_agent: /: no agent was available$/,
		abandoned_before_ringing: /: no agent's phone rang$/,
	};
	for (const [reason, words] of Object.entries(reasons))
		check(reason, words.test(text), item.missed_reason === reason);
}

function judgeAlertSentence(item: Plain, say: (what: string) => void): void {
	const text = String(item.summary);
	const check = checkOf(text, say);
	const isOver = item.event === 'resolved';
	for (const [, seconds] of text.matchAll(/(?:after|after a wait of|was idle for) (\d+) s/g))
		check('seconds', Number(seconds), item.seconds);
	for (const [, seconds] of text.matchAll(/, (\d+) s after the (?:answer|wait began)/g))
		check('seconds', Number(seconds), item.seconds);
	for (const [, seconds] of text.matchAll(/(?:has been|has let it).* for (\d+) s/g))
		check('value', Number(seconds), item.value);
	for (const [, level] of text.matchAll(/service level ([\d.]+)%/g))
		check('level', Number(level), item.value);
	for (const [, count] of text.matchAll(/: (\d+) (?:waiting caller|missed call)/g))
		check('count', Number(count), item.value);
	if (text.endsWith(': none available')) check('available', 0, item.value);
	for (const [, threshold] of text.matchAll(/: fewer than (\d+) available/g)) {
		check('threshold', Number(threshold), item.threshold);
		check('available', Number(item.value) < Number(threshold), true);
	}
	for (const [, queue] of text.matchAll(/[Qq]ueue (\w+)/g)) check('queue', queue, item.id_queue);
	for (const [, call] of text.matchAll(/call (\w+) from/g)) check('call', call, item.id_call);
	for (const [, agent] of text.matchAll(/agent (\d+)/gi))
		check('agent', agent, (item.agent as { id?: string } | undefined)?.id);
	check('over', text.includes(' is over'), isOver);
	if (isOver && item.when !== 'agentRinging')
		check('answered', text.includes('was answered after'), item.reason === 'answered');
	check(
		'gave up',
		text.includes('gave up'),
		item.reason === 'abandoned' && item.when === 'callerWaiting',
	);
}
