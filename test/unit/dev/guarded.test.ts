// Programs that cannot outlive their parent, including everything that they started.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { GuardedProcess } from '../../../dev/process/guarded';

const GUARD = join(__dirname, '../../../dev/process/guard.cjs');

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'voice-management-guard-'));
});
afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
});

function guarded(script: string, graceMs = 5_000): GuardedProcess {
	return new GuardedProcess({
		command: process.execPath,
		args: ['-e', script],
		cwd: folder,
		env: process.env,
		logFile: join(folder, 'log'),
		graceMs,
	});
}

/** A program with a child process that ignores the end of its parent. */
const WITH_CHILD = `
	const child = require('child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("child up")'], { stdio: 'inherit' });
	console.log('child is', child.pid);
	setInterval(() => {}, 1000);
`;

async function childOf(program: GuardedProcess): Promise<number> {
	await program.waitForLine(/child up/, 120_000);
	return Number(/\d+/.exec(await program.waitForLine(/child is \d+/, 120_000))![0]);
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	try {
		// A process that has ended but was not waited for yet counts as gone.
		return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		// There is no /proc, or the process has ended since: the next look shows that.
		return true;
	}
}

async function untilGone(...pids: number[]): Promise<void> {
	const deadline = Date.now() + 20_000;
	while (pids.some(isAlive)) {
		if (Date.now() > deadline) throw new Error(`still alive: ${pids.filter(isAlive).join()}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

test('keeps the output, on screen and in the log, and the exit code', async () => {
	const program = guarded("console.log('one'); console.error('two'); process.exitCode = 3;");
	expect(await program.exited).toEqual({ code: 3, signal: null });
	expect(program.output().split('\n').sort()).toEqual(['one', 'two']);
	expect(readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').sort()).toEqual([
		'one',
		'two',
	]);
});

test('the wait for a line that never comes ends with the program, and reports its last output', async () => {
	const program = guarded("console.log('no luck')");
	await expect(program.waitForLine(/ready/, 120_000)).rejects.toThrow(/ended before .*no luck/s);
});

test('stop ends the program and a child that ignores signals', async () => {
	const program = guarded(WITH_CHILD, 300);
	const child = await childOf(program);
	await program.stop();
	await untilGone(program.pid, child);
});

test('a crash ends the child too', async () => {
	const program = guarded(WITH_CHILD);
	const child = await childOf(program);
	expect(await program.crash()).toEqual({ code: null, signal: 'SIGKILL' });
	await untilGone(child);
});

test('if the parent is killed without warning, program and child end', async () => {
	const ours = join(folder, 'ours.cjs');
	// What the parent does, in a process that can be killed: start the guard with a channel to itself.
	writeFileSync(
		ours,
		`const guard = require('child_process').spawn(process.execPath, [${JSON.stringify(GUARD)}, '300', process.execPath, '-e', ${JSON.stringify(WITH_CHILD)}], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
		guard.on('message', ({ pid }) => console.log('program is', pid));`,
	);
	const us = spawn(process.execPath, [ours], { stdio: ['ignore', 'pipe', 'inherit'] });
	let text = '';
	const seen = async (pattern: RegExp) =>
		await new Promise<number>((resolve) => {
			const look = () => {
				const match = pattern.exec(text);
				if (match) resolve(Number(match[1] ?? 0));
			};
			us.stdout.on('data', look);
			look();
		});
	us.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
	const program = await seen(/program is (\d+)/);
	const child = await seen(/child is (\d+)/);
	await seen(/child up/);
	us.kill('SIGKILL');
	await untilGone(program, child);
});
