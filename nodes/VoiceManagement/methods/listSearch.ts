// Fills the lists of the node's parameters from the operator.

import {
	sleep,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { toText } from '../input/values';
import { ADDRESS_LIST } from '../resources/address/addressItem';
import { ZIP_CODE_LIST } from '../resources/zipcode/getAll';
import {
	keyReader,
	PageCursor,
	pageReader,
	type ListRequest,
	type Position,
} from '../transport/paging';
import { ApiClient } from '../transport/apiClient';
import { listOption } from '../../shared/listOption';
import { ADDRESS_IDS, fieldOf, identifierOf } from '../../shared/shapes';
import { mapInSlices } from '../../shared/slices';

/** A search makes up to this many requests before it shows its matches; scrolling on continues it. */
const REQUESTS_A_SEARCH = 10;

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
		key: ADDRESS_IDS,
	};
	return await search(this, request, 1000, toAddressItem, filter, paginationToken);
}

/** Postal codes of the country chosen in the form; empty if the operator does not enforce them. */
export async function searchZipCodes(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const request = {
		path: '/vbapi/v1/regulation/zipcode',
		query: { countryCodeA3: toText(this.getCurrentNodeParameter('countryCodeA3')) },
		shape: ZIP_CODE_LIST,
	};
	return await search(this, request, 100, toZipCodeItem, filter, paginationToken);
}

/**
 * The operator has no search over several fields, so pages are read one after the other until there are enough
 * matches.
 * @param enough number of matches to show at a time, and the page size to request
 */
async function search(
	context: ILoadOptionsFunctions,
	request: ListRequest,
	enough: number,
	toItem: (entry: IDataObject) => INodeListSearchItems | undefined,
	filter = '',
	paginationToken = '',
): Promise<INodeListSearchResult> {
	const service = new ApiClient(context, 'voiceManagementApi', 'baseUrl', {
		sleep,
		now: Date.now,
		random: Math.random,
	});
	const cursor = new PageCursor(
		pageReader(service, request),
		keyReader(request.key),
		readToken(paginationToken, enough),
	);
	const wanted = filter.trim().toLowerCase();
	const results: INodeListSearchItems[] = [];
	while (cursor.requests < REQUESTS_A_SEARCH) {
		const page = await cursor.next();
		const items = (await mapInSlices(page ?? [], toItem)).filter((item) => item !== undefined);
		results.push(...items.filter(({ name }) => name.toLowerCase().includes(wanted)));
		if (!page || (wanted === '' ? results.length >= enough : results.length > 0)) break;
	}
	const { position, total } = cursor;
	if (!position) return { results };
	return { results, paginationToken: writeToken(position, enough, total !== undefined) };
}

/** The page's number; with the rest of the position if the operator sends no total or uses a page size of its own. */
function writeToken(position: Position, size: number, totalIsKnown: boolean): string {
	const { pageNumber, pageSize, read, previous } = position;
	const plain = totalIsKnown && pageSize === size && read === pageNumber * size;
	return plain ? String(pageNumber) : [pageNumber, pageSize, read, previous].join('/');
}

function readToken(token: string, size: number): Position {
	const [page, pageSize, read, previous] = token.split('/');
	const pageNumber = Number(page) || 0;
	return {
		pageNumber,
		pageSize: Number(pageSize) || size,
		read: Number(read) || pageNumber * size,
		previous,
	};
}

function toAddressItem(address: IDataObject): INodeListSearchItems | undefined {
	const id = identifierOf(address, ADDRESS_IDS);
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
