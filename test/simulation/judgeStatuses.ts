// Whether the feed's status items match what happened: it connected, it disconnected, one of two lines was lost, a
// login was rejected.
import { areKeysUsedUp, endOf, isUnseen, type Report } from './judge';
import { judgeLostLines } from './judgeLines';
import { isOpenAt } from './judgeLogins';
import { REJECTS_WITHIN_MS, type Delivery, type Instance } from './n8n';
import type { Connection } from './network';
import type { World } from './simulation';

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
		// An item that was handed over during an unnoticed outage counts as delivered: n8n 1.123 does not report it,
		// and there is no second try. The same goes for items that engine 2.0 may not have started; the gap about that
		// covers them. A `held` that still waited at the end did precede the `resumed` beside it.
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
				report('statuses agree', 'a second rejected login of an outage is called the first', at);
			}
			refused = true;
		}
		if (json.event === 'resumed' && held === false) {
			report('statuses agree', 'resumed without being held', at);
		}
		if (json.event === 'held' || json.event === 'resumed') held = json.event === 'held';
	}
	// n8n does not close triggers that are still starting when it stops.
	const wasClosed = !instance.process.killed && instance.closingAt !== undefined;
	const inTrouble = closedInTrouble(world, instance);
	const complete = wasClosed && instance.givenUp === 0 && !inTrouble;
	if (complete) {
		judgeLostLines(world, instance, items, report);
		judgeRefusals(world, instance, items, report);
	}
	const said = items.map(({ json }) => json.event as string).filter((event) => isTurn(event));
	const was = turnsOf(instance);
	// A change at the moment of the end may still be reported.
	const wasLater = turnsOf(instance, 1);
	// A change at the moment of the start may have happened before the instance was listening. One that n8n starts first
	// waits for the end of its predecessor.
	const waited = instance.activation === 'init' ? instance.upAt - instance.startedAt : 0;
	const whole = [0, 1].flatMap((later) =>
		[0, 1, waited].flatMap((after) => [
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
			`${instance.workflow.id} received "${said.join(' ')}" though it was "${was.join(' ')}"`,
			endOf(instance),
		);
	}
}

/** Whether all of them occur in this order, with anything in between. */
function isPartOf(some: readonly string[], all: readonly string[]): boolean {
	let next = 0;
	for (const one of all) if (one === some[next]) next++;
	return next === some.length;
}

/**
 * Whether n8n was killed, or the trigger closed, before the item could run: nothing new was handed over after n8n had
 * rejected it.
 */
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

/**
 * Whether the instance closed while n8n was in trouble: nobody reports what n8n rejects after the process has ended.
 */
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

/**
 * Whether each of the three keys of a batch may have left a row that nothing runs (n8n 2.41): the item then counts as
 * delivered, once.
 */
function isLeftInRows({ n8n }: World, one: Delivery, given: readonly Delivery[]): boolean {
	if (!n8n.isDeadRow(one.key)) return false;
	const words = JSON.stringify(one.json);
	const tries = given.filter(({ json }) => JSON.stringify(json) === words);
	return tries[0] === one && areKeysUsedUp(n8n, tries);
}

/** A rejected login is reported at once, and nothing else is reported as one. */
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
			report('statuses agree', 'a rejected login is reported though there was none', at);
		}
	}
	for (const { endedAt = Infinity, endedPlace } of refused) {
		if (endedAt <= upAt || endedAt >= endOf(instance)) continue;
		// While a connection is open, the rejected login of a renewal is not reported.
		if (isOpenAt(process, { at: endedAt, place: endedPlace })) continue;
		if (!told.some(({ date }) => Math.abs(endedAt - date) <= 5)) {
			report('statuses agree', 'a rejected login was not reported', endedAt);
		}
	}
}

const isTurn = (event: string) => event === 'connected' || event === 'disconnected';

/**
 * How the feed connected and disconnected while an instance listened.
 * @param last whether a connection that the client closed at the moment of the instance's end was closed before that
 * end, not by it
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
		// If one opens and another is closed at the same time, the opening counts first.
		.sort((a, b) => a.at - b.at || a.place - b.place || b.by - a.by);
	const turns: string[] = [];
	let open = 0;
	let joined = false;
	const end = endOf(instance) + later;
	for (const { at, by } of [...changes, { at: Infinity, by: 0 }]) {
		if (at > instance.startedAt + after && !joined && instance.startedAt < end) {
			joined = true;
			// A trigger that joins an open connection is told "connected".
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
