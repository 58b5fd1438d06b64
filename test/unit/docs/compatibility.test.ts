// The table of tested releases (docs/dev/verification.md) contains the record of the acceptance runs, and nothing else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readRecord, pageWithCompatibility } from '../../e2e/compatibility';
import { newest } from '../../../dev/n8n/releases';
import { nth } from '../../support/present';

const page = readFileSync(join(__dirname, '../../../docs/dev/verification.md'), 'utf8');

test('the n8n release that the package is tested with is in it', () => {
	const seen = readRecord()
		.filter(({ environment }) => environment === 'suites')
		.map(({ n8n }) => n8n);
	expect(seen).toEqual([newest.version]);
});

test('a changed record changes the table', () => {
	const record = readRecord();
	const first = nth(record, 0);
	expect(pageWithCompatibility(page, record.slice(1))).not.toContain(
		`| ${first.n8n} | ${first.node} | both nodes`,
	);
	expect(() => pageWithCompatibility('no markers', [])).toThrow('compatibility:start');
});
