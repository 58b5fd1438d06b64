// What the sequence numbers of the account's events show: which events are missing, how many, and when no conclusion is
// possible.
import type { WorkflowPlan } from './plan';
import type { Connection } from './network';
import type { Delivery, Instance, Process } from './n8n';
import { MINUTE, SECOND } from './plan';
import type { World } from './simulation';
import { markIn, type Sent } from './traffic';
import { endOf, stoodStill, type Report } from './judge';
import { isOfN8n, LONGEST_DELIVERY_MS, toldIn, type ToldGap } from './judgeGaps';
import { beginOfFeed } from './judgeOwed';

export const MISSING_NUMBERS = 'sequence numbers are missing';
export const RESTART = 'n8n was not running';

/**
 * Numbers count as gapless after this many increments of 1 in a row; after this many jumps it takes twice as many
 * increments.
 */
const STEPS_TO_BELIEVE = 10;
const JUMPS_TO_DOUBT = 3;
/** How long the trigger waits for late numbers; it waits longer if one of two lines may lag. */
const LATE_MS = 2 * SECOND;
const LATE_LINE_MS = 5 * SECOND;
/** A status item leaves the trigger within this time, unless n8n cannot start executions. */
const SOON_MS = 10 * SECOND;
const HELD_MS = 10 * MINUTE;
/** A first number up to this may come from a connection's own count. */
const OWN_COUNT = 11;

interface Arrived {
	sent: Sent;
	at: number;
}

/** Two consecutive events. */
interface Step {
	before: Arrived;
	after: Arrived;
}

export function judgeNumbers(
	world: World,
	workflow: WorkflowPlan,
	deliveries: readonly Delivery[],
	report: Report,
): void {
	const { cpt } = world.plan.operator;
	if (world.wall.jumped || cpt === 'connection') return;
	// It is enough that an item was handed over; other rules check whether n8n ran it.
	const given = toldIn(world, deliveries, 'gap');
	const gaps = [...new Map(given.map((gap) => [keyOf(gap), gap])).values()];
	// A full buffer may have dropped the gap item.
	const told = [...gaps, ...toldIn(world, deliveries, 'overflow')];
	for (const gap of gaps) {
		judgeCount(world, gap, report);
		if (cpt === 'account') judgeCountOfRestart(world, gap, { given: deliveries, told }, report);
	}
	for (const process of world.n8n.processes) {
		for (const instance of process.instances) {
			if (instance.workflow !== workflow || instance.struggled) continue;
			const own = gaps.filter(({ delivery }) => delivery.instance === instance);
			judgeBelief(instance, own, report);
			// An earlier instance may have reported it.
			if (cpt === 'account') judgeMissing(world, instance, told, report);
		}
	}
}

/** The same item may be handed over again. */
function keyOf({ item, delivery: { instance } }: ToldGap): string {
	return `${instance.process.number} ${instance.startedAt} ${JSON.stringify(item)}`;
}

/** The connections of the feed that an instance listens to. */
function connectionsOf(instance: Instance, began = beginOfFeed(instance)): Connection[] {
	return instance.process.connections.filter(({ startedAt }) => startedAt >= began);
}

function stepsOf({ arrivals }: Pick<Connection, 'arrivals'>): Step[] {
	return arrivals.slice(1).map((after, index) => ({ before: arrivals[index] as Arrived, after }));
}

/** The difference between the two numbers; undefined if they belong to different numberings. */
function jump({ before, after }: Step): number | undefined {
	if (before.sent.era !== after.sent.era) return undefined;
	return (after.sent.cpt ?? Number.NaN) - (before.sent.cpt ?? Number.NaN);
}

/**
 * Without events that arrived after a higher number of the same numbering: a late number does not end a run, since the
 * numbers around it are consecutive.
 */
function inOrder(connections: readonly Connection[]): Array<Pick<Connection, 'arrivals'>> {
	return connections.map(({ arrivals }) => {
		const highest = new Map<number, number>();
		const isLate = ({ sent: { era, cpt = Number.NaN } }: Arrived) => {
			const late = cpt < (highest.get(era) ?? -Infinity);
			if (!late) highest.set(era, cpt);
			return late;
		};
		return { arrivals: arrivals.filter((one) => !isLate(one)) };
	});
}

/** The longest run of increments of 1 on one connection within an interval. */
function longestRun(
	connections: ReadonlyArray<Pick<Connection, 'arrivals'>>,
	from: number,
	until: number,
): number {
	let longest = 0;
	for (const connection of connections) {
		let run = 0;
		for (const step of stepsOf(connection)) {
			if (step.before.at < from || step.after.at > until) continue;
			run = jump(step) === 1 ? run + 1 : 0;
			longest = Math.max(longest, run);
		}
	}
	return longest;
}

/**
 * Whether the numbers had been recognised as gapless by then, and have not jumped too often since, whichever of the
 * instances that struggled to start kept the feed open.
 */
function isSurelyBelieved(instance: Instance, until: number): boolean {
	const longest = connectionsOf(
		instance,
		beginOfFeed(instance, () => true),
	);
	return [connectionsOf(instance), longest].every((one) => areBelieved(one, until));
}

function areBelieved(connections: readonly Connection[], until: number): boolean {
	const jumps = [...connections.flatMap(stepsOf), ...stepsBetween(connections)].filter(
		(step) => step.after.at < until && jump(step) !== 1 && (jump(step) ?? 2) > 0,
	);
	const eras = new Set(
		connections.flatMap(({ arrivals }) =>
			arrivals.filter(({ at }) => at < until).map(({ sent }) => sent.era),
		),
	);
	return (
		jumps.length < JUMPS_TO_DOUBT &&
		eras.size < JUMPS_TO_DOUBT &&
		// A restarted numbering is only recognised at its second number.
		longestRun(connections, -Infinity, until - 1) >= STEPS_TO_BELIEVE + 1
	);
}

/** The steps from the last event of each connection to the first event of a later one. */
function stepsBetween(connections: readonly Connection[]): Step[] {
	return connections.flatMap((one, index) => {
		const before = one.arrivals.at(-1);
		const after = connections.slice(index + 1).find(({ arrivals }) => arrivals.length > 0)
			?.arrivals[0];
		return before && after ? [{ before, after }] : [];
	});
}

function arrivalsIn(process: Process): Arrived[] {
	return process.connections.flatMap(({ arrivals }) => arrivals);
}

// ── how many ────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Whether the event can be taken for a copy of another one that looks the same and arrived over other connections only.
 */
function mayBeCopy({ operator }: World, { connections }: Process, sent: Sent): boolean {
	const came = (one: Sent) =>
		connections.filter(({ arrivals }) => arrivals.some((a) => a.sent === one));
	return operator.events.some(
		(one) =>
			one !== sent &&
			one.look === sent.look &&
			Math.abs(one.at - sent.at) <= 2 * SECOND &&
			came(one).length > 0 &&
			!came(one).some((connection) => came(sent).includes(connection)),
	);
}

/** `missed` is the number of events that did not arrive; it is present if the numbers allow a count. */
function judgeCount(world: World, { item, delivery, to }: ToldGap, report: Report): void {
	const reason = String(item.reason);
	const { instance } = delivery;
	const { process } = instance;
	if (isOfN8n(reason)) return;
	const [last, first, missed] = [item.last_cpt, item.first_cpt, item.missed].map((value) =>
		typeof value === 'number' ? value : undefined,
	);
	const shown = `gap "${reason}" between ${last} and ${first}, ${missed} missed`;
	const connections = connectionsOf(instance);
	const newest = newestBefore(world, connections, to);
	if (newest !== undefined && isBreak(reason) && last !== newest) {
		report(
			'missed counts the events that did not arrive',
			`${shown}: ${newest} came last`,
			delivery.at,
		);
	}
	// All connections of the process count, since it is unknown when the feed of a trigger that struggled to start
	// began. One more step is allowed, as below.
	const steps = longestRun(inOrder(process.connections), -Infinity, delivery.at) + 1;
	if (missed !== undefined && steps < STEPS_TO_BELIEVE) {
		report(
			'missed counts the events that did not arrive',
			`${shown}: the numbers show nothing`,
			delivery.at,
		);
	}
	if (last === undefined || first === undefined || world.plan.operator.cpt !== 'account') return;
	const all = arrivalsIn(process);
	const ends = all
		.filter(({ sent }) => sent.cpt === first)
		.sort((a, b) => Math.abs(a.at - to) - Math.abs(b.at - to))[0];
	const { era } = ends?.sent ?? {};
	// Nothing can be concluded from two different numberings.
	if (era === undefined || !all.some(({ sent }) => sent.cpt === last && sent.era === era)) return;
	if (missed === undefined) {
		const counts = first > last && first > OWN_COUNT && isSurelyBelieved(instance, to);
		if (counts && !instance.struggled) {
			report(
				'missed counts the events that did not arrive',
				`${shown}: the numbers count by one`,
				delivery.at,
			);
		}
		return;
	}
	const isBetween = ({ era: its, cpt = NaN }: Sent) => its === era && cpt > last && cpt < first;
	const numbersIn = (until: number, isCounted = (_sent: Sent) => true) =>
		new Set(
			all
				.filter(({ sent, at }) => isBetween(sent) && at <= until && isCounted(sent))
				.map(({ sent }) => sent.cpt),
		).size;
	const between = first - last - 1;
	const waits = reason === MISSING_NUMBERS;
	const isKnown = (sent: Sent) => !mayBeCopy(world, process, sent);
	const most = between - numbersIn(waits ? to + LATE_MS - 50 : to - 1, isKnown);
	const least = between - numbersIn(to + LATE_LINE_MS + 50);
	if (missed > most || missed < least) {
		const right = most === least ? `${most}` : `${least} to ${most}`;
		report(
			'missed counts the events that did not arrive',
			`${shown}: ${right} did not come`,
			delivery.at,
		);
	}
}

/**
 * Events from before a restart that n8n never got, and that no gap reported, are included in the count of the restart's
 * gap.
 */
function judgeCountOfRestart(
	{ operator }: World,
	{ item, delivery, from, to }: ToldGap,
	workflowGot: { given: readonly Delivery[]; told: readonly ToldGap[] },
	report: Report,
): void {
	const { first_cpt: first, last_cpt: last, missed, reason } = item;
	const { mode, types, agents } = delivery.instance.workflow;
	if (reason !== RESTART || mode !== 'events' || types.length > 0 || agents.length > 0) return;
	if (typeof first !== 'number' || typeof missed !== 'number') return;
	const given = new Set(workflowGot.given.map(({ json }) => markIn(json)));
	const others = workflowGot.told.filter((gap) => gap.item.reason !== RESTART);
	const ends = operator.events.findLast(({ cpt, at }) => cpt === first && at <= to + SECOND);
	const begins = operator.events.findLast(({ cpt, at }) => cpt === last && at <= from + SECOND);
	// If the numbering restarted in between, nobody can count what was missing of the earlier one.
	if (begins?.era !== ends?.era) return;
	const untold = operator.events.filter(
		({ id, era, cpt = 0, at, withheld }) =>
			era === ends?.era &&
			cpt < first &&
			at > from + SECOND &&
			at < to &&
			!given.has(id) &&
			// Only a number shows that the operator sent it to nobody, and no number is compared across an earlier gap.
			withheld !== true &&
			!others.some((gap) => gap.from <= at + LONGEST_DELIVERY_MS && at <= gap.to),
	);
	if (untold.length <= missed) return;
	report(
		'missed counts the events that did not arrive',
		`gap "${reason}" before ${first}: ${missed} missed, but ${untold.length} did not arrive`,
		delivery.at,
	);
}

/** A connection was lost, or the operator ended it. */
const isBreak = (reason: string) =>
	reason !== MISSING_NUMBERS && !/until its renewal$|^no event came/.test(reason);

/** The last number before an interruption; undefined if there was more than one connection, or if numbers may be late. */
function newestBefore(
	{ plan }: World,
	connections: readonly Connection[],
	to: number,
): number | undefined {
	const { cpt } = plan.operator;
	if (cpt !== 'account' || plan.faults.some(({ kind }) => kind === 'numbersSwapped'))
		return undefined;
	const ended = connections.findLast(
		({ openedAt, endedAt = Infinity }) => openedAt !== undefined && endedAt < to,
	);
	if (!ended) return undefined;
	const [from, until] = [(ended.openedAt as number) - MINUTE, ended.endedAt as number];
	const beside = connections.some(
		(one) =>
			one !== ended && (one.openedAt ?? Infinity) <= until && (one.endedAt ?? Infinity) >= from,
	);
	const steps = stepsOf(ended);
	const step = steps.at(-1);
	const newest = step?.after.sent.cpt ?? Infinity;
	// Ten steps in a row show that a numbering has restarted; until then its numbers may be late ones.
	const runs = steps.length - 1 - steps.findLastIndex((one) => jump(one) !== 1);
	const mayBeLate =
		runs <= STEPS_TO_BELIEVE && ended.arrivals.some(({ sent }) => (sent.cpt ?? 0) > newest);
	return beside || mayBeLate || !step || jump(step) !== 1 ? undefined : step.after.sent.cpt;
}

// ── when numbers are believed ───────────────────────────────────────────────────────────────────────────────

/** After three jumps the numbers no longer count as gapless, and it takes twice as many increments to restore that. */
function judgeBelief(instance: Instance, gaps: readonly ToldGap[], report: Report): void {
	const connections = connectionsOf(instance);
	const jumps = gaps
		.filter(
			({ item, to }) =>
				item.reason === MISSING_NUMBERS &&
				connections.some((connection) =>
					connection.arrivals.some(
						({ sent, at }, index) =>
							sent.cpt === item.first_cpt &&
							Math.abs(at - to) <= 1 &&
							// A gap at a renewal is found by comparing two connections.
							!(index === 0 && isBesideOlder(connections, connection, at)),
					),
				),
		)
		.sort((a, b) => a.to - b.to);
	for (const [index, gap] of jumps.entries()) {
		const [first, last] = [jumps[index - JUMPS_TO_DOUBT], jumps[index - 1]];
		if (!first || !last || gap.to <= last.to + LATE_LINE_MS + SECOND) continue;
		// No wait for late numbers ends while the process stands still.
		if (stoodStill(instance.process, last.to, gap.to)) continue;
		// The first event of a connection may be one increment above the last one of its predecessor.
		if (longestRun(inOrder(connections), first.to, gap.to) + 1 >= 2 * STEPS_TO_BELIEVE) continue;
		report(
			'jumping numbers are not trusted',
			`${jumps.length} gaps of missing numbers, though there are no ${2 * STEPS_TO_BELIEVE} increments of 1 between four of them`,
			gap.delivery.at,
		);
		return;
	}
}

function isBesideOlder(connections: readonly Connection[], one: Connection, at: number): boolean {
	return connections.some(
		({ openedAt = Infinity, endedAt = Infinity }) =>
			openedAt < (one.openedAt ?? -Infinity) && endedAt >= at,
	);
}

// ── what is missing ─────────────────────────────────────────────────────────────────────────────────────────

/** Events that are missing according to the numbers are reported. */
function judgeMissing(
	world: World,
	instance: Instance,
	gaps: readonly ToldGap[],
	report: Report,
): void {
	const { process, upAt = Infinity, workflow } = instance;
	if (instance.discards) return;
	const end = endOf(instance) - (process.killed ? HELD_MS : SOON_MS);
	const connections = connectionsOf(instance);
	const arrived = new Map(arrivalsIn(process).map(({ sent, at }) => [sent.id, at]));
	for (const { before, after, at } of visibleSteps(connections)) {
		if (at <= upAt || at >= end || !isSurelyBelieved(instance, at)) continue;
		const missing = world.operator.events.filter(
			({ id, cpt = 0, era }) =>
				era === after.sent.era &&
				cpt > (before.sent.cpt as number) &&
				cpt < (after.sent.cpt as number) &&
				!arrived.has(id),
		);
		const untold = missing.find(
			(sent) =>
				!gaps.some(
					({ from, to, item, delivery }) =>
						(from - 1 <= sent.at && sent.at <= to + 1) ||
						// Reported before a later number arrived. What the operator lost around it, or did not send over a
						// connection that died later, cannot be told apart from what is missing in it.
						(item.last_cpt === before.sent.cpt &&
							typeof item.first_cpt !== 'number' &&
							to <= at + 1) ||
						(Number(item.last_cpt) < (sent.cpt as number) &&
							(sent.cpt as number) < Number(item.first_cpt) &&
							// Late events may have hidden the jump until now.
							(Math.abs(to - at) < MINUTE || (delivery.at > sent.at && delivery.at < at + MINUTE))),
				),
		);
		if (!untold) continue;
		report(
			'missing numbers are a gap',
			`${workflow.id} was not told of event ${untold.id} (cpt ${untold.cpt}): ${before.sent.cpt} was followed by ${after.sent.cpt}`,
			at,
		);
		return;
	}
}

/** A numbering that restarted on a connection is recognised by two consecutive numbers. */
function isKnownNumbering(one: Connection, { sent: { era }, at }: Arrived): boolean {
	return (
		one.arrivals[0]?.sent.era === era ||
		stepsOf(one).some(
			(step) => step.after.sent.era === era && step.after.at <= at && jump(step) === 1,
		)
	);
}

/**
 * Steps that show with certainty what is missing: on a connection that is alone, or from a connection to its successor.
 */
function visibleSteps(connections: readonly Connection[]): Array<Step & { at: number }> {
	const isOpen = ({ openedAt = Infinity, endedAt = Infinity }: Connection, at: number) =>
		openedAt <= at + 1 && endedAt >= at - 1;
	const alone = connections.flatMap((one) =>
		stepsOf(one)
			.filter((step) => (jump(step) ?? 0) > 1 && isKnownNumbering(one, step.before))
			.map((step) => ({ ...step, at: step.after.at }))
			.filter(({ at }) => !connections.some((other) => other !== one && isOpen(other, at))),
	);
	const bringing = connections.filter(({ arrivals }) => arrivals.length > 0);
	const renewed = bringing.flatMap((one) =>
		bringing.flatMap((next) => {
			const { openedAt = Infinity, endedAt = Infinity } = one;
			const { openedAt: from = Infinity } = next;
			if (from <= openedAt || from >= endedAt) return [];
			const [before, after] = [one.arrivals.at(-1), next.arrivals[0]];
			if (!before || !after || (jump({ before, after }) ?? 0) <= 1) return [];
			if (!isKnownNumbering(one, before)) return [];
			const third = connections.some(
				(other) => other !== one && other !== next && isOpen(other, endedAt),
			);
			const beside = connections.some((other) => other !== next && isOpen(other, after.at));
			if (third || (beside && after.at > endedAt)) return [];
			if ((next.endedAt ?? Infinity) <= Math.max(endedAt, after.at) + SOON_MS) return [];
			return [{ before, after, at: Math.max(endedAt, after.at) }];
		}),
	);
	return [...alone, ...renewed];
}
