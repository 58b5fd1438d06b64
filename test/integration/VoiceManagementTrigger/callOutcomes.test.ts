// Call outcomes over real sockets, compared with the simulator's own ledger of calls.

import type { IDataObject } from 'n8n-workflow';
import { startProvider, type Provider } from '../../../simulator';
import { generateTraffic } from '../../../simulator/traffic/generate';
import type { CallRecord } from '../../../simulator/traffic/ledger';
import { HandClock } from '../../support/world';
import { ActiveTrigger, credentialsFor } from './harness';

const SEED = 11;
/** Events before and after the interruption, and in it. */
const PART = 4_000;
const LOST = 40;

let provider: Provider;

beforeAll(async () => {
	provider = await startProvider({ seed: SEED });
});

afterAll(async () => {
	await provider.close();
});

const unique = (list: Array<string | null>) => [...new Set(list.filter((entry) => entry !== null))];

/** What the item has to say; durations in seconds, to a second for each of their ends. */
function really({ legs, ...record }: CallRecord) {
	const missed = record.outcome === 'missed';
	const inQueue = legs.filter(({ queue }) => queue !== null);
	const waits = inQueue.length > 0 ? inQueue : legs;
	const answeredAt = legs.flatMap(({ answers }) => answers)[0]?.at;
	const waitedTo = answeredAt ?? (waits.at(-1)?.leftAt as number);
	return {
		event: missed ? 'missed' : 'ended',
		caller_id_num: record.caller,
		answered: !missed,
		id_operator: record.agent,
		agents: unique(legs.flatMap(({ answers }) => answers.map(({ agent }) => agent))),
		queues: unique(legs.map(({ queue }) => queue)),
		trunks: unique(legs.map(({ trunk }) => trunk)),
		wait: about(waitedTo - (waits[0]?.enteredAt as number), 1),
		// Of a trunk's own answer, nobody knows who had the call.
		talk: record.kind === 'trunk' && !missed ? 0 : about(talkOf(legs), legs.length),
	};
}

const about = (seconds: number, most: number): unknown => ({
	asymmetricMatch: (value: unknown) => Math.abs(Number(value) - seconds) <= most,
	toString: () => `about ${seconds}`,
	toAsymmetricMatcher: () => `about ${seconds}`,
});

/** Waiting after a transfer is no talk. */
function talkOf(legs: CallRecord['legs']): number {
	const talks = legs.map(({ answers: [first], leftAt }) => (first ? (leftAt ?? 0) - first.at : 0));
	return talks.reduce((sum, talk) => sum + talk, 0);
}

it('agree with what really happened, even if the feed is interrupted', async () => {
	const options = { batchSize: 1000, maxInFlight: 100 };
	const clock = new HandClock(Date.now());
	const trigger = await new ActiveTrigger({
		parameters: { mode: 'callOutcomes', outcomes: [], options },
		credentials: credentialsFor(provider),
		clock,
	}).start();
	const missedInSales = await new ActiveTrigger({
		parameters: {
			mode: 'callOutcomes',
			outcomes: ['missed'],
			filters: { queueIds: '301' },
			options,
		},
		credentials: credentialsFor(provider),
		workflowId: 'sales',
		clock,
	}).start();
	const watcher = await new ActiveTrigger({
		parameters: { filters: { agentIds: '999' }, options: { emitFeedStatus: true } },
		credentials: credentialsFor(provider),
		workflowId: 'watcher',
		clock,
	}).start();
	await provider.control.waitForSockets(1);

	const isFinal = ({ event }: IDataObject) => event === 'missed' || event === 'ended';
	// The same traffic as the provider's: when each event is due.
	const { at } = generateTraffic({ seed: SEED, events: 2 * PART + LOST });
	const began = clock.now();
	let sent = 0;
	/**
	 * Sends this many events, each at its second by the trigger's clock, and waits until they have arrived. The watcher
	 * subscribed last, so it gets each event last.
	 */
	const generated = async (count: number) => {
		const until = sent + count;
		while (sent < until) {
			const second = Math.floor(at[sent] as number);
			let next = sent;
			while (next < until && Math.floor(at[next] as number) === second) next++;
			await clock.turn(Math.max(0, began + second * 1000 - clock.now()));
			await provider.control.generate(next - sent);
			sent = next;
			// Without a time: the machine's is another one than the clock's, and would show an event that is late.
			const msg = { id_operator: 999, sent };
			provider.control.push({ event: { type_notification: 'UI', event: 'login', msg } });
			await watcher.until(({ executions }) =>
				executions.slice(-20).some(({ items }) => items.some(({ json }) => json.sent === next)),
			);
		}
	};
	/** Waits until the grace time of the calls that ended last is over. */
	const settled = async () => {
		const over = provider.control.calls().filter(({ endedAt }) => endedAt !== null);
		const latest = Math.max(...over.map(({ endedAt }) => endedAt as number));
		const ids = over.filter(({ endedAt }) => endedAt === latest).map(({ id }) => id);
		await clock.turn(10_000);
		await trigger.until(({ items }) =>
			ids.every((id) => items.some((item) => item.id_call === id && isFinal(item))),
		);
	};

	await generated(PART);
	provider.control.disconnectSockets();
	await provider.control.waitForSockets(0);
	// Lost in transit, since nobody is connected. Few enough that some calls begin before and end after it.
	const before = new Set(provider.control.calls().map(({ id }) => id));
	await provider.control.generate(LOST);
	sent += LOST;
	const begunUnseen = provider.control.calls().filter(({ id }) => !before.has(id));
	await provider.control.waitForSockets(1);
	await generated(PART);
	await watcher.until(
		({ items }) => items.filter(({ event }) => event === 'connected').length === 2,
	);

	// Of a call that began while nobody was connected, nothing shows that it was in another queue before.
	const leftOut = new Set(begunUnseen.map(({ id }) => id));
	const ledger = provider.control
		.calls()
		.filter(({ id, endedAt }) => endedAt !== null && !leftOut.has(id));
	await settled();
	await Promise.all([trigger.close(), missedInSales.close(), watcher.close()]);

	const finals = new Map<string, IDataObject[]>();
	for (const item of trigger.items.filter(isFinal)) {
		const id = item.id_call as string;
		finals.set(id, [...(finals.get(id) ?? []), item]);
	}
	let agree = 0;
	let partial = 0;
	let unseen = 0;
	for (const record of ledger) {
		const items = finals.get(record.id) ?? [];
		if (items.length === 0) unseen++;
		else if (items.every((item) => item.partial === true)) partial++;
		else {
			expect([record.id, items]).toEqual([record.id, [expect.objectContaining(really(record))]]);
			agree++;
		}
	}
	expect(agree).toBeGreaterThan(600);
	expect(partial).toBeGreaterThan(0);
	expect(trigger.items.some(({ reason }) => reason === 'feed-gap')).toBe(true);
	// Calls whose events, or whose end, were all in the interruption.
	expect(unseen + partial).toBeLessThan(120);

	const expected = ledger.filter(
		({ id, outcome, legs }) =>
			outcome === 'missed' &&
			legs.some(({ queue }) => queue === '301') &&
			finals.get(id)?.[0]?.partial === false,
	);
	// A call that was moving to another queue when the traffic stopped has no end in the ledger.
	const finished = new Set(ledger.map(({ id }) => id));
	const told = missedInSales.items.map(({ id_call }) => id_call as string);
	expect(told.filter((id) => finished.has(id)).sort()).toEqual(expected.map(({ id }) => id).sort());
});
