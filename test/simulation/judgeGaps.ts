// Compares each gap that a workflow received with what really reached its process: a gap has a reason, and is no longer
// than the outage and the doubt about it.
import {
	INTERRUPTING_LIFE_MS,
	holesOf,
	isOfN8n,
	longestSilence,
	stoodStill,
	type Report,
	type ToldGap,
} from './facts';
import type { Connection } from './network';
import type { Process } from './n8n';
import { MINUTE, SECOND, type Plan } from './plan';
import type { World } from './simulation';

const RESTART = 'n8n was not running';
const MISSING_NUMBERS = 'sequence numbers are missing where one connection took over from another';

/** What a gap may add to an outage, at its beginning and at its end. */
const BEFORE_MS = 2 * SECOND;
const AFTER_MS = 10 * SECOND;
/** A trigger that can't read its credential when it starts tries again after half a minute. */
const PREPARE_AGAIN_MS = 30 * SECOND;
/** From then on the provider serves a connection. */
const SERVED_MS = 5 * SECOND;
/** With tokens that live no longer than this, a renewal ends before a ping can show that the old connection works. */
const SHORT_LIFE_MS = 5 * MINUTE;
/** A standstill is noticed to the second, and what arrives is doubted for this long after it. */
const PULSE_MS = 1 * SECOND;
const DOUBTED_MS = 10 * SECOND;

export function judgeGap(world: World, gap: ToldGap, report: Report): void {
	const { plan, wall } = world;
	const { item, delivery } = gap;
	const { process } = delivery.instance;
	const reason = String(item.reason);
	const shown = `gap of ${Number(item.duration).toFixed(1)} s (${reason})`;
	if (wall.jumped) return;
	if (Date.parse(String(item.from)) > Date.parse(String(item.to))) {
		report('a gap has a reason', `${shown} ends before it begins`, delivery.at);
		return;
	}
	if (reason === RESTART) return judgeRestart(gap, shown, plan, report);
	// Gaps between two numbers are checked in judgeNumbers.ts.
	if (isOfN8n(reason) || reason === MISSING_NUMBERS) return;
	// After a silence nothing shows since when something may have been missed.
	if (reason.startsWith('no event came for a long time')) return;
	const outages = outagesOf(process, plan).filter(
		({ from, to }) => from - BEFORE_MS < gap.to && to + AFTER_MS > gap.from,
	);
	const [first] = outages;
	if (!first) {
		// Whoever leaves in an outage does not learn whether the provider continues the connection.
		const { closingAt = Infinity } = delivery.instance;
		const isOpen = process.connections.some(
			({ openedAt = Infinity, endedAt = Infinity }) => openedAt <= closingAt && endedAt > closingAt,
		);
		if (!isOpen && Math.abs(gap.to - closingAt) <= SECOND) return;
		report('a gap has a reason', `${shown}, but nothing was interrupted`, delivery.at);
		return;
	}
	const last = Math.max(...outages.map(({ to }) => to));
	// A gap ends with the first event after it, which the network or a pause may have held back for long.
	if (gap.to > last + AFTER_MS && !mayHold(plan)) {
		report('no gap is longer than necessary', `${shown} ends long after the outage`, delivery.at);
	}
	const proof = Math.min(...outages.map(({ proof: shownAt }) => shownAt));
	if (gap.from < proof - BEFORE_MS) {
		const early = ((proof - gap.from) / 1_000).toFixed(1);
		report(
			'no gap is longer than necessary',
			`${shown} begins ${early} s before the feed's last sign of life`,
			delivery.at,
		);
	}
}

/**
 * A gap about a restart lies around the start of n8n, and ends when the provider serves it; one that a later activation
 * reports ends before that.
 */
function judgeRestart(
	{ from, to, delivery }: ToldGap,
	shown: string,
	plan: Plan,
	report: Report,
): void {
	const { startedAt, activation, workflow, process, foundAwayAt } = delivery.instance;
	const left = activation !== 'init';
	const starts = process.instances
		.filter((one) => one.workflow === workflow && one.activation === 'init')
		.map((one) => one.startedAt)
		.filter((start) => (left ? start <= startedAt : start === startedAt));
	// Items show whole milliseconds.
	const isAround = starts.some((start) => from <= start && Math.floor(start) <= to);
	if (!isAround || (left && to > startedAt)) {
		report('a gap has a reason', `${shown} does not lie around the start of n8n`, delivery.at);
	}
	// Of the connections since then.
	const served = process.connections
		.filter(({ endedAt = Infinity }) => starts.every((start) => endedAt > start))
		.filter(({ openedAt = Infinity, endedAt = Infinity }) => endedAt - openedAt > SERVED_MS)
		.map(({ openedAt = Infinity }) => openedAt + SERVED_MS);
	const tried = foundAwayAt.filter((at) => at <= to).map((at) => at + PREPARE_AGAIN_MS);
	const mayEnd = Math.max(startedAt, ...tried, Math.min(...served)) + AFTER_MS;
	// If every renewal interrupts the feed, each connection is doubted before it is known that the provider serves it.
	const isServed = plan.provider.tokenLifeMs >= INTERRUPTING_LIFE_MS;
	if (to > mayEnd && isServed && !mayHold(plan)) {
		report('no gap is longer than necessary', `${shown} ends long after the start`, delivery.at);
	}
}

/** A time in which something may have been missed. */
interface Outage {
	from: number;
	to: number;
	/** The last sign of life before it. */
	proof: number;
}

/** All times in which nothing could arrive, and all moments at which a connection ended or began to be doubted. */
function outagesOf(process: Process, plan: Plan): Outage[] {
	const { connections } = process;
	const holes = holesOf(process).map(({ from, to }) => {
		const open = connections.filter(
			({ openedAt = Infinity, endedAt = Infinity }) => openedAt <= from && endedAt >= from,
		);
		const proofs = open.map((one) => proofOf(one, from, plan));
		return { from, to, proof: Math.min(from, ...proofs) };
	});
	const ends = connections.flatMap((one): Outage[] => {
		const { openedAt, endedAt } = one;
		// What came while no connection was open was recovered.
		if (one.isContinued || openedAt === undefined || endedAt === undefined) return [];
		// One that ended beside another was doubted since its last event.
		const isDoubted = isDoubtful(process, one, plan);
		const lastEvent = lastEventAt(one, endedAt) ?? openedAt;
		const proof = isDoubted ? lastEvent : proofOf(one, endedAt, plan);
		return [{ from: isDoubted ? proof : endedAt, to: endedAt, proof }];
	});
	// What is read after a standstill was sent at any time in it: if the connection ends soon, everything since is in doubt.
	const stills = process.holds.map(({ from, to }): Outage => {
		return { from, to: to + DOUBTED_MS, proof: from - PULSE_MS };
	});
	return [...holes, ...ends, ...stills].sort((a, b) => a.from - b.from);
}

/** Whether there is no proof that a connection worked in the last part of its life. */
function isDoubtful(process: Process, one: Connection, plan: Plan): boolean {
	const { openedAt = 0, endedAt = Infinity, deafAt, severedAt } = one;
	return (
		deafAt !== undefined ||
		severedAt !== undefined ||
		plan.provider.tokenLifeMs < SHORT_LIFE_MS ||
		// After the end of a token only events prove anything.
		one.tokenKnownUntil - 3 * SECOND < endedAt ||
		isSilent(one, endedAt, plan) ||
		stoodStill(process, openedAt, endedAt) ||
		// An event that only the other connection delivered, since the provider lost it or had stopped serving this one.
		process.connections.some(
			(other) =>
				other !== one &&
				other.arrivals.some(
					({ sent, at }) =>
						at > openedAt &&
						at <= endedAt &&
						!one.arrivals.some((arrival) => arrival.sent === sent) &&
						at > (lastEventAt(one, endedAt) ?? openedAt),
				),
		) ||
		// Its successor opened after its last sign of life.
		process.connections.some(
			(other) =>
				other !== one &&
				(other.openedAt ?? Infinity) < endedAt &&
				(other.openedAt ?? Infinity) > (one.lastBeatAt ?? openedAt) - 6 * SECOND,
		)
	);
}

function lastEventAt({ arrivals }: Connection, until: number): number | undefined {
	return arrivals.findLast(({ at }) => at <= until)?.at;
}

function isSilent(one: Connection, until: number, { silenceTimeoutMinutes }: Plan): boolean {
	const silenceMs = silenceTimeoutMinutes * MINUTE;
	return silenceMs > 0 && longestSilence(one, until) >= silenceMs - 10 * SECOND;
}

/** The last sign of life of one connection which proves that everything had arrived. */
function proofOf(one: Connection, until: number, plan: Plan): number {
	const lastEvent = lastEventAt(one, until);
	// A connection that never delivered anything proves nothing.
	if (lastEvent === undefined) return one.openedAt ?? until;
	const beatAt = one.lastBeatAt ?? 0;
	const isDoubted = one.deafAt !== undefined || isSilent(one, one.endedAt ?? until, plan);
	if (isDoubted || beatAt > until || one.endedBy !== 'network') return lastEvent;
	return Math.max(lastEvent, Math.min(beatAt, one.tokenKnownUntil - 3 * SECOND));
}

/** Whether the network or the machine may have held something back for long. */
function mayHold({ faults }: Plan): boolean {
	return faults.some(({ kind }) => ['partition', 'sleeps', 'held', 'slowNetwork'].includes(kind));
}
