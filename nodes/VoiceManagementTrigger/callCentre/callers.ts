// The calls of each number so far, and who was missed and not reached since.

import { numberKey } from '../events/phoneNumbers';
import { ByAge } from './byAge';
import type { Criteria } from '../events/filter';
import { criteriaOf, type CallOutcome } from './outcomeTypes';

/** Limits for the numbers, and for the calls of one number, that are remembered. */
export const MOST_NUMBERS = 50_000;
const MOST_CALLS = 50;
/** The longest history that the settings allow. */
export const MOST_HISTORY_HOURS = 168;

interface PastCall {
	id: string;
	/** Moments by the provider's clock, as outcomes give them. */
	startedAt?: number;
	endedAt: number;
	/** When it ended, by our clock. */
	seen: number;
	answered?: boolean;
	agent?: string;
}

/** A missed call. */
export interface Miss {
	/** By the provider's clock. */
	at: number;
	/** What filters see of it. */
	call: Criteria;
}

interface Caller {
	calls: PastCall[];
	/** From when its calls are complete, by our clock, if it has called more often than is stored. */
	since?: number;
	/** Calls that were missed since the caller was last reached. */
	missed?: Miss[];
}

/** The history of a number before a call. Moments in milliseconds since 1970. */
export interface CallerHistory {
	calls: number;
	missed: number;
	answered: number;
	lastAt?: number;
	lastAgent?: string;
	/** When counting started. */
	since: number;
}

export class CallerBook {
	/** In order of the last call: the first caller has not called for longest. */
	private readonly callers = new ByAge<Caller>();
	/** Nothing is known of earlier calls. */
	private since: number;

	constructor(
		openedAt: number,
		private readonly most = MOST_NUMBERS,
	) {
		this.since = openedAt;
	}

	/** A call has ended. @param seen by our clock */
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
		if (kind !== 'missed') return;
		caller.missed = [...(caller.missed ?? []), { at: endedAt, call: criteriaOf(outcome) }];
		if (caller.missed.length > MOST_CALLS) caller.missed.shift();
	}

	/**
	 * The caller was reached.
	 * @returns the calls that were missed since the caller was last reached, the first one first
	 */
	reached(number: string | undefined): readonly Miss[] {
		const key = number === undefined ? undefined : numberKey(number);
		const caller = key === undefined ? undefined : this.callers.get(key);
		const missed = caller?.missed ?? [];
		if (caller) delete caller.missed;
		return missed;
	}

	/**
	 * The calls of a number in that many hours before this one.
	 * @param now used if it is not known when the call began
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
		// The calls of that number are forgotten, so counts are complete only after the last of them.
		if (oldest) this.since = Math.max(this.since, (oldest.value.calls.at(-1)?.seen ?? 0) + 1);
		return caller;
	}
}
