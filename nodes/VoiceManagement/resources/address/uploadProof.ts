import { addressIdField } from '../../fields/common';
import { withKnown } from '../../identifiers';
import { toId } from '../../input/values';
import type { Operation, OperationContext } from '../../operation';
import { readBinary } from '../../transport/binary';
import { MultipartBody } from '../../transport/multipart';
import { path } from '../../transport/path';

const LABEL = 'Input Binary Field';
const DEFAULT = 'data';

export const uploadProof: Operation = {
	value: 'uploadProof',
	name: 'Upload Proof',
	action: 'Upload proof',
	description:
		'Attach a proof document to an address. It is reviewed after Request Verification, not before.',
	credential: 'voiceManagementApi',
	changes: true,
	endpoint: 'PUT /vbapi/v1/regulation/address/<addressId>/proof',
	output: '`addressId`, `status`: `SUCCESS`',
	fields: [
		addressIdField,
		{
			displayName: LABEL,
			name: 'binaryPropertyName',
			type: 'string',
			default: DEFAULT,
			required: true,
			placeholder: 'e.g. data',
			hint: 'The name of the input field with the file',
			description:
				'The binary field with the proof document: one file. If the item has a single file under another name than "data", it is taken without being named.',
		},
	],
	async run(context) {
		const id = toId(context.locatorValue('addressId'), 'Address');
		const property = fileNamed(context, context.text('binaryPropertyName'));
		const file = await readBinary(context.n8n, context.itemIndex, property, LABEL);
		const response = await context.write(
			{
				method: 'PUT',
				path: path`/vbapi/v1/regulation/address/${id}/proof`,
				multipart: new MultipartBody([{ name: 'proofOfAddress', file }]),
			},
			[],
			{ deed: 'uploaded' },
		);
		return withKnown({ addressId: id }, response);
	},
};

/** The binary field to send: as named; without a name of one's own, the item's only one. */
function fileNamed({ n8n, itemIndex }: OperationContext, name: string): string {
	const [only, ...others] = Object.keys(n8n.getInputData()[itemIndex]?.binary ?? {});
	return name === DEFAULT && only !== undefined && others.length === 0 ? only : name;
}
