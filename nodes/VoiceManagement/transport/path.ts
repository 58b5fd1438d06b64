// Paths of the operator's interface. An identifier is the user's data: it fills one segment and never changes the rest.

import { InputError } from '../../shared/inputError';

/**
 * Builds a path; every value becomes exactly one percent-encoded segment.
 * @example path`/vbapi/v1/regulation/address/${id}/proof`
 * @throws InputError for an identifier that no encoding can hold in one segment
 */
export function path(texts: TemplateStringsArray, ...identifiers: string[]): string {
	return String.raw({ raw: texts }, ...identifiers.map(encodeSegment));
}

/**
 * One path segment.
 * @throws InputError for empty text, for `.` and `..` (URL parsers take them, and `%2e`, for steps through the
 *   path, however they are written) and for half a surrogate pair, which has no UTF-8 form
 */
function encodeSegment(identifier: string): string {
	if (
		identifier.trim() === '' ||
		/^\.{1,2}$/.test(identifier) ||
		/\p{Surrogate}/u.test(identifier)
	) {
		throw new InputError(
			`${JSON.stringify(identifier)} is not an identifier`,
			'Enter the identifier that the operator returned.',
		);
	}
	return encodeURIComponent(identifier);
}
