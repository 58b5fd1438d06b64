// The triggers that listen to one feed. Passes each event to each of them once and in order. An exception of one of
// them affects neither the feed nor the other triggers.
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
	/** False once it is removed. A field and not a lookup, because it is read for every event and trigger. */
	present: boolean;
	/** Events that had arrived before this subscriber and were still held back: it does not get them. */
	notFor?: ReadonlySet<FeedEvent>;
}

export class Subscribers {
	/**
	 * Replaced on each change, never mutated: a subscriber that is added while an event is delivered does not get that
	 * event.
	 */
	private list: readonly Subscriber[] = [];

	get size(): number {
		return this.list.length;
	}

	/** The subscriber that was added last, if there is any. */
	newest(): Subscriber | undefined {
		return this.list.at(-1);
	}

	/** @param waiting events that arrived before and are still held back: the new subscriber does not get them */
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
	 * Removes a subscriber. It gets nothing more after this call.
	 * @param waiting events that have arrived and are still held back: it gets them now
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
			this.reportError(subscriber, 'an event', error);
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
			this.reportError(subscriber, 'a status', error);
		}
	}

	otherEvent(name: string, payload: string): void {
		for (const subscriber of this.list) {
			try {
				subscriber.handlers.onOtherEvent?.(name, payload);
			} catch (error) {
				this.reportError(subscriber, 'an event of another name', error);
			}
		}
	}

	/** Writes a line to each trigger's own logger, which adds the names of workflow and node. */
	log(level: keyof FeedLogger, line: string): void {
		for (const subscriber of this.list) this.logTo(subscriber, level, line);
	}

	private reportError(subscriber: Subscriber, what: string, error: unknown): void {
		// Only the error's name is logged: its message can contain parts of the event.
		const name = error instanceof Error ? error.name : typeof error;
		this.logTo(
			subscriber,
			'error',
			`this trigger failed to handle ${what} (${name}); the feed continues`,
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
