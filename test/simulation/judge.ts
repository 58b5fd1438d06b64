// Compares what the workflows received with what the documentation promises. It knows every event that was sent and
// what happened to every connection and execution. It shares no code with the trigger that it judges.
import {
	arrivalsOf,
	beyondTransit,
	endOf,
	isHeldBack,
	isInHole,
	LONGEST_DELIVERY_MS,
	toldIn,
	type Arrival,
	type Report,
	type ToldGap,
	type Violation,
} from './facts';
import { judgeAlerts, judgeRecords } from './judgeFigures';
import { judgeGap } from './judgeGaps';
import { areKeysUsedUp, isRejectedTooLate, isToldTooLate, isUnseen } from './judgeHandOver';
import { judgeLogins } from './judgeLogins';
import { judgeNumbers } from './judgeNumbers';
import { judgeOutcomes } from './judgeOutcomes';
import { fellBetween, isOwed, tellsWhatWasLost } from './judgeOwed';
import { judgePair } from './judgePair';
import { judgeRenewals } from './judgeRenewals';
import { judgeReturn } from './judgeReturn';
import { judgeStatuses } from './judgeStatuses';
import type { Connection } from './network';
import type { Delivery, Instance, Process } from './n8n';
import { MINUTE, SECOND, type Plan, type WorkflowPlan } from './plan';
import type { World } from './simulation';
import { markIn, type Sent } from './traffic';

/** Events of the faster of two connections wait this long for the slower one. */
const HOLD_MS = 500;
/** How long the trigger remembers what one connection delivered, to recognize copies from the other. */
const COPY_MS = 15 * SECOND;
const RECOVERY_MS = 2 * MINUTE;
const LONGEST_BACKOFF_MS = MINUTE;

export function judge(world: World): Violation[] {
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
			judgeNumbers(world, workflow, deliveries, report);
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
	const arrivals = arrivalsOf(world);
	const missing: Array<{ sent: Sent; stint?: Instance; arrivedAt?: number }> = [];
	const doubled: Sent[] = [];
	for (const sent of world.operator.events) {
		const count = counts.get(sent.id) ?? 0;
		if (!isWanted(workflow, sent)) {
			if (count > 0) report('only what it asked for', `event ${sent.id}`, sent.at);
			continue;
		}
		for (let extra = 1; extra < (handedOver.get(sent.id) ?? 0); extra++) doubled.push(sent);
		const came = arrivals.get(sent.id);
		if (count > 0 || sent.withheld || (sent.dropped && !came)) continue;
		const reached = came?.flatMap(({ connection, at }) => {
			const stint = instances.find(
				(one) => one.process === connection.host && isListening(one, at, deliveries),
			);
			// A copy of an event that the process had received before the instance was listening is not a new event.
			const known = came.some(
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
	// One of two events that look the same can have been delivered in place of the other.
	const isFor = (one: Sent, other: Sent) =>
		one.look === other.look && Math.abs(one.at - other.at) <= 30 * SECOND;
	for (const sent of doubled) {
		const other = missing.findIndex((one) => isFor(one.sent, sent));
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
	dropTwins(world, missing, counts);
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
	const losses = new Map<Instance, { lost: number; copies: number }>();
	const lossOf = (stint: Instance) => {
		const known = losses.get(stint);
		if (known) return known;
		const lost = missing
			.filter((one) => one.stint === stint && !isWithN8n(one.sent) && !isReported(one))
			.map(({ sent }) => sent);
		const copies = lost.length <= stint.givenUp ? 0 : takenForCopies(world, lost, arrivals);
		losses.set(stint, { lost: lost.length, copies });
		return { lost: lost.length, copies };
	};
	for (const one of missing) {
		const { sent, stint, arrivedAt } = one;
		if (isReported(one)) continue;
		if (stint) {
			const { lost, copies } = lossOf(stint);
			if (isExcused(world, stint, instances) || isWithN8n(sent)) continue;
			if (lost <= stint.givenUp + copies) {
				const isCopy = () => takenForCopies(world, [sent], arrivals) > 0;
				const owed = workflow.emitFeedStatus && !stint.discards && !isCopy();
				if (doubled.some((one) => isFor(one, sent))) continue;
				if (owed && !overflows.some((one) => isAbout(one, arrivedAt as number))) {
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

/**
 * Without sequence numbers, an event from one connection cannot be told apart from an equal event that the other
 * connection delivered in the same second, so one of the two may be dropped as a copy. Numbers distinguish them, unless
 * one of the connections fell silent between the two events: then each connection may as well be counting for itself.
 */
function dropTwins(
	world: World,
	missing: Array<{ sent: Sent }>,
	counts: ReadonlyMap<number, unknown>,
): void {
	const { plan, operator } = world;
	const numbered = hasOneNumbering(plan);
	if (missing.length === 0) return;
	const arrivals = arrivalsOf(world);
	const cameOver = ({ id }: Sent) => (arrivals.get(id) ?? []).map(({ connection }) => connection);
	for (const [index, { sent }] of [...missing.entries()].reverse()) {
		const twin = operator.events.some(
			(one) =>
				one.id !== sent.id &&
				areAlike(one, sent) &&
				counts.has(one.id) &&
				!(numbered && cameOver(one).some((connection) => cameOver(sent).includes(connection))),
		);
		if (twin) missing.splice(index, 1);
	}
}

/**
 * Until both connections have delivered the same number, only the content can be compared. If two events look the same
 * and each connection lacks a different one of them, one is dropped as a copy, even if the other gets lost later.
 * @returns the maximum number of lost events that this explains
 */
function takenForCopies(
	{ plan, operator }: World,
	lost: readonly Sent[],
	arrivals: ReadonlyMap<number, Arrival[]>,
): number {
	const numbered = hasOneNumbering(plan);
	let count = 0;
	let left = [...lost];
	for (let [first] = left; first; [first] = left) {
		const isAlike = (one: Sent) => areAlike(one, first);
		const alike = operator.events.filter(isAlike).map(({ id }) => arrivals.get(id) ?? []);
		const began = Math.min(...alike.flat().map((arrival) => arrival.at));
		const connections = [...new Set(alike.flat().map(({ connection }) => connection))];
		const only = (one: Connection, other: Connection) =>
			alike.filter((came) => isOver(came, one) && !isOver(came, other)).length;
		let explained = 0;
		for (const [index, one] of connections.entries()) {
			for (const other of connections.slice(index + 1)) {
				if (one.host !== other.host) continue;
				if (numbered && haveShownNumbers(one, other, began)) continue;
				explained += Math.min(only(one, other), only(other, one));
			}
		}
		count += Math.min(explained, left.filter(isAlike).length);
		left = left.filter((sent) => !isAlike(sent));
	}
	return count;
}

/**
 * The times of two events differ by a second at most when they are less than two apart. An operator that sets the time
 * for each connection does so when it delivers, up to 0.2 s later on one than on another.
 */
const ALIKE_MS = 2.2 * SECOND;

/** Whether two events look the same and are so close in time that one can be mistaken for the other. */
function areAlike(one: Sent, other: Sent): boolean {
	return one.look === other.look && Math.abs(one.at - other.at) <= ALIKE_MS;
}

/** Whether events of the account have unique numbers, whichever connection delivers them. */
function hasOneNumbering({ operator: { cpt } }: Plan): boolean {
	return cpt === 'account' || cpt === 'sparse';
}

function isOver(came: readonly Arrival[], connection: Connection): boolean {
	return came.some((arrival) => arrival.connection === connection);
}

/** Whether both connections had delivered the same event by then. */
function haveShownNumbers(one: Connection, other: Connection, until: number): boolean {
	const before = ({ arrivals }: Connection) => arrivals.filter(({ at }) => at < until);
	const known = new Set(before(one).map(({ sent }) => sent.id));
	return before(other).some(({ sent }) => known.has(sent.id));
}

/**
 * Whether one connection delivered the event so much later than another (by n8n's clock) that the trigger no longer
 * looks for copies.
 */
function isLateCopy({ wall }: World, arrivals: readonly Arrival[]): boolean {
	return arrivals.some((one) =>
		arrivals.some(
			(other) =>
				one.connection !== other.connection &&
				one.connection.host === other.connection.host &&
				one.at <= other.at &&
				wall.shown(other.at) - wall.shown(one.at) > COPY_MS,
		),
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
	const places = new Map<Process, Map<number, number>>();
	for (const { json, order, instance } of deliveries) {
		const id = markIn(json);
		if (id === undefined) continue;
		let ofProcess = places.get(instance.process);
		if (!ofProcess) places.set(instance.process, (ofProcess = new Map<number, number>()));
		if (!ofProcess.has(id)) ofProcess.set(id, order);
	}
	for (const process of world.n8n.processes) {
		const place = places.get(process);
		if (!place) continue;
		const firstSeen = new Map<number, number>();
		for (const { arrivals } of process.connections) {
			for (const { sent, at } of arrivals) {
				firstSeen.set(sent.id, Math.min(at, firstSeen.get(sent.id) ?? Infinity));
			}
		}
		shareWithTwins(world, process, deliveries, place);
		for (const [index, { arrivals, name }] of process.connections.entries()) {
			const older = process.connections.slice(0, index);
			let last: { sent: Sent; place: number } | undefined;
			for (const { sent } of arrivals) {
				const at = place.get(sent.id);
				if (at === undefined) continue;
				if (last && last.place > at && last.sent.look !== sent.look) {
					if (isLacking(world, sent) || isLacking(world, last.sent)) continue;
					const sooner = firstSeen.get(sent.id) as number;
					const later = firstSeen.get(last.sent.id) as number;
					// Events from the older connection are passed on at once.
					const wasGivenOn = older.some((one) =>
						one.arrivals.some((given) => given.sent === sent && given.at < later),
					);
					if (sooner + HOLD_MS > later && !wasGivenOn && !releasedByTwin(process, sooner, later)) {
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
}

/**
 * If an event was delivered twice, the second one stands for an event that looks the same and was not delivered: the
 * two take its places in the order in which a connection delivered both, or in which they were sent if none did.
 */
function shareWithTwins(
	{ operator }: World,
	process: Process,
	deliveries: Delivery[],
	place: Map<number, number>,
): void {
	const orders = process.connections.map((one) => one.arrivals.map(({ sent }) => sent));
	const came = new Set(orders.flat());
	const given = new Map<number, number[]>();
	for (const { json, order, ran, instance } of deliveries) {
		const id = markIn(json);
		if (!ran || id === undefined || instance.process !== process) continue;
		given.set(id, [...(given.get(id) ?? []), order]);
	}
	for (const [id, [first, second]] of given) {
		if (first === undefined || second === undefined) continue;
		const sent = operator.events[id - 1] as Sent;
		const twin = operator.events.find(
			(one) => areAlike(one, sent) && came.has(one) && !place.has(one.id),
		);
		if (!twin) continue;
		const order = orders.find((all) => all.includes(sent) && all.includes(twin)) ?? operator.events;
		const [before, after] = order.filter((one) => one === sent || one === twin) as [Sent, Sent];
		place.set(before.id, first);
		place.set(after.id, second);
	}
}

/**
 * An event that looks the same as one from the other connection can be taken for its copy: then nothing is held back any
 * longer, whether it came before or comes later.
 */
function releasedByTwin({ connections }: Process, from: number, to: number): boolean {
	const [begin, end] = [Math.min(from, to) - HOLD_MS, Math.max(from, to)];
	return connections.some((one) =>
		one.arrivals
			.filter(({ at }) => begin <= at && at <= end)
			.some(({ sent }) => {
				const isTwin = (other: Sent) => other !== sent && areAlike(other, sent);
				return connections.some(
					(other) => other !== one && other.arrivals.some((arrival) => isTwin(arrival.sent)),
				);
			}),
	);
}

/**
 * If one connection lacks an event, the other one may deliver it after later events. The same goes for an event that
 * looks the same.
 */
function isLacking({ operator }: World, sent: Sent): boolean {
	return operator.events.some((one) => one.dropped === true && areAlike(one, sent));
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
	const hanging = world.operator.logins.filter(
		({ host, endedAt }) => host === process && endedAt === undefined,
	);
	if (hanging.length > 0) report('nothing is left behind', `${hanging.length} logins`, at);
	judgeRecovery(world, process, report);
}

/**
 * If the operator rejects a second login, or a token ends before it can be renewed, every renewal interrupts the feed.
 */
function renewalsInterrupt({ operator, twoLines }: Plan): boolean {
	const { sessions, tokenLifeMs } = operator;
	// If the operator ends the older line long after the newer one opened, the trigger does not notice that only one
	// session is allowed: the wait for the next try may then outlast the token.
	const outlasted = twoLines && sessions === 'newestWins' && tokenLifeMs < LONGEST_BACKOFF_MS;
	return sessions === 'refuseSecond' || tokenLifeMs < 20 * SECOND || outlasted;
}

/**
 * Whether a workflow gets more events than its executions can take even without faults: a small buffer drops some of
 * them.
 */
function isOverloaded(
	{ plan: { n8n } }: World,
	{ batchSize, maxInFlight }: WorkflowPlan,
	events: readonly Sent[],
): boolean {
	const takenInAMinute = (batchSize * maxInFlight * MINUTE) / (n8n.startMs + n8n.runMs + 250);
	return events.length > takenInAMinute / 2;
}

interface Stretch {
	from: number;
	to: number;
}

/** The times at which executions occupied every slot, split whenever an execution began or ended. */
function stretchesWithoutSlot(
	executions: Instance['executions'],
	{ maxInFlight }: WorkflowPlan,
): Stretch[] {
	const turns = executions
		.flatMap(({ from, to }) => [
			{ at: from, by: 1 },
			{ at: to, by: -1 },
		])
		.sort((a, b) => a.at - b.at || a.by - b.by);
	const stretches: Stretch[] = [];
	let [taken, since] = [0, 0];
	for (const { at, by } of turns) {
		if (taken >= maxInFlight && at > since) stretches.push({ from: since, to: at });
		taken += by;
		since = at;
	}
	return stretches;
}

/** How long full batches occupied every slot in this interval, so that waiting events could not leave sooner. */
function busyBetween({ executions, workflow }: Instance, from: number, to: number): number {
	const full = executions
		.filter((one) => one.items >= workflow.batchSize && one.from < to && one.to > from)
		.map((one) => ({ ...one, from: Math.max(from, one.from), to: Math.min(to, one.to) }));
	return stretchesWithoutSlot(full, workflow).reduce((sum, one) => sum + one.to - one.from, 0);
}

/** Events that arrived while nothing could leave and that exceeded the buffer, which drops the oldest ones. */
function droppedForRoom(world: World, instance: Instance): Set<number> {
	const { process, executions, workflow, givenUp } = instance;
	const dropped = new Set<number>();
	if (givenUp === 0) return dropped;
	const cameAt = new Map<number, number>();
	for (const { sent, at } of process.connections.flatMap(({ arrivals }) => arrivals)) {
		if (isWanted(workflow, sent)) cameAt.set(sent.id, Math.min(at, cameAt.get(sent.id) ?? at));
	}
	const told = world.n8n.deliveries
		.filter((one) => one.instance === instance && one.json.type_notification === 'feed')
		.map(({ json }) => Math.max(...world.wall.meant(Date.parse(String(json.date)))));
	for (const { from, to } of stretchesWithoutSlot(executions, workflow)) {
		const isIn = (at: number) => at >= from && at <= to;
		const came = [...cameAt].filter(([, at]) => isIn(at)).sort(([, a], [, b]) => a - b);
		const tooMany = came.length + told.filter(isIn).length - workflow.bufferLimit;
		for (const [id] of came.slice(0, Math.max(0, tooMany))) dropped.add(id);
	}
	return dropped;
}

/** After the last fault, and the time that the documentation allows for recovery, every event arrives again. */
function judgeRecovery(world: World, process: Process, report: Report): void {
	const { plan, operator, n8n } = world;
	const from = world.begin + plan.calmFrom + plan.patienceMs + RECOVERY_MS;
	const events = operator.events.filter(({ at }) => at >= from && at < from + MINUTE);
	for (const workflow of plan.workflows) {
		if (workflow.mode !== 'events') continue;
		const instance = process.instances.findLast((one) => one.workflow === workflow);
		if (!instance || instance.failure !== undefined) {
			report('alive after the last fault', `${workflow.id} is not active`, from);
			continue;
		}
		const got = new Map<number, number>();
		for (const { instance: by, json, at, ran } of n8n.deliveries) {
			const id = markIn(json);
			if (ran && id !== undefined && by.workflow === workflow) got.set(id, at);
		}
		if (isOverloaded(world, workflow, events)) continue;
		const waited = ({ id, at }: Sent) => {
			const until = got.get(id) ?? endOf(instance);
			return until - at - busyBetween(instance, at, until);
		};
		let late = events
			.map((sent) => ({ sent }))
			.filter(
				({ sent }) =>
					isWanted(workflow, sent) &&
					!(renewalsInterrupt(plan) && isInHole(process, sent.at)) &&
					!fellBetween(sent, process.connections) &&
					waited(sent) > workflow.batchInterval + 30 * SECOND,
			);
		dropTwins(world, late, got);
		const dropped = late.length > 0 ? droppedForRoom(world, instance) : undefined;
		late = late.filter(({ sent: { id } }) => got.has(id) || !dropped?.has(id));
		const [first] = late;
		if (first) {
			report(
				'alive after the last fault',
				`${late.length} of ${events.length} events sent more than two minutes after the last fault did not arrive in time`,
				first.sent.at,
			);
		}
	}
}
