// Passes each event on once during an overlap. That is the time in which two connections are open: a moment while one
// takes over from the other, or as long as both last if the feed keeps two lines. The operator then sends most events
// over both. It is not documented what `cpt` counts (the events of the account, those of the connection, something
// else), and the operator may compute fields such as durations for each connection separately. So copies of an event
// are recognised by `cpt` if the two connections turn out to share one numbering, and by content (copies.ts) if not.
// Each event is the copy of at most one other event, so two events that are truly equal stay two; docs/feed.md names
// the two exceptions.
import { Fifo } from '../fifo';
import { nearestCopy, sameIds, sameTime } from './copies';
import type { OverlapStatistics } from './overlapDecision';
import { mayBeOwnCount, type NumberRange } from './sequenceNumbers';
import type { FeedEvent } from '../types';
import { Entry, LAG_MS, Unmatched } from './unmatched';

/**
 * An event that comes first over the next connection is held: to keep the order, it is passed on only when the previous
 * connection has caught up, or after this wait.
 */
export const HOLD_MS = 500;
/**
 * How long the operator can take to deliver after `init`, and how far one connection can lag behind the other. An event
 * that is missing on one of them only counts if neither explains it.
 */
export const GRACE_MS = 1_500;

/** If one of two lines lags further behind than this, it is silent, i.e. has stopped delivering events, … */
export const SILENT_MS = 5_000;
/** … provided that it lacks this many events: the operator can answer each `init` with one on that connection only. */
const SILENT_EVENTS = 2;

/**
 * If the next connection's numbers begin further ahead of the previous connection's newest one than this, the two do
 * not share a numbering.
 */
const NEAR = 1_000;

/**
 * The limit of `trust`: this many copies with different numbers, and none with the same number in between, always show
 * that a numbering which seemed to be shared is not.
 */
const MOST_TRUST = 5;

/** The two connections of an overlap: `next` was opened while `previous` was open. */
type Side = 'previous' | 'next';

/**
 * How the `cpt` of one connection relates to that of the other one; undefined as long as nothing shows it.
 * - `presumed`: the next connection's first number continues the previous one's numbers, so the two probably share one
 *   numbering.
 * - `shared`: an event had the same number on both, so they do.
 * - `own`: each connection has a numbering of its own, and their numbers can't be compared.
 */
type Numbering = 'presumed' | 'shared' | 'own' | undefined;

export class Overlap {
	/** How many copies were dropped. */
	duplicates = 0;

	private readonly unmatched = { previous: new Unmatched(), next: new Unmatched() };

	/** The held events of the next connection, in order. */
	private readonly held = new Fifo<Entry>();

	/** False once one of the two connections is gone: then no event is held any more. */
	private holding = true;

	/** Both connections stay, as two lines. */
	private staying = false;

	private matched = 0;

	private nextCount = 0;

	private numbering: Numbering;

	/**
	 * Rises with each event that had the same number on both connections, falls with each copy that had another one.
	 */
	private trust = 0;

	/** A connection delivered a number twice in a row: events with the same number are told apart by their times. */
	private numbersRepeat = false;

	private newestPreviousCpt?: number;

	private newestNextCpt?: number;

	/** Events with a lower number are taken to have been sent before the operator served the next connection. */
	private firstNextCpt?: number;

	/**
	 * @param openedAt when the next connection sent its `init`, in milliseconds since 1970
	 * @param lastPreviousCpt the newest `cpt` of the previous connection at that time
	 * @param numbersDiffered earlier connections were seen to have numberings of their own
	 */
	constructor(
		private openedAt: number,
		private readonly lastPreviousCpt?: number,
		private readonly numbersDiffered = false,
	) {
		this.newestPreviousCpt = lastPreviousCpt;
	}

	/** Whether each connection has a numbering of its own, so that their numbers can't be compared. */
	get numbersDiffer(): boolean {
		return this.numbering === 'own';
	}

	/** Whether an event was seen to have the same number on both connections. */
	get numbersShared(): boolean {
		return this.numbering === 'shared';
	}

	/** Takes an event of the previous connection; returns the events to pass on now, in order. */
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
		// The events that are held in front of it came earlier. Each connection delivers in order, so the previous one
		// will not deliver them any more.
		const released: FeedEvent[] = [];
		while (match.held) released.push(...release(this.held.shift() as Entry));
		return released;
	}

	/** Takes an event of the next connection; returns the events to pass on now, in order. */
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
		// Each of two lines delivers everything in order. Once an event has come over both, the others are passed on as
		// soon as one line delivers them.
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
	 * Releases the events that have been held for HOLD_MS, in order.
	 * @param healthy whether the previous connection can be assumed to work, and so would have delivered them by now
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
			due.push(...release(entry));
		}
		return due;
	}

	/** Both connections stay: they are two lines from now on. */
	stay(): void {
		this.staying = true;
	}

	/**
	 * Whether one of two lines has stopped: since its last event it lacks at least SILENT_EVENTS events that the other
	 * one delivered SILENT_MS ago or earlier.
	 * @param lastAt when it delivered its last event, or opened if there is none
	 */
	isSilent(side: Side, lastAt: number, now: number): boolean {
		return this.lacking(side, lastAt, now - SILENT_MS) >= SILENT_EVENTS;
	}

	/** Like {@link isSilent}, but a single event that the other one delivered GRACE_MS ago or earlier is enough. */
	isBehind(side: Side, lastAt: number, now: number): boolean {
		return this.lacking(side, lastAt, now - GRACE_MS) > 0;
	}

	/**
	 * How many events only the other connection delivered, after `lastAt` and up to `until`. Those within GRACE_MS of
	 * the opening do not count, and all forgotten ones count as one.
	 */
	private lacking(side: Side, lastAt: number, until: number): number {
		const other = this.unmatched[side === 'previous' ? 'next' : 'previous'];
		const since = Math.max(lastAt, this.openedAt + GRACE_MS);
		let lacking = other.forgottenAt > since ? 1 : 0;
		for (const { at } of other.all()) {
			if (at > since && at <= until) lacking++;
		}
		return lacking;
	}

	/** When the first held event is due; undefined if none is held. */
	get releaseAt(): number | undefined {
		const first = this.held.peek();
		return first && first.at + HOLD_MS;
	}

	/** The machine's clock was set back: shifts all stored times, so that they are as long ago as before. */
	setBack(ms: number): void {
		this.openedAt -= ms;
		this.lastForgotten -= ms;
		for (const side of [this.unmatched.previous, this.unmatched.next]) side.setBack(ms);
	}

	/**
	 * One of the two connections is gone: releases the held events, in order, and holds none from now on. Copies are
	 * still recognised.
	 */
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

	/** The numbers of a range that only this connection has delivered; none if each has a numbering of its own. */
	broughtAlone(side: Side, { low, high }: NumberRange): number[] {
		if (this.numbering === 'own') return [];
		return this.unmatched[side].all().flatMap(({ event: { cpt = NaN } }) => {
			return cpt >= low && cpt <= high ? [cpt] : [];
		});
	}

	/** The held events, in order. */
	get waiting(): FeedEvent[] {
		return this.held.toArray().flatMap(({ held = [] }) => held);
	}

	/** Releases all held events, in order. Their copies are still recognised. */
	private releaseAll(): FeedEvent[] {
		const all = this.held.toArray();
		this.held.refill([]);
		return all.flatMap(release);
	}

	/** Finds the copy of `entry` among the events that only `side` has delivered, and removes it from them. */
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

	/**
	 * The first of these events, if the shared numbering shows that it is the copy. This is the usual case, because
	 * both connections deliver the same events in the same order.
	 */
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
		// Two different events have the same number, so each connection has a numbering of its own.
		if (sameEvent.length === 0) this.learnOwn();
		// The same number can be chance if it is so low that a numbering of the connection's own may have reached it.
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
		if (!copy || this.numbering === 'shared') return copy;
		if (!mayBeOwn || this.isAlone(side, entry)) this.numbering = 'shared';
		return copy;
	}

	/** The copy by content. If the numbering is shared or presumed, one of the two events must be without a number. */
	private byContentUnlessNumbered(side: Side, entry: Entry): Entry | undefined {
		const numbered = this.numbering === 'shared' || this.numbering === 'presumed';
		const copy = this.byContent(side, entry, numbered);
		const differ = copy?.event.cpt !== undefined && entry.event.cpt !== undefined;
		if (differ && this.numbering === undefined && this.isAlone(side, entry)) this.numbering = 'own';
		return copy;
	}

	/**
	 * Whether exactly one event of `side` has this content. If there are several, it is not certain which one is the
	 * copy, and a number can be equal or different by chance. Called only until the numbering is known, because
	 * {@link Entry.content} is expensive.
	 */
	private isAlone(side: Side, { content }: Entry): boolean {
		return this.unmatched[side].alike(content).length === 1;
	}

	/**
	 * Corrects a numbering that seemed to be shared because two different events with the same content had the same
	 * number by chance. The sign of it: two events have the same content and different numbers, and when one of them
	 * came, the other connection's numbers had already passed its number. A shared numbering can cause the same sign,
	 * if each of two events with the same content is missing on one connection. But then other events have equal
	 * numbers, which is what `trust` counts.
	 */
	private byContentAgainstNumbers(side: Side, entry: Entry): Entry | undefined {
		if (this.numbering !== 'shared') return undefined;
		const others = this.unmatched[side];
		if (!entry.behind && others.behind === 0) return undefined;
		const alike = others
			.alike(entry.content)
			.filter(({ behind, doubted }) => !doubted && (behind || entry.behind));
		const copy = nearestCopy(entry.event, alike, (other) => others.isPassed(other));
		// Each connection delivers in order. If other events precede this one, it is more likely that one event is missing
		// on the other connection than that all of them are missing on this one.
		if (!copy || others.isPreceded(copy)) return undefined;
		copy.doubted = true;
		if (--this.trust > 0) return undefined;
		this.learnOwn();
		return this.byContent(side, entry);
	}

	/**
	 * The copy by content.
	 * @param unnumbered accept it only if one of the two events has no number
	 */
	private byContent(side: Side, entry: Entry, unnumbered = false): Entry | undefined {
		const { cpt } = entry.event;
		if (unnumbered && cpt !== undefined && this.unmatched[side].areNumbered) return undefined;
		const alike = this.unmatched[side]
			.alike(entry.content)
			.filter(({ event }) => !unnumbered || cpt === undefined || event.cpt === undefined);
		return nearestCopy(entry.event, alike, (other) => this.unmatched[side].isPassed(other));
	}

	/**
	 * As long as nothing else shows it: concludes from a number of the next connection whether the numbering can be
	 * shared. If it is, the number is higher than those that the previous connection had delivered when the next one
	 * opened, and near its newest one.
	 */
	private presume({ cpt }: FeedEvent): void {
		if (this.numbering !== undefined || cpt === undefined || this.lastPreviousCpt === undefined)
			return;
		const ahead = cpt - (this.newestPreviousCpt ?? this.lastPreviousCpt);
		if (cpt <= this.lastPreviousCpt || ahead > NEAR) this.numbering = 'own';
		// If earlier connections had numberings of their own, these two may also have, with numbers that are near each
		// other by chance.
		else if (!this.numbersDiffered) this.numbering = 'presumed';
	}

	/**
	 * Whether a held event shows that each connection has a numbering of its own: the previous connection delivered the
	 * same content under another number, but not this number, although it works or its numbers have already passed this
	 * one.
	 */
	private showsOwn(entry: Entry, healthy: boolean): boolean {
		if (this.numbering !== 'presumed') return false;
		const due = healthy || isUpTo(this.newestPreviousCpt, entry.event.cpt);
		return due && this.byContent('previous', entry) !== undefined;
	}

	/**
	 * Each connection turned out to have a numbering of its own: compares the held events by content, and drops those
	 * that the previous connection has already delivered.
	 */
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

	/** How many events only `side` delivered, although the other connection should have delivered them by now. */
	private overdue(side: Side, now: number): number {
		let count = 0;
		for (const { at } of this.unmatched[side].all()) {
			if (at >= this.openedAt + GRACE_MS && now - at >= GRACE_MS) count++;
		}
		return count;
	}

	private lastForgotten = 0;

	/** Forgets events that are older than LAG_MS: no copy of them is expected any more. */
	private forget(now: number): void {
		if (now - this.lastForgotten < LAG_MS / 10) return;
		this.lastForgotten = now;
		for (const side of [this.unmatched.previous, this.unmatched.next]) side.forget(now);
	}
}

function isUpTo(newest: number | undefined, cpt: number | undefined): boolean {
	return newest !== undefined && cpt !== undefined && cpt <= newest;
}

/** The event to pass on now, if it was held. */
function release(entry: Entry): FeedEvent[] {
	const { held } = entry;
	entry.held = undefined;
	return held ? [held] : [];
}
