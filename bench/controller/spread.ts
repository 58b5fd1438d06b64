// Several runs side by side: what the goals came out at in each, and how far the runs lie apart.
import { nth } from '../../simulator/present';
import { times, type Section, type Verdict } from './results';

/** A table of every budget, one column for each run; a budget that a run did not measure stays empty there. */
export function spread(runs: ReadonlyArray<readonly Section[]>): Section {
	const all = new Map<string, Array<Verdict | undefined>>();
	runs.forEach((sections, run) => {
		for (const { title, verdicts } of sections) {
			for (const verdict of verdicts) {
				const key = `${title.replace(/( \(|: ).*/, '')}: ${verdict.what}`;
				const row = all.get(key) ?? runs.map(() => undefined);
				row[run] = verdict;
				all.set(key, row);
			}
		}
	});
	const rows = [...all].map(([key, row]) => {
		const measured = row.filter((verdict) => verdict !== undefined);
		const medians = measured.map(({ measured: { median } }) => median);
		const { sense, goal, unit } = nth(measured, 0);
		return [
			unit === '×' ? key : `${key} (${unit})`,
			...row.map((verdict) => (verdict ? times(verdict.measured) : '')),
			`${Math.min(...medians).toFixed(2)} to ${Math.max(...medians).toFixed(2)}`,
			`${sense === 'at most' ? '≤' : '≥'} ${goal}`,
		];
	});
	return {
		part: 'spread',
		title: 'The goals in each run',
		columns: ['', ...runs.map((_, run) => `run ${run + 1}`), 'spread', 'goal'],
		rows,
		verdicts: [],
		data: {},
	};
}
