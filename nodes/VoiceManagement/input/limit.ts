// "Return All" and "Limit" of a list operation.

import type { OperationContext } from '../operation';
import { toLimit } from './values';

/** How many entries the item wants; undefined for all. @throws InputError if the limit is invalid */
export function readLimit(context: OperationContext): number | undefined {
	const returnAll = context.parameter('returnAll');
	// An expression, or a model, may write it as text.
	if (returnAll === true || returnAll === 'true' || returnAll === 1) return undefined;
	return toLimit(context.parameter('limit') ?? 50);
}
