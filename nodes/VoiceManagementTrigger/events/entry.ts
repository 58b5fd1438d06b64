// Something that waits to become an item of the workflow.

import type { FeedEvent } from '../feed/types';
import type { Plain } from './simplify';

/**
 * An event, which is converted to an item when it leaves, or a finished item, or several items that belong together.
 */
export type Entry =
	| FeedEvent
	/** `missingFrom`: when the events that it reports as missing begin, in milliseconds since 1970. */
	| { readonly item: Plain; readonly missingFrom?: number }
	| { readonly items: readonly Plain[] };
