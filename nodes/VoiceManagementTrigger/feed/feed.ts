// One feed: the subscribers of an account, the merge, and the keepers of its connection or of its two connections. All
// timing uses the injected clock, so that tests control it.
import type { Connection, Dependencies, Route } from './connection';
import { firstOutcomeOf, statusOf } from './feedStatus';
import { shapesOf } from '../../shared/shown';
import { gap, TRANSIT_MS, type Gap } from './gap';
import { Keeper, type KeeperHost } from './keeper';
import {
	connectionLostMessage,
	gapMessage,
	leftOutMessage,
	notUnderstoodMessage,
	notUnderstoodPayloadMessage,
	passwordChangedMessage,
	renewalFailedMessage,
	renewalRevertedMessage,
	routeMessage,
	tooManyMessage,
	transitionMessage,
	type LogMessage,
} from './logMessages';
import type { Mask } from './mask';
import { Merge } from './merge/merge';
import { NamedTimers } from './namedTimers';
import { Pair } from './pair';
import type { LeftOut, Resume } from './socketio/types';
import type { Failure, Notification } from './state/types';
import { Subscribers, type Subscriber } from './subscribers';
import type {
	FeedCounters,
	FeedOptions,
	FeedState,
	FeedSubscriber,
	FeedSubscription,
} from './types';

/** How many shapes that are not understood are reported. */
const MOST_SHOWN = 20;

/** Limit for `Retry-After`, so that a mistake there does not silence a feed for a day. */
const RETRY_AFTER_MAX_MS = 30 * 60_000;

/** No other login follows the refusal of a second one at once. */
const REFUSED_MS = 1_500;

const NO_ROUTE: Route = { protocol: 4, transport: 'direct' };

export interface FeedSetup {
	/**
	 * The options of the first subscriber. Subscribers of one feed have equal keys, and so the same silence timeout.
	 */
	options: FeedOptions;
	dependencies: Dependencies;
	mask: Mask;
	/** Called when the last subscriber has left. */
	onEmpty: () => void;
}

export class Feed {
	private readonly mask: Mask;

	private readonly subscribers = new Subscribers((text) => this.mask.text(text));

	private readonly merge: Merge;

	private readonly timers: NamedTimers<'start'>;

	private readonly host: KeeperHost;

	private readonly first: Keeper;

	/** With a redundant connection. */
	private readonly pair?: Pair;

	/** The login of the attempt that failed last. */
	private triedLogin = '';

	/** It was refused, and a subscriber has another one. */
	private triesAnother = false;

	/** The newest connection that opened: the feed reports its directory and its route. */
	private newest?: Connection;

	private connectedAt = 0;

	/** Failed attempts before a connection that is open, but not reported as `connected` yet; see {@link Merge}. */
	private unreportedAttempts?: number;

	/** Where the provider can continue the last connection, if that broke and none is open. */
	private resume?: Resume;

	private notBefore = 0;

	private brokeAt = -Infinity;

	/** Why the newest attempt failed; undefined once a connection has opened. */
	private lastFailure?: Failure;

	private unreadable = 0;

	/** What was shown, by what it has in common with others of its shape. */
	private readonly shown = new Map<string, Parameters<Subscribers['notUnderstood']>>();

	private readonly shownOfLogin = new Set<string>();

	constructor(private readonly setup: FeedSetup) {
		const { options, dependencies } = setup;
		this.mask = setup.mask;
		const { clock } = dependencies;
		this.timers = new NamedTimers(clock);
		this.merge = new Merge(clock, options.silenceTimeoutMs, {
			onEvent: (event) => {
				const { type, event: name, raw, odd } = event;
				const why = type === '' && name === '' ? this.noEventIn([raw]) : odd;
				if (why !== undefined) this.show('update', [raw], why);
				this.subscribers.deliver(event);
			},
			onCovered: (continuous) => this.reportConnected(continuous),
			onGap: (missed) => this.missed(missed),
		});
		this.host = this.keeperHost();
		this.first = new Keeper(this.host);
		if (options.redundantConnection) this.pair = this.makePair(this.first);
	}

	/** @param delayMs how long to wait, because another feed with the same key has only just closed */
	start(delayMs: number): void {
		if (delayMs <= 0) this.first.start();
		else this.timers.set('start', delayMs, () => this.first.start());
	}

	/** Adds a subscriber. If the feed is waiting for its next attempt, it makes that attempt now. */
	add(handlers: FeedSubscriber, options: FeedOptions): FeedSubscription {
		this.mask.addLogin(options.secrets);
		const subscriber = this.subscribers.add(handlers, options);
		if (this.subscribers.isAccepted(options.loginKey)) this.admit(options.loginKey);
		if (this.isOpen) this.followPassword();
		else for (const keeper of this.keepers) keeper.retryNow();
		let leaving = false;
		/** `coveredUntil` at the time of `close`: the trigger saves its position after that. */
		let coveredAtEnd: number | undefined;
		return {
			first: subscriber.first,
			state: () => (leaving ? 'closed' : this.state),
			directory: () => (subscriber.admitted ? this.newest?.session?.directory : undefined),
			countsByOne: () => this.merge.countsByOne,
			coveredUntil: () => (leaving ? coveredAtEnd : this.merge.coveredUntil),
			counters: () => this.counters(),
			failure: () => this.maskedFailure(),
			close: () =>
				new Promise((resolve) => {
					// Removing the subscriber delivers the events that were held back, and its handler can call `close`
					// again.
					if (!leaving) {
						coveredAtEnd = this.merge.coveredUntil;
						leaving = true;
						this.remove(subscriber);
					}
					resolve();
				}),
		};
	}

	/** Removes a subscriber, which the feed never calls again, and closes the feed if it was the last one. */
	private remove(subscriber: Subscriber): void {
		this.subscribers.remove(subscriber, this.merge.waiting);
		if (this.subscribers.size > 0) return;
		this.timers.cancelAll();
		this.merge.close();
		if (this.pair) this.pair.close();
		else this.first.close();
		this.setup.onEmpty();
	}

	/** The provider accepted this login: the subscribers that have it get what the feed delivers from now on. */
	private admit(loginKey: string): void {
		const admitted = this.subscribers.loginAccepted(loginKey, this.merge.waiting);
		if (this.isOpen) for (const one of admitted) this.notifyLate(one);
	}

	/**
	 * If a subscriber joined with another password than the one that the provider accepted last, logs in with it beside
	 * the open connection: all subscribers move to a new password together, and whoever entered a wrong one learns it.
	 */
	private followPassword(): void {
		const idle = this.keepers.find(({ connection, isBusy }) => connection && !isBusy);
		if (!idle || this.subscribers.unsettled.every(({ admitted }) => admitted)) return;
		this.log(passwordChangedMessage);
		idle.renewNow();
	}

	/** Notifies a subscriber that joins while a connection is open, right after its subscribe() has returned. */
	private notifyLate(subscriber: Subscriber): void {
		void Promise.resolve().then(() => {
			if (!subscriber.present) return;
			subscriber.settle?.({ kind: 'live' });
			for (const shown of this.shown.values())
				this.subscribers.notUnderstoodOne(subscriber, ...shown);
			if (this.unreportedAttempts !== undefined) return;
			const connected = { event: 'connected', attempts: 0, continuous: null } as const;
			const at = this.connectedAt;
			const { protocol, transport } = this.route;
			this.subscribers.notifyOne(subscriber, { ...connected, at, protocol, transport });
		});
	}

	// ── the keepers ─────────────────────────────────────────────────────────────────────────────────────────

	private get keepers(): Keeper[] {
		return this.pair?.keepers ?? [this.first];
	}

	private get isOpen(): boolean {
		return this.keepers.some(({ connection }) => connection);
	}

	private get state(): FeedState {
		return (this.keepers.find(({ connection }) => connection) ?? this.keepers[0])?.name ?? 'closed';
	}

	private makePair(first: Keeper): Pair {
		const { dependencies } = this.setup;
		return new Pair(first, {
			clock: dependencies.clock,
			random: dependencies.random,
			notBefore: () => this.notBefore,
			open: () => new Keeper(this.host),
			lacks: ({ connection }) => connection !== undefined && this.merge.lacks(connection),
			canSpare: ({ connection }) => connection !== undefined && this.merge.canSpare(connection),
			lostOne: (reason) => {
				this.log(connectionLostMessage(reason));
				this.subscribers.notify({ event: 'connection_lost', at: this.now(), reason });
			},
		});
	}

	private keeperHost(): KeeperHost {
		return {
			merge: this.merge,
			mask: this.mask,
			dependencies: this.setup.dependencies,
			silenceTimeoutMs: this.setup.options.silenceTimeoutMs,
			notBefore: () => this.notBefore,
			resume: () => this.resume,
			brokeAt: () => this.brokeAt,
			// The trigger that opened the feed may be gone, so each login uses the options of one that is still
			// subscribed.
			options: () => this.subscribers.loggingIn()?.options ?? this.setup.options,
			mayRenew: (keeper) => this.pair?.mayRenew(keeper) ?? 'yes',
			opened: (keeper, connection) => this.opened(keeper, connection),
			lost: (keeper, connection, reason, clean) => this.lost(keeper, connection, reason, clean),
			loggedIn: ({ loginKey }) => this.admit(loginKey),
			failed: (keeper, { loginKey, options }, failure) => {
				const { kind, reason, retryAfterMs = 0 } = failure;
				this.lastFailure = failure;
				this.subscribers.attemptFailed(options);
				this.triedLogin = loginKey;
				const isNew = kind === 'refused' || !this.subscribers.isAccepted(loginKey);
				this.triesAnother = isNew && this.subscribers.loginFailed(loginKey) && kind === 'refused';
				if (this.isOpen) this.notAdmitted(loginKey, failure);
				const given = kind === 'refused' && this.pair?.refused(keeper, reason) === true;
				const waitMs = Math.min(RETRY_AFTER_MAX_MS, Math.max(retryAfterMs, given ? REFUSED_MS : 0));
				if (waitMs > 0) this.notBefore = Math.max(this.notBefore, this.now() + waitMs);
				return given;
			},
			changed: (keeper, from, effects) => {
				const route = keeper.connection?.route ?? this.route;
				this.log(transitionMessage(from, keeper.name, effects, { route, now: this.now() }));
			},
			notified: (keeper, notification) => this.notified(keeper, notification),
			update: (connection, args) => this.update(connection, args),
			otherEvent: (name, args) => this.noEvent(name, args),
			leftOut: (connection, leftOut) => this.leftOut(connection, leftOut),
		};
	}

	private opened(keeper: Keeper, connection: Connection): void {
		this.newest = connection;
		this.resume = undefined;
		this.lastFailure = undefined;
		const { insteadOfDirect } = connection.route;
		if (insteadOfDirect !== undefined) this.log(routeMessage(insteadOfDirect));
		this.showLogin(connection);
		this.merge.opened(connection, connection.recovered);
		if (keeper.connection === connection) this.pair?.opened();
		this.followPassword();
	}

	/** An attempt failed while another connection is open: a subscriber that waits for it learns that. */
	private notAdmitted(loginKey: string, failure: Failure): void {
		const waiting = this.subscribers.unsettled.some(
			({ admitted, options }) => !admitted && options.loginKey === loginKey,
		);
		if (!waiting) return;
		const at = this.now();
		const retryAt = this.newest?.renewAt ?? at;
		const refused = { event: 'refused', failure, first: true, retryAt } as const;
		const retrying = { event: 'retrying', failure, retryAt, renewal: false } as const;
		this.tell(failure.kind === 'refused' ? refused : retrying);
	}

	private lost(keeper: Keeper, connection: Connection, reason: string, clean: boolean): boolean {
		if (!clean) this.brokeAt = this.now();
		if (!this.merge.isOpen) this.resume = connection.resume;
		const goesOn = this.pair?.lost(keeper, connection.openedAt, { reason, clean }) ?? false;
		if (!goesOn) return false;
		this.newest = this.keepers.find((one) => one.connection)?.connection ?? this.newest;
		if (!this.isOpen) this.notified(keeper, { event: 'disconnected', reason });
		return true;
	}

	private notified(keeper: Keeper, notification: Notification): void {
		const at = this.now();
		switch (notification.event) {
			case 'connected':
				if (this.keepers.some((one) => one !== keeper && one.connection)) return;
				this.newest = keeper.connection ?? this.newest;
				this.connectedAt = at;
				this.unreportedAttempts = notification.attempts;
				if (!this.merge.isUncovered) this.reportConnected(null);
				break;
			case 'disconnected':
				// Nothing arrived since the last one.
				if (this.unreportedAttempts !== undefined) return;
				break;
			case 'reverted':
				this.newest = keeper.connection ?? this.newest;
				this.log(renewalRevertedMessage(notification.reason));
				break;
			case 'retrying': {
				const { failure, retryAt, renewal } = notification;
				if (renewal || this.isOpen) this.log(renewalFailedMessage(failure.reason, retryAt - at));
				break;
			}
			case 'renewed':
				this.followPassword();
				break;
			case 'refused':
				if (this.triesAnother && this.notBefore <= at) keeper.retryNow();
		}
		this.tell(notification);
	}

	private tell(notification: Notification): void {
		const outcome = firstOutcomeOf(notification);
		if (outcome) this.subscribers.settleFirst(outcome, this.triedLogin);
		const status = statusOf(notification, this.now());
		if (status) this.subscribers.notify(status, this.triedLogin);
	}

	/** @param continuous whether it is proven that nothing was missed; null if nothing could have been */
	private reportConnected(continuous: boolean | null): void {
		const { unreportedAttempts: attempts } = this;
		if (attempts === undefined) return;
		this.unreportedAttempts = undefined;
		const { protocol, transport } = this.route;
		const at = this.now();
		this.subscribers.notify({ event: 'connected', at, attempts, continuous, protocol, transport });
	}

	// ── what the connections report ─────────────────────────────────────────────────────────────────────────

	private update(connection: Connection, args: unknown[]): boolean {
		if (this.merge.receive(connection, args)) return true;
		this.noEvent('update', args);
		return false;
	}

	private leftOut({ leftOutBefore, openedAt, aliveAt }: Connection, { what, isUpdate }: LeftOut) {
		if (!leftOutBefore.has(what)) this.log(leftOutMessage(what));
		leftOutBefore.add(what);
		if (!isUpdate) return;
		const from = Math.max(openedAt, aliveAt - TRANSIT_MS);
		this.missed(gap(from, this.now(), `the provider sent ${what}`));
	}

	private missed(missed: Gap): void {
		this.log(gapMessage(missed));
		this.subscribers.notify({ event: 'gap', ...missed });
	}

	/** Often this is the provider's reason for sending no events. */
	private noEvent(name: string, args: unknown[]): void {
		this.unreadable++;
		this.show(name, args, this.noEventIn(args));
	}

	private noEventIn(args: unknown[]): string {
		return `it is no event, but ${shapesOf(args, (text) => this.mask.line(text))}`;
	}

	/** Shows what is not understood (provider.md#not-understood), once for each shape. */
	private show(name: string, args: unknown[], why: string): void {
		const shown = this.mask.line(name).slice(0, 50);
		const key = `${shown} ${why}`.replace(/\d+/g, '#');
		if (this.shown.has(key) || this.shown.size > MOST_SHOWN) return;
		const payload = this.mask.payload(args);
		this.shown.set(key, [shown, payload, why]);
		if (this.shown.size > MOST_SHOWN) return this.log(tooManyMessage);
		this.log(notUnderstoodMessage(`under the event name "${shown}"`, why));
		this.log(notUnderstoodPayloadMessage(shown, payload));
		this.subscribers.notUnderstood(shown, payload, why);
	}

	/** Names, groups, trunks and breaks are missing then. */
	private showLogin({ session }: Connection): void {
		const { unread, further } = session?.directory ?? {};
		for (const odd of [...(unread?.values() ?? []), further]) {
			if (odd === undefined || this.shownOfLogin.has(odd)) continue;
			this.shownOfLogin.add(odd);
			this.log(notUnderstoodMessage('in the response to the login', odd));
		}
	}

	private log({ level, text }: LogMessage): void {
		this.subscribers.log(level, text);
	}

	private counters(): FeedCounters {
		return { unreadable: this.unreadable, duplicates: this.merge.duplicates };
	}

	private maskedFailure(): Pick<Failure, 'reason' | 'permanent'> | undefined {
		const { lastFailure } = this;
		return lastFailure && { ...lastFailure, reason: this.mask.text(lastFailure.reason) };
	}

	private get route(): Route {
		return this.newest?.route ?? NO_ROUTE;
	}

	private now(): number {
		return this.setup.dependencies.clock.now();
	}
}
