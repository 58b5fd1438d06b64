// The one place that decides what a feed does next. Pure: (machine, what happened) → (machine, what to do).
// feed.ts carries out the effects and reports back; docs/feed.md has this file's table in words.
import { backoffDelay, refusedDelay } from './backoff';
import type { FeedState } from './types';

/** Everything a decision depends on. Connections are known by number; each is one login and one socket. */
export interface Machine {
	readonly name: FeedState;
	/** Number given to the newest connection. */
	readonly newest: number;
	/** The attempt under way; never more than one. */
	readonly attempt?: number;
	/** The attempt under way has its session and is opening its socket. */
	readonly loggedIn: boolean;
	/** The open connection that counts. */
	readonly current?: Open;
	/** During a renewal's overlap: the connection that `current` takes over from. */
	readonly old?: Open;
	/** Attempts in a row that failed or did not prove themselves: the back-off counts these. */
	readonly failures: number;
	/** Attempts in a row without a connection: what a `connected` status tells. */
	readonly attempts: number;
	/** Refusals of the credentials since the last connection. */
	readonly refusals: number;
	/** Renewals in a row that failed. */
	readonly renewalFailures: number;
	/** The service itself turned the last renewal down: only then breaking before making can help. */
	readonly renewalTurnedDown: boolean;
	/** When the service wants the next login at the earliest (`Retry-After`). */
	readonly notBefore?: number;
	/** The one immediate attempt after a clean disconnect was used. */
	readonly immediateUsed: boolean;
	/** When the last connection ended without the service having ended it, and whether the feed did so itself. */
	readonly left?: { readonly at: number; readonly byUs: boolean };
}

export interface Open {
	readonly id: number;
	readonly openedAt: number;
	readonly renewAt: number;
	readonly expiresAt: number;
	/** It delivered an event, or stayed open for PROOF_MS. */
	readonly proved: boolean;
}

/** Why an attempt ended. `refused`: the service turned the credentials down. */
export interface Failure {
	readonly kind: 'refused' | 'failed';
	readonly reason: string;
	readonly statusCode?: number;
	/** `Retry-After` of the answer. */
	readonly retryAfterMs?: number;
	/** Only a person can mend it. It is tried again all the same, and told at once to whoever activates. */
	readonly permanent?: boolean;
}

export type Happening =
	| { type: 'start' }
	/** A new subscriber: a person acts, which is a reason to try now. */
	| { type: 'nudge' }
	| { type: 'loggedIn'; id: number }
	/** `init` was sent. */
	| { type: 'opened'; id: number; renewAt: number; expiresAt: number }
	| { type: 'failed'; id: number; failure: Failure }
	/** An open connection ended. `clean`: the service said so. */
	| { type: 'lost'; id: number; reason: string; clean: boolean }
	| { type: 'proved'; id: number }
	| { type: 'timer'; name: TimerName }
	/** What watching both connections of an overlap came to (overlap.ts). */
	| { type: 'judged'; verdict: 'wait' | 'switch' | 'revert' }
	| { type: 'close' };

export type TimerName = 'retry' | 'renew' | 'proof' | 'silence' | 'overlap';

export type Effect =
	/** Log in and connect, under this number. */
	| { do: 'open'; id: number }
	/** Let go of this connection, whatever it is doing. */
	| { do: 'drop'; id: number }
	| { do: 'timer'; name: TimerName; delayMs: number }
	| { do: 'cancel'; name: TimerName }
	| { do: 'connected'; attempts: number }
	/** `renewing`: its successor is under way already. */
	| { do: 'disconnected'; id: number; reason: string; clean: boolean; renewing: boolean }
	| { do: 'refused'; failure: Failure; first: boolean; retryAt: number }
	| { do: 'retrying'; failure: Failure; retryAt: number; renewal: boolean }
	/** Watch both connections; `judge` asks what came of it. */
	| { do: 'overlap'; old: number; fresh: number }
	/** Compare them; `force`: the overlap must end. Reported as `judged`. */
	| { do: 'judge'; force: boolean }
	/** The overlap is over. `ended`: which of the two is gone, and whether cleanly. */
	| { do: 'switched'; old: number; fresh: number; ended: 'replaced' | 'clean' | 'broken' }
	| { do: 'reverted'; old: number; fresh: number; reason: string }
	| { do: 'silent'; id: number };

/** Silence, the chance and the time, which a decision may need. */
export interface Circumstances {
	now: number;
	/** 0 to 1. */
	random: number;
	/** 0 = off. */
	silenceTimeoutMs: number;
}

/** A connection proves itself by an event, or by staying open this long. */
export const PROOF_MS = 30_000;
/** A service that ends a connection sooner than this throws it out: that proves nothing, whatever came before. */
export const THROWN_OUT_MS = 10_000;
/** The longest wait that a `Retry-After` can ask for: a mistake there must not silence a feed for a day. */
export const RETRY_AFTER_MAX_MS = 30 * 60_000;
/** How often the two connections of an overlap are compared. */
export const OVERLAP_STEP_MS = 1_000;
/**
 * A service that lets one session in may refuse the login that follows a connection which it has not seen end. So
 * long after such an end a refusal is not taken for the credentials' fault, and tried again sooner …
 */
export const STILL_COUNTED_MS = 2 * 60_000;
/** … where the network broke it, after this. Where the feed did, with the usual back-off. */
export const STILL_COUNTED_RETRY_MS = 30_000;

export const initial: Machine = {
	name: 'connecting',
	newest: 0,
	loggedIn: false,
	failures: 0,
	attempts: 0,
	refusals: 0,
	renewalFailures: 0,
	renewalTurnedDown: false,
	immediateUsed: false,
};

type Step = readonly [Machine, Effect[]];

/** Decides. Anything that concerns a connection let go of long ago changes nothing. */
export function next(machine: Machine, happening: Happening, at: Circumstances): Step {
	if (machine.name === 'closed') return [machine, []];
	switch (happening.type) {
		case 'start':
			return machine.newest === 0 ? attempt(machine) : [machine, []];
		case 'nudge':
			return isWaiting(machine) ? attempt(machine) : [machine, []];
		case 'loggedIn':
			return loggedIn(machine, happening.id);
		case 'opened':
			return opened(machine, happening, at);
		case 'failed':
			return failed(machine, happening.id, happening.failure, at);
		case 'lost':
			return lost(machine, happening, at);
		case 'proved':
			return proved(machine, happening.id);
		case 'timer':
			return timer(machine, happening.name, at);
		case 'judged':
			return judged(machine, happening.verdict, at);
		case 'close':
			return close(machine);
	}
}

function isWaiting(machine: Machine): boolean {
	return machine.name === 'waiting' || machine.name === 'refused';
}

/** A new attempt. Whoever calls this has made sure that none is under way. */
function attempt(machine: Machine): Step {
	const id = machine.newest + 1;
	return [
		{
			...machine,
			name: machine.current ? 'renewing' : 'authenticating',
			newest: id,
			attempt: id,
			loggedIn: false,
		},
		[
			{ do: 'cancel', name: 'retry' },
			{ do: 'open', id },
		],
	];
}

function loggedIn(machine: Machine, id: number): Step {
	if (id !== machine.attempt) return [machine, []];
	return [{ ...machine, loggedIn: true, name: machine.current ? 'renewing' : 'connecting' }, []];
}

function opened(
	machine: Machine,
	{ id, renewAt, expiresAt }: { id: number; renewAt: number; expiresAt: number },
	at: Circumstances,
): Step {
	if (id !== machine.attempt) return [machine, []];
	const fresh: Open = { id, openedAt: at.now, renewAt, expiresAt, proved: false };
	const timers = timersOf(fresh, at);
	if (machine.current) {
		return [
			{ ...machine, name: 'renewing', attempt: undefined, current: fresh, old: machine.current },
			[
				{ do: 'overlap', old: machine.current.id, fresh: id },
				{ do: 'timer', name: 'overlap', delayMs: OVERLAP_STEP_MS },
				...timers,
			],
		];
	}
	return [
		{
			...machine,
			name: 'live',
			attempt: undefined,
			current: fresh,
			attempts: 0,
			refusals: 0,
			renewalFailures: 0,
			renewalTurnedDown: false,
		},
		[{ do: 'connected', attempts: machine.attempts }, ...timers],
	];
}

function timersOf(open: Open, at: Circumstances): Effect[] {
	const timers: Effect[] = [
		{ do: 'timer', name: 'renew', delayMs: Math.max(0, open.renewAt - at.now) },
		{ do: 'timer', name: 'proof', delayMs: PROOF_MS },
	];
	if (at.silenceTimeoutMs > 0) {
		timers.push({ do: 'timer', name: 'silence', delayMs: at.silenceTimeoutMs });
	}
	return timers;
}

function failed(machine: Machine, id: number, failure: Failure, at: Circumstances): Step {
	if (id !== machine.attempt) return [machine, []];
	const asked = Math.min(RETRY_AFTER_MAX_MS, failure.retryAfterMs ?? 0);
	const notBefore = asked > 0 ? at.now + asked : undefined;
	if (machine.current) {
		return renewalFailed({ ...machine, attempt: undefined, notBefore }, failure, at);
	}
	const attempts = machine.attempts + 1;
	if (failure.kind === 'refused') {
		const refusals = machine.refusals + 1;
		const delayMs = Math.max(asked, afterRefusal(machine.left, refusals, at));
		return [
			{ ...machine, name: 'refused', attempt: undefined, attempts, refusals, notBefore },
			[
				{ do: 'timer', name: 'retry', delayMs },
				{ do: 'refused', failure, first: refusals === 1, retryAt: at.now + delayMs },
			],
		];
	}
	const failures = machine.failures + 1;
	const delayMs = Math.max(asked, backoffDelay(failures, at.random));
	return [
		{ ...machine, name: 'waiting', attempt: undefined, attempts, failures, notBefore },
		[
			{ do: 'timer', name: 'retry', delayMs },
			{ do: 'retrying', failure, retryAt: at.now + delayMs, renewal: false },
		],
	];
}

function afterRefusal(left: Machine['left'], refusals: number, at: Circumstances): number {
	if (!left || at.now - left.at > STILL_COUNTED_MS) return refusedDelay(refusals, at.random);
	return left.byUs ? backoffDelay(refusals, at.random) : STILL_COUNTED_RETRY_MS;
}

/** The old connection goes on; the renewal is tried again, at the latest when breaking it is the last resort. */
function renewalFailed(machine: Machine, failure: Failure, at: Circumstances): Step {
	const renewalFailures = machine.renewalFailures + 1;
	const renewalTurnedDown = failure.kind === 'refused';
	let delayMs = Math.max(untilAllowed(machine, at), backoffDelay(renewalFailures, at.random));
	const untilLastResort = lastResortAt(machine.current as Open) - at.now;
	if (renewalTurnedDown && untilLastResort > 0) {
		delayMs = Math.max(untilAllowed(machine, at), Math.min(delayMs, untilLastResort));
	}
	return [
		{ ...machine, name: 'renewing', renewalFailures, renewalTurnedDown },
		[
			{ do: 'timer', name: 'renew', delayMs },
			{ do: 'retrying', failure, retryAt: at.now + delayMs, renewal: true },
		],
	];
}

/** What is left of the service's `Retry-After`. */
function untilAllowed({ notBefore = 0 }: Machine, at: Circumstances): number {
	return Math.max(0, notBefore - at.now);
}

/** The last fifth of the time between the first try of a renewal and the end of the token. */
function lastResortAt(open: Open): number {
	return open.expiresAt - Math.max(0, open.expiresAt - open.renewAt) / 5;
}

function lost(
	machine: Machine,
	{ id, reason, clean }: { id: number; reason: string; clean: boolean },
	at: Circumstances,
): Step {
	if (machine.old && id === machine.old.id) {
		const fresh = machine.current as Open;
		return settled(machine, fresh, [
			{ do: 'switched', old: id, fresh: fresh.id, ended: clean ? 'clean' : 'broken' },
		]);
	}
	if (!machine.current || id !== machine.current.id) return [machine, []];
	if (machine.old) return revert(machine, reason, clean, at);
	return broken(machine, machine.current, { reason, clean }, at);
}

/** The overlap ended with the fresh connection in place. */
function settled(machine: Machine, fresh: Open, effects: Effect[]): Step {
	return [
		{
			...machine,
			name: machine.attempt === undefined ? 'live' : 'renewing',
			current: fresh,
			old: undefined,
			renewalFailures: 0,
			renewalTurnedDown: false,
			refusals: 0,
		},
		[{ do: 'cancel', name: 'overlap' }, ...effects],
	];
}

/** The fresh connection of an overlap is no good: the old one goes on, the renewal is tried again. */
function revert(machine: Machine, reason: string, clean: boolean, at: Circumstances): Step {
	const fresh = machine.current as Open;
	const old = machine.old as Open;
	const [after, effects] = renewalFailed(
		{ ...machine, current: old, old: undefined },
		{ kind: clean ? 'refused' : 'failed', reason },
		at,
	);
	const silence: Effect[] =
		at.silenceTimeoutMs > 0 ? [{ do: 'timer', name: 'silence', delayMs: at.silenceTimeoutMs }] : [];
	return [
		after,
		[
			{ do: 'cancel', name: 'overlap' },
			{ do: 'cancel', name: 'proof' },
			{ do: 'reverted', old: old.id, fresh: fresh.id, reason },
			...silence,
			...effects,
		],
	];
}

/** The only connection ended: come back, at once where the service ended a good connection properly. */
function broken(
	machine: Machine,
	open: Open,
	{ reason, clean }: { reason: string; clean: boolean },
	at: Circumstances,
): Step {
	const thrownOut = clean && at.now - open.openedAt < THROWN_OUT_MS;
	const good = open.proved && !thrownOut;
	const failures = good ? 0 : machine.failures;
	const immediateUsed = good ? false : machine.immediateUsed;
	const effects: Effect[] = [
		{ do: 'cancel', name: 'renew' },
		{ do: 'cancel', name: 'proof' },
		{ do: 'cancel', name: 'silence' },
		{ do: 'disconnected', id: open.id, reason, clean, renewing: machine.attempt !== undefined },
	];
	const without: Machine = {
		...machine,
		current: undefined,
		failures,
		immediateUsed,
		left: clean ? undefined : { at: at.now, byUs: false },
	};
	if (machine.attempt !== undefined) {
		// A renewal is under way: it becomes the reconnection. There is never a second attempt beside it.
		return [{ ...without, name: machine.loggedIn ? 'connecting' : 'authenticating' }, effects];
	}
	const wait = untilAllowed(without, at);
	if (clean && !immediateUsed && wait === 0) {
		const [after, opening] = attempt({ ...without, immediateUsed: true });
		return [after, [...effects, ...opening]];
	}
	const delayMs = Math.max(wait, backoffDelay(failures + 1, at.random));
	return [
		{ ...without, name: 'waiting', failures: failures + 1 },
		[
			...effects,
			{ do: 'timer', name: 'retry', delayMs },
			{
				do: 'retrying',
				failure: { kind: 'failed', reason },
				retryAt: at.now + delayMs,
				renewal: false,
			},
		],
	];
}

function proved(machine: Machine, id: number): Step {
	if (machine.current?.id !== id || machine.current.proved) return [machine, []];
	return [
		{ ...machine, current: { ...machine.current, proved: true } },
		[{ do: 'cancel', name: 'proof' }],
	];
}

function timer(machine: Machine, name: TimerName, at: Circumstances): Step {
	switch (name) {
		case 'retry':
			return isWaiting(machine) ? attempt(machine) : [machine, []];
		case 'proof':
			return machine.current ? proved(machine, machine.current.id) : [machine, []];
		case 'overlap':
			return machine.old ? [machine, [{ do: 'judge', force: false }]] : [machine, []];
		case 'silence':
			return silent(machine, at);
		case 'renew':
			return renew(machine, at);
	}
}

function renew(machine: Machine, at: Circumstances): Step {
	if (!machine.current || machine.attempt !== undefined) return [machine, []];
	// A token so short that its renewal is due in its own overlap: that overlap ends now.
	if (machine.old) return [machine, [{ do: 'judge', force: true }]];
	if (machine.renewalTurnedDown && at.now >= lastResortAt(machine.current)) {
		const { id } = machine.current;
		const [after, opening] = attempt({
			...machine,
			current: undefined,
			renewalFailures: 0,
			renewalTurnedDown: false,
			left: { at: at.now, byUs: true },
		});
		return [
			after,
			[
				{ do: 'cancel', name: 'proof' },
				{ do: 'cancel', name: 'silence' },
				{
					do: 'disconnected',
					id,
					reason: 'the token ends and the service lets no second login in',
					clean: true,
					renewing: true,
				},
				{ do: 'drop', id },
				...opening,
			],
		];
	}
	return attempt(machine);
}

/** A service can drop a subscription and keep the socket: after a long silence, log in anew. */
function silent(machine: Machine, at: Circumstances): Step {
	if (!machine.current) return [machine, []];
	const again: Effect = { do: 'timer', name: 'silence', delayMs: at.silenceTimeoutMs };
	// While a renewal is under way or waits for its next try, the new login is on its way already.
	if (machine.attempt !== undefined || machine.old) return [machine, [again]];
	const [after, opening] = attempt(machine);
	return [after, [{ do: 'silent', id: machine.current.id }, again, ...opening]];
}

function judged(machine: Machine, verdict: 'wait' | 'switch' | 'revert', at: Circumstances): Step {
	if (!machine.old || !machine.current) return [machine, []];
	const { old, current } = machine;
	if (verdict === 'wait') {
		return [machine, [{ do: 'timer', name: 'overlap', delayMs: OVERLAP_STEP_MS }]];
	}
	if (verdict === 'revert') {
		const [after, effects] = revert(
			machine,
			'the new connection delivered none of the events that the old one did',
			false,
			at,
		);
		return [after, [...effects, { do: 'drop', id: current.id }]];
	}
	const [after, effects] = settled(machine, current, [
		{ do: 'switched', old: old.id, fresh: current.id, ended: 'replaced' },
		{ do: 'drop', id: old.id },
	]);
	// A renewal that became due in the overlap's last moments must not wait for the next one.
	const due: Effect[] =
		at.now >= current.renewAt ? [{ do: 'timer', name: 'renew', delayMs: 0 }] : [];
	return [after, [...effects, ...due]];
}

function close(machine: Machine): Step {
	const effects: Effect[] = [];
	for (const name of ['retry', 'renew', 'proof', 'silence', 'overlap'] as const) {
		effects.push({ do: 'cancel', name });
	}
	for (const id of [machine.attempt, machine.old?.id, machine.current?.id]) {
		if (id !== undefined) effects.push({ do: 'drop', id });
	}
	return [
		{ ...machine, name: 'closed', attempt: undefined, current: undefined, old: undefined },
		effects,
	];
}
