// How far the workflow has received everything, stored in the node's static data: after a restart of n8n it shows
// what is missing. n8n saves static data with the next `emit`, as a whole and in the trigger's version: it overwrites
// what other nodes of the workflow have stored in theirs since. So it is written rarely, and only if the workflow
// wants to be notified.

import type { IDataObject } from 'n8n-workflow';
import { gap, type Gap } from '../feed/stream/gaps';
import { TRANSIT_MS } from '../feed/stream/gapStart';
import { LONGEST_JUMP, mayBeOwnCount } from '../feed/stream/sequenceNumbers';
import type { Clock, FeedEvent } from '../feed/types';

/** The position is saved at most this often, so that not every `emit` causes a write of its own … */
const SAVE_EVERY_MS = 5_000;
/** … and this often if nothing waits after the current batch: it may be the last one for a long time. */
const SAVE_LAST_EVERY_MS = 2_000;

export interface Moment {
	/** Milliseconds since 1970. */
	at: number;
	/** Number of the last event of the feed until then; absent if unknown. */
	cpt?: number;
}

interface Saved extends Moment {
	/** Number of the last event up to which n8n got everything; absent if unknown. */
	handed?: number;
	/** `cpt` was seen to count by one. */
	countsByOne: boolean;
}

/** The position before a restart of n8n, until an event arrives with which to report what is missing. */
export interface Untold extends Saved {
	/** When the first trigger that should have reported it ended; absent while that trigger listens. */
	until?: number;
}

/** Entries on their way into n8n. */
export interface OnItsWay {
	/** The oldest event that n8n has not finished with; undefined if there is none. */
	unfinished: Moment | undefined;
	/** The oldest event that n8n has not got yet; undefined if there is none. */
	waiting: Moment | undefined;
}

export class Position {
	private readonly before: Untold | undefined;
	private last: Moment | undefined;
	private savedAt = Number.NEGATIVE_INFINITY;
	private savedCountsByOne = false;

	/**
	 * @param staticData of the node, from n8n
	 * @param restarted whether n8n, and not a user, started this trigger
	 * @param left the position that the previous trigger could not report
	 */
	constructor(
		private readonly staticData: IDataObject,
		restarted: boolean,
		private readonly clock: Clock,
		left?: Untold,
	) {
		if (restarted) this.before = readSaved(staticData.position);
		else if (left) this.before = left;
		// Deleting a missing property would also count as a change that n8n saves.
		else if (staticData.position !== undefined) delete staticData.position;
	}

	/**
	 * Receives every event of the feed, before it is filtered.
	 * @returns for the first one: what the workflow missed while n8n was not running, if anything
	 */
	received(event: FeedEvent): Gap | undefined {
		const first = this.last === undefined;
		this.last = { at: event.receivedAt, ...numberOf(event.cpt) };
		return first && this.before ? gapAfter(this.before, this.last) : undefined;
	}

	/** What is left to report if no event came before the end of the trigger. */
	untold(): Untold | undefined {
		const { before, last } = this;
		return before && !last ? { until: this.clock.now(), ...before } : undefined;
	}

	/**
	 * Saves the position with the following `emit`, if that is due.
	 * @param onItsWay returns what is on its way, counting the contents of this `emit` as handed over
	 * @param closing true for the last `emit`s of a trigger
	 */
	save(onItsWay: () => OnItsWay, countsByOne: boolean, closing: boolean): void {
		const now = this.clock.now();
		const { last } = this;
		if (!last || !this.isDue(now, countsByOne, closing, true)) return;
		const { unfinished, waiting } = onItsWay();
		if (!this.isDue(now, countsByOne, closing, waiting === undefined)) return;
		this.savedAt = now;
		this.savedCountsByOne = countsByOne;
		const handed = waiting === undefined ? last.cpt : before(waiting, countsByOne);
		this.staticData.position = {
			...(unfinished
				? { at: Math.min(unfinished.at, last.at), ...numberOf(before(unfinished, countsByOne)) }
				: last),
			...(handed === undefined ? {} : { handed }),
			countsByOne,
		};
	}

	/**
	 * n8n could not start the execution of an `emit`: another batch may save a position that counts it as handed over,
	 * so the next `emit` saves a new one.
	 */
	rejected(): void {
		this.savedAt = Number.NEGATIVE_INFINITY;
	}

	private isDue(now: number, countsByOne: boolean, closing: boolean, last: boolean): boolean {
		if (closing || countsByOne !== this.savedCountsByOne || now < this.savedAt) return true;
		return now - this.savedAt >= (last ? SAVE_LAST_EVERY_MS : SAVE_EVERY_MS);
	}
}

/** The number before that of an event, if the numbers count by one. */
function before({ cpt }: Moment, countsByOne: boolean): number | undefined {
	return countsByOne && cpt !== undefined ? cpt - 1 : undefined;
}

function gapAfter(saved: Untold, first: Moment): Gap | undefined {
	const { cpt = Number.NaN } = first;
	const step = cpt - (saved.handed ?? Number.NaN);
	const known = saved.countsByOne && step >= 1 && step <= LONGEST_JUMP && !mayBeOwnCount(cpt);
	// The numbers prove that there was no event in between.
	if (known && step === 1) return undefined;
	const to = Math.min(saved.until ?? first.at, first.at);
	const from = Math.min(saved.at - TRANSIT_MS, to);
	// Events that came while the workflow was inactive are not missing.
	const counted = saved.until === undefined;
	return gap(from, to, 'n8n was not running', {
		lastCpt: saved.cpt,
		firstCpt: counted ? first.cpt : undefined,
		// Without a number at its beginning, events before `handed` may be missing as well.
		missed: known && counted && saved.cpt !== undefined ? step - 1 : undefined,
	});
}

function numberOf(cpt: unknown): { cpt?: number } {
	return Number.isInteger(cpt) ? { cpt: cpt as number } : {};
}

/** The position that an earlier process saved; undefined for anything else. */
function readSaved(value: unknown): Saved | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	const { at, cpt, handed, countsByOne } = value as Record<string, unknown>;
	if (typeof at !== 'number' || !Number.isFinite(at)) return undefined;
	return {
		at,
		...numberOf(cpt),
		...(typeof handed === 'number' ? { handed } : {}),
		countsByOne: countsByOne === true,
	};
}
