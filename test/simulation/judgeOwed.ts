// Whether a workflow has to be told of an event that never came.
import type { Connection } from './network';
import type { Instance } from './n8n';
import { MINUTE } from './plan';
import type { World } from './simulation';
import type { Sent } from './traffic';
import { endOf, stoodStill } from './judge';
import { deliversUntil, FIRST_EVENT_MS, LONGEST_DELIVERY_MS, TOKEN_END_MS } from './judgeGaps';

/** From the opening of a connection to its first event, and as long for what only one of two brings. */
const SERVED_MS = 3_000;

/** When the feed of an instance began: triggers share it, and it ends with the last of them. */
export function beginOfFeed({ process, startedAt }: Instance): number {
	// One that struggled to start may have kept no feed open meanwhile.
	const others = process.instances.filter((one) => one.failure === undefined && !one.struggled);
	for (let began = startedAt; ;) {
		const earliest = Math.min(
			...others
				.filter((one) => one.startedAt <= began && endOf(one) > began)
				.map((one) => one.startedAt),
			began,
		);
		if (earliest === began) return began;
		began = earliest;
	}
}

/**
 * The start by n8n itself that tells what came before it: one that knows where the workflow stands, and gets an event to
 * tell it with. A person who activates the workflow in between hears nothing of it.
 */
function restartThatTells(instances: Instance[], after: number): Instance | undefined {
	for (const one of instances) {
		if (one.startedAt <= after || one.failure !== undefined) continue;
		if (one.activation !== 'init' || !one.hadPosition) return undefined;
		if (hearsEvent(one)) return one;
	}
	return undefined;
}

/**
 * The trigger that tells what was lost with a process. If n8n started one that knows where the workflow stands, and no
 * event came before it was closed, that is the next one in the same n8n, whoever started it.
 */
export function tellsWhatWasLost(instances: Instance[], endedAt: number): boolean {
	let knows: Instance['process'] | undefined;
	for (const one of instances) {
		if (one.startedAt < endedAt || one.failure !== undefined) continue;
		if (one.activation === 'init') knows = one.hadPosition ? one.process : undefined;
		if (one.process !== knows) return false;
		if (hearsEvent(one)) return true;
		// It may never have read where the workflow stands.
		if (one.struggled) knows = undefined;
	}
	return false;
}

/** Whether an event reached the process while an instance surely listened. */
function hearsEvent(stint: Instance): boolean {
	const from = stint.upAt ?? Infinity;
	const until = endOf(stint) - FIRST_EVENT_MS;
	return stint.process.connections.some(({ arrivals }) =>
		arrivals.some(({ at }) => at > from && at < until),
	);
}

/** Whether the feed was there again, and had time to say what was missing, before an instance ended. */
function isBackBefore(stint: Instance, at: number): boolean {
	const end = endOf(stint) - 2 * FIRST_EVENT_MS - LONGEST_DELIVERY_MS;
	return stint.process.connections.some(
		({ subscribedAt = Infinity, endedAt = Infinity }) =>
			subscribedAt > at && subscribedAt < end && endedAt > subscribedAt + 2 * FIRST_EVENT_MS,
	);
}

/** What a network holds back looks like a sign of life when it comes: the gap after it begins too late. */
export function isHeldBack({ plan, begin, wall }: World, { at }: Sent): boolean {
	// After a jump of the clock the moments of a gap mean little.
	if (wall.jumped) return true;
	return plan.faults.some(
		(fault) =>
			fault.kind === 'partition' &&
			begin + fault.at <= at + LONGEST_DELIVERY_MS &&
			at <= begin + fault.at + fault.forMs + LONGEST_DELIVERY_MS,
	);
}

/** Whether a workflow that wants to know has to be told of an event that never came. */
export function isOwed(sent: Sent, instances: Instance[], silenceMs: number): boolean {
	const stint = instances.findLast(
		(one) => one.failure === undefined && one.startedAt <= sent.at && sent.at < endOf(one),
	);
	const restarted = restartThatTells(instances, sent.at);
	if (!stint) return restarted !== undefined;
	// Killed, or stopped while it was starting.
	if (stint.process.dead && stint.closingAt === undefined && !restarted) return false;
	// Its feed began with this connection, and of what came before nobody said anything.
	const began = beginOfFeed(stint);
	const first = stint.process.connections.find(
		({ subscribedAt, startedAt }) => subscribedAt !== undefined && startedAt >= began,
	);
	const from = Math.max(first?.subscribedAt ?? Infinity, stint.upAt ?? Infinity);
	const known = stint.activation === 'init' && stint.hadPosition;
	if (sent.at <= from + LONGEST_DELIVERY_MS && !known) return false;
	// A person who deactivates it while it is interrupted hears no more of that.
	const asked = stint.closingAt !== undefined && !restarted;
	if (asked && !isBackBefore(stint, sent.at)) return false;
	// What tells it is the first event, and none may have come.
	if (known && sent.at <= from) return restarted !== undefined || hearsEvent(stint);
	if (stint.struggled || sent.at <= from + LONGEST_DELIVERY_MS) return false;
	// What comes to a process that stands still waits, and looks like a sign of life when it runs again.
	if (stoodStill(stint.process, sent.at, sent.at)) return false;
	if (fellBetween(sent, stint.process.connections)) return false;
	// A connection that forgot its subscription looks like a quiet one, until its silence is long, or its token is over, or
	// its successor brings what it does not.
	const { connections } = stint.process;
	return !connections.some(
		(one) =>
			(one.deafAt ?? Infinity) <= sent.at &&
			sent.at < (one.endedAt ?? Infinity) &&
			(one.endedAt ?? Infinity) - (one.deafAt as number) < silenceMs + 2 * MINUTE &&
			sent.at < one.tokenEndsAt + TOKEN_END_MS &&
			!isShownStale(one, connections),
	);
}

/**
 * A renewed connection was open, and so in place, but not served yet when the operator had done with its predecessor: what
 * it gave to neither is known by its number alone. The goodbye of the predecessor is as long on its way as any event.
 */
export function fellBetween({ at }: Sent, connections: readonly Connection[]): boolean {
	return connections.some(
		(next) =>
			(next.openedAt ?? Infinity) <= at + LONGEST_DELIVERY_MS &&
			at <= (next.subscribedAt ?? Infinity) &&
			connections.some(
				(one) =>
					one !== next &&
					one.subscribedAt !== undefined &&
					(one.openedAt as number) < (next.openedAt as number) &&
					(one.endedAt ?? Infinity) > (next.openedAt as number) &&
					deliversUntil(one) <= at,
			),
	);
}

/**
 * Whether a connection that had forgotten its subscription had one beside it that brought something alone, which the old one
 * should have brought too, until that one ended or replaced it.
 */
function isShownStale(one: Connection, connections: readonly Connection[]): boolean {
	const { deafAt = Infinity, endedAt = Infinity, endedBy } = one;
	return connections.some(({ openedAt = Infinity, endedAt: until = Infinity, arrivals }) => {
		if (openedAt <= deafAt + LONGEST_DELIVERY_MS || openedAt >= endedAt) return false;
		if (endedBy !== 'client' && until > endedAt) return false;
		const [from, to] = [openedAt + SERVED_MS, Math.min(endedAt, until) - SERVED_MS];
		return arrivals.some(({ at }) => at > from && at < to);
	});
}
