// n8n's engine 2.0 while its database is away. The older n8n release does not have this engine, so run.ts leaves the
// suite out there.
import { EACH_ONCE_OR_TOLD, runDrill } from '../drill';
import { ENGINE_2_STREAMS, startEngine2Bench } from '../engine2Bench';
import type { PostgresBench } from '../postgresBench';

/** Each wait has its own limit; beside other n8n instances all of them together take long. */
jest.setTimeout(600_000);

let at: PostgresBench;

beforeAll(async () => {
	at = await startEngine2Bench('outage-engine2-long');
});

afterAll(async () => {
	await at?.close();
});

test('engine 2.0, Postgres away for 20 s: each event arrives once or is reported as missing', async () => {
	const { accounts } = await runDrill('engine 2.0, Postgres away for 20 s', at.site, {
		awayMs: 20_000,
		leave: async () => await at.postgres.leave(),
		comeBack: async () => await at.postgres.comeBack(),
		streams: ENGINE_2_STREAMS,
	});
	for (const account of accounts) {
		expect(account).toMatchObject(EACH_ONCE_OR_TOLD);
		expect(account.told).toMatchObject({ held: 1, resumed: 1 });
	}
});
