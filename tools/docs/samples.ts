// Sample items of everything that the trigger emits, made by the code that makes the real items.

import { alertItem } from '../../nodes/VoiceManagementTrigger/callCentre/alertItem';
import type { Alert, AlertChange } from '../../nodes/VoiceManagementTrigger/callCentre/alerts';
import { AgentTimes } from '../../nodes/VoiceManagementTrigger/callCentre/agentTimes';
import {
	AGENT_FIGURES,
	figuresOf,
	NO_CALLS,
	QUEUE_FIGURES,
} from '../../nodes/VoiceManagementTrigger/callCentre/figures';
import { Naming } from '../../nodes/VoiceManagementTrigger/callCentre/naming';
import type { CallOutcome } from '../../nodes/VoiceManagementTrigger/callCentre/outcomeTypes';
import {
	outcomeItem,
	reachedItem,
	type OutcomeContext,
} from '../../nodes/VoiceManagementTrigger/callCentre/outcomeItem';
import {
	agentItem,
	queueItem,
	totalsItem,
} from '../../nodes/VoiceManagementTrigger/callCentre/snapshotItems';
import { TOTALS_OF_AGENTS } from '../../nodes/VoiceManagementTrigger/callCentre/snapshots';
import { readCallCentreSettings } from '../../nodes/VoiceManagementTrigger/callCentreSettings';
import { readDirectory } from '../../nodes/shared/directory';
import { systemClock } from '../../nodes/VoiceManagementTrigger/feed/clock';
import { readUpdate } from '../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import { simplify } from '../../nodes/VoiceManagementTrigger/events/simplify';
import { EVENT_KINDS, type EventKind } from '../../nodes/VoiceManagementTrigger/events/kinds';
import { statusItem, type Status } from '../../nodes/VoiceManagementTrigger/events/statusItem';

export type Json = Record<string, unknown>;

const AT = Date.UTC(2026, 0, 1, 10, 0, 0);

/** The names that occur in the samples. */
const SAMPLE_DIRECTORY = readDirectory({
	ops: [{ id: 101, nom: 'Ada Martin', groups: [11] }],
	groupes: [{ id: 11, nom: 'Sales' }],
	trunks: [{ id: 9, nom: 'Head office' }],
	pauses: [{ id: 2, value: 'Coffee' }],
});

const SAMPLE_QUEUES = new Map([
	['51', { name: 'Sales' }],
	['52', { name: 'Support' }],
]);

const NAMES = new Naming(systemClock, () => SAMPLE_DIRECTORY, SAMPLE_QUEUES);
const WITHOUT_NAMES = new Naming(systemClock, () => undefined, undefined);
const { figures: SETTINGS } = readCallCentreSettings(
	'snapshots',
	(_name, fallback) => fallback,
	{},
);
const CONTEXT: OutcomeContext = { figures: SETTINGS, nobodyAvailable: false, timeline: false };

/** The simplified item of an event kind's sample. */
export function simplifiedSample({ sample }: EventKind, withNames = false): Json {
	const [event] = readUpdate([sample], AT);
	if (!event) throw new Error('a sample that cannot be read');
	return simplify(event, withNames ? SAMPLE_DIRECTORY : undefined);
}

const ENDED: CallOutcome = {
	kind: 'ended',
	callId: '880412',
	caller: '+442079460123',
	answered: true,
	agents: ['101', '104'],
	queues: ['51'],
	trunks: [],
	place: 'queue:51',
	wait: 19,
	talk: 184,
	wrapUp: 8,
	transfers: 1,
	recorded: true,
	startedAt: AT,
	answeredAt: AT + 19_000,
	endedAt: AT + 203_000,
	queueWaits: [{ queue: '51', wait: 19 }],
	visits: [],
	offers: [
		{ agent: '103', from: AT + 2_000, to: AT + 12_000, answered: false },
		{ agent: '101', from: AT + 13_000, to: AT + 19_000, answered: true },
		{ agent: '104', from: AT + 90_000, to: AT + 94_000, answered: true },
	],
	alerted: false,
};

const MISSED: { outcome: CallOutcome; at: number } = {
	outcome: {
		...ENDED,
		kind: 'missed',
		answered: false,
		agents: [],
		queues: ['51', '52'],
		place: 'queue:52',
		wait: 48,
		queueWaits: [
			{ queue: '51', wait: 35 },
			{ queue: '52', wait: 13 },
		],
		offers: [{ agent: '103', from: AT + 2_000, to: AT + 17_000, answered: false }],
		talk: 0,
		wrapUp: undefined,
		transfers: 0,
		recorded: undefined,
		answeredAt: undefined,
		endedAt: AT + 48_000,
	},
	at: AT + 53_000,
};

const OUTCOMES: ReadonlyArray<{ outcome: CallOutcome; at: number }> = [
	{
		outcome: {
			...ENDED,
			kind: 'answered',
			agents: ['101'],
			offers: ENDED.offers.slice(0, 2),
			talk: undefined,
			wrapUp: undefined,
			transfers: 0,
			endedAt: undefined,
		},
		at: AT + 19_000,
	},
	MISSED,
	{ outcome: ENDED, at: AT + 208_000 },
];

/** One item for each outcome of a call. */
export function outcomeSamples(): Json[] {
	return [
		...OUTCOMES.map(({ outcome, at }) => outcomeItem(outcome, at, WITHOUT_NAMES, CONTEXT)),
		reachedItem(
			{
				caller: '+442079460123',
				missed: [],
				at: AT + 648_000,
				by: 'agent',
				callId: '880460',
				agent: '101',
			},
			AT + 48_000,
			AT + 648_000,
			WITHOUT_NAMES,
			CONTEXT,
		),
	];
}

/** A missed call with all fields that options add. */
export function fullOutcomeSample(): Json {
	const { outcome, at } = MISSED;
	const timeline = [
		{ at: AT, event: 'insert_call', queue: '51' },
		{ at: AT + 2_000, event: 'status', queue: '51', agent: '103', status: 'ringing' },
		{ at: AT + 35_000, event: 'delete_call', queue: '51' },
		{ at: AT + 35_000, event: 'insert_call', queue: '52' },
		{ at: AT + 48_000, event: 'delete_call', queue: '52' },
	];
	const since = AT - 24 * 3_600_000;
	return outcomeItem({ ...outcome, timeline }, at, NAMES, {
		...CONTEXT,
		timeline: true,
		history: { calls: 2, missed: 1, answered: 1, lastAt: AT - 3_600_000, lastAgent: '101', since },
	});
}

const ROW = { forSeconds: 0, windowMinutes: 0, minimumCalls: 0 };
const WAITS: Alert = { ...ROW, when: 'callerWaiting', threshold: 60 };
const CALLER = { queue: '51', call: '880412', caller: '+442079460123' };

const ALERTS: readonly AlertChange[] = [
	{
		event: 'started',
		alert: WAITS,
		value: 60,
		since: AT,
		at: AT + 60_000,
		subject: CALLER,
	},
	{
		event: 'repeated',
		alert: { ...ROW, when: 'agentOnBreak', threshold: 900 },
		value: 1200,
		since: AT,
		at: AT + 1_200_000,
		subject: { agent: '101', pause: '2' },
	},
	{
		event: 'resolved',
		alert: WAITS,
		value: 74,
		since: AT,
		at: AT + 74_000,
		subject: CALLER,
		reason: 'answered',
	},
	{
		event: 'unknown',
		alert: { ...ROW, when: 'agentsAvailableBelow', threshold: 1, forSeconds: 30 },
		value: 0,
		since: AT,
		at: AT + 30_000,
		subject: { group: '11' },
		reason: 'feed-gap',
	},
];

/** One item for each event of an alert. */
export function alertSamples(): Json[] {
	return ALERTS.map((change) => alertItem(change, NAMES));
}

const QUARTER_MS = 900_000;
const TALLY = {
	...NO_CALLS,
	offered: 38,
	answered: 31,
	timed: 31,
	answeredMs: 564_200,
	inTime: 26,
	abandoned: 4,
	short: 1,
	leftInTime: 1,
	leftTimed: 5,
	leftMs: 181_000,
	talked: 29,
	talkMs: 5_350_500,
	wrapped: 29,
	wrapMs: 261_000,
};

/** One item of each kind in a snapshot; with `interval`, in the record of an interval. */
export function snapshotSamples(interval = false): Json[] {
	const situation = {
		tally: TALLY,
		waiting: 2,
		late: 1,
		longestWait: 41,
		talking: 3,
		counted: 3_600,
	};
	const row = { longestSince: AT - 41_000, figures: figuresOf(QUEUE_FIGURES, situation, SETTINGS) };
	const view = { id: '101', state: 'on_break', since: AT - 125_000, pause: '2' } as const;
	const times = new AgentTimes();
	times.enters(AT - 3_600_000, { state: 'talking' });
	times.enters(AT - 1_200_000, { state: 'available' });
	times.enters(AT - 125_000, view);
	const inStates = times.between(AT - 3_600_000, AT);
	const agent = figuresOf(
		AGENT_FIGURES,
		{ answered: 9, notAnswered: 1, seconds: inStates },
		SETTINGS,
	);
	const counts = Object.fromEntries(TOTALS_OF_AGENTS.map(([field], index) => [field, index]));
	const totals = { ...row, figures: { ...row.figures, ...counts, occupancy: 76.5 } };
	const head = {
		date: NAMES.iso(AT),
		since: AT - (interval ? QUARTER_MS : 3_600_000),
		interrupted: false,
		interval: interval ? { from: AT - QUARTER_MS, to: AT, missedMs: 0 } : undefined,
	};
	return [
		queueItem({ queue: '51', ...row }, head, NAMES),
		agentItem({ view, seconds: 125, inStates, figures: agent }, head, NAMES),
		totalsItem(totals, head, NAMES),
	];
}

const STATUSES: readonly Status[] = [
	{ event: 'connected', at: AT, attempts: 0, protocol: 4, transport: 'direct', continuous: null },
	{ event: 'disconnected', at: AT, reason: 'The service closed the connection' },
	{ event: 'connection_lost', at: AT, reason: 'transport close' },
	{
		event: 'gap',
		from: AT,
		to: AT + 4200,
		reason: 'The service closed the connection',
		lastCpt: 1040,
		firstCpt: 1053,
		missed: 12,
	},
	{
		event: 'refused',
		at: AT,
		reason: 'Wrong login or password',
		statusCode: 401,
		first: true,
		retryAt: AT + 300_000,
	},
	{ event: 'overflow', dropped: 1200, from: AT, to: AT + 9000 },
	{ event: 'held', entries: 12, since: AT, reason: 'connect ECONNREFUSED 127.0.0.1:5432' },
	{ event: 'resumed', at: AT + 21_000, entries: 230, seconds: 21 },
	{
		event: 'undelivered',
		at: AT + 3_600_000,
		entries: 1,
		firstAt: AT,
		reason: 'The service refused the connection',
	},
];

/** One item for each feed status. */
export function statusSamples(): Json[] {
	return STATUSES.map((status) => statusItem(status, (at) => at));
}

/** Every sample item by the path of its schema file below `__schema__/v1.0.0`. */
export function samplesByFile(): Map<string, Json> {
	const files = new Map<string, Json>();
	for (const kind of EVENT_KINDS) {
		files.set(`${kind.type}/${kind.event || 'any'}`, simplifiedSample(kind));
	}
	const live = [...outcomeSamples(), ...alertSamples(), ...snapshotSamples(true)];
	for (const item of [...live, ...statusSamples()]) {
		files.set(`${String(item.type_notification)}/${String(item.event)}`, item);
	}
	return files;
}
