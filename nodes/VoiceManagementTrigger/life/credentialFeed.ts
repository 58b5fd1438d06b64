// The feed that the credential of an active workflow names, whichever that is: n8n does not start a trigger again when its
// credential is changed, so the trigger reads it again and moves.

import { InputError } from '../../shared/errors';
import { settledWithin } from '../feed/clock';
import { CREDENTIAL_CHANGED, gap, SERVED_MS } from '../feed/gap';
import { gapMessage } from '../feed/logMessages';
import type {
	Clock,
	FeedOptions,
	FeedStatus,
	FeedSubscription,
	Move,
	Stream,
	Vitals,
} from '../feed/types';
import { afterUnlessAborted } from './context';
import type { ActiveTrigger } from './instances';
import { OpenFeed, type Listener, type Prepare, type Prepared } from './openFeed';

/** How often the credential is read while no login is accepted. */
const READ_EVERY_MS = 30_000;
/** How often otherwise. Nothing is sent to the provider for it. */
const READ_WHEN_CONNECTED_MS = 5 * 60_000;
/** The other triggers of the feed wait for this one's credential no longer than this. */
const READ_WITHIN_MS = 10_000;

export class CredentialFeed {
	private readonly open: OpenFeed;

	private joined: { feed: FeedOptions; subscription: FeedSubscription };

	/** Between two feeds: it has left the one and not joined the next. */
	private hasLeft = false;

	/** Whose feed it is: of the one before, while the trigger moves to the next. */
	account: string;

	private isConnected = false;

	/** Why it is not any more. */
	private interruption: string | undefined;

	/** Since when events may be missing, of the feed before this one. */
	private missingSince: number | undefined;

	/** Which of its calls and figures that was. */
	private leftStream: object | undefined;

	private readAt: number;

	/**
	 * Joins the feed.
	 * @param unusable the credential can't be used any more: reports it, and calls `join` once it can
	 */
	constructor(
		{ settings, feed }: Prepared,
		private readonly prepare: Prepare,
		private readonly listener: Listener,
		private readonly active: ActiveTrigger,
		private readonly clock: Clock,
		private readonly unusable: (error: InputError, join: (prepared: Prepared) => void) => void,
	) {
		// Before the feed ends: whatever is missing by then is reported now or never.
		active.onEnd(() => {
			if (this.interruption !== undefined) this.missingSince ??= this.subscription.coveredUntil();
			this.reportMissing();
		});
		const onStatus = (status: FeedStatus) => this.onStatus(status);
		const moves = async () => await this.moves();
		this.open = new OpenFeed(settings, { ...listener, onStatus, moves }, active, clock);
		this.readAt = clock.now();
		this.account = feed.account;
		this.joined = { feed, subscription: this.open.join(feed) };
		// It may join a feed whose outage goes on.
		void this.subscription.first.then((outcome) => {
			if (outcome.kind === 'unreachable') this.interruption ??= outcome.reason;
		});
		this.readLater();
	}

	/** To the feed of the credential as it was read last. */
	get subscription(): FeedSubscription {
		return this.joined.subscription;
	}

	/** Up to when everything is here. Nothing of what is still to be reported as missing is. */
	get coveredUntil(): number | undefined {
		return this.missingSince ?? this.subscription.coveredUntil();
	}

	/** See {@link OpenFeed.untoldSince}. */
	untoldSince(): number | undefined {
		return this.open.untoldSince();
	}

	/** What the feed can say about itself. */
	vitals(): Vitals {
		const { missingSince: coveredUntil } = this;
		const vitals = this.subscription.vitals();
		return coveredUntil === undefined ? vitals : { ...vitals, coveredUntil };
	}

	private join(feed: FeedOptions, stream?: Stream): void {
		if (this.active.signal.aborted) return;
		const subscription = this.open.join(feed, stream);
		this.joined = { feed, subscription };
		this.account = feed.account;
		this.hasLeft = false;
		if (subscription.goesOn) this.missingSince = undefined;
	}

	private onStatus(status: FeedStatus): void {
		this.listener.onStatus(status);
		if (status.event === 'disconnected') {
			this.isConnected = false;
			this.interruption = status.reason;
		}
		if (status.event !== 'connected') return;
		this.isConnected = true;
		this.interruption = undefined;
		if (this.missingSince === undefined) return;
		// The provider serves a new connection by then.
		afterUnlessAborted(this.clock, this.active.signal, SERVED_MS, () => {
			if (this.isConnected) this.reportMissing();
		});
	}

	private reportMissing(): void {
		const { missingSince } = this;
		if (missingSince === undefined) return;
		this.missingSince = undefined;
		const missed = gap(missingSince, this.clock.now(), this.interruption ?? CREDENTIAL_CHANGED);
		this.listener.logger.warn(gapMessage(missed).text);
		const status = { event: 'gap', ...missed } as const;
		// Of another account's calls, which other triggers follow, nothing is missing.
		if (this.subscription.streamId === this.leftStream) this.open.report(status);
		else this.listener.onStatus(status);
	}

	// ── the credential ──────────────────────────────────────────────────────────────────────────────────────

	private readLater(): void {
		afterUnlessAborted(this.clock, this.active.signal, READ_EVERY_MS, () => {
			this.readLater();
			void this.readIfDue();
		});
	}

	private async readIfDue(): Promise<void> {
		const { joined } = this;
		if (this.hasLeft) return;
		const isWell = this.isConnected && joined.subscription.failure() === undefined;
		if (isWell && this.clock.now() - this.readAt < READ_WHEN_CONNECTED_MS) return;
		const read = await this.read();
		if (read && !this.hasLeft && this.joined === joined)
			joined.subscription.credentialRead(read.prepared?.feed.key);
	}

	/** @returns undefined if n8n can't read it now; `error` if what it says can't be used */
	private async read(): Promise<
		| { prepared: Prepared; error?: undefined }
		| { prepared?: undefined; error: InputError }
		| undefined
	> {
		this.readAt = this.clock.now();
		try {
			return { prepared: await this.prepare() };
		} catch (error) {
			return error instanceof InputError ? { error } : undefined;
		}
	}

	/** See {@link FeedSubscriber.moves}. */
	private async moves(): Promise<Move | undefined> {
		const { joined } = this;
		const read = await settledWithin(this.read(), READ_WITHIN_MS, this.clock);
		if (this.hasLeft || this.joined !== joined || !read || this.active.signal.aborted)
			return undefined;
		const { prepared, error } = read;
		if (prepared?.feed.key === joined.feed.key) return undefined;
		return {
			key: prepared?.feed.key,
			leave: () => this.leave(joined.subscription),
			join: (stream) => {
				if (error) return this.unusable(error, ({ feed }) => this.join(feed));
				const { feed } = prepared;
				this.join(feed, feed.account === joined.feed.account ? stream : undefined);
			},
		};
	}

	private leave(subscription: FeedSubscription): void {
		const at = this.clock.now();
		this.missingSince ??= subscription.coveredUntil();
		this.leftStream = subscription.streamId;
		this.hasLeft = true;
		// Delivers what the feed has buffered.
		void subscription.close();
		if (this.isConnected)
			this.open.report({ event: 'disconnected', at, reason: CREDENTIAL_CHANGED });
	}
}
