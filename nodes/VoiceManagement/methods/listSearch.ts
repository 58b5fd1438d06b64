// Fills the lists of the node's parameters from the provider.

import {
	sleep,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { compact, toId, toText } from '../input/values';
import { ADDRESS_LIST } from '../resources/address/addressItem';
import { ZIP_CODE_LIST } from '../resources/zipcode/getAll';
import { pageReader, pagesFrom, type ListRequest, type PagePlace } from '../transport/paging';
import { ApiClient } from '../transport/apiClient';
import { listOption } from '../../shared/listOption';
import { ADDRESS, ownIdentifier } from '../../shared/answer/identifiers';
import { fieldOf } from '../../shared/answer/read';

/** How much of a list is shown at a time, and how much of it a search reads with one request. */
interface Sizes {
	shown: number;
	read: number;
}

/** A search makes up to this many requests before it shows its matches: n8n continues only a list that can be scrolled. */
const REQUESTS_A_SEARCH = 20;

/** Addresses: identifier, status, name and place. */
export async function searchAddresses(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const request = {
		path: '/vbapi/v1/regulation/address',
		query: {},
		shape: ADDRESS_LIST,
	};
	const sizes = { shown: 1000, read: 1000 };
	return await search(this, request, sizes, toAddressItem, filter, paginationToken);
}

/** Postal codes of the country and area chosen in the form; empty if the provider does not enforce them. */
export async function searchZipCodes(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const additional = this.getCurrentNodeParameter('additionalFields') as IDataObject | undefined;
	const request = {
		path: '/vbapi/v1/regulation/zipcode',
		query: compact({
			countryCodeA3: toId(this.getCurrentNodeParameter('countryCodeA3'), 'Country'),
			areaCode: toText(additional?.areaCode),
		}),
		shape: ZIP_CODE_LIST,
	};
	const sizes = { shown: 100, read: 5000 };
	return await search(this, request, sizes, toZipCodeItem, filter, paginationToken);
}

/**
 * The provider has no search over several fields, so pages are read one after the other until there are enough
 * matches.
 */
async function search(
	context: ILoadOptionsFunctions,
	request: ListRequest,
	{ shown, read }: Sizes,
	toItem: (entry: IDataObject) => INodeListSearchItems | undefined,
	filter = '',
	paginationToken = '',
): Promise<INodeListSearchResult> {
	const service = new ApiClient(context, 'voiceManagementApi', 'baseUrl', {
		sleep,
		now: Date.now,
		random: Math.random,
	});
	const readPage = pageReader(service, request);
	const wanted = searchable(filter.trim());
	const start = readToken(paginationToken, wanted === '' ? shown : read);
	const pages = pagesFrom(readPage, request.shape, start);
	const results: INodeListSearchItems[] = [];
	let requests = 0;
	for await (const { entries, place } of pages) {
		const items = entries.map(toItem).filter((item) => item !== undefined);
		results.push(...items.filter(({ name }) => searchable(name).includes(wanted)));
		if (!place) break;
		if (results.length >= shown || ++requests === REQUESTS_A_SEARCH)
			return { results, paginationToken: writeToken(place) };
	}
	return { results };
}

/** `zoe` finds Zoë. */
const searchable = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const writeToken = ({ pageNumber, pageSize, read, previous = '' }: PagePlace) =>
	[pageNumber, pageSize, read, previous].join('/');

function readToken(token: string, size: number): PagePlace {
	const [pageNumber, pageSize, read, previous] = token.split('/');
	return {
		pageNumber: Number(pageNumber) || 0,
		pageSize: Number(pageSize) || size,
		read: Number(read) || 0,
		previous,
	};
}

function toAddressItem(address: IDataObject): INodeListSearchItems | undefined {
	const id = ownIdentifier(address, ADDRESS);
	if (id === undefined) return undefined;
	const text = (...names: string[]) =>
		names
			.map((name) => toText(fieldOf(address, name)))
			.filter((part) => part !== '')
			.join(' ');
	const who = text('companyName') || text('firstName', 'lastName') || 'No name';
	const where = [
		text('buildingNumber', 'buildingLetter', 'streetName'),
		text('zipCode', 'city', 'countryCodeA3'),
	];
	const state = text('status').toLowerCase().replaceAll('_', ' ') || 'unknown status';
	const description = [who, ...where].filter((part) => part !== '').join(', ');
	// What distinguishes two entries comes first, since the end may be cut off.
	return listOption(`${id} – ${state} – ${description}`, String(id));
}

function toZipCodeItem(entry: IDataObject): INodeListSearchItems | undefined {
	const code = toText(fieldOf(entry, 'zipCode', 'postalCode', 'postCode'));
	const city = toText(fieldOf(entry, 'cityName', 'city'));
	return code === '' ? undefined : listOption(`${code} ${city}`, code);
}
