// Every figure, defined once: the code that computes it, the fields of items, their schemas and the documentation come
// from these tables. What a figure is computed from is counted in `counts.ts`.

import { agentsNeeded } from './erlang';
import type { StateSeconds } from './agentTimes';
import type { VisitFacts } from './queueVisits';

/** Settings that all modes share, so that two workflows with the same ones show the same figures. */
export interface FigureSettings {
	serviceLevelSeconds: number;
	shortAbandonSeconds: number;
	serviceLevelFormula: ServiceLevelFormula;
	/** Percent, for `agents_needed`. */
	serviceLevelTarget: number;
}

/** What is counted for a queue. Each stay counts at its own moments: entered, answered or left, over. */
export interface Tally {
	/** Callers who entered. */
	offered: number;
	answered: number;
	/** Answered after a known wait, and the sum of these waits in milliseconds. */
	timed: number;
	answeredMs: number;
	/** Answered within the service level's seconds. */
	inTime: number;
	/** Left without an answer, after at least the short seconds. */
	abandoned: number;
	short: number;
	/** Abandoned, short or not, within the service level's seconds. */
	leftInTime: number;
	/** Left after a known wait, short or not, and the sum of these waits in milliseconds. */
	leftTimed: number;
	leftMs: number;
	/** Continued elsewhere without an answer. */
	overflowed: number;
	/** Their end was not seen. */
	unknown: number;
	/** Stays with an agent that are over, and how long they lasted in milliseconds. */
	talked: number;
	talkMs: number;
	/** Calls after which an agent's wrap-up is known, and its sum in milliseconds. */
	wrapped: number;
	wrapMs: number;
	/** Calls that were missed altogether. */
	missed: number;
}

export const NO_CALLS: Readonly<Tally> = {
	offered: 0,
	answered: 0,
	timed: 0,
	answeredMs: 0,
	inTime: 0,
	abandoned: 0,
	short: 0,
	leftInTime: 0,
	leftTimed: 0,
	leftMs: 0,
	overflowed: 0,
	unknown: 0,
	talked: 0,
	talkMs: 0,
	wrapped: 0,
	wrapMs: 0,
	missed: 0,
};

/** How a stay in a queue counts at the moment when it was decided. */
export function decidedTally(
	{ result, wait }: VisitFacts,
	{ serviceLevelSeconds, shortAbandonSeconds }: FigureSettings,
): Partial<Tally> {
	const inTime = wait !== undefined && wait <= serviceLevelSeconds ? 1 : 0;
	const waited = wait === undefined ? undefined : Math.round(wait * 1000);
	switch (result) {
		case 'answered':
			if (waited === undefined) return { answered: 1 };
			return { answered: 1, timed: 1, answeredMs: waited, inTime };
		case 'abandoned': {
			const short = wait !== undefined && wait < shortAbandonSeconds;
			const how = short ? { short: 1 } : { abandoned: 1 };
			if (waited === undefined) return how;
			return { ...how, leftTimed: 1, leftMs: waited, leftInTime: inTime };
		}
		case 'overflowed':
			return { overflowed: 1 };
		case 'unknown':
			return { unknown: 1 };
		case undefined:
			return {};
	}
}

type Part = Pick<Tally, 'timed' | 'inTime' | 'abandoned' | 'short' | 'leftInTime'>;

/** The ways in which the trade computes a service level: which calls were in time, of how many. */
export const SERVICE_LEVEL_FORMULAS = {
	withoutShort: {
		name: 'Without Short Abandons',
		description:
			'In time ÷ (answered + abandoned + late): callers who give up at once are left out',
		of: ({ timed, inTime, abandoned }: Part, late: number) => [inTime, timed + abandoned + late],
	},
	answeredOnly: {
		name: 'Answered Calls Only',
		description: 'In time ÷ (answered + late): callers who give up are left out',
		of: ({ timed, inTime }: Part, late: number) => [inTime, timed + late],
	},
	allAbandons: {
		name: 'With All Abandons',
		description: 'In time ÷ (answered + abandoned + short abandoned + late)',
		of: ({ timed, inTime, abandoned, short }: Part, late: number) => [
			inTime,
			timed + abandoned + short + late,
		],
	},
	earlyAbandonsInTime: {
		name: 'Early Abandons Count as in Time',
		description:
			'(In time + abandoned within the same seconds) ÷ (answered + abandoned + short abandoned + late)',
		of: ({ timed, inTime, abandoned, short, leftInTime }: Part, late: number) => [
			inTime + leftInTime,
			timed + abandoned + short + late,
		],
	},
} as const satisfies Record<
	string,
	{ name: string; description: string; of: (part: Part, late: number) => [number, number] }
>;
export type ServiceLevelFormula = keyof typeof SERVICE_LEVEL_FORMULAS;

/** @returns percent as items show it, null without calls; and of how many calls */
export function serviceLevel(
	part: Part,
	late: number,
	formula: ServiceLevelFormula,
): { percent: number | null; calls: number } {
	const [good, calls] = SERVICE_LEVEL_FORMULAS[formula].of(part, late);
	return { percent: percent(good, calls), calls };
}

/** A queue, or all of them, at a moment: what the figures are computed from. Durations in seconds. */
export interface QueueSituation {
	tally: Tally;
	waiting: number;
	/** Of those who wait: how many for longer than the service level's seconds. */
	late: number;
	longestWait: number | null;
	talking: number;
	/** How long the calls were counted. */
	counted: number;
}

/** An agent's window. */
export interface AgentSituation {
	answered: number;
	notAnswered: number;
	/** Undefined: nothing was heard of the agent. */
	seconds: StateSeconds | undefined;
}

export interface Figure<T> {
	/** The field of items. */
	field: string;
	unit: 'callers' | 'calls' | 'seconds' | 'percent' | 'agents';
	/** In the words of the trade. */
	definition: string;
	/** The moment at which a call counts, or of which the figure is. */
	counts: string;
	/** When it is null; undefined: never. */
	nullIf?: string;
	/** Left out of items where it is 0. */
	optional?: true;
	/** It moves although nothing but the time has changed. */
	moves?: true;
	of: (situation: T, settings: FigureSettings) => number | null;
}

const AT_END = 'the moment of the item';
const AT_ENTRY = 'when the caller enters';
const AT_ANSWER = 'at the answer';
const AT_LEAVING = 'when the caller leaves';
const AT_DECISION = 'at the answer, or when the caller leaves';

export const QUEUE_FIGURES: ReadonlyArray<Figure<QueueSituation>> = [
	{
		field: 'waiting',
		unit: 'callers',
		definition: 'callers who wait now',
		counts: AT_END,
		of: ({ waiting }) => waiting,
	},
	{
		field: 'longest_wait',
		unit: 'seconds',
		definition: 'how long the first of them has waited',
		counts: AT_END,
		nullIf: 'nobody waits',
		moves: true,
		of: ({ longestWait }) => longestWait,
	},
	{
		field: 'talking',
		unit: 'calls',
		definition: 'calls that an agent has now',
		counts: AT_END,
		of: ({ talking }) => talking,
	},
	{
		field: 'offered',
		unit: 'calls',
		definition: 'calls that entered the queue',
		counts: AT_ENTRY,
		of: ({ tally }) => tally.offered,
	},
	{
		field: 'answered',
		unit: 'calls',
		definition: 'calls that an agent took',
		counts: AT_ANSWER,
		of: ({ tally }) => tally.answered,
	},
	{
		field: 'abandoned',
		unit: 'calls',
		definition: 'callers who left after at least the seconds of a short abandon',
		counts: AT_LEAVING,
		of: ({ tally }) => tally.abandoned,
	},
	{
		field: 'short_abandoned',
		unit: 'calls',
		definition: 'callers who left sooner',
		counts: AT_LEAVING,
		of: ({ tally }) => tally.short,
	},
	{
		field: 'overflowed',
		unit: 'calls',
		definition: 'calls that continued in another queue or trunk before anybody took them',
		counts: AT_LEAVING,
		optional: true,
		of: ({ tally }) => tally.overflowed,
	},
	{
		field: 'unknown',
		unit: 'calls',
		definition: 'calls whose end was not seen because the feed was interrupted',
		counts: 'at the interruption',
		optional: true,
		of: ({ tally }) => tally.unknown,
	},
	{
		field: 'waiting_before',
		unit: 'callers',
		definition:
			'callers who already waited when the window began, or whose entry was not seen: they were not offered in it',
		counts: 'the beginning of the window',
		optional: true,
		of: ({ tally, waiting }) => {
			const { offered, answered, abandoned, short, overflowed, unknown } = tally;
			return answered + abandoned + short + overflowed + unknown + waiting - offered;
		},
	},
	{
		field: 'late',
		unit: 'callers',
		definition: 'callers who wait now, for longer than the seconds of the service level',
		counts: AT_END,
		of: ({ late }) => late,
	},
	{
		field: 'service_level',
		unit: 'percent',
		definition: 'calls in time, of those that count: see the formulas',
		counts: `${AT_DECISION}; late callers from the second on which they are late`,
		nullIf: 'no call counts',
		of: ({ tally, late }, { serviceLevelFormula }) =>
			serviceLevel(tally, late, serviceLevelFormula).percent,
	},
	{
		field: 'abandonment_rate',
		unit: 'percent',
		definition: 'abandoned ÷ (answered + abandoned); short abandons are left out',
		counts: AT_DECISION,
		nullIf: 'no call was answered or abandoned',
		of: ({ tally: { abandoned, answered } }) => percent(abandoned, answered + abandoned),
	},
	{
		field: 'average_speed_of_answer',
		unit: 'seconds',
		definition: 'mean wait of answered calls',
		counts: AT_ANSWER,
		nullIf: 'no call was answered',
		of: ({ tally: { answeredMs, timed } }) => average(answeredMs, timed),
	},
	{
		field: 'average_wait_of_abandoned',
		unit: 'seconds',
		definition: 'mean wait of callers who left, short abandons included',
		counts: AT_LEAVING,
		nullIf: 'nobody left',
		of: ({ tally: { leftMs, leftTimed } }) => average(leftMs, leftTimed),
	},
	{
		field: 'average_talk',
		unit: 'seconds',
		definition: 'mean time in which an agent had the call; waiting after a transfer is no talk',
		counts: 'when the call is over, or leaves the queue',
		nullIf: 'no call is over',
		of: ({ tally: { talkMs, talked } }) => average(talkMs, talked),
	},
	{
		field: 'average_wrap_up',
		unit: 'seconds',
		definition:
			"mean `catchup` of the agents' events that end a call of the queue; 0 where there is none",
		counts: 'when the agent finishes the call',
		nullIf: 'no such event was seen',
		of: ({ tally: { wrapMs, wrapped } }) => average(wrapMs, wrapped),
	},
	{
		field: 'average_handle_time',
		unit: 'seconds',
		definition: 'mean talk + mean wrap-up',
		counts: 'as these two',
		nullIf: 'one of these two is',
		of: ({ tally }) => tenths(handleSeconds(tally)),
	},
	{
		field: 'agents_needed',
		unit: 'agents',
		definition:
			'the least number of agents with whom the target of the service level is met, for the calls offered and the handle time (Erlang C)',
		counts: 'as offered and handle time',
		nullIf: 'fewer than 10 calls were offered, or the handle time is',
		moves: true,
		of: ({ tally, counted }, { serviceLevelSeconds, serviceLevelTarget }) => {
			const handle = handleSeconds(tally);
			if (tally.offered < FEWEST_CALLS || handle === undefined || counted <= 0) return null;
			return agentsNeeded(tally.offered / counted, handle, serviceLevelSeconds, serviceLevelTarget);
		},
	},
];

/** With fewer, a number of agents would be an accident. */
const FEWEST_CALLS = 10;

export const AGENT_FIGURES: ReadonlyArray<Figure<AgentSituation>> = [
	{
		field: 'answered',
		unit: 'calls',
		definition: 'calls that the agent took',
		counts: AT_ANSWER,
		of: ({ answered }) => answered,
	},
	{
		field: 'not_answered',
		unit: 'calls',
		definition: 'calls that rang the agent, who did not take them',
		counts: 'when it stops ringing',
		of: ({ notAnswered }) => notAnswered,
	},
	...(
		[
			['talk_seconds', 'talk', 'time on a call: talking, calling or transferring'],
			['wrap_up_seconds', 'wrapUp', 'time in wrap-up'],
			['available_seconds', 'available', 'time available'],
			['break_seconds', 'onBreak', 'time on a break'],
		] as const
	).map(([field, state, definition]): Figure<AgentSituation> => ({
		field,
		unit: 'seconds',
		definition,
		counts: 'as it passes',
		nullIf: 'nothing was heard of the agent',
		moves: true,
		of: ({ seconds }) => tenths(seconds?.[state]),
	})),
	{
		field: 'occupancy',
		unit: 'percent',
		definition:
			'(talking + calling + ringing + transferring + wrap-up) ÷ (the same + available), of the known time',
		counts: 'as it passes',
		nullIf: 'the agent was in none of these states',
		moves: true,
		of: ({ seconds }) => occupancy(seconds),
	},
];

/** Percent of the time; null where there is none. */
export function occupancy(seconds: StateSeconds | undefined): number | null {
	if (!seconds) return null;
	const busy = seconds.talk + seconds.ringing + seconds.wrapUp;
	return percent(busy, busy + seconds.available);
}

/** The fields of an item. */
export function figuresOf<T>(
	figures: ReadonlyArray<Figure<T>>,
	situation: T,
	settings: FigureSettings,
): Record<string, number | null> {
	const fields: Record<string, number | null> = {};
	for (const figure of figures) {
		const value = figure.of(situation, settings);
		if (!figure.optional || value !== 0) fields[figure.field] = value;
	}
	return fields;
}

function handleSeconds({ talkMs, talked, wrapMs, wrapped }: Tally): number | undefined {
	if (talked === 0 || wrapped === 0) return undefined;
	return (talkMs / talked + wrapMs / wrapped) / 1000;
}

/** Seconds from milliseconds; null without calls. */
function average(ms: number, count: number): number | null {
	return count === 0 ? null : tenths(ms / count / 1000);
}

function percent(part: number, of: number): number | null {
	return of === 0 ? null : tenths((part / of) * 100);
}

/** To one decimal, as items carry it, a half upwards although a binary fraction may fall short of it; null for undefined. */
export function tenths(value: number | undefined): number | null {
	return value === undefined ? null : Math.round(value * 10 + 1e-6) / 10;
}
