/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The watchdog beside a workflow that it watches: an outage of the provider, its end, and a workflow that is unpublished.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowDefinition } from '../../../dev/n8n/client';
import { nth, present } from '../../support/present';
import { shareBench, type Bench } from '../support/bench';
import {
	Caller,
	eventually,
	exampleWith,
	failuresOf,
	nodeOf,
	rowsOf,
	startSink,
	type Sink,
} from './support';

const PAGE = join(__dirname, '../../../examples/watchdog.md');

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

/** The nodes that the example's page gives to paste. */
function pasted(): Pick<WorkflowDefinition, 'nodes' | 'connections'> {
	const [, json] = /```json\n([^]*?)```/.exec(readFileSync(PAGE, 'utf8')) ?? [];
	return JSON.parse(String(json)) as Pick<WorkflowDefinition, 'nodes' | 'connections'>;
}

/** The example with a message for each missed call, watched as the page makes it. */
function watchedWorkflow(name: string): WorkflowDefinition {
	const workflow = exampleWith('missed-call-message', {
		'Your settings': { message_url: `${sink.url}/calls` },
	});
	const trigger = nodeOf(workflow, 'Missed call');
	trigger.parameters.options = { emitFeedStatus: true, statusEvery: 0.1 };
	const { nodes, connections } = pasted();
	type Outputs = { main: Array<Array<{ node: string; type: string; index: number }>> };
	const outputsOf = (all: object, node: string) =>
		(all as Record<string, Outputs>)[node]?.main ?? [];
	const first = nth(nodes, 0).name;
	const [afterTrigger] = outputsOf(workflow.connections, 'Missed call');
	const [ofFeed] = outputsOf(connections, first);
	return {
		...workflow,
		name,
		nodes: [...workflow.nodes, ...nodes],
		connections: {
			...workflow.connections,
			...connections,
			'Missed call': { main: [[{ node: first, type: 'main', index: 0 }]] },
			[first]: { main: [present(ofFeed), present(afterTrigger)] },
		},
	};
}

test('says once when each feed is silent, when it is back, and when a workflow is unpublished', async () => {
	const { client, provider } = bench;
	const definition = exampleWith('watchdog', {});
	expect(definition.nodes.filter(({ type }) => !type.endsWith('stickyNote'))).toHaveLength(6);
	nodeOf(definition, 'Tell the team').parameters.url = sink.url;
	// Seconds instead of minutes.
	const limit = nodeOf(definition, 'Silent for ten minutes, or back');
	const text = JSON.stringify(limit.parameters);
	expect(text).toContain('minutes: 10');
	limit.parameters = JSON.parse(
		text.replace('minutes: 10', 'seconds: 30'),
	) as typeof limit.parameters;
	nodeOf(definition, 'Every minute').parameters.rule = {
		// Longer than an execution takes on a busy machine: what one has told, the next one reads.
		interval: [{ field: 'seconds', secondsInterval: 12 }],
	};
	const watchdog = await bench.workflow(definition);
	expect(await client.activate(watchdog.id)).toMatchObject({ active: true });
	// It makes the table when it looks for the first time.
	await client.waitForExecutions(watchdog.id, 1);
	const watched = await Promise.all(
		['One', 'Two'].map(async (name) => await bench.workflow(watchedWorkflow(name))),
	);
	for (const { id } of watched) expect(await client.activate(id)).toMatchObject({ active: true });
	await eventually(
		'both have given a sign of life',
		async () => (await rowsOf(client, 'Signs of life')).length === 2,
	);

	await provider.control.goAway({ forMs: 45_000 });
	const told = (await sink.waitFor(4)).sort();
	expect(told).toEqual([
		expect.stringMatching(/^One: the feed is back/),
		expect.stringMatching(
			/^One: the feed is silent or interrupted\. Everything is here up to 20\d\d-.*Z$/,
		),
		expect.stringMatching(/^Two: the feed is back/),
		expect.stringMatching(
			/^Two: the feed is silent or interrupted\. Everything is here up to 20\d\d-.*Z$/,
		),
	]);
	// Calls become messages as before, and signs of life none.
	const missed = () => sink.messages.filter(({ path }) => path === '/calls');
	expect(missed()).toEqual([]);
	new Caller(provider, 71, '+33199007171').calls().hangsUp();
	await eventually('the missed call of both workflows', () => missed().length === 2);
	for (const { text } of missed()) expect(text).toContain('+33199007171');
	for (const { id } of [watchdog, ...watched]) expect(await failuresOf(client, id)).toEqual([]);

	// The message waits for a chat that is away.
	sink.isAway = true;
	await client.deactivate(nth(watched, 0).id);
	await eventually(
		'a message was refused',
		async () => (await failuresOf(client, watchdog.id)).length > 0,
	);
	expect(sink.messages).toHaveLength(6);
	sink.isAway = false;
	expect((await sink.waitFor(7)).at(-1)).toMatch(/^One: the feed is silent or interrupted/);
	await eventually('it is noted', async () =>
		(await rowsOf(client, 'Signs of life')).some(
			({ workflow, state }) => workflow === 'One' && state === 'silent',
		),
	);
	expect(sink.messages.slice(6).length).toBe(1);
	for (const failure of await failuresOf(client, watchdog.id))
		expect(failure).toMatch(/^Tell the team: /);
	for (const { id } of watched) expect(await failuresOf(client, id)).toEqual([]);
}, 420_000);
