// Sample items of everything that the trigger emits, made by the code that makes the real items.

import type { CallOutcome } from '../../nodes/VoiceManagementTrigger/live/outcomeTypes';
import { readDirectory } from '../../nodes/shared/directory';
import { readUpdate } from '../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import { conditionItem } from '../../nodes/VoiceManagementTrigger/live/conditionItem';
import type { ConditionChange } from '../../nodes/VoiceManagementTrigger/live/conditions';
import {
	OUTCOME_DEFAULTS,
	outcomeItem,
	returnedItem,
} from '../../nodes/VoiceManagementTrigger/live/outcomeItem';
import { snapshotItems } from '../../nodes/VoiceManagementTrigger/live/snapshotItems';
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
		...OUTCOMES.map(({ outcome, at }) => outcomeItem(outcome, at)),
		returnedItem(
			{
				caller: '+442079460123',
				missedAt: AT + 48_000,
				at: AT + 648_000,
				by: 'agent',
				callId: '880460',
				agent: '101',
			},
			AT + 648_000,
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
	return outcomeItem({ ...outcome, timeline }, at, SAMPLE_DIRECTORY, undefined, {
		...OUTCOME_DEFAULTS,
		timeline: true,
		history: { calls: 2, missed: 1, answered: 1, lastAt: AT - 3_600_000, lastAgent: '101', since },
	});
}

const CONDITION = {
	forSeconds: 0,
	windowMinutes: 60,
	answerWithinSeconds: 20,
	minimumCalls: 10,
} as const;

const CALLER = { queue: '51', call: '880412', caller: '+442079460123' };

const CONDITIONS: readonly ConditionChange[] = [
	{
		event: 'started',
		condition: { ...CONDITION, when: 'callerWaiting', threshold: 60 },
		value: 60,
		since: AT,
		at: AT + 60_000,
		subject: CALLER,
	},
	{
		event: 'repeated',
		condition: { ...CONDITION, when: 'agentOnBreak', threshold: 900 },
		value: 1200,
		since: AT,
		at: AT + 1_200_000,
		subject: { agent: '101', pause: '2' },
	},
	{
		event: 'resolved',
		condition: { ...CONDITION, when: 'callerWaiting', threshold: 60 },
		value: 74,
		since: AT,
		at: AT + 74_000,
		subject: CALLER,
		reason: 'answered',
	},
	{
		event: 'unknown',
		condition: { ...CONDITION, when: 'agentsAvailableBelow', threshold: 1 },
		value: 0,
		since: AT,
		at: AT + 30_000,
		subject: {},
		reason: 'feed-gap',
	},
];

/** One item for each event of a condition. */
export function conditionSamples(): Json[] {
	return CONDITIONS.map((change) => conditionItem(change, SAMPLE_DIRECTORY));
}

/** One item of each kind in a snapshot. */
export function snapshotSamples(): Json[] {
	const counts = {
		waiting: 2,
		longestWait: 41,
		longestSince: AT - 41_000,
		offered: 38,
		answered: 31,
		abandoned: 5,
		shortAbandoned: 1,
		unknown: 0,
		serviceLevel: 74.3,
		averageWait: 18.2,
		averageTalk: 184.5,
		since: AT - 3_600_000,
		complete: true,
	};
	const view = { id: '101', state: 'on_break', since: AT - 125_000, pause: '2' } as const;
	return snapshotItems(
		{
			at: AT,
			queues: [{ queue: '51', talking: 3, ...counts }],
			agents: [{ view, seconds: 125, answered: 9, notAnswered: 1 }],
			totals: {
				agentsAvailable: 1,
				agentsRinging: 0,
				agentsTalking: 3,
				agentsOnBreak: 1,
				agentsLoggedOut: 2,
				agentsUnknown: 0,
				...counts,
			},
		},
		SAMPLE_DIRECTORY,
	);
}

const STATUSES: readonly Status[] = [
	{ event: 'connected', at: AT, attempts: 0, protocol: 4, transport: 'direct' },
	{ event: 'disconnected', at: AT, reason: 'The service closed the connection' },
	{ event: 'line_lost', at: AT, reason: 'transport close' },
	{
		event: 'gap',
		from: AT,
		to: AT + 4200,
		durationMs: 4200,
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
];

/** One item for each feed status. */
export function statusSamples(): Json[] {
	return STATUSES.map(statusItem);
}

/** Every sample item by the path of its schema file below `__schema__/v1.0.0`. */
export function samplesByFile(): Map<string, Json> {
	const files = new Map<string, Json>();
	for (const kind of EVENT_KINDS) {
		files.set(`${kind.type}/${kind.event || 'any'}`, simplifiedSample(kind));
	}
	const live = [...outcomeSamples(), ...conditionSamples(), ...snapshotSamples()];
	for (const item of [...live, ...statusSamples()]) {
		files.set(`${String(item.type_notification)}/${String(item.event)}`, item);
	}
	return files;
}
