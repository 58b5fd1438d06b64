// An operator that stays away: n8n shows that once, and that nothing has to be done.
import { startBench, type OwnBench } from '../../support/bench';
import { chain, noOpNode, triggerNode } from '../../support/workflows';

/** How long the operator is away before that is reported, plus the time that n8n takes to save the execution. */
const TOLD_MS = 6 * 60_000;
jest.setTimeout(TOLD_MS + 180_000);

let bench: OwnBench;

beforeAll(async () => {
	bench = await startBench({ name: 'outage-operator' });
});

afterAll(async () => {
	await bench?.close();
});

test('an operator that is away for five minutes leads to one failed execution that names what is lost, and the trigger keeps trying', async () => {
	const { client, operator } = bench;
	const { control } = operator;
	const workflow = await bench.workflow(chain('Away', [triggerNode(), noOpNode()]));
	expect(await client.activate(workflow.id)).toMatchObject({ active: true });
	await control.waitForSockets(1);
	const before = new Date();
	control.refuseLogins(500);
	control.disconnectSockets();

	const failed = (execution: { status: string }) => execution.status === 'error';
	const [told] = await client.waitForExecutions(workflow.id, 1, failed, TOLD_MS);
	const { message = '', description } = told?.data.resultData.error ?? {};
	const since = /^Nothing has been heard from the provider since (\S+)$/.exec(message)?.[1];
	expect(Date.parse(since ?? '') - before.getTime()).toBeLessThan(60_000);
	expect(description).toMatch(/events from this period are lost.*stays published.*by itself/);

	control.refuseLogins(null);
	await control.waitForSockets(1);
	control.send('queue', 'insert_call', { id_call: 1, id_queue: 301 });
	await client.waitForExecutions(workflow.id, 1, ({ status }) => status === 'success');
	expect(await client.waitForExecutions(workflow.id, 1, failed)).toHaveLength(1);
});
