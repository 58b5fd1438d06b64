/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What a part of the bench returns, the judgement of its goals, and the page that it prints.
import type { Estimate } from './statistics';

/** A goal, and what was measured against it. */
export interface Verdict {
	measured: Estimate;
	sense: 'at most' | 'at least';
	goal: number;
	unit: string;
	/** Doubtful: beyond the goal, but not by more than the noise. Only what is beyond by more fails the bench. */
	outcome: 'holds' | 'doubtful' | 'beyond';
}

export interface Row {
	name: string;
	cells: string[];
	verdict?: Verdict;
}

export interface Section {
	title: string;
	/** Heads of the cells: the name comes before them, the goal after them. */
	columns: readonly string[];
	rows: readonly Row[];
	/** What a reader has to know to read it. */
	notes?: readonly string[];
}

/** Compares a measured value with its goal, if it has one. Without noise (a size, for example) the goal is sharp. */
export function judge(
	measured: Estimate,
	sense: Verdict['sense'],
	goal: number | undefined,
	unit = '×',
): Verdict | undefined {
	if (goal === undefined) return undefined;
	const excess = sense === 'at most' ? measured.median - goal : goal - measured.median;
	const outcome = excess <= 0 ? 'holds' : excess <= measured.noise ? 'doubtful' : 'beyond';
	return { measured, sense, goal, unit, outcome };
}

export function times({ median, noise }: Estimate): string {
	return `${median.toFixed(2)} ± ${noise.toFixed(2)}`;
}

export function thousands(value: number): string {
	return Math.round(value).toLocaleString('en');
}

export function megabytes(bytes: number): string {
	return (bytes / 1e6).toFixed(0);
}

const MARKS = { holds: '✓', doubtful: '~', beyond: '✗' };

function goalCell({ sense, goal, unit, outcome }: Verdict): string {
	const size = unit === '×' ? goal : `${goal} ${unit}`;
	return `${sense === 'at most' ? '≤' : '≥'} ${size} ${MARKS[outcome]}`;
}

/** Prints the table as docs/dev/performance.md has it. */
export async function print({ title, columns, rows, notes = [] }: Section): Promise<void> {
	const { format } = await import('prettier');
	const table = [
		['', ...columns, 'goal'],
		['---', ...columns.map(() => '--:'), '--:'],
		...rows.map(({ name, cells, verdict }) => [name, ...cells, verdict ? goalCell(verdict) : '']),
	];
	const lines = table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
	const page = [`### ${title}`, lines, ...notes, ''].join('\n\n');
	process.stdout.write(`${await format(page, { parser: 'markdown' })}\n`);
}

/** The end of the page: what is beyond its goal. Returns whether the bench passes. */
export function printVerdicts(sections: readonly Section[]): boolean {
	const verdicts = sections.flatMap(({ title, rows }) =>
		rows.flatMap(({ name, verdict }) => (verdict ? { ...verdict, what: `${title}: ${name}` } : [])),
	);
	const missed = verdicts.filter(({ outcome }) => outcome !== 'holds');
	for (const { what, measured, sense, goal, unit, outcome } of missed) {
		const words = `${what}: ${times(measured)} ${unit}, goal ${sense} ${goal} ${unit}`;
		process.stdout.write(`${MARKS[outcome]} ${words}\n`);
	}
	const held = verdicts.length - missed.length;
	process.stdout.write(`${held} of ${verdicts.length} goals hold (~: beyond, within the noise).\n`);
	return !missed.some(({ outcome }) => outcome === 'beyond');
}
