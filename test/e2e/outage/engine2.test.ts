// n8n's engine 2.0, with a database of its own: it takes no trigger that waits for its executions, and reports nothing
// of starts that failed. The older n8n does not have it, and run.ts leaves this suite out there.
import { EACH_ONCE, runDrill } from './drill';
import { ENGINE_2_STREAMS, startEngine2Bench } from './engine2Bench';
import type { PostgresBench } from './postgresBench';

/** Each wait has a limit of its own; beside other n8n instances all of them together take long. */
jest.setTimeout(600_000);

let at: PostgresBench;

beforeAll(async () => {
	at = await startEngine2Bench('outage-engine2');
});

afterAll(async () => {
	await at?.close();
});

test('engine 2.0: each event arrives once, those of an execution in order', async () => {
	const { accounts } = await runDrill('engine 2.0', at.site, {
		awayMs: 5_000,
		leave: () => undefined,
		comeBack: () => undefined,
		streams: ENGINE_2_STREAMS,
	});
	for (const account of accounts) {
		expect(account).toMatchObject({ ...EACH_ONCE, outOfOrder: 0 });
	}
});
