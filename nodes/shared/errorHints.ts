// What a user can do about an error (provider.md#error-codes). The provider's error codes are numbers that collide with HTTP statuses and with
// each other (code 401 of ORDERING is not HTTP 401), so module and code are looked up together.

import { HOST_FIELDS } from './hosts';
import type { Effect } from './answer/reason';
import { TOO_MANY } from './retryAfter';
import { triedByAuto } from './supervisorLogin';

const MISSING_FIELD =
	'Fill in the field that the message names. If the node does not show it, add it under "Custom Fields", where the operation has these.';

const ORDERING: Record<string, string> = {
	400: 'Check "Cart Identifier": "Create" of the resource Cart returns it, and it is valid until the checkout.',
	401: 'Add a product to the cart before you check it out.',
	402: 'Add one product at a time.',
	403: 'Check "DID Group ID": the provider does not know this group.',
	404: "This DID group can't be ordered, or not in this quantity. Choose another group or a smaller quantity.",
	405: 'Set "Quantity" to a whole number above zero.',
	406: 'Set "Quantity" to a multiple of ten: channels are sold in tens.',
	407: 'Check "Credit Package ID": the provider does not know this package.',
	416: 'Shorten "Customer Reference" to 255 characters.',
};

const REGULATION: Record<string, string> = {
	500: MISSING_FIELD,
	501: 'Shorten the field that the message names.',
	502: 'Remove this extra field: the provider does not know it for this country.',
	503: 'Correct the field that the message names.',
	504: 'Correct the value of the extra field that the message names.',
	505: 'Set "Country" and "Destination Country" to the same country.',
	507: 'Check "Address": the provider does not know this ID, or the address belongs to another account.',
	508: 'Numbers are linked to this address. Unlink them first ("Unlink Numbers"; this blocks them), then delete the address.',
	512: "The verification is still pending. Wait until the address's status is VERIFIED or REJECTED.",
	513: 'Link the numbers of one DID group at a time.',
	514: 'The number is already linked. Unlink it first, or leave it out.',
	515: 'Upload another proof. "rejectionReasons" of the address lists what was wrong with this one.',
	516: 'Check "DID IDs": they are the internal identifiers, not the phone numbers.',
	517: 'Run "Request Verification" for this address first.',
	518: "The verification was already requested. Read the address's status instead of requesting it again.",
	520: 'Leave this step out: the numbers of this country need no verification.',
	521: 'Write the phone number as + and 9 to 15 digits.',
};

const BY_MODULE: Record<string, Record<string, string>> = { ORDERING, REGULATION };

/** Codes below 30 are common to all modules. */
const COMMON: Record<string, string> = {
	10: 'Check the date that the message names. In "Custom Fields", write dates as YYYY-MM-DD HH:MM:SS.',
	14: 'Correct the field that the message names.',
	15: 'Check the identifier: the provider found nothing under it.',
	16: MISSING_FIELD,
	21: 'Remove what the message names: the provider does not know it, or it was sent twice.',
	24: 'Try the upload again, and check that the binary field holds a complete file.',
};

/** What to do about a field that the provider names and the panel shows, by code. */
const FIELD: Record<string, string> = {
	10: 'Correct',
	14: 'Correct',
	16: 'Fill in',
	17: 'Correct',
	18: 'Correct',
	19: 'Correct',
	20: 'Correct',
	500: 'Fill in',
	501: 'Shorten',
	503: 'Correct',
};

const BY_STATUS: Record<number, string> = {
	413: 'The file is larger than the provider accepts.',
};

/** n8n would send all items of a node again, also those that were done. */
const tooManyRequests = (effect: Effect) =>
	effect === 'read' || effect === 'login'
		? 'Too many requests. Try again later, add a Wait node, or turn on "Retry On Fail".'
		: 'Too many requests. Try again later, or send fewer items at once: with a "Loop Over Items" and a Wait node. With "Retry On Fail" n8n would send every item again, also those that are done.';

/** What was requested, as far as the hint depends on it. */
export interface HintContext {
	effect: Effect;
	/** The label of the credential's field for the host. */
	urlField: string;
	/** The operation's own advice, by the provider's code. */
	advice?: Readonly<Record<string, string>>;
	/** The fields of the panel that a message names: label, place and meaning. */
	fieldsIn?: (message: string) => string[];
}

/** An entry of a table by the provider's words: it may call its codes "constructor". */
function own<T>(table: Readonly<Record<string, T>> | undefined, key: string | undefined) {
	return table && key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}

/**
 * A sentence about what to do; undefined if there is nothing to do.
 * @param module `apiModule` of the error; may be missing
 * @param code `apiErrorCode` of the error; may be missing
 * @param message the provider's reason
 */
export function errorHint(
	statusCode: number,
	context: HintContext,
	module?: string,
	code?: string,
	message = '',
): string | undefined {
	const fields = (context.fieldsIn?.(message) ?? []).join('; ');
	const known = knownCode(module, code);
	const verb = own(FIELD, known);
	return (
		(verb && fields ? `${verb} ${fields}.` : undefined) ??
		own(context.advice, known) ??
		hintByCode(module, known) ??
		// A documented refusal is no fault of the server, whatever its status.
		(statusCode >= 500 && isDocumented(module, code)
			? undefined
			: hintByStatus(statusCode, context, fields))
	);
}

/** A code that may be one of the tables. From 100 on they look like HTTP statuses, so only the module tells. */
const knownCode = (module?: string, code?: string) =>
	tableOf(module) || Number(code) < 100 ? code : undefined;

const tableOf = (module?: string) => own(BY_MODULE, module?.toUpperCase());

const hintByCode = (module?: string, code?: string) =>
	own(COMMON, code) ?? own(tableOf(module), code);

/** The codes of provider.md#error-codes; not for all of them is there something to do. */
const MODULE_CODES: Record<string, RegExp> = {
	ORDERING: /^(?:40[0-79]|416)$/,
	REGULATION: /^5(?:0[0-578]|1[2-8]|2[015])$/,
};

/** Whether an error is a documented refusal, with its module: then the provider did not do what was requested. */
export const isDocumented = (module?: string, code = ''): boolean =>
	module !== undefined &&
	(/^(?:1\d|2[0-6])$/.test(code) || own(MODULE_CODES, module.toUpperCase())?.test(code) === true);

function hintByStatus(
	statusCode: number,
	context: HintContext,
	fields: string,
): string | undefined {
	const url = `"${context.urlField}" in the credential`;
	switch (statusCode) {
		case 401:
		case 403:
			return loginHint(statusCode, context);
		case 404:
			return context.effect === 'login'
				? `Check ${url}.`
				: `Check the identifier. If every operation fails, check ${url}.`;
		case 405:
			return `The provider does not offer this operation at this URL. Check ${url}.`;
		case 400:
		case 422:
			return fields ? `Check ${fields}.` : undefined;
	}
	if (TOO_MANY.has(statusCode)) return tooManyRequests(context.effect);
	if (BY_STATUS[statusCode]) return BY_STATUS[statusCode];
	return statusCode >= 500
		? "The provider's server reported an internal error. Try again later."
		: undefined;
}

/** Whether the provider refuses the IP address to which a token of the account feed would be bound. */
export const isAboutAddress = (reason: string): boolean => /\bip\b/i.test(reason);

/**
 * What to do about a rejected login. The provider has three kinds of logins in two credentials, so the hint only
 * mentions fields of the credential that was used.
 * @param reason of the refusal, as it is shown
 */
export function loginHint(
	statusCode: number,
	{ effect, urlField }: HintContext,
	reason = '',
): string {
	if (urlField === HOST_FIELDS.voiceUrl) return supervisorHint(reason);
	if (effect === 'login') {
		return statusCode === 403 || isAboutAddress(reason)
			? 'Set "Machine IP Address" in the credential to the IP address from which the provider sees this n8n instance; the provider\'s message may name it. The login has to be that of the API account.'
			: 'Check "Login" and "Password" in the credential. If the test of the credential succeeds, its login is for number management, but this operation needs an API account, which the provider issues on request.';
	}
	return statusCode === 403
		? 'This login is not allowed to do this. Check that the credential holds the number management login, not the API account of the full account feed.'
		: 'Check "Login" and "Password" in the credential. If the test of the credential succeeds, its login is the API account of the full account feed, but this operation needs the number management login.';
}

/**
 * What to do about a refused supervisor login.
 * @param reason of the rejection, as shown: it contains the spellings of the account type that were tried
 */
export function supervisorHint(reason: string): string {
	const spelling = triedByAuto(reason)
		? ''
		: ' If both are right, choose another "Account Type Key".';
	return `Check "Login" and "Password" in the credential: it needs a supervisor-type login. Logins for number management or an API account go into a "Voice Management API" credential.${spelling}`;
}
