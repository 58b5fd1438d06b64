// Splits the response to a poll. It can contain thousands of events, which a client would process without a pause while
// n8n stands still. So the client gets it in pieces, as if it had polled for each, and n8n gets its turn in between.
import { inSlices, Pace, type Sliced } from '../../../shared/slices';

/**
 * Limits for one piece, in characters or bytes and in packets; the time is checked between pieces. A piece takes some
 * milliseconds if twenty triggers that follow calls spend half a millisecond on each event.
 */
const LONGEST_PIECE = 64 * 1024;
export const MOST_PACKETS = 32;

/** The packets in the response to a poll: text, or bytes in the binary framing of Engine.IO 3. */
export type Payload = string | Uint8Array;

/** How packets are arranged in a payload. */
export interface Framing {
	/** Where the packet that begins at `from` ends; the end of the payload if that can't be determined. */
	endOf(payload: Payload, from: number): number;
	/** The number of characters between two packets. */
	between: number;
}

export class Pieces {
	private rest?: { payload: Payload; at: number; framing: Framing; pace: Pace };

	private isReading = false;

	/**
	 * Whether this is the client's last poll because a WebSocket takes over: it then gets everything at once, because
	 * it would never ask for the rest.
	 */
	isLast = () => false;

	/** The first piece of a response; {@link next} returns the others. @throws what reading it throws */
	async first(reading: Sliced<Payload>, framing: Framing): Promise<Payload> {
		this.isReading = true;
		try {
			const payload = await inSlices(reading);
			return this.cut({ payload, at: 0, framing, pace: new Pace() });
		} finally {
			this.isReading = false;
		}
	}

	/** The next piece, after n8n has had its turn if that was due; undefined if nothing is left. */
	next(): Promise<Payload> | undefined {
		const { rest } = this;
		if (!rest) return undefined;
		return (async () => {
			// The events of the previous piece are passed on in microtasks.
			await Promise.resolve();
			if (rest.pace.isOver) await rest.pace.pause();
			return this.cut(rest);
		})();
	}

	/** Resolves when the client has got everything. */
	async handedOn(): Promise<void> {
		while (this.rest ?? this.isReading) await new Pace().pause();
	}

	/** Drops the rest, because the connection is closed. */
	end(): void {
		this.rest = undefined;
	}

	private cut(rest: NonNullable<Pieces['rest']>): Payload {
		const { payload, at, framing } = rest;
		let end = this.isLast() ? payload.length : at;
		let next = end;
		for (
			let packets = 0;
			next < payload.length && next - at < LONGEST_PIECE && packets < MOST_PACKETS;
			packets++
		) {
			end = framing.endOf(payload, next);
			next = end + framing.between;
		}
		this.rest = next < payload.length ? { ...rest, at: next } : undefined;
		return payload.slice(at, end);
	}
}
