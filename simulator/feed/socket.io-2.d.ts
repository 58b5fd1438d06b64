// The little of socket.io 2.5 that the simulator uses; that generation was published without types.
declare module 'socket.io-2' {
	import type { Server as HttpServer } from 'node:http';

	interface Socket2 {
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
	interface Server2 {
		on(name: 'connection', handler: (socket: Socket2) => void): this;
		engine: unknown;
	}
	export default function createServer(http: HttpServer, options: object): Server2;
}
