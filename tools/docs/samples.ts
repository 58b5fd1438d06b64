// Sample items of everything that the trigger emits, made by the code that makes the real ones.

import type { CallOutcome } from '../../nodes/VoiceManagementTrigger/live/calls';
import { readDirectory } from '../../nodes/shared/directory';
import { readUpdate } from '../../nodes/VoiceManagementTrigger/feed/envelope';
import { outcomeItem } from '../../nodes/VoiceManagementTrigger/live/outcomeItem';
import { simplify } from '../../nodes/VoiceManagementTrigger/events/simplify';
import { EVENT_KINDS, type EventKind } from '../../nodes/VoiceManagementTrigger/events/kinds';
import { statusItem, type Status } from '../../nodes/VoiceManagementTrigger/events/statusItem';

export type Json = Record<string, unknown>;

const AT = Date.UTC(2026, 0, 1, 10, 0, 0);

/** The names that the samples are resolved with. */
export const SAMPLE_DIRECTORY = readDirectory({
	ops: [{ id: 101, nom: 'Ada Martin', groups: [11] }],
	groupes: [{ id: 11, nom: 'Sales' }],
	trunks: [{ id: 9, nom: 'Head office' }],
	pauses: [{ id: 2, value: 'Coffee' }],
});

/** The simplified item of an event kind's sample. */
export function simplifiedSample({ sample }: EventKind, withNames = false): Json {
	const [event] = readUpdate([sample], AT);
	if (!event) throw new Error('a sample that can not be read');
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
};

const OUTCOMES: ReadonlyArray<{ outcome: CallOutcome; at: number }> = [
	{
		outcome: {
			...ENDED,
			kind: 'answered',
			agents: ['101'],
			talk: undefined,
			transfers: 0,
			endedAt: undefined,
		},
		at: AT + 19_000,
	},
	{
		outcome: {
			...ENDED,
			kind: 'missed',
			answered: false,
			agents: [],
			queues: ['51', '52'],
			place: 'queue:52',
			wait: 48,
			talk: 0,
			transfers: 0,
			recorded: undefined,
			answeredAt: undefined,
			endedAt: AT + 48_000,
		},
		at: AT + 53_000,
	},
	{ outcome: ENDED, at: AT + 208_000 },
];

/** One item for each outcome of a call. */
export function outcomeSamples(): Json[] {
	return OUTCOMES.map(({ outcome, at }) => outcomeItem(outcome, at));
}

const STATUSES: readonly Status[] = [
	{ event: 'connected', at: AT, attempts: 0, protocol: 4, transport: 'direct' },
	{ event: 'disconnected', at: AT, reason: 'The service closed the connection' },
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

/** One item for each thing that the feed says about itself. */
export function statusSamples(): Json[] {
	return STATUSES.map(statusItem);
}

/** Every sample item with where its schema file lies below `__schema__/v1.0.0`. */
export function samplesByFile(): Map<string, Json> {
	const files = new Map<string, Json>();
	for (const kind of EVENT_KINDS) {
		files.set(`${kind.type}/${kind.event || 'any'}`, simplifiedSample(kind));
	}
	for (const item of [...outcomeSamples(), ...statusSamples()]) {
		files.set(`${String(item.type_notification)}/${String(item.event)}`, item);
	}
	return files;
}
