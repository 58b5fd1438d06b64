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
}

export class Members {
	private readonly members = new Set<Member>();

	/** The same in an array of its own for each change: an event goes to those who were there when it came. */
	private roster: readonly Member[] = [];

	get size(): number {
		return this.members.size;
	}

	has(member: Member): boolean {
		return this.members.has(member);
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
		const member: Member = { subscriber, options, first };
		member.settle = (outcome) => {
			member.settle = undefined;
			settle?.(outcome);
		};
		this.members.add(member);
		this.roster = [...this.members];
		return member;
	}

	/** From now on it hears nothing more. */
	remove(member: Member): void {
		this.members.delete(member);
		this.roster = [...this.members];
		member.settle?.({ kind: 'closed' });
	}

	settleFirst(outcome: FirstOutcome): void {
		for (const member of this.roster) member.settle?.(outcome);
	}

	deliver(event: FeedEvent): void {
		for (const member of this.roster) {
			if (!this.members.has(member)) continue;
			try {
				member.subscriber.onEvent(event);
			} catch (error) {
				this.blame(member, 'event', error);
			}
		}
	}

	tell(status: FeedStatus): void {
		for (const member of this.roster) {
			if (this.members.has(member)) this.tellOne(member, status);
		}
	}

	tellOne(member: Member, status: FeedStatus): void {
		try {
			member.subscriber.onStatus(status);
		} catch (error) {
			this.blame(member, 'status', error);
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
