// Whether the feed comes back as soon as promised: it never stops trying, and no wait is longer than documented.
import { endOf, type Report } from './facts';
import { attemptsOf, isOpenAt, type Attempt } from './judgeLogins';
import { renewalAt } from './judgeRenewals';
import type { Connection } from './network';
import type { Instance, Process } from './n8n';
import { MINUTE, SECOND } from './plan';
import type { World } from './simulation';

/** How long an immediate action may take, and by how much a timed wait may be exceeded. */
const AT_ONCE_MS = 50;
const SLACK_MS = SECOND;
/**
 * The feed returns at once if the provider ended a healthy connection: one that delivered events and lasted at least
 * this long …
 */
const PROOF_MS = 10 * SECOND;
/**
 * … unless the provider has asked for a wait, or has just rejected a second connection: then at least the first wait of the
 * back-off applies.
 */
const FIRST_WAIT_MS = 2 * SECOND + AT_ONCE_MS;
/**
 * The longest waits: after a failure, after a rejected login (30 min plus 10 %), and after a rejected login that a
 * recent break may explain.
 */
const FAILED_MS = MINUTE;
const REFUSED_MS = 33 * MINUTE;
const LINGERING_MS = 30 * SECOND;
/** After a break, the provider may still count the old connection for this long. */
const STILL_COUNTED_MS = 2 * MINUTE;
/** The probe may take this long, and it is not recorded. */
const PROBE_MS = 15 * SECOND;
/** A starting trigger reads its settings, and may wait until its predecessor's end has been noticed. */
const COMES_MS = 500;

/** A time from which on nothing is open and nothing under way. */
interface Idle {
	at: number;
	waitMs: number;
	why: string;
}

export function judgeReturn(world: World, process: Process, report: Report): void {
	judgeStarts(process, report);
	const attempts = attemptsOf(process, world.provider.logins);
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
		// If the clock is set back while nobody reads it, a wait is longer by that time, which is hidden from the trigger.
		const asleep = process.holds.filter(({ to }) => to <= at).map(({ from, to }) => to - from);
		const slack = world.wall.jumped ? Math.max(MINUTE, ...asleep) : 0;
		const planned = Math.max(firstMs, askedMs + AT_ONCE_MS) + slack;
		// The login that was due finds a changed credential, and its feed follows the one before at a distance.
		const isMoved = world.n8n.credentialSaves.some((save) => save > at && save <= at + planned);
		const wait = planned + (isMoved ? COMES_MS : 0);
		const after = (from: number, ms: number) => from + ms + stillness(process, from, from + ms);
		const moved = after(at, wait);
		// No login is possible without n8n's database; a try that failed for it is followed by a wait.
		const back = backAgain(world, at, moved);
		const until = back === undefined ? moved : Math.max(moved, after(back, FAILED_MS + SLACK_MS));
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
	judgeCredentials(world, process, attempts, report);
	judgeNewcomers(world, process, attempts, report);
}

/** A changed credential is noticed within 30 s while no login is accepted, otherwise within five minutes. */
const NOTICED_MS = 30 * SECOND;
export const NOTICED_WHEN_CONNECTED_MS = 5 * MINUTE + 30 * SECOND;

function judgeCredentials(
	world: World,
	process: Process,
	attempts: readonly Attempt[],
	report: Report,
): void {
	for (const at of world.n8n.credentialSaves) {
		// An attempt that was under way may still have worked with the old password.
		const isOpening = attempts.some(
			({ login, openedAt = -Infinity }) => login.at <= at && at <= openedAt,
		);
		const isConnected = isOpening || isOpenAt(process, { at, place: Infinity }) !== undefined;
		const waitMs = isConnected ? NOTICED_WHEN_CONNECTED_MS : NOTICED_MS;
		const until = at + waitMs + COMES_MS + SLACK_MS;
		// Nothing was read then, or read too late to know.
		if (stillness(process, at - MINUTE, until) > 0 || backAgain(world, at - MINUTE, until))
			continue;
		if (world.wall.jumped || !isListening(world, process, at - MINUTE, until)) continue;
		if (attempts.some(({ login }) => login.at > at && login.at <= until)) continue;
		report(
			'a changed credential is noticed in time',
			`no login within ${(waitMs / 1_000).toFixed(0)} s after the credential was changed`,
			until,
		);
		return;
	}
}

/**
 * A start by n8n itself keeps trying, since n8n would retry a failed start after longer and longer waits, up to a day.
 */
function judgeStarts({ instances, endedAt = Infinity }: Process, report: Report): void {
	for (const { workflow, activation, failure, closedAt = 0 } of instances) {
		if (activation !== 'init' || failure === undefined || closedAt >= endedAt) continue;
		report('a start keeps trying', `${workflow.id} failed: ${String(failure)}`, closedAt);
	}
}

/** Whether some trigger listened all the time, so that the same feed continued. A newer one of a workflow replaces it. */
function isListening({ timeline }: World, { instances }: Process, from: number, to: number) {
	const isReplaced = (one: Instance) =>
		instances.some(
			({ workflow, startedAt, upAt = Infinity }) =>
				workflow === one.workflow && startedAt > one.startedAt && upAt <= to,
		);
	return (
		to <= timeline.now &&
		instances.some(
			(one) =>
				!one.struggled && (one.upAt ?? Infinity) < from && endOf(one) > to && !isReplaced(one),
		)
	);
}

/** How long the process was paused. A wait that is extended by a pause may run into the next one. */
function stillness({ holds }: Process, from: number, to: number): number {
	let still = 0;
	for (const hold of [...holds].sort((a, b) => a.from - b.from)) {
		if (hold.from <= to + still && hold.to >= from) still += hold.to - hold.from;
	}
	return still;
}

/** When n8n's database was back, if it was away in this interval or in the wait that followed. */
function backAgain({ n8n }: World, from: number, to: number): number | undefined {
	let end: number | undefined;
	let until = to;
	for (const outage of n8n.databaseAway) {
		if (outage.from > until || outage.to < from) continue;
		end = Math.max(end ?? 0, outage.to);
		until = Math.max(until, end + FAILED_MS + SLACK_MS);
	}
	return end;
}

function isUnderWay(attempts: readonly Attempt[], at: number, place: number): boolean {
	return attempts.some(
		(attempt) =>
			(attempt.login.at < at || (attempt.login.at === at && attempt.login.place < place)) &&
			overBy(attempt) >= at,
	);
}

/** The latest time at which an attempt has ended. */
function overBy({ login, failedAt = Infinity, openedAt = Infinity }: Attempt): number {
	return Math.min(failedAt + (login.result === 'accepted' ? PROBE_MS : 0), openedAt);
}

/** Whether the login of a second connection was rejected shortly before the connection beside it ended. */
function wasRefusedBeside(
	world: World,
	{ connections }: Process,
	one: Connection,
	attempts: readonly Attempt[],
): boolean {
	const { openedAt = Infinity, endedAt = Infinity, tokenKnownUntil } = one;
	return (
		world.plan.twoConnections &&
		attempts.some(({ login: { at, result, endedAt: answeredAt = Infinity } }) => {
			// The other connection was closed for it, or it is too early to be the renewal of this one.
			const isForOther =
				connections.some((other) => other.endedBy === 'client' && other.endedAt === at) ||
				at < renewalAt(world, tokenKnownUntil) + SLACK_MS;
			const beside = at > openedAt && isForOther;
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
		// If the feed gave up another connection at the same moment, it waits as after a break.
		const isSecond = process.connections.some(
			(other) => other !== one && other.endedBy === 'client' && other.endedAt === endedAt,
		);
		const waits = isSecond || wasRefusedBeside(world, process, one, attempts);
		const goodMs = waits
			? FIRST_WAIT_MS
			: movesAt(world, attempts, endedAt)
				? COMES_MS
				: AT_ONCE_MS;
		return [
			good
				? { at: endedAt, waitMs: goodMs, why: `the provider ended ${one.name}` }
				: { at: endedAt, waitMs: FAILED_MS + SLACK_MS, why: `${one.name} was lost` },
		];
	});
}

/** Whether the triggers move to another feed now, since their credential was changed before. */
function movesAt({ n8n }: World, attempts: readonly Attempt[], now: number): boolean {
	return n8n.credentialSaves.some(
		(at) => at <= now && !attempts.some(({ login }) => login.at >= at && login.at <= now),
	);
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
					why: 'a rejected login after a break',
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

/** A workflow that is activated while nothing is connected makes the feed try at once. */
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
		if (backAgain(world, startedAt, until) !== undefined) continue;
		// A start by n8n itself does not wait for a connection; this one could not begin sooner.
		if (one.activation === 'init' && one.upAt > until) continue;
		// It waits for the end of the instance that it replaces.
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
