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

interface Change extends StateSeconds {
	readonly at: number;
	readonly view: AgentView;
}

export const NO_SECONDS: Readonly<StateSeconds> = {
	talk: 0,
	ringing: 0,
	wrapUp: 0,
	available: 0,
	onBreak: 0,
};

const FIELD_OF_STATE = {
	talking: 'talk',
	calling: 'talk',
	transferring: 'talk',
	ringing: 'ringing',
	wrap_up: 'wrapUp',
	available: 'available',
	on_break: 'onBreak',
	logged_out: undefined,
} as const satisfies Record<NonNullable<AgentView['state']>, keyof StateSeconds | undefined>;

export class AgentTimes {
	/** In order of time. */
	private changes: Change[] = [];

	/** Number of stored changes. */
	get size(): number {
		return this.changes.length;
	}

	/** The agent is in a state from a moment on, which is not before any other (by our clock, milliseconds since 1970). */
	enters(at: number, view: AgentView): void {
		this.changes.push({ ...this.sumAt(at), at, view });
	}

	/** Forgets the changes from a moment on: a late event shows that they have to be read again. */
	forget(from: number): void {
		while ((this.changes.at(-1)?.at ?? -Infinity) >= from) this.changes.pop();
	}

	/** From now on the state is not known. */
	interrupted(at: number): void {
		const last = this.changes.at(-1);
		if (last) this.enters(Math.max(at, last.at), { id: last.view.id, state: null });
	}

	/** Forgets what no window after that moment needs, and more if there would be more changes than `most`. */
	prune(before: number, most: number): void {
		let count = Math.max(0, this.changes.length - most);
		while ((this.changes.at(count + 1)?.at ?? Infinity) <= before) count++;
		if (count > 0) this.changes = this.changes.slice(count);
	}

	/** Seconds in each state between two moments by our clock. */
	between(from: number, until: number): StateSeconds {
		const begin = this.sumAt(from);
		const end = this.sumAt(until);
		return {
			talk: end.talk - begin.talk,
			ringing: end.ringing - begin.ringing,
			wrapUp: end.wrapUp - begin.wrapUp,
			available: end.available - begin.available,
			onBreak: end.onBreak - begin.onBreak,
		};
	}

	private sumAt(moment: number): StateSeconds {
		const change = this.lastBefore(moment);
		if (!change) return this.changes[0] ?? NO_SECONDS;
		const { talk, ringing, wrapUp, available, onBreak, at, view } = change;
		const sums = { talk, ringing, wrapUp, available, onBreak };
		if (view.state === null) return sums;
		const field = FIELD_OF_STATE[view.state];
		if (field === undefined) return sums;
		const ends = Math.min(moment, view.until ?? Infinity);
		sums[field] += (ends - at) / 1000;
		sums.available += (moment - ends) / 1000;
		return sums;
	}

	/** The last change before a moment, or at it. */
	private lastBefore(moment: number): Change | undefined {
		const { changes } = this;
		// Nearly always it is the last one, or there is none.
		const last = changes.at(-1);
		if (!last || last.at <= moment) return last;
		if ((changes[0] as Change).at > moment) return undefined;
		let low = 0;
		let high = changes.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((changes[middle] as Change).at <= moment) low = middle + 1;
			else high = middle;
		}
		return changes[low - 1];
	}
}
