// The output schemas, from which n8n previews the fields: each is compared with what the operation really outputs.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import type { IDataObject } from 'n8n-workflow';
import { resources } from '../../../nodes/VoiceManagement/resources';
import { startOperator, type Operator } from '../../../simulator';
import { companyForm, itemWithFile } from './forms';
import { apiCredentialsFor, credentialsFor, runNode, type Credentials } from './harness';
import { present } from '../../../simulator/present';

const folder = join(__dirname, '../../../nodes/VoiceManagement/__schema__/v1.0.0');

interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	version?: number;
}

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => `${resource.value}/${operation.value}`),
);

const schemaOf = (name: string) =>
	JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Schema;

/** The output of every operation, with text and with numeric identifiers. */
const outputs: Record<string, IDataObject[]> = Object.fromEntries(
	operations.map((name) => [name, []]),
);

async function record(operator: Operator) {
	const run = async (name: string, parameters: IDataObject, credentials?: Credentials) => {
		const [resource, operation] = name.split('/');
		const { items } = await runNode({
			credentials: credentials ?? credentialsFor(operator),
			parameters: { resource, operation, ...parameters },
			items: [itemWithFile()],
		});
		present(outputs[name]).push(...items.map(({ json }) => json));
		return items[0]?.json;
	};
	const didIds = operator.control
		.numbers()
		.dids.find(({ didGroupId }) => didGroupId === 6003)!.didId;
	const { addressId } = (await run('address/create', companyForm))!;
	const didType = 'GEOGRAPHIC';
	await run('address/validate', { addressId, didType, destinationCountryCodeA3: 'BEL' });
	await run('address/validate', { addressId, didType, destinationCountryCodeA3: 'FRA' });
	await run('address/uploadProof', { addressId });
	await run('address/requestVerification', { addressId });
	operator.control.reviewAddress(addressId as string, 'REJECTED', ['Unreadable']);
	await run('address/get', { addressId });
	operator.control.reviewAddress(addressId as string, 'VERIFIED');
	await run('address/link', { addressId, didIds });
	await run('address/getAll', {});
	await run('address/unlink', { didIds });
	await run('address/delete', { addressId });
	await run('zipcode/getAll', { countryCodeA3: 'BEL' });
	const { cartIdentifier } = (await run('cart/create', {}))!;
	await run('cart/addProduct', { cartIdentifier, productType: 'didCartItem', didGroupId: '6001' });
	await run('cart/checkout', { cartIdentifier, confirmPurchase: true });
	await run('session/getInfo', {});
	const ip = '127.0.0.1';
	await run('session/createToken', { ip }, apiCredentialsFor(operator));
	await run('session/getTestPageUrl', { ip }, apiCredentialsFor(operator));
}

beforeAll(async () => {
	for (const idsAsText of [false, true]) {
		const operator = await startOperator();
		operator.control.behave({ idsAsText });
		await record(operator);
		await operator.close();
	}
}, 60_000);

test('there is a schema for every operation, and none for anything else', () => {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.json'),
	);
	expect(files.map((file) => file.replace('.json', '')).sort()).toEqual([...operations].sort());
	expect(existsSync(folder)).toBe(true);
});

test.each(operations)('%s', (name) => {
	const schema = schemaOf(name);
	expect(schema).toMatchObject({ type: 'object', version: 1 });
	const validate = new Ajv({ strict: false }).compile(schema);
	expect(present(outputs[name]).length).toBeGreaterThan(0);
	for (const output of present(outputs[name])) {
		expect({ output, valid: validate(output), errors: validate.errors }).toEqual({
			output,
			valid: true,
			errors: null,
		});
		expect(unknownFields(output, schema)).toEqual([]);
	}
	// Every field of the preview occurred at least once.
	const seen = new Set(present(outputs[name]).flatMap((output) => Object.keys(output)));
	expect(Object.keys(schema.properties ?? {}).filter((field) => !seen.has(field))).toEqual([]);
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
