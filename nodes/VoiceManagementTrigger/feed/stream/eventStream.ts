// Between the connections and the subscribers: lets each event through once and in order, and reports each gap. The one
// way in is receive(); from there: envelope.ts reads, overlap.ts drops the copies of a second connection, gaps.ts
// finds what is missing. Feed reports what becomes of the connections; which connection counts is decided in state/transition.ts.
import { completeUntil, isHealthy, type Delivery } from './gapStart';
import { GapTracker, FIRST_EVENT_MS, type Gap, type TwoConnections } from './gaps';
import { readUpdate } from '../envelope/envelope';
import { NamedTimers } from '../namedTimers';
import { HOLD_MS, Overlap } from './overlap';
import { decideOverlap, type OverlapDecision } from './overlapDecision';
import type { NumberRange, SequenceNumbers } from './sequenceNumbers';
import type { Clock, FeedEvent } from '../types';
import { LAG_MS } from './unmatched';

/** Why a gap is reported although one connection took over from the other in time. */
const UNCERTAIN_TAKEOVER = {
	dead: 'the connection was dead without notice until its renewal',
	stale: 'the connection had stopped delivering events until its renewal',
	unknown: 'no event came for a long time: some may have been missed',
};

/** What the stream has to know of a connection. It marks one that has stopped delivering as stale. */
export interface StreamConnection extends Delivery {
	readonly id: number;
	readonly numbers: SequenceNumbers;
	/** Last event or ping: everything that the operator sent before has arrived. */
	readonly aliveAt: number;
	readonly firstEventAt?: number;
	stale: boolean;
}

/** What comes out, in order. */
export interface EventStreamOutput {
	onEvent(event: FeedEvent): void;
	onGap(gap: Gap): void;
}

/** Two connections of which one takes over from the other. */
interface Takeover {
	previous: StreamConnection;
	next: StreamConnection;
	overlap: Overlap;
	/** Both work, and stay: two lines. */
	paired?: boolean;
	/** When one of the two was gone; copies are still known for LAG_MS. */
	endedAt?: number;
}

export class EventStream {
	private readonly gapTracker = new GapTracker();

	private readonly timers: NamedTimers<'release held events' | 'report gaps'>;

	private takeover?: Takeover;

	/** Of two lines, up to when the one that was lost had brought everything. */
	private completeUntil = 0;

	/** Takeovers before it whose copies may still come: a token of seconds is renewed again before they do. */
	private past: Takeover[] = [];

	/** What the past overlaps have shown about {@link numbersDiffer}. */
	private numbersDiffered = false;

	/** Copies dropped in takeovers that are forgotten. */
	private pastDuplicates = 0;

	constructor(
		private readonly clock: Clock,
		private readonly output: EventStreamOutput,
	) {
		this.timers = new NamedTimers(clock);
	}

	/** Whether `cpt` was seen to count the account's events by one. */
	get countsByOne(): boolean {
		return this.gapTracker.countsByOne && !this.numbersDiffer;
	}

	/**
	 * Up to when everything surely came, while a connection has a successor beside it and nothing has shown since that it
	 * was alive until then; undefined if there is no such doubt.
	 */
	get provenUntil(): number | undefined {
		if (!this.takeover || !this.isOverlapping || this.takeover.paired) return undefined;
		const { previous, next, overlap } = this.takeover;
		const until = this.lastComplete(previous, previous.aliveAt);
		if (until >= next.openedAt || overlap.statistics(this.clock.now()).matched > 0)
			return undefined;
		return until;
	}

	/** Copies of an event that were dropped. */
	get duplicates(): number {
		return this.takeovers.reduce(
			(sum, { overlap }) => sum + overlap.duplicates,
			this.pastDuplicates,
		);
	}

	/**
	 * Takes one `update` of an open connection.
	 * @param args the arguments of the Socket.IO event
	 * @returns whether there was an event in it
	 */
	receive(connection: StreamConnection, args: unknown[]): boolean {
		const events = readUpdate(args, connection.aliveAt);
		for (const event of events) this.take(connection, event);
		return events.length > 0;
	}

	/** There is a connection, and there was none before. */
	reconnected(): void {
		this.gapTracker.reconnected(this.clock.now());
		this.armGaps();
	}

	/**
	 * The only connection ended.
	 * @param clean the operator ended it, and everything before its end has arrived
	 * @param renewing its successor is under way already
	 */
	interrupted(
		connection: StreamConnection,
		{ reason, clean, renewing }: { reason: string; clean: boolean; renewing: boolean },
	): void {
		this.endOverlap();
		const from = this.lastComplete(connection, clean ? this.clock.now() : connection.aliveAt);
		const interruption = { from, reason, uncertain: renewing };
		const missing = this.gapTracker.lost(connection.numbers, interruption);
		for (const gap of missing) this.output.onGap(gap);
	}

	/** `next` is open beside `previous`. */
	beginOverlap(previous: StreamConnection, next: StreamConnection): void {
		const now = this.clock.now();
		this.endOverlap();
		if (this.takeover) this.past.push(this.takeover);
		this.forgetPast(now);
		const overlap = new Overlap(now, previous.numbers.last, this.numbersDiffered);
		this.takeover = { previous, next, overlap };
	}

	/**
	 * Compares the two connections of an overlap.
	 * @param force the overlap must end now
	 * @returns undefined if there is none
	 */
	decideOverlap(
		force: boolean,
	): { decision: OverlapDecision['decision']; sound: boolean } | undefined {
		if (!this.takeover || !this.isOverlapping) return undefined;
		const { previous, next, overlap } = this.takeover;
		const now = this.clock.now();
		const decided = decideOverlap({
			statistics: overlap.statistics(now),
			previous: { aliveAt: previous.aliveAt, healthy: isHealthy(previous, now) },
			openedAt: next.openedAt,
			now,
			force,
		});
		const { decision } = decided;
		if (decision !== 'switch') return { decision, sound: false };
		this.tookOverUncertainly(decided.uncertainty);
		return { decision, sound: decided.uncertainty === 'none' && isHealthy(previous, now) };
	}

	/** Both connections of the overlap stay. */
	pair(): void {
		if (!this.takeover || !this.isOverlapping) return;
		this.takeover.paired = true;
		this.takeover.overlap.stay();
	}

	/** Of two lines, the one that brings nothing of what the other one does. */
	silentLine(): StreamConnection | undefined {
		if (!this.takeover?.paired || !this.isOverlapping) return undefined;
		const { previous, next, overlap } = this.takeover;
		const now = this.clock.now();
		const silent = (side: 'previous' | 'next', { lastEventAt, openedAt }: StreamConnection) =>
			overlap.isSilent(side, lastEventAt ?? openedAt, now);
		if (silent('previous', previous)) return previous;
		return silent('next', next) ? next : undefined;
	}

	/** Of two lines, the newer one if it brought nothing since the older one brought an event. */
	newerBehind(): StreamConnection | undefined {
		if (!this.takeover?.paired || !this.isOverlapping) return undefined;
		const { next, overlap } = this.takeover;
		const lastAt = next.lastEventAt ?? next.openedAt;
		return overlap.isBehind('next', lastAt, this.clock.now()) ? next : undefined;
	}

	/**
	 * Whether the older of two lines brought nothing since the newer one began, and that one did: when it stopped, nothing
	 * shows, and of what it did not bring, the newer one has only what came since its own beginning.
	 */
	private hadStopped({ previous, next, overlap }: Takeover): boolean {
		const now = this.clock.now();
		const lastAt = previous.lastEventAt ?? previous.openedAt;
		if (lastAt >= next.openedAt || overlap.statistics(now).matched > 0) return false;
		return overlap.isBehind('previous', lastAt, now);
	}

	/** One of two lines ended. @param clean the operator ended it */
	lineLost(gone: StreamConnection, clean: boolean): void {
		if (!this.takeover || !this.isOverlapping) return;
		const { next } = this.takeover;
		if (gone === next) return this.nextGone(clean);
		// A line that lacks a single event need not have stopped: it may have died a moment ago, or the operator was about to
		// end it for the newer one.
		if (this.hadStopped(this.takeover) && this.silentLine() === gone) this.tookOverStopped();
		this.broughtAll(gone, clean);
		this.tookOver(clean ? 'clean' : 'broken');
	}

	/** The next connection of the overlap is gone, and the previous one goes on: what the next one brought is known. */
	nextGone(clean: boolean): void {
		if (!this.takeover || !this.isOverlapping) return;
		const { previous, next, overlap, paired } = this.takeover;
		const { matched, onlyNext } = overlap.statistics(this.clock.now());
		// It had shown by then that the previous one had stopped.
		const stale = paired ? this.hadStopped(this.takeover) : matched === 0 && onlyNext > 0;
		if (stale) this.tookOverStopped();
		this.broughtAll(next, clean, stale);
		// Once both had brought an event, nothing lies between them; and the numbering may have begun again since.
		if (matched > 0 && !overlap.numbersDiffer) previous.numbers.knowOf(next.numbers);
		else if (!overlap.numbersDiffer) {
			this.gapTracker.nextEnded(numbersOf(this.takeover));
		}
		this.endOverlap();
		this.armGaps();
	}

	/**
	 * One of two connections that were seen to bring the same ended: until then everything came.
	 * @param alone it alone brought something
	 */
	private broughtAll(gone: StreamConnection, clean: boolean, alone = false): void {
		if (!this.takeover) return;
		const { overlap, paired } = this.takeover;
		const now = this.clock.now();
		if (!paired && !alone && overlap.statistics(now).matched === 0) return;
		const until = completeUntil(gone, clean ? now : gone.aliveAt);
		this.completeUntil = Math.max(this.completeUntil, until);
	}

	/**
	 * The next connection of the overlap has taken over.
	 * @param ended what became of the previous one: let go of by the feed, or ended by itself
	 */
	tookOver(ended: 'replaced' | 'clean' | 'broken'): void {
		if (!this.takeover || !this.isOverlapping) return;
		const { previous, next, overlap, paired } = this.takeover;
		if (paired && ended === 'replaced') this.replacedLine(this.takeover);
		if (paired) this.completeUntil = this.lastComplete(previous, previous.aliveAt);
		else if (ended !== 'replaced') this.endedInOverlap(ended);
		const now = this.clock.now();
		// What both have brought shows that nothing lies between them.
		if (overlap.statistics(now).matched === 0) {
			const { numbersDiffer } = overlap;
			this.gapTracker.tookOver({ ...numbersOf(this.takeover), numbersDiffer });
		}
		if (paired || next.numbers.last !== undefined) this.tellNumbers(this.takeover);
		this.endOverlap();
		this.armGaps();
	}

	/** The older of two lines makes room: what it may not have brought before the newer one began is told. */
	private replacedLine(takeover: Takeover): void {
		const { previous, overlap } = takeover;
		if (this.hadStopped(takeover)) this.tookOverStopped();
		else if (previous.stale && overlap.statistics(this.clock.now()).matched === 0)
			this.tookOverUncertainly('unknown');
	}

	/** Tells the next connection the previous one's newest number, which it may not have brought itself. */
	private tellNumbers({ previous, next, overlap }: Takeover): void {
		if (!overlap.numbersDiffer) next.numbers.knowOf(previous.numbers);
	}

	/** One of the two connections is gone: hands on what was held. Copies are still known for a while. */
	private endOverlap(): void {
		if (!this.takeover || !this.isOverlapping) return;
		this.takeover.endedAt = this.clock.now();
		this.numbersDiffered = this.numbersDiffer;
		this.timers.cancel('release held events');
		for (const event of this.takeover.overlap.end()) this.deliver(event);
	}

	/** What has come and waits for the other connection of an overlap, in order. */
	get waiting(): FeedEvent[] {
		return this.takeover?.overlap.waiting ?? [];
	}

	/** The machine's clock was set back: what has a time is as long ago as before. */
	setBack(ms: number): void {
		this.completeUntil -= ms;
		this.gapTracker.setBack(ms);
		for (const { overlap } of this.takeovers) overlap.setBack(ms);
	}

	/** Nothing comes out any more. */
	close(): void {
		this.timers.cancelAll();
		this.takeover = undefined;
		this.past = [];
	}

	/** Whether each connection counts for itself, as far as any two of them have shown. */
	private get numbersDiffer(): boolean {
		const { overlap } = this.takeover ?? {};
		return !overlap?.numbersShared && (overlap?.numbersDiffer === true || this.numbersDiffered);
	}

	private get isOverlapping(): boolean {
		return this.takeover !== undefined && this.takeover.endedAt === undefined;
	}

	private take(connection: StreamConnection, event: FeedEvent): void {
		const dueBefore = this.gapTracker.nextDue();
		const beside = this.numbersBeside(connection);
		const missing = this.gapTracker.received(connection.numbers, event, beside);
		if (missing) this.fillFromBefore(connection, missing);
		if (!this.takeover) this.deliver(event);
		else for (const one of this.withoutCopies(connection, event, this.takeover)) this.deliver(one);
		if (this.gapTracker.nextDue() !== dueBefore) this.armGaps();
	}

	/** Of the connection beside it; false if nothing can be concluded from them. */
	private numbersBeside(connection: StreamConnection): SequenceNumbers | false | undefined {
		if (!this.takeover || !this.isOverlapping) return undefined;
		const { previous, next, overlap } = this.takeover;
		if (!overlap.numbersShared) return false;
		return (connection === next ? previous : next).numbers;
	}

	/** What a connection that is gone now brought is not missing where the one that was beside it lags behind. */
	private fillFromBefore(connection: StreamConnection, missing: NumberRange): void {
		for (const { previous, next, overlap, endedAt } of this.takeovers) {
			if (endedAt === undefined || (connection !== previous && connection !== next)) continue;
			const gone = connection === next ? 'previous' : 'next';
			for (const cpt of overlap.broughtAlone(gone, missing)) this.gapTracker.fill(cpt);
		}
	}

	private get takeovers(): Takeover[] {
		return this.takeover ? [...this.past, this.takeover] : this.past;
	}

	/** As {@link completeUntil}; of two lines, the other one may have been complete for longer. */
	private lastComplete(connection: StreamConnection, seen: number): number {
		return Math.max(completeUntil(connection, seen), this.completeUntil);
	}

	/** Through an overlap that is, or was a moment ago. */
	private withoutCopies(
		connection: StreamConnection,
		event: FeedEvent,
		takeover: Takeover,
	): FeedEvent[] {
		const { overlap, endedAt } = takeover;
		// Copies of what an earlier pair of connections brought: an event that is older than this pair.
		for (const one of this.past) if (passThrough(one, connection, event).length === 0) return [];
		if (endedAt !== undefined && event.receivedAt - endedAt > LAG_MS) {
			this.past.push(takeover);
			this.takeover = undefined;
			this.forgetPast(event.receivedAt);
			return [event];
		}
		const passed = passThrough(takeover, connection, event);
		if (overlap.isHolding() && !this.timers.has('release held events')) this.armRelease(takeover);
		return passed;
	}

	private deliver(event: FeedEvent): void {
		const gap = this.gapTracker.beforeEvent(event);
		if (gap) this.output.onGap(gap);
		this.output.onEvent(event);
	}

	private armRelease(takeover: Takeover): void {
		const { overlap, previous } = takeover;
		this.timers.set('release held events', HOLD_MS, () => {
			const now = this.clock.now();
			for (const event of overlap.due(now, isHealthy(previous, now))) this.deliver(event);
			if (overlap.isHolding()) this.armRelease(takeover);
		});
	}

	private armGaps(): void {
		const due = this.gapTracker.nextDue();
		if (due === undefined) return this.timers.cancel('report gaps');
		this.timers.set('report gaps', Math.max(0, due - this.clock.now()), () => {
			for (const gap of this.gapTracker.due(this.clock.now())) this.output.onGap(gap);
			this.armGaps();
		});
	}

	/** The previous connection ended by itself: fine if it was seen to deliver what the next one did. */
	private endedInOverlap(ended: 'clean' | 'broken'): void {
		if (!this.takeover) return;
		const { previous, next, overlap } = this.takeover;
		const now = this.clock.now();
		if (overlap.statistics(now).matched > 0) return this.broughtAll(previous, ended === 'clean');
		// Nothing was heard from it since: it was dead then, however quiet it had been before.
		if (ended === 'broken' && previous.aliveAt <= next.openedAt) this.tookOverUncertainly('dead');
		else if (!isHealthy(previous, now)) this.tookOverUncertainly('unknown');
	}

	/** The next connection has shown that the previous one had stopped. */
	private tookOverStopped(): void {
		if (this.takeover) this.takeover.previous.stale = true;
		this.tookOverUncertainly('stale');
	}

	/** The previous connection may have missed events before the next one took over. */
	private tookOverUncertainly(uncertainty: 'none' | 'dead' | 'stale' | 'unknown'): void {
		if (!this.takeover || uncertainty === 'none') return;
		const { previous, next } = this.takeover;
		const stale = previous.stale || uncertainty === 'stale';
		const { openedAt, lastEventAt, session, aliveAt } = previous;
		if (next.firstEventAt !== undefined) this.tellNumbers(this.takeover);
		const gap = this.gapTracker.tookOverUncertainly({
			...numbersOf(this.takeover),
			from: Math.max(
				completeUntil({ openedAt, lastEventAt, session, stale }, aliveAt),
				this.completeUntil,
			),
			// Complete again from the next connection's first event on, if one came, or when its `init` has surely arrived.
			to: Math.min(next.firstEventAt ?? next.openedAt, next.openedAt + FIRST_EVENT_MS),
			exact: next.firstEventAt !== undefined,
			reason: UNCERTAIN_TAKEOVER[uncertainty],
			deferred: uncertainty === 'unknown',
		});
		if (gap) this.output.onGap(gap);
		this.armGaps();
	}

	/** What ended so long ago that no copy of it can come any more. */
	private forgetPast(now: number): void {
		const [recent, old]: [Takeover[], Takeover[]] = [[], []];
		for (const one of this.past) (now - (one.endedAt ?? now) > LAG_MS ? old : recent).push(one);
		this.past = recent;
		for (const { overlap } of old) this.pastDuplicates += overlap.duplicates;
	}
}

function numbersOf({ previous, next, overlap }: Takeover): TwoConnections {
	return {
		previous: previous.numbers,
		next: next.numbers,
		brought: (range) => overlap.broughtAlone('next', range),
		from: previous.lastEventAt ?? previous.openedAt,
		to: next.firstEventAt ?? next.openedAt,
	};
}

/** What an overlap lets through of a connection's event; events of other connections are none of its business. */
function passThrough(
	{ previous, next, overlap }: Takeover,
	connection: StreamConnection,
	event: FeedEvent,
): FeedEvent[] {
	if (connection === previous) return overlap.fromPrevious(event);
	return connection === next ? overlap.fromNext(event) : [event];
}
