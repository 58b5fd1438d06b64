// Decisions for two lines, i.e. two permanent connections: what follows when one is lost, or when the operator allows
// only one session. Pure; used by transition.ts.
import { backoffDelay, CONFIRM_MS, REJECTED_MS } from './backoff';
import { afterWait, timerUntil } from './nextLogin';
import type { Context, Effect, Failure, Input, OpenConnection, State, Step } from './types';

export type Ended = Omit<Extract<Input, { type: 'lost' }>, 'type'>;

/** How often two lines are compared. */
const COMPARE_MS = 10_000;
/** If the operator ends one of two lines this soon after the second one opened, it may allow only one session. */
const SECOND_REJECTED_MS = 5_000;
/** After this many such losses in a row, the feed uses one line. */
const SECOND_REJECTED_TIMES = 2;
/** How much a weaker sign of this counts, such as another loss before both lines have lasted for CONFIRM_MS. */
export const UNSTEADY = 1 / 4;
/** How long the feed then uses one line before it tries a second one again. */
const SECOND_LINE_AGAIN_MS = 30 * 60_000;
/**
 * If a line breaks this soon after the newer one sent `init`, the operator may have cut it because of that; a later
 * break is the network's.
 */
const BROKEN_AT_ONCE_MS = 1_500;
const ONE_SESSION =
	'the operator allows one session at a time: a second connection is tried again in 30 minutes';
const SECOND_REFUSED =
	'the operator refused a second login, perhaps because it allows one session at a time: a second connection is tried again in 30 minutes. Its reason: ';

/** Both connections work, so they become two lines. */
export function pair(
	state: State,
	previous: OpenConnection,
	current: OpenConnection,
	context: Context,
): Step {
	return [
		{
			...state,
			name: 'live',
			paired: true,
			renewalRejected: false,
			refusals: 0,
		},
		[
			{ do: 'paired' },
			{ do: 'timer', name: 'overlap', delayMs: COMPARE_MS },
			timerUntil('renew', Math.min(previous.renewAt, current.renewAt), context),
		],
	];
}

export function compared(state: State, context: Context): Step {
	const lasting = context.now - (state.current?.openedAt ?? context.now) >= CONFIRM_MS;
	return [
		lasting ? { ...state, secondRejections: 0, renewalFailures: 0 } : state,
		[{ do: 'compare' }, { do: 'timer', name: 'overlap', delayMs: COMPARE_MS }],
	];
}

/** Closes the older line, to make room for the connection that replaces it. */
export function withoutOlder(state: State): Step {
	const { previous, current } = state as State & Record<'previous' | 'current', OpenConnection>;
	return [
		{ ...state, paired: false, previous: undefined },
		[
			{ do: 'cancel', name: 'overlap' },
			{ do: 'switched', previousId: previous.id, nextId: current.id, ended: 'replaced' },
			{ do: 'drop', id: previous.id },
		],
	];
}

/** Closes the newer line instead, because it delivered none of the older one's last events: keeps what works. */
export function withoutNewer(state: State): Step {
	const { previous, current } = state as State & Record<'previous' | 'current', OpenConnection>;
	return [
		{ ...state, paired: false, previous: undefined, current: previous },
		[
			{ do: 'cancel', name: 'overlap' },
			{ do: 'lineLost', id: current.id, clean: false },
			{ do: 'drop', id: current.id },
		],
	];
}

/** One of two connections ended: continues with the other one, and opens a second one in the background. */
export function lineLost(
	state: State,
	{ id, reason, clean, stale }: Ended,
	context: Context,
): Step {
	const { previous, current } = state as State & Record<'previous' | 'current', OpenConnection>;
	const [gone, rest] = id === previous.id ? [previous, current] : [current, previous];
	const side = gone === previous ? 'older' : 'newer';
	const rejected = clean && context.now - gone.openedAt < REJECTED_MS;
	const age = context.now - current.openedAt;
	const unsteady =
		stale || (age < (clean ? CONFIRM_MS : BROKEN_AT_ONCE_MS) && context.now < gone.renewAt);
	// An operator that allows one session ends the same side each time; a network cuts now one side, now the other.
	const byChance = !clean && !stale && side !== (state.lostSide ?? side);
	const good = !rejected && (!unsteady || byChance);
	const alone: State = {
		...state,
		name: state.attemptId === undefined ? 'live' : 'renewing',
		current: rest,
		previous: undefined,
		paired: false,
		renewalFailures: good ? 1 : state.renewalFailures + 1,
		secondLineAt: context.now,
		secondRejections: byChance || !unsteady ? 0 : state.secondRejections,
		lostSide: side,
	};
	const ended: Effect[] = [
		{ do: 'cancel', name: 'overlap' },
		{ do: 'lineLost', id, clean },
		...(stale ? [{ do: 'drop', id } as const] : []),
		...(gone === current && !rest.confirmed
			? [{ do: 'timer', name: 'confirm', delayMs: CONFIRM_MS } as const]
			: []),
	];
	const lost: Effect = { do: 'notify', notification: { event: 'line_lost', reason } };
	if (!unsteady) return [alone, [...ended, lost, afterWait(alone, context)]];
	const sure = stale || (clean && age < SECOND_REJECTED_MS);
	const [after, effects] = inOneLine(alone, context, sure ? 1 : UNSTEADY);
	// At the limit, countRejection reports the loss itself: the workflow must not get it twice.
	const told = after.secondRejections < SECOND_REJECTED_TIMES;
	return [after, [...ended, ...(told ? [lost] : []), ...effects]];
}

/** Like {@link countRejection}; also schedules the next login while one connection is left. */
function inOneLine(state: State, context: Context, more: number, reason?: string): Step {
	const [after, effects] = countRejection(state, context, more, reason);
	return [after, [...effects, afterWait(after, context)]];
}

/** The operator refused the login of a second line. No other login follows for a moment. */
export function secondRefused(state: State, { reason }: Failure, context: Context): Step {
	const soonest = context.now + backoffDelay(1, context.random);
	const alone: State = {
		...state,
		name: 'live',
		secondRejections: Math.max(state.secondRejections, SECOND_REJECTED_TIMES - 1),
		notBefore: Math.max(state.notBefore ?? 0, soonest),
	};
	return inOneLine(alone, context, 1, `${SECOND_REFUSED}${reason}`);
}

/**
 * Counts a sign that the operator does not allow two lines. After SECOND_REJECTED_TIMES in a row, the feed uses one
 * line for half an hour, and reports that once.
 */
export function countRejection(
	state: State,
	context: Context,
	more = 1,
	reason = ONE_SESSION,
): Step {
	const times = state.secondRejections + more;
	if (times < SECOND_REJECTED_TIMES) return [{ ...state, secondRejections: times }, []];
	const told: Effect = { do: 'notify', notification: { event: 'line_lost', reason } };
	return [
		{ ...state, secondRejections: times, secondLineAt: context.now + SECOND_LINE_AGAIN_MS },
		state.secondRejections < SECOND_REJECTED_TIMES ? [told] : [],
	];
}
