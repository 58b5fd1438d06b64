import fc from 'fast-check';
import { readDirectory } from '../../../../nodes/shared/directory';
import { readUpdate } from '../../../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import {
	isoDate,
	milliseconds,
	raw,
	simplify,
} from '../../../../nodes/VoiceManagementTrigger/events/simplify';
import type { FeedEvent } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { nth } from '../../../support/present';

function read(object: unknown): FeedEvent {
	const [event] = readUpdate([object], 1000);
	if (!event) throw new Error('not readable');
	return event;
}

const wire = (msg: Record<string, unknown>, type = 'queue', event = 'insert_call') => ({
	cpt: 12,
	elapse: 3,
	ts: 1767261600,
	event: { msg, type_notification: type, event },
});

const names = readDirectory({
	ops: [{ id: 501, nom: 'Ada', groups: [11, 99] }],
	groupes: [{ id: 11, nom: 'Sales' }],
	trunks: [{ id: '701', name: 'Head office' }],
	pauses: [
		{ id: 1, value: 'Lunch' },
		{ id: 2, value: 'Coffee' },
	],
});

describe('names of queues', () => {
	const queueNames = new Map([['301', { name: 'Sales' }]]);

	it('are emitted as queue, with null for a queue without a name', () => {
		const item = (msg: Record<string, unknown>) => simplify(read(wire(msg)), undefined, queueNames);
		expect(item({ id_queue: 301 }).queue).toEqual({ id: '301', name: 'Sales' });
		expect(item({ id_queue: '302' }).queue).toEqual({ id: '302', name: null });
		expect(item({ id_call: 5 })).not.toHaveProperty('queue');
		expect(item({ id_queue: 301, queue: 'own' })).toMatchObject({ msg_queue: 'own' });
		expect(simplify(read(wire({ id_queue: 301 })))).not.toHaveProperty('queue');
	});
});

describe('the simplified form', () => {
	it('puts envelope and message into one flat object, identifiers as text, in a stable order', () => {
		const item = simplify(
			read(wire({ call_duration: 8, id_queue: 301, id_call: '7', id_client: 4242, statut: 'x' })),
		);
		expect(JSON.stringify(item)).toBe(
			JSON.stringify({
				type_notification: 'queue',
				event: 'insert_call',
				cpt: 12,
				ts: 1767261600,
				elapse: 3,
				call_duration: 8,
				id_queue: '301',
				id_call: '7',
				id_client: '4242',
				status: 'x',
				date: '2026-01-01T10:00:00.000Z',
			}),
		);
	});

	it('gives the top-level form of num events the same shape', () => {
		const item = simplify(
			read({
				type_notification: 'num',
				srv: 3,
				event: 'start',
				msg: { id_call: 7, id_num: 801, service: '+33199000801' },
			}),
		);
		expect(item).toEqual({
			type_notification: 'num',
			event: 'start',
			srv: 3,
			id_call: '7',
			id_num: '801',
			service: '+33199000801',
		});
	});

	it('keeps null, text and nested values as they are, and only turns numbers in id_ fields into text', () => {
		const msg = { id_call: null, id_queue: '', supp: null, vars: { id_x: 5 }, id: 9, id_list: [1] };
		expect(simplify(read(wire(msg)))).toMatchObject(msg);
	});

	it('keeps both if there are statut and status', () => {
		const item = simplify(read(wire({ statut: 'a', status: 'b' })));
		expect(item).toMatchObject({ statut: 'a', status: 'b' });
	});

	it('never lets a message overwrite the envelope', () => {
		const item = simplify(
			read(wire({ event: 'forged', ts: 1, type_notification: 'x', date: 'y' })),
		);
		expect(item).toMatchObject({
			type_notification: 'queue',
			event: 'insert_call',
			ts: 1767261600,
			date: '2026-01-01T10:00:00.000Z',
			msg_event: 'forged',
			msg_ts: 1,
			msg_type_notification: 'x',
			msg_date: 'y',
		});
	});

	it('leaves out what the envelope lacks', () => {
		const item = simplify(read({ event: { msg: {}, type_notification: 'UI', event: 'login' } }));
		expect(Object.keys(item)).toEqual(['type_notification', 'event']);
	});

	it('adds the names of agent with groups and trunk', () => {
		const item = simplify(read(wire({ id_operator: '501', id_trunk: 701 }, 'trunk')), names);
		expect(item.agent).toEqual({
			id: '501',
			name: 'Ada',
			groups: [
				{ id: '11', name: 'Sales' },
				{ id: '99', name: null },
			],
		});
		expect(item.trunk).toEqual({ id: '701', name: 'Head office' });
		expect(item).not.toHaveProperty('pause');
	});

	it('reports an agent that it does not know, and adds nothing if there is no agent', () => {
		expect(simplify(read(wire({ id_operator: 999 })), names).agent).toEqual({
			id: '999',
			name: null,
			groups: [],
		});
		expect(simplify(read(wire({ id_operator: null })), names)).not.toHaveProperty('agent');
		expect(simplify(read(wire({ id_operator: 501 })))).not.toHaveProperty('agent');
	});

	it.each([
		[2, { id: '2', name: 'Coffee' }],
		['1', { id: '1', name: 'Lunch' }],
		['Lunch', { id: '1', name: 'Lunch' }],
		['Yoga', { id: 'Yoga', name: null }],
	])('adds the name of the break with supp %p', (supp, pause) => {
		expect(simplify(read(wire({ supp }, 'UI', 'pause')), names).pause).toEqual(pause);
		expect(simplify(read(wire({ supp }, 'UI', 'push')), names)).not.toHaveProperty('pause');
	});

	it('gives the same item for the same event', () => {
		const event = read(wire({ id_operator: 501, vars: { a: [1, { b: 2 }] } }));
		expect(JSON.stringify(simplify(event, names))).toBe(JSON.stringify(simplify(event, names)));
	});
});

describe('the raw form', () => {
	it('is the received object, unchanged', () => {
		const object = wire({ id_call: 7, statut: 'x', vars: { a: [1, null, { b: 'é' }] } });
		expect(raw(read(object))).toEqual(object);
		expect(raw(read(['update', object]))).toEqual(object);
	});
});

describe('every item', () => {
	it('shares nothing mutable with the event', () => {
		const event = read(wire({ vars: { list: [{ x: 1 }] } }));
		const before = JSON.stringify(event.raw);
		for (const shape of [simplify, raw]) {
			const other = JSON.stringify(shape(event));
			const item = shape(event) as { vars: { list: Array<{ x: number }> } } & {
				event: { msg: { vars: { list: Array<{ x: number }> } } };
			};
			nth((item.vars ?? item.event.msg.vars).list, 0).x = 2;
			expect(JSON.stringify(event.raw)).toBe(before);
			expect(JSON.stringify(shape(event))).toBe(other);
		}
	});

	it('treats hostile keys as data', () => {
		const event = read(
			JSON.parse(
				'{"cpt":1,"event":{"type_notification":"UI","event":"login","msg":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"vars":{"__proto__":{"polluted":1}}}}}',
			),
		);
		for (const item of [simplify(event), raw(event)]) {
			expect(({} as { polluted?: number }).polluted).toBeUndefined();
			expect((item as { polluted?: number }).polluted).toBeUndefined();
			expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
			expect(JSON.stringify(item)).toContain('"__proto__":{"polluted":1}');
		}
	});

	it('contains nothing from a prototype that something else in this process has extended', () => {
		const event = read(wire({ id_call: 1, vars: { x: 1 } }));
		const clean = JSON.stringify([simplify(event), raw(event)]);
		Object.assign(Object.prototype, { id_added: 7, addedObject: { y: 1 } });
		try {
			expect(JSON.stringify([simplify(event), raw(event)])).toBe(clean);
		} finally {
			for (const name of ['id_added', 'addedObject']) {
				Reflect.deleteProperty(Object.prototype, name);
			}
		}
	});

	it('survives deep nesting and values that JSON does not have', () => {
		let deep: unknown = 'bottom';
		for (let depth = 0; depth < 20_000; depth++) deep = { deep };
		const event = read(wire({ deep, binary: new Uint8Array([1]), when: new Date(0) }));
		for (const shape of [simplify, raw]) {
			const text = JSON.stringify(shape(event));
			expect(text).toContain('[nested too deeply]');
			expect(text).toContain('"binary":null');
			expect(text).toContain('"when":null');
		}
	});

	it('is plain JSON for any JSON input, and keeps all of it', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (msg) => {
				const event = read(wire(JSON.parse(JSON.stringify(msg)) as Record<string, unknown>));
				expect(JSON.stringify(raw(event))).toBe(JSON.stringify(event.raw));
				const item = simplify(event, names);
				expect(JSON.parse(JSON.stringify(item))).toEqual(item);
				const kept = new Set(Object.keys(item));
				for (const key of Object.keys(event.msg)) {
					expect(kept.has(key) || kept.has(`msg_${key}`) || key === 'statut').toBe(true);
				}
			}),
			{ numRuns: 500 },
		);
	});
});

describe('timestamps', () => {
	it('are read as seconds, or as milliseconds if only that makes sense', () => {
		expect(isoDate(1767261600)).toBe('2026-01-01T10:00:00.000Z');
		expect(isoDate(1767261600.5)).toBe('2026-01-01T10:00:00.500Z');
		expect(isoDate(1767261600000)).toBe('2026-01-01T10:00:00.000Z');
		expect(isoDate(undefined)).toBeUndefined();
		expect(isoDate(1e300)).toBeUndefined();
		expect(milliseconds(0)).toBe(0);
	});
});
