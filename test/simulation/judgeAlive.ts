// Whether the signs of life are true: nothing that was sent before `covered_until` is missing without a gap that was
// told before, and `covered_until` is not far behind as long as the feed lives.
import {
	arrivalsOf,
	beyondTransit,
	endOf,
	isHeldBack,
	isOpen,
	stoodStill,
	deliversUntil,
	LONGEST_DELIVERY_MS,
	type Report,
	type ToldGap,
} from './facts';
import { deafFrom, isOpenThroughout, isOwed } from './judgeOwed';
import type { Delivery, Instance } from './n8n';
import { MINUTE, SECOND } from './plan';
import type { World } from './simulation';
import type { Sent } from './traffic';

/** The most that `covered_until` is behind while the feed lives: a ping interval, and what is in transit. */
const BEHIND_MS = 30 * SECOND;
/** A connection lives when it has been served for so long that a ping has shown it. */
const LIVING_MS = 35 * SECOND;

/** What the signs of life of a seed come to. */
export interface Watermark {
	signs: number;
	/** Those that came while the feed lived, and how many of these were further behind than {@link BEHIND_MS}. */
	living: number;
	behind: number;
	/** Seconds that were vouched for although an event was lost in them that could be noticed, and that could not. */
	lies: number;
	unknowable: number;
}

export const noWatermark = (): Watermark => ({
	signs: 0,
	living: 0,
	behind: 0,
	lies: 0,
	unknowable: 0,
});

export function judgeAlive(
	world: World,
	instances: Instance[],
	deliveries: readonly Delivery[],
	told: readonly ToldGap[],
	marks: Watermark,
	report: Report,
): void {
	// The times in an item mean little after the clock was set.
	if (world.wall.jumped) return;
	const arrivals = arrivalsOf(world);
	const silenceMs = (world.plan.silenceTimeoutMinutes || Infinity) * MINUTE;
	const vouched = { lies: new Set<number>(), unknowable: new Set<number>() };
	for (const instance of instances) {
		const signs = deliveries.filter(
			(one) => one.instance === instance && one.json.event === 'alive',
		);
		const from = beginOf(instance, instances);
		const lost = world.provider.events.filter(
			(sent) =>
				sent.at >= from && !sent.withheld && !sent.dropped && !hasArrived(sent, instance, arrivals),
		);
		for (const sign of signs) {
			const { json, order } = sign;
			const at = meant(world, json.date);
			marks.signs++;
			const isConnected = instance.process.connections.some((one) => isOpen(one, at));
			const isSure = !instance.process.connections.some(
				({ openedAt = 0, endedAt = 0 }) => openedAt === at || endedAt === at,
			);
			if (isSure && !instance.struggled && json.connected !== isConnected)
				report('signs of life are true', `connected is ${String(json.connected)}`, at);
			if (json.covered_until === null) continue;
			const until = meant(world, json.covered_until);
			if (until > at) report('signs of life are true', 'it vouches for the future', at);
			if (isLiving(world, instance, at)) {
				marks.living++;
				if (at - until > BEHIND_MS) {
					marks.behind++;
					world.story.tell(`judge: ${((at - until) / SECOND).toFixed(0)} s behind at ${at}`);
				}
			}
			for (const sent of lost) {
				const slack = beyondTransit(world, sent);
				if (sent.at > until - slack) break;
				const isTold = told.some(
					(one) =>
						one.delivery.order < order && one.from - 1 <= sent.at + slack && sent.at <= one.to + 1,
				);
				if (isTold) continue;
				const second = Math.floor(sent.at / SECOND);
				const isKnowable =
					isOwed(sent, instances, silenceMs) &&
					!isHeldBack(world, sent) &&
					!isDeafYet(instance, sent, at);
				vouched[isKnowable ? 'lies' : 'unknowable'].add(second);
				if (isKnowable)
					report(
						'signs of life are true',
						`${instance.workflow.id} was told that everything is here up to ${((at - until) / SECOND).toFixed(1)} s before, but event ${sent.id} was lost ${((at - sent.at) / SECOND).toFixed(1)} s before`,
						at,
					);
			}
		}
	}
	marks.lies += vouched.lies.size;
	marks.unknowable += vouched.unknowable.size;
}

const meant = ({ wall }: World, time: unknown) => Math.max(...wall.meant(Date.parse(String(time))));

const hasArrived = (
	{ id }: Sent,
	{ process }: Instance,
	arrivals: ReturnType<typeof arrivalsOf>,
): boolean => (arrivals.get(id) ?? []).some(({ connection }) => connection.host === process);

/** From when on an instance can vouch for anything: its first connection, or the end of n8n's process before. */
function beginOf(instance: Instance, instances: readonly Instance[]): number {
	const before = instances.findLast(
		(one) => one.process !== instance.process && endOf(one) <= instance.startedAt,
	);
	if (instance.activation === 'init' && instance.hadPosition && before) return endOf(before);
	const first = instance.process.connections.find(
		({ subscribedAt, endedAt = Infinity }) =>
			subscribedAt !== undefined && endedAt > instance.startedAt,
	);
	const from = Math.max(first?.subscribedAt ?? Infinity, instance.upAt ?? Infinity);
	return from + LONGEST_DELIVERY_MS;
}

/** Whether a connection had served the feed for a while, in a network and a process that held nothing back. */
function isLiving(world: World, { process }: Instance, at: number): boolean {
	const { plan, begin } = world;
	const isDisturbed = plan.faults.some(
		({ kind, at: since, forMs }) =>
			['partition', 'slowNetwork'].includes(kind) &&
			begin + since <= at &&
			at <= begin + since + forMs + LIVING_MS,
	);
	if (isDisturbed || stoodStill(process, at - LIVING_MS, at)) return false;
	return process.connections.some(
		(one) =>
			(one.subscribedAt ?? Infinity) <= at - LIVING_MS &&
			deliversUntil(one) > at &&
			one.tokenKnownUntil - 3 * SECOND > at,
	);
}

/**
 * Whether a connection had stopped delivering then, and nothing had shown it when the sign was given: it was still taken
 * for a good one, or no event had come over any connection since, and one of them was always open.
 */
function isDeafYet({ process }: Instance, { at }: Sent, signAt: number): boolean {
	const { connections } = process;
	const isSilent = !connections.some(({ arrivals }) =>
		arrivals.some((one) => one.at > at && one.at < signAt),
	);
	if (isSilent && isOpenThroughout(connections, at, signAt)) return true;
	return connections.some((one) => {
		const { openedAt = Infinity, endedAt = Infinity, endedBy } = one;
		if (deafFrom(one) > at || openedAt > at) return false;
		// What the provider ends properly while another one is open counts up to its end: it may have moved on to that one.
		const isMoved = connections.some(
			(other) => other !== one && isOpen(other, endedAt - 1) && deafFrom(other) === Infinity,
		);
		return endedAt >= signAt || (endedBy === 'server' && isMoved);
	});
}
