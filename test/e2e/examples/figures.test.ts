// The jam: 20 calls are answered within 5 seconds, then 40 callers wait and nobody takes them. The examples about figures
// run side by side, as they are: the alert, the wallboard, the quarter-hour record, the daily report and the outcomes of
// the calls say the same. An interval ends on the clock, so this takes up to seven minutes.
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
} from './support';

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
	nodeOf(definition, TRIGGER_OF_RECORDS).parameters.intervalMinutes = INTERVAL_MS / 60_000;
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
	const { operator, client } = bench;
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
	await operator.control.waitForSockets(1);

	// A call that entered before the feed was open is not counted as offered.
	const openAt = Date.now();
	await eventually('the oldest call is younger', () => Date.now() > openAt + 10_000);
	const agent = nth(operator.plan.agents, 0);
	for (let call = 101; call <= 120; call++)
		new Caller(operator, call, `+33199000${call}`).called(5).isAnsweredBy(agent.id).hangsUp();
	// Five callers for each of the last eight seconds.
	const jam = Array.from({ length: 40 }, (_, index) =>
		new Caller(operator, 201 + index, `+33199000${201 + index}`).called(8 - Math.floor(index / 5)),
	);
	const secondGroup = Math.floor(Date.now() / 1000) - 7;

	// 20 of 25 are 80 %; 20 of 30 are not. The five of that second tip it together, and one of them is named.
	expect(await sink.waitFor(1)).toEqual([
		expect.stringMatching(
			/^Sales: service level 66\.7%, below 80%: call (20[6-9]|210) of \+33199000\1 tipped it$/,
		),
	]);
	const [execution] = await client.waitForExecutions(alert.id, 1);
	const [item] = itemsOf(present(execution), 'Service level too low');
	const lateFor = Date.parse(String(item?.json.date)) / 1000 - (secondGroup + 20);
	// A second by the feed's clock (alerts.test); here a busy machine may be late itself.
	expect(lateFor).toBeLessThan(5);

	await eventually('the wallboard shows it', async () => {
		const answer = await fetch(`${client.url}/webhook/wallboard`);
		return (await answer.text()).match(
			/data-queue="301"><td>Sales<\/td><td>40<\/td><td>[\d:]+<\/td><td>0<\/td><td>20<\/td><td>0<\/td><td>33 %<\/td>/,
		);
	});

	const quarters = async () => await rowsOf(client, 'Quarter hours');
	await eventually(
		'the record comes',
		async () => (await quarters()).length >= 2,
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
			average_speed_of_answer: 5,
			complete: false,
		}),
		expect.objectContaining({ queue: 'Support', offered: 0, late: 0, service_level: null }),
	]);

	await eventually(
		'its rows',
		async () => (await rowsOf(client, 'Figures of the day')).length >= 2,
	);
	const run = await client.runManually(daily, 'Every evening');
	expect((await client.waitForExecution(run)).status).toBe('success');
	expect(sink.messages.at(-1)?.text.split('\n')).toEqual([
		expect.stringMatching(
			/^Calls of \d{4}-\d\d-\d\d: 60 calls, 20 answered, 0 gave up, in time 33\.3 %, average speed of answer 5 s$/,
		),
		'Sales: 60 calls, 20 answered, 0 gave up, in time 33.3 %, average speed of answer 5 s',
		'Support: 0 calls, 0 answered, 0 gave up, in time not known, average speed of answer not known',
		'Not all of it was seen: some quarters of an hour are incomplete.',
	]);

	for (const caller of jam) caller.hangsUp();
	const told = () => outcomes.reports.flatMap(({ items }) => items);
	await outcomes.settled(() => told().length >= 60, 60_000);
	const calls = told();
	expect(calls).toHaveLength(60);
	expect(calls.filter(({ within_service_level: inTime }) => inTime === true)).toHaveLength(20);
	expect(calls.filter(({ event }) => event === 'missed')).toHaveLength(40);

	operator.control.cutTcp();
	await eventually('the team is told', () => sink.messages.length >= 3);
	expect(sink.messages.at(-1)?.text).toBe(
		'Service Level Too Low: Sales is not known any more, since the feed was interrupted',
	);
	for (const workflow of workflows) expect(await failuresOf(client, workflow.id)).toEqual([]);
}, 900_000);

test('a day without a call is reported as one', async () => {
	const report = readExample('daily-call-report');
	nodeOf(report, 'Rows of the day').parameters.filters = {
		conditions: [{ keyName: 'day', condition: 'eq', keyValue: '2001-01-01' }],
	};
	nodeOf(report, 'Send the report').parameters.url = `${sink.url}/report`;
	const workflow = await bench.workflow(report);
	const run = await bench.client.runManually(workflow, 'Every evening');
	expect((await bench.client.waitForExecution(run)).status).toBe('success');
	expect(sink.messages.at(-1)?.text).toMatch(/^Calls of \d{4}-\d\d-\d\d: none\.$/);
});

test('who waits across the end of a quarter of an hour counts once in the day', async () => {
	const row = { queue: 'Sales', abandoned: 0, short_abandoned: 0, complete: true };
	const quarters = [
		{ time: '12:00', offered: 30, answered: 20, late: 10, service_level: 66.7 },
		{ time: '12:15', offered: 5, answered: 10, late: 5, service_level: 0 },
	].map((quarter) => ({ json: { ...row, ...quarter, average_speed_of_answer: 15 } }));
	const report = { ...readExample('daily-call-report'), pinData: { 'Rows of the day': quarters } };
	nodeOf(report, 'Send the report').parameters.url = `${sink.url}/report`;
	const workflow = await bench.workflow(report);
	const run = await bench.client.runManually(workflow, 'Every evening');
	expect((await bench.client.waitForExecution(run)).status).toBe('success');
	expect(sink.messages.at(-1)?.text).toMatch(
		/^Calls of \S+: 35 calls, 30 answered, 0 gave up, in time 57\.2 %, average speed of answer 15 s$/m,
	);
});
