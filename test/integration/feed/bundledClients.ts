/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// For separate processes: uses the client bundle that ships, as the other tests do (jest.config.js).
import { createRequire } from 'node:module';

const clients = require.resolve('../../../nodes/VoiceManagementTrigger/feed/socketio/clients');
const bundle = require.resolve('../../../node_modules/.cache/voice-management/clients.js');
createRequire(__filename)(bundle);
require.cache[clients] = require.cache[bundle];
