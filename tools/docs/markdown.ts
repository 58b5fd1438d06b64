/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Pages whose tables and samples come from the code while a person writes the text around them.

import { readFileSync } from 'node:fs';

export type Json = Record<string, unknown>;

const BLOCK =
	/(<!-- from code: ([\w-]+) -->(?:\n\n<!-- prettier-ignore -->)?)[\s\S]*?(?=\n\n|\n$)/g;

/**
 * The text of a page, with its generated blocks renewed. A block begins behind its marker, `<!-- from code: name -->`, and ends at
 * the first empty line.
 * @throws Error if the page lacks a block, or names one that nobody writes
 */
export function fill(file: string, blocks: Readonly<Record<string, string>>): string {
	const missing = new Set(Object.keys(blocks));
	const text = readFileSync(file, 'utf8').replace(BLOCK, (_all, marker: string, name: string) => {
		const block = blocks[name];
		if (block === undefined) throw new Error(`${file}: nothing writes the block "${name}"`);
		missing.delete(name);
		return `${marker}\n${block}`;
	});
	for (const name of missing) throw new Error(`${file} lacks the line <!-- from code: ${name} -->`);
	return text;
}

export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const line = (cells: readonly string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Names as code, separated by commas. */
export const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(', ');

const WIDTH = 110;

export const code = (lines: readonly string[]) => ['```json', ...lines, '```'].join('\n');

/** Items as a block of JSON in few lines: as many fields on each as fit. */
export const samples = (items: readonly Json[]) => code(items.map(sample));

function sample(item: Json): string {
	const lines: string[] = [];
	let line = '';
	for (const [name, value] of Object.entries(item)) {
		const field = `${JSON.stringify(name)}: ${listed(value)},`;
		if (line !== '' && line.length + field.length >= WIDTH) {
			lines.push(line);
			line = field;
		} else line = line === '' ? field : `${line} ${field}`;
	}
	lines.push(line.replace(/,$/, ''));
	return `{ ${lines.join('\n  ')} }`;
}

/** A long list has a line for each entry. */
function listed(value: unknown): string {
	const line = oneLine(value);
	if (!Array.isArray(value) || line.length < WIDTH) return line;
	return ['[', value.map((entry) => `    ${oneLine(entry)}`).join(',\n'), '  ]'].join('\n');
}

/** JSON with blanks, on one line. */
export const oneLine = (value: unknown) =>
	JSON.stringify(value, null, 1)
		.replace(/\n\s*/g, ' ')
		.replaceAll('[ ]', '[]')
		.replaceAll('{ }', '{}');
