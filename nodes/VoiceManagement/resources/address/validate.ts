import type { IDataObject } from 'n8n-workflow';
import { addressIdField, destinationCountryField, didTypeField } from '../../fields/common';
import { toId } from '../../input/values';
import { fieldOf, layersOf } from '../../../shared/shapes';
import type { Operation } from '../../operation';
import { path } from '../../transport/path';

export const validate: Operation = {
	value: 'validate',
	name: 'Validate',
	action: 'Check whether an address is valid for numbers',
	description:
		'Check whether numbers of a type and country can be activated with an address. Changes nothing.',
	credential: 'voiceManagementApi',
	endpoint: 'GET /vbapi/v1/regulation/address/<regulationAddressId>/validation',
	output: '`isValid` and, where it is not, `reasons` with `code` and `message`',
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
		// Operators wrap what they answer: the object that has the result is the item.
		const result = layersOf(response).find((layer) => fieldOf(layer, 'isValid') !== undefined);
		return (result as IDataObject | undefined) ?? response;
	},
};
