// Up to where the workflow has got everything, kept in the node's static data: after a restart of n8n it tells what is
// missing. n8n saves static data beside the next `emit`, whole and as the trigger has it: what other nodes of the
// workflow wrote into theirs since is overwritten. So it is written rarely, and only if the workflow wants to know.

import type { IDataObject } from 'n8n-workflow';
import { gap, type Gap } from '../feed/stream/gaps';
import { TRANSIT_MS } from '../feed/stream/gapStart';
import { LONGEST_JUMP, mayBeOwnCount } from '../feed/stream/sequenceNumbers';
import type { Clock, FeedEvent } from '../feed/types';

/** At most this often the position is saved, so that no `emit` costs a write of its own … */
const SAVE_EVERY_MS = 5_000;
/** … and this often if nothing waits behind the batch that is handed over: it may be the last one for long. */
const SAVE_LAST_EVERY_MS = 2_000;

export interface Moment {
	/** Milliseconds since 1970. */
	at: number;
	/** Number of the last event of the feed until then; absent if it is not known. */
	cpt?: number;
}

interface Saved extends Moment {
	/** Number of the last event that n8n was given, with everything before it; absent if it is not known. */
	handed?: number;
	/** `cpt` was seen to count by one. */
	countsByOne: boolean;
}

/** Where the workflow stood before a restart of n8n, until an event comes to tell with it what is missing. */
export interface Untold extends Saved {
	/** When the first trigger ended that had to tell it; absent while that one listens. */
	until?: number;
}

/** What is on its way into n8n. */
export interface OnItsWay {
	/** The oldest event that n8n has not finished with; undefined if there is none. */
	unfinished: Moment | undefined;
	/** The oldest event that n8n was not given yet; undefined if there is none. */
	waiting: Moment | undefined;
}

export class Position {
	private readonly before: Untold | undefined;
	private last: Moment | undefined;
	private savedAt = Number.NEGATIVE_INFINITY;
	private savedCountsByOne = false;

	/**
	 * @param staticData the node's, as n8n gives it
	 * @param restarted whether n8n started this trigger by itself, and not a person
	 * @param left what the trigger before this one could not tell
	 */
	constructor(
		private readonly staticData: IDataObject,
		restarted: boolean,
		private readonly clock: Clock,
		left?: Untold,
	) {
		if (restarted) this.before = readSaved(staticData.position);
		else if (left) this.before = left;
		// Even a deletion of nothing counts as a change that n8n saves.
		else if (staticData.position !== undefined) delete staticData.position;
	}

	/**
	 * Every event of the feed, before it is filtered.
	 * @returns with the first one: what the workflow missed while n8n was not running, if anything
	 */
	received(event: FeedEvent): Gap | undefined {
		const first = this.last === undefined;
		this.last = { at: event.receivedAt, ...numberOf(event.cpt) };
		return first && this.before ? gapAfter(this.before, this.last) : undefined;
	}

	/** What an event would have told, if none came until the end of the trigger. */
	untold(): Untold | undefined {
		const { before, last } = this;
		return before && !last ? { until: this.clock.now(), ...before } : undefined;
	}

	/**
	 * Saves the position with the `emit` that follows, if that is due.
	 * @param onItsWay gives what is on its way, with what this `emit` carries counted as given
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
	 * n8n could not start what an `emit` carried: a position that counts it as given may be saved with another batch, so
	 * the next `emit` brings a new one.
	 */
	rejected(): void {
		this.savedAt = Number.NEGATIVE_INFINITY;
	}

	private isDue(now: number, countsByOne: boolean, closing: boolean, last: boolean): boolean {
		if (closing || countsByOne !== this.savedCountsByOne || now < this.savedAt) return true;
		return now - this.savedAt >= (last ? SAVE_LAST_EVERY_MS : SAVE_EVERY_MS);
	}
}

/** The number before an event's, if the numbers count by one. */
function before({ cpt }: Moment, countsByOne: boolean): number | undefined {
	return countsByOne && cpt !== undefined ? cpt - 1 : undefined;
}

function gapAfter(saved: Untold, first: Moment): Gap | undefined {
	const { cpt = Number.NaN } = first;
	const step = cpt - (saved.handed ?? Number.NaN);
	const known = saved.countsByOne && step >= 1 && step <= LONGEST_JUMP && !mayBeOwnCount(cpt);
	// The numbers prove that nothing came between.
	if (known && step === 1) return undefined;
	const to = Math.min(saved.until ?? first.at, first.at);
	const from = Math.min(saved.at - TRANSIT_MS, to);
	// What came while the workflow was not active is not missing.
	const counted = saved.until === undefined;
	return gap(from, to, 'n8n was not running', {
		lastCpt: saved.cpt,
		firstCpt: counted ? first.cpt : undefined,
		missed: known && counted ? step - 1 : undefined,
	});
}

function numberOf(cpt: unknown): { cpt?: number } {
	return Number.isInteger(cpt) ? { cpt: cpt as number } : {};
}

/** What an earlier process saved; undefined for anything else. */
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
