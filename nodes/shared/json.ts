// JSON of the provider: without a loss of digits, and not more complex than n8n can bear.

/** Only an integer of this many digits can be beyond 2^53. */
const MANY_DIGITS = 16;
/** A number of more characters is never written in digits alone. */
const MOST_DIGITS = 22;

/**
 * The same JSON with quotes around each integer that a JavaScript number can't hold, so that identifiers keep their
 * digits. (The source text that newer runtimes pass to a reviver would do, but Node.js 20 does not pass it.) Each
 * character is looked at once, also if the text is not JSON.
 */
export function withLongIntegers(json: string): string {
	if (!hasManyDigits(json)) return json;
	let exact = '';
	let copied = 0;
	for (let at = 0; at < json.length; at++) {
		const code = json.charCodeAt(at);
		if (code === QUOTE) at = endOfText(json, at);
		if (!isOfNumber(code)) continue;
		const start = at;
		let digits = isDigit(code) ? 1 : 0;
		for (; isOfNumber(json.charCodeAt(at + 1)); at++)
			if (isDigit(json.charCodeAt(at + 1))) digits++;
		const isInteger = at + 1 - start === digits + (code === MINUS ? 1 : 0);
		if (digits < MANY_DIGITS || !isInteger) continue;
		const token = json.slice(start, at + 1);
		if (token.length <= MOST_DIGITS && String(Number(token)) === token) continue;
		exact += `${json.slice(copied, start)}"${token}"`;
		copied = at + 1;
	}
	return exact + json.slice(copied);
}

/** Where a text ends that begins with a quote. */
function endOfText(json: string, start: number): number {
	let at = start + 1;
	for (let code = json.charCodeAt(at); code !== QUOTE && at < json.length;) {
		at += code === BACKSLASH ? 2 : 1;
		code = json.charCodeAt(at);
	}
	return at;
}

/** Every event of the feed is checked: so many digits in a row occupy at least one of the places that are looked at. */
function hasManyDigits(text: string): boolean {
	for (let at = MANY_DIGITS - 1; at < text.length; at += MANY_DIGITS) {
		if (!isDigit(text.charCodeAt(at))) continue;
		let [from, to] = [at, at + 1];
		while (isDigit(text.charCodeAt(from - 1))) from--;
		while (isDigit(text.charCodeAt(to))) to++;
		if (to - from >= MANY_DIGITS) return true;
	}
	return false;
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

/** A digit, or one of `+-.eE`. */
const isOfNumber = (code: number) =>
	isDigit(code) ||
	code === 0x2b ||
	code === MINUS ||
	code === 0x2e ||
	code === 0x45 ||
	code === 0x65;

/**
 * Parses JSON as JSON.parse does, except that an integer that a JavaScript number can't represent becomes a string of
 * the same digits.
 * @throws SyntaxError if the text is not JSON
 */
export function parseJson(text: string): unknown {
	const value = JSON.parse(text) as unknown;
	const exact = withLongIntegers(text);
	return exact === text ? value : (JSON.parse(exact) as unknown);
}

/**
 * The limit that a JSON text crosses, `10000 values` or `2000 levels`; undefined if it crosses none.
 * @param values limit for the values in it; those in a text count too, since it may be JSON
 * @param levels limit for its nesting: recursive code, n8n's too, would overflow the stack on many thousands
 */
export function boundCrossed(text: string, values: number, levels: number): string | undefined {
	// Nearly every event is shorter than that.
	if (text.length <= Math.min(values, levels)) return undefined;
	let [depth, count, isText] = [0, 0, false];
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) isText = !isText;
		else if (code === BACKSLASH && isText) at++;
		else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) {
			if (++count > values) return `${values} values`;
			if (code !== COMMA && !isText && ++depth > levels) return `${levels} levels`;
		} else if (!isText && (code === CLOSE_LIST || code === CLOSE_OBJECT)) depth--;
	}
	return undefined;
}

const [QUOTE, COMMA, MINUS, BACKSLASH] = [0x22, 0x2c, 0x2d, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
