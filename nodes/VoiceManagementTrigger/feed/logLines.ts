// What the feed says in the log, in words. Never a secret: reasons come from the service without the token.
import type { Gap } from './continuity';
import type { Effect } from './state';
import type { FeedLogger, FeedState } from './types';

export interface LogLine {
	level: keyof FeedLogger;
	text: string;
}

const LEVELS: Partial<Record<FeedState, keyof FeedLogger>> = {
	waiting: 'warn',
	refused: 'error',
	live: 'info',
};

/** One line for a change of state. */
export function transitionLine(
	from: FeedState,
	to: FeedState,
	effects: readonly Effect[],
	known: { generation: 2 | 4; now: number },
): LogLine {
	const details = effects.map((effect) => describe(effect, known)).filter(Boolean);
	const detail = details.length > 0 ? ` (${details.join('; ')})` : '';
	return { level: LEVELS[to] ?? 'debug', text: `${from} → ${to}${detail}` };
}

export function gapLine(gap: Gap): LogLine {
	const missed = gap.missed === undefined ? 'an unknown number of events' : `${gap.missed} events`;
	return {
		level: 'warn',
		text: `gap of ${inSeconds(gap.durationMs)}, ${missed} missed: ${gap.reason}`,
	};
}

export function renewalFailedLine(reason: string, retryInMs: number): LogLine {
	return {
		level: 'warn',
		text: `renewal failed, the old connection goes on; next try in ${inSeconds(retryInMs)}: ${reason}`,
	};
}

/** The beginning of a payload, without the token. */
export function cutPayload(args: unknown[], token: string | undefined): string {
	let text: string;
	try {
		text = JSON.stringify(args) ?? '';
	} catch {
		text = '[nested too deeply]';
	}
	if (token) text = text.split(token).join('***');
	return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function describe(effect: Effect, { generation, now }: { generation: 2 | 4; now: number }): string {
	switch (effect.do) {
		case 'connected':
			return `Socket.IO ${generation}, ${effect.attempts} failed attempts before`;
		case 'disconnected':
			return `disconnected: ${effect.reason}`;
		case 'refused':
			return `refused: ${effect.failure.reason}; next login in ${inSeconds(effect.retryAt - now)}`;
		case 'retrying':
			return `${effect.failure.reason}; next attempt in ${inSeconds(effect.retryAt - now)}`;
		case 'switched':
			return 'renewed';
		case 'silent':
			return 'nothing was heard for the silence timeout';
		default:
			return '';
	}
}

function inSeconds(ms: number): string {
	return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
