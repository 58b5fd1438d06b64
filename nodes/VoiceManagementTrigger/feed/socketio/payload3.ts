// Reads the framings of Engine.IO 3's long polling. In text, each packet is written as `<length>:<packet>`. The bundled
// client expects the length in UTF-16 units; servers count in these, in characters or in bytes, which differ as soon as
// a name has an accent.
import type { Sliced } from '../../../shared/slices';
import type { Framing, Payload } from './pieces';
import { isBinary, payloadText, type PollingAnswer } from './pollingHttp';

/** Limit for the length before a packet, with its delimiters. */
const LONGEST_HEAD = 16;

/**
 * Converts a length in characters or bytes, from `from` on, to UTF-16 units; undefined if the text has no such part.
 */
type Measure = (text: string, from: number, length: number) => number | undefined;

const inUnits: Measure = (text, from, length) =>
	from + length <= text.length ? length : undefined;

const inBytes: Measure = (text, from, length) => measured(text, from, length, utf8Length);

const inCharacters: Measure = (text, from, length) => measured(text, from, length, () => 1);

/**
 * Converts the lengths in a text payload.
 * @param text a whole payload, decoded from UTF-8
 * @returns the same packets with their lengths in UTF-16 units; unchanged if no way of counting fits
 */
export function* recounted(text: string): Sliced<string> {
	const isAscii = !/[^\0-\x7f]/.test(text);
	const trimmed = text.trimEnd();
	const hasEnd = trimmed.length < text.length;
	// In pure ASCII, all ways of counting agree.
	if (isAscii && !hasEnd) return text;
	// A line break at the end can belong to the last packet or follow it.
	for (const payload of hasEnd ? [text, trimmed] : [text]) {
		for (const measure of isAscii ? [inUnits] : [inUnits, inBytes, inCharacters]) {
			const inOurs = yield* reframed(payload, measure);
			if (inOurs !== undefined) return inOurs;
		}
	}
	return text;
}

/** The packets in the response to a poll. */
export function* readPackets(answer: PollingAnswer): Sliced<Payload> {
	return isBinary(answer) ? answer.body : yield* recounted(yield* payloadText(answer));
}

/** How many packets, or characters of one packet, to process before yielding: some hundred microseconds of work. */
const MOST_PACKETS = 500;
const LONG_PACKET = 20_000;

/** The packets with their lengths in UTF-16 units; undefined if this way of counting does not end with the text. */
function* reframed(text: string, measure: Measure): Sliced<string | undefined> {
	const parts: string[] = [];
	let packets: string[] = [];
	for (let at = 0; at < text.length;) {
		const head = text.slice(at, at + LONGEST_HEAD);
		const digits = head.indexOf(':');
		if (digits < 1 || !/^\d+$/.test(head.slice(0, digits))) return undefined;
		const start = at + digits + 1;
		const length = measure(text, start, Number(head.slice(0, digits)));
		if (length === undefined) return undefined;
		at = start + length;
		packets.push(`${length}:${text.slice(start, at)}`);
		if (packets.length < MOST_PACKETS && length < LONG_PACKET) continue;
		parts.push(packets.join(''));
		packets = [];
		yield;
	}
	return parts.join('') + packets.join('');
}

function measured(
	text: string,
	from: number,
	length: number,
	weight: (codePoint: number) => number,
): number | undefined {
	let at = from;
	let rest = length;
	while (rest > 0 && at < text.length) {
		const codePoint = text.codePointAt(at) as number;
		rest -= weight(codePoint);
		at += codePoint > 0xffff ? 2 : 1;
	}
	return rest === 0 ? at - from : undefined;
}

function utf8Length(codePoint: number): number {
	if (codePoint < 0x80) return 1;
	if (codePoint < 0x800) return 2;
	return codePoint < 0x10000 ? 3 : 4;
}

/**
 * Finds the end of each packet in text that was {@link recounted}, or in bytes, where 0 (text) or 1 (bytes), the digits
 * of the length as bytes, and 255 precede each packet.
 */
export const framing: Framing = {
	endOf(payload, from) {
		const head = payload.slice(from, from + LONGEST_HEAD);
		const isText = typeof head === 'string';
		const digits = isText ? head.indexOf(':') : head.indexOf(255);
		const length = Number(isText ? head.slice(0, digits) : head.slice(1, digits).join(''));
		const end = from + digits + 1 + length;
		return digits > 0 && length >= 0 && end <= payload.length ? end : payload.length;
	},
	between: 0,
};
