// How far the workflow has received everything, stored in the node's static data: after a restart of n8n it shows
// what is missing. n8n saves static data with the next `emit`, as a whole and in the trigger's version: it overwrites
// what other nodes of the workflow have stored in theirs since. So it is written rarely, and only if the workflow
// wants to be notified.

import type { IDataObject } from 'n8n-workflow';
import { gap, missedBetween, SERVED_MS, TRANSIT_MS, type Gap } from '../feed/gap';
import { isPlausible, machineTime } from '../feed/clock';
import type { Clock, FeedEvent } from '../feed/types';

/** While entries wait behind the current batch, the position is saved this often: each change costs n8n a write. */
const SAVE_EVERY_MS = 5_000;

export interface Moment {
	/** Milliseconds since 1970. */
	at: number;
	/** Number of the last event of the feed until then; absent if unknown. */
	cpt?: number;
}

interface Saved extends Moment {
	/**
	 * Number of the last event when everything until then had been handed over; absent if something was waiting. While
	 * later events may have been handed over, it is absent too, since they would count as missed.
	 */
	handed?: number;
	/** `cpt` was seen to count by one. */
	countsByOne: boolean;
	/** Every event is handed over, so each one behind `handed` is missing. */
	everyEvent: boolean;
}

/** The position before a restart of n8n, until an event arrives with which to report what is missing. */
export interface Untold extends Saved {
	/** When the first trigger that should have reported it ended; absent while that trigger listens. */
	until?: number;
}

/** How far the workflow has got, counting the batch that is handed over now. */
export interface Reach {
	/** The oldest event that may not have arrived; undefined if there is none. */
	unfinished: Moment | undefined;
	/** Whether everything that arrived has been handed over. */
	complete: boolean;
	/** Whether every event is handed over. */
	everyEvent: boolean;
}

export class Position {
	/** Until it is reported what is missing since then. */
	private before: Untold | undefined;
	private last: Moment | undefined;
	/** When the feed first connected, perhaps before this trigger joined it. */
	private connectedAt: number | undefined;
	private readonly startedAt: number;
	private savedAt = Number.NEGATIVE_INFINITY;
	/** What is saved says that everything has been handed over. */
	private savedComplete = false;

	/**
	 * @param staticData of the node, from n8n
	 * @param restarted whether n8n, and not a user, started this trigger
	 * @param left the position that the previous trigger could not report
	 * @param unsaved called with the first error of saving: the events must go on without it
	 */
	constructor(
		private readonly staticData: IDataObject,
		restarted: boolean,
		private readonly clock: Clock,
		left?: Untold,
		private unsaved?: (error: unknown) => void,
	) {
		this.startedAt = clock.now();
		if (restarted) this.before = readSaved(staticData.position);
		else if (left) this.before = left;
		// Deleting a missing property would also count as a change that n8n saves.
		else if (staticData.position !== undefined) this.write(() => delete staticData.position);
	}

	/**
	 * Receives every event of the feed, before it is filtered.
	 * @returns for the first one: what the workflow missed while n8n was not running, if anything
	 */
	received(event: FeedEvent): Gap | undefined {
		this.last = { at: event.receivedAt, ...numberOf(event.cpt) };
		return this.tell(this.last);
	}

	/** The feed has connected. */
	connected(at: number): void {
		this.connectedAt ??= at;
	}

	/**
	 * Everything is here up to then, though no event may have come.
	 * @returns what the workflow missed while n8n was not running, if that was not told yet
	 */
	covered(until: number): Gap | undefined {
		if (this.last && this.last.at < until) this.last = { ...this.last, at: until };
		const from = Math.max((this.connectedAt ?? Infinity) + SERVED_MS, this.startedAt);
		return from <= until ? this.tell({ at: from }) : undefined;
	}

	/** What is left to report if no event came before the end of the trigger. */
	untold(): Untold | undefined {
		return this.before && { until: this.clock.now(), ...this.before };
	}

	/** When that begins; undefined if nothing is left. */
	get untoldFrom(): number | undefined {
		return this.before && this.before.at - TRANSIT_MS;
	}

	/** @param first from when on everything is here again */
	private tell(first: Moment): Gap | undefined {
		const { before } = this;
		this.before = undefined;
		return before && gapAfter(before, first);
	}

	/**
	 * Saves the position with the following `emit`, if that is due: with each batch behind which nothing waits, with the
	 * first one behind which something waits, and then every five seconds.
	 * @param isLast whether nothing waits behind the batch of that `emit`
	 * @param reach how far the workflow will have got with it
	 * @param closing true for the last `emit`s of a trigger
	 */
	save(isLast: boolean, reach: () => Reach, countsByOne: boolean, closing: boolean): void {
		const now = this.clock.now();
		const { last } = this;
		if (!last) return;
		const isDue = isLast || this.savedComplete || now - this.savedAt >= SAVE_EVERY_MS || closing;
		if (!isDue) return;
		const { unfinished, complete, everyEvent } = reach();
		this.savedAt = now;
		this.savedComplete = complete;
		const reached = unfinished
			? { at: Math.min(unfinished.at, last.at), ...numberOf(before(unfinished, countsByOne)) }
			: last;
		const position = {
			...reached,
			at: machineTime(this.clock, reached.at),
			...(complete && last.cpt !== undefined ? { handed: last.cpt } : {}),
			countsByOne,
			everyEvent,
		};
		this.write(() => (this.staticData.position = position));
	}

	private write(change: () => void): void {
		try {
			change();
		} catch (error) {
			this.unsaved?.(error);
			delete this.unsaved;
		}
	}
}

/** The number before that of an event, if the numbers count by one. */
function before({ cpt }: Moment, countsByOne: boolean): number | undefined {
	return countsByOne && cpt !== undefined ? cpt - 1 : undefined;
}

function gapAfter(saved: Untold, first: Moment): Gap | undefined {
	const missed = saved.countsByOne ? missedBetween(saved.handed, first.cpt) : undefined;
	// The numbers prove that there was no event in between.
	if (missed === 0) return undefined;
	const to = Math.min(saved.until ?? first.at, first.at);
	const from = Math.min(saved.at - TRANSIT_MS, to);
	// Events that came while the workflow was inactive are not missing.
	const counted = saved.until === undefined;
	return gap(from, to, 'n8n was not running', {
		lastCpt: saved.cpt,
		firstCpt: counted ? first.cpt : undefined,
		// Without a number at its beginning, events before `handed` may be missing as well.
		missed: counted && saved.everyEvent && saved.cpt !== undefined ? missed : undefined,
	});
}

function numberOf(cpt: unknown): { cpt?: number } {
	return Number.isInteger(cpt) ? { cpt: cpt as number } : {};
}

/** The position that an earlier process saved; undefined for anything else. */
function readSaved(value: unknown): Saved | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	const { at, cpt, handed, countsByOne, everyEvent } = value as Record<string, unknown>;
	if (typeof at !== 'number' || !isPlausible(at)) return undefined;
	return {
		at,
		...numberOf(cpt),
		...(typeof handed === 'number' ? { handed } : {}),
		countsByOne: countsByOne === true,
		everyEvent: everyEvent === true,
	};
}
