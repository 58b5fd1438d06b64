// What a part of the bench hands back, the judgement of its budgets, and the page that it prints.
import { nth } from '../../simulator/present';
import { cpus, totalmem } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import pc from 'picocolors';

import type { Estimate } from './statistics';

/** A budget, and what was measured against it. */
export interface Verdict {
	what: string;
	unit: string;
	goal: number;
	sense: 'at most' | 'at least';
	measured: Estimate;
	/** Beyond the goal by more than the noise: the bench fails. */
	beyond: boolean;
	/** Beyond it, but not by more than that. */
	doubtful: boolean;
}

export interface Section {
	part: string;
	title: string;
	columns: readonly string[];
	rows: readonly string[][];
	/** What a reader has to know to read it. */
	notes?: readonly string[];
	verdicts: readonly Verdict[];
	/** Every figure, for the JSON file and the plots. */
	data: Record<string, unknown>;
}

/** A section with when and how it was measured. */
export interface DatedSection extends Section {
	at: string;
	rounds: number;
	quick: boolean;
	/** Of the machine, over the last minute: processes that wanted to run. */
	load: number;
}

export interface Results {
	at: string;
	machine: { processor: string; cores: number; memoryGigabytes: number };
	sections: DatedSection[];
}

export function machine(): Results['machine'] {
	return {
		processor: nth(cpus(), 0).model,
		cores: cpus().length,
		memoryGigabytes: Math.round(totalmem() / 1e9),
	};
}

/** Holds a measured value against its goal. Without a measured noise (a size, say) the goal is sharp. */
export function judge(
	what: string,
	measured: Estimate,
	sense: Verdict['sense'],
	goal: number,
	unit = '×',
): Verdict {
	const excess = sense === 'at most' ? measured.median - goal : goal - measured.median;
	return {
		what,
		unit,
		goal,
		sense,
		measured,
		beyond: excess > measured.noise,
		doubtful: excess > 0 && excess <= measured.noise,
	};
}

export function sharp(value: number): Estimate {
	return { median: value, noise: 0 };
}

export function times({ median, noise }: Estimate): string {
	return `${median.toFixed(2)} ± ${noise.toFixed(2)}`;
}

export function thousands(value: number): string {
	return Math.round(value).toLocaleString('en');
}

export function megabytes(bytes: number): string {
	return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

/** The verdict as a cell of a table. */
export function goalCell({ sense, goal, unit, beyond, doubtful }: Verdict): string {
	const text = `${sense === 'at most' ? '≤' : '≥'} ${goal}${unit === '×' ? '' : ` ${unit}`}`;
	if (beyond) return pc.red(`${text} ✗`);
	return doubtful ? pc.yellow(`${text} ~`) : pc.green(`${text} ✓`);
}

/** @param markdown as the documents have it, instead of for the terminal */
export function print(section: Section, markdown: boolean): void {
	process.stdout.write(markdown ? asMarkdown(section) : forTerminal(section));
}

function asMarkdown({ title, columns, rows, notes = [] }: Section): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	const rule = columns.map((_, index) => (index === 0 ? '---' : '---:'));
	const table = [columns, rule, ...rows].map(line).map(stripVTControlCharacters);
	return `${[`### ${title}`, '', ...table, '', ...notes.flatMap((note) => [note, ''])].join('\n')}\n`;
}

function forTerminal({ title, columns, rows, notes = [] }: Section): string {
	const table = new Table({
		head: [...columns],
		colAligns: columns.map((_, index) => (index === 0 ? 'left' : 'right')),
		style: { head: [], border: [], compact: true },
	});
	table.push(...rows.map((row) => [...row]));
	const lines = [pc.bold(title), table.toString(), ...notes.map((note) => pc.dim(note)), ''];
	return `${lines.join('\n')}\n`;
}

/** The end of the page: what is beyond its budget. Gives whether everything holds. */
export function printVerdicts(sections: readonly Section[]): boolean {
	const verdicts = sections.flatMap((section) =>
		section.verdicts.map((verdict) => ({ ...verdict, section: section.title })),
	);
	const beyond = verdicts.filter((verdict) => verdict.beyond);
	const doubtful = verdicts.filter((verdict) => verdict.doubtful);
	const list = (title: string, which: typeof verdicts) => {
		if (which.length > 0) process.stdout.write(`${title}:\n`);
		for (const { section, what, measured, sense, goal, unit } of which) {
			process.stdout.write(
				`  ${section}: ${what}: ${times(measured)} ${unit}, goal ${sense} ${goal} ${unit}\n`,
			);
		}
	};
	list(pc.yellow('Beyond the goal, but within the noise of this run'), doubtful);
	list(pc.red('Beyond the goal'), beyond);
	const held = verdicts.length - beyond.length - doubtful.length;
	process.stdout.write(`${held} of ${verdicts.length} goals hold.\n`);
	return beyond.length === 0;
}
