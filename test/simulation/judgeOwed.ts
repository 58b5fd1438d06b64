// Whether an event that never arrived has to be reported to a workflow.
import type { Connection } from './network';
import type { Instance } from './n8n';
import { MINUTE } from './plan';
import type { Sent } from './traffic';
import { ALIKE_MS, areAlike, deliversUntil, endOf, LONGEST_DELIVERY_MS } from './facts';

/** A gap is reported this long after the connection that follows it, if no event comes. */
const FIRST_EVENT_MS = 5_000;
/** The end of a token is sent in whole seconds and known to within two more. */
const TOKEN_END_MS = 3_000;

/** The time from the opening of a connection to its first event. */
const SERVED_MS = 3_000;
/** What a connection lacks may still come for this long. */
const LACKING_MS = 5_000;

/**
 * When the feed of an instance began: triggers share it, and it ends with the last of them.
 * @param counts whether one that listened before kept the feed open; by default those that struggled to start may not
 *   have done so
 */
export function beginOfFeed(
	{ process, startedAt }: Instance,
	counts = (one: Instance) => !one.struggled,
): number {
	const others = process.instances.filter((one) => one.failure === undefined && counts(one));
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
 * The start by n8n that reports what was lost before it: one that has the saved position of the workflow and receives
 * an event after which it can report. If a person activates the workflow first, nothing is reported.
 */
function restartThatTells(instances: Instance[], after: number): Instance | undefined {
	for (const one of instances) {
		if (one.startedAt <= after) continue;
		// Also if that failed: it had saved the position by then.
		if (one.activation !== 'init') return undefined;
		if (one.failure !== undefined) continue;
		if (!one.hadPosition) return undefined;
		if (hearsEvent(one)) return one;
	}
	return undefined;
}

/**
 * Whether a trigger reports what was lost with a process. Normally this is the one that n8n starts with the saved
 * position; if no event arrived before it was closed, it is the next one in the same n8n process, whoever started it.
 */
export function tellsWhatWasLost(instances: Instance[], endedAt: number): boolean {
	let knows: Instance['process'] | undefined;
	for (const one of instances) {
		if (one.startedAt < endedAt || one.failure !== undefined) continue;
		if (one.activation === 'init') knows = one.hadPosition ? one.process : undefined;
		if (one.process !== knows) return false;
		if (hearsEvent(one)) return true;
		// It may not have read the saved position.
		if (one.struggled) knows = undefined;
	}
	return false;
}

/** Whether an event reached the process, after a certain time, while an instance was certainly listening. */
function hearsEvent(stint: Instance, after = 0): boolean {
	const from = Math.max(stint.upAt ?? Infinity, after);
	const until = endOf(stint) - FIRST_EVENT_MS;
	return stint.process.connections.some(({ arrivals }) =>
		arrivals.some(({ at }) => at > from && at < until),
	);
}

/** Whether the feed was back, with enough time to report what was missing, before an instance ended. */
function isBackBefore(stint: Instance, at: number): boolean {
	const end = endOf(stint) - 2 * FIRST_EVENT_MS - LONGEST_DELIVERY_MS;
	return stint.process.connections.some(
		({ subscribedAt = Infinity, endedAt = Infinity }) =>
			subscribedAt > at && subscribedAt < end && endedAt > subscribedAt + 2 * FIRST_EVENT_MS,
	);
}

/** Whether an event that never arrived has to be reported to a workflow with status items. */
export function isOwed(sent: Sent, instances: Instance[], silenceMs: number): boolean {
	if (isCountedOn(sent, instances)) return false;
	const stint = instances.findLast(
		(one) => one.failure === undefined && one.startedAt <= sent.at && sent.at < endOf(one),
	);
	const restarted = restartThatTells(instances, sent.at);
	if (!stint) return restarted !== undefined;
	// The process was killed, or stopped while the trigger was starting.
	if (stint.process.dead && stint.closingAt === undefined && !restarted) return false;
	// The feed began with this connection, and earlier events are not reported. One that is already open belongs to
	// triggers that began earlier, even if they struggled to start.
	const began = beginOfFeed(stint);
	// With another password it was another feed.
	const first = stint.process.connections.find(
		({ subscribedAt, openedAt = 0, endedAt = Infinity }) =>
			subscribedAt !== undefined && endedAt > began && openedAt >= stint.passwordSince,
	);
	const from = Math.max(first?.subscribedAt ?? Infinity, stint.upAt ?? Infinity);
	const known = stint.activation === 'init' && stint.hadPosition;
	if (sent.at <= from + LONGEST_DELIVERY_MS && !known) return false;
	// If a person deactivates the workflow during an interruption, it is not reported.
	const asked = stint.closingAt !== undefined && !restarted;
	if (asked && !isBackBefore(stint, sent.at)) return false;
	// Nor is a doubt about a connection that was renewed while it was quiet: the next event would have triggered it.
	const { connections } = stint.process;
	if (asked && isOpenThroughout(connections, sent.at, endOf(stint)) && !hearsEvent(stint, sent.at))
		return false;
	// The first event triggers the report, and there may have been none.
	if (known && sent.at <= from) return restarted !== undefined || hearsEvent(stint);
	if (stint.struggled || sent.at <= from + LONGEST_DELIVERY_MS) return false;
	if (fellBetween(sent, stint.process.connections)) return false;
	if (isBetweenAlike(sent, stint.process.connections)) return false;
	// A connection that lost its subscription looks like a quiet one until its silence has lasted long enough, its
	// token has ended, or its successor delivers events that it does not.
	return !connections.some((one) => {
		const [stoppedAt, endedAt = Infinity] = [deafFrom(one), one.endedAt];
		return (
			stoppedAt <= sent.at &&
			sent.at < endedAt &&
			endedAt < awakeBy(stint.process, stoppedAt + silenceMs + 2 * MINUTE) &&
			sent.at < one.tokenEndsAt + TOKEN_END_MS &&
			!isShownStale(one, connections)
		);
	});
}

/** When a process certainly has done what is due: two minutes after it resumes, if it stands still then. */
function awakeBy({ holds }: Instance['process'], at: number): number {
	const still = holds.find(({ from, to }) => from <= at && at <= to);
	return still ? still.to + 2 * MINUTE : at;
}

/** When the provider stopped delivering to a connection that stayed open; Infinity if it did not. */
export function deafFrom({
	deafAt = Infinity,
	unsubscribedAt = Infinity,
	endedAt = Infinity,
}: Connection) {
	const farewell = endedAt - unsubscribedAt > LONGEST_DELIVERY_MS ? unsubscribedAt : Infinity;
	return Math.min(deafAt, farewell);
}

/** Whether at least one connection was open at any time of an interval. */
export function isOpenThroughout(
	connections: readonly Connection[],
	from: number,
	to: number,
): boolean {
	let until = from;
	for (const { openedAt = Infinity, endedAt = Infinity } of connections) {
		if (openedAt <= until) until = Math.max(until, endedAt);
	}
	return until >= to;
}

/**
 * A renewed connection was open, so the renewal seemed complete, but the provider did not serve it yet when it had
 * stopped serving the predecessor. Events that it gave to neither can only be noticed by their numbers. The disconnect
 * of the predecessor takes as long to arrive as any event.
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
					(one.endedAt ?? Infinity) >= (next.openedAt as number) &&
					deliversUntil(one) <= at,
			),
	);
}

/**
 * Whether the provider began its numbers anew in an interruption, and the first one after it happened to be the one that
 * was due: then they seem to prove that nothing was missed.
 */
function isCountedOn({ at }: Sent, instances: readonly Instance[]): boolean {
	const came = instances
		.flatMap(({ process: { connections } }) => connections)
		.flatMap(({ arrivals }) => arrivals.map(({ sent }) => sent))
		.sort((a, b) => a.at - b.at);
	const before = came.findLast((one) => one.at <= at);
	const after = came.find((one) => one.at >= at);
	return before?.era !== after?.era && after?.cpt === (before?.cpt ?? NaN) + 1;
}

/**
 * Whether it was sent between two events that look the same, of which two connections each lack a different one: they
 * count as one, which seems to prove that both connections covered that time.
 */
function isBetweenAlike({ at }: Sent, connections: readonly Connection[]): boolean {
	const lacks = ({ arrivals }: Connection, sent: Sent) =>
		!arrivals.some((one) => one.sent === sent);
	const meet = (older: Connection, newer: Connection) =>
		older.arrivals.some(
			({ sent: first, at: came }) =>
				first.at <= at &&
				came >= (newer.openedAt ?? Infinity) &&
				lacks(newer, first) &&
				newer.arrivals.some(
					({ sent: second }) => second.at >= at && areAlike(first, second) && lacks(older, second),
				),
		);
	const near = connections.filter(({ arrivals }) =>
		arrivals.some(({ sent }) => Math.abs(sent.at - at) <= ALIKE_MS),
	);
	return near.some((older, index) => near.slice(index + 1).some((newer) => meet(older, newer)));
}

/**
 * Whether, beside a connection that had lost its subscription, another one delivered an event that the old one should
 * have delivered too, until that other connection ended or replaced the old one.
 */
function isShownStale(one: Connection, connections: readonly Connection[]): boolean {
	const { endedAt = Infinity, endedBy } = one;
	const deafAt = deafFrom(one);
	return connections.some(({ openedAt = Infinity, endedAt: until = Infinity, arrivals }) => {
		if (openedAt <= deafAt + LONGEST_DELIVERY_MS || openedAt >= endedAt) return false;
		if (endedBy !== 'client' && until > endedAt) return false;
		const [from, to] = [openedAt + SERVED_MS, Math.min(endedAt, until) - LACKING_MS];
		return arrivals.some(({ at }) => at > from && at < to);
	});
}
