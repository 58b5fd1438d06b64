// The generated call center, whose ledger the modes of the trigger are compared with: it has everything in it that a
// comparison needs, which nobody else would miss.

import { generateTraffic } from '../../../simulator';

interface Inner {
	type_notification: string;
	event: string;
	msg: Record<string, unknown>;
}

const isEnveloped = (update: object): update is { event: Inner } => 'cpt' in update;
const innerOf = (update: object) => (isEnveloped(update) ? update.event : (update as Inner));

describe('a generated day', () => {
	const options = { seed: 7, events: 20_000, numEvents: true };
	const day = generateTraffic(options);

	it('is the same for the same seed, and another for another', () => {
		const short = { ...options, events: 40 };
		expect(generateTraffic(short).events).toEqual(day.events.slice(0, 40));
		expect(generateTraffic({ ...short, seed: 8 }).events).not.toEqual(day.events.slice(0, 40));
	});

	it('has num events without an envelope, identifiers in every form, and calls that go every way', () => {
		const inner = day.events.map(innerOf);
		const bare = day.events.filter((update) => !isEnveloped(update)).map(innerOf);
		expect(new Set(bare.map((one) => one.type_notification))).toEqual(new Set(['num']));
		const ids = inner.map(({ msg }) => msg.id_call).filter((id) => id != null);
		const queued = day.calls.filter(({ kind }) => kind === 'queue');
		const counts = {
			text: ids.filter((id) => typeof id === 'string'),
			negative: ids.filter((id) => Number(id) < 0),
			overflow: queued.filter(({ overflows, outcome }) => overflows > 0 && outcome === 'answered'),
			'to an agent': queued.filter(({ legs }) => legs.some(({ answers }) => answers.length > 1)),
			'to a queue': queued.filter(({ legs }) => legs.some(({ left }) => left === 'transfer')),
			trunk: day.calls.filter(({ kind, outcome }) => kind === 'trunk' && outcome === 'missed'),
		};
		for (const [what, some] of Object.entries(counts))
			expect([what, some.length > 10]).toEqual([what, true]);
	});

	it('never shows an agent in two calls, nor lets the phone of one on a break ring', () => {
		const taken = new Map<string, string>();
		for (const { type_notification: type, event, msg } of day.events.map(innerOf)) {
			const agent = String(msg.id_operator);
			if (msg.status === 'ringing') expect(taken.get(agent)).toBeUndefined();
			if (type !== 'UI' && type !== 'operator') continue;
			const what = String(msg.status ?? event);
			if (['pause', 'logout', 'connected', 'calling'].includes(what)) taken.set(agent, what);
			if (['login', 'unpause', 'available'].includes(what)) taken.delete(agent);
		}
	});
});
