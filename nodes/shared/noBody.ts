import type { IDataObject } from 'n8n-workflow';

/**
 * Headers of a request that has no body. axios (1.x, `dispatchRequest`) names `application/x-www-form-urlencoded` for a
 * PUT or POST without one, and a strict operator refuses that with 415. A header that is null is not sent; null, since
 * n8n's older helper calls a method on everything else.
 */
export const NO_BODY: IDataObject = { 'Content-Type': null };
