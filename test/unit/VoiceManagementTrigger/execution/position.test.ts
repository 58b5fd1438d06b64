// What a workflow learns after a restart of n8n: everything that it may have missed.

import type { IDataObject } from 'n8n-workflow';
import { Position } from '../../../../nodes/VoiceManagementTrigger/execution/position';
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

const nothing = () => ({ unfinished: undefined, waiting: undefined });

/** The data saved by a process that got events 101 to 105 and whose executions have all ended. */
function afterFive(countsByOne = true): IDataObject {
	const data: IDataObject = {};
	const position = new Position(data, false, new HandClock());
	for (let nth = 1; nth <= 5; nth++) position.received(event(100 + nth, START + nth));
	position.save(nothing, countsByOne, false);
	return JSON.parse(JSON.stringify(data)) as IDataObject;
}

const restarted = (data: IDataObject) => new Position(data, true, new HandClock());

describe('after a restart of n8n', () => {
	it('the first event triggers a gap with its beginning and end and the number of missed events', () => {
		expect(restarted(afterFive()).received(event(136, START + 15_000))).toEqual({
			from: START + 5 - 1000,
			to: START + 15_000,
			durationMs: 15_995,
			reason: 'n8n was not running',
			lastCpt: 105,
			firstCpt: 136,
			missed: 30,
		});
	});

	it('the gap is reported once', () => {
		const position = restarted(afterFive());
		position.received(event(136, START));
		expect(position.received(event(190, START))).toBeUndefined();
	});

	it('no gap is reported if the numbers prove that nothing was sent in between', () => {
		expect(restarted(afterFive()).received(event(106, START + 15_000))).toBeUndefined();
	});

	it.each([
		['were not recognised as gapless', afterFive(false), 106],
		['began anew', afterFive(), 1],
		['are not there', afterFive(), undefined],
		['jumped too far for one numbering', afterFive(), 5_000_000],
	])('the gap is reported without a count if the numbers %s', (_, data, cpt) => {
		const gap = restarted(data).received(event(cpt, START + 15_000));
		expect(gap).toMatchObject({ reason: 'n8n was not running', from: START - 995 });
		expect(gap).not.toHaveProperty('missed');
	});

	it('a low number proves nothing, since the new connection may count for itself', () => {
		const data: IDataObject = {};
		const position = new Position(data, false, new HandClock());
		position.received(event(1, START + 1));
		position.save(nothing, true, false);
		// Its first event got lost.
		const gap = restarted(data).received(event(2, START + 15_000));
		expect(gap).toMatchObject({ reason: 'n8n was not running', lastCpt: 1, firstCpt: 2 });
		expect(gap).not.toHaveProperty('missed');
	});

	it.each([
		['nothing', {}],
		['something else', { position: 'x' }],
		['half of it', { position: { cpt: 4 } }],
	])('nothing is reported if n8n kept %s', (_, data) => {
		expect(restarted(data).received(event(106, START))).toBeUndefined();
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
				durationMs: 70_995,
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
	/** What is saved after events 101 to 109, of which some were not finished, or not given to n8n. */
	function left(unfinished?: number, waiting?: number): IDataObject {
		const data: IDataObject = {};
		const position = new Position(data, false, new HandClock());
		for (let cpt = 101; cpt <= 109; cpt++) position.received(event(cpt, START + cpt));
		const moment = (cpt?: number) => (cpt === undefined ? undefined : { at: START + cpt, cpt });
		position.save(
			() => ({ unfinished: moment(unfinished), waiting: moment(waiting) }),
			true,
			false,
		);
		return data;
	}

	it('begins the gap before the oldest event that n8n has not finished, and counts the events that n8n did not get', () => {
		expect(restarted(left(104, 107)).received(event(112, START + 9000))).toMatchObject({
			from: START + 104 - 1000,
			lastCpt: 103,
			missed: 5,
		});
	});

	it('proves that nothing is missing although the last execution had not ended when it was saved', () => {
		expect(restarted(left(109)).received(event(110, START + 9000))).toBeUndefined();
		expect(restarted(left(109)).received(event(140, START + 9000))).toMatchObject({ missed: 30 });
	});

	it('has no number of missed events if the oldest thing that n8n has not finished is a report without one', () => {
		const data: IDataObject = {};
		const position = new Position(data, false, new HandClock());
		position.received(event(109, START + 9));
		position.save(() => ({ unfinished: { at: START - 9000 }, waiting: undefined }), true, false);
		const gap = restarted(data).received(event(111, START + 9000));
		expect(gap).toMatchObject({ from: START - 10_000, firstCpt: 111 });
		expect(gap).not.toHaveProperty('missed');
	});

	it('proves nothing if the oldest waiting event has no number', () => {
		const data: IDataObject = {};
		const position = new Position(data, false, new HandClock());
		position.received(event(109, START + 9));
		const waiting = { at: START + 4 };
		position.save(() => ({ unfinished: waiting, waiting }), true, false);
		expect(restarted(data).received(event(110, START + 9000))).not.toHaveProperty('missed');
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

	it('changes at most every five seconds while more events wait, since each change costs n8n a write', async () => {
		const clock = new HandClock();
		const { position, writes } = counted(clock);
		for (let cpt = 1; cpt <= 100; cpt++) {
			position.received(event(cpt, clock.now()));
			position.save(() => ({ unfinished: undefined, waiting: { at: START } }), false, false);
			await clock.turn(100);
		}
		expect(writes.count).toBe(2);
	});

	it('changes after two seconds with a batch that nothing waits behind, and with the last batches of a trigger', async () => {
		const clock = new HandClock();
		const { position, writes } = counted(clock);
		for (let cpt = 1; cpt <= 60; cpt++) {
			position.received(event(cpt, clock.now()));
			position.save(nothing, false, false);
			await clock.turn(100);
		}
		expect(writes.count).toBe(3);
		position.save(nothing, false, true);
		expect(writes.count).toBe(4);
	});

	it('changes once the numbers are known to count by one', () => {
		const { position, writes } = counted(new HandClock());
		position.received(event(1, START));
		position.save(nothing, false, false);
		position.save(nothing, true, false);
		position.save(nothing, true, false);
		expect(writes.count).toBe(2);
	});

	it('changes when a batch that n8n rejected is retried: it may be the only one that n8n starts', () => {
		const data: IDataObject = {};
		const position = new Position(data, false, new HandClock());
		position.received(event(101, START));
		position.received(event(102, START));
		position.save(nothing, true, false);
		position.rejected();
		const left = { at: START, cpt: 102 };
		position.save(() => ({ unfinished: left, waiting: left }), true, false);
		// n8n was killed before the second one.
		expect(restarted(data).received(event(103, START + 9000))).toMatchObject({ missed: 1 });
	});

	it('is neither saved nor deleted until something arrives', () => {
		const touched = jest.fn(() => true);
		const data = new Proxy<IDataObject>({}, { set: touched, deleteProperty: touched });
		new Position(data, false, new HandClock()).save(nothing, true, true);
		expect(touched).not.toHaveBeenCalled();
	});
});
