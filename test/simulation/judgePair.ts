// The redundant connection: the loss of one is reported, one that stopped is replaced, and a provider that allows one session is
// rarely asked for a second one.
import type { IDataObject } from 'n8n-workflow';
import { endOf, isOpen, longestSilence, stoodStill, type Report } from './facts';
import { attemptsOf } from './judgeLogins';
import { renewalAt } from './judgeRenewals';
import type { Connection } from './network';
import type { Instance, Process } from './n8n';
import { MINUTE, SECOND } from './plan';
import type { World } from './simulation';

/** Two connections that were open side by side for this long are a pair, not an overlap during a renewal. */
const SURELY_PAIRED_MS = 2 * MINUTE;
/** The connections are compared every ten seconds, and an event that one of them lacks counts after five. */
const COMPARED_MS = 15 * SECOND;
/** A provider that allows only one session ends one of two connections this soon, twice in a row … */
const ENDS_SECOND_MS = 5 * SECOND;
/** … and the trigger then waits this long before it tries a second connection again. */
const ONE_LINE_MS = 30 * MINUTE;
const SLACK_MS = 3 * SECOND;

/** The loss of one of two connections is reported exactly once, and nothing else is reported as such a loss. */
export function judgeLostConnections(
	world: World,
	instance: Instance,
	items: ReadonlyArray<{ json: IDataObject; at: number }>,
	report: Report,
): void {
	const told = items
		.filter(({ json }) => json.event === 'connection_lost')
		.map(({ json }) => Math.max(...world.wall.meant(Date.parse(String(json.date)))));
	const { connections } = instance.process;
	for (const at of told) {
		if (!world.plan.twoConnections || !connections.some((one) => isOpen(one, at - 1))) {
			report('statuses agree', 'the loss of a connection is reported though none was lost', at);
		}
	}
	const { twoConnections, provider } = world.plan;
	if (!twoConnections || provider.sessions !== 'many' || instance.struggled) return;
	for (const one of connections) {
		const { endedAt = Infinity, endedBy } = one;
		// A process that was paused had no time to find out that both connections work.
		if (stoodStill(instance.process, endedAt - SURELY_PAIRED_MS, endedAt)) continue;
		if (endedBy === 'client' || endedAt >= endOf(instance)) continue;
		if (endedAt < (instance.upAt as number) || !isOpen(one, endedAt - SURELY_PAIRED_MS)) continue;
		const other = connections.find(
			(other) =>
				other !== one && isOpen(other, endedAt) && isOpen(other, endedAt - SURELY_PAIRED_MS),
		);
		if (other && told.filter((at) => Math.abs(at - endedAt) <= 5).length !== 1) {
			report('statuses agree', `the loss of ${one.name} was not reported exactly once`, endedAt);
		}
	}
}

/** The promises of two connections that hold for every workflow, with or without status items. */
export function judgePair(world: World, process: Process, report: Report): void {
	if (!world.plan.twoConnections || world.wall.jumped) return;
	for (const one of process.connections) judgeStopped(world, process, one, report);
	judgeOneSession(world, process, report);
}

/** A connection that delivered none of the events of the other one is replaced. */
function judgeStopped(world: World, process: Process, one: Connection, report: Report): void {
	const { deafAt, endedAt = Infinity, name } = one;
	if (deafAt === undefined || !isOpen(one, deafAt - SURELY_PAIRED_MS)) return;
	for (const other of process.connections) {
		if (other === one || !isOpen(other, deafAt - SURELY_PAIRED_MS)) continue;
		const lacking = other.arrivals.filter(
			({ sent, at }) => sent.at > deafAt && at > deafAt && at < endedAt,
		);
		const second = lacking[1];
		if (!second) continue;
		const until = second.at + COMPARED_MS + SLACK_MS;
		if (until >= endedAt || !isOpen(other, until) || until > world.timeline.now) continue;
		if (process.dead && until >= (process.endedAt as number)) continue;
		if (stoodStill(process, deafAt - SURELY_PAIRED_MS, until)) continue;
		report(
			'a connection that stopped is replaced',
			`${name} lacked two events that ${other.name} had delivered, and was kept`,
			until,
		);
	}
}

/** With a provider that allows one session the feed keeps one connection, and tries a second one every half an hour. */
function judgeOneSession(world: World, process: Process, report: Report): void {
	const opened = process.connections.filter(({ openedAt }) => openedAt !== undefined);
	const attempts = attemptsOf(process, world.provider.logins);
	const renewedAt = ({ tokenKnownUntil }: Connection) =>
		renewalAt(world, tokenKnownUntil) - SLACK_MS;
	const leaveInPeace = (from: number, only: Connection, why: string) => {
		const until = Math.min(from + ONE_LINE_MS - SLACK_MS, renewedAt(only));
		const early = attempts.find(
			({ login: { at } }) =>
				at > from && at < until && isOpen(only, at) && !wasSilent(world, only, at),
		);
		if (early) {
			const after = ((early.login.at - from) / 1_000).toFixed(1);
			report('a single session is left alone', `a login ${after} s after ${why}`, early.login.at);
		}
	};
	for (const { login } of attempts) {
		const { endedAt: at = Infinity, result, askedToWaitMs } = login;
		const only = opened.find((one) => isOpen(one, login.at) && isOpen(one, at));
		const open = opened.filter((one) => isOpen(one, at));
		if (result !== 'refused' || askedToWaitMs || !only || open.length !== 1) continue;
		if (login.at >= renewedAt(only) || wasSilent(world, only, at)) continue;
		leaveInPeace(at, only, 'a second one was rejected');
	}
	const endedForNext = (index: number) => {
		const [one, next] = [opened[index], opened[index + 1]];
		if (!one || !next) return undefined;
		const { subscribedAt, endedAt = Infinity, endedBy } = one;
		// The provider did not serve it, and so ended it for another reason, such as the end of its token.
		if (subscribedAt === undefined) return undefined;
		const { openedAt = Infinity } = next;
		const soon = endedAt >= openedAt && endedAt < openedAt + ENDS_SECOND_MS;
		const renewed = endedAt >= renewedAt(one) || wasSilent(world, one, openedAt);
		return endedBy === 'server' && soon && !renewed ? endedAt : undefined;
	};
	for (const [index] of opened.entries()) {
		const at = endedForNext(index + 1);
		if (endedForNext(index) === undefined || at === undefined) continue;
		leaveInPeace(at, opened[index + 2] as Connection, 'the provider had ended a connection twice');
	}
}

/** A connection that was silent for too long gets a successor, and the feed keeps trying until there is one. */
function wasSilent({ plan }: World, one: Connection, until: number): boolean {
	const silenceMs = plan.silenceTimeoutMinutes * MINUTE;
	return silenceMs > 0 && longestSilence(one, until) >= silenceMs - SLACK_MS;
}
