// From an empty form to a linked number, by somebody who knows nothing but what the node's errors name: each message
// has to name all that is missing, as the panel calls it.

import type { IDataObject } from 'n8n-workflow';
import { startProvider, type Provider } from '../../../simulator';
import { nth, present } from '../../support/present';
import { IDENTITY_DOCUMENT } from './forms';
import { credentialsFor, runNode } from './harness';

let provider: Provider;

beforeEach(async () => {
	provider = await startProvider();
});

afterEach(async () => await provider.close());

const places = {
	FRA: { group: 6001, city: 'Paris', zipCode: '75001' },
	BEL: { group: 6003, city: 'Liège', zipCode: '4000' },
	CHE: { group: 6007, city: 'Genève', zipCode: '1201' },
};

/** What the person enters when an error names a field. */
const answersFor = (country: keyof typeof places): Record<string, IDataObject> => ({
	Country: { countryCodeA3: country },
	City: { city: places[country].city },
	'Postal Code': { zipCode: places[country].zipCode },
	'Street Name': { streetName: 'Rue Exemple' },
	'Building Number': { buildingNumber: '12' },
	'Company Name': { companyName: 'Exemple SA' },
	'First Name': { firstName: 'Ada' },
	'Last Name': { lastName: 'Exemple' },
	'Identity Document': { additionalFields: { identityDocumentProof: IDENTITY_DOCUMENT } },
});

/** Runs an operation until it succeeds, and fills in what each error names. */
async function persist(parameters: IDataObject, answers: Record<string, IDataObject>) {
	const errors: string[] = [];
	for (;;) {
		const outcome = await runNode({ credentials: credentialsFor(provider), parameters }).catch(
			(error: Error & { description?: string }) => `${error.message}. ${error.description ?? ''}`,
		);
		if (typeof outcome !== 'string') return { item: nth(outcome.items, 0).json, errors };
		errors.push(outcome);
		const named = Object.keys(answers).filter((label) => outcome.includes(`"${label}"`));
		const before = JSON.stringify(parameters);
		for (const label of named) Object.assign(parameters, answers[label]);
		// An error that names nothing new leads nowhere.
		if (JSON.stringify(parameters) === before) throw new Error(outcome);
	}
}

const create = { resource: 'address', operation: 'create' };

test.each([
	['FRA', 'COMPANY'],
	['FRA', 'MS'],
	['BEL', 'COMPANY'],
	['CHE', 'MR'],
] as const)('an address in %s for %s takes one error', async (country, salutation) => {
	const { item, errors } = await persist({ ...create, salutation }, answersFor(country));
	expect(errors).toHaveLength(1);
	expect(item).toEqual({ addressId: expect.stringMatching(/^\d+$/) });
	const [address] = provider.control.numbers().addresses;
	expect(address).toMatchObject({
		countryCodeA3: country,
		// Nothing was said about it: the numbers are of the address's own country.
		destinationCountryCodeA3: country,
	});
});

test('whoever overlooks the identity document gets it named as the panel calls it', async () => {
	const { 'Identity Document': whole, ...others } = answersFor('FRA');
	const form: IDataObject = { ...create };
	for (const answer of Object.values(others)) Object.assign(form, answer);
	const { errors } = await persist(form, { 'Identity Document': present(whole) });
	expect(errors).toEqual([
		expect.stringMatching(
			/^Field "identityDocumentProof" is missing\. REGULATION, code 500, HTTP 400\. Fill in "Identity Document" \(under "Additional Fields"\)/,
		),
	]);
	expect(errors[0]).not.toContain('Custom Fields');
});

test('from an empty form to a linked number in at most three errors', async () => {
	const created = await persist({ ...create }, answersFor('FRA'));
	const addressId = String(created.item.addressId);
	const didIds = provider.control
		.numbers()
		.dids.filter((did) => did.didGroupId === places.FRA.group)
		.map(({ didId }) => didId)
		.slice(0, 1)
		.join();
	const link = { resource: 'address', operation: 'link', addressId };
	const errors = [...created.errors];
	const { errors: linking } = await persist(link, {
		'DID IDs': { didIds },
		// The name of another operation: the person runs it, and comes back.
		'Request Verification': { operation: 'requestVerification' },
	});
	errors.push(...linking);
	provider.control.reviewAddress(addressId, 'VERIFIED');
	const { item, errors: again } = await persist({ ...link, operation: 'link', didIds }, {});
	errors.push(...again);
	expect(item).toMatchObject({
		addressId,
		didIds: [didIds],
		status: 'NUMBERS_LINKED_AND_UNBLOCKED',
	});
	expect(errors.length).toBeLessThanOrEqual(3);
});

test('an address is validated for its own country unless another is chosen', async () => {
	const { item } = await persist({ ...create }, answersFor('BEL'));
	const validate = { resource: 'address', operation: 'validate', addressId: item.addressId };
	provider.control.reviewAddress(item.addressId as string, 'VERIFIED');
	expect((await persist({ ...validate }, {})).item).toMatchObject({ isValid: true });
	expect((await persist({ ...validate, destinationCountryCodeA3: 'FRA' }, {})).item).toMatchObject({
		isValid: false,
		reasons: [{ code: '505' }],
	});
});
