// Parses JSON without losing digits: the operator's identifiers may be numbers beyond 2^53, which a JavaScript number
// can't hold. (The `source` argument of a reviver would do, but Node.js 20 does not have it.) Works in slices: see
// slices.ts.

import { atOnce, type Sliced } from './slices';

/** Only a literal with this many digits can be an integer that a JavaScript number can't hold. */
const MANY_DIGITS = /\d{16}/;

/** Real responses have a handful of levels; recursive code would overflow the stack on thousands. */
const DEEPEST = 500;
/** About ten thousand addresses of forty fields, which take some 50 MB as JavaScript values. */
export const MOST_VALUES = 500_000;
/** Limit for different field names: an object keyed by identifier has one for each entry. */
const MOST_NAMES = 10_000;

/**
 * Parses JSON as JSON.parse does, except that an integer that a JavaScript number can't represent exactly becomes a
 * string of the same digits.
 * @throws SyntaxError if it is not JSON, is nested too deeply or has too many values
 */
export function parseJson(text: string): unknown {
	if (boundCrossed(text)) throw new SyntaxError();
	return atOnce(parsing(text));
}

/** Characters to parse before yielding: a millisecond's work, two in the worst case. */
const PIECE = 50_000;

/** An array or object whose end has not been reached yet. */
interface Container {
	isList: boolean;
	start: number;
	/** Where its current member begins. */
	member: number;
	/** Everything before this is in `value`. */
	done: number;
	/** The member before `done` is already in `value`, so only a comma or the end can follow. */
	isBehindMember: boolean;
	/** Undefined while the container is small: it is then parsed as a part of its parent. */
	value?: unknown[] | Record<string, unknown>;
}

/** JSON.parse, piece by piece. @throws SyntaxError */
function* parsing(text: string): Sliced<unknown> {
	if (text.length <= PIECE || !isJsonText(text)) return withAllDigits(text);
	const around: Container[] = [];
	let container: Container | undefined;
	let result: { value: unknown } | undefined;
	let [rest, nextTurn, quote] = [0, PIECE, -1];
	for (let at = 0; at < text.length && !result; at++) {
		if (at >= nextTurn) {
			yield;
			nextTurn = at + PIECE;
		}
		const code = text.charCodeAt(at);
		if (quote >= 0) {
			if (code === BACKSLASH) at++;
			else if (code === QUOTE) {
				if (at - quote > PIECE && container) yield* putText(text, container, quote, at + 1);
				quote = -1;
			}
		} else if (code === QUOTE) {
			quote = at;
		} else if (code === OPEN_LIST || code === OPEN_OBJECT) {
			if (container) around.push(container);
			else requireBlank(text, 0, at);
			const isList = code === OPEN_LIST;
			container = { isList, start: at, member: at + 1, done: at + 1, isBehindMember: false };
		} else if (code === COMMA) {
			if (!container) throw new SyntaxError();
			if (container.isBehindMember || at - container.done > PIECE) take(text, container, at, false);
			container.member = at + 1;
		} else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
			if (container?.isList !== (code === CLOSE_LIST)) throw new SyntaxError();
			const parent = around.pop();
			if (!parent || container.value || at - container.start > PIECE) {
				take(text, container, at, true);
				if (parent) put(text, parent, container, at + 1);
				else [result, rest] = [{ value: container.value }, at + 1];
			}
			container = parent;
		}
	}
	if (!result) throw new SyntaxError();
	requireBlank(text, rest, text.length);
	return result.value;
}

/** Adds the members up to a comma, or up to the container's end, to its value. */
function take(text: string, container: Container, end: number, isEnd: boolean): void {
	const { isList, done, isBehindMember } = container;
	const isFirst = container.value === undefined;
	const value = (container.value ??= isList ? [] : {});
	container.done = end + 1;
	container.isBehindMember = false;
	const members = text.slice(done, end);
	if (isBehindMember || !/[^ \t\r\n]/.test(members)) {
		// There is no member between two commas, or after the last one.
		if (isBehindMember ? /[^ \t\r\n]/.test(members) : !isEnd || !isFirst) throw new SyntaxError();
		return;
	}
	if (isList) {
		for (const entry of withAllDigits(`[${members}]`) as unknown[])
			(value as unknown[]).push(entry);
		return;
	}
	const fields = withAllDigits(`{${members}}`) as Record<string, unknown>;
	for (const key of Object.keys(fields))
		setField(value as Record<string, unknown>, key, fields[key]);
}

/** Adds a long string to its container, unless it is the name of a field. */
function* putText(text: string, container: Container, start: number, end: number): Sliced<void> {
	if (!container.isList && !/[^ \t\r\n]/.test(text.slice(container.member, start))) return;
	const parts: string[] = [];
	for (let [from, at] = [start + 1, start + 1]; from < end - 1; from = at) {
		// Don't split an escape sequence.
		while (at < end - 1 && at - from < PIECE) {
			if (text.charCodeAt(at) !== BACKSLASH) at++;
			else at += text[at + 1] === 'u' ? 6 : 2;
		}
		parts.push(JSON.parse(`"${text.slice(from, at)}"`) as string);
		yield;
	}
	put(text, container, { start, value: parts.join('') }, end);
}

/** Adds a large member to its container. */
function put(
	text: string,
	container: Container,
	{ start, value }: { start: number; value?: unknown },
	end: number,
): void {
	if (container.isBehindMember) throw new SyntaxError();
	const { isList, done, member } = container;
	if (done < member) take(text, container, member - 1, false);
	const own = (container.value ??= isList ? [] : {});
	const name = text.slice(member, start);
	if (Array.isArray(own)) {
		requireBlank(name, 0, name.length);
		own.push(value);
	} else {
		const [key] = Object.keys(JSON.parse(`{${name}null}`) as object);
		setField(own, key ?? '', value);
	}
	container.done = end;
	container.isBehindMember = true;
}

/** As JSON.parse does: a field called `__proto__` is a field. */
function setField(fields: Record<string, unknown>, key: string, value: unknown): void {
	if (key !== '__proto__') fields[key] = value;
	else {
		Object.defineProperty(fields, key, {
			...{ value, enumerable: true, configurable: true, writable: true },
		});
	}
}

function requireBlank(text: string, start: number, end: number): void {
	if (/[^ \t\r\n]/.test(text.slice(start, end))) throw new SyntaxError();
}

function withAllDigits(text: string): unknown {
	const value = JSON.parse(text) as unknown;
	const quoted = MANY_DIGITS.test(text) ? quoteLongIntegers(text) : text;
	return quoted === text ? value : (JSON.parse(quoted) as unknown);
}

/** Prefixes that servers put before JSON so that another site can't run it as a script. */
const GUARD =
	/^(?:\)\]\}'?,?|(?:while|for)\s?\([\s;1]{0,9}\);?|throw [^;{[]{1,40};|\/\*[^*]{0,200}\*\/|[\w$.]{1,60}\()\s{0,9}/;
/** The longest message of a server's own (of PHP, for example) before the JSON. */
const LONGEST_PREFACE = 5_000;
const MOST_LINES = 50_000;

/**
 * JSON as servers actually send it: plain, after a guard, as the argument of a call (JSONP), inside a JSON string,
 * one value per line, or after lines that are not JSON.
 * @param text whose complexity has been checked
 * @returns undefined if there is no JSON in the text
 */
export function* readingJson(text: string): Sliced<unknown> {
	const trimmed = withoutPadding(text);
	const whole = yield* parsed(trimmed);
	if (whole !== undefined) {
		return typeof whole === 'string' ? yield* unpacked(whole) : whole;
	}
	const unguarded = withoutGuard(trimmed);
	const value = unguarded === trimmed ? undefined : yield* parsed(unguarded);
	if (value !== undefined) return value;
	return (yield* linesOf(trimmed)) ?? (yield* behindPreface(trimmed));
}

/** Longer strings are unpacked when the response is parsed, shorter ones when they are searched. */
export const LONG_TEXT = PIECE;
/** Limit for objects, and for fields of each, that are searched: more than any wrapper has. */
const MOST_WRAPPERS = 1_000;
const MOST_WRAPPED = 300;

/** Whether a text may contain a JSON object or array. */
export function isJsonText(text: string): boolean {
	return /^\s{0,99}[[{]/.test(text);
}

/**
 * Replaces long strings that contain JSON by its value, wherever they may be the actual response, but not in the
 * entries of a list.
 * @param data a JSON value, which is modified
 */
export function* unpackingLongTexts(data: unknown): Sliced<unknown> {
	const whole = { data };
	const open: object[] = [whole];
	for (let seen = 0; open.length > 0 && seen < MOST_WRAPPERS; seen++) {
		const fields = open.pop() as Record<string, unknown>;
		const keys = Object.keys(fields);
		if (keys.length > MOST_WRAPPED) yield;
		for (const key of keys.slice(0, MOST_WRAPPED)) {
			const text = fields[key];
			if (typeof text === 'string' && text.length > LONG_TEXT) fields[key] = yield* unpacked(text);
			const value = fields[key];
			if (typeof value !== 'object' || value === null) continue;
			if (!Array.isArray(value) || value.length <= 5) open.push(value);
		}
	}
	return whole.data;
}

/** The JSON in a text; the text if there is none, or if it is too complex. */
function* unpacked(text: string): Sliced<unknown> {
	if (!isJsonText(text) || (yield* crossing(text)) !== undefined) return text;
	return (yield* parsed(text)) ?? text;
}

/** JSON behind a guard or in a call; any other text as it is. */
export function withoutGuard(text: string): string {
	const guard = GUARD.exec(text.slice(0, 500))?.[0];
	if (guard === undefined) return text;
	const rest = text.slice(guard.length);
	return guard.endsWith('(') ? withoutCall(rest) : rest;
}

/** Whether a text is too short to exceed any bound: each level, value and name takes a character of its own. */
const isShort = (text: string, levels: number) => text.length <= levels;

/**
 * Checks whether JSON nests deeper than the given levels, or has far too many values or different field names. One
 * pass without parsing: the parser is slow with names that it has not seen before.
 * @param text of any length; the contents of its strings count as well, since they may be JSON too
 * @returns the exceeded bound, such as `500 levels`; undefined if none is
 */
export function boundCrossed(
	text: string,
	values = MOST_VALUES,
	levels = DEEPEST,
): string | undefined {
	// Every event of the feed is checked, and nearly all are short: no generator is made for them.
	return isShort(text, levels) ? undefined : atOnce(crossing(text, values, levels));
}

/** The same in slices. */
export function* crossing(
	text: string,
	values = MOST_VALUES,
	levels = DEEPEST,
): Sliced<string | undefined> {
	if (isShort(text, levels)) return undefined;
	const names = new Set<string>();
	/** After a field name. */
	const colon = /\s*:/y;
	let [depth, count, start] = [0, 0, -1];
	for (let at = 0, nextTurn = PIECE; at < text.length; at++) {
		if (at >= nextTurn) {
			yield;
			nextTurn = at + PIECE;
		}
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

/** The index of the quote that ends a string; if there is none, of the end of the text. */
function closingQuote(text: string, start: number): number {
	for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
		let backslashes = 0;
		while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
		if (backslashes % 2 === 0) return at;
	}
	return text.length;
}

function* parsed(text: string): Sliced<unknown> {
	try {
		return yield* parsing(text);
	} catch {
		return undefined;
	}
}

/** Removes blanks, byte order marks and NUL at both ends. */
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

/** One value per line. */
function* linesOf(text: string): Sliced<unknown[] | undefined> {
	if (!/^[[{]/.test(text)) return undefined;
	const lines = text.split('\n', MOST_LINES + 1);
	if (lines.length < 2 || lines.length > MOST_LINES) return undefined;
	const values: unknown[] = [];
	for (const line of lines) {
		if (line.trim() === '') continue;
		yield;
		const value = yield* parsed(line);
		if (value === undefined) return undefined;
		values.push(value);
	}
	return values;
}

function* behindPreface(text: string): Sliced<unknown> {
	const start = /\n[[{]/.exec(text.slice(0, LONGEST_PREFACE))?.index;
	return start === undefined ? undefined : yield* parsed(text.slice(start + 1));
}

/** Puts quotes around the integers that would lose digits. @param text valid JSON, so its quotes are balanced */
function quoteLongIntegers(text: string): string {
	const parts: string[] = [];
	let written = 0;
	/** The next string, or the one that may contain the digits. */
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
