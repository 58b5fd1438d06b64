/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The trigger with events that are not as documented: each is logged once as a warning, in words that name what is odd
// (docs/dev/provider.md#not-understood), and no form is silent.

import { startProvider } from '../../../simulator';
import { isObject, renameIn, replaceIn, type Form } from '../../../simulator/forms/form';
import { ActiveTrigger, credentialsFor } from '../VoiceManagementTrigger/harness';

type Body = Record<string, unknown>;

/** A form in which each event is another value. */
const sent = (args: (whole: Body, inner: Body) => unknown[]): Form => ({
	says: '',
	update: (event, _memory, send) => send(...args(event, isObject(event.event) ? event.event : {})),
});
const one = (change: (whole: Body, inner: Body) => unknown) =>
	sent((whole, inner) => [change(whole, inner)]);
const inside = (change: (inner: Body) => unknown) =>
	one((whole, inner) => ({ ...whole, event: change(inner) }));

/** The form, and what the log says about it. */
const FORMS: Record<string, [Form, RegExp]> = {
	'in a wrapper': [one((data) => ({ data })), /it is no event, but { data: { cpt: number, /],
	'in a wrapper as text': [
		one((whole) => ({ data: JSON.stringify(whole) })),
		/it is no event, but { data: text }/,
	],
	'behind a guard': [
		one((whole) => `)]}',\n${JSON.stringify(whole)}`),
		/it is no event, but "\)\]}', {"cpt":/,
	],
	'in a call': [
		one((whole) => `update(${JSON.stringify(whole)})`),
		/it is no event, but "update\(/,
	],
	'beside its envelope': [
		sent(({ event: _event, ...head }, inner) => [head, inner]),
		/it is no event, but { cpt: number, elapse: number, ts: number }/,
	],
	'in upper case': [
		one((whole) => renameIn(whole, { event: 'EVENT', type_notification: 'TYPE', msg: 'MSG' })),
		/it is no event, but { cpt: number, elapse: number, ts: number, EVENT: { /,
	],
	'with another type': [
		inside((inner) => ({ ...inner, type_notification: 'queues' })),
		/the type "queues" is not documented/,
	],
	'with another event': [
		inside((inner) => ({ ...inner, event: 'INSERT-CALL' })),
		/the event "queue INSERT-CALL" is not documented/,
	],
	'without a type': [
		inside(({ type_notification, ...inner }) => ({ ...inner, type: type_notification })),
		/there is no "type_notification"/,
	],
	'with several messages': [
		inside(({ msg, ...inner }) => ({ ...inner, msg: [msg, msg] })),
		/"msg" is no object, but list of 2 \({ id_call: number, id_queue: number, caller_id_num: text, vars: text }\)/,
	],
	'with a message of another name': [
		inside(({ msg: data, ...inner }) => ({ ...inner, data })),
		/"queue insert_call" has none of id_queue, id_call/,
	],
	'with other identifiers': [
		inside((inner) => renameIn(inner, { id_call: 'call_id', id_queue: 'queue_id' })),
		/"queue insert_call" has none of id_queue, id_call/,
	],
	'with identifiers as objects': [
		inside((inner) => replaceIn(inner, /^id_/, (id) => ({ id }))),
		/"queue insert_call" has none of id_queue, id_call/,
	],
	'with its time as a date': [
		one((whole) => ({ ...whole, ts: new Date(Number(whole.ts) * 1000).toISOString() })),
		/"ts" is no time/,
	],
	'with more in the envelope': [
		one((whole) => ({ ...whole, site: 'north' })),
		/the field "site" of the envelope is not documented/,
	],
};

/** What only the item may show. */
const CALLER = { caller_id_num: '+33199001234', vars: 'Ada from Liège' };

async function run(form: Form, act: (trigger: ActiveTrigger) => Promise<void>) {
	const provider = await startProvider({ forms: [form] });
	const trigger = new ActiveTrigger({ credentials: credentialsFor(provider) });
	try {
		await trigger.start();
		await provider.control.waitForSockets(1);
		const send = (id_call: number) =>
			provider.control.send('queue', 'insert_call', { id_call, id_queue: 301, ...CALLER });
		for (const id_call of [7, 8, 9]) send(id_call);
		await act(trigger);
	} finally {
		await trigger.close();
		await provider.close();
	}
}

test.each(Object.entries(FORMS))('an event %s is logged once', async (_name, [form, words]) => {
	await run(form, async (trigger) => {
		const isOdd = ({ level, message }: { level: string; message: string }) =>
			level === 'warn' && message.includes('what is not documented');
		await trigger.until(({ logs }) => logs.some(isOdd));
		const [line, ...more] = trigger.logs.filter(isOdd).map(({ message }) => message);
		expect(line).toMatch(words);
		// The log has no value of an event, but the beginning of a message that is nothing but text.
		if (!line?.includes('it is no event, but "')) expect(line).not.toMatch(/33199001234|Liège/);
		expect(more).toEqual([]);
	});
});

test('an event that is not documented is passed on as it came', async () => {
	const [form] = FORMS['with another event'] ?? [];
	await run(form!, async (trigger) => {
		expect(await trigger.untilItems(3)).toMatchObject(
			[7, 8, 9].map((id) => ({
				type_notification: 'queue',
				event: 'INSERT-CALL',
				id_call: String(id),
				id_queue: '301',
			})),
		);
	});
});
