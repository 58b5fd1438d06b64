// Knows what was sent, what came of each connection and each execution, and holds the documentation's promises against
// what the workflows got. It shares no code with what it judges.
import type { IDataObject } from 'n8n-workflow';
import { judgeLogins } from './judgeLogins';
import { judgeOutcomes } from './judgeOutcomes';
import type { Connection } from './network';
import type { Delivery, Instance, Process } from './n8n';
import { MINUTE, SECOND, type Plan, type WorkflowPlan } from './plan';
import type { World } from './simulation';
import { markIn, type Sent } from './traffic';

export interface Violation {
	rule: string;
	what: string;
	/** In true time. */
	at: number;
}

/** What a gap says beyond the time without a connection: what was on its way before, and the wait for a first event. */
const TRANSIT_MS = 1_000;
const FIRST_EVENT_MS = 5_000;
/** No more than this is on its way at any time, but for what a network held back. */
const LONGEST_DELIVERY_MS = 3_500;
/** Of two connections, the faster one waits so long for the slower one. */
const HOLD_MS = 500;
/** … and its copies are known for so long. */
const COPY_MS = 15 * SECOND;
/** A renewal of a token that lives no longer is decided sooner than a ping may come. */
const SHORT_LIFE_MS = 5 * MINUTE;
const RECOVERY_MS = 2 * MINUTE;

/** A gap that a workflow was told. */
export interface ToldGap {
	/** In true time, the widest that its wall clock allows. */
	from: number;
	to: number;
	item: IDataObject;
	delivery: Delivery;
}

export function judge(world: World): Violation[] {
	const violations = [...world.seen];
	const report = (rule: string, what: string, at: number) => {
		violations.push({ rule, what, at });
	};
	for (const process of world.n8n.processes) {
		judgeBounds(world, process, report);
		judgeLogins(world, process, report);
	}
	for (const workflow of world.plan.workflows) {
		const deliveries = world.n8n.deliveries.filter(
			({ instance }) => instance.workflow === workflow,
		);
		const gaps = deliveries.filter(({ json, ran }) => ran && isStatus(json, 'gap'));
		const told = gaps.map((delivery) => toldGap(world, delivery));
		if (workflow.mode === 'events') {
			judgeEvents(world, workflow, deliveries, told, report);
			judgeOrder(world, deliveries, report);
		} else {
			judgeOutcomes(world, workflow, { deliveries, told }, report);
		}
		if (workflow.emitFeedStatus) {
			for (const gap of told) judgeGap(world, gap, report);
			for (const instance of instancesOf(world, workflow)) {
				judgeStatuses(world, instance, deliveries, report);
			}
		}
	}
	return violations;
}

export type Report = (rule: string, what: string, at: number) => void;

function isStatus(json: IDataObject, event: string): boolean {
	return json.type_notification === 'feed' && json.event === event;
}

function instancesOf(world: World, workflow: WorkflowPlan): Instance[] {
	return world.n8n.processes.flatMap(({ instances }) =>
		instances.filter((instance) => instance.workflow === workflow),
	);
}

/** When an instance was over: closed, or its process gone. */
export function endOf({ closingAt, process }: Instance): number {
	return Math.min(closingAt ?? Infinity, process.endedAt ?? Infinity);
}

function toldGap(world: World, delivery: Delivery): ToldGap {
	const { json } = delivery;
	const meant = (value: unknown) => world.wall.meant(Date.parse(String(value)));
	return {
		from: Math.min(...meant(json.from)),
		to: Math.max(...meant(json.to)),
		item: json,
		delivery,
	};
}

// ── each event once, or in a gap ────────────────────────────────────────────────────────────────────────────

function isWanted({ types, agents }: WorkflowPlan, sent: Sent): boolean {
	if (types.length > 0 && !types.includes(sent.type)) return false;
	return agents.length === 0 || agents.includes(Number(sent.msg.id_operator));
}

interface Arrival {
	connection: Connection;
	at: number;
}

/** By event, where and when it came. */
export function arrivalsOf(world: World): Map<number, Arrival[]> {
	const arrivals = new Map<number, Arrival[]>();
	for (const connection of world.operator.connections) {
		for (const { sent, at } of connection.arrivals) {
			const list = arrivals.get(sent.id);
			if (list) list.push({ connection, at });
			else arrivals.set(sent.id, [{ connection, at }]);
		}
	}
	return arrivals;
}

function judgeEvents(
	world: World,
	workflow: WorkflowPlan,
	deliveries: Delivery[],
	told: ToldGap[],
	report: Report,
): void {
	const counts = new Map<number, number>();
	for (const { json, ran } of deliveries) {
		const id = markIn(json);
		if (ran && id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
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
		for (let extra = 1; extra < count; extra++) doubled.push(sent);
		if (count > 0 || sent.withheld) continue;
		const came = arrivals.get(sent.id);
		const reached = came?.flatMap(({ connection, at }) => {
			const stint = instances.find(
				(one) => one.process === connection.host && isListening(one, at, deliveries),
			);
			// A copy of what the process had before the instance listened is nothing new.
			const known = came.some(
				(other) =>
					other.connection.host === connection.host &&
					other.at < at &&
					stint &&
					!isListening(stint, other.at, deliveries),
			);
			return stint && !known ? [{ stint, at }] : [];
		});
		const [first] = reached ?? [];
		missing.push({ sent, stint: first?.stint, arrivedAt: first?.at });
	}
	// Of events that look the same, one may have come for another.
	for (const sent of doubled) {
		const other = missing.findIndex(
			(one) => one.sent.look === sent.look && Math.abs(one.sent.at - sent.at) <= 30 * SECOND,
		);
		if (other >= 0) missing.splice(other, 1);
		else if (!isLateCopy(world, arrivals.get(sent.id) ?? [])) {
			const times = deliveries.filter(({ json, ran }) => ran && markIn(json) === sent.id);
			const where = arrivals
				.get(sent.id)
				?.map(({ connection, at }) => `${connection.name} +${at - sent.at} ms`)
				.join(', ');
			report(
				'never twice',
				`${workflow.id} got event ${sent.id} (sent ${describe(sent)}) ${times.length} times; it came over ${where}`,
				times[1]?.at ?? sent.at,
			);
		}
	}
	const silenceMs = (world.plan.silenceTimeoutMinutes || Infinity) * MINUTE;
	const isTold = (at: number) =>
		told.some(({ from, to }) => from - 1 <= at + LONGEST_DELIVERY_MS && to + 1 >= at);
	dropTwins(world, missing, counts);
	const givenUp = new Map<Instance, number>();
	for (const { stint } of missing) {
		if (stint) givenUp.set(stint, (givenUp.get(stint) ?? 0) + 1);
	}
	for (const { sent, stint, arrivedAt } of missing) {
		if (isTold(sent.at) || (arrivedAt !== undefined && isTold(arrivedAt))) continue;
		if (stint) {
			const lost = givenUp.get(stint) as number;
			if (lost <= stint.givenUp || isExcused(world, stint, instances)) continue;
			const given = deliveries.filter(({ json }) => markIn(json) === sent.id);
			if (given.some((one) => isUnseen(world, one, deliveries))) continue;
			report(
				'what the feed brought reaches the workflow',
				`${workflow.id} never got event ${sent.id} (${describe(sent)}); ${lost} such, ${stint.givenUp} said to be given up`,
				arrivedAt as number,
			);
		} else if (
			workflow.emitFeedStatus &&
			// What was dropped for want of room may have been the gap itself: that was told instead.
			!instances.some(({ givenUp: dropped }) => dropped > 0) &&
			!isHeldBack(world, sent) &&
			isOwed(sent, instances, silenceMs)
		) {
			report(
				'what is missing lies in a gap',
				`${workflow.id} never got event ${sent.id} (${describe(sent)}), and no gap covers it`,
				sent.at,
			);
		}
	}
}

/**
 * Where no number tells, an event that one connection brought can't be told from an equal one that the other brought in
 * the same second: one of two may be taken for a copy. Numbers tell, unless one of the two connections fell silent between
 * the two events: then they may as well be counted for each connection.
 */
function dropTwins(
	world: World,
	missing: Array<{ sent: Sent }>,
	counts: ReadonlyMap<number, unknown>,
): void {
	const { plan, operator } = world;
	const numbered = plan.operator.cpt === 'account' || plan.operator.cpt === 'sparse';
	if (missing.length === 0) return;
	const arrivals = arrivalsOf(world);
	const cameOver = ({ id }: Sent) => (arrivals.get(id) ?? []).map(({ connection }) => connection);
	for (const [index, { sent }] of [...missing.entries()].reverse()) {
		const twin = operator.events.some(
			(one) =>
				one.id !== sent.id &&
				one.look === sent.look &&
				Math.abs(one.at - sent.at) <= 2 * SECOND &&
				counts.has(one.id) &&
				!(numbered && cameOver(one).some((connection) => cameOver(sent).includes(connection))),
		);
		if (twin) missing.splice(index, 1);
	}
}

/** One connection brought it so much later than another, by the clock of n8n, that no copy is looked for any more. */
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

/** Whether an instance surely heard what came at that moment. */
function isListening(instance: Instance, at: number, deliveries: Delivery[]): boolean {
	if (instance.upAt === undefined || at < instance.upAt || at >= endOf(instance)) return false;
	if (!instance.struggled) return true;
	// It began later, at a moment that only itself knows.
	const first = deliveries.find((one) => one.instance === instance);
	return first !== undefined && at > first.at;
}

/** What was in the process when it was killed, and what engine 2.0 does not report, can't be told to everyone. */
function isExcused(world: World, stint: Instance, instances: Instance[]): boolean {
	const { workflow, process } = stint;
	if (world.plan.n8n.release === 'engine 2.0') {
		if (!workflow.emitFeedStatus) return true;
		// The database is asked once a second: a shorter absence can pass unseen.
		const { faults } = world.plan;
		if (faults.some(({ kind, forMs }) => kind === 'databaseAway' && forMs < 2 * SECOND))
			return true;
	}
	if (!process.killed || stint.closingAt !== undefined) return false;
	if (!workflow.emitFeedStatus) return true;
	const next = instances.find(({ startedAt }) => startedAt >= (process.endedAt as number));
	return !next?.hadPosition || next.activation !== 'init';
}

/** Half a second, and what the answer takes. */
const LOOK_MS = 600;

/** n8n 1.123 is asked for its database half a second after a batch: one that is back by then was away unseen. */
function isUnseen({ plan, n8n }: World, { at, ran }: Delivery, deliveries: Delivery[]): boolean {
	if (plan.n8n.release !== '1.123' || ran) return false;
	return n8n.troubles.some(
		({ from, to }) =>
			at <= to &&
			to <= at + LOOK_MS &&
			// A batch of before would have shown it.
			!deliveries.some((one) => one.at >= from && one.at <= at - LOOK_MS),
	);
}

/** When the feed of an instance began: triggers share it, and it ends with the last of them. */
function beginOfFeed({ process, startedAt }: Instance): number {
	const others = process.instances.filter((one) => one.failure === undefined);
	for (let began = startedAt; ;) {
		const earliest = Math.min(
			...others
				.filter((one) => one.startedAt <= began && endOf(one) > began)
				.map((one) => one.startedAt),
			began,
		);
		if (earliest === began) return began;
		began = earliest;
	}
}

/**
 * The start by n8n itself that tells what came before it: one that knows where the workflow stands, and gets an event to
 * tell it with. A person who activates the workflow in between hears nothing of it.
 */
function restartThatTells(instances: Instance[], after: number): Instance | undefined {
	for (const one of instances) {
		if (one.startedAt <= after || one.failure !== undefined) continue;
		if (one.activation !== 'init' || !one.hadPosition) return undefined;
		if (hearsEvent(one)) return one;
	}
	return undefined;
}

/** Whether an event reached the process while an instance surely listened. */
function hearsEvent(stint: Instance): boolean {
	const from = stint.upAt ?? Infinity;
	const until = endOf(stint) - FIRST_EVENT_MS;
	return stint.process.connections.some(({ arrivals }) =>
		arrivals.some(({ at }) => at > from && at < until),
	);
}

/** Whether the feed was there again, and had time to say what was missing, before an instance ended. */
function isBackBefore(stint: Instance, at: number): boolean {
	const end = endOf(stint) - 2 * FIRST_EVENT_MS - LONGEST_DELIVERY_MS;
	return stint.process.connections.some(
		({ subscribedAt = Infinity, endedAt = Infinity }) =>
			subscribedAt > at && subscribedAt < end && endedAt > subscribedAt + 2 * FIRST_EVENT_MS,
	);
}

/** What a network holds back looks like a sign of life when it comes: the gap after it begins too late. */
function isHeldBack({ plan, begin, wall }: World, { at }: Sent): boolean {
	// After a jump of the clock the moments of a gap mean little.
	if (wall.jumped) return true;
	return plan.faults.some(
		(fault) =>
			fault.kind === 'partition' &&
			begin + fault.at <= at + LONGEST_DELIVERY_MS &&
			at <= begin + fault.at + fault.forMs + LONGEST_DELIVERY_MS,
	);
}

/** Whether a workflow that wants to know has to be told of an event that never came. */
function isOwed(sent: Sent, instances: Instance[], silenceMs: number): boolean {
	const stint = instances.findLast(
		(one) => one.failure === undefined && one.startedAt <= sent.at && sent.at < endOf(one),
	);
	const restarted = restartThatTells(instances, sent.at);
	if (!stint) return restarted !== undefined;
	// Killed, or stopped while it was starting.
	if (stint.process.dead && stint.closingAt === undefined && !restarted) return false;
	// Its feed began with this connection, and of what came before nobody said anything.
	const began = beginOfFeed(stint);
	const first = stint.process.connections.find(
		({ subscribedAt, startedAt }) => subscribedAt !== undefined && startedAt >= began,
	);
	const from = Math.max(first?.subscribedAt ?? Infinity, stint.upAt ?? Infinity);
	const known = stint.activation === 'init' && stint.hadPosition;
	if (sent.at <= from + LONGEST_DELIVERY_MS && !known) return false;
	// A person who deactivates it while it is interrupted hears no more of that.
	const asked = stint.closingAt !== undefined && !restarted;
	if (asked && !isBackBefore(stint, sent.at)) return false;
	// What tells it is the first event, and none may have come.
	if (known && sent.at <= from) return restarted !== undefined || hearsEvent(stint);
	if (stint.struggled || sent.at <= from + LONGEST_DELIVERY_MS) return false;
	// What comes to a process that stands still waits, and looks like a sign of life when it runs again.
	if (stint.process.holds.some(({ from: begin, to }) => begin <= sent.at && sent.at <= to))
		return false;
	// A connection that forgot its subscription looks like a quiet one, until its silence is long.
	return !stint.process.connections.some(
		({ deafAt = Infinity, endedAt = Infinity }) =>
			deafAt <= sent.at && sent.at < endedAt && endedAt - deafAt < silenceMs + 2 * MINUTE,
	);
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
		for (const { arrivals, name } of process.connections) {
			let last: { sent: Sent; place: number } | undefined;
			for (const { sent } of arrivals) {
				const at = place.get(sent.id);
				if (at === undefined) continue;
				if (last && last.place > at && last.sent.look !== sent.look) {
					const sooner = firstSeen.get(sent.id) as number;
					const later = firstSeen.get(last.sent.id) as number;
					if (sooner + HOLD_MS > later) {
						report(
							'in the order of a connection',
							`event ${sent.id} came to the workflow before event ${last.sent.id}, which ${name} brought first`,
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

// ── gaps ────────────────────────────────────────────────────────────────────────────────────────────────────

interface Hole {
	from: number;
	to: number;
}

/** When nothing that the operator sent could reach the process. */
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

function deliversUntil({ unsubscribedAt, severedAt, deafAt, endedAt }: Connection): number {
	return Math.min(
		unsubscribedAt ?? Infinity,
		severedAt ?? Infinity,
		deafAt ?? Infinity,
		(endedAt ?? Infinity) - 1,
	);
}

const isDoubt = (reason: string) => /until its renewal$/.test(reason);

function isInHole(process: Process, at: number): boolean {
	return holesOf(process).some(({ from, to }) => from <= at + SECOND && at - SECOND <= to);
}

function judgeGap(world: World, gap: ToldGap, report: Report): void {
	const { plan, operator, wall } = world;
	const { item, delivery } = gap;
	const { process } = delivery.instance;
	const reason = String(item.reason);
	const shown = `gap of ${Number(item.duration).toFixed(1)} s (${reason})`;
	if (wall.jumped) return;
	if (reason === 'n8n was not running') {
		const { startedAt } = delivery.instance;
		if (gap.from > startedAt || gap.to < startedAt) {
			report('a gap has a reason', `${shown} does not lie around the start of n8n`, delivery.at);
		}
		return;
	}
	if (reason.startsWith("n8n's database") || reason.startsWith('n8n failed')) return;
	if (reason === 'sequence numbers are missing') {
		const disorderly = ['numbersBeginAnew', 'numbersSwapped'];
		if (plan.operator.cpt !== 'account') return;
		if (plan.faults.some(({ kind }) => disorderly.includes(kind))) return;
		const [low, high] = [Number(item.last_cpt), Number(item.first_cpt)];
		const came = operator.events.find(
			({ cpt, id }) =>
				cpt !== undefined &&
				cpt > low &&
				cpt < high &&
				process.connections.some(({ arrivals }) => arrivals.some(({ sent }) => sent.id === id)),
		);
		if (came) report('a gap has a reason', `${shown}, but event ${came.id} did come`, delivery.at);
		return;
	}
	if (reason.startsWith('no event came for a long time')) return;
	// The overlap of a token that short ends before a ping can show that the old connection was alive.
	if (plan.operator.tokenLifeMs < SHORT_LIFE_MS && isDoubt(reason)) return;
	// After a sleep an operator ends a connection of which it heard nothing, and it may not have said a word before.
	const slept = process.holds.some(({ from, to }) => from <= gap.to && to >= gap.from - MINUTE);
	if (slept && isDoubt(reason)) return;
	if (reason.startsWith('the connection was dead') && isUnproven(process, gap, plan)) return;
	const holes = holesOf(process).filter(
		({ from, to }) => from - TRANSIT_MS < gap.to && to + LONGEST_DELIVERY_MS > gap.from,
	);
	const [first] = holes;
	const last = holes.at(-1);
	if (!first || !last) {
		report('a gap has a reason', `${shown}, but nothing was interrupted`, delivery.at);
		return;
	}
	// Ended by the first event after it: what was held by the network may be long on its way.
	if (gap.to > last.to + FIRST_EVENT_MS + 2 * LONGEST_DELIVERY_MS && !wasHeld(world, gap.to)) {
		report('no gap is longer than it must be', `${shown} ends long after the outage`, delivery.at);
	}
	const proof = proofBefore(process, first.from, plan);
	if (gap.from < proof - TRANSIT_MS - 50) {
		const late = ((proof - gap.from) / 1_000).toFixed(1);
		report(
			'no gap is longer than it must be',
			`${shown} begins ${late} s before what the feed last heard`,
			delivery.at,
		);
	}
}

function wasHeld({ plan }: World, _at: number): boolean {
	return plan.faults.some(({ kind }) =>
		['partition', 'sleeps', 'held', 'slowNetwork'].includes(kind),
	);
}

/** The last sign of life that proves that everything had come before a hole began. */
function proofBefore(
	process: Process,
	hole: number,
	{ silenceTimeoutMinutes, twoLines }: Plan,
): number {
	const there = process.connections.filter(
		(one) =>
			one.openedAt !== undefined && one.openedAt <= hole && (one.endedAt ?? Infinity) >= hole,
	);
	const proofs = there.map((one) => proofOf(one, hole, silenceTimeoutMinutes));
	if (proofs.length === 0) return -Infinity;
	// Of two lines that were both seen to bring the same, the one that was complete for longer counts.
	const [one, other] = there.map(
		({ arrivals }) => new Set(arrivals.filter(({ at }) => at <= hole).map(({ sent }) => sent.id)),
	);
	const bothDelivered = one && other ? [...one].some((id) => other.has(id)) : true;
	return twoLines && bothDelivered ? Math.max(...proofs) : Math.min(...proofs);
}

/** The last sign of life of one connection that proves that everything had come. */
function proofOf(one: Connection, hole: number, silenceTimeoutMinutes: number): number {
	const silenceMs = silenceTimeoutMinutes * MINUTE;
	const lastEvent = one.arrivals.findLast(({ at }) => at <= hole)?.at;
	// A connection that never brought anything proves nothing; what forgot its subscription is known by its events.
	if (lastEvent === undefined) return one.openedAt as number;
	const deaf = one.deafAt !== undefined && one.deafAt <= hole;
	const silent = silenceMs > 0 && longestSilence(one, one.endedAt ?? hole) >= silenceMs;
	const beatAt = one.lastBeatAt ?? 0;
	if (deaf || silent || beatAt > hole) return lastEvent;
	// The end of a token is told in whole seconds.
	return Math.max(lastEvent, Math.min(beatAt, one.tokenEndsAt - 2 * SECOND));
}

/**
 * Whether a connection ended before it had shown any sign of life beside its successor: it may have been dead since its
 * last one. What the network or a sleep did to both of them only then looks the same. The gap goes from that sign to the
 * successor's beginning and no further.
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

/** Once it was silent for too long, a connection is not trusted any more. */
function longestSilence({ openedAt, arrivals }: Connection, until: number): number {
	const times = [openedAt as number, ...arrivals.map(({ at }) => at), until];
	let longest = 0;
	let before = times[0] ?? until;
	for (const at of times) {
		longest = Math.max(longest, Math.min(at, until) - before);
		before = at;
	}
	return longest;
}

// ── what the feed says about itself ─────────────────────────────────────────────────────────────────────────

function judgeStatuses(
	world: World,
	instance: Instance,
	deliveries: Delivery[],
	report: Report,
): void {
	if (instance.upAt === undefined || world.wall.jumped) return;
	const given = deliveries.filter(
		(one) => one.instance === instance && one.json.type_notification === 'feed',
	);
	const wordsOf = ({ json }: Delivery) => JSON.stringify(json);
	const ran = new Set(given.filter((one) => one.ran).map(wordsOf));
	const items = given
		// What was given in an absence that nothing shows counts as told: n8n 1.123 says nothing of it, and it has no second try.
		// A `held` that still waited when n8n was killed was none the less before the `resumed` beside it.
		.filter(
			(one) =>
				one.ran ||
				(instance.process.killed && one.json.event === 'held') ||
				(!ran.has(wordsOf(one)) && isUnseen(world, one, deliveries)),
		)
		.sort(
			(a, b) =>
				Date.parse(String(a.json.date)) - Date.parse(String(b.json.date)) || a.order - b.order,
		);
	let refused = false;
	let held: boolean | undefined;
	for (const { json, at } of items) {
		if (json.event === 'connected') refused = false;
		if (json.event === 'refused') {
			if (json.first === true && refused) {
				report('statuses agree', 'a second refusal of an outage is called the first', at);
			}
			refused = true;
		}
		if (json.event === 'resumed' && held === false) {
			report('statuses agree', 'resumed without being held', at);
		}
		if (json.event === 'held' || json.event === 'resumed') held = json.event === 'held';
	}
	const complete = !instance.process.killed && instance.givenUp === 0;
	if (complete) judgeLines(world, instance, items, report);
	const said = items.map(({ json }) => json.event as string).filter((event) => isTurn(event));
	const was = turnsOf(instance);
	const same = complete
		? // What happens in the moment of the end may still be told.
			said.join() === was.join() || said.join() === turnsOf(instance, 1).join()
		: was.join().startsWith(said.join()) || instance.givenUp > 0;
	if (!same && !instance.struggled) {
		report(
			'statuses agree',
			`${instance.workflow.id} was told "${said.join(' ')}" where it was "${was.join(' ')}"`,
			endOf(instance),
		);
	}
}

/** Two connections that were open side by side for so long are two lines, whatever the renewal was about. */
const SURELY_PAIRED_MS = 2 * MINUTE;

function stoodStill({ holds }: Process, from: number, to: number): boolean {
	return holds.some((hold) => hold.from <= to && hold.to >= from);
}

/** The loss of one of two lines is told, once, and nothing else is called so. */
function judgeLines(
	world: World,
	instance: Instance,
	items: ReadonlyArray<{ json: IDataObject; at: number }>,
	report: Report,
): void {
	const told = items
		.filter(({ json }) => json.event === 'line_lost')
		.map(({ json }) => Math.max(...world.wall.meant(Date.parse(String(json.date)))));
	const { connections } = instance.process;
	const isOpen = (one: Connection, at: number) =>
		one.openedAt !== undefined && one.openedAt < at && (one.endedAt ?? Infinity) > at;
	for (const at of told) {
		if (!world.plan.twoLines || !connections.some((one) => isOpen(one, at - 1))) {
			report('statuses agree', 'the loss of a line is told where there was none', at);
		}
	}
	const { twoLines, operator } = world.plan;
	if (!twoLines || operator.sessions !== 'many' || instance.struggled) return;
	for (const one of connections) {
		const { endedAt = Infinity, endedBy } = one;
		// A process that stood still had no time to find out that both work.
		if (stoodStill(instance.process, endedAt - SURELY_PAIRED_MS, endedAt)) continue;
		if (endedBy === 'client' || endedAt >= endOf(instance)) continue;
		if (endedAt < (instance.upAt as number) || !isOpen(one, endedAt - SURELY_PAIRED_MS)) continue;
		const other = connections.find(
			(line) => line !== one && isOpen(line, endedAt) && isOpen(line, endedAt - SURELY_PAIRED_MS),
		);
		if (other && told.filter((at) => Math.abs(at - endedAt) <= 5).length !== 1) {
			report('statuses agree', `the loss of ${one.name} was not told once`, endedAt);
		}
	}
}

const isTurn = (event: string) => event === 'connected' || event === 'disconnected';

/** How the feed came and went while an instance listened. */
function turnsOf(instance: Instance, later = 0): string[] {
	const changes = instance.process.connections
		.flatMap(({ openedAt, endedAt }) =>
			openedAt === undefined
				? []
				: [
						{ at: openedAt, by: 1 },
						{ at: endedAt ?? Infinity, by: -1 },
					],
		)
		// What opens in the moment in which another ends came first.
		.sort((a, b) => a.at - b.at || b.by - a.by);
	const turns: string[] = [];
	let open = 0;
	let joined = false;
	const end = endOf(instance) + later;
	for (const { at, by } of [...changes, { at: Infinity, by: 0 }]) {
		if (at > instance.startedAt && !joined && instance.startedAt < end) {
			joined = true;
			// Whoever comes to an open connection hears so.
			if (open > 0) turns.push('connected');
		}
		if (at >= end) break;
		const before = open;
		open += by;
		if (!joined) continue;
		if (before === 0 && open === 1) turns.push('connected');
		if (before === 1 && open === 0) turns.push('disconnected');
	}
	return turns;
}

// ── bounds and the end ──────────────────────────────────────────────────────────────────────────────────────

/** Timers of one process: those of the feed, and those of each trigger. */
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
	if (process.sockets > 0) report('nothing stays', `${process.sockets} sockets`, at);
	if (process.clock.pending > 0) report('nothing stays', `${process.clock.pending} timers`, at);
	const hanging = world.operator.logins.filter(
		({ host, endedAt }) => host === process && endedAt === undefined,
	);
	if (hanging.length > 0) report('nothing stays', `${hanging.length} logins`, at);
	judgeRecovery(world, process, report);
}

/** Where no second login is let in, or a token ends before its renewal can be made, each renewal is an interruption. */
function renewalsInterrupt({ operator }: Plan): boolean {
	return operator.sessions === 'refuseSecond' || operator.tokenLifeMs < 20 * SECOND;
}

/** Whether a workflow gets more than its executions can take, even without any fault. */
function isOverloaded(
	{ plan: { n8n } }: World,
	{ batchSize, maxInFlight }: WorkflowPlan,
	events: readonly Sent[],
): boolean {
	const takenInAMinute = (batchSize * maxInFlight * MINUTE) / (n8n.startMs + n8n.runMs + 250);
	return events.length > takenInAMinute / 2;
}

/** After the last fault, and what the documentation lets recovery take, everything arrives again. */
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
		const late = events
			.map((sent) => ({ sent }))
			.filter(
				({ sent }) =>
					isWanted(workflow, sent) &&
					!(renewalsInterrupt(plan) && isInHole(process, sent.at)) &&
					(got.get(sent.id) ?? Infinity) > sent.at + workflow.batchInterval + 30 * SECOND,
			);
		dropTwins(world, late, got);
		const [first] = late;
		if (first) {
			report(
				'alive after the last fault',
				`${late.length} of ${events.length} events sent two minutes after the last fault did not come in time`,
				first.sent.at,
			);
		}
	}
}
