// Regulatory addresses: the create form of each country, the life cycle of an address, lists, validation.

import type { AxiosInstance } from 'axios';
import { startOperator, type Operator } from '../../../simulator';
import {
	createAddress,
	errorOf,
	filePart,
	formPart,
	parisForm,
	putAddress,
	putProof,
	restClient,
} from './helpers';
import { nth } from '../../support/present';

let operator: Operator;
let rest: AxiosInstance;
beforeEach(async () => {
	operator = await startOperator();
	rest = restClient(operator);
});
afterEach(() => operator.close());

const statusOf = async (id: number) => {
	const response = await rest.get(`/regulation/address/${id}`);
	return nth(
		(response.data as { regulationAddresses: { status: string }[] }).regulationAddresses,
		0,
	).status;
};
const list = (query: Record<string, unknown> = {}) =>
	rest.get('/regulation/address', { params: { pageNumber: 0, pageSize: 5000, ...query } });

describe('the create form', () => {
	const tryForm = async (changes: object) =>
		putAddress(rest, formPart({ ...parisForm, ...changes }));
	const person = { salutation: 'MR', companyName: null, firstName: 'Jean', lastName: 'Exemple' };
	const italy = {
		countryCodeA3: 'ITA',
		destinationCountryCodeA3: 'ITA',
		city: 'Roma',
		zipCode: '00100',
	};

	it.each([
		['a company', {}],
		['a person', person],
		['numbers as text', { zipCode: '75020', buildingNumber: '7' }],
		[
			'every optional field',
			{
				companyDescription: 'Examples',
				buildingLetter: 'B',
				customerReference: 'x'.repeat(255),
				phoneNumber: '+33199000000',
			},
		],
		[
			'another destination if numbers are not geographic',
			{
				didType: 'NATIONAL',
				destinationCountryCodeA3: 'BEL',
				identityDocumentProof: undefined,
			},
		],
		['a country that enforces no postal codes', { ...italy, zipCode: 'anything' }],
		[
			'extra fields that the country knows',
			{ ...italy, extraFields: { 'Fiscal Code': 'RSSMRA80A01H501U' } },
		],
		['null for empty fields', { companyDescription: null, extraFields: null }],
	])('takes %s', async (_what, changes) => {
		const response = await tryForm(changes);
		expect(response.status).toBe(200);
		expect(response.data).toEqual({ addressId: expect.any(Number) });
	});

	it.each([
		['salutation missing', { salutation: undefined }, 'REGULATION 500'],
		['salutation unknown', { salutation: 'DR' }, 'COMMON 14'],
		['company without a name', { companyName: undefined }, 'REGULATION 500'],
		['company with an empty name', { companyName: '' }, 'REGULATION 500'],
		['person without a first name', { ...person, firstName: undefined }, 'REGULATION 500'],
		['person without a last name', { ...person, salutation: 'MS', lastName: '' }, 'REGULATION 500'],
		...[
			'countryCodeA3',
			'city',
			'zipCode',
			'streetName',
			'buildingNumber',
			'didType',
			'destinationCountryCodeA3',
		].map((name): [string, object, string] => [
			`${name} missing`,
			{ [name]: undefined },
			'REGULATION 500',
		]),
		['text too long', { streetName: 'x'.repeat(256) }, 'REGULATION 501'],
		['a reference too long', { customerReference: 'x'.repeat(256) }, 'REGULATION 501'],
		['a number instead of text', { buildingNumber: 12 }, 'REGULATION 503'],
		['a country of two letters', { countryCodeA3: 'FR' }, 'COMMON 14'],
		['a country in lower case', { destinationCountryCodeA3: 'fra' }, 'COMMON 14'],
		['a country that does not exist', { countryCodeA3: 'XXX' }, 'COMMON 14'],
		['a DID type that does not exist', { didType: 'LOCAL' }, 'COMMON 14'],
		[
			'a geographic number in another country',
			{ destinationCountryCodeA3: 'BEL' },
			'REGULATION 505',
		],
		['a phone number without +', { phoneNumber: '0033199000000' }, 'REGULATION 521'],
		['a phone number too short', { phoneNumber: '+12345678' }, 'REGULATION 521'],
		['a phone number too long', { phoneNumber: '+1234567890123456' }, 'REGULATION 521'],
		['a postal code that is not accepted', { zipCode: '75999' }, 'REGULATION 503'],
		['a city that is not the postal code’s', { city: 'Lyon' }, 'REGULATION 503'],
		[
			'an extra field that the country does not have',
			{ extraFields: { 'Municipality Code': '1234' } },
			'REGULATION 502',
		],
		[
			'a property that every object has as extra field',
			{ extraFields: { constructor: 'x' } },
			'REGULATION 502',
		],
		[
			'an extra field with a wrong value',
			{ ...italy, extraFields: { 'Fiscal Code': 'x' } },
			'REGULATION 504',
		],
		[
			'an extra field that is not text',
			{ ...italy, extraFields: { 'Fiscal Code': 12345678901 } },
			'REGULATION 504',
		],
		['extra fields in a list', { extraFields: [] }, 'REGULATION 503'],
		['an unknown key', { country: 'FRA' }, 'COMMON 21'],
		['no identity document for France', { identityDocumentProof: undefined }, 'REGULATION 500'],
		[
			'no identity document for Italy',
			{ ...italy, didType: 'NATIONAL', identityDocumentProof: undefined },
			'REGULATION 500',
		],
		[
			'no identity document for South Africa',
			{
				didType: 'MOBILE',
				destinationCountryCodeA3: 'ZAF',
				identityDocumentProof: undefined,
			},
			'REGULATION 500',
		],
	])('refuses %s', async (_what, changes, error) => {
		const response = await tryForm(changes);
		expect(response.status).toBe(400);
		expect(errorOf(response)).toBe(error);
		expect(operator.control.numbers().addresses).toEqual([]);
	});

	it.each([
		['a field of the document missing', { issuingAuthority: undefined }, 'REGULATION 500'],
		['an unknown key', { birthDate: '2000-01-01' }, 'COMMON 21'],
		['a nationality that does not exist', { nationality: 'French' }, 'COMMON 14'],
		['a date in another form', { issuingDate: '2020-02-29T00:00:00Z' }, 'COMMON 10'],
		['a date without a time', { issuingDate: '2020-02-29' }, 'COMMON 10'],
		['a date that does not exist', { issuingDate: '2021-02-29 00:00:00' }, 'COMMON 19'],
		['a document number that is not text', { identityDocumentNumber: 12 }, 'REGULATION 503'],
		['a document number too long', { identityDocumentNumber: 'x'.repeat(256) }, 'REGULATION 501'],
	])('rejects an identity document with %s', async (_what, changes, error) => {
		const identityDocumentProof = { ...parisForm.identityDocumentProof, ...changes };
		expect(errorOf(await tryForm({ identityDocumentProof }))).toBe(error);
	});
});

describe('the life cycle of an address', () => {
	it('starts without verification, and is verified on request, by a person', async () => {
		const id = await createAddress(rest);
		expect(await statusOf(id)).toBe('NOT_VERIFIED');
		expect((await putProof(rest, id, filePart())).data).toEqual({ status: 'SUCCESS' });
		// A proof that is uploaded later does not start the verification.
		expect(await statusOf(id)).toBe('NOT_VERIFIED');
		expect((await rest.put(`/regulation/address/${id}/verification`)).data).toEqual({
			status: 'SUCCESS',
		});
		expect(await statusOf(id)).toBe('VERIFICATION_REQUESTED');
		operator.control.reviewAddress(id, 'VERIFIED');
		expect(await statusOf(id)).toBe('VERIFIED');
	});

	it('starts the verification by itself if a proof is sent with the form', async () => {
		const id = await createAddress(rest, {}, filePart());
		expect(await statusOf(id)).toBe('VERIFICATION_REQUESTED');
	});

	it('does not accept an identity document as a proof of address', async () => {
		const id = await createAddress(rest, {}, filePart('proofOfIdentityDocument'));
		expect(await statusOf(id)).toBe('NOT_VERIFIED');
	});

	it('requires none for some countries', async () => {
		const id = await createAddress(
			rest,
			{ didType: 'NATIONAL', destinationCountryCodeA3: 'GBR' },
			filePart(),
		);
		expect(await statusOf(id)).toBe('VERIFICATION_NOT_REQUIRED');
		expect(errorOf(await rest.put(`/regulation/address/${id}/verification`))).toBe(
			'REGULATION 520',
		);
	});

	it('rejects a second request, a proof and a deletion while it is pending', async () => {
		const id = await createAddress(rest, {}, filePart());
		expect(errorOf(await rest.put(`/regulation/address/${id}/verification`))).toBe(
			'REGULATION 518',
		);
		expect(errorOf(await putProof(rest, id, filePart()))).toBe('REGULATION 512');
		expect(errorOf(await rest.delete(`/regulation/address/${id}`))).toBe('REGULATION 512');
	});

	it('rejects a request if it is already verified', async () => {
		const id = await createAddress(rest, {}, filePart());
		operator.control.reviewAddress(id, 'VERIFIED');
		expect(errorOf(await rest.put(`/regulation/address/${id}/verification`))).toBe(
			'REGULATION 518',
		);
	});

	it('can be rejected with reasons, and requested again', async () => {
		const id = await createAddress(rest, {}, filePart());
		operator.control.reviewAddress(id, 'REJECTED', ['The proof is older than three months']);
		const { data }: { data: unknown } = await rest.get(`/regulation/address/${id}`);
		expect(data).toMatchObject({
			regulationAddresses: [
				{ status: 'REJECTED', rejectionReasons: ['The proof is older than three months'] },
			],
		});
		expect((await rest.put(`/regulation/address/${id}/verification`)).status).toBe(200);
		expect(await statusOf(id)).toBe('VERIFICATION_REQUESTED');
	});

	it('is reviewed automatically after a time if that is set: verified with a proof, rejected without', async () => {
		operator.control.set({ reviewTime: 1 });
		const proven = await createAddress(rest, {}, filePart());
		const bare = await createAddress(rest);
		await rest.put(`/regulation/address/${bare}/verification`);
		await operator.control.waitFor((control) =>
			control.numbers().addresses.every(({ status }) => status !== 'VERIFICATION_REQUESTED'),
		);
		expect([await statusOf(proven), await statusOf(bare)]).toEqual(['VERIFIED', 'REJECTED']);
	});

	it('ends with its deletion', async () => {
		const id = await createAddress(rest);
		expect((await rest.delete(`/regulation/address/${id}`)).data).toEqual({ status: 'SUCCESS' });
		expect(errorOf(await rest.get(`/regulation/address/${id}`))).toBe('REGULATION 507');
		expect(errorOf(await rest.delete(`/regulation/address/${id}`))).toBe('REGULATION 507');
	});

	it('includes an empty list for an unknown id, if that is set', async () => {
		operator.control.behave({ unknownAddress: 'emptyList' });
		const response = await rest.get('/regulation/address/99');
		expect(response.data).toEqual({ regulationAddresses: [], resultCount: 0 });
	});
});

describe('the response', () => {
	it('has every field, null if a value is absent', async () => {
		const id = await createAddress(rest, { extraFields: null });
		const { data }: { data: unknown } = await rest.get(`/regulation/address/${id}`);
		const {
			identityDocumentProof: _kept,
			didType: _type,
			destinationCountryCodeA3: _destination,
			...shown
		} = parisForm;
		expect(data).toEqual({
			regulationAddresses: [
				{
					addressId: id,
					linked: false,
					status: 'NOT_VERIFIED',
					...shown,
					companyDescription: null,
					firstName: null,
					lastName: null,
					buildingLetter: null,
					customerReference: null,
					extraFields: null,
					rejectionReasons: [],
				},
			],
			resultCount: 1,
		});
	});

	it('writes ids and counts as text if that is set', async () => {
		operator.control.behave({ idsAsText: true });
		const response = await putAddress(rest, formPart(parisForm));
		const { addressId } = response.data as { addressId: string };
		expect(addressId).toMatch(/^\d+$/);
		expect((await list()).data).toMatchObject({
			resultCount: '1',
			regulationAddresses: [{ addressId }],
		});
	});
});

describe('lists', () => {
	it('have an empty first page if there is nothing, and an error for a page past it', async () => {
		expect((await list()).data).toEqual({ regulationAddresses: [], resultCount: 0 });
		expect(errorOf(await list({ pageNumber: 1 }))).toBe('COMMON 13');
	});

	it('are counted from page 0, without a page past the end', async () => {
		const ids: number[] = [];
		for (let index = 0; index < 5; index++) ids.push(await createAddress(rest));
		const pages = await Promise.all(
			[0, 1, 2].map((pageNumber) => list({ pageNumber, pageSize: 2 })),
		);
		const seen = pages.map(({ data }) =>
			(data as { regulationAddresses: { addressId: number }[] }).regulationAddresses.map(
				({ addressId }) => addressId,
			),
		);
		expect(seen).toEqual([[ids[0], ids[1]], [ids[2], ids[3]], [ids[4]]]);
		expect(pages.map(({ data }) => (data as { resultCount: number }).resultCount)).toEqual([
			5, 5, 5,
		]);
		expect(errorOf(await list({ pageNumber: 3, pageSize: 2 }))).toBe('COMMON 13');
		expect(errorOf(await list({ pageNumber: 1, pageSize: 5 }))).toBe('COMMON 13');
	});

	it.each([
		[{ pageNumber: undefined }, 'COMMON 16'],
		[{ pageSize: undefined }, 'COMMON 16'],
		[{ pageSize: '' }, 'COMMON 16'],
		[{ pageNumber: -1 }, 'COMMON 11'],
		[{ pageNumber: '1.5' }, 'COMMON 11'],
		[{ pageNumber: 'x' }, 'COMMON 11'],
		[{ pageSize: 0 }, 'COMMON 12'],
		[{ pageSize: 5001 }, 'COMMON 12'],
		[{ regulationAddressId: 'x' }, 'COMMON 17'],
		[{ status: 'verified' }, 'COMMON 14'],
		[{ countryCodeA3: 'FR' }, 'COMMON 14'],
		[{ linked: 'yes' }, 'COMMON 18'],
		[{ salutation: 'MR' }, 'COMMON 21'],
	])('refuses %j', async (query, error) => {
		expect(errorOf(await list(query))).toBe(error);
	});

	it('can be filtered by every field that the operator knows', async () => {
		const company = await createAddress(rest, { customerReference: 'ref-1', streetName: 'rue A' });
		const person = await createAddress(
			rest,
			{
				salutation: 'MS',
				companyName: null,
				firstName: 'Zoé',
				lastName: 'Exemple',
				city: 'Lyon',
				zipCode: '69001',
				buildingNumber: '5',
				streetName: 'rue B',
			},
			filePart(),
		);
		operator.control.reviewAddress(person, 'VERIFIED');
		const did = nth(operator.control.numbers().dids, 0);
		await rest.post(`/regulation/address/${person}/link`, { didIds: [did.didId] });
		const found = async (query: Record<string, unknown>) =>
			(
				(await list(query)).data as { regulationAddresses: { addressId: number }[] }
			).regulationAddresses.map(({ addressId }) => addressId);
		expect(await found({})).toEqual([company, person]);
		for (const query of [
			{ regulationAddressId: company },
			{ companyName: 'example sarl' },
			{ customerReference: 'ref-1' },
			{ status: 'NOT_VERIFIED' },
			{ linked: false },
			{ city: 'Paris' },
			{ zipCode: '75001' },
			{ streetName: 'rue A' },
			{ buildingNumber: '12bis' },
		]) {
			expect([query, await found(query)]).toEqual([query, [company]]);
		}
		for (const query of [
			{ firstName: 'ZOÉ' },
			{ lastName: 'Exemple' },
			{ status: 'VERIFIED' },
			{ linked: true },
			{ countryCodeA3: 'FRA', city: 'Lyon' },
		]) {
			expect([query, await found(query)]).toEqual([query, [person]]);
		}
		expect(await found({ companyName: 'Example' })).toEqual([]);
		expect(await found({ countryCodeA3: 'BEL' })).toEqual([]);
	});
});

describe('validation', () => {
	const validate = (id: number | string, query: object = {}) =>
		rest.get(`/regulation/address/${id}/validation`, {
			params: { didType: 'GEOGRAPHIC', destinationCountryCodeA3: 'FRA', ...query },
		});

	it('explains why an address cannot activate numbers', async () => {
		const id = await createAddress(rest);
		const reasons = async (query: object = {}) => {
			const { isValid, reasons: given } = (await validate(id, query)).data as {
				isValid: boolean;
				reasons: { code: string; message: string }[];
			};
			expect(isValid).toBe(given.length === 0);
			return given.map(({ code }) => code);
		};
		expect(await reasons()).toEqual(['517']);
		expect(await reasons({ destinationCountryCodeA3: 'BEL' })).toEqual(['505', '517']);
		await rest.put(`/regulation/address/${id}/verification`);
		expect(await reasons()).toEqual(['512']);
		operator.control.reviewAddress(id, 'REJECTED', ['x']);
		expect(await reasons()).toEqual(['515']);
		operator.control.reviewAddress(id, 'VERIFIED');
		expect(await reasons()).toEqual([]);
		expect(await reasons({ didType: 'NATIONAL', destinationCountryCodeA3: 'GBR' })).toEqual([]);
	});

	it.each([
		[{ didType: undefined }, 'COMMON 16'],
		[{ destinationCountryCodeA3: undefined }, 'COMMON 16'],
		[{ didType: 'LOCAL' }, 'COMMON 14'],
		[{ destinationCountryCodeA3: 'FR' }, 'COMMON 14'],
		[{ x: 1 }, 'COMMON 21'],
	])('refuses %j', async (query, error) => {
		const id = await createAddress(rest);
		expect(errorOf(await validate(id, query))).toBe(error);
	});

	it('does not find the addresses of others', async () => {
		expect(errorOf(await validate(1))).toBe('REGULATION 507');
	});
});
