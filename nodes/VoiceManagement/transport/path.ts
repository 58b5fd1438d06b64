// Paths of the provider's interface. An identifier comes from the user: it must fill exactly one segment and never
// change the rest.

import { InputError } from '../../shared/errors';

/**
 * Builds a path; every value becomes exactly one percent-encoded segment.
 * @example path`/vbapi/v1/regulation/address/${id}/proof`
 * @throws InputError for an identifier that can't be encoded as one segment
 */
export function path(texts: TemplateStringsArray, ...identifiers: string[]): string {
	return String.raw({ raw: texts }, ...identifiers.map(encodeSegment));
}

/**
 * One path segment.
 * @throws InputError for empty text, for `.` and `..` (URL parsers treat them, and `%2e`, as steps through the path
 *   in any spelling) and for half a surrogate pair, which has no UTF-8 form
 */
function encodeSegment(identifier: string): string {
	if (
		identifier.trim() === '' ||
		/^\.{1,2}$/.test(identifier) ||
		/\p{Surrogate}/u.test(identifier)
	) {
		throw new InputError(
			`${JSON.stringify(identifier)} is not an identifier`,
			'Enter the identifier that the provider returned.',
		);
	}
	return encodeURIComponent(identifier);
}
