// Connections that ended in each of the ways that there are leave nothing open: counted in a process of its own by the system,
// and at the server.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEndings, WAYS } from './endings';

/** On Node.js 20 the runtime has its WebSocket behind a switch. */
const withWebSocket = typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : [];
const EACH = 12;

test('no descriptor and no timer is left, and no connection at the server', async () => {
	const { server, url, open } = await startEndings();
	try {
		const { stdout } = await promisify(execFile)(process.execPath, [
			...withWebSocket,
			...['--import', 'tsx'],
			join(__dirname, 'endingsProcess.ts'),
			...[url, String(EACH)],
		]);
		const { opened, before, after } = JSON.parse(stdout) as {
			opened: number;
			before: { descriptors: number; timers: number };
			after: { descriptors: number; timers: number };
		};
		expect(opened).toBe(EACH * 2 * Object.keys(WAYS).length);
		expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
		expect(after.timers).toBeLessThanOrEqual(before.timers);
		expect(open()).toBe(0);
	} finally {
		server.closeAllConnections();
		server.close();
	}
}, 180_000);
