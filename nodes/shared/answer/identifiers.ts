// Finds the identifier of a thing in a response (provider.md#names): in the thing itself, or in what wraps it.

import { isRecord } from '../ids';
import { echo, fieldOf, layersOf, plainName, unpacked, type Echo, type Fields } from './read';

/** What a response is about. */
export interface IdSubject {
	/** Its identifiers, the documented one first. */
	ids: readonly string[];
	/** The fields that contain the thing itself. */
	names: readonly string[];
}

export const ADDRESS: IdSubject = {
	ids: ['addressId', 'regulationAddressId', 'id'],
	names: ['address', 'regulationAddress', 'regulationAddresses'],
};
export const CART: IdSubject = { ids: ['cartIdentifier', 'cartId', 'id'], names: ['cart'] };

/** The identifier among an object's own fields. */
export function ownIdentifier(record: Fields, { ids }: IdSubject): Echo | undefined {
	return ids.map((name) => echo(fieldOf(record, name))).find((id) => id !== undefined);
}

/**
 * The identifier of a thing in a response, in the form in which it was received. The documented name comes
 * first, and the thing itself before what wraps it: the `id` of a response may be that of the request.
 */
export function identifierOf(data: unknown, thing: IdSubject): Echo | undefined {
	const layers = layersOf(data);
	const within = layers.map((layer) => unpacked(fieldOf(layer, ...thing.names))).filter(isRecord);
	const records = [...within, ...layers.reverse()];
	return thing.ids
		.flatMap((name) => records.map((record) => echo(fieldOf(record, name))))
		.find((id) => id !== undefined);
}

/**
 * The identifier in the response to a create request: under its name, or at the end of the `location` of the new thing.
 * @param header the location in the response's header
 */
export function createdId(data: unknown, thing: IdSubject, header?: string): Echo | undefined {
	const [location = header] = layersOf(data).map((layer) => fieldOf(layer, 'location'));
	return identifierOf(data, thing) ?? idInLink(location, thing);
}

/** Of `…/address/7`; not of a link that leads to anything else. */
function idInLink(link: unknown, { names }: IdSubject): string | undefined {
	if (typeof link !== 'string' || link.length > 2_000) return undefined;
	const segments = link.split(/[?#]/, 1).join('').split('/').filter(Boolean);
	const [collection = '', segment] = segments.slice(-2);
	if (!names.some((name) => plainName(collection).startsWith(plainName(name)))) return undefined;
	try {
		return segment === undefined ? undefined : decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
