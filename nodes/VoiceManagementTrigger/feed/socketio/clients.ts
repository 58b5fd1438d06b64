// Exports the only third-party code of the package. The build makes a bundle of this file (tools/build.js), because n8n does
// not verify a package with runtime dependencies.
export { Fetch as EnginePolling, Socket as Engine, Transport } from 'engine.io-client';
export { Decoder, PacketType } from 'socket.io-parser';
