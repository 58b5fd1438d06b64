// The one table of names that a response may use (provider.md#names). A name is compared without letter case and
// separators: `err_code` is also `errCode`. To read another name of the provider, add it here and on that page.

/** Names that are remembered. */
const MOST_NAMES = 10_000;

const plainNames = new Map<string, string>();

/** A name as it is compared: only letters and digits, without case, accents and namespace prefix. */
export function plainName(name: string): string {
	const known = plainNames.get(name);
	if (known !== undefined) return known;
	const plain = name
		.slice(name.lastIndexOf(':') + 1)
		.slice(0, 200)
		.normalize('NFD')
		.replace(/[^a-z0-9]+/gi, '')
		.toLowerCase();
	if (plainNames.size >= MOST_NAMES) plainNames.clear();
	plainNames.set(name, plain);
	return plain;
}

const nameSet = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/).map(plainName));

export const NAMES = {
	/** A word, or an HTTP status. Of a thing (with an identifier) it is the state of the thing. */
	status: nameSet('status statut state result resultat outcome'),
	/** `true` or `false`. */
	flag: nameSet('success isSuccess ok reussi'),
	/** An HTTP status, or 0. */
	code: nameSet('code statusCode httpStatusCode'),
	/** 0 is a success. */
	resultCode: nameSet('returnCode resultCode responseCode retCode codeRetour ret'),
	/** Anything but `0`, `OK` or nothing is a failure. */
	errorCode: nameSet('apiErrorCode errCode errorCode errno codeErreur'),
	/** Anything but nothing is a failure. */
	errors: nameSet(
		'errors error errorMessages isError hasErrors err fault exception violations erreur',
	),
	/** The provider's words, the nearest to the cause first. */
	sentence: nameSet(
		'apiErrorMessage errMsg errorMessage errorDescription genericErrorMessage message msg detail description reason title',
	),
	module: nameSet('apiModule'),
	/** What only wraps a response or a list, beside other objects. */
	wrapper: nameSet('data result response body payload content items header msg return status'),
	/** What such an object has is a thing, and no wrapper. */
	identifier: nameSet('addressId regulationAddressId cartIdentifier cartId id'),
} as const;

export type Kind = keyof typeof NAMES;

/** Whether a field with this name can state this: `result` is a status, or wraps the response. */
export const is = (kind: Kind, name: string): boolean => NAMES[kind].has(plainName(name));

/** Names of secrets in the response to a login. */
export const SECRET_NAME =
	/^(id)?session(id|key)?$|^s(ess)?id$|^(mdp|pin|pass)$|token|jeton|motdepasse|password|passwd|passphrase|pwd|secret|cookie|authorization|credential|apikey|jwt|bearer/;
