// The definition of one operation of the number management interface.

import type { ReceivedBody } from './body';
import type { NumberState } from './state';

export interface RestContext {
	state: NumberState;
	/** Path parameter `:id`, decoded; '' if the path has none. */
	id: string;
	/** The query string as sent, without `?`. */
	query: string;
	body: ReceivedBody;
	/** Starts the timed review of an address if `reviewTime` is set. */
	startReview: (addressId: number) => void;
}

export interface RestOperation {
	method: 'GET' | 'PUT' | 'POST' | 'DELETE';
	/** Below `/vbapi/v1`. */
	path: string;
	/** Returns the body of a response with status 200. Throws RestError. */
	run(context: RestContext): unknown;
}
