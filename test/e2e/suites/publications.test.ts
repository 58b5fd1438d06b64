// What n8n does not tell a published trigger: the settings of the workflow. Published, one setting changed, published
// again: nothing changes for the trigger. Unpublished, then published: it has the new one. The pages say so.
import { itemsOf, type Workflow, type WorkflowNode } from '../../../dev/n8n/client';
import { nth, present } from '../../support/present';
import { shareBench, type Bench } from '../support/bench';
import { TRIGGER, chain, noOpNode, triggerNode } from '../support/workflows';

let bench: Bench;

beforeAll(async () => {
	bench = await shareBench();
});

afterAll(async () => {
	await bench?.close();
});

afterEach(async () => {
	bench.provider.control.refuseLogins(null);
	await bench.quiet();
	await bench.provider.control.waitForSockets(0);
});

async function publish({ id }: Workflow): Promise<void> {
	expect(await bench.client.activate(id)).toMatchObject({ active: true });
	await bench.provider.control.waitForSockets(1);
}

async function publishAnew(workflow: Workflow): Promise<void> {
	await bench.client.deactivate(workflow.id);
	await bench.provider.control.waitForSockets(0);
	await publish(workflow);
}

async function change({ id }: Workflow, settings: Record<string, unknown>): Promise<void> {
	const { settings: before } = await bench.client.getWorkflow(id);
	await bench.client.updateWorkflow(id, { settings: { ...before, ...settings } });
}

test('the time zone: days begin by the old one until the workflow is unpublished, then published', async () => {
	const { client } = bench;
	const workflow = await bench.workflow(
		chain(
			'Zone',
			[
				triggerNode({
					mode: 'snapshots',
					every: 1,
					onlyWhenChanged: false,
					filters: { queueIds: '301' },
				}),
				noOpNode(),
			],
			{ timezone: 'Pacific/Auckland' },
		),
	);
	/** When the day of the newest snapshot began, by the clock of this zone; only taken after now. */
	const dayBegins = async (zone: string) => {
		const now = new Date().toISOString();
		const isNew = (date: unknown) => String(date) > now;
		const found = await client.waitForExecutions(workflow.id, 1, (execution) =>
			isNew(itemsOf(execution, TRIGGER)[0]?.json.date),
		);
		const { from } = nth(itemsOf(nth(found, 0), TRIGGER), 0).json;
		return new Date(String(from)).toLocaleTimeString('en-GB', { timeZone: zone });
	};
	await publish(workflow);
	expect(await dayBegins('Pacific/Auckland')).toBe('00:00:00');
	await change(workflow, { timezone: 'Pacific/Honolulu' });
	await publish(workflow);
	expect(await dayBegins('Pacific/Auckland')).toBe('00:00:00');
	await publishAnew(workflow);
	expect(await dayBegins('Pacific/Honolulu')).toBe('00:00:00');
});

test('what an expression uses: its value stays until the workflow is unpublished, then published', async () => {
	const { client, provider } = bench;
	const notificationTypes = '={{ [$workflow.name === "Queues" ? "queue" : "trunk"] }}';
	const workflow = await bench.workflow(
		chain('Queues', [triggerNode({ notificationTypes }), noOpNode()]),
	);
	/** The type of the event that comes, of a queue's and a trunk's. */
	const heard = async (call: number) => {
		provider.control.send('queue', 'insert_call', { id_call: call, id_queue: 301 });
		provider.control.send('trunk', 'insert_call', { id_call: call, id_trunk: 401 });
		const isOfCall = ({ json }: { json: Record<string, unknown> }) => json.id_call === String(call);
		const found = await client.waitForExecutions(workflow.id, 1, (execution) =>
			itemsOf(execution, TRIGGER).some(isOfCall),
		);
		return itemsOf(nth(found, 0), TRIGGER).find(isOfCall)?.json.type_notification;
	};
	await publish(workflow);
	expect(await heard(1)).toBe('queue');
	await client.updateWorkflow(workflow.id, { name: 'Trunks' });
	await publish(workflow);
	expect(await heard(2)).toBe('queue');
	await publishAnew(workflow);
	expect(await heard(3)).toBe('trunk');
});

test('the error workflow: it does not run for a refused login until the workflow is unpublished, then published', async () => {
	const { client, provider } = bench;
	const errorTrigger: WorkflowNode = {
		id: 'error',
		name: 'Error',
		type: 'n8n-nodes-base.errorTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const told = await bench.workflow(chain('Told', [errorTrigger, noOpNode()]));
	expect(await client.activate(told.id)).toMatchObject({ active: true });
	const workflow = await bench.workflow(
		chain('Refused', [triggerNode({ notificationTypes: ['queue'] }), noOpNode()]),
	);
	/** The provider refuses the login until an execution has failed for that; resolves with their number. */
	const refused = async (failures: number) => {
		provider.control.refuseLogins(401);
		provider.control.disconnectSockets();
		const found = await client.waitForExecutions(
			workflow.id,
			failures,
			({ status }) => status === 'error',
		);
		expect(present(found.at(-1)).data.resultData.error?.message).toMatch(/refused the login/);
		provider.control.refuseLogins(null);
	};
	await publish(workflow);
	await change(workflow, { errorWorkflow: told.id });
	await publish(workflow);
	await refused(1);
	await publishAnew(workflow);
	await refused(2);
	const [first] = await client.waitForExecutions(told.id, 1);
	expect(nth(itemsOf(present(first), 'Error'), 0).json).toMatchObject({
		workflow: { id: workflow.id },
	});
	// One of two: n8n runs the error workflow with each failed execution, so the first would have been before.
	expect(await client.listExecutions({ workflowId: told.id })).toHaveLength(1);
});
