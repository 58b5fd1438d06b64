// A hostile server against the bundled clients: nothing that it sends escapes into n8n's process as an exception. A process of
// its own, because what escapes would end the tests' own.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Each is run whole; those that found something once stay. */
const SEEDS = [1, 7];
const SAMPLES = 60;
/** On Node.js 20 the runtime has its WebSocket behind a switch. */
const withWebSocket = typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : [];

test('no exception escapes, whatever packets come', async () => {
	const { stdout } = await promisify(execFile)(process.execPath, [
		...withWebSocket,
		...['--import', 'tsx'],
		join(__dirname, 'hostileProcess.ts'),
		...[SAMPLES, ...SEEDS].map(String),
	]);
	const { samples, heard, escaped } = JSON.parse(stdout) as {
		samples: number;
		heard: number;
		escaped: string[];
	};
	// Both versions, over long polling and over WebSocket.
	expect(samples).toBe(4 * SAMPLES * SEEDS.length);
	expect(escaped).toEqual([]);
	// Some of it was good: otherwise nothing would have been tried.
	expect(heard).toBeGreaterThan(0);
}, 120_000);
