/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The jam: 20 calls are answered within seconds, then 40 callers wait and nobody takes them. The examples about figures
// run side by side, as they are: the alert, the wallboard, the quarter-hour record, the daily report and the outcomes of
// the calls say the same. An interval ends on the clock, so this takes up to seven minutes.
import { setTimeout as pause } from 'node:timers/promises';

import { itemsOf, type Workflow } from '../../../dev/n8n/client';
import { readExample } from '../../../dev/setup';
import { nth, present } from '../../support/present';
import { shareBench, type Bench } from '../support/bench';
import { startSink as startReports, type Sink as Reports } from '../support/sink';
import { chain, reportNode, triggerNode } from '../support/workflows';
import {
	Caller,
	eventually,
	exampleWith,
	failuresOf,
	nodeOf,
	rowsOf,
	startSink,
	type Sink,
} from '../examples/support';

/** The shortest interval, and what activation and jam need of it. */
const INTERVAL_MS = 300_000;
const NEEDED_MS = 120_000;
const TRIGGER_OF_RECORDS = 'A quarter of an hour is over';

let bench: Bench;
let sink: Sink;
let outcomes: Reports;
const workflows: Workflow[] = [];

async function activate(definition: Parameters<Bench['workflow']>[0]): Promise<Workflow> {
	const workflow = await bench.workflow(definition);
	workflows.push(workflow);
	expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
	return workflow;
}

/** An example with records of the shortest interval. */
function withRecords(name: string): ReturnType<typeof readExample> {
	const definition = readExample(name);
	nodeOf(definition, TRIGGER_OF_RECORDS).parameters.period = String(INTERVAL_MS / 60_000);
	return definition;
}

beforeAll(async () => {
	bench = await shareBench();
	sink = await startSink();
	outcomes = await startReports();
});

afterAll(async () => {
	await bench?.quiet();
	await bench?.close();
	await sink?.close();
	await outcomes?.close();
});

test('a jam: alert, wallboard, record, report and outcomes agree', async () => {
	const { provider, client } = bench;
	await eventually(
		'the interval is long enough',
		() => INTERVAL_MS - (Date.now() % INTERVAL_MS) > NEEDED_MS,
		NEEDED_MS + 10_000,
	);
	const alert = await activate(
		exampleWith('service-level-alert', { 'Your settings': { message_url: sink.url } }),
	);
	const board = readExample('live-wallboard');
	nodeOf(board, 'How everything stands').parameters.every = 1;
	await activate(board);
	await activate(withRecords('quarter-hour-figures'));
	const report = withRecords('daily-call-report');
	nodeOf(report, 'Send the report').parameters.url = `${sink.url}/report`;
	const daily = await activate(report);
	const trigger = triggerNode({ mode: 'callOutcomes', outcomes: ['missed', 'ended'] });
	await activate(chain('Outcomes', [trigger, reportNode(outcomes.url)]));
	await provider.control.waitForSockets(1);

	const agent = nth(provider.plan.agents, 0);
	const answered = Array.from({ length: 20 }, (_, index) =>
		new Caller(provider, 101 + index, `+33199000${101 + index}`).calls(),
	);
	await pause(2_000);
	for (const caller of answered) caller.isAnsweredBy(agent.id);
	await pause(3_000);
	for (const caller of answered) caller.hangsUp();
	const jam: Caller[] = [];
	const enters = (call: number) => jam.push(new Caller(provider, call, `+33199000${call}`).calls());
	for (let call = 201; call <= 205; call++) enters(call);
	await pause(1_000);
	const entered = Date.now();
	enters(206);

	// 20 of 25 are 80 %; 20 of 26 are not. The others come later, so that a busy machine does not find several callers late
	// at once.
	expect(await sink.waitFor(1)).toEqual([
		'Sales: service level 76.9%, below 80%: call 206 from +33199000206 brought it below',
	]);
	for (let call = 207; call <= 240; call++) enters(call);
	const [execution] = await client.waitForExecutions(alert.id, 1);
	const [item] = itemsOf(present(execution), 'Service level too low');
	const lateFor = (Date.parse(String(item?.json.date)) - entered) / 1000 - 20;
	// A second by the feed's clock (alerts.test); here a busy machine may be late itself.
	expect(lateFor).toBeLessThan(5);

	await eventually('the wallboard shows it', async () => {
		const answer = await fetch(`${client.url}/webhook/wallboard`);
		return (await answer.text()).match(
			/data-queue="301"><td>Sales<\/td><td>40<\/td><td>[\d:]+<\/td><td>0<\/td><td>20<\/td><td>0<\/td><td>33%<\/td>/,
		);
	});

	const quarters = async () => await rowsOf(client, 'Quarter hours');
	await eventually(
		'the record comes',
		async () => (await quarters()).length >= 3,
		INTERVAL_MS + 60_000,
	);
	expect(await quarters()).toEqual([
		expect.objectContaining({
			queue: 'Sales',
			offered: 60,
			answered: 20,
			abandoned: 0,
			short_abandoned: 0,
			late: 40,
			service_level: 33.3,
			answered_in_time: 20,
			average_speed_of_answer: expect.any(Number),
			complete: false,
		}),
		expect.objectContaining({ queue: 'Support', offered: 0, late: 0, service_level: null }),
		expect.objectContaining({ queue: 'Billing', offered: 0, late: 0, service_level: null }),
	]);

	await eventually(
		'its rows',
		async () => (await rowsOf(client, 'Figures of the day')).length >= 4,
	);
	const run = await client.runManually(daily, 'Every evening');
	expect((await client.waitForExecution(run)).status).toBe('success');
	// A busy machine is late with the answers: the record says by how much.
	const [{ average_speed_of_answer: speed } = {}] = await quarters();
	const FIGURES = new RegExp(
		`: 60 calls, 20 answered, 0 gave up, in time 33\\.3%, average speed of answer ${String(speed)} s$`,
	);
	expect(sink.messages.at(-1)?.text.split('\n')).toEqual([
		expect.stringMatching(/^Calls of \d{4}-\d\d-\d\d$/),
		expect.stringMatching(new RegExp(`^All queues${FIGURES.source}`)),
		'Billing: 0 calls, 0 answered, 0 gave up, in time not known, average speed of answer not known',
		expect.stringMatching(new RegExp(`^Sales${FIGURES.source}`)),
		'Support: 0 calls, 0 answered, 0 gave up, in time not known, average speed of answer not known',
		// Most quarters of an hour of this day have no row.
		expect.stringMatching(/^The feed was not seen for \d+ min of it\.$/),
	]);

	for (const caller of jam) caller.hangsUp();
	const told = () => outcomes.reports.flatMap(({ items }) => items);
	await outcomes.settled(() => told().length >= 60, 60_000);
	const calls = told();
	expect(calls).toHaveLength(60);
	expect(calls.filter(({ within_service_level: inTime }) => inTime === true)).toHaveLength(20);
	expect(calls.filter(({ event }) => event === 'missed')).toHaveLength(40);

	for (const workflow of workflows) expect(await failuresOf(client, workflow.id)).toEqual([]);
}, 900_000);

test('a day that nobody saw is not reported as one without calls', async () => {
	const report = readExample('daily-call-report');
	nodeOf(report, 'Rows of the day').parameters.filters = {
		conditions: [{ keyName: 'day', condition: 'eq', keyValue: '2001-01-01' }],
	};
	nodeOf(report, 'Send the report').parameters.url = `${sink.url}/report`;
	const workflow = await bench.workflow(report);
	const run = await bench.client.runManually(workflow, 'Every evening');
	expect((await bench.client.waitForExecution(run)).status).toBe('success');
	expect(sink.messages.at(-1)?.text).toMatch(
		/^Calls of \d{4}-\d\d-\d\d\nNone(\nThe feed was not seen for \d+ min of it\.)?$/,
	);
});

test('who waits across the end of a quarter of an hour counts once in the day', async () => {
	// Ten callers wait across the end of the first one, and are answered in the second.
	const nobody = { abandoned: 0, short_abandoned: 0, abandoned_in_time: 0, missed_seconds: 0 };
	const quarters = [
		{ offered: 30, answered: 20, answered_in_time: 20, late: 10, answer_wait_seconds: 300 },
		{ offered: 5, answered: 10, answered_in_time: 0, late: 5, answer_wait_seconds: 150 },
	].map((quarter) => ({ json: { queue: 'Sales', ...nobody, ...quarter } }));
	const report = { ...readExample('daily-call-report'), pinData: { 'Rows of the day': quarters } };
	nodeOf(report, 'Send the report').parameters.url = `${sink.url}/report`;
	const workflow = await bench.workflow(report);
	const run = await bench.client.runManually(workflow, 'Every evening');
	expect((await bench.client.waitForExecution(run)).status).toBe('success');
	expect(sink.messages.at(-1)?.text).toMatch(
		/^Calls of \S+\nSales: 35 calls, 30 answered, 0 gave up, in time 57\.1%, average speed of answer 15 s$/,
	);
});
