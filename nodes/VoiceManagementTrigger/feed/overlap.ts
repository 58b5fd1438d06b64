// Two connections are open for a moment while one takes over from the other, and the operator sends most events on
// both. Here each is let through once. What `cpt` means is not documented (a counter of the account, of the
// connection, something else), and fields such as durations may be computed while an event is sent, for each connection
// anew. So copies are recognised by `cpt` if the two connections show that they share one numbering, and by content
// (copies.ts) if not. Equal events are counted on each side: two truly equal events stay two.
import { contentOf, nearestCopy, sameTime, type Content } from './copies';
import type { FeedEvent } from './types';

/** The next connection's events wait this long for the previous one to bring them, which keeps their order. */
export const HOLD_MS = 500;
/** How far one connection may lag behind the other for its copies still to be known as copies. */
export const LAG_MS = 15_000;
/** After `init` was sent, this long may pass before the service delivers; so long may one connection lag unblamed. */
export const GRACE_MS = 1_500;
/** An overlap that showed that both deliver ends after this … */
export const OVERLAP_MIN_MS = 3_000;
/** … a quiet one after this … */
export const OVERLAP_QUIET_MS = 15_000;
/** … and one whose previous connection shows no sign of life after this (longer than the usual ping interval and timeout). */
export const OVERLAP_MAX_MS = 60_000;

/** A numbering of the account goes on near where the previous connection is; anything further is another one. */
const NEAR = 1_000;

type Side = 'previous' | 'next';

interface Entry extends Content {
	event: FeedEvent;
	at: number;
	/** Not handed on yet. */
	held: boolean;
}

/**
 * What `cpt` is to the two connections: one numbering (`shared` once a number was seen on both, `presumed` while it only
 * goes on from the previous connection's), or each its `own`; undefined until something tells.
 */
type Numbering = 'presumed' | 'shared' | 'own' | undefined;

/** What an overlap has shown so far. */
export interface OverlapStatistics {
	/** Events that both connections brought. */
	matched: number;
	/** Events that the previous one brought and the next one should have by now. */
	onlyPrevious: number;
	/** Events that the next one brought and the previous one should have by now. */
	onlyNext: number;
	/** Events that the next one brought at all. */
	next: number;
}

export class Overlap {
	/** Copies that were not handed on. */
	duplicates = 0;

	private readonly unmatched = { previous: new Unmatched(), next: new Unmatched() };

	private held: Entry[] = [];

	private holding = true;

	private matched = 0;

	private nextCount = 0;

	private numbering: Numbering;

	/** Several events have one number: their times tell them apart. */
	private numbersRepeat = false;

	private newestPreviousCpt?: number;

	private newestNextCpt?: number;

	/**
	 * @param openedAt when the next connection sent its `init`
	 * @param lastPreviousCpt newest `cpt` of the previous connection by then
	 */
	constructor(
		private readonly openedAt: number,
		private readonly lastPreviousCpt?: number,
	) {
		this.newestPreviousCpt = lastPreviousCpt;
	}

	/** Whether the numbers of the two connections have nothing to do with each other. */
	get numbersDiffer(): boolean {
		return this.numbering === 'own';
	}

	/** Takes an event of the previous connection; gives what is to be handed on now, in order. */
	fromPrevious(event: FeedEvent): FeedEvent[] {
		this.forget(event.receivedAt);
		const { cpt } = event;
		if (cpt !== undefined) {
			if (cpt === this.newestPreviousCpt) this.numbersRepeat = true;
			this.newestPreviousCpt = cpt;
		}
		const entry = { event, at: event.receivedAt, held: false, ...contentOf(event) };
		const match = this.match('next', entry);
		if (!match) {
			this.unmatched.previous.add(entry);
			return [event];
		}
		if (!match.held) return [];
		// The next connection sent what it holds before this one earlier: the previous one will not bring it any more.
		const earlier = this.held.splice(0, this.held.indexOf(match) + 1).slice(0, -1);
		return [...earlier.map(release), event];
	}

	/** Takes an event of the next connection; gives what is to be handed on now, in order. */
	fromNext(event: FeedEvent): FeedEvent[] {
		this.forget(event.receivedAt);
		this.nextCount++;
		this.presume(event);
		const { cpt } = event;
		if (cpt !== undefined) {
			if (cpt === this.newestNextCpt) this.numbersRepeat = true;
			this.newestNextCpt = cpt;
		}
		const entry = { event, at: event.receivedAt, held: this.holding, ...contentOf(event) };
		if (this.match('previous', entry)) return this.releaseAll();
		this.unmatched.next.add(entry);
		if (!this.holding) return [event];
		this.held.push(entry);
		return [];
	}

	/** What has waited long enough for the previous connection. */
	due(now: number): FeedEvent[] {
		const due: FeedEvent[] = [];
		for (let [entry] = this.held; entry && now - entry.at >= HOLD_MS; [entry] = this.held) {
			if (this.numbering === 'presumed' && this.byContent('previous', entry)) {
				// In one numbering the previous connection would have brought this number by now.
				this.learnOwn();
				continue;
			}
			this.held.shift();
			due.push(release(entry));
		}
		return due;
	}

	/** Whether something waits for the previous connection to bring it. */
	isHolding(): boolean {
		return this.held.length > 0;
	}

	/** One of the two connections is gone: nothing is held from now on. Copies are still known for LAG_MS. */
	end(): FeedEvent[] {
		this.holding = false;
		return this.releaseAll();
	}

	statistics(now: number): OverlapStatistics {
		return {
			matched: this.matched,
			next: this.nextCount,
			onlyPrevious: this.overdue('previous', now),
			onlyNext: this.overdue('next', now),
		};
	}

	private releaseAll(): FeedEvent[] {
		return this.held.splice(0).map(release);
	}

	/** The copy of `entry` that `side` brought, if any; it is used up. */
	private match(side: Side, entry: Entry): Entry | undefined {
		const copy = this.byNumber(side, entry) ?? this.byContentUnlessNumbered(side, entry);
		if (!copy) return undefined;
		this.useUp(side, copy);
		this.unmatched[side === 'previous' ? 'next' : 'previous'].pass();
		return copy;
	}

	private useUp(side: Side, copy: Entry): void {
		this.unmatched[side].use(copy);
		this.matched++;
		this.duplicates++;
	}

	private byNumber(side: Side, entry: Entry): Entry | undefined {
		const { cpt } = entry.event;
		if (cpt === undefined || this.numbering === 'own') return undefined;
		const sameNumber = this.unmatched[side].numbered(cpt);
		const sameEvent = sameNumber.filter(({ ids }) => ids === entry.ids);
		// One number for two different events: each connection counts for itself.
		if (sameEvent.length === 0 && sameNumber.length > 0) this.learnOwn();
		const copy =
			this.numbering === 'shared' && !this.numbersRepeat
				? sameEvent[0]
				: sameEvent.find(({ event }) => sameTime(event, entry.event));
		if (copy) this.numbering = 'shared';
		return copy;
	}

	/** By content, where the numbers say nothing. */
	private byContentUnlessNumbered(side: Side, entry: Entry): Entry | undefined {
		const numbered = this.numbering === 'shared' || this.numbering === 'presumed';
		return this.byContent(side, entry, numbered);
	}

	/** @param unnumbered only events of which one has no number */
	private byContent(side: Side, entry: Entry, unnumbered = false): Entry | undefined {
		const { cpt } = entry.event;
		const alike = this.unmatched[side]
			.alike(entry.content)
			.filter(({ event }) => !unnumbered || cpt === undefined || event.cpt === undefined);
		return nearestCopy(entry.event, alike, (other) => this.unmatched[side].isPassed(other));
	}

	/**
	 * From the first number of the next connection: a numbering of the account goes on after what the previous connection had
	 * already brought when the next one opened.
	 */
	private presume({ cpt }: FeedEvent): void {
		if (this.numbering !== undefined || cpt === undefined || this.lastPreviousCpt === undefined)
			return;
		const ahead = cpt - (this.newestPreviousCpt ?? this.lastPreviousCpt);
		this.numbering = cpt > this.lastPreviousCpt && ahead <= NEAR ? 'presumed' : 'own';
	}

	/** The numbers say nothing: what is held for its number may be a copy by its content. */
	private learnOwn(): void {
		this.numbering = 'own';
		this.held = this.held.filter((entry) => {
			const copy = this.byContent('previous', entry);
			if (!copy) return true;
			this.useUp('previous', copy);
			this.unmatched.next.use(entry);
			return false;
		});
	}

	private overdue(side: Side, now: number): number {
		let count = 0;
		for (const { at } of this.unmatched[side].all()) {
			if (at >= this.openedAt + GRACE_MS && now - at >= GRACE_MS) count++;
		}
		return count;
	}

	private lastForgotten = 0;

	/** What is older than the longest lag will find no copy any more. */
	private forget(now: number): void {
		if (now - this.lastForgotten < LAG_MS / 10) return;
		this.lastForgotten = now;
		for (const side of [this.unmatched.previous, this.unmatched.next]) side.forget(now);
	}
}

/** Events of one connection that the other one has not brought, in the order in which they came. */
class Unmatched {
	private readonly entries = new Set<Entry>();

	private readonly byNumber = new Map<number, Entry[]>();

	private readonly byContent = new Map<string, Entry[]>();

	/** How many events came before each. */
	private readonly order = new WeakMap<Entry, number>();

	private count = 0;

	/** The latest one that the other connection brought. */
	private passed = -1;

	add(entry: Entry): void {
		this.entries.add(entry);
		this.order.set(entry, this.count++);
		if (entry.event.cpt !== undefined) put(this.byNumber, entry.event.cpt, entry);
		put(this.byContent, entry.content, entry);
	}

	all(): Iterable<Entry> {
		return this.entries;
	}

	numbered(cpt: number): readonly Entry[] {
		return this.byNumber.get(cpt) ?? [];
	}

	alike(content: string): readonly Entry[] {
		return this.byContent.get(content) ?? [];
	}

	/** Whether the other connection has brought what came after this one: it will hardly bring this one. */
	isPassed(entry: Entry): boolean {
		return (this.order.get(entry) ?? 0) < this.passed;
	}

	/** The other connection brought an event that came after all of these. */
	pass(): void {
		this.passed = this.count;
	}

	/** The other connection brought it. */
	use(entry: Entry): void {
		this.passed = Math.max(this.passed, this.order.get(entry) ?? -1);
		this.remove(entry);
	}

	forget(now: number): void {
		for (const entry of this.entries) {
			if (entry.held) continue;
			if (now - entry.at < LAG_MS) return;
			this.remove(entry);
		}
	}

	private remove(entry: Entry): void {
		this.entries.delete(entry);
		if (entry.event.cpt !== undefined) drop(this.byNumber, entry.event.cpt, entry);
		drop(this.byContent, entry.content, entry);
	}
}

function put<K>(lists: Map<K, Entry[]>, key: K, entry: Entry): void {
	const list = lists.get(key);
	if (list) list.push(entry);
	else lists.set(key, [entry]);
}

function drop<K>(lists: Map<K, Entry[]>, key: K, entry: Entry): void {
	const list = lists.get(key);
	const index = list?.indexOf(entry) ?? -1;
	if (!list || index === -1) return;
	list.splice(index, 1);
	if (list.length === 0) lists.delete(key);
}

function release(entry: Entry): FeedEvent {
	entry.held = false;
	return entry.event;
}

/** How the previous connection of an overlap fared. */
export interface PreviousConnection {
	/** Last event or ping that came through it. */
	aliveAt: number;
	/** False once its token has ended or it was silent for so long that it is being replaced for it. */
	healthy: boolean;
}

export type OverlapDecision =
	| { decision: 'wait' }
	| { decision: 'revert' }
	/** `doubt`: what the previous connection may have missed before the next one took over. */
	| { decision: 'switch'; uncertainty: 'none' | 'dead' | 'stale' | 'unknown' };

/**
 * What to do with the two connections.
 * - Both deliver: let go of the previous one.
 * - The previous one delivers, the next one doesn't: its `init` was dropped; keep the previous one.
 * - The next one delivers, the previous one doesn't: the previous one was `stale`.
 * - The previous one shows no sign of life: it was `dead` (half-open TCP).
 * - Nothing came on either: `unknown` where the previous one is not healthy, otherwise all is well.
 *
 * @param force the overlap must end now
 */
export function decideOverlap(
	statistics: OverlapStatistics,
	previous: PreviousConnection,
	openedAt: number,
	now: number,
	force: boolean,
): OverlapDecision {
	const age = now - openedAt;
	const alive = previous.aliveAt > openedAt;
	if (age < OVERLAP_MIN_MS && !force) return { decision: 'wait' };
	if (statistics.matched > 0) return { decision: 'switch', uncertainty: 'none' };
	if (statistics.onlyPrevious > 0 && statistics.next === 0) return { decision: 'revert' };
	if (age < OVERLAP_QUIET_MS && !force) return { decision: 'wait' };
	if (!alive && age < OVERLAP_MAX_MS && !force) return { decision: 'wait' };
	if (!alive) return { decision: 'switch', uncertainty: 'dead' };
	if (statistics.onlyNext > 0) return { decision: 'switch', uncertainty: 'stale' };
	return { decision: 'switch', uncertainty: previous.healthy ? 'none' : 'unknown' };
}
