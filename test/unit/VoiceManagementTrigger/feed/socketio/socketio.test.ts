// The code between the bundled Socket.IO clients and a server that may send anything.
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { Cookies } from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/cookies';
import {
	admit,
	readHandshake,
} from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/handshake';
import {
	framing as framing3,
	recounted as recounting,
} from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/payload3';
import { framing as framing4 } from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/payload4';
import {
	type Framing,
	MOST_PACKETS,
	type Payload,
	Pieces,
} from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/pieces';
import { atOnce, type Sliced } from '../../../../../nodes/shared/slices';
import {
	type Message,
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
			expect(admit({ type: 'open', data }, false).kind).toBe('broken');
		},
	);

	it('is ignored on a connection that is already open', () => {
		expect(admit({ type: 'open', data: 'null' }, true).kind).toBe('ignored');
		expect(admit({ type: 'open', data: JSON.stringify(handshake) }, true).kind).toBe('ignored');
	});

	it.each([
		['text of 2 MB', 'x'.repeat(2_000_000), 'packet'],
		['more', 'x'.repeat(2_000_001), 'broken'],
		['binary of more than 2 MB', new ArrayBuffer(2_000_001), 'broken'],
		['10,000 values', `[${'0,'.repeat(9_998)}0]`, 'packet'],
		['10,001 values', `[${'0,'.repeat(10_000)}0]`, 'broken'],
		['10,001 values in text', JSON.stringify(`[${'0,'.repeat(10_000)}0]`), 'broken'],
		['10,001 names', `{${named(10_001)}}`, 'broken'],
		['2,000 levels', '['.repeat(2_000) + ']'.repeat(2_000), 'packet'],
		['2,001 levels', '['.repeat(2_001) + ']'.repeat(2_001), 'broken'],
	])('rejects a message beyond its limits: %s', (_what, data, kind) => {
		expect(admit({ type: 'message', data }, true).kind).toBe(kind);
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
			expect(admit({ type: 'message', data }, true)).toEqual({
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

describe("Engine.IO 3's text framing", () => {
	const recounted = (text: string) => atOnce(recounting(text));
	const ways: Array<[string, (packet: string) => number]> = [
		['UTF-16 units', (packet) => packet.length],
		['bytes', (packet) => Buffer.byteLength(packet)],
		['characters', (packet) => [...packet].length],
	];

	it.each(ways)('is read if the server counts in %s', (_name, count) => {
		const framed = (packets: string[], length: (packet: string) => number) =>
			packets.map((packet) => `${length(packet)}:${packet}`).join('');
		const packets = ['42["update",{"nom":"Zoë €"}]', '3', '42["update","𝄞"]'];
		expect(recounted(framed(packets, count))).toBe(framed(packets, ({ length }) => length));
	});

	it('is passed on unchanged if it cannot be read', () => {
		for (const text of ['é', '9999:é', 'x:é', '-1:é', '1é:', ':é'])
			expect(recounted(text)).toBe(text);
	});

	it('gives n8n a turn in between, however the lengths were produced', () => {
		const small = '2:xy'.repeat(20_000);
		const large = `3000000:${'x'.repeat(3_000_000)}`;
		for (const [text, least] of [
			[`${small}9:é\n`, 40],
			[`5:é€${small}`, 40],
			[`${large}9:é\n`, 3],
		] as const) {
			let turns = 0;
			for (const work = recounting(text); !work.next().done; turns++);
			expect(turns).toBeGreaterThanOrEqual(least);
		}
	});
});

describe('the content of one poll', () => {
	const packet = fc.oneof(
		fc.string({ unit: 'grapheme', maxLength: 12 }),
		fc.string({ minLength: 2_000, maxLength: 9_000 }),
	);
	const packets = fc.array(
		packet.map((text) => `4${text.replaceAll('\x1e', '')}`),
		{ minLength: 1, maxLength: 300 },
	);
	const inText = (texts: string[]) => texts.map((text) => `${text.length}:${text}`).join('');
	const inBytes = (texts: string[]) =>
		Uint8Array.from(
			texts.flatMap((text) => {
				const bytes = Buffer.from(text);
				return [0, ...[...String(bytes.length)].map(Number), 255, ...bytes];
			}),
		);

	function* read(payload: Payload): Sliced<Payload> {
		yield;
		return payload;
	}

	const allPieces = async (payload: Payload, framing: Framing) => {
		const pieces = new Pieces();
		const all = [await pieces.first(read(payload), framing)];
		for (let next = pieces.next(); next; next = pieces.next()) all.push(await next);
		await pieces.handedOn();
		return all;
	};

	it.each<[string, Framing, (texts: string[]) => Payload]>([
		['Engine.IO 4', framing4, (texts) => texts.join('\x1e')],
		['Engine.IO 3', framing3, inText],
		['Engine.IO 3 in bytes', framing3, inBytes],
	])('is read in pieces of whole packets: %s', async (_name, framing, encode) => {
		await fc.assert(
			fc.asyncProperty(packets, async (texts) => {
				let at = 0;
				for (const piece of await allPieces(encode(texts), framing)) {
					const count = [...texts.keys()].find((index) =>
						isDeepStrictEqual(encode(texts.slice(at, at + index + 1)), piece),
					);
					expect(count).toBeDefined();
					at += Number(count) + 1;
					expect(Number(count) + 1).toBeLessThanOrEqual(32);
					// A piece ends with the packet that fills it.
					expect(piece.length).toBeLessThan(64 * 1024 + 30_000);
				}
				expect(at).toBe(texts.length);
			}),
			{ numRuns: 30 },
		);
	});

	it.each([
		['no packet', ''],
		['no length', 'x'.repeat(100_000)],
		['a length below zero', `-9:${'x'.repeat(100)}`],
		['a length beyond the end', '9999:x'],
		['bytes without a length', new Uint8Array(100_000)],
	])('is read as a whole if it has %s', async (_what, payload) => {
		expect(await allPieces(payload, framing3)).toEqual([payload]);
	});

	it('is read as a whole if the client stops polling', async () => {
		const pieces = new Pieces();
		const payload = Array.from({ length: 100 }, (_none, index) => `4${index}`).join('\x1e');
		const first = await pieces.first(read(payload), framing4);
		expect(first.length).toBeLessThan(payload.length);
		pieces.isLast = () => true;
		await expect(pieces.next()).resolves.toBe(payload.slice(first.length + 1));
	});
});

describe('messages of a WebSocket', () => {
	/** Each message takes as long as `work`. */
	const turnsOver = (work: () => void) => {
		const done: Message[] = [];
		const turns = new Turns((message) => {
			work();
			done.push(message);
		});
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
		expect(messages.length - done.length).toBeLessThan(28_000);
		expect(messages.length - done.length).toBeGreaterThan(27_000);
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
