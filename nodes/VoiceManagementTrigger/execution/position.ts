// Up to where the workflow has got everything, kept in the node's static data: after a restart of n8n it tells what is
// missing. n8n saves static data beside the next `emit`, whole and as the trigger has it: what other nodes of the
// workflow wrote into theirs since is overwritten. So it is written rarely, and only if the workflow wants to know.

import type { IDataObject } from 'n8n-workflow';
import type { Gap } from '../feed/continuity';
import type { Clock, FeedEvent } from '../feed/types';

/** At most this often the position is saved, so that no `emit` costs a write of its own. */
const SAVE_EVERY_MS = 5_000;
/** What arrives was sent a little earlier: the gap begins this much before. */
const TRANSIT_MS = 1_000;
/** A jump further than this is a numbering that began anew. */
const LONGEST_JUMP = 1_000_000;

interface Moment {
	/** Milliseconds since 1970. */
	at: number;
	/** Number of the last event of the feed until then; absent if it is not known. */
	cpt?: number;
}

interface Saved extends Moment {
	/** `cpt` was seen to count by one. */
	countsByOne: boolean;
}

/** What is on its way into n8n, oldest first. */
export interface Pending {
	at: number;
	cpt?: number;
}

export class Position {
	private readonly before: Saved | undefined;
	private last: Moment | undefined;
	private savedAt = Number.NEGATIVE_INFINITY;

	/**
	 * @param staticData the node's, as n8n gives it
	 * @param restarted whether n8n started this trigger by itself, and not a person
	 */
	constructor(
		private readonly staticData: IDataObject,
		restarted: boolean,
		private readonly clock: Clock,
	) {
		if (restarted) this.before = readSaved(staticData.position);
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

	/**
	 * Saves the position with the `emit` that follows, if that is due.
	 * @param pending gives the oldest event that n8n has not finished with
	 * @param now true for the last `emit` of a trigger
	 */
	save(pending: () => Pending | undefined, countsByOne: boolean, now: boolean): void {
		const at = this.clock.now();
		if (!this.last || (!now && at - this.savedAt < SAVE_EVERY_MS && at >= this.savedAt)) return;
		this.savedAt = at;
		this.staticData.position = { ...complete(this.last, pending(), countsByOne), countsByOne };
	}
}

/** The last moment at which everything had reached the workflow. */
function complete(last: Moment, pending: Pending | undefined, countsByOne: boolean): Moment {
	if (!pending) return { ...last };
	const before = countsByOne && pending.cpt !== undefined ? pending.cpt - 1 : undefined;
	return { at: Math.min(pending.at, last.at), ...numberOf(before) };
}

function gapAfter(before: Saved, first: Moment): Gap | undefined {
	const step = (first.cpt ?? Number.NaN) - (before.cpt ?? Number.NaN);
	const known = before.countsByOne && step >= 1 && step <= LONGEST_JUMP;
	// The numbers prove that nothing came between.
	if (known && step === 1) return undefined;
	const from = Math.min(before.at - TRANSIT_MS, first.at);
	return {
		from,
		to: first.at,
		durationMs: first.at - from,
		reason: 'n8n was not running',
		...(before.cpt === undefined ? {} : { lastCpt: before.cpt }),
		...(first.cpt === undefined ? {} : { firstCpt: first.cpt }),
		...(known ? { missed: step - 1 } : {}),
	};
}

function numberOf(cpt: number | undefined): { cpt?: number } {
	return cpt !== undefined && Number.isInteger(cpt) ? { cpt } : {};
}

/** What an earlier process saved; undefined for anything else. */
function readSaved(value: unknown): Saved | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	const { at, cpt, countsByOne } = value as Record<string, unknown>;
	if (typeof at !== 'number' || !Number.isFinite(at)) return undefined;
	return {
		at,
		...numberOf(typeof cpt === 'number' ? cpt : undefined),
		countsByOne: countsByOne === true,
	};
}
