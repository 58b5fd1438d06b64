/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// How long n8n waits for the package's files when it starts, with n8n-workflow loaded already, as it is there. Prints the
// milliseconds that passed.
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';

import { present } from '../../test/support/present';

const PACKAGE = 'n8n-nodes-voice-management';

require('n8n-workflow');
const { n8n } = require(`${PACKAGE}/package.json`) as {
	n8n: Record<'nodes' | 'credentials', string[]>;
};
const started = performance.now();
for (const file of [...n8n.nodes, ...n8n.credentials]) {
	const classes = require(`${PACKAGE}/${file}`) as Record<string, new () => unknown>;
	new (present(classes[basename(file).replace(/\..*/, '')]))();
}
process.stdout.write(String(performance.now() - started));
