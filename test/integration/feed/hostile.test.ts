// A hostile server against the bundled clients: nothing that it sends escapes into n8n's process as an exception. A process of
// its own, because what escapes would end the tests' own.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Each is run whole; those that found something once stay. */
const SEEDS = [1, 7];
const SAMPLES = 60;

test.each(SEEDS)(
	'no exception escapes, whatever packets come (seed %i)',
	async (seed) => {
		const { stdout } = await promisify(execFile)(process.execPath, [
			...['--import', 'tsx'],
			join(__dirname, 'hostileProcess.ts'),
			...[String(SAMPLES), String(seed)],
		]);
		const { heard, escaped } = JSON.parse(stdout) as { heard: number; escaped: string[] };
		expect(escaped).toEqual([]);
		// Some of it was good: otherwise nothing would have been tried.
		expect(heard).toBeGreaterThan(0);
	},
	120_000,
);
