// Bytes to data. The provider's documents show hardly any response, and proxies or login pages in front of it respond
// in their own ways: so responses are requested as bytes, and character set and format are detected here.

import { isPieces, readBounded } from '../boundedBody';
import { BodyTooLong, BrokenOff } from '../errors';
import { isCompound } from '../ids';
import { cleaned, type Secrets } from '../secrets';
import { parseJson } from '../json';

/** A full response as n8n's HTTP helpers return it. */
export interface HttpResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	/** Bytes, text, a stream of bytes, or a value if a helper has parsed it already. */
	body: unknown;
}

/** A parsed response. */
export interface Answer {
	statusCode: number;
	/** As received; `headerOf` finds one. */
	headers: Record<string, unknown>;
	/** The content if it is JSON; undefined for everything else. */
	data: unknown;
	/** The body as text; only the beginning if it is longer than a web page. */
	text: string;
	/**
	 * `markup`: XML, of which only the words count (provider.md#requests). `unreadable`: truncated JSON, bytes that are no
	 * text, or a body that was lost.
	 */
	format: 'json' | 'html' | 'markup' | 'text' | 'empty' | 'unreadable' | 'tooLarge';
}

/** Limits for receiving a response. */
export interface Bounds {
	bytes: number;
	/** Ends the body. */
	signal: AbortSignal;
	/** Of the credential that the request used: they are removed. */
	secrets: Secrets;
	/** Whether a response that broke off is returned as an unreadable one: it may name an order. */
	keepsPart?: boolean;
}

/** Limit for a login: agents, groups and trunks of a large call center take a few hundred kilobytes. */
export const LOGIN_BYTES = 1_000_000;
/** Limit for everything else: a page of a thousand addresses takes about one megabyte. */
export const ANSWER_BYTES = 4_000_000;
/** Real responses have a handful of levels; recursive code, n8n's too, would overflow the stack on thousands. */
const DEEPEST_DATA = 500;
/** A list by identifier has a field for each entry. */
const MOST_FIELDS = 10_000;
/** The longest web page that is searched for its title, and the longest text that is kept. */
const LONGEST_TEXT = 20_000;

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

/**
 * Receives the body and parses it.
 * @param given what n8n's helper resolved with
 * @throws the network error if the connection ended in the middle of the body, or the signal's reason
 */
export async function receive(
	given: unknown,
	{ bytes, signal, secrets, keepsPart = false }: Bounds,
): Promise<Answer> {
	const { statusCode, headers, body } = given as HttpResponse;
	const response = { statusCode, headers: headers ?? {} };
	if (!isPieces(body)) return parse({ ...response, body }, secrets);
	const stop = () => body.destroy?.(signal.reason as Error);
	signal.addEventListener('abort', stop, { once: true });
	if (signal.aborted) stop();
	try {
		return parse({ ...response, body: await readBounded(body, bytes) }, secrets);
	} catch (error) {
		if (error instanceof BodyTooLong) {
			return { ...response, data: undefined, text: '', format: 'tooLarge' };
		}
		if (!(error instanceof BrokenOff)) throw error as Error;
		const { received, cause } = error;
		if (!keepsPart || received.byteLength === 0) throw cause as Error;
		const { text } = parse({ ...response, body: received }, secrets);
		return { ...response, data: undefined, text, format: 'unreadable' };
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/**
 * Parses a response whose body is bytes or text. Never throws.
 * @param secrets removed, if the provider repeated them
 */
export function parse(response: HttpResponse, secrets?: Secrets): Answer {
	const { statusCode, headers = {} } = response;
	const content = contentOf(response);
	if (!secrets) return { statusCode, headers, ...content, text: cutText(content.text) };
	return {
		statusCode,
		headers: cleaned(headers, secrets.inText),
		...content,
		data: cleaned(content.data, secrets.inFields, secrets.inText),
		// Cut afterwards: half a secret is not recognized.
		text: cutText(cleaned(content.text, secrets.inText)),
	};
}

const cutText = (text: string) => text.slice(0, LONGEST_TEXT);

type Content = Pick<Answer, 'data' | 'text' | 'format'>;

function contentOf({ statusCode, headers = {}, body }: HttpResponse): Content {
	const bytes = body instanceof ArrayBuffer ? new Uint8Array(body) : body;
	const type = (headerOf(headers, 'content-type') ?? '').slice(0, 500);
	const isRaw = typeof bytes === 'string' || bytes instanceof Uint8Array;
	if (!isRaw && bytes !== undefined && bytes !== null) {
		// The helper has parsed it already.
		return { data: bytes, text: '', format: 'json' };
	}
	const decoded = !isRaw ? '' : typeof bytes === 'string' ? bytes : decode(bytes, type);
	const text = decoded.replace(/^\uFEFF/, '');
	const trimmed = text.trim();
	if (trimmed !== '') return { text, ...formatOf(trimmed, type) };
	return {
		data: undefined,
		text,
		format: hasLostItsBody(statusCode, headers) ? 'unreadable' : 'empty',
	};
}

/** The format of a text, and its data. */
function formatOf(text: string, type: string): Omit<Content, 'text'> {
	const data = jsonIn(text);
	const isTooMuch = data !== undefined && isTooComplex(data);
	if (data !== undefined && !isTooMuch) return { data, format: 'json' };
	if (isPage(text, type)) return { data: undefined, format: 'html' };
	// A text may begin with a quoted name; of truncated JSON, the quote is the only one. A text around JSON is neither.
	const isCut = /^[[{]|^"[^"]*$|[[{]\s*"/.test(text) || /[\0-\b\cN-\cZ\ufffd]/.test(text);
	const format = isTooMuch || isCut ? 'unreadable' : text.startsWith('<') ? 'markup' : 'text';
	return { data: undefined, format };
}

/** The value of a JSON text, also if it was encoded twice. */
function jsonIn(text: string): unknown {
	// No other text can be JSON, and JSON.parse is slow to fail on long text.
	if (!/^[[{"\d\-tfn]/.test(text)) return undefined;
	try {
		const value = parseJson(text);
		return typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : value;
	} catch {
		return undefined;
	}
}

/** Whether data are nested deeper, or an object has more fields, than in any real response. */
function isTooComplex(data: unknown): boolean {
	let level = [data].filter(isCompound);
	for (let depth = 1; level.length > 0; depth++) {
		if (depth > DEEPEST_DATA) return true;
		const next: object[] = [];
		for (const value of level) {
			const fields: unknown[] = Array.isArray(value) ? value : Object.values(value);
			if (fields.length > MOST_FIELDS && !Array.isArray(value)) return true;
			for (const field of fields) if (isCompound(field)) next.push(field);
		}
		level = next;
	}
	return false;
}

function isPage(text: string, type: string): boolean {
	const begin = text.slice(0, 1_000).replace(/^<\?[^>]{0,900}\?>\s*/, '');
	if (/^<(?:!doctype\s+html|html[\s>])/i.test(begin)) return true;
	return begin.startsWith('<') && /html/i.test(type) && !text.startsWith('<?xml');
}

/**
 * Whether a body was announced that did not arrive. n8n's helper removes the content-encoding, and makes an empty body
 * of a gzip that was cut off: then a success still has the type of its data, and no length of 0.
 */
function hasLostItsBody(statusCode: number, headers: Record<string, unknown>): boolean {
	const encoding = headerOf(headers, 'content-encoding') ?? 'identity';
	const length = headerOf(headers, 'content-length');
	if (encoding !== 'identity' || Number(length ?? 0) > 0) return true;
	const isSuccess = statusCode === 200 || statusCode === 201;
	const type = (headerOf(headers, 'content-type') ?? '').slice(0, 500);
	return isSuccess && length === undefined && /json|xml/i.test(type);
}

/** A header in any letter case; the first of several. */
export function headerOf(headers: Record<string, unknown>, name: string): string | undefined {
	const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
	const value = key === undefined ? undefined : headers[key];
	const first: unknown = Array.isArray(value) ? value[0] : value;
	return typeof first === 'string' || typeof first === 'number' ? String(first) : undefined;
}

/**
 * Decodes bytes. Bytes that are valid UTF-8 are UTF-8, whatever was declared: text of another character set hardly
 * ever is by chance. Everything else is what was declared, or Windows-1252, a superset of ISO-8859-1.
 */
export function decode(bytes: Uint8Array, contentType: string): string {
	const named = /charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? '';
	const mark = Buffer.from(bytes.subarray(0, 2)).toString('latin1');
	const marked = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[mark];
	const first = marked ?? (/^utf-?16/i.test(named) ? named : 'utf-8');
	for (const charset of [first, named, 'windows-1252']) {
		try {
			return new TextDecoder(charset, { fatal: true }).decode(bytes);
		} catch {
			// Not valid in this character set, or the runtime does not know it.
		}
	}
	return Buffer.from(bytes).toString('latin1');
}
