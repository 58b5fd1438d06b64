// The events of a call for timelines: those that its outcome is derived from, and those that don't affect it (a ring,
// a break, an alert). The latter are stored here, since they can arrive before the call's first event.
import { milliseconds } from '../events/simplify';
import type { FeedEvent } from '../feed/types';
import { ByAge } from './byAge';
import { idOf, isNamed, type CallEvent } from './callHistory';
import type { TimelineEntry } from './outcomeTypes';
import { keptId, LONGEST_ID } from './keptId';

/** Limit per call. */
const MOST_NOTES = 64;

/** Size of an event without its texts. */
const EVENT_BYTES = 200;

/** Events of calls that their outcomes are not derived from. */
export class CallNotes {
	private readonly notes = new ByAge<TimelineEntry[]>();
	/** Size of all notes. */
	bytes = 0;

	/** Number of calls with notes. */
	get size(): number {
		return this.notes.size;
	}

	add(callId: string, event: FeedEvent): void {
		const entry = timelineEntry(event);
		const known = this.of(callId);
		if (known.length >= MOST_NOTES || known.some((one) => sameEntry(one, entry))) return;
		this.bytes += weightOf(entry);
		this.notes.set(callId, [...known, entry]);
	}

	of(callId: string): readonly TimelineEntry[] {
		return this.notes.get(callId) ?? [];
	}

	forget(callId: string): void {
		for (const note of this.of(callId)) this.bytes -= weightOf(note);
		this.notes.delete(callId);
	}

	/** @returns whether there was one */
	forgetOldest(): boolean {
		const oldest = this.notes.oldest();
		if (oldest) this.forget(oldest.key);
		return oldest !== undefined;
	}
}

/** All events of a call, in order. */
export function timelineOf(
	events: readonly CallEvent[],
	notes: readonly TimelineEntry[],
): TimelineEntry[] {
	const entries = events
		.filter(({ kind }) => kind !== 'break' && kind !== 'waits')
		.map(({ at, cpt, name, place, agent, status }) => ({
			at,
			...(cpt === undefined ? {} : { cpt }),
			event: name ?? '',
			...(place === undefined || !isNamed(place)
				? {}
				: { [place.startsWith('queue:') ? 'queue' : 'trunk']: idOf(place) }),
			...(agent === undefined ? {} : { agent }),
			...(status === undefined ? {} : { status }),
		}));
	return [...entries, ...notes].sort((a, b) => a.at - b.at || (a.cpt ?? 0) - (b.cpt ?? 0));
}

/** Roughly how many bytes a stored event takes. */
export function weightOf(kept: CallEvent | TimelineEntry): number {
	const { agent = '', status = '' } = kept;
	const { place = '', name = '' } = 'kind' in kept ? kept : { name: kept.event };
	return EVENT_BYTES + agent.length + status.length + place.length + name.length;
}

function timelineEntry({ event, ts, receivedAt, cpt, type, msg }: FeedEvent): TimelineEntry {
	const queue = keptId(msg.id_queue);
	const trunk = keptId(msg.id_trunk);
	const agent = keptId(msg.id_operator);
	const status = keptId(msg.status);
	return {
		at: ts === undefined ? receivedAt : milliseconds(ts),
		...(cpt === undefined ? {} : { cpt }),
		event: event.length > LONGEST_ID ? type : event || type,
		...(queue === undefined ? {} : { queue }),
		...(trunk === undefined ? {} : { trunk }),
		...(agent === undefined ? {} : { agent }),
		...(status === undefined ? {} : { status }),
	};
}

function sameEntry(a: TimelineEntry, b: TimelineEntry): boolean {
	return a.at === b.at && a.event === b.event && a.agent === b.agent && a.status === b.status;
}
