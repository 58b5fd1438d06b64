/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// How tests and people control the simulator, where no other suite would notice a mistake: who may, what it refuses,
// and the command line.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ProviderError, startProvider, type Provider } from '../../../simulator';
import { readArguments } from '../../../simulator/arguments';
import { Arrivals } from '../../support/arrivals';
import { connectSupervisor, restClient } from './helpers';

let provider: Provider;
beforeEach(async () => {
	provider = await startProvider();
});
afterEach(() => provider.close());

describe('the control API is for this machine', () => {
	/** The status of a request whose target and headers are sent as they are. */
	async function raw(target: string, ...headers: string[]): Promise<number> {
		const socket = connect(provider.port, '127.0.0.1');
		const lines = ['Content-Length: 0', 'Connection: close', ...headers, '', ''];
		socket.end([`POST ${target} HTTP/1.1`, ...lines].join('\r\n'));
		let response = '';
		for await (const piece of socket) response += String(piece);
		return Number(response.split(' ')[1]);
	}

	const OWN = 'Host: 127.0.0.1';
	const FOREIGN = 'Origin: https://evil.example';

	it.each([
		['as usual', '/control/sockets', [OWN], 200],
		['under another local name', '/control/sockets', ['Host: localhost:1'], 200],
		['under a foreign name', '/control/sockets', ['Host: evil.example'], 403],
		['under a longer name', '/control/sockets', ['Host: 127.0.0.1.evil.example:80'], 403],
		['under a name before an @', '/control/sockets', ['Host: evil.example@127.0.0.1'], 403],
		['under a path', '/control/sockets', ['Host: 127.0.0.1/.evil.example'], 403],
		[
			'from its own page',
			'/control/sockets',
			['Host: localhost:1', 'Origin: http://localhost:1'],
			200,
		],
		['from a page', '/control/stopListening', [OWN, FOREIGN], 403],
		['from a local file', '/control/stopListening', [OWN, 'Origin: null'], 403],
		['with an encoded letter', '/%63ontrol/stopListening', [OWN, FOREIGN], 403],
		['with every letter encoded', '/%63%6f%6e%74%72%6f%6c/stopListening', [OWN, FOREIGN], 403],
		['with a query', '/control/stopListening?a=/x', [OWN, FOREIGN], 403],
		['to the chat', '/%63hat', [OWN, FOREIGN], 403],
		['by an absolute URL', 'http://evil.example/control/stopListening', [OWN], 400],
		['by one of its own', 'http://127.0.0.1/control/stopListening', [OWN, FOREIGN], 400],
		['with two hosts', '/control/stopListening', [OWN, 'Host: evil.example'], 400],
		['with two hosts to the provider', '/vm/token', [OWN, 'Host: evil.example'], 400],
		['without a host', '/control/stopListening', [], 400],
	])('a request %s (%s) gets the right status', async (_how, target, headers, status) => {
		expect(await raw(target, ...headers)).toBe(status);
		expect(provider.control.counts().listening).toBe(true);
	});
});

it.each([
	[{ onExpiry: 'later' }, 'onExpiry must be one of'],
	[{ tokenLifetime: -1 }, 'tokenLifetime must be a number'],
	[{ port: 1 }, '"port" cannot be changed'],
])('the setting %j is refused', (settings, reason) => {
	expect(() => provider.control.set(settings as never)).toThrow(reason);
});

it.each([
	[{ port: 70_000 }, 'port must be a whole number'],
	[{ socketio: 3 }, 'socketio must be one of 4, 2, 1'],
	[{ rate: -1 }, 'rate must be a number'],
	[{ socketPath: 'x' }, 'socketPath must be a path'],
	[{ colour: 'red' }, 'no provider option "colour"'],
])('a start with %j is refused', async (options, reason) => {
	await expect(startProvider(options as never)).rejects.toThrow(ProviderError);
	await expect(startProvider(options as never)).rejects.toThrow(reason);
});

it('closing twice ends whatever is open', async () => {
	await connectSupervisor(provider, 4);
	provider.control.fault({ hang: true });
	const hanging = restClient(provider)
		.get('/regulation/address')
		.catch(() => 'cut');
	await provider.control.waitForRequests({ area: 'rest' });
	await Promise.all([provider.close(), provider.close()]);
	expect(await hanging).toBe('cut');
});

describe('the command line', () => {
	function start(...args: string[]) {
		const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
			cwd: join(__dirname, '../../..'),
			env: { ...process.env, NO_COLOR: '1' },
		});
		const arrivals = new Arrivals();
		const output = { out: '', err: '' };
		child.stdout.on('data', (chunk: Buffer) => {
			output.out += chunk.toString();
			arrivals.changed();
		});
		child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
		const ended = once(child, 'close').then(([code]) => code as number | null);
		const printed = (pattern: RegExp) => arrivals.until(() => pattern.test(output.out));
		return { child, output, ended, printed };
	}

	it.each([
		[['--port', 'x'], '--port must be a whole number from 0 to 65535, but is "x".'],
		[['--socketio', '3'], '--socketio must be one of 4, 2, 1, but is 3.'],
		[['--form', 'x'], 'There is no form "x". See --help.'],
		[['--colour', 'red'], "Unknown option '--colour'. See --help."],
		[['--port'], "Option '-p, --port <number>' argument missing. See --help."],
	])('rejects %j in one sentence', (args, sentence) => {
		expect(() => readArguments(args)).toThrow(new ProviderError(sentence));
	});

	it('runs, shows accounts, and events one line each, and ends on Ctrl-C', async () => {
		const given = '--port 0 --rate 50 --num-events --token-lifetime 60 --form cookies --verbose';
		const { child, ended, output, printed } = start('simulator/cli.ts', ...given.split(' '));
		await printed(/\d\d:\d\d:\d\d\.\d{3} +\d+ queue insert_call +to 0 \{"call_duration":.*\}\n/);
		expect(output.out).toMatch(
			/at http:\/\/127\.0\.0\.1:\d+ .*supervisor-secret-é.*Not for production/s,
		);
		child.kill('SIGINT');
		expect([await ended, output.err]).toEqual([0, '']);
	});

	it('leaves nothing behind that keeps a process alive, with any version of Socket.IO', async () => {
		// The polling session sends nothing after its handshake: its timers would run for 45 s.
		const script = `
			const { get } = require('node:http');
			const { startProvider } = require('./simulator');
			for (const socketio of [4, 2, 1]) startProvider({ socketio }).then((provider) => {
				const url = provider.url + '/socket.io/?EIO=' + (socketio === 4 ? 4 : 3) + '&transport=polling';
				get(url, { agent: false }, (response) => response.resume().on('end', async () => {
					await provider.close();
					const closed = Date.now();
					process.on('exit', () => console.log(Date.now() - closed));
				}));
			});
		`;
		const { ended, output } = start('-e', script);
		expect(await ended).toBe(0);
		const waits = output.out.trim().split('\n').map(Number);
		expect(waits).toHaveLength(3);
		expect(Math.max(...waits)).toBeLessThan(30_000);
	});
});
