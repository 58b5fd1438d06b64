// Compares the events reference and the schemas with the data in the code, and that data with the operator's feed
// document and with the simulator, which was written from the document independently.

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
import { samplesByFile, simplifiedSample } from '../../../../tools/docs/samples';
import { schemaFiles } from '../../../../tools/docs/schema';

const root = path.join(__dirname, '../../../..');
const schemas = path.join(root, 'nodes/VoiceManagementTrigger/__schema__');

/** The section "Events" of the feed document, copied by hand. */
const DOCUMENT: Record<string, Record<string, string>> = {
	operator: {
		status:
			'status rec call_duration caller_id_num step id_queue id_call id_operator id_client catchup stype',
	},
	UI: {
		login: 'supp id_operator id_client',
		logout: 'supp id_operator id_client',
		pause: 'supp id_operator id_client',
		unpause: 'supp id_operator id_client',
		push: 'supp id_operator id_client retry_timeout auto_timeout vars ring_timeout expire unassign_timeout retries priority e164 type',
		push_cancel: 'supp id_operator id_client',
	},
	PUSHCALL: { '': '' },
	queue: {
		insert_call:
			'call_duration caller_id_num priority id_queue id_call vip_rate duration_in_queue id_client',
		connect_call: 'status call_duration caller_id_num step id_queue id_call id_operator id_client',
		delete_call: 'id_call id_queue id_client',
		alert_op: 'duration_in_queue id_call id_operator id_queue validity',
		alert_file: 'duration_in_queue id_call id_operator id_queue validity',
	},
	trunk: {
		insert_call: 'call_duration id_trunk caller_id_num id_call duration_in_queue',
		connect_call: 'status call_duration id_trunk caller_id_num id_call',
		delete_call: 'id_call id_trunk',
	},
	num: {
		start: 'id_call id_num id_client service caller_id_num',
		answer: 'id_call id_num id_client service caller_id_num',
		end: 'id_call id_num id_client service caller_id_num',
	},
	input: { asr: 'id_call score id id_client input' },
};

describe('the events as data', () => {
	it('are those of the feed document, field by field', () => {
		const own: typeof DOCUMENT = {};
		for (const { type, event, fields } of EVENT_KINDS) (own[type] ??= {})[event] = fields.join(' ');
		expect(own).toEqual(DOCUMENT);
		expect(NOTIFICATION_TYPES.map(({ value }) => value).sort()).toEqual(
			Object.keys(DOCUMENT).sort(),
		);
		expect(STATUSES.map(({ value }) => value).sort()).toEqual(
			'available calling connected ringing transfert_end transfert_start unavailable'.split(' '),
		);
	});

	it('have samples with exactly those fields', () => {
		for (const { type, event, fields, sample } of EVENT_KINDS) {
			if (type === 'PUSHCALL') continue;
			const body = (type === 'num' ? sample : sample.event) as { msg: object; event: string };
			expect([type, body.event, Object.keys(body.msg).sort()]).toEqual([
				type,
				event,
				[...fields].sort(),
			]);
		}
	});

	it('are what the simulator sends, field by field', () => {
		const { events } = generateTraffic({ seed: 3, events: 6000, numEvents: true });
		const seen = new Set<string>();
		for (const wire of events as Array<Record<string, unknown>>) {
			const body = (typeof wire.event === 'object' ? wire.event : wire) as {
				type_notification: string;
				event: string;
				msg: object;
			};
			const name = `${body.type_notification} ${body.event}`;
			if (seen.has(name) || body.type_notification === 'PUSHCALL') continue;
			seen.add(name);
			const kind = EVENT_KINDS.find(({ type, event }) => `${type} ${event}` === name);
			expect([name, Object.keys(body.msg).sort()]).toEqual([
				name,
				[...(kind?.fields ?? [])].sort(),
			]);
		}
		expect(seen.size).toBe(EVENT_KINDS.length - 1);
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

describe('docs/events.md', () => {
	const page = readFileSync(path.join(root, 'docs/events.md'), 'utf8');

	it('shows every event, raw and simplified', () => {
		for (const kind of EVENT_KINDS) {
			expect(page).toContain(JSON.stringify(kind.sample, null, 2));
			expect(page).toContain(JSON.stringify(simplifiedSample(kind), null, 2));
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
