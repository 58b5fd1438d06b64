// When a real n8n reports the end of an execution that pauses.
import { itemsOf, type Execution } from '../../../dev/n8n/client';
import { nth } from '../../support/present';
import { shareBench, type Bench } from '../support/bench';
import { TRIGGER, chain, noOpNode, triggerNode, waitNode } from '../support/workflows';

/** n8n looks for executions whose pause is over once a minute. */
const RESUMED_MS = 240_000;
/** An execution that pauses for at least 65 s leaves n8n's memory. */
const PAUSE_SECONDS = 66;

let bench: Bench;

beforeAll(async () => {
	bench = await shareBench();
});

afterAll(async () => {
	await bench?.close();
});

test(
	'with one execution at a time, the next one waits until one that paused has ended',
	async () => {
		const { client, provider } = bench;
		const trigger = triggerNode({ notificationTypes: ['queue'], options: { maxInFlight: 1 } });
		const workflow = await bench.workflow(
			chain('Pauses', [trigger, waitNode(PAUSE_SECONDS), noOpNode()]),
		);
		expect(await client.activate(workflow.id)).toMatchObject({ active: true });
		await provider.control.waitForSockets(1);
		const isOf = (id: string) => (execution: Execution) =>
			itemsOf(execution, TRIGGER).some(({ json }) => json.id_call === id);
		const [first, second] = ['1', '2'];
		for (const id of [first, second])
			provider.control.send('queue', 'insert_call', { id_call: Number(id), id_queue: 301 });
		const ended = await client.waitForExecutions(workflow.id, 1, isOf(first), RESUMED_MS);
		const pauses = itemsOf(nth(ended, 0), TRIGGER);
		expect(pauses).toHaveLength(1);
		const all = await client.waitForExecutions(workflow.id, 2, () => true, RESUMED_MS);
		const [one, next] = [nth(all.filter(isOf(first)), 0), nth(all.filter(isOf(second)), 0)];
		expect(one.status).toBe('success');
		expect(Date.parse(next.startedAt)).toBeGreaterThanOrEqual(Date.parse(String(one.stoppedAt)));
	},
	2 * RESUMED_MS,
);
