// Lists over HTTP in the forms that a provider may use: what a page past the end looks like, where the entries and the
// total are, which page is the first. The ways of paging themselves: test/unit/VoiceManagement/paging.test.ts.

import type { IDataObject } from 'n8n-workflow';
import { searchAddresses, searchZipCodes } from '../../../nodes/VoiceManagement/methods/listSearch';
import { answerWith, type AnswerServer, type Given } from '../../support/answers';
import { credentialsAt } from '../../support/credentials';
import { listContext, runNode } from './harness';

let provider: AnswerServer;
let answer: (page: number, size: number) => Given;

beforeEach(async () => {
	provider = await answerWith(({ query }) =>
		answer(Number(query.pageNumber), Number(query.pageSize)),
	);
});

afterEach(async () => await provider.close());

const credentials = () => credentialsAt(provider.url);

const all = Array.from({ length: 120 }, (_, index) => ({
	addressId: index + 1,
	city: `City ${index}`,
}));

/** The same as items: identifiers are text. */
const asItems = all.map(({ addressId, city }) => ({ addressId: String(addressId), city }));

const slice = (page: number, size: number) => all.slice(page * size, (page + 1) * size);

const getAll = async (parameters: IDataObject = { returnAll: true }) => {
	const { items, hints } = await runNode({
		credentials: credentials(),
		parameters: { resource: 'address', operation: 'getAll', ...parameters },
	});
	return { found: items.map(({ json }) => json), hints: hints.map(({ message }) => message) };
};

const error = (status: number, code: unknown, message: string): Given => ({
	status,
	body: { apiModule: 'COMMON', errors: [{ apiErrorCode: code, apiErrorMessage: message }] },
});

describe('with pages of 50 and without a total, a page past the end is', () => {
	test.each<[string, Given]>([
		['error 13', error(400, '13', 'Page 3 does not exist')],
		['error 13 as a number', error(400, 13, 'x')],
		['error 13 in a 200', error(200, '13', 'x')],
		['another spelling', { status: 400, body: { err_code: 'PAGE_NOT_FOUND', err_msg: 'x' } }],
		['words', { status: 422, body: { message: 'The page is out of range' } }],
		[
			'words that could be about a size',
			{ status: 400, body: { message: 'The page number exceeds the maximum' } },
		],
		['a 404', { status: 404 }],
		['a 404 with a body', { status: 404, body: { message: 'Nothing here' } }],
		['a 416', { status: 416 }],
		['an empty list', { body: { regulationAddresses: [] } }],
		['a list that is null', { body: { regulationAddresses: null } }],
		['an empty object', { body: {} }],
		['null', { body: 'null', headers: { 'content-type': 'application/json' } }],
		['nothing', { status: 204 }],
		['an empty 200', { status: 200 }],
		['the last page again', { body: { regulationAddresses: slice(2, 50) } }],
		['a success without data', { body: { status: 'SUCCESS', data: null } }],
		['words in French', { status: 400, body: { message: 'Aucune page de ce numéro' } }],
		['code 15', error(404, '15', 'Nothing found')],
		['code 14', error(400, '14', 'Illegal pageNumber')],
		['a 404 with a page', { status: 404, body: '<html><head><title>404</title></head></html>' }],
	])('%s', async (_form, past) => {
		answer = (page, size) => {
			const entries = slice(page, Math.min(size, 50));
			return entries.length > 0 ? { body: { regulationAddresses: entries } } : past;
		};
		const { found, hints } = await getAll();
		expect(found).toEqual(asItems);
		expect(hints).toEqual([]);
		expect(provider.asked.length).toBeLessThanOrEqual(5);
	});
});

describe('page 0 of a provider that counts from 1 is', () => {
	test.each<[string, (size: number) => Given]>([
		['error 11', () => error(400, '11', 'The page number must be 1 or more')],
		['error 13', () => error(400, '13', 'No such page')],
		['a 404', () => ({ status: 404 })],
		['code 14', () => error(400, '14', 'Illegal value for pageNumber')],
		['code 17', () => error(400, '17', 'bad number: pageNumber')],
		['code 15', () => error(404, '15', 'Nothing found')],
		['an empty 400', () => ({ status: 400, body: {} })],
		['another code', () => ({ status: 400, body: { err_code: 'INVALID_VARS', err_msg: 'x' } })],
		['words', () => ({ status: 422, body: { message: 'Validation failed' } })],
		['empty', () => ({ body: { regulationAddresses: [] } })],
		['page 1', (size) => ({ body: { regulationAddresses: slice(0, size) } })],
	])('%s', async (_form, pageZero) => {
		answer = (page, size) =>
			page === 0
				? pageZero(Math.min(size, 50))
				: page > 3
					? error(400, '13', 'No such page')
					: {
							body: { regulationAddresses: slice(page - 1, Math.min(size, 50)), resultCount: 120 },
						};
		expect(await getAll()).toEqual({ found: asItems, hints: [] });
	});
});

test.each<[string, (entries: IDataObject[]) => unknown]>([
	['as documented', (list) => ({ regulationAddresses: list, resultCount: 120 })],
	['the total as text', (list) => ({ regulationAddresses: list, resultCount: '120' })],
	['the total under another name', (list) => ({ regulationAddresses: list, totalElements: 120 })],
	['the total in a page object', (list) => ({ content: list, page: { totalElements: 120 } })],
	['renamed', (list) => ({ addresses: list })],
	['wrapped', (list) => ({ data: { regulationAddresses: list, resultCount: 120 } })],
	['wrapped and renamed', (list) => ({ result: { items: list } })],
	['the count of the page', (list) => ({ regulationAddresses: list, count: list.length })],
])('entries and total %s', async (_form, wrap) => {
	answer = (page, size) => ({ body: wrap(slice(page, Math.min(size, 50))) });
	expect((await getAll()).found).toEqual(asItems);
	expect((await getAll({ limit: 70 })).found).toEqual(asItems.slice(0, 70));
});

describe('a provider that ignores the paging', () => {
	test.each([
		['with a total', 120],
		['without', undefined],
	])('%s', async (_form, resultCount) => {
		answer = () => ({ body: { regulationAddresses: all, resultCount } });
		expect((await getAll()).found).toEqual(asItems);
		expect(provider.asked.length).toBeLessThanOrEqual(3);
	});

	test('and returns a part: what is missing is reported', async () => {
		answer = () => ({ body: { regulationAddresses: slice(0, 100), resultCount: 120 } });
		const { found, hints } = await getAll();
		expect(found).toEqual(asItems.slice(0, 100));
		expect(hints).toEqual([expect.stringMatching(/counts 120 entries but returned 100/)]);
	});

	test('postal codes, which have no identifier, are returned once', async () => {
		const codes = [
			{ cityName: 'Liège', zipCode: '4000' },
			{ cityName: 'Rocourt', zipCode: '4000' },
		];
		answer = () => ({ body: { cityZipCodes: codes } });
		const { items } = await runNode({
			credentials: credentials(),
			parameters: {
				resource: 'zipcode',
				operation: 'getAll',
				countryCodeA3: 'BEL',
				returnAll: true,
			},
		});
		expect(items.map(({ json }) => json)).toEqual(codes);
	});
});

test.each([
	['error 12', error(400, '12', 'The page size must be from 1 to 30')],
	['error 12 in a 200', error(200, 12, 'x')],
	['words', { status: 400, body: { message: 'pageSize too large' } }],
	['a limit in words', { status: 400, body: { message: 'limit exceeds the maximum of 30' } }],
	['another name', { status: 400, body: { error: 'per_page too large' } }],
	['words in a 200', { body: { status: 'ERROR', message: 'Page size must not exceed 30' } }],
	['French', { status: 400, body: { message: 'La taille de page ne doit pas dépasser 30' } }],
	['a field', { status: 422, body: { errors: { pageSize: ['must be 30 at most'] } } }],
	['a 413', { status: 413, body: { message: 'Too many entries requested' } }],
	['code 12', { status: 400, body: { err_code: '12', err_msg: 'refused' } }],
	['code 14', error(400, '14', 'Illegal value for pageSize')],
	['a maximum', { status: 400, body: { message: 'Maximum is 30' } }],
	['entries', { status: 400, body: { message: 'at most 30 entries' } }],
	['a value', { status: 400, body: { message: 'Value exceeds 30' } }],
	['a request', { status: 400, body: { message: 'Request too large' } }],
])('a page that is too large (%s) is requested in smaller ones', async (_form, refused) => {
	answer = (page, size) =>
		size > 30 ? refused : { body: { regulationAddresses: slice(page, size), resultCount: 120 } };
	expect((await getAll()).found).toEqual(asItems);
	expect((await getAll({ limit: 50 })).found).toEqual(asItems.slice(0, 50));
});

describe('a response that is not the end of a list makes it fail', () => {
	test.each<[string, Given, RegExp]>([
		['a fault', { status: 500, body: { message: 'Lost it' } }, /Lost it/],
		['a wrong login', { status: 401, body: { message: 'Who?' } }, /Who\?/],
		['a web page', { status: 200, body: '<html><title>Sign in</title></html>' }, /web page/],
	])('%s', async (_form, later, message) => {
		answer = (page) => (page === 0 ? { body: { regulationAddresses: slice(0, 50) } } : later);
		await expect(getAll()).rejects.toThrow(message);
	});

	test.each<[string, Given]>([
		['an object without a list', { body: { hello: 'world' } }],
		['an empty object', { body: {} }],
		['a 404', { status: 404 }],
		['a 400', { status: 400, body: { message: 'Bad filter' } }],
	])('a first page that is %s is never an empty list', async (_form, given) => {
		answer = () => given;
		await expect(getAll()).rejects.toThrow(/.{8,}/);
	});

	test.each<[string, Given, string]>([
		['a 404', { status: 404, body: { message: 'The service was not found' } }, 'The service was'],
		['a web page', { status: 400, body: '<html>Request blocked</html>' }, 'is a web page'],
		['a cap', { status: 400, body: { message: 'The last page is 0' } }, 'The last page is 0'],
	])('if more are counted, a later page that is %s makes it fail', async (_form, later, why) => {
		answer = (page) =>
			page === 0 ? { body: { regulationAddresses: slice(0, 50), resultCount: 120 } } : later;
		await expect(getAll()).rejects.toThrow(why);
	});

	test.each<[string, Given, string]>([
		['a 400', { status: 400, body: { message: 'Mind the gap' } }, 'Mind the gap'],
		['a message', { body: { message: 'No data' } }, 'no list of regulationAddresses'],
		['an error', { body: { status: 'ERROR', message: 'No more results' } }, 'No more results'],
		['a flag', { body: { success: false, message: 'nothing found' } }, 'nothing found'],
		['a total alone', { body: { resultCount: 120 } }, 'no list of regulationAddresses'],
		['a web page', { status: 406, body: '<html>Not acceptable</html>' }, 'a web page instead'],
	])(
		'if a later page is %s, the list keeps the earlier ones and says so',
		async (_form, later, why) => {
			answer = (page) => (page === 0 ? { body: { regulationAddresses: slice(0, 50) } } : later);
			const { found, hints } = await getAll();
			expect(found).toEqual(asItems.slice(0, 50));
			expect(hints).toEqual([expect.stringMatching(`may be incomplete.*${why}`)]);
		},
	);
});

test('a documented refusal that names no page is the error of the list, and no other page is asked for', async () => {
	answer = (page, size) =>
		page === 0
			? error(400, '14', 'companyName exceeds 255 characters')
			: { body: { regulationAddresses: slice(page, size) } };
	await expect(getAll({ limit: 50 })).rejects.toThrow('exceeds 255');
	expect(provider.asked).toHaveLength(1);
});

describe.each<[string, Given, string]>([
	['an error in a 200', { body: { status: 'ERROR', message: 'Temporary' } }, 'Temporary'],
	['a 423', { status: 423, body: { message: 'Locked, try again' } }, 'Locked'],
	['the words of a size', { status: 400, body: { message: 'city: at most 50' } }, 'at most 50'],
])('a first page that is refused with %s, beside later ones', (_form, given, why) => {
	test.each<[string, number | undefined, IDataObject]>([
		['with a limit', 120, { limit: 50 }],
		['without a total', undefined, { returnAll: true }],
	])('%s: the list may be incomplete', async (_what, resultCount, parameters) => {
		answer = (page, size) =>
			page === 0
				? given
				: { body: { regulationAddresses: slice(page, Math.min(size, 50)), resultCount } };
		const { hints } = await getAll(parameters);
		expect(hints).toEqual([expect.stringMatching(`may be incomplete.*${why}`)]);
	});

	test.each([
		['fewer than the provider counts', 50],
		['none', 1000],
	])('%s: that is the error of the list', async (_what, most) => {
		answer = (page, size) =>
			page === 0
				? given
				: {
						body: {
							regulationAddresses: slice(page * Math.ceil(most / 50), Math.min(size, most)),
							resultCount: 120,
						},
					};
		await expect(getAll()).rejects.toThrow(why);
	});
});

describe('what the provider returns in part', () => {
	const errors = [{ apiErrorMessage: 'Index is being rebuilt' }];
	const found = { regulationAddresses: slice(0, 1), resultCount: 1 };
	test.each([
		['getAll', { status: 'PARTIAL', ...found, message: 'Index is being rebuilt' }],
		['getAll', { status: 'WARNING', ...found, errors }],
		['getAll', { status: 'WARNING', ...found, raison: 'Index is being rebuilt' }],
		['get', { status: 'PARTIAL', ...found, errors }],
		['validate', { status: 'WARNING', isValid: true, errors }],
	])('%s: is output, with a hint', async (operation, body) => {
		answer = () => ({ body });
		const more = { addressId: '1', didType: 'MOBILE', destinationCountryCodeA3: 'BEL' };
		const { found: items, hints } = await getAll({ operation, ...more });
		expect(items).toHaveLength(1);
		expect(hints).toEqual([
			`The provider responded with ${body.status}: Index is being rebuilt. What it returned may be incomplete.`,
		]);
		expect(provider.asked).toHaveLength(1);
	});

	test.each(['get', 'getAll'])('%s: the text of an address is no reason', async (operation) => {
		const regulationAddresses = [{ addressId: 1, companyName: 'É & Fils', city: 'New York' }];
		answer = () => ({ body: { status: 'WARNING', regulationAddresses, resultCount: 1 } });
		const { hints } = await getAll({ operation, addressId: '1' });
		expect(hints).toEqual([
			'The provider responded with WARNING. What it returned may be incomplete.',
		]);
	});

	test.each(['get', 'getAll', 'validate'])('%s: errors without data fail', async (operation) => {
		const more = { addressId: '1', didType: 'MOBILE', destinationCountryCodeA3: 'BEL' };
		for (const status of ['WARNING', 'PARTIAL']) {
			const coded = [{ apiErrorCode: '507', apiErrorMessage: 'address id invalid' }];
			answer = () => ({ body: { status, errors: coded } });
			await expect(getAll({ operation, ...more })).rejects.toThrow(/^address id invalid/);
		}
	});

	test.each<[string, IDataObject, RegExp]>([
		['in part', { status: 'PARTIAL', cityZipCodes: [], resultCount: 0 }, /may be incomplete/],
		['counted', { cityZipCodes: [], resultCount: 5 }, /counts 5 entries but returned 0/],
		['none', { cityZipCodes: [], resultCount: 0 }, /accepts any postal code there/],
	])('an empty list (%s) has one hint', async (_form, body, hint) => {
		answer = () => ({ body });
		const { hints } = await getAll({ resource: 'zipcode', countryCodeA3: 'BEL' });
		expect(hints).toEqual([expect.stringMatching(hint)]);
	});
});

describe('the lists of the node’s parameters', () => {
	/** Scrolls to the end. */
	const scroll = async (search: typeof searchAddresses, filter?: string) => {
		const values: unknown[] = [];
		let token: string | undefined;
		for (let calls = 0; calls < 20; calls++) {
			const context = listContext(credentials(), { countryCodeA3: 'BEL' });
			const { results, paginationToken } = await search.call(context, filter, token);
			values.push(...results.map(({ value }) => value));
			token = paginationToken;
			if (token === undefined) return values;
		}
		throw new Error('The list has no end');
	};
	const ids = all.map(({ addressId }) => String(addressId));

	test.each([
		['with a total', 120, 0],
		['without', undefined, 0],
		['counting from 1', 120, 1],
		['counting from 1, without', undefined, 1],
	])('show all addresses of a provider with pages of 50, %s', async (_form, resultCount, first) => {
		answer = (page, size) =>
			page < first
				? error(400, '11', 'x')
				: { body: { regulationAddresses: slice(page - first, Math.min(size, 50)), resultCount } };
		const { results } = await searchAddresses.call(listContext(credentials()));
		expect(results.map(({ value }) => value)).toEqual(ids);
		expect(await scroll(searchAddresses)).toEqual(ids);
		expect(await scroll(searchAddresses, 'city 11')).toEqual(
			ids.filter((id) => `City ${Number(id) - 1}`.startsWith('City 11')),
		);
	});

	test('show text from outside as one line without markup, and nothing that n8n would execute', async () => {
		answer = () => ({
			body: {
				regulationAddresses: [
					{ addressId: '={{ $env }}', companyName: 'Evil' },
					{ addressId: '12', companyName: '<b onclick="x">Exemple</b>\n\u001b[31m\u202eSA' },
				],
				resultCount: 2,
				cityZipCodes: [{ zipCode: '=1+1' }, { zipCode: '1000', cityName: '<i>Bruxelles' }],
			},
		});
		expect((await searchAddresses.call(listContext(credentials()))).results).toEqual([
			{ name: '12 – unknown status – Exemple [31m SA', value: '12' },
		]);
		const form = listContext(credentials(), { countryCodeA3: 'BEL' });
		expect((await searchZipCodes.call(form)).results).toEqual([
			{ name: '1000 Bruxelles', value: '1000' },
		]);
	});

	test('show postal codes page by page, whichever way they are counted', async () => {
		const codes = Array.from({ length: 450 }, (_, index) => ({ zipCode: String(4000 + index) }));
		for (const [cap, first, resultCount] of [
			[40, 0],
			[40, 1],
			[1000, 1, 450],
			[70, 1, 450],
		]) {
			answer = (page, size) => {
				const step = Math.min(size, cap!);
				const from = (page - first!) * step;
				return page < first! || from >= codes.length
					? error(400, '13', 'x')
					: { body: { cityZipCodes: codes.slice(from, from + step), resultCount } };
			};
			expect(await scroll(searchZipCodes)).toEqual(codes.map(({ zipCode }) => zipCode));
		}
	});

	test('show an address under its other name', async () => {
		answer = () => ({ body: { regulationAddresses: [{ regulationAddressId: 9, city: 'X' }] } });
		expect(await scroll(searchAddresses)).toEqual(['9']);
	});
});
