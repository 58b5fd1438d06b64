// Every kind of alert, defined once: the panel, its checks, the documentation and the sentences of items come from this
// table. A new alert about something that is watched already is one entry here.

import type { AgentState } from './changes';
import { serviceLevel, type Decided } from './figures';

/** A field of a row: its own name for each kind, since n8n fills an added row with the last default of a name. */
export interface RowField {
	name: string;
	label: string;
	description: string;
	default: number;
	range: readonly [number, number];
	isWhole: boolean;
}

/** What a window of a queue's calls holds. */
export type WindowCounts = Decided & { missed: number };

/** What is watched, and of whom. A number is compared with the threshold. */
export type Watched =
	/** Each caller who waits in one of the queues. */
	| { of: 'caller' }
	/** Each call that an agent has. */
	| { of: 'call' }
	/** Each agent while in a state. */
	| { of: 'agent'; state: AgentState }
	/** How many agents are available. */
	| { of: 'agents'; is: 'below' }
	/** How many callers wait in a queue. */
	| { of: 'queue'; is: 'atLeast' }
	/** A figure of a queue over the row's window; null: there are no calls. */
	| { of: 'window'; is: 'below' | 'atLeast'; figure: (counts: WindowCounts) => number | null };

/** The words of a sentence. */
export interface Words {
	/** The caller, agent or queue. */
	who: string;
	/** ` in Sales`, `, now in Sales` if that was not the only queue, or nothing. */
	where: string;
	/** `Ada Martin`, or `an agent`. */
	agent: string;
	/** `: call 4711 from +33199000111 brought it below`, or nothing. */
	tipped: string;
	/** A number of things, with their name in the right number. */
	count: (one: string) => string;
	value: number;
	threshold: number;
	windowMinutes: number;
}

export interface AlertKind {
	/** In the panel. */
	name: string;
	description: string;
	/** Whom a row is about. */
	about: 'queueIds' | 'groupIds';
	threshold: RowField;
	/** How long it has to hold before the alert starts. */
	hold?: RowField;
	window?: RowField;
	minimum?: RowField;
	unit: '' | ' s' | '%';
	watched: Watched;
	/** The folded row; `#` stands for the threshold. */
	title: string;
	/** While it lasts; a sentence without its end. */
	sentence: (words: Words) => string;
}

const DAY_SECONDS = 86_400;
const DAY_MINUTES = 1_440;

const secondsField = (name: string, label: string, value: number, least = 1): RowField => ({
	name,
	label,
	description: 'Seconds before the alert starts. For several levels, add a row for each.',
	default: value,
	range: [least, DAY_SECONDS],
	isWhole: false,
});

const number = (name: string, label: string, value: number, most: number, description: string) => ({
	name,
	label,
	description,
	default: value,
	range: [1, most] as const,
	isWhole: true,
});

const WINDOW: RowField = number(
	'windowMinutes',
	'Window (Minutes)',
	60,
	DAY_MINUTES,
	'How far back calls are counted',
);

export const ALERT_KINDS = {
	callerWaiting: {
		name: 'Caller Waits Too Long',
		description: 'A caller has been waiting for this many seconds, in all queues together',
		about: 'queueIds',
		threshold: secondsField('waitSeconds', 'Wait (Seconds)', 60),
		unit: ' s',
		watched: { of: 'caller' },
		title: 'Caller waits ≥ # s',
		sentence: ({ who, where, value }) => `${who} has been waiting for ${value} s${where}`,
	},
	callersWaiting: {
		name: 'Too Many Callers Wait',
		description: 'At least this many callers wait in a queue',
		about: 'queueIds',
		threshold: number('callers', 'Callers', 5, 20_000, 'How many callers have to wait'),
		hold: {
			...secondsField('forSeconds', 'For (Seconds)', 0, 0),
			description: 'Seconds before the alert starts. 0 = at once.',
		},
		unit: '',
		watched: { of: 'queue', is: 'atLeast' },
		title: 'Callers waiting ≥ #',
		sentence: ({ who, count }) => `${who}: ${count('waiting caller')}`,
	},
	agentsAvailableBelow: {
		name: 'Too Few Agents Available',
		description: 'Fewer agents than this are available',
		about: 'groupIds',
		threshold: number(
			'agents',
			'Agents',
			1,
			10_000,
			'Starts when fewer than this many agents are available. Use 1 for "nobody is free".',
		),
		hold: { ...secondsField('belowForSeconds', 'Below for (Seconds)', 30, 0) },
		unit: '',
		watched: { of: 'agents', is: 'below' },
		title: 'Agents available < #',
		// Of some it may not be known whether they are: the exact number is of those who are for certain.
		sentence: ({ who, threshold }) =>
			`${who}: ${threshold > 1 ? `fewer than ${threshold}` : 'none'} available`,
	},
	agentOnBreak: {
		name: 'Agent on Break Too Long',
		description: 'An agent has been on a break for this many seconds',
		about: 'groupIds',
		threshold: secondsField('breakSeconds', 'Break (Seconds)', 900),
		unit: ' s',
		watched: { of: 'agent', state: 'on_break' },
		title: 'Agent on break ≥ # s',
		sentence: ({ who, value }) => `${who} has been on a break for ${value} s`,
	},
	agentIdle: {
		name: 'Agent Idle Too Long',
		description: 'An agent has been available without a call for this many seconds',
		about: 'groupIds',
		threshold: secondsField('idleSeconds', 'Idle (Seconds)', 900),
		unit: ' s',
		watched: { of: 'agent', state: 'available' },
		title: 'Agent idle ≥ # s',
		sentence: ({ who, value }) => `${who} has been idle for ${value} s`,
	},
	agentRinging: {
		name: 'Agent Lets It Ring',
		description: "An agent's phone has been ringing for this many seconds",
		about: 'groupIds',
		threshold: secondsField('ringSeconds', 'Ring (Seconds)', 20),
		unit: ' s',
		watched: { of: 'agent', state: 'ringing' },
		title: 'Agent lets it ring ≥ # s',
		sentence: ({ who, value }) => `${who} has let it ring for ${value} s`,
	},
	callLasting: {
		name: 'Call Lasts Too Long',
		description: 'A call was answered this many seconds ago, and an agent still has it',
		about: 'queueIds',
		threshold: secondsField('callSeconds', 'Call (Seconds)', 1800),
		unit: ' s',
		watched: { of: 'call' },
		title: 'Call lasts ≥ # s',
		sentence: ({ who, where, agent, value }) =>
			`${who} was answered ${value} s ago and is with ${agent}${where}`,
	},
	missedCalls: {
		name: 'Too Many Missed Calls',
		description: 'A queue has missed at least this many calls within the window',
		about: 'queueIds',
		threshold: number('calls', 'Calls', 10, 20_000, 'How many calls have to be missed'),
		window: WINDOW,
		unit: '',
		watched: { of: 'window', is: 'atLeast', figure: ({ missed }) => missed },
		title: 'Missed calls ≥ #',
		sentence: ({ who, count, windowMinutes }) =>
			`${who}: ${count('missed call')} within ${windowMinutes} min`,
	},
	serviceLevelBelow: {
		name: 'Service Level Too Low',
		description: "Less than this percentage of a queue's calls was answered in time",
		about: 'queueIds',
		threshold: {
			...number('percent', 'Percent', 80, 100, 'The alert starts below this service level'),
			range: [0.1, 100],
			isWhole: false,
		},
		window: WINDOW,
		minimum: number(
			'minimumCalls',
			'Minimum Calls',
			10,
			20_000,
			'With fewer calls than this in the window, the alert does not start. Callers who are late count.',
		),
		unit: '%',
		watched: { of: 'window', is: 'below', figure: serviceLevel },
		title: 'Service level < #%',
		sentence: ({ who, value, threshold, tipped }) =>
			`${who}: service level ${value}%, below ${threshold}%${tipped}`,
	},
} as const satisfies Record<string, AlertKind>;

export type AlertKindName = keyof typeof ALERT_KINDS;
/** The kind of a row that names none: the editor saves no value that is the default. */
export const DEFAULT_ALERT: AlertKindName = 'callerWaiting';
export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as AlertKindName[];

/** One kind, without the exact types of its entry. */
export function kindOf(when: AlertKindName): AlertKind {
	return ALERT_KINDS[when];
}

/** The fields of a kind's rows, the threshold first. */
export function fieldsOf({ threshold, hold, window, minimum }: AlertKind): RowField[] {
	return [threshold, hold, window, minimum].filter((field) => field !== undefined);
}
