// Events encoded once, before anything is measured: as WebSocket frames and as packets of long polling, each in one
// piece of memory that the server only has to hand to the connection.
import { eventNumber, type Traffic } from './events';

/** Name of the message that follows each stream: everything before it has been worked through when it arrives. */
export const END = 'bench-end';
/** The same for a trigger, which logs a foreign name once for each connection: each stream has a name of its own. */
export const FEED_END = 'bench-over';

let streams = 0;

/** What follows a stream, always of the same length: both of its end marks. */
export function endMarks(): string[] {
	streams = (streams + 1) % 1_000_000;
	const name = `${FEED_END}-${String(streams).padStart(6, '0')}`;
	return [packetOf(name, null), packetOf(END, null)];
}

export interface Encoded {
	/** Frame `i` is the bytes from `frameAt[i]` to `frameAt[i + 1]`. */
	frames: Buffer;
	frameAt: Float64Array;
	/** The Socket.IO packets as text, for long polling. */
	packets: string[];
}

/** Encodes the events 1 to `count`. */
export function encode(count: number, traffic: Traffic, withPackets: boolean): Encoded {
	const frameAt = new Float64Array(count + 1);
	const packets: string[] = [];
	const parts: Buffer[] = [];
	let bytes = 0;
	for (let cpt = 1; cpt <= count; cpt++) {
		const packet = packetOf('update', eventNumber(cpt, traffic));
		if (withPackets) packets.push(packet);
		const frame = frameOf(packet);
		parts.push(frame);
		bytes += frame.length;
		frameAt[cpt] = bytes;
	}
	return { frames: Buffer.concat(parts, bytes), frameAt, packets };
}

/** A Socket.IO event inside an Engine.IO message, in the protocols of generation 4. */
function packetOf(name: string, payload: unknown): string {
	return `42${JSON.stringify([name, payload])}`;
}

/** An unmasked WebSocket text frame (RFC 6455, 5.2). */
export function frameOf(text: string): Buffer {
	const payload = Buffer.from(text);
	const { length } = payload;
	if (length > 65_535) throw new Error('The bench sends no frames of more than 64 KB');
	const head = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 255];
	return Buffer.concat([Buffer.from(head), payload]);
}
