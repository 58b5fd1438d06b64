/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npm run docs`: writes every page that is made from the code, and the trigger's `__schema__` files.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { builderSamples } from './builderSamples';
import { generatedPages } from './generated';
import { schemaFiles } from './schema';

async function main() {
	const root = path.join(__dirname, '../..');
	const samples = path.join(root, 'nodes/VoiceManagementTrigger/panel/builderSamples.ts');
	const style = await resolveConfig(samples);
	writeFileSync(samples, await format(builderSamples(), { ...style, filepath: samples }));
	const pages = [...generatedPages()];
	for (const [file, text] of pages) writeFileSync(path.join(root, file), text);
	const schemas = path.join(root, 'nodes/VoiceManagementTrigger/__schema__');
	rmSync(schemas, { recursive: true, force: true });
	const config = await resolveConfig(path.join(schemas, 'v1.0.0.json'));
	const files = [...schemaFiles()];
	for (const [name, text] of files) {
		const file = path.join(schemas, name);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, await format(text, { ...config, filepath: file }));
	}
	console.log(
		`Written: ${pages.length} pages, ${files.length} schemas, the samples of the trigger.`,
	);
}

void main();
