// Renewals: a working connection is not given up for one that does not work, and the last resort comes before the token
// ends.
import { COPY_MS, endOf, isOpen, stoodStill, type Report } from './facts';
import { attemptsOf } from './judgeLogins';
import type { Connection } from './network';
import type { Process } from './n8n';
import { MINUTE, SECOND } from './plan';
import type { World } from './simulation';

/** The end of a token is sent in whole seconds. */
const SLACK_MS = 3 * SECOND;
/** The first wait of the back-off. */
const SHORT_WAIT_MS = 2 * SECOND;
/**
 * While both are open, an event of one counts as missing on the other only this long after the beginning and before the
 * end.
 */
const GRACE_MS = 2 * SECOND;

/** When the renewal of a token with this end is due. */
export function renewalAt({ plan }: World, tokenEndsAt: number): number {
	const { tokenLifeMs } = plan.provider;
	return tokenEndsAt - (tokenLifeMs < 50 * MINUTE ? tokenLifeMs / 5 : 10 * MINUTE);
}

export function judgeRenewals(world: World, process: Process, report: Report): void {
	for (const one of process.connections) {
		judgeGivenUp(world, process, one, report);
		judgeLastResort(world, process, one, report);
	}
}

/** A connection that delivers events is not closed in favour of one that does not deliver them. */
function judgeGivenUp(world: World, process: Process, one: Connection, report: Report): void {
	const { endedAt, endedBy, openedAt: since = Infinity } = one;
	if (endedAt === undefined || endedBy !== 'client' || endsWithFeed(process, endedAt)) return;
	const deaf = process.connections.find(
		({ openedAt = Infinity, subscribedAt = 0, endedAt: until = Infinity, arrivals, deafAt }) =>
			openedAt > since &&
			openedAt < endedAt &&
			until > endedAt &&
			arrivals.length === 0 &&
			(deafAt ?? Infinity) <= subscribedAt,
	);
	if (!deaf) return;
	// Of two connections, one is closed before its successor is opened.
	if (
		process.connections.some((other) => other !== one && other !== deaf && isOpen(other, endedAt))
	)
		return;
	const brought = one.arrivals.find(
		({ at, sent }) =>
			sent.at > (deaf.subscribedAt as number) &&
			at > (deaf.openedAt as number) + GRACE_MS &&
			at < endedAt - GRACE_MS &&
			// What one delivered is remembered for so long by n8n's clock.
			world.wall.setForward(at, endedAt) < COPY_MS,
	);
	if (brought) {
		report(
			'a working connection is not given up',
			`${one.name} delivered event ${brought.sent.id}, and was closed in favour of ${deaf?.name}, which delivered nothing`,
			endedAt,
		);
	}
}

function endsWithFeed({ instances }: Process, at: number): boolean {
	return instances.some((instance) => Math.abs(endOf(instance) - at) <= 5 * SECOND);
}

/**
 * If the provider rejects a second login, the old connection is closed before its token ends, to make room for a new
 * one.
 */
function judgeLastResort(world: World, process: Process, one: Connection, report: Report): void {
	const { subscribedAt, tokenEndsAt, endedAt = Infinity } = one;
	if (subscribedAt === undefined || tokenEndsAt === Infinity || world.wall.jumped) return;
	const dueAt = renewalAt(world, tokenEndsAt);
	const lastAt = tokenEndsAt - (tokenEndsAt - dueAt) / 5;
	if (endedAt <= lastAt + SLACK_MS || lastAt - dueAt < 4 * SLACK_MS) return;
	if (lastAt + SLACK_MS > world.timeline.now) return;
	const listens = process.instances.some(
		({ upAt = Infinity, ...instance }) =>
			upAt < dueAt && endOf({ ...instance, upAt }) > lastAt + SLACK_MS,
	);
	if (!listens || stoodStill(process, dueAt, lastAt + SLACK_MS)) return;
	// No login reaches the provider without n8n's database.
	if (world.n8n.databaseAway.some(({ from, to }) => from <= lastAt + SLACK_MS && to >= dueAt))
		return;
	const attempts = attemptsOf(process, world.provider.logins);
	// A login without a response is waited for as long as at any other time.
	const waitsForAnswer = attempts.some(
		({ login: { at, endedAt: answeredAt = Infinity } }) =>
			at <= lastAt + SLACK_MS && answeredAt > lastAt + SLACK_MS,
	);
	if (waitsForAnswer) return;
	// If a login was under way at that moment and is rejected, a short wait follows.
	const refused = attempts.filter(
		({ login: { at, result } }) => at <= lastAt + SLACK_MS && result === 'refused',
	);
	const lastRefusal = refused.at(-1)?.login.endedAt ?? 0;
	if (endedAt <= lastRefusal + SHORT_WAIT_MS) return;
	// A working connection is not closed because of a login that failed around that time without being rejected.
	const failed = attempts.some(
		({ login: { at, result } }) => Math.abs(at - lastAt) <= SLACK_MS && result !== 'refused',
	);
	if (failed) return;
	const tries = attempts.filter(
		({ login }) => login.at >= dueAt + SLACK_MS && login.at < lastAt - SLACK_MS,
	);
	const last = tries.at(-1);
	const rejected =
		last !== undefined &&
		last.login.result === 'refused' &&
		(last.login.endedAt as number) < lastAt - SLACK_MS &&
		tries.every(({ login, openedAt }) => openedAt === undefined && !login.askedToWaitMs);
	if (rejected) {
		report(
			'the last resort comes in time',
			`a second login was rejected, and ${one.name} was kept until the end of its token`,
			lastAt + SLACK_MS,
		);
	}
}
