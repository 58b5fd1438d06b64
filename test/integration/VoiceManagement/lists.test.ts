// Lists: how many pages are requested, the rate limit, and the lists of the node's parameters.

import type { IDataObject } from 'n8n-workflow';
import { searchAddresses, searchZipCodes } from '../../../nodes/VoiceManagement/methods/listSearch';
import { startProvider, type Provider } from '../../../simulator';
import { companyForm, itemWithFile, knownAs, operations, personForm } from './forms';
import { credentialsFor, listContext, runNode, type RunOptions } from './harness';
import { nth } from '../../support/present';

let provider: Provider;

beforeEach(async () => {
	provider = await startProvider();
});

afterEach(async () => await provider.close());

const run = async (parameters: IDataObject, options: Partial<RunOptions> = {}) =>
	await runNode({ credentials: credentialsFor(provider), parameters, ...options });

const germany = { resource: 'zipcode', operation: 'getAll', countryCodeA3: 'DEU' };

/** Page number and page size of each request. */
const pages = () =>
	provider.control
		.requests()
		.map(({ query, status }) => `${query.pageNumber}/${query.pageSize} ${status}`);

describe('paging', () => {
	test('all 11,500 entries are read in pages of a thousand, and no page past the end is requested', async () => {
		const { items } = await run({ ...germany, returnAll: true });
		expect(items).toHaveLength(11_500);
		expect(new Set(items.map(({ json }) => json.zipCode)).size).toBe(11_500);
		expect(pages()).toEqual(Array.from({ length: 12 }, (_, page) => `${page}/1000 200`));
	});

	test.each(['true', 1])('Return All as %j, as a model writes it, is on', async (returnAll) => {
		const { items } = await run({ ...germany, returnAll, filters: { areaCode: '40' } });
		expect(items).toHaveLength(2000);
	});

	test('an exact number of pages ends without another request', async () => {
		// Hamburg's area: 2000 entries, two full pages.
		const { items } = await run({ ...germany, returnAll: true, filters: { areaCode: '40' } });
		expect(items).toHaveLength(2000);
		expect(pages()).toEqual(['0/1000 200', '1/1000 200']);
	});

	test.each([
		[5, ['0/5 200']],
		[1, ['0/1 200']],
		[1000, ['0/1000 200']],
		[1001, ['0/501 200', '1/501 200']],
		[2500, ['0/834 200', '1/834 200', '2/834 200']],
	])('a limit of %i hardly fetches more than that', async (limit, expected) => {
		const { items } = await run({ ...germany, limit });
		expect(items).toHaveLength(limit);
		expect(pages()).toEqual(expected);
	});

	test('a limit beyond the end returns all entries', async () => {
		const { items } = await run({ ...germany, countryCodeA3: 'BEL', limit: 2000 });
		expect(items).toHaveLength(3);
		expect(pages()).toEqual(['0/1000 200']);
	});

	test('a list that takes longer than ten minutes ends with what was read until then, and a hint', async () => {
		const late = jest.spyOn(AbortSignal, 'timeout');
		late.mockImplementation((milliseconds) =>
			milliseconds === 600_000 ? AbortSignal.abort() : new AbortController().signal,
		);
		const { items, hints } = await run({ ...germany, returnAll: true });
		late.mockRestore();
		expect(items).toHaveLength(1_000);
		expect(pages()).toEqual(['0/1000 200']);
		expect(hints.map(({ message }) => message).join()).toMatch(
			/^The list has more entries: reading stopped after the first 1000/,
		);
	});

	test.each([0, -1, 1.5, 'x', ''])(
		'a limit of %j is rejected before anything is sent',
		async (limit) => {
			await expect(run({ ...germany, limit })).rejects.toThrow(
				'"Limit" is not a whole number above zero',
			);
			expect(pages()).toEqual([]);
		},
	);

	test('counts and IDs written as text are understood', async () => {
		provider.control.behave({ idsAsText: true });
		const { items } = await run({ ...germany, returnAll: true, filters: { areaCode: '40' } });
		expect(items).toHaveLength(2000);
	});
});

describe('rate limit', () => {
	const limited = (status: number, headers: Record<string, string> = {}, times = 1) =>
		provider.control.fault({
			status,
			times,
			headers,
			body: {
				httpStatusCode: status,
				errors: [{ apiErrorCode: String(status), apiErrorMessage: 'Too fast' }],
			},
		});

	test.each<[string, number, Record<string, string>, number, number[]]>([
		['429', 429, {}, 3, [1000, 2000, 4000]],
		['509', 509, {}, 3, [1000, 2000, 4000]],
		['Retry-After in seconds', 429, { 'retry-after': '7' }, 1, [7000]],
		[
			"it as a date by the provider's clock",
			509,
			{ date: 'Thu, 01 Jan 2026 00:05:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:05:30 GMT' },
			1,
			[30_000],
		],
	])(
		'a read is repeated after %s, with the right waits',
		async (_what, status, headers, times, waits) => {
			limited(status, headers, times);
			const slept: number[] = [];
			const now = () => Date.parse('2026-01-01T00:00:00Z');
			const { items } = await run({ ...germany, limit: 1 }, { slept, now });
			expect(items).toHaveLength(1);
			expect(slept).toEqual(waits);
		},
	);

	test('a wait longer than a minute is left to the user', async () => {
		limited(429, { 'retry-after': '3600' });
		const slept: number[] = [];
		await expect(run({ ...germany, limit: 1 }, { slept })).rejects.toMatchObject({
			message: 'Too fast',
			description: expect.stringMatching(/HTTP 429\. Too many requests/),
		});
		expect(slept).toEqual([]);
	});

	test('after five attempts it fails with the reason', async () => {
		limited(429, {}, 99);
		const slept: number[] = [];
		await expect(run({ ...germany, limit: 1 }, { slept })).rejects.toThrow('Too fast');
		expect(slept).toHaveLength(4);
		expect(pages()).toHaveLength(5);
	});

	test.each([500, 502, 503, 504, 401, 403])(
		'a read that failed with %i is not repeated',
		async (status) => {
			provider.control.fault({ status, times: 99 });
			await expect(run({ ...germany, limit: 1 })).rejects.toThrow(`HTTP status ${status}`);
			expect(pages()).toHaveLength(1);
		},
	);

	test.each(
		operations.filter(({ changes, resource }) => changes === true || resource === 'session'),
	)('$name is never sent twice', async ({ parameters: parametersOf }) => {
		const parameters = parametersOf(knownAs('1'));
		for (const status of [401, 429, 500, 503, 509]) {
			provider.control.clearRequests();
			provider.control.fault({ status, headers: { 'retry-after': '0' } });
			await expect(run(parameters, { items: [itemWithFile()] })).rejects.toThrow(
				/HTTP status|order may|wrong login|failed with HTTP/,
			);
			expect(provider.control.requests()).toHaveLength(1);
		}
	});
});

test.each([
	['address', 'Customer Reference', { customerReference: null }],
	['address', 'Linked', { linked: undefined, city: 'Ghent' }],
	['zipcode', 'Area Code', { areaCode: null }],
])(
	'%s: a filter whose expression finds nothing does not list everything: %s',
	async (resource, label, filters) => {
		const parameters = {
			...germany,
			resource,
			operation: 'getAll',
			filters: filters as IDataObject,
		};
		await expect(run(parameters)).rejects.toThrow(`"${label}" is empty`);
		expect(provider.control.requests()).toEqual([]);
	},
);

describe('an address among others', () => {
	const answer = (...regulationAddresses: object[]) => ({
		status: 200,
		body: { regulationAddresses },
	});
	const get = { resource: 'address', operation: 'get', addressId: '7' };
	const [six, seven] = [
		{ addressId: 6, countryCodeA3: 'FRA' },
		{ addressId: 7, countryCodeA3: 'BEL' },
	];

	test('is found by its identifier, also for the country of a validation', async () => {
		provider.control.fault(answer(six, seven));
		expect(nth((await run(get)).items, 0).json).toMatchObject({ addressId: '7' });
		provider.control.fault(answer(six, seven));
		provider.control.fault({ status: 200, body: { isValid: true } });
		await run({ resource: 'address', operation: 'validate', addressId: '7', didType: 'NATIONAL' });
		expect(nth(provider.control.requests(), -1).query.destinationCountryCodeA3).toBe('BEL');
	});

	test('is not found if it is not there', async () => {
		provider.control.fault(answer(six, { addressId: 8 }));
		await expect(run(get)).rejects.toThrow('There is no address with the ID 7');
	});

	test('is another one if it is the only one, and that is said', async () => {
		provider.control.fault(answer(six));
		const { items, hints } = await run(get);
		expect(nth(items, 0).json).toMatchObject({ addressId: '6' });
		expect(hints.map(({ message }) => message)).toEqual([
			'The provider returned the address 6 instead of 7.',
		]);
	});
});

describe("lists of the node's parameters", () => {
	const context = (current: IDataObject = {}) => listContext(credentialsFor(provider), current);

	test('addresses show identifier, state of verification, name and place', async () => {
		await run({ ...companyForm, additionalFields: { buildingLetter: 'B' } });
		await run(personForm);
		const { results, paginationToken } = await searchAddresses.call(context());
		expect(results).toEqual([
			{
				name: '123456 – not verified – Exemple & Fils SA, 12 B Rue de l’Été, 4000 Liège BEL',
				value: '123456',
			},
			{
				name: '123457 – not verified – Ada Exemple, 12 Rue de l’Été, 75001 Paris FRA',
				value: '123457',
			},
		]);
		expect(paginationToken).toBeUndefined();
	});

	test('the search covers everything that is shown, regardless of case', async () => {
		await run(companyForm);
		await run(personForm);
		const values = async (filter: string) =>
			(await searchAddresses.call(context(), filter)).results.map(({ value }) => value);
		expect(await values('PARIS')).toEqual(['123457']);
		expect(await values('123456')).toEqual(['123456']);
		expect(await values('not verified')).toEqual(['123456', '123457']);
		expect(await values('nowhere')).toEqual([]);
	});

	test('zip codes are those of the country in the form, page by page', async () => {
		const form = context({ countryCodeA3: 'DEU' });
		const first = await searchZipCodes.call(form);
		expect(first.results).toHaveLength(100);
		expect(first.results[0]).toEqual({ name: '10115 Berlin', value: '10115' });
		const second = await searchZipCodes.call(form, undefined, first.paginationToken);
		expect(nth(second.results, 0).value).toBe('10215');
	});

	test('postal codes are those of the telephone area, if the form names one', async () => {
		const form = context({ countryCodeA3: 'FRA', additionalFields: { areaCode: '3' } });
		expect((await searchZipCodes.call(form)).results.map(({ name }) => name)).toEqual([
			'59000 Lille',
			'67000 Strasbourg',
		]);
	});

	test('without a country, the list says so instead of asking the provider', async () => {
		await expect(searchZipCodes.call(context({ countryCodeA3: '' }))).rejects.toThrow(
			'"Country" is empty',
		);
	});

	test('a search finds what the whole list has, in a few requests, and says where to continue', async () => {
		const form = context({ countryCodeA3: 'DEU' });
		const found = await searchZipCodes.call(form, '10999');
		expect(found).toEqual({ results: [{ name: '10999 Berlin', value: '10999' }] });
		expect(pages()).toEqual(['0/5000 200', '1/5000 200', '2/5000 200']);
		// More than the list shows at once: n8n reads on if it is scrolled.
		const many = await searchZipCodes.call(form, 'hamburg');
		expect(many.results.length).toBeGreaterThan(100);
		const more = await searchZipCodes.call(form, 'hamburg', many.paginationToken);
		const values = [...many.results, ...more.results].map(({ value }) => value);
		expect(new Set(values).size).toBe(2000);
	});

	test('a country without enforced zip codes has an empty list', async () => {
		expect(await searchZipCodes.call(context({ countryCodeA3: 'ESP' }))).toEqual({ results: [] });
	});

	test("a rejected login is shown with the provider's reason", async () => {
		const credentials = credentialsFor(provider);
		credentials.voiceManagementApi = { ...credentials.voiceManagementApi, password: 'x' };
		await expect(searchAddresses.call(listContext(credentials))).rejects.toThrow(
			'Login or password is wrong',
		);
	});
});
