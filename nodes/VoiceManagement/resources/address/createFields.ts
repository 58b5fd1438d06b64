// The form of "Create an address": "create address, fields of the JSON part" of the third-party shapes.

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
	label: 'Identity Document Binary Field',
};

const nationality = countryField(
	'nationality',
	'Nationality',
	'The nationality in the document, as a country',
);

const text = (displayName: string, name: string, placeholder: string, description: string) =>
	({ displayName, name, type: 'string', default: '', placeholder, description }) as const;

const extraFields: INodeProperties = {
	displayName: 'Extra Fields',
	name: 'extraFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Extra Field',
	default: {},
	description:
		'What the country requires beyond the address, by the names that the operator displays',
	options: [
		{
			displayName: 'Extra Field',
			name: 'field',
			values: [
				text('Name', 'name', 'e.g. Municipality Code', 'The display name of the field'),
				text('Value', 'value', 'e.g. 0261', 'The value of the field'),
			],
		},
	],
};

const identityDocumentProof: INodeProperties = {
	displayName: 'Identity Document',
	name: 'identityDocumentProof',
	type: 'fixedCollection',
	placeholder: 'Add Identity Document',
	default: {},
	description:
		'The identity document of the person or company. France (geographic numbers), Italy and South Africa usually require it.',
	options: [
		{
			displayName: 'Identity Document',
			name: 'document',
			values: [
				text(
					'Document Number',
					'identityDocumentNumber',
					'e.g. 12AB34567',
					'The number of the document',
				),
				text('Document Type', 'identityDocumentType', 'e.g. PASSPORT', 'The type of the document'),
				{
					displayName: 'Issuing Authority',
					name: 'issuingAuthority',
					type: 'string',
					default: '',
					placeholder: 'e.g. Prefecture',
					description: 'The authority that issued the document',
				},
				{
					displayName: 'Issuing Date',
					name: 'issuingDate',
					type: 'dateTime',
					typeOptions: { dateOnly: true },
					default: '',
					description: 'The date on which the document was issued',
				},
				nationality,
			],
		},
	],
};

/** Shown if operators usually require a document ("create address" of the third-party shapes). */
function documentNotice(name: string, show: Record<string, string[]>): INodeProperties {
	return {
		displayName:
			'These numbers usually require an identity document as well: Additional Fields → Identity Document.',
		name,
		type: 'notice',
		default: '',
		displayOptions: { show },
	};
}

// The names are not marked as required: with an expression in "Salutation" n8n shows, and would require, all of them.
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
		...text(
			'Company Name',
			'companyName',
			'e.g. Example Ltd',
			'The registered name of the company',
		),
		hint: 'Required for a company',
		displayOptions: { show: { salutation: ['COMPANY'] } },
	},
	{
		...text('First Name', 'firstName', 'e.g. Ada', 'The first name of the person'),
		hint: 'Required for a person',
		displayOptions: { show: { salutation: ['MR', 'MS'] } },
	},
	{
		...text('Last Name', 'lastName', 'e.g. Example', 'The last name of the person'),
		hint: 'Required for a person',
		displayOptions: { show: { salutation: ['MR', 'MS'] } },
	},
	countryField(
		'countryCodeA3',
		'Country',
		'The country of the address, as a three-letter ISO code such as FRA',
	),
	{
		...text('City', 'city', 'e.g. Paris', 'The city, spelled as in the list of zip codes'),
		required: true,
	},
	{
		displayName: 'Zip Code',
		name: 'zipCode',
		type: 'resourceLocator',
		default: { mode: 'code', value: '' },
		required: true,
		description: 'The postal code. For some countries only those of the list are accepted.',
		builderHint: {
			propertyHint:
				'Use mode "code". The operation Get Many of the resource Zip Code lists them by country.',
		},
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a zip code…',
				typeOptions: { searchListMethod: 'searchZipCodes', searchable: true },
			},
			{ displayName: 'By Code', name: 'code', type: 'string', placeholder: 'e.g. 75001' },
		],
	},
	{
		...text('Street Name', 'streetName', 'e.g. Rue de Rivoli', 'The street without the number'),
		required: true,
	},
	{
		...text('Building Number', 'buildingNumber', 'e.g. 12', 'The number of the building'),
		required: true,
	},
	didTypeField,
	destinationCountryField,
	documentNotice('documentNoticeFrance', {
		destinationCountryCodeA3: ['FRA'],
		didType: ['GEOGRAPHIC'],
	}),
	documentNotice('documentNotice', { destinationCountryCodeA3: ['ITA', 'ZAF'] }),
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			text(
				'Building Letter',
				'buildingLetter',
				'e.g. B',
				'The letter after the number of the building',
			),
			text('Company Description', 'companyDescription', 'e.g. Bakery', 'What the company does'),
			text(
				'Customer Reference',
				'customerReference',
				'e.g. A-17',
				'Your own reference for the address',
			),
			extraFields,
			identityDocumentProof,
			{
				...text(
					IDENTITY_FILE.label,
					IDENTITY_FILE.name,
					'e.g. identity',
					'The binary field with a copy of the identity document: one file',
				),
				default: 'identity',
			},
			text(
				'Phone Number',
				'phoneNumber',
				'e.g. +33123456789',
				'A contact number, usually + and 9 to 15 digits',
			),
			{
				...text(
					PROOF_FILE.label,
					PROOF_FILE.name,
					'e.g. data',
					'The binary field with the proof of address: one file. Sending it here starts the verification.',
				),
				default: 'data',
			},
		],
	},
];
