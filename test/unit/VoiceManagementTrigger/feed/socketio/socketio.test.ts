/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The code between the bundled client and a server that may send anything.
import * as fc from 'fast-check';
import { Cookies } from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/cookies';
import {
	admit,
	readHandshake,
	readPayload,
	type Raw,
} from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/packets';
import {
	MOST_PACKETS,
	Turns,
} from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/turns';

function workFor(ms: number): void {
	const until = performance.now() + ms;
	while (performance.now() < until);
}

describe('the cookies of a host', () => {
	const HOST = 'https://voice.example.com';
	const after = (...lines: unknown[]) => {
		const cookies = new Cookies(HOST);
		cookies.keep(`${HOST}/ws/`, { 'Set-Cookie': lines });
		return cookies.headers(`${HOST}/socket.io/`);
	};

	it('are sent back to the host, whatever path set them', () => {
		expect(after('session=1; Path=/ws/; HttpOnly', 'node="b c"; Secure')).toEqual({
			cookie: 'session=1; node="b c"',
		});
		const cookies = new Cookies(HOST);
		cookies.keep(HOST, { 'set-cookie': 'one=1' });
		expect(cookies.headers(`${HOST}:8443/x`)).toEqual({ cookie: 'one=1' });
	});

	it('are secrets, also as the host may say them', () => {
		const cookies = new Cookies(HOST);
		cookies.keep(HOST, { 'set-cookie': ['connect.sid=s%3Aqwertyu.iop; Path=/', 'odd=100%sure'] });
		expect(cookies.values).toEqual(['s%3Aqwertyu.iop', 's:qwertyu.iop', '100%sure']);
	});

	it('are replaced, and expire when the host says so', () => {
		expect(after('a=1', 'a=2')).toEqual({ cookie: 'a=2' });
		expect(after('a=1', 'a=; Max-Age=0')).toEqual({});
		expect(after('a=1', 'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT')).toEqual({});
	});

	it('never go to another host, and cookies of other hosts are not kept', () => {
		const cookies = new Cookies(HOST);
		cookies.keep('https://api.example.com/vm/token', { 'set-cookie': ['a=1'] });
		expect(cookies.headers(`${HOST}/`)).toEqual({});
		cookies.keep(HOST, { 'set-cookie': ['a=1'] });
		expect(cookies.headers('https://voice.example.com.evil.example/')).toEqual({});
	});

	it('are limited, and values that no header can contain are left out', () => {
		expect(after('a\r\nX-Evil=1', 'é=1', '=1', 'nothing', 42, `b=${'x'.repeat(5_000)}`)).toEqual(
			{},
		);
		const many = Array.from({ length: 500 }, (_none, index) => `n${index}=1`);
		expect(after(...many).cookie?.split('; ')).toHaveLength(50);
		// No server accepts a longer header, which would make every request of the feed fail.
		const large = Array.from({ length: 10 }, (_none, index) => `n${index}=${'x'.repeat(3_000)}`);
		expect(after(...large).cookie?.split('; ')).toHaveLength(2);
	});

	it.each([
		['one that is too long', [`a=${'x'.repeat(4_095)}`], 1],
		['too many', Array.from({ length: 52 }, (_none, index) => `n${index}=1`), 2],
		['too long ones together', ['a', 'b', 'c'].map((name) => `${name}=${'x'.repeat(3_000)}`), 1],
		['usual ones', ['a=1', 'b=2', 'a=; Max-Age=0', `a=${'x'.repeat(4_000)}`], 0],
	])('report each cookie that is left out: %s', (_what, lines, count) => {
		const leftOut = jest.fn();
		new Cookies(HOST, leftOut).keep(HOST, { 'set-cookie': lines });
		expect(leftOut).toHaveBeenCalledTimes(count);
	});
});

const named = (count: number) =>
	Array.from({ length: count }, (_none, index) => `"n${index}":0`).join();

describe("Engine.IO's handshake", () => {
	const handshake = {
		sid: 'x',
		upgrades: ['websocket'],
		pingInterval: 25_000,
		pingTimeout: 20_000,
	};

	it('is passed on unchanged if it is valid', () => {
		expect(readHandshake(JSON.stringify({ ...handshake, maxPayload: 1e6 }))).toEqual({
			...handshake,
			maxPayload: 1e6,
		});
	});

	it.each([undefined, '', 'null', '[]', '"x"', '{', '{}', '{"sid":{}}', '{"sid":""}'])(
		'is not %s',
		(data) => {
			expect(readHandshake(data)).toBeUndefined();
			expect(admit(`0${data ?? ''}`, 4).kind).toBe('broken');
		},
	);

	it.each([
		['text of 2 MB', 'x'.repeat(1_999_999), 'packet'],
		['more', 'x'.repeat(2_000_000), 'broken'],
		['binary of more than 2 MB', new Uint8Array(2_000_001), 'broken'],
		['10,000 values', `[${'0,'.repeat(9_998)}0]`, 'packet'],
		['10,001 values', `[${'0,'.repeat(10_000)}0]`, 'broken'],
		['10,001 values in text', JSON.stringify(`[${'0,'.repeat(10_000)}0]`), 'broken'],
		['10,001 names', `{${named(10_001)}}`, 'broken'],
		['2,000 levels', '['.repeat(2_000) + ']'.repeat(2_000), 'packet'],
		['2,001 levels', '['.repeat(2_001) + ']'.repeat(2_001), 'broken'],
		['an event of more than 4 MB', `2["update","${'x'.repeat(4 * 1024 * 1024)}"]`, 'broken'],
	])('rejects a message beyond its limits: %s', (_what, data, kind) => {
		const message = typeof data === 'string' ? `4${data}` : data;
		expect(admit(message, 4).kind).toBe(kind);
	});

	const large = `{"a":[${'0,'.repeat(10_000)}0]}`;
	it.each([
		['an update', `2["update",${large}]`, true],
		['one in a namespace that wants an answer', `2/feed,12["update",${large}]`, true],
		['another event', `2["directory",${large}]`, false],
		['one that only begins like an update', `2["updates",${large}]`, false],
	])(
		'leaves out what is beyond the limits, and reports whether it is an update: %s',
		(_what, data, isUpdate) => {
			expect(admit(`4${data}`, 4)).toEqual({
				kind: 'leftOut',
				leftOut: { what: 'a message with more than 10000 values', isUpdate },
			});
		},
	);

	it('returns plausible numbers, and only upgrades that exist, whatever it contains', () => {
		fc.assert(
			fc.property(
				fc.record({
					upgrades: fc.jsonValue(),
					pingInterval: fc.jsonValue(),
					pingTimeout: fc.jsonValue(),
					maxPayload: fc.jsonValue(),
				}),
				(sent) => {
					const read = readHandshake(JSON.stringify({ sid: 'x', ...sent }));
					if (!read) throw new Error('not read');
					for (const time of [read.pingInterval, read.pingTimeout]) {
						expect(time).toBeGreaterThanOrEqual(100);
						expect(time).toBeLessThanOrEqual(600_000);
					}
					expect([[], ['websocket']]).toContainEqual(read.upgrades);
					if (read.maxPayload !== undefined) expect(read.maxPayload).toBeGreaterThan(0);
				},
			),
		);
	});
});

it('identifiers beyond 2^53 keep their digits: they are text', () => {
	const data = '["update",{"id":9007199254740993,"n":12,"t":"9007199254740993 1"}]';
	expect(admit(`42${data}`, 4)).toEqual({
		kind: 'event',
		event: ['update', { id: '9007199254740993', n: 12, t: '9007199254740993 1' }],
	});
	// One that the client reads: the server waits for an acknowledgement.
	expect(admit(`423${data}`, 4)).toMatchObject({
		packet: { data: '23["update",{"id":"9007199254740993","n":12,"t":"9007199254740993 1"}]' },
	});
});

it('… wherever they stand', () => {
	fc.assert(
		fc.property(fc.nat({ max: 40 }), fc.bigInt({ min: 0n, max: 10n ** 25n }), (before, id) => {
			const admission = admit(`42["update","${'x'.repeat(before)}",${id},1]`, 4);
			const [, , read] = admission.kind === 'event' ? admission.event : [];
			expect(BigInt(String(read))).toBe(id);
		}),
	);
});

describe('the content of one poll', () => {
	const read = (content: string | Uint8Array) =>
		readPayload({
			ok: true,
			status: 200,
			contentType: '',
			url: '',
			body: typeof content === 'string' ? Buffer.from(content) : content,
		}).packets;
	const framed = (length: (packet: string) => number) => (packets: string[]) =>
		packets.map((packet) => `${length(packet)}:${packet}`).join('');
	const inBytes = (packets: string[]) =>
		Uint8Array.from(
			packets.flatMap((packet) => {
				const bytes = Buffer.from(packet);
				return [0, ...[...String(bytes.length)].map(Number), 255, ...bytes];
			}),
		);
	const packets = fc.array(
		fc
			.string({ unit: 'grapheme', maxLength: 40 })
			.map((text) => `42${JSON.stringify(['update', text])}`),
		{ minLength: 1, maxLength: 100 },
	);

	it.each<[string, (packets: string[]) => string | Uint8Array]>([
		['Engine.IO 4', (texts) => texts.join('\x1e')],
		['Engine.IO 3, lengths in UTF-16 units', framed(({ length }) => length)],
		['Engine.IO 3, lengths in bytes', framed((packet) => Buffer.byteLength(packet))],
		['Engine.IO 3, lengths in characters', framed((packet) => [...packet].length)],
		['Engine.IO 3 in bytes', inBytes],
	])('is read packet by packet: %s', (_name, encode) => {
		fc.assert(fc.property(packets, (texts) => expect(read(encode(texts))).toEqual(texts)));
	});

	it('does not swallow a packet, whichever way lengths are counted', () => {
		const packets = ['42["update","ééé"]', '3'];
		expect(read(framed((packet) => Buffer.byteLength(packet))(packets))).toEqual(packets);
	});

	it('can have a line break at its end, which belongs to the last packet or not', () => {
		expect(read('2:40\n')).toEqual(['40']);
		expect(read('3:40\n')).toEqual(['40\n']);
		expect(read('40\n')).toEqual(['40']);
	});

	it.each<[string, string | Uint8Array]>([
		['a length beyond the end', '9999:x'],
		['a packet without a length', '2:40é'],
		['bytes without a length', new Uint8Array(100_000)],
		['bytes with a length beyond the end', Uint8Array.from([0, 9, 255, 52])],
	])('is refused if it has %s', (_what, content) => {
		expect(() => read(content)).toThrow('could not be read');
	});
});

describe('what arrives', () => {
	/** Each message takes as long as `work`. */
	const turnsOver = (work: () => void) => {
		const done: Raw[] = [];
		const turns = new Turns(
			(packet) => {
				work();
				done.push(packet);
			},
			(error) => {
				throw error as Error;
			},
		);
		/** Resolves when all have been read, to the turns that n8n had meanwhile. */
		const all = async () => {
			let [others, isOver] = [0, false];
			const turn = () => {
				others++;
				if (!isOver) setImmediate(turn);
			};
			setImmediate(turn);
			await new Promise<void>((resolve) => turns.take(resolve));
			isOver = true;
			return others;
		};
		return { turns, done, all };
	};

	it('are read even if nothing follows', async () => {
		const { turns, done } = turnsOver(() => workFor(50));
		turns.take('first');
		turns.take('second');
		for (; done.length < 2;) await new Promise<void>((resolve) => setImmediate(resolve));
	});

	it('are read in order, with turns for n8n in between, however many there are', async () => {
		// All of them together take longer than n8n can wait.
		const { turns, done, all } = turnsOver(() => {
			if (done.length % 1_000 === 0) workFor(2);
		});
		const messages = Array.from({ length: 40_000 }, (_none, at) => String(at).padEnd(400));
		for (const message of messages) turns.take(message);
		// Messages beyond 16 MB push out older ones.
		expect(messages.length - done.length).toBeLessThan(39_000);
		expect(messages.length - done.length).toBeGreaterThan(38_000);
		expect(await all()).toBeGreaterThan(0);
		expect(done).toEqual(messages);
	});

	it('are read one by one if they are long, since each can take long', async () => {
		const { turns, all } = turnsOver(() => workFor(40));
		for (let at = 0; at < 5; at++) turns.take('x'.repeat(5_000));
		expect(await all()).toBeGreaterThanOrEqual(4);
	});

	it('give the events of earlier messages the time that they need before the next ones are read', async () => {
		let [underWay, most] = [0, 0];
		const { turns, all } = turnsOver(() => {
			most = Math.max(most, ++underWay);
			void (async () => {
				for (let step = 0; step < 6; step++) await Promise.resolve();
				underWay--;
			})();
		});
		for (let at = 0; at < 1_000; at++) turns.take('message');
		await all();
		expect(most).toBeLessThanOrEqual(MOST_PACKETS);
	});
});
