// The one way from the connections to the subscribers: passes each event on once and in order, and reports each gap.
// Events come in through receive(): envelope.ts reads them, gaps.ts finds missing numbers, and overlap.ts drops the
// copies that come over a second connection. feed.ts calls the other methods when a connection opens or ends;
// state/transition.ts decides which connections are used.
import { completeUntil, isHealthy, TRANSIT_MS, type Delivery } from './gapStart';
import { FIRST_EVENT_MS, gap, GapTracker, type Gap, type TwoConnections } from './gaps';
import { readUpdate } from '../envelope/envelope';
import { NamedTimers } from '../namedTimers';
import { Overlap } from './overlap';
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

/** The properties of a connection that the stream uses. */
export interface StreamConnection extends Delivery {
	readonly id: number;
	readonly numbers: SequenceNumbers;
	/** Time of the last event or ping: everything that the operator sent before it has arrived. */
	readonly aliveAt: number;
	readonly firstEventAt?: number;
	/**
	 * The connection is open, but has stopped delivering: it was silent for too long, or delivered none of the other
	 * connection's events. Set by feed.ts and here.
	 */
	stale: boolean;
}

/** Receives the events and the gaps, in order. */
export interface EventStreamOutput {
	onEvent(event: FeedEvent): void;
	onGap(gap: Gap): void;
}

/**
 * Two connections, of which `next` was opened while `previous` was open: to take over from it, or as the second of two
 * lines. The time in which both are open is their overlap. A takeover is kept for a while after that, to recognise late
 * copies.
 */
interface Takeover {
	previous: StreamConnection;
	next: StreamConnection;
	overlap: Overlap;
	/** The connections are paired: both work, and both stay as two lines instead of one taking over. */
	paired?: boolean;
	/** When the overlap ended because one of the two was gone; copies are still recognised for LAG_MS. */
	endedAt?: number;
}

export class EventStream {
	private readonly gapTracker = new GapTracker();

	private readonly timers: NamedTimers<'release held events' | 'report gaps'>;

	/** The latest one; its overlap may have ended. */
	private takeover?: Takeover;

	/**
	 * Up to when everything is known to have arrived because of a second connection that is gone now, in milliseconds
	 * since 1970.
	 */
	private completeUntil = 0;

	/**
	 * Earlier takeovers whose copies can still arrive. There are several if tokens last only seconds, because the next
	 * renewal then begins before the copies of the last one have arrived.
	 */
	private past: Takeover[] = [];

	/** The value of {@link numbersDiffer} when the last overlap ended. */
	private numbersDiffered = false;

	/** The older of two lines ended and may have stopped before: what it may have missed, and when it ended. */
	private suspect?: { readonly gap: Gap; readonly endedAt: number };

	/** How many copies were dropped in takeovers that are forgotten. */
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
	 * While it is uncertain whether everything arrived that was sent before the last event: up to when it certainly did, in
	 * milliseconds since 1970. That is so in an overlap in which nothing shows yet that the previous connection still
	 * worked when the next one opened, and while a gap that begins before the last event is not reported yet. Undefined
	 * at any other time.
	 */
	get provenUntil(): number | undefined {
		const pending = this.gapTracker.completeBefore(TRANSIT_MS);
		const overlapping = this.provenInOverlap();
		if (pending === undefined || overlapping === undefined) return pending ?? overlapping;
		return Math.min(pending, overlapping);
	}

	private provenInOverlap(): number | undefined {
		if (!this.takeover || !this.isOverlapping || this.takeover.paired) return undefined;
		const { previous, next, overlap } = this.takeover;
		const { matched, next: brought } = overlap.statistics(this.clock.now());
		if (matched > 0) return undefined;
		// If only the next one has delivered events, the previous one may have stopped, although it still answers pings.
		const { from } = this.doubtful(this.takeover, previous.stale || brought > 0);
		return from >= next.openedAt ? undefined : from;
	}

	/** How many copies of events were dropped. */
	get duplicates(): number {
		return this.takeovers.reduce(
			(sum, { overlap }) => sum + overlap.duplicates,
			this.pastDuplicates,
		);
	}

	/**
	 * Takes one `update` of an open connection.
	 * @param args the arguments of the Socket.IO event
	 * @returns whether an event could be read from it
	 */
	receive(connection: StreamConnection, args: unknown[]): boolean {
		const events = readUpdate(args, connection.aliveAt);
		for (const event of events) this.take(connection, event);
		return events.length > 0;
	}

	/** A connection is open, and none was before. */
	reconnected(): void {
		this.gapTracker.reconnected(this.clock.now());
		this.armGaps();
	}

	/**
	 * The only connection ended.
	 * @param clean the operator ended it properly, so everything that it sent before has arrived
	 * @param renewing the connection that replaces it is already being opened
	 */
	interrupted(
		connection: StreamConnection,
		{ reason, clean, renewing }: { reason: string; clean: boolean; renewing: boolean },
	): void {
		this.endOverlap();
		const now = this.clock.now();
		const { suspect } = this;
		if (suspect && Math.abs(now - suspect.endedAt) <= TRANSIT_MS) this.output.onGap(suspect.gap);
		const from = this.lastComplete(connection, clean ? now : connection.aliveAt);
		const interruption = { from, reason, uncertain: renewing };
		const missing = this.gapTracker.lost(connection.numbers, interruption);
		for (const one of missing) this.output.onGap(one);
	}

	/** `next` was opened while `previous` is open: their overlap begins. */
	beginOverlap(previous: StreamConnection, next: StreamConnection): void {
		const now = this.clock.now();
		this.endOverlap();
		if (this.takeover) this.past.push(this.takeover);
		this.forgetPast(now);
		const overlap = new Overlap(now, previous.numbers.last, this.numbersDiffered);
		this.takeover = { previous, next, overlap };
	}

	/**
	 * Compares the two connections of an overlap, and decides whether the next one takes over. If it does, and the
	 * previous one may have missed events before, there is a gap, which is reported at once or later.
	 * @param force the overlap must end now
	 * @returns the decision, and in `sound` whether both connections work; undefined if there is no overlap
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

	/** Both connections of the overlap stay, as two lines. */
	pair(): void {
		if (!this.takeover || !this.isOverlapping) return;
		this.takeover.paired = true;
		this.takeover.overlap.stay();
	}

	/** The one of two lines that delivers none of the other one's events, if any. */
	silentLine(): StreamConnection | undefined {
		if (!this.takeover?.paired || !this.isOverlapping) return undefined;
		const { previous, next, overlap } = this.takeover;
		const now = this.clock.now();
		const silent = (side: 'previous' | 'next', { lastEventAt, openedAt }: StreamConnection) =>
			overlap.isSilent(side, lastEventAt ?? openedAt, now);
		if (silent('previous', previous)) return previous;
		return silent('next', next) ? next : undefined;
	}

	/** The newer of two lines, if the older one has delivered an event since the newer one's last. */
	newerBehind(): StreamConnection | undefined {
		if (!this.takeover?.paired || !this.isOverlapping) return undefined;
		const { next, overlap } = this.takeover;
		const lastAt = next.lastEventAt ?? next.openedAt;
		return overlap.isBehind('next', lastAt, this.clock.now()) ? next : undefined;
	}

	/**
	 * Whether only the newer of two lines has delivered events since it opened. Then the older one had stopped at an
	 * unknown moment, and events between that moment and the opening of the newer one may have come over neither.
	 */
	private hadStopped({ previous, next, overlap }: Takeover): boolean {
		const now = this.clock.now();
		const lastAt = previous.lastEventAt ?? previous.openedAt;
		if (lastAt >= next.openedAt || overlap.statistics(now).matched > 0) return false;
		return overlap.isBehind('previous', lastAt, now);
	}

	/** One of two lines ended, and the other one stays. @param clean as in {@link interrupted} */
	lineLost(gone: StreamConnection, clean: boolean): void {
		if (!this.takeover || !this.isOverlapping) return;
		const { next, paired } = this.takeover;
		if (gone === next) return this.nextGone(clean);
		if (this.hadStopped(this.takeover)) {
			const stopped = !clean && outlivedEvents(this.takeover);
			// Otherwise a single missing event does not prove it: the line may have broken a moment ago, or the operator
			// was about to end it because of the newer one.
			if (this.silentLine() === gone || (paired && stopped)) this.tookOverStopped();
			// Without a pair, tookOver() reports that, and it reports a dead one. If the newer one breaks as well,
			// interrupted() needs no proof.
			else if (gone.aliveAt > next.openedAt && !stopped) {
				const { from, to } = this.doubtful(this.takeover, true);
				const doubt = gap(from, to, UNCERTAIN_TAKEOVER.stale);
				this.suspect = { gap: doubt, endedAt: this.clock.now() };
			}
		} else if (paired) this.doubtSilent(this.takeover);
		this.broughtAll(gone, clean);
		this.tookOver(clean ? 'clean' : 'broken');
	}

	/**
	 * The next connection of the overlap is gone, and the previous one stays. What the next one delivered is still used
	 * to find what the previous one missed.
	 * @param clean as in {@link interrupted}
	 */
	nextGone(clean: boolean): void {
		if (!this.takeover || !this.isOverlapping) return;
		const { previous, next, overlap, paired } = this.takeover;
		const { matched, onlyNext } = overlap.statistics(this.clock.now());
		// Whether the next one has shown, by delivering what the previous one did not, that the previous one had
		// stopped.
		const stale = paired ? this.hadStopped(this.takeover) : matched === 0 && onlyNext > 0;
		if (stale) this.tookOverStopped();
		this.broughtAll(next, clean, stale);
		// If an event came over both, no numbers are missing between them. Comparing them now could even be wrong,
		// because the numbering may have restarted since.
		if (matched > 0 && !overlap.numbersDiffer) previous.numbers.knowOf(next.numbers);
		else if (!overlap.numbersDiffer) {
			this.gapTracker.nextEnded(numbersOf(this.takeover));
		}
		this.endOverlap();
		this.armGaps();
	}

	/**
	 * One of two connections ended: records up to when it had delivered everything. That is known only if an event came
	 * over both, if the two were paired and it delivered one, or if `alone`.
	 * @param alone it delivered events that the other one did not
	 */
	private broughtAll(gone: StreamConnection, clean: boolean, alone = false): void {
		if (!this.takeover) return;
		const { overlap, paired } = this.takeover;
		const now = this.clock.now();
		const showed = alone || (paired && gone.lastEventAt !== undefined);
		if (!showed && overlap.statistics(now).matched === 0) return;
		const until = completeUntil(gone, clean ? now : gone.aliveAt);
		this.completeUntil = Math.max(this.completeUntil, until);
	}

	/**
	 * The next connection of the overlap has taken over.
	 * @param ended how the previous one ended: the feed closes it (`replaced`), the operator ended it (`clean`), or it
	 *   was lost in another way (`broken`)
	 */
	tookOver(ended: 'replaced' | 'clean' | 'broken'): void {
		if (!this.takeover || !this.isOverlapping) return;
		const { previous, next, overlap, paired } = this.takeover;
		if (paired && ended === 'replaced') this.replacedLine(this.takeover);
		if (paired) this.completeUntil = this.lastComplete(previous, previous.aliveAt);
		else if (ended !== 'replaced') this.endedInOverlap(ended);
		const now = this.clock.now();
		// If an event came over both, no numbers are missing between them.
		if (overlap.statistics(now).matched === 0) {
			const { numbersDiffer } = overlap;
			this.gapTracker.tookOver({ ...numbersOf(this.takeover), numbersDiffer });
		}
		if (paired || next.numbers.last !== undefined) this.tellNumbers(this.takeover);
		this.endOverlap();
		this.armGaps();
	}

	/** The older of two lines is replaced: reports a gap if it may have missed events before the newer one opened. */
	private replacedLine(takeover: Takeover): void {
		if (this.hadStopped(takeover)) this.tookOverStopped();
		else this.doubtSilent(takeover);
	}

	/** The older of two lines ends after a long silence, in which the newer one delivered nothing either. */
	private doubtSilent({ previous, overlap }: Takeover): void {
		if (previous.stale && overlap.statistics(this.clock.now()).matched === 0)
			this.tookOverUncertainly('unknown');
	}

	/** Passes the previous connection's newest number to the next one, which may not have delivered it itself. */
	private tellNumbers({ previous, next, overlap }: Takeover): void {
		if (!overlap.numbersDiffer) next.numbers.knowOf(previous.numbers);
	}

	/** One of the two connections is gone: passes the held events on. Copies are still recognised for LAG_MS. */
	private endOverlap(): void {
		if (!this.takeover || !this.isOverlapping) return;
		this.takeover.endedAt = this.clock.now();
		this.numbersDiffered = this.numbersDiffer;
		this.timers.cancel('release held events');
		for (const event of this.takeover.overlap.end()) this.deliver(event);
	}

	/**
	 * The held events of an overlap, in order: they came first over the next connection, and are passed on a moment
	 * later, so that the previous one can first deliver what precedes them.
	 */
	get waiting(): FeedEvent[] {
		return this.takeover?.overlap.waiting ?? [];
	}

	/** The machine's clock was set back: shifts stored times, so that they are as far away as before. */
	setBack(ms: number): void {
		this.completeUntil -= ms;
		this.gapTracker.setBack(ms);
		for (const { overlap } of this.takeovers) overlap.setBack(ms);
	}

	/** No event and no gap comes out after this call. */
	close(): void {
		this.timers.cancelAll();
		this.takeover = undefined;
		this.past = [];
	}

	/** Whether each connection has a numbering of its own (and not one for all), as far as the overlaps have shown. */
	private get numbersDiffer(): boolean {
		const { overlap } = this.takeover ?? {};
		return !overlap?.numbersShared && (overlap?.numbersDiffer === true || this.numbersDiffered);
	}

	/** Whether both connections of the takeover are open. */
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

	/**
	 * The numbers of the other connection of an overlap; false if the two are not known to share a numbering, undefined
	 * if there is no overlap.
	 */
	private numbersBeside(connection: StreamConnection): SequenceNumbers | false | undefined {
		if (!this.takeover || !this.isOverlapping) return undefined;
		const { previous, next, overlap } = this.takeover;
		if (!overlap.numbersShared) return false;
		return (connection === next ? previous : next).numbers;
	}

	/**
	 * Numbers that a connection delivered before it ended are not missing, even if the other one of its overlap skips
	 * them because it lags behind.
	 */
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

	/** Like completeUntil() of gapStart.ts, but later if a second connection had delivered everything for longer. */
	private lastComplete(connection: StreamConnection, seen: number): number {
		return Math.max(completeUntil(connection, seen), this.completeUntil);
	}

	/**
	 * Takes an event of a connection that is, or was a moment ago, in an overlap.
	 * @returns the events to pass on now, in order: none if the event is a copy or held, more than one if others were
	 *   held
	 */
	private withoutCopies(
		connection: StreamConnection,
		event: FeedEvent,
		takeover: Takeover,
	): FeedEvent[] {
		const { endedAt } = takeover;
		// An event that is older than this takeover can be a copy of one that came during an earlier one.
		for (const one of this.past) if (passThrough(one, connection, event).length === 0) return [];
		if (endedAt !== undefined && event.receivedAt - endedAt > LAG_MS) {
			this.past.push(takeover);
			this.takeover = undefined;
			this.forgetPast(event.receivedAt);
			return [event];
		}
		const passed = passThrough(takeover, connection, event);
		if (!this.timers.has('release held events')) this.armRelease(takeover);
		return passed;
	}

	private deliver(event: FeedEvent): void {
		const missed = this.gapTracker.beforeEvent(event);
		if (missed) this.output.onGap(missed);
		this.output.onEvent(event);
	}

	private armRelease(takeover: Takeover): void {
		const { overlap, previous } = takeover;
		const { releaseAt } = overlap;
		if (releaseAt === undefined) return;
		this.timers.set('release held events', Math.max(0, releaseAt - this.clock.now()), () => {
			const now = this.clock.now();
			for (const event of overlap.due(now, isHealthy(previous, now))) this.deliver(event);
			this.armRelease(takeover);
		});
	}

	private armGaps(): void {
		const due = this.gapTracker.nextDue();
		if (due === undefined) return this.timers.cancel('report gaps');
		this.timers.set('report gaps', Math.max(0, due - this.clock.now()), () => {
			for (const one of this.gapTracker.due(this.clock.now())) this.output.onGap(one);
			this.armGaps();
		});
	}

	/** The previous connection ended by itself. Unless an event came over both, it may have missed some before. */
	private endedInOverlap(ended: 'clean' | 'broken'): void {
		if (!this.takeover) return;
		const { previous, next, overlap } = this.takeover;
		const now = this.clock.now();
		if (overlap.statistics(now).matched > 0) return this.broughtAll(previous, ended === 'clean');
		// It gave no sign of life after the next one opened, so it was already dead by then, even if it was not stale.
		if (ended === 'broken' && previous.aliveAt <= next.openedAt) this.tookOverUncertainly('dead');
		// If the operator ended it, that proves nothing: an operator that allows one session can stop delivering long
		// before.
		else if (ended === 'broken' && outlivedEvents(this.takeover)) this.tookOverStopped();
		else if (!isHealthy(previous, now)) this.tookOverUncertainly('unknown');
	}

	/** The next connection has shown that the previous one had stopped: marks that one as stale and reports a gap. */
	private tookOverStopped(): void {
		if (this.takeover) this.takeover.previous.stale = true;
		this.tookOverUncertainly('stale');
	}

	/**
	 * The previous connection may have missed events before the next one took over, unless `uncertainty` is `none`:
	 * there is a gap, which is reported at once or later.
	 */
	private tookOverUncertainly(uncertainty: 'none' | 'dead' | 'stale' | 'unknown'): void {
		if (!this.takeover || uncertainty === 'none') return;
		const { previous, next } = this.takeover;
		if (next.firstEventAt !== undefined) this.tellNumbers(this.takeover);
		const missed = this.gapTracker.tookOverUncertainly({
			...numbersOf(this.takeover),
			...this.doubtful(this.takeover, previous.stale || uncertainty === 'stale'),
			exact: next.firstEventAt !== undefined,
			reason: UNCERTAIN_TAKEOVER[uncertainty],
			deferred: uncertainty === 'unknown',
		});
		if (missed) this.output.onGap(missed);
		this.armGaps();
	}

	/**
	 * The time in which neither connection may have delivered: from the moment up to which the previous one had
	 * delivered everything to the next one's first event, or at the latest FIRST_EVENT_MS after that one opened, when the
	 * operator has certainly received its `init`. If no event has come yet, gaps.ts waits for it.
	 * @param stale whether the previous one had stopped before
	 */
	private doubtful({ previous, next }: Takeover, stale: boolean): { from: number; to: number } {
		const { openedAt, lastEventAt, session, aliveAt } = previous;
		const complete = completeUntil({ openedAt, lastEventAt, session, stale }, aliveAt);
		return {
			from: Math.max(complete, this.completeUntil),
			to: Math.min(next.firstEventAt ?? next.openedAt, next.openedAt + FIRST_EVENT_MS),
		};
	}

	/** Forgets takeovers that ended so long ago that no copies are expected any more. */
	private forgetPast(now: number): void {
		const [recent, old]: [Takeover[], Takeover[]] = [[], []];
		for (const one of this.past) (now - (one.endedAt ?? now) > LAG_MS ? old : recent).push(one);
		this.past = recent;
		for (const { overlap } of old) this.pastDuplicates += overlap.duplicates;
	}
}

/** Whether the previous connection gave a sign of life after an event that only the next one delivered. */
function outlivedEvents({ previous, overlap }: Takeover): boolean {
	const lastAt = previous.lastEventAt ?? previous.openedAt;
	return overlap.isBehind('previous', lastAt, previous.aliveAt);
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

/** The events that a takeover lets through when `event` comes. Events of a third connection pass unchanged. */
function passThrough(
	{ previous, next, overlap }: Takeover,
	connection: StreamConnection,
	event: FeedEvent,
): FeedEvent[] {
	if (connection === previous) return overlap.fromPrevious(event);
	return connection === next ? overlap.fromNext(event) : [event];
}
