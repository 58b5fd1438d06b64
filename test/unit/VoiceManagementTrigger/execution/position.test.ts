// What a workflow learns after a restart of n8n: everything that it may have missed.

import type { IDataObject } from 'n8n-workflow';
import {
	Position,
	type PositionOptions,
	type Reach,
} from '../../../../nodes/VoiceManagementTrigger/execution/position';
import { steady } from '../../../../nodes/VoiceManagementTrigger/feed/clock';
import type { FeedEvent } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { HandClock, START } from '../../../support/world';

const event = (cpt: number | undefined, receivedAt: number): FeedEvent => ({
	type: 'queue',
	event: 'insert_call',
	...(cpt === undefined ? {} : { cpt }),
	msg: {},
	raw: {},
	receivedAt,
});

function make(options: Partial<PositionOptions> = {}): Position {
	return new Position({
		staticData: {},
		restarted: false,
		account: () => 'ours',
		everyEvent: true,
		clock: new HandClock(),
		...options,
	});
}

/** What is saved after events 101 to 105, by whom and when. */
function saved(reach: Partial<Reach> = {}, options: Partial<PositionOptions> = {}): IDataObject {
	const staticData: IDataObject = {};
	const position = make({ staticData, ...options });
	for (let nth = 1; nth <= 5; nth++) position.received(event(100 + nth, START + nth));
	position.save(true, () => ({ at: START + 5, isExact: true, ...reach }));
	return JSON.parse(JSON.stringify(staticData)) as IDataObject;
}

const restarted = (staticData: IDataObject, options: Partial<PositionOptions> = {}) =>
	make({ staticData, restarted: true, ...options });

/** The gap that an event with this number reports a minute later: where it begins, after 12:00:00, and what is missed. */
function told(staticData: IDataObject, cpt: number | undefined): string {
	const gap = restarted(staticData).received(event(cpt, START + 60_000));
	return gap ? `from ${gap.from - START}, missed ${gap.missed ?? '?'}` : 'none';
}

describe('after a restart of n8n', () => {
	const at = (moment: unknown) => ({ ...(saved().position as IDataObject), at: moment });

	it.each<[string, IDataObject, number | undefined, string]>([
		['an event proves how many are missing', saved(), 136, 'from 5, missed 30'],
		['or that none is', saved(), 106, 'none'],
		[
			'a number that was not exact proves nothing',
			saved({ isExact: false }),
			106,
			'from 5, missed ?',
		],
		['nor do numbers that began anew', saved(), 1, 'from 5, missed ?'],
		['nor those that are not there', saved(), undefined, 'from 5, missed ?'],
		['nor those that jumped too far', saved(), 5_000_000, 'from 5, missed ?'],
		...[-1e15, 0, 1e11, Date.UTC(9999, 0), null, 'yesterday'].map(
			(moment): [string, IDataObject, number, string] => [
				`a time in which nothing can have happened (${moment}) is none`,
				{ position: at(moment) },
				136,
				'none',
			],
		),
		['nothing was kept', {}, 106, 'none'],
		['something else was kept', { position: 'x' }, 106, 'none'],
		['half of it was kept', { position: { cpt: 4 } }, 106, 'none'],
		['what had not ended is in the gap', saved({ at: START - 9_000 }), 107, 'from -9000, missed 1'],
		['only some events are wanted', saved({}, { everyEvent: false }), 106, 'none'],
		['only some events are wanted', saved({}, { everyEvent: false }), 140, 'from 5, missed ?'],
		['it was the feed of another account', saved({}, { account: () => 'theirs' }), 806, 'none'],
	])('%s: with %j, number %p reports %s', (_what, data, cpt, expected) => {
		expect(told(data, cpt)).toBe(expected);
	});

	it('the gap has its reason and its numbers, and is reported once', () => {
		const position = restarted(saved());
		expect(position.received(event(136, START + 15_000))).toEqual({
			from: START + 5,
			to: START + 15_000,
			reason: 'n8n was not running',
			lastCpt: 105,
			firstCpt: 136,
			missed: 30,
		});
		expect(position.received(event(190, START))).toBeUndefined();
	});

	it('… also why it lasted, if n8n was back before the provider', () => {
		const position = restarted(saved());
		position.connected(START + 14_000, 3);
		position.connected(START + 14_500, 1);
		expect(position.received(event(136, START + 15_000))).toMatchObject({
			reason: 'n8n was not running; then: 3 attempts to connect failed',
		});
	});

	it.each<[string, (position: Position) => void, number, string]>([
		['by the first event', () => {}, 10_000, '10000 missed 30'],
		[
			'when the provider serves',
			(one) => one.connected(START + 2_000, 0),
			60_000,
			'7000 missed 30',
		],
		[
			'when it serves, also if that was interrupted since',
			(one) => {
				one.connected(START + 2_000, 0);
				one.disconnected(START + 40_000);
				one.connected(START + 50_000, 0);
			},
			...([60_000, '7000 missed ?'] as const),
		],
		[
			'not with a connection that it did not serve',
			(one) => {
				one.connected(START + 2_000, 0);
				one.disconnected(START + 4_000);
				one.connected(START + 50_000, 0);
			},
			...([60_000, '55000 missed ?'] as const),
		],
	])('the gap ends %s', (_what, happens, eventMs, expected) => {
		const position = restarted(saved());
		happens(position);
		const gap = position.received(event(136, START + eventMs));
		expect(`${(gap?.to ?? 0) - START} missed ${gap?.missed ?? '?'}`).toBe(expected);
	});

	it('the gap of an account that the trigger has left meanwhile has no numbers', () => {
		let account = 'ours';
		const position = restarted(saved(), { account: () => account });
		position.connected(START + 2_000, 0);
		account = 'theirs';
		expect(position.received(event(5_001, START + 60_000))).toEqual({
			...{ from: START + 5, to: START + 7_000, reason: 'n8n was not running', firstCpt: 5_001 },
		});
	});

	it('what is saved stays until an event has come, whatever else is handed over', () => {
		const data = saved();
		restarted(data).save(true, () => ({ at: START + 9_000, isExact: true }));
		expect(data).toEqual(saved());
	});

	describe('without an event until its end', () => {
		/** What a trigger that received nothing for a minute leaves to the next one. */
		async function unreported(staticData: IDataObject) {
			const clock = new HandClock(START + 10_000);
			const position = restarted(staticData, { clock });
			await clock.turn(60_000);
			return position.unreported();
		}

		it('the next trigger reports the gap up to that end: events while no trigger was active are not missing', async () => {
			const left = await unreported(saved());
			expect(make({ left }).received(event(136, START + 600_000))).toEqual({
				from: START + 5,
				to: START + 70_000,
				reason: 'n8n was not running',
				lastCpt: 105,
			});
		});

		it('nothing is reported if the numbers prove that nothing was sent', async () => {
			const left = await unreported(saved());
			expect(make({ left }).received(event(106, START + 600_000))).toBeUndefined();
		});

		it('nor if the next trigger listens to another account', async () => {
			const left = await unreported(saved());
			const position = make({ left, account: () => 'theirs' });
			expect(position.received(event(806, START + 600_000))).toBeUndefined();
		});

		it('the gap is passed on until it is reported, always with the first end, and n8n saves it as well', async () => {
			const staticData = saved();
			const left = await unreported(staticData);
			const again = make({ staticData, left }).unreported();
			expect(again).toEqual(left);
			expect(again?.until).toBe(START + 70_000);
			expect(staticData).toEqual(saved());
		});

		it('a gap that was reported with an event is not passed on', () => {
			const position = restarted(saved());
			position.received(event(136, START + 15_000));
			expect(position.unreported()).toBeUndefined();
		});
	});
});

describe('after a person has activated the workflow', () => {
	it('nothing before is missing', () => {
		expect(make({ staticData: saved() }).received(event(136, START))).toBeUndefined();
	});

	it('a restart before the first event is told, also if the node was renamed', () => {
		const staticData: IDataObject = {};
		make({ staticData });
		expect(told(staticData, 136)).toBe('from 0, missed ?');
	});
});

describe('the position', () => {
	it('has no number of an account that the trigger has left', () => {
		const staticData: IDataObject = {};
		let account = 'ours';
		const position = make({ staticData, account: () => account });
		position.received(event(105, START));
		account = 'theirs';
		position.save(true, () => ({ at: START, isExact: true }));
		expect(staticData.position).toEqual({ account: 'theirs', at: START, everyEvent: true });
	});

	it('has the highest number, not that of an event that another one had overtaken', () => {
		const staticData: IDataObject = {};
		const position = make({ staticData });
		position.received(event(22, START));
		position.received({ ...event(21, START), isLate: true });
		position.save(true, () => ({ at: START, isExact: true }));
		expect(told(staticData, 23)).toBe('none');
	});

	it("is saved with the machine's time, also if its clock was set back: the next process knows no other", () => {
		const machine = new HandClock();
		const clock = steady(machine);
		clock.now();
		machine.jump(-3_600_000);
		const staticData: IDataObject = {};
		make({ staticData, clock }).save(true, () => ({ at: clock.now(), isExact: true }));
		expect(staticData.position).toMatchObject({ at: machine.now() });
	});

	/** A position, and how often it was saved. */
	function counted(clock: HandClock) {
		const writes = { count: 0 };
		const staticData = new Proxy<IDataObject>(
			{},
			{
				set: (target, name, value) => {
					writes.count++;
					return Reflect.set(target, name, value);
				},
			},
		);
		const position = make({ staticData, clock });
		writes.count = 0;
		return { position, writes };
	}

	it('changes with the first batch behind which something waits, then every five seconds, since each change costs n8n a write', async () => {
		const clock = new HandClock();
		const { position, writes } = counted(clock);
		position.received(event(1, clock.now()));
		position.save(true, () => ({ at: clock.now(), isExact: true }));
		for (let cpt = 2; cpt <= 101; cpt++) {
			position.received(event(cpt, clock.now()));
			position.save(false, () => ({ at: clock.now(), isExact: false }));
			await clock.turn(100);
		}
		expect(writes.count).toBe(3);
	});

	it('changes with each batch behind which nothing waits, and with the last batches of a trigger', () => {
		const { position, writes } = counted(new HandClock());
		for (let cpt = 1; cpt <= 60; cpt++) {
			position.received(event(cpt, START));
			position.save(true, () => ({ at: START, isExact: true }));
		}
		expect(writes.count).toBe(60);
		position.save(false, () => ({ at: START, isExact: false }));
		position.save(true, () => ({ at: START, isExact: false }));
		expect(writes.count).toBe(62);
	});

	it('is not saved before the first connection', () => {
		const { position, writes } = counted(new HandClock());
		position.save(true, () => ({ at: undefined, isExact: true }));
		expect(writes.count).toBe(0);
	});
});
