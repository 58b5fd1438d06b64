// The state of a caller's stay in a queue, and how it counts. Pure.
import type { CallSummary, Visit } from './callHistory';
import { exactSeconds } from './seconds';

/**
 * The state of a stay in a queue:
 * - `waiting`, `talking`: the caller is there;
 * - `left`: gone without an answer, and it is not known yet whether the call continues elsewhere;
 * - `over`: answered and ended, abandoned, or continued elsewhere;
 * - `unknown`: the feed was interrupted, and no event since has shown whether the caller is still there.
 */
export type VisitState = 'waiting' | 'talking' | 'left' | 'over' | 'unknown';

/** How a stay ended for its queue. `overflowed`: the call continued elsewhere without an answer. */
export type VisitResult = 'answered' | 'abandoned' | 'overflowed' | 'unknown';

/** What is known of a stay in a queue. Moments in milliseconds by our clock, durations in seconds. */
export interface VisitFacts {
	queue: string;
	state: VisitState;
	/** When the caller entered, or was first seen there. */
	since: number;
	/** Whether the caller was seen to enter. */
	entered: boolean;
	/** Undefined while the caller waits. A caller who left counts at once, as far as is known. */
	result?: VisitResult;
	decidedAt?: number;
	/** Undefined if its beginning was not seen. */
	wait?: number;
	/** When an answered stay was over, or was not known to continue any more. */
	endedAt?: number;
	/** How long an agent had the call, once that is over. */
	talk?: number;
}

/** How a call ended, as far as it matters for its stays in queues. */
export interface CallEnd {
	missed: boolean;
	/** All of it was seen. */
	sure: boolean;
	/** By our clock. */
	at: number;
}

/** @param end undefined while the call is not over; `sure`: everything of the call was seen so far */
export function factsOf(
	visit: Visit,
	index: number,
	summary: CallSummary,
	end: CallEnd | undefined,
	sure: boolean,
): VisitFacts {
	const { queue, since, enteredAt, answeredAt, answeredSeen, leftAt, leftSeen, doubtSince } = visit;
	const next = nextOf(visit, index, summary);
	const facts: VisitFacts = {
		queue,
		state: 'over',
		since,
		entered: enteredAt !== undefined,
		result: undefined,
		decidedAt: undefined,
		wait: undefined,
		endedAt: undefined,
		talk: undefined,
	};
	if (answeredSeen !== undefined) {
		facts.result = 'answered';
		facts.decidedAt = answeredSeen;
		facts.wait = exactSeconds(enteredAt, answeredAt);
		if (doubtSince !== undefined) {
			if (!next && !end) facts.state = 'unknown';
			facts.endedAt = doubtSince;
			return facts;
		}
		facts.talk = exactSeconds(answeredAt, earliest(leftAt, next?.enteredAt));
		facts.endedAt = earliest(leftSeen, next?.since, end?.at);
		if (facts.endedAt === undefined) facts.state = 'talking';
		return facts;
	}
	const gone = earliest(leftSeen, next?.since);
	if (doubtSince !== undefined) {
		if (!end) facts.state = 'unknown';
		facts.result = 'unknown';
		facts.decidedAt = doubtSince;
	} else if (gone !== undefined) {
		facts.decidedAt = gone;
		facts.wait = exactSeconds(enteredAt, earliest(leftAt, next?.enteredAt));
		const wentOn = goesOn(visit, index, summary);
		if (!wentOn && !end) facts.state = 'left';
		facts.result = wentOn
			? 'overflowed'
			: leftWithoutAnswer(visit, summary, end, sure && facts.wait !== undefined);
	} else if (end) {
		facts.result = 'unknown';
		facts.decidedAt = end.at;
	} else {
		facts.state = 'waiting';
	}
	return facts;
}

function leftWithoutAnswer(
	visit: Visit,
	summary: CallSummary,
	end: CallEnd | undefined,
	sure: boolean,
): VisitResult {
	if (!end) return sure ? 'abandoned' : 'unknown';
	if (end.missed || (end.sure && passedOn(visit, summary))) return 'abandoned';
	return end.sure ? 'overflowed' : 'unknown';
}

/**
 * The queue in which the call went on: a call in two queues at once is in the newer one, unless it leaves that one
 * sooner, and without an answer.
 */
function nextOf(
	{ leftSeen = Infinity }: Visit,
	index: number,
	{ visits }: Pick<CallSummary, 'visits'>,
): Visit | undefined {
	return visits.find(
		(one, at) =>
			at > index && (one.answeredSeen !== undefined || (one.leftSeen ?? Infinity) >= leftSeen),
	);
}

/** Whether the call went on elsewhere: in a newer queue, in a trunk, or in an older queue where it was all along. */
export function goesOn(visit: Visit, index: number, summary: Pick<CallSummary, 'visits'>): boolean {
	const { trunk, leftSeen = Infinity } = visit;
	if (trunk && (trunk.leftSeen ?? Infinity) > leftSeen) return true;
	if (nextOf(visit, index, summary)) return true;
	return summary.visits.some(
		(one, at) =>
			at < index && one.doubtSince === undefined && (one.leftSeen ?? Infinity) > leftSeen,
	);
}

function earliest(a = Infinity, b = Infinity, c = Infinity): number | undefined {
	const first = Math.min(a, b, c);
	return first === Infinity ? undefined : first;
}

/** Whether an answered call was transferred to this queue: then its caller left the queue without an answer. */
function passedOn({ enteredAt }: Visit, { answeredAt }: CallSummary): boolean {
	return enteredAt !== undefined && answeredAt !== undefined && enteredAt >= answeredAt;
}

/** Whether it makes no difference to how a stay was decided. */
export function decidedAlike(a: VisitFacts, b: VisitFacts): boolean {
	return (
		a.queue === b.queue && a.result === b.result && a.decidedAt === b.decidedAt && a.wait === b.wait
	);
}

/** Whether it makes no difference to when it was offered. */
export function enteredAlike(a: VisitFacts, b: VisitFacts): boolean {
	return a.queue === b.queue && a.since === b.since && a.entered === b.entered;
}

export function sameFacts(a: VisitFacts, b: VisitFacts): boolean {
	return (
		decidedAlike(a, b) &&
		a.state === b.state &&
		enteredAlike(a, b) &&
		a.endedAt === b.endedAt &&
		a.talk === b.talk
	);
}
