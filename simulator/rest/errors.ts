// The two formats of error bodies: the third party's (number management) and the feed's (`/ws/`, `/vm/token`).

export type ApiModule = 'COMMON' | 'ORDERING' | 'REGULATION';

/** An error of the number management interface, thrown by its operations. */
export class RestError extends Error {
	constructor(
		readonly apiModule: ApiModule,
		readonly code: number,
		message: string,
		readonly httpStatus = 400,
	) {
		super(message);
	}

	body() {
		return {
			httpStatusCode: this.httpStatus,
			apiModule: this.apiModule,
			genericErrorMessage: genericMessages[this.httpStatus] ?? 'Request failed',
			errors: [{ apiErrorCode: String(this.code), apiErrorMessage: this.message }],
		};
	}
}

const genericMessages: Record<number, string> = {
	400: 'Invalid request',
	401: 'Authentication is required',
	404: 'Not found',
	405: 'Method not allowed',
	500: 'Internal error',
};

export const common = (code: number, message: string, httpStatus?: number) =>
	new RestError('COMMON', code, message, httpStatus);
export const ordering = (code: number, message: string) => new RestError('ORDERING', code, message);
export const regulation = (code: number, message: string) =>
	new RestError('REGULATION', code, message);

/** An error of `/ws/` and `/vm/token`. */
export class FeedLoginError extends Error {
	constructor(
		readonly httpStatus: number,
		readonly errCode: string,
		message: string,
	) {
		super(message);
	}

	body() {
		return { status: this.httpStatus, err_code: this.errCode, err_msg: this.message };
	}
}
