// What a user can do about the errors a user can act on. Codes: "Common rules" of the third-party shapes; they
// collide with HTTP statuses and with each other, so module and code are looked at together.

const ORDERING: Record<string, string> = {
	400: 'Check the cart identifier: "Create a cart" gives it, and it ends with the checkout.',
	401: 'Add a product to the cart before checking out.',
	402: 'Add one product at a time.',
	403: 'Check the DID group ID: the service does not know this group.',
	404: "This DID group can't be ordered, or not in this quantity. Choose another group or a smaller quantity.",
	405: 'Set "Quantity" to a whole number above zero.',
	406: 'Set "Quantity" to a multiple of ten: channels are sold in tens.',
	407: 'Check the credit package ID: the service does not know this package.',
	416: 'Shorten "Customer Reference" to 255 characters.',
};

const REGULATION: Record<string, string> = {
	500: 'Fill in the field that the message names; fields without a place in the panel go into "Custom Fields".',
	501: 'Shorten the field that the message names.',
	502: 'Remove this extra field: the country does not know it.',
	505: 'Set "Country" and "Destination Country" to the same country.',
	507: 'Check the address ID: the service does not know it, or it belongs to another account.',
	508: 'Numbers are linked to this address: unlink them first ("Unlink numbers"; this blocks them), then delete.',
	512: "The verification is still pending: wait until the address's status is VERIFIED or REJECTED.",
	513: 'Link the numbers of one DID group at a time.',
	514: 'The number is linked already: unlink it first, or leave it out.',
	515: 'Upload another proof; "rejectionReasons" of the address says what was wrong with this one.',
	516: 'Check the DID IDs: they are the internal identifiers, not the phone numbers.',
	517: 'Request the verification of the address first.',
	518: "The verification was requested before: read the address's status instead of asking again.",
	520: 'These numbers need no verification: link them directly.',
	521: 'Write the phone number as + and 9 to 15 digits.',
};

const BY_MODULE: Record<string, Record<string, string>> = { ORDERING, REGULATION };

/** Codes below 30 are common to all modules. */
const COMMON: Record<string, string> = {
	10: 'Write dates as YYYY-MM-DD HH:MM:SS.',
	15: 'Check the identifier: the service found nothing under it.',
	16: 'Fill in the field that the message names; fields without a place in the panel go into "Custom Fields".',
	21: 'Remove the field that the message names (look into "Custom Fields" and "Additional Fields" too).',
	24: 'Try the upload again; check that the binary field holds a whole file.',
};

const BY_STATUS: Record<number, string> = {
	401: 'Check login and password in the credential. The operator may have issued two pairs: number management and the API account of the event feed.',
	403: "This login may not do this: check which of the operator's two pairs the credential holds.",
	404: 'Check the identifier and, if every operation fails, the URL in the credential.',
	405: 'The operator does not offer this operation at this URL: check the URL in the credential.',
	413: 'The file is larger than the operator takes.',
	429: 'Too many requests: wait a little, or put a Wait node or "Retry on Fail" to work.',
	509: 'Too many requests: wait a little, or put a Wait node or "Retry on Fail" to work.',
};

/**
 * A sentence that says what to do, where there is something to do.
 * @param module `apiModule` of the error; may be missing
 * @param code `apiErrorCode` of the error; may be missing
 */
export function errorHint(statusCode: number, module?: string, code?: string): string | undefined {
	if (code !== undefined) {
		const table = BY_MODULE[(module ?? '').toUpperCase()];
		const guessed = module || code === String(statusCode) ? undefined : guess(code);
		const step = COMMON[code] ?? table?.[code] ?? guessed?.[code];
		if (step) return step;
	}
	if (BY_STATUS[statusCode]) return BY_STATUS[statusCode];
	return statusCode >= 500 ? 'The service has a fault of its own: try again later.' : undefined;
}

/** Without a module the ranges still tell: 4xx codes are of ordering, 5xx codes of regulation. */
function guess(code: string): Record<string, string> {
	return code.startsWith('4') ? ORDERING : REGULATION;
}
