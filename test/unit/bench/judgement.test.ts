// The bench's own judgement: a budget that never fails anything would be no budget.
import {
	judge,
	printVerdicts,
	type Section,
	type Verdict,
} from '../../../bench/controller/results';
import { estimate, median, percentile, ratio } from '../../../bench/controller/statistics';

describe('the statistics of the bench', () => {
	it('take the middle, and the mean of two middles', () => {
		expect(median([9, 1, 5])).toBe(5);
		expect(median([4, 1, 2, 3])).toBe(2.5);
		expect(percentile([5, 1, 4, 2, 3], 0.99)).toBe(5);
	});

	it('see no noise in equal rounds, and the more of it the further the rounds lie apart', () => {
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

	it('take what disturbed a whole round out of the ratio', () => {
		expect(ratio([11, 110, 1.1], [10, 100, 1])).toEqual({
			median: expect.closeTo(1.1, 10),
			noise: expect.closeTo(0, 10),
		});
	});
});

describe('the budgets of the bench', () => {
	const measured = (median: number, noise = 0.05) => ({ median, noise });

	it('hold at the goal and better', () => {
		expect(judge('', measured(1.1), 'at most', 1.1)).toMatchObject({
			beyond: false,
			doubtful: false,
		});
		expect(judge('', measured(60), 'at least', 50)).toMatchObject({
			beyond: false,
			doubtful: false,
		});
	});

	it('are in doubt where the excess is within the noise', () => {
		expect(judge('', measured(1.14), 'at most', 1.1)).toMatchObject({
			beyond: false,
			doubtful: true,
		});
	});

	it('fail beyond the noise, in either direction', () => {
		expect(judge('', measured(1.2), 'at most', 1.1)).toMatchObject({
			beyond: true,
			doubtful: false,
		});
		expect(judge('', measured(40, 5), 'at least', 50)).toMatchObject({ beyond: true });
		expect(judge('', measured(48, 5), 'at least', 50)).toMatchObject({
			beyond: false,
			doubtful: true,
		});
	});

	it('fail the run, and say by how much', () => {
		const output = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
		try {
			const beyond = judge('cost', measured(2), 'at most', 1.1);
			expect(printVerdicts([section('a', beyond)])).toBe(false);
			expect(output.mock.calls.join('')).toContain('a: cost: 2.00 ± 0.05 ×, goal at most 1.1 ×');
			const doubtful = judge('cost', measured(1.14), 'at most', 1.1);
			expect(printVerdicts([section('a', doubtful)])).toBe(true);
		} finally {
			output.mockRestore();
		}
	});
});

function section(title: string, ...verdicts: Verdict[]): Section {
	return { part: '', title, columns: [], rows: [], verdicts, data: {} };
}
