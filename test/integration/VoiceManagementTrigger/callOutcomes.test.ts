// Call outcomes over real sockets, compared with the simulator's own ledger of calls.

import type { IDataObject } from 'n8n-workflow';
import { startOperator, type Operator } from '../../../simulator';
import type { CallRecord } from '../../../simulator/traffic/ledger';
import { HandClock } from '../../support/world';
import { ActiveTrigger, credentialsFor } from './harness';

jest.setTimeout(180_000);

let operator: Operator;

beforeAll(async () => {
	operator = await startOperator({ seed: 11 });
});

afterAll(async () => {
	await operator.close();
});

const unique = (list: Array<string | null>) => [...new Set(list.filter((entry) => entry !== null))];

function really(record: CallRecord) {
	const missed = record.outcome === 'missed';
	return {
		event: missed ? 'missed' : 'ended',
		caller_id_num: record.caller,
		answered: !missed,
		id_operator: record.agent,
		agents: unique(record.legs.flatMap(({ answers }) => answers.map(({ agent }) => agent))),
		queues: unique(record.legs.map(({ queue }) => queue)),
		trunks: unique(record.legs.map(({ trunk }) => trunk)),
		transfers: record.transfers,
		wait: missed ? (record.endedAt as number) - record.startedAt : record.wait,
		talk: missed ? 0 : talkOf(record),
		started: new Date(record.startedAt * 1000).toISOString(),
		ended: new Date((record.endedAt as number) * 1000).toISOString(),
	};
}

/** Waiting after a transfer is no talk. */
function talkOf({ legs }: CallRecord): number {
	const talks = legs.map(({ answers: [first], leftAt }) => (first ? (leftAt ?? 0) - first.at : 0));
	return talks.reduce((sum, talk) => sum + talk, 0);
}

it('agree with what really happened, even if the feed is interrupted', async () => {
	const options = { batchSize: 1000, maxInFlight: 100 };
	const clock = new HandClock(Date.now());
	const trigger = await new ActiveTrigger({
		parameters: { mode: 'callOutcomes', outcomes: [], options },
		credentials: credentialsFor(operator),
		clock,
	}).start();
	const missedInSales = await new ActiveTrigger({
		parameters: {
			mode: 'callOutcomes',
			outcomes: ['missed'],
			filters: { queueIds: '301' },
			options,
		},
		credentials: credentialsFor(operator),
		workflowId: 'sales',
		clock,
	}).start();
	const watcher = await new ActiveTrigger({
		parameters: { filters: { agentIds: '999' }, options: { emitFeedStatus: true } },
		credentials: credentialsFor(operator),
		workflowId: 'watcher',
		clock,
	}).start();
	await operator.control.waitForSockets(1);

	const isFinal = ({ event }: IDataObject) => event === 'missed' || event === 'ended';
	/**
	 * Sends this many events and waits until they have arrived. The watcher subscribed last, so it gets each event
	 * last.
	 */
	const generated = async (count: number) => {
		await operator.control.generate(count);
		const { cpt } = operator.control.send('UI', 'login', { id_operator: 999 });
		await watcher.until(({ items }) => items.some((item) => item.cpt === cpt));
	};
	/** Waits until the grace time of the calls that ended last is over. */
	const settled = async () => {
		const over = operator.control.calls().filter(({ endedAt }) => endedAt !== null);
		const latest = Math.max(...over.map(({ endedAt }) => endedAt as number));
		const ids = over.filter(({ endedAt }) => endedAt === latest).map(({ id }) => id);
		await clock.turn(10_000);
		await trigger.until(({ items }) =>
			ids.every((id) => items.some((item) => item.id_call === id && isFinal(item))),
		);
	};

	await generated(8_000);
	await settled();
	operator.control.disconnectSockets();
	await operator.control.waitForSockets(0);
	// Lost in transit, since nobody is connected. Few enough that some calls begin before and end after it.
	await operator.control.generate(40);
	await operator.control.waitForSockets(1);
	await generated(8_000);
	await watcher.until(
		({ items }) => items.filter(({ event }) => event === 'connected').length === 2,
	);

	const ledger = operator.control.calls().filter(({ endedAt }) => endedAt !== null);
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
	expect(agree).toBeGreaterThan(1200);
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
