// The record at the end of each interval on the clock: its figures are final, each moment is in exactly one record, and
// what was not seen is said.

import { steady } from '../../../../nodes/VoiceManagementTrigger/feed/clock';
import {
	periodOf,
	type PeriodName,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/calendar';
import { HandClock } from '../../../support/world';
import { LiveScene } from './scene';

const LOGIN = { ops: [{ id: 101, nom: 'Ada', groups: [] }] };

/** A trigger that starts at a moment. */
async function startingAt(moment: string, more: Record<string, unknown> = {}): Promise<LiveScene> {
	const clock = new HandClock();
	await clock.turn(Date.parse(moment) - clock.now());
	const parameters = { mode: 'snapshots', snapshotWhen: 'interval', snapshotOf: [], ...more };
	return new LiveScene(parameters, LOGIN, {}, clock).open();
}

const records = (live: LiveScene, event = 'queue') =>
	live.executions.map((items) => items.find((item) => item.event === event));

it('comes once at the end of each interval, with its bounds, and the first one says what it lacks', async () => {
	const live = await startingAt('2026-11-25T12:07:17Z');
	live.enters(1).answered(1);
	await live.at(463 + 5);
	expect(live.executions).toEqual([]);
	await live.at(463 + 900 + 20);
	expect(records(live)).toMatchObject([
		{
			from: '2026-11-25T12:00:00.000Z',
			to: '2026-11-25T12:15:00.000Z',
			time_zone: 'Europe/Paris',
			counted_since: '2026-11-25T12:07:17.000Z',
			date: '2026-11-25T12:15:00.000Z',
			complete: false,
			missed_seconds: 437,
			offered: 1,
			answered: 1,
		},
		{
			from: '2026-11-25T12:15:00.000Z',
			to: '2026-11-25T12:30:00.000Z',
			counted_since: null,
			complete: true,
			missed_seconds: 0,
			offered: 0,
			answered: 0,
			talking: 1,
		},
	]);
});

it('has what comes late of what was sent in it, and what was seen only later is not offered in it', async () => {
	const live = await startingAt('2026-11-25T12:14:00Z', { snapshotOf: ['queues'] });
	await live.at(50);
	live.enters(1);
	await live.at(69);
	live.answered(1, 51, 101, 59);
	await live.at(90);
	live.answered(2).leaves(2);
	await live.at(1_000);
	expect(records(live)).toMatchObject([
		{ to: '2026-11-25T12:15:00.000Z', offered: 1, answered: 1, waiting: 0, talking: 1 },
		{ complete: true, offered: 0, waiting_before: 1, unknown: 1, answered: 0, talking: 2 },
	]);
});

it('says for how long the feed was interrupted, also if that is known only later', async () => {
	const live = await startingAt('2026-11-25T11:59:50Z');
	await live.at(100);
	live.interrupt();
	await live.at(130);
	live.open();
	await live.at(2_000);
	expect(records(live, 'totals').slice(1)).toMatchObject([
		{ to: '2026-11-25T12:15:00.000Z', complete: false, missed_seconds: 30 },
		{ to: '2026-11-25T12:30:00.000Z', complete: true, missed_seconds: 0 },
	]);
	live.gap(1_790, 1_820);
	await live.at(2_800);
	expect(records(live, 'totals')[3]).toMatchObject({ complete: false, missed_seconds: 10 });
});

it('has the time of an agent up to the first of several interruptions, and from the next status on', async () => {
	const live = await startingAt('2026-11-25T12:00:00Z', { snapshotOf: ['agents', 'totals'] });
	await live.play('100 connected 101 7, 160 cut, 300 cut, 400 available 101 7, 430 cut, 440 cut');
	await live.at(1_000);
	expect(live.executions[0]).toMatchObject([
		{ event: 'agent', state: null, talk_seconds: 60, available_seconds: 30 },
		{ event: 'totals', agents_unknown: 1, agents_talk_seconds: 60, agents_available_seconds: 30 },
	]);
});

it.each([
	['back by seconds', -40],
	['back by a part of a second', -5.5],
	['back by an hour', -3_600],
	['ahead by a year, of which there are no records', 365 * 86_400],
])('is by the clock of the machine, set %s, and no call is lost', async (_name, jump) => {
	const clock = new HandClock();
	await clock.turn(Date.parse('2026-11-25T12:00:00Z') - clock.now());
	const live = new LiveScene(
		{ mode: 'snapshots', snapshotWhen: 'interval', snapshotOf: ['queues'] },
		LOGIN,
		{},
		clock,
		steady(clock),
	).open();
	live.enters(1);
	await clock.turn(600_000);
	clock.jump(jump * 1_000);
	live.enters(2);
	await clock.turn(1_200_000);
	live.enters(3);
	await clock.turn(1_200_000);
	const offered = live.items.reduce((sum, item) => sum + Number(item.offered), 0);
	expect(offered).toBe(3);
	expect(live.items.length).toBeLessThanOrEqual(4);
	for (const item of live.items) {
		expect(Date.parse(String(item.to)) % 900_000).toBe(0);
		expect(Number(item.waiting_before ?? 0)).toBeGreaterThanOrEqual(0);
	}
});

it('has every record, however many agents it has, if n8n was held up past two of them', async () => {
	const ops = Array.from({ length: 600 }, (_none, id) => ({ id, nom: `Agent ${id}`, groups: [] }));
	const clock = new HandClock();
	await clock.turn(Date.parse('2026-11-25T12:00:00Z') - clock.now());
	const parameters = { mode: 'snapshots', snapshotWhen: 'interval', snapshotOf: ['agents'] };
	const live = new LiveScene(parameters, { ops }, {}, clock).open();
	await live.at(912);
	clock.jump(905_000);
	await clock.turn(60_000);
	expect(live.executions.map((items) => [items.length, items[0]?.to])).toEqual([
		[600, '2026-11-25T12:15:00.000Z'],
		[600, '2026-11-25T12:30:00.000Z'],
	]);
	live.close();
	expect(clock.pending).toBe(0);
});

it('keeps nothing of the intervals before', async () => {
	const live = await startingAt('2026-11-25T12:00:00Z', { snapshotOf: ['queues'] });
	for (let call = 1; call <= 40; call++) {
		live.enters(call).answered(call);
		await live.at(call * 300);
		live.leaves(call);
	}
	await live.at(13_000);
	for (const item of live.items.slice(0, -1))
		expect(item).toMatchObject({ offered: 3, answered: 3 });
	expect(live.clock.pending).toBeLessThanOrEqual(2);
	live.close();
	expect(live.clock.pending).toBe(0);
});

describe('an interval', () => {
	it.each<[string, string, PeriodName, string, string]>([
		['Europe/Paris', '2026-01-15T12:07:00Z', '15', '2026-01-15T12:00:00Z', '2026-01-15T12:15:00Z'],
		[
			'Asia/Kathmandu',
			'2026-01-15T12:07:00Z',
			'60',
			'2026-01-15T11:15:00Z',
			'2026-01-15T12:15:00Z',
		],
		['Asia/Kolkata', '2026-01-15T12:30:00Z', '30', '2026-01-15T12:30:00Z', '2026-01-15T13:00:00Z'],
		['UTC', '2026-01-15T12:59:59Z', '5', '2026-01-15T12:55:00Z', '2026-01-15T13:00:00Z'],
	])('in %s at %s of %s minutes', (zone, at, period, from, until) => {
		expect(periodOf(Date.parse(at), period, zone)).toEqual({
			from: Date.parse(from),
			until: Date.parse(until),
		});
	});
});
