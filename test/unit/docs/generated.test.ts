// The generated pages in the tree are up to date. If not: `npm run docs`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { generatedPages } from '../../../tools/docs/generated';
import { textsIn } from '../../../tools/docs/texts';

const pages = new Map(generatedPages());

test.each([...pages.keys()])('%s is what npm run docs writes', (file) => {
	expect(readFileSync(join(__dirname, '../../..', file), 'utf8')).toBe(pages.get(file));
});

describe('docs/texts.md', () => {
	const texts = pages.get('docs/texts.md') ?? '';

	test.each([
		['a label of the trigger', '**Silence Timeout (Minutes)**'],
		['a label inside a collection of the action node', '**Issuing Authority**'],
		['an action', 'Action: Check out cart (places paid order)'],
		['a field of a credential', '**Account Type Key**'],
		['a notice', 'Unlinking blocks the numbers'],
		['an error', 'The item has no binary field'],
		['the operator’s codes and what helps', 'Link the numbers of one DID group at a time.'],
		['a line of the log', 'renewal rolled back'],
	])('has %s', (_what, text) => {
		expect(texts).toContain(text);
	});

	test('finds texts of every form in a source file, and nothing else', () => {
		const folder = mkdtempSync(join(tmpdir(), 'texts-'));
		const file = join(folder, 'source.ts');
		writeFileSync(
			file,
			[
				"import x from 'some module name';",
				"const one = 'Plain words here';",
				'const two = `The host ${url.host} ${count > 1 ? "are" : "is"} away (${String(code)})`;',
				"const three = 'First half ' + 'second half';",
				"const four = 'word';",
				"const five = 'a b c'.split(' ');",
				"type Six = 'left side' | 'right side';",
			].join('\n'),
		);
		expect(textsIn(file)).toEqual([
			'Plain words here',
			'The host {host} {are|is} away ({code})',
			'First half second half',
		]);
		rmSync(folder, { recursive: true });
	});
});
