// When events are read: together, soon, each at its own moment, and whatever another trigger does.

import { LiveScene, trigger } from './scene';

const OUTCOMES = { mode: 'callOutcomes', outcomes: [] };
const told = ({ executions }: LiveScene) => executions.flat().map(({ event }) => event);
/** What has left by itself: nobody has looked. */
function watched() {
	const left: unknown[] = [];
	const live = new LiveScene(OUTCOMES, undefined, {}, undefined, undefined, (...all) => {
		const [parameters, directory, clock, take, more] = all;
		const noting = (items: Parameters<typeof take>[0]) => {
			left.push(...items.map(({ event }) => [event, live.now]));
			take(items);
		};
		return trigger(parameters, directory, clock, noting, more);
	});
	return { live: live.open(), left };
}

describe('what arrives', () => {
	it('is read at once if nothing came just before, and a quarter of a second later at most', async () => {
		const { live, left } = watched();
		live.enters(1).answered(1);
		await live.at(0.001);
		expect(left).toEqual([['answered', 0]]);
		await live.at(0.1);
		live.enters(2).answered(2);
		await live.at(0.2);
		live.enters(3).answered(3);
		await live.at(1);
		expect(left).toEqual([
			['answered', 0],
			['answered', 0.25],
			['answered', 0.25],
		]);
		expect(live.items.map(({ wait }) => wait)).toEqual([0, 0, 0]);
	});

	it('is read in between if thousands arrive at once', () => {
		const { live, left } = watched();
		for (let call = 1; call <= 5_000; call++) live.enters(call).answered(call);
		expect(left).toHaveLength(5_000);
	});

	it('is read before the trigger ends, and nothing afterwards', () => {
		const { live, left } = watched();
		live.enters(1).answered(1).close();
		expect(left).toEqual([['answered', 0]]);
		expect(live.clock.pending).toBe(0);
	});

	it('is not for a trigger that joins afterwards', async () => {
		const { live } = watched();
		live.enters(1).answered(1);
		const second = live.join(OUTCOMES).open();
		await live.at(1);
		expect([told(live), told(second)]).toEqual([['answered'], []]);
	});

	it('is read by all triggers if one fails, which says so', async () => {
		const key = {};
		const failed: unknown[] = [];
		const failing = new LiveScene(OUTCOMES, undefined, key, undefined, undefined, (...all) => {
			const [parameters, directory, clock, , more] = all;
			const fails = () => {
				throw new TypeError('of this trigger');
			};
			const noting = { ...more, failed: (error: unknown) => failed.push(error) };
			return trigger(parameters, directory, clock, fails, noting);
		}).open();
		const other = failing.join(OUTCOMES).open();
		await failing.play('0 enters 1, 1 answered 1, 10 leaves 1, 30 -');
		expect(told(other)).toEqual(['answered', 'ended']);
		expect(failed.map(String)).toEqual(Array(2).fill('TypeError: of this trigger'));
	});
});
