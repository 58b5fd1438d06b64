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
	const next = summary.visits.at(index + 1);
	if (answeredSeen !== undefined) {
		const facts = {
			queue,
			since,
			result: 'answered',
			decidedAt: answeredSeen,
			wait: exactSeconds(enteredAt, answeredAt),
		} as const;
		if (doubtSince !== undefined) {
			const over = next !== undefined || end !== undefined;
			return { ...facts, state: over ? 'over' : 'unknown', endedAt: doubtSince };
		}
		// A call in two queues at once is in the newer one.
		const talk = exactSeconds(answeredAt, earliest(leftAt, next?.enteredAt));
		const endedAt = earliest(leftSeen, next?.since, end?.at);
		if (endedAt !== undefined) return { ...facts, state: 'over', endedAt, talk };
		return { ...facts, state: 'talking' };
	}
	const place = { queue, since };
	if (doubtSince !== undefined)
		return { ...place, state: end ? 'over' : 'unknown', result: 'unknown', decidedAt: doubtSince };
	const gone = leftSeen ?? next?.since;
	if (gone === undefined) {
		if (!end) return { ...place, state: 'waiting' };
		return { ...place, state: 'over', result: 'unknown', decidedAt: end.at };
	}
	const wait = exactSeconds(enteredAt, leftAt ?? next?.enteredAt);
	const decided = { ...place, decidedAt: gone, wait };
	if (next) return { ...decided, state: 'over', result: 'overflowed' };
	if (!end) {
		const known = sure && wait !== undefined;
		return { ...decided, state: 'left', result: known ? 'abandoned' : 'unknown' };
	}
	if (end.missed || (end.sure && passedOn(visit, summary)))
		return { ...decided, state: 'over', result: 'abandoned' };
	if (end.sure) return { ...decided, state: 'over', result: 'overflowed' };
	return { ...decided, state: 'over', result: 'unknown' };
}

function earliest(...moments: Array<number | undefined>): number | undefined {
	const known = moments.filter((moment) => moment !== undefined);
	return known.length === 0 ? undefined : Math.min(...known);
}

/** Whether an answered call was transferred to this queue: then its caller left the queue without an answer. */
function passedOn({ enteredAt }: Visit, { answeredAt }: CallSummary): boolean {
	return enteredAt !== undefined && answeredAt !== undefined && enteredAt >= answeredAt;
}

export function sameFacts(a: VisitFacts, b: VisitFacts): boolean {
	return (
		a.queue === b.queue &&
		a.state === b.state &&
		a.since === b.since &&
		a.result === b.result &&
		a.decidedAt === b.decidedAt &&
		a.wait === b.wait &&
		a.endedAt === b.endedAt &&
		a.talk === b.talk
	);
}
