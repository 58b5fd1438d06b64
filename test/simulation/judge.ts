// Compares what the workflows received with what the documentation promises. It knows every event that was sent and
// what happened to every connection and execution. It shares no code with the trigger that it judges.
import {
	Alikes,
	areAlike,
	arrivalsOf,
	beyondTransit,
	COPY_MS,
	endOf,
	INTERRUPTING_LIFE_MS,
	isHeldBack,
	isInHole,
	LONGEST_DELIVERY_MS,
	toldIn,
	type Arrival,
	type Report,
	type Span,
	type ToldGap,
	type Violation,
} from './facts';
import { present } from '../support/present';
import { judgeAlive, type Watermark } from './judgeAlive';
import { judgeAlerts, judgeRecords } from './judgeFigures';
import { judgeGap } from './judgeGaps';
import { areKeysUsedUp, isRejectedTooLate, isToldTooLate, isUnseen } from './judgeHandOver';
import { judgeLogins } from './judgeLogins';
import { judgeNumbers } from './judgeNumbers';
import { judgeOutcomes } from './judgeOutcomes';
import { fellBetween, isOwed, tellsWhatWasLost } from './judgeOwed';
import { judgePair } from './judgePair';
import { judgeRenewals } from './judgeRenewals';
import { judgeReturn, NOTICED_WHEN_CONNECTED_MS } from './judgeReturn';
import { judgeStatuses } from './judgeStatuses';
import type { Connection } from './network';
import type { Delivery, Instance, Process } from './n8n';
import { MINUTE, SECOND, type Plan, type WorkflowPlan } from './plan';
import type { World } from './simulation';
import { markIn, type Sent } from './traffic';

/** Events of the faster of two connections wait this long for the slower one. */
const HOLD_MS = 500;
/** What is read so soon after a standstill had been sent before its end. */
const SOON_MS = 9 * SECOND;
const RECOVERY_MS = 2 * MINUTE;
const LONGEST_BACKOFF_MS = MINUTE;

/** @param marks gets what the signs of life come to */
export function judge(world: World, marks: Watermark): Violation[] {
	const violations = [...world.seen];
	const report = (rule: string, what: string, at: number) => {
		violations.push({ rule, what, at });
	};
	for (const process of world.n8n.processes) {
		judgeBounds(world, process, report);
		judgeLogins(world, process, report);
		judgeReturn(world, process, report);
		judgeRenewals(world, process, report);
		judgePair(world, process, report);
	}
	for (const { instance, at } of world.n8n.deliveries) {
		if (at <= (instance.closedAt ?? Infinity)) continue;
		report('a closed trigger starts nothing', `${instance.workflow.id} was given an item`, at);
	}
	// A gap reported to one workflow covers all of them: a workflow without status items is affected by the same gaps.
	const everyGap = toldIn(world, world.n8n.deliveries, 'gap');
	const everyOverflow = toldIn(world, world.n8n.deliveries, 'overflow');
	for (const workflow of world.plan.workflows) {
		const deliveries = world.n8n.deliveries.filter(
			({ instance }) => instance.workflow === workflow,
		);
		const isOwn = ({ delivery }: ToldGap) =>
			(delivery.ran || isToldTooLate(delivery)) && delivery.instance.workflow === workflow;
		const told = everyGap.filter(isOwn);
		const overflows = everyOverflow.filter(isOwn);
		if (workflow.mode === 'events') {
			judgeEvents(world, workflow, deliveries, { told, overflows }, report);
			judgeOrder(world, deliveries, report);
		} else if (workflow.mode === 'callOutcomes') {
			judgeOutcomes(world, workflow, { deliveries, told: everyGap }, report);
		} else if (workflow.mode === 'alerts') {
			judgeAlerts(world, workflow, { deliveries, told: everyGap }, report);
		} else {
			judgeRecords(world, workflow, deliveries, report);
		}
		if (workflow.emitFeedStatus) {
			for (const gap of told) {
				judgeGap(world, gap, report);
			}
			judgeNumbers(world, deliveries, report);
			const instances = instancesOf(world, workflow);
			// An overflow also reports the gaps that it dropped.
			const tried = [...everyGap, ...everyOverflow].filter(
				({ delivery }) => delivery.instance.workflow === workflow,
			);
			judgeAlive(world, instances, deliveries, tried, marks, report);
			for (const instance of instancesOf(world, workflow)) {
				judgeStatuses(world, instance, deliveries, report);
			}
		}
	}
	return violations;
}

function instancesOf(world: World, workflow: WorkflowPlan): Instance[] {
	return world.n8n.processes.flatMap(({ instances }) =>
		instances.filter((instance) => instance.workflow === workflow),
	);
}

// ── each event once, or in a gap ────────────────────────────────────────────────────────────────────────────

function isWanted({ types, agents }: WorkflowPlan, sent: Sent): boolean {
	if (types.length > 0 && !types.includes(sent.type)) return false;
	return agents.length === 0 || agents.includes(Number(sent.msg.id_operator));
}

function judgeEvents(
	world: World,
	workflow: WorkflowPlan,
	deliveries: Delivery[],
	{ told, overflows }: { told: readonly ToldGap[]; overflows: readonly ToldGap[] },
	report: Report,
): void {
	const given = new Map<number, Delivery[]>();
	for (const delivery of deliveries) {
		const id = markIn(delivery.json);
		if (id !== undefined) given.set(id, [...(given.get(id) ?? []), delivery]);
	}
	const counts = new Map<number, number>();
	/** With those whose execution was lost with its worker, which is reported. */
	const handedOver = new Map<number, number>();
	for (const [id, all] of given) {
		const count = all.filter(({ ran }) => ran).length;
		if (count > 0) counts.set(id, count);
		handedOver.set(id, all.filter(({ ran, died }) => ran || died).length);
	}
	const instances = instancesOf(world, workflow);
	const came = cameOf(world);
	const { arrivals } = came;
	let missing: Array<{ sent: Sent; stint?: Instance; arrivedAt?: number }> = [];
	const doubled: Sent[] = [];
	for (const sent of world.provider.events) {
		const count = counts.get(sent.id) ?? 0;
		if (!isWanted(workflow, sent)) {
			if (count > 0) report('only what it asked for', `event ${sent.id}`, sent.at);
			continue;
		}
		for (let extra = 1; extra < (handedOver.get(sent.id) ?? 0); extra++) doubled.push(sent);
		const copies = arrivals.get(sent.id);
		if (count > 0 || sent.withheld || (sent.dropped && !copies)) continue;
		const reached = copies?.flatMap(({ connection, at }) => {
			const stint = instances.find(
				(one) => one.process === connection.host && isListening(one, at, deliveries),
			);
			// A copy of an event that the process had received before the instance was listening is not a new event.
			const known = copies.some(
				(other) =>
					other.connection.host === connection.host &&
					other.at < at &&
					stint &&
					!isListening(stint, other.at, deliveries),
			);
			return stint && !known ? [{ stint, at }] : [];
		});
		const [first] = (reached ?? []).sort((a, b) => a.at - b.at);
		missing.push({ sent, stint: first?.stint, arrivedAt: first?.at });
	}
	for (const sent of doubled) {
		// One of two events that look the same can have been delivered in place of the other.
		const other = missing.findIndex((one) => areAlike(one.sent, sent, 30 * SECOND));
		if (other >= 0) missing.splice(other, 1);
		else if (!isLateCopy(world, arrivals.get(sent.id) ?? [])) {
			const times = given.get(sent.id)?.filter(({ ran }) => ran) ?? [];
			const where = arrivals
				.get(sent.id)
				?.map(({ connection, at }) => `${connection.name} +${at - sent.at} ms`)
				.join(', ');
			report(
				'never twice',
				`${workflow.id} got event ${sent.id} (sent ${describe(sent)}) ${times.length} times; it arrived over ${where}`,
				times[1]?.at ?? sent.at,
			);
		}
	}
	const silenceMs = (world.plan.silenceTimeoutMinutes || Infinity) * MINUTE;
	/** The instance that received the event and did not hand it to n8n; undefined if n8n received it. */
	const holderOf = ({ id }: Sent, stint?: Instance) => (given.has(id) ? undefined : stint);
	// A full buffer may have dropped the gap item that would have reported the event. An instance's own dropped events
	// are counted separately.
	const isAbout = ({ from, to }: ToldGap, at: number, slack = LONGEST_DELIVERY_MS) =>
		from - 1 <= at + slack && to + 1 >= at;
	const isTold = (at: number, stint?: Instance, slack?: number) =>
		told.some((one) => isAbout(one, at, slack)) ||
		overflows.some((one) => one.delivery.instance !== stint && isAbout(one, at, slack));
	missing = missing.filter(({ sent }) => !isMatched(came, sent, counts));
	const lost = new Set(missing.map(({ sent }) => sent));
	missing = missing.filter(({ sent }) => !isCopyOfOther(came, sent, lost));
	const isReported = ({ sent, stint, arrivedAt }: (typeof missing)[number]) => {
		const slack = stint ? LONGEST_DELIVERY_MS : beyondTransit(world, sent);
		const holder = holderOf(sent, stint);
		if (isTold(sent.at, holder, slack)) return true;
		return arrivedAt !== undefined && isTold(arrivedAt, holder);
	};
	/**
	 * n8n received the event but did not run it, and nothing reports that, or only the log does: the item that reported it
	 * may have been discarded when the trigger closed.
	 */
	const isWithN8n = ({ id }: Sent) => {
		const all = given.get(id) ?? [];
		if (!workflow.emitFeedStatus && areKeysUsedUp(world.n8n, all)) return true;
		return all.some(
			(one) =>
				(one.died && (!workflow.emitFeedStatus || one.instance.discards || isToldTooLate(one))) ||
				isUnseen(world, one) ||
				isRejectedTooLate(world, one, instances),
		);
	};
	const countLost = (stint: Instance) => {
		const lost = missing
			.filter((one) => one.stint === stint && !isWithN8n(one.sent) && !isReported(one))
			.map(({ sent }) => sent);
		// Of those that look the same, as many as a connection brought: the rest was taken for copies.
		return lost.filter((sent, index) => {
			const before = lost.slice(0, index).filter((one) => areAlike(one, sent));
			// One that died with its worker was handed over too.
			const { brought, delivered } = matchOf(came, sent, handedOver);
			return delivered + before.length < brought;
		}).length;
	};
	const losses = new Map(instances.map((stint) => [stint, countLost(stint)]));
	for (const one of missing) {
		const { sent, stint, arrivedAt } = one;
		if (isReported(one)) continue;
		if (stint) {
			if (isExcused(world, stint, instances) || isWithN8n(sent)) continue;
			const lost = present(losses.get(stint));
			if (lost <= stint.givenUp) {
				const owed = workflow.emitFeedStatus && !stint.discards;
				// Of events that look the same, it can be another one that was dropped.
				const isOne = (other: Sent) => other !== sent && areAlike(other, sent);
				const isAlone = !world.provider.events.some(isOne);
				const covers = (one: ToldGap) =>
					isAbout(one, arrivedAt as number) || (!isAlone && one.delivery.instance === stint);
				if (owed && !overflows.some(covers)) {
					report(
						'events that a full buffer dropped are reported',
						`${workflow.id} never got event ${sent.id} (${describe(sent)}), and no \`overflow\` covers it`,
						arrivedAt as number,
					);
				}
				continue;
			}
			report(
				'events that the feed received reach the workflow',
				`${workflow.id} never got event ${sent.id} (${describe(sent)}); ${lost} such events, ${stint.givenUp} logged as given up`,
				arrivedAt as number,
			);
		} else if (
			workflow.emitFeedStatus &&
			// The gap item may have been among what was discarded when a trigger closed.
			!instances.some(({ discards }) => discards) &&
			!isHeldBack(world, sent) &&
			isOwed(sent, instances, silenceMs)
		) {
			report(
				'missing events are in a gap',
				`${workflow.id} never got event ${sent.id} (${describe(sent)}), and no gap covers it`,
				sent.at,
			);
		}
	}
}

/** What arrived of the events of a world, and which of them look the same. */
interface Came {
	alikes: Alikes;
	arrivals: ReadonlyMap<number, Arrival[]>;
}

const cameOf = (world: World): Came => ({
	alikes: new Alikes(world.provider.events),
	arrivals: arrivalsOf(world),
});

/**
 * How many of the events that look like this one a connection brought at most, and how many were delivered: one of them
 * may have come twice, in place of another.
 */
function matchOf({ alikes, arrivals }: Came, sent: Sent, counts: ReadonlyMap<number, number>) {
	const alike = alikes.of(sent);
	const by = new Map<Connection, number>();
	for (const { connection } of alike.flatMap(({ id }) => arrivals.get(id) ?? []))
		by.set(connection, (by.get(connection) ?? 0) + 1);
	return {
		brought: Math.max(0, ...by.values()),
		delivered: alike.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0),
	};
}

/**
 * Of events that look the same, of which two connections lack different ones, one counts as a copy of another: it is
 * enough that as many were delivered as one connection brought.
 */
function isMatched(came: Came, sent: Sent, counts: ReadonlyMap<number, number>): boolean {
	const { brought, delivered } = matchOf(came, sent, counts);
	return delivered > 0 && delivered >= brought;
}

/**
 * Whether an event can have been taken for a copy of another one that looks the same, which its connection lacks. That one
 * may have been taken for a copy of a third one, and so on.
 */
function isCopyOfOther({ alikes, arrivals }: Came, sent: Sent, lost: ReadonlySet<Sent>): boolean {
	const chain = new Set([sent]);
	for (const one of chain) for (const other of alikes.of(one)) chain.add(other);
	const broughtBy = (one: Sent) => arrivals.get(one.id) ?? [];
	const isLacking = (one: Sent, by: Connection) =>
		!broughtBy(one).some(({ connection }) => connection === by) &&
		broughtBy(one).some(
			({ connection: { host }, at }) => host === by.host && at > (by.openedAt ?? Infinity),
		);
	const most = [...chain].filter((one) => lost.has(one)).length;
	return broughtBy(sent).some(
		({ connection: by }) => [...chain].filter((one) => isLacking(one, by)).length >= most,
	);
}

/**
 * Whether one connection delivered the event so much later than another (by n8n's clock) that the trigger no longer
 * looks for copies. What is read soon after a standstill is as late as it was when that began.
 */
function isLateCopy({ wall, n8n }: World, arrivals: readonly Arrival[]): boolean {
	return arrivals.some((one) =>
		arrivals.some((other) => {
			const { host } = one.connection;
			if (one.connection === other.connection || host !== other.connection.host) return false;
			if (one.at > other.at) return false;
			const { holds = [] } = n8n.processes.find((process) => process === host) ?? {};
			const stood = holds
				.filter(({ from, to }) => from >= one.at && to <= other.at && other.at - to < SOON_MS)
				.reduce((sum, { from, to }) => sum + to - from, 0);
			return wall.shown(other.at) - wall.shown(one.at) - stood > COPY_MS;
		}),
	);
}

function describe({ type, event, cpt }: Sent): string {
	return `${type}/${event}${cpt === undefined ? '' : ` cpt ${cpt}`}`;
}

/** Whether an instance was certainly listening at that time. */
function isListening(instance: Instance, at: number, deliveries: Delivery[]): boolean {
	if (instance.upAt === undefined || at <= instance.upAt || at >= endOf(instance)) return false;
	if (!instance.struggled) return true;
	// It started listening later; when exactly cannot be observed from outside.
	const first = deliveries.find((one) => one.instance === instance);
	return first !== undefined && at > first.at;
}

/**
 * Whether its process ended before the instance was closed, or while it was closing: n8n does not close triggers that
 * start while it stops.
 */
function wasKilled({ process: { endedAt = Infinity }, closedAt = Infinity }: Instance): boolean {
	return closedAt > endedAt;
}

/**
 * Events that were in the process when it was killed, and those that engine 2.0 does not report, cannot be reported to
 * every workflow.
 */
function isExcused(world: World, stint: Instance, instances: Instance[]): boolean {
	const { workflow, process } = stint;
	if (world.plan.n8n.release === 'engine 2.0') {
		if (!workflow.emitFeedStatus) return true;
	}
	if (!wasKilled(stint)) return false;
	if (!workflow.emitFeedStatus) return true;
	return !tellsWhatWasLost(instances, process.endedAt as number);
}

// ── order ───────────────────────────────────────────────────────────────────────────────────────────────────

function judgeOrder(world: World, deliveries: Delivery[], report: Report): void {
	const { events } = world.provider;
	const alikes = new Alikes(events);
	/** Those that can't be mistaken for another one, and that every connection got. */
	const plain = new Set(events.filter((sent) => !sent.dropped && alikes.of(sent).length === 1));
	for (const process of world.n8n.processes) {
		const place = new Map<number, number>();
		for (const { json, order, instance } of deliveries) {
			const id = instance.process === process ? markIn(json) : undefined;
			if (id !== undefined && !place.has(id)) place.set(id, order);
		}
		const firstSeen = new Map<number, number>();
		for (const { sent, at } of process.connections.flatMap(({ arrivals }) => arrivals)) {
			firstSeen.set(sent.id, Math.min(at, firstSeen.get(sent.id) ?? Infinity));
		}
		for (const [index, { arrivals, name }] of process.connections.entries()) {
			const older = process.connections.slice(0, index);
			let last: { sent: Sent; place: number } | undefined;
			for (const { sent } of arrivals) {
				const at = place.get(sent.id);
				if (at === undefined || !plain.has(sent)) continue;
				if (last && last.place > at) {
					const sooner = firstSeen.get(sent.id) as number;
					const later = firstSeen.get(last.sent.id) as number;
					// Events from the older connection are passed on at once.
					const wasGivenOn = older.some((one) =>
						one.arrivals.some((given) => given.sent === sent && given.at < later),
					);
					if (sooner + HOLD_MS > later && !wasGivenOn && !isReleased(process, sooner, later)) {
						report(
							'events keep the order of a connection',
							`event ${sent.id} reached the workflow before event ${last.sent.id}, which ${name} delivered first`,
							later,
						);
						return;
					}
				}
				if (!last || at > last.place) last = { sent, place: at };
			}
		}
	}

	/**
	 * An event that looks the same as another can be taken for its copy: then nothing is held back any longer, whether it
	 * came before or comes later.
	 */
	function isReleased({ connections }: Process, from: number, to: number): boolean {
		const [begin, end] = [Math.min(from, to) - HOLD_MS, Math.max(from, to)];
		return connections.some(({ arrivals }) =>
			arrivals.some(({ sent, at }) => begin <= at && at <= end && !plain.has(sent)),
		);
	}
}

// ── bounds and the end ──────────────────────────────────────────────────────────────────────────────────────

/** Timers of one process; each trigger may have some more. */
const MOST_TIMERS = 40;

function judgeBounds(world: World, process: Process, report: Report): void {
	const { plan, timeline } = world;
	const at = process.endedAt ?? timeline.now;
	const most = MOST_TIMERS + 30 * plan.workflows.length;
	if (process.clock.mostPending > most) {
		report('bounded', `${process.clock.mostPending} timers at once`, at);
	}
	const ends = process.connections
		.map(({ startedAt, endedAt }) => [
			{ at: startedAt, by: 1 },
			{ at: endedAt ?? Infinity, by: -1 },
		])
		.flat()
		.sort((a, b) => a.at - b.at || a.by - b.by);
	let sockets = 0;
	for (const one of ends) {
		sockets += one.by;
		if (sockets > 2) {
			report('two sockets at most', `${sockets} at once in ${process.name}`, one.at);
			break;
		}
	}
	if (process.dead) return;
	const last = world.n8n.process === process;
	if (!last) return;
	if (process.sockets > 0) report('nothing is left behind', `${process.sockets} sockets`, at);
	if (process.clock.pending > 0)
		report('nothing is left behind', `${process.clock.pending} timers`, at);
	const hanging = world.provider.logins.filter(
		({ host, endedAt }) => host === process && endedAt === undefined,
	);
	if (hanging.length > 0) report('nothing is left behind', `${hanging.length} logins`, at);
	judgeRecovery(world, process, report);
}

/**
 * If the provider rejects a second login, or a token ends before it can be renewed, every renewal interrupts the feed.
 */
function renewalsInterrupt({ provider, twoConnections }: Plan): boolean {
	const { sessions, tokenLifeMs } = provider;
	// If the provider ends the older connection long after the newer one opened, the trigger does not notice that only one
	// session is allowed: the wait for the next try may then outlast the token.
	const outlasted = twoConnections && sessions === 'newestWins' && tokenLifeMs < LONGEST_BACKOFF_MS;
	return sessions === 'refuseSecond' || tokenLifeMs < INTERRUPTING_LIFE_MS || outlasted;
}

/** Whether a workflow gets more than its executions can take: its slots are nearly always taken in this time. */
function isOverloaded(
	{ workflow: { maxInFlight }, executions }: Instance,
	{ from, to }: Span,
): boolean {
	const taken = executions.reduce(
		(sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)),
		0,
	);
	return taken > 0.9 * maxInFlight * (to - from);
}

/** After the last fault, and the time that the documentation allows for recovery, events arrive in time again. */
function judgeRecovery(world: World, process: Process, report: Report): void {
	const { plan, provider, n8n } = world;
	// While connected, the trigger moves to a changed credential within minutes, with a gap of seconds.
	const moved = n8n.credentialSaves.map((save) => save + NOTICED_WHEN_CONNECTED_MS);
	const calm = world.begin + plan.calmFrom + plan.patienceMs;
	const from = Math.max(calm, ...moved) + RECOVERY_MS;
	const events = provider.events.filter(({ at }) => at >= from && at < from + MINUTE);
	const came = cameOf(world);
	for (const workflow of plan.workflows) {
		if (workflow.mode !== 'events') continue;
		const instance = process.instances.findLast((one) => one.workflow === workflow);
		if (!instance || instance.failure !== undefined) {
			report('alive after the last fault', `${workflow.id} is not active`, from);
			continue;
		}
		const got = new Map<number, number>();
		const counts = new Map<number, number>();
		for (const { instance: by, json, at, ran } of n8n.deliveries) {
			const id = markIn(json);
			if (!ran || id === undefined || by.workflow !== workflow) continue;
			got.set(id, at);
			counts.set(id, (counts.get(id) ?? 0) + 1);
		}
		if (isOverloaded(instance, { from, to: from + MINUTE })) continue;
		const wanted = events.filter(
			(sent) =>
				isWanted(workflow, sent) &&
				sent.at < endOf(instance) &&
				!(renewalsInterrupt(plan) && isInHole(process, sent.at)) &&
				!fellBetween(sent, process.connections) &&
				!isMatched(came, sent, counts),
		);
		// One that waits for a slot is late; not all of them do.
		const isLate = ({ id, at }: Sent) => (got.get(id) ?? Infinity) > at + 30 * SECOND;
		const [first] = wanted;
		if (first && wanted.every(isLate)) {
			report(
				'alive after the last fault',
				`none of ${wanted.length} events sent more than two minutes after the last fault arrived in time`,
				first.at,
			);
		}
	}
}
