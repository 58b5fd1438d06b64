// Reads lists of the provider page by page. The documents show no paging; in the third-party shapes, pages count from 0
// and have at most 5000 entries, and a page past the end is error 13. A provider may count from 1, return smaller pages,
// ignore the paging, or send no total: so each page is read for what is new in it, and every way ends.

import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../../shared/answer/parse';
import {
	entriesOf,
	fieldOf,
	isObject,
	layersOf,
	ownIdentifier,
	totalOf,
	type ListShape,
} from '../../shared/answer/read';
import type { Failure } from '../../shared/failure';
import type { OperationContext } from '../operation';
import type { ApiClient } from './apiClient';

/** Less than the allowed 5000: responses stay small, at the cost of one request per thousand entries. */
const LARGEST_PAGE = 1000;

/** "Return All" ends here, with a hint. */
export const MAX_ENTRIES = 100_000;
export const MAX_REQUESTS = 1000;
/** Then no further page is requested, with the same hint: milliseconds. */
const LONGEST_MS = 10 * 60_000;

export interface ListRequest {
	path: string;
	query: IDataObject;
	/** The form of the list in a response. */
	shape: ListShape;
}

/** A page that the provider returned. */
export interface GivenPage {
	entries: IDataObject[];
	/** Number of entries on all pages together, if the response has it. */
	total?: number;
}

/** A page that the provider refused. */
export interface RefusedPage {
	/** It is too large, or it does not exist. */
	refused: 'size' | 'page';
	error: Error;
	/** Whether refusing the first page means an empty list rather than a bad request. */
	empty?: boolean;
	/** Set if the refusal may have another reason. */
	uncertain?: boolean;
}

export type Page = GivenPage | RefusedPage;

export type ReadPage = (pageNumber: number, pageSize: number) => Promise<Page>;

/** Where to continue reading a list. The lists in the node's parameters keep it between two requests. */
export interface PagePlace {
	pageNumber: number;
	pageSize: number;
	/** Number of entries before it. */
	read: number;
	/** Fingerprint of the previous page, to notice a provider that ignores the paging. */
	previous?: string;
}

/** A list after one more page. */
export interface Progress {
	/** What is new on the page. */
	fresh: IDataObject[];
	/** Where to continue; undefined at the end. */
	place?: PagePlace;
	/** Number of entries on all pages together. */
	total?: number;
	/** The provider's reason for refusing the page, if that may not be the end of the list. */
	uncertainty?: string;
}

/**
 * Reads a list page by page, whatever number the provider starts with, in at most MAX_REQUESTS requests.
 * @throws what `readPage` throws, and the refusal of the first page unless it means an empty list
 */
export async function* pagesFrom(
	readPage: ReadPage,
	keysOf: ReadKeys,
	start: PagePlace,
): AsyncGenerator<Progress, void> {
	let place: PagePlace | undefined = start;
	// Pages may overlap, or repeat.
	const known = new Set<string>();
	const isNew = (key = '') => known.size < known.add(key).size;
	let stale = 0;
	let refusal: Error | undefined;
	let total: number | undefined;
	for (let request = 0; place && request < MAX_REQUESTS; request++) {
		const here: PagePlace = place;
		const { pageNumber, pageSize } = here;
		const page = await readPage(pageNumber, pageSize);
		let given: GivenPage = { entries: [] };
		let uncertainty: string | undefined;
		if (!('refused' in page)) given = page;
		else if (page.refused === 'size') {
			place = inSmallerPages(here, page.error);
			continue;
		} else if (pageNumber === 0) refusal = page.empty ? undefined : page.error;
		else if (here.read === 0 && refusal) throw refusal;
		else if (page.uncertain) uncertainty = page.error.message;
		const keys = keysOf(given.entries);
		const previous = fingerprintOf(keys);
		const isRepeated = previous === here.previous;
		const fresh = isRepeated ? [] : given.entries.filter((_entry, at) => isNew(keys[at]));
		const read = here.read + fresh.length;
		stale = fresh.length > 0 ? 0 : stale + 1;
		total = given.total ?? total;
		// One page without anything new may be a page 0 that equals page 1, or that does not exist.
		const isPastEnd = stale === 2 || (given.entries.length === 0 && pageNumber > 0);
		// A provider with a page size of its own counts pages by that size, or by ours: from now on both are the same.
		const size = here.read === 0 ? given.entries.length || pageSize : pageSize;
		const isOver = isPastEnd || read >= (given.total ?? Infinity);
		place = isOver ? undefined : { pageNumber: pageNumber + 1, pageSize: size, read, previous };
		yield { fresh, place, total, uncertainty };
	}
}

/** The same place in pages of half the size. @throws the refusal if there are none */
function inSmallerPages({ pageNumber, pageSize, read }: PagePlace, refusal: Error): PagePlace {
	if (pageSize === 1) throw refusal;
	const first = Math.max(0, pageNumber - Math.ceil(read / pageSize));
	const half = Math.floor(pageSize / 2);
	return { pageSize: half, pageNumber: first + Math.floor(read / half), read };
}

function fingerprintOf(keys: string[]): string {
	const content = JSON.stringify([keys.length, ...keys.slice(0, LARGEST_PAGE)]);
	return createHash('sha256').update(content).digest('base64url').slice(0, 16);
}

/**
 * The entries of a list in the provider's order, without duplicates. Two entries are the same if they have the same
 * identifier; without one, if they are equal and on different pages (two equal entries on one page count twice).
 * @param limit whole number above zero, or undefined for all (up to MAX_ENTRIES)
 * @throws NodeApiError with the provider's reason, or if no list can be found in a response
 */
export async function list(
	context: OperationContext,
	request: ListRequest,
	limit: number | undefined,
): Promise<IDataObject[]> {
	const readPage = pageReader(context.client, request);
	const late = AbortSignal.timeout(LONGEST_MS);
	const { entries, note } = await collect(readPage, keyReader(request.shape), limit, late);
	if (note !== undefined) context.hint(note);
	return entries;
}

/**
 * The same without n8n: the entries, and a sentence if some may be missing.
 * @param late aborts when reading must end
 */
export async function collect(
	readPage: ReadPage,
	keysOf: ReadKeys,
	limit?: number,
	late?: AbortSignal,
): Promise<{ entries: IDataObject[]; note?: string }> {
	const most = limit ?? MAX_ENTRIES;
	const entries: IDataObject[] = [];
	let last: Progress = { fresh: [] };
	const start = { pageNumber: 0, pageSize: choosePageSize(limit), read: 0 };
	for await (last of pagesFrom(readPage, keysOf, start)) {
		for (const entry of last.fresh) entries.push(entry);
		if (entries.length >= most || late?.aborted) break;
	}
	const found = entries.slice(0, most);
	const note = found.length === limit ? undefined : noteOn(last, found.length, entries.length);
	return note === undefined ? { entries: found } : { entries: found, note };
}

/** Why a list of so many entries may be incomplete; undefined if it is not. */
function noteOn({ place, total = 0, uncertainty }: Progress, count: number, read: number) {
	if (place !== undefined || read > count)
		return `The list has more entries: reading stopped after the first ${count}. Narrow it with a filter.`;
	if (uncertainty !== undefined)
		return `Reading stopped after ${count} entries, so the list may be incomplete. The reason: ${uncertainty}.`;
	return total > count
		? `The provider counts ${total} entries but returned ${count} different ones. The list may have changed while it was read. If the numbers stay different, the list is incomplete.`
		: undefined;
}

/**
 * The size of equal pages that exceed a limit by less than the number of pages: 5 for 5, 834 three times for 2500.
 */
export function choosePageSize(limit = LARGEST_PAGE): number {
	return Math.ceil(limit / Math.ceil(limit / LARGEST_PAGE));
}

type ReadKeys = (entries: IDataObject[]) => string[];

/** Returns a reader of keys that distinguish the entries of one page from those of others. */
export function keyReader({ thing }: Pick<ListShape, 'thing'>): ReadKeys {
	return (entries) => {
		const seen = new Map<string, number>();
		return entries.map((entry) => {
			const id = thing && ownIdentifier(entry, thing);
			if (id !== undefined) return `id ${id}`;
			const content = JSON.stringify(entry);
			const count = seen.get(content) ?? 0;
			seen.set(content, count + 1);
			return `${count} ${content}`;
		});
	};
}

/** Reads pages from the provider. */
export function pageReader(
	service: Pick<ApiClient, 'tryRequest' | 'unreadableResponse'>,
	{ path, query, shape }: ListRequest,
): ReadPage {
	return async (pageNumber, pageSize) => {
		const { answer, verdict, refusal } = await service.tryRequest({
			method: 'GET',
			path,
			query: { ...query, pageNumber, pageSize },
			effect: 'read',
		});
		const nothing = isNothing(answer);
		if (refusal && !nothing) {
			const { failure, error } = refusal;
			if (answer.format === 'tooLarge' && failure.statusCode < 300)
				return { refused: 'size', error };
			// Anything else has nothing to do with paging.
			const { statusCode } = failure;
			if (verdict.outcome !== 'failed' || statusCode >= 500 || OTHER_STATUS.has(statusCode))
				throw error;
			return { ...refusalOf(failure), error };
		}
		const { data, statusCode } = answer;
		const counted = totalOf(data);
		const entries = entriesOf(data, shape) ?? (counted === 0 ? [] : undefined);
		const isDocumented = layersOf(data).some(
			(layer) => fieldOf(layer, 'resultCount') !== undefined,
		);
		if (entries)
			return { entries, total: totalOfAll(counted, entries.length, pageSize, isDocumented) };
		// Past the end, a provider may send a response without a list.
		return {
			refused: 'page',
			error: refusal?.error ?? service.unreadableResponse(`no list of ${shape.names[0]}`),
			empty: statusCode === 204,
			uncertain: !nothing && counted === undefined,
		};
	};
}

/** The total, unless it may be that of the page alone: under another name, or of a full page. */
export function totalOfAll(
	total: number | undefined,
	count: number,
	pageSize: number,
	isDocumented: boolean,
): number | undefined {
	const isOfAll = total !== undefined && (total > count || (isDocumented && total < pageSize));
	return isOfAll ? total : undefined;
}

/** `null`, `{}`, `""`, or no body at all. */
function isNothing({ data, format, statusCode }: Answer): boolean {
	if (statusCode < 200 || statusCode >= 300) return false;
	if (format === 'empty' || data === null || data === '') return true;
	return isObject(data) && Object.keys(data).length === 0;
}

/** Statuses that are unrelated to paging. */
const OTHER_STATUS = new Set([401, 403, 407, 408, 425, 429, 509]);

const ABOUT_SIZE =
	/page[ _-]?size|per[ _-]?page|size of (?:a|the) page|taille de (?:la )?page|\blimit|maxim|too (?:large|many|big)|exceed|at most/i;
const ABOUT_PAGE = /page|out of range/i;

/** How a failure refuses a page: by "Common rules" of the third-party shapes (11, 12, 13), or in words. */
function refusalOf({ statusCode, code = '', message }: Failure): Omit<RefusedPage, 'error'> {
	// `13`, `"013"`, `"COMMON-13"`
	const rule = Number(/(?:^|\D)0{0,5}(\d{1,5})$/.exec(code.slice(-40))?.[1]);
	const words = `${code} ${message}`.slice(0, 500);
	const isPage = rule === 11 || rule === 13 || [404, 410, 416].includes(statusCode);
	if (!isPage && (rule === 12 || statusCode === 413 || ABOUT_SIZE.test(words)))
		return { refused: 'size' };
	return { refused: 'page', empty: rule === 13, uncertain: !isPage && !ABOUT_PAGE.test(words) };
}
