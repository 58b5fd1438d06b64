// The call centre of each feed, shared by every trigger that listens to it: twenty workflows on one account follow its calls
// only once. The map below is module state on purpose, like that of the feeds: n8n builds each node separately.

import type { Clock, Directory, FeedEvent, FeedStatus } from '../feed/types';
import type { Change } from './changes';
import { CallCentre } from './fold';
import { MomentTimer } from './momentTimer';

/**
 * Receives what has changed, in order.
 * @param moment before which nothing happens any more, by events
 */
export type Consumer = (changes: readonly Change[], moment: number) => void;

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
	private readonly consumers = new Set<Consumer>();
	private lastEvent: FeedEvent | undefined;
	private lastStatus: FeedStatus | undefined;
	private readonly timer: MomentTimer;

	constructor(
		private readonly clock: Clock,
		directory: () => Directory | undefined,
	) {
		this.centre = new CallCentre(() => directory()?.agents);
		this.timer = new MomentTimer(clock, () => this.passTime());
	}

	get isUnused(): boolean {
		return this.consumers.size === 0;
	}

	join(consumer: Consumer): void {
		this.consumers.add(consumer);
	}

	leave(consumer: Consumer): void {
		this.consumers.delete(consumer);
		if (this.isUnused) this.timer.cancel();
	}

	onEvent(event: FeedEvent): void {
		if (event === this.lastEvent) return;
		this.lastEvent = event;
		this.report(this.centre.onEvent(event));
	}

	onStatus(status: FeedStatus): void {
		if (status === this.lastStatus) return;
		this.lastStatus = status;
		if (status.event === 'disconnected' || status.event === 'gap')
			this.report(this.centre.onInterruption(this.clock.now()));
	}

	passTime(): void {
		this.report(this.centre.tick(this.clock.now()));
	}

	/** If one consumer throws, the others still get it. */
	private report(changes: readonly Change[]): void {
		let errors: unknown[] | undefined;
		for (const consumer of this.consumers) {
			try {
				consumer(changes, this.centre.moment);
			} catch (error) {
				errors = [...(errors ?? []), error];
			}
		}
		this.timer.set(this.centre.nextDue());
		if (errors) throw new AggregateError(errors, 'a consumer of the call centre failed');
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
	consume: Consumer,
): CentreShare {
	const consumer: Consumer = (changes, moment) => {
		for (const change of changes) if (change.kind === 'gaveUp') gaveUp(change.what);
		consume(changes, moment);
	};
	const ofClock = shared.get(clock) ?? new Map<unknown, SharedCentre>();
	shared.set(clock, ofClock);
	const one = ofClock.get(key) ?? new SharedCentre(clock, directory);
	ofClock.set(key, one);
	one.join(consumer);
	return {
		centre: one.centre,
		onEvent: (event) => one.onEvent(event),
		onStatus: (status) => one.onStatus(status),
		passTime: () => one.passTime(),
		close: () => {
			one.leave(consumer);
			if (!one.isUnused || ofClock.get(key) !== one) return;
			ofClock.delete(key);
			if (ofClock.size === 0) shared.delete(clock);
		},
	};
}
