// Whether the feed logs in no more often than its back-off allows, judged by the logins that the provider received.
import type { Connection } from './network';
import type { Process } from './n8n';
import type { Login } from './provider';
import { MINUTE, SECOND } from './plan';
import type { World } from './simulation';
import type { Report } from './facts';

/**
 * A connection is confirmed by an event or by lasting this long; one that is rejected sooner than the next limit is
 * not.
 */
const PROOF_MS = 30 * SECOND;
const THROWN_OUT_MS = 10 * SECOND;
/**
 * A login that is rejected this soon after a lost connection may mean that the provider still counts the old
 * connection.
 */
const STILL_COUNTED_MS = 2 * MINUTE;

export function judgeLogins(world: World, process: Process, report: Report): void {
	const logins = world.provider.logins.filter(({ host }) => host === process);
	let failures = 0;
	let refusals = 0;
	let allowedAt = -Infinity;
	let atOnceUsed = false;
	for (const [index, login] of logins.entries()) {
		const before = logins[index - 1];
		if (before && (before.endedAt ?? Infinity) > login.at) {
			report('one attempt at a time', 'a login while another was under way', login.at);
			return;
		}
		const opening = process.connections.find(
			({ startedAt, openedAt, endedAt }) =>
				startedAt < login.at && (openedAt ?? endedAt ?? Infinity) > login.at,
		);
		if (opening) {
			report('one attempt at a time', `a login while ${opening.name} was being opened`, login.at);
			return;
		}
		if (before && (isRestarted(process, before, login) || isMoved(world, before, login))) {
			failures = 0;
			refusals = 0;
			atOnceUsed = false;
		} else if (login.at < allowedAt - 1 && !isNudged(process, login)) {
			const early = ((allowedAt - login.at) / 1_000).toFixed(1);
			report('the back-off is kept', `a login came ${early} s before its time`, login.at);
			return;
		}
		const next = logins[index + 1];
		const ended = login.endedAt ?? Infinity;
		const connection = connectionOf(process, login, next);
		const open = isOpenAt(process, { at: ended, place: login.endedPlace }, connection);
		allowedAt = -Infinity;
		if (open && connection?.openedAt === undefined) {
			// A failed renewal is repeated a second later at the earliest, unless the token is about to end.
			const rest = open.tokenEndsAt - ended;
			const early = rest > world.plan.provider.tokenLifeMs / 10 && rest > 3 * MINUTE;
			if (early && next && open.endedPlace > next.place) allowedAt = ended + SECOND;
			continue;
		}
		if (login.result === 'refused') {
			// One that the connection before may explain says nothing of the password.
			const isExplained = brokeJustBefore(world, process, ended);
			if (!isExplained) refusals++;
			const wait = isExplained ? SECOND : Math.min(30 * MINUTE, 5 * MINUTE * 2 ** (refusals - 1));
			allowedAt = ended + Math.max(wait, login.askedToWaitMs ?? 0);
			continue;
		}
		if (!connection || connection.openedAt === undefined) {
			// It failed during the login, or before the socket was open.
			failures++;
			const at = connection?.endedAt ?? ended;
			const asked = Math.min(30 * MINUTE, login.askedToWaitMs ?? 0);
			allowedAt = at + Math.max(waitAfter(failures), asked);
			continue;
		}
		refusals = 0;
		const { openedAt, endedAt = Infinity, endedBy } = connection;
		const replaced = !next || endedAt > next.at || connection.endedPlace > next.place;
		if (replaced) {
			// A renewal: with a short token it may be due at once, and it may begin at the moment at which the
			// connection ends.
			failures = 0;
			atOnceUsed = false;
			continue;
		}
		const clean = endedBy === 'server';
		const lasted = endedAt - openedAt;
		// By the machine's clock, including jumps forward.
		const thrownOut = clean && lasted + world.wall.setForward(openedAt, endedAt) < THROWN_OUT_MS;
		const proved = (connection.arrivals.length > 0 || lasted >= PROOF_MS) && !thrownOut;
		if (proved) {
			failures = 0;
			atOnceUsed = false;
		}
		if (isOpenAt(process, { at: endedAt, place: connection.endedPlace }, connection)) continue;
		if (clean && !atOnceUsed) {
			// A wait that the provider asked for takes precedence; the one immediate retry then stays available for the
			// next time.
			atOnceUsed = next.at <= endedAt + 1;
		} else if (endedBy !== 'client') {
			failures++;
			allowedAt = endedAt + waitAfter(failures);
		}
	}
}

/** A login and its result. */
export interface Attempt {
	login: Login;
	openedAt?: number;
	/**
	 * When it failed. For a login that was accepted but led to no connection this is the time of the login's response,
	 * since the probe after it is not recorded.
	 */
	failedAt?: number;
}

export function attemptsOf(process: Process, all: readonly Login[]): Attempt[] {
	const logins = all.filter(({ host }) => host === process);
	return logins.map((login, index): Attempt => {
		const connection = connectionOf(process, login, logins[index + 1]);
		if (!connection) return { login, failedAt: login.endedAt };
		const { openedAt, endedAt } = connection;
		return openedAt === undefined ? { login, failedAt: endedAt } : { login, openedAt };
	});
}

/** The shortest wait: 1 s after the first failure, doubling up to 30 s. */
function waitAfter(failures: number): number {
	return Math.min(MINUTE, 2 * SECOND * 2 ** Math.min(20, failures - 1)) / 2;
}

/** The connection that followed a login. */
function connectionOf(
	process: Process,
	login: Login,
	next: Login | undefined,
): Connection | undefined {
	return process.connections.findLast(
		({ startedAt }) =>
			startedAt >= (login.endedAt ?? Infinity) && startedAt < (next?.at ?? Infinity),
	);
}

/** @param place position among all events of the run: the connection can end in the same millisecond but later */
export function isOpenAt(
	process: Process,
	{ at, place }: { at: number; place: number },
	except?: Connection,
): Connection | undefined {
	return process.connections.find(
		(one) =>
			one !== except &&
			one.openedAt !== undefined &&
			one.openedAt < at &&
			((one.endedAt ?? Infinity) > at || (one.endedAt === at && one.endedPlace > place)),
	);
}

function brokeJustBefore({ wall }: World, { connections }: Process, at: number): boolean {
	return connections.some(({ openedAt, endedAt = Infinity }) => {
		if (openedAt === undefined || endedAt > at) return false;
		// If the clock is set back during a wait, the wait is longer by the part that nobody read.
		const slack = wall.wasSetBack(endedAt, at) ? MINUTE : 0;
		return at - endedAt <= STILL_COUNTED_MS + slack;
	});
}

/** A trigger that starts makes the feed try at once. */
function isNudged({ instances }: Process, login: Login): boolean {
	return instances.some(
		({ startedAt, upAt = Infinity }) =>
			startedAt <= login.at && login.at <= Math.max(upAt, startedAt + 5 * SECOND),
	);
}

/** Whether a person changed the credential in between: the triggers move to a new feed. */
function isMoved({ n8n }: World, before: Login, login: Login): boolean {
	return n8n.credentialSaves.some((at) => at >= before.at && at <= login.at);
}

/**
 * The feed ends with its last trigger; the next trigger starts a new feed, or tries when it can. An attempt that was
 * reading its credential when the process was paused goes on when the process does, whatever ended meanwhile.
 */
function isRestarted({ instances, holds }: Process, before: Login, login: Login): boolean {
	return (
		holds.some(({ from, to }) => from <= login.at && to >= before.at) ||
		instances.some(
			({ closingAt, struggled }) =>
				struggled || (closingAt !== undefined && closingAt >= before.at && closingAt <= login.at),
		)
	);
}
