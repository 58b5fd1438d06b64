// The generated pages in the tree are up to date. If not: `npm run docs`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { generatedPages } from '../../../tools/docs/generated';

test.each(generatedPages())('%s is what npm run docs writes', (file, text) => {
	expect(readFileSync(join(__dirname, '../../..', file), 'utf8')).toBe(text);
});
