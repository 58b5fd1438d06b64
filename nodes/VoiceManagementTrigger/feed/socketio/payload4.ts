// The framing of Engine.IO 4's long polling: packets of text with a character between them.
import type { Sliced } from '../../../shared/slices';
import type { Framing } from './pieces';
import { payloadText, type PollingAnswer } from './pollingHttp';

const SEPARATOR = '\x1e';

/** The packets that a poll brought. */
export function* readPackets(answer: PollingAnswer): Sliced<string> {
	return (yield* payloadText(answer)).trimEnd();
}

/** Where the packets of a payload end. */
export const framing: Framing = {
	endOf(payload, from) {
		const end = String(payload).indexOf(SEPARATOR, from);
		return end < 0 ? payload.length : end;
	},
	between: SEPARATOR.length,
};
