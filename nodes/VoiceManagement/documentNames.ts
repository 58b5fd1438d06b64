// The fields of a response under the names of the documents, so that items look the same whatever the provider's spelling.

import type { IDataObject } from 'n8n-workflow';
import { isObject, plainName } from '../shared/answer/read';

/** The names of the fields that number management reads (provider.md#answers). */
const DOCUMENT_NAMES = new Map(
	`addressId linked status salutation companyName companyDescription firstName lastName countryCodeA3 city zipCode streetName
	buildingNumber buildingLetter customerReference phoneNumber extraFields rejectionReasons cityName areaCode isValid reasons
	cartIdentifier description dateAdded orderProducts productCheckoutList productType orderReference message`
		.split(/\s+/)
		.map((name) => [plainName(name), name]),
);

/** An object with its fields, and those of the objects in its lists, under their documented names. */
export function inDocumentNames(record: IDataObject, depth = 0): IDataObject {
	if (depth > 3) return record;
	const fields = Object.entries(record).map(([key, value]): [string, unknown] => {
		const name = DOCUMENT_NAMES.get(plainName(key));
		const list = Array.isArray(value)
			? value.map((entry: unknown) => (isObject(entry) ? inDocumentNames(entry, depth + 1) : entry))
			: value;
		return [name === undefined || Object.hasOwn(record, name) ? key : name, list];
	});
	return Object.fromEntries(fields) as IDataObject;
}
