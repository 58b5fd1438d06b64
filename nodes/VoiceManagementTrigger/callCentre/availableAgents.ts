// How many of the watched agents are available, and how many may be.

import type { Directory } from '../feed/types';
import type { AgentView } from './changes';

export class AvailableAgents {
	/** What is known of each agent that was heard of; null: not what the agent does. */
	private readonly states = new Map<string, AgentView['state']>();
	private available = 0;
	private unknown = 0;
	private directory: Directory | undefined;
	/** Undefined: not counted yet. */
	private listed: ReadonlySet<string> | undefined;

	constructor(
		private readonly source: () => Directory | undefined,
		/** Agents that are watched even if the login does not list them. */
		private readonly named: readonly string[],
		private readonly isWatched: (id: string) => boolean,
	) {}

	/** @param state undefined: the agent is dropped */
	changed(id: string, state: AgentView['state'] | undefined): void {
		this.count(id, -1);
		if (state === undefined) this.states.delete(id);
		else this.states.set(id, state);
		this.count(id, 1);
	}

	/** Nothing is known of anybody. */
	forget(): void {
		for (const id of this.states.keys()) this.states.set(id, null);
		this.countAll();
	}

	/** `unknown` is infinite if no login lists them. */
	counts(): { available: number; unknown: number } {
		const directory = this.source();
		if (directory !== this.directory || !this.listed) this.recount(directory);
		const unknown = (this.listed?.size ?? 0) === 0 ? Number.POSITIVE_INFINITY : this.unknown;
		return { available: this.available, unknown };
	}

	/** Groups may have other members now. */
	private recount(directory: Directory | undefined): void {
		this.directory = directory;
		// A login without a list says nothing of who there is.
		if (this.listed && (directory?.agents.size ?? 0) === 0) return;
		const watched = [...(directory?.agents.keys() ?? []), ...this.named].filter(this.isWatched);
		this.listed = new Set(watched);
		this.countAll();
	}

	private countAll(): void {
		this.available = 0;
		this.unknown = 0;
		for (const id of new Set([...(this.listed ?? []), ...this.states.keys()])) this.count(id, 1);
	}

	private count(id: string, sign: 1 | -1): void {
		if (!this.isWatched(id)) return;
		const isListed = this.listed?.has(id) === true;
		const state = this.states.get(id) ?? (isListed || this.states.has(id) ? null : undefined);
		if (state === 'available') this.available += sign;
		else if (state === null) this.unknown += sign;
	}
}
