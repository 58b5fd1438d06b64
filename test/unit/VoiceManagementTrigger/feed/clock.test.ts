/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
	machineTime,
	steady,
	systemClock,
} from '../../../../nodes/VoiceManagementTrigger/feed/clock';
import { HandClock } from '../../../support/world';
import { nth } from '../../../support/present';

const elapsed = (delayMs: number) =>
	new Promise<void>((resolve) => void systemClock.after(delayMs, resolve));

/** Forces a garbage collection, which can happen at any time during a two-hour wait. */
function collectGarbage() {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
}

describe('the system clock', () => {
	it('acts after the delay', async () => {
		const before = systemClock.now();
		await elapsed(20);
		expect(systemClock.now() - before).toBeGreaterThanOrEqual(19);
	});

	it('keeps a waiting timer through garbage collection', async () => {
		const waiting = elapsed(50);
		collectGarbage();
		await waiting;
	});

	it('never acts once it was cancelled', async () => {
		const action = jest.fn();
		systemClock.after(5, action)();
		await elapsed(30);
		expect(action).not.toHaveBeenCalled();
	});

	it('acts once if it is cancelled afterwards', async () => {
		const action = jest.fn();
		const cancel = systemClock.after(1, action);
		await elapsed(20);
		cancel();
		expect(action).toHaveBeenCalledTimes(1);
	});

	describe('beyond the longest wait of one timer', () => {
		const longest = 2 ** 31 - 1;
		let timers: Array<{ waitMs: number; aborter: AbortController }>;

		beforeEach(() => {
			timers = [];
			jest.spyOn(AbortSignal, 'timeout').mockImplementation((waitMs) => {
				const aborter = new AbortController();
				timers.push({ waitMs, aborter });
				return aborter.signal;
			});
		});

		afterEach(() => jest.restoreAllMocks());

		it('waits in several turns and acts at the end of the last one', () => {
			const action = jest.fn();
			systemClock.after(longest + 5, action);
			expect(timers.map((timer) => timer.waitMs)).toEqual([longest]);
			nth(timers, 0).aborter.abort();
			expect(action).not.toHaveBeenCalled();
			expect(timers.map((timer) => timer.waitMs)).toEqual([longest, 5]);
			nth(timers, 1).aborter.abort();
			expect(action).toHaveBeenCalledTimes(1);
		});

		it('can be cancelled in a later turn', () => {
			const action = jest.fn();
			const cancel = systemClock.after(longest + 5, action);
			nth(timers, 0).aborter.abort();
			cancel();
			nth(timers, 1).aborter.abort();
			expect(action).not.toHaveBeenCalled();
		});
	});
});

describe('a steady clock', () => {
	class Settable extends HandClock {
		offset = 0;

		override now(): number {
			return super.now() + this.offset;
		}
	}

	it("continues from where it was when the machine was set back, and shows people the machine's time", () => {
		const clock = new Settable(1_000_000);
		const same = steady(clock);
		expect(same.now()).toBe(1_000_000);
		clock.offset = -60_000;
		expect(same.now()).toBe(1_000_000);
		clock.offset = -50_000;
		expect(same.now()).toBe(1_010_000);
		expect(machineTime(same, same.now())).toBe(950_000);
	});

	it('stands still during the small corrections of a time server', () => {
		const clock = new Settable(1_000_000);
		const same = steady(clock);
		same.now();
		clock.offset = -400;
		expect(same.now()).toBe(1_000_000);
		clock.offset = 400;
		expect(same.now()).toBe(1_000_400);
		expect(machineTime(same, same.now())).toBe(1_000_400);
	});

	it('is one for all that use the same clock', () => {
		const clock = new HandClock();
		expect(steady(clock)).toBe(steady(clock));
		expect(steady(steady(clock))).toBe(steady(clock));
	});
});
