// How far the workflow has received everything, stored in the node's static data: after a restart of n8n it shows
// what is missing. n8n saves static data with the next `emit` and after an activation, as a whole and in the trigger's
// version: it overwrites what other nodes of the workflow have stored in theirs since. So it is written rarely, and only
// if the workflow wants to be notified.

import type { IDataObject } from 'n8n-workflow';
import { gap, missedBetween, SERVED_MS, type Gap } from '../feed/gap';
import { isPlausible, machineTime, steadyTime } from '../feed/clock';
import type { Clock, FeedEvent } from '../feed/types';

/** While entries wait behind the current batch, the position is saved this often: each change costs n8n a write. */
const SAVE_EVERY_MS = 5_000;

interface Saved {
	/** Of which account's feed this is. */
	account: string;
	/** Everything until then was handed over, or reported as missing; milliseconds since 1970. */
	at: number;
	/** Number of the last event, if the numbers count by one and everything that had arrived was handed over. */
	cpt?: number | undefined;
	/** Each later event would have been handed over and saved, so each number behind `cpt` is missing. */
	everyEvent: boolean;
}

/** The position before a restart of n8n, until an event arrives with which to report what is missing. */
export interface Unreported extends Saved {
	/** When the first trigger that should have reported it ended; absent while that trigger listens. */
	until?: number;
}

/** How far the workflow will have got with the batch that is handed over now. */
export interface Reach {
	/** Everything until then will have been handed over, or reported; undefined before the first connection. */
	at: number | undefined;
	/** Whether everything that arrived will have been handed over, and the numbers count by one. */
	isExact: boolean;
}

export interface PositionOptions {
	/** Of the node, from n8n. */
	staticData: IDataObject;
	/** Whether n8n, and not a user, started this trigger. */
	restarted: boolean;
	/** The position that the previous trigger could not report. */
	left?: Unreported | undefined;
	/** Identifies the account whose feed the trigger listens to now. */
	account: () => string;
	/** Whether each event of the feed is handed over. */
	everyEvent: boolean;
	/** Called with the first error of saving: the events must go on without it. */
	onUnsaved?: (error: unknown) => void;
	clock: Clock;
}

export class Position {
	/** Until it is reported what is missing since then. */
	private before: Unreported | undefined;
	private newest: { account: string; cpt: number | undefined } | undefined;
	/** When the feed first connected, perhaps before this trigger joined it. */
	private connectedAt: number | undefined;
	/** … and was interrupted since: numbers that are missing behind that are reported by the feed. */
	private wasInterrupted = false;
	/** Of what is missing. */
	private reason = 'n8n was not running';
	private readonly startedAt: number;
	private savedAt = Number.NEGATIVE_INFINITY;
	/** What was saved last has a number, so it is wrong once something waits. */
	private savedNumber = false;
	private canSave = true;

	constructor(private readonly options: PositionOptions) {
		const { staticData, restarted, left, account, clock } = options;
		this.startedAt = clock.now();
		const before = restarted ? readSaved(staticData.position, clock) : left;
		if (before?.account === account()) this.before = before;
		// A user started it: nothing before is missing, and what follows is, if n8n stops before the first event.
		else if (!restarted) this.write({ at: clock.now(), isExact: false });
	}

	/**
	 * Receives every event of the feed, before it is filtered.
	 * @returns for the first one: what the workflow missed while n8n was not running, if anything
	 */
	received({ cpt, receivedAt, isLate }: FeedEvent): Gap | undefined {
		// A number that had been jumped over is not how far the numbers have got.
		if (!isLate) this.newest = { account: this.options.account(), cpt };
		return this.gapBefore(Math.min(receivedAt, this.completeFrom), cpt);
	}

	/** The feed has connected. @param attempts those that have failed before */
	connected(at: number, attempts: number): void {
		if (this.connectedAt === undefined && attempts > 0)
			this.reason += `; then: ${attempts} attempts to connect failed`;
		this.connectedAt ??= at;
	}

	/** The feed has lost its connection. What one that the provider did not serve missed is no gap of the feed. */
	disconnected(at: number): void {
		this.wasInterrupted ||= this.connectedAt !== undefined;
		if (at < this.completeFrom) this.connectedAt = undefined;
	}

	/** From when on the feed, if it has connected, has everything or reports what it has not. */
	private get completeFrom(): number {
		return Math.max((this.connectedAt ?? Infinity) + SERVED_MS, this.startedAt);
	}

	/**
	 * Everything is here up to then, though no event may have come.
	 * @returns what the workflow missed while n8n was not running, if that was not reported yet
	 */
	covered(until: number): Gap | undefined {
		return this.completeFrom <= until ? this.gapBefore(this.completeFrom) : undefined;
	}

	/** What is left to report if no event came before the end of the trigger. */
	unreported(): Unreported | undefined {
		return this.before && { until: this.options.clock.now(), ...this.before };
	}

	/** @param firstAt from when on everything is here again */
	private gapBefore(firstAt: number, firstCpt?: number): Gap | undefined {
		if (!this.before) return undefined;
		const { account, at, everyEvent, until = Infinity } = this.before;
		// Numbers of two accounts have nothing to do with each other.
		const lastCpt = account === this.options.account() ? this.before.cpt : undefined;
		this.before = undefined;
		const missed = missedBetween(lastCpt, firstCpt);
		// The numbers prove that there was no event in between.
		if (missed === 0) return undefined;
		const to = Math.min(until, firstAt);
		// Events that came while the workflow was inactive are not missing.
		const isCounted = until === Infinity && !this.wasInterrupted;
		return gap(Math.min(at, to), to, this.reason, {
			lastCpt,
			firstCpt: isCounted ? firstCpt : undefined,
			missed: isCounted && everyEvent ? missed : undefined,
		});
	}

	/**
	 * Saves the position with the following `emit`, if that is due: with each batch behind which nothing waits, with the
	 * first one behind which something waits, and then every five seconds.
	 * @param atOnce nothing waits behind the batch of that `emit`, or it is one of the last of a trigger
	 */
	save(atOnce: boolean, reach: () => Reach): void {
		if (this.before) return;
		const elapsedMs = this.options.clock.now() - this.savedAt;
		if (atOnce || this.savedNumber || elapsedMs >= SAVE_EVERY_MS) this.write(reach());
	}

	private write({ at, isExact }: Reach): void {
		const { staticData, clock, everyEvent, onUnsaved } = this.options;
		if (at === undefined || !this.canSave) return;
		const account = this.options.account();
		const { newest } = this;
		const cpt = isExact && newest?.account === account ? newest.cpt : undefined;
		try {
			staticData.position = { account, at: machineTime(clock, at), cpt, everyEvent };
		} catch (error) {
			this.canSave = false;
			onUnsaved?.(error);
		}
		this.savedAt = clock.now();
		this.savedNumber = cpt !== undefined;
	}
}

/** The position that was saved by the machine's clock, on this one; undefined for anything else. */
export function readSaved(value: unknown, clock: Clock): Saved | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	const { account, at, cpt, everyEvent } = value as Record<string, unknown>;
	if (typeof account !== 'string' || typeof at !== 'number' || !isPlausible(at)) return undefined;
	const number = typeof cpt === 'number' ? cpt : undefined;
	return { account, at: steadyTime(clock, at), cpt: number, everyEvent: everyEvent === true };
}
