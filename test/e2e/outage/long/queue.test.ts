// Queue mode: Redis, Postgres or a worker goes away while events come.
import type { Credential } from '../../../../dev/n8n/client';
import { SUPERVISOR_CREDENTIAL, credentialData } from '../../../../dev/setup';
import { startOperator, type Operator } from '../../../../simulator';
import { WORKER_CONCURRENCY, startCluster, type Cluster } from '../../support/cluster';
import { NOTHING_MISSING, runDrill, type Drill, type Site } from '../drill';
import { streamOf } from '../postgresBench';

const AWAY_MS = 20_000;
/** What n8n never reports the end of keeps its slot for two minutes. */
const QUIET_MS = 180_000;

let operator: Operator;
let cluster: Cluster;
let site: Site;

const STREAMS = [streamOf('insert_call', 10, 1), streamOf('connect_call', 200, 20)];

beforeAll(async () => {
	operator = await startOperator();
	// With n8n's own 10 s, the main process would end while Redis is away.
	cluster = await startCluster(2, { QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD: '120000' });
	const supervisor: Credential = await cluster.client.createCredential(
		SUPERVISOR_CREDENTIAL,
		'Voice Management Supervisor API',
		credentialData(operator, 'supervisor'),
	);
	site = { client: cluster.client, operator, credentials: [supervisor] };
});

afterAll(async () => {
	await cluster?.close();
	await operator?.close();
});

const CASES: Array<{ title: string } & Pick<Drill, 'leave' | 'comeBack'>> = [
	{
		title: 'Redis away for 20 s',
		leave: async () => await cluster.redis.leave(),
		comeBack: async () => await cluster.redis.comeBack(),
	},
	{
		title: 'Postgres away for 20 s',
		leave: async () => await cluster.postgres.leave(),
		comeBack: async () => await cluster.postgres.comeBack(),
	},
];

test.each(CASES)(
	'$title: each event arrives once',
	async ({ title, ...drill }) => {
		const { accounts } = await runDrill(`queue mode, ${title}`, site, {
			...drill,
			awayMs: AWAY_MS,
			streams: STREAMS,
			quietMs: QUIET_MS,
		});
		for (const account of accounts) expect(account).toMatchObject(NOTHING_MISSING);
	},
	900_000,
);

test('a worker killed and started again: nothing is lost but what it had in hand', async () => {
	const [worker] = cluster.workers;
	const { accounts } = await runDrill('queue mode, a worker killed for 20 s', site, {
		leave: async () => void (await worker.server.crash()),
		comeBack: async () => await worker.start(),
		awayMs: AWAY_MS,
		streams: STREAMS,
		quietMs: QUIET_MS,
	});
	for (const [index, { lost, twice }] of accounts.entries()) {
		expect(twice).toBe(0);
		expect(lost).toBeLessThanOrEqual(WORKER_CONCURRENCY * STREAMS[index].options.batchSize);
	}
}, 900_000);
