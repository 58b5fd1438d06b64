// Every page of the documentation that is written from the code: `npm run docs` writes them, and a test compares them.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pageWithCompatibility, readRecord } from '../../test/e2e/compatibility';
import { eventsPage } from './events';
import { operationsPage } from './operations';
import { textsPage } from './texts';

const ROOT = path.join(__dirname, '../..');

/** The path below the project's folder, and the expected text. */
export function generatedPages(): Array<[file: string, text: string]> {
	const verification = readFileSync(path.join(ROOT, 'docs/verification.md'), 'utf8');
	return [
		['docs/events.md', eventsPage()],
		['docs/operations.md', operationsPage()],
		['docs/texts.md', textsPage()],
		['docs/verification.md', pageWithCompatibility(verification, readRecord())],
	];
}
