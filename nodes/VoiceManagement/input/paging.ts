// "Return All" and "Limit" of a list operation.

import type { Call } from '../operation';
import { toLimit } from './values';

/** How many entries the item wants; undefined for all. @throws InputError for a limit that is none */
export function readLimit(call: Call): number | undefined {
	return call.parameter('returnAll') === true ? undefined : toLimit(call.parameter('limit') ?? 50);
}
