// Computes when the next login is due while a connection is open: for its renewal, or for a second line. Pure; used by
// transition.ts and twoLines.ts.
import { backoffDelay } from './backoff';
import type { Context, Effect, OpenConnection, State, TimerName } from './types';

/** How long no login is allowed yet (`notBefore`), in milliseconds. */
export function untilAllowed({ notBefore = 0 }: State, context: Context): number {
	return Math.max(0, notBefore - context.now);
}

/** When the last fifth of the time between the first renewal attempt and the end of the token begins. */
export function lastResortAt(open: OpenConnection): number {
	return open.expiresAt - Math.max(0, open.expiresAt - open.renewAt) / 5;
}

/** Whether a login while one connection is open is for a second line, and not for a replacement of that connection. */
export function isForSecondLine(
	{ secondLineAt }: State,
	{ twoLines = false, now }: Context,
): boolean {
	return twoLines && now >= secondLineAt;
}

/**
 * Schedules the second line: a moment after the first one has sent `init`, later if the connections before it did not
 * last.
 */
export function withSecondLine(state: State, { now, random }: Context): State {
	const soonest = now + backoffDelay(Math.max(1, state.failures), random);
	return { ...state, secondLineAt: Math.max(state.secondLineAt, soonest) };
}

/** When the next login is due while one connection is open: for its renewal, or for a second line. */
export function nextLoginAt(
	{ secondLineAt, notBefore = 0 }: State,
	open: OpenConnection,
	context: Context,
) {
	return context.twoLines
		? Math.min(lastResortAt(open), Math.max(notBefore, Math.min(open.renewAt, secondLineAt)))
		: open.renewAt;
}

export function nextLogin(state: State, open: OpenConnection, context: Context): Effect {
	return timerUntil('renew', nextLoginAt(state, open, context), context);
}

export function timerUntil(name: TimerName, at: number, { now }: Context): Effect {
	return { do: 'timer', name, delayMs: Math.max(0, at - now) };
}

/** Schedules the next login while one connection is open, after the back-off at the earliest. */
export function afterWait(state: State, context: Context): Effect {
	const delayMs = backoffDelay(Math.max(1, state.renewalFailures), context.random);
	const dueAt = nextLoginAt(state, state.current as OpenConnection, context);
	return timerUntil('renew', Math.max(dueAt, context.now + delayMs), context);
}
