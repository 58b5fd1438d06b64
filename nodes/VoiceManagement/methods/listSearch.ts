// What fills the lists of the panel from the service.

import {
	sleep,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { toText } from '../input/values';
import { readPage, type ListRequest } from '../transport/paging';
import { Service } from '../transport/service';

/** Entries asked for at a time. */
const PAGE_SIZE = 100;

/** A search looks through this many pages before it shows what it has; scrolling on continues it. */
const PAGES_A_SEARCH = 10;

/** Addresses: who, where, and whether it is verified. */
export async function searchAddresses(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const request = {
		path: '/vbapi/v1/regulation/address',
		query: {},
		entries: 'regulationAddresses',
	};
	return await search(this, request, toAddressItem, filter, paginationToken);
}

/** Postal codes of the country chosen in the form; empty where the service does not enforce them. */
export async function searchZipCodes(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const request = {
		path: '/vbapi/v1/regulation/zipcode',
		query: { countryCodeA3: toText(this.getCurrentNodeParameter('countryCodeA3')) },
		entries: 'cityZipCodes',
	};
	return await search(this, request, toZipCodeItem, filter, paginationToken);
}

/** The service has no search over several fields: pages are read one after the other until something matches. */
async function search(
	context: ILoadOptionsFunctions,
	request: ListRequest,
	toItem: (entry: IDataObject) => INodeListSearchItems | undefined,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const service = new Service(context, 'voiceManagementApi', 'baseUrl', {
		sleep,
		now: Date.now,
		random: Math.random,
	});
	const wanted = filter.trim().toLowerCase();
	const results: INodeListSearchItems[] = [];
	let pageNumber = Number(paginationToken) || 0;
	for (let pages = 0; pages < PAGES_A_SEARCH; pages++) {
		const page = await readPage(service, request, pageNumber, PAGE_SIZE);
		pageNumber++;
		const items = page.entries.map(toItem).filter((item) => item !== undefined);
		results.push(...items.filter(({ name }) => name.toLowerCase().includes(wanted)));
		if (page.entries.length === 0 || pageNumber * PAGE_SIZE >= (page.count ?? 0))
			return { results };
		if (results.length > 0) break;
	}
	return { results, paginationToken: String(pageNumber) };
}

function toAddressItem(address: IDataObject): INodeListSearchItems | undefined {
	const id = toText(address.addressId);
	if (id === '') return undefined;
	const text = (...names: string[]) =>
		names
			.map((name) => toText(address[name]))
			.filter((part) => part !== '')
			.join(' ');
	const who = text('companyName') || text('firstName', 'lastName') || 'No name';
	const where = [
		text('buildingNumber', 'buildingLetter', 'streetName'),
		text('zipCode', 'city', 'countryCodeA3'),
	];
	const state = toText(address.status).toLowerCase().replaceAll('_', ' ');
	return {
		name: `${[who, ...where].filter((part) => part !== '').join(', ')} – ${state || 'unknown state'} (${id})`,
		value: id,
	};
}

function toZipCodeItem(entry: IDataObject): INodeListSearchItems | undefined {
	const code = toText(entry.zipCode);
	return code === ''
		? undefined
		: { name: `${code} ${toText(entry.cityName)}`.trim(), value: code };
}
