// "Return All" and "Limit" of a list operation.

import type { OperationContext } from '../operation';
import { isOn } from '../../shared/settingValues';
import { toLimit } from './values';

/** How many entries the item wants; undefined for all. @throws InputError if the limit is invalid */
export function readLimit(context: OperationContext): number | undefined {
	const { n8n, itemIndex } = context;
	// The defaults are those of a field that is not there, not of an expression that finds nothing.
	if (isOn('Return All', n8n.getNodeParameter('returnAll', itemIndex, false))) return undefined;
	return toLimit(n8n.getNodeParameter('limit', itemIndex, 50));
}
