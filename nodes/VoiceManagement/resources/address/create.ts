import type { IDataObject } from 'n8n-workflow';
import { customFieldsField } from '../../fields/common';
import { mergeCustomFields, readCustomFields } from '../../input/customFields';
import { toText } from '../../input/values';
import type { Call, Operation } from '../../operation';
import { readBinary } from '../../transport/binary';
import { MultipartBody, type Part } from '../../transport/multipart';
import { checkAddress, readAddress } from './addressForm';
import { addressFields, IDENTITY_FILE, PROOF_FILE } from './createFields';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create an address',
	description: 'Create a regulatory address, with its proof document where it is at hand',
	credential: 'voiceManagementApi',
	endpoint: 'PUT /vbapi/v1/regulation/address',
	output: '`addressId`',
	fields: [...addressFields, customFieldsField],
	async run(call) {
		const custom = readCustomFields(call.collection('options').customFields);
		const address = mergeCustomFields(readAddress(call), custom);
		checkAddress(address, Object.keys(custom));
		return await call.write({
			method: 'PUT',
			path: '/vbapi/v1/regulation/address',
			multipart: new MultipartBody([
				{ name: 'createRegulationAddressRequest', json: JSON.stringify(address) },
				...(await readFiles(call)),
			]),
		});
	},
};

async function readFiles(call: Call): Promise<Part[]> {
	const fields: IDataObject = call.collection('additionalFields');
	const parts: Part[] = [];
	for (const { name, part, label } of [PROOF_FILE, IDENTITY_FILE]) {
		const property = toText(fields[name]);
		if (property === '') continue;
		parts.push({
			name: part,
			file: await readBinary(call.context, call.itemIndex, property, label),
		});
	}
	return parts;
}
