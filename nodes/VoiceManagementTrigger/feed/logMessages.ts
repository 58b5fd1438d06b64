// What the feed logs, in words. Never a secret: reasons come from the operator without the token.
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
	/** Why the connection has ended, if the same line says so. */
	told?: string;
}

/** The operator says nothing more than the end of the connection; what it can be is in docs/troubleshooting.md. */
const REJECTED =
	'the operator ends each connection soon after it was opened. It may take the token from another IP address only, one session for each login, or "init" with other words (options "Init Account Type" and "Init Arguments")';

/** One line for a change of state. */
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
		text: `one of two connections is lost, the other one goes on: ${reason}`,
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

/** @param what as the end of a sentence */
export function leftOutMessage(what: string): LogMessage {
	return {
		level: 'warn',
		text: `the operator sent ${what}: it is left out, and the connection goes on; more of this kind are not logged`,
	};
}

/** @param payload cut, without the token */
export function unreadableMessage(payload: string): LogMessage {
	return { level: 'debug', text: `update could not be read: ${payload}` };
}

/** The direct connection could not be made: what the user may want to change in the network. */
export function routeMessage(reason: string): LogMessage {
	return {
		level: 'warn',
		text: `no direct connection, so events come through n8n's request helper by long polling until the next renewal: ${reason}`,
	};
}

/** Something under another event name than the document's: often the operator's reason for sending nothing else. */
export function otherEventMessage(name: string, payload: string): LogMessage {
	return {
		level: 'warn',
		text: `the operator sent a message under the event name "${name}" instead of "update": ${payload}`,
	};
}

/** The beginning of a payload, without the token. */
export function redactedPayload(args: unknown[], token: Token): string {
	let text: string;
	try {
		text = JSON.stringify(args) ?? '';
	} catch {
		text = '[nested too deeply]';
	}
	return redactedText(text, token);
}

type Token = string | number | undefined;

/** Foreign text for a line of the log: one line, cut, without the token. */
export function redactedText(foreign: string, token: Token): string {
	// Beyond what is shown, only as much as a token at the cut needs.
	let text = foreign.slice(0, 2_000);
	for (const secret of [String(token ?? ''), JSON.stringify(String(token ?? '')).slice(1, -1)]) {
		if (secret !== '') text = text.split(secret).join('***');
	}
	text = text.replace(/[\s\p{Cc}]+/gu, ' ');
	return text.length > 200 ? `${text.slice(0, 200)}…` : text;
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
