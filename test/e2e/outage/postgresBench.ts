// An n8n instance with its own Postgres server that can go away.
import { logFileFor, startBench, type OwnBench } from '../support/bench';
import { chosenRelease } from '../support/environment';
import { startPostgres, type Postgres } from '../support/postgres';
import type { Site, Stream } from './drill';

export interface PostgresBench {
	bench: OwnBench;
	postgres: Postgres;
	site: Site;
	close(): Promise<void>;
}

/**
 * Starts both. If that fails, nothing is left running.
 * @param settings settings of n8n, once there is a database
 */
export async function startPostgresBench(
	name: string,
	settings: (postgres: Postgres) => Promise<Record<string, string>> | Record<string, string>,
): Promise<PostgresBench> {
	const postgres = await startPostgres(logFileFor(`${name}-postgres`, chosenRelease()));
	try {
		const bench = await startBench({
			name,
			environment: { ...postgres.environment, ...(await settings(postgres)) },
		});
		return {
			bench,
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

/** A stream with this rate and batch size. */
export function streamOf(
	event: Stream['event'],
	rate: number,
	batchSize: number,
	settings?: Record<string, unknown>,
): Stream {
	return {
		title: `${rate} events/s, batch size ${batchSize}`,
		event,
		rate,
		options: { batchSize },
		settings,
	};
}
