// The text framing of Engine.IO 3's long polling, `<length>:<packet>` one after the other, in the way the bundled client
// counts: in UTF-16 units. Servers count in these, in characters or in bytes, which differ as soon as a name has an accent.

/** UTF-16 units of a text of so many characters or bytes from `from` on; undefined if it ends before. */
type Measure = (text: string, from: number, length: number) => number | undefined;

const inUnits: Measure = (text, from, length) =>
	from + length <= text.length ? length : undefined;

const inBytes: Measure = (text, from, length) => measured(text, from, length, utf8Length);

const inCharacters: Measure = (text, from, length) => measured(text, from, length, () => 1);

/**
 * @param text a whole payload, decoded from UTF-8
 * @returns the same packets with their lengths in UTF-16 units; unchanged if no way of counting fits
 */
export function recounted(text: string): string {
	const isAscii = !/[^\0-\x7f]/.test(text);
	const trimmed = text.trimEnd();
	const hasEnd = trimmed.length < text.length;
	// Pure ASCII counts the same in every way.
	if (isAscii && !hasEnd) return text;
	// A new line at the end belongs to the last packet, or it stands behind it.
	for (const payload of hasEnd ? [text, trimmed] : [text]) {
		for (const measure of isAscii ? [inUnits] : [inUnits, inBytes, inCharacters]) {
			const packets = split(payload, measure);
			if (packets) return packets.map((packet) => `${packet.length}:${packet}`).join('');
		}
	}
	return text;
}

/** The packets, if this way of counting comes out at the end of the text. */
function split(text: string, measure: Measure): string[] | undefined {
	const packets: string[] = [];
	for (let at = 0; at < text.length;) {
		const colon = text.indexOf(':', at);
		if (colon === -1 || colon - at > 15) return undefined;
		const digits = text.slice(at, colon);
		if (!/^\d+$/.test(digits)) return undefined;
		const length = measure(text, colon + 1, Number(digits));
		if (length === undefined) return undefined;
		at = colon + 1 + length;
		packets.push(text.slice(colon + 1, at));
	}
	return packets;
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
