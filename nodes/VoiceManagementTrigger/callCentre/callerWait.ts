// Where one caller waits: each stay in a queue, and the wait over all queues, with what became of them (docs/items.md,
// "A call", rules 1, 2 and 5). Who has the call, and when it is over, is the journey's to say.

import type { CallView, Change, Moment, Outcome, Stay, Talk, Wait } from './changes';

/** Two reports of one answer, and what belongs to it, arrive within this time. */
export const ONE_ANSWER_MS = 2_000;
/** A call that left its last place may turn up in another one within this time, and an entry be delivered late. */
export const TURNS_UP_MS = 5_000;
/** Of each kind, for the record: a call that moves on for ever must not grow for ever. */
export const MOST_PARTS = 100;
/** Of lists that most calls leave empty: thousands of calls share it. */
export const NONE: readonly never[] = [];

/** Of a stay or a wait that goes on. */
const UNDECIDED = { decidedAt: undefined, knownAt: undefined, result: undefined } as const;

/** The call, which reports what has changed. */
interface Owner extends CallView {
	report(change: Change): void;
}

export class CallerWait {
	// Lists are replaced, not pushed to: the first push reserves room for seventeen.
	/** Each queue that the call was in, once, and each stay in one, in order. */
	queues: readonly string[] = NONE;
	stays: readonly Stay[] = NONE;
	/** The newest wait, decided or not. */
	wait: Wait | undefined;
	/** The first wait, if another one has begun since. */
	private firstOfSeveral: Wait | undefined;
	/** Where it is now; the queue that answered it has it until its deletion. */
	private inQueues: readonly string[] = NONE;
	/** Nothing has shown since an interruption in which of these queues it still is. */
	private isDoubtful = false;

	constructor(private readonly call: Owner) {}

	/** In how many queues the call is, for certain or not. */
	get placeCount(): number {
		return this.inQueues.length;
	}

	/** The stays that go on: there the caller waits for certain. */
	private get open(): readonly Stay[] {
		return this.stays.filter(({ decidedAt }) => decidedAt === undefined);
	}

	get places(): readonly string[] {
		return this.open.map(({ queue }) => queue);
	}

	/** A wait goes on as long as a stay does. */
	get isSomewhere(): boolean {
		return this.wait !== undefined && this.wait.decidedAt === undefined;
	}

	/** The stay that abandoned the call: nothing has followed yet. */
	get abandoned(): Stay | undefined {
		return this.stays.findLast(({ result }) => result === 'abandoned');
	}

	get isPerhapsSomewhere(): boolean {
		return this.isDoubtful && this.inQueues.length > 0;
	}

	/** Where the caller may still wait, although the feed was interrupted. */
	get doubtfulQueue(): string | undefined {
		return this.wait?.result === 'unknown' ? this.inQueues.at(-1) : undefined;
	}

	/** Whether it is a queue in which the call was not seen yet. */
	isNew(queue: string | undefined): boolean {
		return queue !== undefined && !this.queues.includes(queue);
	}

	get first(): Wait | undefined {
		return this.firstOfSeveral ?? this.wait;
	}

	/** The stays of the record: one that goes on after an interruption is one. */
	recorded(): Outcome['stays'] {
		const { stays, call } = this;
		const { answeredAt } = call;
		const goesOn = ({ queue, isSeen }: Stay, before?: Stay) =>
			!isSeen && before?.result === 'unknown' && before.queue === queue;
		const all = stays.filter((stay, index) => !goesOn(stay, stays[index - 1]));
		return all.map(({ queue, since, isSeen, decidedAt, result }) => {
			const isKnown = isSeen && decidedAt !== undefined && result !== 'unknown';
			const isLater = answeredAt !== undefined && since > answeredAt;
			return { queue, wait: isKnown ? decidedAt - since : undefined, isLater };
		});
	}

	/** The stay that ended last, or goes on; of several that ended together, the one that the caller left. */
	get last(): Stay | undefined {
		const endOf = ({ decidedAt = Infinity }: Stay) => decidedAt;
		return this.abandoned ?? this.stays.toSorted((a, b) => endOf(a) - endOf(b)).at(-1);
	}

	/** What goes on, as if it had just begun. */
	*state(): Generator<Change> {
		const { call, wait } = this;
		for (const after of this.open) yield { kind: 'stay', call, after };
		if (wait && this.isSomewhere) yield { kind: 'wait', call, after: wait };
	}

	// ---- Entries ----

	/** @param isSeen otherwise it has been there before */
	begin(queue: string, at: number, isSeen: boolean): void {
		const { wait } = this;
		this.staysIn([...this.places, queue]);
		this.isDoubtful = false;
		this.queues = withId(this.queues, queue);
		this.pushStay({ queue, since: at, isSeen, ...UNDECIDED });
		const isMoved = wait !== undefined && (wait.isMoved || !wait.queues.includes(queue));
		// Of a wait of which the feed lost sight, the rest is not counted; it is measured from its beginning.
		if (!wait || wait.result === 'answered') {
			this.firstOfSeveral ??= wait;
			this.setWait({
				since: at,
				isSeen,
				isKnown: isSeen,
				seenAgain: undefined,
				queues: [queue],
				isMoved: false,
				pauses: NONE,
				...UNDECIDED,
			});
		} else if (wait.result === 'unknown')
			this.setWait({
				...wait,
				...UNDECIDED,
				isSeen: false,
				seenAgain: at,
				queues: [queue],
				isMoved,
			});
		else this.setWait({ ...wait, queues: withId(wait.queues, queue), isMoved }, wait);
	}

	/**
	 * The call is in that queue already, or was answered there: perhaps it was heard of before its entry.
	 * @returns when the wait began, if that is seen now
	 */
	seeEntry(queue: string, at: number): number | undefined {
		const { wait } = this;
		const stay = this.stays.findLast((one) => one.queue === queue);
		if (!stay || stay.isSeen || !wait || at - stay.since > TURNS_UP_MS) return undefined;
		const since = stay.decidedAt ?? at;
		this.replaceStay(stay, { ...stay, since, isSeen: true });
		// What an interruption hid of a wait stays hidden.
		if (wait.since !== stay.since) return undefined;
		this.setWait({ ...wait, since, isSeen: true, isKnown: true }, wait);
		return since;
	}

	/** What enters a queue together with an answer came before it: the answer has ended that stay too. */
	addToAnswer(queue: string, { at, heardAt }: Moment): void {
		this.queues = withId(this.queues, queue);
		this.pushStay({
			queue,
			since: at,
			isSeen: true,
			decidedAt: at,
			knownAt: heardAt,
			result: 'overflowed',
		});
		const { wait } = this;
		if (wait) this.setWait({ ...wait, queues: withId(wait.queues, queue) }, wait);
	}

	// ---- Ends ----

	/**
	 * The queues lose the call, without an answer.
	 * @param id undefined: all do
	 * @param gone what the wait has become if the caller waits nowhere else
	 * @returns whether it was there
	 */
	leave(id: string | undefined, when: Moment, gone: 'abandoned' | 'unknown'): boolean {
		const before = this.inQueues;
		// It went to that queue during an interruption, as its deletion shows: it is in no other one any more.
		const isUnseen = this.isPerhapsSomewhere && this.isNew(id);
		if (isUnseen && id !== undefined) this.queues = withId(this.queues, id);
		this.staysIn(isUnseen ? NONE : without(before, id));
		for (const stay of this.open) {
			if (id !== undefined && stay.queue !== id) continue;
			const isLast = this.open.length === 1;
			this.decideStay(stay, when, isLast ? gone : 'overflowed');
			if (isLast) this.decideWait(when, gone);
		}
		return this.inQueues.length < before.length;
	}

	/** Only that queue has the call, if it had it. */
	leaveOthers(queue?: string): void {
		this.staysIn(this.inQueues.filter((one) => one === queue));
	}

	/** An agent is seen in the call. If that names another queue, nothing is known of the one before. */
	seeIn(queue: string | undefined): void {
		if (!this.isNew(queue)) this.isDoubtful = false;
	}

	/** Whoever waits may have gone, or been answered, unseen. */
	loseSight(at: number): void {
		this.isDoubtful = true;
		const when = { at, heardAt: at };
		for (const stay of this.open) this.decideStay(stay, when, 'unknown');
		this.decideWait(when, 'unknown');
	}

	/** If the caller had left, the wait goes on. @returns the stay that has ended before */
	comeBack(at: number): Stay | undefined {
		const { abandoned, wait } = this;
		if (!abandoned || wait?.decidedAt === undefined) return undefined;
		const left = { ...abandoned, result: 'overflowed' as const };
		this.replaceStay(abandoned, left);
		const pauses = [...wait.pauses, { from: wait.decidedAt, to: at }].slice(-MOST_PARTS);
		this.setWait({ ...wait, ...UNDECIDED, isMoved: true, pauses }, wait);
		return left;
	}

	// ---- Answers ----

	/**
	 * An answer ends the wait everywhere.
	 * @param left the stay that the caller ended before coming back
	 * @returns the queue that it is in
	 */
	answer(named: string | undefined, left: Stay | undefined, when: Moment): string | undefined {
		const { at: decidedAt, heardAt: knownAt } = when;
		const { open, places } = this;
		// A deletion at the answer may be delivered first.
		const deleted = this.justLeft(named, knownAt) ?? justNow(left, knownAt);
		const queue = deleted?.queue ?? places.find((id) => id === named) ?? places.at(-1);
		if (deleted) this.replaceStay(deleted, { ...deleted, decidedAt, knownAt, result: 'answered' });
		for (const stay of open)
			this.decideStay(stay, when, stay.queue === queue ? 'answered' : 'overflowed');
		// Then the caller had not left.
		if (deleted && left && this.wait)
			this.setWait({ ...this.wait, pauses: this.wait.pauses.slice(0, -1) }, this.wait);
		this.decideWait(when, 'answered');
		return queue;
	}

	/**
	 * It was another one of its queues that the agent answered.
	 * @param taken where the answer was counted @param isStillThere the queue has not lost it since
	 * @returns whether the call was in that queue
	 */
	answerInstead(queue: string, taken: Talk, heardAt: number, isStillThere: boolean): boolean {
		const { since } = taken;
		const first = this.stays.findLast((stay) => stay.queue === taken.queue);
		const other = this.justLeft(queue, heardAt);
		if (!other || !first) return false;
		this.replaceStay(first, { ...first, result: 'overflowed' });
		// Its entry may have been delivered after the answer.
		const begun = Math.min(other.since, since);
		this.replaceStay(other, { ...other, since: begun, decidedAt: since, result: 'answered' });
		this.inQueues = isStillThere ? [queue] : NONE;
		return true;
	}

	/** The newest stay in a queue, if the queue lost the call within the time of an answer. */
	justLeft(queue: string | undefined, now: number): Stay | undefined {
		return justNow(
			this.stays.findLast((stay) => stay.queue === queue),
			now,
		);
	}

	// ---- What is reported ----

	/** It is in no other queue. */
	private staysIn(queues: readonly string[]): void {
		const { call, inQueues } = this;
		this.inQueues = queues;
		if (this.wait?.result !== 'unknown') return;
		const gone = inQueues.filter((one) => !queues.includes(one));
		if (gone.length > 0) call.report({ kind: 'gone', call, queues: gone });
	}

	private pushStay(after: Stay): void {
		if (this.stays.length >= MOST_PARTS)
			this.stays = this.stays.toSpliced(
				this.stays.findIndex(({ decidedAt }) => decidedAt !== undefined),
				1,
			);
		this.stays = this.stays.concat(after);
		this.call.report({ kind: 'stay', call: this.call, after });
	}

	private replaceStay(before: Stay, after: Stay): void {
		this.stays = this.stays.map((stay) => (stay === before ? after : stay));
		this.call.report({ kind: 'stay', call: this.call, before, after });
	}

	private setWait(after: Wait, before?: Wait): void {
		this.wait = after;
		this.call.report({ kind: 'wait', call: this.call, after, ...(before && { before }) });
	}

	private decideStay(stay: Stay, when: Moment, result: NonNullable<Stay['result']>): void {
		this.replaceStay(stay, { ...stay, decidedAt: when.at, knownAt: when.heardAt, result });
	}

	private decideWait({ at, heardAt }: Moment, result: NonNullable<Wait['result']>): void {
		const before = this.wait;
		if (!before || before.decidedAt !== undefined) return;
		this.setWait({ ...before, decidedAt: at, knownAt: heardAt, result }, before);
	}
}

/** @param id undefined: all are gone */
export function without(list: readonly string[], id: string | undefined): readonly string[] {
	return id === undefined ? NONE : list.filter((one) => one !== id);
}

/** A list of the record with another identifier, once. */
export function withId(list: readonly string[], id: string): readonly string[] {
	return list.length < MOST_PARTS && !list.includes(id) ? list.concat(id) : list;
}

/** A stay that its queue has lost within the time of an answer. */
function justNow(stay: Stay | undefined, now: number): Stay | undefined {
	const isRecent = stay?.knownAt !== undefined && now - stay.knownAt <= ONE_ANSWER_MS;
	return isRecent && stay.result === 'overflowed' ? stay : undefined;
}
