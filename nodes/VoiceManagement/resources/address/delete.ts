import { addressIdField } from '../../fields/common';
import { toId } from '../../input/values';
import type { Operation } from '../../operation';
import { path } from '../../transport/path';

export const remove: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete address',
	description: 'Delete a regulatory address permanently. Unlink its numbers first.',
	credential: 'voiceManagementApi',
	changes: true,
	endpoint: 'DELETE /vbapi/v1/regulation/address/<addressId>',
	output: '`deleted`: `true`',
	fields: [addressIdField],
	async run(context) {
		const id = toId(context.locatorValue('addressId'), 'Address');
		await context.write({
			method: 'DELETE',
			path: path`/vbapi/v1/regulation/address/${id}`,
		});
		return { deleted: true };
	},
};
