import { inDocumentNames } from '../../documentNames';
import type { ListShape } from '../../../shared/answer/lists';
import { oneLine } from '../../../shared/oneLine';
import { COUNTRY_ADVICE, countryField, pagingFields } from '../../fields/common';
import { idsAsText } from '../../identifiers';
import { readLimit } from '../../input/limit';
import { toId, toText } from '../../input/values';
import type { Operation } from '../../operation';
import { list } from '../../transport/paging';

/** The form of postal codes in the response. */
export const ZIP_CODE_LIST: ListShape = {
	names: ['cityZipCodes', 'zipCodes'],
	scalar: 'zipCode',
};

export const getPostalCodes: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many postal codes',
	description: 'List the postal codes that the provider accepts for addresses in a country',
	credential: 'voiceManagementApi',
	advice: COUNTRY_ADVICE,
	endpoint: 'GET /vbapi/v1/regulation/zipcode',
	output:
		'One item for each postal code: `cityName`, `zipCode`. None if the provider does not enforce postal codes in the country',
	fields: [
		{
			...countryField(
				'countryCodeA3',
				'Country',
				'The country, as a three-letter ISO code such as FRA',
			),
			required: true,
		},
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
					description: 'Only postal codes of this telephone area code',
				},
			],
		},
	],
	async run(context) {
		const country = toId(context.parameter('countryCodeA3'), 'Country');
		const filters = context.filters();
		const request = {
			path: '/vbapi/v1/regulation/zipcode',
			query: { countryCodeA3: country, ...filters },
			shape: ZIP_CODE_LIST,
		};
		const none =
			filters.areaCode === undefined
				? `The provider lists no postal codes for ${oneLine(country)}: it accepts any postal code there.`
				: `The provider lists no postal codes for ${oneLine(country)} in the area ${oneLine(toText(filters.areaCode))}.`;
		const entries = await list(context, request, readLimit(context), none);
		return entries.map((entry) => idsAsText(inDocumentNames(entry)));
	},
};
