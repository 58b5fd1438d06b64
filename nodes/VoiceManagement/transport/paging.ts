// Reads lists of the operator page by page. The documents show no paging; in the third-party shapes, pages count from
// 0 and have at most 5000 entries, and a page past the end is error 13. An operator may count from 1, return smaller
// pages, ignore the paging, or send no total: each response decides how to go on, and every way ends.

import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import {
	fieldOf,
	identifierOf,
	isObject,
	layersOf,
	readingEntries,
	totalOf,
	type ListShape,
} from '../../shared/shapes';
import { inSlices, mapInSlices, Pace, type Sliced } from '../../shared/slices';
import type { Failure } from '../../shared/failure';
import type { ParsedResponse } from '../../shared/response';
import type { OperationContext } from '../operation';
import type { ApiClient } from './apiClient';

/** Less than the allowed 5000: responses stay small, at the cost of one request per thousand entries. */
const LARGEST_PAGE = 1000;

/** Page sizes to try one after the other if the operator rejects a larger one. */
const SMALLER_PAGES = [500, 200, 100, 50, 25, 10, 5, 2, 1];

/** "Return All" ends here, with a hint. */
export const MAX_ENTRIES = 100_000;
export const MAX_REQUESTS = 1000;

export interface ListRequest {
	path: string;
	query: IDataObject;
	/** The form of the list in a response. */
	shape: ListShape;
	/** Names of the entry's identifier; without one, an entry is identified by its content. */
	key?: readonly string[];
}

/** A page that the operator returned. */
export interface GivenPage {
	entries: IDataObject[];
	/** Number of entries on all pages together, if it is in the response. */
	total?: number;
	/** Whether the total has the documented name: under another name it may be that of the page. */
	totalIsSure?: boolean;
}

/** A page that the operator rejected. */
export interface RefusedPage {
	/** It is too large, or it does not exist. */
	refused: 'size' | 'page';
	error: Error;
	/** Whether rejecting the first page means an empty list rather than a bad request. */
	empty?: boolean;
	/** Set if the rejection may have another reason. */
	uncertain?: boolean;
}

export type Page = GivenPage | RefusedPage;

export type ReadPage = (pageNumber: number, pageSize: number) => Promise<Page>;

/** Where to continue reading a list. The lists in the node's parameters keep it between two requests. */
export interface Position {
	pageNumber: number;
	pageSize: number;
	/** Number of entries before it. */
	read: number;
	/** Fingerprint of the previous page, to notice an operator that ignores the paging. */
	previous?: string;
}

/** Goes through the pages of a list, whatever number the operator starts with. */
export class PageCursor {
	/** Number of requests made. */
	requests = 0;

	/** Number of entries on all pages together, as in the last response. */
	total: number | undefined;

	/** The operator's reason for rejecting the last page, if that may not be the end of the list. */
	uncertainty: string | undefined;

	private pageNumber: number;

	private pageSize: number;

	private previous: string | undefined;

	/** The keys of the entries of the previous page: pages may overlap. */
	private lastKeys = new Set<string>();

	/** Number of the first page, as far as it is known. */
	private first: number;

	private read: number;

	private ended = false;

	private refusal: Error | undefined;

	constructor(
		private readonly readPage: ReadPage,
		private readonly keysOf: ReadKeys,
		{ pageNumber, pageSize, read, previous }: Position,
	) {
		this.pageNumber = pageNumber;
		this.pageSize = pageSize;
		this.previous = previous;
		this.read = read;
		this.first = Math.max(0, pageNumber - Math.ceil(read / pageSize));
	}

	/** Where to continue; undefined at the end. */
	get position(): Position | undefined {
		const { pageNumber, pageSize, read, previous } = this;
		return this.ended ? undefined : { pageNumber, pageSize, read, previous };
	}

	/**
	 * Reads the next page.
	 * @returns its entries; skips a page that repeats the previous one; undefined at the end
	 * @throws what `readPage` throws, and the rejection of a first page if it has another reason
	 */
	async next(): Promise<IDataObject[] | undefined> {
		while (!this.ended) {
			this.requests++;
			const page = await this.readPage(this.pageNumber, this.pageSize);
			const entries = 'refused' in page ? this.refused(page) : await this.received(page);
			if (entries) return entries;
		}
		return undefined;
	}

	private refused({ refused, empty, error, uncertain }: RefusedPage): undefined {
		if (refused === 'size') {
			const smaller = SMALLER_PAGES.find((size) => size < this.pageSize);
			if (smaller === undefined) throw error;
			this.pageSize = smaller;
			this.pageNumber = this.first + Math.floor(this.read / smaller);
		} else if (this.pageNumber === 0) {
			// The operator may count pages from 1.
			if (!empty) this.refusal = error;
			this.pageNumber = this.first = 1;
		} else {
			if (this.read === 0 && this.refusal) throw this.refusal;
			if (uncertain) this.uncertainty = error.message;
			this.ended = true;
		}
	}

	private async received(page: GivenPage): Promise<IDataObject[] | undefined> {
		const { entries, total, totalIsSure } = page;
		this.total = total;
		if (entries.length === 0) {
			const mayStartAtOne = this.pageNumber === 0 && !(total === 0 && totalIsSure === true);
			if (mayStartAtOne) this.pageNumber = this.first = 1;
			else this.ended = true;
			return undefined;
		}
		const keys = await inSlices(this.keysOf(entries));
		const fingerprint = createHash('sha256')
			.update(JSON.stringify([keys.length, ...keys.slice(0, LARGEST_PAGE)]))
			.digest('base64url')
			.slice(0, 16);
		const again = fingerprint === this.previous;
		this.previous = fingerprint;
		if (again) {
			// Page 0 may be an alias of page 1; any other repeated page is the last one.
			if (this.pageNumber === 1 && this.first === 0) this.first = 1;
			else this.ended = true;
			this.pageNumber++;
			return undefined;
		}
		const asked = this.pageSize;
		const pace = new Pace();
		const here = new Set<string>();
		for (const key of keys) {
			if (!this.lastKeys.has(key)) this.read++;
			here.add(key);
			if (pace.isOver) await pace.pause();
		}
		this.lastKeys = here;
		// A total under an undocumented name may be that of the page.
		const ofAllPages =
			total !== undefined &&
			(total > entries.length ||
				(total === entries.length && totalIsSure === true && entries.length < asked));
		if (ofAllPages && this.read >= total) this.ended = true;
		// An operator with a page size of its own counts pages by that size, or by ours: from now on both are the same.
		if (this.pageNumber === this.first && entries.length !== asked) this.pageSize = entries.length;
		this.pageNumber++;
		return entries;
	}
}

/**
 * The entries of a list in the operator's order, without duplicates. Two entries are the same if they have the same
 * identifier; without one, if they are equal and on different pages (two equal entries on one page count twice).
 * @param limit whole number above zero, or undefined for all (up to MAX_ENTRIES)
 * @param toItem converts an entry to an item
 * @throws NodeApiError with the operator's reason, or if no list can be found in a response
 */
export async function list(
	context: OperationContext,
	request: ListRequest,
	limit: number | undefined,
	toItem: (entry: IDataObject) => IDataObject,
): Promise<IDataObject[]> {
	const { entries, note } = await collect(pageReader(context.client, request), request, limit);
	if (note !== undefined) context.hint(note);
	return await mapInSlices(entries, toItem);
}

/** The same without n8n: the entries, and a sentence if some may be missing. */
export async function collect(
	readPage: ReadPage,
	{ key }: Pick<ListRequest, 'key'>,
	limit?: number,
): Promise<{ entries: IDataObject[]; note?: string }> {
	const keysOf = keyReader(key);
	const pageSize = choosePageSize(limit);
	const cursor = new PageCursor(readPage, keysOf, { pageNumber: 0, pageSize, read: 0 });
	const most = limit ?? MAX_ENTRIES;
	const found = new Map<string, IDataObject>();
	const result = (note?: string) => ({ entries: [...found.values()], note });
	// One page without new entries may be a page 0 that equals page 1; two such pages mean the end.
	for (let stale = 0; stale < 2;) {
		if (cursor.requests >= MAX_REQUESTS) {
			return result(
				`The operator's list has no end: reading stopped after ${cursor.requests} requests. These are the first ${found.size} entries.`,
			);
		}
		const page = await cursor.next();
		if (!page) break;
		const before = found.size;
		const ids = await inSlices(keysOf(page));
		const pace = new Pace();
		for (const [index, entry] of page.entries()) {
			if (pace.isOver) await pace.pause();
			const id = ids[index] ?? '';
			if (!found.has(id)) found.set(id, entry);
			if (found.size < most) continue;
			const more =
				limit === undefined && (cursor.position !== undefined || index < page.length - 1);
			return result(
				more
					? `The list has more entries: reading stopped after the first ${found.size}. Narrow it with a filter.`
					: undefined,
			);
		}
		stale = found.size === before ? stale + 1 : 0;
	}
	if (cursor.uncertainty !== undefined) {
		return result(
			`Reading stopped after ${found.size} entries, so the list may be incomplete. The reason: ${cursor.uncertainty}.`,
		);
	}
	const missing = cursor.total !== undefined && cursor.total > found.size;
	return result(
		missing
			? `The operator counts ${cursor.total} entries but returned ${found.size} different ones. The list may have changed while it was read. If the numbers stay different, the list is incomplete.`
			: undefined,
	);
}

/**
 * The size of equal pages that exceed a limit by less than the number of pages: 5 for 5, 834 three times for 2500.
 */
export function choosePageSize(limit: number | undefined): number {
	if (limit === undefined) return LARGEST_PAGE;
	return Math.ceil(limit / Math.ceil(limit / LARGEST_PAGE));
}

type ReadKeys = (entries: IDataObject[]) => Sliced<string[]>;

/** Returns a reader of keys that distinguish the entries of one page from those of others. */
export function keyReader(names: readonly string[] = []): ReadKeys {
	return function* (entries) {
		const seen = new Map<string, number>();
		const keys: string[] = [];
		for (const entry of entries) {
			yield;
			const id = names.length > 0 ? identifierOf(entry, names) : undefined;
			if (id !== undefined) {
				keys.push(`id ${id}`);
				continue;
			}
			const content = JSON.stringify(entry);
			const count = seen.get(content) ?? 0;
			seen.set(content, count + 1);
			keys.push(`${count} ${content}`);
		}
		return keys;
	};
}

/** Reads pages from the operator. */
export function pageReader(
	service: Pick<ApiClient, 'tryRequest' | 'unreadableResponse'>,
	{ path, query, shape }: ListRequest,
): ReadPage {
	let first = true;
	return async (pageNumber, pageSize) => {
		const { response, refusal } = await service.tryRequest({
			method: 'GET',
			path,
			query: { ...query, pageNumber, pageSize },
			effect: 'read',
		});
		if (refusal) {
			const { failure, error } = refusal;
			// A smaller page may be within our limits.
			if (response.tooLarge !== undefined && failure.statusCode < 300) {
				return { refused: 'size', error };
			}
			// Past the end an operator may send an empty response.
			if (!first && isNothing(response)) return { entries: [] };
			const refused =
				refusalOf(failure) ?? (first || !isRefusal(failure) ? undefined : 'uncertain');
			if (!refused) throw error;
			if (refused === 'uncertain') return { refused: 'page', error, uncertain: true };
			return { refused, error, empty: failure.statusCode === 204 || isCode(failure, 13) };
		}
		const { data } = response;
		const total = totalOf(data);
		const entries =
			(await inSlices(readingEntries(data, shape))) ??
			(total === 0 || (!first && (total !== undefined || isNothing(response))) ? [] : undefined);
		if (!entries) {
			const error = service.unreadableResponse(`no list of ${shape.names[0]}`);
			if (first) throw error;
			return { refused: 'page', error, uncertain: true };
		}
		first = false;
		const totalIsSure = layersOf(data).some((layer) => fieldOf(layer, 'resultCount') !== undefined);
		return { entries, total, totalIsSure };
	};
}

/** `null`, `{}`, `""`, or no body at all. */
function isNothing({ data, format }: ParsedResponse): boolean {
	if (format === 'empty' || data === null || data === '') return true;
	return isObject(data) && Object.keys(data).length === 0;
}

/** Statuses that are unrelated to paging. */
const OTHER_STATUS = new Set([401, 403, 407, 408, 425, 429, 509]);

/** How a failure rejects a page: "Common rules" of the third-party shapes (11, 12, 13), and their words. */
function refusalOf(failure: Failure): 'size' | 'page' | undefined {
	const { statusCode, code, message } = failure;
	if (OTHER_STATUS.has(statusCode)) return undefined;
	if (isCode(failure, 12)) return 'size';
	if (isCode(failure, 11) || isCode(failure, 13)) return 'page';
	if (statusCode === 204 || statusCode === 404 || statusCode === 410 || statusCode === 416)
		return 'page';
	if (!isRefusal(failure)) return undefined;
	const words = `${code ?? ''} ${message}`.slice(0, 500);
	if (/page[ _-]?size|per[ _-]?page|size of (?:a|the) page/i.test(words)) return 'size';
	if (
		statusCode === 413 ||
		/\blimit|maxim|too (?:large|many|big)|exceed|at most|taille de (?:la )?page/i.test(words)
	)
		return 'size';
	return /(?<!web )page|out of range/i.test(words) ? 'page' : undefined;
}

/** Whether the operator itself rejected the request, rather than failed or could not be reached. */
function isRefusal({ statusCode, help }: Failure): boolean {
	if (OTHER_STATUS.has(statusCode) || help === 'a-web-page-instead-of-data') return false;
	return statusCode < 300 || (statusCode >= 400 && statusCode < 500);
}

/** `13`, `"13"`, `"013"`, `"COMMON-13"`. */
function isCode({ code = '' }: Failure, wanted: number): boolean {
	const digits = /(?:^|\D)0{0,5}(\d{1,5})$/.exec(code.slice(-40))?.[1];
	return Number(digits) === wanted;
}
