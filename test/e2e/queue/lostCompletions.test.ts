/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Queue mode loses the end of executions that are over before n8n listens for it: the trigger goes on, hands nothing over
// twice, and says once what is known about it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureN8n } from '../../../dev/n8n/install';
import { createProgress } from '../../../dev/progress';
import { startOperator, type Operator } from '../../../simulator';
import { addCredential } from '../support/bench';
import { startCluster, type Cluster } from '../support/cluster';
import { chosenRelease } from '../support/environment';
import { startSink, type Sink } from '../support/sink';
import { accountFor } from '../outage/account';
import { noteSent, openStream, pause } from '../outage/drill';

jest.setTimeout(900_000);

const EVENT = 'insert_call';
const QUIET_MS = 60_000;

let operator: Operator;
let cluster: Cluster | undefined;
let sink: Sink;

beforeAll(async () => {
	operator = await startOperator();
	sink = await startSink();
});

afterEach(async () => {
	await cluster?.close();
	sink?.clear();
});

afterAll(async () => {
	await operator?.close();
	await sink?.close();
});

test.each([
	{ title: 'every one', every: 1, count: 120, rate: 10, batchSize: 1 },
	{
		title: 'one in a hundred at 200 events/s',
		every: 100,
		count: 6_000,
		rate: 200,
		batchSize: 20,
	},
	{
		title: 'none, with the setting that the line names',
		every: 1,
		count: 120,
		rate: 10,
		batchSize: 1,
		keep: '1000',
	},
])('$title: each event arrives once, and the log names the cause if there is one', async (one) => {
	const install = await ensureN8n(chosenRelease(), createProgress());
	cluster = await startCluster(2, {
		NODE_OPTIONS: `--require ${join(__dirname, 'slowFinished.cjs')}`,
		TEST_N8N_FOLDER: install.folder,
		TEST_LOST_EVERY: String(one.every),
		...(one.keep && { N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED: one.keep }),
	});
	const supervisor = await addCredential(cluster.client, operator, 'supervisor');
	const site = { client: cluster.client, operator, credentials: [supervisor] };
	const options = { batchSize: one.batchSize, maxInFlight: 10 };
	const stream = { title: one.title, event: EVENT, rate: one.rate, options } as const;
	const sent = noteSent(operator);
	await openStream(site, sink, stream);
	await operator.control.waitForSockets(1);
	const account = () => accountFor(sent.of(EVENT), sink.reports, options.maxInFlight);
	const startedAt = Date.now();
	await operator.control.pushBurst({ event: EVENT, count: one.count, rate: one.rate });
	await sink.settled(() => account().arrived === one.count, QUIET_MS);
	const seconds = (Date.now() - startedAt) / 1000;
	const { logFile } = cluster.main;
	const lines = () =>
		readFileSync(logFile, 'utf8')
			.split('\n')
			.filter((line) => line.includes('KEEP_LAST_COMPLETED=1000'));
	// It is logged when the end has not been reported for half a minute.
	for (let waited = 0; waited < 60 && lines().length === 0; waited++) await pause(1_000);
	process.stderr.write(
		`${one.title}: ${account().arrived} of ${one.count} in ${seconds} s\n${lines().join('\n')}\n`,
	);
	sent.end();
	expect(account()).toMatchObject({ arrived: one.count, twice: 0, toldMissing: 0, lost: 0 });
	expect(lines()).toHaveLength(one.keep ? 0 : 1);
});
