// Reads the framing of Engine.IO 4's long polling: text packets with a separator between them.
import type { Sliced } from '../../../shared/slices';
import type { Framing } from './pieces';
import { payloadText, type PollingAnswer } from './pollingHttp';

const SEPARATOR = '\x1e';

/** The packets in the response to a poll. */
export function* readPackets(answer: PollingAnswer): Sliced<string> {
	return (yield* payloadText(answer)).trimEnd();
}

/** Finds the end of each packet. */
export const framing: Framing = {
	endOf(payload, from) {
		const end = String(payload).indexOf(SEPARATOR, from);
		return end < 0 ? payload.length : end;
	},
	between: SEPARATOR.length,
};
