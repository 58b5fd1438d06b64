// Exports both Socket.IO clients, the only third-party code of the package. The build makes a bundle of this file
// (gulpfile.js), because n8n does not verify a package with runtime dependencies.
export {
	io as openSocketIo4,
	Fetch as Engine4Polling,
	WebSocket as Engine4WebSocket,
} from 'socket.io-client';
export { default as openSocketIo2, type Engine3Transport } from 'socket.io-client-2';
