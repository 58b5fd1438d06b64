// The state of a caller's stay in a queue, and how it is counted. Pure.
import type { CallSummary, Visit } from './callHistory';
import { exactSeconds } from './seconds';

/**
 * The state of a stay in a queue:
 * - `waiting`, `talking`: the caller is there;
 * - `left`: gone without an answer, and it is not known yet whether the call continues elsewhere;
 * - `moved`: the call continued elsewhere: this stay does not count;
 * - `over`: answered and ended, or abandoned;
 * - `unknown`: the feed was interrupted, or it is unclear whether the call was answered.
 */
export type VisitState = 'waiting' | 'talking' | 'left' | 'moved' | 'over' | 'unknown';

/** What is known of a stay in a queue. Moments in milliseconds by our clock, durations in seconds. */
export interface VisitFacts {
	queue: string;
	state: VisitState;
	since: number;
	/** How it is counted, and from when; undefined while it is not counted. */
	result?: 'answered' | 'abandoned' | 'unknown';
	decidedAt?: number;
	/** Undefined if its beginning was not seen. */
	wait?: number;
	answeredSeen?: number;
	/** When the caller left without an answer. */
	leftSeen?: number;
	/** An answered or abandoned stay that is over. */
	endedAt?: number;
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

/**
 * How a stay is counted. It counts as abandoned only if that is certain; a stay of a call that continued elsewhere is
 * not counted.
 */
export function factsOf(
	visit: Visit,
	index: number,
	summary: CallSummary,
	end: CallEnd | undefined,
): VisitFacts {
	const { queue, since, enteredAt, answeredAt, answeredSeen, leftAt, leftSeen, doubtSince } = visit;
	if (answeredSeen !== undefined) {
		const facts = {
			queue,
			since,
			result: 'answered',
			decidedAt: answeredSeen,
			answeredSeen,
			wait: exactSeconds(enteredAt, answeredAt),
		} as const;
		if (leftAt === undefined && !end)
			return { ...facts, state: doubtSince === undefined ? 'talking' : 'unknown' };
		return { ...facts, state: 'over', endedAt: leftSeen, talk: exactSeconds(answeredAt, leftAt) };
	}
	const goesOn = index < summary.visits.length - 1;
	if (doubtSince !== undefined)
		return { queue, since, state: 'unknown', result: 'unknown', decidedAt: doubtSince };
	if (leftAt === undefined) {
		if (end) return { queue, since, state: 'unknown', result: 'unknown', decidedAt: end.at };
		// A call in two queues at once waits in the newer one.
		if (!goesOn) return { queue, since, state: 'waiting' };
		return { queue, since, state: 'moved', leftSeen: summary.visits[index + 1]?.since };
	}
	if (goesOn) return { queue, since, state: 'moved', leftSeen };
	const wait = exactSeconds(enteredAt, leftAt);
	if (!end) return { queue, since, state: 'left', leftSeen, wait };
	if (end.missed || (end.sure && summary.answeredAt !== undefined && passedOn(visit, summary)))
		return {
			queue,
			since,
			state: 'over',
			result: 'abandoned',
			decidedAt: leftSeen,
			wait,
			endedAt: leftSeen,
		};
	if (end.sure) return { queue, since, state: 'moved' };
	return { queue, since, state: 'unknown', result: 'unknown', decidedAt: leftSeen };
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
