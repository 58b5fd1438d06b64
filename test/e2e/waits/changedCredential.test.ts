/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A credential that is changed while its workflow is published: n8n does not start the trigger again, so the trigger has
// to notice it. Nothing is done here but saving the credential.
import { itemsOf, type Workflow } from '../../../dev/n8n/client';
import { credentialData } from '../../../dev/setup';
import { shareBench, type Bench } from '../support/bench';
import { TRIGGER, chain, noOpNode, triggerNode } from '../support/workflows';

/** The trigger reads the credential every 30 s while it is refused; the rest is for a busy machine. */
const TRIED_WITHIN_MS = 60_000;
/** While connected, every five minutes. */
const FOLLOWED_WITHIN_MS = 5 * 60_000 + TRIED_WITHIN_MS;

let bench: Bench;
let nextCall = 1;

beforeAll(async () => {
	bench = await shareBench();
});

afterAll(async () => {
	await bench?.close();
});

async function published(name: string): Promise<Workflow> {
	// n8n evaluates no expression of a trigger that runs.
	const notificationTypes = '={{ ["queue"] }}';
	const workflow = await bench.workflow(
		chain(name, [triggerNode({ notificationTypes }), noOpNode()]),
	);
	expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
	await bench.provider.control.waitForSockets(1);
	return workflow;
}

async function expectLive(workflow: Workflow): Promise<void> {
	const call = String(nextCall++);
	bench.provider.control.send('queue', 'insert_call', { id_call: Number(call), id_queue: 301 });
	await bench.client.waitForExecutions(workflow.id, 1, (execution) =>
		itemsOf(execution, TRIGGER).some(({ json }) => json.id_call === call),
	);
}

test('a refused login: the password is corrected in the credential, and the workflow is live within half a minute', async () => {
	const { client, provider, supervisor } = bench;
	const { control } = provider;
	const workflow = await published('Refused, then corrected');
	const right = credentialData(provider, 'supervisor');
	const asked = control.requests({ path: '/ws/' }).length;
	const logins = control.logins();
	await client.updateCredential(supervisor, { ...right, password: 'not-this-one' });
	control.disconnectSockets();
	await control.waitForRequests({ path: '/ws/' }, asked + 1);
	await client.updateCredential(supervisor, right);
	await control.waitForSockets(1, TRIED_WITHIN_MS);
	await expectLive(workflow);
	expect(control.logins()).toBe(logins + 1);
	await client.deactivate(workflow.id);
	await control.waitForSockets(0);
});

test('a rotated password: three workflows follow it by themselves, with one login', async () => {
	const { client, provider, supervisor } = bench;
	const { control } = provider;
	const workflows = [await published('One'), await published('Two'), await published('Three')];
	const logins = control.requests({ path: '/ws/' }).length;
	const old = provider.accounts.supervisor.password;
	provider.accounts.supervisor.password = 'rotated-password-1';
	await client.updateCredential(supervisor, credentialData(provider, 'supervisor'));
	await control.waitForRequests({ path: '/ws/' }, logins + 1, FOLLOWED_WITHIN_MS);
	await control.waitForSockets(1);
	for (const workflow of workflows) await expectLive(workflow);
	expect(control.requests({ path: '/ws/' })).toHaveLength(logins + 1);
	for (const workflow of workflows) await client.deactivate(workflow.id);
	provider.accounts.supervisor.password = old;
	await client.updateCredential(supervisor, credentialData(provider, 'supervisor'));
}, 480_000);
