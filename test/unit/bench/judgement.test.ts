// The bench's own verdicts: a goal that never fails would not be a goal.
import { judge, printVerdicts } from '../../../bench/controller/report';
import { estimate, median, percentile, ratio } from '../../../bench/controller/statistics';

describe('the statistics of the bench', () => {
	it('are the median, and the mean of the two middle values', () => {
		expect(median([9, 1, 5])).toBe(5);
		expect(median([4, 1, 2, 3])).toBe(2.5);
		expect(percentile([5, 1, 4, 2, 3], 0.99)).toBe(5);
	});

	it('have no noise with equal rounds, and more of it the further the rounds differ', () => {
		expect(estimate([2, 2, 2, 2, 2])).toEqual({ median: 2, noise: 0 });
		const calm = estimate([1, 1.01, 0.99, 1.02, 0.98, 1, 1.01]);
		const wild = estimate([1, 1.5, 0.5, 1.8, 0.6, 1, 1.2]);
		expect(calm.noise).toBeGreaterThan(0);
		expect(wild.noise).toBeGreaterThan(10 * calm.noise);
	});

	it('give the same noise for the same rounds', () => {
		const rounds = [1.1, 1.3, 0.9, 1.2];
		expect(estimate(rounds)).toEqual(estimate([...rounds]));
	});

	it('exclude disturbances of a whole round from the ratio', () => {
		expect(ratio([11, 110, 1.1], [10, 100, 1])).toEqual({
			median: expect.closeTo(1.1, 10),
			noise: expect.closeTo(0, 10),
		});
	});
});

describe('the goals of the bench', () => {
	const measured = (median: number, noise = 0.05) => ({ median, noise });

	it.each([
		['hold at the goal', measured(1.1), 'at most', 1.1, 'holds'],
		['hold if better', measured(60), 'at least', 50, 'holds'],
		[
			'are uncertain while the excess is within the noise',
			measured(1.14),
			'at most',
			1.1,
			'doubtful',
		],
		['are uncertain in the other direction', measured(48, 5), 'at least', 50, 'doubtful'],
		['fail beyond the noise', measured(1.2), 'at most', 1.1, 'beyond'],
		['fail beyond the noise in the other direction', measured(40, 5), 'at least', 50, 'beyond'],
	] as const)('%s', (_case, value, sense, goal, outcome) => {
		expect(judge(value, sense, goal)).toMatchObject({ outcome });
	});

	it('fail the run, with the excess', () => {
		const output = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
		try {
			const costing = (median: number) => ({
				title: 'a',
				columns: [],
				rows: [{ name: 'cost', cells: [], verdict: judge(measured(median), 'at most', 1.1) }],
			});
			expect(printVerdicts([costing(2)])).toBe(false);
			expect(output.mock.calls.join('')).toContain('a: cost: 2.00 ± 0.05 ×, goal at most 1.1 ×');
			expect(printVerdicts([costing(1.14)])).toBe(true);
		} finally {
			output.mockRestore();
		}
	});
});
