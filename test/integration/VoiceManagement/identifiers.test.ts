// Identifiers are the user's data: whatever they contain, they stay within their segment of the path.

import fc from 'fast-check';
import { startProvider, type Provider } from '../../../simulator';
import { itemWithFile, knownAs, operations } from './forms';
import { credentialsFor, runNode } from './harness';
import { nth, present } from '../../support/present';

let provider: Provider;

beforeAll(async () => {
	provider = await startProvider();
});

afterAll(async () => await provider.close());

beforeEach(() => provider.control.clearRequests());

/** Every operation with an identifier in its path. */
const cases = operations
	.filter(({ endpoint }) => endpoint.includes('<'))
	.map(({ name, endpoint, fields, parameters }) => {
		const [before = '', identifier, after = ''] = endpoint.replace(/^\w+ /, '').split(/<(\w+)>/);
		const field = present(fields.find((one) => one.name === identifier));
		return { name, parameters, before, after, label: field.displayName };
	});
type Case = (typeof cases)[number];

/** Runs an operation with an identifier; returns the paths that the provider received and the error. */
async function send({ parameters }: Case, id: unknown) {
	provider.control.clearRequests();
	const error = await runNode({
		credentials: credentialsFor(provider),
		parameters: parameters(knownAs(id)),
		items: [itemWithFile()],
	}).then(
		() => undefined,
		(thrown: Error) => thrown,
	);
	return { error, requests: provider.control.requests() };
}

describe.each(cases)('$name', (operation) => {
	test.each(['../../x', 'a?b=c#d;e', '1\r\nX-Injected: 1', '号😀'])(
		'%j stays one segment',
		async (id) => {
			const { requests } = await send(operation, id);
			expect(requests).toHaveLength(1);
			const { url, path } = nth(requests, 0);
			expect(path.startsWith(operation.before) && path.endsWith(operation.after)).toBe(true);
			const segment = path.slice(operation.before.length, path.length - operation.after.length);
			expect(segment).not.toContain('/');
			expect(decodeURIComponent(segment)).toBe(id);
			expect(url.replace(/\?didType=\w+&destinationCountryCodeA3=\w+$/, '')).toBe(path);
		},
	);

	test.each(['.', '..', '', ' ', '\ud800', 'a\udc00'])(
		'%j is rejected before anything is sent',
		async (id) => {
			const { error, requests } = await send(operation, id);
			expect(error?.message).toMatch(/is not an identifier|is empty/);
			expect(requests).toEqual([]);
		},
	);

	test.each([[['1', '2']], [{ id: 1 }], [null]])(
		'%j is rejected with a message about the expression',
		async (id) => {
			const { error, requests } = await send(operation, id);
			expect(error?.message).toMatch(new RegExp(`^"${operation.label}" is`));
			expect(requests).toEqual([]);
		},
	);

	test('a number and the same number as text make the same request', async () => {
		const [asNumber, asText] = [await send(operation, 4711), await send(operation, '4711')];
		expect(nth(asNumber.requests, 0).url).toBe(nth(asText.requests, 0).url);
		expect(nth(asNumber.requests, 0).path).toBe(`${operation.before}4711${operation.after}`);
	});
});

test.each<[string, object, object]>([
	['session/createToken', { id_session: 't', id_client: 42 }, { id_client: '42' }],
	['address/validate', { isValid: true, addressId: 7 }, { addressId: '7' }],
	['zipcode/getAll', { cityZipCodes: [{ zipCode: '1', cityId: 5 }] }, { cityId: '5' }],
])('%s outputs the identifiers that the provider issued as text', async (name, body, expected) => {
	provider.control.fault({ status: 200, body });
	const { parameters } = present(operations.find((operation) => operation.name === name));
	const { items } = await runNode({
		credentials: credentialsFor(provider),
		parameters: parameters(knownAs('7')),
	});
	expect(nth(items, 0).json).toMatchObject(expected);
});

const ODD = [
	...['a/b', '..%2f..%2fx', '%2e', '%2e%2e', '%2E%2E/', 'a\\b', 'a b', 'é', '\u0000', '...', '/'],
	...[
		'//example.com/',
		'http://example.com',
		'@example.com',
		'x'.repeat(10_000),
		'é'.repeat(10_000),
	],
];

test('any text is either rejected or stays one segment', async () => {
	await fc.assert(
		fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), async (id) => {
			const { error, requests } = await send(
				present(cases.find(({ name }) => name === 'address/delete')),
				id,
			);
			if (requests.length === 0)
				return expect(error?.message).toMatch(/is not an identifier|is empty/);
			expect(requests).toHaveLength(1);
			const segments = nth(requests, 0).url.split('/');
			expect(segments.slice(0, -1)).toEqual(['', 'vbapi', 'v1', 'regulation', 'address']);
			expect(decodeURIComponent(segments.at(-1)!)).toBe(id.trim());
		}),
		{ numRuns: 150, examples: ODD.map((id): [string] => [id]) },
	);
});
