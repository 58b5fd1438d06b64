// What peers do, as small as it gets, loaded by n8n as a custom node: a listener on the feed that starts an execution for
// each event and never looks back. The measure for the package's own trigger in the same n8n.
'use strict';

const { io } = require('socket.io-client');

class BareTrigger {
	description = {
		displayName: 'Bare Trigger',
		name: 'bareTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Emits what a Socket.IO server sends',
		defaults: { name: 'Bare Trigger' },
		inputs: [],
		outputs: ['main'],
		properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
	};

	/** @this {import('n8n-workflow').ITriggerFunctions} */
	trigger() {
		const url = /** @type {string} */ (this.getNodeParameter('url'));
		const socket = io(url, { transports: ['websocket'] });
		socket.on('connect', () => socket.emit('init', 'supervisor', 77, 'token-of-the-bench'));
		socket.on('update', (/** @type {import('n8n-workflow').IDataObject} */ json) =>
			this.emit([[{ json }]]),
		);
		return Promise.resolve({ closeFunction: () => Promise.resolve(void socket.close()) });
	}
}

module.exports = { BareTrigger };
