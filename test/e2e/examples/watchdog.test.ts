// The watchdog beside a workflow that it watches: an outage of the provider, its end, and a workflow that is unpublished.
import type { Workflow, WorkflowNode } from '../../../dev/n8n/client';
import { shareBench, type Bench } from '../support/bench';
import { chain, triggerNode } from '../support/workflows';
import { exampleWith, failuresOf, nodeOf, startSink, type Sink } from './support';

let bench: Bench;
let sink: Sink;

beforeAll(async () => {
	bench = await shareBench();
	sink = await startSink();
});

afterAll(async () => {
	await bench?.quiet();
	await bench?.close();
	await sink?.close();
});

/** What the example's page asks for. */
const callOf = ({ id }: Workflow): WorkflowNode => ({
	name: 'Sign of life',
	type: 'n8n-nodes-base.executeWorkflow',
	typeVersion: 1.2,
	position: [300, 0],
	parameters: {
		workflowId: { __rl: true, mode: 'id', value: id },
		workflowInputs: {
			mappingMode: 'defineBelow',
			value: {
				workflow: '={{ $workflow.name }}',
				event: '={{ $json.event }}',
				covered_until: '={{ $json.covered_until }}',
			},
			matchingColumns: [],
			schema: [],
		},
		options: { waitForSubWorkflow: false },
	},
});

test('says when a feed is interrupted, back, and silent', async () => {
	const { client, operator } = bench;
	const definition = exampleWith('watchdog', { 'Your settings': { message_url: sink.url } });
	expect(definition.nodes.filter(({ type }) => !type.endsWith('stickyNote'))).toHaveLength(5);
	// Seconds instead of minutes.
	const code = nodeOf(definition, 'Who is silent').parameters;
	code.jsCode = String(code.jsCode).replace('10 * 60_000', '40_000');
	nodeOf(definition, 'Every minute').parameters.rule = {
		interval: [{ field: 'seconds', secondsInterval: 5 }],
	};
	const watchdog = await bench.workflow(definition);
	expect(await client.activate(watchdog.id)).toMatchObject({ active: true });
	const trigger = triggerNode({
		mode: 'callOutcomes',
		options: { emitFeedStatus: true, statusEvery: 0.1 },
	});
	const watched = await bench.workflow(chain('Watched', [trigger, callOf(watchdog)]));
	expect(await client.activate(watched.id)).toMatchObject({ active: true });
	await operator.control.waitForSockets(1);

	await operator.control.goAway({ forMs: 70_000 });
	expect((await sink.waitFor(1)).at(-1)).toMatch(
		/^Watched: the feed is silent or interrupted\. Everything is here up to 20\d\d-/,
	);
	expect((await sink.waitFor(2)).at(-1)).toMatch(/^Watched: the feed is back/);
	await client.deactivate(watched.id);
	expect((await sink.waitFor(3)).at(-1)).toMatch(/^Watched: the feed is silent or interrupted/);
	expect(await failuresOf(client, watchdog.id)).toEqual([]);
	expect(await failuresOf(client, watched.id)).toEqual([]);
});
