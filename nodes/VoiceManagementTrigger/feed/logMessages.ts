// The texts of the feed's log. What the provider sends as data is logged at level debug only.
import type { Gap } from './gap';
import type { AttemptFailure, FeedAction, Notification } from './state/types';
import type { FeedLogger, FeedState, Route } from './types';

export interface LogMessage {
	level: keyof FeedLogger;
	text: string;
}

const LEVELS: Partial<Record<FeedState, keyof FeedLogger>> = {
	waiting: 'warn',
	refused: 'error',
	live: 'info',
};

interface LineContext {
	route: Route;
	/** Milliseconds since 1970. */
	now: number;
	/** The reason of the disconnect that the same line already contains, if any. */
	shown?: string;
}

/** The provider gives no reason, so the text lists the likely ones. More about them is in docs/troubleshooting.md. */
const REJECTED =
	'the provider ends each connection soon after it was opened. It may not know the "Client Account ID" of the credential, accept the token only from another IP address, allow one session per login, or expect other arguments of "init" ("Init Arguments" in the credential)';

/** A connection that the provider ended soon after it was opened, as a reason by itself. */
export function rejectionOf(failure: AttemptFailure): AttemptFailure {
	return { ...failure, reason: `${REJECTED}. It said: ${failure.reason}` };
}

/** The line for a change of state. */
export function transitionMessage(
	from: FeedState,
	to: FeedState,
	effects: readonly FeedAction[],
	known: LineContext,
): LogMessage {
	const ended = effects
		.flatMap((effect) => (effect.do === 'notify' ? [effect.notification] : []))
		.find(({ event }) => event === 'disconnected');
	const shown = ended?.event === 'disconnected' ? ended.reason : undefined;
	const details = effects.map((effect) => describe(effect, { ...known, shown })).filter(Boolean);
	const detail = details.length > 0 ? ` (${details.join('; ')})` : '';
	return { level: LEVELS[to] ?? 'debug', text: `${from} → ${to}${detail}` };
}

export function gapMessage(gap: Gap): LogMessage {
	const period = inSeconds(gap.to - gap.from);
	const [what, number] =
		gap.missed === undefined
			? ['events may be', 'number unknown']
			: ['events are', `${gap.missed}`];
	return { level: 'warn', text: `${what} missing for ${period} (${number}): ${gap.reason}` };
}

export function connectionLostMessage(reason: string): LogMessage {
	return {
		level: 'warn',
		text: `lost one of the two connections, keeping the other one: ${reason}`,
	};
}

export function renewalFailedMessage(reason: string, retryInMs: number): LogMessage {
	return {
		level: 'warn',
		text: `could not open the next connection, keeping the open one; next attempt in ${inSeconds(retryInMs)}: ${reason}`,
	};
}

export function renewalRevertedMessage(reason: string): LogMessage {
	return { level: 'warn', text: `renewal rolled back, keeping the previous connection: ${reason}` };
}

/** @param what completes "the provider sent …" */
export function leftOutMessage(what: string): LogMessage {
	return {
		level: 'warn',
		text: `the provider sent ${what}, which was dropped; the connection stays open, and further ones of this kind are not logged`,
	};
}

/** The direct connection failed. A warning, because the user may want to change the network. */
export function routeMessage(reason: string): LogMessage {
	return {
		level: 'warn',
		text: `no direct connection, so events come through n8n's request helper by long polling until the next renewal: ${reason}`,
	};
}

/**
 * @param where completes "the provider sent what is not documented, …"
 * @param why what is not documented about it, in the words of `shared/shown.ts`
 */
export function notUnderstoodMessage(where: string, why: string): LogMessage {
	return {
		level: 'warn',
		text: `the provider sent what is not documented, ${where}: ${why}. Further ones like it are not logged`,
	};
}

export const tooManyMessage: LogMessage = {
	level: 'warn',
	text: 'the provider sends more that is not documented: no further kinds of it are logged',
};

/** @param payload shortened and masked */
export function notUnderstoodPayloadMessage(name: string, payload: string): LogMessage {
	return { level: 'debug', text: `the message under the event name "${name}": ${payload}` };
}

function describe(effect: FeedAction, known: LineContext): string {
	switch (effect.do) {
		case 'notify':
			return describeNotification(effect.notification, known);
		default:
			return '';
	}
}

function describeNotification(
	notification: Notification,
	{ route, now, shown }: LineContext,
): string {
	switch (notification.event) {
		case 'connected': {
			const { attempts } = notification;
			const how = `Socket.IO ${route.protocol}, ${carrier(route)}`;
			return attempts === 0
				? how
				: `${how}, after ${attempts} failed ${attempts === 1 ? 'attempt' : 'attempts'}`;
		}
		case 'disconnected':
			return `disconnected: ${notification.reason}`;
		case 'renewed':
			return `renewed, ${carrier(route)}`;
		case 'reverted':
			return '';
		case 'refused': {
			const { failure, retryAt } = notification;
			return `${failure.reason}; next login in ${inSeconds(retryAt - now)}, or within 30 s after the credential is changed`;
		}
		case 'retrying': {
			const { failure, retryAt } = notification;
			const cause = [
				...(failure.reason === shown ? [] : [failure.reason]),
				...(failure.rejected ? [REJECTED] : []),
			].join(': ');
			return `${cause === '' ? '' : `${cause}; `}next attempt in ${inSeconds(retryAt - now)}`;
		}
	}
}

function carrier({ transport }: Route): string {
	return transport === 'n8n' ? "through n8n's request helper" : 'direct';
}

function inSeconds(ms: number): string {
	return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
