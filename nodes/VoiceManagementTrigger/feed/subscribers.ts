// The triggers that listen to one feed. Passes each event to each of them once and in order. An exception of one of
// them affects neither the feed nor the other triggers. Every text that leaves the feed goes through here, and is
// masked here: log, status, outcome of the first attempt, messages under other names.
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
	/** The provider has accepted its login: until then it gets nothing but the refusal of that login. */
	admitted: boolean;
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

	/** @param mask removes the secrets from a text */
	constructor(private readonly mask: (text: string) => string) {}

	get size(): number {
		return this.list.length;
	}

	/** Logins that failed since the provider last accepted one. */
	private readonly failed = new Set<string>();

	/** Whose attempt failed since then, for whatever reason: n8n may be unable to read this one's credential. */
	private readonly tried = new Set<FeedOptions>();

	/** The login that the provider accepted last. */
	private accepted?: string;

	/**
	 * The subscriber whose login is used next: the newest one that the provider has not accepted yet, otherwise one with
	 * the login that it accepted last. Logins that have failed since then come last, and among equal ones whoever's
	 * attempt has.
	 */
	loggingIn(): Subscriber | undefined {
		const left = this.list.filter(({ options }) => !this.failed.has(options.loginKey));
		const newest = (list: readonly Subscriber[]) =>
			list.findLast(({ options }) => !this.tried.has(options)) ?? list.at(-1);
		return (
			newest(left.filter(({ admitted }) => !admitted)) ??
			newest(left.filter(({ options }) => options.loginKey === this.accepted)) ??
			newest(left) ??
			newest(this.list)
		);
	}

	/** An attempt with a subscriber's options failed: another one's are used next, until all have had a turn. */
	attemptFailed(options: FeedOptions): void {
		this.tried.add(options);
		if (this.list.every((one) => this.tried.has(one.options))) this.tried.clear();
	}

	/** Whether the provider accepted this login last. */
	isAccepted(loginKey: string): boolean {
		return loginKey === this.accepted;
	}

	/**
	 * A login failed: as long as subscribers have others, one of these is tried.
	 * @returns whether one is left
	 */
	loginFailed(loginKey: string): boolean {
		this.failed.add(loginKey);
		const isLeft = this.list.some(({ options }) => !this.failed.has(options.loginKey));
		if (!isLeft) this.failed.clear();
		return isLeft;
	}

	/**
	 * The provider accepted a login.
	 * @param waiting events that have arrived and are still held back: those who are admitted now do not get them
	 * @returns those who are admitted now
	 */
	loginAccepted(loginKey: string, waiting: readonly FeedEvent[]): Subscriber[] {
		this.accepted = loginKey;
		this.failed.clear();
		this.tried.clear();
		const added = this.list.filter(
			({ admitted, options }) => !admitted && options.loginKey === loginKey,
		);
		for (const subscriber of added) {
			subscriber.admitted = true;
			if (waiting.length > 0) subscriber.notFor = new Set(waiting);
		}
		return added;
	}

	add(handlers: FeedSubscriber, options: FeedOptions): Subscriber {
		let settle: ((outcome: FirstOutcome) => void) | undefined;
		const first = new Promise<FirstOutcome>((resolve) => {
			settle = resolve;
		});
		const added: Subscriber = { handlers, options, first, admitted: false, present: true };
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
		subscriber.present = false;
		this.tried.delete(subscriber.options);
		this.list = this.list.filter((other) => other !== subscriber);
		subscriber.settle?.({ kind: 'closed' });
	}

	/**
	 * Settles the first attempt of those that it was made for.
	 * @param loginKey of the attempt
	 */
	settleFirst(outcome: FirstOutcome, loginKey: string): void {
		for (const { admitted, options, settle } of this.list) {
			const concerned =
				outcome.kind === 'live'
					? admitted
					: outcome.kind !== 'refused' || options.loginKey === loginKey;
			if (concerned) settle?.(outcome);
		}
	}

	/** Those whose first attempt has no outcome yet. */
	get unsettled(): Subscriber[] {
		return this.list.filter(({ settle }) => settle);
	}

	deliver(event: FeedEvent): void {
		for (const subscriber of this.list) this.deliverTo(subscriber, event);
	}

	private deliverTo(subscriber: Subscriber, event: FeedEvent): void {
		if (!subscriber.present || !subscriber.admitted || subscriber.notFor?.has(event)) return;
		try {
			subscriber.handlers.onEvent(event);
		} catch (error) {
			this.reportError(subscriber, 'an event', error);
		}
	}

	/** @param loginKey of the login that was refused, if the status reports that */
	notify(status: FeedStatus, loginKey?: string): void {
		// One object for all: the state that triggers share recognizes by it what it has been told.
		const masked = this.masked(status);
		for (const subscriber of this.list) {
			const { admitted, options, present } = subscriber;
			const concerned = status.event === 'refused' ? options.loginKey === loginKey : admitted;
			if (present && concerned) this.notifyOne(subscriber, masked);
		}
	}

	notifyOne(subscriber: Subscriber, status: FeedStatus): void {
		try {
			subscriber.handlers.onStatus(status);
		} catch (error) {
			this.reportError(subscriber, 'a status', error);
		}
	}

	notUnderstood(name: string, payload: string, why: string): void {
		for (const subscriber of this.list) {
			if (subscriber.admitted) this.notUnderstoodOne(subscriber, name, payload, why);
		}
	}

	notUnderstoodOne(subscriber: Subscriber, name: string, payload: string, why: string): void {
		const [shown, content, reason] = [name, payload, why].map(this.mask) as [
			string,
			string,
			string,
		];
		try {
			subscriber.handlers.onNotUnderstood?.(shown, content, reason);
		} catch (error) {
			this.reportError(subscriber, 'a message that is not documented', error);
		}
	}

	/** Writes a line once, to the logger of the newest trigger, which adds the names of its workflow and node. */
	log(level: keyof FeedLogger, line: string): void {
		const newest = this.list.at(-1);
		const of = this.list.length > 1 ? ` of ${this.list.length} triggers` : '';
		if (newest) this.logTo(newest, level, line, of);
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

	/** @param of whose feed it is, if not only this subscriber's */
	private logTo(subscriber: Subscriber, level: keyof FeedLogger, line: string, of = ''): void {
		try {
			subscriber.handlers.logger[level](`Feed${of}: ${this.mask(line)}`);
		} catch {
			// A logger that throws must not stop the feed, and there is nowhere left to report it.
		}
	}

	private masked<T extends FeedStatus | FirstOutcome>(told: T): T {
		return 'reason' in told ? { ...told, reason: this.mask(told.reason) } : told;
	}
}
