// The redundant connection: a second keeper into the same merge, so that the loss of one connection is no gap. Decides
// when the second one is opened, what becomes of both, and gives it up for half an hour if the provider allows one
// session only.
import type { Dependencies } from './connection';
import type { Keeper, RenewalRequest } from './keeper';
import type { Merge } from './merge/merge';
import { NamedTimers } from './namedTimers';
import { backoffDelay, CONFIRM_MS } from './state/backoff';
import type { Loss } from './state/types';

/** How often the two connections are compared. */
const COMPARE_PAIR_MS = 5_000;
/** How long the second keeper waits while the first one is busy. */
const OPEN_AGAIN_MS = 1_000;
/**
 * A provider that allows one session ends, or stops serving, one of two connections within CONFIRM_MS of the newer one's
 * `init`. So does a network now and then, by breaking the connection, but not at once.
 */
const BROKEN_AT_ONCE_MS = 1_500;
/** After this many losses of that kind in a row, the feed uses one connection. */
const MOST_SIGNS = 2;
/** For how long it does. */
const ONE_SESSION_MS = 30 * 60_000;

const ONE_SESSION =
	'the provider allows one session at a time: a second connection is tried again in 30 minutes';
const DELIVERED_NONE = 'it delivered none of the events that the other connection did';

/** The feed of a pair. */
export interface PairOwner {
	readonly dependencies: Dependencies;
	readonly merge: Merge;
	/** No login before this moment. */
	readonly notBefore: number;
	/** Opens another keeper into the same merge. */
	openKeeper(): Keeper;
	/** One of two connections was lost, or the second one is given up. */
	lostOne(reason: string): void;
}

export class Pair {
	private second?: Keeper;

	private readonly timers: NamedTimers<'open' | 'compare' | 'lasting'>;

	/** Losses that follow one another too soon for a network: the back-off counts these. */
	private failures = 0;

	/** How many of them show that the provider allows one session only. */
	private signs = 0;

	private oneSessionUntil = 0;

	/** The provider was seen to allow one session only, and that was reported. */
	private reported = false;

	constructor(
		private first: Keeper,
		private readonly feed: PairOwner,
	) {
		this.timers = new NamedTimers(feed.dependencies.clock);
	}

	/** The keepers in use; the first one was open before the other. */
	get keepers(): Keeper[] {
		return this.second ? [this.first, this.second] : [this.first];
	}

	/** A connection was opened, and is not one of a renewal. */
	opened(): void {
		if (this.isWhole) {
			this.timers.set('lasting', CONFIRM_MS, () => {
				this.failures = this.signs = 0;
				this.reported = false;
			});
			this.compareLater();
		} else if (!this.second) this.openLater(1);
	}

	/**
	 * A connection ended.
	 * @param openedAt when it had opened
	 * @param hasStopped it lacked what the other one delivered
	 * @returns whether the other one goes on, so that its keeper is closed
	 */
	lost(
		keeper: Keeper,
		openedAt: number,
		{ reason, clean, hasStopped = false }: Loss & { hasStopped?: boolean },
	): boolean {
		const other = this.otherOf(keeper);
		if (!other) return false;
		const { connection } = other;
		// A login in progress becomes the reconnection. One that waits is given up, and so is a connection that had stopped.
		if (connection ? this.feed.merge.hasStopped(connection) : !other.isBusy) {
			this.end(other);
			return false;
		}
		const age = this.now() - Math.max(openedAt, connection?.openedAt ?? 0);
		const isSign = age < (clean || hasStopped ? CONFIRM_MS : BROKEN_AT_ONCE_MS);
		this.end(keeper);
		this.failures = isSign ? this.failures + 1 : 1;
		this.signs = isSign ? this.signs + 1 : 0;
		if (this.signs >= MOST_SIGNS) this.useOneSession(ONE_SESSION);
		else if (connection) {
			this.feed.lostOne(reason);
			this.openLater(this.failures);
		}
		return true;
	}

	/**
	 * The provider refused a login.
	 * @returns whether it was that of the second connection, which is given up
	 */
	refused(keeper: Keeper, reason: string): boolean {
		if (keeper !== this.second || !this.first.connection) return false;
		this.end(keeper);
		this.signs = MOST_SIGNS;
		this.useOneSession(
			`the provider refused a second login, perhaps because it allows one session at a time: a second connection is tried again in 30 minutes. Its reason: ${reason}`,
		);
		return true;
	}

	/** See {@link KeeperOwner.requestRenewal}: of two connections, one is closed before its successor is opened. */
	requestRenewal(keeper: Keeper): RenewalRequest {
		const other = this.otherOf(keeper);
		if (!other) return 'renewItself';
		if (other.isBusy) return 'wait';
		if (!other.connection) {
			// Its login failed, so the next one follows a moment later, for the connection that is open.
			this.end(other);
			this.openLater(1);
			return 'wait';
		}
		if (!keeper.connection || !this.feed.merge.canSpare(keeper.connection)) return 'wait';
		this.end(keeper);
		this.open();
		return 'replaced';
	}

	close(): void {
		this.timers.cancelAll();
		for (const keeper of this.keepers) keeper.close();
	}

	private get isWhole(): boolean {
		return this.first.connection !== undefined && this.second?.connection !== undefined;
	}

	private otherOf(keeper: Keeper): Keeper | undefined {
		return this.keepers.find((one) => one !== keeper);
	}

	/** Closes one of two keepers; the other one is the first one from now on. */
	private end(keeper: Keeper): void {
		this.timers.cancel('lasting');
		this.timers.cancel('compare');
		if (keeper === this.first && this.second) this.first = this.second;
		this.second = undefined;
		keeper.close();
	}

	private useOneSession(reason: string): void {
		this.oneSessionUntil = this.now() + ONE_SESSION_MS;
		if (!this.reported) this.feed.lostOne(reason);
		this.reported = true;
		this.openLater(1);
	}

	private openLater(failures: number): void {
		const now = this.now();
		const dueAt = Math.max(
			this.oneSessionUntil,
			now + backoffDelay(failures, this.feed.dependencies.random()),
		);
		this.timers.set('open', dueAt - now, () => this.openWhenIdle());
	}

	private openWhenIdle(): void {
		// Without a first connection, its keeper is at work; opened() follows.
		if (this.second || !this.first.connection) return;
		const wait = this.feed.notBefore - this.now();
		if (this.first.name !== 'live' || wait > 0) {
			this.timers.set('open', Math.max(OPEN_AGAIN_MS, wait), () => this.openWhenIdle());
		} else this.open();
	}

	private open(): void {
		this.timers.cancel('open');
		this.second = this.feed.openKeeper();
		this.second.start();
	}

	private compareLater(): void {
		this.timers.setToJudge('compare', COMPARE_PAIR_MS, () => {
			const { merge } = this.feed;
			const stopped = this.keepers.find((one) => one.connection && merge.lacks(one.connection));
			const { connection } = stopped ?? {};
			if (!stopped || !connection) return this.compareLater();
			this.lost(stopped, connection.openedAt, {
				reason: DELIVERED_NONE,
				clean: false,
				hasStopped: true,
			});
		});
	}

	private now(): number {
		return this.feed.dependencies.clock.now();
	}
}
