/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryLock } from '../../../dev/lock';

const folder = mkdtempSync(join(tmpdir(), 'voice-management-lock-'));
const file = join(folder, 'holder');
afterAll(() => rmSync(folder, { recursive: true }));

test('one process at a time holds a lock, and a killed one leaves it to the next', async () => {
	const holds = `const { DatabaseSync } = require('node:sqlite');
		const database = new DatabaseSync(process.argv[1]);
		database.exec('BEGIN EXCLUSIVE');
		console.log('holds');
		setInterval(() => {}, 1000);`;
	const other = spawn(process.execPath, ['-e', holds, file], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	await once(other.stdout, 'data');
	expect(await tryLock(file)).toBeUndefined();
	other.kill('SIGKILL');
	await once(other, 'exit');
	const release = await tryLock(file);
	expect(release).toBeDefined();
	expect(await tryLock(file)).toBeUndefined();
	release?.();
	(await tryLock(file))?.();
});
