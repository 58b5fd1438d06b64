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

export interface Member {
	readonly subscriber: FeedSubscriber;
	readonly options: FeedOptions;
	/** How the first attempt went; settles once. */
	readonly first: Promise<FirstOutcome>;
	/** Settles `first`; undefined once settled. */
	settle?: (outcome: FirstOutcome) => void;
	/** False from its removal on. A field, since it is asked for every event and trigger. */
	present: boolean;
}

export class Members {
	/** An array of its own for each change: an event goes to those who were there when it came. */
	private roster: readonly Member[] = [];

	get size(): number {
		return this.roster.length;
	}

	/** Whoever came last, if anybody is there. */
	newest(): Member | undefined {
		return this.roster.at(-1);
	}

	add(subscriber: FeedSubscriber, options: FeedOptions): Member {
		let settle: ((outcome: FirstOutcome) => void) | undefined;
		const first = new Promise<FirstOutcome>((resolve) => {
			settle = resolve;
		});
		const member: Member = { subscriber, options, first, present: true };
		member.settle = (outcome) => {
			member.settle = undefined;
			settle?.(outcome);
		};
		this.roster = [...this.roster, member];
		return member;
	}

	/** From now on it hears nothing more. */
	remove(member: Member): void {
		member.present = false;
		this.roster = this.roster.filter((other) => other !== member);
		member.settle?.({ kind: 'closed' });
	}

	settleFirst(outcome: FirstOutcome): void {
		for (const member of this.roster) member.settle?.(outcome);
	}

	deliver(event: FeedEvent): void {
		for (const member of this.roster) {
			if (!member.present) continue;
			try {
				member.subscriber.onEvent(event);
			} catch (error) {
				this.blame(member, 'event', error);
			}
		}
	}

	tell(status: FeedStatus): void {
		for (const member of this.roster) {
			if (member.present) this.tellOne(member, status);
		}
	}

	tellOne(member: Member, status: FeedStatus): void {
		try {
			member.subscriber.onStatus(status);
		} catch (error) {
			this.blame(member, 'status', error);
		}
	}

	otherEvent(name: string, payload: string): void {
		for (const member of this.roster) {
			try {
				member.subscriber.onOtherEvent?.(name, payload);
			} catch (error) {
				this.blame(member, 'other event', error);
			}
		}
	}

	/** One line to every trigger's own logger, which names workflow and node. */
	log(level: keyof FeedLogger, line: string): void {
		for (const member of this.roster) this.logTo(member, level, line);
	}

	private blame(member: Member, what: string, error: unknown): void {
		// Its message may hold anything of the event: the name alone is told.
		const name = error instanceof Error ? error.name : typeof error;
		this.logTo(member, 'error', `this trigger threw on an ${what} (${name}); it goes on`);
	}

	private logTo(member: Member, level: keyof FeedLogger, line: string): void {
		try {
			member.subscriber.logger[level](`Feed: ${line}`);
		} catch {
			// A logger that throws must not stop the feed, and there is nobody left to tell.
		}
	}
}
