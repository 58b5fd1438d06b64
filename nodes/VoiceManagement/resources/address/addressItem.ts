// An address as an item: its identifier under the name that the next node expects, and the short form of "Simplify".

import type { IDataObject } from 'n8n-workflow';
import { toText } from '../../input/values';
import { idsAsText, withKnown } from '../../identifiers';
import type { OperationContext } from '../../operation';
import { ADDRESS, identifierOf } from '../../../shared/answer/identifiers';
import { isOn } from '../../../shared/settingValues';
import { fieldOf } from '../../../shared/answer/read';
import { inDocumentNames } from '../../documentNames';
import type { ListShape } from '../../../shared/answer/lists';

/** The form of addresses in the response. */
export const ADDRESS_LIST: ListShape = {
	names: ['regulationAddresses', 'addresses'],
	thing: ADDRESS,
};

/** The provider's response with `addressId` in front, whatever the provider calls it. */
function addressItem(response: IDataObject): IDataObject {
	const addressId = identifierOf(response, ADDRESS);
	return idsAsText(addressId === undefined ? response : withKnown({ addressId }, response));
}

/** An address in the form that the item asks for. */
export function readAddressItem(context: OperationContext, address: IDataObject): IDataObject {
	const item = addressItem(inDocumentNames(address));
	return isOn('Simplify', context.parameter('simplify') ?? false) ? simplifiedAddress(item) : item;
}

/** Ten fields of an address: identifier, state, owner and place. A field that the provider does not send is null. */
function simplifiedAddress(address: IDataObject): IDataObject {
	const field = (name: string) => fieldOf(address, name) ?? null;
	const joined = (...names: string[]) =>
		names
			.map((name) => toText(fieldOf(address, name)))
			.filter((part) => part !== '')
			.join(' ') || null;
	return {
		addressId: identifierOf(address, ADDRESS) ?? null,
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
