// The calls of each number until now, and who was missed and not spoken to since.

import { numberKey } from '../events/phoneNumbers';
import { ByAge } from './byAge';
import type { CallOutcome } from './callOutcome';

/** Numbers that are remembered, and calls of one number. */
export const MOST_NUMBERS = 50_000;
const MOST_CALLS = 50;
/** Nothing older is asked for: the longest history that the settings allow. */
export const MOST_HISTORY_HOURS = 168;

interface PastCall {
	id: string;
	/** Moments by the operator's clock, as outcomes give them. */
	startedAt?: number;
	endedAt: number;
	/** When it was over, by our clock. */
	seen: number;
	answered?: boolean;
	agent?: string;
}

interface Caller {
	calls: PastCall[];
	/** From when its calls are all there, by our clock, if it has called more often than is kept. */
	since?: number;
	/** Since when the caller has waited to be spoken to; undefined: was not missed, or was spoken to since. */
	missedAt?: number;
}

/** What is known of a number before a call. Moments in milliseconds since 1970. */
export interface CallerHistory {
	calls: number;
	missed: number;
	answered: number;
	lastAt?: number;
	lastAgent?: string;
	/** From when the counts are. */
	since: number;
}

export class CallerBook {
	/** By the last call: the first has not called for longest. */
	private readonly callers = new ByAge<Caller>();
	/** Nothing is known of what was before. */
	private since: number;

	constructor(
		openedAt: number,
		private readonly most = MOST_NUMBERS,
	) {
		this.since = openedAt;
	}

	/** A call is over. @param seen by our clock */
	ended(outcome: CallOutcome, seen: number): void {
		const caller = this.caller(outcome.caller);
		if (!caller) return;
		const { callId, startedAt, answered, agents, kind } = outcome;
		const endedAt = outcome.endedAt ?? seen;
		caller.calls.push({
			id: callId,
			endedAt,
			seen,
			...(startedAt === undefined ? {} : { startedAt }),
			...(answered === undefined ? {} : { answered }),
			...(agents.length === 0 ? {} : { agent: agents[0] }),
		});
		if (caller.calls.length > MOST_CALLS) caller.since = (caller.calls.shift()?.seen ?? seen) + 1;
		if (kind === 'missed') caller.missedAt ??= endedAt;
	}

	/**
	 * The caller is spoken to.
	 * @returns when the first call was missed since the caller was spoken to last; undefined if none was
	 */
	reached(number: string | undefined): number | undefined {
		const key = number === undefined ? undefined : numberKey(number);
		const caller = key === undefined ? undefined : this.callers.get(key);
		const missedAt = caller?.missedAt;
		if (caller) delete caller.missedAt;
		return missedAt;
	}

	/**
	 * The calls of a number in so many hours before this one.
	 * @param now taken where it is not known when the call began
	 * @returns undefined if there is no number
	 */
	before(outcome: CallOutcome, hours: number, now: number): CallerHistory | undefined {
		const key = outcome.caller === undefined ? undefined : numberKey(outcome.caller);
		if (key === undefined) return undefined;
		const caller = this.callers.get(key);
		const from = (outcome.since ?? now) - hours * 3_600_000;
		const since = Math.max(this.since, caller?.since ?? 0, from);
		const calls = (caller?.calls ?? []).filter(
			({ id, startedAt, endedAt, seen }) =>
				seen >= since &&
				(outcome.startedAt === undefined
					? id !== outcome.callId
					: (startedAt ?? endedAt) < outcome.startedAt),
		);
		const last = calls.at(-1);
		const lastAgent = calls.findLast(({ agent }) => agent !== undefined)?.agent;
		return {
			calls: calls.length,
			missed: calls.filter(({ answered }) => answered === false).length,
			answered: calls.filter(({ answered }) => answered === true).length,
			...(last === undefined ? {} : { lastAt: last.startedAt ?? last.endedAt }),
			...(lastAgent === undefined ? {} : { lastAgent }),
			since,
		};
	}

	private caller(number: string | undefined): Caller | undefined {
		const key = number === undefined ? undefined : numberKey(number);
		if (key === undefined) return undefined;
		const caller = this.callers.get(key) ?? { calls: [] };
		this.callers.set(key, caller);
		const oldest = this.callers.trim(this.most);
		// Its calls are not known any more, so counts are complete only from after them.
		if (oldest) this.since = Math.max(this.since, (oldest.value.calls.at(-1)?.seen ?? 0) + 1);
		return caller;
	}
}
