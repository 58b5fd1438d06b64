/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npm run simulate`: plays seeds and reports which of them broke a promise.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import pc from 'picocolors';
import * as tar from 'tar';
import { projectRoot } from '../../dev/n8n/package';
import { readNumber } from '../../dev/readNumber';
import { KEPT } from './kept';
import { add, noPortion, Players } from './player';
import { proofOf } from './proof';
import { seedStory, totalsLine } from './report';
import { simulate } from './simulation';

/** How many seeds a process gets at a time. */
const PORTION = 20;
/** How many failing seeds are shown in full. */
const TOLD = 5;
/** In the package. */
const CODE = 'dist/code.js';

interface Options {
	seeds: number;
	from: number;
	seed?: number;
	trace?: boolean;
	kept?: boolean;
	workers: number;
	seconds?: number;
	package?: string;
	proof?: boolean;
}

async function playAll(options: Options): Promise<number> {
	if (!options.package) return await playSeeds(options);
	const folder = await mkdtemp(join(projectRoot, 'node_modules/.cache/simulated-'));
	try {
		await tar.extract({ file: options.package, cwd: folder, strip: 1 });
		return await playSeeds(options, join(folder, CODE));
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** @param file the trigger's file of the package that is played, if it is not the sources */
async function playSeeds(options: Options, file?: string): Promise<number> {
	const first = options.from;
	const end = first + options.seeds;
	const startedAt = performance.now();
	const seconds = () => (performance.now() - startedAt) / 1_000;
	const limit = options.seconds ?? Infinity;
	const totals = noPortion();
	let next = first;
	const kept = options.kept ? [...KEPT] : [];
	const more = () => next < end && seconds() < limit;
	const job = (): number[] => {
		if (kept.length > 0) return kept.splice(0, PORTION);
		const count = Math.min(PORTION, end - next);
		next += count;
		return Array.from({ length: count }, (_, index) => next - count + index);
	};
	const players = await Players.build({ file });
	const worker = async () => {
		const play = players.start();
		while (more()) {
			const portion = await play(job());
			add(totals, portion);
			// Reported at once, since ten thousand seeds take a while.
			for (const { seed, rules } of portion.failed) {
				process.stderr.write(`after ${totals.seeds} seeds: ${seed} (${rules.join(', ')})\n`);
			}
		}
	};
	await Promise.all(Array.from({ length: options.workers }, worker)).finally(() => players.end());
	totals.failed.sort((a, b) => a.seed - b.seed);
	// A page has only what it proves.
	const out = options.proof ? process.stderr : process.stdout;
	for (const { story } of totals.failed.slice(0, TOLD)) out.write(`${story}\n`);
	process.stderr.write(`${totalsLine(totals, seconds())}\n`);
	if (options.proof) process.stdout.write(await proofOf(totals, options));
	const { length } = totals.failed;
	if (length === 0) return 0;
	out.write(pc.red(`${length} seeds failed\n`));
	const rules = new Set(totals.failed.flatMap((one) => one.rules));
	for (const rule of rules) {
		const seeds = totals.failed.filter((one) => one.rules.includes(rule)).map(({ seed }) => seed);
		out.write(`${rule}: ${seeds.length} (${seeds.slice(0, 20).join(' ')})\n`);
	}
	return 1;
}

async function playOne(seed: number, trace: boolean): Promise<number> {
	const outcome = await simulate(seed);
	process.stdout.write(`${seedStory(outcome, trace)}\n`);
	return outcome.violations.length > 0 ? 1 : 0;
}

async function main(): Promise<number> {
	const options = new Command('npm run simulate --')
		.description('Plays the trigger on a virtual clock with faults that are drawn from a seed.')
		.option('--seeds <count>', 'how many seeds to play', readNumber, 1000)
		.option('--from <seed>', 'the first seed', readNumber, 1)
		.option('--seed <seed>', 'play this seed only', readNumber)
		.option('--trace', 'with --seed: print everything that happened')
		.option('--kept', 'first play the seeds that once found a mistake')
		.option('--package <file>', 'play this tarball, as "npm pack" writes it, not the sources')
		.option(
			'--proof',
			'print the page of a release: what was reached, the digest, what mistakes are found',
		)
		.option('--seconds <limit>', 'start no more seeds after this many seconds', readNumber)
		.option(
			'--workers <count>',
			'how many processes play at once',
			readNumber,
			availableParallelism(),
		)
		.parse()
		.opts<Options>();
	return options.seed === undefined
		? await playAll(options)
		: await playOne(options.seed, options.trace === true);
}

main().then(
	(code) => (process.exitCode = code),
	(error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
		process.exitCode = 1;
	},
);
