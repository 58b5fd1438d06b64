// Queue mode: Redis, Postgres or a worker goes away while events arrive.
import type { Credential } from '../../../../dev/n8n/client';
import { SUPERVISOR_CREDENTIAL, credentialData } from '../../../../dev/setup';
import { startOperator, type Operator } from '../../../../simulator';
import { WORKER_CONCURRENCY, startCluster, type Cluster } from '../../support/cluster';
import type { Account } from '../account';
import { EACH_ONCE, EACH_ONCE_OR_TOLD, runDrill, type Drill, type Site } from '../drill';
import { streamOf } from '../postgresBench';
import { nth } from '../../../support/present';

const AWAY_MS = 20_000;
/** An execution whose end n8n never reports keeps its slot for two minutes. */
const QUIET_MS = 180_000;

let operator: Operator;
let cluster: Cluster;
let site: Site;

const STREAMS = [streamOf('insert_call', 10, 1), streamOf('connect_call', 200, 20)];

beforeAll(async () => {
	operator = await startOperator();
	// With n8n's default of 10 s, the main process would end while Redis is away.
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

test('Redis away for 20 s: each event arrives once', async () => {
	const accounts = await drill('Redis away for 20 s', {
		leave: async () => await cluster.redis.leave(),
		comeBack: async () => await cluster.redis.comeBack(),
	});
	for (const account of accounts) expect(account).toMatchObject(EACH_ONCE);
}, 900_000);

test('Postgres away for 20 s: each event arrives once, or is reported to the workflow', async () => {
	const accounts = await drill('Postgres away for 20 s', {
		leave: async () => await cluster.postgres.leave(),
		comeBack: async () => await cluster.postgres.comeBack(),
	});
	for (const account of accounts) expect(account).toMatchObject(EACH_ONCE_OR_TOLD);
}, 900_000);

test('a worker killed and started again: the executions that it was running are reported', async () => {
	const worker = nth(cluster.workers, 0);
	const accounts = await drill('a worker killed for 20 s', {
		leave: async () => void (await worker.server.crash()),
		comeBack: async () => await worker.start(),
	});
	for (const [index, account] of accounts.entries()) {
		expect(account).toMatchObject(EACH_ONCE_OR_TOLD);
		expect(account.toldMissing).toBeLessThanOrEqual(
			WORKER_CONCURRENCY * nth(STREAMS, index).options.batchSize,
		);
	}
}, 900_000);

async function drill(title: string, parts: Pick<Drill, 'leave' | 'comeBack'>): Promise<Account[]> {
	const { accounts } = await runDrill(`queue mode, ${title}`, site, {
		...parts,
		awayMs: AWAY_MS,
		streams: STREAMS,
		quietMs: QUIET_MS,
	});
	return accounts;
}
