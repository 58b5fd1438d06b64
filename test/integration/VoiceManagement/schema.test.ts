/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The output schemas, from which n8n previews the fields: each is compared with what the operation really outputs.
// And the documented request, with what the provider really got.

import { readdirSync } from 'node:fs';
import Ajv from 'ajv';
import type { IDataObject } from 'n8n-workflow';
import { startProvider, type Provider } from '../../../simulator';
import {
	identifiers,
	itemWithFile,
	operations,
	requestOf,
	schemaOf,
	SCHEMAS,
	type Known,
	type Schema,
} from './forms';
import { apiCredentialsFor, credentialsFor, runNode } from './harness';
import { present } from '../../support/present';

/** Of every operation, with text and with numeric identifiers: its output, and the request that it sent. */
const outputs = new Map<string, IDataObject[]>(operations.map(({ name }) => [name, []]));
const requests = new Map<string, { sent: string[]; promised: string[] }>(
	operations.map(({ name }) => [name, { sent: [], promised: [] }]),
);

async function record(provider: Provider) {
	const { control } = provider;
	const didIds = control.numbers().dids.find(({ didGroupId }) => didGroupId === 6003)!.didId;
	const known: Known = { didIds };
	for (const { name, endpoint, isToken, parameters } of operations) {
		if (name === 'address/get') {
			control.reviewAddress(known.addressId as string, 'REJECTED', ['Unreadable']);
		}
		if (name === 'address/link') control.reviewAddress(known.addressId as string, 'VERIFIED');
		// An address that is valid, and one with reasons why it is not.
		const cases = name === 'address/validate' ? [{}, { destinationCountryCodeA3: 'FRA' }] : [{}];
		for (const more of cases) {
			control.clearRequests();
			const { items } = await runNode({
				credentials: isToken ? apiCredentialsFor(provider) : credentialsFor(provider),
				parameters: { ...parameters(known), ...more },
				items: [itemWithFile()],
			});
			present(outputs.get(name)).push(...items.map(({ json }) => json));
			for (const identifier of identifiers)
				known[identifier] = items[0]?.json[identifier] ?? known[identifier];
			const { sent, promised } = present(requests.get(name));
			sent.push(...control.requests().map(({ method, path }) => `${method} ${path}`));
			promised.push(requestOf(endpoint, known));
		}
	}
}

beforeAll(async () => {
	for (const idsAsText of [false, true]) {
		const provider = await startProvider();
		provider.control.behave({ idsAsText });
		await record(provider);
		await provider.close();
	}
});

test('there is a schema for every operation, and none for anything else', () => {
	const files = readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.json'),
	);
	expect(files.map((file) => file.replace('.json', '')).sort()).toEqual(
		operations.map(({ name }) => name).sort(),
	);
});

test.each(operations)('$name', ({ name }) => {
	const schema = schemaOf(name);
	expect(schema).toMatchObject({ type: 'object', version: 1 });
	const validate = new Ajv({ strict: false }).compile(schema);
	expect(present(outputs.get(name)).length).toBeGreaterThan(0);
	for (const output of present(outputs.get(name))) {
		expect({ output, valid: validate(output), errors: validate.errors }).toEqual({
			output,
			valid: true,
			errors: null,
		});
		expect(unknownFields(output, schema)).toEqual([]);
	}
	// Every field of the preview occurred at least once.
	const seen = new Set(present(outputs.get(name)).flatMap((output) => Object.keys(output)));
	expect(Object.keys(schema.properties ?? {}).filter((field) => !seen.has(field))).toEqual([]);
});

test.each(operations)('$name sends the one request that its documentation names', ({ name }) => {
	const { sent, promised } = present(requests.get(name));
	expect(sent).toEqual(promised);
});

/** The paths of the fields in a value that its schema does not have. */
function unknownFields(value: unknown, schema: Schema, at = ''): string[] {
	if (Array.isArray(value)) {
		return schema.items
			? value.flatMap((entry) => unknownFields(entry, schema.items!, `${at}[]`))
			: [];
	}
	if (typeof value !== 'object' || value === null || !schema.properties) return [];
	return Object.entries(value).flatMap(([field, inner]) => {
		const known = schema.properties![field];
		return known ? unknownFields(inner, known, `${at}.${field}`) : [`${at}.${field}`];
	});
}
