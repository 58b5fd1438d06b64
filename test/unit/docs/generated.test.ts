// The generated pages in the tree are up to date. If not: `npm run docs`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { newest } from '../../../dev/n8n/releases';
import { generatedPages } from '../../../tools/docs/generated';
import { readRecord } from '../../e2e/compatibility';

test.each(generatedPages())('%s is what npm run docs writes', (file, text) => {
	expect(readFileSync(join(__dirname, '../../..', file), 'utf8')).toBe(text);
});

test('the table of tested releases has the one that the package is tested with', () => {
	const seen = readRecord()
		.filter(({ environment }) => environment === 'suites')
		.map(({ n8n }) => n8n);
	expect(seen).toEqual([newest.version]);
});
