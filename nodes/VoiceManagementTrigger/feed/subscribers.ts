// The triggers that listen to one feed. Passes each event to each of them once and in order. An exception of one of
// them affects neither the feed nor the other triggers. Every text that leaves the feed goes through here, and is
// masked here: log, status, outcome of the first attempt, messages under other names.
import type { LogMessage } from './logMessages';
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
	isPresent: boolean;
	/** Events that had arrived before this subscriber and were still held back: it does not get them. */
	readonly notFor?: ReadonlySet<FeedEvent>;
}

/** What the provider sent that is not documented; see {@link FeedSubscriber.onNotUnderstood}. */
export interface Oddity {
	readonly name: string;
	readonly payload: string;
	readonly why: string;
}

export class Subscribers {
	/**
	 * Replaced on each change, never mutated: a subscriber that is added while an event is delivered does not get that
	 * event.
	 */
	private list: readonly Subscriber[] = [];

	/** How often a login could not be sent because of one trigger's credential. */
	private unsentLogins = 0;

	/** @param mask removes the secrets from a text */
	constructor(private readonly mask: (text: string) => string) {}

	get size(): number {
		return this.list.length;
	}

	get all(): readonly Subscriber[] {
		return this.list;
	}

	/** The subscriber whose login is used next: the newest one, unless its credential could not be used. */
	get loggingIn(): Subscriber | undefined {
		return this.list.at(-1 - (this.unsentLogins % this.list.length));
	}

	/** A login could not be sent because of the credential: the next one uses that of another trigger. */
	loginUnsent(): void {
		this.unsentLogins++;
	}

	/** @param waiting events that have arrived and are still held back: it does not get them */
	add(
		handlers: FeedSubscriber,
		options: FeedOptions,
		waiting: readonly FeedEvent[] = [],
	): Subscriber {
		let settle: ((outcome: FirstOutcome) => void) | undefined;
		const first = new Promise<FirstOutcome>((resolve) => {
			settle = resolve;
		});
		const added: Subscriber = {
			handlers,
			options,
			first,
			isPresent: true,
			...(waiting.length > 0 ? { notFor: new Set(waiting) } : {}),
		};
		added.settle = (outcome) => {
			added.settle = undefined;
			settle?.(this.masked(outcome));
		};
		this.list = [...this.list, added];
		return added;
	}

	/**
	 * Removes a subscriber. It gets nothing more after this call.
	 * @param waiting events that have arrived and are still held back: it gets them now
	 */
	remove(subscriber: Subscriber, waiting: readonly FeedEvent[] = []): void {
		for (const event of waiting) this.deliverTo(subscriber, event);
		subscriber.isPresent = false;
		this.list = this.list.filter((other) => other !== subscriber);
		subscriber.settle?.({ kind: 'closed' });
	}

	/** The first attempt of those who wait for it has this outcome. */
	settleFirst(outcome: FirstOutcome): void {
		for (const { settle } of this.list) settle?.(outcome);
	}

	readonly deliver = (event: FeedEvent): void => {
		for (const subscriber of this.list) this.deliverTo(subscriber, event);
	};

	private deliverTo(subscriber: Subscriber, event: FeedEvent): void {
		if (!subscriber.isPresent || subscriber.notFor?.has(event)) return;
		try {
			subscriber.handlers.onEvent(event);
		} catch (error) {
			this.logError(subscriber, 'an event', error);
		}
	}

	/** @returns what they get: for {@link reportTo} */
	report(status: FeedStatus): FeedStatus {
		// One object for all: the state that triggers share recognizes by it what it has received.
		const masked = this.masked(status);
		for (const subscriber of this.list) this.reportTo(subscriber, masked);
		return masked;
	}

	reportTo(subscriber: Subscriber, status: FeedStatus): void {
		if (!subscriber.isPresent) return;
		try {
			subscriber.handlers.onStatus(status);
		} catch (error) {
			this.logError(subscriber, 'a status', error);
		}
	}

	show(oddity: Oddity): void {
		for (const subscriber of this.list) this.showTo(subscriber, oddity);
	}

	showTo(subscriber: Subscriber, { name, payload, why }: Oddity): void {
		const { mask } = this;
		try {
			subscriber.handlers.onNotUnderstood?.(mask(name), mask(payload), mask(why));
		} catch (error) {
			this.logError(subscriber, 'a message that is not documented', error);
		}
	}

	/** Writes a line once, to the logger of the newest trigger, which adds the names of its workflow and node. */
	log({ level, text }: LogMessage): void {
		const newest = this.list.at(-1);
		const of = this.list.length > 1 ? ` of ${this.list.length} triggers` : '';
		if (newest) this.logTo(newest, level, text, of);
	}

	private logError(subscriber: Subscriber, what: string, error: unknown): void {
		this.logTo(subscriber, 'error', failedTo(what, error));
	}

	/** @param of whose feed it is, if not only this subscriber's */
	private logTo(subscriber: Subscriber, level: keyof FeedLogger, line: string, of = ''): void {
		try {
			subscriber.handlers.logger[level](`Feed${of}: ${this.mask(line)}`);
		} catch {
			// A logger that throws must not stop the feed, and there is nowhere left to report it.
		}
	}

	private masked<T extends FeedStatus | FirstOutcome>(report: T): T {
		return 'reason' in report ? { ...report, reason: this.mask(report.reason) } : report;
	}
}

/** Names only the kind of the error: its message can contain parts of an event. */
export function failedTo(handle: string, error: unknown): string {
	const name = error instanceof Error ? error.name : typeof error;
	return `this trigger failed to handle ${handle} (${name}); the feed continues`;
}
