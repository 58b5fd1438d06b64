import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../shared/inputError';
import { optionsField } from '../../fields/common';
import { withCustomFields } from '../../input/customFields';
import { toText } from '../../input/values';
import type { OperationContext, Operation } from '../../operation';
import { readBinary } from '../../transport/binary';
import { MultipartBody, type Part } from '../../transport/multipart';
import { ADDRESS_CONTAINERS, ADDRESS_LIST } from './addressItem';
import { ADDRESS_IDS, createdId } from '../../../shared/shapes';
import { checkAddress, readAddress } from './addressForm';
import { addressFields, IDENTITY_FILE, PROOF_FILE } from './createFields';

const bodyFormatField: INodeProperties = {
	displayName: 'Body Format',
	name: 'bodyFormat',
	type: 'options',
	default: 'auto',
	options: [
		{
			name: 'Auto',
			value: 'auto',
			description:
				'Multipart; then JSON if the operator does not accept multipart and no file is attached',
		},
		{ name: 'JSON', value: 'json', description: 'Only the address, without files' },
		{ name: 'Multipart', value: 'multipart', description: 'The address and its files as parts' },
	],
	description: 'How the address is sent',
};

const ENDPOINT = { method: 'PUT', path: '/vbapi/v1/regulation/address' } as const;

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create address',
	description: 'Create a regulatory address, with its proof document if you have one',
	credential: 'voiceManagementApi',
	endpoint: 'PUT /vbapi/v1/regulation/address',
	output: '`addressId`',
	fields: [...addressFields, optionsField(bodyFormatField)],
	async run(context) {
		const { body: address, custom } = withCustomFields(context, readAddress(context));
		const hints = checkAddress(address, custom);
		const files = await readFiles(context);
		const format = toText(context.collection('options').bodyFormat) || 'auto';
		if (format === 'json' && files.length > 0) {
			throw new InputError(
				'"Body Format" is JSON, which can\'t contain a file',
				'Choose "Multipart", or remove the file and use "Upload Proof" afterwards.',
			);
		}
		const form = { name: 'createRegulationAddressRequest', json: JSON.stringify(address) };
		const response = await context.write(
			format === 'json'
				? { ...ENDPOINT, json: address }
				: {
						...ENDPOINT,
						multipart: new MultipartBody([form, ...files]),
						jsonInstead: format === 'auto' && files.length === 0 ? address : undefined,
					},
			hints,
		);
		const addressId = createdId(response, ADDRESS_IDS, [
			...ADDRESS_CONTAINERS,
			...ADDRESS_LIST.names,
		]);
		return addressId === undefined ? response : { addressId, ...response };
	},
};

async function readFiles(context: OperationContext): Promise<Part[]> {
	const fields: IDataObject = context.collection('additionalFields');
	const parts: Part[] = [];
	for (const { name, part, label } of [PROOF_FILE, IDENTITY_FILE]) {
		const property = toText(fields[name]);
		if (property === '') continue;
		parts.push({
			name: part,
			file: await readBinary(context.n8n, context.itemIndex, property, label),
		});
	}
	return parts;
}
