// How many agents of a row are available, and how many may be.

import type { Directory } from '../feed/types';
import type { Agents } from './agents';
import { Level, type Of, type Rule, type Subject } from './candidates';
import type { AgentView } from './changes';

export class AvailableAgents extends Level<Of<'agents'>> {
	readonly isOver = false;
	/** The agents of the row. */
	private readonly all = new Set<string>();
	/** Before anything lists them, there may be any number of others. */
	private isListed = false;
	/** Whether each of them is available; whoever is not in it may be. */
	private readonly isAvailable = new Map<string, boolean>();
	private available = 0;

	constructor(
		rule: Rule,
		login: Directory | undefined,
		/** Agents who are counted even if the login does not list them. */
		private readonly named: readonly string[],
		private readonly known: Pick<Agents, 'get' | 'listed'>,
		startedAt: number,
	) {
		super('', [rule], new Map(), startedAt);
		this.list(login);
		const away = [...this.all].flatMap((id) => known.get(id).awaySince ?? []);
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

	/** @param view undefined: the agent is dropped */
	changed(id: string, view: AgentView | undefined): void {
		if (this.rule.matchesAgent(id)) this.note(id, view);
	}

	/** Nothing is known of anybody. */
	forget(): void {
		this.heldSince = undefined;
		this.isAvailable.clear();
		this.available = 0;
	}

	private note(id: string, view: AgentView | undefined): void {
		if (view) this.all.add(id);
		else this.all.delete(id);
		if (this.isAvailable.get(id) === true) this.available--;
		const isAvailable = view?.state === 'available';
		if (isAvailable) this.available++;
		if (isAvailable || view?.awaySince !== undefined) this.isAvailable.set(id, isAvailable);
		// Nobody knows.
		else this.isAvailable.delete(id);
	}

	protected override get isCertain(): boolean {
		const unknown = this.isListed ? this.all.size - this.isAvailable.size : Infinity;
		return this.available + unknown < this.rule.row.threshold;
	}

	/** A login may list others, and groups may have other members. */
	list(login: Directory | undefined): void {
		// A login without a list says nothing of who there is, and drops nobody.
		const isList = login !== undefined && login.agents.size > 0;
		// Of somebody whom it does not list, a status may have been heard since.
		const others = [...this.all].filter((id) => !isList || this.known.get(id).state !== null);
		const listed = isList ? login.agents : (this.known.listed ?? this.all);
		const ids = [...listed.keys(), ...this.named, ...others].filter(this.rule.matchesAgent);
		this.all.clear();
		this.isAvailable.clear();
		this.available = 0;
		this.isListed = ids.length > 0;
		for (const id of ids) this.note(id, this.known.get(id));
	}
}
