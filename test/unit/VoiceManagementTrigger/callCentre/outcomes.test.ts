// Outcomes: what an item has, what its sentence says, and which events mean what. What becomes of real calls is in
// realCalls.test.ts.

import { readUpdate } from '../../../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import type { FeedStatus } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { LiveScene } from './scene';

const LOGIN = {
	ops: [
		{ id: 101, nom: 'Ada', groups: [11] },
		{ id: 102, nom: 'Ben', groups: [11] },
	],
};

const scene = (options: Record<string, unknown> = {}, outcomes: string[] = []) =>
	new LiveScene({ mode: 'callOutcomes', outcomes, options }, LOGIN).open();

/**
 * Options, what happens, and the outcomes: call, wait, why it was missed, whether in time, waits of the queues, and to whom
 * it was offered for how long.
 */
const CASES = `
// Sooner than the option says, also when it is said again.
shortAbandonSeconds=8 | 0 available 101, 0 enters 7, 7 leaves 7, 13 enters 8, 21 leaves 8, 30 - → missed 7 7 short_abandoned 51=7; missed 8 8 abandoned_before_ringing 51=8
| 0 enters 7, 4 leaves 7, 7 leaves 7, 20 - → missed 7 4 short_abandoned 51=4
| 0 trunkIn 7, 4 trunkOut 7, 7 trunkOut 7, 20 - → missed 7 4 short_abandoned
// Each ring once, whichever events report it; it ends when the caller leaves.
| 0 enters 7, 2 ringing 101 7 51, 12 available 101, 12 ringing 102 7 51, 20 leaves 7, 30 - → missed 7 20 agents_did_not_answer 51=20 101=10 102=8
| 0 enters 7, 0 rings 7 51 102, 1 ringing 101 7, 1 rings 7 51 101, 10 available 101, 20 leaves 7, 30 - → missed 7 20 agents_did_not_answer 51=20 102=20 101=9
| 0 enters 7, 0 alert_op 7, 0 enters 7, 20 leaves 7, 26 - → missed 7 20 no_available_agent 51=20
| 0 trunkIn 7, 5 ringing 101 7 none, 12 trunkOut 7, 14 available 101, 30 - → missed 7 12 abandoned_while_ringing 101=7
// Every stay, in order.
| 0 trunkIn 7, 20 trunkOut 7, 30 - → missed 7 20
serviceLevelSeconds=30 | 0 trunkIn 7, 2 enters 7, 22 leaves 7, 22 enters 7 52, 30 answered 7 52 → answered 7 28 in time 51=20 52=8
| 0 enters 7, 30 leaves 7, 33 enters 7 52, 45 enters 7, 50 answered 7 → answered 7 50 51=30 52=17 51=5
| 0 enters 7, 20 enters 7 52, 30 leaves 7 52, 31 enters 7 53, 50 leaves 7 53, 50 leaves 7, 60 - → missed 7 50 51=50 52=10 53=19
// A deletion without a queue is for all of them, of another queue it says nothing.
| 0 enters 7, 10 enters 7 52, 30 leaves 7 none, 60 - → missed 7 30 51=30 52=20
| 0 enters 7, 30 leaves 7 52, 60 - →
// An identifier that is used again later is another call; as text or number, also below zero, it is the same.
| 0 enters 7, 9 leaves 7, 80 enters 7, 85 leaves 7, 120 - → missed 7 9 51=9; missed 7 5 51=5
| 0 enters -7, 5 leaves -7, 20 - → missed -7 5 51=5`;

it.each(
	CASES.split('\n')
		.filter((line) => line.includes('→'))
		.map((line) => line.split(/[|→]/).map((part) => part.trim())),
)('%s: %s: %s', async (given = '', steps = '', expected = '') => {
	const options = given === '' ? [] : given.split(' ').map((one) => one.split('='));
	const live = scene(Object.fromEntries(options) as Record<string, unknown>);
	await live.play(steps);
	const list = (of: unknown, name: string, value: string) =>
		((of ?? []) as Array<Record<string, unknown>>).map(
			(one) => `${String(one[name])}=${String(one[value])}`,
		);
	const items = live.items.map((item) =>
		[
			...[item.event, item.id_call, item.wait, item.missed_reason],
			...(item.within_service_level === true ? ['in time'] : []),
			...list(item.queue_waits, 'id_queue', 'wait'),
			...(item.event === 'missed' ? list(item.offered_to, 'agent', 'rang') : []),
		]
			.filter((part) => part !== undefined && part !== null)
			.join(' '),
	);
	expect(items.join('; ')).toBe(expected);
});

it.each([
	['10 18', { missed_reason: null, partial: true, reason: 'feed-gap' }],
	['21 22', { missed_reason: 'abandoned_before_ringing', partial: false, reason: null }],
])('of a caller who left before a gap was found, from %s', async (gap, expected) => {
	const live = await scene().play(`0 available 101, 0 enters 7, 20 leaves 7, 23 gap ${gap}, 30 -`);
	expect(live.items).toMatchObject([{ event: 'missed', wait: 20, ...expected }]);
});

it('of a call that was passed on unseen comes a minute after that was known, and is dated then', async () => {
	const live = scene({}, ['ended']);
	await live.play('0 enters 7, 5 answered 7, 60 cut, 900 trunkIn 7, 950 -');
	expect(live.items).toEqual([]);
	await live.at(970);
	const date = new Date(live.start + 960_000).toISOString();
	expect(live.items).toMatchObject([{ event: 'ended', partial: true, reason: 'feed-gap', date }]);
});

const N = '+442079460123';
/** What happens to a caller, and what the sentences of the outcomes say. */
const SENTENCES: Array<[steps: string, sentences: string[]]> = [
	['0 enters 7 51 N, 3 leaves 7, 20 -', [`${N} gave up after 3 s in Sales`]],
	[
		'0 enters 7 51 N, 2 ringing 101 7 51, 12 available 101, 25 leaves 7, 40 -',
		[`${N} gave up after 25 s in Sales: 1 agent did not answer`],
	],
	[
		'0 enters 7 51 N, 2 ringing 101 7 51, 8 leaves 7, 40 -',
		[`${N} gave up after 8 s in Sales: an agent's phone rang`],
	],
	[
		'0 available 101, 0 enters 7 51 N, 10 leaves 7, 10 enters 7 52, 25 leaves 7 52, 40 -',
		[`${N} gave up after 25 s in 2 queues: no agent's phone rang`],
	],
	[
		'0 pause 101, 0 logout 102, 1 enters 7 51 none, 26 leaves 7, 40 -',
		['A caller without a number gave up after 25 s in Sales: no agent was available'],
	],
	['0 trunkIn 7 9 N, 20 trunkOut 7, 40 -', [`${N} gave up after 20 s in trunk 9`]],
	[
		'0 enters 7 51 N, 10 answered 7, 65 answered 7 51 102, 125 leaves 7, 140 -',
		[
			`Ada answered ${N} after 10 s in Sales`,
			`${N} talked to Ada for 55 s and Ben for 60 s, after a wait of 10 s in Sales`,
		],
	],
	[
		'0 enters 7 51 none, 10 answered 7 51 103, 40 leaves 7, 40 enters 7 52 none, 60 leaves 7 52, 80 -',
		[
			'Agent 103 answered a caller without a number after 10 s in Sales',
			'A caller without a number talked to agent 103 for 30 s, after a wait of 10 s in Sales; then waited again, and gave up',
		],
	],
	[
		'0 enters 7 51 N, 10 answered 7, 50 available 101, 120 -',
		[
			`Ada answered ${N} after 10 s in Sales`,
			`${N} talked to Ada for 40 s, after a wait of 10 s in Sales; nobody knows how it ended`,
		],
	],
	[
		'0 enters 7 51 N, 10 cut, 50 leaves 7, 70 -',
		[`The call from ${N} in Sales is over: nobody knows whether it was answered`],
	],
];

it.each(SENTENCES)('of %s, the sentences are true', async (steps, sentences) => {
	const live = scene({ queueNames: [{ id_queue: 51, name: 'Sales' }] });
	await live.play(steps.replaceAll(' N', ` ${N}`));
	expect(live.items.map(({ summary }) => summary)).toEqual(sentences);
});

describe.each(['queue', 'trunk'])('a call that is connected in a %s', (type) => {
	const place = { id_call: 7, ...(type === 'queue' ? { id_queue: 301 } : { id_trunk: 701 }) };

	it.each<[unknown, object]>([
		...['connected', undefined, null, ''].map((status): [unknown, object] => [
			status,
			{ event: 'ended', answered: true },
		]),
		...['ringing', 'calling', 'available', 'unavailable'].map((status): [unknown, object] => [
			status,
			{ event: 'missed', answered: false },
		]),
		// These can mean both.
		...['something', 4, 'transfert_start'].map((status): [unknown, object] => [
			status,
			{ event: 'ended', answered: null, reason: 'status-not-known' },
		]),
	])('with the status %p, under either name: %j', async (status, told) => {
		for (const field of ['status', 'statut']) {
			const live = scene();
			live.send(type, 'insert_call', place);
			await live.at(5);
			const msg = { ...place, [field]: status };
			const wire = { event: { type_notification: type, event: 'connect_call', msg } };
			for (const event of readUpdate([wire], live.clock.now())) live.take(event);
			await live.at(30);
			live.send(type, 'delete_call', place);
			await live.at(60);
			expect(live.items.at(-1)).toMatchObject(told);
		}
	});
});

it('an answer that nobody can read does not cloud the wait after one that everybody can', async () => {
	const live = scene();
	await live.play('0 enters 7');
	live.send('queue', 'connect_call', { id_call: 7, id_queue: 51, status: 'something' });
	await live.play('10 answered 7, 40 enters 7 52, 100 leaves 7 52, 110 -');
	expect(live.items.at(-1)).toMatchObject({
		event: 'ended',
		gave_up: true,
		queue_waits: [
			{ id_queue: '51', wait: 10 },
			{ id_queue: '52', wait: 60 },
		],
	});
});

it('… nor one during a talk the next wait', async () => {
	const live = scene();
	await live.play('0 enters 7, 10 answered 7, 10 connected 101 7 51, 30 -');
	live.send('queue', 'connect_call', { id_call: 7, id_queue: 51, status: 'transfert_start' });
	await live.play('40 enters 7 52, 40 leaves 7 51, 40 available 101, 70 leaves 7 52, 80 -');
	expect(live.items.at(-1)).toMatchObject({ event: 'ended', gave_up: true });
});

it.each([
	['queue', 'alert_op', {}],
	['queue', 'insert_call', { id_queue: 301, id_call: undefined }],
	['queue', 'insert_call', { id_queue: null }],
	['constructor', 'insert_call', { id_queue: 1 }],
	['queue', 'constructor', { id_queue: 1 }],
	['queue', 'delete_call', { id_queue: 301 }],
	['trunk', 'connect_call', {}],
	['operator', 'status', { id_operator: 101, status: 'calling' }],
])('no call begins with %s %s %j', async (type, event, msg) => {
	const live = scene();
	live.send(type, event, { id_call: 7, ...msg });
	await live.at(13 * 3600);
	expect(live.items).toEqual([]);
});

it('whether a call is recorded is told by whichever event reports that, and the called number by num events', async () => {
	for (const [rec, recorded] of [
		[1, true],
		['0', false],
		[undefined, null],
	]) {
		const live = scene().send('num', 'start', { id_call: '7', service: '+442079460000' });
		live.enters(7).agent(101, 'ringing', { id_call: 7, rec });
		await live.play('5 answered 7');
		expect(live.items).toMatchObject([{ recorded, service: '+442079460000' }]);
	}
});

describe('an outcome', () => {
	it.each<[FeedStatus, object]>([
		[
			{ event: 'gap', from: 0, to: 1, reason: 'cut' },
			{ event: 'ended', reason: 'feed-gap' },
		],
		[
			{ event: 'disconnected', at: 0, reason: 'cut' },
			{ event: 'ended', reason: 'feed-gap' },
		],
		// A login that was rejected loses nothing by itself.
		[{ event: 'refused', at: 0, reason: 'no', first: true, retryAt: 1 }, { event: 'missed' }],
	])('after the status %j of the feed is %j', async (status, told) => {
		const live = await scene().play('60 enters 7');
		live.report(status);
		await live.play('80 leaves 7, 90 -');
		expect(live.items).toMatchObject([{ partial: 'reason' in told, ...told }]);
	});

	it('has the name of its queue if the user gave one, and is told if it is wanted, until the end', async () => {
		const queueNames = { queue: [{ id_queue: '51', name: 'Sales' }] };
		const live = await scene({ queueNames }, ['answered']).play('0 enters 7, 9 answered 7');
		await live.play('10 leaves 7, 20 enters 8, 30 answered 8 51 -, 31 leaves 8, 32 enters 9');
		live.close();
		await live.play('90 -');
		expect(live.items).toMatchObject([
			{ event: 'answered', queue: { id: '51', name: 'Sales' } },
			{ event: 'answered', id_call: '8' },
		]);
		expect(live.clock.pending).toBe(0);
	});

	it('has every field, null if nothing is known; what people map comes first, as n8n shows it', async () => {
		const live = await scene().play('0 enters 7, 12 answered 7');
		const second = (at: number) => new Date(live.start + at * 1000).toISOString();
		const [item = {}] = live.items;
		expect(item).toEqual({
			type_notification: 'call',
			event: 'answered',
			summary: 'Ada answered +44207946007 after 12 s in queue 51',
			id_call: '7',
			caller_id_num: '+44207946007',
			service: null,
			answered: true,
			wait: 12,
			talk: null,
			wrap_up: null,
			id_operator: '101',
			id_queue: '51',
			id_trunk: null,
			agents: ['101'],
			queues: ['51'],
			trunks: [],
			recorded: null,
			missed_reason: null,
			within_service_level: true,
			offered_to: [],
			queue_waits: [{ id_queue: '51', wait: 12 }],
			talks: [{ agent: '101', talk: null }],
			started_at: second(0),
			answered_at: second(12),
			ended_at: null,
			partial: false,
			reason: null,
			date: second(12),
			agent: { id: '101', name: 'Ada', groups: [{ id: '11', name: null }] },
			trunk: null,
		});
		const partial = await scene().play('10 answered 8, 20 leaves 8, 30 -');
		expect(Object.keys(partial.items[1] ?? {})).toEqual(Object.keys(item));
		expect(partial.items[1]).toMatchObject({ partial: true, reason: 'start-not-seen', wait: null });
		expect(Object.keys(item).slice(0, 6)).toEqual(
			'event summary caller_id_num agent wait missed_reason'.split(' '),
		);
	});
});
