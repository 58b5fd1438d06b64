// The trigger in a real n8n when things go wrong. Both of n8n's activation engines have been seen to leave a trigger
// dead although it is "active", or alive twice: after each failure there must be exactly one live connection, and one
// execution per event.
import { itemsOf, type Workflow } from '../../../dev/n8n/client';
import { credentialData } from '../../../dev/setup';
import { refusalOf, startBench, type OwnBench } from '../support/bench';
import { TRIGGER, chain, noOpNode, triggerNode } from '../support/workflows';

/** Older and newer n8n releases retry a throwing trigger for up to this long (0, 1, 3, 7, 15 s). */
const ENGINE_RETRIES_MS = 30_000;

let bench: OwnBench;
let nextCall = 1;

beforeAll(async () => {
	bench = await startBench({ name: 'trigger-failures' });
});

afterAll(async () => {
	await bench?.close();
});

afterEach(async () => {
	const { control } = bench.provider;
	control.refuseLogins(null);
	if (!control.counts().listening) await control.listenAgain();
	// If a test failed between a crash and the start, the next ones must not fail too.
	if (!bench.server.running) await bench.server.start();
	await bench.quiet();
	await control.waitForSockets(0);
});

async function feedWorkflow(name: string): Promise<Workflow> {
	return await bench.workflow(
		chain(name, [triggerNode({ notificationTypes: ['queue'] }), noOpNode()]),
	);
}

async function activate(workflow: Workflow): Promise<void> {
	expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
}

/** One event leads to one execution: neither none (dead) nor two (a second live instance). */
async function expectOneLiveCopy(workflow: Workflow): Promise<void> {
	const { client, provider } = bench;
	await provider.control.waitForSockets(1);
	const call = String(nextCall++);
	const isOf = (id: string) => (execution: Parameters<typeof itemsOf>[0]) =>
		itemsOf(execution, TRIGGER).some(({ json }) => json.id_call === id);
	provider.control.send('queue', 'insert_call', { id_call: Number(call), id_queue: 301 });
	await client.waitForExecutions(workflow.id, 1, isOf(call));
	// A second instance would have started its execution for that event before this one's.
	const marker = String(nextCall++);
	provider.control.send('queue', 'insert_call', { id_call: Number(marker), id_queue: 301 });
	await client.waitForExecutions(workflow.id, 1, isOf(marker));
	expect(await client.waitForExecutions(workflow.id, 1, isOf(call))).toHaveLength(1);
	expect(provider.control.sockets()).toHaveLength(1);
}

test('a provider that is down at activation: the workflow activates and is live once it is back, even after 40 s', async () => {
	const { control } = bench.provider;
	await control.goAway({ forMs: 40_000 });
	const workflow = await feedWorkflow('Down at activation');
	await activate(workflow);
	await expectOneLiveCopy(workflow);
});

test('a rejected login: activation fails for the user; corrected and activated again there is one live instance', async () => {
	const { client, provider, supervisor } = bench;
	const right = credentialData(provider, 'supervisor');
	await client.updateCredential(supervisor, { ...right, password: 'not-this-one' });
	const workflow = await feedWorkflow('Refused');
	const activation = await refusalOf(client, workflow, await client.activate(workflow.id));
	expect(activation).toMatchObject({ active: false });
	expect(activation.error).toContain('Login or password is wrong');
	expect(activation.error).not.toContain('not-this-one');
	expect(provider.control.sockets()).toEqual([]);
	await client.deactivate(workflow.id);
	await client.updateCredential(supervisor, right);
	await activate(workflow);
	await expectOneLiveCopy(workflow);
});

test('n8n restarted while the provider is down: nothing throws, and it is live once the provider is back', async () => {
	const { provider, server } = bench;
	const workflow = await feedWorkflow('Restarted');
	await activate(workflow);
	await provider.control.waitForSockets(1);
	await provider.control.goAway();
	await server.restart();
	// A session that was cut while it changed from long polling to WebSocket lasts at the provider until its time limit.
	await provider.control.waitForSockets(0);
	// Longer than all of n8n's own retries: whatever would give up has given up by then.
	await provider.control.stopListening({ forMs: ENGINE_RETRIES_MS });
	await expectOneLiveCopy(workflow);
	expect(server.output()).not.toMatch(/Activation of workflow .* failed|could not be activated/i);
});

test('activated again and again: one live instance', async () => {
	const { client } = bench;
	const workflow = await feedWorkflow('Again and again');
	for (let round = 0; round < 4; round++) {
		await activate(workflow);
		if (round % 2 === 0) await client.deactivate(workflow.id);
	}
	await activate(workflow);
	await expectOneLiveCopy(workflow);
});

test('activated twice at once, while the login hangs: one live instance, and none after the deactivation', async () => {
	const { client, provider } = bench;
	const { control } = provider;
	control.refuseLogins('hang');
	const workflow = await feedWorkflow('Twice at once');
	const logins = control.requests({ path: '/ws/' }).length;
	// The older n8n release does not know a trigger that is still starting: it starts a second instance and forgets the
	// first.
	const first = client.activate(workflow.id);
	await control.waitForRequests({ path: '/ws/' }, logins + 1);
	const activations = await Promise.all([first, client.activate(workflow.id)]);
	expect(activations).toMatchObject([{ active: true }, { active: true }]);
	control.refuseLogins(null);
	await expectOneLiveCopy(workflow);
	await client.deactivate(workflow.id);
	await control.waitForSockets(0);
});

test('deactivated while the provider is down: nothing connects when it is back', async () => {
	const { client, provider } = bench;
	const workflow = await feedWorkflow('Deactivated while down');
	await activate(workflow);
	await provider.control.waitForSockets(1);
	const logins = provider.control.logins();
	await provider.control.goAway();
	await client.deactivate(workflow.id);
	await provider.control.listenAgain();
	// Another workflow connects in the meantime: by then the first would have been back as well.
	const other = await feedWorkflow('Other');
	await activate(other);
	await expectOneLiveCopy(other);
	expect(provider.control.logins()).toBe(logins + 1);
	expect(await client.listExecutions({ workflowId: workflow.id })).toEqual([]);
});
