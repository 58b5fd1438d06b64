import fc from 'fast-check';

import { EVENT_KINDS, STATUSES } from '../../../../../nodes/VoiceManagementTrigger/events/kinds';
import { raw, simplify } from '../../../../../nodes/VoiceManagementTrigger/events/simplify';
import { readUpdate } from '../../../../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import { nth } from '../../../../support/present';

const inner = {
	msg: { id_call: -12, id_client: '4242', statut: 'waiting' },
	type_notification: 'queue',
	event: 'insert_call',
};
const payload = { cpt: 7, elapse: 0.5, ts: 1_790_000_000, event: inner };
const read = {
	type: 'queue',
	event: 'insert_call',
	cpt: 7,
	ts: 1_790_000_000,
	elapse: 0.5,
	sentCpt: 7,
	msg: { id_call: -12, id_client: '4242', status: 'waiting' },
	raw: payload,
	receivedAt: 99,
};

describe('an update is read', () => {
	it.each<[string, unknown[]]>([
		['as an object', [payload]],
		["as ['update', object]", [['update', payload]]],
		["with 'update' as its first argument", ['update', payload]],
		['alone in an array', [[payload]]],
		['as JSON text', [JSON.stringify(payload)]],
		["as JSON text of ['update', object]", [JSON.stringify(['update', payload])]],
		["as ['update', JSON text]", [['update', JSON.stringify(payload)]]],
		['as bytes of JSON text', [Buffer.from(JSON.stringify(payload))]],
		['as an ArrayBuffer of JSON text', [new TextEncoder().encode(JSON.stringify(payload)).buffer]],
		['with arguments behind it', [payload, () => undefined]],
	])('%s', (_name, args) => {
		expect(readUpdate(args, 99)).toEqual([read]);
	});

	it('in the top-level form of num events', () => {
		const num = {
			type_notification: 'num',
			srv: 3,
			event: 'start',
			msg: { id_call: '5', service: '+33199000801' },
		};
		expect(readUpdate([num], 1)).toEqual([
			{
				type: 'num',
				event: 'start',
				cpt: undefined,
				ts: undefined,
				elapse: undefined,
				msg: num.msg,
				further: { srv: 3 },
				raw: num,
				receivedAt: 1,
			},
		]);
	});

	it('with its raw object passed on unchanged, not copied', () => {
		const msg = { id_call: -12, id_client: '4242', status: 'waiting', other: 1 };
		const event = nth(readUpdate([{ ...payload, event: { ...inner, msg } }], 1), 0);
		expect(event.raw).toEqual({ ...payload, event: { ...inner, msg } });
		expect(event.msg).toBe(msg);
	});

	it.each([253_370_764_800, '9999-01-01T00:00:00Z', 0, -1e10, 86_400, 1e300])(
		'without a time in which nothing can have happened: %j',
		(ts) => {
			const [event] = readUpdate([{ ...payload, ts }], 1);
			expect(event?.ts).toBeUndefined();
			expect(event?.raw).toMatchObject({ ts });
		},
	);

	it('with numbers given as text', () => {
		expect(readUpdate([{ cpt: '12', ts: ' 1790000000 ', elapse: '0.1' }], 1)).toMatchObject([
			{ cpt: 12, sentCpt: '12', ts: 1_790_000_000, elapse: '0.1' },
		]);
	});

	it.each<[unknown, object]>([
		[{ event: { type_notification: 'UI', event: 'x' } }, { type: 'UI', event: 'x', msg: {} }],
		[
			{ type_notification: 'UI', msg: { a: 1 } },
			{ type: 'UI', event: '', msg: { a: 1 } },
		],
		[{}, { type: '', event: '', msg: {} }],
		[
			{ event: null, msg: null, cpt: null, ts: null },
			{ type: '', event: '', cpt: undefined },
		],
		[
			{ event: [1], msg: [2] },
			{ type: '', event: '', msg: {} },
		],
		[{ event: { msg: '{"a":1}' } }, { msg: { a: 1 } }],
		[
			{ event: { type_notification: 'new', event: 'kind', msg: {} } },
			{ type: 'new', event: 'kind' },
		],
		[
			{ cpt: 'x', ts: NaN, elapse: '0.5 s' },
			{ cpt: undefined, sentCpt: 'x', ts: undefined, elapse: '0.5 s' },
		],
	])('%j', (value, expected) => {
		expect(readUpdate([value], 1)).toMatchObject([expected]);
	});

	it('with __proto__ and constructor as plain keys', () => {
		const text =
			'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"event":{"msg":{"__proto__":{"polluted":1},"ok":1}}}';
		const event = nth(readUpdate([text], 1), 0);
		expect(event.msg.ok).toBe(1);
		expect(({} as { polluted?: number }).polluted).toBeUndefined();
		expect(event.type).toBe('');
	});

	it('with a string of a megabyte and a hundred thousand levels', () => {
		const long = 'x'.repeat(1_000_000);
		expect(nth(readUpdate([{ event: { msg: { long } } }], 1), 0).msg.long).toBe(long);
		const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
		expect(() => readUpdate([deep], 1)).not.toThrow();
	});

	it('with a message in a hundred thousand lists', () => {
		const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
		for (const msg of [deep, JSON.stringify({ msg: [[[[[[[[{}]]]]]]]] })]) {
			const event = { type_notification: 'queue', event: 'insert_call', msg };
			expect(nth(readUpdate([{ cpt: 7, event }], 1), 0).event).toBe('insert_call');
		}
	});
});

/** The same value in two places, or under another name, is never emitted twice. */
const item = (object: unknown) => readUpdate([object], 99).map((event) => simplify(event));

describe('an update in another form', () => {
	const flat = {
		type_notification: 'queue',
		event: 'insert_call',
		cpt: 7,
		ts: 1_790_000_000,
		elapse: 0.5,
		id_call: '-12',
		id_client: '4242',
		status: 'waiting',
		date: '2026-09-21T14:13:20.000Z',
	};

	it.each<[unknown]>([
		[payload],
		[{ ...payload, event: JSON.stringify(inner) }],
		[JSON.stringify({ ...payload, event: JSON.stringify(inner) })],
		[{ ...payload, event: { ...inner, msg: JSON.stringify(inner.msg) } }],
		[{ event: { ...inner, cpt: 7, ts: 1_790_000_000, elapse: 0.5 } }],
		[{ ...payload, ts: '2026-09-21T14:13:20Z' }],
		[{ ...payload, ts: '2026-09-21T16:13:20.000+02:00' }],
		[{ ...payload, ts: '2026-09-21 14:13:20' }],
		[{ ...payload, ts: '1790000000' }],
		[
			{
				Cpt: 7,
				ELAPSE: 0.5,
				Ts: 1_790_000_000,
				Event: {
					MSG: { ID_CALL: -12, Id_Client: '4242', Statut: 'waiting' },
					type_Notification: 'queue',
					EVENT: 'insert_call',
				},
			},
		],
		[
			{
				...payload,
				event: {
					msg: { idCall: -12, idClient: 4242, status: 'waiting' },
					typeNotification: 'queue',
					event: 'insert_call',
				},
			},
		],
		[{ ...payload, event: { ...inner, type_notification: 'QUEUE', event: 'Insert_Call' } }],
		[{ ...payload, event: { type_notification: 'queue', event: 'insert_call' }, msg: inner.msg }],
		[{ cpt: 7, ts: 1_790_000_000, elapse: 0.5, ...inner }],
		[{ ...payload, event: { ...inner.msg, type_notification: 'queue', event: 'insert_call' } }],
		[{ data: payload }],
		[{ name: 'update', args: [JSON.stringify(payload)] }],
	])('%j gives the same item', (object) => {
		expect(item(object)).toEqual([flat]);
	});

	it('keeps its timestamp in milliseconds, and the date is the same', () => {
		expect(item({ ...payload, ts: '1790000000000' })).toEqual([{ ...flat, ts: 1_790_000_000_000 }]);
	});

	it('knows every documented type, event and status in another letter case', () => {
		for (const { type, event } of EVENT_KINDS) {
			const odd = { TYPE_NOTIFICATION: type.toLowerCase(), Event: event.toUpperCase(), msg: {} };
			expect(readUpdate([odd], 1)).toMatchObject([{ type, event }]);
		}
		for (const { value } of STATUSES) {
			const odd = {
				event: { type_notification: 'operator', msg: { Status: value.toUpperCase() } },
			};
			expect(nth(readUpdate([odd], 1), 0).msg).toEqual({ status: value });
		}
	});

	it('is emitted raw as it was received', () => {
		const object = { Event: JSON.stringify({ MSG: { ID_CALL: 5 }, TYPE_NOTIFICATION: 'QUEUE' }) };
		const event = nth(readUpdate([object], 1), 0);
		expect(event.raw).toBe(object);
		expect(raw(event)).toEqual(object);
	});

	it.each<[unknown[]]>([
		[[payload, second()]],
		[[['update', payload, second()]]],
		[[[payload, second()]]],
		[['update', [payload, second()]]],
		[[JSON.stringify([payload, second()])]],
		[[{ events: [payload, second()] }]],
	])('contains several events as %j', (args) => {
		const events = readUpdate(args, 1);
		expect(events.map(({ cpt }) => cpt)).toEqual([7, 8]);
		expect(events.map((event) => raw(event))).toEqual([payload, second()]);
	});

	it('contains several events in one envelope', () => {
		const object = {
			cpt: 7,
			ts: 1_790_000_000,
			event: [inner, { ...inner, event: 'delete_call' }],
		};
		expect(readUpdate([object], 1)).toMatchObject([
			{ cpt: 7, ts: 1_790_000_000, event: 'insert_call', msg: read.msg, raw: object },
			{ cpt: 7, ts: 1_790_000_000, event: 'delete_call', msg: read.msg, raw: object },
		]);
	});

	it('shows cpt and elapse as they came', () => {
		for (const [cpt, elapse] of [
			['a-7', '0.5 s'],
			['007', { seconds: 1 }],
			['9007199254740993', '1'],
		]) {
			const object = { ...payload, cpt, elapse };
			expect(item(object)).toEqual([{ ...flat, cpt, elapse }]);
		}
		expect(item({ ...payload, cpt: null, elapse: null })).toEqual([
			{ ...flat, cpt: undefined, elapse: undefined },
		]);
	});

	it('keeps identifiers beyond 2^53 exactly, in JSON text too', () => {
		const event =
			'{"type_notification":"queue","event":"insert_call","msg":{"id_call":9007199254740993}}';
		expect(item({ event })).toMatchObject([{ id_call: '9007199254740993' }]);
		expect(item(`{"event":${event}}`)).toMatchObject([{ id_call: '9007199254740993' }]);
	});

	it('takes statut for the status if that is empty', () => {
		for (const status of ['', null, undefined]) {
			const msg = { statut: 'CONNECTED', status, id_call: 1 };
			expect(nth(readUpdate([{ event: { ...inner, msg } }], 1), 0).msg).toEqual({
				status: 'connected',
				id_call: 1,
			});
		}
		const msg = { statut: 'waiting', status: 'connected' };
		expect(nth(readUpdate([{ event: { ...inner, msg } }], 1), 0).msg).toEqual(msg);
	});

	it('does not rename a field if the documented name is taken', () => {
		const msg = { id_call: 1, ID_CALL: 2, Other: 3 };
		expect(nth(readUpdate([{ event: { msg } }], 1), 0).msg).toBe(msg);
	});

	it('yields the same whether it stands alone or in a list, whatever its message contains', () => {
		const name = fc.constantFrom('id_call', 'status', 'statut', 'call_id', 'cpt', 'msg', 'x', '7');
		const number = fc.oneof(fc.integer(), fc.constantFrom(undefined, null, '5', 1.5, 2 ** 60));
		const update = fc.record({
			cpt: number,
			elapse: number,
			ts: number,
			event: fc.record({
				msg: fc.oneof(fc.dictionary(name, fc.jsonValue({ maxDepth: 2 })), fc.jsonValue()),
				type_notification: fc.constantFrom('queue', 'operator', 'Queue', 'other', 7),
				event: fc.constantFrom('insert_call', 'status', 'other', ''),
			}),
		});
		fc.assert(
			fc.property(update, (sent) => {
				expect(readUpdate([sent], 1)).toEqual(readUpdate([['update', sent]], 1));
			}),
		);
	});

	it('yields the item of the documented form however its keys are written', () => {
		const kind = fc.constantFrom(...EVENT_KINDS);
		const style = fc.constantFrom(
			(name: string) => name.toUpperCase(),
			(name: string) => nth(name, 0).toUpperCase() + name.slice(1),
			(name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
			(name: string) => name.replaceAll('_', '-'),
		);
		const rename = (object: object, write: (name: string) => string): object =>
			Object.fromEntries(
				Object.entries(object).map(([name, value]: [string, unknown]) => [
					write(name),
					name === 'event' || name === 'msg' ? renameWithin(value, write) : value,
				]),
			);
		const renameWithin = (value: unknown, write: (name: string) => string) =>
			typeof value === 'object' && value !== null ? rename(value, write) : value;
		fc.assert(
			fc.property(kind, style, ({ sample }, write) => {
				expect(item(rename(sample, write))).toEqual(item(sample));
			}),
		);
	});
});

function second() {
	return { ...payload, cpt: 8 };
}

describe('an update is not read', () => {
	it.each<[string, unknown[]]>([
		['without arguments', []],
		['null', [null]],
		['undefined', [undefined]],
		['a number', [5]],
		['a boolean', [true]],
		['text', ['hello']],
		['half JSON', ['{"a":']],
		['JSON of something other than an object', ['[1, 2]']],
		['an empty array', [[]]],
		["['update'] alone", [['update']]],
		['bytes', [Buffer.from([0, 159, 146, 150])]],
		['arrays in arrays in arrays', [[[[[[[[[[[payload]]]]]]]]]]]],
	])('%s', (_name, args) => {
		expect(readUpdate(args, 1)).toEqual([]);
	});
});

it('no JSON value makes it throw', () => {
	fc.assert(
		fc.property(fc.array(fc.oneof(fc.jsonValue(), fc.json(), fc.string())), (args) => {
			for (const event of readUpdate(args, 1)) expect(typeof event.raw).toBe('object');
		}),
	);
});

test('a documented event is found in another form', () => {
	const notification = {
		type: 'queue',
		action: 'insert-call',
		data: { call_id: 7 },
		time: 1.79e18,
		site: 'north',
	};
	expect(readUpdate([{ stamp: 1, notification }], 0)).toMatchObject([
		{ type: 'queue', event: 'insert_call', msg: { id_call: 7 }, ts: 1.79e9, raw: notification },
	]);
	expect(item({ stamp: 1, notification })).toMatchObject([{ id_call: '7', site: 'north' }]);
});

describe('events that the document does not have', () => {
	const read = (...args: unknown[]) => readUpdate(args, 0).map(({ type, event }) => [type, event]);

	it('keep their name, whatever their message contains', () => {
		const msg = { type: 'UI', action: 'pause', id_call: 7 };
		expect(
			read({ cpt: 1, ts: 2, event: { type_notification: 'queue', event: 'moved', msg } }),
		).toEqual([['queue', 'moved']]);
		expect(read({ event: { type_notification: 'sms', event: 'sent', msg } })).toEqual([
			['sms', 'sent'],
		]);
	});

	it('are not dropped beside others', () => {
		expect(
			read([
				{ event: { type_notification: 'UI', event: 'pause', msg: {} } },
				{ event: { type_notification: 'sms', event: 'sent', msg: {} } },
			]),
		).toEqual([
			['UI', 'pause'],
			['sms', 'sent'],
		]);
	});
});
