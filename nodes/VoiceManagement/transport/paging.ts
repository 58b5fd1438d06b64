// Lists of the service: 0-based pages, and a page past the end is an error (code 13), so the next page is asked for
// only when the service's own count says that it exists.

import type { IDataObject } from 'n8n-workflow';
import { asList } from '../../shared/shapes';
import type { Service } from './service';

/** The service takes 5000 at most; smaller pages keep an answer small and cost one request more for each thousand. */
const LARGEST_PAGE = 1000;

/** "Page does not exist", of all modules. */
const NO_SUCH_PAGE = '13';

export interface ListRequest {
	path: string;
	query: IDataObject;
	/** The key of the answer that holds the entries. */
	entries: string;
	/** The entry's identifier: an entry that a change between two pages shows twice comes out once. */
	key?: string;
}

export interface Page {
	entries: IDataObject[];
	/** `resultCount`: entries on all pages together, as of this answer; undefined where the answer has none. */
	count?: number;
}

/**
 * The entries of a list, up to a limit.
 * @param limit whole number above zero, or undefined for all
 * @throws NodeApiError with the operator's reason
 */
export async function list(
	service: Service,
	request: ListRequest,
	limit?: number,
): Promise<IDataObject[]> {
	const asked = choosePageSize(limit);
	const found = new Map<unknown, IDataObject>();
	let pageSize = asked;
	for (let pageNumber = 0; ; pageNumber++) {
		const { entries, count } = await readPage(service, request, pageNumber, asked);
		for (const entry of entries) {
			const id = request.key === undefined ? undefined : entry[request.key];
			const key = id ?? Symbol('without identifier');
			if (!found.has(key)) found.set(key, entry);
			if (found.size === limit) return [...found.values()];
		}
		// A service that gives out smaller pages than asked for counts its pages by its own size.
		if (pageNumber === 0 && count !== undefined && entries.length < Math.min(count, asked)) {
			pageSize = entries.length;
		}
		const more =
			count === undefined ? entries.length >= asked : (pageNumber + 1) * pageSize < count;
		if (!more || entries.length === 0) return [...found.values()];
	}
}

/** Pages of equal size that overshoot a limit by less than their number: 5 for 5, 834 three times for 2500. */
export function choosePageSize(limit: number | undefined): number {
	if (limit === undefined) return LARGEST_PAGE;
	return Math.ceil(limit / Math.ceil(limit / LARGEST_PAGE));
}

/** One page. A page that does not exist has no entries: the list is empty, or became shorter while it was read. */
export async function readPage(
	service: Service,
	{ path, query, entries }: ListRequest,
	pageNumber: number,
	pageSize: number,
): Promise<Page> {
	const body = await service.send({
		method: 'GET',
		path,
		query: { ...query, pageNumber, pageSize },
		effect: 'read',
		emptyOn: NO_SUCH_PAGE,
	});
	const { resultCount } = body;
	const readable = typeof resultCount === 'number' || typeof resultCount === 'string';
	const count = readable && resultCount !== '' ? Number(resultCount) : Number.NaN;
	return { entries: asList(body[entries]), count: Number.isFinite(count) ? count : undefined };
}
