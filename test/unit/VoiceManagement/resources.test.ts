/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The node as n8n sees it: what the contract specifies, and that everything shown comes from the registry.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NumberState } from '../../../simulator/rest/state';
import { NodeHelpers, type INodeProperties, type INodePropertyCollection } from 'n8n-workflow';
import { resources } from '../../../nodes/VoiceManagement/resources';
import { VoiceManagement } from '../../../nodes/VoiceManagement/VoiceManagement.node';
import { nth } from '../../support/present';

const { description, methods } = new VoiceManagement();
const root = join(__dirname, '../../..');

test('name, version and use as a tool are those of the contract', () => {
	expect(description).toMatchObject({
		displayName: 'Voice Management',
		name: 'voiceManagement',
		version: 1,
		usableAsTool: true,
	});
});

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => [resource.value, operation.value, operation] as const),
);

test.each(operations)('%s: %s shows its own parameters only', (resource, operation, { fields }) => {
	const values = { resource, operation };
	const shown = description.properties
		.filter((property) =>
			NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description),
		)
		.map(({ name }) => name);
	// Parameters that depend on another field of the form are checked below.
	const expected = new Set(['resource', 'operation', ...fields.map(({ name }) => name)]);
	expect(shown.filter((name) => !expected.has(name))).toEqual([]);
	expect(shown).toEqual(expect.arrayContaining(['resource', 'operation']));
});

test.each([
	['COMPANY', ['companyName']],
	['MR', ['firstName', 'lastName']],
	['MS', ['firstName', 'lastName']],
])('the salutation %s asks for %j', (salutation, names) => {
	const values = { resource: 'address', operation: 'create', salutation };
	const shown = ['companyName', 'firstName', 'lastName'].filter((name) =>
		description.properties.some(
			(property) =>
				property.name === name &&
				NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description),
		),
	);
	expect(shown).toEqual(names);
});

test('an expression that selects the form does not make every field of every form mandatory', () => {
	const choices: Array<[object, string[]]> = [
		[
			{ resource: 'address', operation: 'create', salutation: '={{ $json.x }}' },
			['companyName', 'firstName', 'lastName'],
		],
		[
			{ resource: 'cart', operation: 'addProduct', productType: '={{ $json.x }}' },
			['didGroupId', 'zone', 'creditPackageId', 'phoneNumbers'],
		],
	];
	for (const [values, names] of choices) {
		const shown = description.properties.filter(
			(property) =>
				names.includes(property.name) &&
				NodeHelpers.displayParameter(values as never, property, { typeVersion: 1 }, description),
		);
		expect(shown.map(({ name }) => name)).toEqual(names);
		expect(shown.filter(({ required }) => required)).toEqual([]);
		// The hints state the rule instead.
		expect(shown.map(({ hint }) => hint)).toEqual(
			names.map(() => expect.stringMatching(/^Required/)),
		);
	}
});

test('a new node begins with an operation that only reads, if its resource has one', () => {
	for (const { value, operations: all, begins } of resources) {
		const begun = description.properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.[0] === value,
		);
		expect([value, begun?.default]).toEqual([value, begins.value]);
		expect([value, begins.changes ?? false]).toEqual([value, all.every(({ changes }) => changes)]);
	}
});

test('no country is chosen for the user', () => {
	const countries = (properties: INodeProperties[]): INodeProperties[] =>
		properties.flatMap((property) => [
			...(/country|nationality/i.test(property.name) && property.type === 'options'
				? [property]
				: []),
			...countries((property.options ?? []).filter((option) => 'type' in option)),
			...(property.options ?? []).flatMap((option) =>
				'values' in option ? countries(option.values) : [],
			),
		]);
	const all = countries(description.properties);
	expect(all.length).toBeGreaterThan(4);
	expect(all.map(({ default: value }) => value)).toEqual(all.map(() => ''));
});

test('an added identity document has its fields at once', () => {
	const additional = description.properties.find(
		({ name, displayOptions }) =>
			name === 'additionalFields' && displayOptions?.show?.operation?.[0] === 'create',
	)!;
	const document = (additional.options as INodeProperties[]).find(
		({ name }) => name === 'identityDocumentProof',
	)!;
	const [group] = document.options as INodePropertyCollection[];
	expect(Object.keys((document.default as { document: object }).document).sort()).toEqual(
		group!.values.map(({ name }) => name).sort(),
	);
});

// What follows from it: writes.test.ts.
test('what changes something says so, and nothing else', () => {
	for (const { value, operations } of resources) {
		for (const { value: operation, endpoint, changes = false } of operations) {
			const buys = endpoint.endsWith('/checkout');
			const reads = (endpoint.startsWith('GET ') && !buys) || value === 'session';
			expect([value, operation, changes]).toEqual([value, operation, !reads]);
		}
	}
});

test('the notice about a purchase is next to the switch that it explains', () => {
	const names = description.properties.map(({ name }) => name);
	expect(names[names.indexOf('checkoutNotice') + 1]).toBe('confirmPurchase');
});

test('no example value of a cart or an address is that of the demo: users copy examples, and could buy or delete it', () => {
	const state = new NumberState(0);
	const created = Array.from({ length: 1_000 }, () => [
		String(state.newCartIdentifier()),
		String(state.newAddressId()),
	]).flat();
	const examples = description.properties
		.filter(({ name }) => name === 'cartIdentifier' || name === 'addressId')
		.flatMap(({ placeholder, modes = [] }) => [
			placeholder,
			...modes.map((mode) => mode.placeholder),
		])
		.filter((text) => text?.startsWith('e.g. '));
	expect(examples.length).toBeGreaterThan(2);
	for (const example of examples) expect(created).not.toContain(example?.slice(5));
});

test('each operation requires the credential that it uses', () => {
	for (const resource of resources) {
		for (const { value, credential } of resource.operations) {
			const values = { resource: resource.value, operation: value };
			const asked = description.credentials!.filter(({ displayOptions }) =>
				NodeHelpers.displayParameter(
					values,
					{ displayOptions } as INodeProperties,
					{ typeVersion: 1 },
					description,
				),
			);
			expect(asked.map(({ name }) => name)).toEqual([credential]);
		}
	}
});

/** n8n's lint rule single-credential-per-node; a parameter whose every choice has a login is not shown by its editor. */
test('the source says that an operation has one credential, without the name of a parameter', () => {
	const shown = description.credentials!.map(({ displayOptions }) => displayOptions?.show ?? {});
	expect(shown.map((rules) => Object.keys(rules))).toEqual([['/operation'], ['/operation']]);
	const operations = shown.flatMap((rules) => rules['/operation'] ?? []);
	expect(new Set(operations).size).toBe(operations.length);
});

test('methods that the parameters call exist', () => {
	const called = JSON.stringify(description).match(/"searchListMethod":"(\w+)"/g) ?? [];
	const names = called.map((text) => nth(text.split('"'), 3));
	expect(names).not.toEqual([]);
	for (const name of names) expect(methods.listSearch).toHaveProperty(name);
	for (const { testedBy } of description.credentials!) {
		expect(methods.credentialTest).toHaveProperty(testedBy as string);
	}
});

test('an AI agent gets a description of each operation and of every parameter it may fill', () => {
	const visit = (property: INodeProperties, path: string): string[] => {
		if (property.type === 'notice') return [];
		const inner = (property.options ?? []).flatMap((option) => {
			if ('type' in option) return visit(option, `${path}.${option.name}`);
			return 'values' in option
				? option.values.flatMap((value) => visit(value, `${path}.${value.name}`))
				: [];
		});
		const described =
			['collection'].includes(property.type) || (property.description ?? '').length > 10;
		return described ? inner : [path, ...inner];
	};
	for (const { operations } of resources) {
		for (const { action, description: text, fields, value } of operations) {
			expect(action.length).toBeGreaterThan(5);
			expect(text.length).toBeGreaterThan(20);
			expect(fields.flatMap((field) => visit(field, `${value}.${field.name}`))).toEqual([]);
		}
	}
});

test('the node file contains no logic, and the icons and the codex file exist', () => {
	const folder = join(root, 'nodes/VoiceManagement');
	const source = readFileSync(join(folder, 'VoiceManagement.node.ts'), 'utf8');
	expect(source.split('\n').length).toBeLessThanOrEqual(80);
	const { light, dark } = description.icon as { light: string; dark: string };
	for (const icon of [light, dark]) {
		expect(readFileSync(join(folder, icon.replace('file:', '')), 'utf8')).toMatch(/^<svg /);
	}
	const codex = JSON.parse(readFileSync(join(folder, 'VoiceManagement.node.json'), 'utf8')) as {
		node: string;
	};
	expect(codex.node).toBe('n8n-nodes-voice-management.voiceManagement');
});
