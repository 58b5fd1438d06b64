// SQLite, n8n's default database, is locked by another process (a backup, a copy of the file), so n8n cannot write.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { ensureN8n } from '../../../../dev/n8n/install';
import { silentProgress } from '../../../../dev/progress';
import { startBench, type OwnBench } from '../../support/bench';
import { EACH_ONCE, runDrill } from '../drill';
import { streamOf } from '../postgresBench';

const AWAY_MS = 20_000;

let bench: OwnBench;

beforeAll(async () => {
	bench = await startBench({ name: 'outage-sqlite' });
});

afterAll(async () => {
	await bench?.close();
});

/** The program that locks n8n's database until its input ends. */
const HOLD = `
const { Database } = require(process.argv[1]);
const database = new Database(process.argv[2]);
database.configure('busyTimeout', 10000);
database.exec('BEGIN EXCLUSIVE', (error) => {
	console.log(error ? error.message : 'locked');
	if (error) process.exit(1);
});
process.stdin.on('end', () => database.exec('ROLLBACK', () => process.exit(0))).resume();
`;

/** Locks n8n's database for every other process. @returns a function that unlocks it */
async function lockDatabase(): Promise<() => Promise<void>> {
	const { node, folder } = await ensureN8n(bench.release, silentProgress);
	const database = join(bench.userFolder, '.n8n/database.sqlite');
	expect(existsSync(database)).toBe(true);
	const holder = spawn(node.binary, ['-e', HOLD, join(folder, 'node_modules/sqlite3'), database], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const [line] = (await once(createInterface(holder.stdout), 'line')) as [string];
	expect(line).toBe('locked');
	return async () => {
		holder.stdin.end();
		await once(holder, 'exit');
	};
}

jest.setTimeout(600_000);

test('SQLite locked for 20 s: each event arrives once', async () => {
	let free: (() => Promise<void>) | undefined;
	const { accounts } = await runDrill(
		'SQLite locked for 20 s',
		{ ...bench, credentials: [bench.supervisor] },
		{
			awayMs: AWAY_MS,
			async leave() {
				free = await lockDatabase();
			},
			comeBack: async () => await free?.(),
			streams: [streamOf('insert_call', 10, 1), streamOf('connect_call', 200, 20)],
		},
	);
	for (const account of accounts) expect(account).toMatchObject(EACH_ONCE);
});
