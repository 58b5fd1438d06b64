// Many workflows on one credential in a real n8n: one login, one connection, whatever order they end in.
import { itemsOf, type Workflow } from '../../../dev/n8n/client';
import { shareBench, type Bench } from '../support/bench';
import { TRIGGER, chain, noOpNode, triggerNode } from '../support/workflows';
import { nth } from '../../support/present';

const WORKFLOWS = 20;

let bench: Bench;

beforeAll(async () => {
	bench = await shareBench();
});

afterAll(async () => {
	await bench?.close();
});

test(`${WORKFLOWS} active workflows share one login and one connection; the last one is served until it ends too`, async () => {
	const { client, operator } = bench;
	const { control } = operator;
	const workflows: Workflow[] = [];
	for (let index = 0; index < WORKFLOWS; index++) {
		const workflow = await bench.workflow(
			chain(`Shared ${index}`, [triggerNode({ notificationTypes: ['queue'] }), noOpNode()]),
		);
		workflows.push(workflow);
		expect(await client.activate(workflow.id)).toMatchObject({ active: true });
	}
	await control.waitForSockets(1);
	expect(control.sockets()).toHaveLength(1);
	expect(control.logins()).toBe(1);

	control.send('queue', 'insert_call', { id_call: 1, id_queue: 301 });
	for (const { id } of workflows) {
		const executions = await client.waitForExecutions(id, 1);
		expect(executions.flatMap((execution) => itemsOf(execution, TRIGGER))).toHaveLength(1);
	}

	const last = nth(workflows, 7);
	for (const { id } of workflows) if (id !== last.id) await client.deactivate(id);
	expect(control.sockets()).toHaveLength(1);
	control.send('queue', 'delete_call', { id_call: 1, id_queue: 301 });
	await client.waitForExecutions(last.id, 2);
	for (const { id } of workflows) {
		const kept = await client.listExecutions({ workflowId: id });
		expect(kept).toHaveLength(id === last.id ? 2 : 1);
	}

	await client.deactivate(last.id);
	await control.waitForSockets(0);
	expect(control.logins()).toBe(1);
});

test('the transport is websocket where Node.js has one, long polling where it has none', async () => {
	const { client, operator, release } = bench;
	const workflow = await bench.workflow(chain('Transport', [triggerNode(), noOpNode()]));
	expect(await client.activate(workflow.id)).toMatchObject({ active: true });
	await operator.control.waitForSockets(1);
	const expected = release.nodeMajor >= 22 ? 'websocket' : 'polling';
	await operator.control.waitFor((control) => control.sockets()[0]?.transport === expected);
	await client.deactivate(workflow.id);
	await operator.control.waitForSockets(0);
});
