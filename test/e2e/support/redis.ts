/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A temporary Redis server on loopback, from the machine's own packages. It keeps its data while it is away, but not
// when it is stopped for good.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePorts } from '../../../dev/process/ports';
import { GuardedProcess } from '../../../dev/process/guarded';
import { UserError } from '../../../dev/userError';

const START_TIMEOUT_MS = 30_000;

export interface Redis {
	/** Settings that make n8n's queue use this server. */
	environment: Record<string, string>;
	/** Stops the server: its connections are cut, new ones are refused. */
	leave(): Promise<void>;
	/** Starts it again, on the same port and with the same data. */
	comeBack(): Promise<void>;
	stop(): Promise<void>;
}

/**
 * Starts an empty server.
 * @throws UserError if Redis is not installed.
 */
export async function startRedis(logFile: string): Promise<Redis> {
	if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) {
		throw new UserError(
			'Queue mode needs Redis, which is not installed: apt-get install -y redis-server',
		);
	}
	const [port] = await freePorts(1);
	const data = mkdtempSync(join(tmpdir(), 'voice-management-redis-'));
	const launch = async () => {
		const started = new GuardedProcess({
			command: 'redis-server',
			args: [
				...['--bind', '127.0.0.1'],
				...['--port', String(port)],
				...['--dir', data],
				...['--save', ''],
				...['--appendonly', 'yes'],
				// The machine itself is not expected to crash.
				...['--appendfsync', 'no'],
				...['--daemonize', 'no'],
			],
			cwd: data,
			env: { PATH: process.env.PATH, LC_ALL: 'C' },
			logFile,
			graceMs: 3_000,
		});
		try {
			await started.waitForLine(/Ready to accept connections/i, START_TIMEOUT_MS);
		} catch (error) {
			await started.stop();
			throw error;
		}
		return started;
	};
	let server = await launch();
	return {
		environment: {
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(port),
		},
		leave: async () => void (await server.stop()),
		async comeBack() {
			server = await launch();
		},
		async stop() {
			await server.stop();
			rmSync(data, { recursive: true, force: true });
		},
	};
}
