// The command line: its output, its errors, its end.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { login } from './helpers';
import { OperatorError, type Operator } from '../../../simulator';
import { forms } from '../../../simulator/forms';
import { readArguments } from '../../../simulator/arguments';

const root = join(__dirname, '../../..');
// Each process compiles the sources first.
function start(...args: string[]) {
	const child = spawn(process.execPath, ['--import', 'tsx', 'simulator/cli.ts', ...args], {
		cwd: root,
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

it('explains itself', async () => {
	const { ended, output } = start('--help');
	expect(await ended).toBe(0);
	for (const option of [
		'--port',
		'--host',
		'--socketio',
		'--seed',
		'--rate',
		'--num-events',
		'--token-lifetime',
		'--on-expiry',
		'--single-session',
		'--second-login',
		'--review-time',
		'--verbose',
		...Object.entries(forms).map(([name, { says }]) => `${name.padEnd(23)} ${says}`),
	]) {
		expect(output.out).toContain(option);
	}
	expect(output.err).toBe('');
});

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
			port: 0,
			recovery: 9000,
			host: '0.0.0.0',
			tls: true,
			socketio: 2,
			seed: 5,
			rate: 2.5,
			numEvents: true,
			tokenLifetime: 60,
			onExpiry: 'silence',
			singleSession: true,
			secondLogin: 'refuse',
			reviewTime: 0,
			accountTypeKey: 'count_type',
			balance: 5,
			forms: ['err-code-ok', 'cookies'],
		},
	});
});

it('prints only the reason and exits with 1', async () => {
	const { ended, output } = start('--seed', '-1');
	expect(await ended).toBe(1);
	expect(output).toEqual({
		out: '',
		err: '--seed must be a whole number from 0 to 4294967295, but is -1.\n',
	});
});

it('reports in one sentence that the port is in use', async () => {
	const other = createServer().listen(0, '127.0.0.1');
	await once(other, 'listening');
	const { port } = other.address() as AddressInfo;
	const { ended, output } = start('--port', String(port));
	expect(await ended).toBe(1);
	expect(output).toEqual({
		out: '',
		err: `Port ${port} on 127.0.0.1 is in use: stop what runs there or choose another port.\n`,
	});
	other.close();
});

it('runs, shows events one line each, and ends on Ctrl-C with a client connected', async () => {
	const { child, ended, output, printed } = start('--port', '0', '--rate', '50', '--verbose');
	const [, url] = await printed(/at (http:\/\/\S+) /);
	await printed(/Ctrl-C stops it/);
	for (const account of ['numbers', 'api', 'supervisor']) {
		expect(output.out).toContain(`${account} / ${account}-secret-é`);
	}
	expect(output.out).toContain('Not for production');
	await printed(/\d\d:\d\d:\d\d\.\d{3} +\d+ queue insert_call +to 0 \{"call_duration":.*\}\n/);
	const accounts = { supervisor: { login: 'supervisor', password: 'supervisor-secret-é' } };
	expect((await login({ url, accounts } as unknown as Operator)).status).toBe(200);
	const before = performance.now();
	child.kill('SIGINT');
	expect(await ended).toBe(0);
	expect(performance.now() - before).toBeLessThan(30_000);
	expect(output.err).toBe('');
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
				process.on('exit', () => console.log(response.statusCode, Date.now() - closed));
			}));
		});
	`;
	const child = spawn(process.execPath, ['--import', 'tsx', '-e', script], { cwd: root });
	let out = '';
	child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
	expect(await once(child, 'close')).toEqual([0, null]);
	const closed = out.trim().split('\n');
	expect(closed).toHaveLength(3);
	for (const line of closed) {
		const [status, ms] = line.split(' ').map(Number);
		expect(status).toBe(200);
		expect(ms).toBeLessThan(30_000);
	}
});
