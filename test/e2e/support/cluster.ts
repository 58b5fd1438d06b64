/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// n8n in queue mode: a main process and its workers with their own Postgres and Redis; each n8n process has the package
// under test in its own user folder, as if it ran on its own machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { N8nClient } from '../../../dev/n8n/client';
import { ensureN8n, type N8nInstall } from '../../../dev/n8n/install';
import { installTarball } from '../../../dev/n8n/package';
import { N8nServer } from '../../../dev/n8n/server';
import { createProgress } from '../../../dev/progress';
import { logFileFor } from './bench';
import { chosenRelease, tarballUnderTest } from './environment';
import { startPostgres, type Postgres } from './postgres';
import { startRedis, type Redis } from './redis';

/** How many executions one worker runs at once. n8n warns below 5. */
export const WORKER_CONCURRENCY = 5;

/** How long a worker may take to finish its executions when it is stopped. */
const STOP_SECONDS = 60;

export interface Worker {
	name: string;
	server: N8nServer;
	/** The executions that it has begun, across restarts. */
	started: Set<string>;
	/** Starts it again after it was stopped or killed. */
	start(): Promise<void>;
}

export interface Cluster {
	main: N8nServer;
	client: N8nClient;
	workers: Worker[];
	postgres: Postgres;
	redis: Redis;
	close(): Promise<void>;
}

function createWorker(install: N8nInstall, folder: string, environment: Record<string, string>) {
	return async (name: string): Promise<Worker> => {
		const userFolder = join(folder, name);
		await installTarball(tarballUnderTest(), userFolder);
		const server = new N8nServer({
			install,
			userFolder,
			command: 'worker',
			logFile: logFileFor(`queue-${name}`, install.release),
			environment: {
				...environment,
				N8N_CONCURRENCY_PRODUCTION_LIMIT: String(WORKER_CONCURRENCY),
				// A worker that is stopped finishes its executions first.
				N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(STOP_SECONDS),
			},
			graceMs: (STOP_SECONDS + 10) * 1_000,
		});
		const worker: Worker = {
			name,
			server,
			started: new Set(),
			async start() {
				await server.start();
				const note = (line: string) => {
					const id = /Worker started execution (\d+)/.exec(line)?.[1];
					if (id) worker.started.add(id);
				};
				server.onLine(note);
				// What it began before this listener was added.
				server.output().split('\n').forEach(note);
			},
		};
		return worker;
	};
}

/**
 * Starts everything. If that fails, nothing is left running.
 * @param settings additional settings of every n8n process
 * @throws UserError if Postgres or Redis are not installed.
 */
export async function startCluster(
	workerCount = 2,
	settings: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
	const install = await ensureN8n(chosenRelease(), createProgress());
	const folder = mkdtempSync(join(tmpdir(), 'voice-management-queue-'));
	const ends: Array<() => Promise<void>> = [];
	const close = async () => {
		for (const end of ends.splice(0).reverse()) await end();
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		const postgres = await startPostgres(logFileFor('queue-postgres', install.release));
		ends.push(() => postgres.stop());
		const redis = await startRedis(logFileFor('queue-redis', install.release));
		ends.push(() => redis.stop());
		const environment = {
			...postgres.environment,
			...redis.environment,
			EXECUTIONS_MODE: 'queue',
			// A dead worker is noticed by its locks, sooner than with the defaults of 60 and 30 seconds, but not one that
			// stands still for seconds on a busy machine.
			QUEUE_WORKER_LOCK_DURATION: '20000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
			QUEUE_WORKER_STALLED_INTERVAL: '3000',
			...settings,
		};
		const userFolder = join(folder, 'main');
		await installTarball(tarballUnderTest(), userFolder);
		const main = new N8nServer({
			install,
			userFolder,
			logFile: logFileFor('queue-main', install.release),
			environment,
		});
		ends.push(async () => await main.stop());
		// The main process creates the tables, so workers start after it.
		await main.start();
		const client = new N8nClient(main.url, install.release);
		await client.signIn();
		const create = createWorker(install, folder, environment);
		const workers: Worker[] = [];
		for (let number = 1; number <= workerCount; number++) {
			const worker = await create(`worker-${number}`);
			// Killed, not stopped: at the end nobody waits for its executions.
			ends.push(async () => void (await worker.server.crash()));
			workers.push(worker);
		}
		// All of them have to settle before a failure ends what they need.
		const starts = await Promise.allSettled(workers.map(async (worker) => await worker.start()));
		for (const start of starts) if (start.status === 'rejected') throw start.reason;
		return { main, client, workers, postgres, redis, close };
	} catch (error) {
		await close();
		throw error;
	}
}
