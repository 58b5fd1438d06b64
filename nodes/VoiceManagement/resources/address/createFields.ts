// The form of "Create an address" (provider.md#create-an-address).

import type { INodeProperties } from 'n8n-workflow';
import { countryField, destinationCountryField, didTypeField } from '../../fields/common';

/** The two file parts: parameter, part name, label. */
export const PROOF_FILE = {
	name: 'proofBinaryPropertyName',
	part: 'proofOfAddress',
	label: 'Proof of Address Binary Field',
};
export const IDENTITY_FILE = {
	name: 'identityDocumentBinaryPropertyName',
	part: 'proofOfIdentityDocument',
	label: 'Input Binary Field',
};

/** See provider.md#create-an-address. The provider decides: nothing is rejected here for lack of a document. */
export const DOCUMENT_RULE =
	'Numbers in Italy and South Africa, and geographic numbers in France, usually also need an identity document: "Additional Fields" > "Identity Document", all fields.';

/** Where numbers need it: the destination, or the country of the address while that is the same. */
const documentNotices = (name: string, countries: string[], more: Record<string, string[]> = {}) =>
	[
		{ destinationCountryCodeA3: countries },
		{ countryCodeA3: countries, destinationCountryCodeA3: [''] },
	].map((where, index): INodeProperties => ({
		displayName: DOCUMENT_RULE,
		name: `${name}${index === 0 ? '' : 'OfAddress'}`,
		type: 'notice',
		default: '',
		displayOptions: { show: { ...where, ...more } },
	}));

const nationality = countryField(
	'nationality',
	'Nationality',
	'The nationality in the document, as a country',
);

const textField = (displayName: string, name: string, placeholder: string, description: string) =>
	({ displayName, name, type: 'string', default: '', placeholder, description }) as const;

const extraFields: INodeProperties = {
	displayName: 'Extra Fields',
	name: 'extraFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Extra Field',
	default: {},
	description:
		'What the country requires beyond the address, by the names that the provider displays',
	options: [
		{
			displayName: 'Extra Field',
			name: 'field',
			values: [
				textField('Name', 'name', 'e.g. Municipality Code', 'The display name of the field'),
				textField('Value', 'value', 'e.g. 0261', 'The value of the field'),
			],
		},
	],
};

const documentFields: INodeProperties[] = [
	textField(
		'Document Number',
		'identityDocumentNumber',
		'e.g. 12AB34567',
		'The number of the document',
	),
	textField('Document Type', 'identityDocumentType', 'e.g. PASSPORT', 'The type of the document'),
	textField(
		IDENTITY_FILE.label,
		IDENTITY_FILE.name,
		'e.g. identity',
		'The binary field with a copy of the document: one file. Leave empty to send none.',
	),
	textField(
		'Issuing Authority',
		'issuingAuthority',
		'e.g. Prefecture',
		'The authority that issued the document',
	),
	{
		displayName: 'Issuing Date',
		name: 'issuingDate',
		type: 'dateTime',
		typeOptions: { dateOnly: true },
		default: '',
		description: 'The date on which the document was issued',
	},
	nationality,
];

const identityDocumentProof: INodeProperties = {
	displayName: 'Identity Document',
	name: 'identityDocumentProof',
	type: 'fixedCollection',
	placeholder: 'Add Identity Document',
	// With its fields, which n8n would otherwise show only after a second click.
	default: { document: Object.fromEntries(documentFields.map(({ name }) => [name, ''])) },
	description: 'The identity document of the person or company',
	options: [{ displayName: 'Identity Document', name: 'document', values: documentFields }],
};

// Not marked as required: n8n would refuse to run the node until its own list is complete, and only then could the node
// name the rest. With an expression in "Salutation" it would also require the names of all forms.
const REQUIRED_FOR_TYPE = 'Required';

export const addressFields: INodeProperties[] = [
	{
		displayName: 'Salutation',
		name: 'salutation',
		type: 'options',
		default: 'COMPANY',
		required: true,
		options: [
			{ name: 'Company', value: 'COMPANY' },
			{ name: 'Mr', value: 'MR' },
			{ name: 'Ms', value: 'MS' },
		],
		description: 'Whether the address belongs to a company or to a person',
	},
	{
		...textField(
			'Company Name',
			'companyName',
			'e.g. Example Ltd',
			'The registered name of the company',
		),
		hint: 'Required for a company',
		displayOptions: { show: { salutation: ['COMPANY'] } },
	},
	{
		...textField('First Name', 'firstName', 'e.g. Ada', 'The first name of the person'),
		hint: 'Required for a person',
		displayOptions: { show: { salutation: ['MR', 'MS'] } },
	},
	{
		...textField('Last Name', 'lastName', 'e.g. Example', 'The last name of the person'),
		hint: 'Required for a person',
		displayOptions: { show: { salutation: ['MR', 'MS'] } },
	},
	{
		...countryField(
			'countryCodeA3',
			'Country',
			'The country of the address, as a three-letter ISO code such as FRA',
		),
		hint: REQUIRED_FOR_TYPE,
	},
	{
		...textField('City', 'city', 'e.g. Paris', 'The city, spelled as in the list of postal codes'),
		hint: REQUIRED_FOR_TYPE,
	},
	{
		displayName: 'Postal Code',
		name: 'zipCode',
		type: 'resourceLocator',
		default: { mode: 'code', value: '' },
		hint: REQUIRED_FOR_TYPE,
		description:
			'The postal code. For some countries only those of the list are accepted. If a country has many, "Area Code" (under "Additional Fields") shortens the list.',
		builderHint: {
			propertyHint:
				'Use mode "code". The operation Get Many of the resource Postal Code lists them by country.',
		},
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a postal code…',
				typeOptions: { searchListMethod: 'searchZipCodes', searchable: true },
			},
			{ displayName: 'By Code', name: 'code', type: 'string', placeholder: 'e.g. 75001' },
		],
	},
	{
		...textField(
			'Street Name',
			'streetName',
			'e.g. Rue de Rivoli',
			'The street without the number',
		),
		hint: REQUIRED_FOR_TYPE,
	},
	{
		...textField('Building Number', 'buildingNumber', 'e.g. 12', 'The number of the building'),
		hint: REQUIRED_FOR_TYPE,
	},
	didTypeField,
	destinationCountryField,
	...documentNotices('documentNotice', ['ITA', 'ZAF']),
	...documentNotices('documentNoticeOfFrance', ['FRA'], { didType: ['GEOGRAPHIC'] }),
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			textField(
				'Area Code',
				'areaCode',
				'e.g. 1',
				'Shortens the list of postal codes to those of this telephone area. It is not sent with the address.',
			),
			textField(
				'Building Letter',
				'buildingLetter',
				'e.g. B',
				'The letter after the number of the building',
			),
			textField(
				'Company Description',
				'companyDescription',
				'e.g. Bakery',
				'What the company does',
			),
			textField(
				'Customer Reference',
				'customerReference',
				'e.g. A-17',
				'Your own reference for the address',
			),
			extraFields,
			identityDocumentProof,
			textField(
				'Phone Number',
				'phoneNumber',
				'e.g. +33123456789',
				'A contact number, usually + and 9 to 15 digits',
			),
			textField(
				PROOF_FILE.label,
				PROOF_FILE.name,
				'e.g. data',
				'The binary field with the proof of address: one file. Sending it here starts the verification. Leave empty to send none.',
			),
		],
	},
];
