// The main job in a real n8n: both example workflows as users import them, both credentials, from activation through
// events and items to deactivation.
import { itemsOf, type Execution, type Workflow } from '../../../dev/n8n/client';
import { credentialData, readDemo } from '../../../dev/setup';
import { shareBench, type Bench } from '../support/bench';
import { nth } from '../../support/present';

const PACKAGE = 'n8n-nodes-voice-management';

let bench: Bench;

beforeAll(async () => {
	bench = await shareBench();
});

afterAll(async () => {
	await bench?.close();
});

afterEach(async () => {
	await bench.quiet();
	await bench.provider.control.waitForSockets(0);
});

/** The JSON of one node's output items. */
function jsonOf(execution: Execution, node: string): Array<Record<string, unknown>> {
	return itemsOf(execution, node).map(({ json }) => json);
}

/** `cpt` of the event with which an execution of the feed example began. */
function sequenceOf(execution: Execution): number {
	return Number(nth(jsonOf(execution, 'Call in a queue'), 0).cpt);
}

async function activeFeedWorkflow(): Promise<Workflow> {
	const workflow = await bench.workflow(readDemo('calls-from-the-feed'));
	expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
	await bench.provider.control.waitForSockets(1);
	return workflow;
}

describe('the installed package', () => {
	test('n8n offers both nodes, and the action as an AI tool too', async () => {
		const ours = (await bench.client.nodeTypes())
			.map(({ name }) => name)
			.filter((name) => name.startsWith(`${PACKAGE}.`));
		expect(ours.sort()).toEqual([
			`${PACKAGE}.voiceManagement`,
			`${PACKAGE}.voiceManagementTool`,
			`${PACKAGE}.voiceManagementTrigger`,
		]);
	});
});

describe('the Test button of the credentials', () => {
	test('passes for the number management login and names what it is accepted for', async () => {
		const { client, numbers, provider } = bench;
		const result = await client.testCredential(numbers, credentialData(provider, 'numbers'));
		expect(result).toMatchObject({
			status: 'OK',
			message: expect.stringContaining('Accepted for number management'),
		});
	});

	test('fails for a wrong password, with the reason and without the password', async () => {
		const { client, numbers, provider } = bench;
		const data = { ...credentialData(provider, 'numbers'), password: 'not-this-one' };
		const result = await client.testCredential(numbers, data);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(/not accepted/i);
		expect(result.message).not.toContain('not-this-one');
	});

	test('passes for the supervisor, whose password has an accent', async () => {
		const { client, supervisor, provider } = bench;
		const result = await client.testCredential(supervisor, credentialData(provider, 'supervisor'));
		expect(result).toMatchObject({ status: 'OK' });
	});
});

describe('the example "Calls from the feed"', () => {
	test('runs for each call, with readable items', async () => {
		const { client, provider } = bench;
		const workflow = await activeFeedWorkflow();
		const agent = nth(provider.plan.agents, 0);

		provider.control.send('queue', 'insert_call', {
			call_duration: 4,
			caller_id_num: '+33199000123',
			priority: 50,
			id_queue: 301,
			id_call: -77,
			vip_rate: 0,
			duration_in_queue: 0,
			id_client: 4242,
		});
		provider.control.send('queue', 'connect_call', {
			status: 'connected',
			call_duration: 9,
			caller_id_num: '+33199000123',
			step: 1,
			id_queue: 301,
			id_call: -77,
			id_operator: agent.id,
			id_client: 4242,
		});
		// An event that the example did not choose.
		provider.control.send('queue', 'alert_file', { id_call: -77, id_queue: 301 });
		provider.control.send('queue', 'delete_call', {
			id_call: '-77',
			id_queue: 301,
			id_client: 4242,
		});

		// The trigger hands them over in order, but n8n numbers simultaneous executions as it gets to them.
		const executions = (await client.waitForExecutions(workflow.id, 3)).sort(
			(one, other) => sequenceOf(one) - sequenceOf(other),
		);
		expect(executions.map(({ status, mode }) => `${mode} ${status}`)).toEqual(
			Array(3).fill('trigger success'),
		);
		expect(executions.flatMap((execution) => jsonOf(execution, 'Describe the call'))).toEqual([
			expect.objectContaining({ call: '-77', queue: '301', what: 'waits', caller: '+33199000123' }),
			expect.objectContaining({ call: '-77', what: 'answered', agent: agent.name }),
			expect.objectContaining({ call: '-77', what: 'left the queue', agent: '' }),
		]);
		const simplified = nth(jsonOf(nth(executions, 1), 'Call in a queue'), 0);
		expect(simplified).toMatchObject({
			type_notification: 'queue',
			event: 'connect_call',
			id_call: '-77',
			id_operator: String(agent.id),
			id_queue: '301',
			status: 'connected',
			call_duration: 9,
			agent: { id: String(agent.id), name: agent.name },
		});
		expect(simplified.cpt).toEqual(expect.any(Number));
		expect(simplified.date).toBe(new Date(Number(simplified.ts) * 1000).toISOString());
	});

	test('a test run shows the first event and leaves no connection behind', async () => {
		const { client, provider } = bench;
		const workflow = await bench.workflow(readDemo('calls-from-the-feed'));
		const id = await client.runManually(workflow, 'Call in a queue');
		await provider.control.waitForSockets(1);
		provider.control.send('queue', 'insert_call', {
			id_call: 5,
			id_queue: 302,
			caller_id_num: '0',
		});
		const execution = await client.waitForExecution(id);
		expect(jsonOf(execution, 'Describe the call')).toEqual([
			expect.objectContaining({ call: '5', queue: '302', what: 'waits' }),
		]);
		await provider.control.waitForSockets(0);
	});

	test('a test run that is stopped leaves no connection behind', async () => {
		const { client, provider } = bench;
		const workflow = await bench.workflow(readDemo('calls-from-the-feed'));
		const id = await client.runManually(workflow, 'Call in a queue');
		await provider.control.waitForSockets(1);
		await client.stopExecution(id);
		await provider.control.waitForSockets(0);
	});

	test('deactivation leaves no connection, and later events start nothing', async () => {
		const { client, provider } = bench;
		const workflow = await activeFeedWorkflow();
		provider.control.send('queue', 'insert_call', { id_call: 1, id_queue: 301 });
		await client.waitForExecutions(workflow.id, 1);
		await client.deactivate(workflow.id);
		await provider.control.waitForSockets(0);
		expect(
			provider.control.push({
				event: { type_notification: 'queue', event: 'insert_call', msg: {} },
			}),
		).toBe(0);
		expect(await client.listExecutions({ workflowId: workflow.id })).toHaveLength(1);
	});
});

describe('the example "Number management run"', () => {
	test('handles an address in one manual run, item by item', async () => {
		const { client, provider } = bench;
		provider.control.clearRequests();
		const workflow = await bench.workflow(readDemo('number-management-run'));
		const execution = await client.waitForExecution(await client.runManually(workflow, 'Run now'));
		expect(execution.data.resultData.error).toBeUndefined();
		expect(execution.status).toBe('success');

		expect(jsonOf(execution, 'Accepted zip code')).toEqual([
			{ cityName: 'Bruxelles', zipCode: '1000' },
		]);
		const { addressId } = nth(jsonOf(execution, 'Create the address'), 0);
		expect(jsonOf(execution, 'Read it back')).toEqual([
			expect.objectContaining({
				addressId,
				companyName: 'Example Company',
				city: 'Bruxelles',
				zipCode: '1000',
				customerReference: 'example-run',
			}),
		]);
		expect(jsonOf(execution, 'Check it')).toEqual([
			expect.objectContaining({ isValid: expect.any(Boolean) }),
		]);
		expect(jsonOf(execution, 'Delete it')).toEqual([{ deleted: true }]);
		expect(nth(itemsOf(execution, 'Delete it'), 0).pairedItem).toEqual({ item: 0 });
		expect(provider.control.numbers().addresses).toEqual([]);
		expect(
			provider.control.requests({ area: 'rest' }).map(({ method, path }) => `${method} ${path}`),
		).toEqual([
			'GET /vbapi/v1/regulation/zipcode',
			'PUT /vbapi/v1/regulation/address',
			`GET /vbapi/v1/regulation/address/${String(addressId)}`,
			`GET /vbapi/v1/regulation/address/${String(addressId)}/validation`,
			`DELETE /vbapi/v1/regulation/address/${String(addressId)}`,
		]);
	});

	test('activates with its schedule', async () => {
		const { client } = bench;
		const workflow = await bench.workflow(readDemo('number-management-run'));
		expect(await client.activate(workflow.id)).toMatchObject({ active: true });
	});
});
