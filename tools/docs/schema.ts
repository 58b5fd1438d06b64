// JSON schemas of the trigger's items in n8n's form (`__schema__`): the editor shows their fields before a first run.

import { samplesByFile, type Json } from './samples';

interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** The schema of one sample. */
function schemaOf(value: unknown): Schema {
	if (value === null) return { type: 'null' };
	if (Array.isArray(value)) {
		return value.length === 0 ? { type: 'array' } : { type: 'array', items: schemaOf(value[0]) };
	}
	if (typeof value !== 'object') {
		return {
			type: typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value,
		};
	}
	return {
		type: 'object',
		properties: Object.fromEntries(
			Object.entries(value as Json).map(([key, entry]) => [key, schemaOf(entry)]),
		),
	};
}

/** The files below `__schema__`: `v1.0.0.json` for the node (any event), one more for each kind of item. */
export function schemaFiles(): Map<string, string> {
	const files = new Map<string, string>();
	const samples = samplesByFile();
	// What the editor offers before a run: the fields of a call's first event, with which most workflows begin.
	const common = samples.get('queue/connect_call') as Json;
	files.set('v1.0.0.json', write(schemaOf(common)));
	for (const [name, sample] of samples) files.set(`v1.0.0/${name}.json`, write(schemaOf(sample)));
	return files;
}

function write(schema: Schema): string {
	return `${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`;
}
