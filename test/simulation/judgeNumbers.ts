/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What the numbers of the account's events show: `missed` counts what did not arrive.
import { Alikes, isOfN8n, toldIn, type Report, type ToldGap } from './facts';
import type { Delivery, Process } from './n8n';
import { SECOND } from './plan';
import type { World } from './simulation';
import { markIn, type Sent } from './traffic';

const RESTART = 'n8n was not running';

/** So many steps of one show that a feed counts by one. */
const STEPS = 10;
/** A number can come this much later than a higher one. */
const LATE_MS = 5 * SECOND;
/** The longest that an event is in transit. */
const TRANSIT_MS = 3_500;

export function judgeNumbers(world: World, deliveries: readonly Delivery[], report: Report): void {
	const { cpt } = world.plan.provider;
	if (world.wall.jumped || cpt === 'connection') return;
	// It is enough that an item was handed over; other rules check whether n8n ran it.
	const given = toldIn(world, deliveries, 'gap');
	// The same item may be handed over again.
	const gaps = [...new Map(given.map((gap) => [keyOf(gap), gap])).values()];
	// A full buffer may have dropped the gap item.
	const told = [...gaps, ...toldIn(world, deliveries, 'overflow')];
	for (const gap of gaps) {
		judgeCount(world, gap, report);
		if (cpt === 'account') judgeCountOfRestart(world, gap, { given: deliveries, told }, report);
	}
}

function keyOf({ item, delivery: { instance } }: ToldGap): string {
	return `${instance.process.number} ${instance.startedAt} ${JSON.stringify(item)}`;
}

/** `missed` is the number of events that did not arrive; it is present only if the feed was seen to count by one. */
function judgeCount(world: World, { item, delivery, to }: ToldGap, report: Report): void {
	const reason = String(item.reason);
	const { process } = delivery.instance;
	const { last_cpt: last, first_cpt: first, missed } = item;
	if (isOfN8n(reason) || typeof missed !== 'number') return;
	const complain = (what: string) =>
		report(
			'missed counts the events that did not arrive',
			`gap "${reason}" between ${String(last)} and ${String(first)}, ${missed} missed: ${what}`,
			delivery.at,
		);
	if (stepsOfOne(process, delivery.at) < STEPS) return complain('the numbers show nothing');
	if (typeof last !== 'number' || typeof first !== 'number') return;
	if (world.plan.provider.cpt !== 'account') return;
	const all = process.connections.flatMap(({ arrivals }) => arrivals);
	const ends = all
		.filter(({ sent }) => sent.cpt === first)
		.sort((a, b) => Math.abs(a.at - to) - Math.abs(b.at - to))[0];
	const { era } = ends?.sent ?? {};
	// Nothing can be concluded from two different numberings.
	if (era === undefined || !all.some(({ sent }) => sent.cpt === last && sent.era === era)) return;
	const isBetween = ({ era: of, cpt = NaN }: Sent) => of === era && cpt > last && cpt < first;
	const cameBetween = (until: number, isCounted = (_sent: Sent) => true) =>
		new Set(
			all
				.filter(({ sent, at }) => at <= until && isBetween(sent) && isCounted(sent))
				.map(({ sent: { cpt } }) => cpt),
		).size;
	// One of two events that look the same can be taken for a copy of the other one.
	const alikes = new Alikes(world.provider.events);
	const isUnique = (sent: Sent) => alikes.of(sent).length === 1;
	const between = first - last - 1;
	const soon = to - SECOND;
	// A numbering that has begun anew is not believed at once: then events that arrived may be included.
	const isNew = era > 0 && last <= STEPS;
	const most = between - (isNew ? 0 : cameBetween(soon, isUnique));
	const least = between - cameBetween(to + 2 * LATE_MS);
	if (missed > most || missed < least) {
		complain(`${most === least ? most : `${least} to ${most}`} did not come`);
	}
}

/** How many steps of one the connections of a process had shown by then. */
function stepsOfOne({ connections }: Process, until: number): number {
	const numbers = connections
		.flatMap(({ arrivals }) => arrivals.filter(({ at }) => at <= until))
		.map(({ sent: { era, cpt = NaN } }) => ({ era, cpt }))
		.sort((a, b) => a.era - b.era || a.cpt - b.cpt);
	return numbers.filter(({ era, cpt }, index) => {
		const before = numbers[index - 1];
		return before?.era === era && before.cpt === cpt - 1;
	}).length;
}

/**
 * Events from before a restart that n8n never got, and that no gap reported, are included in the count of the restart's
 * gap.
 */
function judgeCountOfRestart(
	{ provider }: World,
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
	const ends = provider.events.findLast(({ cpt, at }) => cpt === first && at <= to + SECOND);
	const begins = provider.events.findLast(({ cpt, at }) => cpt === last && at <= from + SECOND);
	// If the numbering restarted in between, nobody can count what was missing of the earlier one.
	if (begins?.era !== ends?.era) return;
	const untold = provider.events.filter(
		({ id, era, cpt = 0, at, withheld }) =>
			era === ends?.era &&
			cpt < first &&
			at > from + SECOND &&
			at < to &&
			!given.has(id) &&
			// Only a number shows that the provider sent it to nobody, and no number is compared across an earlier gap.
			withheld !== true &&
			!others.some((gap) => gap.from <= at + TRANSIT_MS && at <= gap.to),
	);
	if (untold.length <= missed) return;
	report(
		'missed counts the events that did not arrive',
		`gap "${reason}" before ${first}: ${missed} missed, but ${untold.length} did not arrive`,
		delivery.at,
	);
}
