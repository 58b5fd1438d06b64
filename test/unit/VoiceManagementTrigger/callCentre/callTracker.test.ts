import fc from 'fast-check';
import { systemClock } from '../../../../nodes/VoiceManagementTrigger/feed/clock';
import { Naming } from '../../../../nodes/VoiceManagementTrigger/callCentre/naming';
import type { Directory } from '../../../../nodes/VoiceManagementTrigger/feed/types';

import type { CallOutcome } from '../../../../nodes/VoiceManagementTrigger/callCentre/outcomeTypes';
import {
	CallTracker,
	CALLS_DEFAULTS,
} from '../../../../nodes/VoiceManagementTrigger/callCentre/callTracker';
import { MOST_CALL_EVENTS } from '../../../../nodes/VoiceManagementTrigger/callCentre/callHistory';
import { readDirectory } from '../../../../nodes/shared/directory';
import { readUpdate } from '../../../../nodes/VoiceManagementTrigger/feed/envelope/envelope';
import { outcomeItem } from '../../../../nodes/VoiceManagementTrigger/callCentre/outcomeItem';
import type { FeedEvent } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { generateTraffic } from '../../../../simulator/traffic/generate';
import type { CallRecord } from '../../../../simulator/traffic/ledger';
import { nth } from '../../../support/present';

const START = 1_767_261_600;
const { graceMs, reorderMs, maxAgeMs } = CALLS_DEFAULTS;

/** A feed in which every event is sent at a full second and arrives at once. */
class Scene {
	readonly tracker: CallTracker;
	readonly outcomes: CallOutcome[] = [];
	private cpt = 0;

	constructor(options = CALLS_DEFAULTS, openedAt = -3600) {
		this.tracker = new CallTracker((START + openedAt) * 1000, options);
	}

	event(
		second: number,
		type: string,
		name: string,
		msg: Record<string, unknown>,
		more = {},
	): FeedEvent {
		this.cpt++;
		const wire = {
			cpt: this.cpt,
			ts: START + second,
			event: { type_notification: type, event: name, msg },
			...more,
		};
		return nth(readUpdate([wire], (START + second) * 1000), 0);
	}

	take(event: FeedEvent): this {
		this.outcomes.push(...this.tracker.onEvent(event));
		return this;
	}

	insert(second: number, queue: number | string, id: number | string = 7, more = {}): this {
		const msg = { id_call: id, id_queue: queue, caller_id_num: '+4420', duration_in_queue: 0 };
		return this.take(this.event(second, 'queue', 'insert_call', { ...msg, ...more }));
	}

	connect(second: number, queue: number, agent: number | string, id: number | string = 7): this {
		const msg = { id_call: id, id_queue: queue, id_operator: agent, status: 'connected' };
		return this.take(this.event(second, 'queue', 'connect_call', msg));
	}

	leave(second: number, queue: number, id: number | string = 7): this {
		return this.take(this.event(second, 'queue', 'delete_call', { id_call: id, id_queue: queue }));
	}

	agent(second: number, agent: number, status: string, more = {}): this {
		const msg = { id_call: 7, id_operator: agent, id_queue: 301, status, ...more };
		return this.take(this.event(second, 'operator', 'status', msg));
	}

	tick(second: number): this {
		this.outcomes.push(...this.tracker.tick((START + second) * 1000));
		return this;
	}

	kinds(): string[] {
		return this.outcomes.map(({ kind }) => kind);
	}
}

describe('a followed call', () => {
	it('is answered when it is connected, and ended a grace time after it left', () => {
		const scene = new Scene().insert(0, 301).connect(12, 301, 501);
		expect(scene.outcomes).toEqual([
			expect.objectContaining({
				kind: 'answered',
				callId: '7',
				caller: '+4420',
				answered: true,
				agents: ['501'],
				queues: ['301'],
				place: 'queue:301',
				wait: 12,
				talk: undefined,
				reason: undefined,
			}),
		]);
		scene.leave(72, 301).tick(72 + graceMs / 1000 - 1);
		expect(scene.kinds()).toEqual(['answered']);
		scene.tick(72 + graceMs / 1000);
		expect(scene.outcomes[1]).toMatchObject({
			kind: 'ended',
			wait: 12,
			talk: 60,
			transfers: 0,
			startedAt: START * 1000,
			answeredAt: (START + 12) * 1000,
			endedAt: (START + 72) * 1000,
		});
		expect(nth(scene.outcomes, 1).reason).toBeUndefined();
		expect(scene.tracker.size).toBe(0);
		expect(scene.tracker.nextDue()).toBeUndefined();
	});

	it('changes nothing in an outcome that was already reported', () => {
		const scene = new Scene().insert(0, 51).connect(20, 51, 101);
		const answered = nth(scene.outcomes, 0);
		const told = structuredClone(answered);
		scene.insert(25, 52).connect(30, 52, 102).leave(40, 51).leave(40, 52);
		expect(answered).toEqual(told);
	});

	it('is missed when it leaves without being connected', () => {
		const scene = new Scene().insert(0, 301).leave(30, 301).tick(60);
		expect(scene.outcomes).toHaveLength(1);
		expect(scene.outcomes[0]).toMatchObject({
			kind: 'missed',
			answered: false,
			wait: 30,
			talk: 0,
			agents: [],
			place: 'queue:301',
		});
		expect(nth(scene.outcomes, 0).reason).toBeUndefined();
	});

	it('is not missed when it moves to another queue within the grace time', () => {
		const scene = new Scene().insert(0, 301).leave(30, 301).insert(33, 302).tick(50);
		expect(scene.kinds()).toEqual([]);
		scene.connect(55, 302, 502).leave(60, 302).tick(90);
		expect(scene.kinds()).toEqual(['answered', 'ended']);
		expect(scene.outcomes[1]).toMatchObject({ queues: ['301', '302'], wait: 55, transfers: 0 });
	});

	it('is missed in the last queue that it was in', () => {
		const scene = new Scene().insert(0, 301).leave(30, 301).insert(31, 302).leave(50, 302).tick(90);
		expect(scene.outcomes).toHaveLength(1);
		expect(scene.outcomes[0]).toMatchObject({
			kind: 'missed',
			queues: ['301', '302'],
			place: 'queue:302',
			wait: 50,
		});
	});

	it('counts a transfer to an agent once, whichever events report it', () => {
		const told = new Scene().insert(0, 301).connect(5, 301, 501);
		told.agent(20, 501, 'transfert_start').connect(24, 301, 502).agent(24, 502, 'connected');
		told.agent(24, 501, 'transfert_end').leave(60, 301).tick(90);
		expect(told.outcomes.at(-1)).toMatchObject({
			kind: 'ended',
			transfers: 1,
			agents: ['501', '502'],
			talk: 55,
		});
		const untold = new Scene().insert(0, 301).connect(5, 301, 501).connect(24, 301, 502);
		expect(untold.leave(60, 301).tick(90).outcomes.at(-1)?.transfers).toBe(1);
		const endOnly = new Scene().insert(0, 301).connect(5, 301, 501).agent(9, 501, 'transfert_end');
		expect(endOnly.connect(10, 301, 502).leave(60, 301).tick(90).outcomes.at(-1)?.transfers).toBe(
			1,
		);
	});

	it('counts a transfer into another queue once', () => {
		const scene = new Scene().insert(0, 301).connect(5, 301, 501).agent(20, 501, 'transfert_start');
		scene.agent(20, 501, 'transfert_end').leave(20, 301).insert(21, 302).connect(30, 302, 502);
		scene.leave(60, 302).tick(90);
		expect(scene.kinds()).toEqual(['answered', 'ended']);
		expect(scene.outcomes[1]).toMatchObject({ transfers: 1, wait: 5, talk: 45 });
		const silent = new Scene().insert(0, 301).connect(5, 301, 501).leave(20, 301).insert(21, 302);
		expect(silent.leave(40, 302).tick(90).outcomes.at(-1)).toMatchObject({
			kind: 'ended',
			transfers: 1,
			agents: ['501'],
		});
	});

	it('is ended once it is in neither its trunk nor its queue', () => {
		const scene = new Scene();
		const trunk = { id_call: '7', id_trunk: 701, caller_id_num: '+4420' };
		scene
			.take(scene.event(0, 'trunk', 'insert_call', trunk))
			.insert(2, 301)
			.connect(9, 301, 501);
		scene.leave(20, 301).tick(40);
		expect(scene.kinds()).toEqual(['answered']);
		scene.take(scene.event(41, 'trunk', 'delete_call', trunk)).tick(60);
		expect(scene.outcomes[1]).toMatchObject({ kind: 'ended', trunks: ['701'], queues: ['301'] });
	});

	const trunk = { id_call: '7', id_trunk: 701, caller_id_num: '+4420' };
	const onTrunk = (scene: Scene, second: number, name: string, more = {}) =>
		scene.take(scene.event(second, 'trunk', name, { ...trunk, ...more }));

	describe.each(['queue', 'trunk'])('that is connected in a %s', (type) => {
		const place = type === 'queue' ? { id_queue: 301 } : { id_trunk: 701 };
		const connected = (status: unknown, field = 'status') => {
			const scene = new Scene();
			const msg = { id_call: 7, ...place };
			scene.take(scene.event(0, type, 'insert_call', msg));
			scene.take(scene.event(5, type, 'connect_call', { ...msg, [field]: status }));
			scene.take(scene.event(30, type, 'delete_call', msg)).tick(60);
			return scene;
		};

		it.each([['connected'], ['Connected'], [undefined], [null], ['']])(
			'is answered with the status %p',
			(status) => {
				expect(connected(status).kinds()).toEqual(['answered', 'ended']);
				expect(connected(status, 'statut').outcomes[1]).toMatchObject({ answered: true, wait: 5 });
			},
		);

		it.each([['ringing'], ['RINGING'], ['calling'], ['available'], ['unavailable']])(
			'is missed with the status %p',
			(status) => {
				expect(connected(status).kinds()).toEqual(['missed']);
				expect(connected(status, 'statut').outcomes[0]).toMatchObject({
					answered: false,
					wait: 30,
				});
			},
		);

		it.each([['something'], [4], ['transfert_start']])(
			'is neither with the status %p, which can mean both',
			(status) => {
				expect(connected(status).outcomes).toEqual([
					expect.objectContaining({
						kind: 'ended',
						answered: undefined,
						reason: 'status-not-known',
					}),
				]);
			},
		);
	});

	it('is answered when it is connected after it rang, however often it rang', () => {
		const scene = new Scene().insert(0, 301);
		const ring = { id_call: 7, id_queue: 301, id_operator: 501, status: 'ringing' };
		scene.take(scene.event(4, 'queue', 'connect_call', ring));
		scene.take(scene.event(9, 'queue', 'connect_call', { ...ring, id_operator: 502 }));
		expect(scene.kinds()).toEqual([]);
		scene.connect(12, 301, 502).leave(20, 301).tick(60);
		expect(scene.outcomes).toMatchObject([
			{ kind: 'answered', wait: 12, agents: ['502'] },
			{ kind: 'ended', wait: 12, talk: 8, agents: ['502'], transfers: 0 },
		]);
	});

	it.each([1, 4, 90])(
		'is missed if a trunk took it and it left its queue, entered %p s later, without an answer',
		(later) => {
			const scene = new Scene();
			onTrunk(scene, 0, 'insert_call');
			onTrunk(scene, 1, 'connect_call', { status: 'connected' });
			scene.tick(1 + later - 0.5).insert(1 + later, 301);
			scene.leave(40 + later, 301);
			onTrunk(scene, 40 + later, 'delete_call').tick(300);
			// The longer it was with the trunk alone, the more that looked like an answer.
			expect(scene.kinds()).toEqual(later * 1000 > graceMs ? ['answered', 'missed'] : ['missed']);
			expect(scene.outcomes.at(-1)).toMatchObject({ answered: false, agents: [], queues: ['301'] });
		},
	);

	it('is not answered by a trunk that was seen to put callers into a queue', () => {
		const scene = new Scene();
		for (const id of [7, 8]) {
			onTrunk(scene, 0, 'insert_call', { id_call: id });
			onTrunk(scene, 1, 'connect_call', { id_call: id });
			scene.tick(50).insert(60, 301, id).leave(70, 301, id);
			onTrunk(scene, 71, 'delete_call', { id_call: id }).tick(100);
		}
		expect(scene.kinds()).toEqual(['answered', 'missed', 'missed']);
		// A call that the trunk itself answers is reported at its end.
		onTrunk(scene, 200, 'insert_call', { id_call: 9 });
		onTrunk(scene, 201, 'connect_call', { id_call: 9 });
		onTrunk(scene, 300, 'delete_call', { id_call: 9 }).tick(400);
		expect(scene.kinds().slice(3)).toEqual(['answered', 'ended']);
	});

	it('is answered by the agent when a trunk took it before', () => {
		const scene = new Scene();
		onTrunk(scene, 0, 'insert_call');
		onTrunk(scene, 1, 'connect_call');
		scene.insert(2, 301).connect(20, 301, 501).leave(50, 301);
		onTrunk(scene, 50, 'delete_call').tick(100);
		expect(scene.outcomes).toMatchObject([
			{ kind: 'answered', wait: 20, agents: ['501'], place: 'queue:301' },
			{ kind: 'ended', wait: 20, talk: 30, agents: ['501'], transfers: 0 },
		]);
	});

	it('is passed on, within a trunk that stays connected, when it enters another queue', () => {
		const scene = new Scene();
		onTrunk(scene, 0, 'insert_call');
		onTrunk(scene, 1, 'connect_call');
		scene.insert(2, 301).connect(20, 301, 501).leave(50, 301).insert(51, 302);
		scene.connect(60, 302, 502).leave(70, 302);
		onTrunk(scene, 70, 'delete_call').tick(100);
		expect(scene.outcomes.at(-1)).toMatchObject({ agents: ['501', '502'], transfers: 1 });
	});

	it('is missed if its trunk is only connected because the call waits', () => {
		const scene = new Scene().insert(0, 301);
		onTrunk(scene, 1, 'insert_call');
		onTrunk(scene, 2, 'connect_call');
		scene.leave(30, 301);
		onTrunk(scene, 30, 'delete_call').tick(60);
		expect(scene.kinds()).toEqual(['missed']);
	});

	it('is answered by a trunk that it overflowed to', () => {
		const scene = new Scene().insert(0, 301).leave(30, 301);
		onTrunk(scene, 31, 'insert_call');
		onTrunk(scene, 35, 'connect_call');
		onTrunk(scene, 90, 'delete_call').tick(120);
		expect(scene.outcomes).toMatchObject([
			{ kind: 'answered', wait: 35 },
			{ kind: 'ended', talk: 55 },
		]);
	});

	it.each<[string, Record<string, unknown>]>([
		['no place', { id_call: 7 }],
		['an empty place', { id_call: 7, id_queue: null }],
	])('ends with an event that names %s', (_name, msg) => {
		const missed = new Scene().insert(0, 301);
		missed.take(missed.event(20, 'queue', 'delete_call', msg)).tick(60);
		expect(missed.outcomes).toMatchObject([
			{ kind: 'missed', wait: 20, place: 'queue:301', reason: undefined },
		]);
		const answered = new Scene().insert(0, 301).connect(5, 301, 501);
		for (const second of [20, 21]) {
			answered.take(answered.event(second, 'queue', 'delete_call', msg));
		}
		expect(answered.tick(60).outcomes).toMatchObject([{}, { kind: 'ended', talk: 15 }]);
	});

	it('leaves its queue, not its trunk, with a queue event that names no place', () => {
		const scene = new Scene();
		onTrunk(scene, 0, 'insert_call');
		scene.insert(1, 301).connect(5, 301, 501);
		scene.take(scene.event(20, 'queue', 'delete_call', { id_call: 7 })).tick(60);
		expect(scene.kinds()).toEqual(['answered']);
		// The queue was left already, so this ends the trunk.
		scene.take(scene.event(70, 'queue', 'delete_call', { id_call: 7 })).tick(100);
		expect(scene.kinds()).toEqual(['answered', 'ended']);
	});

	it('is answered by an event that names no place', () => {
		const scene = new Scene().insert(0, 301);
		const msg = { id_call: 7, id_operator: 501, status: 'connected' };
		scene
			.take(scene.event(6, 'queue', 'connect_call', msg))
			.leave(20, 301)
			.tick(60);
		expect(scene.outcomes).toMatchObject([
			{ kind: 'answered', wait: 6, place: 'queue:301' },
			{ kind: 'ended', talk: 14 },
		]);
	});

	it('is not begun by an event that names no place', () => {
		const scene = new Scene();
		scene.take(scene.event(0, 'queue', 'delete_call', { id_call: 7 }));
		scene.take(scene.event(0, 'trunk', 'connect_call', { id_call: 7 }));
		expect(scene.tracker.size).toBe(0);
	});

	it('has the same outcome in any order and with any repetition of its events', () => {
		const scene = new Scene();
		const of = (second: number, type: string, name: string, msg: object) =>
			scene.event(second, type, name, { id_call: 7, ...msg });
		const events = [
			of(0, 'trunk', 'insert_call', { id_trunk: 701 }),
			of(1, 'trunk', 'connect_call', { id_trunk: 701, status: 'connected' }),
			of(2, 'queue', 'insert_call', { id_queue: 301 }),
			of(9, 'queue', 'connect_call', { id_queue: 301, id_operator: 501, status: 'ringing' }),
			of(30, 'queue', 'delete_call', {}),
			of(30, 'trunk', 'delete_call', {}),
		];
		const order = fc.shuffledSubarray([...events, ...events], { minLength: 12, maxLength: 12 });
		fc.assert(
			fc.property(order, (shuffled) => {
				const tracker = new CallTracker((START - 3600) * 1000);
				const begun = shuffled.findIndex(({ msg }) => 'id_queue' in msg || 'id_trunk' in msg);
				const known = [nth(events, 2), ...shuffled.slice(begun)].map((event, index) => ({
					...event,
					receivedAt: (START + 40) * 1000 + index,
				}));
				fc.pre(events.every((event) => known.some(({ cpt }) => cpt === event.cpt)));
				const outcomes = known.flatMap((event) => tracker.onEvent(event));
				outcomes.push(...tracker.tick((START + 100) * 1000));
				expect(outcomes).toMatchObject([{ kind: 'missed', wait: 30, queues: ['301'] }]);
			}),
		);
	});

	it('is followed in a trunk like in a queue', () => {
		const scene = new Scene();
		const msg = { id_call: -5, id_trunk: '701', caller_id_num: '+4420' };
		scene.take(scene.event(0, 'trunk', 'insert_call', msg));
		scene.take(scene.event(8, 'trunk', 'connect_call', { ...msg, status: 'connected' }));
		scene.take(scene.event(30, 'trunk', 'delete_call', { id_call: '-5', id_trunk: 701 })).tick(60);
		expect(scene.outcomes).toEqual([
			expect.objectContaining({ kind: 'answered', callId: '-5', place: 'trunk:701', wait: 8 }),
			expect.objectContaining({ kind: 'ended', agents: [], talk: 22 }),
		]);
	});

	it('has the same identifier as text or number, even if that is negative', () => {
		const scene = new Scene().insert(0, '301', '-7').connect(5, 301, 501, -7).leave(9, 301, '-7');
		expect(scene.tick(60).kinds()).toEqual(['answered', 'ended']);
	});

	it('is known to be answered from the status of the agent who is connected to it', () => {
		const scene = new Scene().insert(0, 301).agent(4, 501, 'ringing').agent(9, 501, 'connected');
		expect(scene.outcomes).toEqual([
			expect.objectContaining({ kind: 'answered', wait: 9, agents: ['501'] }),
		]);
		expect(scene.connect(9, 301, 501).leave(20, 301).tick(60).kinds()).toEqual([
			'answered',
			'ended',
		]);
	});

	it('shows whether it is recorded, from whichever event reports that', () => {
		const recorded = new Scene()
			.insert(0, 301)
			.agent(3, 501, 'ringing', { rec: 1 })
			.connect(5, 301, 501);
		expect(nth(recorded.agent(6, 501, 'connected', { rec: 0 }).outcomes, 0).recorded).toBe(true);
		const not = new Scene()
			.insert(0, 301)
			.agent(3, 501, 'ringing', { rec: '0' })
			.connect(5, 301, 501);
		expect(nth(not.outcomes, 0).recorded).toBe(false);
		expect(
			nth(new Scene().insert(0, 301).connect(5, 301, 501).outcomes, 0).recorded,
		).toBeUndefined();
	});

	it('contains the called number if num events report it', () => {
		const scene = new Scene();
		const num = {
			type_notification: 'num',
			event: 'start',
			msg: { id_call: '7', service: '+3319' },
		};
		scene
			.take(nth(readUpdate([num], START * 1000), 0))
			.insert(1, 301)
			.leave(5, 301)
			.tick(60);
		expect(nth(scene.outcomes, 0).service).toBe('+3319');
	});

	it("is ignored while only an agent's events mention it", () => {
		const scene = new Scene().agent(0, 501, 'calling').agent(5, 501, 'connected').tick(maxAgeMs);
		expect(scene.outcomes).toEqual([]);
		expect(scene.tracker.size).toBe(0);
	});

	it('is not created by alerts or by events without a call or a queue', () => {
		const scene = new Scene();
		scene.take(scene.event(0, 'queue', 'alert_op', { id_call: 7, id_queue: 301 }));
		scene.take(scene.event(0, 'queue', 'insert_call', { id_queue: 301 }));
		scene.take(scene.event(0, 'queue', 'insert_call', { id_call: 7, id_queue: null }));
		scene.take(scene.event(0, 'constructor', 'insert_call', { id_call: 7, id_queue: 1 }));
		scene.take(scene.event(0, 'queue', 'constructor', { id_call: 7, id_queue: 1 }));
		expect(scene.tracker.size).toBe(0);
	});
});

describe('calls that were only partly seen', () => {
	it('are partial if the call was connected before the feed opened', () => {
		const scene = new Scene().leave(10, 301).tick(60);
		expect(scene.outcomes).toHaveLength(1);
		expect(scene.outcomes[0]).toMatchObject({
			kind: 'ended',
			reason: 'start-not-seen',
			transfers: 0,
		});
		expect(nth(scene.outcomes, 0).answered).toBeUndefined();
		expect(nth(scene.outcomes, 0).wait).toBeUndefined();
		expect(nth(scene.outcomes, 0).talk).toBeUndefined();
	});

	it('are partial, answer and end, if the call was waiting before the feed opened', () => {
		const scene = new Scene()
			.connect(10, 301, 501)
			.tick(10 + reorderMs / 1000)
			.leave(40, 301)
			.tick(60);
		expect(scene.outcomes).toEqual([
			expect.objectContaining({ kind: 'answered', reason: 'start-not-seen', wait: undefined }),
			expect.objectContaining({ kind: 'ended', reason: 'start-not-seen', talk: 30 }),
		]);
	});

	it('are partial if the call came over from another queue as the feed opened', () => {
		const moved = new Scene(CALLS_DEFAULTS, 0).insert(1, 302, 7, { duration_in_queue: 40 });
		expect(nth(moved.connect(9, 302, 501).outcomes, 0).reason).toBe('start-not-seen');
		const fresh = new Scene(CALLS_DEFAULTS, 0).insert(1, 302).connect(9, 302, 501);
		expect(nth(fresh.outcomes, 0).reason).toBeUndefined();
		const later = new Scene(CALLS_DEFAULTS, 0).insert(60, 302, 7, { duration_in_queue: 40 });
		expect(nth(later.connect(69, 302, 501).outcomes, 0).reason).toBeUndefined();
	});

	it('have no waiting time if its value is not a number', () => {
		const odd = { duration_in_queue: [{ toString: 0 }] };
		const scene = new Scene(CALLS_DEFAULTS, 0).insert(1, 302, 7, odd).connect(9, 302, 501);
		expect(nth(scene.outcomes, 0).reason).toBeUndefined();
	});

	it('are never called missed if an interruption may have hidden the answer', () => {
		const scene = new Scene().insert(0, 301);
		scene.tracker.onBreak();
		scene.leave(60, 301).tick(90);
		expect(scene.outcomes).toHaveLength(1);
		expect(scene.outcomes[0]).toMatchObject({ kind: 'ended', reason: 'feed-gap' });
		expect(nth(scene.outcomes, 0).answered).toBeUndefined();
	});

	it('are marked if the call continues after an interruption, and their end is found in another queue', () => {
		const scene = new Scene().insert(0, 301);
		scene.tracker.onBreak();
		scene.tracker.onBreak();
		scene.connect(60, 302, 501).leave(80, 302).tick(120);
		expect(scene.outcomes).toEqual([
			expect.objectContaining({ kind: 'answered', reason: 'feed-gap' }),
			expect.objectContaining({ kind: 'ended', reason: 'feed-gap' }),
		]);
		expect(scene.tracker.size).toBe(0);
	});

	it('are not those that begin after the interruption', () => {
		const scene = new Scene();
		scene.tracker.onBreak();
		scene.insert(1, 301).connect(2, 301, 501).leave(9, 301).tick(60);
		expect(scene.outcomes.map(({ reason }) => reason)).toEqual([undefined, undefined]);
	});

	it('are dropped if the call has no end, which is reported', () => {
		const scene = new Scene().insert(0, 301).connect(5, 301, 501);
		expect(scene.tracker.nextDue()).toBeLessThanOrEqual((START + 5) * 1000 + maxAgeMs);
		scene.tick(4 + maxAgeMs / 1000);
		expect(scene.kinds()).toEqual(['answered']);
		scene.tick(5 + maxAgeMs / 1000);
		expect(scene.outcomes[1]).toMatchObject({
			kind: 'ended',
			reason: 'end-not-seen',
			answered: true,
		});
		expect(nth(scene.outcomes, 1).endedAt).toBeUndefined();
		expect(scene.tracker.size).toBe(0);
	});

	it('are given up, the longest silent one first, if there are too many', () => {
		const scene = new Scene({ ...CALLS_DEFAULTS, maxCalls: 2 });
		scene.insert(0, 301, 1).insert(1, 301, 2).agent(2, 501, 'ringing').insert(3, 301, 1);
		scene.insert(4, 301, 3);
		expect(scene.outcomes).toEqual([
			expect.objectContaining({ callId: '2', kind: 'ended', reason: 'too-many-calls' }),
		]);
		expect(scene.tracker.size).toBe(2);
	});

	it('are given up, the longest silent one first, if their events take too much memory', () => {
		const scene = new Scene({ ...CALLS_DEFAULTS, maxBytes: 12_000 });
		// Agents with names of 250 characters who pass calls on and on: about 450 bytes per event.
		const agent = (index: number) => `${'a'.repeat(250)}${index}`;
		for (const call of [1, 2, 3]) {
			scene.insert(call, 301, call);
			for (let index = 0; index < 10; index++)
				scene.connect(call * 20 + index, 301, agent(index), call);
		}
		expect(scene.outcomes.filter(({ reason }) => reason === 'too-many-calls')).toMatchObject([
			{ callId: '1', kind: 'ended' },
		]);
		expect(scene.tracker.size).toBe(2);
	});

	it('do not keep overlong identifiers', () => {
		const scene = new Scene();
		scene.insert(1, 301).connect(2, 301, 'a'.repeat(100_000)).leave(5, 301).tick(60);
		expect(scene.outcomes.at(-1)).toMatchObject({ kind: 'ended', answered: true, agents: [] });
	});

	it('have a limited history, and the limit is reported', () => {
		const scene = new Scene();
		for (let index = 0; index < MOST_CALL_EVENTS; index++)
			scene.insert(index, index % 2 === 0 ? 301 : 302);
		scene.insert(400, 301).leave(500, 301).leave(500, 302).tick(600);
		expect(scene.outcomes.at(-1)).toMatchObject({
			reason: 'too-many-events',
			startedAt: START * 1000,
		});
	});
});

describe('repeated and out-of-order events', () => {
	it('change nothing if they are repeated', () => {
		const scene = new Scene();
		const events = [
			scene.event(0, 'queue', 'insert_call', { id_call: 7, id_queue: 301 }),
			scene.event(5, 'queue', 'connect_call', { id_call: 7, id_queue: 301, id_operator: 501 }),
			scene.event(9, 'queue', 'delete_call', { id_call: 7, id_queue: 301 }),
		];
		for (const event of events) scene.take(event).take(event);
		for (const event of events) scene.take(event);
		scene.tick(60);
		for (const event of events) scene.take(event);
		scene.tick(120);
		expect(scene.kinds()).toEqual(['answered', 'ended']);
		expect(scene.outcomes.map(({ reason }) => reason)).toEqual([undefined, undefined]);
	});

	it('give the same result in every order that arrives within the grace time', () => {
		const orders = permutations([0, 1, 2, 3]);
		const results = orders.map((order) => {
			const scene = new Scene();
			const wires = [
				['queue', 'insert_call', { id_call: 7, id_queue: 301 }, 0, 1],
				['queue', 'connect_call', { id_call: 7, id_queue: 301, id_operator: 501 }, 1, 2],
				['operator', 'status', { id_call: 7, id_operator: 501, status: 'connected', rec: 1 }, 1, 3],
				['queue', 'delete_call', { id_call: 7, id_queue: 301 }, 1, 4],
			] as const;
			for (const [position, index] of order.entries()) {
				const [type, name, msg, second, cpt] = nth(wires, index);
				const wire = {
					cpt,
					ts: START + second,
					event: { type_notification: type, event: name, msg },
				};
				scene.take(nth(readUpdate([wire], (START + 2) * 1000 + position * 100), 0));
			}
			return scene.tick(60).outcomes;
		});
		for (const [index, outcomes] of results.entries()) {
			expect([orders[index], outcomes.map(({ kind }) => kind)]).toEqual([
				orders[index],
				['answered', 'ended'],
			]);
			expect(outcomes[1]).toMatchObject({ wait: 1, talk: 0, agents: ['501'], transfers: 0 });
			expect(outcomes.map(({ reason }) => reason)).toEqual([undefined, undefined]);
		}
	});

	it('start over with an identifier that is used again for a later call', () => {
		const scene = new Scene().insert(0, 301).leave(9, 301).tick(60).insert(70, 301).leave(75, 301);
		expect(scene.tick(120).kinds()).toEqual(['missed', 'missed']);
		expect(scene.outcomes[1]).toMatchObject({ wait: 5, startedAt: (START + 70) * 1000 });
	});
});

describe('the time of the next check', () => {
	it('is that of the earliest item that is due', () => {
		const scene = new Scene();
		expect(scene.tracker.nextDue()).toBeUndefined();
		scene.insert(0, 301, 1).leave(3, 301, 1).insert(4, 301, 2);
		expect(scene.tracker.nextDue()).toBe((START + 3) * 1000 + graceMs);
		scene.connect(4, 301, 501, 9);
		expect(scene.tracker.nextDue()).toBe((START + 4) * 1000 + reorderMs);
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
		const scene = new Scene().insert(0, 301).connect(12, 301, 501);
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
			nth(new Scene().leave(1, 301).tick(60).outcomes, 0),
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

function permutations<T>(list: T[]): T[][] {
	if (list.length === 0) return [[]];
	return list.flatMap((item, index) =>
		permutations([...list.slice(0, index), ...list.slice(index + 1)]).map((rest) => [
			item,
			...rest,
		]),
	);
}
