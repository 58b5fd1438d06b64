// Lets the triggers of one process that use the same login share one feed. The map of hubs below is module state on
// purpose: n8n constructs each node separately, so triggers have no other place to share anything.
import { steady, systemClock } from './clock';
import type { Dependencies } from './connection';
import { Feed } from './feed';
import { Mask } from './mask';
import { openSocket } from './socketio';
import { webSocketHandshake } from './socketio/webSockets';
import type { Clock, FeedOptions, FeedSubscriber, FeedSubscription, Stream } from './types';

/**
 * A new feed starts at least this long after the previous one of the same account closed, so that the provider has
 * noticed the end of the previous one.
 */
const SUCCESSION_MS = 250;

export class Hub {
	private readonly feeds = new Map<string, Feed>();

	/** When the feeds that have just closed did so, by account. */
	private readonly closedAt = new Map<string, number>();

	/** By account: a new feed also masks the password and the tokens of the one before it, which may still be valid. */
	private readonly masks = new Map<string, Mask>();

	constructor(private readonly dependencies: Dependencies) {}

	/**
	 * Joins the feed of `options.key`, or opens it.
	 * @param stream goes on with the feed that is opened
	 * @returns at once; `first` has the outcome of the first attempt
	 */
	subscribe(options: FeedOptions, subscriber: FeedSubscriber, stream?: Stream): FeedSubscription {
		const { key, account } = options;
		const open = this.feeds.get(key);
		if (open) return open.add(subscriber, options, stream);
		const { dependencies } = this;
		// A person may have changed the credential and published one of its workflows again.
		const others = [...this.feeds.values()].filter((feed) => feed.account === account);
		for (const other of others) void other.moveTriggers();
		const onEmpty = () => {
			if (this.feeds.get(key) !== feed) return;
			this.feeds.delete(key);
			this.closedAt.set(account, dependencies.clock.now());
		};
		const mask = this.masks.get(account) ?? new Mask();
		this.masks.set(account, mask);
		const outage = stream ?? others[0];
		const feed = new Feed({ options, dependencies, mask, onEmpty, stream, outage });
		this.feeds.set(key, feed);
		const subscription = feed.add(subscriber, options, stream);
		feed.start(others.length > 0 ? SUCCESSION_MS : this.successionMs(account));
		return subscription;
	}

	/** How long a new feed must wait until the provider has noticed that the previous one closed. */
	private successionMs(account: string): number {
		const now = this.dependencies.clock.now();
		const closedAt = this.closedAt.get(account);
		for (const [other, at] of this.closedAt) {
			if (now - at > SUCCESSION_MS) this.closedAt.delete(other);
		}
		return closedAt === undefined ? 0 : Math.min(SUCCESSION_MS, closedAt + SUCCESSION_MS - now);
	}
}

/** One hub per clock. Outside of tests there is only one clock. */
const hubs = new WeakMap<Clock, Hub>();

/** For tests: the feeds on this clock use these dependencies. Without this call, `subscribe` creates the real ones. */
export function provideDependencies(dependencies: Dependencies): void {
	const clock = steady(dependencies.clock);
	hubs.set(clock, new Hub({ ...dependencies, clock }));
}

/**
 * Subscribes to the feed of a login, shared with every other subscriber of this process that has an equal key. Never
 * throws: failures are reported as the outcome of the first attempt and as status.
 * @param stream see {@link Stream}
 */
export function subscribe(
	options: FeedOptions,
	subscriber: FeedSubscriber,
	clock: Clock = systemClock,
	stream?: Stream,
): FeedSubscription {
	const key = steady(clock);
	let hub = hubs.get(key);
	if (!hub) {
		hub = new Hub({
			clock: key,
			openSocket,
			webSocketHandshake,
			endpoints: new Map(),
			behindN8n: new Set(),
			random: Math.random,
		});
		hubs.set(key, hub);
	}
	return hub.subscribe(options, subscriber, stream);
}
