// The examples about calls, each from its import to its results: feed events go in; tables, messages and pages come
// out.
import type { Workflow, WorkflowDefinition } from '../../../dev/n8n/client';
import { shareBench, type Bench } from '../support/bench';
import { launchChromium, picture } from '../support/chromium';
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
import { firstOf, nth } from '../../support/present';

let bench: Bench;
let sink: Sink;
/** The example under test. */
let workflow: Workflow;
/** The executions that may fail. */
let expectedFailures: unknown[];

beforeAll(async () => {
	bench = await shareBench();
});

afterAll(async () => {
	await bench?.close();
});

/**
 * The suite of an example, which is active and listens during its tests; none of its executions may fail.
 * @param settings those of its note; by default where its messages go
 * @param change makes it as fast as a test needs it
 */
function example(
	name: string,
	tests: () => void,
	change: (definition: WorkflowDefinition) => void = () => undefined,
	settings: (url: string) => Parameters<typeof exampleWith>[1] = (url) => ({
		'Your settings': { message_url: url },
	}),
): void {
	describe(name, () => {
		beforeAll(async () => {
			sink = await startSink();
			expectedFailures = [];
			const definition = exampleWith(name, settings(sink.url));
			change(definition);
			workflow = await bench.workflow(definition);
			expect(await bench.client.activate(workflow.id)).toMatchObject({ active: true });
			await bench.provider.control.waitForSockets(1);
		});

		afterAll(async () => {
			await bench.quiet();
			await bench.provider.control.waitForSockets(0);
			await sink.close();
		});

		afterEach(async () => {
			expect(await failuresOf(bench.client, workflow.id)).toEqual(expectedFailures);
		});

		tests();
	});
}

const agentId = () => nth(bench.provider.plan.agents, 0).id;

example(
	'missed-call-message',
	() => {
		test('each missed call is a message that says who, how long, where and why', async () => {
			const { provider } = bench;
			provider.control.send('operator', 'status', { status: 'available', id_operator: agentId() });
			new Caller(provider, 91, '+33199000911').calls().hangsUp();
			expect(await sink.waitFor(1)).toEqual([
				expect.stringMatching(
					/^\+33199000911 gave up after \d+ s in Sales: no agent's phone rang$/,
				),
			]);
			new Caller(provider, 92, '+33199000912').calls().isAnsweredBy(agentId()).hangsUp();
			new Caller(provider, 93, '', 303).calls().hangsUp();
			expect((await sink.waitFor(2))[1]).toMatch(
				/^A caller without a number gave up after \d+ s in Billing: no agent's phone rang$/,
			);
		});
	},
	(definition) => {
		// Nobody has to wait for five seconds before the reason is shown.
		const { parameters } = nodeOf(definition, 'Missed call');
		parameters.options = { ...(parameters.options as object), shortAbandonSeconds: 0 };
	},
);

example('missed-call-callback-list', () => {
	const TABLE = 'Callback list';

	test('a missed call puts the caller on the list and asks for a callback', async () => {
		new Caller(bench.provider, 1, '+33199000111').calls().hangsUp();
		const [text] = await sink.waitFor(1);
		expect(text).toMatch(
			/^Please call back \+33199000111: nobody answered at \d\d:\d\d \(Sales\)\.$/,
		);
		expect(await rowsOf(bench.client, TABLE)).toEqual([
			expect.objectContaining({
				caller_number: '+33199000111',
				state: 'open',
				calls: 1,
				queue: 'Sales',
			}),
		]);
	});

	test('the second missed call of the same caller is counted and sends nothing', async () => {
		new Caller(bench.provider, 2, '+33199000111', 302).calls().hangsUp();
		await eventually('the call is counted', async () =>
			(await rowsOf(bench.client, TABLE)).some(({ calls }) => calls === 2),
		);
		// A message about another caller follows, so nothing was sent in between.
		new Caller(bench.provider, 3, '+33199000222').calls().hangsUp();
		const texts = await sink.waitFor(2);
		expect(texts[1]).toMatch(
			/^Please call back \+33199000222: nobody answered at \d\d:\d\d \(Sales\)\.$/,
		);
		expect(await rowsOf(bench.client, TABLE)).toEqual([
			expect.objectContaining({
				caller_number: '+33199000111',
				state: 'open',
				calls: 2,
				queue: 'Support',
			}),
			expect.objectContaining({ caller_number: '+33199000222', state: 'open', calls: 1 }),
		]);
	});

	test('a caller who gets through is removed, and a later missed call starts a new count', async () => {
		new Caller(bench.provider, 4, '+33199000111').calls().isAnsweredBy(agentId()).hangsUp();
		await eventually('the caller is reached', async () =>
			(await rowsOf(bench.client, TABLE)).some(
				({ caller_number, state }) => caller_number === '+33199000111' && state === 'reached',
			),
		);
		new Caller(bench.provider, 5, '+33199000111').calls().hangsUp();
		const texts = await sink.waitFor(3);
		expect(texts[2]).toMatch(
			/^Please call back \+33199000111: nobody answered at \d\d:\d\d \(Sales\)\.$/,
		);
		expect(await rowsOf(bench.client, TABLE)).toEqual([
			expect.objectContaining({
				caller_number: '+33199000111',
				state: 'reached',
				calls: 2,
				answered_by: String(agentId()),
			}),
			expect.objectContaining({ caller_number: '+33199000222', state: 'open' }),
			expect.objectContaining({ caller_number: '+33199000111', state: 'open', calls: 1 }),
		]);
	});

	test('a caller without a number starts nothing, and one whose number has another form is on the list', async () => {
		new Caller(bench.provider, 6, '').calls().hangsUp();
		new Caller(bench.provider, 7, 'sip:+33199000117@voice.example.com').calls().hangsUp();
		// 1, 2, 3, 5 and 7 were missed, 4 was answered.
		const executions = await bench.client.waitForExecutions(workflow.id, 6);
		expect(executions.map(({ status }) => status)).toEqual(Array(6).fill('success'));
		expect(await rowsOf(bench.client, TABLE)).toHaveLength(4);
		expect(sink.messages).toHaveLength(4);
	});

	test('a request that could not be sent is sent at the next missed call', async () => {
		const rowOf = async () =>
			(await rowsOf(bench.client, TABLE)).find(
				({ caller_number }) => caller_number === '+33199000118',
			);
		sink.isAway = true;
		new Caller(bench.provider, 8, '+33199000118').calls().hangsUp();
		await eventually(
			'the request is refused',
			async () => (await failuresOf(bench.client, workflow.id)).length > 0,
		);
		expectedFailures = [expect.stringMatching(/^Send callback request: /)];
		expect(await rowOf()).toMatchObject({ calls: 1, asked: null });
		sink.isAway = false;
		new Caller(bench.provider, 9, '+33199000118').calls().hangsUp();
		expect((await sink.waitFor(5))[4]).toMatch(/^Please call back \+33199000118: /);
		await eventually('it is noted', async () => (await rowOf())?.asked === true);
		expect(await rowOf()).toMatchObject({ calls: 2 });
	});
});

example(
	'waiting-caller-alert',
	() => {
		const messages = () => sink.messages.map(({ path, text }) => `${path} ${text}`);
		/** When each caller came. */
		const cameAt = new Map<string, number>();
		const comes = (call: number, number: string, queue?: number) => {
			cameAt.set(number, Date.now());
			return new Caller(bench.provider, call, number, queue).calls();
		};

		/**
		 * Expects these messages, each with the time of its level. On a busy machine it is told late, with the time of then,
		 * which is never longer than the caller is there. The feed's times are in whole seconds.
		 */
		function expectTold(told: readonly string[], expected: readonly string[]): void {
			expect(told.map((text) => text.replace(/for \d+ s/, 'for … s'))).toEqual(
				expected.map((text) => text.replace(/for \d+ s/, 'for … s')),
			);
			for (const [index, text] of expected.entries()) {
				const secondsIn = (one: string) => Number(/for (\d+) s/.exec(one)?.[1]);
				const [number = ''] = /\+\d+/.exec(text) ?? [];
				const waited = (Date.now() - Number(cameAt.get(number))) / 1000;
				expect(secondsIn(nth(told, index))).toBeGreaterThanOrEqual(secondsIn(text));
				expect(secondsIn(nth(told, index))).toBeLessThanOrEqual(Math.ceil(waited) + 1);
			}
		}

		test('the team is told once, and the manager if the caller still waits', async () => {
			const caller = comes(11, '+33199000311');
			await sink.waitFor(2);
			expectTold(messages(), [
				'/team +33199000311 has been waiting for 1 s in Sales.',
				'/manager ESCALATION: +33199000311 still waits in Sales, for 12 s now.',
			]);
			caller.hangsUp();
		});

		test('a caller who is answered after the alert never reaches the manager', async () => {
			const answered = comes(12, '+33199000312', 302);
			await sink.waitFor(3);
			expectTold(messages().slice(2), ['/team +33199000312 has been waiting for 1 s in Support.']);
			answered.isAnsweredBy(agentId());
			// A later caller is escalated; by then the first one's time would have been over as well.
			const later = comes(13, '+33199000313', 302);
			await sink.waitFor(5);
			expectTold(messages().slice(3), [
				'/team +33199000313 has been waiting for 1 s in Support.',
				'/manager ESCALATION: +33199000313 still waits in Support, for 12 s now.',
			]);
			later.hangsUp();
		});

		test('after an interruption of the feed nobody counts as waiting', async () => {
			const { control } = bench.provider;
			comes(14, '+33199000314');
			await sink.waitFor(6);
			control.cutTcp();
			await control.waitForSockets(0);
			await control.waitForSockets(1);
			comes(15, '+33199000315');
			await sink.waitFor(8);
			expectTold(messages().slice(6), [
				'/team +33199000315 has been waiting for 1 s in Sales.',
				'/manager ESCALATION: +33199000315 still waits in Sales, for 12 s now.',
			]);
		});
	},
	(definition) => {
		// Seconds instead of minutes: enough of them for what has to happen before the second level on a busy machine.
		nodeOf(definition, 'A caller waits too long').parameters.alerts = {
			alert: [
				{ when: 'callerWaiting', waitSeconds: 1 },
				{ when: 'callerWaiting', waitSeconds: 12 },
			],
		};
	},
	(url) => ({
		'Your settings': {
			team_url: `${url}/team`,
			manager_url: `${url}/manager`,
			manager_from_seconds: 12,
		},
	}),
);

example(
	'service-level-alert',
	() => {
		const calls = (call: number) =>
			new Caller(bench.provider, call, `+3319900050${call - 50}`).calls();

		test('the call that brings a queue below its goal is named, and the recovery is reported', async () => {
			calls(51).isAnsweredBy(agentId());
			calls(52);
			expect(await sink.waitFor(1)).toEqual([
				'Sales: service level 50%, below 60%: call 52 from +33199000502 brought it below',
			]);
			calls(53).isAnsweredBy(agentId());
			const texts = await sink.waitFor(2);
			expect(texts[1]).toMatch(/^Service Level Too Low is over after \d+ s: Sales: 66\.7%$/);
		});
	},
	(definition) => {
		// Fewer calls than in reality, and half of the twenty seconds: whoever is answered at once is in time, also on a busy
		// machine.
		const { parameters } = nodeOf(definition, 'Service level too low');
		parameters.alerts = {
			alert: [{ when: 'serviceLevelBelow', percent: 60, windowMinutes: 60, minimumCalls: 2 }],
		};
		parameters.options = { ...(parameters.options as object), serviceLevelSeconds: 10 };
	},
);

example(
	'live-wallboard',
	() => {
		async function page(): Promise<string> {
			const answer = await fetch(`${bench.client.url}/webhook/wallboard`);
			expect(answer.status).toBe(200);
			expect(answer.headers.get('content-type')).toContain('text/html');
			return await answer.text();
		}

		/** The page, once it shows the given text. */
		const pageWith = async (what: RegExp | string) =>
			await eventually(`the page shows ${String(what)}`, async () => {
				const html = await page();
				return (typeof what === 'string' ? html.includes(what) : what.test(html)) && html;
			});

		test('shows agents with their states, from available to a break and logged out', async () => {
			const { provider } = bench;
			const [ada, benoit] = firstOf(provider.plan.agents, 2);
			await pageWith('who waits and who is free is not known yet');
			const status = { status: 'available', id_operator: ada.id, id_client: 4242 };
			provider.control.send('operator', 'status', status);
			provider.control.send('UI', 'pause', { supp: 1, id_operator: benoit.id, id_client: 4242 });
			await pageWith('id="feed">live');
			const html = await pageWith('break, Lunch');
			expect(html).toMatch(new RegExp(`data-agent="${ada.id}">${ada.name}<small>available`));
			expect(html).toMatch(
				new RegExp(`data-agent="${benoit.id}">${benoit.name}<small>break, Lunch`),
			);
			provider.control.send('UI', 'logout', {
				supp: null,
				id_operator: benoit.id,
				id_client: 4242,
			});
			await eventually('the agent is gone', async () => !(await page()).includes(benoit.name));
		});

		test("shows who waits in which queue, and the queue's figures", async () => {
			const { provider } = bench;
			const ada = nth(provider.plan.agents, 0);
			const first = new Caller(provider, 31, '+33199007531').calls();
			const second = new Caller(provider, 32, '+33199007532').calls();
			const html = await pageWith(/data-queue="301"><td>Sales<\/td><td>2<\/td><td>\d+:\d\d<\/td>/);
			// Callers are people: a wallboard must not show their numbers.
			expect(html).not.toContain('199007531');
			first.isAnsweredBy(ada.id);
			provider.control.send('operator', 'status', {
				status: 'connected',
				id_operator: ada.id,
				id_queue: 301,
				id_call: 31,
				id_client: 4242,
			});
			await pageWith(
				/data-queue="301"><td>Sales<\/td><td>1<\/td><td>[\d:]+<\/td><td>1<\/td><td>1<\/td><td>0<\/td><td>100%<\/td>/,
			);
			await pageWith(new RegExp(`${ada.name}<small>on a call, Sales`));
			first.hangsUp();
			provider.control.send('operator', 'status', { status: 'available', id_operator: ada.id });
			second.hangsUp();
			await pageWith(
				/data-queue="301"><td>Sales<\/td><td>0<\/td><td>–<\/td><td>0<\/td><td>1<\/td><td>1<\/td>/,
			);
		});

		test('reloads itself in a browser, with whatever has happened in the meantime', async () => {
			const { provider } = bench;
			const browser = await launchChromium();
			try {
				const view = await browser.newPage({ viewport: { width: 1400, height: 900 } });
				view.setDefaultTimeout(60_000);
				await view.goto(`${bench.client.url}/webhook/wallboard`);
				await view.locator('#feed', { hasText: 'live' }).waitFor();
				// A morning in the call centre, then one more agent: the page shows it without a manual reload.
				await provider.control.generate(150);
				const chloe = nth(provider.plan.agents, 2);
				provider.control.send('UI', 'pause', { supp: 3, id_operator: chloe.id, id_client: 4242 });
				await view.locator(`[data-agent="${chloe.id}"]`, { hasText: 'break, Training' }).waitFor();
				await picture(view, 'wallboard');
			} finally {
				await browser.close();
			}
		});

		test('shows what is unknown after an interruption of the feed, until events of the agents arrive', async () => {
			const { provider } = bench;
			await provider.control.goAway();
			await pageWith('who waits and who is free is not known yet');
			await provider.control.listenAgain();
			await provider.control.waitForSockets(1);
			const ada = nth(provider.plan.agents, 0);
			provider.control.send('operator', 'status', { status: 'available', id_operator: ada.id });
			const html = await pageWith('id="feed">live');
			expect(html).toContain('not all of the day was seen');
		});
	},
	(definition) => {
		// A second instead of thirty. Whoever hangs up has given up, and whoever is answered is in time, however fast or slow
		// the machine is.
		const { parameters } = nodeOf(definition, 'How everything stands');
		parameters.every = 1;
		const figures = { shortAbandonSeconds: 0, serviceLevelSeconds: 600 };
		parameters.options = { ...(parameters.options as object), ...figures };
		const page = nodeOf(definition, 'Write the page').parameters;
		page.jsCode = String(page.jsCode).replace('RELOAD_SECONDS = 30', 'RELOAD_SECONDS = 1');
	},
	() => ({}),
);
