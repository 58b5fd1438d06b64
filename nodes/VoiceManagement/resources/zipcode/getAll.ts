import { inDocumentNames, type ListShape } from '../../../shared/shapes';
import { countryField, pagingFields } from '../../fields/common';
import { readLimit } from '../../input/paging';
import { compact, toId } from '../../input/values';
import type { Operation } from '../../operation';
import { list } from '../../transport/paging';

/** How postal codes stand in the answer of the list. */
export const ZIP_CODE_LIST: ListShape = {
	names: ['cityZipCodes', 'zipCodes'],
	ids: ['zipCode'],
	scalar: 'zipCode',
};

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many zip codes',
	description: 'List the postal codes that the service accepts for addresses in a country',
	credential: 'voiceManagementApi',
	endpoint: 'GET /vbapi/v1/regulation/zipcode',
	output:
		'One item for each postal code: `cityName`, `zipCode`. None where postal codes are not enforced',
	fields: [
		countryField('countryCodeA3', 'Country', 'The country, as a three-letter ISO code such as FRA'),
		...pagingFields,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{
					displayName: 'Area Code',
					name: 'areaCode',
					type: 'string',
					default: '',
					placeholder: 'e.g. 1',
					description: 'Only postal codes of this telephone area',
				},
			],
		},
	],
	async run(context) {
		const request = {
			path: '/vbapi/v1/regulation/zipcode',
			query: {
				countryCodeA3: toId(context.parameter('countryCodeA3'), 'Country'),
				...compact(context.collection('filters')),
			},
			shape: ZIP_CODE_LIST,
		};
		return (await list(context, request, readLimit(context))).map((entry) =>
			inDocumentNames(entry),
		);
	},
};
