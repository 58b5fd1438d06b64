// The two transports of engine.io-client, over the network of one connection. They speak both versions of Engine.IO: in 3
// (Socket.IO 1 and 2), lengths precede the packets of a poll, and the client sends the pings.
import { EnginePolling, Transport } from './clients';
import { admit, readPayload, SEPARATOR, writePacket, type Packet, type Raw } from './packets';
import type { PollingAnswer, PollingHttp } from './pollingHttp';
import { globalThisShim } from './timers';
import { Turns } from './turns';
import type { LeftOut } from './types';
import type { WebSockets } from './webSockets';

export interface ConnectionNetwork {
	http: PollingHttp;
	webSockets: WebSockets;
	/** Called with an exception of the client, after which the connection is unusable. */
	broken: (error: unknown) => void;
	leftOut: (leftOut: LeftOut) => void;
	heartbeat: () => void;
}

/** Takes the name and the arguments of an event that did not go through the client. */
type OnEvent = (event: unknown[]) => void;

/** What engine.io-client's transports have for their subclasses. */
interface Inner {
	readyState: string;
	query: { sid?: string };
	socket: { transport: Inner };
	onOpen(): void;
	onPacket(packet: Packet): void;
	onClose(details: object): void;
	onError(reason: string): void;
}

/** The transports' classes, in the order in which the client tries them. */
export function transportsOver(network: ConnectionNetwork, engine: 3 | 4, onEvent: OnEvent) {
	const { http, webSockets, broken } = network;
	/** Half of the time between two pings, if the client sends them. */
	let halfMs = 0;

	/** The client replies to this ping, and its reply is a ping for the server: see {@link outgoing}. */
	const pingLater = ({ socket }: Inner) => {
		globalThisShim.setTimeout(() => socket.transport.onPacket({ type: 'ping' }), halfMs);
	};

	/** The one way in for what arrives. */
	function received(raw: Raw, transport: Inner): void {
		if (transport.readyState === 'closed') return;
		const admission = admit(raw, engine);
		if (admission.kind === 'event') return onEvent(admission.event);
		if (admission.kind === 'leftOut') return network.leftOut(admission.leftOut);
		if (admission.kind === 'broken') return transport.onError(admission.reason);
		if (admission.kind === 'handshake') {
			// On a connection that is open already, the client would start over.
			if (transport.query.sid !== undefined) return;
			if (transport.readyState === 'opening') transport.onOpen();
			const { handshake } = admission;
			if (engine === 3) {
				halfMs = handshake.pingInterval /= 2;
				pingLater(transport);
			}
			return transport.onPacket({ type: 'open', data: JSON.stringify(handshake) });
		}
		const { packet } = admission;
		if (packet.type === 'close') return transport.onClose({ description: 'closed by the server' });
		if (packet.data === undefined && packet.type === (engine === 3 ? 'pong' : 'ping')) {
			network.heartbeat();
			if (engine === 3) return pingLater(transport);
		}
		transport.onPacket(packet);
	}

	const turnsOf = (transport: Transport) =>
		new Turns((raw) => received(raw, transport as unknown as Inner), broken);
	const address = (uri: string) => uri.replace('EIO=4', `EIO=${engine}`);
	const outgoing = (packet: string) => (engine === 3 && packet === '3' ? '2' : packet);

	const polling = class extends EnginePolling {
		private readonly turns = turnsOf(this);

		override doPoll() {
			this.exchange(undefined, 'poll', (answer) => {
				for (const packet of readPayload(answer).packets) this.turns.take(packet);
				// The poll is complete: with a packet that means nothing, the client sends the next one.
				this.turns.take(() => this.onData('6'));
			});
		}

		override doWrite(data: string, written: () => void) {
			const packets = data.split(SEPARATOR).map(outgoing);
			const payload =
				engine === 3
					? packets.map((packet) => `${packet.length}:${packet}`).join('')
					: packets.join(SEPARATOR);
			this.exchange(payload, 'write', written);
		}

		private exchange(
			data: string | undefined,
			what: string,
			done: (answer: PollingAnswer) => void,
		) {
			// The client must get everything that has arrived before it learns that the connection has ended.
			const fail = (reason: string, cause: unknown) =>
				this.turns.take(() => void this.onError(reason, cause));
			http
				.request(address(this.uri()), data)
				.then(
					(answer) => {
						if (answer.ok) done(answer);
						else fail(`the ${what} was answered with HTTP status`, answer.status);
					},
					(error: Error) => fail(`the ${what} failed`, error),
				)
				.catch(broken);
		}
	};

	const websocket = class extends Transport {
		private readonly turns = turnsOf(this);

		private socketOver?: WebSocket;

		override get name() {
			return 'websocket';
		}

		override doOpen() {
			const { turns } = this;
			try {
				const uri = this.createUri(this.opts.secure ? 'wss' : 'ws', this.query);
				const socket = webSockets.connect(address(uri));
				this.socketOver = socket;
				socket.onopen = () => turns.take(() => this.onOpen());
				socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) =>
					turns.take(typeof data === 'string' ? data : new Uint8Array(data));
				socket.onerror = (event) => turns.take(() => void this.onError('websocket error', event));
				socket.onclose = () => turns.take(() => this.onClose({ description: 'closed' }));
			} catch (error) {
				this.onError('websocket error', error);
			}
		}

		override doClose() {
			this.socketOver?.close();
		}

		override write(packets: Packet[]) {
			this.writable = false;
			for (const packet of packets) this.socketOver?.send(outgoing(writePacket(packet)));
			void Promise.resolve().then(() => {
				this.writable = true;
				this.emitReserved('drain');
			});
		}
	};
	return { polling, websocket };
}
