// A throwaway Redis server on loopback, from the machine's own packages, keeping nothing on disk.
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

import { freePorts } from '../../../dev/process/ports';
import { GuardedProcess } from '../../../dev/process/guarded';
import { UserError } from '../../../dev/userError';

const START_TIMEOUT_MS = 30_000;

export interface Redis {
	/** Settings that point an n8n's queue at this server. */
	environment: Record<string, string>;
	stop(): Promise<void>;
}

/** Whether `redis-server` can be started. */
export function hasRedis(): boolean {
	return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * Starts an empty server.
 * @throws UserError where Redis is not installed.
 */
export async function startRedis(logFile: string): Promise<Redis> {
	if (!hasRedis()) {
		throw new UserError(
			'Queue mode needs Redis, which is not installed: apt-get install -y redis-server',
		);
	}
	const [port] = await freePorts(1);
	const server = new GuardedProcess({
		command: 'redis-server',
		args: [
			...['--bind', '127.0.0.1'],
			...['--port', String(port)],
			...['--save', ''],
			...['--appendonly', 'no'],
			...['--daemonize', 'no'],
		],
		cwd: tmpdir(),
		env: { PATH: process.env.PATH, LC_ALL: 'C' },
		logFile,
		graceMs: 3_000,
	});
	try {
		await server.waitForLine(/Ready to accept connections/i, START_TIMEOUT_MS);
	} catch (error) {
		await server.stop();
		throw error;
	}
	return {
		environment: {
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(port),
		},
		stop: async () => void (await server.stop()),
	};
}
