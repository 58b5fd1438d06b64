// The live state of each feed, shared by every trigger that listens to it: twenty workflows on one account follow its
// calls only once. The map below is module state on purpose, like that of the feeds: n8n builds each node separately.

import type { Clock, Directory, FeedEvent, FeedStatus } from '../feed/types';
import { CallCentre, type Observer } from './callCentre';
import { MomentTimer } from './momentTimer';

/** One trigger's share of the live state of a feed. */
export interface LiveShare {
	readonly state: CallCentre;
	/**
	 * Every trigger passes on every event that it receives; an event that another one has already passed on is ignored.
	 */
	readonly onEvent: (event: FeedEvent) => void;
	onStatus(status: FeedStatus): void;
	close(): void;
}

class SharedState {
	readonly state: CallCentre;
	users = 0;
	/** When the newest connection opened, as the feed reported it, milliseconds since 1970. */
	private announcedAt: number | undefined;
	private lastEvent: FeedEvent | undefined;
	private lastStatus: FeedStatus | undefined;
	private readonly timer: MomentTimer;

	constructor(
		private readonly clock: Clock,
		directory: () => Directory | undefined,
	) {
		this.state = new CallCentre(clock.now(), () => directory()?.agents.keys() ?? []);
		this.timer = new MomentTimer(clock, () => {
			this.state.tick(clock.now());
			this.arm();
		});
	}

	onEvent(event: FeedEvent): void {
		if (event === this.lastEvent) return;
		this.lastEvent = event;
		this.state.onEvent(event);
		this.arm();
	}

	onStatus(status: FeedStatus): void {
		if (status === this.lastStatus) return;
		this.lastStatus = status;
		const now = this.clock.now();
		if (status.event === 'connected') {
			// A trigger that joins an open feed is notified of its connection again, which is not a new opening.
			if (status.at === this.announcedAt) return;
			this.announcedAt = status.at;
			this.state.onOpened(now);
		} else if (status.event === 'disconnected' || status.event === 'gap') {
			this.state.onBreak(now);
		}
	}

	stop(): void {
		this.timer.cancel();
	}

	private arm(): void {
		this.timer.set(this.state.nextDue());
	}
}

const shared = new Map<Clock, Map<unknown, SharedState>>();

/**
 * Joins the live state of a feed, or creates it.
 * @param key the same for all triggers that listen to one feed
 * @param directory the newest login's names
 */
export function shareState(
	key: unknown,
	clock: Clock,
	directory: () => Directory | undefined,
	observer: Observer,
): LiveShare {
	const states = shared.get(clock) ?? new Map<unknown, SharedState>();
	shared.set(clock, states);
	const one = states.get(key) ?? new SharedState(clock, directory);
	states.set(key, one);
	one.users++;
	const unwatch = one.state.watch(observer);
	let closed = false;
	return {
		state: one.state,
		onEvent: (event) => one.onEvent(event),
		onStatus: (status) => one.onStatus(status),
		close: () => {
			if (closed) return;
			closed = true;
			unwatch();
			if (--one.users > 0) return;
			one.stop();
			states.delete(key);
			if (states.size === 0) shared.delete(clock);
		},
	};
}
