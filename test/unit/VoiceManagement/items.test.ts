/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The loop over items: a list at a provider that does not answer, and an execution that is cancelled.

import { NodeApiError, type IExecuteFunctions, type INode } from 'n8n-workflow';
import { runItems, type Operation, type Resource } from '../../../nodes/VoiceManagement/operation';

const node = { id: 'n', name: 'Voice', type: 'voiceManagement', typeVersion: 1 } as INode;
const unanswered = () => new NodeApiError(node, { message: 'The provider did not respond' });
const refused = () => new NodeApiError(node, { message: 'No' }, { httpCode: '404' });

/** Runs one item after the other; each takes as long as `run` turns the clock. */
function list(count: number, run: (item: number, turn: (ms: number) => void) => Promise<void>) {
	let now = 0;
	const controller = new AbortController();
	const asked: number[] = [];
	let waits = false;
	const get: Operation = {
		value: 'get',
		name: 'Get',
		action: 'Get a thing',
		description: 'Gets a thing',
		credential: 'voiceManagementApi',
		endpoint: 'GET /thing',
		output: 'a thing',
		fields: [],
		run: async ({ itemIndex, client }) => {
			asked.push(itemIndex);
			await run(itemIndex, (ms) => (now += ms));
			const { timing } = client as unknown as { timing: Timing };
			if (waits) await timing.sleep(60_000);
			return { done: itemIndex };
		},
	};
	const resources: Resource[] = [{ value: 'thing', name: 'Thing', operations: [get], begins: get }];
	const n8n = {
		getNode: () => node,
		getInputData: () => Array.from({ length: count }, (_, n) => ({ json: { n } })),
		getNodeParameter: (name: string) => (name === 'resource' ? 'thing' : 'get'),
		getExecutionCancelSignal: () => controller.signal,
		continueOnFail: () => true,
	} as unknown as IExecuteFunctions;
	const sleep = async () => await new Promise<void>(() => {});
	return {
		asked,
		cancel: () => controller.abort(),
		start: async (waiting = false) => {
			waits = waiting;
			return await runItems(n8n, resources, { sleep, now: () => now, random: () => 0 });
		},
	};
}

interface Timing {
	sleep(ms: number): Promise<void>;
}

it('fifty items at a provider that does not answer take as long as three of them', async () => {
	const { start, asked } = list(50, async (_item, turn) => {
		turn(120_000);
		return await Promise.reject(unanswered());
	});
	const [items = []] = await start();
	expect(asked).toEqual([0, 1, 2]);
	expect(items).toHaveLength(50);
	expect(items[2]?.json.error).toBe('The provider did not respond');
	expect(items[3]?.json).toMatchObject({
		n: 3,
		error: expect.stringContaining('Not sent'),
		description: expect.stringContaining('run the workflow again'),
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		Array.from({ length: 50 }, (_, item) => ({ item })),
	);
});

it.each([
	['an item in between that got a response', refused(), 120_000],
	['items that failed at once', unanswered(), 50],
])('every item is sent after %s', async (_, error, ms) => {
	const { start, asked } = list(12, async (item, turn) => {
		turn(item % 3 === 2 ? ms : ms > 1000 ? 120_000 : ms);
		return await Promise.reject(item % 3 === 2 ? error : unanswered());
	});
	await start();
	expect(asked).toHaveLength(12);
});

const wrongLogin = () =>
	Object.assign(new NodeApiError(node, { message: '' }, { httpCode: '401' }), {
		message: 'Wrong login',
	});

it('a refused login is sent once: the provider may lock the account', async () => {
	const { start, asked } = list(50, async () => await Promise.reject(wrongLogin()));
	const [items = []] = await start();
	expect(asked).toEqual([0]);
	expect(items).toHaveLength(50);
	expect(items[0]?.json).toMatchObject({ error: 'Wrong login', statusCode: 401 });
	expect(items[1]?.json).toMatchObject({
		n: 1,
		error: 'Not sent, since the login was refused: Wrong login',
		description: expect.stringContaining('#login-refused'),
	});
});

it('a 401 after the login was accepted is about its item', async () => {
	const { start, asked } = list(9, async (item) => {
		if (item % 2 === 1) await Promise.reject(wrongLogin());
	});
	await start();
	expect(asked).toHaveLength(9);
});

it('a cancelled execution ends while it waits, and says no more than that', async () => {
	const { start, cancel, asked } = list(3, async () => await Promise.resolve());
	const ended = start(true);
	const outcome = expect(ended).rejects.toMatchObject({
		message: 'The execution was canceled',
		description: undefined,
	});
	await new Promise((resolve) => setImmediate(resolve));
	cancel();
	await outcome;
	expect(asked).toEqual([0]);
});
