// What really happened in a world, for the rules of the judge: when instances ended, what arrived over which connection,
// and when nothing could.
import type { IDataObject } from 'n8n-workflow';
import type { Connection } from './network';
import type { Delivery, Instance, Process } from './n8n';
import { SECOND } from './plan';
import type { World } from './simulation';
import type { Sent } from './traffic';

export interface Violation {
	rule: string;
	what: string;
	/** In true time, not in n8n's. */
	at: number;
}

export type Report = (rule: string, what: string, at: number) => void;

/** The longest that an event is in transit, unless the network held it back. */
export const LONGEST_DELIVERY_MS = 3_500;

/** How long the trigger remembers what one connection delivered, to compare it with the other. */
export const COPY_MS = 15 * SECOND;

/** A token that lives shorter ends before it can be renewed: every renewal interrupts the feed. */
export const INTERRUPTING_LIFE_MS = 20 * SECOND;

/** When an instance ended: it was closed, or its process ended. */
export function endOf({ closingAt, process }: Instance): number {
	return Math.min(closingAt ?? Infinity, process.endedAt ?? Infinity);
}

/** Whether the machine slept, or the process was paused, at any time in this interval. */
export function stoodStill({ holds }: Process, from: number, to: number): boolean {
	return holds.some((hold) => hold.from <= to && hold.to >= from);
}

export function isOpen({ openedAt = Infinity, endedAt = Infinity }: Connection, at: number) {
	return openedAt < at && endedAt > at;
}

/**
 * The times of two events differ by a second at most when they are less than two apart. A provider that sets the time
 * for each connection does so when it delivers, up to 0.2 s later on one than on another.
 */
export const ALIKE_MS = 2.2 * SECOND;

/** Whether two events look the same and are so close in time that one can be mistaken for the other. */
export function areAlike(one: Sent, other: Sent, withinMs = ALIKE_MS): boolean {
	return one.look === other.look && Math.abs(one.at - other.at) <= withinMs;
}

/** Finds the events that look like one, itself among them, without a look at all others. */
export class Alikes {
	private readonly byLook = new Map<string, Sent[]>();

	constructor(events: readonly Sent[]) {
		for (const sent of events) {
			const list = this.byLook.get(sent.look);
			if (list) list.push(sent);
			else this.byLook.set(sent.look, [sent]);
		}
	}

	of(sent: Sent): Sent[] {
		return (this.byLook.get(sent.look) ?? []).filter((one) => areAlike(one, sent));
	}
}

export interface Arrival {
	connection: Connection;
	at: number;
}

/** For each event, the connections that delivered it and when. */
export function arrivalsOf(world: World): Map<number, Arrival[]> {
	const arrivals = new Map<number, Arrival[]>();
	for (const connection of world.provider.connections) {
		for (const { sent, at } of connection.arrivals) {
			const list = arrivals.get(sent.id);
			if (list) list.push({ connection, at });
			else arrivals.set(sent.id, [{ connection, at }]);
		}
	}
	return arrivals;
}

/** A gap that was reported to a workflow. */
export interface ToldGap {
	/** In true time, the widest interval that its wall clock allows. */
	from: number;
	to: number;
	item: IDataObject;
	delivery: Delivery;
}

/** The items about gaps, or about events that a full buffer dropped. */
export function toldIn(
	world: World,
	deliveries: readonly Delivery[],
	event: 'gap' | 'overflow',
): ToldGap[] {
	return deliveries
		.filter(({ json }) => json.type_notification === 'feed' && json.event === event)
		.map((delivery) => {
			const { json } = delivery;
			const meant = (value: unknown) => world.wall.meant(Date.parse(String(value)));
			return {
				from: Math.min(...meant(json.from)),
				// It cannot end in the future, whatever the clock shows later.
				to: Math.min(delivery.at, Math.max(...meant(json.to))),
				item: json,
				delivery,
			};
		});
}

/** Whether the gap lies between the trigger and n8n, not in the feed. */
export const isOfN8n = (reason: string) => /^(n8n|an execution failed)/.test(reason);

export interface Span {
	from: number;
	to: number;
}

/** The times in which nothing that the provider sent could reach the process. */
export function holesOf(process: Process): Span[] {
	const covered = process.connections
		.filter(({ subscribedAt }) => subscribedAt !== undefined)
		.map((connection) => ({
			from: connection.continuesFrom ?? (connection.subscribedAt as number),
			to: deliversUntil(connection),
		}))
		.sort((a, b) => a.from - b.from);
	const holes: Span[] = [];
	let until = process.startedAt;
	for (const { from, to } of covered) {
		if (from > until) holes.push({ from: until, to: from });
		until = Math.max(until, to);
	}
	holes.push({ from: until, to: process.endedAt ?? Infinity });
	return holes;
}

export function deliversUntil({ unsubscribedAt, severedAt, deafAt, endedAt }: Connection): number {
	return Math.min(
		unsubscribedAt ?? Infinity,
		severedAt ?? Infinity,
		deafAt ?? Infinity,
		(endedAt ?? Infinity) - 1,
	);
}

export function isInHole(process: Process, at: number): boolean {
	return holesOf(process).some(({ from, to }) => from <= at + SECOND && at - SECOND <= to);
}

/** Whether the network may have held back an event that was sent then: it looks like a sign of life when it arrives. */
export function isHeldBack({ plan, begin, wall }: World, { at }: Sent): boolean {
	// After the clock has jumped, the times in a gap mean little.
	if (wall.jumped) return true;
	return plan.faults.some(
		(fault) =>
			fault.kind === 'partition' &&
			begin + fault.at <= at + LONGEST_DELIVERY_MS &&
			at <= begin + fault.at + fault.forMs + LONGEST_DELIVERY_MS,
	);
}

/** The longest time without an event. After too long a silence a connection is no longer trusted. */
export function longestSilence({ openedAt, arrivals }: Connection, until: number): number {
	const times = [openedAt as number, ...arrivals.map(({ at }) => at), until];
	let longest = 0;
	let before = times[0] ?? until;
	for (const at of times) {
		longest = Math.max(longest, Math.min(at, until) - before);
		before = at;
	}
	return longest;
}

/** The most that a slow network adds, and how much later than others a connection may be served. */
const SLOW_MS = 900;
const LAG_MS = 200;

/**
 * How much longer an event sent at that time may have been in transit than a gap allows for. A gap begins at least that
 * allowance before the last sign of life.
 */
export function beyondTransit({ plan }: World, { lateMs = 0 }: Sent): number {
	const { network, provider, faults } = plan;
	const slow = faults.some(({ kind }) => kind === 'slowNetwork') ? SLOW_MS : 0;
	const longest = network.delayMs + network.jitterMs + slow + LAG_MS + lateMs + provider.farewellMs;
	return Math.max(0, longest - SECOND);
}
