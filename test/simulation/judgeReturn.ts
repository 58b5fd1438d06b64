// Whether the feed comes back as soon as it promises: it never stops trying, and no wait is longer than it was said to be.
import { endOf, type Report } from './judge';
import { attemptsOf, isOpenAt, type Attempt } from './judgeLogins';
import { renewalAt } from './judgeRenewals';
import type { Connection } from './network';
import type { Process } from './n8n';
import { MINUTE, SECOND } from './plan';
import type { World } from './simulation';

/** What is done at once may take this long, and what waits for a time this much more. */
const AT_ONCE_MS = 50;
const SLACK_MS = SECOND;
/** The operator ended it, and it was a good one: it delivered events, and was not thrown out as soon as it had come. */
const PROOF_MS = 10 * SECOND;
/** … unless it has asked to wait, or just refused a second line: then the first wait of the back-off is waited for at least. */
const FIRST_WAIT_MS = 2 * SECOND + AT_ONCE_MS;
/** The longest waits: after a failure, after a refusal (30 min and a tenth), and after one that a break may explain. */
const FAILED_MS = MINUTE;
const REFUSED_MS = 33 * MINUTE;
const LINGERING_MS = 30 * SECOND;
/** For so long after a break, the operator may still count the connection. */
const STILL_COUNTED_MS = 2 * MINUTE;
/** The probe may take so long, and nobody sees it. */
const PROBE_MS = 15 * SECOND;
/** A trigger that comes reads its settings, and may wait for a predecessor's end to be noticed. */
const COMES_MS = 500;

/** A moment from which on nothing is open and nothing under way. */
interface Idle {
	at: number;
	waitMs: number;
	why: string;
}

export function judgeReturn(world: World, process: Process, report: Report): void {
	judgeStarts(process, report);
	const attempts = attemptsOf(process, world.operator.logins);
	const idles = [
		...afterEnds(world, process, attempts),
		...attempts.flatMap((attempt) => afterFailure(world, process, attempt)),
	];
	for (const { at, waitMs, why } of idles) {
		const asked = attempts
			.filter(({ login }) => (login.endedAt ?? Infinity) <= at)
			.map(({ login }) => (login.endedAt as number) + (login.askedToWaitMs ?? 0) - at);
		const askedMs = Math.min(30 * MINUTE, Math.max(0, ...asked));
		const firstMs = askedMs > 0 ? Math.max(waitMs, FIRST_WAIT_MS) : waitMs;
		// A clock that is set back while nobody reads it makes a wait longer by as much as nobody read it.
		const slack = world.wall.jumped ? MINUTE : 0;
		const wait = Math.max(firstMs, askedMs + AT_ONCE_MS) + slack;
		const until = at + wait + stillness(process, at, at + wait);
		if (waitMs <= AT_ONCE_MS && (until > at + wait || slack > 0)) continue;
		if (!isListening(world, process, at, until)) continue;
		if (attempts.some(({ login }) => login.at >= at && login.at <= until)) continue;
		report(
			'it comes back in time',
			`no login within ${(wait / 1_000).toFixed(1)} s after ${why}`,
			until,
		);
		return;
	}
	judgeNewcomers(world, process, attempts, report);
}

/** A start by n8n itself goes on trying: n8n would try a failed one again after longer and longer, up to a day. */
function judgeStarts({ instances, endedAt = Infinity }: Process, report: Report): void {
	for (const { workflow, activation, failure, closedAt = 0 } of instances) {
		if (activation !== 'init' || failure === undefined || closedAt >= endedAt) continue;
		report('a start goes on trying', `${workflow.id} failed: ${String(failure)}`, closedAt);
	}
}

/** Somebody listened all the time, so that one feed went on. */
function isListening({ timeline }: World, { instances }: Process, from: number, to: number) {
	return (
		to <= timeline.now &&
		instances.some((one) => !one.struggled && (one.upAt ?? Infinity) <= from && endOf(one) > to)
	);
}

/** How long the process stood still; a wait that goes on for as much longer may meet the next time. */
function stillness({ holds }: Process, from: number, to: number): number {
	let still = 0;
	for (const hold of [...holds].sort((a, b) => a.from - b.from)) {
		if (hold.from <= to + still && hold.to >= from) still += hold.to - hold.from;
	}
	return still;
}

function isUnderWay(attempts: readonly Attempt[], at: number, place: number): boolean {
	return attempts.some(
		(attempt) =>
			(attempt.login.at < at || (attempt.login.at === at && attempt.login.place < place)) &&
			overBy(attempt) >= at,
	);
}

/** When an attempt is over at the latest. */
function overBy({ login, failedAt = Infinity, openedAt = Infinity }: Attempt): number {
	return Math.min(failedAt + (login.result === 'accepted' ? PROBE_MS : 0), openedAt);
}

/** Whether a second line's login had been refused beside a connection, a moment before that ended. */
function wasRefusedBeside(world: World, one: Connection, attempts: readonly Attempt[]): boolean {
	const { openedAt = Infinity, endedAt = Infinity, tokenKnownUntil } = one;
	return (
		world.plan.twoLines &&
		attempts.some(({ login: { at, result, endedAt: answeredAt = Infinity } }) => {
			const beside = at > openedAt && at < renewalAt(world, tokenKnownUntil) + SLACK_MS;
			const justNow = answeredAt <= endedAt && endedAt < answeredAt + FIRST_WAIT_MS;
			return result === 'refused' && beside && justNow;
		})
	);
}

function afterEnds(world: World, process: Process, attempts: readonly Attempt[]): Idle[] {
	return process.connections.flatMap((one): Idle[] => {
		const { openedAt, endedAt, endedBy, endedPlace, arrivals } = one;
		if (openedAt === undefined || endedAt === undefined || endedBy === 'client') return [];
		if (isOpenAt(process, { at: endedAt, place: endedPlace }, one)) return [];
		if (isUnderWay(attempts, endedAt, endedPlace)) return [];
		const good = endedBy === 'server' && arrivals.length > 0 && endedAt - openedAt >= PROOF_MS;
		const goodMs = wasRefusedBeside(world, one, attempts) ? FIRST_WAIT_MS : AT_ONCE_MS;
		return [
			good
				? { at: endedAt, waitMs: goodMs, why: `the operator ended ${one.name}` }
				: { at: endedAt, waitMs: FAILED_MS + SLACK_MS, why: `${one.name} was lost` },
		];
	});
}

function afterFailure(world: World, process: Process, attempt: Attempt): Idle[] {
	const { login, failedAt } = attempt;
	const { result, endedPlace } = login;
	if (failedAt === undefined) return [];
	const broken = lastLost(process, failedAt);
	if (isOpenAt(process, { at: failedAt, place: endedPlace })) return [];
	if (result !== 'refused') {
		const waitMs = FAILED_MS + (result === 'accepted' ? PROBE_MS : 0) + SLACK_MS;
		return [{ at: failedAt, waitMs, why: 'an attempt had failed' }];
	}
	const lingers =
		!world.wall.jumped &&
		broken?.endedBy === 'network' &&
		failedAt - (broken.endedAt as number) <= STILL_COUNTED_MS &&
		isListening(world, process, broken.endedAt as number, failedAt);
	return [
		lingers
			? {
					at: failedAt,
					waitMs: LINGERING_MS + SLACK_MS,
					why: 'a refusal that followed a break',
				}
			: { at: failedAt, waitMs: REFUSED_MS + SLACK_MS, why: 'a refusal' },
	];
}

/** The connection that ended last. */
function lastLost({ connections }: Process, before: number): Connection | undefined {
	return connections
		.filter(({ openedAt, endedAt = Infinity }) => openedAt !== undefined && endedAt <= before)
		.sort((a, b) => a.endedPlace - b.endedPlace)
		.at(-1);
}

/** Whoever activates a workflow while nothing is connected is a reason to try now. */
function judgeNewcomers(
	world: World,
	process: Process,
	attempts: readonly Attempt[],
	report: Report,
): void {
	for (const one of process.instances) {
		const { startedAt, workflow } = one;
		const until = startedAt + COMES_MS;
		if (one.upAt === undefined || one.struggled || until >= endOf(one)) continue;
		if (until > world.timeline.now || stillness(process, startedAt, until) > 0) continue;
		// What n8n starts by itself waits for no connection: it could not begin sooner.
		if (one.activation === 'init' && one.upAt > until) continue;
		// It waits for the end of the one that it replaces.
		const replaces = process.instances.some(
			(other) =>
				other !== one && other.workflow === workflow && (other.closedAt ?? Infinity) > startedAt,
		);
		if (replaces) continue;
		const there = process.connections.some(
			({ startedAt: begun, endedAt = Infinity }) => begun <= until && endedAt >= startedAt,
		);
		const tried = attempts.some(
			(attempt) => attempt.login.at <= until && overBy(attempt) >= startedAt,
		);
		if (there || tried) continue;
		report(
			'it comes back in time',
			`${workflow.id} was activated while nothing was connected, and no login followed`,
			until,
		);
		return;
	}
}
