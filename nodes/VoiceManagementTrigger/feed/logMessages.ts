// The texts of the feed's log. They never contain a secret: the reasons that they quote come without the token.
import type { Route } from './connection';
import type { Gap } from './stream/gaps';
import type { Effect, Notification } from './state/types';
import type { FeedLogger, FeedState } from './types';

export interface LogMessage {
	level: keyof FeedLogger;
	text: string;
}

const LEVELS: Partial<Record<FeedState, keyof FeedLogger>> = {
	waiting: 'warn',
	refused: 'error',
	live: 'info',
};

interface Known {
	route: Route;
	/** Milliseconds since 1970. */
	now: number;
	/** The reason of the disconnect that the same line already contains, if any. */
	told?: string;
}

/** The operator gives no reason, so the text lists the likely ones. More about them is in docs/troubleshooting.md. */
const REJECTED =
	'the operator ends each connection soon after it was opened. It may accept the token only from another IP address, allow one session per login, or expect other arguments of "init" (options "Init Account Type" and "Init Arguments")';

/** The line for a change of state. */
export function transitionMessage(
	from: FeedState,
	to: FeedState,
	effects: readonly Effect[],
	known: Known,
): LogMessage {
	const ended = effects
		.flatMap((effect) => (effect.do === 'notify' ? [effect.notification] : []))
		.find(({ event }) => event === 'disconnected');
	const told = ended?.event === 'disconnected' ? ended.reason : undefined;
	const details = effects.map((effect) => describe(effect, { ...known, told })).filter(Boolean);
	const detail = details.length > 0 ? ` (${details.join('; ')})` : '';
	return { level: LEVELS[to] ?? 'debug', text: `${from} → ${to}${detail}` };
}

export function gapMessage(gap: Gap): LogMessage {
	const missed = gap.missed === undefined ? 'an unknown number of events' : `${gap.missed} events`;
	return {
		level: 'warn',
		text: `gap of ${inSeconds(gap.durationMs)}, ${missed} missed: ${gap.reason}`,
	};
}

export function lineLostMessage(reason: string): LogMessage {
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

/** @param what completes "the operator sent …" */
export function leftOutMessage(what: string): LogMessage {
	return {
		level: 'warn',
		text: `the operator sent ${what}, which was dropped; the connection stays open, and further ones of this kind are not logged`,
	};
}

/** @param payload shortened, without the token */
export function unreadableMessage(payload: string): LogMessage {
	return { level: 'debug', text: `update could not be read: ${payload}` };
}

/** The direct connection failed. A warning, because the user may want to change the network. */
export function routeMessage(reason: string): LogMessage {
	return {
		level: 'warn',
		text: `no direct connection, so events come through n8n's request helper by long polling until the next renewal: ${reason}`,
	};
}

/** A message under an event name other than `update`, often the operator's reason for sending nothing else. */
export function otherEventMessage(name: string, payload: string): LogMessage {
	return {
		level: 'warn',
		text: `the operator sent a message under the event name "${name}" instead of "update": ${payload}`,
	};
}

function describe(effect: Effect, known: Known): string {
	switch (effect.do) {
		case 'notify':
			return describeNotification(effect.notification, known);
		case 'switched':
			return `renewed, ${carrier(known.route)}`;
		case 'stale':
			return 'no event came within the silence timeout';
		default:
			return '';
	}
}

function describeNotification(notification: Notification, { route, now, told }: Known): string {
	switch (notification.event) {
		case 'connected': {
			const { attempts } = notification;
			return `Socket.IO ${route.protocol}, ${carrier(route)}, ${attempts} failed attempts before`;
		}
		case 'disconnected':
			return `disconnected: ${notification.reason}`;
		case 'line_lost':
			return '';
		case 'refused': {
			const { failure, retryAt } = notification;
			return `refused: ${failure.reason}; next login in ${inSeconds(retryAt - now)}`;
		}
		case 'retrying': {
			const { failure, retryAt } = notification;
			const cause = [
				...(failure.reason === told ? [] : [failure.reason]),
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
