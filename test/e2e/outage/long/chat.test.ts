// A service at the end of the workflow answers 500 for minutes: with Retry Failed every event arrives there, none twice.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startBench, type OwnBench } from '../../support/bench';
import { chain, reportNodes, triggerNode } from '../../support/workflows';
import { pause } from '../drill';

const DOWN_MS = 600_000;
const EVENTS = 90;
/** Failed executions are repeated 30, 90, 210, 450 and 930 s after the first one: at most 480 s pass between two. */
const ARRIVED_WITHIN_MS = 500_000;

let bench: OwnBench;

beforeAll(async () => {
	bench = await startBench({ name: 'outage-chat' });
});

afterAll(async () => {
	await bench?.close();
});

test('a chat that answers 500 for ten minutes gets every event once', async () => {
	const arrived: unknown[] = [];
	let refused = 0;
	let isDown = true;
	const chat = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			if (isDown) {
				refused++;
				response.writeHead(500).end('{"error":"busy"}');
				return;
			}
			const { items } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
				items: Array<{ id_call: unknown }>;
			};
			arrived.push(...items.map((item) => item.id_call));
			response.setHeader('content-type', 'application/json').end('{}');
		});
	});
	await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/chat`;
	const workflow = await bench.workflow(
		chain('Chat', [
			triggerNode({ notificationTypes: ['queue'], options: { retryFailed: 10 } }),
			...reportNodes(url),
		]),
	);
	await bench.client.activate(workflow.id);
	await bench.operator.control.waitForSockets(1);
	await bench.operator.control.pushBurst({ count: EVENTS, rate: EVENTS / (DOWN_MS / 1000) });
	isDown = false;
	const from = Date.now();
	while (arrived.length < EVENTS && Date.now() - from < ARRIVED_WITHIN_MS) await pause(1_000);
	// A second copy would come with the next repetition.
	await pause(35_000);
	const seconds = Math.round((Date.now() - from) / 1000);
	process.stderr.write(
		`chat: ${arrived.length} of ${EVENTS} arrived within ${seconds} s, ${refused} requests had failed\n`,
	);
	await bench.client.deactivate(workflow.id);
	chat.close();
	const numbers = arrived.map(Number).sort((a, b) => a - b);
	expect(numbers).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1));
}, 1_300_000);
