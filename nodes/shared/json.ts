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

/** What a server puts in front of JSON so that no script of another site can run it. */
const GUARD =
	/^(?:\)\]\}'?,?|(?:while|for)\s?\([\s;1]{0,9}\);?|throw [^;{[]{1,40};|\/\*[^*]{0,200}\*\/|[\w$.]{1,60}\()\s{0,9}/;
/** The longest complaint of a server's own (of PHP, say) in front of its answer. */
const LONGEST_PREFACE = 5_000;
const MOST_LINES = 200_000;

/**
 * JSON as servers really write it: also behind a guard, as the argument of a call (JSONP), in a JSON text, one value a line, or
 * behind lines that are none of it.
 * @returns undefined for text that holds no JSON
 */
export function readJson(text: string): unknown {
	const trimmed = withoutPadding(text);
	if (nestsDeeper(trimmed, DEEPEST)) return undefined;
	const whole = parsed(trimmed);
	if (whole !== undefined) {
		return typeof whole === 'string' && /^[[{]/.test(whole) ? (parsed(whole) ?? whole) : whole;
	}
	const guard = GUARD.exec(trimmed.slice(0, 500))?.[0];
	if (guard !== undefined) {
		const rest = trimmed.slice(guard.length);
		const value = parsed(rest) ?? parsed(withoutCall(rest));
		if (value !== undefined) return value;
	}
	return linesOf(trimmed) ?? behindPreface(trimmed);
}

/** Real answers have a handful of levels; what handles thousands by recursion runs out of stack. */
const DEEPEST = 500;

/**
 * Whether JSON in a text nests deeper than so many levels. One pass without parsing it.
 * @param text of any length; strings in it are skipped
 */
export function nestsDeeper(text: string, levels: number): boolean {
	// Most texts have fewer brackets than that would take.
	if (text.length <= levels) return false;
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) {
			at = closingQuote(text, at);
		} else if (code === OPEN_LIST || code === OPEN_OBJECT) {
			if (++depth > levels) return true;
		} else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
			depth--;
		}
	}
	return false;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The index of the quote that ends a string; of the end of the text if none does. */
function closingQuote(text: string, start: number): number {
	for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
		let backslashes = 0;
		while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
		if (backslashes % 2 === 0) return at;
	}
	return text.length;
}

function parsed(text: string): unknown {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
}

/** Without blanks, byte order marks and NUL at both ends. */
function withoutPadding(text: string): string {
	const isPadding = (at: number) => text.charCodeAt(at) <= 32 || text[at] === '\ufeff';
	let [start, end] = [0, text.length];
	while (start < end && isPadding(start)) start++;
	while (end > start && isPadding(end - 1)) end--;
	return text.slice(start, end);
}

function withoutCall(text: string): string {
	const inner = text.endsWith(';') ? text.slice(0, -1).trimEnd() : text;
	return inner.endsWith(')') ? inner.slice(0, -1) : inner;
}

/** One value a line. */
function linesOf(text: string): unknown[] | undefined {
	if (!/^[[{]/.test(text)) return undefined;
	const lines = text.split('\n', MOST_LINES + 1);
	if (lines.length < 2 || lines.length > MOST_LINES) return undefined;
	const values: unknown[] = [];
	for (const line of lines) {
		if (line.trim() === '') continue;
		const value = parsed(line);
		if (value === undefined) return undefined;
		values.push(value);
	}
	return values;
}

function behindPreface(text: string): unknown {
	const start = /\n[[{]/.exec(text.slice(0, LONGEST_PREFACE))?.index;
	return start === undefined ? undefined : parsed(text.slice(start + 1));
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
