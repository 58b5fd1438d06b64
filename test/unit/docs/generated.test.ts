/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The generated pages in the tree are up to date. If not: `npm run docs`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { newest } from '../../../dev/n8n/releases';
import { generatedPages } from '../../../tools/docs/generated';
import { snapshotSamples } from '../../../tools/docs/samples';
import { readRecord } from '../../e2e/compatibility';

test.each(generatedPages())('%s is what npm run docs writes', (file, text) => {
	expect(readFileSync(join(__dirname, '../../..', file), 'utf8')).toBe(text);
});

test('the samples of snapshots add up, so that a reader can recompute them', () => {
	const [queue = {}, agent = {}, totals = {}] = snapshotSamples();
	const sum = (item: Record<string, unknown>, ...names: string[]) =>
		names.reduce((all, name) => all + Number(item[name] ?? 0), 0);
	const ends = ['answered', 'abandoned', 'short_abandoned', 'overflowed', 'unknown', 'waiting'];
	for (const item of [queue, totals]) {
		expect(sum(item, 'offered', 'waiting_before')).toBe(sum(item, ...ends));
		const level = sum(item, 'answered_in_time', 'late', 'abandoned_in_time');
		expect(item.service_level).toBeCloseTo((100 * sum(item, 'answered_in_time')) / level, 1);
		const handled = sum(item, 'talk_seconds', 'wrap_up_seconds') / sum(item, 'talks');
		expect(Math.abs(Number(item.average_handle_time) - handled)).toBeLessThanOrEqual(0.05);
	}
	const times = ['talk', 'ringing', 'wrap_up', 'available', 'break'].map((of) => `${of}_seconds`);
	expect(sum(agent, ...times)).toBe(900);
});

test('the table of tested releases has the one that the package is tested with', () => {
	const seen = readRecord()
		.filter(({ environment }) => environment === 'suites')
		.map(({ n8n }) => n8n);
	expect(seen).toEqual([newest.version]);
});
