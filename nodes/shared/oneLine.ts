// The provider's own words, as people get them.

/** A word, as most texts are. */
const WORD = /^[\w.:-]{1,100}$/;

/**
 * Text of the provider as one line that fits into an error, without markup: n8n renders descriptions and hints as HTML,
 * in which another party's link would look like one of ours. Lone angle brackets become similar-looking quotes.
 */
export function oneLine(text: string): string {
	if (WORD.test(text)) return text;
	// Cut first, with some room for removed markup: the work is bounded, whatever the provider sends.
	const line = text
		.slice(0, 2_000)
		.replace(/<[/?]?[a-z!][^<>]*>/gi, ' ')
		.replaceAll('<', '‹')
		.replaceAll('>', '›')
		.replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
		.trim();
	return line.length > 200 || text.length > 2_000 ? `${line.slice(0, 199)}…` : line;
}
