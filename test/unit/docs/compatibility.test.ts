// The README's table of what was run with what is the record of the acceptance runs, and nothing else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readRecord, readmeWithCompatibility } from '../../e2e/compatibility';
import { releases } from '../../../dev/n8n/releases';

const readme = readFileSync(join(__dirname, '../../../README.md'), 'utf8');

test('the table in the README is the one of the record', () => {
	expect(readmeWithCompatibility(readme, readRecord())).toBe(readme);
});

test('each n8n that the package is tested with is in it', () => {
	const seen = readRecord()
		.filter(({ environment }) => environment === 'suites')
		.map(({ n8n }) => n8n);
	expect(seen.sort()).toEqual(
		Object.values(releases)
			.map(({ version }) => version)
			.sort(),
	);
});

test('a record that changes changes the table', () => {
	const [first, ...rest] = readRecord();
	expect(readmeWithCompatibility(readme, rest)).not.toContain(
		`| ${first.n8n} | ${first.node} | both nodes`,
	);
	expect(() => readmeWithCompatibility('no markers', [])).toThrow('compatibility:start');
});
