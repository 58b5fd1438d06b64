// What waits to become an item of the workflow.

import type { FeedEvent } from '../feed/types';
import type { Plain } from './simplify';

/** An event, which becomes an item when it leaves, or something that is one already, or several that belong together. */
export type Entry =
	| FeedEvent
	/** `missingFrom`: where the events begin that it reports as missing, in milliseconds since 1970. */
	| { readonly item: Plain; readonly missingFrom?: number }
	| { readonly items: readonly Plain[] };
