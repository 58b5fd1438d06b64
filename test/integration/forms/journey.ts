// Everything that the action node does at an operator, summarised so that two operators can be compared.

import type { IDataObject } from 'n8n-workflow';
import type { Operator } from '../../../simulator';
import { companyForm } from '../VoiceManagement/forms';
import {
	apiCredentialsFor,
	credentialsFor,
	credentialTest,
	runNode,
	type Credentials,
} from '../VoiceManagement/harness';
import { nth, present } from '../../support/present';

/** The JSON of the items that the node outputs. Rejects with the message that the user would read. */
export async function run(
	operator: Operator,
	parameters: IDataObject,
	credentials: Credentials = credentialsFor(operator),
): Promise<IDataObject[]> {
	const { items } = await runNode({ credentials, parameters });
	return items.map(({ json }) => json);
}

/** The identifier in an item, whatever the operator calls it. */
export const idIn = (item: IDataObject): string =>
	String(item.addressId ?? item.regulationAddressId ?? item.cartIdentifier ?? item.id);

export const address = (operation: string, more: IDataObject = {}): IDataObject => ({
	resource: 'address',
	operation,
	...more,
});

/** Creates an address and returns its identifier as text. */
export const create = async (operator: Operator) => idIn(nth(await run(operator, companyForm), 0));

/** The customer's numbers in a group of Belgium. */
export const belgianDids = (operator: Operator) =>
	operator.control
		.numbers()
		.dids.filter((did) => did.didGroupId === 6003)
		.slice(0, 2)
		.map(({ didId }) => didId);

/** What a user gets from each operation: the essential values, without names and types that are the operator's own. */
export async function journey(operator: Operator) {
	const addressId = await create(operator);
	const listed = await run(operator, address('getAll', { returnAll: true }));
	const got = nth(await run(operator, address('get', { addressId: by(addressId) })), 0);
	const check = { didType: 'GEOGRAPHIC', destinationCountryCodeA3: 'BEL' };
	const validation = nth(
		await run(operator, address('validate', { addressId: by(addressId), ...check })),
		0,
	);
	await run(operator, address('requestVerification', { addressId: by(addressId) }));
	const stored = nth(operator.control.numbers().addresses, 0);
	operator.control.reviewAddress(stored.addressId, 'VERIFIED');
	const didIds = belgianDids(operator).join(',');
	await run(operator, address('link', { addressId: by(addressId), didIds }));
	const linked = operator.control.numbers().dids.filter((did) => did.addressId !== null).length;
	await run(operator, address('unlink', { didIds }));
	const [deleted] = await run(operator, address('delete', { addressId: by(addressId) }));
	const zipCodes = await run(operator, {
		resource: 'zipcode',
		operation: 'getAll',
		countryCodeA3: 'BEL',
		returnAll: true,
	});
	const cart = nth(await run(operator, { resource: 'cart', operation: 'create' }), 0);
	const cartIdentifier = idIn(cart);
	await run(operator, {
		resource: 'cart',
		operation: 'addProduct',
		cartIdentifier,
		productType: 'didCartItem',
		didGroupId: '6003',
		quantity: 1,
	});
	await run(operator, {
		resource: 'cart',
		operation: 'checkout',
		cartIdentifier,
		confirmPurchase: true,
	});
	return {
		...(await logins(operator)),
		listed: listed.map((item) => [idIn(item) === addressId, item.city]),
		got: [idIn(got) === addressId, got.city],
		valid: validation.isValid,
		linked,
		deleted,
		zipCodes: [zipCodes.length, new Set(zipCodes.map(({ zipCode }) => zipCode)).size],
		orders: operator.control.numbers().orders.length,
	};
}

/** The part of it that depends on the two logins. */
async function logins(operator: Operator) {
	const info = nth(await run(operator, { resource: 'session', operation: 'getInfo' }), 0);
	const token = nth(
		await run(
			operator,
			{ resource: 'session', operation: 'createToken' },
			apiCredentialsFor(operator),
		),
		0,
	);
	return {
		agents: (info.ops as unknown[]).length,
		target: String(info.target),
		hasToken: typeof token.id_session !== 'undefined',
	};
}

export const by = (value: string): IDataObject => ({ __rl: true, mode: 'id', value });

/** Everything that n8n shows of the error. */
async function told(
	operator: Operator,
	parameters: object,
	credentials = credentialsFor(operator),
) {
	try {
		await runNode({ credentials, parameters: parameters as never });
	} catch (error) {
		const { message, description } = error as { message: string; description?: string };
		return `${message} ${description ?? ''}`;
	}
	throw new Error('The node took a failure for a success');
}

/** Every operation rejected, each with the operator's own reason. */
export async function failuresTold(operator: Operator) {
	const addressId = by('1');
	expect(await told(operator, address('get', { addressId }))).toMatch(/not owned by this account/);
	expect(await told(operator, address('link', { addressId, didIds: '900001' }))).toMatch(
		/not owned/,
	);
	expect(await told(operator, address('unlink', { didIds: '1' }))).toMatch(/DID id 1 is invalid/);
	expect(await told(operator, address('delete', { addressId }))).toMatch(/not owned/);
	expect(await told(operator, address('requestVerification', { addressId }))).toMatch(/not owned/);
	const cart = { resource: 'cart', cartIdentifier: '1' };
	const product = { productType: 'creditPackageCartItem', creditPackageId: '1', quantity: 1 };
	expect(await told(operator, { ...cart, operation: 'addProduct', ...product })).toMatch(
		/cart identifier is invalid/i,
	);
	const checkout = { ...cart, operation: 'checkout', confirmPurchase: true };
	expect(await told(operator, checkout)).toMatch(/cart identifier is invalid/i);
	const wrong = credentialsFor(operator);
	present(wrong.voiceManagementSupervisorApi).password = 'wrong';
	const getInfo = { resource: 'session', operation: 'getInfo' };
	expect(await told(operator, getInfo, wrong)).toMatch(/Login or password is wrong/);
	const createToken = { resource: 'session', operation: 'createToken' };
	const elsewhere = apiCredentialsFor(operator);
	present(elsewhere.voiceManagementApi).ip = '192.0.2.1';
	expect(await told(operator, createToken, elsewhere)).toMatch(/192\.0\.2\.1|127\.0\.0\.1/);
}

/** The result of "Test" of a credential: with this login, and with another password. */
const bothTests = async (kind: 'api' | 'supervisor', data: object) => [
	(await credentialTest[kind](data)).status,
	(await credentialTest[kind]({ ...data, password: 'wrong' })).status,
];

/** "Test" passes with each login's right password, and fails with a wrong one. */
export async function greenAndRed(operator: Operator) {
	const supervisor = {
		...credentialsFor(operator).voiceManagementSupervisorApi,
		accountTypeKey: 'auto',
	};
	const numbers = credentialsFor(operator).voiceManagementApi;
	const account = apiCredentialsFor(operator).voiceManagementApi;
	expect({
		numbers: await bothTests('api', numbers),
		account: await bothTests('api', account),
		supervisor: await bothTests('supervisor', supervisor),
	}).toEqual({
		numbers: ['OK', 'Error'],
		account: ['OK', 'Error'],
		supervisor: ['OK', 'Error'],
	});
}

/** The words of a text, which may have several lines. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
