// Two connections are open for a moment while one takes over from the other, and the service sends most events on
// both. Here each is let through once. What `cpt` means is not documented (a counter of the account, of the
// connection, something else), so equality is decided on the payload without the parts that may differ from one
// connection to the other, and equal payloads are counted on each side (a multiset): two truly equal events stay two.
import { createHash } from 'crypto';

import type { FeedEvent } from './types';

/** The fresh connection's events wait this long for the old one to bring them, which keeps their order. */
export const HOLD_MS = 500;
/** How far one connection may lag behind the other for its copies still to be known as copies. */
export const LAG_MS = 15_000;
/** After `init` was sent, this long may pass before the service delivers; so long may one connection lag unblamed. */
export const GRACE_MS = 1_500;
/** An overlap that showed that both deliver ends after this … */
export const OVERLAP_MIN_MS = 3_000;
/** … a quiet one after this … */
export const OVERLAP_QUIET_MS = 15_000;
/** … and one whose old connection shows no sign of life after this (longer than the usual ping interval and timeout). */
export const OVERLAP_MAX_MS = 60_000;

type Side = 'old' | 'fresh';

interface Entry {
	event: FeedEvent;
	key: string;
	at: number;
	/** Not handed on yet. */
	held: boolean;
}

/** What an overlap has shown so far. */
export interface Evidence {
	/** Events that both connections brought. */
	matched: number;
	/** Events that the old one brought and the fresh one should have by now. */
	onlyOld: number;
	/** Events that the fresh one brought and the old one should have by now. */
	onlyFresh: number;
	/** Events that the fresh one brought at all. */
	fresh: number;
}

export class Overlap {
	/** Copies that were not handed on. */
	duplicates = 0;

	private readonly unmatched = {
		old: new Map<string, Entry[]>(),
		fresh: new Map<string, Entry[]>(),
	};

	private held: Entry[] = [];

	private holding = true;

	private matched = 0;

	private freshCount = 0;

	/** Whether `cpt` is one numbering for both connections; undefined until something tells. */
	private sharedCpt?: boolean;

	/**
	 * @param openedAt when the fresh connection sent its `init`
	 * @param lastOldCpt newest `cpt` of the old connection
	 */
	constructor(
		private readonly openedAt: number,
		private lastOldCpt?: number,
	) {}

	/** Takes an event of the old connection; gives what is to be handed on now, in order. */
	fromOld(event: FeedEvent): FeedEvent[] {
		this.forget(event.receivedAt);
		if (event.cpt !== undefined) this.lastOldCpt = event.cpt;
		const key = keyOf(event);
		const match = this.take('fresh', key, event);
		if (!match) {
			this.keep('old', { event, key, at: event.receivedAt, held: false });
			return [event];
		}
		if (!match.held) {
			this.duplicates++;
			return [];
		}
		// The fresh connection sent what it holds before this one earlier: the old one will not bring it any more.
		const earlier = this.held.splice(0, this.held.indexOf(match) + 1).slice(0, -1);
		this.duplicates++;
		return [...earlier.map(release), event];
	}

	/** Takes an event of the fresh connection; gives what is to be handed on now, in order. */
	fromFresh(event: FeedEvent): FeedEvent[] {
		this.forget(event.receivedAt);
		this.freshCount++;
		this.learnNumbering(event);
		const key = keyOf(event);
		if (this.take('old', key, event)) {
			this.duplicates++;
			return this.releaseAll();
		}
		const entry = { event, key, at: event.receivedAt, held: this.holding };
		this.keep('fresh', entry);
		if (!this.holding) return [event];
		this.held.push(entry);
		return [];
	}

	/** What has waited long enough for the old connection. */
	due(now: number): FeedEvent[] {
		const late = this.held.findIndex((entry) => now - entry.at < HOLD_MS);
		return this.held.splice(0, late === -1 ? this.held.length : late).map(release);
	}

	/** Whether something waits for the old connection to bring it. */
	isHolding(): boolean {
		return this.held.length > 0;
	}

	/** One of the two connections is gone: nothing is held from now on. Copies are still known for LAG_MS. */
	end(): FeedEvent[] {
		this.holding = false;
		return this.releaseAll();
	}

	evidence(now: number): Evidence {
		return {
			matched: this.matched,
			fresh: this.freshCount,
			onlyOld: this.overdue('old', now),
			onlyFresh: this.overdue('fresh', now),
		};
	}

	private releaseAll(): FeedEvent[] {
		return this.held.splice(0).map(release);
	}

	private keep(side: Side, entry: Entry): void {
		const list = this.unmatched[side].get(entry.key);
		if (list) list.push(entry);
		else this.unmatched[side].set(entry.key, [entry]);
	}

	/** Removes and returns the oldest unmatched copy of `event` on `side`, an identical one before all others. */
	private take(side: Side, key: string, event: FeedEvent): Entry | undefined {
		const list = this.unmatched[side].get(key);
		if (!list) return undefined;
		let index = list.findIndex(
			(entry) => entry.event.cpt === event.cpt && entry.event.ts === event.ts,
		);
		if (index === -1) index = list.findIndex((entry) => this.canBeCopy(entry.event, event));
		if (index === -1) return undefined;
		const [entry] = list.splice(index, 1);
		if (list.length === 0) this.unmatched[side].delete(key);
		this.matched++;
		return entry;
	}

	/** Equal payloads are copies of one event unless the numbering or the time of sending says otherwise. */
	private canBeCopy(a: FeedEvent, b: FeedEvent): boolean {
		if (this.sharedCpt && a.cpt !== undefined && b.cpt !== undefined && a.cpt !== b.cpt)
			return false;
		if (a.ts === undefined || b.ts === undefined) return true;
		// "The time at which the event was sent" may be stamped for each connection: a second's difference is nothing.
		const second = Math.abs(a.ts) > 1e11 ? 1_000 : 1;
		return Math.abs(a.ts - b.ts) <= second;
	}

	/**
	 * A numbering of the connection begins anew on a fresh one (0 or 1); one of the account goes on near where the
	 * old connection is. Anything else tells nothing.
	 */
	private learnNumbering(event: FeedEvent): void {
		if (this.sharedCpt !== undefined || event.cpt === undefined) return;
		if (event.cpt <= 1) this.sharedCpt = false;
		else if (this.lastOldCpt !== undefined) {
			this.sharedCpt = Math.abs(event.cpt - this.lastOldCpt) <= 1_000;
		}
	}

	private overdue(side: Side, now: number): number {
		let count = 0;
		for (const list of this.unmatched[side].values()) {
			for (const { at } of list) {
				if (at >= this.openedAt + GRACE_MS && now - at >= GRACE_MS) count++;
			}
		}
		return count;
	}

	private lastForgotten = 0;

	/** What is older than the longest lag will find no copy any more. */
	private forget(now: number): void {
		if (now - this.lastForgotten < LAG_MS / 10) return;
		this.lastForgotten = now;
		for (const side of [this.unmatched.old, this.unmatched.fresh]) {
			for (const [key, list] of side) {
				const young = list.filter((entry) => entry.held || now - entry.at < LAG_MS);
				if (young.length === 0) side.delete(key);
				else if (young.length < list.length) side.set(key, young);
			}
		}
	}
}

function release(entry: Entry): FeedEvent {
	entry.held = false;
	return entry.event;
}

/** The payload without what may differ between two deliveries of one event. */
function keyOf(event: FeedEvent): string {
	const rest: Record<string, unknown> = { ...event.raw };
	delete rest.cpt;
	delete rest.ts;
	delete rest.elapse;
	let key: string;
	try {
		key = JSON.stringify(rest);
	} catch {
		// Nested deeper than JSON.stringify goes: its numbers have to do.
		key = `${event.type}/${event.event}/${event.cpt}/${event.ts}`;
	}
	return key.length <= 500 ? key : createHash('sha256').update(key).digest('base64');
}

/** How the old connection of an overlap fared. */
export interface OldConnection {
	/** Last event or ping that came through it. */
	aliveAt: number;
	/** False once its token has ended or it was silent for so long that it is being replaced for it. */
	trusted: boolean;
}

export type Judgement =
	| { verdict: 'wait' }
	| { verdict: 'revert' }
	/** `doubt`: what the old connection may have missed before the fresh one took over. */
	| { verdict: 'switch'; doubt: 'none' | 'dead' | 'deaf' | 'unknown' };

/**
 * What to do with the two connections.
 * - Both deliver: let go of the old one.
 * - The old one delivers, the fresh one doesn't: its `init` was dropped; keep the old one.
 * - The fresh one delivers, the old one doesn't: the old one was `deaf`.
 * - The old one shows no sign of life: it was `dead` (half-open TCP).
 * - Nothing came on either: `unknown` where the old one is not trusted, otherwise all is well.
 *
 * @param force the overlap must end now
 */
export function judge(
	evidence: Evidence,
	old: OldConnection,
	openedAt: number,
	now: number,
	force: boolean,
): Judgement {
	const age = now - openedAt;
	const alive = old.aliveAt > openedAt;
	if (age < OVERLAP_MIN_MS && !force) return { verdict: 'wait' };
	if (evidence.matched > 0) return { verdict: 'switch', doubt: 'none' };
	if (evidence.onlyOld > 0 && evidence.fresh === 0) return { verdict: 'revert' };
	if (age < OVERLAP_QUIET_MS && !force) return { verdict: 'wait' };
	if (!alive && age < OVERLAP_MAX_MS && !force) return { verdict: 'wait' };
	if (!alive) return { verdict: 'switch', doubt: 'dead' };
	if (evidence.onlyFresh > 0) return { verdict: 'switch', doubt: 'deaf' };
	return { verdict: 'switch', doubt: old.trusted ? 'none' : 'unknown' };
}
