// The create form with any content: a clear error before anything is sent, a request that the provider accepts, or the
// provider's rejection together with the third-party rule that explains it. Values that only the provider can check
// (postal codes, extra fields of a country) are always correct here.

import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { startProvider, type Provider } from '../../../simulator';
import { itemWithFile } from './forms';
import { credentialsFor, runNode } from './harness';
import { nth } from '../../support/present';

// Hundreds of runs, which take a while on a busy machine.
let provider: Provider;

beforeAll(async () => {
	provider = await startProvider();
});

afterAll(async () => await provider.close());

/** A country with a place and extra fields that its service accepts. */
const places = [
	{ country: 'FRA', city: 'Paris', zipCode: '75001', extra: [] },
	{ country: 'BEL', city: 'Liège', zipCode: '4000', extra: [] },
	{
		country: 'CHE',
		city: 'Zürich',
		zipCode: '8000',
		extra: [{ name: 'Municipality Code', value: '0261' }],
	},
	{
		country: 'ITA',
		city: 'Roma',
		zipCode: '00118',
		extra: [{ name: 'Fiscal Code', value: 'ABCDEF12345' }],
	},
	{ country: 'ZAF', city: 'Durban', zipCode: '4001', extra: [] },
	{ country: 'USA', city: 'Springfield', zipCode: '12345', extra: [] },
];

/** Mostly valid values, with an occasional invalid one. */
const usually = <T, U>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
	fc.oneof({ weight: 15, arbitrary: good }, { weight: 1, arbitrary: bad });

const words = fc.oneof(
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => `x${text}`),
	fc.constantFrom('12', '__proto__', '"\r\n--', 'Rue de l’Été'),
);
const text = usually(words, fc.constantFrom('', ' '));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const document = fc.record({
	nationality: fc.constantFrom('FRA', 'ITA'),
	identityDocumentType: usually(fc.constantFrom('PASSPORT', 'ID'), fc.constant('')),
	identityDocumentNumber: usually(fc.constantFrom('12AB', 'é-1'), fc.constant('')),
	issuingAuthority: fc.constantFrom('Préfecture', 'Questura'),
	issuingDate: usually(
		fc.constantFrom('2021-03-04', '2021-03-04T10:20:30', '2021-03-04T10:20:30.000+02:00'),
		fc.constantFrom('2021-02-30', '2021-13-01', 'yesterday', '2021-03-04T25:00:00', ''),
	),
});

const form = fc.record({
	place: fc.constantFrom(...places),
	destination: usually(fc.constant(null), fc.constantFrom(...places.map(({ country }) => country))),
	salutation: usually(fc.constantFrom('COMPANY', 'MR', 'MS'), fc.constant('DR')),
	companyName: text,
	firstName: text,
	lastName: text,
	streetName: text,
	buildingNumber: usually(fc.nat(), fc.constantFrom('', '12 bis')),
	didType: fc.constantFrom('GEOGRAPHIC', 'NATIONAL', 'MOBILE', 'TOLL_FREE'),
	zipAsLocator: fc.boolean(),
	additional: fc.record({
		buildingLetter: maybe(fc.constantFrom('B', 'é', '')),
		companyDescription: maybe(text),
		customerReference: maybe(text),
		phoneNumber: maybe(
			usually(fc.constant('+33123456789'), fc.constantFrom('0123', '+331234', '+1234567890123456')),
		),
		identityDocumentProof: fc.option(
			document.map((value) => ({ document: value })),
			{ nil: undefined, freq: 4 },
		),
		withExtra: fc.boolean(),
		proof: maybe(
			usually(fc.constant('data'), fc.constantFrom('missing', 'empty', 'data,identity')),
		),
		identity: maybe(usually(fc.constant('identity'), fc.constant('nowhere'))),
	}),
});

type Form = typeof form extends fc.Arbitrary<infer T> ? T : never;

const item: INodeExecutionData = {
	json: {},
	binary: {
		...itemWithFile('data', {
			fileName: 'Prüf"\r\nung.pdf',
			mimeType: 'application/pdf\r\nX-Evil: 1',
		}).binary,
		...itemWithFile('identity', { fileName: '', mimeType: '' }).binary,
		...itemWithFile('empty', { content: Buffer.alloc(0) }).binary,
	},
};

function parametersOf({
	place,
	destination,
	zipAsLocator,
	additional,
	...fields
}: Form): IDataObject {
	const { withExtra, proof, identity, identityDocumentProof, ...rest } = additional;
	return {
		resource: 'address',
		operation: 'create',
		...fields,
		countryCodeA3: place.country,
		city: place.city,
		zipCode: zipAsLocator ? { __rl: true, mode: 'list', value: place.zipCode } : place.zipCode,
		destinationCountryCodeA3: destination ?? '',
		additionalFields: {
			...rest,
			...(proof === undefined ? {} : { proofBinaryPropertyName: proof }),
			identityDocumentProof: {
				document: {
					...identityDocumentProof?.document,
					...(identity === undefined ? {} : { identityDocumentBinaryPropertyName: identity }),
				},
			},
			...(withExtra && (destination ?? place.country) === place.country && place.extra.length > 0
				? { extraFields: { field: place.extra } }
				: {}),
		},
	};
}

test('a clear error before sending, or a request that the provider accepts or rejects with a next step', async () => {
	let accepted = 0;
	let refused = 0;
	let judged = 0;
	await fc.assert(
		fc.asyncProperty(form, async (given) => {
			provider.control.clearRequests();
			const outcome = await runNode({
				credentials: credentialsFor(provider),
				parameters: parametersOf(given),
				items: [item],
			}).then(
				({ items }) => nth(items, 0).json,
				(error: Error & { description?: string }) => error,
			);
			const requests = provider.control.requests();
			if (outcome instanceof Error && requests.length > 0) {
				judged++;
				expect(requests.map(({ status }) => status)).toEqual([400]);
				expect(outcome.description).toMatch(/HTTP 400\. .*"[A-Z][^"]*"/);
			} else if (outcome instanceof Error) {
				refused++;
				// A clear error names a parameter or a file and says what to do, and nothing has been sent.
				expect(outcome.message).toMatch(/"[A-Z][^"]*"|binary field|extra field/);
				expect(outcome.description).toEqual(expect.stringMatching(/.{10,}/));
				expect(requests).toEqual([]);
			} else {
				accepted++;
				expect(outcome).toEqual({ addressId: expect.stringMatching(/^\d+$/) });
				expect(requests.map(({ status }) => status)).toEqual([200]);
			}
		}),
		{ numRuns: 300 },
	);
	// All three outcomes have to occur, or this test proves nothing.
	expect(judged).toBeGreaterThan(50);
	expect(accepted).toBeGreaterThan(50);
	expect(refused).toBeGreaterThan(50);
});
