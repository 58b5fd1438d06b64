import type { Socket } from 'node:net';

/**
 * Ends a TCP connection with RST, at once. A connection that is already closing is destroyed without RST: Node.js
 * fails to reset it, forgets it and keeps its handle open for ever, and with it the process.
 */
export function reset(socket: Socket): void {
	if (socket.writableEnded) socket.destroy();
	else socket.resetAndDestroy();
}
