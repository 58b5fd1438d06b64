// One poll can bring thousands of events, and a client reads what it brought at one stretch, with n8n standing still. So
// it gets that in pieces, each as if it had been polled for, and n8n has its turns in between.
import { inSlices, Pace, type Sliced } from '../../../shared/slices';

/**
 * What is read before anybody looks at the time, in characters or bytes and in packets: some milliseconds of work, where
 * twenty triggers that follow calls take half a millisecond of each event.
 */
const LONGEST_PIECE = 64 * 1024;
export const MOST_PACKETS = 32;

/** The packets that one poll brought: text, or bytes in the binary framing of Engine.IO 3. */
export type Payload = string | Uint8Array;

/** How packets stand in a payload. */
export interface Framing {
	/** Where the packet ends that begins at `from`: the end of the payload where that can't be told. */
	endOf(payload: Payload, from: number): number;
	/** How much stands between two packets. */
	between: number;
}

export class Pieces {
	private rest?: { payload: Payload; at: number; framing: Framing; pace: Pace };

	private isReading = false;

	/** Whether this is the last poll of the client, since a WebSocket takes over: what is left would reach nobody. */
	isLast = () => false;

	/** The first piece of what a poll brought; {@link next} gives the others. @throws what reading it throws */
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
			// The events of the piece before are handed on in microtasks.
			await Promise.resolve();
			if (rest.pace.isOver) await rest.pace.pause();
			return this.cut(rest);
		})();
	}

	/** Resolves when the client has had everything. */
	async handedOn(): Promise<void> {
		while (this.rest ?? this.isReading) await new Pace().pause();
	}

	/** Nobody asks for the rest any more. */
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
