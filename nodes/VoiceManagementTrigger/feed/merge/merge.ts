// The one way from the connections to the subscribers: passes each event on once, whichever of the open connections
// deliver it, and reports the time that no connection covers as a gap. docs/feed.md has the promises.
import { gap, SERVED_MS, TRANSIT_MS, type Gap } from '../gap';
import { Fifo } from '../fifo';
import { NamedTimers } from '../namedTimers';
import type { Clock, FeedEvent } from '../types';
import { Copies, type Lone } from './copies';
import { coversFrom, coversUntil, type Life, type Proof } from './coverage';
import { Numbers, type NumberMark } from './numbers';

/**
 * An event that a new connection delivers first waits this long for the older one, which may still deliver what precedes
 * it.
 */
const HOLD_MS = 500;
/** If that is over later than this, the process was held up: the older connection is read first. */
const HOLD_LATE_MS = 100;

/** If a connection lacks what another one delivered this long ago, it has stopped delivering. */
const LACKING_MS = 5_000;

/** A provider can take this long to serve a connection after `init`, and one connection can lag behind another. */
const STARTING_MS = 1_500;

/** The shortest time in which two connections are compared. */
const SHORTEST_COMPARISON_MS = 3_000;
/** After this time, a connection that stopped delivering is given up. */
const STOPPED_MS = 15_000;
/** After this time, so is one that shows no sign of life: longer than the usual ping interval and timeout. */
const DEAD_MS = 60_000;

/** Why a connection that was replaced may have missed events. */
const REPLACED = {
	dead: 'the connection was dead without notice until its renewal',
	stopped: 'the connection had stopped delivering events until its renewal',
	silent: 'no event came for a long time: some may have been missed',
};

const MISSING_NUMBERS = 'sequence numbers are missing where one connection took over from another';

/** How a connection ended: by itself, with the reason for the log, or without one because the feed replaced it. */
export interface Ending {
	readonly reason?: string;
	/** The provider ended it properly, so everything that it sent before has arrived. */
	readonly clean: boolean;
}

/** Receives the events and the gaps, in order. */
export interface MergeOutput {
	onEvent(event: FeedEvent): void;
	/**
	 * A connection covers again after an interruption; called before the gap, if there is one.
	 * @param continuous whether it is proven that nothing was missed
	 */
	onCovered(continuous: boolean): void;
	onGap(gap: Gap): void;
}

/** A connection in use. */
interface Source {
	readonly connection: Life;
	/** The provider continues the connection before it: it sends first what that one had not delivered. */
	readonly recovered: boolean;
	/** The numbers (`cpt`) of its first and its newest event. */
	first?: number;
	newest?: number;
	/** How far the numbers had got before its first event, and when it last delivered the highest one. */
	before?: NumberMark | undefined;
	mark?: NumberMark | undefined;
	/** It took over from this connection without an interruption, before its own first event. */
	follows?: Source;
	/** From when on it covers, if that is known better than by its first event. */
	from?: number;
	/** Its first events wait for the older connection, until one was seen to be a copy. */
	holding: boolean;
	/** How many events of it were dropped, beginning with those that had been reported when it opened. */
	drops: number;
}

/** A time that no connection covers and that has not been reported yet; it began when everything was here. */
interface Pending {
	/** How it began. */
	readonly reason: string;
	/** Why it lasts: what happened to the newest attempt. */
	readonly since?: string | undefined;
	/** How far the numbers had got when nothing was missing, if that is known. */
	readonly mark: NumberMark | undefined;
	/** There was no interruption: the gap waits for the next event, however late that is. */
	readonly silence: boolean;
	/** It began with the end of the newest connection: nothing is missing if the provider continues that one. */
	readonly canBeContinued: boolean;
}

export class Merge {
	private readonly numbers = new Numbers();

	private readonly copies = new Copies<Source>();

	private readonly timers: NamedTimers<'held' | 'due'>;

	/** The open connections, in the order in which they opened. */
	private sources: Source[] = [];

	/** Events that were delivered, and are not passed on yet. */
	private readonly held = new Fifo<Lone<Source>>();

	/** Up to when everything is here, as far as connections that have ended show it. */
	private coveredBefore?: number;

	private pending?: Pending;

	/** How many dropped events were reported. */
	private drops = 0;

	constructor(
		private readonly clock: Clock,
		/** 0 = off. */
		private readonly silenceTimeoutMs: number,
		private readonly output: MergeOutput,
		/** Until when the feed before this one covered, and why it stopped, if this one goes on with it. */
		{ coveredUntil, reason }: { coveredUntil?: number | undefined; reason?: string } = {},
	) {
		this.timers = new NamedTimers(clock);
		if (coveredUntil === undefined || reason === undefined) return;
		this.coveredBefore = coveredUntil;
		this.pending = { reason, mark: undefined, silence: false, canBeContinued: false };
	}

	/** Whether `cpt` was seen to count the account's events by one. */
	get countsByOne(): boolean {
		return this.numbers.countsByOne && this.copies.sharing !== false;
	}

	/** How many copies of events were dropped. */
	get duplicates(): number {
		return this.copies.matched;
	}

	get openConnections(): number {
		return this.sources.length;
	}

	/** Whether a connection is open. */
	get isOpen(): boolean {
		return this.sources.length > 0;
	}

	/** Whether an interruption is over for the provider, and the gap about it is still to be reported. */
	get isUncovered(): boolean {
		return this.pending !== undefined && !this.pending.silence;
	}

	/** Up to when everything is here, in milliseconds since 1970; undefined before the first connection. */
	get coveredUntil(): number | undefined {
		return this.coveredBefore === undefined ? undefined : this.reach({ lackingMs: 0 });
	}

	/**
	 * Up to when everything is here or lies in a gap that was reported, in milliseconds since 1970; undefined before the
	 * first connection. A silence is no doubt: as long as the provider answers pings, nothing shows that it sends no events.
	 */
	get watermark(): number | undefined {
		return this.coveredBefore === undefined ? undefined : this.reach({ trustsPings: true });
	}

	/** Why events may be missing since then; undefined if nothing interrupted the feed. */
	get interruption(): string | undefined {
		return this.isUncovered ? this.pending?.reason : undefined;
	}

	/** Events that have arrived and wait to be passed on, in order. */
	get waiting(): FeedEvent[] {
		return this.held.toArray().flatMap(({ held = [] }) => held);
	}

	/**
	 * A connection has sent `init`.
	 * @param recovered the provider continues the connection before it: it sends first what came in between
	 */
	opened(connection: Life, recovered: boolean): void {
		this.copies.doubtNumbers();
		const holding = this.sources.length > 0;
		const source: Source = { connection, recovered, holding, drops: this.drops };
		this.sources.push(source);
		if (this.coveredBefore === undefined) this.coveredBefore = connection.openedAt;
		// Nothing precedes the first connection, and nothing is missing before one that was recovered.
		else if (!recovered || this.pending?.canBeContinued === false) return this.arm();
		source.from = this.coveredBefore;
		if (!this.pending) return;
		this.pending = undefined;
		this.output.onCovered(true);
	}

	/** Takes the events of one `update` of an open connection. */
	receive(connection: Life, events: readonly FeedEvent[]): void {
		const source = this.sourceOf(connection);
		if (source) for (const event of events) this.take(source, event);
	}

	/**
	 * An event of an open connection exceeded a limit and was dropped. `aliveAt` is the time of the last sign of life before
	 * it. What two connections deliver is reported once.
	 */
	dropped(connection: Life, reason: string): void {
		const source = this.sourceOf(connection);
		if (source && ++source.drops <= this.drops) return;
		if (source) this.drops = source.drops;
		const { openedAt, aliveAt } = connection;
		const from = Math.max(openedAt, aliveAt - TRANSIT_MS);
		this.output.onGap(gap(from, this.clock.now(), reason));
	}

	/** An interruption goes on, since the newest attempt to connect failed or was rejected. */
	goesOn(why: string): void {
		const { pending } = this;
		if (pending && !pending.silence) this.pending = { ...pending, since: why };
	}

	/** A connection has ended, or is about to be closed by the feed. */
	ended(connection: Life, ending: Ending): void {
		const source = this.sourceOf(connection);
		if (!source) return;
		this.sources = this.sources.filter((one) => one !== source);
		const [other] = this.sources;
		const proof = this.proofOf(connection, ending, other);
		const now = this.clock.now();
		const until = coversUntil(connection, proof, now);
		const reach = this.reach({ ended: { source, until } });
		const goesOn = () => this.sources.some((one) => this.fromOf(one) <= reach);
		const hasNone = ({ lastEventAt }: Life) => lastEventAt === undefined;
		const isLost = ending.reason !== undefined && hasNone(connection) && goesOn();
		// If neither has delivered anything, only the one that stays can show whether both were served.
		if (isLost && other && hasNone(other.connection))
			other.from = Math.min(this.fromOf(other), this.fromOf(source));
		// A connection that is still open may turn out to have stopped: so far only its events prove anything.
		else this.coveredBefore = this.reach({ ended: { source, until }, eventsOnly: true });
		// A provider that ends one connection properly while another is open goes on with that one.
		if (ending.clean && other && this.fromOf(source) <= now)
			other.from = Math.min(this.fromOf(other), now - TRANSIT_MS);
		const isCovered = goesOn();
		// Copies prove that the two overlap; otherwise only the numbers can prove that nothing lies between them.
		const isProven = !other?.holding;
		if (other) other.holding = false;
		this.release();
		if (!isCovered) this.uncovered(source, ending, other);
		else if (other && !isProven) {
			if (other.first === undefined) {
				// In a quiet night each connection would keep all those before it.
				delete source.follows;
				other.follows = source;
				other.mark = source.mark;
			} else this.checkNumbers(other, source);
		}
		this.arm();
	}

	/** What proves until when a connection covered that ends now. @param other that stays open */
	private proofOf(connection: Life, { reason, clean }: Ending, other: Source | undefined): Proof {
		const wasLost = reason !== undefined;
		// What it lacks does not come any more.
		const lacks = this.lacks(connection, STARTING_MS);
		// A provider that allows one session stops serving a connection, before it ends it, when another one is open.
		if (lacks && !(clean && other)) return 'events';
		if (this.isSilent(connection)) return 'events';
		// One that was lost without having delivered anything proves nothing.
		if (wasLost && !other && connection.lastEventAt === undefined) return 'events';
		return clean ? 'end' : 'life';
	}

	/**
	 * A connection has ended, and no other one covers: a gap begins, or the pending one goes on. It is reported at once if
	 * the other connection covers by now.
	 */
	private uncovered(source: Source, ending: Ending, other: Source | undefined): void {
		const why = other ? this.unnoticed(source.connection, ending, other.connection) : 'dead';
		const marks = [source, ...this.sources].flatMap(({ mark = [] }) => mark);
		const [earliest] = marks.sort((a, b) => a.received - b.received);
		const { pending } = this;
		this.pending = {
			reason: pending?.reason ?? (other ? undefined : ending.reason) ?? REPLACED[why],
			since: pending?.since,
			mark: pending ? pending.mark : source.mark && earliest,
			silence: why === 'silent' && pending?.silence !== false,
			canBeContinued: !pending,
		};
		if (!other || why === 'silent') return;
		if (this.fromOf(other) <= this.clock.now()) this.cover(other);
	}

	/** What was wrong with a connection, as the one that replaces it shows. */
	private unnoticed(ended: Life, { reason, clean }: Ending, other: Life): keyof typeof REPLACED {
		const { openedAt, lastEventAt = openedAt } = ended;
		if ((other.lastEventAt ?? 0) > lastEventAt) return 'stopped';
		const broke = reason !== undefined && !clean;
		return this.isSilent(ended) && !broke ? 'silent' : 'dead';
	}

	/**
	 * Compares an open connection with the one that is to take over from it.
	 * @param force it must end now
	 * @returns `switch`: the new one takes over; `revert`: the new one delivers nothing and is given up
	 */
	compare(previous: Life, next: Life, force: boolean): 'wait' | 'switch' | 'revert' {
		const [older, newer] = [this.sourceOf(previous), this.sourceOf(next)];
		if (!older || !newer) return 'switch';
		const now = this.clock.now();
		const age = now - next.openedAt;
		if (age < SHORTEST_COMPARISON_MS && !force) return 'wait';
		const ends = force || age >= DEAD_MS;
		const lacking = this.lacks(next, ends ? STARTING_MS : LACKING_MS);
		if (next.lastEventAt === undefined && lacking) return 'revert';
		if (ends) return 'switch';
		// What one of them lacks may still come.
		if ([previous, next].some((one) => this.lacks(one, 0) && !this.lacks(one))) return 'wait';
		const doubted = this.lacks(previous) || this.isSilent(previous);
		const from = this.fromOf(newer);
		if (from <= now && from <= coversUntil(previous, doubted ? 'events' : 'life')) return 'switch';
		return doubted && age >= STOPPED_MS ? 'switch' : 'wait';
	}

	/**
	 * Whether a connection has stopped: since its last event, it lacks one that another connection delivered.
	 * @param forMs this long ago
	 */
	lacks(connection: Life, forMs = LACKING_MS): boolean {
		if (this.copies.isEmpty) return false;
		const { openedAt, lastEventAt = openedAt } = connection;
		const since = Math.max(lastEventAt, openedAt + STARTING_MS);
		const until = this.clock.now() - forMs;
		return this.copies.all().some(({ source, at }) => {
			// A provider can answer an `init` with an event on that connection only.
			const isAnswer = at <= source.connection.openedAt + STARTING_MS;
			return source.connection !== connection && !isAnswer && at > since && at <= until;
		});
	}

	/** Whether it has stopped, and what it lacks can't be waiting to be read. */
	hasStopped(connection: Life): boolean {
		return connection.stillFrom === undefined && this.lacks(connection);
	}

	/**
	 * Whether nothing would be missing if the feed closed this connection now, because another one covers. A silence is no
	 * doubt: in a quiet night both are silent, and each has to be renewed.
	 */
	canSpare(connection: Life): boolean {
		if (this.isUncovered) return false;
		const reach = this.reach({ trustsPings: true });
		return this.sources.some(
			(one) =>
				one.connection !== connection &&
				this.beginOf(one, true) <= reach &&
				!this.lacks(one.connection, 0),
		);
	}

	/** No event and no gap comes out after this call. */
	close(): void {
		this.timers.cancelAll();
		this.sources = [];
		this.held.refill([]);
	}

	/** Whether it delivered nothing for the silence timeout, as exactly as two connections hear of the same event. */
	private isSilent({ openedAt, lastEventAt = openedAt }: Life): boolean {
		const { silenceTimeoutMs } = this;
		return silenceTimeoutMs > 0 && this.clock.now() - lastEventAt >= silenceTimeoutMs - LACKING_MS;
	}

	private sourceOf(connection: Life): Source | undefined {
		return this.sources.find((one) => one.connection === connection);
	}

	// ── each event once ─────────────────────────────────────────────────────────────────────────────────────

	private take(source: Source, delivered: FeedEvent): void {
		const isAlone = this.isAlone(source.connection);
		const copy = isAlone ? undefined : this.copies.match(source, delivered);
		const isLate = this.count(source, delivered, copy !== undefined);
		const event = isLate ? { ...delivered, isLate } : delivered;
		if (this.pending) this.cover(source);
		if (source.follows) this.checkNumbers(source, source.follows);
		if (copy) return this.matched(source, copy);
		if (isAlone) return this.output.onEvent(event);
		const lone = this.copies.add(source, event, source.holding);
		if (!lone.held) return this.output.onEvent(event);
		this.held.push(lone);
		if (!this.timers.has('held')) this.armHeld();
	}

	/** Whether no other connection delivers the same, or has delivered it a moment ago. */
	private isAlone({ aliveAt }: Life): boolean {
		if (this.sources.length > 1) return false;
		if (!this.copies.isEmpty) this.copies.forget(aliveAt);
		return this.copies.isEmpty;
	}

	/** An event came over a second connection. */
	private matched(source: Source, copy: Lone<Source>): void {
		const other = copy.source;
		const held = source.holding || other.holding;
		// Both cover the time of this event: what was sent before came over the older one, the rest over both.
		const joinedAt = copy.at - TRANSIT_MS;
		for (const one of [source, other]) {
			one.from = Math.min(this.fromOf(one), joinedAt);
			one.holding = false;
		}
		// Each connection delivers in order: what the newer one delivered before does not come over the older one any more.
		if (held) this.release();
	}

	/** Passes on what was held, in order. */
	private release(until = Infinity): void {
		for (let lone = this.held.peek(); lone && lone.at <= until; lone = this.held.peek()) {
			this.held.shift();
			const { held } = lone;
			lone.held = undefined;
			if (held) this.output.onEvent(held);
		}
	}

	/** @param wasLate it waits once more, since it was late */
	private armHeld(wasLate = false): void {
		const first = this.held.peek();
		if (!first) return;
		const now = this.clock.now();
		const dueAt = wasLate ? now + HOLD_MS : Math.max(now, first.at + HOLD_MS);
		this.timers.set('held', dueAt - now, () => {
			if (!wasLate && this.clock.now() - dueAt > HOLD_LATE_MS) return this.armHeld(true);
			this.release(this.clock.now() - HOLD_MS);
			this.armHeld();
		});
	}

	// ── numbers ─────────────────────────────────────────────────────────────────────────────────────────────

	/** @returns whether it was sent before events that have arrived */
	private count(source: Source, { cpt }: FeedEvent, isCopy: boolean): boolean {
		if (cpt === undefined) return false;
		const { numbers } = this;
		if (source.first === undefined) {
			source.first = cpt;
			source.before = numbers.mark;
		}
		// Another connection's numbers say nothing of this one's, unless both have the provider's.
		const isLower = cpt < (source.newest ?? cpt);
		const isComparable = isLower || this.copies.sharing === true;
		source.newest = cpt;
		const wasJumpedOver = !isCopy && numbers.take(cpt);
		// Numbers in another order, or that begin anew, prove nothing.
		if (isLower) source.mark = undefined;
		else if (numbers.mark?.cpt === cpt) source.mark = numbers.mark;
		return wasJumpedOver && isComparable;
	}

	/** What the numbers show of the time before the first event of a connection. @param mark when nothing was missing */
	private numbersBefore({ first, newest }: Source, mark: NumberMark | undefined) {
		const isKnown = first !== undefined && newest !== undefined && this.countsByOne;
		const missed = isKnown ? this.numbers.missedSince(mark, first, newest) : undefined;
		return { lastCpt: mark?.cpt, firstCpt: first, missed };
	}

	/** One connection took over from another without an interruption: numbers between the two went to neither. */
	private checkNumbers(source: Source, previous: Source): void {
		delete source.follows;
		const numbers = this.numbersBefore(source, source.before);
		if (!numbers.missed) return;
		const { openedAt, lastEventAt = openedAt } = previous.connection;
		const { firstEventAt = lastEventAt } = source.connection;
		const from = Math.min(lastEventAt, firstEventAt) - TRANSIT_MS;
		this.output.onGap(gap(from, firstEventAt, MISSING_NUMBERS, numbers));
	}

	// ── gaps ────────────────────────────────────────────────────────────────────────────────────────────────

	private fromOf({ connection, from = Infinity }: Source): number {
		return Math.min(from, coversFrom(connection));
	}

	/** If pings are trusted, a silence between two connections is covered too. */
	private beginOf(source: Source, trustsPings: boolean): number {
		return trustsPings && this.pending?.silence ? -Infinity : this.fromOf(source);
	}

	/**
	 * Up to when everything is here, whichever connections cover it.
	 * @param ended a connection that has just ended, and until when it covered
	 * @param eventsOnly whether only the events of the open connections count
	 * @param trustsPings whether a ping counts also after a silence
	 * @param lackingMs how long ago an event was delivered that a connection lacks
	 */
	private reach({
		ended,
		eventsOnly = false,
		trustsPings = false,
		lackingMs = LACKING_MS,
	}: {
		ended?: { source: Source; until: number };
		eventsOnly?: boolean;
		trustsPings?: boolean;
		lackingMs?: number;
	} = {}): number {
		const sources = this.sources.map((source) => {
			const { connection } = source;
			const isSilent = !trustsPings && this.isSilent(connection);
			const isDoubted = eventsOnly || isSilent || this.lacks(connection, lackingMs);
			return {
				from: this.beginOf(source, trustsPings),
				until: coversUntil(connection, isDoubted ? 'events' : 'life'),
			};
		});
		if (ended) sources.push({ from: this.fromOf(ended.source), until: ended.until });
		return reachOf(this.coveredBefore ?? 0, sources);
	}

	/** A connection covers again: reports what was missed before. */
	private cover(source: Source): void {
		const { pending } = this;
		if (!pending) return;
		const at = this.fromOf(source);
		const { coveredBefore = at } = this;
		const { since, silence, mark } = pending;
		const reason = since === undefined ? pending.reason : `${pending.reason}; then: ${since}`;
		const numbers = this.numbersBefore(source, mark);
		if (!silence) this.output.onCovered(numbers.missed === 0);
		if (numbers.missed !== 0) this.output.onGap(gap(coveredBefore, at, reason, numbers));
		// Until then it covers no further: what is saved with the item before the gap must not skip the gap.
		this.pending = undefined;
		this.coveredBefore = at;
		this.arm();
	}

	/** Sets the timer for a gap without an event after it. */
	private arm(): void {
		const [first] = [...this.sources].sort((a, b) => a.connection.openedAt - b.connection.openedAt);
		if (!first || !this.pending || this.pending.silence) return this.timers.cancel('due');
		const dueAt = first.connection.openedAt + SERVED_MS;
		this.timers.set('due', Math.max(0, dueAt - this.clock.now()), () => this.cover(first));
	}
}

/** Up to when everything is here: each connection continues where another one stops. */
function reachOf(begin: number, spans: Array<{ from: number; until: number }>): number {
	let reach = begin;
	// One round in the order of their beginnings is enough.
	for (const { from, until } of spans.sort((a, b) => a.from - b.from))
		if (from <= reach) reach = Math.max(reach, until);
	return reach;
}
