// The one file of the package that carries third-party code: the build makes a bundle of both Socket.IO clients of it
// (gulpfile.js), because a package with runtime dependencies can't be verified by n8n.
export {
	io as openSocketIo4,
	Fetch as Engine4Polling,
	WebSocket as Engine4WebSocket,
} from 'socket.io-client';
export { default as openSocketIo2, type Engine3Transport } from 'socket.io-client-2';
