// The bench's own judgement: a budget that never fails anything would be no budget.
import {
	judge,
	printVerdicts,
	type Section,
	type Verdict,
} from '../../../bench/controller/results';
import { spread } from '../../../bench/controller/spread';
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

	it("fail the run, unless what is beyond them is not the package's", () => {
		const output = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
		try {
			const beyond = judge('cost', measured(2), 'at most', 1.1);
			expect(printVerdicts([section('a', beyond)])).toBe(false);
			expect(printVerdicts([section('a', { ...beyond, outOfReach: 'the transport' })])).toBe(true);
			expect(output.mock.calls.join('')).toContain('(the transport)');
		} finally {
			output.mockRestore();
		}
	});
});

describe('several runs side by side', () => {
	it('show each budget of each run, and how far the runs lie apart', () => {
		const run = (value: number, other: Verdict[] = []): Section[] => [
			section(
				'Feed (over websocket)',
				judge('cost', { median: value, noise: 0.1 }, 'at most', 1.1),
			),
			section('Rest', ...other),
		];
		const size = judge('size', { median: 9, noise: 0 }, 'at most', 10, 'KB');
		expect(spread([run(1), run(1.25, [size]), run(0.9)]).rows).toEqual([
			['Feed: cost', '1.00 ± 0.10', '1.25 ± 0.10', '0.90 ± 0.10', '0.90 to 1.25', '≤ 1.1'],
			['Rest: size (KB)', '', '9.00 ± 0.00', '', '9.00 to 9.00', '≤ 10'],
		]);
	});
});

function section(title: string, ...verdicts: Verdict[]): Section {
	return { part: '', title, columns: [], rows: [], verdicts, data: {} };
}
