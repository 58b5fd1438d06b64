import type { IDataObject } from 'n8n-workflow';

/**
 * Headers of a request that has no body. axios (1.x, `dispatchRequest`) adds `application/x-www-form-urlencoded` to a
 * PUT or POST without one, and a strict provider rejects that with 415. A header whose value is null is not sent; any
 * other empty value would fail, because n8n's older helper calls a method on it.
 */
export const NO_BODY: IDataObject = { 'Content-Type': null };
