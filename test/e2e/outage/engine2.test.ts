// n8n's engine 2.0, with a database of its own: it takes no trigger that waits for its executions, and reports nothing
// of starts that failed. The older n8n does not have it, and run.ts leaves this suite out there.
import { freePorts } from '../../../dev/process/ports';
import { NOTHING_MISSING, runDrill } from './drill';
import { startPostgresBench, streamOf, type PostgresBench } from './postgresBench';

const ENGINE_2 = { engineType: 'v2' };
const STREAMS = [
	streamOf('insert_call', 10, 1, ENGINE_2),
	streamOf('connect_call', 100, 20, ENGINE_2),
];

/** Each wait has a limit of its own; beside other n8n instances all of them together take long. */
jest.setTimeout(600_000);

let at: PostgresBench;

beforeAll(async () => {
	const [enginePort, controlPort] = await freePorts(2);
	at = await startPostgresBench('outage-engine2', async (postgres) => ({
		DB_RECOVERY_BACKOFF_MAX_MS: '3000',
		N8N_ENABLED_MODULES: 'engine-v2',
		N8N_ENGINE_DATABASE_URL: await postgres.createDatabase('engine'),
		N8N_ENGINE_PORT: String(enginePort),
		N8N_ENGINE_CONTROL_PLANE_PORT: String(controlPort),
		N8N_EXPRESSION_ENGINE: 'vm',
	}));
});

afterAll(async () => {
	await at?.close();
});

test('engine 2.0: each event arrives once, in order', async () => {
	const { accounts } = await runDrill('engine 2.0', at.site, {
		awayMs: 5_000,
		leave: () => undefined,
		comeBack: () => undefined,
		streams: STREAMS,
	});
	for (const account of accounts) expect(account).toMatchObject(NOTHING_MISSING);
});
