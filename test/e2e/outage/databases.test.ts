/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What n8n keeps its executions in goes away while events arrive, or its queue or a worker: every event waits in the
// trigger, and reaches the workflow once. With --long also other places, and other ways of being away.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { ensureN8n } from '../../../dev/n8n/install';
import { freePorts } from '../../../dev/process/ports';
import { silentProgress } from '../../../dev/progress';
import { startProvider } from '../../../simulator';
import { nth } from '../../support/present';
import { addCredential, logFileFor, startBench } from '../support/bench';
import { WORKER_CONCURRENCY, startCluster } from '../support/cluster';
import { chosenRelease, isLong } from '../support/environment';
import { startPostgres, type Postgres } from '../support/postgres';
import type { Account } from './account';
import {
	EACH_ONCE,
	EACH_ONCE_OR_TOLD,
	pause,
	runDrill,
	type Drill,
	type Site,
	type Stream,
} from './drill';

function streamOf(
	event: Stream['event'],
	rate: number,
	batchSize: number,
	more: Partial<Stream> = {},
): Stream {
	const title = `${rate} events/s, batch size ${batchSize}`;
	return { title, event, rate, options: { batchSize }, ...more };
}

const BOTH = [streamOf('insert_call', 5, 1), streamOf('connect_call', 100, 20)];
/** Events that waited for minutes run in few executions, since n8n's speed is not the subject here. */
const LARGE = [streamOf('insert_call', 10, 10), streamOf('connect_call', 200, 100)];
/** The trigger paces the executions that it starts, and this engine reports no end: on a slow machine many run at once. */
const OF_ENGINE_2: Partial<Stream> = { settings: { engineType: 'v2' }, unbounded: true };
const ENGINE_2 = [
	streamOf('insert_call', 10, 1, OF_ENGINE_2),
	streamOf('connect_call', 100, 20, OF_ENGINE_2),
];

interface Place {
	site: Site;
	close(): Promise<void>;
}
type Case<T> = [
	title: string,
	way: (at: T) => Partial<Drill> & Pick<Drill, 'leave' | 'comeBack'>,
	promise: (account: Account, stream: number) => void,
];

const eachOnce = (account: Account) => expect(account).toMatchObject(EACH_ONCE);
const eachOnceOrTold = (account: Account) => expect(account).toMatchObject(EACH_ONCE_OR_TOLD);

/** Declares the drills of a place, which is started for them. */
function drills<T extends Place>(place: string, start: () => Promise<T>, cases: Array<Case<T>>) {
	describe(place, () => {
		let at: T;
		beforeAll(async () => {
			at = await start();
		}, 600_000);
		afterAll(async () => await at?.close());

		test.each(cases)(
			'%s',
			async (title, way, promise) => {
				const drill = { awayMs: 20_000, streams: BOTH, ...way(at) };
				(await runDrill(`${place}, ${title}`, at.site, drill)).forEach(promise);
			},
			1_800_000,
		);
	});
}

/** An n8n with its own Postgres. @param settings further ones of n8n, once there is a database */
async function startWithPostgres(
	name: string,
	settings: (postgres: Postgres) => Promise<Record<string, string>> | Record<string, string>,
): Promise<Place & { postgres: Postgres }> {
	const postgres = await startPostgres(logFileFor(`${name}-postgres`, chosenRelease()));
	try {
		const environment = { ...postgres.environment, ...(await settings(postgres)) };
		const bench = await startBench({ name, environment });
		return {
			postgres,
			site: { ...bench, credentials: [bench.supervisor] },
			async close() {
				await bench.close();
				await postgres.stop();
			},
		};
	} catch (error) {
		await postgres.stop();
		throw error;
	}
}

/** n8n reconnects with a back-off of its own, up to 30 s by default; the drills with --long wait for that. */
const SOON: Record<string, string> = isLong ? {} : { DB_RECOVERY_BACKOFF_MAX_MS: '3000' };

const stopped = ({ postgres }: { postgres: Postgres }) => ({
	leave: async () => await postgres.leave(),
	comeBack: async () => await postgres.comeBack(),
});

const FURTHER_WAYS: Array<Case<{ postgres: Postgres }>> = [
	[
		'silent for 20 s',
		({ postgres }) => ({ leave: () => postgres.freeze(), comeBack: () => postgres.thaw() }),
		eachOnce,
	],
	[
		'read-only for 20 s',
		({ postgres }) => ({
			leave: async () => await postgres.setReadOnly(true),
			comeBack: async () => await postgres.setReadOnly(false),
		}),
		eachOnce,
	],
	[
		'refuses connections for 20 s',
		({ postgres }) => ({
			leave: async () => await postgres.setAccepting(false),
			comeBack: async () => await postgres.setAccepting(true),
		}),
		eachOnce,
	],
	[
		'away twice',
		({ postgres }) => ({
			// Back for five seconds in between: waiting events are on their way again when it goes away once more.
			async leave() {
				await postgres.leave();
				await pause(10_000);
				await postgres.comeBack();
				await pause(5_000);
				await postgres.leave();
			},
			comeBack: async () => await postgres.comeBack(),
		}),
		eachOnce,
	],
	['away for 3 min', (at) => ({ ...stopped(at), awayMs: 180_000, streams: LARGE }), eachOnce],
];

const ENGINE_2_WITHOUT_DATABASE: Case<{ postgres: Postgres }> = [
	'Postgres away for 20 s',
	(at) => ({ ...stopped(at), streams: ENGINE_2 }),
	(account) => {
		eachOnceOrTold(account);
		expect(account.told).toMatchObject({ held: 1, resumed: 1 });
	},
];

drills('Postgres', async () => await startWithPostgres('outage-postgres', () => SOON), [
	[
		'away for 20 s',
		stopped,
		(account) => {
			eachOnce(account);
			expect(account.told.held).toBe(account.told.resumed);
		},
	],
	...(isLong ? FURTHER_WAYS : []),
]);

// It has a database of its own, takes no trigger that waits for its executions, and reports nothing of starts that
// failed.
drills(
	'engine 2.0',
	async () => {
		const [enginePort, controlPort] = await freePorts(2);
		return await startWithPostgres('outage-engine2', async (postgres) => ({
			...SOON,
			N8N_ENABLED_MODULES: 'engine-v2',
			N8N_ENGINE_DATABASE_URL: await postgres.createDatabase('engine'),
			N8N_ENGINE_PORT: String(enginePort),
			N8N_ENGINE_CONTROL_PLANE_PORT: String(controlPort),
			N8N_EXPRESSION_ENGINE: 'vm',
		}));
	},
	[
		[
			'nothing away: those of an execution in order',
			() => ({
				awayMs: 5_000,
				leave: () => undefined,
				comeBack: () => undefined,
				streams: ENGINE_2,
			}),
			(account) => expect(account).toMatchObject({ ...EACH_ONCE, outOfOrder: 0 }),
		],
		...(isLong ? [ENGINE_2_WITHOUT_DATABASE] : []),
	],
);

/** The program that locks n8n's database until its input ends, as a backup does. */
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

async function startWithSqlite() {
	const bench = await startBench({ name: 'outage-sqlite' });
	let free: (() => Promise<void>) | undefined;
	return {
		site: { ...bench, credentials: [bench.supervisor] },
		close: async () => await bench.close(),
		/** Locks n8n's database for every other process. */
		async leave() {
			const { node, folder } = await ensureN8n(bench.release, silentProgress);
			const database = join(bench.userFolder, '.n8n/database.sqlite');
			expect(existsSync(database)).toBe(true);
			const args = ['-e', HOLD, join(folder, 'node_modules/sqlite3'), database];
			const holder = spawn(node.binary, args, { stdio: ['pipe', 'pipe', 'inherit'] });
			const [line] = (await once(createInterface(holder.stdout), 'line')) as [string];
			expect(line).toBe('locked');
			free = async () => {
				holder.stdin.end();
				await once(holder, 'exit');
			};
		},
		comeBack: async () => await free?.(),
	};
}

async function startQueue() {
	const provider = await startProvider();
	try {
		// With n8n's default of 10 s, the main process would end while Redis is away.
		const cluster = await startCluster(2, { QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD: '120000' });
		const supervisor = await addCredential(cluster.client, provider, 'supervisor');
		return {
			...cluster,
			site: { client: cluster.client, provider, credentials: [supervisor] },
			async close() {
				await cluster.close();
				await provider.close();
			},
		};
	} catch (error) {
		await provider.close();
		throw error;
	}
}

if (isLong) {
	drills('SQLite', startWithSqlite, [['locked for 20 s', (at) => at, eachOnce]]);

	drills('queue mode', startQueue, [
		[
			'Redis away for 20 s',
			({ redis }) => ({
				leave: async () => await redis.leave(),
				comeBack: async () => await redis.comeBack(),
			}),
			eachOnce,
		],
		['Postgres away for 20 s', stopped, eachOnceOrTold],
		[
			'a worker killed for 20 s: the executions that it was running are reported',
			({ workers: [worker] }) => ({
				leave: async () => void (await worker?.server.crash()),
				comeBack: async () => await worker?.start(),
			}),
			(account, stream) => {
				eachOnceOrTold(account);
				const { batchSize } = nth(BOTH, stream).options;
				expect(account.toldMissing).toBeLessThanOrEqual(WORKER_CONCURRENCY * batchSize);
			},
		],
	]);
}
