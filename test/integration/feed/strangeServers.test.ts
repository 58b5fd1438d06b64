/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The bundled client with servers that do what no real one does. They run in separate processes: an exception that
// escapes from a client would end the process of the tests, and only a process that does nothing else can count what is
// left open. Both run side by side, since most of each is waiting.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WebSocketServer } from 'ws';
import { startEndings, WAYS } from './endings';

/** The output of such a process. */
async function outcomeOf(script: string, ...args: Array<string | number>): Promise<unknown> {
	const { stdout } = await promisify(execFile)(process.execPath, [
		// In Node.js 20 the runtime's WebSocket is behind a switch.
		...(typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : []),
		...['--import', 'tsx'],
		join(__dirname, script),
		...args.map(String),
	]);
	return JSON.parse(stdout);
}

/** Each is run completely; those that once found something stay. */
const SEEDS = [1, 7];
const SAMPLES = 60;
/** Connections for each way of ending and each version. */
const EACH = 42;

let endings: Awaited<ReturnType<typeof startEndings>>;
let hostile: Promise<unknown>;
let ended: Promise<unknown>;
beforeAll(async () => {
	endings = await startEndings();
	hostile = outcomeOf('hostileProcess.ts', SAMPLES, ...SEEDS);
	ended = outcomeOf('endingsProcess.ts', endings.url, EACH);
	for (const outcome of [hostile, ended]) outcome.catch(() => undefined);
});
afterAll(() => {
	endings.server.closeAllConnections();
	endings.server.close();
});

it('no exception escapes, whatever packets arrive', async () => {
	const outcome = (await hostile) as { samples: number; heard: number; escaped: string[] };
	// Both versions, over long polling and over WebSocket.
	expect(outcome.samples).toBe(4 * SAMPLES * SEEDS.length);
	expect(outcome.escaped).toEqual([]);
	// Some of it was valid; otherwise nothing would have been tested.
	expect(outcome.heard).toBeGreaterThan(0);
});

it('connections that ended in every way leave no descriptor and no timer, neither here nor at the server', async () => {
	const { opened, before, after } = (await ended) as {
		opened: number;
		before: { descriptors: number; timers: number };
		after: { descriptors: number; timers: number };
	};
	expect(opened).toBe(EACH * 2 * Object.keys(WAYS).length);
	expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
	expect(after.timers).toBeLessThanOrEqual(before.timers);
	expect(endings.open()).toBe(0);
});

describe('a message over a WebSocket', () => {
	const LENGTH = 1_990_000;
	const filled = (begin: string, pump: string, end = '') =>
		begin + pump.repeat((LENGTH - begin.length) / pump.length) + end;
	const EVENT = { type: 'call', event: 'ringing', id: 12, note: 'x'.repeat(1_100) };
	/** What the server sends to a client that has joined, by path; then a last event. */
	const MESSAGES: Record<string, string> = {
		'/plain/': `42${JSON.stringify(['update', ...Array<object>(1_700).fill(EVENT)])}`,
		'/open/': filled('42["update",', `${'1'.repeat(40)}\\"`),
		'/escapes/': filled('42["update",1234567890123456,', 'E\\"\\\\', '\\0'),
		'/quotes/': filled('42["update",1234567890123456', '"'),
		'/digits/': filled('42["update",', '1', ']'),
		'/numbers/': filled('42["update"', `,${'9'.repeat(250)}`, ']'),
		'/signs/': filled('42["update",1234567890123456', '-1.'),
		'/otherKind/': filled('45', '1-', `["update",${'1'.repeat(40)}]`),
		'/namespace/': filled('42/', 'a', ',["update"]'),
		'/escapedText/': filled('42["update","1234567890123456', '\\\\', '"]'),
		'/compressed/': `42["update","${'0'.repeat(100_000_000)}"]`,
	};
	let server: WebSocketServer;
	beforeAll(async () => {
		server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true });
		await once(server, 'listening');
		server.on('connection', (socket, { url = '' }) => {
			socket.send('0{"sid":"a","upgrades":[],"pingInterval":250000,"pingTimeout":200000}');
			socket.on('message', (data: Buffer) => {
				if (data.toString().startsWith('40')) socket.send('40{"sid":"b"}');
				if (!data.toString().startsWith('42')) return;
				socket.send(MESSAGES[url.replace(/\?.*$/, '')] ?? '');
				socket.send('42["end","end"]');
			});
		});
	});
	afterAll(() => {
		for (const client of server.clients) client.terminate();
		server.close();
	});

	interface Stretch {
		path: string;
		end: string;
		stretchMs: number;
	}
	const stretches = async (...paths: string[]) => {
		const { port } = server.address() as AddressInfo;
		const url = `http://127.0.0.1:${port}`;
		return (await outcomeOf('stretchProcess.ts', url, ...paths)) as Stretch[];
	};

	it('holds n8n up about as long as an ordinary one of that size, not for hours, however it is made', async () => {
		let slow = Object.keys(MESSAGES).slice(1, -1);
		// What takes long once is due to the machine; what takes long each time is due to the message.
		for (let tries = 0; tries < 3 && slow.length > 0; tries++) {
			// The first is for the compiler.
			const [, plain, ...others] = await stretches('/plain/', '/plain/', ...slow);
			expect(plain?.end).toBe('end');
			const most = 100 * (plain?.stretchMs ?? 0);
			slow = others.filter(({ stretchMs }) => stretchMs >= most).map(({ path }) => path);
		}
		expect(slow).toEqual([]);
	});

	it('ends the connection if it was small only while it was compressed', async () => {
		const [{ end }] = (await stretches('/compressed/')) as [Stretch];
		expect(end).toContain('the provider sent a message larger than 4 MB');
	});
});
