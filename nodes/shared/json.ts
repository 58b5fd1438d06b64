// JSON read without losing digits: the operator's identifiers may be numbers beyond 2^53, which a JavaScript number can't
// hold. (The `source` of a reviver would do, but Node.js 20 has none.)

/** Only a literal with this many digits can be an integer that a JavaScript number can't hold. */
const MANY_DIGITS = /\d{16}/;

/**
 * Parses JSON. An integer that a JavaScript number would write with other digits comes out as text of the same digits; everything else
 * as JSON.parse gives it.
 * @throws SyntaxError for what is not JSON
 */
export function parseJson(text: string): unknown {
	const value = JSON.parse(text) as unknown;
	return MANY_DIGITS.test(text) ? (JSON.parse(quoteLongIntegers(text)) as unknown) : value;
}

/** Puts quotes around the integers that would lose digits. @param text valid JSON: each quote in it has its other half */
function quoteLongIntegers(text: string): string {
	// Sticky expressions, each without a choice of how to match: one pass over the text.
	const other = /[^"\d-]+/y;
	const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
	const match = (expression: RegExp, at: number): string => {
		expression.lastIndex = at;
		return expression.exec(text)?.[0] ?? '';
	};
	const parts: string[] = [];
	for (let at = 0; at < text.length;) {
		const part =
			text[at] === '"'
				? text.slice(at, endOfString(text, at))
				: match(other, at) || match(number, at);
		parts.push(losesDigits(part) ? `"${part}"` : part);
		at += part.length;
	}
	return parts.join('');
}

/** The index behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at + 1;
}

function losesDigits(literal: string): boolean {
	return /^-?\d{16,}$/.test(literal) && String(Number(literal)) !== literal;
}
