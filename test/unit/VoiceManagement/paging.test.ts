// Lists that change while they are read, and services that page in their own ways.

import type { IDataObject } from 'n8n-workflow';
import { choosePageSize, list } from '../../../nodes/VoiceManagement/transport/paging';
import type { Service } from '../../../nodes/VoiceManagement/transport/service';

/** A service that answers each page from a function; asking for a page that it has none for fails the test. */
function serviceOf(answer: (page: number, size: number) => IDataObject | undefined) {
	const asked: number[] = [];
	const send = async ({ query }: { query: { pageNumber: number; pageSize: number } }) => {
		asked.push(query.pageNumber);
		const body = answer(query.pageNumber, query.pageSize);
		if (!body) throw new Error(`Page ${query.pageNumber} was asked for`);
		return body;
	};
	return { service: { send } as unknown as Service, asked };
}

const request = { path: '/x', query: {}, entries: 'entries', key: 'id' };
const range = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => ({ id: from + index }));
const ids = (entries: IDataObject[]) => entries.map(({ id }) => id);

test('entries that are deleted between two pages end the list cleanly', async () => {
	const { service, asked } = serviceOf((page) =>
		page === 0
			? { entries: range(0, 1000), resultCount: 2500 }
			: page === 1
				? { entries: range(1000, 1200), resultCount: 1200 }
				: undefined,
	);
	expect(await list(service, request)).toHaveLength(1200);
	expect(asked).toEqual([0, 1]);
});

test('a page that vanished between two answers ends the list', async () => {
	// service.send gives an empty object for "page does not exist".
	const { service } = serviceOf((page) =>
		page === 0 ? { entries: range(0, 1000), resultCount: 1001 } : {},
	);
	expect(await list(service, request)).toHaveLength(1000);
});

test('entries that are added between two pages are read too, and none comes twice', async () => {
	const pages = [
		{ entries: range(0, 1000), resultCount: 1500 },
		{ entries: range(999, 1999), resultCount: 2001 },
		{ entries: range(1999, 2000), resultCount: 2001 },
	];
	const { service } = serviceOf((page) => pages[page]);
	expect(ids(await list(service, request))).toEqual(ids(range(0, 2000)));
});

test('a service that gives out smaller pages than asked for is read to its end', async () => {
	const { service, asked } = serviceOf((page) => ({
		entries: range(page * 100, Math.min(250, (page + 1) * 100)),
		resultCount: 250,
	}));
	expect(ids(await list(service, request))).toEqual(ids(range(0, 250)));
	expect(asked).toEqual([0, 1, 2]);
});

test('without a count a full page means that there may be more', async () => {
	const { service, asked } = serviceOf((page) => ({
		entries: range(page * 1000, page === 2 ? 2001 : (page + 1) * 1000),
	}));
	expect(await list(service, request)).toHaveLength(2001);
	expect(asked).toEqual([0, 1, 2]);
});

test.each([
	['null', null, 0],
	['nothing', undefined, 0],
	['text', 'none', 0],
	['a lone entry', { id: 1 }, 1],
	['entries that are none', [null, 7, { id: 1 }], 1],
])('a list that is %s', async (_what, entries, length) => {
	const { service } = serviceOf(() => ({ entries, resultCount: length }) as IDataObject);
	expect(await list(service, request)).toHaveLength(length);
});

test('a count that no number can be made of is no count', async () => {
	const { service } = serviceOf(
		() => ({ entries: [{ id: 1 }], resultCount: [{ toString: 0 }] }) as unknown as IDataObject,
	);
	expect(await list(service, request)).toHaveLength(1);
});

test('entries without an identifier are all kept', async () => {
	const { service } = serviceOf(() => ({
		entries: [{ a: 1 }, { a: 1 }, { id: null }],
		resultCount: '3',
	}));
	expect(await list(service, request)).toHaveLength(3);
});

test('a count that never stops growing ends with the pages', async () => {
	const { service, asked } = serviceOf((page) => ({
		entries: page < 3 ? range(page * 1000, (page + 1) * 1000) : [],
		resultCount: 1e9,
	}));
	expect(await list(service, request)).toHaveLength(3000);
	expect(asked).toEqual([0, 1, 2, 3]);
});

test('page sizes never exceed a thousand and overshoot a limit by less than the number of pages', () => {
	for (let limit = 1; limit <= 20_000; limit += 7) {
		const size = choosePageSize(limit);
		const pages = Math.ceil(limit / size);
		expect(size).toBeLessThanOrEqual(1000);
		expect(size * pages - limit).toBeLessThan(pages);
	}
});
