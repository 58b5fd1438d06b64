// How long an agent was in each state: a running sum at each change, so that the time in any window is the difference of
// two sums.

import type { AgentView } from './agents';

/** Seconds in each state that figures tell apart. Time of which the state is unknown is in none of them. */
export interface StateSeconds {
	/** With a call: talking, calling or transferring. */
	talk: number;
	ringing: number;
	wrapUp: number;
	available: number;
	onBreak: number;
}

export const NO_SECONDS: Readonly<StateSeconds> = {
	talk: 0,
	ringing: 0,
	wrapUp: 0,
	available: 0,
	onBreak: 0,
};

/**
 * What is stored of a change, as the positions of its numbers: from when (milliseconds since 1970), until when by
 * itself, which of the sums grows from then on, and the sums (seconds) by then.
 */
const AT = 0;
const UNTIL = 1;
const GROWS = 2;
const TALK = 3;
const RINGING = 4;
const WRAP_UP = 5;
const AVAILABLE = 6;
const ON_BREAK = 7;
const NUMBERS = 8;
const SUMS = [TALK, RINGING, WRAP_UP, AVAILABLE, ON_BREAK] as const;
const NONE = -1;

const SUM_OF_STATE: Record<NonNullable<AgentView['state']>, number> = {
	talking: TALK,
	calling: TALK,
	transferring: TALK,
	ringing: RINGING,
	wrap_up: WRAP_UP,
	available: AVAILABLE,
	on_break: ON_BREAK,
	logged_out: NONE,
};

export class AgentTimes {
	/**
	 * The changes in order of time, one behind the other. As objects they would be most of what a process remembers, and
	 * of the garbage collector's work.
	 */
	private numbers = new Float64Array(4 * NUMBERS);
	/** Where the first one begins, and where the next one will. */
	private first = 0;
	private end = 0;

	/** Number of stored changes. */
	get size(): number {
		return (this.end - this.first) / NUMBERS;
	}

	/** The agent is in a state from a moment on, which is not before any other (by our clock, milliseconds since 1970). */
	enters(at: number, { state, until = Infinity }: Pick<AgentView, 'state' | 'until'>): void {
		this.makeRoom();
		const { numbers, end } = this;
		const last = end > this.first ? end - NUMBERS : NONE;
		for (const sum of SUMS) numbers[end + sum] = this.sumAt(sum, last, at);
		numbers[end + AT] = at;
		numbers[end + UNTIL] = until;
		numbers[end + GROWS] = state === null ? NONE : SUM_OF_STATE[state];
		this.end += NUMBERS;
	}

	/** Forgets the changes from a moment on: a late event shows that they have to be read again. */
	forget(from: number): void {
		while (this.end > this.first && this.number(this.end - NUMBERS + AT) >= from)
			this.end -= NUMBERS;
	}

	/** From now on the state is not known. */
	interrupted(at: number): void {
		if (this.size === 0) return;
		const last = this.number(this.end - NUMBERS + AT);
		this.enters(Math.max(at, last), { state: null });
	}

	/** Forgets what no window after that moment needs, and more if there would be more changes than `most`. */
	prune(before: number, most: number): void {
		this.first = Math.max(this.first, this.end - most * NUMBERS);
		while (this.first + NUMBERS < this.end && this.number(this.first + NUMBERS + AT) <= before)
			this.first += NUMBERS;
	}

	/** Seconds in each state between two moments by our clock. */
	between(from: number, until: number): StateSeconds {
		const begin = this.lastBefore(from);
		const end = this.lastBefore(until);
		const seconds = (sum: number) => this.sumAt(sum, end, until) - this.sumAt(sum, begin, from);
		return {
			talk: seconds(TALK),
			ringing: seconds(RINGING),
			wrapUp: seconds(WRAP_UP),
			available: seconds(AVAILABLE),
			onBreak: seconds(ON_BREAK),
		};
	}

	/** @param change the last one before the moment; none: the moment is before all of them */
	private sumAt(sum: number, change: number, moment: number): number {
		if (change === NONE) return this.size === 0 ? 0 : this.number(this.first + sum);
		const seconds = this.number(change + sum);
		const grows = this.number(change + GROWS);
		if (grows === NONE) return seconds;
		const ends = Math.min(moment, this.number(change + UNTIL));
		const inState = grows === sum ? (ends - this.number(change + AT)) / 1000 : 0;
		// What ends by itself is wrap-up.
		const afterwards = sum === AVAILABLE ? (moment - ends) / 1000 : 0;
		return seconds + inState + afterwards;
	}

	/** The last change before a moment, or at it. */
	private lastBefore(moment: number): number {
		const { first, end } = this;
		// Nearly always it is the last one, or there is none.
		if (first === end || this.number(first + AT) > moment) return NONE;
		if (this.number(end - NUMBERS + AT) <= moment) return end - NUMBERS;
		let low = 0;
		let high = this.size;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.number(first + middle * NUMBERS + AT) <= moment) low = middle + 1;
			else high = middle;
		}
		return first + (low - 1) * NUMBERS;
	}

	private number(position: number): number {
		return this.numbers[position] as number;
	}

	/** For one more change: at the front, if half of the numbers there are no longer needed, otherwise by doubling. */
	private makeRoom(): void {
		const { numbers, first, end } = this;
		if (end < numbers.length) return;
		const target = first * 2 >= numbers.length ? numbers : new Float64Array(numbers.length * 2);
		target.set(numbers.subarray(first, end));
		this.numbers = target;
		this.first = 0;
		this.end = end - first;
	}
}
