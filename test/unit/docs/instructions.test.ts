/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Whoever is told to do something gets what that promises: a test did it. docs/dev/instructions.md has the tests.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	examples,
	instructionsIn,
	instructionsOfNotes,
	instructionsOfPage,
	instructionsOfSource,
	pages,
	sources,
} from './instructions';

const root = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const TABLE = 'docs/dev/instructions.md';
const table = read(TABLE);
const rows = [...table.matchAll(/^\| (.+?) \| `([\w/]+)` \| (.+) \|$/gm)].map(
	([, words = '', file = '', title = '']) => ({ words, file: `test/${file}.test.ts`, title }),
);
const noInstruction = [...table.split('## Looks like one')[1]!.matchAll(/^- (.+)$/gm)].map(
	([, words = '']) => words,
);
const known = [...rows.map(({ words }) => words), ...noInstruction];

const found = [
	...pages.map((page): [string, string[]] => [page, instructionsOfPage(page)]),
	...examples.map((file): [string, string[]] => [file, instructionsOfNotes(file)]),
	...sources.map((file): [string, string[]] => [file, instructionsOfSource(file)]),
].filter(([, sentences]) => sentences.length > 0);

test.each(found)('each instruction in %s has a row', (_file, sentences) => {
	expect(
		sentences.filter((sentence) => !known.some((words) => sentence.startsWith(words))),
	).toEqual([]);
});

test('each row is about a sentence that is there', () => {
	const sentences = found.flatMap(([, all]) => all);
	const stale = known.filter((words) => !sentences.some((one) => one.startsWith(words)));
	expect(stale).toEqual([]);
});

test.each([...new Set(rows.map(({ file }) => file))])('the tests of %s exist', (file) => {
	expect(existsSync(join(root, file))).toBe(true);
	const text = read(file).replace(/\\(['"`])/g, '$1');
	const has = (title: string) =>
		[`'`, '"', '`'].some((quote) => text.includes(quote + title + quote));
	const wrong = rows.filter((row) => {
		const [title = '', ofTable] = row.title.split(' › ');
		// The title of a table of cases says nothing without the case.
		const needsCase = /^[%$]|[%$]\w+$/.test(title);
		return (
			row.file === file &&
			!(has(title) && (needsCase ? text.includes(ofTable ?? '\n') : ofTable === undefined))
		);
	});
	expect(wrong).toEqual([]);
});

test('the pages for users stay short', () => {
	const lines = pages.flatMap((page) => read(page).trimEnd().split('\n'));
	expect(lines.length).toBeLessThanOrEqual(2_100);
});

test.each([
	['**Publish** the workflow.', ['Publish the workflow.']],
	['If it is empty, add a row.', ['If it is empty, add a row.']],
	['It is so: choose one, then press the button.', ['choose one, then press the button.']],
	["Don't do that. Never send it twice.", ["Don't do that.", 'Never send it twice.']],
	['_Add Product_ puts it there. `GET /list` lists them.', []],
	['A trigger that listens. Numbers match in any form.', []],
])('the instructions in %j', (text, instructions) => {
	expect(instructionsIn(text)).toEqual(instructions);
});
