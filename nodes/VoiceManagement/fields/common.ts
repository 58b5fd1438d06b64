// Fields that several operations share.

import type { INodeProperties } from 'n8n-workflow';
import { countryOptions } from './countries';

/** The types of numbers (provider.md#requests). */
const DID_TYPES = [
	{ name: 'Geographic', value: 'GEOGRAPHIC' },
	{ name: 'INum', value: 'INUM' },
	{ name: 'Mobile', value: 'MOBILE' },
	{ name: 'National', value: 'NATIONAL' },
	{ name: 'Shared Cost', value: 'SHARED_COST' },
	{ name: 'Special', value: 'SPECIAL' },
	{ name: 'Toll-Free', value: 'TOLL_FREE' },
];

/** The states of addresses (same source). */
export const ADDRESS_STATUSES = [
	{ name: 'Not Verified', value: 'NOT_VERIFIED' },
	{ name: 'Rejected', value: 'REJECTED' },
	{ name: 'Verification Not Required', value: 'VERIFICATION_NOT_REQUIRED' },
	{ name: 'Verification Requested', value: 'VERIFICATION_REQUESTED' },
	{ name: 'Verified', value: 'VERIFIED' },
];

/** A country by its three-letter code; none is chosen at first. */
export function countryField(
	name: string,
	displayName: string,
	description: string,
): INodeProperties {
	return { displayName, name, type: 'options', options: countryOptions, default: '', description };
}

export const didTypeField: INodeProperties = {
	displayName: 'DID Type',
	name: 'didType',
	type: 'options',
	options: DID_TYPES,
	default: 'GEOGRAPHIC',
	required: true,
	description: 'The type of the numbers that will use the address',
};

export const destinationCountryField: INodeProperties = {
	...countryField(
		'destinationCountryCodeA3',
		'Destination Country',
		'The country of the numbers that will use the address, as a three-letter ISO code such as FRA',
	),
	options: [{ name: 'Same as the Address', value: '' }, ...countryOptions],
};

/** Operations with a country: what to do about a value that the provider does not know. */
export const COUNTRY_ADVICE = {
	14: 'Correct the field that the message names. Write countries as three-letter ISO codes, for example FRA.',
} as const;

export const addressIdField: INodeProperties = {
	displayName: 'Address',
	name: 'addressId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The regulatory address, from the list or by its addressId',
	builderHint: {
		propertyHint: 'Use mode "id" with the addressId that Create, Get or Get Many returned.',
	},
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select an address…',
			typeOptions: { searchListMethod: 'searchAddresses', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 98765' },
	],
};

export const didIdsField: INodeProperties = {
	displayName: 'DID IDs',
	name: 'didIds',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 900001, 900002',
	description:
		"The provider's internal identifiers of the numbers, not the phone numbers. Separate them with commas; an expression can also return a list or a number. The interface has no list of them; the provider's portal may show them.",
};

export const cartIdentifierField: INodeProperties = {
	displayName: 'Cart Identifier',
	name: 'cartIdentifier',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 1234567',
	description: 'The cart, by the cartIdentifier that the operation Create returned',
};

/** "Return All" and "Limit". */
export const pagingFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

const customFields: INodeProperties = {
	displayName: 'Custom Fields',
	name: 'customFields',
	type: 'json',
	default: '{}',
	description:
		'Fields that your provider accepts and this node does not show, as a JSON object. They are merged into the body of the request and replace fields of the form; null removes a field.',
};

/** The options of an operation that writes a JSON body; `more` come before "Custom Fields". */
export const optionsField = (...more: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [...more, customFields],
});

/** The last field of an operation that writes a JSON body. */
export const customFieldsField = optionsField();

/** "Simplify" of the operations that read addresses. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};
