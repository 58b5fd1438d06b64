/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// In these tests the Socket.IO 2 client would use the runtime's own WebSocket if there is one (Node.js 22 and later),
// which accepts no certificate authority, and only reports that a connection failed when it ends.
Reflect.deleteProperty(globalThis, 'WebSocket');
