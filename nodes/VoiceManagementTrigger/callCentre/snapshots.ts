// The figures of periods on the clock, made of the fold's changes: what was counted in a period, and what goes on at its
// end. Two periods at the most are open: the current one, and the one before until its last events have arrived.

import { compileMatcher, type FilterSettings } from '../events/filter';
import type { Directory } from '../feed/types';
import { ByAge } from './byAge';
import type { AgentState, AgentView, CallView, Change, Stay, Talk, Wait } from './changes';
import {
	NO_SECONDS,
	TIMES,
	type AgentsSituation,
	type FigureSettings,
	type Seconds,
} from './figures';
import type { CallCentre } from './fold';
import { AgentRow, Periods, Row, type AgentPage, type Page } from './pages';

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

/** The rows of a period; those that were not asked for are missing. */
export interface Snapshot {
	queues: ReadonlyArray<{ queue: string; page: Page }>;
	totals: Page | undefined;
	/** In the order of their identifiers. */
	agents: readonly AgentPage[];
	/** With the totals. */
	everybody: AgentsSituation | undefined;
	announcesWrapUp: boolean;
}

export class Snapshots {
	private readonly periods: Periods;
	private readonly queues = new ByAge<Row<Stay>>();
	private readonly totals: Row<Wait>;
	private readonly agents = new Map<string, AgentRow>();
	private readonly matchesQueue: (queue: string) => boolean;
	private readonly matchesAgent: (agent: string) => boolean;
	private shown: { ids: readonly string[]; directory: Directory | undefined; version: number };
	/** How often an agent was added or dropped. */
	private version = 0;

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
		const { queueIds, agentIds, groupIds } = options.filter;
		this.matchesQueue = compileMatcher('queueIds', { queueIds });
		this.matchesAgent = compileMatcher('agentIds', { agentIds, groupIds }, directory);
		this.periods = new Periods(startedAt);
		this.totals = new Row(options.figures, this.periods);
		this.shown = { ids: [], directory: undefined, version: -1 };
		for (const queue of [...options.filter.queueIds, ...options.namedQueues])
			if (this.matchesQueue(queue)) this.row(queue);
		this.take(centre.state());
	}

	take(changes: readonly Change[]): void {
		for (const change of changes) this.follow(change);
	}

	/** The current period ends: from now on its rows are {@link ended}, and a new one begins. */
	ends(until: number): void {
		this.periods.ends(until);
		for (const { value } of this.queues) value.ends(until);
		this.totals.ends(until);
		for (const row of this.agents.values()) row.ends(until);
	}

	/** The rows of the period that has ended. */
	ended(): Snapshot {
		return this.snapshot(
			(row) => row.ended(),
			(row) => row.ended(),
		);
	}

	/** They were shown to the workflow: they don't change any more. */
	told(now: number): void {
		this.periods.told(now);
		for (const { value } of this.queues) value.told();
		this.totals.told();
		for (const row of this.agents.values()) row.told();
	}

	/** The current period so far. */
	soFar(now: number): Snapshot {
		return this.snapshot(
			(row) => row.soFar(now),
			(row) => row.soFar(now),
		);
	}

	private follow(change: Change): void {
		switch (change.kind) {
			case 'stay':
				if (this.matchesQueue(change.after.queue))
					this.row(change.after.queue).changed(change.before, change.after);
				break;
			case 'wait':
				this.followWait(change.before, change.after);
				break;
			case 'talk':
				this.followTalk(change.call, change.before, change.after);
				break;
			case 'wrapUp': {
				const { call, queue, seconds, at } = change;
				if (queue !== undefined && this.matchesQueue(queue)) this.row(queue).wrappedUp(seconds, at);
				if (this.isCounted(queue, call)) this.totals.wrappedUp(seconds, at);
				break;
			}
			case 'agent':
				this.followAgent(change.before.id, change.after, change.at, change.byTime);
				break;
			case 'taken':
			case 'notAnswered':
				if (!this.showsAgents || !this.matchesAgent(change.agent)) return;
				this.agentRow(change.agent).counted(
					change.kind === 'taken' ? 'answered' : 'notAnswered',
					change.at,
				);
				break;
			case 'interrupted':
				this.interrupted(change.at);
				break;
			case 'outcome':
			case 'back':
			case 'gaveUp':
		}
	}

	/** A second report of the answer may name another queue. */
	private followTalk(call: CallView, before: Talk | undefined, after: Talk): void {
		for (const queue of new Set([before?.queue, after.queue]))
			if (queue !== undefined && this.matchesQueue(queue))
				this.row(queue).talked(
					before?.queue === queue ? before : undefined,
					after.queue === queue ? after : undefined,
				);
		if (this.isCounted(after.queue, call)) this.totals.talked(before, after);
	}

	private interrupted(at: number): void {
		for (const { value } of this.queues) value.interrupted(at);
		this.totals.interrupted(at);
		for (const [id, row] of this.agents) row.changed({ id, state: null, since: undefined }, at);
	}

	private followWait(before: Wait | undefined, after: Wait): void {
		if (!after.queues.some(this.matchesQueue)) return;
		// With its first queue of the filter, a wait counts from its beginning.
		this.totals.changed(before?.queues.some(this.matchesQueue) ? before : undefined, after);
	}

	private followAgent(id: string, after: AgentView | undefined, at: number, byTime: boolean): void {
		if (!this.showsAgents || !this.matchesAgent(id)) return;
		if (!after) this.version += Number(this.agents.delete(id));
		else if (!byTime) this.agentRow(id).changed(after, at);
	}

	/** A talk counts in the totals if a caller of its queues had waited. */
	private isCounted(queue: string | undefined, call: CallView): boolean {
		return queue === undefined ? call.queues.some(this.matchesQueue) : this.matchesQueue(queue);
	}

	private get showsAgents(): boolean {
		const { of } = this.options;
		return of.includes('agents') || of.includes('totals');
	}

	private row(queue: string): Row<Stay> {
		const known = this.queues.renew(queue);
		if (known) return known;
		const row = new Row<Stay>(this.options.figures, this.periods);
		this.queues.set(queue, row);
		if (this.queues.trim(MOST_QUEUES)) this.gaveUp('a queue');
		return row;
	}

	private agentRow(id: string): AgentRow {
		const known = this.agents.get(id);
		if (known) return known;
		const row = new AgentRow({ id, state: null, since: undefined }, this.periods);
		this.agents.set(id, row);
		this.version++;
		return row;
	}

	private snapshot(
		page: (row: Row<Stay> | Row<Wait>) => Page | undefined,
		agentPage: (row: AgentRow) => AgentPage | undefined,
	): Snapshot {
		const { of } = this.options;
		const queues = of.includes('queues') ? [...this.queues.keys()].sort(inOrder) : [];
		const agents = (this.showsAgents ? this.agentIds() : []).map((id) => {
			const row = this.agents.get(id);
			return (row && agentPage(row)) ?? unheard(id);
		});
		return {
			queues: queues.flatMap((queue) => {
				const row = this.queues.get(queue);
				const shown = row && page(row);
				return shown ? [{ queue, page: shown }] : [];
			}),
			totals: of.includes('totals') ? page(this.totals) : undefined,
			agents: of.includes('agents') ? agents : [],
			everybody: of.includes('totals') ? everybodyOf(agents) : undefined,
			announcesWrapUp: this.centre.agents.announcesWrapUp,
		};
	}

	/** Sorted again only if there are others: sorting ten thousand takes longer than reading their states. */
	private agentIds(): readonly string[] {
		const directory = this.directory();
		const { version } = this;
		if (this.shown.directory === directory && this.shown.version === version) return this.shown.ids;
		const listed = directory?.agents.keys() ?? [];
		const all = new Set([...listed, ...this.options.filter.agentIds, ...this.agents.keys()]);
		const ids = [...all].filter(this.matchesAgent).sort(inOrder);
		this.shown = { ids, directory, version };
		return ids;
	}
}

function everybodyOf(agents: readonly AgentPage[]): AgentsSituation {
	const states = new Map<AgentState | null, number>();
	const seconds: Seconds = { ...NO_SECONDS };
	for (const { view, seconds: times } of agents) {
		states.set(view.state, (states.get(view.state) ?? 0) + 1);
		for (const name of TIMES) seconds[name] += times[name];
	}
	return { states, seconds: agents.some(({ isKnown }) => isKnown) ? seconds : undefined };
}

function unheard(id: string): AgentPage {
	return new AgentRow({ id, state: null, since: undefined }, NO_PERIODS).soFar(0);
}

const NO_PERIODS = new Periods(0);

/** Numbers in numerical order, then everything else. */
function inOrder(a: string, b: string): number {
	return Number(a) - Number(b) || (a < b ? -1 : Number(a > b));
}
