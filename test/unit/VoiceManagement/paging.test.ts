/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Lists that change while they are read, and providers that use paging differently.

import { Readable } from 'node:stream';
import fc from 'fast-check';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import {
	choosePageSize,
	readPages,
	MAX_ENTRIES,
	MAX_REQUESTS,
	pageReader,
	pagesFrom,
	type ListPage,
	type PagePlace,
	type ReadPage,
} from '../../../nodes/VoiceManagement/transport/paging';
import { totalOf } from '../../../nodes/shared/answer/lists';
import { readFailure } from '../../../nodes/shared/failure';
import { receive } from '../../../nodes/shared/answer/parse';
import { judge } from '../../../nodes/shared/answer/verdict';
import { secretsOf } from '../../../nodes/shared/secrets';

/** A provider that produces each page with a function; the test fails if a page is requested that it does not have. */
function providerOf(answer: (page: number, size: number) => ListPage | undefined) {
	const asked: number[] = [];
	const readPage: ReadPage = async ({ pageNumber, pageSize }) => {
		asked.push(pageNumber);
		const page = answer(pageNumber, pageSize);
		if (!page) throw new Error(`Page ${pageNumber} was requested`);
		return page;
	};
	return { readPage, asked };
}

const thing = { ids: ['id'], names: [] };
const byId = { thing };
const range = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: from + index }));
const page = (entries: IDataObject[], total?: number): ListPage => ({ entries, total });
const refused = (of: 'size' | 'page' | 'unknown', reason = 'Page does not exist'): ListPage => ({
	entries: [],
	refusal: { of, error: new Error(reason) },
});
const readAll = async (readPage: ReadPage, limit?: number) =>
	await readPages(readPage, byId, limit);

test('entries that are deleted between two pages do not break the end of the list', async () => {
	const { readPage, asked } = providerOf((number) =>
		number === 0
			? page(range(0, 1000), 2500)
			: number === 1
				? page(range(1000, 1200), 1200)
				: undefined,
	);
	expect((await readAll(readPage)).entries).toEqual(range(0, 1200));
	expect(asked).toEqual([0, 1]);
});

test('a page that vanished between two responses ends the list and reports what is missing', async () => {
	const { readPage } = providerOf((number) =>
		number === 0 ? page(range(0, 1000), 1001) : page([]),
	);
	const { entries, note } = await readAll(readPage);
	expect(entries).toHaveLength(1000);
	expect(note).toMatch(/counts 1001 entries but returned 1000/);
});

test.each(['page', 'size', 'unknown'] as const)(
	'a refusal (%s) before all that the provider counts was sent is an error of the whole list',
	async (of) => {
		const { readPage } = providerOf((number, size) =>
			number === 0 && size > 500 ? page(range(0, size), 2501) : refused(of, 'Not now'),
		);
		await expect(readAll(readPage)).rejects.toThrow('Not now');
		// With a limit, what was read counts.
		expect((await readAll(readPage, 1001)).note).toMatch(/incomplete\. The reason: Not now/);
	},
);

test('a refusal after all was sent is the end, also if the same entry was on two pages', async () => {
	const pages = [
		page([{ zipCode: '1' }, { zipCode: '2' }], 4),
		page([{ zipCode: '2' }, { zipCode: '3' }], 4),
	];
	const { readPage } = providerOf((number) => pages[number] ?? refused('page'));
	const { entries, note } = await readPages(readPage, {});
	expect(entries).toEqual([{ zipCode: '1' }, { zipCode: '2' }, { zipCode: '3' }]);
	expect(note).toMatch(/The reason: Page does not exist/);
});

test('entries that are added between two pages are read too, and none is returned twice', async () => {
	const pages = [
		page(range(0, 1000), 1500),
		page(range(999, 1999), 2001),
		page(range(1999, 2000), 2001),
	];
	const { readPage } = providerOf((number) => pages[number] ?? page([], 2001));
	expect((await readAll(readPage)).entries).toEqual(range(0, 2000));
});

test('entries without an identifier: duplicates on one page are kept, those from another page are returned once', async () => {
	const [a, b, c] = [{ zipCode: '1' }, { zipCode: '2' }, { zipCode: '3' }];
	const pages = [page([a, a, b]), page([b, a, c]), page([c])];
	const { readPage } = providerOf((number) => pages[number] ?? page([]));
	expect((await readPages(readPage, {})).entries).toEqual([a, a, b, c]);
});

test('an endless list stops at the limit and reports that', async () => {
	const { readPage, asked } = providerOf((number, size) =>
		page(range(number * size, (number + 1) * size), (number + 9) * size),
	);
	const { entries, note } = await readAll(readPage);
	expect(entries).toHaveLength(MAX_ENTRIES);
	expect(note).toMatch(/more entries: reading stopped after the first 100000/);
	expect(asked.length).toBeLessThanOrEqual(MAX_ENTRIES / 1000);
});

test('a list with one entry per page stops after a number of requests and reports that', async () => {
	const { readPage, asked } = providerOf((number) => page(range(number, number + 1)));
	const { entries, note } = await readAll(readPage);
	expect(asked).toHaveLength(MAX_REQUESTS);
	expect(entries).toHaveLength(MAX_REQUESTS);
	expect(note).toMatch(/stopped after the first 1000\./);
});

test('pages that repeat in turn come to an end', async () => {
	const { readPage, asked } = providerOf((number) =>
		page(range((number % 3) * 5, (number % 3) * 5 + 5)),
	);
	expect((await readAll(readPage)).entries).toEqual(range(0, 15));
	expect(asked.length).toBeLessThan(8);
});

test('a page that was rejected for another reason is reported', async () => {
	const { readPage } = providerOf((number, size) =>
		number === 0 ? page(range(0, size)) : refused('unknown', 'Mind the gap'),
	);
	expect((await readAll(readPage)).note).toMatch(
		/after 1000 entries, .*may be incomplete\. The reason: Mind the gap/,
	);
});

test.each([0, 1])(
	'a later page that is too large is read in smaller ones, with pages that count from %i',
	async (first) => {
		const { readPage } = providerOf((number, size) => {
			const from = Math.max(0, number - first) * size;
			if (number < first) return refused('page');
			return size > 300 && from >= 2000 ? refused('size') : page(range(from, from + size), 3200);
		});
		expect((await readAll(readPage, 3200)).entries).toEqual(range(0, 3200));
	},
);

test('if both first pages are rejected, the list fails', async () => {
	const { readPage } = providerOf((number) => refused('page', `No page ${number}`));
	await expect(readAll(readPage)).rejects.toThrow('No page 0');
});

test('if every page size down to one entry is rejected, the list fails', async () => {
	const { readPage } = providerOf((_number, size) => refused('size', `Not ${size}`));
	await expect(readAll(readPage)).rejects.toThrow('Not 1');
});

describe('pages that are too large to be read', () => {
	const json = (ids: number[], fields: number) =>
		JSON.stringify({ regulationAddresses: ids.map((id) => ({ id, x: Array(fields).fill(0) })) });

	/** 1,200 entries of a provider, and the page sizes that were requested. */
	const listOf = (write: (ids: number[]) => string, statusCode = 200) => {
		const asked: unknown[] = [];
		const service = {
			tryRequest: async ({ query = {} }: { query?: IDataObject }) => {
				const [number, size] = [Number(query.pageNumber), Number(query.pageSize)];
				asked.push(size);
				const ids = range(number * size, Math.min(1200, (number + 1) * size)).map(({ id }) => id);
				const answer = await receive(
					{ statusCode, headers: {}, body: Readable.from([Buffer.from(write(ids))]) },
					{ bytes: 4_000_000, signal: AbortSignal.timeout(60_000), secrets: secretsOf({}) },
				);
				const verdict = judge(answer, { effect: 'read' });
				const failure = readFailure(answer, { effect: 'read', urlField: 'URL' });
				return failure
					? {
							answer,
							verdict,
							refusal: { failure, error: new Error(failure.message) as NodeApiError },
						}
					: { answer, verdict };
			},
			unreadableResponse: (what: string) => new Error(what) as NodeApiError,
		};
		const request = {
			path: '/',
			query: {},
			shape: { names: ['regulationAddresses'], thing },
		};
		return { asked, entries: readPages(pageReader(service, request), byId) };
	};

	test('are requested again in smaller pages', async () => {
		const { asked, entries } = listOf((ids) => json(ids, 2_500));
		expect((await entries).entries).toHaveLength(1200);
		expect([...new Set(asked)]).toEqual([1000, 500]);
	});

	test('do not occur with a thousand addresses', async () => {
		const { asked, entries } = listOf((ids) => json(ids, 24));
		expect((await entries).entries).toHaveLength(1200);
		expect([...new Set(asked)]).toEqual([1000]);
	});

	test('are requested only once if the status is a failure', async () => {
		const { asked, entries } = listOf((ids) => json(ids, 2_500), 502);
		await expect(entries).rejects.toThrow('HTTP status 502');
		expect(asked).toEqual([1000]);
	});
});

/** How a provider implements paging. */
const server = fc.record({
	length: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 1200 })),
	firstPage: fc.constantFrom<'0' | '1 error' | '1 empty' | '1 same'>(
		'0',
		'1 error',
		'1 empty',
		'1 same',
	),
	/** The provider's largest page size: larger ones are cut or rejected. */
	cap: fc.option(fc.integer({ min: 7, max: 400 }), { nil: Infinity }),
	tooLarge: fc.constantFrom<'cut' | 'cut, counted as asked' | 'refused'>(
		'cut',
		'cut, counted as asked',
		'refused',
	),
	ignoresPaging: fc.boolean(),
	pastTheEnd: fc.constantFrom<'refused' | 'empty' | 'last page' | 'doubtful'>(
		'refused',
		'empty',
		'last page',
		'doubtful',
	),
	total: fc.constantFrom<'sure' | 'other name' | 'of the page' | 'none'>(
		'sure',
		'other name',
		'of the page',
		'none',
	),
	withIds: fc.boolean(),
	limit: fc.option(fc.integer({ min: 1, max: 1500 }), { nil: undefined }),
});

type Server = typeof server extends fc.Arbitrary<infer T> ? T : never;

function simulate({
	length,
	firstPage,
	cap,
	tooLarge,
	ignoresPaging,
	pastTheEnd,
	total,
	withIds,
}: Server) {
	const all: IDataObject[] = Array.from({ length }, (_, index) =>
		withIds ? { id: index } : { city: `City ${index}` },
	);
	const first = firstPage === '0' ? 0 : 1;
	const answer = (pageNumber: number, pageSize: number): ListPage => {
		if (ignoresPaging) return given(all, pageSize);
		if (pageSize > cap && tooLarge === 'refused') return refused('size');
		if (pageNumber < first && firstPage === '1 error') return refused('page');
		if (pageNumber < first && firstPage === '1 empty') return given([], pageSize);
		const size = Math.min(pageSize, cap);
		const step = tooLarge === 'cut, counted as asked' ? pageSize : size;
		const from = (Math.max(pageNumber, first) - first) * step;
		if (from < length || from === 0) return given(all.slice(from, from + size), pageSize);
		if (pastTheEnd === 'refused') return refused('page');
		if (pastTheEnd === 'doubtful') return refused('unknown');
		const last = Math.floor((length - 1) / step) * step;
		return given(pastTheEnd === 'empty' ? [] : all.slice(last, last + size), pageSize);
	};
	const given = (entries: IDataObject[], pageSize: number): ListPage => {
		const counts = {
			sure: { resultCount: length },
			'other name': { totalElements: length },
			'of the page': { count: entries.length },
			none: {},
		};
		return { entries, total: totalOf(counts[total], entries.length, pageSize) };
	};
	return { all, answer };
}

test('however a provider pages, each entry is returned once, in order, up to the limit, within a limited number of requests', async () => {
	await fc.assert(
		fc.asyncProperty(server, async (options) => {
			const { all, answer } = simulate(options);
			const { readPage, asked } = providerOf(answer);
			const { entries } = await readPages(readPage, options.withIds ? byId : {}, options.limit);
			expect(entries).toEqual(all.slice(0, options.limit));
			// Pages of the provider's size, the search for that size, page 0, and the two pages that show the end.
			const size = Math.min(options.cap / 2.5, 1000, options.limit ?? Infinity);
			expect(asked.length).toBeLessThanOrEqual(Math.ceil(all.length / size) + 16);
		}),
		{ numRuns: 300 },
	);
});

test('if a list is read in pieces, as the lists of the node’s parameters are, no entry is lost and the end is found', async () => {
	await fc.assert(
		fc.asyncProperty(server, async (options) => {
			const { all, answer } = simulate(options);
			const found = new Map<string, IDataObject>();
			let place: PagePlace | undefined = { pageNumber: 0, pageSize: 100, read: 0 };
			let requests = 0;
			while (place) {
				const { readPage, asked } = providerOf(answer);
				const pages = pagesFrom(readPage, options.withIds ? byId : {}, place);
				for await (const { entries: fresh, place: next } of pages) {
					fresh.forEach((entry) => found.set(JSON.stringify(entry), entry));
					place = next;
					if (fresh.length > 0) break;
				}
				requests += asked.length;
			}
			expect([...found.values()]).toEqual(all);
			expect(requests).toBeLessThanOrEqual(
				Math.ceil(all.length / Math.min(options.cap / 2.5, 100)) + 16,
			);
		}),
		{ numRuns: 150 },
	);
});

test('page sizes never exceed a thousand and overshoot a limit by less than the number of pages', () => {
	const wrong: number[] = [];
	for (let limit = 1; limit <= 20_000; limit += 7) {
		const size = choosePageSize(limit);
		const pages = Math.ceil(limit / size);
		if (size > 1000 || size * pages - limit >= pages) wrong.push(limit);
	}
	expect(wrong).toEqual([]);
});
