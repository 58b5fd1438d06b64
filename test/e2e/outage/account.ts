// What became of the events of one workflow: which ones its executions reported, and which of the others the workflow
// was told about. Pure functions.
import type { Report } from '../support/sink';
import { nth } from '../../support/present';

/** An event that the provider sent. */
export interface Sent {
	/** `id_call`, which counts up within a stream. */
	call: string;
	cpt: number;
	/** Milliseconds since 1970. */
	at: number;
}

export interface Account {
	sent: number;
	/** How many different events were reported. */
	arrived: number;
	/** How many events were reported again. */
	twice: number;
	/** Events behind a later one of the same execution, and executions overtaken by more than can run at once. */
	outOfOrder: number;
	/** Status items by their event. */
	told: Record<string, number>;
	/** Events that did not arrive, but are within a reported gap or among those reported as dropped. */
	toldMissing: number;
	/** Events that did not arrive and were not reported as missing. */
	lost: number;
}

/** The status items of a workflow, in order. */
export const statusesIn = (reports: readonly Report[]) =>
	reports.flatMap(({ items }) => items).filter((item) => item.type_notification === 'feed');

/** @param maxInFlight the number of executions at once, which is how many may overtake one another */
export function accountFor(
	sent: readonly Sent[],
	reports: readonly Report[],
	maxInFlight: number,
): Account {
	const statuses = statusesIn(reports);
	const events = reports
		.flatMap(({ items }) => items)
		.filter((item) => item.type_notification !== 'feed');
	const arrived = new Set(events.map((item) => String(item.id_call)));
	const missing = sent.filter(({ call }) => !arrived.has(call));
	const gaps = statuses.filter(({ event }) => event === 'gap');
	const unexplained = gaps.reduce(withoutTold, missing);
	const dropped = statuses.reduce(
		(sum, { event, dropped: count }) => sum + (event === 'overflow' ? Number(count) : 0),
		0,
	);
	const lost = Math.max(0, unexplained.length - dropped);
	const told: Record<string, number> = {};
	for (const { event } of statuses) told[String(event)] = (told[String(event)] ?? 0) + 1;
	return {
		sent: sent.length,
		arrived: arrived.size,
		twice: events.length - arrived.size,
		outOfOrder: countDisorder(reports, maxInFlight),
		told,
		toldMissing: missing.length - lost,
		lost,
	};
}

/** How long an event may take from the provider to the feed, on a busy machine. */
const WAY_MS = 5_000;

/** The missing events without those of a gap: by its numbers if it has both, else by its times and its count. */
function withoutTold(missing: Sent[], gap: Record<string, unknown>): Sent[] {
	const { last_cpt: last, first_cpt: first } = gap;
	if (typeof last === 'number' && typeof first === 'number')
		return missing.filter(({ cpt }) => cpt <= last || cpt >= first);
	// The feed knows when an event arrived, which is after it was sent.
	const [from, to] = [Date.parse(String(gap.from)) - WAY_MS, Date.parse(String(gap.to))];
	const within = missing.filter(({ at }) => at >= from && at <= to);
	const count = typeof gap.missed === 'number' ? gap.missed : within.length;
	const told = new Set(within.slice(Math.max(0, within.length - count)));
	return missing.filter((event) => !told.has(event));
}

function countDisorder(reports: readonly Report[], maxInFlight: number): number {
	const batches = reports
		.map(({ items }) => items.filter(({ cpt }) => cpt !== undefined).map(({ cpt }) => Number(cpt)))
		.filter(({ length }) => length > 0);
	const within = batches.reduce(
		(sum, batch) =>
			sum + batch.filter((cpt, index) => index > 0 && cpt < nth(batch, index - 1)).length,
		0,
	);
	const first = batches.map((batch) => nth(batch, 0));
	const ranks = new Map(
		[...first].sort((one, other) => one - other).map((cpt, rank) => [cpt, rank]),
	);
	let highest = -1;
	let overtaken = 0;
	for (const cpt of first) {
		const rank = ranks.get(cpt)!;
		if (highest - rank >= maxInFlight) overtaken++;
		highest = Math.max(highest, rank);
	}
	return within + overtaken;
}

/** One readable line of a table. */
export function accountRow(title: string, account: Account): string {
	const { sent, arrived, twice, outOfOrder, told, toldMissing, lost } = account;
	const list = Object.entries(told)
		.map(([event, count]) => `${count} ${event}`)
		.join(', ');
	return `| ${[title, sent, arrived, twice, outOfOrder, list || '–', toldMissing, lost].join(' | ')} |`;
}
