// What one operation of the number management interface is.

import type { Reading } from '../forms/form';
import type { ReceivedBody } from './body';
import type { NumberState } from './state';

export interface RestContext {
	state: NumberState;
	reading: Reading;
	/** Path parameter `:id`, decoded; '' where the path has none. */
	id: string;
	/** The query string as sent, without `?`. */
	query: string;
	body: ReceivedBody;
	/** Starts the timed review of an address where `reviewTime` is set. */
	startReview: (addressId: number) => void;
}

export interface RestOperation {
	method: 'GET' | 'PUT' | 'POST' | 'DELETE';
	/** Below `/vbapi/v1`. */
	path: string;
	/** Gives the answer of status 200. Throws RestError. */
	run(context: RestContext): unknown;
}
