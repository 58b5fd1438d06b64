import fc from 'fast-check';

import { readUpdate } from '../../../../nodes/VoiceManagementTrigger/feed/envelope';

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
	msg: inner.msg,
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
		expect(readUpdate(args, 99)).toEqual(read);
	});

	it('in the top-level form of num events', () => {
		const num = {
			type_notification: 'num',
			srv: 3,
			event: 'start',
			msg: { id_call: '5', service: '+33199000801' },
		};
		expect(readUpdate([num], 1)).toEqual({
			type: 'num',
			event: 'start',
			cpt: undefined,
			ts: undefined,
			elapse: undefined,
			msg: num.msg,
			raw: num,
			receivedAt: 1,
		});
	});

	it('with its raw object passed on unchanged, not copied', () => {
		expect(readUpdate([payload], 1)?.raw).toBe(payload);
		expect(readUpdate([payload], 1)?.msg).toBe(inner.msg);
	});

	it('with numbers given as text', () => {
		expect(readUpdate([{ cpt: '12', ts: ' 34 ', elapse: '0.1' }], 1)).toMatchObject({
			cpt: 12,
			ts: 34,
			elapse: 0.1,
		});
	});

	it.each<[string, unknown, object]>([
		[
			'without msg',
			{ event: { type_notification: 'UI', event: 'x' } },
			{ type: 'UI', event: 'x', msg: {} },
		],
		[
			'without event',
			{ type_notification: 'UI', msg: { a: 1 } },
			{ type: 'UI', event: '', msg: { a: 1 } },
		],
		['without anything', {}, { type: '', event: '', msg: {} }],
		[
			'with null parts',
			{ event: null, msg: null, cpt: null, ts: null },
			{ type: '', event: '', cpt: undefined },
		],
		['with lists for objects', { event: [1], msg: [2] }, { type: '', event: '', msg: {} }],
		['with msg as JSON text', { event: { msg: '{"a":1}' } }, { msg: { a: 1 } }],
		[
			'of an unknown type and event',
			{ event: { type_notification: 'new', event: 'kind', msg: {} } },
			{ type: 'new', event: 'kind' },
		],
		[
			'with numbers that are none',
			{ cpt: 'x', ts: NaN, elapse: '' },
			{ cpt: undefined, ts: undefined, elapse: undefined },
		],
	])('%s', (_name, value, expected) => {
		expect(readUpdate([value], 1)).toMatchObject(expected);
	});

	it('with __proto__ and constructor as plain keys', () => {
		const text =
			'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"event":{"msg":{"__proto__":{"polluted":1},"ok":1}}}';
		const event = readUpdate([text], 1);
		expect(event?.msg.ok).toBe(1);
		expect(({} as { polluted?: number }).polluted).toBeUndefined();
		expect(event?.type).toBe('');
	});

	it('with a string of a megabyte and a hundred thousand levels', () => {
		const long = 'x'.repeat(1_000_000);
		expect(readUpdate([{ event: { msg: { long } } }], 1)?.msg.long).toBe(long);
		const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
		expect(() => readUpdate([deep], 1)).not.toThrow();
	});
});

describe('an update is not read', () => {
	it.each<[string, unknown[]]>([
		['without arguments', []],
		['null', [null]],
		['undefined', [undefined]],
		['a number', [5]],
		['a boolean', [true]],
		['text', ['hello']],
		['half JSON', ['{"a":']],
		['JSON of no object', ['[1, 2]']],
		['an empty array', [[]]],
		["['update'] alone", [['update']]],
		['bytes', [Buffer.from([0, 159, 146, 150])]],
		['arrays in arrays in arrays', [[[[[[[payload]]]]]]]],
	])('%s', (_name, args) => {
		expect(readUpdate(args, 1)).toBeUndefined();
	});
});

it('nothing that JSON can carry makes it throw', () => {
	fc.assert(
		fc.property(fc.array(fc.oneof(fc.jsonValue(), fc.json(), fc.string())), (args) => {
			const event = readUpdate(args, 1);
			expect(event === undefined || typeof event.raw === 'object').toBe(true);
		}),
	);
});
