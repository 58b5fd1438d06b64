/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A process that plays seeds, for `npm run simulate` and the tests.
import { fork, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

import { noWatermark, type Watermark } from './judgeAlive';
import { mistaken, type Mutant } from './mutants';
import { seedStory, type Totals } from './report';
import { simulate } from './simulation';

export interface Portion extends Totals {
	/** By seed. */
	digests: Record<number, string>;
	/** How many seeds reached each state. */
	reached: Record<string, number>;
	failed: Array<{ seed: number; rules: string[]; story: string }>;
}

const AS_PLAYER = '--as-player';

/** The totals before anything was played. */
export function noPortion(): Portion {
	return {
		seeds: 0,
		days: 0,
		events: 0,
		items: 0,
		faults: 0,
		marks: noWatermark(),
		digests: {},
		reached: {},
		failed: [],
	};
}

/** Adds the results of a portion to the totals. */
export function add(totals: Portion, played: Portion): void {
	totals.seeds += played.seeds;
	totals.days += played.days;
	totals.events += played.events;
	totals.items += played.items;
	totals.faults += played.faults;
	for (const mark of Object.keys(totals.marks) as Array<keyof Watermark>)
		totals.marks[mark] += played.marks[mark];
	Object.assign(totals.digests, played.digests);
	for (const [state, count] of Object.entries(played.reached))
		totals.reached[state] = (totals.reached[state] ?? 0) + count;
	totals.failed.push(...played.failed);
}

async function playHere(seeds: readonly number[]): Promise<Portion> {
	const totals = noPortion();
	for (const seed of seeds) {
		const outcome = await simulate(seed);
		const rules = [...new Set(outcome.violations.map(({ rule }) => rule))];
		const failed = rules.length > 0 ? [{ seed, rules, story: seedStory(outcome, false) }] : [];
		const digests = { [seed]: outcome.digest };
		const reached = Object.fromEntries(outcome.reached.map((state) => [state, 1]));
		add(totals, { ...outcome, seeds: 1, digests, reached, failed });
	}
	return totals;
}

/**
 * Processes that play seeds, all from one bundled file: the code that tsx adds to each function for its name halves
 * their speed, and so do Jest's contexts.
 */
export class Players {
	private readonly processes: ChildProcess[] = [];

	private static built = 0;

	private constructor(
		private readonly file: string,
		private readonly env: NodeJS.ProcessEnv,
	) {}

	/**
	 * @param mutant a mistake to make in the sources
	 * @param file the trigger's file of a package, to be played instead of the sources
	 */
	static async build({ mutant, file }: { mutant?: Mutant; file?: string } = {}): Promise<Players> {
		const name = `simulate-${process.pid}-${(Players.built += 1)}.cjs`;
		const outfile = join(__dirname, '../../node_modules/.cache', name);
		await build({
			entryPoints: [__filename],
			bundle: true,
			platform: 'node',
			packages: 'external',
			plugins: mutant ? [mistaken(mutant)] : [],
			outfile,
			logLevel: 'error',
		});
		return new Players(outfile, { ...process.env, ...(file && { SIMULATED_FILE: file }) });
	}

	/**
	 * Starts a process.
	 * @returns a function that sends it seeds; its promise rejects if the process ends before it has played them
	 */
	start(): (seeds: readonly number[]) => Promise<Portion> {
		const child = fork(this.file, [AS_PLAYER], { execArgv: [], env: this.env });
		this.processes.push(child);
		return async (seeds) =>
			await new Promise((resolve, reject) => {
				const ended = (code: number | null, signal: string | null) =>
					reject(new Error(`a process that plays seeds ended with ${code ?? signal}`));
				child.once('exit', ended);
				child.once('message', (portion) => {
					child.off('exit', ended);
					resolve(portion as Portion);
				});
				child.send(seeds);
			});
	}

	end(): void {
		for (const child of this.processes) child.kill();
		rmSync(this.file, { force: true });
	}
}

if (process.argv.includes(AS_PLAYER)) {
	process.on('message', (seeds: number[]) => {
		playHere(seeds).then(
			(portion) => process.send?.(portion),
			(error: unknown) => {
				process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
				process.exit(1);
			},
		);
	});
}
