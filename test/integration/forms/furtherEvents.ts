// Readings of the feed that no document lists. One row for each: how an event of the documented form is written
// instead.

import { isObject, renameIn, replaceIn, type Form } from '../../../simulator/forms/form';

type Body = Record<string, unknown>;
/** The event in the documented envelope, and its parts. */
interface Parts {
	whole: Body;
	head: Body;
	inner: Body;
	type: string;
	name: string;
	msg: Body;
}

function partsOf(whole: Body): Parts {
	const { event, ...head } = whole;
	const inner = event as Body;
	const { type_notification: type, event: name, msg } = inner;
	return { whole, head, inner, type: String(type), name: String(name), msg: msg as Body };
}

/** A form in which each event has other arguments. */
const sent = (args: (parts: Parts) => unknown[]): Form => ({
	says: '',
	update: (event, _memory, send) => send(...args(partsOf(event))),
});
/** A form in which each event is another value. */
const one = (change: (parts: Parts) => unknown) => sent((parts) => [change(parts)]);
/** A form in which the time is another value. */
const moment = (write: (seconds: number) => unknown) =>
	one(({ whole }) => ({ ...whole, ts: write(Number(whole.ts)) }));
/** A form in which the content of the envelope is changed. */
const inside = (change: (parts: Parts) => unknown) =>
	one((parts) => ({ ...parts.head, event: change(parts) }));
/** A form in which the message is changed. */
const message = (change: (msg: Body) => unknown) =>
	inside(({ inner, msg }) => ({ ...inner, msg: change(msg) }));

const camel = (name: string) => name.replace(/_(\w)/g, (_all, sign: string) => sign.toUpperCase());
const kebab = (name: string) => name.replaceAll('_', '-');
const keys = (value: unknown, write: (name: string) => string): unknown =>
	isObject(value)
		? Object.fromEntries(
				Object.entries(value).map(([key, entry]) => [write(key), keys(entry, write)]),
			)
		: value;
const values = (write: (value: string) => string) =>
	one(({ whole }) =>
		replaceIn(whole, /^(type_notification|event)$/, (value) =>
			typeof value === 'string'
				? write(value)
				: replaceIn(value, /^(type_notification|event)$/, (kind) => write(String(kind))),
		),
	);
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

export const furtherEvents: Record<string, Form> = {
	'wrapped-payload-type': one(({ whole }) => ({ type: 'update', payload: whole })),
	'wrapped-body-ok': one(({ whole }) => ({ status: 'OK', body: whole })),
	'wrapped-requete': one(({ whole }) => ({ requete: 'update', header: {}, msg: whole })),
	'wrapped-twice': one(({ whole }) => ({ response: { data: [whole] } })),
	'wrapped-text': one(({ whole }) => ({ data: JSON.stringify(whole) })),
	'wrapped-in-msg': one(({ whole }) => ({ id_client: 4242, msg: whole })),
	'two-arguments-account': sent(({ whole }) => [4242, whole]),
	'two-arguments-null': sent(({ whole }) => [null, whole]),
	'arguments-event-then-meta': sent(({ head, inner }) => [inner, head]),
	'arguments-meta-then-event': sent(({ head, inner }) => [head, inner]),
	'list-in-list': one(({ whole }) => [['update', whole]]),
	'list-of-text': one(({ whole }) => [JSON.stringify(whole)]),
	'text-twice': one(({ whole }) => JSON.stringify(JSON.stringify(whole))),
	'text-bom': one(({ whole }) => `\ufeff${JSON.stringify(whole)}`),
	'text-lines': one(({ whole }) => `${JSON.stringify(whole)}\n`),
	'text-nul': one(({ whole }) => `${JSON.stringify(whole)}\0`),
	'bytes-in-event': inside(({ inner }) => Buffer.from(JSON.stringify(inner))),
	'event-type-beside': one(({ head, inner: { type_notification, ...event } }) => ({
		...head,
		type_notification,
		event,
	})),
	'all-flat': one(({ head, type, name, msg }) => ({
		...head,
		type_notification: type,
		event: name,
		...msg,
	})),
	'msg-list': message((msg) => [msg]),
	'msg-bytes': message((msg) => Buffer.from(JSON.stringify(msg))),
	'names-prefixed': one(({ whole }) => keys(whole, (name) => `ns:${name}`)),
	'names-blanks': one(({ whole }) => keys(whole, (name) => `${name} `)),
	'message-ids-turned': message((msg) =>
		renameIn(msg, { id_call: 'call_id', id_queue: 'queue_id', id_operator: 'operator_id' }),
	),
	'message-ids-text': message((msg) =>
		replaceIn(msg, /^id_/, (value) => (typeof value === 'number' ? String(value) : value)),
	),
	'message-ids-objects': message((msg) => replaceIn(msg, /^id_/, (value) => ({ id: value }))),
	'values-kebab': values(kebab),
	'values-camel': values(camel),
	'values-blanks': values((value) => ` ${value} `),
	'values-spaced': values((value) => value.replaceAll('_', ' ')),
	'values-plural': inside(({ inner, type }) => ({
		...inner,
		type_notification: /^[a-z]+$/.test(type) ? `${type}s` : type,
	})),
	'values-joined-dot': inside(({ type, name, msg }) => ({ event: `${type}.${name}`, msg })),
	'values-joined-colon': inside(({ type, name, msg }) => ({ event: `${type}:${name}`, msg })),
	'values-type-prefix': inside(({ inner, type, name }) => ({ ...inner, event: `${type}_${name}` })),
	'by-name': one(({ head, type, name, msg }) => ({ ...head, [type]: { [name]: msg } })),
	'ts-iso-basic': moment((seconds) => iso(seconds).replace(/[-:]|\.\d+/g, '')),
	'ts-iso-comma': moment((seconds) => iso(seconds).replace('.', ',')),
	'ts-like-expire': moment((seconds) =>
		iso(seconds).replace(/T(\d+):(\d+):(\d+)\.\d+Z/, 't$1-$2-$3.000000+GMT'),
	),
	'ts-rfc-2822': moment((seconds) => new Date(seconds * 1000).toUTCString()),
	'ts-slashes': moment((seconds) =>
		iso(seconds).slice(0, 19).replaceAll('-', '/').replace('T', ' '),
	),
	'ts-date-object': moment((seconds) => ({ $date: iso(seconds) })),
	'ts-sec-usec': moment((seconds) => ({ sec: seconds, usec: 250_000 })),
	'ts-date': one(({ head: { ts, ...head }, inner }) => ({
		...head,
		date: iso(Number(ts)),
		event: inner,
	})),
	'batch-updates-count': one(({ whole }) => ({ count: 1, updates: [whole] })),
	'batch-by-index': one(({ whole }) => ({ 0: whole })),
	'batch-shared-head': one(({ head, inner }) => ({ ...head, events: [inner] })),
	...Object.fromEntries(
		[")]}',\n", ")]}'\n", ')]}\n', 'while(1);', 'for(;;);', 'throw 1;', '/* feed */ '].map(
			(guard) => [
				`guarded-${guard.trim()}`,
				one(({ whole }) => `${guard}${JSON.stringify(whole)}`),
			],
		),
	),
	'guarded-call': one(({ whole }) => `update(${JSON.stringify(whole)});`),
	'guarded-event': inside(({ inner }) => `)]}',\n${JSON.stringify(inner)}`),
	'guarded-msg': message((msg) => `while(1);${JSON.stringify(msg)}`),
	'guarded-bytes': one(({ whole }) => Buffer.from(`)]}',\n${JSON.stringify(whole)}`)),
	...Object.fromEntries(
		['message', 'data', 'params', 'donnees', 'contenu', 'call', 'appel', 'objet', 'x'].map(
			(name) => [
				`msg-${name}`,
				inside(({ type, name: event, msg }) => ({ type_notification: type, event, [name]: msg })),
			],
		),
	),
	...Object.fromEntries(
		['name', 'event_name', 'eventType', 'action'].map((name) => [
			`event-${name}`,
			inside(({ type, name: event, msg }) => ({ type_notification: type, [name]: event, msg })),
		]),
	),
	...Object.fromEntries(
		['notification_type', 'type', 'typeNotif'].map((name) => [
			`type-${name}`,
			inside(({ type, name: event, msg }) => ({ [name]: type, event, msg })),
		]),
	),
	...Object.fromEntries(
		['data', 'content', 'notification'].map((name) => [
			`event-in-${name}`,
			one(({ head, inner }) => ({ ...head, [name]: inner })),
		]),
	),
	...Object.fromEntries(
		['timestamp', 'time'].map((name) => [
			`time-in-${name}`,
			one(({ head: { ts, ...head }, inner }) => ({ ...head, [name]: ts, event: inner })),
		]),
	),
	...Object.fromEntries(
		Object.entries({
			microseconds: (seconds: number) => seconds * 1e6,
			nanoseconds: (seconds: number) => seconds * 1e9,
			'nanoseconds as text': (seconds: number) => `${seconds}000000000`,
			'a fraction': (seconds: number) => seconds + 0.25,
			'a fraction as text': (seconds: number) => `${seconds}.250`,
			'a comma': (seconds: number) => `${seconds},250`,
		}).map(([name, write]) => [`ts-${name}`, moment(write)]),
	),
	...Object.fromEntries(
		['', -1, '-1', '0001-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'].map((never) => [
			`no moment: ${JSON.stringify(never)}`,
			moment(() => never),
		]),
	),
	'msg-donnees-beside': one(({ head, type, name, msg }) => ({
		...head,
		type_notification: type,
		event: name,
		donnees: msg,
	})),
	'msg-donnees-text': inside(({ type, name, msg }) => ({
		type_notification: type,
		event: name,
		donnees: JSON.stringify(msg),
	})),
	'msg-in-msg': message((msg) => ({ msg })),
	'msg-by-id': message((msg) => ({ [String(msg.id_call ?? 0)]: msg })),
	'event-in-event': inside(({ inner }) => ({ event: inner })),
	'event-in-data-event': one(({ head, inner }) => ({ ...head, data: { event: inner } })),
	'wrapped-three': one(({ whole }) => ({ a: { b: { c: whole } } })),
	'wrapped-four': one(({ whole }) => ({ a: { b: { c: { d: whole } } } })),
	'wrapped-lists': one(({ whole }) => [[[whole]]]),
	'wrapped-soap': one(({ whole }) => ({
		Envelope: { Body: { updateResponse: { return: whole } } },
	})),
};
