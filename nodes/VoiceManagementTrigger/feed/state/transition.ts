// Decides what happens next to one connection and its successor. Pure: (state, input) → (state, effects). keeper.ts runs
// the effects and dispatches their results as inputs. docs/dev/feed.md has the transitions as a table.
import { backoffDelay, CONFIRM_MS, REJECTED_MS, refusedDelay } from './backoff';
import type {
	Context,
	FeedAction,
	AttemptFailure,
	Input,
	Notification,
	OpenConnection,
	State,
	Transition,
	TimerName,
} from './types';

/** How often the two connections of a renewal are compared. */
const COMPARE_RENEWAL_MS = 1_000;
/**
 * A provider that allows one session per account can refuse a new login until it notices that the previous connection
 * is gone. Within this time a refusal is not taken for a fault of the credentials, and is tried again sooner.
 */
const LINGERING_MS = 2 * 60_000;
/** How much sooner, if the network broke the connection; if the feed ended it, the usual back-off applies. */
const LINGERING_RETRY_MS = 30_000;

export const initialState: State = {
	name: 'idle',
	newestId: 0,
	loggedIn: false,
	failures: 0,
	attempts: 0,
	refusals: 0,
	lingering: 0,
	renewalFailures: 0,
	renewalRejected: false,
	immediateUsed: false,
};

/** Computes the next state and its effects. Inputs about a connection that is no longer known change nothing. */
export function transition(state: State, input: Input, context: Context): Transition {
	if (state.name === 'closed') return [state, []];
	switch (input.type) {
		case 'start':
			return state.newestId === 0 ? beginAttempt(state) : [state, []];
		case 'retryNow':
			return isWaiting(state) ? beginAttempt(state) : [state, []];
		case 'loggedIn':
			return input.id === state.attemptId
				? [{ ...state, loggedIn: true, name: state.current ? 'renewing' : 'connecting' }, []]
				: [state, []];
		case 'opened':
			return onOpened(state, input, context);
		case 'failed':
			return onFailed(state, input.id, input.failure, context);
		case 'lost':
			return onLost(state, input, context);
		case 'confirmed':
			return onConfirmed(state, input.id);
		case 'timer':
			return onTimer(state, input.name, context);
		case 'compared':
			return onCompared(state, input.decision, context);
		case 'close':
			return onClose(state);
	}
}

function isWaiting(state: State): boolean {
	return state.name === 'waiting' || state.name === 'refused';
}

/** Starts an attempt. The caller makes sure that none is in progress. */
function beginAttempt(state: State): Transition {
	const id = state.newestId + 1;
	return [
		{
			...state,
			name: state.current ? 'renewing' : 'authenticating',
			newestId: id,
			attemptId: id,
			loggedIn: false,
		},
		[
			{ do: 'cancel', name: 'retry' },
			{ do: 'open', id },
		],
	];
}

function onOpened(
	state: State,
	{ id, renewAt, expiresAt }: { id: number; renewAt: number; expiresAt: number },
	context: Context,
): Transition {
	if (id !== state.attemptId) return [state, []];
	const open: OpenConnection = { id, openedAt: context.now, renewAt, expiresAt, confirmed: false };
	const timers = timersOf(open, context);
	if (state.current) {
		return [
			{ ...state, name: 'renewing', attemptId: undefined, next: open },
			[{ do: 'timer', name: 'compare', delayMs: COMPARE_RENEWAL_MS }, ...timers],
		];
	}
	return [
		{
			...state,
			name: 'live',
			attemptId: undefined,
			current: open,
			attempts: 0,
			refusals: 0,
			lingering: 0,
			renewalFailures: 0,
			renewalRejected: false,
			// The provider has let the connection go that the feed closed.
			closedAt: undefined,
		},
		[notify({ event: 'connected', attempts: state.attempts }), ...timers],
	];
}

function timersOf(open: OpenConnection, context: Context): FeedAction[] {
	return [
		{ do: 'timer', name: 'renew', delayMs: Math.max(0, open.renewAt - context.now) },
		{ do: 'timer', name: 'confirm', delayMs: CONFIRM_MS },
		...silenceTimer(context),
	];
}

function silenceTimer({ silenceTimeoutMs }: Context): FeedAction[] {
	return silenceTimeoutMs > 0 ? [{ do: 'timer', name: 'silence', delayMs: silenceTimeoutMs }] : [];
}

function onFailed(state: State, id: number, failure: AttemptFailure, context: Context): Transition {
	if (id !== state.attemptId) return [state, []];
	if (state.current) return renewalFailed({ ...state, attemptId: undefined }, failure, context);
	const refused = failure.kind === 'refused';
	const after: State = {
		...state,
		name: refused ? 'refused' : 'waiting',
		attemptId: undefined,
		attempts: state.attempts + 1,
		refusals: state.refusals + (refused ? 1 : 0),
		lingering: state.lingering + (refused && mayLinger(state, context) ? 1 : 0),
		failures: state.failures + (refused ? 0 : 1),
	};
	const wait = refused
		? afterRefusal(after, context)
		: backoffDelay(after.failures, context.random);
	const [delayMs, retryAt] = notBefore(wait, context);
	return [
		after,
		[
			{ do: 'timer', name: 'retry', delayMs },
			refused
				? notify({ event: 'refused', failure, first: after.refusals === 1, retryAt })
				: notify({ event: 'retrying', failure, retryAt, renewal: false }),
		],
	];
}

/** A wait, longer if the provider asked for a longer one; and when it ends. */
function notBefore(waitMs: number, { now, notBefore: allowed }: Context): [number, number] {
	const delayMs = Math.max(waitMs, allowed - now);
	return [delayMs, now + delayMs];
}

function afterRefusal(state: State, context: Context): number {
	const { closedAt = -Infinity, refusals, lingering } = state;
	const { now, random } = context;
	if (!mayLinger(state, context)) return refusedDelay(refusals - lingering, random);
	return now - closedAt <= LINGERING_MS ? backoffDelay(refusals, random) : LINGERING_RETRY_MS;
}

/** Whether the provider may still count the connection before. */
function mayLinger({ closedAt = -Infinity }: State, { now, brokeAt }: Context): boolean {
	return now - Math.max(closedAt, brokeAt) <= LINGERING_MS;
}

/** When the last fifth of the time between the first renewal attempt and the end of the token begins. */
function lastResortAt({ renewAt, expiresAt }: OpenConnection): number {
	return expiresAt - Math.max(0, expiresAt - renewAt) / 5;
}

/**
 * The open connection stays, and the renewal is tried again after the back-off. If the provider refused the login, half of
 * the time is waited that is left until closing the open connection first becomes the last resort, but no longer than
 * without a connection: the password may be wrong, and logins that are refused can lock the account.
 */
function renewalFailed(state: State, failure: AttemptFailure, context: Context): Transition {
	const renewalFailures = state.renewalFailures + 1;
	const renewalRejected = failure.kind === 'refused';
	let waitMs = backoffDelay(renewalFailures, context.random);
	if (renewalRejected) {
		const leftMs = lastResortAt(state.current as OpenConnection) - context.now;
		const patientMs = Math.min(leftMs / 2, refusedDelay(renewalFailures, context.random));
		// If that moment has passed, the wait stays short, or the token would end during it.
		waitMs =
			leftMs > 0 ? Math.min(leftMs, Math.max(waitMs, patientMs)) : backoffDelay(1, context.random);
	}
	const [delayMs, retryAt] = notBefore(waitMs, context);
	return [
		{ ...state, name: 'renewing', renewalFailures, renewalRejected },
		[
			{ do: 'timer', name: 'renew', delayMs },
			notify({ event: 'retrying', failure, retryAt, renewal: true }),
		],
	];
}

function onLost(
	state: State,
	{ id, reason, clean }: { id: number; reason: string; clean: boolean },
	context: Context,
): Transition {
	const { current, next } = state;
	if (next && id === next.id)
		return revert({ ...state, ...patience(next, state, context) }, reason, clean, context);
	if (!current || id !== current.id) return [state, []];
	return next
		? renewed(state, next, context)
		: lostCurrent(state, current, { reason, clean }, context);
}

/** The next connection has taken over. */
function renewed(state: State, next: OpenConnection, context: Context): Transition {
	return [
		{
			...state,
			...patience(state.current, state, context),
			name: 'live',
			current: next,
			next: undefined,
			renewalFailures: 0,
			renewalRejected: false,
			refusals: 0,
			lingering: 0,
		},
		[
			{ do: 'cancel', name: 'compare' },
			notify({ event: 'renewed' }),
			{ do: 'timer', name: 'renew', delayMs: Math.max(0, next.renewAt - context.now) },
		],
	];
}

/** The next connection was lost or delivers nothing: keeps the current one and tries the renewal again. */
function revert(state: State, reason: string, clean: boolean, context: Context): Transition {
	const failure: AttemptFailure = { kind: clean ? 'refused' : 'failed', reason };
	const [after, effects] = renewalFailed({ ...state, next: undefined }, failure, context);
	return [
		after,
		[
			{ do: 'cancel', name: 'compare' },
			{ do: 'cancel', name: 'confirm' },
			notify({ event: 'reverted', reason }),
			...silenceTimer(context),
			...effects,
		],
	];
}

/** What came before a connection does not count any more, once that has proved that it works. */
function patience(
	open: OpenConnection | undefined,
	{ failures, immediateUsed }: State,
	{ now }: Context,
) {
	const isProven = open?.confirmed === true && now - open.openedAt >= REJECTED_MS;
	return isProven ? { failures: 0, immediateUsed: false } : { failures, immediateUsed };
}

/**
 * The only connection ended: reconnects at once if the provider ended it properly, otherwise after the back-off. It
 * reconnects at once only one time until a connection is confirmed.
 */
function lostCurrent(
	state: State,
	open: OpenConnection,
	{ reason, clean }: { reason: string; clean: boolean },
	context: Context,
): Transition {
	const rejected = clean && context.now - open.openedAt < REJECTED_MS;
	const without: State = { ...state, ...patience(open, state, context), current: undefined };
	const { failures, immediateUsed } = without;
	const effects: FeedAction[] = [
		{ do: 'cancel', name: 'renew' },
		{ do: 'cancel', name: 'confirm' },
		{ do: 'cancel', name: 'silence' },
		notify({ event: 'disconnected', reason }),
	];
	if (state.attemptId !== undefined) {
		// A login is already in progress: it becomes the reconnection, because there is never more than one attempt.
		return [{ ...without, name: state.loggedIn ? 'connecting' : 'authenticating' }, effects];
	}
	if (clean && !immediateUsed && context.notBefore <= context.now) {
		const [after, opening] = beginAttempt({ ...without, immediateUsed: true });
		return [after, [...effects, ...opening]];
	}
	const [delayMs, retryAt] = notBefore(backoffDelay(failures + 1, context.random), context);
	const failure: AttemptFailure = { kind: 'failed', reason, rejected };
	return [
		{ ...without, name: 'waiting', failures: failures + 1 },
		[
			...effects,
			{ do: 'timer', name: 'retry', delayMs },
			notify({ event: 'retrying', failure, retryAt, renewal: false }),
		],
	];
}

function onConfirmed(state: State, id: number): Transition {
	const { current, next } = state;
	const confirm = (open: OpenConnection) => ({ ...open, confirmed: true });
	if (next?.id === id) return [{ ...state, next: confirm(next) }, []];
	return [current?.id === id ? { ...state, current: confirm(current) } : state, []];
}

function onTimer(state: State, name: TimerName, context: Context): Transition {
	const newest = state.next ?? state.current;
	switch (name) {
		case 'retry':
			return isWaiting(state) ? beginAttempt(state) : [state, []];
		case 'confirm':
			return newest ? onConfirmed(state, newest.id) : [state, []];
		case 'compare':
			return [state, state.next ? [{ do: 'compare', force: false }] : []];
		case 'silence':
			return silent(state, context);
		case 'renew':
			return renew(state, context);
	}
}

function renew(state: State, context: Context): Transition {
	const { current, next, attemptId } = state;
	if (!current || attemptId !== undefined) return [state, []];
	// A token so short that its renewal is due during its own comparison, which must end now.
	if (next) return [state, [{ do: 'compare', force: true }]];
	if (!state.renewalRejected || context.now < lastResortAt(current)) return beginAttempt(state);
	const reason = 'the token expires and the provider accepts no second login';
	const [after, opening] = beginAttempt({
		...state,
		current: undefined,
		renewalFailures: 0,
		renewalRejected: false,
		closedAt: context.now,
	});
	return [
		after,
		[
			{ do: 'cancel', name: 'confirm' },
			{ do: 'cancel', name: 'silence' },
			// Nothing shows that everything has arrived, and the connection may have been dead.
			{ do: 'drop', id: current.id, reason },
			notify({ event: 'disconnected', reason }),
			...opening,
		],
	];
}

/** A provider can drop a subscription and keep the socket open: after a long silence, logs in again. */
function silent(state: State, context: Context): Transition {
	if (!state.current) return [state, []];
	const again = silenceTimer(context);
	// In a renewal, the next connection shows whether the current one still delivers.
	if (state.next || state.attemptId !== undefined) return [state, again];
	// A renewal that waits for its next attempt keeps its back-off.
	if (state.renewalFailures > 0) return [state, again];
	const [after, effects] = beginAttempt(state);
	return [after, [...again, ...effects]];
}

function onCompared(
	state: State,
	decision: 'wait' | 'switch' | 'revert',
	context: Context,
): Transition {
	const { current, next } = state;
	if (!current || !next) return [state, []];
	switch (decision) {
		case 'wait':
			return [state, [{ do: 'timer', name: 'compare', delayMs: COMPARE_RENEWAL_MS }]];
		case 'revert': {
			const reason = 'it delivered none of the events that the previous connection did';
			const [after, effects] = revert(state, reason, false, context);
			return [after, [{ do: 'drop', id: next.id }, ...effects]];
		}
		case 'switch': {
			const [after, effects] = renewed(state, next, context);
			return [after, [{ do: 'drop', id: current.id }, ...effects]];
		}
	}
}

function onClose(state: State): Transition {
	const timers = ['retry', 'renew', 'confirm', 'silence', 'compare'] as const;
	const ids = [state.attemptId, state.current?.id, state.next?.id];
	return [
		{ ...state, name: 'closed', attemptId: undefined, current: undefined, next: undefined },
		[
			...timers.map((name): FeedAction => ({ do: 'cancel', name })),
			...ids.flatMap((id): FeedAction[] => (id === undefined ? [] : [{ do: 'drop', id }])),
		],
	];
}

function notify(notification: Notification): FeedAction {
	return { do: 'notify', notification };
}
