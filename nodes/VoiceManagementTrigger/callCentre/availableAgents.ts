// How many agents of a row are available, and how many may be.

import type { Directory } from '../feed/types';
import type { Agents } from './agents';
import { Level, type Of, type Rule, type Subject } from './candidates';
import type { AgentState } from './changes';

export class AvailableAgents extends Level<Of<'agents'>> {
	readonly isOver = false;
	/** Whether each agent of the row is available; null: not known. */
	private readonly isAvailable = new Map<string, boolean | null>();
	private available = 0;
	/** Before anything lists the agents, there may be any number of them. */
	private unknown = Infinity;

	constructor(
		rule: Rule,
		login: Directory | undefined,
		/** Agents who are counted even if the login does not list them. */
		private readonly named: readonly string[],
		private readonly known: Pick<Agents, 'get' | 'awaySince' | 'listed'>,
		startedAt: number,
	) {
		super('', [rule], new Map(), startedAt);
		this.list(login);
		const away = [...this.isAvailable.keys()].flatMap((id) => known.awaySince(id) ?? []);
		// There are too few since the one of them left who was needed.
		if (this.isBeyond)
			this.heldSince = away.sort((a, b) => b - a)[rule.row.threshold - this.value - 1];
	}

	get value(): number {
		return this.available;
	}

	override isContrary(): boolean {
		return !this.isBeyond;
	}

	override subject(): Subject {
		return {};
	}

	/** @param state undefined: the agent is dropped */
	changed(id: string, state: AgentState | null | undefined): void {
		if (this.rule.matchesAgent(id)) this.note(id, state);
	}

	/** Nothing is known of anybody. */
	forget(): void {
		this.heldSince = undefined;
		for (const id of this.isAvailable.keys()) this.note(id, null);
	}

	private note(id: string, state: AgentState | null | undefined): void {
		this.count(this.isAvailable.get(id), -1);
		if (state === undefined) {
			this.isAvailable.delete(id);
			return;
		}
		// All changes of an event are noted before the number is looked at.
		const isAway = this.known.awaySince(id) !== undefined;
		const isAvailable = state === null && !isAway ? null : state === 'available';
		this.isAvailable.set(id, isAvailable);
		this.count(isAvailable, 1);
	}

	protected override get isCertain(): boolean {
		return this.available + this.unknown < this.rule.row.threshold;
	}

	/** A login may list others, and groups may have other members. */
	list(login: Directory | undefined): void {
		// Of somebody whom it does not list, a status may have been heard since.
		const others = [...this.isAvailable.keys()].filter((id) => this.known.get(id).state !== null);
		// A login without a list says nothing of who there is.
		const isList = login !== undefined && login.agents.size > 0;
		const listed = isList ? login.agents : (this.known.listed ?? this.isAvailable);
		const all = new Set([...listed.keys(), ...this.named, ...others]);
		const ids = [...all].filter(this.rule.matchesAgent);
		this.isAvailable.clear();
		this.available = 0;
		this.unknown = ids.length > 0 ? 0 : Infinity;
		for (const id of ids) this.note(id, this.known.get(id).state);
	}

	private count(isAvailable: boolean | null | undefined, sign: 1 | -1): void {
		if (isAvailable === true) this.available += sign;
		else if (isAvailable === null) this.unknown += sign;
	}
}
