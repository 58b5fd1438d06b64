// What may be between n8n and an operator in a company: a private certificate authority.

import axios from 'axios';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { startOperator, type Operator } from '../../../simulator';
import { FeedClient, supervisorHeader, xJson } from './helpers';
import { nth } from '../../support/present';

let operator: Operator;
afterEach(async () => {
	await operator.close();
});

it.each([4, 2, 1] as const)(
	'serves https with a private authority (Socket.IO %i)',
	async (socketio) => {
		operator = await startOperator({ tls: true, socketio });
		expect(operator.url).toMatch(/^https:/);
		const ca = readFileSync(operator.caFile!);
		await expect(axios.post(`${operator.url}/ws/`)).rejects.toThrow(/certificate/);
		const { data } = await axios.post<{ target: number; id_session: string }>(
			`${operator.url}/ws/`,
			undefined,
			{
				headers: { 'X-JSON': xJson(supervisorHeader(operator)), 'Content-Type': false },
				httpsAgent: new Agent({ ca }),
			},
		);
		for (const transport of ['websocket', 'polling']) {
			const client = new FeedClient(socketio, operator.url, [transport], undefined, { ca });
			await client.until(() => client.connected);
			client.emit('init', 'supervisor', data.target, data.id_session);
			await operator.control.waitForSockets(1);
			expect(nth(operator.control.sockets(), 0).remoteAddress).toBe('127.0.0.1');
			operator.control.send('queue', 'insert_call', { id_call: 7 });
			await client.until(() => client.updates.length > 0);
			await client.close();
			await operator.control.waitForSockets(0);
		}
	},
);
