// How items name and date things: names from the newest login and from the settings, moments as the machine's clock
// shows them.

import { emptyDirectory } from '../../shared/directory';
import { isoOf } from '../events/isoDate';
import { agentNamed, named, type AgentNamed, type Named, type Names } from '../events/simplify';
import { machineTime } from '../feed/clock';
import type { Clock, Directory } from '../feed/types';

const NOBODY = emptyDirectory();

export class Naming {
	/**
	 * @param directory the newest login's names; undefined: none are shown
	 * @param queueNames as the user gave them; undefined: queues have no names
	 */
	constructor(
		private readonly clock: Clock,
		readonly directory: () => Directory | undefined,
		readonly queueNames: Names | undefined,
	) {}

	/** A moment by our clock, which never goes back, in ISO 8601. */
	iso(at: number | null | undefined): string | null {
		return at === null || at === undefined ? null : this.machineIso(machineTime(this.clock, at));
	}

	/** A moment that is by another clock: the machine's, or the provider's. */
	machineIso(at: number | undefined): string | null {
		return at === undefined ? null : (isoOf(at) ?? null);
	}

	/** Nothing, if queues have no names. */
	queueField(id: string | null | undefined): { queue?: Named | null } {
		if (!this.queueNames || id === undefined) return {};
		return { queue: id === null ? null : named(id, this.queueNames) };
	}

	agent(id: string): AgentNamed {
		return agentNamed(id, this.directory() ?? NOBODY);
	}

	group(id: string): Named {
		return named(id, (this.directory() ?? NOBODY).groups);
	}

	/** A break by its identifier or its name: it is not documented which of the two the provider sends. */
	pause(id: string): Named {
		const { pauses } = this.directory() ?? NOBODY;
		const byName = [...pauses.values()].find(({ name }) => name === id);
		return !pauses.has(id) && byName ? { ...byName } : named(id, pauses);
	}

	// For sentences. A name is written as it is given, also at the beginning.

	queueInWords(id: string, isFirst = false): string {
		return nameInWords(id, this.queueNames, isFirst ? 'Queue' : 'queue');
	}

	agentInWords(id: string, isFirst = false): string {
		return nameInWords(id, this.directory()?.agents, isFirst ? 'Agent' : 'agent');
	}

	groupInWords(id: string): string {
		return nameInWords(id, this.directory()?.groups, 'group');
	}

	trunkInWords(id: string): string {
		return nameInWords(id, this.directory()?.trunks, 'trunk');
	}
}

/** By its name, unless that is its identifier, as of whoever has none. */
function nameInWords(id: string, names: Names | undefined, kind: string): string {
	const { name = id } = names?.get(id) ?? {};
	return name === id ? `${kind} ${id}` : name;
}
