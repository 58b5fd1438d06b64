// The feed's tests run over the bundled Socket.IO clients, as they ship: built here once, before the first test.
const path = require('node:path');
const { bundleClients } = require('../gulpfile.js');

module.exports = () =>
	bundleClients(path.join(__dirname, '../node_modules/.cache/voice-management/clients.js'));
