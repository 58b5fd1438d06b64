// What a workflow learns after a restart of n8n: everything that it may have missed.

import type { IDataObject } from 'n8n-workflow';
import { Position } from '../../../../nodes/VoiceManagementTrigger/execution/position';
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

const all = () => ({ unfinished: undefined, complete: true, everyEvent: true });

/** The data saved by a process that got events 101 to 105 and whose executions have all ended. */
function afterFive(countsByOne = true): IDataObject {
	const data: IDataObject = {};
	const position = new Position(data, false, new HandClock());
	for (let nth = 1; nth <= 5; nth++) position.received(event(100 + nth, START + nth));
	position.save(true, all, countsByOne, false);
	return JSON.parse(JSON.stringify(data)) as IDataObject;
}

const restarted = (data: IDataObject) => new Position(data, true, new HandClock());

/** What is saved after events 101 to 109, of which some had not ended, or were not handed over. */
function left(reach: { unfinished?: number; complete?: boolean; everyEvent?: boolean }) {
	const data: IDataObject = {};
	const position = new Position(data, false, new HandClock());
	for (let cpt = 101; cpt <= 109; cpt++) position.received(event(cpt, START + cpt));
	const { unfinished: cpt, complete = true, everyEvent = true } = reach;
	const unfinished = cpt === undefined ? undefined : { at: START + cpt, cpt };
	position.save(complete, () => ({ unfinished, complete, everyEvent }), true, false);
	return data;
}

/** The gap that an event with this number reports a minute later: where it begins, after 12:00:00, and what is missed. */
function told(data: IDataObject, cpt: number | undefined): string {
	const gap = restarted(data).received(event(cpt, START + 60_000));
	return gap ? `from ${gap.from - START}, missed ${gap.missed ?? '?'}` : 'none';
}

describe('after a restart of n8n', () => {
	const at = (moment: unknown) => ({ ...(afterFive().position as IDataObject), at: moment });
	/** Its number was 1: a new connection may count for itself. */
	const afterOne = () => {
		const data: IDataObject = {};
		const position = new Position(data, false, new HandClock());
		position.received(event(1, START + 1));
		position.save(true, all, true, false);
		return data;
	};

	it.each<[string, IDataObject, number | undefined, string]>([
		['an event proves how many are missing', afterFive(), 136, 'from -995, missed 30'],
		['or that none is', afterFive(), 106, 'none'],
		['numbers with gaps of their own prove nothing', afterFive(false), 106, 'from -995, missed ?'],
		['nor do those that began anew', afterFive(), 1, 'from -995, missed ?'],
		['nor those that are not there', afterFive(), undefined, 'from -995, missed ?'],
		['nor those that jumped too far', afterFive(), 5_000_000, 'from -995, missed ?'],
		['nor low ones', afterOne(), 2, 'from -999, missed ?'],
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
		['what had not ended is in the gap', left({ unfinished: 104 }), 112, 'from -896, missed 2'],
		['the last one had not ended', left({ unfinished: 109 }), 110, 'none'],
		['the last one had not ended', left({ unfinished: 109 }), 140, 'from -891, missed 30'],
		// Some may have been handed over, or have come, after it was saved.
		['events waited', left({ unfinished: 104, complete: false }), 140, 'from -896, missed ?'],
		['only some events are wanted', left({ everyEvent: false }), 110, 'none'],
		['only some events are wanted', left({ everyEvent: false }), 140, 'from -891, missed ?'],
	])('%s: with %j, number %p reports %s', (_what, data, cpt, expected) => {
		expect(told(data, cpt)).toBe(expected);
	});

	it('the gap has its reason and its numbers, and is reported once', () => {
		const position = restarted(afterFive());
		expect(position.received(event(136, START + 15_000))).toEqual({
			from: START + 5 - 1000,
			to: START + 15_000,
			reason: 'n8n was not running',
			lastCpt: 105,
			firstCpt: 136,
			missed: 30,
		});
		expect(position.received(event(190, START))).toBeUndefined();
	});

	describe('without an event until its end', () => {
		/** The data saved by a trigger that received nothing for a minute. */
		async function untold(data: IDataObject) {
			const clock = new HandClock(START + 10_000);
			const position = new Position(data, true, clock);
			await clock.turn(60_000);
			return position.untold();
		}

		const activated = (data: IDataObject, left: Awaited<ReturnType<typeof untold>>) =>
			new Position(data, false, new HandClock(), left);

		it('the next trigger reports the gap up to that end: events while no trigger was active are not missing', async () => {
			const data = afterFive();
			const left = await untold(data);
			expect(activated(data, left).received(event(136, START + 600_000))).toEqual({
				from: START + 5 - 1000,
				to: START + 70_000,
				reason: 'n8n was not running',
				lastCpt: 105,
			});
		});

		it('nothing is reported if the numbers prove that nothing was sent', async () => {
			const data = afterFive();
			const left = await untold(data);
			expect(activated(data, left).received(event(106, START + 600_000))).toBeUndefined();
		});

		it('the gap is passed on until it is reported, always with the first end, and n8n saves it as well', async () => {
			const data = afterFive();
			const left = await untold(data);
			const again = activated(data, left).untold();
			expect(again).toEqual(left);
			expect(again?.until).toBe(START + 70_000);
			expect(data).toEqual(afterFive());
		});

		it('a gap that was reported with an event is not passed on', () => {
			const position = restarted(afterFive());
			position.received(event(136, START + 15_000));
			expect(position.untold()).toBeUndefined();
		});
	});

	it('a person who activates the workflow starts without an earlier position', () => {
		const data = afterFive();
		expect(new Position(data, false, new HandClock()).received(event(136, START))).toBeUndefined();
		expect(data).toEqual({});
	});
});

describe('the position', () => {
	it('has no number of missed events if the oldest thing that has not ended is a report without one', () => {
		const data: IDataObject = {};
		const position = new Position(data, false, new HandClock());
		position.received(event(109, START + 9));
		position.save(true, () => ({ ...all(), unfinished: { at: START - 9000 } }), true, false);
		const gap = restarted(data).received(event(111, START + 9000));
		expect(gap).toMatchObject({ from: START - 10_000, firstCpt: 111 });
		expect(gap).not.toHaveProperty('missed');
	});

	it("is saved with the machine's time, also if its clock was set back: the next process knows no other", () => {
		const machine = new HandClock();
		const clock = steady(machine);
		clock.now();
		machine.jump(-3_600_000);
		const data: IDataObject = {};
		const position = new Position(data, false, clock);
		position.received(event(109, clock.now()));
		position.save(true, all, true, false);
		expect(data.position).toMatchObject({ at: machine.now() });
	});

	/** A position, and how often it was saved. */
	function counted(clock: HandClock) {
		const writes = { count: 0 };
		const data = new Proxy<IDataObject>(
			{},
			{
				set: (target, name, value) => {
					writes.count++;
					return Reflect.set(target, name, value);
				},
			},
		);
		return { position: new Position(data, false, clock), writes };
	}

	it('changes with the first batch behind which something waits, then every five seconds, since each change costs n8n a write', async () => {
		const clock = new HandClock();
		const { position, writes } = counted(clock);
		position.received(event(1, clock.now()));
		position.save(true, all, true, false);
		for (let cpt = 2; cpt <= 101; cpt++) {
			position.received(event(cpt, clock.now()));
			position.save(false, () => ({ ...all(), complete: false }), true, false);
			await clock.turn(100);
		}
		expect(writes.count).toBe(3);
	});

	it('changes with each batch behind which nothing waits, and with the last batches of a trigger', () => {
		const { position, writes } = counted(new HandClock());
		for (let cpt = 1; cpt <= 60; cpt++) {
			position.received(event(cpt, START));
			position.save(true, all, true, false);
		}
		expect(writes.count).toBe(60);
		position.save(false, () => ({ ...all(), complete: false }), true, false);
		position.save(false, () => ({ ...all(), complete: false }), true, true);
		expect(writes.count).toBe(62);
	});

	it('is neither saved nor deleted until something arrives', () => {
		const touched = jest.fn(() => true);
		const data = new Proxy<IDataObject>({}, { set: touched, deleteProperty: touched });
		new Position(data, false, new HandClock()).save(true, all, true, true);
		expect(touched).not.toHaveBeenCalled();
	});
});
