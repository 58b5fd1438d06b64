// Builds once before the first test. The feed's tests use the bundled Socket.IO clients that ship.
const path = require('node:path');
const { bundleClients } = require('../tools/build.js');
const { bundleN8nWorkflow } = require('./n8nWorkflow.js');

module.exports = async () => {
	await Promise.all([
		bundleClients(path.join(__dirname, '../node_modules/.cache/voice-management/clients.js')),
		bundleN8nWorkflow(),
	]);
};
