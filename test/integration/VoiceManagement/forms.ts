/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Parameters and files that several suites use.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { resources } from '../../../nodes/VoiceManagement/resources';

/** A form that the simulated provider accepts: a company in Belgium, which needs no identity document. */
export const companyForm: IDataObject = {
	resource: 'address',
	operation: 'create',
	salutation: 'COMPANY',
	companyName: 'Exemple & Fils SA',
	countryCodeA3: 'BEL',
	city: 'Liège',
	zipCode: '4000',
	streetName: 'Rue de l’Été',
	buildingNumber: '12',
	didType: 'GEOGRAPHIC',
	destinationCountryCodeA3: 'BEL',
};

/** The group of the panel with the document of a person. */
export const IDENTITY_DOCUMENT = {
	document: {
		nationality: 'FRA',
		identityDocumentType: 'PASSPORT',
		identityDocumentNumber: '12AB34567',
		issuingAuthority: 'Préfecture',
		issuingDate: '2021-03-04T00:00:00',
	},
};

/** A person in Paris: France requires the identity document for geographic numbers. */
export const personForm: IDataObject = {
	...companyForm,
	salutation: 'MS',
	firstName: 'Ada',
	lastName: 'Exemple',
	countryCodeA3: 'FRA',
	city: 'Paris',
	zipCode: '75001',
	destinationCountryCodeA3: 'FRA',
	additionalFields: {
		identityDocumentProof: IDENTITY_DOCUMENT,
	},
};

export const pdf = Buffer.concat([
	Buffer.from('%PDF-1.7\n'),
	Buffer.from([0, 255, 128, 13, 10, 45, 45]),
]);

/** An item with a file in memory, as n8n stores it in its default mode. */
export function itemWithFile(
	field = 'data',
	file: { content?: Buffer; fileName?: string; mimeType?: string } = {},
): INodeExecutionData {
	const { content = pdf, fileName = 'proof.pdf', mimeType = 'application/pdf' } = file;
	return {
		json: {},
		binary: { [field]: { data: content.toString('base64'), fileName, mimeType } },
	};
}

/** What makes each operation succeed, in an order in which each finds what it needs. A new operation is one line. */
const PARAMETERS: Record<string, IDataObject> = {
	'zipcode/getAll': { countryCodeA3: 'BEL' },
	'address/create': companyForm,
	'address/getAll': {},
	'address/get': {},
	'address/uploadProof': {},
	'address/requestVerification': {},
	'address/validate': { didType: 'GEOGRAPHIC', destinationCountryCodeA3: 'BEL' },
	'address/link': {},
	'address/unlink': {},
	'address/delete': {},
	'cart/create': {},
	'cart/addProduct': { productType: 'didCartItem', didGroupId: '6001' },
	'cart/checkout': { confirmPurchase: true },
	'session/getInfo': {},
	'session/createToken': {},
	'session/getTestPageUrl': {},
};

/**
 * What operations need of those before them, by the names of their fields: the identifiers in paths, and `didIds`.
 * Values, or expressions of a workflow.
 */
export type Known = Record<string, unknown>;

/** Every operation of the node, in the order above. */
export const operations = resources
	.flatMap(({ value: resource, operations: all }) =>
		all.map((definition) => {
			const name = `${resource}/${definition.value}`;
			const given = PARAMETERS[name];
			if (!given) throw new Error(`Add the parameters of ${name} to ${__filename}`);
			return {
				...definition,
				name,
				resource,
				/** Whether it logs in as the API account. */
				isToken: definition.endpoint.startsWith('POST /vm/token'),
				parameters: (known: Known): IDataObject => ({
					resource,
					operation: definition.value,
					...Object.fromEntries(
						definition.fields
							.filter((field) => field.name in known)
							.map(({ name: of }) => [of, known[of]]),
					),
					...given,
				}),
			};
		}),
	)
	.sort((one, other) => position(one.name) - position(other.name));

function position(name: string): number {
	return Object.keys(PARAMETERS).indexOf(name);
}

const IN_PATH = /<(\w+)>/g;

/** The identifiers in the paths of all operations. */
export const identifiers = [
	...new Set(
		operations.flatMap(({ endpoint }) =>
			[...endpoint.matchAll(IN_PATH)].map(([, name = '']) => name),
		),
	),
];

/** Every identifier, with the value that it has. */
export const knownBy = (valueOf: (identifier: string) => unknown): Known =>
	Object.fromEntries(identifiers.map((identifier) => [identifier, valueOf(identifier)]));

/** All that operations need of others, with one value for every identifier. */
export const knownAs = (value: unknown): Known => ({ ...knownBy(() => value), didIds: '1' });

/** The request that an operation's `endpoint` promises, with these identifiers: `GET /vbapi/...`. */
export const requestOf = (endpoint: string, known: Known) =>
	endpoint
		.replace(IN_PATH, (_, name: string) => String(known[name]))
		.replace('{voiceUrl}', '')
		.replace(/, .*/, '');

/** The folder of the output schemas. */
export const SCHEMAS = join(__dirname, '../../../nodes/VoiceManagement/__schema__/v1.0.0');

export interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	version?: number;
}

/** The output schema of an operation. */
export const schemaOf = (name: string) =>
	JSON.parse(readFileSync(join(SCHEMAS, `${name}.json`), 'utf8')) as Schema;
