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

/** A burst is read in between: until then its events are kept. */
const MOST_ARRIVED = 1_000;

/** Who consumes, and when something is due although nothing has changed; Infinity: nothing. */
interface Taker extends CentreContext {
	take: Consumer;
	nextDue: () => number;
}

/** One trigger's share of the call centre of a feed. */
export interface CentreShare {
	readonly centre: CallCentre;
	/** The login under which events are being read. */
	readonly directory: () => Directory | undefined;
	/**
	 * Every trigger passes on every event that it receives; an event that another one has already passed on is ignored.
	 * Events of a quarter of a second are read together, each at its moment: one by one they cost three times as much,
	 * because what is known of the calls has left the processor's caches by then.
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
	/** Not read yet, with the login under which they arrived. */
	private arrived: FeedEvent[] = [];
	login: Directory | undefined;
	/** A trigger that leaves is ahead of the others if the feed still held events back. */
	private readonly passedOn = new WeakSet<FeedEvent>();
	private lastStatus: FeedStatus | undefined;
	private now = Number.NEGATIVE_INFINITY;
	private readonly timer: MomentTimer;

	constructor(private readonly clock: Clock) {
		this.centre = new CallCentre(() => this.login?.agents);
		this.timer = new MomentTimer(clock, () => this.passTime());
	}

	/** Nobody listens any more. */
	stop(): void {
		this.timer.cancel();
	}

	onEvent(event: FeedEvent): void {
		if (this.passedOn.has(event)) return;
		this.passedOn.add(event);
		this.followLogin();
		this.arrived.push(event);
		if (this.arrived.length === 1) this.timer.set(event.receivedAt);
		else if (this.arrived.length === MOST_ARRIVED) this.passTime();
	}

	onStatus(status: FeedStatus): void {
		if (status === this.lastStatus) return;
		this.lastStatus = status;
		this.passTime();
		this.followLogin();
		if (status.event === 'disconnected') this.report(this.centre.onInterruption(this.now));
		else if (status.event === 'gap') this.report(this.centre.onInterruption(this.now, status.from));
		this.passTime();
	}

	/** A login counts from the next event on: what arrived before it is read under the one before. */
	private followLogin(): void {
		const [taker] = this.takers;
		const login = taker?.directory();
		if (login !== this.login) this.passTime();
		this.login = login;
	}

	/** Whatever has arrived or is due by now happens in its order, however late the timer is. */
	passTime(): void {
		const { arrived } = this;
		this.arrived = [];
		for (const event of arrived) {
			this.pass(event.receivedAt);
			this.report(this.centre.onEvent(event));
		}
		this.timer.set(this.pass(this.clock.now()));
	}

	/** @returns when something is due next */
	private pass(until: number): number {
		let due = this.nextDue();
		// Whoever fails may be due for ever.
		for (let succeeds = true; due <= until && succeeds; due = this.nextDue()) {
			this.now = Math.max(this.now, due);
			succeeds = this.report(this.centre.tick(this.now));
		}
		this.now = Math.max(this.now, until);
		return due;
	}

	private nextDue(): number {
		let first = this.centre.nextDue();
		for (const { nextDue } of this.takers) first = Math.min(first, nextDue());
		return first;
	}

	/** If one consumer throws, the others still get it. @returns whether none has thrown */
	private report(changes: readonly Change[]): boolean {
		let succeeds = true;
		for (const { take, gaveUp, failed } of this.takers) {
			try {
				for (const change of changes) if (change.kind === 'gaveUp') gaveUp(change.what);
				take(changes, this.now);
			} catch (error) {
				succeeds = false;
				failed(error);
			}
		}
		return succeeds;
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
	/** This trigger could not handle what has changed. */
	failed: (error: unknown) => void;
}

/** Joins the call centre of a feed, or creates it. */
export function shareCentre(
	context: CentreContext,
	take: Consumer,
	nextDue: Taker['nextDue'] = () => Infinity,
): CentreShare {
	const { key, clock } = context;
	const taker: Taker = { ...context, take, nextDue };
	const ofClock = shared.get(clock) ?? new Map<unknown, SharedCentre>();
	shared.set(clock, ofClock);
	const one = ofClock.get(key) ?? new SharedCentre(clock);
	ofClock.set(key, one);
	// What has arrived before is not for it.
	one.passTime();
	one.takers.add(taker);
	return {
		centre: one.centre,
		directory: () => one.login,
		onEvent: (event) => one.onEvent(event),
		onStatus: (status) => one.onStatus(status),
		passTime: () => one.passTime(),
		close: () => {
			if (!one.takers.has(taker)) return;
			one.passTime();
			one.takers.delete(taker);
			if (one.takers.size > 0 || ofClock.get(key) !== one) return;
			one.stop();
			ofClock.delete(key);
			if (ofClock.size === 0) shared.delete(clock);
		},
	};
}
