// The bundled client with servers that do what no real one does. They run in separate processes: an exception that
// escapes from a client would end the process of the tests, and only a process that does nothing else can count what is
// left open. Both run side by side, since most of each is waiting.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEndings, WAYS } from './endings';

jest.setTimeout(180_000);

/** The output of such a process. */
async function outcomeOf(script: string, ...args: Array<string | number>): Promise<unknown> {
	const { stdout } = await promisify(execFile)(process.execPath, [
		// In Node.js 20 the runtime's WebSocket is behind a switch.
		...(typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : []),
		...['--import', 'tsx'],
		join(__dirname, script),
		...args.map(String),
	]);
	return JSON.parse(stdout);
}

/** Each is run completely; those that once found something stay. */
const SEEDS = [1, 7];
const SAMPLES = 60;
/** Connections for each way of ending and each version. */
const EACH = 42;

let endings: Awaited<ReturnType<typeof startEndings>>;
let hostile: Promise<unknown>;
let ended: Promise<unknown>;
beforeAll(async () => {
	endings = await startEndings();
	hostile = outcomeOf('hostileProcess.ts', SAMPLES, ...SEEDS);
	ended = outcomeOf('endingsProcess.ts', endings.url, EACH);
	for (const outcome of [hostile, ended]) outcome.catch(() => undefined);
});
afterAll(() => {
	endings.server.closeAllConnections();
	endings.server.close();
});

it('no exception escapes, whatever packets arrive', async () => {
	const outcome = (await hostile) as { samples: number; heard: number; escaped: string[] };
	// Both versions, over long polling and over WebSocket.
	expect(outcome.samples).toBe(4 * SAMPLES * SEEDS.length);
	expect(outcome.escaped).toEqual([]);
	// Some of it was valid; otherwise nothing would have been tested.
	expect(outcome.heard).toBeGreaterThan(0);
});

it('connections that ended in every way leave no descriptor and no timer, neither here nor at the server', async () => {
	const { opened, before, after } = (await ended) as {
		opened: number;
		before: { descriptors: number; timers: number };
		after: { descriptors: number; timers: number };
	};
	expect(opened).toBe(EACH * 2 * Object.keys(WAYS).length);
	expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
	expect(after.timers).toBeLessThanOrEqual(before.timers);
	expect(endings.open()).toBe(0);
});
