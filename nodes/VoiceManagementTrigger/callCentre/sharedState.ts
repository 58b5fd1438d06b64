// The call centre of each feed, shared by every trigger that listens to it: twenty workflows on one account follow its calls
// only once. The map below is module state on purpose, like that of the feeds: n8n builds each node separately.

import type { Clock, Directory, FeedEvent, FeedStatus } from '../feed/types';
import type { Change } from './changes';
import { CallCentre } from './fold';
import { MomentTimer } from './momentTimer';

/**
 * Receives what has changed, in order.
 * @param now when that was: the arrival of an event, or when something was due. It does not go back
 */
export type Consumer = (changes: readonly Change[], now: number) => void;

/** Who consumes, and when something is due although nothing has changed; undefined: nothing. */
interface Taker {
	consume: Consumer;
	nextDue: () => number | undefined;
}

/** One trigger's share of the call centre of a feed. */
export interface CentreShare {
	readonly centre: CallCentre;
	/**
	 * Every trigger passes on every event that it receives; an event that another one has already passed on is ignored.
	 */
	readonly onEvent: (event: FeedEvent) => void;
	onStatus(status: FeedStatus): void;
	/** Time has passed: what it changes is reported before anybody looks. */
	passTime(): void;
	close(): void;
}

class SharedCentre {
	readonly centre: CallCentre;
	readonly takers = new Set<Taker>();
	private lastEvent: FeedEvent | undefined;
	private lastStatus: FeedStatus | undefined;
	private now = Number.NEGATIVE_INFINITY;
	private errors: unknown[] = [];
	private readonly timer: MomentTimer;

	constructor(
		private readonly clock: Clock,
		directory: () => Directory | undefined,
	) {
		this.centre = new CallCentre(() => directory()?.agents);
		this.timer = new MomentTimer(clock, () => this.passTime());
	}

	/** Nobody listens any more. */
	stop(): void {
		this.timer.cancel();
	}

	onEvent(event: FeedEvent): void {
		if (event === this.lastEvent) return;
		this.lastEvent = event;
		this.pass(event.receivedAt);
		this.report(this.centre.onEvent(event));
		this.passTime(event.receivedAt);
	}

	onStatus(status: FeedStatus): void {
		if (status === this.lastStatus) return;
		this.lastStatus = status;
		this.pass(this.clock.now());
		if (status.event === 'disconnected') this.report(this.centre.onInterruption(this.now));
		else if (status.event === 'gap') this.report(this.centre.onInterruption(this.now, status.from));
		this.passTime();
	}

	passTime(until = this.clock.now()): void {
		const due = this.pass(until);
		this.timer.set(due === Infinity ? undefined : due);
		const { errors } = this;
		if (errors.length === 0) return;
		this.errors = [];
		throw new AggregateError(errors, 'a consumer of the call centre failed');
	}

	/** Whatever is due by then happens in its order, however late the timer is. @returns when something is due next */
	private pass(until: number): number {
		let due = this.nextDue();
		// Whoever fails may be due for ever.
		for (; due <= until && this.errors.length === 0; due = this.nextDue()) {
			this.now = Math.max(this.now, due);
			this.report(this.centre.tick(this.now));
		}
		this.now = Math.max(this.now, until);
		return due;
	}

	private nextDue(): number {
		let first = this.centre.nextDue() ?? Infinity;
		for (const { nextDue } of this.takers) first = Math.min(first, nextDue() ?? Infinity);
		return first;
	}

	/** If one consumer throws, the others still get it. */
	private report(changes: readonly Change[]): void {
		for (const { consume } of this.takers) {
			try {
				consume(changes, this.now);
			} catch (error) {
				this.errors.push(error);
			}
		}
	}
}

const shared = new Map<Clock, Map<unknown, SharedCentre>>();

/** What the triggers that listen to one feed have in common, and what one of them is told besides changes. */
export interface CentreContext {
	/** The same for all triggers that listen to one feed. */
	key: unknown;
	clock: Clock;
	/** The newest login's names. */
	directory: () => Directory | undefined;
	/** Something had to be discarded, to stay within the limits. */
	gaveUp: (what: string) => void;
}

/** Joins the call centre of a feed, or creates it. */
export function shareCentre(
	{ key, clock, directory, gaveUp }: CentreContext,
	take: Consumer,
	nextDue: Taker['nextDue'] = () => undefined,
): CentreShare {
	const consume: Consumer = (changes, now) => {
		for (const change of changes) if (change.kind === 'gaveUp') gaveUp(change.what);
		take(changes, now);
	};
	const taker = { consume, nextDue };
	const ofClock = shared.get(clock) ?? new Map<unknown, SharedCentre>();
	shared.set(clock, ofClock);
	const one = ofClock.get(key) ?? new SharedCentre(clock, directory);
	ofClock.set(key, one);
	one.takers.add(taker);
	return {
		centre: one.centre,
		onEvent: (event) => one.onEvent(event),
		onStatus: (status) => one.onStatus(status),
		passTime: () => one.passTime(),
		close: () => {
			one.takers.delete(taker);
			if (one.takers.size > 0 || ofClock.get(key) !== one) return;
			one.stop();
			ofClock.delete(key);
			if (ofClock.size === 0) shared.delete(clock);
		},
	};
}
