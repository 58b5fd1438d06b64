// Whether the feed's status items match what happened: it connected, it disconnected, one of two connections was lost, a
// login was rejected.
import { endOf, stoodStill, type Report } from './facts';
import { areKeysUsedUp, isSeen, isUnseen } from './judgeHandOver';
import { isOpenAt } from './judgeLogins';
import { judgeLostConnections } from './judgePair';
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
		// An item that was handed over during an unnoticed outage counts as delivered: engine 2.0 may not have started
		// it, and the gap about that covers it. A `held` that still waited at the end did precede the `resumed` beside it.
		.filter(
			(one) =>
				one.ran ||
				one.died ||
				(!ran.has(wordsOf(one)) &&
					(isUnseen(world, one) ||
						(one.json.event === 'held' && stillWaited(world, one, deliveries)))) ||
				isInDoubt(world, one, given) ||
				isLeftInRows(world, one, given),
		)
		.sort(
			(a, b) =>
				Date.parse(String(a.json.date)) - Date.parse(String(b.json.date)) || a.order - b.order,
		);
	let refusedAt: number | undefined;
	let held: boolean | undefined;
	for (const { json, at } of items) {
		if (json.event === 'connected') refusedAt = undefined;
		if (json.event === 'refused') {
			const since = refusedAt;
			// One that ended before it delivered anything is not reported as connected.
			const opened = instance.process.connections.some(
				({ openedAt = 0 }) => since !== undefined && openedAt > since && openedAt <= at,
			);
			if (json.first === true && since !== undefined && !opened) {
				report('statuses agree', 'a second rejected login of an outage is called the first', at);
			}
			refusedAt = at;
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
		judgeLostConnections(world, instance, items, report);
		judgeRefusals(world, instance, items, report);
	}
	if (instance.struggled) return;
	const said = items
		.map(({ json }) =>
			json.event === 'connected' ? 'C' : json.event === 'disconnected' ? 'D' : '',
		)
		.join('');
	const expected = turnsOf(world, instance);
	// Items at the end may be missing if nobody could take them any more.
	const isPart = !complete && (instance.givenUp > 0 || inTrouble);
	const pattern = complete ? expected : cutShort(expected);
	if (!isPart && !new RegExp(`^${pattern}$`).test(said)) {
		report(
			'statuses agree',
			`${instance.workflow.id} received "${said}" though "${expected}" happened`,
			endOf(instance),
		);
	}
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

/** Whether n8n got the item while its database was down, which the trigger noticed then and reported. */
function isInDoubt(world: World, one: Delivery, given: readonly Delivery[]): boolean {
	return (
		isSeen(world, one) &&
		given.some(
			({ json, ran, at }) =>
				ran && at > one.at && String(json.reason).startsWith("n8n's database went down"),
		)
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

/** A connection that ends sooner than this without an event is not reported, and one that lasts longer is. */
const COVERS_MS = 5_000;
const SLACK_MS = 1_000;

/**
 * How the feed connected and disconnected while an instance listened, as a regular expression over C and D: `CD` for
 * each time in which a connection was open, in brackets if it may have been too short to be reported.
 */
function turnsOf({ plan }: World, instance: Instance): string {
	const { process, startedAt } = instance;
	const [from, until] = [startedAt, endOf(instance)];
	const spans: Array<{ from: number; to: number; connections: Connection[] }> = [];
	const opened = process.connections
		.filter(({ openedAt }) => openedAt !== undefined)
		.sort((a, b) => a.openedPlace - b.openedPlace);
	for (const connection of opened) {
		const { openedAt = 0, openedPlace, endedAt = Infinity } = connection;
		const last = spans.at(-1);
		const goesOn = last?.connections.some((one) => one.endedPlace > openedPlace);
		if (last && goesOn) {
			last.to = Math.max(last.to, endedAt);
			last.connections.push(connection);
		} else spans.push({ from: openedAt, to: endedAt, connections: [connection] });
	}
	// One that ends as the instance begins may or may not be reported.
	const before = spans.some((span) => Math.abs(span.to - from) <= 1) ? '(CD)?' : '';
	const turns = spans
		.filter((span) => span.to > from + 1 && span.from <= until)
		.map((span, index) => {
			const isFirst = index === 0;
			const isReported = (slack: number) =>
				span.connections.some(
					({ openedAt = 0, endedAt = Infinity, arrivals }) =>
						arrivals.some(({ at }) => at >= from + slack && at <= until - slack) ||
						Math.min(endedAt, until) - Math.max(openedAt, from) >= COVERS_MS + slack,
				);
			const isSure = isReported(SLACK_MS) && !stoodStill(process, span.from, span.to);
			// Changes at the moment of the beginning or the end may or may not be reported.
			const connected = span.from > until - SLACK_MS ? 'C?' : 'C';
			const disconnected = span.to > until + 1 ? '' : span.to > until - SLACK_MS ? 'D?' : 'D';
			const turn = `${connected}${disconnected}`;
			// One that continues the connection before it is reported as soon as it is open.
			const continues = plan.operator.keepsHistoryMs > 0;
			if (!isReported(-SLACK_MS) && !isFirst && !continues) return '';
			return isSure && span.from > from && span.to > from + 1 ? turn : `(${turn})?`;
		})
		.join('');
	return before + turns;
}

/** The same expression if it may end anywhere. */
function cutShort(turns: string): string {
	return (
		turns.replace(/[CD]/g, (turn) => `(${turn}`) + ')?'.repeat(turns.match(/[CD]/g)?.length ?? 0)
	);
}
