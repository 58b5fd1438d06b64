import { addressIdField } from '../../fields/common';
import { toId } from '../../input/values';
import type { Operation } from '../../operation';
import { saysNo } from '../../outcome/understood';
import { path } from '../../transport/path';

export const remove: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete address',
	description: 'Delete a regulatory address permanently. Unlink its numbers first.',
	credential: 'voiceManagementApi',
	changes: true,
	endpoint: 'DELETE /vbapi/v1/regulation/address/<addressId>',
	output:
		'`deleted`: `true`. If the provider says otherwise, `false` or null (not yet, or not clear), with the fields of its response',
	fields: [addressIdField],
	async run(context) {
		const id = toId(context.locatorValue('addressId'), 'Address');
		const { response, rest } = await context.change(
			{ method: 'DELETE', path: path`/vbapi/v1/regulation/address/${id}` },
			[],
			{ deed: 'deleted' },
		);
		if (rest.some((one) => one.isDeed && saysNo(one))) return { ...response, deleted: false };
		return rest.some(({ isDoubtful }) => isDoubtful)
			? { ...response, deleted: null }
			: { deleted: true };
	},
};
