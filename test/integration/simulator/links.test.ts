// Linking numbers to addresses, and unlinking them.

import type { AxiosInstance } from 'axios';
import { startOperator, type Operator } from '../../../simulator';
import { createAddress, errorOf, filePart, restClient } from './helpers';
import { firstOf, nth } from '../../support/present';

let operator: Operator;
let rest: AxiosInstance;
let address: number;
beforeEach(async () => {
	operator = await startOperator();
	rest = restClient(operator);
	address = await createAddress(rest, {}, filePart());
});
afterEach(() => operator.close());

const dids = (group: number) =>
	operator.control
		.numbers()
		.dids.filter(({ didGroupId }) => didGroupId === group)
		.map(({ didId }) => didId);
const did = (id: number) => operator.control.numbers().dids.find(({ didId }) => didId === id)!;
const link = (didIds: unknown, id = address) =>
	rest.post(`/regulation/address/${id}/link`, { didIds });
const unlink = (didIds: unknown) => rest.post('/regulation/address/unlink', { didIds });

it('links and unblocks numbers of a verified address, unlinks and blocks them again', async () => {
	operator.control.reviewAddress(address, 'VERIFIED');
	const [one, two] = firstOf(dids(6001), 2);
	expect(did(one)).toMatchObject({ addressId: null, blocked: true });
	expect((await link([one, String(two)])).data).toEqual({ status: 'NUMBERS_LINKED_AND_UNBLOCKED' });
	expect([did(one), did(two)]).toMatchObject([
		{ addressId: address, blocked: false },
		{ addressId: address, blocked: false },
	]);
	expect(errorOf(await rest.delete(`/regulation/address/${address}`))).toBe('REGULATION 508');
	expect((await unlink([one, two])).data).toEqual({ status: 'NUMBERS_UNLINKED_AND_BLOCKED' });
	expect(did(one)).toMatchObject({ addressId: null, blocked: true });
	expect((await rest.delete(`/regulation/address/${address}`)).status).toBe(200);
});

it('links to an address under verification: the numbers stay blocked until it is verified', async () => {
	const one = nth(dids(6001), 0);
	expect((await link([one])).data).toEqual({ status: 'NUMBERS_LINKED_PENDING_ADDRESS_VALIDATION' });
	expect(did(one).blocked).toBe(true);
	operator.control.reviewAddress(address, 'VERIFIED');
	expect(did(one).blocked).toBe(false);
});

it('keeps numbers blocked if their address is rejected', async () => {
	const one = nth(dids(6001), 0);
	await link([one]);
	operator.control.reviewAddress(address, 'REJECTED', ['x']);
	expect(did(one)).toMatchObject({ addressId: address, blocked: true });
});

it.each([
	['no list', undefined, 'COMMON 16'],
	['an empty list', [], 'COMMON 16'],
	['text', '900001', 'COMMON 16'],
	['an unknown id', [1], 'REGULATION 516'],
	['no id at all', [null], 'REGULATION 516'],
	['a phone number', ['+33199010000'], 'REGULATION 516'],
	['half an id', [900001.5], 'REGULATION 516'],
	['the same id twice', [900001, '900001'], 'COMMON 21'],
	['numbers of two groups', [900001, 900011], 'REGULATION 513'],
	['numbers of another type', [900011], 'REGULATION 503'],
	['numbers of another country', [900021], 'REGULATION 505'],
	['numbers that need no address', [900031], 'REGULATION 520'],
])('rejects a link of %s', async (_what, didIds, error) => {
	expect(errorOf(await link(didIds))).toBe(error);
});

it('rejects numbers that are linked already, to this or to another address', async () => {
	const [one, two] = firstOf(dids(6001), 2);
	await link([one]);
	expect(errorOf(await link([two, one]))).toBe('REGULATION 514');
	const other = await createAddress(rest, {}, filePart());
	expect(errorOf(await link([one], other))).toBe('REGULATION 514');
	expect(did(two).addressId).toBeNull();
});

it('rejects addresses that are not verified, rejected or not owned', async () => {
	const bare = await createAddress(rest);
	expect(errorOf(await link(dids(6001), bare))).toBe('REGULATION 517');
	operator.control.reviewAddress(address, 'REJECTED', ['x']);
	expect(errorOf(await link(dids(6001)))).toBe('REGULATION 515');
	expect(errorOf(await link(dids(6001), 1))).toBe('REGULATION 507');
});

it('rejects unlinking numbers that are not linked or unknown, and an empty list', async () => {
	expect(errorOf(await unlink([dids(6001)[0]]))).toBe('REGULATION 516');
	expect(errorOf(await unlink([1]))).toBe('REGULATION 516');
	expect(errorOf(await unlink([]))).toBe('COMMON 16');
	expect(errorOf(await rest.post('/regulation/address/unlink', { ids: [1] }))).toBe('COMMON 21');
});
