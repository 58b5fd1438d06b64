// Every figure, defined once: the code that computes it, the fields of items, their schemas and the documentation come
// from these tables. Counts and seconds add up over periods; quotients are made of the counts in the same item.

import { lateAt, wholeSeconds, type AgentState, type Stay, type Talk, type Wait } from './changes';

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
}

/** When a stay or a wait counts as offered; undefined if its beginning was not seen. */
export function offeredStep({ since, isSeen }: Stay | Wait): Step | undefined {
	return isSeen ? { at: since, counts: { offered: 1 } } : undefined;
}

/** When it counts as late; undefined if it does not, by `now`. A call is decided once: it stays late. */
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
	const { since, isSeen, decidedAt, knownAt, result } = facts;
	if (decidedAt === undefined) return undefined;
	const { serviceLevelSeconds, shortAbandonSeconds } = settings;
	const seconds = (decidedAt - since) / 1000;
	const inTime = seconds <= serviceLevelSeconds ? 1 : 0;
	const wait = wholeSeconds(decidedAt - since);
	const counts = (): Partial<Counts> => {
		if (!isSeen) return { unknown: 1 };
		if (result === 'answered') return { answered: 1, inTime, answerWait: wait };
		if (result !== 'abandoned') return { [result ?? 'unknown']: 1 };
		if (seconds < shortAbandonSeconds) return { short: 1, abandonWait: wait };
		return { abandoned: 1, abandonedInTime: inTime, abandonWait: wait };
	};
	return { at: decidedAt, knownAt, counts: counts() };
}

/** @param from when its counting begins */
export function talkStep({ endedAt, isVoid }: Talk, from: number): Step | undefined {
	if (endedAt === undefined || isVoid === true) return undefined;
	return { at: endedAt, counts: { talks: 1, talkSeconds: wholeSeconds(endedAt - from) } };
}

/** Percent as items show it; null if no call is decided. */
export function serviceLevel({
	inTime,
	late,
	abandonedInTime,
}: Pick<Counts, 'inTime' | 'late' | 'abandonedInTime'>): number | null {
	return percent(inTime, inTime + late + abandonedInTime);
}

/** A queue, or all callers, in a period and at its end. */
export interface QueueSituation extends Counts {
	waiting: number;
	/** Seconds; null: nobody waits whose entry was seen. */
	longestWait: number | null;
	/** ISO 8601. */
	longestSince: string | null;
	talking: number;
	longestOfPeriod: number | null;
	/** A wrap-up was ever announced. */
	announcesWrapUp: boolean;
}

export const NO_SECONDS = { talk: 0, ringing: 0, wrapUp: 0, available: 0, onBreak: 0 } as const;
export type Seconds = Record<keyof typeof NO_SECONDS, number>;
export const TIMES = Object.keys(NO_SECONDS) as ReadonlyArray<keyof Seconds>;

/** The time that a state counts as; undefined: as none. */
export const TIME_OF_STATE: Record<AgentState, keyof Seconds | undefined> = {
	available: 'available',
	ringing: 'ringing',
	talking: 'talk',
	calling: 'talk',
	transferring: 'talk',
	wrap_up: 'wrapUp',
	on_break: 'onBreak',
	logged_out: undefined,
};

export interface AgentSituation {
	answered: number;
	notAnswered: number;
	/** Undefined: the agent's state was known at no moment. */
	seconds: Seconds | undefined;
}

/** All agents: how many are in which state, and their time. */
export interface AgentsSituation {
	states: ReadonlyMap<AgentState | null, number>;
	seconds: Seconds | undefined;
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
	/** Not of the totals. */
	queueOnly?: true;
	of: (situation: T) => number | string | null;
}

const count = (
	field: string,
	name: keyof Counts,
	definition: string,
	unit: Figure<QueueSituation>['unit'] = 'calls',
): Figure<QueueSituation> => ({ field, unit, definition, of: (situation) => situation[name] });

export const QUEUE_FIGURES: ReadonlyArray<Figure<QueueSituation>> = [
	{
		field: 'waiting',
		unit: 'callers',
		definition: 'callers who wait now',
		of: ({ waiting }) => waiting,
	},
	{
		field: 'longest_wait',
		unit: 'seconds',
		definition: 'how long the first of them has waited',
		nullIf: 'nobody waits whose entry was seen',
		moves: true,
		of: ({ longestWait }) => longestWait,
	},
	{
		field: 'longest_since',
		unit: 'moment',
		definition: 'since when the first of them has waited',
		nullIf: 'as `longest_wait`',
		of: ({ longestSince }) => longestSince,
	},
	{
		field: 'talking',
		unit: 'calls',
		definition: 'calls that an agent has now',
		of: ({ talking }) => talking,
	},
	count('offered', 'offered', 'entries into the queue; of the totals: callers who began to wait'),
	{
		field: 'waiting_before',
		unit: 'callers',
		definition: 'callers who already waited when the period began, or whose entry was not seen',
		optional: true,
		of: waitingBefore,
	},
	count('answered', 'answered', 'callers whom an agent took'),
	count('answered_in_time', 'inTime', 'of these, within _Service Level (Seconds)_'),
	count('late', 'late', 'callers whose wait passed _Service Level (Seconds)_ in the period'),
	count(
		'abandoned',
		'abandoned',
		'callers who left, after at least _Short Abandon (Seconds)_, and went nowhere else',
	),
	count('short_abandoned', 'short', 'callers who left sooner'),
	count('abandoned_in_time', 'abandonedInTime', 'of `abandoned`, within _Service Level (Seconds)_'),
	{
		...count('overflowed', 'overflowed', 'callers who went on elsewhere unanswered'),
		optional: true,
		queueOnly: true,
	},
	{
		...count('unknown', 'unknown', 'callers whose entry or end was not seen'),
		optional: true,
	},
	count('answer_wait_seconds', 'answerWait', 'sum of the waits of `answered`', 'seconds'),
	count(
		'abandon_wait_seconds',
		'abandonWait',
		'sum of the waits of `abandoned` and `short_abandoned`',
		'seconds',
	),
	count('talks', 'talks', 'talks that ended'),
	count('talk_seconds', 'talkSeconds', 'sum of their durations', 'seconds'),
	{
		field: 'wrap_up_seconds',
		unit: 'seconds',
		definition: "wrap-up as announced, in the queue of the agent's last talk",
		nullIf: 'the feed never has a `catchup` above 0',
		of: wrapUpSeconds,
	},
	{
		field: 'longest_wait_of_period',
		unit: 'seconds',
		definition: 'the longest wait that was decided, or goes on, in the period',
		nullIf: 'there is none',
		moves: true,
		of: ({ longestOfPeriod }) => longestOfPeriod,
	},
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
		of: (situation) => {
			const wrapUp = wrapUpSeconds(situation);
			return wrapUp === null ? null : average(situation.talkSeconds + wrapUp, situation.talks);
		},
	},
];

const FIELDS_OF_TIMES: ReadonlyArray<[field: string, time: keyof Seconds, definition: string]> = [
	['talk_seconds', 'talk', 'time talking, calling or transferring'],
	['ringing_seconds', 'ringing', 'time in which the phone rang'],
	['wrap_up_seconds', 'wrapUp', 'time in wrap-up'],
	['available_seconds', 'available', 'time available'],
	['break_seconds', 'onBreak', 'time on a break'],
];

const UNHEARD = 'the state was known at no moment of the period';

const OCCUPANCY = {
	field: 'occupancy',
	unit: 'percent' as const,
	definition: '(talk + wrap-up) ÷ (talk + wrap-up + ringing + available), of these seconds',
	nullIf: 'there are none',
	moves: true as const,
};

export const AGENT_FIGURES: ReadonlyArray<Figure<AgentSituation>> = [
	{
		field: 'answered',
		unit: 'calls',
		definition: 'waiting callers whom the agent took',
		of: ({ answered }) => answered,
	},
	{
		field: 'not_answered',
		unit: 'calls',
		definition:
			'rings that stopped while the caller waited on, and nobody had taken the call two seconds later',
		of: ({ notAnswered }) => notAnswered,
	},
	...FIELDS_OF_TIMES.map(([field, time, definition]): Figure<AgentSituation> => ({
		field,
		unit: 'seconds',
		definition,
		nullIf: UNHEARD,
		moves: true,
		of: ({ seconds }) => seconds?.[time] ?? null,
	})),
	{ ...OCCUPANCY, of: ({ seconds }) => occupancy(seconds) },
];

const GROUPS_OF_STATES: ReadonlyArray<
	[field: string, states: ReadonlyArray<AgentState | null>, definition: string]
> = [
	['agents_available', ['available'], 'agents who are free'],
	['agents_ringing', ['ringing'], 'agents whose phone rings'],
	['agents_talking', ['talking', 'calling', 'transferring'], 'agents on a call'],
	['agents_wrap_up', ['wrap_up'], 'agents in wrap-up'],
	['agents_on_break', ['on_break'], 'agents on a break'],
	['agents_logged_out', ['logged_out'], 'agents who are logged out'],
	['agents_unknown', [null], 'agents of whom that is not known'],
];

/** Of the totals, besides those of queues. */
export const AGENTS_FIGURES: ReadonlyArray<Figure<AgentsSituation>> = [
	...GROUPS_OF_STATES.map(([field, states, definition]): Figure<AgentsSituation> => ({
		field,
		unit: 'agents',
		definition,
		of: (all) => states.reduce((sum, state) => sum + (all.states.get(state) ?? 0), 0),
	})),
	...FIELDS_OF_TIMES.map(([field, time, definition]): Figure<AgentsSituation> => ({
		field: `agents_${field}`,
		unit: 'seconds',
		definition: `of all agents: ${definition}`,
		nullIf: UNHEARD,
		moves: true,
		of: ({ seconds }) => seconds?.[time] ?? null,
	})),
	{ ...OCCUPANCY, of: ({ seconds }) => occupancy(seconds) },
];

/** The fields of an item. */
export function figuresOf<T>(
	figures: ReadonlyArray<Figure<T>>,
	situation: T,
): Record<string, number | string | null> {
	const fields: Record<string, number | string | null> = {};
	for (const figure of figures) {
		const value = figure.of(situation);
		if (!figure.optional || value !== 0) fields[figure.field] = value;
	}
	return fields;
}

/** Whoever is in no count of the period but in one of its ends was there before. */
function waitingBefore(situation: QueueSituation): number {
	const { offered, answered, abandoned, short, overflowed, unknown, waiting } = situation;
	return answered + abandoned + short + overflowed + unknown + waiting - offered;
}

function wrapUpSeconds(situation: QueueSituation): number | null {
	return situation.announcesWrapUp ? situation.wrapUpSeconds : null;
}

function occupancy(seconds: Seconds | undefined): number | null {
	if (!seconds) return null;
	const busy = seconds.talk + seconds.wrapUp;
	return percent(busy, busy + seconds.ringing + seconds.available);
}

function average(sum: number, of: number): number | null {
	return of === 0 ? null : tenths(sum / of);
}

function percent(part: number, of: number): number | null {
	return of === 0 ? null : tenths((part / of) * 100);
}

/** To one decimal, a half upwards although a binary fraction may fall short of it. */
function tenths(value: number): number {
	return Math.round(value * 10 + 1e-6) / 10;
}
