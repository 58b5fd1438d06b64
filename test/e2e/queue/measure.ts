/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Measures the throughput of one main process and two workers, from an event at the operator to the last node of an
// execution on a worker. For docs/self-hosting.md: `npm run build && npx tsx test/e2e/queue/measure.ts`.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import type { WorkflowNode } from '../../../dev/n8n/client';
import { packPackage } from '../../../dev/n8n/package';
import { withCredentials } from '../../../dev/setup';
import { startOperator } from '../../../simulator';
import { addCredential } from '../support/bench';
import { startCluster } from '../support/cluster';
import { chain, noOpNode, triggerNode } from '../support/workflows';
import { startGate } from './gate';
import { nth } from '../../support/present';

const CASES = [
	{ batchSize: 1, maxInFlight: 1, events: 100 },
	{ batchSize: 1, maxInFlight: 10, events: 400 },
	{ batchSize: 1, maxInFlight: 40, events: 400 },
	{ batchSize: 100, maxInFlight: 10, events: 20_000 },
];
const CASE_LIMIT_MS = 180_000;

async function main(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'voice-management-measure-'));
	process.env.VOICE_MANAGEMENT_TARBALL = await packPackage(folder);
	const gate = await startGate();
	const operator = await startOperator();
	const cluster = await startCluster(2);
	const measured: Array<Record<string, number>> = [];
	try {
		const supervisor = await addCredential(cluster.client, operator, 'supervisor');
		for (const { batchSize, maxInFlight, events } of CASES) {
			gate.shut();
			gate.open();
			const trigger = triggerNode({ options: { batchSize, maxInFlight } });
			const count: WorkflowNode = {
				...noOpNode('Count'),
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				executeOnce: true,
				parameters: { url: `={{ '${gate.url}/' + $input.all().length }}`, options: {} },
			};
			const workflow = await cluster.client.createWorkflow(
				withCredentials(
					chain(`${batchSize} × ${maxInFlight}`, [trigger, count], {
						saveDataSuccessExecution: 'none',
					}),
					[supervisor],
				),
			);
			await cluster.client.activate(workflow.id);
			await operator.control.waitForSockets(1);
			const startedAt = Date.now();
			await operator.control.pushBurst({ count: events });
			const arrived = () => gate.passed.reduce((sum, count) => sum + Number(count), 0);
			while (arrived() < events) {
				if (Date.now() - startedAt > CASE_LIMIT_MS) throw new Error(`${arrived()} of ${events}`);
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
			const seconds = (Date.now() - startedAt) / 1000;
			measured.push({
				batchSize,
				maxInFlight,
				'executions/s': Math.round(gate.passed.length / seconds),
				'events/s': Math.round(events / seconds),
			});
			await cluster.client.deactivate(workflow.id);
			await operator.control.waitForSockets(0);
		}
		console.table(measured);
		process.stdout.write(`${cpus().length} cores, load ${nth(loadavg(), 0).toFixed(1)}\n`);
	} finally {
		await cluster.close();
		await operator.close();
		await gate.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${(error as Error).message}\n`);
	process.exitCode = 1;
});
