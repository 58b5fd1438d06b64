/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A separate process that connects the bundled client to a hostile server, once for each sample of a grammar of
// Engine.IO and Socket.IO, and prints the exceptions that escaped. Arguments: number of samples for each client and
// transport, seeds.

import fc from 'fast-check';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws';
import './bundledClients';
import {
	openSocket,
	type SocketOptions,
} from '../../../nodes/VoiceManagementTrigger/feed/socketio';

interface Sample {
	handshake: string;
	polls: string[][];
	/** By how much the lengths in front of Engine.IO 3 packets are wrong. */
	off: number;
	binary: boolean;
	status: number;
}

const json = fc.oneof(
	{ weight: 4, arbitrary: fc.json({ maxDepth: 4 }) },
	{ weight: 2, arbitrary: fc.jsonValue().map((value) => JSON.stringify(['update', value])) },
	{ weight: 1, arbitrary: fc.jsonValue().map((name) => JSON.stringify([name, { a: 1 }])) },
	{ weight: 1, arbitrary: fc.json().map((text) => text.slice(0, -1)) },
	fc.constantFrom('', '[]', '{}', 'null', '[null]', '["connect"]', '["disconnect"]', '["error",1]'),
	fc.integer({ min: 1, max: 5_000 }).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
	fc.constant('["update",{"_placeholder":true,"num":0}]'),
	fc.constant('["update",{"_placeholder":true,"num":-1e9}]'),
	fc.constant('{"__proto__":{"a":1}}'),
);
const socketPacket = fc
	.tuple(
		fc.oneof(fc.nat({ max: 9 }).map(String), fc.constant('')),
		fc.constantFrom('', '', '', '0-', '1-', '2-', '99999999999-', '-1-', 'x-'),
		fc.constantFrom('', '', '', '/other,', '/', '/?a=1,'),
		fc.constantFrom('', '', '0', '12', '99999999999999999999', '-1'),
		json,
	)
	.map((parts) => parts.join(''));
const handshake = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.constant(
			'{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}',
		),
	},
	json,
	fc
		.record({
			sid: fc.jsonValue(),
			upgrades: fc.jsonValue(),
			pingInterval: fc.jsonValue(),
			pingTimeout: fc.jsonValue(),
			maxPayload: fc.jsonValue(),
		})
		.map((value) => JSON.stringify(value)),
);
const enginePacket = fc.oneof(
	{
		weight: 5,
		arbitrary: fc
			.tuple(fc.constantFrom('42', '42', '421', '4212-'), json)
			.map(([kind, data]) => `${kind}["update",${data}]`),
	},
	{ weight: 4, arbitrary: socketPacket.map((data) => `4${data}`) },
	{ weight: 1, arbitrary: handshake.map((data) => `0${data}`) },
	{
		weight: 2,
		arbitrary: fc.constantFrom(
			'40',
			'40{"sid":"b"}',
			'2',
			'3',
			'2probe',
			'3probe',
			'5',
			'6',
			'1',
			'44{"message":"no"}',
			...['42[123,"x"]', '42[["x"],1]', '42[]', '42{"x":1}', '4399[]', '49', '0', '0null'],
			...['0{"sid":"again"}', '451-["x",{"_placeholder":true,"num":7}]'],
		),
	},
	{ weight: 1, arbitrary: fc.base64String().map((data) => `b${data}`) },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
);
const sample: fc.Arbitrary<Sample> = fc.record({
	handshake,
	polls: fc.array(fc.array(enginePacket, { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
	off: fc.constantFrom(0, 0, 0, 0, 1, -1, 1e9),
	binary: fc.boolean(),
	status: fc.constantFrom(...Array<number>(20).fill(200), 204, 301, 400, 500),
});

/** Packets as the content of one poll. */
function payload(protocol: 2 | 4, packets: string[], { off, binary }: Sample): Buffer {
	if (protocol === 4) return Buffer.from(packets.join('\x1e'));
	if (!binary) {
		return Buffer.from(packets.map((packet) => `${packet.length + off}:${packet}`).join(''));
	}
	return Buffer.concat(
		packets.map((packet) => {
			const bytes = Buffer.from(packet);
			const length = [...String(Math.max(0, bytes.length + off))].map(Number);
			return Buffer.concat([Buffer.from([0, ...length, 255]), bytes]);
		}),
	);
}

const [count, ...seeds] = process.argv.slice(2).map(Number) as [number, ...number[]];
const escaped: string[] = [];
/** The samples that are being tried, since an exception does not show which of them caused it. */
const current = new Map<string, string>();
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
	process.on(event, (error: unknown) => {
		const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
		escaped.push([text, ...current.values()].join('\n'));
	});
}

/** What the server sends on each connection, by its path. */
const scripts = new Map<string, { sample: Sample; protocol: 2 | 4; next: number }>();
const scriptOf = ({ url = '' }: IncomingMessage) => scripts.get(url.replace(/\?.*$/, ''));
let sent = 0;

function answer(request: IncomingMessage, response: ServerResponse) {
	request.resume();
	const script = scriptOf(request);
	if (!script || request.method === 'POST') return response.end('ok');
	const { sample: given, protocol } = script;
	const isFirst = !/[?&]sid=/.test(request.url ?? '');
	const packets = isFirst
		? [`0${given.handshake}`, ...(protocol === 4 ? [] : ['40'])]
		: given.polls[script.next++];
	response.setHeader(
		'content-type',
		given.binary && protocol === 2 ? 'application/octet-stream' : 'text/plain',
	);
	sent += packets?.length ?? 0;
	// Finished conversations are ended, so that nobody waits for them.
	if (!packets) return response.writeHead(400).end('{"code":1,"message":"over"}');
	response.statusCode = isFirst ? 200 : given.status;
	// The namespace is joined first; otherwise most of what follows would be ignored.
	const joined = script.next === 1 && protocol === 4 ? ['40{"sid":"b"}', ...packets] : packets;
	return response.end(payload(protocol, joined, { ...given, off: isFirst ? 0 : given.off }));
}

function talk(socket: ServerSocket, request: IncomingMessage) {
	const script = scriptOf(request);
	if (!script) return socket.close();
	const { sample: given, protocol } = script;
	const frames = [
		`0${given.handshake}`,
		protocol === 4 ? '40{"sid":"b"}' : '40',
		...given.polls.flat(),
	];
	sent += frames.length;
	for (const frame of frames)
		socket.send(given.binary && frame.length % 3 === 0 ? Buffer.from(frame) : frame);
	return socket.close();
}

let heard = 0;
/** The number of simultaneous connections of each kind. */
const SIDE_BY_SIDE = 60;

/**
 * Most conversations end by themselves. The others wait in vain, so they are ended after this time, which is long
 * enough for a busy machine.
 */
const PATIENCE_MS = 20_000;

/** One connection, until it ends by itself or its time is up. */
async function converse(options: SocketOptions) {
	await new Promise<void>((resolve) => {
		const patience = setTimeout(() => end(), PATIENCE_MS);
		const end = () => {
			clearTimeout(patience);
			socket.close();
			resolve();
		};
		const socket = openSocket(options, {
			connect: () => socket.emit('init', 'supervisor', 1, 'token'),
			disconnect: () => end(),
			connectError: () => end(),
			event: () => void heard++,
		});
	});
}

async function main() {
	const server = createServer(answer);
	const sockets = new WebSocketServer({ server });
	sockets.on('connection', talk);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const stall = monitorEventLoopDelay({ resolution: 5 });
	stall.enable();
	const transports =
		typeof WebSocket === 'undefined' ? (['polling'] as const) : (['polling', 'websocket'] as const);
	let samples = 0;
	const tryAll = async (protocol: 2 | 4, transport: 'polling' | 'websocket', seed: number) => {
		const all = fc.sample(sample, { numRuns: count, seed: seed + protocol });
		const one = async () => {
			for (let given = all.pop(); given; given = all.pop()) {
				const path = `/${samples++}/`;
				current.set(path, JSON.stringify({ protocol, transport, given }));
				scripts.set(path, { sample: given, protocol, next: 0 });
				await converse({
					url,
					path,
					protocol,
					transports: [transport],
				});
				scripts.delete(path);
				current.delete(path);
			}
		};
		await Promise.all(Array.from({ length: SIDE_BY_SIDE }, one));
	};
	await Promise.all(
		seeds.flatMap((seed) =>
			([4, 2] as const).flatMap((protocol) =>
				transports.map((transport) => tryAll(protocol, transport, seed)),
			),
		),
	);
	stall.disable();
	server.closeAllConnections();
	server.close();
	// Late effects of a closed connection occur within a second.
	await new Promise((resolve) => setTimeout(resolve, 1_500));
	process.stdout.write(
		JSON.stringify({ samples, sent, heard, escaped, stallMs: Math.round(stall.max / 1e6) }),
	);
	process.exit();
}

main().catch((error: unknown) => {
	process.stderr.write(String(error));
	process.exit(1);
});
