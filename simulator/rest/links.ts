// Linking numbers to an address, and unlinking them.

import { regulation, common } from './errors';
import { onlyKeys, positiveInteger, readJson, type ReceivedBody } from './body';
import { ownAddress } from './addresses';
import type { RestOperation } from './operation';
import { readQuery } from './paging';
import type { Did, NumberState } from './state';

/** The DIDs of `{"didIds":[…]}`. Errors: 16 missing, 516 unknown id, 21 twice. */
function readDids(state: NumberState, body: ReceivedBody): Did[] {
	const request = readJson(body);
	onlyKeys(request, ['didIds']);
	const { didIds } = request;
	if (!Array.isArray(didIds) || didIds.length === 0) {
		throw common(16, 'Required element "didIds" is missing or empty');
	}
	const dids = didIds.map((value: unknown) => {
		const invalid = regulation(516, `DID id ${JSON.stringify(value)} is invalid`);
		const did = state.dids.get(positiveInteger(value, invalid));
		if (!did) throw invalid;
		return did;
	});
	if (new Set(dids).size < dids.length) throw common(21, 'Duplicate element in "didIds"');
	return dids;
}

const link: RestOperation = {
	method: 'POST',
	path: '/regulation/address/:id/link',
	run({ state, id, query, body }) {
		readQuery(query, []);
		const address = ownAddress(state, id);
		const dids = readDids(state, body);
		const group = state.group(dids[0]!.didGroupId)!;
		if (dids.some((did) => did.didGroupId !== group.didGroupId)) {
			throw regulation(513, 'All DIDs must be of one DID group');
		}
		if (!group.needsAddress) throw regulation(520, 'These DIDs need no verification');
		if (dids.some((did) => did.addressId !== null)) {
			throw regulation(514, 'A DID is already linked to an address');
		}
		if (group.didType !== address.didType) {
			throw regulation(
				503,
				`The address is for ${address.didType} numbers, these are ${group.didType}`,
			);
		}
		if (group.countryCodeA3 !== address.destinationCountryCodeA3) {
			throw regulation(
				505,
				`The address is for numbers of ${address.destinationCountryCodeA3}, these are of ${group.countryCodeA3}`,
			);
		}
		if (address.status === 'REJECTED')
			throw regulation(515, 'The proof of this address was rejected');
		if (address.status === 'NOT_VERIFIED') {
			throw regulation(517, 'The verification of this address was never requested');
		}
		const pending = address.status === 'VERIFICATION_REQUESTED';
		for (const did of dids) {
			did.addressId = address.addressId;
			did.blocked = pending;
		}
		return {
			status: pending
				? 'NUMBERS_LINKED_PENDING_ADDRESS_VALIDATION'
				: 'NUMBERS_LINKED_AND_UNBLOCKED',
		};
	},
};

const unlink: RestOperation = {
	method: 'POST',
	path: '/regulation/address/unlink',
	run({ state, query, body }) {
		readQuery(query, []);
		const dids = readDids(state, body);
		const free = dids.find((did) => did.addressId === null);
		if (free) throw regulation(516, `DID ${free.didId} is not linked to an address`);
		for (const did of dids) {
			did.addressId = null;
			did.blocked = true;
		}
		return { status: 'NUMBERS_UNLINKED_AND_BLOCKED' };
	},
};

export const linkOperations: readonly RestOperation[] = [link, unlink];
