/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Snapshots in a data table, as docs/items.md says: six fields, and the table maps them automatically.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from '../../../dev/n8n/package';
import type { WorkflowNode } from '../../../dev/n8n/client';
import { present } from '../../support/present';
import { eventually, rowsOf } from '../examples/support';
import { shareBench, type Bench } from '../support/bench';
import { chain, triggerNode } from '../support/workflows';

const TABLE = 'Six fields of a snapshot';

let bench: Bench;

beforeAll(async () => {
	bench = await shareBench();
});

afterAll(async () => {
	await bench?.close();
});

function node(name: string, type: string, typeVersion: number, parameters: object): WorkflowNode {
	return {
		id: name,
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		position: [0, 0],
		parameters: { ...parameters },
	};
}

test('the fields that the page names are mapped automatically', async () => {
	const { client, provider } = bench;
	const page = readFileSync(join(projectRoot, 'docs/items.md'), 'utf8');
	const fields = present(page.match(/_Fields to\s+Include_: `([^`]+)`/)?.[1]);
	const columns = fields.split(', ');
	const { id: project } = await client.call<{ id: string }>('GET', '/rest/projects/personal');
	await client.call('POST', `/rest/projects/${project}/data-tables`, {
		name: TABLE,
		columns: columns.map((name) => ({ name, type: name === 'id_queue' ? 'string' : 'number' })),
	});
	const workflow = await bench.workflow(
		chain('Into a table', [
			triggerNode({ mode: 'snapshots', every: 1, filters: { queueIds: '301' } }),
			node('Edit Fields', 'set', 3.4, {
				assignments: { assignments: [] },
				includeOtherFields: true,
				include: 'selected',
				includeFields: fields,
				options: {},
			}),
			node('Upsert', 'dataTable', 1.1, {
				resource: 'row',
				operation: 'upsert',
				dataTableId: { __rl: true, mode: 'name', value: TABLE },
				filters: { conditions: [{ keyName: 'id_queue', keyValue: '={{ $json.id_queue }}' }] },
				columns: { mappingMode: 'autoMapInputData', value: {} },
				options: {},
			}),
		]),
	);
	expect(await client.activate(workflow.id)).toMatchObject({ active: true });
	await provider.control.waitForSockets(1);
	provider.control.send('queue', 'insert_call', { id_call: 71, id_queue: 301 });
	const rows = await eventually('the queue with its caller', async () => {
		const found = await rowsOf(client, TABLE);
		return found.some(({ waiting }) => waiting === 1) && found;
	});
	expect(rows).toEqual([expect.objectContaining({ id_queue: '301', waiting: 1, answered: 0 })]);
});
