import fc from 'fast-check';

import { SAMPLED_KINDS } from '../../../../../tools/docs/eventSamples';
import { raw, simplify } from '../../../../../nodes/VoiceManagementTrigger/events/simplify';
import { readUpdate } from '../../../../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import { nth } from '../../../../support/present';

const inner = {
	msg: { id_call: -12, id_client: '4242', statut: 'connected' },
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
	msg: { id_call: -12, id_client: '4242', status: 'connected' },
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
		const msg = { id_call: -12, id_client: '4242', status: 'connected', other: 1 };
		const event = nth(readUpdate([{ ...payload, event: { ...inner, msg } }], 1), 0);
		expect(event.raw).toEqual({ ...payload, event: { ...inner, msg } });
		expect(event.msg).toBe(msg);
	});

	it('with an event or a message in JSON text', () => {
		const text = { ...payload, event: JSON.stringify(inner) };
		expect(readUpdate([text], 99)).toEqual([{ ...read, raw: text }]);
		const msg = { ...payload, event: { ...inner, msg: Buffer.from(JSON.stringify(inner.msg)) } };
		expect(readUpdate([msg], 99)).toEqual([{ ...read, raw: msg }]);
	});

	it.each(SAMPLED_KINDS)(
		'as the documented $type $event, with nothing odd',
		({ sample, ...kind }) => {
			const { type, event } = kind;
			expect(readUpdate([sample], 1)).toMatchObject([{ type, event, raw: sample, odd: undefined }]);
			expect(readUpdate([['update', JSON.stringify(sample)]], 1)).toMatchObject([{ type, event }]);
		},
	);

	it.each([253_370_764_800, '9999-01-01T00:00:00Z', 0, -1e10, 86_400, 1e300, 'soon', { $date: 1 }])(
		'without a time if that cannot be one: %j',
		(ts) => {
			const [event] = readUpdate([{ ...payload, ts }], 1);
			expect(event).toMatchObject({ ts: undefined, odd: '"ts" is no time', raw: { ts } });
		},
	);

	it('with numbers given as text, and milliseconds as they came', () => {
		expect(readUpdate([{ cpt: '12', ts: ' 1790000000 ', elapse: '0.1' }], 1)).toMatchObject([
			{ cpt: 12, sentCpt: '12', ts: 1_790_000_000, elapse: '0.1' },
		]);
		expect(readUpdate([{ ...payload, ts: '1790000000000' }], 1)).toMatchObject([
			{ ts: 1_790_000_000_000, odd: undefined },
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
		const odd = nth(readUpdate([{ event: { type_notification: long } }], 1), 0);
		expect(String(odd.odd).length).toBeLessThan(200);
		const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
		expect(() => readUpdate([deep], 1)).not.toThrow();
	});

	it('with a message in a hundred thousand lists', () => {
		const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
		const event = { type_notification: 'queue', event: 'insert_call', msg: deep };
		expect(readUpdate([{ cpt: 7, event }], 1)).toMatchObject([
			{
				event: 'insert_call',
				msg: {},
				odd: expect.stringContaining('"msg" is no object') as string,
			},
		]);
	});
});

/** The item that an event becomes. */
const item = (object: unknown) => readUpdate([object], 99).map((event) => simplify(event));

describe('an update', () => {
	it.each<[unknown[]]>([
		[[payload, second()]],
		[[['update', payload, second()]]],
		[[[payload, second()]]],
		[['update', [payload, second()]]],
		[[JSON.stringify([payload, second()])]],
		[
			[
				['update', payload],
				['update', second()],
			],
		],
	])('contains several events as %j', (args) => {
		const events = readUpdate(args, 1);
		expect(events.map(({ cpt, odd }) => [cpt, odd])).toEqual([
			[7, undefined],
			[8, undefined],
		]);
		expect(events.map((event) => raw(event))).toEqual([payload, second()]);
	});

	it('shows cpt and elapse as they came', () => {
		const [flat] = item(payload);
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
			const msg = { statut: 'connected', status, id_call: 1 };
			expect(nth(readUpdate([{ event: { ...inner, msg } }], 1), 0).msg).toEqual({
				status: 'connected',
				id_call: 1,
			});
		}
		const msg = { statut: 'waiting', status: 'connected' };
		expect(nth(readUpdate([{ event: { ...inner, msg } }], 1), 0).msg).toEqual(msg);
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
});

function second() {
	return { ...payload, cpt: 8 };
}

describe('what is not documented about an event is named, and it is passed on as it came', () => {
	const event = (fields: object) => ({ ...payload, event: { ...inner, ...fields } });
	const msg = (fields: object) => event({ msg: fields });

	it.each<[unknown[], string]>([
		[[event({ type_notification: 'sms' })], 'the type "sms" is not documented'],
		[[event({ type_notification: 'Queue' })], 'the type "Queue" is not documented'],
		[[event({ event: 'moved' })], 'the event "queue moved" is not documented'],
		[[event({ event: undefined })], 'there is no "event"'],
		[[event({ event: 'Insert_Call' })], 'the event "queue Insert_Call" is not documented'],
		[[event({ type_notification: undefined })], 'there is no "type_notification"'],
		[[{ data: payload }], 'there is no "type_notification"'],
		[[{ ...payload, event: [inner] }], 'there is no "type_notification"'],
		[
			[event({ msg: [inner.msg, inner.msg] })],
			'"msg" is no object, but list of 2 ({ id_call: number, id_client: text, statut: text })',
		],
		[[event({ msg: 'gone' })], '"msg" is no object, but text'],
		[[event({ msg: undefined })], '"queue insert_call" has none of id_queue, id_call'],
		[
			[event({ msg: undefined, data: inner.msg })],
			'"queue insert_call" has none of id_queue, id_call',
		],
		[[msg({ call_id: 7 })], '"queue insert_call" has none of id_queue, id_call'],
		[[msg({ msg: inner.msg })], '"queue insert_call" has none of id_queue, id_call'],
		[[msg({ id_call: { id: 7 } })], '"queue insert_call" has none of id_queue, id_call'],
		[[msg({ id_call: 7, status: 'Connected' })], 'the status "Connected" is not documented'],
		[[msg({ id_call: 7, statut: 'waiting' })], 'the status "waiting" is not documented'],
		[[{ ...payload, ts: '2026-09-21T14:13:20Z' }], '"ts" is no time'],
		[[{ ...payload, cpt: '#7' }], '"cpt" is no number'],
		[[{ ...payload, site: 'north' }], 'the field "site" of the envelope is not documented'],
		[[event({ ts: 1 })], 'the field "ts" of the envelope is not documented'],
		[[4242, payload], 'something beside it is no event'],
		[['update', 'maintenance', payload], 'something beside it is no event'],
	])('%j', (args, odd) => {
		const [read, ...more] = readUpdate(args, 1);
		expect(read).toMatchObject({ odd, raw: expect.any(Object) as object });
		expect(more).toEqual([]);
	});

	it('has a message that is a list or a text in its item', () => {
		for (const sent of [[inner.msg, inner.msg], 'gone'])
			expect(item(event({ msg: sent }))).toMatchObject([{ event: 'insert_call', msg: sent }]);
	});

	it('keeps the name of a type and an event, whatever the message contains', () => {
		const other = { type: 'UI', action: 'pause', id_call: 7 };
		expect(readUpdate([event({ event: 'moved', msg: other })], 1)).toMatchObject([
			{ type: 'queue', event: 'moved', msg: other },
		]);
	});

	it('whatever a form that is not documented does to an event, it is read or named', () => {
		const value = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.string());
		const change = fc.constantFrom('drop', 'rename', 'value', 'wrap');
		const place = fc.constantFrom('whole', 'event', 'msg', 'type_notification', 'name');
		fc.assert(
			fc.property(
				fc.constantFrom(...SAMPLED_KINDS),
				place,
				change,
				value,
				(kind, where, how, other) => {
					fc.pre(kind.type !== 'PUSHCALL');
					const changed = changedAt(kind.sample, where, how, other);
					const events = readUpdate([changed], 1);
					const [plain] = readUpdate([kind.sample], 1);
					for (const one of events) {
						const isSame = one.type === plain?.type && one.event === plain.event;
						const ids = (msg: object) =>
							Object.entries(msg).filter(
								([name, id]) => name.startsWith('id_') && String(id) !== '',
							);
						if (isSame && JSON.stringify(ids(one.msg)) === JSON.stringify(ids(plain.msg))) continue;
						expect(one.odd).toEqual(expect.any(String));
					}
				},
			),
		);
	});
});

/** An event in which one part is left out, called otherwise, another value, or one level deeper. */
function changedAt(
	sample: Record<string, unknown>,
	where: string,
	how: string,
	other: unknown,
): unknown {
	const isFlat = typeof sample.event !== 'object';
	const change = (object: Record<string, unknown>, name: string) => {
		const { [name]: value, ...rest } = object;
		if (how === 'drop') return rest;
		if (how === 'rename') return { ...rest, [`other_${name}`]: value };
		return { ...rest, [name]: how === 'value' ? other : { inner: value } };
	};
	if (where === 'whole')
		return how === 'wrap' ? { inner: sample } : how === 'value' ? other : sample;
	if (where === 'event' || isFlat) return change(sample, where === 'name' ? 'event' : where);
	return {
		...sample,
		event: change(sample.event as Record<string, unknown>, where === 'name' ? 'event' : where),
	};
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
		['JSON behind a guard', [`)]}',\n${JSON.stringify(payload)}`]],
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
