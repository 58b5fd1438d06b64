// An n8n instance with engine 2.0, which has its own database on the same Postgres server.
import { freePorts } from '../../../dev/process/ports';
import { startPostgresBench, streamOf, type PostgresBench } from './postgresBench';

const ENGINE_2 = { engineType: 'v2' };
/** The trigger paces the executions that it starts, and this engine reports no end: on a slow machine many run at once. */
export const ENGINE_2_STREAMS = [
	streamOf('insert_call', 10, 1, ENGINE_2),
	streamOf('connect_call', 100, 20, ENGINE_2),
].map((stream) => ({ ...stream, unbounded: true }));

export async function startEngine2Bench(name: string): Promise<PostgresBench> {
	const [enginePort, controlPort] = await freePorts(2);
	return await startPostgresBench(name, async (postgres) => ({
		DB_RECOVERY_BACKOFF_MAX_MS: '3000',
		N8N_ENABLED_MODULES: 'engine-v2',
		N8N_ENGINE_DATABASE_URL: await postgres.createDatabase('engine'),
		N8N_ENGINE_PORT: String(enginePort),
		N8N_ENGINE_CONTROL_PLANE_PORT: String(controlPort),
		N8N_EXPRESSION_ENGINE: 'vm',
	}));
}
