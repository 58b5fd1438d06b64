/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Responses that nobody can read as an answer to the request, to every operation and to both credential tests: each ends in
// time, and none counts as a success.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { itemWithFile, knownAs, operations } from './forms';
import { credentialsAt } from '../../support/credentials';
import { credentialTest, runNode } from './harness';

/** What the server sends to the first request of a connection, and how many requests it got. */
let response: Buffer;
let requests: number;
/** What ends it: its own length; only a time limit; or the server, which closes the connection. */
let ending: 'length' | 'endless' | 'closed';
/** The limits that the nodes have set, in milliseconds. */
const limits = new Map<AbortController, number>();
const end = (_milliseconds: number, limit: AbortController) =>
	limit.abort(new DOMException('The time is over', 'TimeoutError'));
let server: Server;
const sockets = new Set<Socket>();

beforeEach(async () => {
	requests = 0;
	ending = 'length';
	limits.clear();
	server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => undefined);
		socket.once('data', () => {
			requests++;
			socket.write(response, () => {
				if (ending === 'endless') setImmediate(() => limits.forEach(end));
				if (ending === 'closed') socket.end();
			});
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	// Every limit is over as soon as an endless response has been sent, and never otherwise.
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const limit = new AbortController();
		limits.set(limit, milliseconds);
		return limit.signal;
	});
});

afterEach(async () => {
	jest.restoreAllMocks();
	for (const socket of sockets) socket.destroy();
	sockets.clear();
	server.close();
	await once(server, 'close');
});

const credentials = () =>
	credentialsAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
		login: 'someone',
		password: 'nothing-of-it',
	});

/** They send a file, which takes a while. */
const UPLOADS = ['address/create', 'address/uploadProof'];
const deleteAddress = { resource: 'address', operation: 'delete', addressId: '7' };

const http = (body: Buffer | string, headers = '', length?: number) => {
	const bytes = Buffer.from(body);
	const head = `HTTP/1.1 200 OK\r\n${headers}content-length: ${length ?? bytes.length}\r\n\r\n`;
	return Buffer.concat([Buffer.from(head), bytes]);
};
const SWITCH = Buffer.from(
	'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
);
const HASHES = Array.from({ length: 50 }, (_, at) =>
	createHash('sha256').update(String(at)).digest('hex'),
);
const zipped = gzipSync('{"status":"SUCCESS"}');
const GZIP = 'content-encoding: gzip\r\n';

/** Compressed badly, so that half of it is half of the text. */
const longZipped = gzipSync(JSON.stringify({ status: 'SUCCESS', hashes: HASHES }));

const RESPONSES: Array<[string, () => Buffer, typeof ending?]> = [
	['switches protocols', () => SWITCH, 'endless'],
	['has the status 101', () => Buffer.from('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
	['is truncated JSON', () => http('{"status":"SUC')],
	['is a brace', () => http('{')],
	['is truncated XML', () => http('<response><status>OK</stat')],
	['is binary', () => http(Buffer.from([0xff, 0x00, 0x9c, 0x12, 0x80, 0x07]))],
	['is NULs', () => http('\0\0\0\0')],
	['is base64', () => http('T0sgbGlua2Vk')],
	['is a truncated gzip', () => http(zipped.subarray(0, 12), GZIP)],
	[
		'is a gzip cut off in the middle',
		() => http(longZipped.subarray(0, longZipped.length / 2), GZIP),
	],
	['has lost its body', () => http('', '', 20), 'endless'],
	['ends before its length', () => http('{"status":"SUCCESS"}', '', 500), 'endless'],
	['breaks off', () => http('{"status":"SUCCESS"}', '', 500), 'closed'],
	['never comes', () => Buffer.alloc(0), 'endless'],
];

const run = async (parameters: IDataObject) =>
	await runNode({ credentials: credentials(), parameters, items: [itemWithFile()] }).then(
		() => {
			throw new Error('It succeeded');
		},
		(error: NodeApiError) => error,
	);

test('a change asks for an uncompressed response, since a truncated gzip is read as an empty one', async () => {
	response = http('{"status":"SUCCESS"}');
	let request = '';
	server.on('connection', (socket: Socket) =>
		socket.once('data', (data: Buffer) => (request += data.toString('latin1'))),
	);
	await runNode({ credentials: credentials(), parameters: deleteAddress });
	expect(request).toMatch(/^accept-encoding: identity\r$/im);
});

describe.each(RESPONSES)('a response that %s', (_what, bytes, how = 'length') => {
	beforeEach(() => {
		response = bytes();
		ending = how;
	});

	test.each(operations)('$name', async ({ name, resource, changes, parameters }) => {
		const isPurchase = name === 'cart/checkout';
		const isWrite = changes === true && !isPurchase && resource !== 'session';
		const { message, description } = await run(parameters(knownAs('7')));
		const shown = `${message} ${description}`;
		if (isWrite) expect(message).toMatch(/: the change may have been made$/);
		else if (isPurchase) expect(message).toMatch(/: the order may have been placed$/);
		else expect(message).not.toMatch(/succeeded|may have been/);
		if (isWrite) expect(shown).toMatch(/whether the change was made before you run this/);
		if (isPurchase) expect(shown).toMatch(/Don't run this again before you know/);
		expect(shown).not.toContain('nothing-of-it');
		expect(requests).toBe(1);
		const whole = name.endsWith('/getAll') ? [600_000] : [];
		expect([...limits.values()]).toEqual([...whole, UPLOADS.includes(name) ? 600_000 : 120_000]);
	});

	test.each([
		['api', 'voiceManagementApi'],
		['supervisor', 'voiceManagementSupervisorApi'],
	] as const)('Test of the %s credential', async (kind, type) => {
		const { status, message } = await credentialTest[kind](credentials()[type]);
		expect(status).toBe('Error');
		expect(message).not.toContain('nothing-of-it');
		expect([...limits.values()]).toEqual([20_000]);
	});
});

test('a cancelled execution ends at once, even if the helper never settles', async () => {
	response = SWITCH;
	jest.restoreAllMocks();
	const controller = new AbortController();
	const running = runNode({
		credentials: credentials(),
		parameters: deleteAddress,
		signal: controller.signal,
	}).catch((error: NodeApiError) => error.message);
	while (requests === 0) await new Promise((resolve) => setImmediate(resolve));
	controller.abort();
	expect(await running).toMatch(/was canceled .*: the change may have been made/);
});
