import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../shared/errors';
import { COUNTRY_ADVICE, optionsField } from '../../fields/common';
import { withCustomFields } from '../../input/customFields';
import { withKnown } from '../../identifiers';
import { refuseNothing, toText } from '../../input/values';
import type { OperationContext, Operation } from '../../operation';
import { readBinary } from '../../transport/binary';
import { MultipartBody, type Part } from '../../transport/multipart';
import { ADDRESS } from '../../../shared/answer/identifiers';
import { oneOf } from '../../../shared/settingValues';
import { checkAddress, addressFromFields } from './addressForm';
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
				'Multipart; then JSON if the provider does not accept multipart and no file is attached',
		},
		{ name: 'JSON', value: 'json', description: 'Only the address, without files' },
		{ name: 'Multipart', value: 'multipart', description: 'The address and its files as parts' },
	],
	description: 'How the address is sent',
};

/** The states of a new address. */
const NEW = ['NOT_VERIFIED', 'VERIFIED', 'VERIFICATION_REQUESTED', 'VERIFICATION_NOT_REQUIRED'];

const ENDPOINT = { method: 'PUT', path: '/vbapi/v1/regulation/address' } as const;

export const createAddress: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create address',
	description: 'Create a regulatory address, with its proof document if you have one',
	credential: 'voiceManagementApi',
	advice: COUNTRY_ADVICE,
	changes: true,
	endpoint: 'PUT /vbapi/v1/regulation/address',
	output: '`addressId`',
	fields: [...addressFields, optionsField(bodyFormatField)],
	async run(context) {
		const { body: address, custom } = withCustomFields(context, addressFromFields(context));
		if (!Object.hasOwn(custom, 'destinationCountryCodeA3')) {
			address.destinationCountryCodeA3 ??= address.countryCodeA3;
		}
		const { files, problem } = await readFiles(context);
		const hints = checkAddress(address, custom, problem);
		const given = context.collection('options').bodyFormat || 'auto';
		const format = oneOf('Body Format', given, ['auto', 'json', 'multipart']);
		if (format === 'json' && files.length > 0) {
			throw new InputError(
				'"Body Format" is JSON, which can\'t contain a file',
				'Choose "Multipart", or remove the file and use "Upload Proof" afterwards.',
			);
		}
		const form = { name: 'createRegulationAddressRequest', json: JSON.stringify(address) };
		const { response, known } = await context.create(
			ADDRESS,
			format === 'json'
				? { ...ENDPOINT, json: address }
				: {
						...ENDPOINT,
						multipart: new MultipartBody([form, ...files]),
						jsonInstead: format === 'auto' && files.length === 0 ? address : undefined,
					},
			hints,
			{ deed: 'created', words: NEW },
		);
		return withKnown(known, response);
	},
};

/** The files, or what is wrong with one of them. */
async function readFiles(
	context: OperationContext,
): Promise<{ files: Part[]; problem?: InputError }> {
	const fields = context.collection('additionalFields');
	const { document } = (fields.identityDocumentProof ?? {}) as { document?: IDataObject };
	const files: Part[] = [];
	for (const [{ part, label, name }, group = {}] of [
		[PROOF_FILE, fields],
		[IDENTITY_FILE, document],
	] as const) {
		if (Object.hasOwn(group, name)) refuseNothing(group[name], label);
		const property = toText(group[name]);
		if (property === '') continue;
		const problem = await readBinary(context.n8n, context.itemIndex, property, label).then(
			(file) => void files.push({ name: part, file }),
			asInputError,
		);
		if (problem) return { files, problem };
	}
	return { files };
}

/** @throws any other error */
function asInputError(error: unknown): InputError {
	if (error instanceof InputError) return error;
	throw error;
}
