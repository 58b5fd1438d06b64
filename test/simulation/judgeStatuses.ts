// Whether what the feed says about itself is what was: it came, it went, one of two lines was lost, a login was refused.
import { endOf, isUnseen, type Report } from './judge';
import { judgeLostLines } from './judgeLines';
import { isOpenAt } from './judgeLogins';
import { REJECTS_WITHIN_MS, type Delivery, type Instance } from './n8n';
import type { Connection } from './network';
import type { World } from './simulation';

/** n8n is given a batch under so many keys at most. */
const MOST_KEYS = 3;

export function judgeStatuses(
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
		// What was given in an absence that nothing shows counts as told: n8n 1.123 says nothing of it, and it has no second
		// try. So does what engine 2.0 may not have started, which is in the gap that tells so.
		// A `held` that still waited at the end was none the less before the `resumed` beside it.
		.filter(
			(one) =>
				one.ran ||
				one.died ||
				(!ran.has(wordsOf(one)) &&
					(isUnseen(world, one, deliveries) ||
						(one.json.event === 'held' && stillWaited(world, one, deliveries)))) ||
				isInDoubt(world, one, given) ||
				isLeftInRows(world, one, given),
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
	// n8n does not close what is still starting when it stops.
	const wasClosed = !instance.process.killed && instance.closingAt !== undefined;
	const inTrouble = closedInTrouble(world, instance);
	const complete = wasClosed && instance.givenUp === 0 && !inTrouble;
	if (complete) {
		judgeLostLines(world, instance, items, report);
		judgeRefusals(world, instance, items, report);
	}
	const said = items.map(({ json }) => json.event as string).filter((event) => isTurn(event));
	const was = turnsOf(instance);
	// What happens in the moment of the end may still be told.
	const wasLater = turnsOf(instance, 1);
	// What happens in the moment of the start may come before it listens.
	const whole = [0, 1].flatMap((later) =>
		[0, 1].flatMap((after) => [
			turnsOf(instance, later, after),
			turnsOf(instance, later, after, false),
		]),
	);
	const same = complete
		? whole.some((turns) => said.join() === turns.join())
		: whole.some((turns) => turns.join().startsWith(said.join())) ||
			instance.givenUp > 0 ||
			(inTrouble && isPartOf(said, wasLater));
	if (!same && !instance.struggled) {
		report(
			'statuses agree',
			`${instance.workflow.id} was told "${said.join(' ')}" where it was "${was.join(' ')}"`,
			endOf(instance),
		);
	}
}

/** Whether all of them are there, in this order, whatever lies between. */
function isPartOf(some: readonly string[], all: readonly string[]): boolean {
	let next = 0;
	for (const one of all) if (one === some[next]) next++;
	return next === some.length;
}

/** Whether n8n was killed, or the trigger closed, before it could run: nothing new was given after n8n had rejected it. */
function stillWaited(world: World, one: Delivery, deliveries: readonly Delivery[]): boolean {
	const { instance } = one;
	const discards = instance.givenUp > 0 || closedInTrouble(world, instance);
	if (!instance.process.killed && !discards) return false;
	const tries = new Map<string, { first: number; last: number }>();
	for (const { json, at, instance: its } of deliveries) {
		if (its !== instance) continue;
		const words = JSON.stringify(json);
		tries.set(words, { first: tries.get(words)?.first ?? at, last: at });
	}
	const rejectedBy = (tries.get(JSON.stringify(one.json))?.last ?? one.at) + REJECTS_WITHIN_MS;
	return [...tries.values()].every(({ first }) => first <= rejectedBy);
}

/** What n8n rejects after the process is gone nobody tells. */
function closedInTrouble({ n8n }: World, { closingAt = Infinity, process }: Instance): boolean {
	return n8n.troubles.some(
		({ from, to }) =>
			process.endedAt !== undefined &&
			from <= closingAt &&
			(closingAt <= to || process.endedAt <= to + REJECTS_WITHIN_MS),
	);
}

function isInDoubt({ wall }: World, { at }: Delivery, given: readonly Delivery[]): boolean {
	const shown = wall.shown(at);
	return given.some(
		({ json, ran }) =>
			ran &&
			String(json.reason).startsWith("n8n's database went away") &&
			Date.parse(String(json.from)) <= shown &&
			shown <= Date.parse(String(json.to)),
	);
}

/** Each of the three keys that a batch may have left a row that nothing runs (n8n 2.41): then it counts as told, once. */
function isLeftInRows({ n8n }: World, one: Delivery, given: readonly Delivery[]): boolean {
	if (!n8n.isDeadRow(one.key)) return false;
	const words = JSON.stringify(one.json);
	const tries = given.filter(({ json }) => JSON.stringify(json) === words);
	const keys = [...new Set(tries.map(({ key }) => key))];
	const isDead = keys.length === MOST_KEYS && keys.every((key) => n8n.isDeadRow(key));
	return isDead && tries[0] === one;
}

/** A refusal is told as soon as it comes, and nothing else is called so. */
function judgeRefusals(
	world: World,
	instance: Instance,
	items: readonly Delivery[],
	report: Report,
): void {
	if (instance.struggled) return;
	const { process, upAt = Infinity } = instance;
	const refused = world.operator.logins.filter(
		({ host, result }) => host === process && result === 'refused',
	);
	const told = items
		.filter(({ json }) => json.event === 'refused')
		.map(({ json, at }) => ({
			date: Math.max(...world.wall.meant(Date.parse(String(json.date)))),
			at,
		}));
	for (const { date, at } of told) {
		if (!refused.some(({ endedAt = Infinity }) => Math.abs(endedAt - date) <= 5)) {
			report('statuses agree', 'a refusal is told where there was none', at);
		}
	}
	for (const { endedAt = Infinity, endedPlace } of refused) {
		if (endedAt <= upAt || endedAt >= endOf(instance)) continue;
		// While a connection goes on, a renewal that is refused concerns nobody.
		if (isOpenAt(process, { at: endedAt, place: endedPlace })) continue;
		if (!told.some(({ date }) => Math.abs(endedAt - date) <= 5)) {
			report('statuses agree', 'a refusal was not told', endedAt);
		}
	}
}

const isTurn = (event: string) => event === 'connected' || event === 'disconnected';

/**
 * How the feed came and went while an instance listened.
 * @param last what was let go of in the moment of its end was let go of before it, and not with it
 */
function turnsOf(instance: Instance, later = 0, after = 0, last = true): string[] {
	const endOfOne = ({ endedAt = Infinity, endedBy }: Connection) =>
		last || endedBy !== 'client' || endedAt < endOf(instance) ? endedAt : Infinity;
	const changes = instance.process.connections
		.flatMap((one) =>
			one.openedAt === undefined
				? []
				: [
						{ at: one.openedAt, place: one.openedPlace, by: 1 },
						{ at: endOfOne(one), place: one.endedPlace, by: -1 },
					],
		)
		// Of what opens and what is let go of at once, the first came first.
		.sort((a, b) => a.at - b.at || a.place - b.place || b.by - a.by);
	const turns: string[] = [];
	let open = 0;
	let joined = false;
	const end = endOf(instance) + later;
	for (const { at, by } of [...changes, { at: Infinity, by: 0 }]) {
		if (at > instance.startedAt + after && !joined && instance.startedAt < end) {
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
