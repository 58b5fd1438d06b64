// How a real n8n reaches the provider, on the Node.js that it brings.
import { shareBench, type Bench } from '../support/bench';
import { chain, noOpNode, triggerNode } from '../support/workflows';

let bench: Bench;

beforeAll(async () => {
	bench = await shareBench();
});

afterAll(async () => {
	await bench?.close();
});

test('the transport is websocket where Node.js has one, long polling where it has none', async () => {
	const { client, provider, release } = bench;
	const workflow = await bench.workflow(chain('Transport', [triggerNode(), noOpNode()]));
	expect(await client.activate(workflow.id)).toMatchObject({ active: true });
	await provider.control.waitForSockets(1);
	const expected = release.nodeMajor >= 22 ? 'websocket' : 'polling';
	await provider.control.waitFor((control) => control.sockets()[0]?.transport === expected);
	await client.deactivate(workflow.id);
	await provider.control.waitForSockets(0);
});
