// JSON read without losing digits: the operator's identifiers may be numbers beyond 2^53, which a JavaScript number can't
// hold. (The `source` of a reviver would do, but Node.js 20 has none.)

/** Only a literal with this many digits can be an integer that a JavaScript number can't hold. */
const MANY_DIGITS = /\d{16}/;

/** Real answers have a handful of levels; what handles thousands by recursion runs out of stack. */
export const DEEPEST = 500;
/** Some ten thousand addresses of forty fields. What holds more takes longer to read than n8n may stand still. */
export const MOST_VALUES = 500_000;
/** Different names of fields: a list by identifier has one for each entry. */
const MOST_NAMES = 10_000;

/**
 * Parses JSON. An integer that a JavaScript number would write with other digits comes out as text of the same digits; everything else
 * as JSON.parse gives it.
 * @throws SyntaxError for what is not JSON, and for what is nested too deeply or holds too many values to be handled
 */
export function parseJson(text: string): unknown {
	if (boundCrossed(text)) throw new SyntaxError();
	return withAllDigits(text);
}

function withAllDigits(text: string): unknown {
	const value = JSON.parse(text) as unknown;
	const quoted = MANY_DIGITS.test(text) ? quoteLongIntegers(text) : text;
	return quoted === text ? value : (JSON.parse(quoted) as unknown);
}

/** What a server puts in front of JSON so that no script of another site can run it. */
const GUARD =
	/^(?:\)\]\}'?,?|(?:while|for)\s?\([\s;1]{0,9}\);?|throw [^;{[]{1,40};|\/\*[^*]{0,200}\*\/|[\w$.]{1,60}\()\s{0,9}/;
/** The longest complaint of a server's own (of PHP, say) in front of its answer. */
const LONGEST_PREFACE = 5_000;
const MOST_LINES = 50_000;

/**
 * JSON as servers really write it: also behind a guard, as the argument of a call (JSONP), in a JSON text, one value a line, or
 * behind lines that are none of it.
 * @param text that is not too complex
 * @returns undefined for text that holds no JSON
 */
export function readJson(text: string): unknown {
	const trimmed = withoutPadding(text);
	const whole = parsed(trimmed);
	if (whole !== undefined) {
		return typeof whole === 'string' && /^[[{]/.test(whole) ? (parsed(whole) ?? whole) : whole;
	}
	const unguarded = withoutGuard(trimmed);
	const value = unguarded === trimmed ? undefined : parsed(unguarded);
	if (value !== undefined) return value;
	return linesOf(trimmed) ?? behindPreface(trimmed);
}

/** JSON behind a guard or in a call; any other text as it is. */
export function withoutGuard(text: string): string {
	const guard = GUARD.exec(text.slice(0, 500))?.[0];
	if (guard === undefined) return text;
	const rest = text.slice(guard.length);
	return guard.endsWith('(') ? withoutCall(rest) : rest;
}

/**
 * Whether JSON in a text nests deeper than so many levels, or has more than about so many values or different names of fields
 * than anybody means. One pass without parsing it: the parser is slow with names that it has not met before.
 * @param text of any length. What is in its strings counts as well, since it may be JSON once more
 * @returns the bound that it crosses, such as `500 levels`; undefined if it keeps to all
 */
export function boundCrossed(
	text: string,
	values = MOST_VALUES,
	levels = DEEPEST,
): string | undefined {
	// Most texts have fewer characters than that would take.
	if (text.length <= levels) return undefined;
	const names = new Set<string>();
	/** Behind the name of a field. */
	const colon = /\s*:/y;
	let [depth, count, start] = [0, 0, -1];
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		const inString = start >= 0;
		if (code === QUOTE) {
			colon.lastIndex = at + 1;
			if (inString && colon.test(text) && names.add(text.slice(start, at)).size > MOST_NAMES) {
				return `${MOST_NAMES} different names`;
			}
			start = inString ? -1 : at;
		} else if (code === BACKSLASH) {
			if (inString) at++;
		} else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) {
			if (++count > values) return `${values} values`;
			if (code !== COMMA && !inString && ++depth > levels) return `${levels} levels`;
		} else if (!inString && (code === CLOSE_LIST || code === CLOSE_OBJECT)) {
			depth--;
		}
	}
	return undefined;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
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
		return withAllDigits(text);
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
	const parts: string[] = [];
	let written = 0;
	/** The next string, or the one that the digits may stand in. */
	let [start, end] = [text.indexOf('"'), -1];
	for (const { 0: literal, index } of text.matchAll(/-?\d{16,}/g)) {
		while (start !== -1 && start < index) {
			end = closingQuote(text, start);
			if (end > index) break;
			start = text.indexOf('"', end + 1);
		}
		const inString = start !== -1 && start < index;
		const after = index + literal.length;
		const inFraction = /[.eE+]/.test(text[index - 1] ?? '') || /[.eE]/.test(text[after] ?? '');
		if (inString || inFraction || String(Number(literal)) === literal) continue;
		parts.push(text.slice(written, index), `"${literal}"`);
		written = after;
	}
	return parts.join('') + text.slice(written);
}
