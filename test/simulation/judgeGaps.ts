// Compares each gap that a workflow received with what really reached its process.
import type { IDataObject } from 'n8n-workflow';
import type { Connection } from './network';
import type { Delivery, Process } from './n8n';
import { MINUTE, SECOND, type Plan } from './plan';
import type { World } from './simulation';
import { markIn, type Sent } from './traffic';
import { stoodStill, type Report } from './judge';
import { MISSING_NUMBERS, RESTART } from './judgeNumbers';

/**
 * What a gap adds to the time without a connection: events in transit before it, and the wait for a first event after
 * it.
 */
const TRANSIT_MS = 1_000;
export const FIRST_EVENT_MS = 5_000;
/** The maximum time that an event is in transit, unless the network held it back. */
export const LONGEST_DELIVERY_MS = 3_500;
/** The most that a slow network adds, and how much later than others a connection may be served. */
const SLOW_MS = 900;
const LAG_MS = 200;
/** How long events of the faster connection wait for the slower one. */
export const HOLD_MS = 500;
/** The end of a token is sent in whole seconds and known to within two more. */
export const TOKEN_END_MS = 3 * SECOND;
/** With tokens that live no longer than this, the overlap of a renewal is decided before a ping may arrive. */
const SHORT_LIFE_MS = 5 * MINUTE;

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
		.map((delivery) => toldGap(world, delivery));
}

function toldGap(world: World, delivery: Delivery): ToldGap {
	const { json } = delivery;
	const meant = (value: unknown) => world.wall.meant(Date.parse(String(value)));
	return {
		from: Math.min(...meant(json.from)),
		// It cannot end in the future, whatever the clock shows later.
		to: Math.min(delivery.at, Math.max(...meant(json.to))),
		item: json,
		delivery,
	};
}

interface Hole {
	from: number;
	to: number;
}

/** The times in which nothing that the operator sent could reach the process. */
function holesOf(process: Process): Hole[] {
	const covered = process.connections
		.filter(({ subscribedAt }) => subscribedAt !== undefined)
		.map((connection) => ({
			from: connection.subscribedAt as number,
			to: deliversUntil(connection),
		}))
		.sort((a, b) => a.from - b.from);
	const holes: Hole[] = [];
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

/** Whether the gap lies between the trigger and n8n, not in the feed. */
export const isOfN8n = (reason: string) => /^(n8n|an execution failed)/.test(reason);

const isDoubt = (reason: string) => /until its renewal$/.test(reason);

export function isInHole(process: Process, at: number): boolean {
	return holesOf(process).some(({ from, to }) => from <= at + SECOND && at - SECOND <= to);
}

export function judgeGap(world: World, gap: ToldGap, report: Report): void {
	const { plan, operator, wall } = world;
	const { item, delivery } = gap;
	const { process } = delivery.instance;
	const reason = String(item.reason);
	const shown = `gap of ${Number(item.duration).toFixed(1)} s (${reason})`;
	if (wall.jumped) return;
	if (Date.parse(String(item.from)) > Date.parse(String(item.to))) {
		report('a gap has a reason', `${shown} ends before it begins`, delivery.at);
		return;
	}
	if (reason === RESTART) {
		const { startedAt, activation, workflow } = delivery.instance;
		// If a person started the trigger, it reports what the one before it could not, up to the end of that one.
		const left = activation !== 'init';
		const starts = process.instances
			.filter((one) => one.workflow === workflow && one.activation === 'init')
			.map((one) => one.startedAt)
			.filter((start) => (left ? start < startedAt : start === startedAt));
		const isAround = starts.some((start) => gap.from <= start && start <= gap.to);
		if (!isAround || (left && gap.to > startedAt)) {
			report('a gap has a reason', `${shown} does not lie around the start of n8n`, delivery.at);
		}
		return;
	}
	if (isOfN8n(reason)) return;
	// Gaps between two numbers are checked in judgeNumbers.ts.
	if (reason === MISSING_NUMBERS) return;
	if (reason.startsWith('no event came for a long time')) return;
	// With such a short token, the overlap ends before a ping can show that the old connection was alive.
	if (plan.operator.tokenLifeMs < SHORT_LIFE_MS && isDoubt(reason)) return;
	// The only event that both connections should have delivered during the overlap was not given to the old one, or held
	// back by the network.
	const { from: begin, to } = { from: gap.to - LONGEST_DELIVERY_MS, to: delivery.at };
	const isAbsent = (one: Sent) => one.dropped === true || isHeldBack(world, one);
	if (isDoubt(reason) && operator.events.some((one) => isIn(one, begin, to) && isAbsent(one)))
		return;
	// After a sleep, an operator ends a connection from which it received nothing; it may not have delivered anything
	// before that.
	if (isDoubt(reason) && stoodStill(process, gap.from - MINUTE, gap.to)) return;
	if (reason.startsWith('the connection was dead') && isUnproven(process, gap, plan)) return;
	const isEnded =
		isDoneWith(process, gap) || endedInSleep(process, gap) || stoppedTooSoon(process, gap, plan);
	if (reason.startsWith('the connection had stopped') && isEnded) return;
	const holes = holesOf(process).filter(
		({ from, to }) => from - TRANSIT_MS < gap.to && to + LONGEST_DELIVERY_MS > gap.from,
	);
	const [first] = holes;
	const last = holes.at(-1);
	if (!first || !last) {
		report('a gap has a reason', `${shown}, but nothing was interrupted`, delivery.at);
		return;
	}
	// A gap ends with the first event after it, which the network may have held back for long. If there is no event,
	// connections whose token ends within those seconds are doubted one after the other.
	const doubted =
		plan.operator.tokenLifeMs < SHORT_LIFE_MS && !broughtAny(process, last.to, gap.to - 1);
	const longest = last.to + FIRST_EVENT_MS + 2 * LONGEST_DELIVERY_MS;
	if (gap.to > longest && !doubted && !mayHold(plan)) {
		report('no gap is longer than necessary', `${shown} ends long after the outage`, delivery.at);
	}
	const proof = proofBefore(process, first.from, plan);
	if (gap.from < proof - TRANSIT_MS - 50) {
		const late = ((proof - gap.from) / 1_000).toFixed(1);
		report(
			'no gap is longer than necessary',
			`${shown} begins ${late} s before the feed's last sign of life`,
			delivery.at,
		);
	}
}

const isIn = ({ at }: Sent, from: number, to: number) => at >= from && at <= to;

/**
 * An interruption is reported before the event that follows it, and ends with that event.
 * @param all everything that the instance handed over, including what n8n did not run
 */
export function judgeEndOfGap(
	world: World,
	gap: ToldGap,
	all: readonly Delivery[],
	report: Report,
): void {
	const { instance } = gap.delivery;
	const { process } = instance;
	const reason = String(gap.item.reason);
	if (world.wall.jumped || isTakeover(reason)) return;
	if (reason === MISSING_NUMBERS || isOfN8n(reason)) return;
	const { connections } = process;
	// A connection can end and the next one open within one millisecond.
	const next = connections.findLast(
		({ openedAt = Infinity, openedPlace }) =>
			openedAt <= gap.to + 1 &&
			!connections.some((one) => one.openedPlace < openedPlace && one.endedPlace >= openedPlace),
	);
	if (!next) return;
	const before = new Set(
		connections
			.filter((one) => one.startedAt < next.startedAt)
			.flatMap(({ arrivals }) => arrivals.map(({ sent }) => sent.id)),
	);
	const first = next.arrivals.find(({ sent }) => !before.has(sent.id));
	if (!first) return;
	if (first.at < (next.openedAt as number) + FIRST_EVENT_MS && gap.to > first.at + HOLD_MS + 1) {
		report(
			'a gap ends with the event after it',
			`gap (${reason}) ends ${gap.to - first.at} ms after event ${first.sent.id}`,
			gap.delivery.at,
		);
	}
	const orderOf = (given: Delivery[]) => Math.min(...given.map(({ order }) => order));
	const own = all.filter((one) => one.instance === instance);
	const told = JSON.stringify(gap.item);
	const place = orderOf(own.filter(({ json }) => JSON.stringify(json) === told));
	const event = orderOf(own.filter(({ json }) => markIn(json) === first.sent.id));
	if (event < place) {
		report(
			'a gap ends with the event after it',
			`gap (${reason}) is reported after event ${first.sent.id}`,
			gap.delivery.at,
		);
	}
}

/**
 * An event that the network holds back counts as a sign of life when it arrives, so the gap after it begins too late.
 */
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

/**
 * How much longer an event sent at that time may have been in transit than a gap allows for. A gap begins at least that
 * allowance before the last sign of life.
 */
export function beyondTransit({ plan }: World, { lateMs = 0 }: Sent): number {
	const { network, operator, faults } = plan;
	const slow = faults.some(({ kind }) => kind === 'slowNetwork') ? SLOW_MS : 0;
	const farewell = operator.farewellMs;
	const longest = network.delayMs + network.jitterMs + slow + LAG_MS + lateMs + farewell;
	return Math.max(0, longest - TRANSIT_MS);
}

const isTakeover = (reason: string) => isDoubt(reason) || reason.startsWith('no event came');

function broughtAny({ connections }: Process, from: number, to: number): boolean {
	return connections.some(({ arrivals }) => arrivals.some(({ at }) => at > from && at < to));
}

/** Whether the network or the machine may have held something back for long. */
function mayHold({ faults }: Plan): boolean {
	return faults.some(({ kind }) => ['partition', 'sleeps', 'held', 'slowNetwork'].includes(kind));
}

/** The last sign of life which proves that everything sent before the hole had arrived. */
function proofBefore(
	process: Process,
	hole: number,
	{ silenceTimeoutMinutes, twoLines }: Plan,
): number {
	const there = process.connections.filter(
		(one) =>
			one.openedAt !== undefined && one.openedAt <= hole && (one.endedAt ?? Infinity) >= hole,
	);
	const proofs = there.map((one) =>
		looksStopped(process, one, hole)
			? (lastEventAt(one, hole) ?? -Infinity)
			: proofOf(one, hole, silenceTimeoutMinutes),
	);
	if (proofs.length === 0) return -Infinity;
	// If both lines were seen to deliver the same events, the one that was complete for longer decides.
	const [one, other] = there.map(
		({ arrivals }) => new Set(arrivals.filter(({ at }) => at <= hole).map(({ sent }) => sent.id)),
	);
	const bothDelivered = one && other ? [...one].some((id) => other.has(id)) : true;
	return twoLines && bothDelivered ? Math.max(...proofs) : Math.min(...proofs);
}

function lastEventAt({ arrivals }: Connection, until: number): number | undefined {
	return arrivals.findLast(({ at }) => at <= until)?.at;
}

/** Whether the last event did not arrive over this connection because the operator gave it to the other one only. */
function looksStopped({ connections }: Process, one: Connection, hole: number): boolean {
	const lastAt = lastEventAt(one, hole) ?? one.openedAt ?? hole;
	return connections.some(
		(other) =>
			other !== one &&
			other.arrivals.some(({ sent, at }) => sent.dropped === true && at > lastAt && at <= hole),
	);
}

/** The last sign of life of one connection which proves that everything had arrived. */
function proofOf(one: Connection, hole: number, silenceTimeoutMinutes: number): number {
	const silenceMs = silenceTimeoutMinutes * MINUTE;
	const lastEvent = lastEventAt(one, hole);
	// A connection that never delivered anything proves nothing. One that lost its subscription is only proved by its
	// events.
	if (lastEvent === undefined) return one.openedAt as number;
	const deaf = one.deafAt !== undefined && one.deafAt <= hole;
	const silent = silenceMs > 0 && longestSilence(one, one.endedAt ?? hole) >= silenceMs;
	const beatAt = one.lastBeatAt ?? 0;
	if (deaf || silent || beatAt > hole) return lastEvent;
	return Math.max(lastEvent, Math.min(beatAt, one.tokenKnownUntil - TOKEN_END_MS));
}

/**
 * Whether a connection ended before it had shown any sign of life beside its successor, so that it may have been dead
 * since its last one. It looks the same if the network or a sleep only affected both of them after that. The gap goes
 * from that sign of life to the beginning of the successor and no further.
 */
function isUnproven(process: Process, { from, to }: ToldGap, plan: Plan): boolean {
	const { connections } = process;
	return connections.some((next) => {
		const { openedAt = Infinity } = next;
		if (to < openedAt - 1 || to > openedAt + FIRST_EVENT_MS + 1) return false;
		return connections.some(
			(one) =>
				one !== next &&
				(one.openedAt ?? Infinity) < openedAt &&
				(one.endedAt ?? Infinity) >= openedAt &&
				(one.lastBeatAt ?? 0) <= openedAt &&
				one.arrivals.every(({ at }) => at <= openedAt) &&
				from >= proofOf(one, openedAt, plan.silenceTimeoutMinutes) - TRANSIT_MS - 50,
		);
	});
}

/**
 * Whether an operator that allows one session had stopped serving a connection which still looked open when its
 * successor, which alone had delivered events, ended too: the old one may have delivered nothing since its last event.
 */
function isDoneWith({ connections }: Process, { from, to }: ToldGap): boolean {
	return connections.some(({ openedAt = Infinity, endedAt = Infinity, arrivals }) => {
		if (to < openedAt - 1 || to > openedAt + FIRST_EVENT_MS + 1) return false;
		return connections.some((one) => {
			const { openedAt: since = Infinity, unsubscribedAt = Infinity } = one;
			const lastAt = one.arrivals.at(-1)?.at ?? since;
			return (
				since < openedAt &&
				(one.endedAt ?? Infinity) > endedAt &&
				one.endedBy === 'server' &&
				arrivals.some(({ sent, at }) => sent.at >= unsubscribedAt && at < endedAt) &&
				from >= lastAt - TRANSIT_MS - 50
			);
		});
	});
}

/**
 * Whether a connection stopped when its successor was open and had delivered nothing yet: only an event could have
 * shown since when the operator served the successor. The gap goes from what the old connection certainly delivered to
 * the beginning of the successor.
 */
function stoppedTooSoon({ connections }: Process, { from, to }: ToldGap, plan: Plan): boolean {
	return connections.some(({ openedAt = Infinity, arrivals: [first] }, index) => {
		const begin = Math.min(first?.at ?? Infinity, openedAt + FIRST_EVENT_MS);
		if (Math.abs(to - begin) > 1) return false;
		return connections
			.slice(0, index)
			.some(
				(one) =>
					one.deafAt !== undefined &&
					openedAt <= one.deafAt &&
					one.deafAt <= to &&
					(one.endedAt ?? Infinity) > to &&
					from >= proofOf(one, to, plan.silenceTimeoutMinutes) - TRANSIT_MS - 50,
			);
	});
}

/**
 * Whether the operator ended a connection while the machine slept: then only its successor delivered the waiting
 * events.
 */
function endedInSleep({ connections, holds }: Process, { from, delivery }: ToldGap): boolean {
	return connections.some(({ openedAt = Infinity, unsubscribedAt = Infinity, arrivals }) => {
		const lastAt = arrivals.at(-1)?.at ?? openedAt;
		const asleep = holds.some(
			(hold) => hold.from <= unsubscribedAt && unsubscribedAt <= hold.to && hold.to <= delivery.at,
		);
		return asleep && Math.abs(from - lastAt) <= TRANSIT_MS + 50;
	});
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
