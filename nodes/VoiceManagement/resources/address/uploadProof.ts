import { addressIdField } from '../../fields/common';
import { asGiven, toId, toText } from '../../input/values';
import type { Operation } from '../../operation';
import { readBinary } from '../../transport/binary';
import { MultipartBody } from '../../transport/multipart';
import { path } from '../../transport/path';

const LABEL = 'Input Binary Field';

export const uploadProof: Operation = {
	value: 'uploadProof',
	name: 'Upload Proof',
	action: 'Upload proof document for address',
	description:
		'Attach a proof document to an address. It is reviewed after Request Verification, not before.',
	credential: 'voiceManagementApi',
	endpoint: 'PUT /vbapi/v1/regulation/address/<regulationAddressId>/proof',
	output: '`addressId`, `status`: `SUCCESS`',
	fields: [
		addressIdField,
		{
			displayName: LABEL,
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			placeholder: 'e.g. data',
			hint: 'The name of the input field with the file',
			description: 'The binary field with the proof document: one file',
		},
	],
	async run(context) {
		const id = toId(context.locatorValue('addressId'), 'Address');
		const property = toText(context.parameter('binaryPropertyName'));
		const file = await readBinary(context.n8n, context.itemIndex, property, LABEL);
		const response = await context.write({
			method: 'PUT',
			path: path`/vbapi/v1/regulation/address/${id}/proof`,
			multipart: new MultipartBody([{ name: 'proofOfAddress', file }]),
		});
		return { addressId: asGiven(context.locatorValue('addressId')), ...response };
	},
};
