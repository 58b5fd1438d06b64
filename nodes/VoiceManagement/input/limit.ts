// "Return All" and "Limit" of a list operation.

import type { OperationContext } from '../operation';
import { isOn } from '../../shared/settingValues';
import { toLimit } from './values';

/** How many entries the item wants; undefined for all. @throws InputError if the limit is invalid */
export function readLimit(context: OperationContext): number | undefined {
	if (isOn('Return All', context.parameter('returnAll') ?? false)) return undefined;
	return toLimit(context.parameter('limit') ?? 50);
}
