// The trigger with readings of the feed that no document lists: an event is sent, and the workflow gets it.

import { startOperator } from '../../../simulator';
import { ActiveTrigger, credentialsFor } from '../VoiceManagementTrigger/harness';
import { furtherEvents } from './furtherEvents';

/** These contain no time, and the item has none. */
const NO_MOMENT = /^no moment/;

test.each(Object.entries(furtherEvents))('%s', async (name, form) => {
	const operator = await startOperator({ forms: [form] });
	const trigger = new ActiveTrigger({ credentials: credentialsFor(operator) });
	try {
		await trigger.start();
		await operator.control.waitForSockets(1);
		const before = Date.now();
		const caller = { id_call: 7, caller_id_num: '+33199001234' };
		operator.control.send('queue', 'insert_call', { ...caller, id_queue: 301 });
		operator.control.send('operator', 'status', {
			...caller,
			id_operator: 502,
			status: 'connected',
		});
		operator.control.send('UI', 'pause', { id_operator: 502, supp: 1 });
		const items = await trigger.untilItems(3);
		const told = { id_call: '7', caller_id_num: '+33199001234' };
		expect(items).toMatchObject([
			{ type_notification: 'queue', event: 'insert_call', ...told, id_queue: '301' },
			{ type_notification: 'operator', event: 'status', ...told, status: 'connected' },
			{ type_notification: 'UI', event: 'pause', id_operator: '502' },
		]);
		for (const { date, ts } of items) {
			if (NO_MOMENT.test(name)) expect([ts, date]).toEqual([undefined, undefined]);
			else expect(Math.abs(Date.parse(String(date)) - before)).toBeLessThan(60_000);
		}
	} finally {
		await trigger.close();
		await operator.close();
	}
});

test.each(['Update', 'UPDATE', 'updates'])('an event called "%s"', async (name) => {
	const operator = await startOperator();
	const trigger = new ActiveTrigger({ credentials: credentialsFor(operator) });
	try {
		await trigger.start();
		await operator.control.waitForSockets(1);
		const event = { type_notification: 'UI', event: 'pause', msg: { id_operator: 502 } };
		operator.control.pushRaw(name, [{ cpt: 1, ts: 1_795_000_000, elapse: 0, event }]);
		expect(await trigger.untilItems(1)).toMatchObject([{ event: 'pause', id_operator: '502' }]);
	} finally {
		await trigger.close();
		await operator.close();
	}
});
