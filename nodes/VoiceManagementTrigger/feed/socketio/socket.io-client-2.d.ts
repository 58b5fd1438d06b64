// Types for the parts of Socket.IO 2's client that we use; it ships none.
declare module 'socket.io-client-2' {
	interface Packet {
		type: string;
		data?: unknown;
	}
	export interface Engine3Transport {
		readyState: string;
		onPacket(packet: Packet): void;
		onError(message: string): void;
	}
	interface Engine {
		readyState: string;
		transport?: Engine3Transport;
		/** Before an upgrade's transport brings anything but the answer to its probe. */
		on(event: 'upgrading', handler: (transport: Engine3Transport) => void): unknown;
		onClose(reason: string): void;
	}
	interface Socket {
		io: { engine?: Engine };
		/** Every event packet comes through here, before the handlers of its name. */
		onevent(packet: { id?: number | null; data?: unknown[] }): void;
		/** Returns the function that acknowledges the event packet with this number. */
		ack(id: number): (...args: unknown[]) => void;
		on(event: string, handler: (argument: unknown) => void): this;
		emit(event: string, ...args: unknown[]): this;
		disconnect(): this;
	}
	export default function io(url: string, options: Record<string, unknown>): Socket;
}
