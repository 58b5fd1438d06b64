// For processes of their own: the clients are the bundle that ships, as in the other tests (jest.config.js).
import { createRequire } from 'node:module';

const clients = require.resolve('../../../nodes/VoiceManagementTrigger/feed/socketio/clients');
const bundle = require.resolve('../../../node_modules/.cache/voice-management/clients.js');
createRequire(__filename)(bundle);
require.cache[clients] = require.cache[bundle];
