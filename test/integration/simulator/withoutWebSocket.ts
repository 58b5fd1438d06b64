// The Socket.IO 2 client of these tests takes the runtime's own WebSocket where there is one (Node.js 22 and later). That
// one takes no certificate authority, and says of a connection's end only that it failed.
Reflect.deleteProperty(globalThis, 'WebSocket');
