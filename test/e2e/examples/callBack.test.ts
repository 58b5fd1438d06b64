// Call back until reached, across a restart of n8n, and with numbers in several forms: missed callers go onto the list,
// and are off it when an agent talks to them.
import type { Workflow } from '../../../dev/n8n/client';
import { readExample } from '../../../dev/setup';
import { nth } from '../../support/present';
import { startBench, type OwnBench } from '../support/bench';
import { Caller, eventually, failuresOf, nodeOf, rowsOf, startSink, type Sink } from './support';

const TABLE = 'To be called back';

let bench: OwnBench;
let sink: Sink;
let workflow: Workflow;

beforeAll(async () => {
	bench = await startBench({ name: 'call-back' });
	sink = await startSink();
	const definition = readExample('call-back-until-reached');
	for (const name of ['Send callback request', 'Report who was reached'])
		nodeOf(definition, name).parameters.url = sink.url;
	// Every two seconds instead of every quarter of an hour.
	nodeOf(definition, 'Every quarter of an hour').parameters = {
		rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] },
	};
	// Whoever hangs up at once gave up early, without a reason, also on a machine that is late with the second event.
	const missed = nodeOf(definition, 'Missed call').parameters;
	missed.options = { ...(missed.options as object), shortAbandonSeconds: 600 };
	workflow = await bench.workflow(definition);
	// The first look makes the table. Of two that look for the first time at once, one would fail.
	const look = await bench.client.runManually(workflow, 'Every quarter of an hour');
	expect(await bench.client.waitForExecution(look)).toMatchObject({ status: 'success' });
	expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
	await bench.provider.control.waitForSockets(1);
});

afterAll(async () => {
	await bench?.close();
	await sink?.close();
});

afterEach(async () => {
	expect(await failuresOf(bench.client, workflow.id)).toEqual([]);
});

/** How often this was sent, from its first to its last character. */
const sent = (text: RegExp) => sink.messages.filter((message) => text.test(message.text)).length;
const asked = (digits: string) =>
	sent(
		new RegExp(
			`^To be called back, last call at \\d\\d:\\d\\d: \\+${digits} gave up after \\d+ s in Sales$`,
		),
	);
const listed = async () =>
	(await rowsOf(bench.client, TABLE)).map(({ caller_number: number }) => number);
const agent = () => nth(bench.provider.plan.agents, 0);

/** An agent calls a number. */
function dials(call: number, number: string): void {
	for (const status of ['calling', 'connected']) {
		bench.provider.control.send('operator', 'status', {
			status,
			id_operator: agent().id,
			id_call: call,
			caller_id_num: number,
		});
	}
}

test('the team is asked at once and reminded later; a second missed call is no second row', async () => {
	new Caller(bench.provider, 61, '+33199000601').calls().hangsUp();
	new Caller(bench.provider, 62, '+33199000602').calls().hangsUp();
	new Caller(bench.provider, 63, '+4532123456').calls().hangsUp();
	new Caller(bench.provider, 64, '').calls().hangsUp();
	await eventually('all are asked for and reminded of', () =>
		['33199000601', '33199000602', '4532123456'].every((digits) => asked(digits) > 1),
	);
	new Caller(bench.provider, 65, '0033199000601').calls().hangsUp();
	await eventually('the row is renewed', async () => (await listed()).includes('0033199000601'));
	expect([...(await listed())].sort()).toEqual(['+33199000602', '+4532123456', '0033199000601']);
});

test('after a restart of n8n the reminders go on', async () => {
	await bench.restart();
	await bench.provider.control.waitForSockets(1, 60_000);
	const before = asked('33199000602');
	await eventually('a further reminder', () => asked('33199000602') > before);
});

test('a caller who calls again and is answered is off the list, also one who was missed before the restart', async () => {
	new Caller(bench.provider, 66, '+33199000601').calls().isAnsweredBy(agent().id).hangsUp();
	const reached = new RegExp(
		`^0033199000601 was reached by ${agent().name}\\. No need to call back any more\\.$`,
	);
	await eventually('the team is told', () => sent(reached) === 1);
	expect(await listed()).toEqual(['+33199000602', '+4532123456']);
});

test('so is a caller whom an agent calls back, in the form that the agent dials', async () => {
	// Another subscriber.
	dials(67, '+34199000602');
	dials(68, '0199000602');
	await eventually('the first is off', async () => (await listed()).length === 1);
	dials(69, '32123456');
	await eventually('the second is off', async () => (await listed()).length === 0);
	await eventually('the team is told', () => sent(/ was reached by .*\.$/) >= 3);
	// A look that read the list before may still remind of somebody.
	const running = async () => {
		const status = ['new', 'running'] as const;
		const found = await bench.client.listExecutions({
			workflowId: workflow.id,
			status: [...status],
		});
		return found.map(({ id }) => id);
	};
	const begun = await running();
	await eventually('what had begun has ended', async () => {
		const now = await running();
		return begun.every((id) => !now.includes(id));
	});
	const before = sink.messages.length;
	const looks = async () =>
		(await bench.client.listExecutions({ workflowId: workflow.id, status: ['success'] })).length;
	const looked = await looks();
	await eventually('the list is looked at again', async () => (await looks()) >= looked + 2);
	expect(sink.messages.slice(before)).toEqual([]);
});
