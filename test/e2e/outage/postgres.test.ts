// n8n's Postgres goes away while events come: every one of them waits in the trigger, and reaches the workflow once.
import { chosenRelease } from '../support/environment';
import { NOTHING_MISSING, runDrill } from './drill';
import { startPostgresBench, streamOf, type PostgresBench } from './postgresBench';

/** Each wait has a limit of its own; beside other n8n instances all of them together take long. */
jest.setTimeout(600_000);

let at: PostgresBench;

beforeAll(async () => {
	// n8n 2.41 connects anew with a back-off of its own, up to 30 s unless set: the suites with --long wait for that.
	at = await startPostgresBench('outage-postgres', () => ({ DB_RECOVERY_BACKOFF_MAX_MS: '3000' }));
});

afterAll(async () => {
	await at?.close();
});

/** n8n 1.123 does not say which batches it could not start: those that were under way come after later ones. */
const order = chosenRelease().label === '1.123' ? { outOfOrder: expect.any(Number) as number } : {};

test('Postgres away for 20 s: each event arrives once, and the workflow is told', async () => {
	const { accounts } = await runDrill('Postgres away for 20 s', at.site, {
		awayMs: 20_000,
		leave: async () => await at.postgres.leave(),
		comeBack: async () => await at.postgres.comeBack(),
		streams: [streamOf('insert_call', 10, 1), streamOf('connect_call', 200, 20)],
	});
	for (const account of accounts) {
		expect(account).toMatchObject({ ...NOTHING_MISSING, ...order });
		expect(account.told).toMatchObject({ held: 1, resumed: 1 });
	}
});
