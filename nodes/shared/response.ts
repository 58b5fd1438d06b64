// A response of the operator as both nodes, the credential tests and the logins of the feed read it. The operator's
// documents show hardly any response, and what stands in front of it (proxies, login pages) responds in its own ways: so
// bytes are asked for, and character set and format are found out here.

import { BodyTooLong, readBounded } from './boundedBody';
import { crossing, MOST_VALUES, readingJson, unpackingLongTexts } from './json';
import { cleaning, type Secrets } from './secrets';
import { atOnce, inSlices, type Sliced } from './slices';
import { parsingXml } from './xml';

/** What n8n's HTTP helpers give when they are asked for the full response. */
export interface HttpResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	/** Bytes or text; a stream before `receive`; a value if somebody parsed it already. */
	body: unknown;
	/** The bound in bytes that the body was over; `body` is empty then. */
	tooLarge?: number;
	/** The login that it answers: `readResponse` takes it out. */
	secrets?: Secrets;
	/** What `readResponse` gives, if it has been read. */
	parsed?: ParsedResponse;
}

/** A response as read. */
export interface ParsedResponse {
	statusCode: number;
	/** As they came; `headerOf` finds one. */
	headers: Record<string, unknown>;
	/** What it says: JSON, or XML as the same kind of value. undefined for text, for a web page and for nothing. */
	data: unknown;
	/** The body as text: the beginning of one that is longer than a web page. */
	text: string;
	format: 'json' | 'xml' | 'form' | 'html' | 'text' | 'empty';
	/** Why it was not read, as the end of a sentence: `is larger than 8 MB`. */
	tooLarge?: string;
}

/** How much of a response is taken. */
export interface Bounds {
	bytes: number;
	/** Values of JSON or XML. */
	values?: number;
	/** Milliseconds from the headers to the end of the body. */
	timeoutMs: number;
	/** Of the credential that the request went with. */
	secrets: Secrets;
}

/** A login: agents, groups and trunks of a large call centre are some hundred kilobytes. */
export const LOGIN_BYTES = 1_000_000;
/** Everything else: a page of a thousand addresses is about one megabyte, a whole list without paging a few. */
export const RESPONSE_BYTES = 8_000_000;
/** The values of a login's response: as many as fit, unless they are shorter than anybody writes. */
export const LOGIN_VALUES = 150_000;

/** What to ask n8n's `httpRequest` for: the response as it came, whatever its status, bounded by `receive`. */
export const RAW_RESPONSE = {
	// n8n's own JSON parser would round identifiers beyond 2^53, and its text is always UTF-8. n8n bounds no response; a
	// stream can be stopped.
	encoding: 'stream',
	returnFullResponse: true,
	// n8n repeats a request by itself after a thrown 401; a status that is not thrown is not repeated.
	ignoreHttpStatusErrors: true,
	// The login would go along, to another host as well.
	disableFollowRedirect: true,
} as const;

/** No response came to its end within the time; `code` is what Node.js calls it. */
class BodyTimeout extends Error {
	readonly code = 'ETIMEDOUT';
}

/**
 * The response with its body as bytes, and read: in slices, so that n8n gets its turns.
 * @param given what n8n's helper resolved with
 * @throws the error of the network if the connection ended in the middle of the body
 */
export async function receive(given: unknown, bounds: Bounds): Promise<HttpResponse> {
	const { statusCode, headers, body } = given as HttpResponse;
	const response = { statusCode, headers: headers ?? {}, secrets: bounds.secrets };
	const whole: HttpResponse = { ...response, ...(await bodyOf(body, bounds)) };
	return { ...whole, parsed: await inSlices(reading(whole, bounds.values ?? MOST_VALUES)) };
}

async function bodyOf(
	body: unknown,
	bounds: Bounds,
): Promise<Pick<HttpResponse, 'body' | 'tooLarge'>> {
	const raw = isStream(body) || typeof body === 'string' || isBytes(body);
	if (!raw) return { body };
	const timeout = AbortSignal.timeout(bounds.timeoutMs);
	const stop = () => {
		if (isStream(body)) body.destroy?.(new BodyTimeout('The response did not end in time'));
	};
	timeout.addEventListener('abort', stop, { once: true });
	try {
		const bytes = await readBounded(body, bounds.bytes);
		// Text has been decoded by somebody: its bytes are not those that were sent.
		return { body: typeof body === 'string' ? body : bytes };
	} catch (error) {
		if (!(error instanceof BodyTooLong)) throw error as Error;
		return { body: '', tooLarge: bounds.bytes };
	} finally {
		timeout.removeEventListener('abort', stop);
	}
}

interface ByteStream extends AsyncIterable<Uint8Array | string> {
	destroy?(error?: Error): unknown;
}

function isStream(value: unknown): value is ByteStream {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isBytes(value: unknown): value is Uint8Array {
	return value instanceof Uint8Array;
}

/**
 * Reads a response. Never throws.
 * @param response with the body as bytes or text (see `receive`)
 * @param mostValues what has more is not read
 * @returns it without the login, should it repeat that
 */
export function readResponse(response: HttpResponse, mostValues = MOST_VALUES): ParsedResponse {
	return response.parsed ?? atOnce(reading(response, mostValues));
}

/** The longest web page that is searched for its title, and the longest text that anybody reads. */
const LONGEST_TEXT = 20_000;

/** The same in slices. */
export function* reading(response: HttpResponse, mostValues = MOST_VALUES): Sliced<ParsedResponse> {
	const { secrets } = response;
	const parsed = yield* parsing(response, mostValues);
	// Cut where nobody looks, so that half a secret at the end is not shown.
	const text = parsed.text.slice(0, LONGEST_TEXT);
	const data = yield* unpackingLongTexts(parsed.data);
	if (!secrets) return { ...parsed, data, text };
	return {
		...parsed,
		headers: yield* cleaning(parsed.headers, secrets.inText),
		data: yield* cleaning(data, secrets.inFields, secrets.inText),
		text: yield* cleaning(text, secrets.inText),
	};
}

function* parsing(response: HttpResponse, mostValues: number): Sliced<ParsedResponse> {
	const { statusCode, body } = response;
	const headers = response.headers ?? {};
	const given = { statusCode, headers };
	if (response.tooLarge !== undefined) {
		const tooLarge = `is larger than ${Math.round(response.tooLarge / 1_000_000)} MB`;
		return { ...given, data: undefined, text: '', format: 'empty', tooLarge };
	}
	const bytes = body instanceof ArrayBuffer ? new Uint8Array(body) : body;
	if (typeof bytes !== 'string' && !isBytes(bytes)) {
		// Somebody parsed it already.
		return bytes === undefined || bytes === null
			? { ...given, data: undefined, text: '', format: 'empty' }
			: { ...given, data: bytes, text: textOf(bytes), format: 'json' };
	}
	const type = (headerOf(headers, 'content-type') ?? '').slice(0, 500);
	const decoded = typeof bytes === 'string' ? bytes : yield* decode(bytes, type);
	const text = decoded.replace(/^\uFEFF/, '');
	const begin = text.slice(0, 1_000).trimStart();
	if (begin === '' && text.trim() === '')
		return { ...given, data: undefined, text, format: 'empty' };
	const markup = begin.startsWith('<');
	const page =
		markup &&
		(/^<(!doctype\s{1,9}html|html[\s>])/i.test(withoutPrologue(begin)) ||
			(/html/i.test(type) && !begin.startsWith('<?xml')));
	// The values of XML are its elements and attributes.
	const isTooMuch = markup && !page && (yield* hasMoreMarks(text, mostValues));
	const crossed = isTooMuch ? `${mostValues} values` : yield* crossing(text, mostValues);
	if (crossed !== undefined) {
		const tooLarge = `has more than ${crossed}`;
		return { ...given, data: undefined, text: '', format: 'text', tooLarge };
	}
	const json = yield* readingJson(text);
	if (json !== undefined) return { ...given, data: json, text, format: 'json' };
	const xml = markup && !page ? yield* parsingXml(text) : undefined;
	if (xml !== undefined) return { ...given, data: xml, text, format: 'xml' };
	if (page) return { ...given, data: undefined, text, format: 'html' };
	const fields = fieldsIn(text);
	if (fields) return { ...given, data: fields, text, format: 'form' };
	return { ...given, data: undefined, text, format: 'text' };
}

/** Whether XML has more elements and attributes than this. */
function* hasMoreMarks(text: string, most: number): Sliced<boolean> {
	let marks = 0;
	for (const _mark of text.matchAll(/<(?!\/)|=\s*["']/g)) {
		if (++marks > most) return true;
		if (marks % A_FEW === 0) yield;
	}
	return false;
}

/** So many marks of XML are looked at, and so many bytes decoded, at one stretch. */
const A_FEW = 5_000;
const BYTES_AT_ONCE = 200_000;

/** The fields of `a=1&b=2`, or of lines such as `a: 1`; undefined for text of another kind. */
function fieldsIn(text: string): Record<string, string> | undefined {
	const parts = text.length > 5_000 ? [] : text.trim().split(/[&\r\n]+/);
	const pairs = parts.map((part) => /^([a-z]\w{0,40}) ?[=:] ?([^\s=:]{1,2000})$/i.exec(part));
	if (pairs.length === 0 || pairs.some((pair) => pair === null)) return undefined;
	const form = new URLSearchParams(pairs.map((pair) => `${pair?.[1]}=${pair?.[2]}`).join('&'));
	return Object.fromEntries(form);
}

/** A header in any letter case; the first of several. */
export function headerOf(headers: Record<string, unknown>, name: string): string | undefined {
	const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
	const value = key === undefined ? undefined : headers[key];
	const first: unknown = Array.isArray(value) ? value[0] : value;
	return typeof first === 'string' || typeof first === 'number' ? String(first) : undefined;
}

/** The title of a web page, for people. */
export function pageTitle({ text }: ParsedResponse): string | undefined {
	const title = /<title[^>]{0,200}>([^<]{1,200})/i.exec(text.slice(0, 20_000))?.[1];
	return title === undefined ? undefined : oneLine(title) || undefined;
}

/** Text of the operator as one line that fits into an error. */
export function oneLine(text: string): string {
	// Cut first, with some room for what goes: the work is bounded, whatever the operator sends.
	const line = withoutMarkup(text.slice(0, 2_000))
		.replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
		.trim();
	return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function textOf(value: unknown): string {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return '';
	}
}

/**
 * Words of the operator without tags: n8n shows descriptions and hints as HTML, in which a link of somebody else's would look
 * like one of ours. Lone angle brackets become quotes of the same look.
 */
function withoutMarkup(text: string): string {
	return text
		.replace(/<\/?[a-z!][^<>]{0,1000}>/gi, ' ')
		.replaceAll('<', '‹')
		.replaceAll('>', '›');
}

/** `<?xml … ?>` in front of a web page. */
function withoutPrologue(begin: string): string {
	const end = begin.startsWith('<?') ? begin.indexOf('?>') : -1;
	return end === -1 ? begin : begin.slice(end + 2).trimStart();
}

/** Character sets in which each byte is a character. */
const BYTEWISE = /^(?:iso-?8859|windows-125|us-ascii|ascii|latin|cp125|macintosh)/i;

/**
 * Bytes as text: by a byte order mark, by what the response or the document itself names, else UTF-8; and what can't be UTF-8
 * is Windows-1252, which holds ISO-8859-1.
 */
export function* decode(bytes: Uint8Array, contentType: string): Sliced<string> {
	const start = Buffer.from(bytes.subarray(0, 1_000)).toString('latin1');
	const mark = (
		[
			['\xef\xbb\xbf', 'utf-8'],
			['\xff\xfe', 'utf-16le'],
			['\xfe\xff', 'utf-16be'],
		] as const
	).find(([begin]) => start.startsWith(begin))?.[1];
	const named =
		/charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(contentType)?.[1] ??
		/^\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})/i.exec(start)?.[1] ??
		/<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(start)?.[1];
	// Text of one byte a character is hardly ever UTF-8 by chance: then the name is wrong. And JSON begins with two ASCII signs.
	const isBytewise = named !== undefined && BYTEWISE.test(named);
	const wide = /^[^\0]\0[^\0]\0/.test(start)
		? 'utf-16le'
		: /^\0[^\0]\0[^\0]/.test(start)
			? 'utf-16be'
			: undefined;
	for (const charset of [mark, wide, isBytewise ? 'utf-8' : named, named, 'utf-8']) {
		const text = charset === undefined ? undefined : yield* decodedAs(bytes, charset);
		if (text !== undefined) return text;
	}
	return (yield* decodedAs(bytes, 'windows-1252')) ?? Buffer.from(bytes).toString('latin1');
}

/** undefined for bytes that the character set does not have, and for one that nobody knows. */
function* decodedAs(bytes: Uint8Array, charset: string): Sliced<string | undefined> {
	try {
		const decoder = new TextDecoder(charset, { fatal: true });
		const parts: string[] = [];
		for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
			parts.push(decoder.decode(bytes.subarray(at, at + BYTES_AT_ONCE), { stream: true }));
			if (at + BYTES_AT_ONCE < bytes.length) yield;
		}
		return parts.join('') + decoder.decode();
	} catch {
		return undefined;
	}
}
