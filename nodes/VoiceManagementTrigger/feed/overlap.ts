// Two connections are open for a moment while one takes over from the other, and the operator sends most events on
// both. Here each is let through once. What `cpt` means is not documented (a counter of the account, of the
// connection, something else), and fields such as durations may be computed while an event is sent, for each connection
// anew. So copies are recognised by `cpt` if the two connections show that they share one numbering, and by content
// (copies.ts) if not. Equal events are counted on each side: two truly equal events stay two.
import { contentOf, nearestCopy, sameTime, type Content } from './copies';
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

/** A numbering of the account goes on near where the old connection is; anything further is another one. */
const NEAR = 1_000;

type Side = 'old' | 'fresh';

interface Entry extends Content {
	event: FeedEvent;
	at: number;
	/** Not handed on yet. */
	held: boolean;
}

/**
 * What `cpt` is to the two connections: one numbering (`shared` once a number was seen on both, `presumed` while it only
 * goes on from the old connection's), or each its `own`; undefined until something tells.
 */
type Numbering = 'presumed' | 'shared' | 'own' | undefined;

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

	private readonly unmatched = { old: new Unmatched(), fresh: new Unmatched() };

	private held: Entry[] = [];

	private holding = true;

	private matched = 0;

	private freshCount = 0;

	private numbering: Numbering;

	/** Several events have one number: their times tell them apart. */
	private numbersRepeat = false;

	private newestOldCpt?: number;

	private newestFreshCpt?: number;

	/**
	 * @param openedAt when the fresh connection sent its `init`
	 * @param lastOldCpt newest `cpt` of the old connection by then
	 */
	constructor(
		private readonly openedAt: number,
		private readonly lastOldCpt?: number,
	) {
		this.newestOldCpt = lastOldCpt;
	}

	/** Whether the numbers of the two connections have nothing to do with each other. */
	get numbersDiffer(): boolean {
		return this.numbering === 'own';
	}

	/** Takes an event of the old connection; gives what is to be handed on now, in order. */
	fromOld(event: FeedEvent): FeedEvent[] {
		this.forget(event.receivedAt);
		const { cpt } = event;
		if (cpt !== undefined) {
			if (cpt === this.newestOldCpt) this.numbersRepeat = true;
			this.newestOldCpt = cpt;
		}
		const entry = { event, at: event.receivedAt, held: false, ...contentOf(event) };
		const match = this.match('fresh', entry);
		if (!match) {
			this.unmatched.old.add(entry);
			return [event];
		}
		if (!match.held) return [];
		// The fresh connection sent what it holds before this one earlier: the old one will not bring it any more.
		const earlier = this.held.splice(0, this.held.indexOf(match) + 1).slice(0, -1);
		return [...earlier.map(release), event];
	}

	/** Takes an event of the fresh connection; gives what is to be handed on now, in order. */
	fromFresh(event: FeedEvent): FeedEvent[] {
		this.forget(event.receivedAt);
		this.freshCount++;
		this.presume(event);
		const { cpt } = event;
		if (cpt !== undefined) {
			if (cpt === this.newestFreshCpt) this.numbersRepeat = true;
			this.newestFreshCpt = cpt;
		}
		const entry = { event, at: event.receivedAt, held: this.holding, ...contentOf(event) };
		if (this.match('old', entry)) return this.releaseAll();
		this.unmatched.fresh.add(entry);
		if (!this.holding) return [event];
		this.held.push(entry);
		return [];
	}

	/** What has waited long enough for the old connection. */
	due(now: number): FeedEvent[] {
		const due: FeedEvent[] = [];
		while (this.held.length > 0 && now - this.held[0].at >= HOLD_MS) {
			const [entry] = this.held;
			if (this.numbering === 'presumed' && this.byContent('old', entry)) {
				// In one numbering the old connection would have brought this number by now.
				this.learnOwn();
				continue;
			}
			this.held.shift();
			due.push(release(entry));
		}
		return due;
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

	/** The copy of `entry` that `side` brought, if any; it is used up. */
	private match(side: Side, entry: Entry): Entry | undefined {
		const copy = this.byNumber(side, entry) ?? this.byContentUnlessNumbered(side, entry);
		if (!copy) return undefined;
		this.useUp(side, copy);
		this.unmatched[side === 'old' ? 'fresh' : 'old'].pass();
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
	 * From the first number of the fresh connection: a numbering of the account goes on after what the old connection had
	 * already brought when the fresh one opened.
	 */
	private presume({ cpt }: FeedEvent): void {
		if (this.numbering !== undefined || cpt === undefined || this.lastOldCpt === undefined) return;
		const ahead = cpt - (this.newestOldCpt ?? this.lastOldCpt);
		this.numbering = cpt > this.lastOldCpt && ahead <= NEAR ? 'presumed' : 'own';
	}

	/** The numbers say nothing: what is held for its number may be a copy by its content. */
	private learnOwn(): void {
		this.numbering = 'own';
		this.held = this.held.filter((entry) => {
			const copy = this.byContent('old', entry);
			if (!copy) return true;
			this.useUp('old', copy);
			this.unmatched.fresh.use(entry);
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
		for (const side of [this.unmatched.old, this.unmatched.fresh]) side.forget(now);
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
