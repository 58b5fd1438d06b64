import {
	ADDRESS_STATUSES,
	COUNTRY_ADVICE,
	countryField,
	pagingFields,
	simplifyField,
} from '../../fields/common';
import { readLimit } from '../../input/limit';
import type { Operation } from '../../operation';
import { list } from '../../transport/paging';
import { ADDRESS_LIST, readAddressItem } from './addressItem';

const textFilter = (displayName: string, name: string, description: string) => ({
	displayName,
	name,
	type: 'string' as const,
	default: '',
	description,
});

const country = countryField('countryCodeA3', 'Country', 'Only addresses in this country');

export const getAddresses: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many addresses',
	description: 'List all regulatory addresses, or those that match the filters',
	credential: 'voiceManagementApi',
	advice: COUNTRY_ADVICE,
	endpoint: 'GET /vbapi/v1/regulation/address',
	output: 'One item for each address, with the fields of "Get"',
	fields: [
		...pagingFields,
		simplifyField,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				textFilter('Address ID', 'regulationAddressId', 'Only the address with this identifier'),
				textFilter('Building Number', 'buildingNumber', 'Only addresses with this building number'),
				textFilter('City', 'city', 'Only addresses in this city'),
				textFilter('Company Name', 'companyName', 'Only addresses of this company'),
				country,
				textFilter('Customer Reference', 'customerReference', 'Only addresses with this reference'),
				textFilter('First Name', 'firstName', 'Only addresses of persons with this first name'),
				textFilter('Last Name', 'lastName', 'Only addresses of persons with this last name'),
				{
					displayName: 'Linked',
					name: 'linked',
					type: 'options',
					options: [
						{ name: 'Any', value: '' },
						{ name: 'With Linked Numbers', value: true },
						{ name: 'Without Linked Numbers', value: false },
					],
					default: '',
					description: 'Only addresses with linked numbers, or only those without',
				},
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					options: [{ name: 'Any', value: '' }, ...ADDRESS_STATUSES],
					default: '',
					description: 'Only addresses with this verification status',
				},
				textFilter('Street Name', 'streetName', 'Only addresses in this street'),
				textFilter('Postal Code', 'zipCode', 'Only addresses with this postal code'),
			],
		},
	],
	async run(context) {
		const request = {
			path: '/vbapi/v1/regulation/address',
			query: context.filters(),
			shape: ADDRESS_LIST,
		};
		const addresses = await list(context, request, readLimit(context));
		return addresses.map((address) => readAddressItem(context, address));
	},
};
