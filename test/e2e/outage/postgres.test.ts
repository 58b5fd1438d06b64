// n8n's Postgres goes away while events arrive: every event waits in the trigger, and reaches the workflow once.
import { EACH_ONCE, runDrill } from './drill';
import { startPostgresBench, streamOf, type PostgresBench } from './postgresBench';

/** Each wait has its own limit; beside other n8n instances all of them together take long. */
jest.setTimeout(600_000);

let at: PostgresBench;

beforeAll(async () => {
	// n8n 2.41 reconnects with its own back-off, up to 30 s by default; the suites with --long wait for that.
	at = await startPostgresBench('outage-postgres', () => ({ DB_RECOVERY_BACKOFF_MAX_MS: '3000' }));
});

afterAll(async () => {
	await at?.close();
});

test('Postgres away for 20 s: each event arrives once', async () => {
	const { accounts } = await runDrill('Postgres away for 20 s', at.site, {
		awayMs: 20_000,
		leave: async () => await at.postgres.leave(),
		comeBack: async () => await at.postgres.comeBack(),
		streams: [streamOf('insert_call', 10, 1), streamOf('connect_call', 200, 20)],
	});
	for (const account of accounts) {
		expect(account).toMatchObject(EACH_ONCE);
		expect(account.told.held).toBe(account.told.resumed);
	}
});
