// Reads a response of the operator, for both nodes, the credential tests and the logins of the feed. The operator's
// documents show hardly any response, and proxies or login pages in front of it respond in their own ways. So
// responses are requested as bytes, and character set and format are detected here.

import { BodyTooLong, readBounded } from './boundedBody';
import { crossing, MOST_VALUES, readingJson, unpackingLongTexts } from './json';
import { cleaning, type Secrets } from './secrets';
import { atOnce, inSlices, type Sliced } from './slices';
import { parsingXml } from './xml';

/** A full response as n8n's HTTP helpers return it. */
export interface HttpResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	/** Bytes or text; a stream before `receive`; a value if a helper has parsed it already. */
	body: unknown;
	/** The limit in bytes that the body exceeds; `body` is empty then. */
	tooLarge?: number;
	/** The secrets of the request's credential: `readResponse` removes them. */
	secrets?: Secrets;
	/** The result of `readResponse`, if it has been called. */
	parsed?: ParsedResponse;
}

/** A parsed response. */
export interface ParsedResponse {
	statusCode: number;
	/** As received; `headerOf` finds one. */
	headers: Record<string, unknown>;
	/** The content: JSON, or XML as the same kind of value; undefined for text, a web page or an empty body. */
	data: unknown;
	/** The body as text; only the beginning if it is longer than a web page. */
	text: string;
	format: 'json' | 'xml' | 'form' | 'html' | 'text' | 'empty';
	/** Why it was not read, as the end of a sentence: `is larger than 8 MB`. */
	tooLarge?: string;
}

/** Limits for reading a response. */
export interface Bounds {
	bytes: number;
	/** Values of JSON or XML. */
	values?: number;
	/** Milliseconds from the headers to the end of the body. */
	timeoutMs: number;
	/** Of the credential that the request used. */
	secrets: Secrets;
}

/** Limit for a login: agents, groups and trunks of a large call centre take a few hundred kilobytes. */
export const LOGIN_BYTES = 1_000_000;
/**
 * Limit for everything else: a page of a thousand addresses takes about one megabyte, a whole list without paging a
 * few.
 */
export const RESPONSE_BYTES = 8_000_000;
/** Limit for the values of a login's response: more than realistic values of that many bytes. */
export const LOGIN_VALUES = 150_000;

/** Options for n8n's `httpRequest`: the unparsed response, whatever its status; `receive` limits its size. */
export const RAW_RESPONSE = {
	// n8n's own JSON parser would round identifiers beyond 2^53, and it always decodes text as UTF-8. n8n does not
	// limit the size of a response, but a stream can be stopped.
	encoding: 'stream',
	returnFullResponse: true,
	// n8n itself repeats a request after a thrown 401, but not if the status is not thrown.
	ignoreHttpStatusErrors: true,
	// n8n would send the login along, even to another host.
	disableFollowRedirect: true,
} as const;

/** The body did not end in time; `code` is Node.js's code for a timeout. */
class BodyTimeout extends Error {
	readonly code = 'ETIMEDOUT';
}

/**
 * Receives the body as bytes and parses it in slices, so that n8n gets its turns.
 * @param given what n8n's helper resolved with
 * @throws the network error if the connection ended in the middle of the body
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
		// Text was decoded by the helper: its bytes are not those that were sent.
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
 * @param mostValues a response with more values is not parsed
 * @returns the parsed response, without the login if the operator repeated it
 */
export function readResponse(response: HttpResponse, mostValues = MOST_VALUES): ParsedResponse {
	return response.parsed ?? atOnce(reading(response, mostValues));
}

/** The longest web page that is searched for its title, and the longest text that is kept. */
const LONGEST_TEXT = 20_000;

/** The same in slices. */
export function* reading(response: HttpResponse, mostValues = MOST_VALUES): Sliced<ParsedResponse> {
	const { secrets } = response;
	const parsed = yield* parsing(response, mostValues);
	// Cut beyond the part that is ever shown, so that half a secret at the end does not show.
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
		// The helper has parsed it already.
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

/** XML marks to look at, or bytes to decode, before yielding. */
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
	// Cut first, with some room for removed markup: the work is bounded, whatever the operator sends.
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
 * The operator's words without tags: n8n renders descriptions and hints as HTML, in which another party's link would
 * look like one of ours. Lone angle brackets become similar-looking quotes.
 */
function withoutMarkup(text: string): string {
	return text
		.replace(/<\/?[a-z!][^<>]{0,1000}>/gi, ' ')
		.replaceAll('<', '‹')
		.replaceAll('>', '›');
}

/** Removes `<?xml … ?>` before a web page. */
function withoutPrologue(begin: string): string {
	const end = begin.startsWith('<?') ? begin.indexOf('?>') : -1;
	return end === -1 ? begin : begin.slice(end + 2).trimStart();
}

/** Character sets in which each byte is a character. */
const BYTEWISE = /^(?:iso-?8859|windows-125|us-ascii|ascii|latin|cp125|macintosh)/i;

/**
 * Decodes bytes by a byte order mark, by the character set that the response or the document itself declares, else as
 * UTF-8. Bytes that can't be UTF-8 are read as Windows-1252, a superset of ISO-8859-1.
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
	// Single-byte text is hardly ever valid UTF-8 by chance, so the declared name is wrong. And JSON begins with two
	// ASCII characters.
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

/** undefined if the bytes are invalid in the character set, or if the character set is unknown. */
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
