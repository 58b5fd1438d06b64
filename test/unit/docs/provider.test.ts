/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// docs/dev/provider.md has every section that a comment cites, and every section is cited. Nothing else is cited as a
// source, since a stranger has only this page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { citedSections, providerSections } from '../../../tools/docs/sections';

const anchors = providerSections().map(({ anchor }) => anchor);

test('each section that a comment cites exists', () => {
	expect(citedSections().length).toBeGreaterThan(30);
	expect(citedSections().filter(({ section }) => !anchors.includes(section))).toEqual([]);
});

test('each section is cited by a file of the product', () => {
	const cited = new Set(citedSections().map(({ section }) => section));
	expect(anchors.filter((anchor) => !cited.has(anchor))).toEqual([]);
});

test('no comment cites a document that this repository does not hold', () => {
	const files = new Set(citedSections().map(({ file }) => file));
	const elsewhere = [...files].filter((file) =>
		/third-party shapes|feed document|voice-notification-feed|number-management-rest/.test(
			readFileSync(join(__dirname, '../../..', file), 'utf8'),
		),
	);
	expect(elsewhere).toEqual([]);
});
