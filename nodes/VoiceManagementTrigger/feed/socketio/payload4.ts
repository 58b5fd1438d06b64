// The framing of Engine.IO 4's long polling: packets of text with a character between them.
import type { Framing } from './pieces';

const SEPARATOR = '\x1e';

/** Where the packets of a payload end. */
export const framing: Framing = {
	endOf(payload, from) {
		const end = String(payload).indexOf(SEPARATOR, from);
		return end < 0 ? payload.length : end;
	},
	between: SEPARATOR.length,
};
