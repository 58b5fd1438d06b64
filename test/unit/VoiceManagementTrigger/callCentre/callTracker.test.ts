// What becomes of a call, event by event, and compared with a ledger of what really happened.

import fc from 'fast-check';
import { systemClock } from '../../../../nodes/VoiceManagementTrigger/feed/clock';
import { Naming } from '../../../../nodes/VoiceManagementTrigger/callCentre/naming';
import type { Directory, FeedEvent } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import type { CallOutcome } from '../../../../nodes/VoiceManagementTrigger/callCentre/outcomeTypes';
import {
	CallTracker,
	CALLS_DEFAULTS,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/callTracker';
import { MOST_CALL_EVENTS } from '../../../../nodes/VoiceManagementTrigger/callCentre/callHistory';
import { readDirectory } from '../../../../nodes/shared/directory';
import { readUpdate } from '../../../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import { outcomeItem } from '../../../../nodes/VoiceManagementTrigger/callCentre/outcomeItem';
import { generateTraffic } from '../../../../simulator/traffic/generate';
import type { CallRecord } from '../../../../simulator/traffic/ledger';
import { nth } from '../../../support/present';

const START = 1_767_261_600;
const { graceMs, maxAgeMs } = CALLS_DEFAULTS;

const EVENTS: Record<string, [type: string, event: string, status?: string]> = {
	in: ['queue', 'insert_call'],
	rings: ['queue', 'connect_call', 'ringing'],
	takes: ['queue', 'connect_call', 'connected'],
	out: ['queue', 'delete_call'],
	trunkIn: ['trunk', 'insert_call'],
	trunkTakes: ['trunk', 'connect_call'],
	trunkOut: ['trunk', 'delete_call'],
};

/** A feed in which every event is sent at a full second and arrives at once. */
class Scene {
	readonly tracker: CallTracker;
	readonly outcomes: CallOutcome[] = [];
	private cpt = 0;

	constructor(options = CALLS_DEFAULTS, openedAt = -3600) {
		this.tracker = new CallTracker((START + openedAt) * 1000, options);
	}

	event(second: number, type: string, event: string, msg: object): FeedEvent {
		const wire = {
			cpt: ++this.cpt,
			ts: START + Math.floor(second),
			event: { type_notification: type, event, msg: { id_call: 7, ...msg } },
		};
		return nth(readUpdate([wire], (START + second) * 1000), 0);
	}

	take(...event: Parameters<Scene['event']> | [FeedEvent]): this {
		const [first] = event;
		const read =
			typeof first === 'object' ? first : this.event(...(event as Parameters<Scene['event']>));
		this.outcomes.push(...this.tracker.onEvent(read));
		return this;
	}

	/**
	 * Steps like "12 takes 301 501": at second 12, agent 501 takes the call in queue 301. A trunk is 701, "#8" at the end
	 * is another call than 7, "cut" is an interruption of the feed, and "-" a look at the clock.
	 */
	play(steps: string): this {
		for (const step of steps.split(', ')) {
			const [, at = '', what = '', words = '', id_call = 7] =
				/^([\d.]+) (\S+)((?: [^ #]+)*)(?: #(\S+))?$/.exec(step) ?? [];
			const second = Number(at);
			const [first, other] = words.split(' ').slice(1);
			if (what === '-') this.outcomes.push(...this.tracker.tick((START + second) * 1000));
			else if (what === 'cut') this.tracker.onBreak();
			else if (what === 'agent') {
				this.take(second, 'operator', 'status', { id_call, id_operator: first, status: other });
			} else {
				const [type, event, status] = EVENTS[what] ?? [what, ''];
				const place =
					type === 'trunk'
						? { id_trunk: first ?? 701 }
						: { id_queue: first === '-' ? null : first };
				const caller = event === 'insert_call' ? { caller_id_num: '+4420' } : {};
				this.take(second, type, event, {
					id_call,
					...place,
					id_operator: other,
					status,
					...caller,
				});
			}
		}
		return this;
	}

	/** The outcomes, as "ended 12+60 by 501 in 301": it waited for 12 seconds and was then with the agent for 60. */
	get told(): string {
		return this.outcomes
			.map(({ callId, kind, answered, wait, talk, agents, queues, trunks, transfers, reason }) =>
				[
					...(callId === '7' ? [] : [`#${callId}`]),
					`${kind}${answered === undefined ? '?' : ''}`,
					`${wait ?? '?'}${talk === undefined ? '' : `+${talk}`}`,
					...(agents.length > 0 ? [`by ${agents.join('/')}`] : []),
					`in ${[...queues, ...trunks].join('/')}`,
					...(transfers ? [`moved ${transfers}`] : []),
					...(reason ? [reason] : []),
				].join(' '),
			)
			.join('; ');
	}
}

const CALLS = `
// Answered when it is taken, and ended a grace time after it left.
0 in 301, 12 takes 301 501, 72 out 301, 76 - → answered 12 by 501 in 301
0 in 301, 12 takes 301 501, 72 out 301, 77 - → answered 12 by 501 in 301; ended 12+60 by 501 in 301
// Missed without an agent, in the last queue that it was in; not if it moves to another queue within the grace time.
0 in 301, 30 out 301, 60 - → missed 30+0 in 301
// It left, whatever queue is named.
0 in 301, 30 out 0, 60 - → missed 30+0 in 301
0 in 301, 30 out 302, 60 - → missed 30+0 in 301
0 trunkIn, 2 in 301, 30 out 0, 30 trunkOut, 60 - → missed 30+0 in 301/701
0 in 301, 1 cut, 60 out 302, 90 - → ended? ? in 301/302 feed-gap
0 in 301, 12 takes 301 501, 72 out 0, 90 - → answered 12 by 501 in 301; ended 12+60 by 501 in 301
0 in 301, 30 out 301, 33 in 302, 50 - →
0 in 301, 30 out 301, 33 in 302, 55 takes 302 502, 60 out 302, 90 - → answered 55 by 502 in 301/302; ended 55+5 by 502 in 301/302
0 in 301, 30 out 301, 31 in 302, 50 out 302, 90 - → missed 50+0 in 301/302
// A transfer counts once, whichever events report it: to an agent, or into another queue.
0 in 301, 5 takes 301 501, 20 agent 501 transfert_start, 24 takes 301 502, 24 agent 502 connected, 24 agent 501 transfert_end, 60 out 301, 90 - → answered 5 by 501 in 301; ended 5+55 by 501/502 in 301 moved 1
0 in 301, 5 takes 301 501, 24 takes 301 502, 60 out 301, 90 - → answered 5 by 501 in 301; ended 5+55 by 501/502 in 301 moved 1
0 in 301, 5 takes 301 501, 9 agent 501 transfert_end, 10 takes 301 502, 60 out 301, 90 - → answered 5 by 501 in 301; ended 5+55 by 501/502 in 301 moved 1
0 in 301, 5 takes 301 501, 20 agent 501 transfert_start, 20 agent 501 transfert_end, 20 out 301, 21 in 302, 30 takes 302 502, 60 out 302, 90 - → answered 5 by 501 in 301; ended 5+45 by 501/502 in 301/302 moved 1
0 in 301, 5 takes 301 501, 20 out 301, 21 in 302, 40 out 302, 90 - → answered 5 by 501 in 301; ended 5+15 by 501 in 301/302 moved 1
// Ended once it is in neither its trunk nor its queue.
0 trunkIn, 2 in 301, 9 takes 301 501, 20 out 301, 40 - → answered 9 by 501 in 301/701
0 trunkIn, 2 in 301, 9 takes 301 501, 20 out 301, 41 trunkOut, 60 - → answered 9 by 501 in 301/701; ended 9+11 by 501 in 301/701
// Answered after it rang, however often it rang.
0 in 301, 4 rings 301 501, 9 rings 301 502 →
0 in 301, 4 rings 301 501, 9 rings 301 502, 12 takes 301 502, 20 out 301, 60 - → answered 12 by 502 in 301; ended 12+8 by 502 in 301
// A trunk that takes a call may only put it into a queue: the longer it has it alone, the more that looks like an answer.
0 trunkIn, 1 trunkTakes, 1.5 -, 2 in 301, 41 out 301, 41 trunkOut, 300 - → missed 41+0 in 301/701
0 trunkIn, 1 trunkTakes, 4.5 -, 5 in 301, 44 out 301, 44 trunkOut, 300 - → missed 44+0 in 301/701
0 trunkIn, 1 trunkTakes, 90.5 -, 91 in 301, 130 out 301, 130 trunkOut, 300 - → answered 1 in 701; missed 130+0 in 301/701
0 trunkIn, 1 trunkTakes, 2 in 301, 20 takes 301 501, 50 out 301, 50 trunkOut, 100 - → answered 20 by 501 in 301/701; ended 20+30 by 501 in 301/701
0 trunkIn, 1 trunkTakes, 2 in 301, 20 takes 301 501, 50 out 301, 51 in 302, 60 takes 302 502, 70 out 302, 70 trunkOut, 100 - → answered 20 by 501 in 301/701; ended 20+40 by 501/502 in 301/302/701 moved 1
0 in 301, 1 trunkIn, 2 trunkTakes, 30 out 301, 30 trunkOut, 60 - → missed 30+0 in 301/701
0 in 301, 30 out 301, 31 trunkIn, 35 trunkTakes, 90 trunkOut, 120 - → answered 35 in 301/701; ended 35+55 in 301/701
// A trunk that was seen to put callers into a queue answers nothing; a call that it takes itself is reported at its end.
0 trunkIn, 1 trunkTakes, 50 -, 60 in 301, 70 out 301, 71 trunkOut, 100 -, 200 trunkIn #8, 201 trunkTakes #8, 250 -, 260 in 301 #8, 270 out 301 #8, 271 trunkOut #8, 300 - → answered 1 in 701; missed 71+0 in 301/701; #8 missed 71+0 in 301/701
0 trunkIn, 1 trunkTakes, 50 -, 60 in 301, 70 out 301, 71 trunkOut, 100 -, 200 trunkIn #9, 201 trunkTakes #9, 300 trunkOut #9, 400 - → answered 1 in 701; missed 71+0 in 301/701; #9 answered 1 in 701; #9 ended 1+99 in 701
// An event that names no place is about the one where the call is, and about its queue first.
0 in 301, 20 out, 60 - → missed 20+0 in 301
0 in 301, 5 takes 301 501, 20 out, 21 out, 60 - → answered 5 by 501 in 301; ended 5+15 by 501 in 301
0 trunkIn, 1 in 301, 5 takes 301 501, 20 out, 60 - → answered 5 by 501 in 301/701
0 trunkIn, 1 in 301, 5 takes 301 501, 20 out, 70 out, 100 - → answered 5 by 501 in 301/701; ended 5+15 by 501 in 301/701
0 in 301, 5 takes 301 501, 20 out -, 60 - → answered 5 by 501 in 301; ended 5+15 by 501 in 301
// Identifiers are the same as text or number, also below zero; a trunk is followed like a queue.
0 in 301 #-7, 5 takes 301 501 #-7, 9 out 301 #-7, 60 - → #-7 answered 5 by 501 in 301; #-7 ended 5+4 by 501 in 301
0 trunkIn 701, 8 trunkTakes 701, 30 trunkOut 701, 60 - → answered 8 in 701; ended 8+22 in 701
// The status of an agent who is connected is an answer too; agents' events alone begin no call, and neither do alerts.
0 in 301, 4 agent 501 ringing, 9 agent 501 connected → answered 9 by 501 in 301
0 in 301, 9 agent 501 connected, 9 takes 301 501, 20 out 301, 60 - → answered 9 by 501 in 301; ended 9+11 by 501 in 301
0 agent 501 calling, 5 agent 501 connected, 43200 - →
// What was only partly seen is said: calls from before the feed opened, and calls during an interruption.
10 out 301, 60 - → ended? ? in 301 start-not-seen
10 takes 301 501, 11 -, 40 out 301, 60 - → answered ? by 501 in 301 start-not-seen; ended ?+30 by 501 in 301 start-not-seen
10 takes 301 501, 40 out 301, 40 in 302, 50 takes 302 502, 60 out 302, 70 - → answered ? by 501 in 301 start-not-seen; ended ?+40 by 501/502 in 301/302 moved 1 start-not-seen
0 in 301, 1 cut, 60 out 301, 90 - → ended? ? in 301 feed-gap
0 in 301, 1 cut, 2 cut, 60 takes 302 501, 80 out 302, 120 - → answered 60 by 501 in 301/302 feed-gap; ended 60+20 by 501 in 301/302 feed-gap
0 cut, 1 in 301, 2 takes 301 501, 9 out 301, 60 - → answered 1 by 501 in 301; ended 1+7 by 501 in 301
// Of a call that was over, a late event shows nothing; after an interruption, that it went on unseen.
0 in 301, 9 out 301, 15 -, 20 out 302, 60 - → missed 9+0 in 301
0 in 301, 9 out 301, 15 -, 16 cut, 20 out 302, 60 - → missed 9+0 in 301; ended? ? in 302 start-not-seen
// A call without an end is given up after twelve hours.
0 in 301, 5 takes 301 501, 43204 - → answered 5 by 501 in 301
0 in 301, 5 takes 301 501, 43205 - → answered 5 by 501 in 301; ended 5 by 501 in 301 end-not-seen
// An identifier that is used again is another call.
0 in 301, 9 out 301, 60 -, 70 in 301, 75 out 301, 120 - → missed 9+0 in 301; missed 5+0 in 301`;

it.each(
	CALLS.split('\n')
		.filter((line) => line.includes('→'))
		.map((line) => line.split('→').map((part) => part.trim())),
)('%s: %s', (steps = '', told = '') => {
	expect(new Scene().play(steps).told).toBe(told);
});

describe.each(['queue', 'trunk'])('a call that is connected in a %s', (type) => {
	const place = type === 'queue' ? { id_queue: 301 } : { id_trunk: 701 };

	it.each<[unknown, string]>([
		...['connected', undefined, null, ''].map((status): [unknown, string] => [
			status,
			'answered 5; ended 5+25',
		]),
		...['ringing', 'calling', 'available', 'unavailable'].map((status): [unknown, string] => [
			status,
			'missed 30+0',
		]),
		// These can mean both.
		...['something', 'Connected', 4, 'transfert_start'].map((status): [unknown, string] => [
			status,
			'ended? ? status-not-known',
		]),
	])('with the status %p, under either name: %s', (status, told) => {
		for (const field of ['status', 'statut']) {
			const scene = new Scene().take(0, type, 'insert_call', place);
			scene.take(5, type, 'connect_call', { ...place, [field]: status });
			scene.take(30, type, 'delete_call', place).play('60 -');
			expect(scene.told.replace(/ in \d+/g, '')).toBe(told);
		}
	});
});

it('an outcome that was reported does not change', () => {
	const scene = new Scene().play('0 in 51, 20 takes 51 101');
	const told = structuredClone(scene.outcomes);
	scene.play('25 in 52, 30 takes 52 102, 40 out 51, 40 out 52');
	expect(scene.outcomes.slice(0, 1)).toEqual(told);
});

it.each([
	['0 trunkIn', '1 trunkTakes', '2 in 301', '9 rings 301 501', '30 out', '30 trunkOut'],
	['0 in 301', '1 takes 301 501', '1 agent 501 connected', '1 out 301'],
])('events in any order and with any repetition have the same outcome: %s …', (...steps) => {
	const scene = new Scene();
	const all: FeedEvent[] = [];
	scene.take = (...event) => {
		all.push(scene.event(...(event as Parameters<Scene['event']>)));
		return scene;
	};
	scene.play(steps.join(', '));
	const begins = nth(
		all.filter(({ type, event }) => type === 'queue' && event === 'insert_call'),
		0,
	);
	fc.assert(
		fc.property(fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length }), (order) => {
			const outcomes = (events: FeedEvent[]) => {
				const played = new Scene();
				for (const [at, event] of events.entries())
					played.take({ ...event, receivedAt: (START + 40) * 1000 + at });
				return played.play('100 -').told;
			};
			expect(outcomes([begins, ...order])).toBe(outcomes([begins, ...all]));
		}),
	);
});

it('whether a call is recorded is told by whichever event reports that, and the called number by num events', () => {
	const recorded = (rec?: unknown) =>
		new Scene()
			.play('0 in 301')
			.take(3, 'operator', 'status', { id_operator: 501, status: 'ringing', rec })
			.play('5 takes 301 501').outcomes[0]?.recorded;
	expect([recorded(1), recorded('0'), recorded()]).toEqual([true, false, undefined]);
	const num = { type_notification: 'num', event: 'start', msg: { id_call: '7', service: '+3319' } };
	const scene = new Scene().take(nth(readUpdate([num], START * 1000), 0));
	expect(scene.play('1 in 301, 5 out 301, 60 -').outcomes[0]?.service).toBe('+3319');
});

it.each([
	['queue', 'alert_op', { id_queue: 301 }],
	['queue', 'insert_call', { id_queue: 301, id_call: undefined }],
	['queue', 'insert_call', { id_queue: null }],
	['constructor', 'insert_call', { id_queue: 1 }],
	['queue', 'constructor', { id_queue: 1 }],
	['queue', 'delete_call', {}],
	['trunk', 'connect_call', {}],
])('no call begins with %s %s %j', (type, event, msg) => {
	expect(new Scene().take(0, type, event, msg).tracker.size).toBe(0);
});

it.each([
	['waited elsewhere as the feed opened', 1, 40, 'start-not-seen'],
	['is new', 1, 0, undefined],
	['waited elsewhere later', 60, 40, undefined],
	['has a waiting time that is not a number', 1, [{ toString: 0 }], undefined],
])('a call that %s: what is said of its beginning', (_what, at, duration_in_queue, reason) => {
	const scene = new Scene(CALLS_DEFAULTS, 0);
	scene.take(at, 'queue', 'insert_call', { id_queue: 302, duration_in_queue });
	expect(scene.play(`${at + 8} takes 302 501`).outcomes).toMatchObject([{ reason }]);
});

describe('the limits', () => {
	it('of calls: the longest silent one is given up', () => {
		const scene = new Scene({ ...CALLS_DEFAULTS, maxCalls: 2 });
		scene.play('0 in 301 #1, 1 in 301 #2, 2 agent 501 ringing #2, 3 in 301 #1, 4 in 301 #3');
		expect(scene.told).toBe('#2 ended? ? in 301 too-many-calls');
		expect(scene.tracker.size).toBe(2);
	});

	it('of memory: the longest silent one is given up', () => {
		const scene = new Scene({ ...CALLS_DEFAULTS, maxBytes: 12_000 });
		// Agents with names of 250 characters who pass calls on and on: about 450 bytes per event.
		for (const call of [1, 2, 3]) {
			scene.play(`${call} in 301 #${call}`);
			for (let at = 0; at < 10; at++)
				scene.play(`${call * 20 + at} takes 301 ${'a'.repeat(250)}${at} #${call}`);
		}
		expect(scene.outcomes.filter(({ reason }) => reason === 'too-many-calls')).toMatchObject([
			{ callId: '1', kind: 'ended' },
		]);
		expect(scene.tracker.size).toBe(2);
	});

	it('of an identifier, and of the events of one call, which is said', () => {
		const long = new Scene().play(`1 in 301, 2 takes 301 ${'a'.repeat(100_000)}, 5 out 301, 60 -`);
		expect(long.outcomes.at(-1)).toMatchObject({ kind: 'ended', answered: true, agents: [] });
		const scene = new Scene();
		for (let at = 0; at < MOST_CALL_EVENTS; at++) scene.play(`${at} in ${301 + (at % 2)}`);
		scene.play('400 in 301, 500 out 301, 500 out 302, 600 -');
		expect(scene.outcomes.at(-1)).toMatchObject({
			reason: 'too-many-events',
			startedAt: START * 1000,
		});
	});
});

const namingOf = (names?: Directory) => new Naming(systemClock, () => names, undefined);
const CONTEXT = {
	figures: {
		serviceLevelSeconds: 20,
		shortAbandonSeconds: 5,
		serviceLevelFormula: 'withoutShort',
		serviceLevelTarget: 80,
	},
	nobodyAvailable: false,
	timeline: false,
} as const;

describe('the item of an outcome', () => {
	it('has every field, null if nothing is known, and names on request', () => {
		const names = readDirectory({ ops: [{ id: 501, nom: 'Ada', groups: [] }] });
		const scene = new Scene().play('0 in 301, 12 takes 301 501');
		const item = outcomeItem(nth(scene.outcomes, 0), START * 1000, namingOf(names), CONTEXT);
		expect(item).toEqual({
			type_notification: 'call',
			event: 'answered',
			summary: 'Ada answered +4420 after 12 s in queue 301',
			id_call: '7',
			caller_id_num: '+4420',
			service: null,
			answered: true,
			wait: 12,
			talk: null,
			wrap_up: null,
			id_operator: '501',
			id_queue: '301',
			id_trunk: null,
			agents: ['501'],
			queues: ['301'],
			trunks: [],
			transfers: 0,
			recorded: null,
			missed_reason: null,
			within_service_level: true,
			offered_to: [{ agent: '501', rang: null }],
			queue_waits: [{ id_queue: '301', wait: 12 }],
			started: '2026-01-01T10:00:00.000Z',
			answered_at: '2026-01-01T10:00:12.000Z',
			ended: null,
			partial: false,
			reason: null,
			date: '2026-01-01T10:00:00.000Z',
			agent: { id: '501', name: 'Ada', groups: [] },
			trunk: null,
		});
		const partial = outcomeItem(
			nth(new Scene().play('1 out 301, 60 -').outcomes, 0),
			0,
			namingOf(undefined),
			CONTEXT,
		);
		expect(Object.keys(partial)).toEqual(
			Object.keys(item).filter((name) => name !== 'agent' && name !== 'trunk'),
		);
		// What people map comes first: n8n's table shows the first fields.
		expect(Object.keys(item).slice(0, 6)).toEqual(
			'event summary caller_id_num agent wait missed_reason'.split(' '),
		);
		expect(partial).toMatchObject({ partial: true, reason: 'start-not-seen', answered: null });
	});
});

describe('compared with a ledger of what really happened', () => {
	const traffic = generateTraffic({ seed: 42, events: 90_000, numEvents: true, start: START });

	/** Plays events `from` to `to` (as shares of all), leaving out those in a gap. */
	function play(leaveOut?: { from: number; to: number }): CallOutcome[] {
		const tracker = new CallTracker((START - 60) * 1000);
		const outcomes: CallOutcome[] = [];
		const count = traffic.events.length;
		for (const [index, wire] of traffic.events.entries()) {
			const at = (START + nth(traffic.at, index)) * 1000;
			if (leaveOut && index >= leaveOut.from * count && index < leaveOut.to * count) {
				if (index === Math.ceil(leaveOut.from * count)) tracker.onBreak();
				continue;
			}
			outcomes.push(...tracker.onEvent(nth(readUpdate([wire], at), 0)));
		}
		const last = (START + (traffic.at.at(-1) ?? 0)) * 1000;
		outcomes.push(...tracker.tick(last + graceMs), ...tracker.tick(last + 2 * maxAgeMs));
		expect(tracker.size).toBe(0);
		return outcomes;
	}

	/**
	 * Returns 'agrees', 'partial', or the outcome of the tracker beside that of the ledger, as text so that 10,000 can
	 * be compared.
	 */
	function compare(outcomes: CallOutcome[], record: CallRecord): string {
		const whole = outcomes.filter(({ reason }) => reason === undefined);
		const final = whole.find(({ kind }) => kind !== 'answered');
		const answer = whole.find(({ kind }) => kind === 'answered');
		const missed = record.outcome === 'missed';
		const agents = agentsOf(record);
		if (answer) {
			const said = JSON.stringify([answer.wait, answer.agents]);
			const real = JSON.stringify([record.wait, agents.slice(0, 1)]);
			if (said !== real) return `${record.id} answered: tracker ${said}, ledger ${real}`;
		}
		if (!final && outcomes.some(({ kind }) => kind !== 'answered')) return 'partial';
		const ended = record.endedAt as number;
		const real = JSON.stringify([
			missed ? ['missed'] : ['answered', 'ended'],
			record.caller,
			agents,
			unique(record.legs.map(({ queue }) => queue)),
			unique(record.legs.map(({ trunk }) => trunk)),
			record.transfers,
			record.startedAt * 1000,
			ended * 1000,
			missed ? [ended - record.startedAt, 0] : [record.wait, talkOf(record)],
			missed || record.kind === 'trunk' ? null : record.recorded,
		]);
		const said = JSON.stringify([
			outcomes.map(({ kind }) => kind),
			final?.caller,
			final?.agents,
			final?.queues,
			final?.trunks,
			final?.transfers,
			final?.startedAt,
			final?.endedAt,
			[final?.wait, final?.talk],
			missed || record.kind === 'trunk' ? null : final?.recorded,
		]);
		return said === real ? 'agrees' : `${record.id}: tracker ${said}, ledger ${real}`;
	}

	const finished = traffic.calls.filter(({ endedAt }) => endedAt !== null);

	it('agrees on every one of 10,000 calls with transfers, overflow and abandons', () => {
		expect(finished.length).toBeGreaterThan(10_000);
		expect(finished.filter(({ transfers }) => transfers > 0).length).toBeGreaterThan(300);
		expect(finished.filter(({ overflows }) => overflows > 0).length).toBeGreaterThan(300);
		expect(finished.filter(({ outcome }) => outcome === 'missed').length).toBeGreaterThan(1000);
		const byCall = index(play());
		const results = finished.map((record) => compare(byCall.get(record.id) ?? [], record));
		expect(results.filter((result) => result !== 'agrees')).toEqual([]);
	}, 60_000);

	it('agrees on each of them, or is partial, if the feed is interrupted in the middle', () => {
		const byCall = index(play({ from: 0.45, to: 0.5 }));
		const seen = finished.filter(({ id }) => byCall.has(id));
		const results = seen.map((record) => compare(byCall.get(record.id) ?? [], record));
		expect(results.filter((result) => result !== 'agrees' && result !== 'partial')).toEqual([]);
		const partial = results.filter((result) => result === 'partial').length;
		expect(partial).toBeGreaterThan(0);
		// Only calls around the interruption are affected.
		expect(partial).toBeLessThan(finished.length * 0.02);
		expect(seen.length).toBeGreaterThan(finished.length * 0.94);
	}, 60_000);

	function index(outcomes: CallOutcome[]): Map<string, CallOutcome[]> {
		const byCall = new Map<string, CallOutcome[]>();
		for (const outcome of outcomes) {
			const list = byCall.get(outcome.callId);
			if (list) list.push(outcome);
			else byCall.set(outcome.callId, [outcome]);
		}
		return byCall;
	}
});

/** Waiting after a transfer is no talk. */
function talkOf({ legs }: CallRecord): number {
	const talks = legs.map(({ answers: [first], leftAt }) => (first ? (leftAt ?? 0) - first.at : 0));
	return talks.reduce((sum, talk) => sum + talk, 0);
}

function agentsOf({ legs }: CallRecord): string[] {
	return unique(legs.flatMap(({ answers }) => answers.map(({ agent }) => agent)));
}

function unique(list: Array<string | null>): string[] {
	return [...new Set(list.filter((entry) => entry !== null))];
}
