// Reads lists of the provider page by page (provider.md#paging): pages count from 0 and have at most 5000 entries, and a
// page past the end is error 13. A provider may count from 1, return smaller pages,
// ignore the paging, or send no total: so each page is read for what is new in it, and every way ends.

import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { entriesOf, isEntry, totalOf, type ListShape } from '../../shared/answer/lists';
import { ownIdentifier } from '../../shared/answer/identifiers';
import type { Verdict } from '../../shared/answer/verdict';
import { isDocumented } from '../../shared/errorHints';
import { incomplete } from '../../shared/failure';
import { UNRELATED } from '../../shared/retryAfter';
import { typesIn } from '../../shared/shown';
import type { OperationContext } from '../operation';
import type { ApiClient, ReportedFailure, Reply } from './apiClient';

/** Less than the allowed 5000: responses stay small, at the cost of one request per thousand entries. */
const LARGEST_PAGE = 1000;

/** "Return All" ends here, with a hint. */
export const MAX_ENTRIES = 100_000;
export const MAX_REQUESTS = 1000;
/** Then no further page is requested, with the same hint: milliseconds. */
const LONGEST_READING_MS = 10 * 60_000;

export interface ListRequest {
	path: string;
	query: IDataObject;
	shape: ListShape;
}

/** Where to continue reading a list. The lists in the node's parameters keep it between two requests. */
export interface PagePlace {
	pageNumber: number;
	pageSize: number;
	/** Number of entries before it. */
	read: number;
	/** Fingerprint of the previous page, to notice a provider that ignores the paging. */
	previous?: string;
}

export interface ListPage {
	entries: IDataObject[];
	/** Number of entries on all pages together, if the response has it. */
	total?: number;
	/** What the provider says about it, if it may be incomplete. */
	note?: string;
	/** Why there is none: it is too large, it does not exist, or there may be another reason. */
	refusal?: { of: 'size' | 'page' | 'unknown'; error: Error };
}

export type ReadPage = (place: PagePlace) => Promise<ListPage>;

/** A list after one more page, with what is new on it. */
export interface Progress extends ListPage {
	/** Where to continue; undefined at the end. */
	place?: PagePlace;
	/** Why there is no page 0, if that does not mean that pages count from 1. */
	lost?: ListPage['refusal'];
}

/**
 * Reads a list page by page, whatever number the provider starts with, in at most MAX_REQUESTS requests. What an
 * earlier page had is not new: the same identifier or, without one, the same content.
 * @throws what `readPage` throws, and the refusal of the first page
 */
export async function* pagesFrom(
	readPage: ReadPage,
	{ thing }: Pick<ListShape, 'thing'>,
	start: PagePlace,
): AsyncGenerator<Progress, void> {
	const keyOf = (entry: IDataObject) =>
		String((thing && ownIdentifier(entry, thing)) ?? JSON.stringify(entry));
	const known = new Set<string>();
	let place: PagePlace | undefined = start;
	let total: number | undefined;
	let first: ListPage['refusal'];
	let stale = 0;
	for (let request = 0; place && request < MAX_REQUESTS; request++) {
		const here: PagePlace = place;
		const { pageNumber, pageSize, read } = here;
		const { entries, refusal, ...page } = await readPage(here);
		if (refusal?.of === 'size' && pageSize > 1) {
			place = inHalves(here);
			continue;
		}
		// A list without page 0 has a page 1.
		if (pageNumber === 0) first = refusal;
		const lost = first?.of === 'page' ? undefined : first;
		const isNone = pageNumber > 0 && read === 0 && entries.length === 0;
		if (first && isNone && (refusal || lost)) throw first.error;
		const keys = entries.map(keyOf);
		const previous = createHash('sha256').update(keys.join()).digest('base64url').slice(0, 16);
		const isNew = (key = '') => previous !== here.previous && !known.has(key);
		const fresh = entries.filter((_entry, at) => isNew(keys[at]));
		for (const key of keys) known.add(key);
		total = page.total ?? total;
		// One page without anything new may be a page 0 that equals page 1, or that does not exist.
		stale = fresh.length > 0 ? 0 : stale + 1;
		const isPastEnd = stale === 2 || (entries.length === 0 && pageNumber > 0);
		const next = { ...here, pageNumber: pageNumber + 1, read: read + fresh.length, previous };
		// A provider with a page size of its own counts pages by it, or by ours: from now on both are the same.
		if (read === 0 && entries.length > 0) next.pageSize = entries.length;
		place = isPastEnd || next.read >= (total ?? Infinity) ? undefined : next;
		yield { entries: fresh, total, refusal, place, lost, note: page.note };
	}
}

/** The same place in pages of half the size. */
function inHalves(place: PagePlace): PagePlace {
	const pageSize = Math.floor(place.pageSize / 2);
	const pageNumber = place.read > 0 ? Math.floor(place.read / pageSize) : place.pageNumber;
	return { ...place, pageSize, pageNumber };
}

/**
 * The entries of a list in the provider's order; none from two pages (two equal entries on one page count twice).
 * @param limit whole number above zero, or undefined for all (up to MAX_ENTRIES)
 * @param none the hint beside an empty list that is complete
 * @throws NodeApiError with the provider's reason, or if no list can be found in a response
 */
export async function list(
	context: OperationContext,
	request: ListRequest,
	limit: number | undefined,
	none?: string,
): Promise<IDataObject[]> {
	const readPage = pageReader(context.client, request);
	const late = AbortSignal.timeout(LONGEST_READING_MS);
	const { shape } = request;
	const { entries, note } = await readPages(readPage, shape, limit, late);
	const hint = note ?? (entries.length === 0 ? none : undefined);
	if (hint !== undefined) context.hint(hint);
	const odd = shape.thing && entries.find((entry) => !isEntry(entry, shape));
	if (odd)
		context.hint(
			`An entry of the list has no ${shape.thing?.ids[0]} that this node understands, but ${typesIn(odd)}.`,
		);
	return entries;
}

/**
 * The same without n8n: the entries, and a sentence if some may be missing.
 * @param late aborts when reading must end
 * @throws what the provider refuses a page with, although it has counted more entries and all are wanted
 */
export async function readPages(
	readPage: ReadPage,
	shape: Pick<ListShape, 'thing'>,
	limit?: number,
	late?: AbortSignal,
): Promise<{ entries: IDataObject[]; note?: string }> {
	const most = limit ?? MAX_ENTRIES;
	const read: IDataObject[] = [];
	let sent = 0;
	const counted: ReadPage = async (place) => {
		const page = await readPage(place);
		sent += page.entries.length;
		return page;
	};
	let last: Progress = { entries: [] };
	let said: string | undefined;
	const start = { pageNumber: 0, pageSize: choosePageSize(limit), read: 0 };
	for await (last of pagesFrom(counted, shape, start)) {
		for (const entry of last.entries) read.push(entry);
		said ??= last.note;
		if (read.length >= most || late?.aborted) break;
	}
	const { lost, refusal = lost, total = 0 } = last;
	// Where the provider has counted more than it sent, nobody must take a part for everything.
	if (limit === undefined && refusal && total > sent) throw refusal.error;
	const entries = read.slice(0, most);
	const isEnough = entries.length === limit;
	const note =
		lost && total !== read.length
			? mayBeIncomplete('The provider refused the first page', lost)
			: isEnough
				? undefined
				: noteOn(last, entries.length, read.length);
	return { entries, note: said ?? note };
}

/** Why a list of so many entries may be incomplete; undefined if it is not. */
function noteOn({ place, total = 0, refusal }: Progress, count: number, read: number) {
	if (place !== undefined || read > count)
		return `The list has more entries: reading stopped after the first ${count}. Narrow it with a filter.`;
	if (refusal && (refusal.of !== 'page' || total > count))
		return mayBeIncomplete(`Reading stopped after ${count} entries`, refusal);
	return total > count
		? `The provider counts ${total} entries but returned ${count} different ones. The list may have changed while it was read. If the numbers stay different, the list is incomplete.`
		: undefined;
}

const mayBeIncomplete = (why: string, { error }: NonNullable<ListPage['refusal']>) =>
	`${why}, so the list may be incomplete. The reason: ${error.message}.`;

/** The size of equal pages that exceed a limit by less than the number of pages: 5 for 5, 834 three times for 2500. */
export function choosePageSize(limit = LARGEST_PAGE): number {
	return Math.ceil(limit / Math.ceil(limit / LARGEST_PAGE));
}

/** Reads pages from the provider. */
export function pageReader(
	service: Pick<ApiClient, 'tryRequest' | 'unreadableResponse'>,
	{ path, query, shape }: ListRequest,
): ReadPage {
	return async ({ pageNumber, pageSize, read }) => {
		const reply = await service.tryRequest({
			method: 'GET',
			path,
			query: { ...query, pageNumber, pageSize },
			effect: 'read',
		});
		const { answer, refusal, verdict } = reply;
		const entries = refusal ? undefined : entriesOf(answer.data, shape);
		if (entries) {
			const total = totalOf(answer.data, entries.length, pageSize);
			return { entries, total, note: incomplete(verdict) };
		}
		const error =
			refusal?.error ?? service.unreadableResponse(`no list of ${shape.names[0]}`, answer);
		const of = causeIn(reply, read === 0);
		if (of === undefined) throw error;
		return of === 'end' ? { entries: [] } : { entries: [], refusal: { of, error } };
	};
}

const ABOUT_SIZE = /size|per[ _-]?page|taille|limit|too many/i;
/** Beside a documented code, these are about another field. */
const MAY_BE_SIZE = /maxim|too (?:large|big)|exceed|at most/i;

/**
 * Why a response has no list: by provider.md#error-codes (11, 12, 13), by its HTTP status, or in words;
 * undefined if that has nothing to do with paging.
 * @param isFirst whether no page of this size was read before: of a later one, the same words are about its number
 */
function causeIn(
	{ answer, verdict, refusal }: Reply & { refusal?: ReportedFailure },
	isFirst: boolean,
): 'end' | 'size' | 'page' | 'unknown' | undefined {
	const { statusCode, format, text } = answer;
	if (statusCode === 204) return 'end';
	if (statusCode >= 200 && statusCode < 300) {
		if (format === 'tooLarge') return 'size';
		// Past the end, a provider may send `null`, `{}`, `""`, or no body at all.
		if (format === 'empty' || /^\s*(?:null|""|\{\s*\})\s*$/.test(text)) return 'page';
	}
	if (!refusal) return 'unknown';
	return verdict.outcome === 'failed' ? causeOfRefusal(verdict, isFirst) : undefined;
}

/** By the provider's own words: those of this node for a web page speak of a page, too. */
function causeOfRefusal({ statusCode, module, code = '', reason }: Verdict, isFirst: boolean) {
	if (statusCode >= 500 || UNRELATED.has(statusCode)) return undefined;
	// `13`, `"013"`, `"COMMON-13"`
	const rule = Number(/(?:^|\D)0{0,5}(\d{1,5})$/.exec(code.slice(-40))?.[1]);
	const words = `${code} ${reason}`.slice(0, 500);
	if (rule === 13) return 'end';
	if (rule === 11 || [404, 410, 416].includes(statusCode)) return 'page';
	const isRule = isDocumented(module, code);
	const isAboutSize = ABOUT_SIZE.test(words) || (!isRule && MAY_BE_SIZE.test(words));
	if (isFirst && (rule === 12 || statusCode === 413 || isAboutSize)) return 'size';
	if (/page|out of range/i.test(words)) return 'page';
	return isFirst && isRule ? undefined : 'unknown';
}
