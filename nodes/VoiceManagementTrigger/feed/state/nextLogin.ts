// When the next login beside an open connection is due: its renewal, or a second line. Pure; transition.ts decides by it.
import { backoffDelay } from './backoff';
import type { Context, Effect, OpenConnection, State, TimerName } from './types';

/** What is left of the operator's `Retry-After`. */
export function untilAllowed({ notBefore = 0 }: State, context: Context): number {
	return Math.max(0, notBefore - context.now);
}

/** The last fifth of the time between the first try of a renewal and the end of the token. */
export function lastResortAt(open: OpenConnection): number {
	return open.expiresAt - Math.max(0, open.expiresAt - open.renewAt) / 5;
}

/** Whether a login beside the only connection is for a second line, and not to replace it. */
export function isForSecondLine(
	{ secondLineAt }: State,
	{ twoLines = false, now }: Context,
): boolean {
	return twoLines && now >= secondLineAt;
}

/** A second line comes a moment after the first one has said `init`, later if the connections before did not last. */
export function withSecondLine(state: State, { now, random }: Context): State {
	const soonest = now + backoffDelay(Math.max(1, state.failures), random);
	return { ...state, secondLineAt: Math.max(state.secondLineAt, soonest) };
}

/** When the next login beside the only connection is due: its renewal, or a second line. */
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

/** The next login beside the only connection, after the back-off at the earliest. */
export function afterWait(state: State, context: Context): Effect {
	const delayMs = backoffDelay(Math.max(1, state.renewalFailures), context.random);
	const dueAt = nextLoginAt(state, state.current as OpenConnection, context);
	return timerUntil('renew', Math.max(dueAt, context.now + delayMs), context);
}
