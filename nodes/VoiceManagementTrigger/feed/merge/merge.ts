// The one way from the connections to the subscribers: passes each event on once, whichever of the open connections
// deliver it, and reports the time that no connection covers as a gap. docs/feed.md has the promises.
import { gap, missedBetween, TRANSIT_MS, type Gap } from '../gap';
import { Fifo } from '../fifo';
import { NamedTimers } from '../namedTimers';
import type { Clock, FeedEvent } from '../types';
import { Copies, type Lone } from './copies';
import { coversFrom, coversUntil, SERVED_MS, type Life, type Proof } from './coverage';
import { Numbers, Trust } from './numbers';

/**
 * An event that a new connection delivers first waits this long for the older one, which may still deliver what precedes
 * it.
 */
const HOLD_MS = 500;

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
	/** Those of several connections are one object once they were seen to share a numbering. */
	numbers: Numbers;
	/** From when on it covers, if that is known better than by its first event. */
	from?: number;
	/** Its first events wait for the older connection, until one was seen to be a copy. */
	holding: boolean;
}

/** A time that no connection covers and that has not been reported yet; it began when everything was here. */
interface Pending {
	readonly reason: string;
	readonly lastCpt: number | undefined;
	/** Those of the connection that ended last. */
	readonly numbers: Numbers;
	/** There was no interruption: the gap waits for the next event, however late that is. */
	readonly silence: boolean;
}

export class Merge {
	private readonly trust = new Trust();

	private readonly copies = new Copies<Source>();

	private readonly timers: NamedTimers<'held' | 'due'>;

	/** The open connections, in the order in which they opened. */
	private sources: Source[] = [];

	/** Events that were delivered, and are not passed on yet. */
	private readonly held = new Fifo<Lone<Source>>();

	/** Up to when everything is here, as far as connections that have ended show it. */
	private coveredBefore?: number;

	private pending?: Pending;

	private lastEventAt = 0;

	constructor(
		private readonly clock: Clock,
		/** 0 = off. */
		private readonly silenceTimeoutMs: number,
		private readonly output: MergeOutput,
		/** When the feed before this one stopped, and why, if this one goes on with it. */
		{ arrivedUntil, reason }: { arrivedUntil?: number | undefined; reason?: string } = {},
	) {
		this.timers = new NamedTimers(clock);
		if (arrivedUntil === undefined || reason === undefined) return;
		this.coveredBefore = arrivedUntil;
		const numbers = new Numbers(this.trust);
		this.pending = { reason, lastCpt: undefined, numbers, silence: false };
	}

	/** Whether `cpt` was seen to count the account's events by one. */
	get countsByOne(): boolean {
		return this.trust.countsByOne && this.copies.sharing !== false;
	}

	/** How many copies of events were dropped. */
	get duplicates(): number {
		return this.copies.matched;
	}

	/** Whether a connection is open. */
	get isOpen(): boolean {
		return this.sources.length > 0;
	}

	/** Whether an interruption is over for the provider, and the gap about it is still to be reported. */
	get isUncovered(): boolean {
		return this.pending !== undefined && !this.pending.silence;
	}

	/**
	 * Up to when everything is here, in milliseconds since 1970, if something that came later, or a number before the last
	 * event, may be missing; otherwise undefined.
	 */
	get coveredUntil(): number | undefined {
		const reach = this.reach({ lackingMs: 0 });
		const awaited = Math.min(...this.sources.map(({ numbers }) => numbers.awaitedFrom));
		const isCovered = reach >= this.lastEventAt - TRANSIT_MS && awaited === Infinity;
		return isCovered ? undefined : Math.min(reach, awaited);
	}

	/** Up to when everything is here, in milliseconds since 1970; undefined before the first connection. */
	get arrivedUntil(): number | undefined {
		return this.coveredBefore === undefined ? undefined : this.reach({ lackingMs: 0 });
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
		const source: Source = {
			connection,
			numbers: new Numbers(this.trust),
			holding: this.sources.length > 0,
		};
		this.sources.push(source);
		if (this.coveredBefore === undefined) this.coveredBefore = connection.openedAt;
		// Nothing precedes the first connection, and nothing is missing before one that was recovered.
		else if (!recovered) return this.arm();
		source.from = this.coveredBefore;
		if (!this.pending) return;
		source.numbers = this.pending.numbers;
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
	 * it.
	 */
	dropped({ openedAt, aliveAt }: Life, reason: string): void {
		const from = Math.max(openedAt, aliveAt - TRANSIT_MS);
		this.output.onGap(gap(from, this.clock.now(), reason));
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
		// A connection that is still open may turn out to have stopped: so far only its events prove anything.
		this.coveredBefore = this.reach({ ended: { source, until }, eventsOnly: true });
		// A provider that ends one connection properly while another is open goes on with that one.
		if (ending.clean && other && this.fromOf(source) <= now)
			other.from = Math.min(this.fromOf(other), now - TRANSIT_MS);
		const isCovered = this.sources.some((one) => this.fromOf(one) <= reach);
		if (isCovered && other) this.joinNumbers(source, other);
		if (source.numbers !== other?.numbers) this.reportMissing(source.numbers, Infinity);
		if (!isCovered) this.uncovered(source, ending, other);
		if (other) other.holding = false;
		this.release();
		this.arm();
	}

	/** What proves until when a connection covered that ends now. @param other that stays open */
	private proofOf(connection: Life, { reason, clean }: Ending, other: Source | undefined): Proof {
		const wasLost = reason !== undefined;
		// If it was lost, what it lacks does not come any more.
		const lacks = this.lacks(connection, wasLost ? STARTING_MS : LACKING_MS);
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
		const { pending } = this;
		this.pending = {
			reason: pending?.reason ?? (other ? undefined : ending.reason) ?? REPLACED[why],
			lastCpt: pending?.lastCpt ?? source.numbers.highest,
			numbers: source.numbers,
			silence: why === 'silent' && pending?.silence !== false,
		};
		if (!other || why === 'silent') return;
		const from = this.fromOf(other);
		if (from <= this.clock.now()) this.cover(from, other.numbers.first);
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
		const lacking = this.lacks(next, force ? STARTING_MS : LACKING_MS);
		if (next.lastEventAt === undefined && lacking) return 'revert';
		if (force || age >= DEAD_MS) return 'switch';
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

	/** Whether nothing would be missing if the feed closed this connection now, because another one covers. */
	canSpare(connection: Life): boolean {
		const source = this.sourceOf(connection);
		if (!source || this.pending) return false;
		const reach = this.reach();
		return this.sources.some(
			(one) => one !== source && this.fromOf(one) <= reach && !this.lacks(one.connection, 0),
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

	private take(source: Source, event: FeedEvent): void {
		const since = this.lastEventAt;
		this.lastEventAt = event.receivedAt;
		if (this.pending) this.cover(this.fromOf(source), event.cpt);
		if (this.sources.length < 2) {
			if (!this.copies.isEmpty) this.copies.forget(event.receivedAt);
			if (this.copies.isEmpty) {
				this.output.onEvent(this.counted(source, event, since, false));
				return;
			}
		}
		const copy = this.copies.match(source, event);
		if (copy) this.matched(source, copy);
		const isCopy = copy !== undefined;
		const isCounted = copy?.source.numbers === source.numbers;
		const counted = isCounted ? event : this.counted(source, event, since, isCopy);
		if (copy) return;
		const lone = this.copies.add(source, counted, source.holding);
		if (!lone.held) return this.output.onEvent(counted);
		this.held.push(lone);
		if (!this.timers.has('held')) this.armHeld();
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
		if (this.copies.sharing === false && source.numbers === other.numbers) {
			source.numbers = new Numbers(this.trust);
		} else if (this.copies.sharing) this.joinNumbers(source, other, true);
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

	private armHeld(): void {
		const first = this.held.peek();
		if (!first) return;
		this.timers.set('held', Math.max(0, first.at + HOLD_MS - this.clock.now()), () => {
			this.release(this.clock.now() - HOLD_MS);
			this.armHeld();
		});
	}

	// ── numbers ─────────────────────────────────────────────────────────────────────────────────────────────

	/** Counts the number of an event. @returns the event, marked if it is late */
	private counted(
		{ numbers }: Source,
		event: FeedEvent,
		since: number,
		isCopy: boolean,
	): FeedEvent {
		const { cpt, receivedAt } = event;
		if (cpt === undefined || !Number.isInteger(cpt)) return event;
		// While two connections are not known to share a numbering, the other one may deliver what this one skips.
		const watch = this.sources.every((one) => one.numbers === numbers);
		const { due } = numbers;
		const isLate = numbers.take(cpt, receivedAt, since, isCopy, watch);
		if (numbers.due !== due) {
			this.findInCopies(numbers);
			this.arm();
		}
		return isLate ? { ...event, isLate } : event;
	}

	private joinNumbers(one: Source, other: Source, shared = false): void {
		if (this.copies.sharing === false || one.numbers === other.numbers) return;
		const opened = [one, other].sort((a, b) => a.connection.openedAt - b.connection.openedAt);
		const [older, newer] = opened as [Source, Source];
		const from = older.connection.lastEventAt ?? older.connection.openedAt;
		const to = newer.connection.firstEventAt ?? newer.connection.openedAt;
		if (older.numbers.join(newer.numbers, shared, from, to)) {
			newer.numbers = older.numbers;
			this.findInCopies(older.numbers);
		} else if (older.numbers.highest === undefined) older.numbers = newer.numbers;
	}

	/** A number that any connection delivered is not missing, even if it came late. */
	private findInCopies(numbers: Numbers): void {
		for (const { traits } of this.copies.all()) numbers.find(traits.cpt ?? NaN);
	}

	private reportMissing(numbers: Numbers, now: number): void {
		for (const one of numbers.overdue(now)) this.output.onGap(one);
	}

	// ── gaps ────────────────────────────────────────────────────────────────────────────────────────────────

	private fromOf({ connection, from = Infinity }: Source): number {
		return Math.min(from, coversFrom(connection));
	}

	/**
	 * Up to when everything is here, whichever connections cover it.
	 * @param ended a connection that has just ended, and until when it covered
	 * @param eventsOnly whether only the events of the open connections count
	 * @param lackingMs how long ago an event was delivered that a connection lacks
	 */
	private reach({
		ended,
		eventsOnly = false,
		lackingMs = LACKING_MS,
	}: {
		ended?: { source: Source; until: number };
		eventsOnly?: boolean;
		lackingMs?: number;
	} = {}): number {
		const sources = this.sources.map((source) => {
			const { connection } = source;
			const isDoubted =
				eventsOnly || this.isSilent(connection) || this.lacks(connection, lackingMs);
			return { source, until: coversUntil(connection, isDoubted ? 'events' : 'life') };
		});
		if (ended) sources.push(ended);
		// Each connection continues where another one stops: one round in the order of their beginnings is enough.
		sources.sort((a, b) => this.fromOf(a.source) - this.fromOf(b.source));
		let reach = this.coveredBefore ?? 0;
		for (const { source, until } of sources) {
			if (this.fromOf(source) <= reach) reach = Math.max(reach, until);
		}
		return reach;
	}

	/** A connection covers again: reports what was missed before. @param cpt the number of its first event */
	private cover(at: number, cpt?: number): void {
		const { pending, coveredBefore = at } = this;
		if (!pending) return;
		this.pending = undefined;
		this.timers.cancel('due');
		const { reason, lastCpt, silence } = pending;
		const missed = this.countsByOne ? missedBetween(lastCpt, cpt) : undefined;
		this.coveredBefore = at;
		if (!silence) this.output.onCovered(missed === 0);
		if (missed !== 0)
			this.output.onGap(gap(coveredBefore, at, reason, { lastCpt, firstCpt: cpt, missed }));
		this.arm();
	}

	/** Sets the timer for what is to be reported next: a gap without an event after it, or missing numbers. */
	private arm(): void {
		const covers = this.sources.map(({ connection }) => connection.openedAt + SERVED_MS);
		const coverAt = this.pending && !this.pending.silence ? Math.min(...covers) : Infinity;
		const dues = this.sources.map(({ numbers }) => numbers.due ?? Infinity);
		const due = Math.min(coverAt, ...dues);
		if (due === Infinity) return this.timers.cancel('due');
		this.timers.set('due', Math.max(0, due - this.clock.now()), () => {
			const now = this.clock.now();
			if (now >= coverAt) this.cover(coverAt);
			for (const { numbers } of this.sources) this.reportMissing(numbers, now);
			this.arm();
		});
	}
}
