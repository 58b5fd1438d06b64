/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The table of docs/dev/provider.md: each section, and the files of the product whose comments cite it.

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { table } from './markdown';

const ROOT = path.join(__dirname, '../..');
const PAGE = 'docs/dev/provider.md';

/** What a comment cites, by file: `provider.md#envelope` is the section `envelope`. */
export function citedSections(): Array<{ file: string; section: string }> {
	return ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.sort()
			.flatMap((name) => {
				const file = path.posix.join(folder, name.replaceAll('\\', '/'));
				const text = readFileSync(path.join(ROOT, file), 'utf8');
				const sections = [...text.matchAll(/provider\.md(?:#([\w-]+))?/g)].map(([, one]) => one);
				return [...new Set(sections)].map((section = '') => ({ file, section }));
			}),
	);
}

/** The sections of the page that state facts: its headings of the third level. */
export function providerSections(): Array<{ anchor: string; title: string }> {
	const text = readFileSync(path.join(ROOT, PAGE), 'utf8');
	return [...text.matchAll(/^#{2,3} (.+)$/gm)]
		.map(([, title = '']) => ({ anchor: title.toLowerCase().replace(/\s/g, '-'), title }))
		.filter(({ anchor }) => !GROUPS.has(anchor));
}

/** Headings without facts of their own. */
const GROUPS = new Set([
	'the-rule',
	'number-management',
	'the-notification-feed',
	'what-is-common',
	'who-rests-on-what',
]);

export function sectionBlock(): Record<string, string> {
	const cited = citedSections();
	const rows = providerSections().map(({ anchor, title }) => [
		`[${title}](#${anchor})`,
		cited
			.filter(({ section }) => section === anchor)
			.map(({ file }) => `\`${file}\``)
			.join(', '),
	]);
	return { sections: table(['section', 'files'], rows) };
}
