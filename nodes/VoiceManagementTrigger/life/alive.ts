// The sign of life: every few minutes the trigger says whether it is connected and until when everything is here, also
// while nothing happens. So a quiet night and a dead connection look different.

import type { Entry } from '../events/entry';
import type { SignOfLife } from '../events/statusItem';
import type { Clock, FeedEvent, FeedSubscription } from '../feed/types';
import { afterUnlessAborted } from './context';
import type { CredentialFeed } from './credentialFeed';

/** Counts what is reported between two signs of life. */
export class Alive {
	private received = 0;
	private passed = 0;
	/** What was counted by the time of the sign before, and of which feed. */
	private counted: { of?: FeedSubscription | undefined; unreadable: number } = { unreadable: 0 };
	private lastEventAt: number | undefined;
	private coveredUntil: number | undefined;

	/**
	 * @param feed the one of the credential as it was read last
	 * @param report called every `everyMs` milliseconds, until the signal aborts
	 */
	constructor(
		private readonly feed: () => Pick<CredentialFeed, 'vitals' | 'subscription'> | undefined,
		clock: Clock,
		signal: AbortSignal,
		everyMs: number,
		report: (sign: SignOfLife) => void,
	) {
		const again = (): void =>
			afterUnlessAborted(clock, signal, everyMs, () => {
				report(this.sign());
				again();
			});
		again();
	}

	/** Receives every event of the feed. */
	noteEvent({ receivedAt }: FeedEvent): void {
		this.received++;
		this.lastEventAt = receivedAt;
	}

	/** Receives what the trigger lets through. */
	notePassed(entry: Entry): void {
		this.passed += 'items' in entry ? entry.items.length : 1;
	}

	private sign(): SignOfLife {
		const feed = this.feed();
		const vitals = feed?.vitals() ?? { connections: 0 };
		// A feed that was opened anew, since the credential was changed, covers from its first connection on.
		this.coveredUntil = vitals.coveredUntil ?? this.coveredUntil;
		const { counted } = this;
		const of = feed?.subscription;
		const unreadable = of?.counters().unreadable ?? 0;
		const { received, passed, lastEventAt, coveredUntil } = this;
		const sign = {
			...vitals,
			...(coveredUntil === undefined ? {} : { coveredUntil }),
			lastEventAt,
			received,
			passed,
			unreadable: of === counted.of ? unreadable - counted.unreadable : unreadable,
		};
		this.received = this.passed = 0;
		this.counted = { of, unreadable };
		return sign;
	}
}
