// What peers do, as small as it gets: a listener on the feed that starts an execution for each event, or for each so
// many events, and never looks back. The measure for the package's own trigger in the same n8n.
import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	ITriggerFunctions,
	ITriggerResponse,
} from 'n8n-workflow';
import { io } from 'socket.io-client';

export class BareTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bare Trigger',
		name: 'bareTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Emits what a Socket.IO server sends',
		defaults: { name: 'Bare Trigger' },
		inputs: [],
		outputs: ['main'],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 1 },
		],
	};

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		const size = this.getNodeParameter('batchSize') as number;
		const socket = io(this.getNodeParameter('url') as string, { transports: ['websocket'] });
		let batch: INodeExecutionData[] = [];
		socket.on('connect', () => socket.emit('init', 'supervisor', 77, 'token-of-the-bench'));
		socket.on('update', (json: IDataObject) => {
			batch.push({ json });
			if (batch.length < size) return;
			this.emit([batch]);
			batch = [];
		});
		return { closeFunction: async () => void socket.close() };
	}
}
