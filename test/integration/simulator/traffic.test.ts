// The generated call center, whose ledger the modes of the trigger are compared with: the same seed gives the same
// traffic, with everything in it that a comparison needs.

import { generateTraffic, startOperator, type Traffic } from '../../../simulator';

interface Inner {
	type_notification: string;
	event: string;
	msg: Record<string, unknown>;
}
interface Update {
	cpt?: number;
	ts?: number;
	event: Inner | string;
}

const innerOf = (update: unknown) => {
	const { event } = update as Update;
	return typeof event === 'object' ? event : (update as Inner);
};

describe('a generated day', () => {
	const options = { seed: 7, events: 20_000, numEvents: true };
	let day: Traffic;
	beforeAll(() => {
		day = generateTraffic(options);
	});

	it('is the same for the same seed, different for another, and at the set speed', () => {
		// As text, since a matcher takes seconds for 20,000 events.
		expect(JSON.stringify(generateTraffic(options)) === JSON.stringify(day)).toBe(true);
		const other = generateTraffic({ ...options, seed: 8, events: 40 });
		expect(other.events).not.toEqual(day.events.slice(0, 40));
		const fast = generateTraffic({ ...options, pace: 0.1 });
		expect(fast.at.at(-1)).toBeCloseTo(Number(day.at.at(-1)) / 10, 6);
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

	it('contains identifiers in every form, and calls that go every way', () => {
		const ids = day.events.map((update) => innerOf(update).msg.id_call).filter((id) => id != null);
		expect(new Set(ids.map((id) => typeof id))).toEqual(new Set(['number', 'string']));
		expect(ids.some((id) => Number(id) < 0)).toBe(true);
		const queued = day.calls.filter(({ kind }) => kind === 'queue');
		const answered = queued.filter(({ outcome }) => outcome === 'answered');
		for (const [what, some] of Object.entries({
			answered,
			missed: queued.filter(({ outcome }) => outcome === 'missed'),
			overflow: queued.filter(({ overflows }) => overflows > 0),
			'overflow, then answered': answered.filter(({ overflows }) => overflows > 0),
			'within the queue': queued.filter(({ legs }) =>
				legs.some(({ answers }) => answers.length > 1),
			),
			'to a queue': queued.filter(({ legs }) => legs.some(({ left }) => left === 'transfer')),
			trunk: day.calls.filter(({ kind, outcome }) => kind === 'trunk' && outcome === 'missed'),
		})) {
			expect([what, some.length > 10]).toEqual([what, true]);
		}
	});

	it('never shows an agent in two calls, nor lets the phone of one on a break ring', () => {
		const away = new Set<string>();
		const busy = new Set<string>();
		for (const update of day.events) {
			const { type_notification: type, event, msg } = innerOf(update);
			const agent = String(msg.id_operator);
			if (type === 'UI' && ['pause', 'logout'].includes(event)) away.add(agent);
			if (type === 'UI' && ['login', 'unpause'].includes(event)) away.delete(agent);
			if (type !== 'operator') continue;
			if (msg.status === 'ringing')
				expect([away.has(agent), busy.has(agent)]).toEqual([false, false]);
			if (msg.status === 'available') busy.delete(agent);
			else if (msg.status === 'connected' || msg.status === 'calling') busy.add(agent);
		}
	});
});

it('sent live, it begins with a rate, stops, and leaves num events out unless they are wanted', async () => {
	const operator = await startOperator({ seed: 3, rate: 400 });
	const types = new Set<string>();
	await new Promise<void>((resolve) => {
		operator.onEvent((_name, [update]) => {
			types.add(innerOf(update).type_notification);
			if (Number((update as Update).cpt) >= 50) resolve();
		});
	});
	operator.control.setTraffic(false);
	const { cpt } = operator.control.counts();
	expect(await operator.control.generate(4_000)).toBe(4_000);
	expect(operator.control.counts().cpt).toBe(cpt + 4_000);
	expect(types).toEqual(new Set(['operator', 'UI', 'PUSHCALL', 'queue', 'trunk']));
	await operator.close();
});
