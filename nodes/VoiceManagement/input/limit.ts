// "Return All" and "Limit" of a list operation.

import type { OperationContext } from '../operation';
import { toLimit } from './values';

/** How many entries the item wants; undefined for all. @throws InputError if the limit is invalid */
export function readLimit(context: OperationContext): number | undefined {
	return context.parameter('returnAll') === true
		? undefined
		: toLimit(context.parameter('limit') ?? 50);
}
