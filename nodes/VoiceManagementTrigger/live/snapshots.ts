// Snapshots: the state of queues and agents at a moment, with counts over a window of time. Unknown values are null.

import type { AgentView } from './agents';
import type { CallRef } from './callTracker';
import { decidedCounts, levelOf } from './conditions';
import { dayOf, MovingCounts, type Counted, type Counts, type Day } from './counts';
import { compileMatcher, type FilterSettings } from '../events/filter';
import type { Directory } from '../feed/types';
import { MOST_QUEUES, type LiveObserver, type LiveState } from './liveState';
import type { VisitFacts } from './queueVisits';
import { secondsBetween } from './seconds';

export const SNAPSHOT_PARTS = ['queues', 'agents', 'totals'] as const;
export type SnapshotPart = (typeof SNAPSHOT_PARTS)[number];

export interface SnapshotOptions {
	of: readonly SnapshotPart[];
	filter: FilterSettings;
	/** Queues that are shown even before they have an event. */
	namedQueues: readonly string[];
	/** 0 = since midnight. */
	windowMinutes: number;
	timeZone: string;
	answerWithinSeconds: number;
	shortAbandonSeconds: number;
}

/** Moments in milliseconds since 1970 by our clock, durations in seconds; null: unknown, or does not apply. */
export interface QueueSnapshot {
	queue: string;
	waiting: number;
	longestWait: number | null;
	longestSince: number | null;
	talking: number;
	offered: number;
	answered: number;
	abandoned: number;
	shortAbandoned: number;
	/** Stays whose end was hidden by an interruption. */
	unknown: number;
	serviceLevel: number | null;
	averageWait: number | null;
	averageTalk: number | null;
	since: number;
	complete: boolean;
}

export interface AgentSnapshot {
	view: AgentView;
	seconds: number | null;
	answered: number;
	notAnswered: number;
}

export interface TotalsSnapshot extends Omit<QueueSnapshot, 'queue' | 'talking'> {
	agentsAvailable: number;
	agentsRinging: number;
	agentsTalking: number;
	agentsOnBreak: number;
	agentsLoggedOut: number;
	agentsUnknown: number;
}

export interface Snapshot {
	at: number;
	queues: QueueSnapshot[];
	agents: AgentSnapshot[];
	totals: TotalsSnapshot | undefined;
}

/** Limit for the seconds with counts, of all queues and agents together. */
const MOST_BUCKETS = 250_000;

export class Snapshots implements LiveObserver {
	private readonly ofQueues = new Map<string, MovingCounts>();
	private readonly ofAgents = new Map<string, MovingCounts>();
	private readonly matchesQueue: (queue: string) => boolean;
	private readonly matchesAgent: (agent: string) => boolean;
	private buckets = 0;
	private interruptedAt: number | undefined;
	private day: Day | undefined;

	/** @param startedAt when counting starts, milliseconds since 1970 */
	constructor(
		private readonly options: SnapshotOptions,
		private readonly state: LiveState,
		private readonly directory: () => Directory | undefined,
		private startedAt: number,
	) {
		const { queueIds, agentIds, groupIds } = options.filter;
		this.matchesQueue = compileMatcher('queueIds', { queueIds });
		this.matchesAgent = compileMatcher('agentIds', { agentIds, groupIds }, directory);
	}

	visit(_call: CallRef, _index: number, before: VisitFacts | undefined, after: VisitFacts): void {
		if (before) this.count(before, -1);
		this.count(after, 1);
	}

	taken(agent: string, at: number): void {
		this.add(this.ofAgents, agent, at, { answered: 1 }, 1);
	}

	notTaken(agent: string, at: number, sign: 1 | -1): void {
		this.add(this.ofAgents, agent, at, { notAnswered: 1 }, sign);
	}

	interrupted(at: number): void {
		this.interruptedAt = at;
	}

	/** The state of all queues and agents. */
	take(now: number): Snapshot {
		const from = this.windowFrom(now);
		for (const map of [this.ofQueues, this.ofAgents]) {
			for (const [id, counts] of map) {
				this.buckets -= counts.size;
				counts.forget(from);
				this.buckets += counts.size;
				if (counts.size === 0) map.delete(id);
			}
		}
		const since = Math.max(from, this.startedAt);
		const complete = this.interruptedAt === undefined || this.interruptedAt < since;
		const { of } = this.options;
		const queues = this.queueIds().map((id) => this.queue(id, now, since, complete));
		const agents = this.agentIds().map((id) => this.agentNow(id, now));
		return {
			at: now,
			queues: of.includes('queues') ? queues : [],
			agents: of.includes('agents') ? agents : [],
			totals: of.includes('totals') ? this.totals(queues, agents, now, since, complete) : undefined,
		};
	}

	private queueIds(): string[] {
		const { filter, namedQueues } = this.options;
		const named = [...filter.queueIds, ...namedQueues];
		const ids = new Set([...named, ...this.state.queues.keys(), ...this.ofQueues.keys()]);
		return [...ids].filter(this.matchesQueue).sort(inOrder);
	}

	private agentIds(): string[] {
		const listed = this.directory()?.agents.keys() ?? [];
		const ids = new Set([...listed, ...this.options.filter.agentIds, ...this.state.agents.ids()]);
		return [...ids].filter(this.matchesAgent).sort(inOrder);
	}

	private queue(id: string, now: number, since: number, complete: boolean): QueueSnapshot {
		const state = this.state.queues.get(id);
		const counts = this.ofQueues.get(id)?.totals;
		return {
			queue: id,
			talking: state?.talking.size ?? 0,
			...countsOf(counts ? [counts] : [], [...(state?.waiting ?? [])], now),
			since,
			complete,
		};
	}

	private agentNow(id: string, now: number): AgentSnapshot {
		const view = this.state.agents.get(id);
		const counts = this.ofAgents.get(id)?.totals;
		return {
			view,
			seconds: view.since === undefined ? null : secondsBetween(view.since, now),
			answered: counts?.answered ?? 0,
			notAnswered: counts?.notAnswered ?? 0,
		};
	}

	private totals(
		queues: readonly QueueSnapshot[],
		agents: readonly AgentSnapshot[],
		now: number,
		since: number,
		complete: boolean,
	): TotalsSnapshot {
		const inState = (...states: Array<AgentView['state']>) =>
			agents.filter(({ view }) => states.includes(view.state)).length;
		const counts = queues.map(({ queue }) => this.ofQueues.get(queue)?.totals);
		const waiting = queues.flatMap(({ queue }) => [
			...(this.state.queues.get(queue)?.waiting ?? []),
		]);
		return {
			agentsAvailable: inState('available'),
			agentsRinging: inState('ringing'),
			agentsTalking: inState('talking', 'calling', 'transferring'),
			agentsOnBreak: inState('on_break'),
			agentsLoggedOut: inState('logged_out'),
			agentsUnknown: inState(null),
			...countsOf(
				counts.filter((one) => one !== undefined),
				waiting,
				now,
			),
			since,
			complete,
		};
	}

	private count(facts: VisitFacts, sign: 1 | -1): void {
		const { answerWithinSeconds, shortAbandonSeconds } = this.options;
		const { queue, decidedAt, endedAt, wait, talk } = facts;
		if (!this.matchesQueue(queue)) return;
		if (decidedAt !== undefined) {
			const counted = decidedCounts(facts, answerWithinSeconds, shortAbandonSeconds);
			this.add(this.ofQueues, queue, decidedAt, counted, sign);
		}
		if (endedAt === undefined || wait === undefined) return;
		this.add(
			this.ofQueues,
			queue,
			endedAt,
			{
				waited: 1,
				waitMs: wait * 1000,
				...(talk === undefined ? {} : { talked: 1, talkMs: talk * 1000 }),
			},
			sign,
		);
	}

	private add(
		map: Map<string, MovingCounts>,
		id: string,
		at: number,
		counted: Counted,
		sign: 1 | -1,
	): void {
		// What happened before counting started was not counted, so it can't be subtracted either.
		if (at < Math.floor(this.startedAt / 1000) * 1000) return;
		let counts = map.get(id);
		if (!counts) map.set(id, (counts = new MovingCounts()));
		this.buckets -= counts.size;
		counts.add(at, counted, sign);
		this.buckets += counts.size;
		if (map.size > MOST_QUEUES && map === this.ofQueues) this.giveUp(map);
		while (this.buckets > MOST_BUCKETS) this.giveUpOldest();
	}

	private giveUp(map: Map<string, MovingCounts>): void {
		const [oldest] = map;
		if (!oldest) return;
		this.buckets -= oldest[1].size;
		map.delete(oldest[0]);
	}

	/** There is more than can be stored: the counts are complete only from a later moment, which `since` contains. */
	private giveUpOldest(): void {
		let oldest: MovingCounts | undefined;
		for (const map of [this.ofQueues, this.ofAgents]) {
			for (const counts of map.values()) {
				const at = counts.oldest() ?? Number.POSITIVE_INFINITY;
				if (at < (oldest?.oldest() ?? Number.POSITIVE_INFINITY)) oldest = counts;
			}
		}
		this.startedAt = Math.max(this.startedAt, oldest?.forgetOldest() ?? 0);
		if (oldest) this.buckets--;
	}

	private windowFrom(now: number): number {
		const { windowMinutes, timeZone } = this.options;
		if (windowMinutes > 0) return now - windowMinutes * 60_000;
		if (!this.day || now >= this.day.until || now < this.day.from) this.day = dayOf(now, timeZone);
		return this.day.from;
	}
}

type QueueCounts = Omit<QueueSnapshot, 'queue' | 'talking' | 'since' | 'complete'>;

function countsOf(
	parts: readonly Counts[],
	callers: readonly VisitFacts[],
	now: number,
): QueueCounts {
	const sum = (name: keyof Counts) => parts.reduce((total, part) => total + part[name], 0);
	const [answered, abandoned, unknown] = [sum('answered'), sum('abandoned'), sum('unknown')];
	const short = sum('short');
	const level = levelOf({ within: sum('within'), timed: sum('timed'), abandoned, short });
	const waiting = callers.length;
	const longestSince =
		waiting === 0 ? null : callers.reduce((least, { since }) => Math.min(least, since), Infinity);
	return {
		waiting,
		longestWait: longestSince === null ? null : secondsBetween(longestSince, now),
		longestSince,
		offered: answered + abandoned + waiting + unknown,
		answered,
		abandoned,
		shortAbandoned: short,
		unknown,
		serviceLevel: level ?? null,
		averageWait: average(sum('waitMs'), sum('waited')),
		averageTalk: average(sum('talkMs'), sum('talked')),
	};
}

/** Seconds to one decimal; null if the count is 0. */
function average(ms: number, count: number): number | null {
	return count === 0 ? null : Math.round(ms / count / 100) / 10;
}

/** Numbers in numerical order, then everything else. */
function inOrder(a: string, b: string): number {
	return Number(a) - Number(b) || (a < b ? -1 : Number(a > b));
}

/** Everything in which two snapshots can differ, apart from elapsed time. */
export function fingerprint({ queues, agents, totals }: Snapshot): string {
	const still = new Set(['longestWait', 'seconds']);
	const moving = queues.length > 0 || totals ? [...queues, ...(totals ? [totals] : [])] : [];
	return JSON.stringify(
		[moving.map(({ since: _since, ...others }) => others), agents],
		(key, value: unknown) => (still.has(key) ? undefined : value),
	);
}
