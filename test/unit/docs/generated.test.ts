// The pages that are written from the code are the ones in the tree. Stale? `npm run docs`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { generatedPages } from '../../../tools/docs/generated';

const pages = new Map(generatedPages());

test.each([...pages.keys()])('%s is what npm run docs writes', (file) => {
	expect(readFileSync(join(__dirname, '../../..', file), 'utf8')).toBe(pages.get(file));
});
