// The figures of periods on the clock, made of the fold's changes: what was counted in a period, and what goes on at its
// end. Two periods at the most are open: the current one, and the one before until its last events have arrived.

import { compileMatcher, type FilterSettings } from '../events/filter';
import type { Directory } from '../feed/types';
import { dropOldest, makeNewest } from './byAge';
import { unknownAgent, type Change, type Stay, type Talk, type Wait } from './changes';
import {
	NO_SECONDS,
	TIME_OF_STATE,
	TIMES,
	type FigureSettings,
	type QueueSituation,
	type Seconds,
	type TotalsSituation,
} from './figures';
import type { CallCentre } from './fold';
import { AgentRow, Periods, Row, type AgentPage } from './pages';

export const SNAPSHOT_PARTS = ['queues', 'agents', 'totals'] as const;
export type SnapshotPart = (typeof SNAPSHOT_PARTS)[number];

/** Limit for the queues that are followed. */
export const MOST_QUEUES = 2_000;

export interface SnapshotOptions {
	of: readonly SnapshotPart[];
	filter: FilterSettings;
	/** Queues that have a name, which are shown from the beginning. */
	namedQueues: readonly string[];
	figures: FigureSettings;
}

/** The rows of a period that were asked for. */
export interface Snapshot {
	queues: ReadonlyArray<QueueSituation & { queue: string }>;
	/** In the order of their identifiers. */
	agents: readonly AgentPage[];
	/** One, or none. */
	totals: readonly TotalsSituation[];
}

export class Snapshots {
	private readonly periods: Periods;
	private readonly queues = new Map<string, Row<Stay>>();
	private readonly totals: Row<Wait>;
	private readonly agents = new Map<string, AgentRow>();
	private readonly matchesQueue: (queue: string) => boolean;
	private readonly matchesAgent: (agent: string) => boolean;
	private readonly showsAgents: boolean;
	/** The agents that are shown, of a login; undefined: there are others now. */
	private shown: { ids: readonly string[]; directory: Directory | undefined } | undefined;
	/** The newest moment at which something was counted. */
	private newest: number;

	/**
	 * @param startedAt when counting begins
	 * @param gaveUp is called with what was dropped at a limit
	 */
	constructor(
		private readonly options: SnapshotOptions,
		private readonly centre: CallCentre,
		private readonly directory: () => Directory | undefined,
		startedAt: number,
		private readonly gaveUp: (what: string) => void,
	) {
		const { of, filter, namedQueues, figures } = options;
		const { queueIds, agentIds, groupIds } = filter;
		this.matchesQueue = compileMatcher('queueIds', { queueIds });
		this.matchesAgent = compileMatcher('agentIds', { agentIds, groupIds }, directory);
		this.showsAgents = of.includes('agents') || of.includes('totals');
		this.periods = new Periods(startedAt);
		this.newest = startedAt;
		this.totals = new Row(figures, this.periods);
		for (const queue of [...queueIds, ...namedQueues]) this.queueRow(queue);
		this.take(centre.state());
	}

	take(changes: readonly Change[]): void {
		for (const change of changes) this.follow(change);
		this.newest = Math.max(this.newest, this.centre.moment);
	}

	/** The current period ends: from now on its rows are {@link ended}, and a new one begins. */
	ends(until: number): void {
		// If the machine's clock was set forward, that is earlier than what it contains.
		this.periods.ends(Math.max(until, this.newest + 1));
		for (const row of this.rows()) row.ends();
	}

	/** The rows of the period that has ended. */
	ended(): Snapshot {
		return this.snapshot(true, this.periods.from);
	}

	/** They were shown to the workflow: they don't change any more. */
	told(now: number): void {
		this.periods.told(now);
		for (const row of this.rows()) row.told();
	}

	/** The current period so far. */
	soFar(now: number): Snapshot {
		return this.snapshot(false, now);
	}

	private *rows(): Generator<Row<Stay> | Row<Wait> | AgentRow> {
		yield* this.queues.values();
		yield this.totals;
		yield* this.agents.values();
	}

	private follow(change: Change): void {
		switch (change.kind) {
			case 'stay':
				this.queueRow(change.after.queue)?.changed(change.before, change.after);
				break;
			case 'wait':
				this.followWait(change.before, change.after);
				break;
			case 'talk':
				this.followTalk(change.before, change.after);
				break;
			case 'wrapUp': {
				const { talk, seconds, at } = change;
				this.queueRow(talk.queue)?.wrappedUp(seconds, at);
				if (this.isCounted(talk)) this.totals.wrappedUp(seconds, at);
				break;
			}
			case 'agent': {
				const { before, after, at, byTime } = change;
				if (!after && this.agents.delete(before.id)) this.shown = undefined;
				// When a wrap-up is over by time is what it says.
				if (after && !byTime) this.agentRow(after.id)?.changed(after, at);
				break;
			}
			case 'taken':
			case 'notAnswered':
				this.agentRow(change.agent)?.counted(change.kind, change.at);
				break;
			case 'interrupted':
				this.interrupted(change.at);
				break;
			case 'named':
			case 'gone':
			case 'outcome':
			case 'back':
			case 'gaveUp':
		}
	}

	private followWait(before: Wait | undefined, after: Wait): void {
		if (!after.queues.some(this.matchesQueue)) return;
		// With its first queue of the filter, a wait counts from its beginning.
		this.totals.changed(before?.queues.some(this.matchesQueue) ? before : undefined, after);
	}

	private followTalk(before: Talk | undefined, after: Talk): void {
		// A second report of the answer may name another queue.
		const isElsewhere = before !== undefined && before.queue !== after.queue;
		if (isElsewhere) this.queueRow(before.queue)?.talkedElsewhere(before);
		this.queueRow(after.queue)?.talked(isElsewhere ? undefined : before, after);
		if (this.isCounted(after)) this.totals.talked(before, after);
	}

	private interrupted(at: number): void {
		for (const row of this.queues.values()) row.interrupted(at);
		this.totals.interrupted(at);
		this.periods.interrupted(at);
	}

	/** A talk counts in the totals if the wait before it does. */
	private isCounted({ waitedIn }: Talk): boolean {
		return waitedIn.some(this.matchesQueue);
	}

	/** Undefined: it is not of the filter. */
	private queueRow(queue: string | undefined): Row<Stay> | undefined {
		if (queue === undefined || !this.matchesQueue(queue)) return undefined;
		const known = makeNewest(this.queues, queue);
		if (known) return known;
		const row = new Row<Stay>(this.options.figures, this.periods);
		this.queues.set(queue, row);
		if (dropOldest(this.queues, MOST_QUEUES)) this.gaveUp('a queue');
		return row;
	}

	/** Of everybody, since the next login may have them in a group of the filter; undefined: no agents are shown. */
	private agentRow(id: string): AgentRow | undefined {
		if (!this.showsAgents) return undefined;
		const known = this.agents.get(id);
		if (known) return known;
		const row = new AgentRow(id, this.periods);
		this.agents.set(id, row);
		this.shown = undefined;
		return row;
	}

	private snapshot(isOver: boolean, at: number): Snapshot {
		const { of } = this.options;
		const isShown = (part: SnapshotPart) => of.includes(part);
		const read = (row: Row<Stay> | Row<Wait>): QueueSituation => {
			const situation = row.read(isOver, at);
			return this.centre.agents.announcesWrapUp ? situation : { ...situation, wrapUpSeconds: null };
		};
		const queues = isShown('queues') ? [...this.queues] : [];
		const agents = this.agentIds().map(
			(id) => this.agents.get(id)?.read(isOver, at) ?? unheard(id),
		);
		return {
			queues: queues
				.sort(([a], [b]) => inOrder(a, b))
				.map(([queue, row]) => ({ queue, ...read(row) })),
			agents: isShown('agents') ? agents : [],
			totals: isShown('totals') ? [{ ...read(this.totals), ...everybodyOf(agents) }] : [],
		};
	}

	/** Sorted again only if there are others: sorting ten thousand takes longer than reading their states. */
	private agentIds(): readonly string[] {
		if (!this.showsAgents) return [];
		const directory = this.directory();
		if (!this.shown || this.shown.directory !== directory) {
			const listed = directory?.agents.keys() ?? [];
			const all = new Set([...listed, ...this.options.filter.agentIds, ...this.agents.keys()]);
			this.shown = { ids: [...all].filter(this.matchesAgent).sort(inOrder), directory };
		}
		return this.shown.ids;
	}
}

function everybodyOf(pages: readonly AgentPage[]): Pick<TotalsSituation, 'agents' | 'seconds'> {
	const agents = { ...NO_SECONDS, unknown: 0 };
	let seconds: Seconds | undefined;
	for (const { view, seconds: times } of pages) {
		agents[view.state === null ? 'unknown' : TIME_OF_STATE[view.state]]++;
		if (!times) continue;
		seconds ??= { ...NO_SECONDS };
		for (const name of TIMES) seconds[name] += times[name];
	}
	return { agents, seconds };
}

function unheard(id: string): AgentPage {
	return { taken: 0, notAnswered: 0, seconds: undefined, view: unknownAgent(id) };
}

/** Numbers in numerical order, then everything else. */
function inOrder(a: string, b: string): number {
	return Number(a) - Number(b) || (a < b ? -1 : Number(a > b));
}
