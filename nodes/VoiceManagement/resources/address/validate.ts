import type { IDataObject } from 'n8n-workflow';
import {
	addressIdField,
	COUNTRY_ADVICE,
	destinationCountryField,
	didTypeField,
} from '../../fields/common';
import { idsAsText } from '../../identifiers';
import { toId } from '../../input/values';
import { fieldOf, layersOf } from '../../../shared/answer/read';
import { inDocumentNames } from '../../documentNames';
import { validityOf } from '../../../shared/answer/verdict';
import { toObject } from '../../transport/apiClient';
import type { Operation, OperationContext } from '../../operation';
import { readAddress } from './get';
import { shapeWithReason } from '../../../shared/shown';
import { path } from '../../transport/path';

export const validate: Operation = {
	value: 'validate',
	name: 'Validate',
	action: 'Validate address',
	description:
		'Check whether numbers of a type and country can be activated with an address. This changes nothing.',
	credential: 'voiceManagementApi',
	advice: {
		...COUNTRY_ADVICE,
		505: 'Numbers of this type need an address in their own country.',
	},
	endpoint: 'GET /vbapi/v1/regulation/address/<addressId>/validation',
	output: '`isValid`; if it is false, `reasons` with `code` and `message`',
	fields: [addressIdField, didTypeField, destinationCountryField],
	async run(context) {
		const id = toId(context.locatorValue('addressId'), 'Address');
		const answer = await context.read(path`/vbapi/v1/regulation/address/${id}/validation`, {
			didType: toId(context.parameter('didType'), 'DID Type'),
			destinationCountryCodeA3:
				context.text('destinationCountryCodeA3') || (await countryOf(context, id)),
		});
		// Providers wrap their responses: the item is the object that contains the result.
		const result = layersOf(answer.data).find((layer) => validityOf(layer) !== undefined);
		if (!result) {
			const shown = shapeWithReason(answer.data ?? answer.text);
			context.hint(
				`The response does not answer the question in a form that this node understands. It has ${shown}.`,
			);
			return toObject(answer);
		}
		const asReceived = idsAsText(inDocumentNames(result as IDataObject));
		return Object.assign({ isValid: undefined }, asReceived, { isValid: validityOf(result) });
	},
};

/** The country of the address. @throws NodeApiError if the address can't be read, InputError if it has no country */
async function countryOf(context: OperationContext, addressId: string): Promise<string> {
	const address = await readAddress(context, addressId);
	return toId(fieldOf(address, 'countryCodeA3'), 'Destination Country');
}
