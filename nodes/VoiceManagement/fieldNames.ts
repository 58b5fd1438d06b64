// What the panel calls the fields that the provider names in a message: `Field "zipCode" is missing` is about
// "Postal Code".

import type { INodeProperties } from 'n8n-workflow';
import { plainName } from '../shared/answer/read';

/** The provider's name for a part of the request, and the parameter that it comes from. */
const REQUEST_PARTS: Array<[name: string, parameter: string]> = [
	['regulationAddressId', 'addressId'],
	['proofOfAddress', 'binaryPropertyName'],
	['proofOfAddress', 'proofBinaryPropertyName'],
	['proofOfIdentityDocument', 'identityDocumentBinaryPropertyName'],
];

/**
 * The fields of an operation that a message names.
 * @param properties the operation's parameters
 * @returns label, place and meaning of each: `"City": the city, spelled as …`
 */
export function fieldsNamedIn(properties: INodeProperties[], message: string): string[] {
	const known = new Map<string, string>();
	for (const { property, place } of leaves(properties)) {
		const { displayName, name, description } = property;
		const meaning = description
			? `: ${description.replace(/^[A-Z](?=[a-z])/, lowerCase).replace(/\.$/, '')}`
			: '';
		const names = [
			name,
			...REQUEST_PARTS.filter(([, from]) => from === name).map(([part]) => part),
		];
		for (const each of names) known.set(plainName(each), `"${displayName}"${place}${meaning}`);
	}
	const words = message.match(/[A-Za-z]\w*(?:\.[A-Za-z]\w*)*/g) ?? [];
	// Of `identityDocumentProof.nationality` the last name is the field.
	const fields = words.map((word) => known.get(plainName(word.split('.').at(-1)!)));
	return [...new Set(fields.filter((field) => field !== undefined))];
}

/** The fields that a person fills in, with the collection that they are in. */
function* leaves(
	properties: INodeProperties[],
	place = '',
): Generator<{ property: INodeProperties; place: string }> {
	for (const property of properties) {
		const { type, displayName, options = [], typeOptions } = property;
		if (type === 'collection') {
			yield* leaves(options as INodeProperties[], ` (under "${displayName}")`);
			continue;
		}
		if (type === 'notice') continue;
		yield { property, place };
		if (type === 'fixedCollection' && !typeOptions?.multipleValues) {
			for (const group of options) {
				if ('values' in group) yield* leaves(group.values, ` of "${displayName}"`);
			}
		}
	}
}

const lowerCase = (letter: string) => letter.toLowerCase();
