import type { IDataObject } from 'n8n-workflow';
import { addressIdField, destinationCountryField, didTypeField } from '../../fields/common';
import { toId } from '../../input/values';
import { fieldOf, inDocumentNames, layersOf } from '../../../shared/shapes';
import type { Operation } from '../../operation';
import { path } from '../../transport/path';

export const validate: Operation = {
	value: 'validate',
	name: 'Validate',
	action: 'Validate address for numbers',
	description:
		'Check whether numbers of a type and country can be activated with an address. This changes nothing.',
	credential: 'voiceManagementApi',
	endpoint: 'GET /vbapi/v1/regulation/address/<regulationAddressId>/validation',
	output: '`isValid`; if it is false, `reasons` with `code` and `message`',
	fields: [addressIdField, didTypeField, destinationCountryField],
	async run(context) {
		const id = toId(context.locatorValue('addressId'), 'Address');
		const response = await context.client.send({
			method: 'GET',
			path: path`/vbapi/v1/regulation/address/${id}/validation`,
			query: {
				didType: toId(context.parameter('didType'), 'DID Type'),
				destinationCountryCodeA3: toId(
					context.parameter('destinationCountryCodeA3'),
					'Destination Country',
				),
			},
			effect: 'read',
		});
		// Operators wrap their responses: the item is the object that contains the result.
		const validityOf = (layer: Record<string, unknown>) =>
			fieldOf(layer, 'isValid', 'valid', 'validity', 'valide');
		const result = layersOf(response).find((layer) => validityOf(layer) !== undefined);
		if (!result) return response;
		const { isValid: _asGiven, ...item } = inDocumentNames(result as IDataObject);
		return { isValid: flagOf(validityOf(result)), ...item };
	},
};

/** XML has no booleans, and an If node would treat "false" as text as true. */
function flagOf(value: unknown): IDataObject[string] {
	const word = String(value).trim().toLowerCase();
	if (['true', 'yes', 'y', 'oui', 'o', '1', 'valid'].includes(word)) return true;
	if (['false', 'no', 'n', 'non', '0', 'invalid'].includes(word)) return false;
	return value as IDataObject[string];
}
