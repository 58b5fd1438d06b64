// How tests and people control the simulator, where no other suite would notice a mistake: who may, what it refuses,
// the scenes that its pages promise, and the command line.

import axios from 'axios';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { OperatorError, remoteControl, startOperator, type Operator } from '../../../simulator';
import { readArguments } from '../../../simulator/arguments';
import { forms } from '../../../simulator/forms';
import { connectSupervisor, login, restClient } from './helpers';

let operator: Operator;
beforeEach(async () => {
	operator = await startOperator();
});
afterEach(() => operator.close());

describe('the control API is for this machine', () => {
	/** The status of a request whose target and headers are sent as they are. */
	async function raw(target: string, ...headers: string[]): Promise<number> {
		const socket = connect(operator.port, '127.0.0.1');
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
		expect(operator.control.counts().listening).toBe(true);
	});

	it('accepts its own page', async () => {
		const headers = { origin: operator.url };
		expect((await axios.get(`${operator.url}/control`, { headers })).status).toBe(200);
	});
});

describe('from another process', () => {
	it('offers every method except the one that takes a function', async () => {
		const { data } = await axios.get<{ methods: string[] }>(`${operator.url}/control`);
		const own = Object.getOwnPropertyNames(Object.getPrototypeOf(operator.control));
		expect([...data.methods].sort()).toEqual(
			own.filter((name) => !['constructor', 'waitFor', 'comeBack'].includes(name)).sort(),
		);
	});

	it('has the same effects, responds before it goes away, and rejects with a reason', async () => {
		const remote = remoteControl(operator.url);
		await remote.setCpt(9);
		expect(await remote.send('queue', 'delete_call', { id_call: 1 })).toMatchObject({ cpt: 10 });
		await expect(remote.set({ onExpiry: 'x' as never })).rejects.toThrow('onExpiry must be one of');
		await expect(remote.waitForLogins(1, 10)).rejects.toThrow('waiting for: 1 logins');
		await expect((remote as unknown as { dance(): Promise<void> }).dance()).rejects.toThrow(
			'no control method "dance"',
		);
		// Waited for from before: on a busy machine it is back by the time that the response has been read.
		const away = operator.control.waitFor((control) => !control.counts().listening);
		await remote.goAway({ forMs: 30 });
		await away;
		await operator.control.waitFor((control) => control.counts().listening);
		expect((await remote.counts()).cpt).toBe(10);
		expect(operator.control.requests()).toEqual([]);
	});
});

it.each([
	[{ onExpiry: 'later' }, 'onExpiry must be one of'],
	[{ tokenLifetime: -1 }, 'tokenLifetime must be a number'],
	[{ port: 1 }, '"port" can not be changed'],
])('the setting %j is refused', (settings, reason) => {
	expect(() => operator.control.set(settings as never)).toThrow(reason);
});

it.each([
	[{ port: 70_000 }, 'port must be a whole number'],
	[{ socketio: 3 }, 'socketio must be one of 4, 2, 1'],
	[{ rate: -1 }, 'rate must be a number'],
	[{ socketPath: 'x' }, 'socketPath must be a path'],
	[{ colour: 'red' }, 'no operator option "colour"'],
])('a start with %j is refused', async (options, reason) => {
	await expect(startOperator(options as never)).rejects.toThrow(OperatorError);
	await expect(startOperator(options as never)).rejects.toThrow(reason);
});

describe('scenes', () => {
	const talk = 'insert_call status connect_call status delete_call status';
	it.each([
		['answeredCall', talk],
		['missedCall', 'insert_call delete_call'],
		['overflowCall', 'insert_call delete_call insert_call connect_call delete_call'],
		['trunkCall', 'insert_call connect_call delete_call'],
		['missedTrunkCall', 'insert_call delete_call'],
		['unansweredRing', 'insert_call status status status connect_call status delete_call status'],
		['callsAgain', `insert_call delete_call ${talk}`],
		['calledBack', 'insert_call delete_call status status status'],
		['fillingQueue', `${'insert_call '.repeat(6)}${'delete_call '.repeat(6).trim()}`],
		['nobodyFree', `${'pause '.repeat(12)}${'unpause '.repeat(12).trim()}`],
		['break', 'pause unpause'],
		['alert', 'alert_file alert_op'],
		['numCall', 'start answer asr end'],
		[
			'transferredCall',
			'insert_call status connect_call status status status connect_call status status status delete_call status',
		],
	] as const)('plays %s', async (name, kinds) => {
		const sent: unknown[] = [];
		operator.onEvent((_name, [update]) => sent.push(update));
		const scene = await operator.control.play(name, { stepMs: 0, caller: '+33199000001' });
		expect(sent).toEqual(scene.events);
		const events = sent as Array<{ event: string | { event: string } }>;
		const names = events.map(({ event }) => (typeof event === 'string' ? event : event.event));
		expect(names.join(' ')).toBe(kinds);
	});

	it('take their time, and have calls of their own', async () => {
		const timed = async (name: 'missedCall' | 'unansweredRing', stepMs: number) => {
			const before = performance.now();
			const { call } = await operator.control.play(name, { stepMs });
			return [call, performance.now() - before] as const;
		};
		// A caller waits for ten steps, and a phone rings for thirty.
		const [first, waited] = await timed('missedCall', 10);
		const [second, rang] = await timed('unansweredRing', 3);
		expect([first, second]).toEqual([900_001, 900_002]);
		expect([waited > 9 * 10, rang > 30 * 3]).toEqual([true, true]);
	});
});

it('a fault can be limited to a method and a path, begin after a number of requests, and be removed', async () => {
	operator.control.fault({ method: 'put', path: '/vbapi/v1/ordering', after: 1, status: 503 });
	const rest = restClient(operator);
	const statuses: number[] = [];
	for (const method of ['get', 'put', 'put', 'put'])
		statuses.push((await rest.request({ method, url: '/ordering/cart', data: {} })).status);
	expect(statuses).toEqual([405, 200, 503, 200]);
	operator.control.fault({ status: 500 });
	operator.control.clearFaults();
	expect((await rest.put('/ordering/cart', {})).status).toBe(200);
});

it('closing twice ends whatever is open', async () => {
	await connectSupervisor(operator, 4);
	operator.control.fault({ hang: true });
	const hanging = restClient(operator)
		.get('/regulation/address')
		.catch(() => 'cut');
	await operator.control.waitForRequests({ area: 'rest' });
	await Promise.all([operator.close(), operator.close()]);
	expect(await hanging).toBe('cut');
});

describe('the command line', () => {
	function start(...args: string[]) {
		const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
			cwd: join(__dirname, '../../..'),
			env: { ...process.env, NO_COLOR: '1' },
		});
		const output = { out: '', err: '' };
		child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
		child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
		const ended = once(child, 'close').then(([code]) => code as number | null);
		/** Resolves when the output matches. */
		const printed = (pattern: RegExp) =>
			new Promise<RegExpExecArray>((resolve, reject) => {
				const look = () => {
					const match = pattern.exec(output.out);
					if (match) resolve(match);
				};
				child.stdout.on('data', look);
				void ended.then(() => reject(new Error(`Ended without ${pattern}: ${output.err}`)));
				look();
			});
		return { child, output, ended, printed };
	}

	it.each([
		[['--port', 'x'], '--port must be a whole number from 0 to 65535, but is "x".'],
		[['--port', '70000'], '--port must be a whole number from 0 to 65535, but is 70000.'],
		[['--socketio', '3'], '--socketio must be one of 4, 2, 1, but is 3.'],
		[['--on-expiry', 'x'], '--on-expiry must be one of disconnect, silence, nothing, but is "x".'],
		[['--form', 'x'], 'There is no form "x". See --help.'],
		[['--colour', 'red'], "Unknown option '--colour'. See --help."],
		[['--port'], "Option '-p, --port <number>' argument missing. See --help."],
		[['start'], 'Too many arguments. Expected 0 arguments but got 1. See --help.'],
	])('rejects %j in one sentence', (args, sentence) => {
		expect(() => readArguments(args)).toThrow(new OperatorError(sentence));
	});

	it('reads every option', () => {
		const args =
			'-p 0 --host 0.0.0.0 --tls --socketio 2 --recovery 9000 --seed 5 --rate 2.5 --num-events --token-lifetime 60 --on-expiry silence ' +
			'--single-session --second-login refuse --review-time 0 --account-type-key count_type --balance 5 --form err-code-ok --form cookies -v';
		expect(readArguments(args.split(' '))).toEqual({
			verbose: true,
			operator: {
				...{ port: 0, host: '0.0.0.0', tls: true, socketio: 2, recovery: 9000, seed: 5 },
				...{ rate: 2.5, numEvents: true, tokenLifetime: 60, onExpiry: 'silence' },
				...{ singleSession: true, secondLogin: 'refuse', reviewTime: 0, balance: 5 },
				...{ accountTypeKey: 'count_type', forms: ['err-code-ok', 'cookies'] },
			},
		});
	});

	it('explains itself, with every form', async () => {
		const { ended, output } = start('simulator/cli.ts', '--help');
		expect(await ended).toBe(0);
		for (const [name, { says }] of Object.entries(forms))
			expect(output.out).toContain(`${name.padEnd(23)} ${says}`);
	});

	it('reports in one sentence that the port is in use', async () => {
		const port = String(operator.port);
		const { ended, output } = start('simulator/cli.ts', '--port', port);
		expect(await ended).toBe(1);
		const err = `Port ${port} on 127.0.0.1 is in use: stop what runs there or choose another port.\n`;
		expect(output).toEqual({ out: '', err });
	});

	it('runs, shows events one line each, and ends on Ctrl-C with a client connected', async () => {
		const given = '--port 0 --rate 50 --num-events --token-lifetime 60 --form cookies --verbose';
		const { child, ended, output, printed } = start('simulator/cli.ts', ...given.split(' '));
		const [, url] = await printed(/at (http:\/\/\S+) /);
		await printed(/Ctrl-C stops it/);
		for (const account of ['numbers', 'api', 'supervisor'])
			expect(output.out).toContain(`${account} / ${account}-secret-é`);
		expect(output.out).toContain('Not for production');
		await printed(/\d\d:\d\d:\d\d\.\d{3} +\d+ queue insert_call +to 0 \{"call_duration":.*\}\n/);
		const accounts = { supervisor: { login: 'supervisor', password: 'supervisor-secret-é' } };
		expect((await login({ url, accounts } as unknown as Operator)).status).toBe(200);
		child.kill('SIGINT');
		expect([await ended, output.err]).toEqual([0, '']);
	});

	it('leaves nothing behind that keeps a process alive, with any version of Socket.IO', async () => {
		// The polling session sends nothing after its handshake: its timers would run for 45 s.
		const script = `
			const { get } = require('node:http');
			const { startOperator } = require('./simulator');
			for (const socketio of [4, 2, 1]) startOperator({ socketio }).then((operator) => {
				const url = operator.url + '/socket.io/?EIO=' + (socketio === 4 ? 4 : 3) + '&transport=polling';
				get(url, { agent: false }, (response) => response.resume().on('end', async () => {
					await operator.close();
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
