// `npm run docs`: writes every page that is made from the code, and the trigger's `__schema__` files.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { builderSamples } from './builderSamples';
import { generatedPages } from './generated';
import { schemaFiles } from './schema';

async function main() {
	const root = path.join(__dirname, '../..');
	const samples = path.join(root, 'nodes/VoiceManagementTrigger/builderSamples.ts');
	const style = await resolveConfig(samples);
	writeFileSync(samples, await format(builderSamples(), { ...style, filepath: samples }));
	for (const [file, text] of generatedPages()) writeFileSync(path.join(root, file), text);
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
