// Writes docs/events.md and the trigger's `__schema__` files: `npx tsx tools/docs/write.ts`.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { eventsPage } from './page';
import { schemaFiles } from './schema';

async function main() {
	const root = path.join(__dirname, '../..');
	writeFileSync(path.join(root, 'docs/events.md'), eventsPage());
	const schemas = path.join(root, 'nodes/VoiceManagementTrigger/__schema__');
	rmSync(schemas, { recursive: true, force: true });
	const config = await resolveConfig(path.join(schemas, 'v1.0.0.json'));
	for (const [name, text] of schemaFiles()) {
		const file = path.join(schemas, name);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, await format(text, { ...config, filepath: file }));
	}
}

void main();
