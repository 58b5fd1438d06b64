// Compares the calls that really took place with the outcomes that a workflow received. It derives the outcomes by
// itself, from the events that were sent.
import type { WorkflowPlan } from './plan';
import type { Delivery, Instance } from './n8n';
import type { World } from './simulation';
import type { Call, Sent } from './traffic';
import { arrivalsOf, endOf, isOfN8n, type Report, type Span, type ToldGap } from './facts';
import { beginOfFeed, fellBetween } from './judgeOwed';

/** A call that left its queue may appear in another one within this time. */
const GRACE_MS = 8_000;

export function judgeOutcomes(
	world: World,
	workflow: WorkflowPlan,
	{ deliveries, told: gaps }: { deliveries: Delivery[]; told: ToldGap[] },
	report: Report,
): void {
	const told = new Map<string, Delivery[]>();
	for (const delivery of deliveries) {
		const { json, ran } = delivery;
		if (!ran || json.id_call === undefined) continue;
		const list = told.get(String(json.id_call));
		if (list) list.push(delivery);
		else told.set(String(json.id_call), [delivery]);
	}
	const arrivals = arrivalsOf(world);
	for (const call of world.traffic.calls) {
		const items = told.get(String(call.id)) ?? [];
		const kinds = items.map(({ json }) => String(json.event));
		const { from: at } = spanOf(call);
		const complain = (what: string) =>
			report('outcomes agree', `${workflow.id}, call ${call.id}: ${what}`, at);
		if (call.events.some(({ withheld, dropped }) => withheld ?? dropped)) continue;
		const missed = items.find(({ json }) => json.event === 'missed');
		if (call.answered && missed && mayKnow(world, call, missed, { gaps, arrivals })) {
			complain('answered, but reported as missed');
		}
		if (!call.answered && kinds.includes('answered')) complain('missed, but reported as answered');
		if (!wholeIn(world, workflow, call, gaps) || isShuffled(world, call, arrivals)) continue;
		const expected = call.answered ? 'answered,ended' : 'missed';
		if (kinds.sort().join() !== expected) {
			complain(`"${expected}" expected, "${kinds.join()}" reported`);
			continue;
		}
		for (const { json } of items) {
			if (json.partial === true)
				complain(`partial (${String(json.reason)}) though all of its events arrived`);
			const agent = call.answered ? String(call.agent) : null;
			if (json.id_operator !== agent)
				complain(`agent ${String(json.id_operator)} instead of ${agent}`);
			if (json.id_queue !== String(call.queue)) complain(`queue ${String(json.id_queue)}`);
			const wait = waitOf(call);
			// Seconds; what is late against the lag before a step of a clock is moved back, by at most ten.
			const off = world.wall.jumped ? 11 : 1;
			if (typeof json.wait !== 'number' || Math.abs(json.wait - wait) > off) {
				complain(`a wait of ${String(json.wait)} s instead of ${wait} s`);
			}
		}
	}
}

/**
 * Whether the trigger could know that a call was answered when it made the item, which may have waited since: it had
 * received the answer, or had reported a gap around it.
 */
function mayKnow(
	{ wall }: World,
	call: Call,
	{ instance, json, at }: Delivery,
	{ gaps, arrivals }: { gaps: ToldGap[]; arrivals: ReturnType<typeof arrivalsOf> },
): boolean {
	const madeAt = Math.min(at, ...wall.meant(Date.parse(String(json.date))));
	const answer = call.events.find(({ event }) => event === 'connect_call');
	const from = instance.upAt ?? Infinity;
	const had = arrivals
		.get(answer?.id ?? 0)
		?.some(({ connection, at: came }) => connection.host === instance.process && came > from);
	if (had) return true;
	const told = gaps.some(
		({ from, to, item, delivery }) =>
			delivery.at < madeAt &&
			answer !== undefined &&
			from <= answer.at &&
			answer.at <= to &&
			// A gap between the trigger and n8n says nothing about the feed, which may have been open all the time.
			(!isOfN8n(String(item.reason)) || answer.at < beginOfFeed(instance)),
	);
	return told && json.partial !== true;
}

/** The times of a call's first and last event. */
export function spanOf({ events }: Call): Span {
	const times = events.map(({ at }) => at);
	return { from: Math.min(...times), to: Math.max(...times) };
}

function touches({ from, delivery }: ToldGap, call: Call): boolean {
	const span = spanOf(call);
	return from - GRACE_MS <= span.to + GRACE_MS && delivery.at + GRACE_MS >= span.from;
}

/** Seconds from the beginning of a call to its answer, or to its end if nobody answered. */
function waitOf(call: Call): number {
	const { from, to } = spanOf(call);
	const answer = call.events.find(({ event }) => event === 'connect_call');
	return Math.round(((answer?.at ?? to) - from) / 1_000);
}

/**
 * Whether all events of a call reached one instance over one connection while nothing went wrong, and no gap was
 * reported meanwhile.
 */
export function wholeIn(
	world: World,
	workflow: WorkflowPlan,
	call: Call,
	gaps: readonly ToldGap[],
): boolean {
	return (
		call.over &&
		workflow.agents.length === 0 &&
		!gaps.some((gap) => touches(gap, call)) &&
		arrived(world, workflow, spanOf(call), call.events)
	);
}

/** Whether events of one second came over connections that the provider numbers separately: nothing orders them. */
function isShuffled(
	{ plan }: World,
	{ events }: Call,
	arrivals: ReturnType<typeof arrivalsOf>,
): boolean {
	if (plan.provider.cpt !== 'connection') return false;
	const cameOver = ({ id }: Sent) => arrivals.get(id)?.map(({ connection }) => connection) ?? [];
	return events.some((sent, index) => {
		const before = events[index - 1];
		if (!before || sent.at - before.at > 1_000) return false;
		return new Set([...cameOver(before), ...cameOver(sent)]).size > 1;
	});
}

/** Whether these events of a time reached one instance over one connection while nothing went wrong. */
export function arrived(
	world: World,
	workflow: WorkflowPlan,
	{ from, to: end }: Span,
	events: readonly Sent[],
): boolean {
	if (events.some(({ lateMs }) => lateMs !== undefined)) return false;
	const to = end + GRACE_MS;
	const { faults } = world.plan;
	const quiet = faults.every((fault) => {
		const begins = world.begin + fault.at;
		return begins > to + 60_000 || begins + fault.forMs < from - 60_000;
	});
	if (!quiet || lacksNumbersBeside(world, { from, to: end })) return false;
	const instance = instanceAt(world, workflow, from, to);
	if (!instance) return false;
	const { connections } = instance.process;
	// Nobody can know of events that the provider gives to neither connection of a renewal.
	if (events.some((sent) => fellBetween(sent, connections))) return false;
	// The connection was open all the time, with a margin for renewals.
	return connections.some(
		({ subscribedAt = Infinity, endedAt = Infinity, deafAt = Infinity, severedAt = Infinity }) =>
			subscribedAt < from - 60_000 && Math.min(endedAt, deafAt, severedAt) > to,
	);
}

/**
 * The provider loses the events that it sends next, which may be long after the fault. Numbers are then missing between
 * the events before and after, and calls that overlap that time may be incomplete.
 */
function lacksNumbersBeside({ provider }: World, call: Span): boolean {
	const { events } = provider;
	const came = ({ withheld, dropped }: Sent) => !withheld && !dropped;
	return events.some((lost, index) => {
		if (came(lost)) return false;
		const from = events.slice(0, index).findLast(came)?.at ?? -Infinity;
		const to = events.slice(index).find(came)?.at ?? Infinity;
		return from - GRACE_MS <= call.to && to + GRACE_MS >= call.from;
	});
}

function instanceAt(
	world: World,
	workflow: WorkflowPlan,
	from: number,
	to: number,
): Instance | undefined {
	return world.n8n.processes
		.flatMap(({ instances }) => instances)
		.find(
			(one) =>
				one.workflow === workflow &&
				(one.upAt ?? Infinity) < from - 60_000 &&
				endOf(one) > to + 60_000 &&
				one.givenUp === 0,
		);
}
