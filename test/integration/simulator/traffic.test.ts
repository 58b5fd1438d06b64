// The generated call centre: the same seed gives the same traffic, with the documented fields, and a ledger that agrees
// with the events.

import { generateTraffic, startOperator, type CallRecord, type Traffic } from '../../../simulator';
import { connectSupervisor } from './helpers';

interface Inner {
	type_notification: string;
	event: string;
	msg: Record<string, unknown>;
}
interface Update {
	cpt?: number;
	elapse?: number;
	ts?: number;
	event: Inner | string;
}

const innerOf = (update: unknown) => {
	const { event } = update as Update;
	return typeof event === 'object' ? event : (update as Inner);
};

describe('a generated day', () => {
	let day: Traffic;
	beforeAll(() => {
		day = generateTraffic({ seed: 7, events: 20_000, numEvents: true });
	});

	it('is the same for the same seed, and different for another', () => {
		// As text, since a matcher takes seconds for 20,000 events.
		const same = JSON.stringify(generateTraffic({ seed: 7, events: 20_000, numEvents: true }));
		expect(same === JSON.stringify(day)).toBe(true);
		expect(generateTraffic({ seed: 8, events: 40, numEvents: true }).events).not.toEqual(
			day.events.slice(0, 40),
		);
	});

	it('shows catch-up only at the end of a call', () => {
		const messages = day.events
			.map(innerOf)
			.filter(({ type_notification }) => type_notification === 'operator');
		const withCatchup = messages.filter(({ msg }) => msg.catchup !== null);
		expect(new Set(withCatchup.map(({ msg }) => msg.status))).toEqual(new Set(['available']));
	});

	it('wraps everything but num events in the envelope, numbered consecutively and in order of time', () => {
		const updates = day.events as Update[];
		const isNum = (update: Update) => innerOf(update).type_notification === 'num';
		const shapes = (some: Update[]) => new Set(some.map((update) => Object.keys(update).join()));
		expect(shapes(updates.filter(isNum))).toEqual(new Set(['type_notification,srv,event,msg']));
		const enveloped = updates.filter((update) => !isNum(update));
		expect(shapes(enveloped)).toEqual(new Set(['cpt,elapse,ts,event']));
		expect(enveloped.map(({ cpt }) => cpt)).toEqual(enveloped.map((_update, index) => index + 1));
		const times = enveloped.map(({ ts }) => ts!);
		expect(times.every(Number.isInteger)).toBe(true);
		expect(times).toEqual([...times].sort((one, other) => one - other));
	});

	it('contains identifiers as numbers and as text, some of them negative', () => {
		const ids = day.events.map((update) => innerOf(update).msg.id_call).filter((id) => id != null);
		expect(new Set(ids.map((id) => typeof id))).toEqual(new Set(['number', 'string']));
		expect(ids.some((id) => Number(id) < 0)).toBe(true);
	});

	it('contains answered, missed, overflowing and transferred calls', () => {
		const queued = day.calls.filter(({ kind }) => kind === 'queue');
		for (const [what, some] of Object.entries({
			answered: queued.filter(({ outcome }) => outcome === 'answered'),
			missed: queued.filter(({ outcome }) => outcome === 'missed'),
			overflow: queued.filter(({ overflows }) => overflows > 0),
			'overflow, then answered': queued.filter(
				(call) => call.overflows > 0 && call.outcome === 'answered',
			),
			'transferred within the queue': queued.filter(({ legs }) =>
				legs.some(({ answers }) => answers.length > 1),
			),
			'transferred to a queue': queued.filter(({ legs }) =>
				legs.some(({ left }) => left === 'transfer'),
			),
			'missed trunk calls': day.calls.filter(
				(call) => call.kind === 'trunk' && call.outcome === 'missed',
			),
		})) {
			expect([what, some.length > 10]).toEqual([what, true]);
		}
	});

	it('keeps a ledger that agrees with the events', () => {
		expect(rebuild(day.events)).toEqual(
			day.calls.map(({ id, startedAt, endedAt, outcome, agent, wait, talk, legs }) => ({
				id,
				startedAt,
				endedAt,
				outcome,
				agent,
				wait,
				talk,
				legs: legs.map(({ left: _left, ...leg }) => leg),
			})),
		);
	});

	it('never shows an agent in two calls, nor lets the phone of one on a break ring', () => {
		const state = new Map<string, string>();
		for (const update of day.events) {
			const { type_notification, event, msg } = innerOf(update);
			const agent = String(msg.id_operator);
			if (type_notification === 'UI' && ['pause', 'logout'].includes(event))
				state.set(agent, 'away');
			if (type_notification === 'UI' && ['login', 'unpause'].includes(event)) state.delete(agent);
			if (type_notification !== 'operator') continue;
			const status = String(msg.status);
			if (status === 'ringing' && state.has(agent)) {
				throw new Error(`Agent ${agent} rings while ${state.get(agent)}`);
			}
			if (status === 'ringing' || status === 'connected' || status === 'calling')
				state.set(agent, status);
			if (status === 'available') state.delete(agent);
		}
	});

	it('runs at the set speed', () => {
		const slow = generateTraffic({ seed: 7, events: 5000, numEvents: true });
		const fast = generateTraffic({ seed: 7, events: 5000, numEvents: true, pace: 0.1 });
		expect(fast.at.at(-1)).toBeCloseTo(slow.at.at(-1)! / 10, 6);
	});
});

type Rebuilt = Omit<
	CallRecord,
	'legs' | 'kind' | 'caller' | 'transfers' | 'overflows' | 'recorded'
> & {
	legs: Omit<CallRecord['legs'][number], 'left'>[];
};

/** The calls according to the queue and trunk events alone: an independent implementation. */
function rebuild(events: object[]): Rebuilt[] {
	const calls = new Map<string, Rebuilt>();
	for (const update of events) {
		const { type_notification, event, msg } = innerOf(update);
		const isQueue = type_notification === 'queue';
		if ((!isQueue && type_notification !== 'trunk') || event.startsWith('alert')) continue;
		const id = String(msg.id_call);
		const at = (update as Update).ts!;
		if (event === 'insert_call') {
			const call = calls.get(id) ?? {
				id,
				startedAt: at,
				endedAt: null,
				outcome: null,
				agent: null,
				wait: null,
				talk: null,
				legs: [],
			};
			calls.set(id, call);
			// Entering again cancels what looked like the end.
			call.endedAt = null;
			call.talk = null;
			if (call.outcome === 'missed') call.outcome = null;
			call.legs.push({
				queue: isQueue ? String(msg.id_queue) : null,
				trunk: isQueue ? null : String(msg.id_trunk),
				enteredAt: at,
				answers: [],
				leftAt: null,
			});
			continue;
		}
		const call = calls.get(id)!;
		const leg = call.legs.at(-1)!;
		if (event === 'connect_call') {
			const agent = isQueue ? String(msg.id_operator) : null;
			leg.answers.push({ agent, at });
			if (call.outcome !== 'answered') {
				call.outcome = 'answered';
				call.agent = agent;
				call.wait = at - call.startedAt;
			}
		} else {
			leg.leftAt = at;
			call.endedAt = at;
			call.outcome ??= 'missed';
			if (call.outcome === 'answered') call.talk = at - call.startedAt - call.wait!;
		}
	}
	return [...calls.values()];
}

describe('sent by an operator', () => {
	const COUNT = 4_000;

	it('sends thousands of events at once, with their ledger', async () => {
		const operator = await startOperator({ seed: 3 });
		const { client } = await connectSupervisor(operator, 4);
		expect(await operator.control.generate(COUNT)).toBe(COUNT);
		await client.until(() => client.updates.length === COUNT);
		const cpts = client.updates.map(([update]) => (update as Update).cpt);
		expect(cpts).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
		const pure = generateTraffic({ seed: 3, events: COUNT });
		expect(client.updates.map(([update]) => innerOf(update))).toEqual(pure.events.map(innerOf));
		const calls = operator.control.calls();
		expect(calls.map(({ id, outcome }) => [id, outcome])).toEqual(
			pure.calls.map(({ id, outcome }) => [id, outcome]),
		);
		await client.close();
		await operator.close();
	});

	it('sends live at about the set rate, and stops', async () => {
		const operator = await startOperator({ seed: 3, rate: 400 });
		const { client } = await connectSupervisor(operator, 4);
		const before = performance.now();
		const start = client.updates.length;
		await client.until(() => client.updates.length >= start + 200);
		// A busy machine only makes it slower; if it is far too slow, the wait above times out.
		expect(200 / ((performance.now() - before) / 1000)).toBeLessThan(1000);
		operator.control.setTraffic(false);
		const { cpt } = operator.control.counts();
		await operator.control.generate(1);
		expect(operator.control.counts().cpt).toBe(cpt + 1);
		await client.close();
		await operator.close();
	});

	it('is silent without a rate, and leaves num and input events out unless they were requested', async () => {
		const operator = await startOperator({ seed: 3 });
		const seen = new Set<string>();
		operator.onEvent((_name, [update]) => seen.add(innerOf(update).type_notification));
		expect(seen.size).toBe(0);
		await operator.control.generate(5000);
		expect(seen).toEqual(new Set(['operator', 'UI', 'PUSHCALL', 'queue', 'trunk']));
		await operator.close();
	});
});
