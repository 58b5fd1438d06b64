// Alerts and snapshots through the node itself, over real sockets, compared with the simulator's own ledger.

import { getGlobalState, setGlobalState, type IDataObject } from 'n8n-workflow';
import { startProvider, type Provider } from '../../../simulator';
import { HandClock } from '../../support/world';
import { ActiveTrigger, credentialsFor, startTest } from './harness';

let provider: Provider;

beforeEach(async () => {
	provider = await startProvider({ seed: 12 });
});

afterEach(async () => {
	await provider.close();
});

const active = async (parameters: IDataObject, workflowId: string, clock?: HandClock) => {
	const credentials = credentialsFor(provider);
	const trigger = await new ActiveTrigger({ parameters, credentials, workflowId, clock }).start();
	await provider.control.waitForSockets(1);
	return trigger;
};

it('a test run shows a snapshot at once, with every agent of the login, in one execution', async () => {
	const run = await startTest({
		parameters: { mode: 'snapshots', snapshotOf: [] },
		credentials: credentialsFor(provider),
	});
	const [items] = await run.result;
	const events = (items ?? []).map(({ json }) => json.event);
	expect(events.filter((event) => event === 'agent').length).toBeGreaterThan(5);
	expect(events.at(-1)).toBe('totals');
	await run.ended;
});

it('the time zone DEFAULT is that of the instance', async () => {
	const before = getGlobalState();
	setGlobalState({ defaultTimezone: 'Asia/Tokyo' });
	try {
		const run = await startTest({
			parameters: { mode: 'snapshots', snapshotOf: ['totals'], snapshotWhen: 'interval' },
			credentials: credentialsFor(provider),
			timeZone: 'DEFAULT',
		});
		const [items] = await run.result;
		expect(items?.[0]?.json).toMatchObject({ time_zone: 'Asia/Tokyo', event: 'totals' });
		await run.ended;
	} finally {
		setGlobalState(before);
	}
});

it.each(['Pacific', 'UTC+2', ''])(
	'publishing fails in the unknown time zone "%s"',
	async (timeZone) => {
		const credentials = credentialsFor(provider);
		const parameters = { mode: 'snapshots' };
		await expect(new ActiveTrigger({ parameters, credentials, timeZone }).start()).rejects.toThrow(
			`The workflow's time zone "${timeZone}" is unknown`,
		);
	},
);

it('snapshots agree with what really happened in each queue, and add up', async () => {
	const clock = new HandClock(Date.now());
	const board = { mode: 'snapshots', snapshotOf: ['queues'], every: 1 };
	const trigger = await active(board, 'board', clock);
	const last = await active({ filters: { agentIds: '999' } }, 'last', clock);
	await provider.control.generate(6_000);
	// A trigger that subscribed later gets each event later: when this one has it, the board has all of them.
	provider.control.send('UI', 'login', { id_operator: 999 });
	await last.untilItems(1);
	// Callers who gave up are counted when no other queue has got the call for a few seconds.
	await clock.turn(10_000);
	const really = () => {
		const queues = new Map<string, { waiting: number; answered: number; abandoned: number }>();
		for (const { legs } of provider.control.calls()) {
			for (const { queue, answers, left } of legs) {
				if (queue === null) continue;
				const counts = queues.get(queue) ?? { waiting: 0, answered: 0, abandoned: 0 };
				queues.set(queue, counts);
				if (answers.length > 0) counts.answered++;
				else if (left === null) counts.waiting++;
				else if (left === 'abandoned') counts.abandoned++;
			}
		}
		return queues;
	};
	const ledger = really();
	expect(ledger.size).toBeGreaterThan(1);
	const agrees = (items: IDataObject[]) =>
		[...ledger].every(([id, { waiting, answered, abandoned }]) =>
			items.some(
				(item) =>
					item.id_queue === id &&
					item.waiting === waiting &&
					item.answered === answered &&
					Number(item.abandoned) + Number(item.short_abandoned) === abandoned,
			),
		);
	await trigger.until(({ executions }) =>
		agrees((executions.at(-1)?.items ?? []).map(({ json }) => json)),
	);
	for (const item of trigger.items) {
		const { answered, abandoned, short_abandoned: short, overflowed = 0, waiting } = item;
		const parts = [answered, abandoned, short, overflowed, waiting].map(Number);
		expect(item.offered).toBe(parts.reduce((sum, part) => sum + part, 0));
	}
	await trigger.close();
	await last.close();
});

it('an alert begins without an event, and is unknown after an interruption', async () => {
	const alerts = { alert: [{ when: 'callerWaiting', waitSeconds: 1 }] };
	const trigger = await active(
		{ mode: 'alerts', alerts, options: { emitResolved: true } },
		'alert',
	);
	provider.control.send('queue', 'insert_call', { id_call: 7, id_queue: 51 });
	const [started] = await trigger.untilItems(1);
	expect(started).toMatchObject({ event: 'started', id_call: '7', id_queue: '51' });
	// In seconds; a busy machine checks a little later.
	expect(started?.value).toBeGreaterThanOrEqual(1);
	provider.control.destroySockets();
	const [, ended] = await trigger.untilItems(2);
	expect(ended).toMatchObject({ event: 'unknown', reason: 'feed-gap', id_call: '7' });
	await trigger.close();
});

it('a trigger that joins an open feed is told at once what is already going on, with the names of the login', async () => {
	const first = await active(
		{ mode: 'alerts', alerts: { alert: [{ when: 'callerWaiting', waitSeconds: 1 }] } },
		'first',
	);
	provider.control.send('queue', 'insert_call', { id_call: 7, id_queue: 51 });
	for (const { id } of provider.plan.agents)
		provider.control.send('UI', 'logout', { id_operator: id });
	provider.control.send('UI', 'pause', { id_operator: 501, supp: 1 });
	await first.untilItems(1);
	const second = await active(
		{
			mode: 'alerts',
			alerts: {
				alert: [
					{ when: 'callerWaiting', waitSeconds: 1 },
					{ when: 'agentOnBreak', breakSeconds: 1 },
					{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 0 },
				],
			},
			// Its position is saved with each execution, so it needs the feed from the first one on.
			options: { emitFeedStatus: true },
		},
		'second',
	);
	await second.until(({ items }) => items.filter(({ event }) => event === 'started').length === 3);
	const told = second.items.filter(({ event }) => event === 'started');
	expect(told.map(({ when }) => when).sort()).toEqual([
		'agentOnBreak',
		'agentsAvailableBelow',
		'callerWaiting',
	]);
	expect(told.find(({ when }) => when === 'agentOnBreak')).toMatchObject({
		agent: { id: '501', name: 'Ada Martin' },
		pause: { id: '1', name: 'Lunch' },
	});
	await second.close();
	await first.close();
});
