// One feed: the subscribers of a login, the merge, and the keepers of its connection or of its two connections. All
// timing uses the injected clock, so that tests control it.
import type { Connection, Dependencies } from './connection';
import { firstOutcomeOf, feedStatusOf } from './feedStatus';
import { CREDENTIAL_CHANGED } from './gap';
import { Keeper, type KeeperOwner, type RenewalRequest } from './keeper';
import {
	connectionLostMessage,
	gapMessage,
	rejectionOf,
	renewalFailedMessage,
	renewalRevertedMessage,
	routeMessage,
	transitionMessage,
} from './logMessages';
import type { Mask } from './mask';
import { Merge } from './merge/merge';
import { NamedTimers } from './namedTimers';
import { NotUnderstood } from './notUnderstood';
import { Pair, type PairOwner } from './pair';
import type { Resume } from './socketio/types';
import type { FeedAction, AttemptFailure, Loss, Notification } from './state/types';
import { failedTo, Subscribers, type Subscriber } from './subscribers';
import type {
	Directory,
	FeedOptions,
	FeedState,
	FeedStatus,
	FeedSubscriber,
	FeedSubscription,
	Move,
	AccountOutage,
	Route,
	Stream,
	Vitals,
} from './types';

/** Limit for `Retry-After`, so that a mistake there does not silence a feed for a day. */
const RETRY_AFTER_MAX_MS = 30 * 60_000;

/** No other login follows the refusal of a second one at once. */
const REFUSED_MS = 1_500;

const NO_ROUTE: Route = { protocol: 4, transport: 'direct' };

export interface FeedSetup {
	/** The options of the first subscriber. Subscribers of one feed have equal keys, and so the same settings. */
	options: FeedOptions;
	dependencies: Dependencies;
	mask: Mask;
	/** Called when the last subscriber has left. */
	onEmpty: () => void;
	/** Of the feed before this one, if all its triggers move here. */
	stream?: Stream | undefined;
	/** The outage of the account that the feed goes on with: of the stream, or of another password's feed. */
	outage?: AccountOutage | undefined;
}

export class Feed implements KeeperOwner, PairOwner {
	readonly dependencies: Dependencies;

	readonly mask: Mask;

	readonly merge: Merge;

	readonly notUnderstood: NotUnderstood;

	readonly silenceTimeoutMs: number;

	notBefore = 0;

	brokeAt: number;

	/** Where the provider can continue the last connection, if that broke and none is open. */
	resume?: Resume | undefined;

	private readonly subscribers = new Subscribers((text) => this.mask.text(text));

	private readonly timers: NamedTimers<'start'>;

	private readonly first: Keeper;

	/** With a redundant connection. */
	private readonly pair?: Pair;

	private readonly streamId: object;

	/** The newest connection that opened: the feed reports its route. */
	private newest?: Connection;

	/** Of the newest login that lists agents: one without a list takes nobody's name or group away. */
	private directory?: Directory;

	private connectedAt = 0;

	/** Failed attempts before a connection that is open, but not reported as `connected` yet; see {@link Merge}. */
	private unreportedAttempts?: number;

	/** Why the newest attempt failed; undefined once a connection has opened. */
	private lastFailure?: AttemptFailure;

	/** The newest login was refused: what was reported of it, for those who join. */
	private refusal?: FeedStatus;

	/** The triggers are reading their credentials again. */
	private isAsking = false;

	constructor(private readonly setup: FeedSetup) {
		const { options, dependencies, mask, stream, outage } = setup;
		const { clock } = dependencies;
		this.dependencies = dependencies;
		this.mask = mask;
		this.silenceTimeoutMs = options.silenceTimeoutMs;
		this.streamId = stream?.id ?? {};
		this.brokeAt = outage?.brokeAt ?? -Infinity;
		this.timers = new NamedTimers(clock);
		this.notUnderstood = new NotUnderstood(mask, this.subscribers);
		const output = {
			onEvent: this.subscribers.deliver,
			onCovered: (continuous: boolean) => this.reportConnected(continuous),
			onGap: (gap: Parameters<typeof gapMessage>[0]) => {
				this.subscribers.log(gapMessage(gap));
				this.subscribers.report({ event: 'gap', ...gap });
			},
		};
		this.merge = new Merge(clock, options.silenceTimeoutMs, output, stream);
		this.first = new Keeper(this, outage?.refusals);
		if (options.redundantConnection) this.pair = new Pair(this.first, this);
	}

	get account(): string {
		return this.setup.options.account;
	}

	/** @param delayMs how long to wait, because another feed of the same account has only just closed */
	start(delayMs: number): void {
		if (delayMs <= 0) this.first.start();
		else this.timers.set('start', delayMs, () => this.first.start());
	}

	/** Adds a subscriber. See {@link FeedSubscriber.isAwaited}. */
	add(handlers: FeedSubscriber, options: FeedOptions, stream?: Stream): FeedSubscription {
		this.mask.addLogin(options.secrets);
		const subscriber = this.subscribers.add(handlers, options, this.merge.waiting);
		if (!this.isOpen && handlers.isAwaited?.() === true) this.retryNow();
		else this.reportLate(subscriber);
		const unreadableBefore = this.notUnderstood.messages;
		let leaving = false;
		/** `coveredUntil` at the time of `close`: the trigger saves its position after that. */
		let coveredAtEnd: number | undefined;
		return {
			first: subscriber.first,
			streamId: stream?.id ?? this.streamId,
			goesOn: stream?.coveredUntil !== undefined && stream === this.setup.stream,
			state: () => (leaving ? 'closed' : this.state),
			directory: () => this.directory,
			countsByOne: () => this.merge.countsByOne,
			coveredUntil: () => (leaving ? coveredAtEnd : this.merge.coveredUntil),
			vitals: () => (leaving ? { connections: 0 } : this.vitals()),
			counters: () => ({
				duplicates: this.merge.duplicates,
				unreadable: this.notUnderstood.messages - unreadableBefore,
			}),
			failure: () => this.maskedFailure(),
			credentialRead: (key) => this.credentialRead(key),
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

	/** Tells a subscriber that joins how the feed stands, right after its subscribe() has returned. */
	private reportLate(subscriber: Subscriber): void {
		void Promise.resolve().then(() => {
			if (!subscriber.isPresent) return;
			if (this.refusal) this.subscribers.reportTo(subscriber, this.refusal);
			const { lastFailure, isOpen } = this;
			if (!isOpen && lastFailure?.kind === 'failed')
				subscriber.settle?.({ kind: 'unreachable', reason: lastFailure.reason });
			if (!isOpen) return;
			subscriber.settle?.({ kind: 'live' });
			this.notUnderstood.showTo(subscriber);
			if (this.unreportedAttempts !== undefined) return;
			const connected = { event: 'connected', attempts: 0, continuous: null } as const;
			const at = this.connectedAt;
			const { protocol, transport } = this.route;
			this.subscribers.reportTo(subscriber, { ...connected, at, protocol, transport });
		});
	}

	// ── a changed credential ────────────────────────────────────────────────────────────────────────────────

	/** See {@link FeedSubscription.credentialRead}. */
	private credentialRead(key: string | undefined): void {
		if (key !== this.setup.options.key) void this.moveTriggers();
		else if (this.lastFailure?.credential === 'unreadable' && this.notBefore <= this.now())
			this.retryNow();
	}

	/**
	 * Each trigger reads its own credential again. Those that move all leave before the first of them joins its new feed:
	 * a provider that allows one session would end the one connection for the other.
	 */
	async moveTriggers(): Promise<void> {
		if (this.isAsking) return;
		this.isAsking = true;
		const asked = this.subscribers.all.map(async ({ handlers }) => await handlers.moves?.());
		const moves = (await Promise.all(asked)).filter((move) => move !== undefined);
		this.isAsking = false;
		const { coveredUntil, interruption: reason = CREDENTIAL_CHANGED } = this.merge;
		// An exception of one trigger leaves no other one without a feed.
		const each = (act: (move: Move) => void) => {
			for (const move of moves) {
				try {
					act(move);
				} catch (error) {
					this.effectFailed(error);
				}
			}
		};
		if (moves.length > 0)
			this.subscribers.log({
				level: 'warn',
				text: `${CREDENTIAL_CHANGED}: connecting with what it says now`,
			});
		each((move) => move.leave());
		const haveAllMoved =
			this.subscribers.size === 0 && new Set(moves.map(({ key }) => key)).size === 1;
		const { streamId: id, brokeAt, refusals } = this;
		const stream = haveAllMoved ? { id, coveredUntil, reason, brokeAt, refusals } : undefined;
		each((move) => move.join(stream));
	}

	// ── the keepers ─────────────────────────────────────────────────────────────────────────────────────────

	private get keepers(): Keeper[] {
		return this.pair?.keepers ?? [this.first];
	}

	get refusals(): number {
		return Math.max(...this.keepers.map((keeper) => keeper.refusals));
	}

	private get isOpen(): boolean {
		return this.keepers.some(({ connection }) => connection);
	}

	private get state(): FeedState {
		return (this.keepers.find(({ connection }) => connection) ?? this.keepers[0])?.name ?? 'closed';
	}

	private retryNow(): void {
		for (const keeper of this.keepers) keeper.retryNow();
	}

	openKeeper(): Keeper {
		return new Keeper(this);
	}

	/** Why no connection lasts: for whoever reports the interruption. */
	private noteFailure(failure: AttemptFailure): void {
		this.lastFailure = failure;
		this.merge.goesOn(failure.reason);
	}

	nextLogin(): FeedOptions {
		// The trigger that opened the feed may have left.
		return this.subscribers.loggingIn?.options ?? this.setup.options;
	}

	requestRenewal(keeper: Keeper): RenewalRequest {
		return this.pair?.requestRenewal(keeper) ?? 'renewItself';
	}

	opened(keeper: Keeper, connection: Connection): void {
		this.follow(connection);
		this.resume = undefined;
		this.lastFailure = undefined;
		this.refusal = undefined;
		const { insteadOfDirect } = connection.route;
		if (insteadOfDirect !== undefined) this.subscribers.log(routeMessage(insteadOfDirect));
		if (connection.session) this.notUnderstood.login(connection.session.directory);
		this.merge.opened(connection, connection.recovered);
		if (keeper.connection === connection) this.pair?.opened();
	}

	failed(keeper: Keeper, failure: AttemptFailure): boolean {
		const { kind, reason, credential, retryAfterMs = 0 } = failure;
		this.refusal = undefined;
		if (credential !== undefined) this.subscribers.loginUnsent();
		if (credential === 'changed') void this.moveTriggers();
		const isGivenUp = kind === 'refused' && this.pair?.refused(keeper, reason) === true;
		// A second login says nothing of the connection that is open.
		if (!isGivenUp) this.noteFailure(failure);
		const askedMs = Math.min(RETRY_AFTER_MAX_MS, retryAfterMs);
		const waitMs = Math.max(askedMs, isGivenUp ? REFUSED_MS : 0);
		if (waitMs > 0) this.notBefore = Math.max(this.notBefore, this.now() + waitMs);
		return isGivenUp;
	}

	lost(keeper: Keeper, connection: Connection, loss: Loss): boolean {
		if (!loss.clean) this.brokeAt = this.now();
		if (!this.merge.isOpen) this.resume = connection.resume;
		if (this.pair?.lost(keeper, connection.openedAt, loss) !== true) return false;
		this.follow(this.keepers.find((one) => one.connection)?.connection);
		if (!this.isOpen) this.notified(keeper, { event: 'disconnected', reason: loss.reason });
		return true;
	}

	private follow(connection: Connection | undefined): void {
		const { directory } = connection?.session ?? {};
		this.newest = connection ?? this.newest;
		if (!this.directory || (directory && directory.agents.size > 0)) this.directory = directory;
	}

	lostOne(reason: string): void {
		this.subscribers.log(connectionLostMessage(reason));
		this.subscribers.report({ event: 'connection_lost', at: this.now(), reason });
	}

	changed(keeper: Keeper, from: FeedState, effects: readonly FeedAction[]): void {
		const route = keeper.connection?.route ?? this.route;
		const now = this.now();
		this.subscribers.log(transitionMessage(from, keeper.name, effects, { route, now }));
	}

	notified(keeper: Keeper, notification: Notification): void {
		const at = this.now();
		switch (notification.event) {
			case 'connected':
				if (this.keepers.some((one) => one !== keeper && one.connection)) return;
				this.follow(keeper.connection);
				this.connectedAt = at;
				this.unreportedAttempts = notification.attempts;
				if (!this.merge.isUncovered) this.reportConnected(null);
				break;
			case 'disconnected':
				// Nothing arrived since the last one.
				if (this.unreportedAttempts !== undefined) return;
				break;
			case 'reverted':
				this.follow(keeper.connection);
				this.subscribers.log(renewalRevertedMessage(notification.reason));
				break;
			case 'retrying': {
				const { failure, retryAt, renewal } = notification;
				if (failure.rejected) this.noteFailure(rejectionOf(failure));
				if (renewal || this.isOpen)
					this.subscribers.log(renewalFailedMessage(failure.reason, retryAt - at));
				break;
			}
			case 'renewed':
			case 'refused':
		}
		const outcome = firstOutcomeOf(notification);
		if (outcome) this.subscribers.settleFirst(outcome);
		const status = feedStatusOf(notification, at);
		if (!status) return;
		const reported = this.subscribers.report(status);
		if (reported.event === 'refused') this.refusal = reported;
	}

	effectFailed(error: unknown): void {
		this.subscribers.log({ level: 'error', text: failedTo('a change of the connection', error) });
	}

	/** @param continuous whether it is proven that nothing was missed; null if nothing could have been */
	private reportConnected(continuous: boolean | null): void {
		const { unreportedAttempts: attempts } = this;
		if (attempts === undefined) return;
		this.unreportedAttempts = undefined;
		const { protocol, transport } = this.route;
		const at = this.now();
		this.subscribers.report({ event: 'connected', at, attempts, continuous, protocol, transport });
	}

	private vitals(): Vitals {
		const { watermark: coveredUntil, openConnections: connections } = this.merge;
		const { protocol, transport } = this.route;
		return {
			connections,
			...(this.isOpen ? { protocol, transport } : {}),
			...(coveredUntil === undefined ? {} : { coveredUntil }),
		};
	}

	private maskedFailure(): AttemptFailure | undefined {
		const { lastFailure } = this;
		return lastFailure && { ...lastFailure, reason: this.mask.text(lastFailure.reason) };
	}

	private get route(): Route {
		return this.newest?.route ?? NO_ROUTE;
	}

	private now(): number {
		return this.dependencies.clock.now();
	}
}
