/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Two lines in a real n8n: while one after the other is cut, nothing is lost, nothing comes twice and no gap is
// reported. With an operator that allows one session the trigger keeps one line.
import type { Workflow } from '../../../dev/n8n/client';
import { nth } from '../../support/present';
import { startOperator, type Operator } from '../../../simulator';
import { addCredential, startBench, type OwnBench } from '../support/bench';
import { isLong } from '../support/environment';
import { startSink } from '../support/sink';
import { accountFor, statusesIn, type Account } from './account';
import { EACH_ONCE, noteSent, openStream, pause, print, type Stream } from './drill';

/** How long lines are cut: less than half an hour, after which the logins are renewed. */
const MS = isLong ? 600_000 : 40_000;
const CUT_EVERY_MS = 4_000;
const QUIET_MS = 20_000;
/** How many events a line gets before one of the two is cut: two seconds of events. */
const PROVEN_BY = 100;

const STREAM: Stream = {
	title: 'two lines',
	event: 'insert_call',
	rate: 50,
	options: { batchSize: 50 },
};

/** What became of an operator's events, and how often the trigger logged in there. */
interface LinesOutcome {
	account: Account;
	logins: number;
	cuts: number;
	/** The status items of the workflow, in order. */
	told: Array<Record<string, unknown>>;
}

let bench: OwnBench;

beforeAll(async () => {
	bench = await startBench({ name: 'outage-two-lines' });
});

afterAll(async () => {
	await bench?.close();
});

/** Sends events at a fixed rate from one operator to a workflow with two lines. */
async function play(
	operator: Operator,
	act: (until: number) => Promise<number>,
): Promise<LinesOutcome> {
	const { client } = bench;
	const two = { customConnection: true, redundantConnection: true };
	const credential = await addCredential(client, operator, 'supervisor', two);
	const sink = await startSink();
	const sent = noteSent(operator);
	let workflow: Workflow | undefined;
	try {
		workflow = await openStream({ client, operator, credentials: [credential] }, sink, STREAM);
		await operator.control.waitForSockets(1);
		await pause(10_000);
		const { rate, event } = STREAM;
		const burst = operator.control.pushBurst({ event, rate, count: (rate * MS) / 1_000 });
		const cuts = await act(Date.now() + MS);
		await burst;
		const account = () => accountFor(sent.of(event), sink.reports, 10);
		await sink.settled(() => account().arrived === account().sent, QUIET_MS);
		const told = statusesIn(sink.reports);
		return { account: account(), logins: operator.control.logins(), cuts, told };
	} finally {
		sent.end();
		if (workflow) await client.deactivate(workflow.id);
		await sink.close();
	}
}

/** Cuts one of the two lines every four seconds, alternating between the older and the newer one. */
async function cutLines(): Promise<LinesOutcome> {
	const { control } = bench.operator;
	const outcome = await play(bench.operator, async (until) => {
		let cuts = 0;
		while (Date.now() < until) {
			const lines = control.sockets().sort((a, b) => a.connectedAt - b.connectedAt);
			// Events in transit on one line are only on the other one too if that was open before them: a busy machine
			// delivers events late, and opens the second line late.
			if (lines.length !== 2 || lines.some(({ sent }) => sent < PROVEN_BY)) {
				await pause(50);
				continue;
			}
			const { id } = nth(lines, cuts % 2);
			// With long polling a connection may have no request under way at the moment.
			const cutting = setInterval(() => control.destroySockets({ socket: id }), 5);
			await control
				.waitFor(() => !control.sockets().some((socket) => socket.id === id), 60_000)
				.finally(() => clearInterval(cutting));
			cuts++;
			await pause(CUT_EVERY_MS);
		}
		return cuts;
	});
	const title = `two lines, one cut every 4 s for ${MS / 1_000} s: ${outcome.cuts} cuts, ${outcome.logins} logins`;
	print(title, outcome.account);
	return outcome;
}

/** An operator that ends the older connection when a second one opens. */
async function oneSession(): Promise<LinesOutcome> {
	const operator = await startOperator({ singleSession: true });
	try {
		const outcome = await play(operator, async (until) => {
			await pause(Math.max(0, until - Date.now()));
			return 0;
		});
		print(`one session for ${MS / 1_000} s: ${outcome.logins} logins`, outcome.account);
		return outcome;
	} finally {
		await operator.close();
	}
}

test(
	'one line is cut every four seconds: nothing is missing',
	async () => {
		const [lines, one] = await Promise.all([cutLines(), oneSession()]);
		// The items that explain a failure first.
		expect(lines.told.filter(({ event }) => event === 'gap' || event === 'disconnected')).toEqual(
			[],
		);
		expect(lines.account).toMatchObject(EACH_ONCE);
		expect(lines.account.arrived).toBe(lines.account.sent);
		const lost = lines.told.filter(({ event }) => event === 'connection_lost');
		expect(lost.length).toBeGreaterThan(0);
		// On a busy machine a line may be cut before the feed has seen that it delivers the same as the other one.
		expect(lost.length).toBeLessThanOrEqual(lines.cuts);
		expect(one.account).toMatchObject(EACH_ONCE);
		expect(one.logins).toBe(3);
		const reasons = one.told
			.filter(({ event }) => event === 'connection_lost')
			.map(({ reason }) => String(reason));
		expect(reasons.filter((reason) => reason.includes('one session'))).toHaveLength(1);
	},
	MS + 600_000,
);
