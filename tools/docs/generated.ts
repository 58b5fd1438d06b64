/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Every page of the documentation that is written from the code: `npm run docs` writes them, and a test compares them.

import path from 'node:path';
import { compatibilityBlock } from '../../test/e2e/compatibility';
import { actionBlocks } from './actions';
import { itemBlocks } from './items';
import { fill } from './markdown';
import { parameterBlocks } from './parameters';
import { sectionBlock } from './sections';

const ROOT = path.join(__dirname, '../..');

/** The path below the project's folder, and the expected text. */
export function generatedPages(): Array<[file: string, text: string]> {
	const pages = {
		'docs/actions.md': actionBlocks(),
		'docs/items.md': itemBlocks(),
		'docs/trigger.md': parameterBlocks(),
		'docs/dev/provider.md': sectionBlock(),
		'docs/dev/verification.md': compatibilityBlock(),
	};
	return Object.entries(pages).map(([file, blocks]) => [file, fill(path.join(ROOT, file), blocks)]);
}
