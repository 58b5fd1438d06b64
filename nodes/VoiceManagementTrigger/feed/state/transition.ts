// Decides what a feed does next, with the files beside it. Pure: (state, input) → (state, effects). feed.ts runs the
// effects and dispatches their results as inputs. docs/feed.md has the transitions as a table.
import { BACKOFF_MAX_MS, backoffDelay, CONFIRM_MS, REJECTED_MS, refusedDelay } from './backoff';
import {
	isForSecondLine,
	lastResortAt,
	nextLogin,
	nextLoginAt,
	timerUntil,
	untilAllowed,
	withSecondLine,
} from './nextLogin';
import {
	compared,
	countRejection,
	lineLost,
	pair,
	secondRefused,
	UNSTEADY,
	withoutNewer,
	withoutOlder,
	type Ended,
} from './twoLines';
import type {
	Context,
	Effect,
	Failure,
	Input,
	OpenConnection,
	State,
	Step,
	TimerName,
} from './types';

/** Limit for `Retry-After`, so that a mistake there does not silence a feed for a day. */
const RETRY_AFTER_MAX_MS = 30 * 60_000;
/** How often the two connections of an overlap are compared. */
const OVERLAP_STEP_MS = 1_000;
/**
 * An operator that allows one session per account can refuse a new login until it notices that the previous connection
 * is gone. Within this time a refusal is not taken for a fault of the credentials, and is tried again sooner: …
 */
const LINGERING_MS = 2 * 60_000;
/** … after this if the network broke the connection, with the usual back-off if the feed ended it. */
const LINGERING_RETRY_MS = 30_000;

export const initialState: State = {
	name: 'idle',
	newestId: 0,
	paired: false,
	secondLineAt: 0,
	secondRejections: 0,
	loggedIn: false,
	failures: 0,
	attempts: 0,
	refusals: 0,
	renewalFailures: 0,
	renewalRejected: false,
	immediateUsed: false,
};

/** Computes the next state and its effects. Inputs about a connection that is no longer known change nothing. */
export function transition(state: State, input: Input, context: Context): Step {
	if (state.name === 'closed') return [state, []];
	switch (input.type) {
		case 'start':
			return state.newestId === 0 ? attempt(state) : [state, []];
		case 'retryNow':
			return isWaiting(state) ? attempt(state) : [state, []];
		case 'loggedIn':
			return loggedIn(state, input.id, input.behind);
		case 'opened':
			return opened(state, input, context);
		case 'failed':
			return failed(state, input.id, input.failure, context);
		case 'lost':
			return lost(state, input, context);
		case 'confirmed':
			return confirmed(state, input.id);
		case 'timer':
			return timer(state, input.name, context);
		case 'decided':
			return decided(state, input, context);
		case 'close':
			return close(state);
	}
}

/** The machine's clock was set back: shifts all stored times, so that they are as far away as before. */
export function setBack(state: State, ms: number): State {
	const { current, previous, lingering, notBefore } = state;
	const earlier = (one: OpenConnection): OpenConnection => ({
		...one,
		openedAt: one.openedAt - ms,
		renewAt: one.renewAt - ms,
		expiresAt: one.expiresAt - ms,
	});
	return {
		...state,
		current: current && earlier(current),
		previous: previous && earlier(previous),
		secondLineAt: state.secondLineAt - ms,
		notBefore: notBefore && notBefore - ms,
		lingering: lingering && { ...lingering, at: lingering.at - ms },
	};
}

function isWaiting(state: State): boolean {
	return state.name === 'waiting' || state.name === 'refused';
}

/** Starts an attempt. The caller makes sure that none is under way. */
function attempt(state: State): Step {
	const id = state.newestId + 1;
	return [
		{
			...state,
			name: state.current ? 'renewing' : 'authenticating',
			newestId: id,
			attemptId: id,
			loggedIn: false,
			// The response to this attempt sets it again if needed. The old value must not apply once more if the clock
			// goes back.
			notBefore: undefined,
		},
		[
			{ do: 'cancel', name: 'retry' },
			{ do: 'open', id },
		],
	];
}

function loggedIn(state: State, id: number, behind?: number): Step {
	if (id !== state.attemptId) return [state, []];
	const after: State = {
		...state,
		loggedIn: true,
		name: state.current ? 'renewing' : 'connecting',
	};
	if (!state.paired) return [after, []];
	return behind === state.current?.id ? withoutNewer(after) : withoutOlder(after);
}

function opened(
	state: State,
	{ id, renewAt, expiresAt }: { id: number; renewAt: number; expiresAt: number },
	context: Context,
): Step {
	if (id !== state.attemptId) return [state, []];
	const next: OpenConnection = { id, openedAt: context.now, renewAt, expiresAt, confirmed: false };
	const begins = state.current ? state : withSecondLine(state, context);
	const timers = timersOf(begins, next, context);
	if (state.current) {
		return [
			{ ...state, name: 'renewing', attemptId: undefined, current: next, previous: state.current },
			[
				{ do: 'overlap', previousId: state.current.id, nextId: id },
				{ do: 'timer', name: 'overlap', delayMs: OVERLAP_STEP_MS },
				...timers,
			],
		];
	}
	return [
		{
			...state,
			name: 'live',
			attemptId: undefined,
			current: next,
			secondLineAt: begins.secondLineAt,
			attempts: 0,
			refusals: 0,
			renewalFailures: 0,
			renewalRejected: false,
		},
		[
			{ do: 'reconnected' },
			{ do: 'notify', notification: { event: 'connected', attempts: state.attempts } },
			...timers,
		],
	];
}

function timersOf(state: State, open: OpenConnection, context: Context): Effect[] {
	const due = state.current ? open.renewAt : nextLoginAt(state, open, context);
	const timers: Effect[] = [
		timerUntil('renew', due, context),
		{ do: 'timer', name: 'confirm', delayMs: CONFIRM_MS },
	];
	if (context.silenceTimeoutMs > 0) {
		timers.push({ do: 'timer', name: 'silence', delayMs: context.silenceTimeoutMs });
	}
	return timers;
}

function failed(state: State, id: number, failure: Failure, context: Context): Step {
	if (id !== state.attemptId) return [state, []];
	const asked = Math.min(RETRY_AFTER_MAX_MS, failure.retryAfterMs ?? 0);
	const notBefore = asked > 0 ? context.now + asked : undefined;
	if (state.current) {
		const after: State = { ...state, attemptId: undefined, notBefore };
		const { renewAt } = state.current;
		const second = !state.paired && context.now < renewAt && isForSecondLine(state, context);
		return second && failure.kind === 'refused'
			? secondRefused(after, failure, context)
			: renewalFailed(after, failure, context);
	}
	const attempts = state.attempts + 1;
	if (failure.kind === 'refused') {
		const refusals = state.refusals + 1;
		const delayMs = Math.max(asked, afterRefusal(state.lingering, refusals, context));
		return [
			{ ...state, name: 'refused', attemptId: undefined, attempts, refusals, notBefore },
			[
				{ do: 'timer', name: 'retry', delayMs },
				{
					do: 'notify',
					notification: {
						event: 'refused',
						failure,
						first: refusals === 1,
						retryAt: context.now + delayMs,
					},
				},
			],
		];
	}
	const failures = state.failures + 1;
	const delayMs = Math.max(asked, backoffDelay(failures, context.random));
	return [
		{ ...state, name: 'waiting', attemptId: undefined, attempts, failures, notBefore },
		[
			{ do: 'timer', name: 'retry', delayMs },
			{
				do: 'notify',
				notification: {
					event: 'retrying',
					failure,
					retryAt: context.now + delayMs,
					renewal: false,
				},
			},
		],
	];
}

function afterRefusal(lingering: State['lingering'], refusals: number, context: Context): number {
	if (!lingering || context.now - lingering.at > LINGERING_MS)
		return refusedDelay(refusals, context.random);
	return lingering.byUs ? backoffDelay(refusals, context.random) : LINGERING_RETRY_MS;
}

/**
 * The open connection stays, and the renewal is tried again after the back-off. If the operator refused the login, the
 * wait ends no later than the moment at which closing the open connection first becomes the last resort.
 */
function renewalFailed(state: State, failure: Failure, context: Context): Step {
	const renewalFailures = state.renewalFailures + 1;
	const renewalRejected = failure.kind === 'refused';
	let delayMs = Math.max(
		untilAllowed(state, context),
		backoffDelay(renewalFailures, context.random),
	);
	const open = (state.previous ?? state.current) as OpenConnection;
	const untilLastResort = lastResortAt(open) - context.now;
	if (renewalRejected) {
		// If that moment has passed, the wait stays short, or the token would end during it.
		const latest = untilLastResort > 0 ? untilLastResort : backoffDelay(1, context.random);
		delayMs = Math.max(untilAllowed(state, context), Math.min(delayMs, latest));
	}
	return [
		{ ...state, name: 'renewing', renewalFailures, renewalRejected },
		[
			{ do: 'timer', name: 'renew', delayMs },
			{
				do: 'notify',
				notification: { event: 'retrying', failure, retryAt: context.now + delayMs, renewal: true },
			},
		],
	];
}

function lost(state: State, ended: Ended, context: Context): Step {
	const { id, reason, clean } = ended;
	const ofTwo = id === state.previous?.id || (state.previous && id === state.current?.id);
	if (ofTwo && (state.paired || isForSecondLine(state, context))) {
		return lineLost(state, ended, context);
	}
	if (state.previous && id === state.previous.id) {
		const next = state.current as OpenConnection;
		const [after, effects] = settled(state, next, [
			{ do: 'switched', previousId: id, nextId: next.id, ended: clean ? 'clean' : 'broken' },
		]);
		return [after, context.twoLines ? [...effects, nextLogin(after, next, context)] : effects];
	}
	if (!state.current || id !== state.current.id) return [state, []];
	if (state.previous) return revert(state, reason, clean, context);
	return lostCurrent(state, state.current, { reason, clean }, context);
}

/** The overlap is over, and the next connection has taken over. */
function settled(state: State, next: OpenConnection, effects: Effect[]): Step {
	return [
		{
			...state,
			name: state.attemptId === undefined ? 'live' : 'renewing',
			current: next,
			previous: undefined,
			renewalFailures: 0,
			renewalRejected: false,
			refusals: 0,
		},
		[{ do: 'cancel', name: 'overlap' }, ...effects],
	];
}

/**
 * The next connection of an overlap was lost or delivers nothing: keeps the previous one and tries the renewal again.
 */
function revert(state: State, reason: string, clean: boolean, context: Context): Step {
	const next = state.current as OpenConnection;
	const previous = state.previous as OpenConnection;
	const [after, effects] = renewalFailed(
		{ ...state, current: previous, previous: undefined },
		{ kind: clean ? 'refused' : 'failed', reason },
		context,
	);
	const silence: Effect[] =
		context.silenceTimeoutMs > 0
			? [{ do: 'timer', name: 'silence', delayMs: context.silenceTimeoutMs }]
			: [];
	return [
		after,
		[
			{ do: 'cancel', name: 'overlap' },
			{ do: 'cancel', name: 'confirm' },
			{ do: 'reverted', previousId: previous.id, nextId: next.id, reason, clean },
			...silence,
			...effects,
		],
	];
}

/**
 * The only connection ended: reconnects at once if the operator ended it properly, otherwise after the back-off. It
 * reconnects at once only one time until a connection is confirmed.
 */
function lostCurrent(
	state: State,
	open: OpenConnection,
	{ reason, clean }: { reason: string; clean: boolean },
	context: Context,
): Step {
	const rejected = clean && context.now - open.openedAt < REJECTED_MS;
	const good = open.confirmed && !rejected;
	const failures = good ? 0 : state.failures;
	const immediateUsed = good ? false : state.immediateUsed;
	const effects: Effect[] = [
		{ do: 'cancel', name: 'renew' },
		{ do: 'cancel', name: 'confirm' },
		{ do: 'cancel', name: 'silence' },
		{ do: 'interrupted', id: open.id, reason, clean, renewing: state.attemptId !== undefined },
		{ do: 'notify', notification: { event: 'disconnected', reason } },
	];
	const without: State = {
		...state,
		current: undefined,
		failures,
		immediateUsed,
		lingering: clean ? undefined : { at: context.now, byUs: false },
	};
	if (state.attemptId !== undefined) {
		// A login is already under way: it becomes the reconnection, because there is never more than one attempt.
		const second = isForSecondLine(state, context);
		const after: State = {
			...without,
			name: state.loggedIn ? 'connecting' : 'authenticating',
			// A second line's login did not wait for the back-off, so this loss counts as a failure and the next login
			// waits.
			failures: second && !good ? failures + 1 : failures,
		};
		if (!second || !state.loggedIn) return [after, effects];
		const [down, told] = countRejection(after, context, clean ? 1 : UNSTEADY);
		return [down, [...effects, ...told]];
	}
	const wait = untilAllowed(without, context);
	if (clean && !immediateUsed && wait === 0) {
		const [after, opening] = attempt({ ...without, immediateUsed: true });
		return [after, [...effects, ...opening]];
	}
	const delayMs = Math.max(wait, backoffDelay(failures + 1, context.random));
	return [
		{ ...without, name: 'waiting', failures: failures + 1 },
		[
			...effects,
			{ do: 'timer', name: 'retry', delayMs },
			{
				do: 'notify',
				notification: {
					event: 'retrying',
					failure: { kind: 'failed', reason, rejected },
					retryAt: context.now + delayMs,
					renewal: false,
				},
			},
		],
	];
}

function confirmed(state: State, id: number): Step {
	const { current, previous } = state;
	if (previous?.id === id) return [{ ...state, previous: { ...previous, confirmed: true } }, []];
	if (current?.id !== id || current.confirmed) return [state, []];
	return [
		{ ...state, current: { ...current, confirmed: true } },
		[{ do: 'cancel', name: 'confirm' }],
	];
}

function timer(state: State, name: TimerName, context: Context): Step {
	switch (name) {
		case 'retry':
			return isWaiting(state) ? attempt(state) : [state, []];
		case 'confirm':
			return state.current ? confirmed(state, state.current.id) : [state, []];
		case 'overlap':
			if (state.paired) return compared(state, context);
			return state.previous ? [state, [{ do: 'decide', force: false }]] : [state, []];
		case 'silence':
			return silent(state, context);
		case 'renew':
			return renew(state, context);
	}
}

function renew(state: State, context: Context): Step {
	if (!state.current || state.attemptId !== undefined) return [state, []];
	// A token so short that its renewal is due during its own overlap: the overlap must end now.
	if (state.previous && !state.paired) return [state, [{ do: 'decide', force: true }]];
	const due = state.previous ?? state.current;
	if (state.renewalRejected && context.now >= lastResortAt(due)) {
		if (state.paired) {
			const [alone, letGo] = withoutOlder(state);
			const [after, opening] = attempt(alone);
			return [after, [...letGo, ...opening]];
		}
		const { id } = state.current;
		const reason = 'the token expires and the operator accepts no second login';
		const [after, opening] = attempt({
			...state,
			current: undefined,
			renewalFailures: 0,
			renewalRejected: false,
			lingering: { at: context.now, byUs: true },
		});
		return [
			after,
			[
				{ do: 'cancel', name: 'confirm' },
				{ do: 'cancel', name: 'silence' },
				// Not clean: nothing shows that everything has arrived, and the connection may have been dead.
				{ do: 'interrupted', id, reason, clean: false, renewing: true },
				{ do: 'notify', notification: { event: 'disconnected', reason } },
				{ do: 'drop', id },
				...opening,
			],
		];
	}
	return attempt(state);
}

/** An operator can drop a subscription and keep the socket open: after a long silence, logs in again. */
function silent(state: State, context: Context): Step {
	if (!state.current) return [state, []];
	const again: Effect = { do: 'timer', name: 'silence', delayMs: context.silenceTimeoutMs };
	// In an overlap, the next connection shows whether the previous one still delivers.
	if (state.previous && !state.paired) return [state, [again]];
	// With two lines, neither has delivered anything.
	const silence: Effect[] = [state.previous, state.current].flatMap((open) =>
		open ? [{ do: 'stale', id: open.id }] : [],
	);
	// Silence does not speed up a login that is under way, waits for its next try, or is due for a lost line. One that
	// should have come long ago is not: the machine's clock was set forward, and timers did not follow.
	const lineDue =
		!state.previous &&
		isForSecondLine(state, context) &&
		context.now < state.secondLineAt + BACKOFF_MAX_MS;
	if (state.name === 'renewing' || lineDue || untilAllowed(state, context) > 0) {
		return [state, [...silence, again]];
	}
	const [after, opening] = attempt(state);
	return [after, [...silence, again, ...opening]];
}

function decided(
	state: State,
	{ decision, sound = false }: Omit<Extract<Input, { type: 'decided' }>, 'type'>,
	context: Context,
): Step {
	if (!state.previous || !state.current || state.paired) return [state, []];
	const { previous, current } = state;
	const second = isForSecondLine(state, context);
	if (decision === 'wait') {
		return [state, [{ do: 'timer', name: 'overlap', delayMs: OVERLAP_STEP_MS }]];
	}
	if (second && decision === 'switch' && sound) return pair(state, previous, current, context);
	if (decision === 'revert') {
		const reason = 'the new connection delivered none of the events that the previous one did';
		const [after, effects] = second
			? lineLost(state, { id: current.id, reason, clean: false, stale: true }, context)
			: revert(state, reason, false, context);
		return [after, second ? effects : [...effects, { do: 'drop', id: current.id }]];
	}
	const [replaced, effects] = settled(state, current, [
		{ do: 'switched', previousId: previous.id, nextId: current.id, ended: 'replaced' },
		{ do: 'drop', id: previous.id },
	]);
	// The older line had stopped. If that happens again and again, the operator allows only one session.
	const stopped = second && context.now < Math.min(previous.renewAt, current.renewAt);
	const [after, told] = stopped ? countRejection(replaced, context) : [replaced, []];
	// A renewal that became due in the last moments of the overlap is scheduled now.
	const due = context.twoLines || context.now >= current.renewAt;
	return [after, [...effects, ...told, ...(due ? [nextLogin(after, current, context)] : [])]];
}

function close(state: State): Step {
	const effects: Effect[] = [];
	for (const name of ['retry', 'renew', 'confirm', 'silence', 'overlap'] as const) {
		effects.push({ do: 'cancel', name });
	}
	for (const id of [state.attemptId, state.previous?.id, state.current?.id]) {
		if (id !== undefined) effects.push({ do: 'drop', id });
	}
	return [
		{ ...state, name: 'closed', attemptId: undefined, current: undefined, previous: undefined },
		effects,
	];
}
