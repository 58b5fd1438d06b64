// Snapshots: the state of queues and agents at a moment, with their figures over a window of time. The window moves, or
// it is the day, or an interval on the clock. Unknown values are null.

import { MOST_QUEUES, type CallCentre, type Observer } from './callCentre';
import type { AgentState, AgentView, WrapUp } from './agents';
import { NO_SECONDS, type StateSeconds } from './agentTimes';
import type { CallRef } from './callTracker';
import { sumOf, WindowCounts } from './counts';
import { compileMatcher, type FilterSettings } from '../events/filter';
import type { Directory, FeedStatus } from '../feed/types';
import {
	AGENT_FIGURES,
	decidedTally,
	figuresOf,
	NO_CALLS,
	occupancy,
	QUEUE_FIGURES,
	type FigureSettings,
	type QueueSituation,
	type Tally,
} from './figures';
import { Outages } from './outages';
import { decidedAlike, enteredAlike, type VisitFacts } from './queueVisits';
import { secondsBetween } from './seconds';

export const SNAPSHOT_PARTS = ['queues', 'agents', 'totals'] as const;
export type SnapshotPart = (typeof SNAPSHOT_PARTS)[number];

export interface SnapshotOptions {
	of: readonly SnapshotPart[];
	filter: FilterSettings;
	/** Queues that are shown even before they have an event. */
	namedQueues: readonly string[];
	figures: FigureSettings;
	/** How far back the times of agents are needed, in milliseconds. */
	windowMs: number;
	/** Snapshots show moments that have just passed. */
	ofPast: boolean;
}

/** Moments in milliseconds since 1970 by our clock, durations in seconds; null: unknown, or does not apply. */
export interface QueueRow {
	queue: string;
	longestSince: number | null;
	/** By field. */
	figures: Record<string, number | null>;
}

export interface AgentRow {
	view: AgentView;
	seconds: number | null;
	/** How long the agent was in each state; undefined: nothing was heard of the agent. */
	inStates: StateSeconds | undefined;
	figures: Record<string, number | null>;
}

export interface TotalsRow {
	longestSince: number | null;
	figures: Record<string, number | null>;
}

export interface Window {
	/** From when its counts are. */
	since: number;
	/** What happened then, or later, is not in it. */
	until: number;
	/** The moment that it shows. */
	at: number;
}

/** The figures of a window. */
export interface Snapshot extends Window {
	/** The feed was interrupted since then. */
	interrupted: boolean;
	queues: QueueRow[];
	/** All queues together. */
	all: TotalsRow;
	/** Agents that are needed, in order; {@link Snapshots.agentRow} makes the row of each. */
	agentIds: readonly string[];
}

interface AgentCounts {
	answered: number;
	notAnswered: number;
}

/** What changes although nothing but the time has. */
const MOVING_FIELDS = new Set(
	[...QUEUE_FIGURES, ...AGENT_FIGURES].filter(({ moves }) => moves).map(({ field }) => field),
);

const NO_AGENT_COUNTS: AgentCounts = { answered: 0, notAnswered: 0 };

const STATE_NAMES = Object.keys(NO_SECONDS) as Array<keyof StateSeconds>;

/** Groups of states that add up to all agents. */
export const TOTALS_OF_AGENTS: ReadonlyArray<
	[field: string, states: ReadonlyArray<AgentState | null>]
> = [
	['agents_available', ['available']],
	['agents_ringing', ['ringing']],
	['agents_talking', ['talking', 'calling', 'transferring']],
	['agents_wrap_up', ['wrap_up']],
	['agents_on_break', ['on_break']],
	['agents_logged_out', ['logged_out']],
	['agents_unknown', [null]],
];

/** Limit for the seconds with counts, of all queues and agents together. */
const MOST_BUCKETS = 250_000;
/** For how long a stay that is over is kept, for figures of a moment that has just passed. */
const JUST_NOW_MS = 60_000;

/** What the figures of a queue, or of several, are computed from. */
interface Situation extends QueueSituation {
	longestSince: number;
}

export class Snapshots implements Observer {
	private readonly ofQueues = new Map<string, WindowCounts<Tally>>();
	private readonly ofAgents = new Map<string, WindowCounts<AgentCounts>>();
	/** Stays that are over, in order of that: at the moment that a snapshot shows, they may not have been. */
	private readonly justOver = new Set<VisitFacts>();
	private readonly outages = new Outages();
	private readonly matchesQueue: (queue: string) => boolean;
	private readonly matchesAgent: (agent: string) => boolean;
	private buckets = 0;
	private agents: { ids: readonly string[]; directory: Directory | undefined; size: number };
	/** How often something about an agent has changed. */
	private agentChanges = 0;

	/** @param startedAt when counting starts: a whole second, in milliseconds since 1970 */
	constructor(
		private readonly options: SnapshotOptions,
		private readonly centre: CallCentre,
		private readonly directory: () => Directory | undefined,
		private startedAt: number,
	) {
		const { queueIds, agentIds, groupIds } = options.filter;
		this.matchesQueue = compileMatcher('queueIds', { queueIds });
		this.matchesAgent = compileMatcher('agentIds', { agentIds, groupIds }, directory);
		this.agents = { ids: [], directory: undefined, size: -1 };
		if (this.showsAgents) centre.agents.keepTimes(options.windowMs);
	}

	visit(
		_call: CallRef,
		_index: number,
		before: VisitFacts | undefined,
		after: VisitFacts | undefined,
	): void {
		if (before) this.count(before, after, -1);
		if (after) this.count(after, before, 1);
		if (this.options.ofPast) this.keepJustOver(before, after);
	}

	agent({ id }: AgentView): void {
		if (this.matchesAgent(id)) this.agentChanges++;
	}

	taken(agent: string, at: number, sign: 1 | -1): void {
		this.countAgent(agent, at, { answered: 1 }, sign);
	}

	notTaken(agent: string, at: number, sign: 1 | -1): void {
		this.countAgent(agent, at, { notAnswered: 1 }, sign);
	}

	wrappedUp(_agent: string, { at, seconds, queueId }: WrapUp, sign: 1 | -1): void {
		if (queueId === undefined) return;
		this.add(queueId, at, { wrapped: 1, wrapMs: Math.round(seconds * 1000) }, sign);
	}

	/** The feed reports something about itself. @param now by our clock */
	onStatus(status: FeedStatus, now: number): void {
		if (status.event === 'disconnected') this.outages.begins(now);
		else if (status.event === 'connected') this.outages.ends(now);
		else if (status.event === 'gap')
			this.outages.add(Math.max(status.from, this.startedAt), status.to);
	}

	/** Milliseconds of interruption since counting started, as far as they are known now. */
	interruptedUntil(moment: number): number {
		return this.outages.until(moment);
	}

	/**
	 * The figures of a window. What happened before it is forgotten.
	 * @param from its beginning
	 * @param until what happened then, or later, is not in it: a moment from now, or less than a minute ago
	 * @param at the moment that the snapshot shows
	 */
	take(from: number, until: number, at: number): Snapshot {
		const since = Math.max(from, this.startedAt);
		this.forget(since);
		const { of, figures } = this.options;
		const window = { since, until, at };
		const situations = this.situations(window);
		const row = (situation: Situation) => ({
			longestSince: situation.longestSince === Infinity ? null : situation.longestSince,
			figures: figuresOf(QUEUE_FIGURES, situation, figures),
		});
		const queues = situations.map(([queue, situation]) => ({ queue, ...row(situation) }));
		const all = sumOfSituations(
			situations.map(([, situation]) => situation),
			window,
		);
		return {
			...window,
			interrupted: this.outages.touches(since, at),
			queues: of.includes('queues') ? queues : [],
			all: row(all),
			agentIds: this.showsAgents ? this.agentIds() : [],
		};
	}

	/** The row of an agent in a snapshot that was taken just now. */
	agentRow(id: string, { since, until, at }: Window): AgentRow {
		const view = this.centre.agents.at(id, until - 1);
		const counts = this.ofAgents.get(id)?.until(until) ?? NO_AGENT_COUNTS;
		const inStates = this.centre.agents.seconds(id, since, at);
		return {
			view,
			seconds: view.since === undefined ? null : secondsBetween(view.since, at),
			inStates,
			figures: figuresOf(AGENT_FIGURES, { ...counts, seconds: inStates }, this.options.figures),
		};
	}

	/** A text that is the same for two snapshots if nothing but elapsed time differs. */
	contentOf({ queues, all, interrupted }: Snapshot): string {
		const agents = this.showsAgents ? this.agentChanges : 0;
		const totals = this.options.of.includes('totals') ? all : undefined;
		return JSON.stringify([queues, totals, interrupted, agents], (field, value: unknown) =>
			MOVING_FIELDS.has(field) ? undefined : value,
		);
	}

	private get showsAgents(): boolean {
		const { of } = this.options;
		return of.includes('agents') || of.includes('totals');
	}

	private queueIds(): string[] {
		const { filter, namedQueues } = this.options;
		const named = [...filter.queueIds, ...namedQueues];
		const ids = new Set([...named, ...this.centre.queues.keys(), ...this.ofQueues.keys()]);
		return [...ids].filter(this.matchesQueue).sort(inOrder);
	}

	/** Sorted again only if there are others: sorting ten thousand takes longer than reading their states. */
	private agentIds(): readonly string[] {
		const directory = this.directory();
		const { size } = this.centre.agents;
		if (this.agents.directory === directory && this.agents.size === size) return this.agents.ids;
		const listed = directory?.agents.keys() ?? [];
		const all = new Set([...listed, ...this.options.filter.agentIds, ...this.centre.agents.ids()]);
		const ids = [...all].filter(this.matchesAgent).sort(inOrder);
		const { ids: before } = this.agents;
		if (ids.length !== before.length || ids.some((id, at) => id !== before[at]))
			this.agentChanges++;
		this.agents = { ids, directory, size };
		return ids;
	}

	/** What the figures of each queue are computed from, in order of the queues. */
	private situations(window: Window): Array<[queue: string, situation: Situation]> {
		const justOver = new Map<string, VisitFacts[]>();
		for (const stay of this.justOver) {
			const list = justOver.get(stay.queue);
			if (list) list.push(stay);
			else justOver.set(stay.queue, [stay]);
		}
		return this.queueIds().map((id) => {
			const state = this.centre.queues.get(id);
			const visits = [state?.waiting ?? [], state?.talking ?? [], justOver.get(id) ?? []];
			const tally = this.ofQueues.get(id)?.until(window.until) ?? NO_CALLS;
			return [id, this.situation(visits, tally, window)];
		});
	}

	private situation(
		visits: ReadonlyArray<Iterable<VisitFacts>>,
		tally: Tally,
		{ since: from, until, at }: Window,
	): Situation {
		const lateSince = at - this.options.figures.serviceLevelSeconds * 1000;
		let [waiting, late, talking, longestSince] = [0, 0, 0, Infinity];
		for (const list of visits) {
			for (const { since, decidedAt = Infinity, result, endedAt = Infinity } of list) {
				if (since >= until) continue;
				if (decidedAt >= until) {
					waiting++;
					if (since < lateSince) late++;
					longestSince = Math.min(longestSince, since);
				} else if (result === 'answered' && endedAt >= until) {
					talking++;
				}
			}
		}
		return {
			...{ tally, waiting, late, talking, longestSince },
			...derived(longestSince, from, at),
		};
	}

	private keepJustOver(before: VisitFacts | undefined, after: VisitFacts | undefined): void {
		const { justOver } = this;
		if (before) justOver.delete(before);
		if (!after || after.state === 'waiting' || after.state === 'talking') return;
		justOver.add(after);
		const newest = overAt(after);
		for (const oldest of justOver) {
			if (overAt(oldest) >= newest - JUST_NOW_MS) break;
			justOver.delete(oldest);
		}
	}

	/**
	 * Counts a stay in a queue, each of its steps at its moment.
	 * @param other what it becomes, or was: the steps that both have stay counted
	 */
	private count(facts: VisitFacts, other: VisitFacts | undefined, sign: 1 | -1): void {
		const { queue, since, entered, decidedAt, endedAt, talk } = facts;
		const same = other?.queue === queue ? other : undefined;
		// Without its entry it had waited before.
		if (entered && !(same && enteredAlike(facts, same)))
			this.add(queue, since, { offered: 1 }, sign);
		if (decidedAt !== undefined && !(same && decidedAlike(facts, same)))
			this.add(queue, decidedAt, decidedTally(facts, this.options.figures), sign);
		const stays = same?.endedAt === endedAt && same?.talk === talk;
		if (endedAt !== undefined && talk !== undefined && !stays)
			this.add(queue, endedAt, { talked: 1, talkMs: Math.round(talk * 1000) }, sign);
	}

	private add(queue: string, at: number, counted: Partial<Tally>, sign: 1 | -1): void {
		if (!this.matchesQueue(queue)) return;
		this.addTo(this.ofQueues, NO_CALLS, queue, at, counted, sign);
		const [oldest] = this.ofQueues;
		if (this.ofQueues.size <= MOST_QUEUES || !oldest) return;
		this.buckets -= oldest[1].size;
		this.ofQueues.delete(oldest[0]);
	}

	private countAgent(id: string, at: number, counted: Partial<AgentCounts>, sign: 1 | -1): void {
		if (!this.showsAgents || !this.matchesAgent(id)) return;
		this.agentChanges++;
		this.addTo(this.ofAgents, NO_AGENT_COUNTS, id, at, counted, sign);
	}

	private addTo<T extends Record<keyof T, number>>(
		map: Map<string, WindowCounts<T>>,
		nothing: T,
		id: string,
		at: number,
		counted: Partial<T>,
		sign: 1 | -1,
	): void {
		// What happened before counting started was not counted, so it can't be subtracted either.
		if (at < this.startedAt) return;
		let counts = map.get(id);
		if (!counts) map.set(id, (counts = new WindowCounts(nothing)));
		this.buckets -= counts.size;
		counts.add(at, counted, sign);
		this.buckets += counts.size;
		while (this.buckets > MOST_BUCKETS) this.giveUpOldest();
	}

	private forget(before: number): void {
		for (const [id, counts] of this.ofQueues) this.forgetIn(this.ofQueues, id, counts, before);
		for (const [id, counts] of this.ofAgents)
			if (this.forgetIn(this.ofAgents, id, counts, before)) this.agentChanges++;
	}

	/** @returns whether there was anything */
	private forgetIn<T extends Record<keyof T, number>>(
		map: Map<string, WindowCounts<T>>,
		id: string,
		counts: WindowCounts<T>,
		before: number,
	): boolean {
		this.buckets -= counts.size;
		const forgot = counts.forget(before);
		this.buckets += counts.size;
		if (counts.size === 0) map.delete(id);
		return forgot;
	}

	/** There is more than can be stored: the counts are complete only from a later moment, which `since` contains. */
	private giveUpOldest(): void {
		let oldest = Infinity;
		for (const map of [this.ofQueues, this.ofAgents])
			for (const counts of map.values()) oldest = Math.min(oldest, counts.oldest() ?? Infinity);
		this.startedAt = Math.max(this.startedAt, oldest + 1000);
		this.forget(this.startedAt);
	}
}

/** The sums over agents, which are added one by one: ten thousand at once would hold up n8n. */
export class AgentTotals {
	private readonly states = new Map<AgentView['state'], number>();
	private readonly seconds = { ...NO_SECONDS };

	add({ view: { state }, inStates }: AgentRow): void {
		this.states.set(state, (this.states.get(state) ?? 0) + 1);
		if (!inStates) return;
		for (const name of STATE_NAMES) this.seconds[name] += inStates[name];
	}

	/** The totals of a snapshot. */
	row({ all }: Snapshot): TotalsRow {
		const figures = { ...all.figures };
		for (const [field, states] of TOTALS_OF_AGENTS)
			figures[field] = states.reduce((sum, state) => sum + (this.states.get(state) ?? 0), 0);
		return { ...all, figures: { ...figures, occupancy: occupancy(this.seconds) } };
	}
}

/** When a stay was neither waiting nor talking any more. */
function overAt({ decidedAt = 0, endedAt = 0 }: VisitFacts): number {
	return Math.max(decidedAt, endedAt);
}

function derived(longestSince: number, since: number, at: number) {
	const longestWait = longestSince === Infinity ? null : secondsBetween(longestSince, at);
	return { longestWait, counted: (at - since) / 1000 };
}

function sumOfSituations(parts: readonly Situation[], { since, at }: Window): Situation {
	const sum = (name: 'waiting' | 'late' | 'talking') =>
		parts.reduce((total, part) => total + part[name], 0);
	const longestSince = parts.reduce((least, part) => Math.min(least, part.longestSince), Infinity);
	return {
		tally: sumOf(
			NO_CALLS,
			parts.map(({ tally }) => tally),
		),
		waiting: sum('waiting'),
		late: sum('late'),
		talking: sum('talking'),
		longestSince,
		...derived(longestSince, since, at),
	};
}

/** Numbers in numerical order, then everything else. */
function inOrder(a: string, b: string): number {
	return Number(a) - Number(b) || (a < b ? -1 : Number(a > b));
}
