/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Forms of the feed: what it sends, and how it is opened.

import { isObject, replaceIn, type Form } from './form';

type Change = (event: Record<string, unknown>) => unknown;

/** A form that changes each event separately. */
const each = (says: string, change: Change): Form => ({
	says,
	update: (event, _memory, send) => send(change(event)),
});

const inner = (event: Record<string, unknown>) => (isObject(event.event) ? event.event : event);
const kindOf = (event: Record<string, unknown>) => {
	const { type_notification, event: name } = inner(event);
	return `${String(type_notification)} ${String(name)}`;
};
const msgOf = (event: Record<string, unknown>) => {
	const { msg } = inner(event);
	return isObject(msg) ? msg : {};
};
/** The event with another `msg`, and another `type_notification` and `event` if given. */
function withMsg(event: Record<string, unknown>, msg: object, other: object = {}) {
	return isObject(event.event)
		? { ...event, event: { ...event.event, ...other, msg } }
		: { ...event, ...other, msg };
}

const numberFields = /^(caller_id_num|service|e164)$/;
/** A form that writes telephone numbers in another way. */
const numbers = (says: string, write: (digits: string) => string) =>
	each(says, (event) =>
		replaceIn(event, numberFields, (value) =>
			typeof value === 'string' && value.startsWith('+') ? write(value.slice(1)) : value,
		),
	);

/** How long an event waits for another one to share its message, in milliseconds. */
const together = 10;

/** A form in which two events share a message. */
const several = (says: string, args: (events: object[]) => unknown[]): Form => ({
	says,
	update(event, memory, send) {
		memory.held.push(event);
		if (memory.held.length === 2) return send(...args(memory.held.splice(0)));
		if (memory.held.length > 1) return;
		setTimeout(() => {
			if (memory.held.length > 0) send(...args(memory.held.splice(0)));
		}, together).unref();
	},
});

const refused = (says: string, name: string, ...args: unknown[]): Form => ({
	says,
	reading: { refusal: { name, args } },
});

export const feedForms = {
	'target-text': {
		says: 'target is text; init takes it as text only',
		reading: { target: 'text' },
	},
	'token-number': {
		says: 'id_session is a number; init takes it as a number only',
		reading: { token: 'number' },
	},
	'account-init-pair': {
		says: "init of the account feed takes 'api' and the token",
		reading: {
			accountInit: (args, clientId) =>
				args.length === 2 && args[0] === 'api' ? ['api', clientId, args[1]] : undefined,
		},
	},
	'account-init-object': {
		says: 'init of the account feed takes one object: id_client, id_session',
		reading: {
			accountInit: ([only, ...more]) =>
				more.length === 0 && isObject(only) ? ['api', only.id_client, only.id_session] : undefined,
		},
	},
	acknowledged: {
		says: 'each event demands an acknowledgement before the next one is sent',
		reading: { acknowledged: true },
	},
	'refusal-error': refused(
		'a refused init is reported as event "error"; the connection stays',
		'error',
		{
			message: 'Session refused',
		},
	),
	'refusal-message': refused(
		'a refused init is reported as event "message"; the connection stays',
		'message',
		'Session refused',
	),

	'ts-milliseconds': each('ts is in milliseconds', (event) =>
		'ts' in event ? { ...event, ts: Number(event.ts) * 1000 } : event,
	),
	'ts-text': each('ts and cpt are digits as text', (event) =>
		replaceIn(event, /^(ts|cpt)$/, (value) => String(value)),
	),
	'event-text': each('event is JSON text', (event) =>
		isObject(event.event) ? { ...event, event: JSON.stringify(event.event) } : event,
	),
	'update-text': each('the whole update is JSON text', (event) => JSON.stringify(event)),
	'several-arguments': several('one update carries two events as arguments', (events) => events),
	'several-list': several('one update carries a list of two events', (events) => [events]),

	'cpt-per-connection': {
		says: 'each connection counts its own events',
		update: (event, memory, send) => send('cpt' in event ? { ...event, cpt: ++memory.cpt } : event),
	},
	'cpt-absent': each('events are not numbered', ({ cpt: _cpt, ...event }) => event),
	'durations-differ': {
		says: 'elapse and durations differ between the copies for two connections',
		update: (event, memory, send) =>
			send(
				replaceIn(event, /^(elapse|call_duration|duration_in_queue)$/, (value) =>
					typeof value === 'number' ? value + memory.connection : value,
				),
			),
	},

	'connect-ringing': {
		says: 'connect_call comes first with status ringing',
		update(event, _memory, send) {
			const isConnect = kindOf(event) === 'queue connect_call';
			if (isConnect) send(withMsg(event, { ...msgOf(event), status: 'ringing' }));
			send(event);
		},
	},
	'trunk-first': {
		says: 'a trunk takes and connects a call before it enters its queue, and ends it after',
		update(event, _memory, send) {
			const kind = kindOf(event);
			const { id_call, caller_id_num, call_duration } = msgOf(event);
			const trunk = (name: string, msg: object) =>
				send(
					withMsg(
						event,
						{ id_call, id_trunk: 701, ...msg },
						{ type_notification: 'trunk', event: name },
					),
				);
			if (kind === 'queue insert_call') {
				trunk('insert_call', { caller_id_num, call_duration, duration_in_queue: 0 });
				trunk('connect_call', { caller_id_num, call_duration, status: 'connected' });
			}
			send(event);
			if (kind === 'queue delete_call') trunk('delete_call', {});
		},
	},
	'delete-bare': each('delete_call names no queue and no trunk', (event) => {
		if (!kindOf(event).endsWith(' delete_call')) return event;
		const { id_queue: _queue, id_trunk: _trunk, ...msg } = msgOf(event);
		return withMsg(event, msg);
	}),
	'numbers-bare': numbers('telephone numbers have no +', (digits) => digits),
	'numbers-00': numbers('telephone numbers begin with 00', (digits) => `00${digits}`),
	'numbers-national': numbers('French numbers are national ones', (digits) =>
		digits.startsWith('33') ? `0${digits.slice(2)}` : `00${digits}`,
	),
} satisfies Record<string, Form>;
