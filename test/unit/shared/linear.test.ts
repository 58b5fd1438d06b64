/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Texts from outside take linear time to read, at every length that can reach n8n: the feed runs in its main process. The
// measure is what JSON.parse needs for as many characters, in the same run, so that no machine is too slow. `npm run lint`
// checks the regular expressions one by one; these are the inputs that it has found, and others, in the whole functions.

import { parse } from '../../../nodes/shared/answer/parse';
import { readFailure } from '../../../nodes/shared/failure';
import { withLongIntegers } from '../../../nodes/shared/json';
import { readExpire, readLogin } from '../../../nodes/shared/login';
import { oneLine } from '../../../nodes/shared/oneLine';
import { secretsOf } from '../../../nodes/shared/secrets';
import { Mask } from '../../../nodes/VoiceManagementTrigger/feed/mask';
import {
	admit,
	readHandshake,
	readPayload,
} from '../../../nodes/VoiceManagementTrigger/feed/socketio/packets';

/** The longest is that of a message and of most answers. */
const LENGTHS = [10_000, 100_000, 2_000_000];
/** How often JSON.parse could have read a text of this length meanwhile. Something quadratic takes thousands at 100,000. */
const MOST_TIMES = 1_000;

const EVENT = JSON.stringify({ type: 'call', event: 'ringing', id: 12, numbers: ['+33612345678'] });

/** Processor time in microseconds: the least of several, because others use the processor too. */
function timeOf(run: () => void, times: number): number {
	let least = Infinity;
	for (let left = times; left > 0; left--) {
		const started = process.cpuUsage();
		run();
		const { user, system } = process.cpuUsage(started);
		least = Math.min(least, user + system);
	}
	return least;
}

/** What JSON.parse needs for a text of each length. */
const MEASURES = LENGTHS.map((length) => {
	const events = Array<string>(Math.ceil(length / EVENT.length)).fill(EVENT);
	const plain = `[${events.join(',')}]`;
	return { length, measure: timeOf(() => void JSON.parse(plain), 5) };
});

/** @param pump repeated between a beginning and an end until the text has the length */
function expectLinear(read: (text: string) => void, pump: string, begin = '', end = ''): void {
	for (const { length, measure } of MEASURES) {
		const text = begin + pump.repeat(Math.ceil(length / pump.length)).slice(0, length) + end;
		const times = length > 100_000 ? 1 : 3;
		// The shorter ones show it before a longer one takes hours.
		expect(timeOf(() => read(text), times) / measure).toBeLessThan(MOST_TIMES);
	}
}

describe('a Socket.IO message', () => {
	it.each([
		['an event that is not closed', '42["update",', `${'1'.repeat(40)}\\"`, ''],
		['quotes that are escaped', `42["update",${'1'.repeat(20)}`, '\\"', ''],
		['what recheck found', '42["update",1234567890123456,', 'E\\"\\\\', '\\0'],
		['digits', '42["update",', '1', ']'],
		['many numbers', '42["update"', `,${'9'.repeat(17)}`, ']'],
		['signs', '42["update",1234567890123456', '-1.', ''],
		['exponents', '42["update",1234567890123456', '1e', ''],
		['quotes', '42["update",', '"', ''],
		['backslashes', '42["update","1234567890123456', '\\', ''],
		['a namespace', '42/', 'a', ''],
		['another kind', '45', '1-', `["update",${'1'.repeat(40)}]`],
		['lists', '42["update",', '[', ''],
		['blanks', '42', ' ', '[]'],
		['base64', 'b', '=', ''],
	])('of %s', (_what, begin, pump, end) => {
		expectLinear(
			(text) => {
				const event = text.slice(0, 2_000_000);
				expect(admit(event, 4).kind).toBeDefined();
				admit(event, 3);
				withLongIntegers(event);
			},
			pump,
			begin,
			end,
		);
	});

	it.each([
		'1:',
		'9:a',
		'1:é',
		'\x1e',
		'1:\u{1F600}',
		'000000001:a',
		'\x00\x01\xff',
		'\x01',
		'2:\n',
	])('in a poll of %j', (pump) => {
		expectLinear((text) => {
			try {
				readPayload({ url: '', ok: true, status: 200, body: Buffer.from(text), contentType: '' });
			} catch {
				// Not every one is a payload.
			}
		}, pump);
	});
});

test.each([
	['{"sid":"', '\\\\'],
	['{', '"'],
])('a handshake that begins with %j and goes on with %j', (begin, pump) => {
	expectLinear((text) => expect(readHandshake(text)).toBeUndefined(), pump, begin);
});

test.each(['', '2026-11-21t13-10-00'])('the end of a token that begins with %j', (begin) => {
	expectLinear((text) => expect(readExpire(text)).toBeUndefined(), ' ', begin, 'x');
});

test.each([
	['', '<!-- >'],
	['<a>', '<!-- >'],
	['<a>', '<![CDATA[>'],
	['<a>', '<!a>'],
	['<a', ' a="'],
	['<a', ' a=\'"'],
	['<a', ' a'],
	['<a>', '&#'],
	['<a>', '<b></b>'],
	['<?', '?'],
	['', '<title'],
	['<html>', '<title<'],
	['<html>', '<'],
	['', '{"a":'],
	['', '["'],
	['"', '\\"'],
	['[1234567890123456789,', '"\\'],
	['', 'a=b&'],
	['', '[ '],
	['', '\ufeff'],
	['', ' \n'],
	['', '/'],
	['', '<'],
	['', '<a '],
	['', '{}\n'],
	['', '1'],
	['[', '1234567890123456789,'],
	['["', '1'],
	['{"data":[', '{"a":{}},'],
	['[', '{"Err-Msg":1},'],
	['a', '%5c'],
	['{"password":"', '&#92;'],
])('a response that begins with %j and goes on with %j', (begin, pump) => {
	const secrets = secretsOf({ login: 'someone', password: 'p\\!\\"ä 1' });
	expectLinear(
		(body) => {
			for (const contentType of ['application/json', 'text/html']) {
				const headers = { 'content-type': contentType };
				const answer = parse({ statusCode: 400, headers, body }, secrets);
				readFailure(answer, { effect: 'write', urlField: 'URL' });
				oneLine(body);
				expect(readLogin(answer, 'supervisor', 0).problem).toBeDefined();
			}
		},
		pump,
		begin,
	);
});

describe('a search for secrets', () => {
	it.each([
		['\\!\\!\\!\\!\\!\\!a', '\\\\\\\\\\\\\\\\!'],
		['\\!\\!\\!\\!\\!\\!a', '26#35;92;&%25'],
		['\\!\\!\\!\\!\\!\\!a', '%5c%5c%5c%5c!'],
		['%5c!%255c!%5c!%5c!%5c!%5c!a', '%5c%5c%5c%5c%5c%5c!'],
		['%5c!%255c!%5c!a', '26#37;5c!\\!\\%25252525'],
		['&#92;!&#92;!&#92;!&#92;!&#92;!a', '&#92;&#92;&#92;&#92;!'],
		['\\&#92;!&#x5c;!%5c!', '2392;&%25252525'],
		['%25%2525%%5c&&amp;&#33;', '26#37;\\\\\\\\\\%'],
		['%25a%25a%25a%25a%25a%25b', '%25252525a'],
		['\\\\\\\\\\\\x', '\\'],
		['\\\\\\\\\\\\x', '%5c'],
		['\\\\\\\\\\\\x', '&#92;'],
		['&&&&&&&&&x', '&amp;'],
		['""""""""a', '\\"'],
		['<>"\'&;+ /', '2339;&;+\\\\\\\\\\\\\\%2525'],
		['750001', `Passwd:${'\t'.repeat(16)}`],
		['a-1', 'Passwd:\t\t\\\\\\\t&quot;'],
		['aaaaaaaaaaaaaaab', 'a'],
	])('for the password %j in %j', (password, pump) => {
		const { inText, inFields } = secretsOf({ login: 'someone', password });
		expectLinear(
			(text) => {
				text.replace(inText, '');
				text.replace(inFields, '');
			},
			pump,
			'',
			'x',
		);
	});

	it.each(['!', '%25', '\\', '…', '!!!!!!!!!!!!…', 'a'])(
		'for the cookies of a hostile server in %j',
		(pump) => {
			const mask = new Mask();
			const cookies = Array.from(
				{ length: 50 },
				(_none, at) => `${pump.replace('…', '!').repeat(150)}-${at}`,
			);
			mask.addConnection(() => [...cookies, '!'.repeat(4_000), '\\!'.repeat(2_000)]);
			expect(mask.line(`${cookies[7]} is wrong`)).toBe('*** is wrong');
			expectLinear((text) => void mask.line(text), pump);
		},
	);
});
