/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npm start` as a newcomer would use it: from the command to live events and executions, and that nothing is left,
// however it ends.
import { readdirSync, readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../../../dev/n8n/package';
import { GuardedProcess } from '../../../dev/process/guarded';
import { freePorts, isPortFree } from '../../../dev/process/ports';
import { firstOf } from '../../support/present';

const LIVE_MS = 180_000;
/** Seconds, and more on a busy machine: n8n finishes what runs, and the port is free again. */
const GONE_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'voice-management-start-'));
const data = join(folder, 'data');
let ports: { n8n: number; simulator: number };
let started: GuardedProcess | undefined;

beforeEach(async () => {
	const [n8n, simulator] = firstOf(await freePorts(2), 2);
	ports = { n8n, simulator };
});

afterEach(async () => {
	await started?.stop();
	started = undefined;
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

function npmStart(...args: string[]): GuardedProcess {
	return new GuardedProcess({
		command: 'npm',
		args: ['start', '--', '--data', data, ...args],
		cwd: projectRoot,
		env: { ...process.env, NO_COLOR: '1' },
		logFile: join(folder, 'start.log'),
	});
}

function startOnPorts(...args: string[]): GuardedProcess {
	return npmStart(
		'--n8n-port',
		String(ports.n8n),
		'--simulator-port',
		String(ports.simulator),
		'--rate',
		'5',
		...args,
	);
}

/** Processes that work in n8n's data folder, according to Linux. */
function processesLeft(): string[] {
	return readdirSync('/proc')
		.filter((entry) => /^\d+$/.test(entry))
		.filter((pid) => {
			try {
				return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`N8N_USER_FOLDER=${data}`);
			} catch {
				return false;
			}
		});
}

async function expectNothingLeft(): Promise<void> {
	const deadline = Date.now() + GONE_MS;
	for (;;) {
		const left = {
			processes: processesLeft(),
			n8nPort: await isPortFree(ports.n8n),
			simulatorPort: await isPortFree(ports.simulator),
		};
		const nothing = { processes: [], n8nPort: true, simulatorPort: true };
		if (JSON.stringify(left) === JSON.stringify(nothing) || Date.now() > deadline) {
			expect(left).toEqual(nothing);
			return;
		}
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}

async function untilLive(start: GuardedProcess): Promise<void> {
	await start.waitForLine(/event {2}.*1 listening/, LIVE_MS);
	await start.waitForLine(/run {4}Number management run .*success.*"deleted":true/, LIVE_MS);
	await start.waitForLine(/run {4}Calls from the feed .*success/, LIVE_MS);
}

test('reaches live events and executions, prints where everything is, and Ctrl-C leaves nothing behind', async () => {
	started = startOnPorts();
	await untilLive(started);
	const output = started.output();
	expect(output).toContain(`http://127.0.0.1:${ports.n8n}`);
	expect(output).toContain(`http://127.0.0.1:${ports.simulator}`);
	expect(output).toContain('owner@example.com');
	expect(output).toContain('supervisor / ');
	expect(output).toContain('Ctrl-C');
	expect(output).toContain('not for production');

	// Like a terminal: to the whole foreground process group, including npm and the shell below it.
	process.kill(-started.pid, 'SIGINT');
	await started.exited;
	await expectNothingLeft();
	expect(started.output()).toContain('Stopped.');
});

test('a second start uses the same n8n installation, and SIGTERM leaves nothing behind', async () => {
	started = startOnPorts();
	await untilLive(started);
	expect(started.output()).not.toMatch(/Installing n8n/);
	// To npm only: npm and the shell below it end at once, so nobody is left to receive a last line.
	process.kill(started.pid, 'SIGTERM');
	await started.exited;
	await expectNothingLeft();
});

test('killed without a warning, it leaves nothing behind', async () => {
	started = startOnPorts();
	await untilLive(started);
	process.kill(-started.pid, 'SIGKILL');
	await started.exited;
	await expectNothingLeft();
});

test('if n8n dies it reports that, stops the rest and fails', async () => {
	started = startOnPorts();
	await untilLive(started);
	const [guard, n8n] = firstOf(
		processesLeft()
			.map(Number)
			.sort((a, b) => a - b),
		2,
	);
	expect(guard).toBeLessThan(n8n);
	process.kill(n8n, 'SIGKILL');
	const { code } = await started.exited;
	expect(code).toBe(1);
	expect(started.output()).toMatch(/n8n ended by itself \(signal SIGKILL\)/);
	await expectNothingLeft();
});

describe('a mistake leads to one clear sentence and exit code 1', () => {
	async function fails(start: GuardedProcess): Promise<string> {
		started = start;
		const { code } = await start.exited;
		expect(code).toBe(1);
		expect(start.output()).not.toMatch(/^\s+at /m);
		return start.output();
	}

	test('a port in use: the error names it, and the option', async () => {
		const taken = await import('node:net').then(
			async ({ createServer }) =>
				await new Promise<import('node:net').Server>((resolve) => {
					const server = createServer().listen(ports.n8n, '127.0.0.1', () => resolve(server));
				}),
		);
		try {
			expect(await fails(startOnPorts())).toContain(
				`Port ${ports.n8n} for n8n is in use: stop what uses it, or choose another with "npm start -- --n8n-port <port>".`,
			);
		} finally {
			taken.close();
		}
	});

	test('an invalid port', async () => {
		expect(await fails(npmStart('--n8n-port', '70000'))).toMatch(
			/--n8n-port.*whole number from 1 to 65535/,
		);
	});

	test('a Socket.IO version that there is not', async () => {
		expect(await fails(npmStart('--socketio', '9'))).toContain('Allowed choices are 4, 2, 1.');
	});
});
