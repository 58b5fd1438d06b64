/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Compares the events reference and the schemas with the data in the code, and that data with the simulator, which was
// written from the feed document independently.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import {
	EVENT_KINDS,
	eventChoices,
	NOTIFICATION_TYPES,
	STATUSES,
} from '../../../../nodes/VoiceManagementTrigger/events/kinds';
import { generateTraffic } from '../../../../simulator/traffic/generate';
import { FIELD_MEANINGS } from '../../../../tools/docs/fields';
import { samplesByFile } from '../../../../tools/docs/samples';
import { schemaFiles } from '../../../../tools/docs/schema';

const root = path.join(__dirname, '../../../..');
const schemas = path.join(root, 'nodes/VoiceManagementTrigger/__schema__');

describe('the events as data', () => {
	it('have a type that the panel shows', () => {
		expect(NOTIFICATION_TYPES.map(({ value }) => value).sort()).toEqual(
			[...new Set(EVENT_KINDS.map(({ type }) => type))].sort(),
		);
	});

	it('are what the simulator sends, field by field', () => {
		const { events } = generateTraffic({ seed: 3, events: 6000, numEvents: true });
		const sent = new Set<string>();
		const statuses = new Set<unknown>();
		const line = (type: string, event: string, fields: readonly string[]) =>
			`${type} ${event}: ${[...fields].sort().join(' ')}`;
		for (const wire of events as Array<Record<string, unknown>>) {
			const { type_notification, event, msg } = (
				typeof wire.event === 'object' ? wire.event : wire
			) as { type_notification: string; event: string; msg: { status?: unknown } };
			if (msg.status !== undefined) statuses.add(msg.status);
			if (type_notification === 'PUSHCALL') continue;
			sent.add(line(type_notification, event, Object.keys(msg)));
		}
		const documented = EVENT_KINDS.filter(({ type }) => type !== 'PUSHCALL');
		expect([...sent].sort()).toEqual(
			documented.map(({ type, event, fields }) => line(type, event, fields)).sort(),
		);
		expect([...statuses].sort()).toEqual(STATUSES.map(({ value }) => value).sort());
	});

	it('each have a meaning for every field', () => {
		for (const { fields } of EVENT_KINDS) {
			for (const field of fields)
				expect([field, typeof FIELD_MEANINGS[field]]).toEqual([field, 'string']);
		}
	});
});

describe("the options in the node's parameters", () => {
	it('depend on the chosen types, with label and wire name, each wire name once', () => {
		expect(eventChoices(['queue']).map(({ name }) => name)).toEqual([
			'Alert: Too Few Agents (alert_op)',
			'Alert: Waiting Too Long (alert_file)',
			'Call Answered in Queue (connect_call)',
			'Call Entered Queue (insert_call)',
			'Call Left Queue (delete_call)',
		]);
		const all = eventChoices([]);
		expect(all.map(({ value }) => value)).toEqual([...new Set(all.map(({ value }) => value))]);
		expect(all.find(({ value }) => value === 'insert_call')?.name).toBe(
			'Call Entered Queue / Call Entered Trunk (insert_call)',
		);
		expect(eventChoices(['PUSHCALL'])).toEqual([]);
		expect(eventChoices(['unknown'])).toEqual([]);
	});
});

describe('docs/items.md', () => {
	const page = readFileSync(path.join(root, 'docs/items.md'), 'utf8');

	it('names every event, and explains every field of it', () => {
		for (const { type, event, fields } of EVENT_KINDS) {
			expect(page).toContain(event ? `| \`${type}\` | \`${event}\` |` : `| \`${type}\` |`);
			for (const field of fields) expect(page).toContain(`\n| \`${field}\` | `);
		}
	});

	it('shows an item of each type', () => {
		for (const { value } of NOTIFICATION_TYPES) {
			expect(page).toContain(`\n{ "type_notification": "${value}", `);
		}
	});
});

describe('the schemas of the items', () => {
	it('are those in the files, and no file is left over', () => {
		const expected = new Map([...schemaFiles()].map(([name, text]) => [name, JSON.parse(text)]));
		const files = readdirSync(schemas, { recursive: true }).map(String);
		const found = files.filter((name) => statSync(path.join(schemas, name)).isFile());
		expect(found.sort()).toEqual([...expected.keys()].sort());
		for (const [name, schema] of expected) {
			const text = readFileSync(path.join(schemas, name), 'utf8');
			expect([name, JSON.parse(text)]).toEqual([name, schema]);
		}
	});

	it('accept the samples', () => {
		const ajv = new Ajv({ strict: false });
		for (const [name, sample] of samplesByFile()) {
			const text = readFileSync(path.join(schemas, 'v1.0.0', `${name}.json`), 'utf8');
			const check = ajv.compile({ ...(JSON.parse(text) as object), additionalProperties: false });
			expect([name, check(sample), check.errors]).toEqual([name, true, null]);
		}
	});
});
