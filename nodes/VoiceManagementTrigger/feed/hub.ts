// Triggers of one process that use the same account share one feed. The map below is module state on purpose: sharing
// between triggers has no other place, since n8n builds each node on its own.
import { systemClock } from './clock';
import type { Dependencies } from './connection';
import { Feed } from './feed';
import { openSocket } from './socketio';
import { webSocketHandshake } from './socketio/webSocketHandshake';
import type { Clock, FeedOptions, FeedSubscriber, FeedSubscription } from './types';

/** After a feed has closed, its successor with the same key gives the operator this long to notice. */
const SUCCESSION_MS = 250;

export class Hub {
	private readonly feeds = new Map<string, Feed>();

	/** Keys whose feed has just closed, and when. */
	private readonly closed = new Map<string, number>();

	constructor(private readonly dependencies: Dependencies) {}

	/**
	 * Joins the feed of `options.key`, or opens it.
	 *
	 * @returns at once; how the first attempt went is in `first`
	 */
	subscribe(options: FeedOptions, subscriber: FeedSubscriber): FeedSubscription {
		const { key } = options;
		const open = this.feeds.get(key);
		if (open) return open.add(subscriber, options);
		const { dependencies } = this;
		const onEmpty = () => {
			if (this.feeds.get(key) !== feed) return;
			this.feeds.delete(key);
			this.closed.set(key, dependencies.clock.now());
		};
		const feed = new Feed({ options, dependencies, onEmpty });
		this.feeds.set(key, feed);
		const subscription = feed.add(subscriber, options);
		feed.start(this.succession(key));
		return subscription;
	}

	/** How long a new feed has to wait for its predecessor's end to be noticed. */
	private succession(key: string): number {
		const now = this.dependencies.clock.now();
		const closedAt = this.closed.get(key);
		for (const [other, at] of this.closed) {
			if (now - at > SUCCESSION_MS) this.closed.delete(other);
		}
		return closedAt === undefined ? 0 : Math.min(SUCCESSION_MS, closedAt + SUCCESSION_MS - now);
	}
}

/** One hub for each clock: there is one clock but in tests. */
const hubs = new WeakMap<Clock, Hub>();

/** From now on the feeds on this clock use these dependencies. Otherwise the first feed makes real ones. */
export function provideDependencies(dependencies: Dependencies): void {
	hubs.set(dependencies.clock, new Hub(dependencies));
}

/**
 * Subscribes to the feed of an account, shared with every other subscriber of this process that gave an equal key.
 * Never throws: whatever is wrong comes as the outcome of the first attempt and as status.
 */
export function subscribe(
	options: FeedOptions,
	subscriber: FeedSubscriber,
	clock: Clock = systemClock,
): FeedSubscription {
	let hub = hubs.get(clock);
	if (!hub) {
		hub = new Hub({
			clock,
			openSocket,
			webSocketHandshake,
			endpoints: new Map(),
			behindN8n: new Set(),
			random: Math.random,
		});
		hubs.set(clock, hub);
	}
	return hub.subscribe(options, subscriber);
}
