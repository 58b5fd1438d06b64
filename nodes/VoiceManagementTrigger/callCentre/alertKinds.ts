// Every kind of alert, defined once: the panel, its checks, the documentation and the sentences of items come from this
// table. A new alert is one entry here.

import type { AgentState } from './agents';
import { serviceLevel, type FigureSettings, type Tally } from './figures';

export type AlertUnit = 'seconds' | 'callers' | 'agents' | 'calls' | 'percent';

/** What the row of an alert can contain besides its threshold. */
export interface RowFields {
	forSeconds: number;
	windowMinutes: number;
	minimumCalls: number;
}

/** A queue at a moment, with the counts of the row's window. */
export interface QueueLoad {
	waiting: number;
	/** Callers who wait for longer than the seconds of the service level. */
	late: number;
	tally: Readonly<Tally>;
}

/** What is watched, and when the alert begins: once it has held for its seconds. */
export type Watched =
	/** Each caller who waits in a queue. */
	| { of: 'caller' }
	/** Each call that somebody has. */
	| { of: 'call' }
	/** Each agent while in a state. */
	| { of: 'agent'; state: AgentState }
	/** How many agents are available, all together: fewer than the threshold. */
	| { of: 'agents' }
	/** A figure of each queue; undefined: it can't be told. */
	| {
			of: 'queue';
			value: (
				load: QueueLoad,
				row: Readonly<RowFields>,
				settings: FigureSettings,
			) => number | undefined;
			is: 'atLeast' | 'below';
	  };

/** The words of a sentence. */
export interface Words {
	/** The caller, agent or queue. */
	who: string;
	/** ` in Sales`, or nothing. */
	where: string;
	/** ` to Ada Martin`, or nothing. */
	to: string;
	/** `: call 4711 of +33199000111 tipped it`, or nothing. */
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
	unit: AlertUnit;
	/** Of the threshold. */
	default: number;
	/** Further fields of the row, with their defaults. */
	further?: Partial<RowFields>;
	watched: Watched;
	/** The folded row; `#` stands for the threshold. */
	title: string;
	/** While it lasts; a part of a sentence without its end. */
	sentence: (words: Words) => string;
}

export const ALERT_KINDS = {
	callerWaiting: {
		name: 'Caller Waits Too Long',
		description: 'A caller has been waiting in a queue for this many seconds',
		unit: 'seconds',
		default: 60,
		watched: { of: 'caller' },
		title: 'Caller waits > # s',
		sentence: ({ who, where, value }) => `${who} has been waiting for ${value} s${where}`,
	},
	callersWaiting: {
		name: 'Too Many Callers Wait',
		description: 'At least this many callers wait in a queue',
		unit: 'callers',
		default: 5,
		further: { forSeconds: 0 },
		watched: { of: 'queue', value: ({ waiting }) => waiting, is: 'atLeast' },
		title: 'Callers waiting ≥ #',
		sentence: ({ who, count }) => `${who}: ${count('waiting caller')}`,
	},
	agentsAvailableBelow: {
		name: 'Too Few Agents Available',
		description: 'Fewer agents than this are available. Set to 1 for "no agent is available".',
		unit: 'agents',
		default: 1,
		further: { forSeconds: 30 },
		watched: { of: 'agents' },
		title: 'Agents available < #',
		sentence: ({ who, value, threshold }) =>
			`${who}: ${value || 'none'} available${threshold > 1 ? `, fewer than ${threshold}` : ''}`,
	},
	agentOnBreak: {
		name: 'Agent on Break Too Long',
		description: 'An agent has been on a break for this many seconds',
		unit: 'seconds',
		default: 900,
		watched: { of: 'agent', state: 'on_break' },
		title: 'Agent on break > # s',
		sentence: ({ who, value }) => `${who} has been on a break for ${value} s`,
	},
	agentIdle: {
		name: 'Agent Idle Too Long',
		description: 'An agent has been available without a call for this many seconds',
		unit: 'seconds',
		default: 900,
		watched: { of: 'agent', state: 'available' },
		title: 'Agent idle > # s',
		sentence: ({ who, value }) => `${who} has been idle for ${value} s`,
	},
	agentRinging: {
		name: 'Agent Lets It Ring',
		description: "An agent's phone has been ringing for this many seconds",
		unit: 'seconds',
		default: 20,
		watched: { of: 'agent', state: 'ringing' },
		title: 'Agent lets it ring > # s',
		sentence: ({ who, value }) => `${who} has let it ring for ${value} s`,
	},
	callLasting: {
		name: 'Call Lasts Too Long',
		description: 'A caller has been talking to an agent for this many seconds',
		unit: 'seconds',
		default: 1800,
		watched: { of: 'call' },
		title: 'Call lasts > # s',
		sentence: ({ who, where, to, value }) => `${who} has been talking${to} for ${value} s${where}`,
	},
	missedCalls: {
		name: 'Too Many Missed Calls',
		description: 'A queue has missed at least this many calls within the window',
		unit: 'calls',
		default: 10,
		further: { windowMinutes: 60 },
		watched: { of: 'queue', value: ({ tally }) => tally.missed, is: 'atLeast' },
		title: 'Missed calls ≥ #',
		sentence: ({ who, count, windowMinutes }) =>
			`${who}: ${count('missed call')} within ${windowMinutes} min`,
	},
	serviceLevelBelow: {
		name: 'Service Level Too Low',
		description: "Less than this percentage of a queue's calls was answered in time",
		unit: 'percent',
		default: 80,
		further: { windowMinutes: 60, minimumCalls: 10 },
		watched: {
			of: 'queue',
			value: ({ tally, late }, { minimumCalls }, { serviceLevelFormula }) => {
				const { percent, calls } = serviceLevel(tally, late, serviceLevelFormula);
				return percent !== null && calls >= minimumCalls ? percent : undefined;
			},
			is: 'below',
		},
		title: 'Service level < #%',
		sentence: ({ who, value, threshold, tipped }) =>
			`${who}: service level ${value}%, below ${threshold}%${tipped}`,
	},
} as const satisfies Record<string, AlertKind>;

export type AlertKindName = keyof typeof ALERT_KINDS;
export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as AlertKindName[];

/** One kind, without the exact types of its entry. */
export function kindOf(when: AlertKindName): AlertKind {
	return ALERT_KINDS[when];
}
