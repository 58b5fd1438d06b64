// Whether the feed's status items match what happened: it connected, it disconnected, one of two connections was lost, a
// login was rejected.
import { endOf, stoodStill, type Report } from './facts';
import { isOpenAt } from './judgeLogins';
import { judgeLostConnections } from './judgePair';
import type { Delivery, Instance } from './n8n';
import type { Connection } from './network';
import { MINUTE } from './plan';
import type { World } from './simulation';

const HOUR = 60 * MINUTE;

export function judgeStatuses(
	world: World,
	instance: Instance,
	deliveries: Delivery[],
	report: Report,
): void {
	if (instance.upAt === undefined || world.wall.jumped) return;
	const items = deliveries
		.filter((one) => one.instance === instance && one.json.type_notification === 'feed')
		.sort(
			(a, b) =>
				Date.parse(String(a.json.date)) - Date.parse(String(b.json.date)) || a.order - b.order,
		);
	// What n8n did not run was given to it again, or lost with it: the order in which the workflow learned of it is not known.
	if (items.some(({ ran }) => !ran)) return;
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
	// Otherwise items at the end may be missing. n8n does not close triggers that are still starting when it stops.
	const { process, closingAt = Infinity, givenUp, discards } = instance;
	const inTrouble = world.n8n.troubles.some(({ to }) => to >= closingAt);
	const isGivenUp = givenUp > 0 || discards;
	if (process.killed || closingAt === Infinity || isGivenUp || inTrouble) return;
	judgeLostConnections(world, instance, items, report);
	judgeRefusals(world, instance, items, report);
	if (instance.struggled) return;
	const said = items
		.map(({ json }) =>
			json.event === 'connected' ? 'C' : json.event === 'disconnected' ? 'D' : '',
		)
		.join('');
	const expected = `${beginningOf(world, instance)}${turnsOf(world, instance)}`;
	if (!new RegExp(`^${expected}$`).test(said)) {
		report(
			'statuses agree',
			`${instance.workflow.id} received "${said}" though "${expected}" happened`,
			endOf(instance),
		);
	}
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
	const refused = world.provider.logins.filter(
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

/** By then an attempt has failed that leads to no connection. */
const FIRST_ATTEMPT_MS = 3 * MINUTE;

/** An instance that is not connected is told so once, unless its login was refused. */
function beginningOf(world: World, instance: Instance): string {
	const { process, startedAt } = instance;
	const until = startedAt + FIRST_ATTEMPT_MS;
	const isConnected = process.connections.some(
		({ openedAt = Infinity, endedAt = Infinity }) => openedAt < until && endedAt > startedAt,
	);
	const mayBeRefused = world.provider.logins.some(({ host, result, endedAt = Infinity, at }) =>
		host === process && result === 'refused' ? at < until && endedAt > startedAt - HOUR : false,
	);
	const mayMove = world.n8n.credentialSaves.length > 0;
	const isSure =
		!isConnected && !mayBeRefused && !mayMove && !stoodStill(process, startedAt, until);
	return isSure && endOf(instance) > until ? 'D' : 'D?';
}

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
	// One that ends as the instance begins may or may not be reported, and so may its end if the instance ends with it.
	const turn = until > from + 1 ? '(CD)?' : '(CD?)?';
	const before = spans.some((span) => Math.abs(span.to - from) <= 1) ? turn : '';
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
			const continues = plan.provider.keepsHistoryMs > 0;
			if (!isReported(-SLACK_MS) && !isFirst && !continues) return '';
			return isSure && span.from > from && span.to > from + 1 ? turn : `(${turn})?`;
		})
		.join('');
	return before + turns;
}
