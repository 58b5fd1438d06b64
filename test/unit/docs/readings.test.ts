// docs/feed.md describes what happens in each reading of the feed and of the logins that the simulator can take.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { feedForms } from '../../../simulator/forms/feed';
import { loginForms } from '../../../simulator/forms/requests';
import { nth } from '../../../simulator/present';

const page = readFileSync(join(__dirname, '../../../docs/feed.md'), 'utf8');
const section = nth(page.split('\n## What the documents leave open\n'), 1).split('\n## ')[0] ?? '';
/** The first and second cell of each row that begins with the name of a reading. */
const rows = [...section.matchAll(/^\| `([\w-]+)` +\| +(.+?) +\|/gm)].map(
	([, reading = '', happens = '']) => ({ reading, happens }),
);
const readings = Object.keys({ ...loginForms, ...feedForms });

test('each reading has one row, and each row a reading', () => {
	expect(rows.map(({ reading }) => reading).sort()).toEqual([...readings].sort());
});

test.each(rows)('$reading: the row describes what happens', ({ happens }) => {
	expect(happens).toMatch(/[a-z]{3}/);
});
