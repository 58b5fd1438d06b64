// The body of Link and Unlink: the numbers.

import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../../shared/errors';
import { withCustomFields } from '../../input/customFields';
import { quoted, toDidIds } from '../../input/values';
import type { OperationContext } from '../../operation';

/**
 * Reads the item's DID identifiers.
 * @returns the body to send, and a sentence if one of the values does not look like an identifier
 * @throws InputError if there is none
 */
export function readDidIds(context: OperationContext): { body: IDataObject; hints: string[] } {
	const { body, custom } = withCustomFields(context, {
		didIds: toDidIds(context.parameter('didIds')),
	});
	if (Object.hasOwn(custom, 'didIds') || !Array.isArray(body.didIds)) return { body, hints: [] };
	const didIds: unknown[] = body.didIds;
	if (didIds.length === 0) {
		throw new InputError('"DID IDs" is empty', 'Enter at least one DID identifier.');
	}
	const odd = didIds.find((id) => !/^\d+$/.test(String(id)));
	const hints =
		odd === undefined
			? []
			: [
					`"DID IDs" contains ${quoted(odd)}: providers usually expect their own identifiers of the numbers, for example 900001, not the phone numbers.`,
				];
	return { body, hints };
}

/** The identifiers of a body, of which a custom field may have made anything. */
export const asArray = (didIds: unknown): unknown[] => (Array.isArray(didIds) ? didIds : []);
