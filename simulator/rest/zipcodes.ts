// Accepted postal codes. An empty list means that the country enforces none.

import { common } from './errors';
import { writeNumber } from './addresses';
import { checkCountry } from './addressForm';
import { zipCodes } from './catalogue';
import type { RestOperation } from './operation';
import { page, readInteger, readQuery, required } from './paging';

const getAll: RestOperation = {
	method: 'GET',
	path: '/regulation/zipcode',
	run({ state, query: raw }) {
		const query = readQuery(raw, ['countryCodeA3', 'pageNumber', 'pageSize', 'areaCode']);
		const country = required(query, 'countryCodeA3');
		checkCountry('countryCodeA3', country);
		const { areaCode } = query;
		if (areaCode !== undefined && readInteger(areaCode) === undefined) {
			throw common(17, `"${areaCode}" is not a number (areaCode)`);
		}
		const found = (zipCodes[country] ?? []).filter(
			(entry) => areaCode === undefined || entry.areaCode === areaCode,
		);
		return {
			cityZipCodes: page(query, found).map(({ cityName, zipCode }) => ({ cityName, zipCode })),
			resultCount: writeNumber(state, found.length),
		};
	},
};

export const zipcodeOperations: readonly RestOperation[] = [getAll];
