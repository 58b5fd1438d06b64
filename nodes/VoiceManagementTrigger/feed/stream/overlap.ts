// Two connections are open, for a moment while one takes over from the other or for as long as two lines last, and the
// operator sends most events on both. Here each is let through once. What `cpt` means is not documented (a counter of
// the account, of the connection, something else), and fields such as durations may be computed while an event is sent,
// again for each connection. So copies are recognised by `cpt` if the two connections show that they share one numbering,
// and by content (copies.ts) if not. Equal events are counted on each side: two truly equal events stay two.
import { Fifo } from '../fifo';
import { nearestCopy, sameIds, sameTime } from './copies';
import type { OverlapStatistics } from './overlapDecision';
import { mayBeOwnCount, type NumberRange } from './sequenceNumbers';
import type { FeedEvent } from '../types';
import { Entry, LAG_MS, Unmatched } from './unmatched';

/** The next connection's events wait this long for the previous one to bring them, which keeps their order. */
export const HOLD_MS = 500;
/** After `init` was sent, the operator can take this long to deliver, and one connection can lag this far without a conclusion. */
export const GRACE_MS = 1_500;

/** Of two lines, one that lags further behind is taken for one that stopped. */
export const SILENT_MS = 5_000;
/** … if it lacks so many events: the operator can answer each `init` with one, on that connection only. */
const SILENT_EVENTS = 2;

/** A numbering of the account goes on near where the previous connection is; anything further is another one. */
const NEAR = 1_000;

/** So many copies with other numbers, and none with the same, show that two numberings that counted as one are two. */
const MOST_TRUST = 5;

type Side = 'previous' | 'next';

/**
 * What `cpt` is to the two connections: one numbering (`shared` once a number was seen on both, `presumed` while it only
 * goes on from the previous connection's), or each its `own`; undefined until something tells.
 */
type Numbering = 'presumed' | 'shared' | 'own' | undefined;

export class Overlap {
	/** Copies that were not handed on. */
	duplicates = 0;

	private readonly unmatched = { previous: new Unmatched(), next: new Unmatched() };

	private readonly held = new Fifo<Entry>();

	private holding = true;

	private staying = false;

	private matched = 0;

	private nextCount = 0;

	private numbering: Numbering;

	/** Rises with each event that had one number on both connections, and falls with each copy that had another. */
	private trust = 0;

	/** Several events have one number: their times tell them apart. */
	private numbersRepeat = false;

	private newestPreviousCpt?: number;

	private newestNextCpt?: number;

	/** What had a lower number was before its time. */
	private firstNextCpt?: number;

	/**
	 * @param openedAt when the next connection sent its `init`
	 * @param lastPreviousCpt newest `cpt` of the previous connection by then
	 * @param numbersDiffered connections before these were seen to count each for itself
	 */
	constructor(
		private openedAt: number,
		private readonly lastPreviousCpt?: number,
		private readonly numbersDiffered = false,
	) {
		this.newestPreviousCpt = lastPreviousCpt;
	}

	/** Whether the numbers of the two connections have nothing to do with each other. */
	get numbersDiffer(): boolean {
		return this.numbering === 'own';
	}

	/** Whether a number was seen on both connections. */
	get numbersShared(): boolean {
		return this.numbering === 'shared';
	}

	/** Takes an event of the previous connection; gives what is to be handed on now, in order. */
	fromPrevious(event: FeedEvent): FeedEvent[] {
		this.forget(event.receivedAt);
		const { cpt } = event;
		if (cpt !== undefined) {
			if (cpt === this.newestPreviousCpt) this.numbersRepeat = true;
			this.newestPreviousCpt = cpt;
		}
		const entry = new Entry(event, event.receivedAt, false);
		entry.behind = isUpTo(this.newestNextCpt, cpt) && isUpTo(cpt, this.firstNextCpt);
		const match = this.match('next', entry);
		if (!match) {
			this.unmatched.previous.add(entry);
			return [event];
		}
		if (!match.held) return [];
		// The next connection sent what it holds before this one earlier: the previous one will not bring it any more.
		const released: FeedEvent[] = [];
		while (match.held) released.push(release(this.held.shift() as Entry));
		return released;
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
			this.firstNextCpt ??= cpt;
		}
		// Of two that stay, each brings everything in order: once that was seen, whatever comes first is next.
		const held = this.holding && !(this.staying && this.matched > 0);
		const entry = new Entry(event, event.receivedAt, held);
		entry.behind = isUpTo(this.newestPreviousCpt, cpt);
		if (this.match('previous', entry)) {
			if (
				this.numbering === 'presumed' &&
				this.held.toArray().some((one) => this.byContent('previous', one))
			)
				this.learnOwn();
			return this.releaseAll();
		}
		this.unmatched.next.add(entry);
		if (!held) return [...this.releaseAll(), event];
		this.held.push(entry);
		return [];
	}

	/**
	 * What has waited long enough for the previous connection.
	 * @param healthy whether the previous connection would have brought it by now
	 */
	due(now: number, healthy: boolean): FeedEvent[] {
		const due: FeedEvent[] = [];
		for (let entry = this.held.peek(); entry; entry = this.held.peek()) {
			if (now - entry.at < HOLD_MS) break;
			if (this.showsOwn(entry, healthy)) {
				this.learnOwn();
				continue;
			}
			this.held.shift();
			due.push(release(entry));
		}
		return due;
	}

	/** Both connections go on from here. */
	stay(): void {
		this.staying = true;
	}

	/**
	 * Whether a connection brought nothing since the other one brought what it should have by now.
	 * @param lastAt when it brought its last event
	 */
	isSilent(side: Side, lastAt: number, now: number): boolean {
		return this.lacking(side, lastAt, now - SILENT_MS) >= SILENT_EVENTS;
	}

	/** Whether a connection brought nothing since the other one brought as much as one event. */
	isBehind(side: Side, lastAt: number, now: number): boolean {
		return this.lacking(side, lastAt, now - GRACE_MS) > 0;
	}

	private lacking(side: Side, lastAt: number, until: number): number {
		const other = this.unmatched[side === 'previous' ? 'next' : 'previous'];
		const since = Math.max(lastAt, this.openedAt + GRACE_MS);
		let lacking = other.forgottenAt > since ? 1 : 0;
		for (const { at } of other.all()) {
			if (at > since && at <= until) lacking++;
		}
		return lacking;
	}

	/** Whether something waits for the previous connection to bring it. */
	isHolding(): boolean {
		return this.held.size > 0;
	}

	/** The machine's clock was set back: what has a time is as long ago as before. */
	setBack(ms: number): void {
		this.openedAt -= ms;
		this.lastForgotten -= ms;
		for (const side of [this.unmatched.previous, this.unmatched.next]) side.setBack(ms);
	}

	/** One of the two connections is gone: nothing is held from now on. Copies are still known for LAG_MS. */
	end(): FeedEvent[] {
		this.holding = false;
		if (this.held.toArray().some((entry) => this.showsOwn(entry, false))) this.learnOwn();
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

	/** Which numbers of a range a connection brought that the other one did not. */
	broughtAlone(side: Side, { low, high }: NumberRange): number[] {
		if (this.numbering === 'own') return [];
		return this.unmatched[side].all().flatMap(({ event: { cpt = NaN } }) => {
			return cpt >= low && cpt <= high ? [cpt] : [];
		});
	}

	/** What is held, in order. */
	get waiting(): FeedEvent[] {
		return this.held.toArray().map(({ event }) => event);
	}

	/** What is held, in order. Copies of it are still known. */
	private releaseAll(): FeedEvent[] {
		const all = this.held.toArray();
		this.held.refill([]);
		return all.map(release);
	}

	/** The copy of `entry` that `side` brought, if any; it is used up. */
	private match(side: Side, entry: Entry): Entry | undefined {
		const copy =
			this.inStep(side, entry) ??
			this.byNumber(side, entry) ??
			this.byContentUnlessNumbered(side, entry) ??
			this.byContentAgainstNumbers(side, entry);
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

	/** The first event that `side` brought, if the known numbering makes it the copy: usually both bring the same in one order. */
	private inStep(side: Side, { event }: Entry): Entry | undefined {
		if (this.numbering !== 'shared' || this.trust <= 1 || this.numbersRepeat) return undefined;
		const { first } = this.unmatched[side];
		if (first === undefined || event.cpt === undefined || first.event.cpt !== event.cpt)
			return undefined;
		if (!sameIds(first.event, event)) return undefined;
		this.trust = Math.min(MOST_TRUST, this.trust + 1);
		return first;
	}

	private byNumber(side: Side, entry: Entry): Entry | undefined {
		const { cpt } = entry.event;
		if (cpt === undefined || this.numbering === 'own') return undefined;
		const sameNumber = this.unmatched[side].numbered(cpt);
		if (sameNumber.length === 0) return undefined;
		const sameEvent = sameNumber.filter(({ event }) => sameIds(event, entry.event));
		// One number for two different events: each connection counts for itself.
		if (sameEvent.length === 0) this.learnOwn();
		// One number on both may be chance, where each connection may have counted so far.
		const known = this.numbering === 'shared' && this.trust > 1;
		const mayBeOwn = !known && mayBeOwnCount(cpt, this.nextCount);
		const copy =
			this.numbering === 'shared' && !this.numbersRepeat && !mayBeOwn
				? sameEvent[0]
				: sameEvent.find(
						(other) =>
							sameTime(other.event, entry.event) && !(mayBeOwn && other.content !== entry.content),
					);
		if (copy) this.trust = Math.min(MOST_TRUST, this.trust + 1);
		if (copy && this.numbering !== 'shared' && this.isAlone(side, entry)) this.numbering = 'shared';
		return copy;
	}

	/** By content, if the numbers show nothing. */
	private byContentUnlessNumbered(side: Side, entry: Entry): Entry | undefined {
		const numbered = this.numbering === 'shared' || this.numbering === 'presumed';
		const copy = this.byContent(side, entry, numbered);
		const differ = copy?.event.cpt !== undefined && entry.event.cpt !== undefined;
		if (differ && this.numbering === undefined && this.isAlone(side, entry)) this.numbering = 'own';
		return copy;
	}

	/**
	 * Whether a connection brought one event of this content. Of several, one may have any number by chance. Asked only
	 * until the numbering is known: content costs as much as all the rest.
	 */
	private isAlone(side: Side, { content }: Entry): boolean {
		return this.unmatched[side].alike(content).length === 1;
	}

	/**
	 * Two events alike that had one number by chance were taken for the copies of one: then the numberings are not one.
	 * It shows when the other connection had come past a number without having brought it, and its copy has another one. In
	 * one numbering that can be an event that one connection lacks beside one that looks the same: there more numbers agree.
	 */
	private byContentAgainstNumbers(side: Side, entry: Entry): Entry | undefined {
		if (this.numbering !== 'shared') return undefined;
		const others = this.unmatched[side];
		if (!entry.behind && others.behind === 0) return undefined;
		const alike = others
			.alike(entry.content)
			.filter(({ behind, doubted }) => !doubted && (behind || entry.behind));
		const copy = nearestCopy(entry.event, alike, (other) => others.isPassed(other));
		if (!copy) return undefined;
		copy.doubted = true;
		if (--this.trust > 0) return undefined;
		this.learnOwn();
		return this.byContent(side, entry);
	}

	/** @param unnumbered only events of which one has no number */
	private byContent(side: Side, entry: Entry, unnumbered = false): Entry | undefined {
		const { cpt } = entry.event;
		if (unnumbered && cpt !== undefined && this.unmatched[side].areNumbered) return undefined;
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
		if (cpt <= this.lastPreviousCpt || ahead > NEAR) this.numbering = 'own';
		// Numbers of two connections that each count for itself are near each other by chance.
		else if (!this.numbersDiffered) this.numbering = 'presumed';
	}

	/**
	 * Whether what is held looks like what the previous connection brought under another number: in one numbering it would
	 * have brought this number as well, if it works or has come past it.
	 */
	private showsOwn(entry: Entry, healthy: boolean): boolean {
		if (this.numbering !== 'presumed') return false;
		const due = healthy || isUpTo(this.newestPreviousCpt, entry.event.cpt);
		return due && this.byContent('previous', entry) !== undefined;
	}

	/** The numbers show nothing: what is held for its number may be a copy by its content. */
	private learnOwn(): void {
		this.numbering = 'own';
		const held = this.held.toArray().filter((entry) => {
			const copy = this.byContent('previous', entry);
			if (!copy) return true;
			this.useUp('previous', copy);
			this.unmatched.next.use(entry);
			return false;
		});
		this.held.refill(held);
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

function isUpTo(newest: number | undefined, cpt: number | undefined): boolean {
	return newest !== undefined && cpt !== undefined && cpt <= newest;
}

function release(entry: Entry): FeedEvent {
	entry.held = false;
	return entry.event;
}
