/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Handshakes and payloads in forms that other servers than Socket.IO's own write, or that a proxy produces: the feed
// goes live and delivers each event with its accents.
import { verdictOf } from '../../support/logins';
import { secretsOf } from '../../../nodes/shared/secrets';
import { gzipSync } from 'node:zlib';

import type { FeedOptions } from '../../../nodes/VoiceManagementTrigger/feed/types';
import { HandClock } from '../../support/world';
import { startRawEngine, type EngineForm } from '../../support/rawEngine';
import { Case, makeHub } from './harness';

const run = new Case();
afterEach(() => run.end());

/** Both ways: the runtime's own client decodes what n8n's helper decodes too. */
const request: FeedOptions['request'] = async ({ url, ...options }) => {
	const response = await fetch(url, { ...options, redirect: 'manual' });
	return {
		statusCode: response.status,
		headers: Object.fromEntries(response.headers),
		body: new Uint8Array(await response.arrayBuffer()),
	};
};

async function feedOf(version: 3 | 4, form: EngineForm, options: Partial<FeedOptions> = {}) {
	const engine = await startRawEngine(version, form);
	run.onEnd(() => engine.close());
	const { subscription, recorder } = run.subscribe(makeHub(new HandClock()), {
		key: `raw ${engine.url}`,
		account: `raw ${engine.url}`,
		secrets: secretsOf({}),
		voiceUrl: engine.url,
		initAccountType: 'supervisor',
		socketPath: '/socket.io/',
		protocol: 'auto',
		silenceTimeoutMs: 0,
		login: async (_signal, askedAt) =>
			verdictOf(
				{ statusCode: 200, headers: {}, body: '{"target":101,"id_session":"t1"}' },
				'supervisor',
				askedAt,
			),
		loginUrl: `${engine.url}/ws/`,
		transport: 'auto',
		request,
		...options,
	});
	return { engine, subscription, recorder };
}

async function brings(version: 3 | 4, form: EngineForm): Promise<void> {
	const { subscription, recorder } = await feedOf(version, form);
	expect(await subscription.first).toEqual({ kind: 'live' });
	await recorder.until(({ timeline }) => timeline.includes(2), 'the events');
	expect(recorder.events.map(({ msg }) => msg.nom)).toEqual(['Zoë €𝄞', undefined]);
	expect(recorder.of('connected')).toMatchObject([{ protocol: version === 4 ? 4 : 2 }]);
	expect(recorder.count('disconnected')).toBe(0);
}

const MARK = Buffer.from('\ufeff');
const around = (before: string | Buffer, after: string) => (bytes: Buffer) =>
	Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
const binary = (packets: string[]) =>
	Buffer.concat(
		packets.flatMap((packet) => {
			const bytes = Buffer.from(packet);
			return [Buffer.from([0, ...String(bytes.length).split('').map(Number), 255]), bytes];
		}),
	);
const counted = (length: (packet: string) => number) => (packets: string[]) =>
	Buffer.from(packets.map((packet) => `${length(packet)}:${packet}`).join(''));

const forms: Record<string, EngineForm> = {
	usual: {},
	'a byte order mark before each payload': { bytes: around(MARK, '') },
	'a new line behind each payload': { bytes: around('', '\r\n') },
	'a blank line before each payload': { bytes: around('\r\n', '') },
	'payloads as application/octet-stream': {
		headers: { 'content-type': 'application/octet-stream' },
	},
	'payloads as text/html': { headers: { 'content-type': 'text/html' } },
	'payloads in gzip': { bytes: gzipSync, headers: { 'content-encoding': 'gzip' } },
	'a number as sid': { handshake: (usual) => ({ ...usual, sid: Number(usual.sid) }) },
	'an object in the handshake': { handshake: (usual) => ({ node: { id: 'a}' }, ...usual }) },
	'a handshake over several lines': { handshake: (usual) => JSON.stringify(usual, null, 2) },
	'a handshake of nothing but its sid': { handshake: ({ sid }) => ({ sid }) },
	'numbers of the handshake as text': {
		handshake: (usual) => ({ ...usual, pingInterval: '25000', pingTimeout: '20000' }),
	},
};

const forms3: Record<string, EngineForm> = {
	'lengths in bytes': { payload: counted((packet) => Buffer.byteLength(packet)) },
	'lengths in characters': { payload: counted((packet) => [...packet].length) },
	'binary framing': { payload: binary, headers: { 'content-type': 'application/octet-stream' } },
	'binary framing as text': { payload: binary },
	'new lines that count': {
		payload: (packets) =>
			counted((packet) => packet.length)(packets.map((packet) => `${packet}\n`)),
	},
	'version 4 is refused by the end of the connection': {
		respond({ url = '', socket }) {
			if (!url.includes('EIO=4')) return false;
			socket.destroy();
			return true;
		},
	},
};

describe('a provider on Engine.IO 4', () => {
	it.each(Object.entries(forms))('%s', async (_name, form) => await brings(4, form));

	it('payloads in ISO-8859-1', async () => {
		const { recorder } = await feedOf(4, {
			bytes: (payload) => Buffer.from(payload.toString().replace(' €𝄞', ''), 'latin1'),
			headers: { 'content-type': 'text/plain; charset=ISO-8859-1' },
		});
		await recorder.until(({ timeline }) => timeline.includes(2), 'the events');
		expect(recorder.events[0]?.msg.nom).toBe('Zoë');
	});
});

describe('a provider on Engine.IO 3', () => {
	it.each(Object.entries({ ...forms, ...forms3 }))(
		'%s',
		async (_name, form) => await brings(3, form),
	);
});

it.each([4, 3] as const)(
	'identifiers beyond 2^53 keep their digits (Engine.IO %i)',
	async (version) => {
		const { recorder } = await feedOf(version, {
			payload: (packets) => {
				const written = packets.map((packet) =>
					packet.replace('"n":2', '"n":2,"id_call":-9007199254740993,"text":"9007199254740993"'),
				);
				return version === 4
					? Buffer.from(written.join('\x1e'))
					: counted((packet) => packet.length)(written);
			},
		});
		await recorder.until(({ timeline }) => timeline.includes(2), 'the events');
		expect(recorder.events[1]?.msg).toEqual({
			n: 2,
			id_call: '-9007199254740993',
			text: '9007199254740993',
		});
	},
);

it.each([4, 3] as const)(
	'polls that an intermediary ends without content are sent again, at most once a second (Engine.IO %i)',
	async (version) => {
		const { engine, recorder } = await feedOf(version, { emptyAfterMs: 20 });
		await recorder.until(({ timeline }) => timeline.includes(2), 'the events');
		const started = performance.now();
		const before = engine.emptyPolls();
		while (engine.emptyPolls() < before + 2)
			await new Promise((resolve) => setTimeout(resolve, 20));
		engine.update({ n: 3 });
		await recorder.until(({ timeline }) => timeline.includes(3), 'the event behind them');
		expect(recorder.count('disconnected')).toBe(0);
		const polls = engine.emptyPolls() - before;
		expect(polls).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - started) / 1_000));
	},
);

it.each([4, 3] as const)(
	'an event beyond the limits is left out, the gap is reported, and the connection continues (Engine.IO %i)',
	async (version) => {
		const { engine, recorder } = await feedOf(version, {});
		await recorder.until(({ timeline }) => timeline.includes(2), 'the events');
		engine.update({ n: 3, values: Array<number>(10_001).fill(0) });
		engine.update({ n: 4 });
		await recorder.until(({ timeline }) => timeline.includes(4), 'the event behind it');
		expect(recorder.count('disconnected')).toBe(0);
		expect(recorder.events.map(({ msg }) => msg.n)).toEqual([1, 2, 4]);
		expect(recorder.of('gap')).toMatchObject([
			{ reason: 'the provider sent a message with more than 10000 values' },
		]);
	},
);
