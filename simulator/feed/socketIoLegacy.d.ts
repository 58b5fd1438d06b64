// The few types of socket.io 1.7 and 2.5 that the simulator uses; these versions were published without types.
declare namespace SocketIoLegacy {
	interface Socket {
		id: string;
		handshake: { address: string };
		conn: {
			transport: { name: string };
			on(name: string, handler: (...args: unknown[]) => void): unknown;
		};
		on(name: string, handler: (...args: unknown[]) => void): this;
		emit(name: string, ...args: unknown[]): this;
		disconnect(close?: boolean): this;
	}
	interface Server {
		on(name: 'connection', handler: (socket: Socket) => void): this;
		engine: unknown;
	}
	type Create = (http: import('node:http').Server, options: object) => Server;
}
declare module 'socket.io-1' {
	const createServer: SocketIoLegacy.Create;
	export default createServer;
}
declare module 'socket.io-2' {
	const createServer: SocketIoLegacy.Create;
	export default createServer;
}
