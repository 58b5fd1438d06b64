/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The examples that start on the feed also run on n8n's engine 2.0: n8n's own converter accepts each of them. It runs
// in n8n's own Node.js version, as it does before each execution.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ensureN8n } from '../../../dev/n8n/install';
import { projectRoot } from '../../../dev/n8n/package';
import { newest } from '../../../dev/n8n/releases';
import { silentProgress } from '../../../dev/progress';
import { readExample } from '../../../dev/setup';

const FEED = 'n8n-nodes-voice-management.voiceManagementTrigger';

const CONVERT = `
const { V1WorkflowConverter } = require(process.argv[1]);
const convert = ({ workflow, trigger }) => {
	try {
		return new V1WorkflowConverter().convert(workflow, trigger).nodes.map(({ name }) => name);
	} catch (error) {
		return error.message;
	}
};
const starts = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(starts.map(convert)));
`;

/** Each example with each of its feed triggers. */
const STARTS = readdirSync(join(projectRoot, 'examples'))
	.filter((file) => file.endsWith('.json'))
	.flatMap((file) => {
		const workflow = readExample(file.replace(/\.json$/, ''));
		return workflow.nodes
			.filter(({ type }) => type === FEED)
			.map(({ name }) => ({ title: `${file}, ${name}`, workflow, trigger: name }));
	});

/** For each: the names of the nodes that engine 2.0 runs, or the reason why it rejects the workflow. */
let converted: Array<string[] | string>;

beforeAll(async () => {
	const { node, folder } = await ensureN8n(newest, silentProgress);
	const { stdout, stderr } = spawnSync(
		node.binary,
		['-e', CONVERT, join(folder, 'node_modules/@n8n/node-engine-compatibility')],
		{ input: JSON.stringify(STARTS), encoding: 'utf8' },
	);
	expect(stderr).toBe('');
	converted = JSON.parse(stdout) as typeof converted;
});

test('some examples start on the feed', () => {
	expect(STARTS.length).toBeGreaterThan(0);
});

test.each(STARTS)('$title: engine 2.0 accepts it', ({ trigger, ...start }) => {
	const index = STARTS.findIndex(({ title }) => title === start.title);
	expect(converted[index]).toEqual(expect.arrayContaining([trigger]));
});
