// The chat channel of the simulator, to which the examples send their messages until another one is configured.

import { startOperator, type Operator } from '../../../simulator';

let operator: Operator;

beforeEach(async () => {
	operator = await startOperator();
});

afterEach(async () => {
	await operator.close();
});

const post = async (path: string, body: string, type = 'application/json') =>
	await fetch(`${operator.url}${path}`, {
		method: 'POST',
		body,
		headers: { 'content-type': type },
	});

/** What the console's page gets first. */
async function shown(): Promise<{ chat: Array<{ path: string; text: string }> }> {
	const response = await fetch(`${operator.url}/console/live`);
	let text = '';
	for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
		text += Buffer.from(chunk).toString('utf8');
		const [, data] = /^data: (.*)\n\n/m.exec(text) ?? [];
		if (data !== undefined) return JSON.parse(data) as Awaited<ReturnType<typeof shown>>;
	}
	throw new Error('the console said nothing');
}

test('accepts messages, which the console shows, newest first', async () => {
	for (const [path, text] of [
		['/chat', 'Please call back'],
		['/chat/manager', 'ESCALATION'],
	] as const) {
		const response = await post(path, JSON.stringify({ text }));
		expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
	}
	expect((await shown()).chat).toEqual([
		expect.objectContaining({ path: '/chat/manager', text: 'ESCALATION' }),
		expect.objectContaining({ path: '/chat', text: 'Please call back' }),
	]);
	// It is not part of the operator's interface.
	expect(operator.control.requests()).toEqual([]);
});

test.each(['', '{', '[]', 'null', '{"message":"x"}', '{"text":5}'])(
	'rejects %j, which is not a message',
	async (body) => {
		expect((await post('/chat', body)).status).toBe(400);
		expect((await shown()).chat).toEqual([]);
	},
);
