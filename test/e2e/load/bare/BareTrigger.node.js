// The simplest possible trigger, loaded by n8n as a custom node: on request it emits its batches, a fixed number at a
// time. The speed of n8n with it is the ceiling that the real trigger is compared with.
'use strict';

class BareTrigger {
	description = {
		displayName: 'Bare Trigger',
		name: 'bareTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Emits batches of events on request',
		defaults: { name: 'Bare Trigger' },
		inputs: [],
		outputs: ['main'],
		properties: [
			{ displayName: 'Port', name: 'port', type: 'number', default: 0 },
			{ displayName: 'Events', name: 'events', type: 'number', default: 0 },
			{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 100 },
			{ displayName: 'In Flight', name: 'inFlight', type: 'number', default: 10 },
		],
	};

	/** @this {import('n8n-workflow').ITriggerFunctions} */
	async trigger() {
		/** @param {string} name */
		const number = (name) => Number(this.getNodeParameter(name));
		const events = number('events');
		const batchSize = number('batchSize');
		const inFlight = number('inFlight');
		// The items of the real trigger, field by field, since n8n's work depends on their size.
		const ts = Math.floor(Date.now() / 1000);
		const date = new Date(ts * 1000).toISOString();
		/** @type {import('n8n-workflow').INodeExecutionData[][]} */
		const batches = [];
		for (let first = 1; first <= events; first += batchSize) {
			batches.push(
				Array.from({ length: Math.min(batchSize, events - first + 1) }, (_, index) => ({
					json: {
						type_notification: 'queue',
						event: 'insert_call',
						cpt: first + index,
						ts,
						elapse: 0,
						id_call: String(first + index),
						date,
					},
				})),
			);
		}
		const work = async () => {
			for (let batch = batches.shift(); batch; batch = batches.shift()) {
				/** @type {Parameters<typeof this.emit>[2]} */
				const done = this.helpers.createDeferredPromise();
				this.emit([batch], undefined, done);
				await done?.promise;
			}
		};
		const server = require('node:http').createServer((_request, response) => {
			response.end();
			for (let lane = 0; lane < inFlight; lane++) void work();
		});
		await new Promise((resolve) =>
			server.listen(number('port'), '127.0.0.1', () => resolve(undefined)),
		);
		return {
			closeFunction: () => Promise.resolve(void server.close()),
		};
	}
}

module.exports = { BareTrigger };
