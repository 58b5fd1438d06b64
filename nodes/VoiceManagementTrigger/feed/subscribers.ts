// The triggers that listen to one feed. Each event goes once to each of them, in order; what one of them throws
// reaches neither the feed nor another trigger.
import type {
	FeedEvent,
	FeedLogger,
	FeedOptions,
	FeedStatus,
	FeedSubscriber,
	FirstOutcome,
} from './types';

export interface Subscriber {
	readonly handlers: FeedSubscriber;
	readonly options: FeedOptions;
	/** How the first attempt went; settles once. */
	readonly first: Promise<FirstOutcome>;
	/** Settles `first`; undefined once settled. */
	settle?: (outcome: FirstOutcome) => void;
	/** False from its removal on. A field, since it is asked for every event and trigger. */
	present: boolean;
	/** What had come before it did, and waited for its turn. */
	notFor?: ReadonlySet<FeedEvent>;
}

export class Subscribers {
	/** An array of its own for each change: an event goes to those who were there when it came. */
	private list: readonly Subscriber[] = [];

	get size(): number {
		return this.list.length;
	}

	/** Whoever came last, if anybody is there. */
	newest(): Subscriber | undefined {
		return this.list.at(-1);
	}

	/** @param waiting events that have come and wait for their turn */
	add(
		handlers: FeedSubscriber,
		options: FeedOptions,
		waiting: readonly FeedEvent[] = [],
	): Subscriber {
		let settle: ((outcome: FirstOutcome) => void) | undefined;
		const first = new Promise<FirstOutcome>((resolve) => {
			settle = resolve;
		});
		const added: Subscriber = { handlers, options, first, present: true };
		added.settle = (outcome) => {
			added.settle = undefined;
			settle?.(outcome);
		};
		if (waiting.length > 0) added.notFor = new Set(waiting);
		this.list = [...this.list, added];
		return added;
	}

	/**
	 * From now on it gets nothing more.
	 * @param waiting events that have come and wait for their turn: it gets them now
	 */
	remove(subscriber: Subscriber, waiting: readonly FeedEvent[] = []): void {
		for (const event of waiting) this.deliverTo(subscriber, event);
		subscriber.present = false;
		this.list = this.list.filter((other) => other !== subscriber);
		subscriber.settle?.({ kind: 'closed' });
	}

	settleFirst(outcome: FirstOutcome): void {
		for (const subscriber of this.list) subscriber.settle?.(outcome);
	}

	deliver(event: FeedEvent): void {
		for (const subscriber of this.list) this.deliverTo(subscriber, event);
	}

	private deliverTo(subscriber: Subscriber, event: FeedEvent): void {
		if (!subscriber.present || subscriber.notFor?.has(event)) return;
		try {
			subscriber.handlers.onEvent(event);
		} catch (error) {
			this.reportError(subscriber, 'event', error);
		}
	}

	notify(status: FeedStatus): void {
		for (const subscriber of this.list) {
			if (subscriber.present) this.notifyOne(subscriber, status);
		}
	}

	notifyOne(subscriber: Subscriber, status: FeedStatus): void {
		try {
			subscriber.handlers.onStatus(status);
		} catch (error) {
			this.reportError(subscriber, 'status', error);
		}
	}

	otherEvent(name: string, payload: string): void {
		for (const subscriber of this.list) {
			try {
				subscriber.handlers.onOtherEvent?.(name, payload);
			} catch (error) {
				this.reportError(subscriber, 'other event', error);
			}
		}
	}

	/** One line to every trigger's own logger, which names workflow and node. */
	log(level: keyof FeedLogger, line: string): void {
		for (const subscriber of this.list) this.logTo(subscriber, level, line);
	}

	private reportError(subscriber: Subscriber, what: string, error: unknown): void {
		// Its message may hold anything of the event: only its name is logged.
		const name = error instanceof Error ? error.name : typeof error;
		this.logTo(
			subscriber,
			'error',
			`this trigger failed to handle an ${what} (${name}); the feed continues`,
		);
	}

	private logTo(subscriber: Subscriber, level: keyof FeedLogger, line: string): void {
		try {
			subscriber.handlers.logger[level](`Feed: ${line}`);
		} catch {
			// A logger that throws must not stop the feed, and there is nowhere left to report it.
		}
	}
}
