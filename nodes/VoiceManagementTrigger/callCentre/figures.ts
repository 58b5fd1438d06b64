// Every figure, defined once: the code that computes it, the fields of items, their schemas and the documentation come
// from these tables. Counts and seconds add up over periods; quotients are made of the counts in the same item.

import { lateAt, wholeSeconds, type AgentState, type Stay, type Talk, type Wait } from './changes';
import type { Naming } from './naming';

/** Settings that all modes share, so that two workflows with the same ones show the same figures. */
export interface FigureSettings {
	serviceLevelSeconds: number;
	shortAbandonSeconds: number;
}

/** What is counted for a queue, or for all callers, in a period. Waits and talks are rounded to whole seconds, then added. */
export const NO_COUNTS = {
	offered: 0,
	answered: 0,
	inTime: 0,
	late: 0,
	abandoned: 0,
	short: 0,
	abandonedInTime: 0,
	overflowed: 0,
	unknown: 0,
	answerWait: 0,
	abandonWait: 0,
	talks: 0,
	talkSeconds: 0,
	wrapUpSeconds: 0,
} as const;

export type Counts = Record<keyof typeof NO_COUNTS, number>;

/** What counts at a moment. */
export interface Step {
	readonly at: number;
	/** When it became known, if that was later. */
	readonly knownAt?: number | undefined;
	readonly counts: Partial<Counts>;
	/** A wait that was decided, in milliseconds; undefined: its beginning was not seen. */
	readonly waited?: number | undefined;
}

/** When the beginning of a stay or a wait counts; undefined: it was not seen. */
export function offeredStep({ isSeen, since: at }: Stay | Wait): Step | undefined {
	return isSeen ? { at, counts: { offered: 1 } } : undefined;
}

/** When a stay or a wait counts as late; undefined if it does not, by `now`. A call is decided once: it stays late. */
export function lateStep(
	facts: Stay | Wait,
	{ serviceLevelSeconds }: FigureSettings,
	now: number,
): Step | undefined {
	const at = lateAt(facts, serviceLevelSeconds, now);
	return at === undefined ? undefined : { at, counts: { late: 1 } };
}

/** How it counts once it is decided; undefined before. */
export function decidedStep(facts: Stay | Wait, settings: FigureSettings): Step | undefined {
	const { since, isSeen, decidedAt: at, knownAt, result = 'unknown' } = facts;
	if (at === undefined) return undefined;
	if (!isSeen) return { at, knownAt, counts: { unknown: 1 } };
	const { serviceLevelSeconds, shortAbandonSeconds } = settings;
	const waited = at - since;
	const inTime = waited <= serviceLevelSeconds * 1000 ? 1 : 0;
	const seconds = wholeSeconds(waited);
	const counts = (): Partial<Counts> => {
		if (result === 'answered') return { answered: 1, inTime, answerWait: seconds };
		if (result !== 'abandoned') return { [result]: 1 };
		if (waited < shortAbandonSeconds * 1000) return { short: 1, abandonWait: seconds };
		return { abandoned: 1, abandonedInTime: inTime, abandonWait: seconds };
	};
	return { at, knownAt, counts: counts(), waited };
}

/** @param from when its counting begins */
export function talkStep({ endedAt, isVoid }: Talk, from: number): Step | undefined {
	if (endedAt === undefined || isVoid === true) return undefined;
	return { at: endedAt, counts: { talks: 1, talkSeconds: wholeSeconds(endedAt - from) } };
}

/** What is decided for the service level. */
export type Decided = Pick<Counts, 'inTime' | 'late' | 'abandonedInTime'>;

/** Percent; null if no call is decided. */
export function serviceLevel({ inTime, late, abandonedInTime }: Decided): number | null {
	return percent(inTime, inTime + late + abandonedInTime);
}

/** A queue, or all callers, in a period, and at its end or now. */
export interface QueueSituation extends Omit<Counts, 'wrapUpSeconds'> {
	/** Null: the feed never announces one. */
	wrapUpSeconds: number | null;
	waiting: number;
	/** Seconds; null: nobody waits whose entry was seen. */
	longestWait: number | null;
	/** Milliseconds since 1970. */
	longestSince: number | null;
	talking: number;
	longestOfPeriod: number | null;
}

export const NO_SECONDS = {
	talk: 0,
	ringing: 0,
	wrapUp: 0,
	available: 0,
	onBreak: 0,
	loggedOut: 0,
} as const;
export type Seconds = Record<keyof typeof NO_SECONDS, number>;
export const TIMES = Object.keys(NO_SECONDS) as ReadonlyArray<keyof Seconds>;

/** The time that a state counts as. */
export const TIME_OF_STATE: Record<AgentState, keyof Seconds> = {
	available: 'available',
	ringing: 'ringing',
	talking: 'talk',
	calling: 'talk',
	transferring: 'talk',
	wrap_up: 'wrapUp',
	on_break: 'onBreak',
	logged_out: 'loggedOut',
};

interface Times {
	/** Undefined: the state was known at no moment. */
	seconds: Seconds | undefined;
}

export interface AgentSituation extends Times {
	taken: number;
	notAnswered: number;
}

/** All callers and all agents: how many are in which state, and their time. */
export interface TotalsSituation extends QueueSituation, Times {
	/** By the time that their state counts as. */
	agents: Readonly<Record<keyof Seconds | 'unknown', number>>;
}

export interface Figure<T> {
	/** The field of items. */
	field: string;
	unit: 'callers' | 'calls' | 'seconds' | 'percent' | 'agents' | 'moment';
	/** In the words of the trade. */
	definition: string;
	/** When it is null; undefined: never. */
	nullIf?: string;
	/** Left out of items if it is 0. */
	optional?: true;
	/** It moves although nothing but the time has changed. */
	moves?: true;
	/** Of the totals always 0. */
	queueOnly?: true;
	/** Moments in milliseconds since 1970. */
	of: (situation: T) => number | null;
}

/** One that is in the situation as it is. */
const plain = (
	field: string,
	name: keyof QueueSituation,
	definition: string,
	unit: Figure<QueueSituation>['unit'] = 'calls',
	more: Partial<Figure<QueueSituation>> = {},
): Figure<QueueSituation> => ({ field, unit, definition, ...more, of: (all) => all[name] });

export const QUEUE_FIGURES: ReadonlyArray<Figure<QueueSituation>> = [
	plain('waiting', 'waiting', 'callers who wait now', 'callers'),
	plain('longest_wait', 'longestWait', 'how long the first of them has waited', 'seconds', {
		nullIf: 'nobody waits whose entry was seen',
		moves: true,
	}),
	plain('longest_since', 'longestSince', 'since when the first of them has waited', 'moment', {
		nullIf: 'as `longest_wait`',
	}),
	plain('talking', 'talking', 'calls that an agent has now'),
	plain('offered', 'offered', 'entries into the queue; of the totals: callers who began to wait'),
	{
		field: 'waiting_before',
		unit: 'callers',
		definition: 'callers who already waited when the period began, or whose entry was not seen',
		optional: true,
		of: waitingBefore,
	},
	plain('answered', 'answered', 'callers whom an agent took'),
	plain('answered_in_time', 'inTime', 'of these, within _Service Level (Seconds)_'),
	plain('late', 'late', 'callers whose wait passed _Service Level (Seconds)_ in the period'),
	plain(
		'abandoned',
		'abandoned',
		'callers who left, after at least _Short Abandon (Seconds)_, and went nowhere else',
	),
	plain('short_abandoned', 'short', 'callers who left sooner'),
	plain('abandoned_in_time', 'abandonedInTime', 'of `abandoned`, within _Service Level (Seconds)_'),
	plain('overflowed', 'overflowed', 'callers who went on elsewhere unanswered', 'calls', {
		optional: true,
		queueOnly: true,
	}),
	plain('unknown', 'unknown', 'callers whose entry or end was not seen', 'calls', {
		optional: true,
	}),
	plain('answer_wait_seconds', 'answerWait', 'sum of the waits of `answered`', 'seconds'),
	plain(
		'abandon_wait_seconds',
		'abandonWait',
		'sum of the waits of `abandoned` and `short_abandoned`',
		'seconds',
	),
	plain('talks', 'talks', 'talks that ended'),
	plain('talk_seconds', 'talkSeconds', 'sum of their durations', 'seconds'),
	plain(
		'wrap_up_seconds',
		'wrapUpSeconds',
		"wrap-up as announced, in the queue of the agent's last talk",
		'seconds',
		{ nullIf: 'the feed never has a `catchup` above 0' },
	),
	plain(
		'longest_wait_of_period',
		'longestOfPeriod',
		'the longest wait that was decided, or goes on, in the period',
		'seconds',
		{ nullIf: 'there is none', moves: true },
	),
	{
		field: 'service_level',
		unit: 'percent',
		definition: '`answered_in_time` ÷ (`answered_in_time` + `late` + `abandoned_in_time`)',
		nullIf: 'no call is decided',
		of: serviceLevel,
	},
	{
		field: 'abandonment_rate',
		unit: 'percent',
		definition: '`abandoned` ÷ (`answered` + `abandoned`)',
		nullIf: 'no call was answered or abandoned',
		of: ({ abandoned, answered }) => percent(abandoned, answered + abandoned),
	},
	{
		field: 'average_speed_of_answer',
		unit: 'seconds',
		definition: '`answer_wait_seconds` ÷ `answered`',
		nullIf: 'no call was answered',
		of: ({ answerWait, answered }) => average(answerWait, answered),
	},
	{
		field: 'average_talk',
		unit: 'seconds',
		definition: '`talk_seconds` ÷ `talks`',
		nullIf: 'no talk has ended',
		of: ({ talkSeconds, talks }) => average(talkSeconds, talks),
	},
	{
		field: 'average_handle_time',
		unit: 'seconds',
		definition: '(`talk_seconds` + `wrap_up_seconds`) ÷ `talks`',
		nullIf: 'no talk has ended, or `wrap_up_seconds` is null',
		of: ({ talkSeconds, wrapUpSeconds, talks }) =>
			wrapUpSeconds === null ? null : average(talkSeconds + wrapUpSeconds, talks),
	},
];

/** @param before the beginning of each field @param whose of each definition */
const timesOf = (before: string, whose: string): Array<Figure<Times>> => {
	const time = (field: string, name: keyof Seconds, definition: string): Figure<Times> => ({
		field: before + field,
		unit: 'seconds',
		definition: whose + definition,
		nullIf: 'the state was known at no moment of the period',
		moves: true,
		of: ({ seconds }) => seconds?.[name] ?? null,
	});
	return [
		time('talk_seconds', 'talk', 'time talking, calling or transferring'),
		time('ringing_seconds', 'ringing', 'time in which the phone rang'),
		time('wrap_up_seconds', 'wrapUp', 'time in wrap-up'),
		time('available_seconds', 'available', 'time available'),
		time('break_seconds', 'onBreak', 'time on a break'),
		{
			field: 'occupancy',
			unit: 'percent',
			definition: '(talk + wrap-up) ÷ (talk + wrap-up + ringing + available), of these seconds',
			nullIf: 'there are none',
			moves: true,
			of: ({ seconds }) => occupancy(seconds),
		},
	];
};

export const AGENT_FIGURES: ReadonlyArray<Figure<AgentSituation>> = [
	{
		field: 'answered',
		unit: 'calls',
		definition: 'waiting callers whom the agent took',
		of: ({ taken }) => taken,
	},
	{
		field: 'not_answered',
		unit: 'calls',
		definition:
			'rings that stopped while the caller waited on, and nobody had taken the call two seconds later',
		of: ({ notAnswered }) => notAnswered,
	},
	...timesOf('', ''),
];

const agentsIn = (
	field: string,
	name: keyof TotalsSituation['agents'],
	definition: string,
): Figure<TotalsSituation> => ({
	field,
	unit: 'agents',
	definition,
	of: ({ agents }) => agents[name],
});

/** Of the totals, besides those of queues. */
export const AGENTS_FIGURES: ReadonlyArray<Figure<TotalsSituation>> = [
	agentsIn('agents_available', 'available', 'agents who are free'),
	agentsIn('agents_ringing', 'ringing', 'agents whose phone rings'),
	agentsIn('agents_talking', 'talk', 'agents on a call'),
	agentsIn('agents_wrap_up', 'wrapUp', 'agents in wrap-up'),
	agentsIn('agents_on_break', 'onBreak', 'agents on a break'),
	agentsIn('agents_logged_out', 'loggedOut', 'agents who are logged out'),
	agentsIn('agents_unknown', 'unknown', 'agents of whom that is not known'),
	...timesOf('agents_', 'of all agents: '),
];

export const TOTALS_FIGURES = [...QUEUE_FIGURES, ...AGENTS_FIGURES];

/** The fields of an item. */
export function figuresOf<T>(
	figures: ReadonlyArray<Figure<T>>,
	situation: T,
	naming: Naming,
): Record<string, number | string | null> {
	const fields: Record<string, number | string | null> = {};
	for (const { field, unit, optional, of } of figures) {
		const value = of(situation);
		if (optional && value === 0) continue;
		if (unit === 'moment') fields[field] = naming.iso(value);
		else fields[field] = value === null ? null : rounded(value, 1);
	}
	return fields;
}

/** Whoever is in no count of the period but in one of its ends was there before. */
function waitingBefore(situation: QueueSituation): number {
	const { offered, answered, abandoned, short, overflowed, unknown, waiting } = situation;
	return answered + abandoned + short + overflowed + unknown + waiting - offered;
}

function occupancy(seconds: Seconds | undefined): number | null {
	if (!seconds) return null;
	const busy = seconds.talk + seconds.wrapUp;
	return percent(busy, busy + seconds.ringing + seconds.available);
}

function average(sum: number, of: number): number | null {
	return of === 0 ? null : sum / of;
}

function percent(part: number, of: number): number | null {
	return of === 0 ? null : (100 * part) / of;
}

/** With as many decimals as tell on which side of a limit it is, and at least one. */
export function besideLimit(value: number, limit: number): number {
	const shown = [1, 2, 3, 4, 5].map((decimals) => rounded(value, decimals));
	return shown.find((one) => one < limit === value < limit) ?? value;
}

/** A half upwards, although a binary fraction may fall short of it. */
function rounded(value: number, decimals: number): number {
	const scale = 10 ** decimals;
	return Math.round(value * scale + 1e-6) / scale;
}
