import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { addressIdField, simplifyField } from '../../fields/common';
import { ADDRESS, ownIdentifier } from '../../../shared/answer/identifiers';
import { oneLine } from '../../../shared/oneLine';
import { toId, toText } from '../../input/values';
import type { OperationContext, Operation } from '../../operation';
import { entriesOf } from '../../../shared/answer/lists';
import { apiError } from '../../transport/errors';
import { path } from '../../transport/path';
import { ADDRESS_LIST, readAddressItem } from './addressItem';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get address',
	description: 'Get one regulatory address with its verification status',
	credential: 'voiceManagementApi',
	endpoint: 'GET /vbapi/v1/regulation/address/<addressId>',
	output:
		'The address: `addressId`, `status`, `linked`, the postal fields, `extraFields`, `rejectionReasons`. With "Simplify" ten fields: `addressId`, `status`, `linked`, `name`, `street`, `zipCode`, `city`, `countryCodeA3`, `customerReference`, `rejectionReasons`',
	fields: [addressIdField, simplifyField],
	async run(context) {
		const id = toId(context.locatorValue('addressId'), 'Address');
		return readAddressItem(context, await readAddress(context, id));
	},
};

/** An address of the provider. @throws NodeApiError if there is none with this identifier */
export async function readAddress(context: OperationContext, id: string): Promise<IDataObject> {
	const answer = await context.read(path`/vbapi/v1/regulation/address/${id}`);
	// A list with one item, or the address itself.
	const entries = entriesOf(answer.data, ADDRESS_LIST);
	if (!entries) throw context.client.unreadableResponse('no address', answer);
	const idOf = (entry: IDataObject) => toText(ownIdentifier(entry, ADDRESS));
	const [only, ...others] = entries;
	const found = entries.find((entry) => idOf(entry) === id) ?? (others.length === 0 && only);
	if (!found) throw notFound(context, id);
	const other = idOf(found);
	if (other !== id && other !== '')
		context.hint(`The provider returned the address ${oneLine(other)} instead of ${oneLine(id)}.`);
	return found;
}

/** The provider may respond without an item, or with an error of its own. */
function notFound(context: OperationContext, id: string): NodeApiError {
	return apiError(context.n8n.getNode(), {
		message: `There is no address with the ID ${id}`,
		description: 'REGULATION. The provider returned no address. Check "Address".',
		statusCode: 404,
		module: 'REGULATION',
	});
}
