// An address as an item: its identifier under the name that the next node expects, and the short form of "Simplify".

import type { IDataObject } from 'n8n-workflow';
import { toText } from '../../input/values';
import type { OperationContext } from '../../operation';
import {
	ADDRESS_IDS,
	fieldOf,
	identifierOf,
	inDocumentNames,
	type ListShape,
} from '../../../shared/shapes';

/** The form of addresses in the response. */
export const ADDRESS_LIST: ListShape = {
	names: ['regulationAddresses', 'addresses'],
	ids: ADDRESS_IDS,
};

export const ADDRESS_CONTAINERS = ['address', 'regulationAddress'];

/** The operator's response with `addressId` in front, whatever the operator calls it. */
function addressItem(response: IDataObject): IDataObject {
	const addressId = identifierOf(response, ADDRESS_IDS, ADDRESS_CONTAINERS);
	return addressId === undefined ? response : { addressId, ...response };
}

/** An address in the form that the item asks for. */
export function readAddressItem(context: OperationContext, address: IDataObject): IDataObject {
	const item = addressItem(inDocumentNames(address));
	return context.parameter('simplify') === true ? simplifiedAddress(item) : item;
}

/** Ten fields of an address: identifier, state, owner and place. A field that the operator does not send is null. */
function simplifiedAddress(address: IDataObject): IDataObject {
	const field = (name: string) => fieldOf(address, name) ?? null;
	const joined = (...names: string[]) =>
		names
			.map((name) => toText(fieldOf(address, name)))
			.filter((part) => part !== '')
			.join(' ') || null;
	return {
		addressId: identifierOf(address, ADDRESS_IDS, ADDRESS_CONTAINERS) ?? null,
		status: field('status'),
		linked: field('linked'),
		name: joined('companyName') ?? joined('firstName', 'lastName'),
		street: joined('buildingNumber', 'buildingLetter', 'streetName'),
		zipCode: field('zipCode'),
		city: field('city'),
		countryCodeA3: field('countryCodeA3'),
		customerReference: field('customerReference'),
		rejectionReasons: field('rejectionReasons'),
	};
}
