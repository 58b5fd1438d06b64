// `npm run mutation`: removes one mechanism after another from a copy of the project and runs the tests that should
// notice. If no test fails, nothing covers that mechanism.
import { spawn, spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import Table from 'cli-table3';
import { Command } from 'commander';
import pc from 'picocolors';

import { mutants, type Mutant } from './mutants';

const projectRoot = resolve(__dirname, '../..');
/** Tests that run longer are ended. The mutant is then shown with "the tests do not end", and not counted as noticed. */
const LONGEST_MS = { jest: 6 * 60_000, acceptance: 20 * 60_000 };

interface Outcome {
	mutant: Mutant;
	/** Names of the tests that failed. */
	red: string[];
	/** The tests did not end, or could not run at all. */
	trouble?: string;
	/** How many seeds were played instead of tests. */
	played?: number;
	seconds: number;
}

/** A copy of the working tree. It shares the project's packages, except for the cache that the tests build into. */
function copyProject(): string {
	const folder = mkdtempSync(join(tmpdir(), 'voice-management-mutation-'));
	const listed = spawnSync('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], {
		cwd: projectRoot,
		encoding: 'utf8',
	});
	for (const file of listed.stdout.split('\0').filter(Boolean)) {
		if (!existsSync(join(projectRoot, file))) continue;
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		cpSync(join(projectRoot, file), join(folder, file));
	}
	mkdirSync(join(folder, 'node_modules'));
	for (const name of readdirSync(join(projectRoot, 'node_modules'))) {
		if (name === '.cache') continue;
		symlinkSync(join(projectRoot, 'node_modules', name), join(folder, 'node_modules', name));
	}
	return folder;
}

/**
 * Replaces the code that the mutant names; returns a function that restores it.
 * @throws Error if the code does not occur exactly once: it has changed, and the mutant has to be adapted
 */
function apply(folder: string, { mechanism, file, find, replace }: Mutant): () => void {
	const path = join(folder, file);
	const source = readFileSync(path, 'utf8');
	const places = source.split(find).length - 1;
	if (places !== 1) {
		throw new Error(`"${mechanism}": its code occurs ${places} times in ${file}, not once`);
	}
	writeFileSync(
		path,
		source.replace(find, () => replace),
	);
	return () => writeFileSync(path, source);
}

/** Runs a command to its end; returns false if it had to be killed. */
async function run(folder: string, args: string[], longestMs: number): Promise<boolean> {
	const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', detached: true });
	const ended = new Promise<boolean>((done) => child.once('exit', () => done(true)));
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<boolean>((done) => {
		timer = setTimeout(() => done(false), longestMs);
	});
	const inTime = await Promise.race([ended, late]);
	clearTimeout(timer);
	if (!inTime) {
		process.kill(-(child.pid as number), 'SIGKILL');
		await ended;
	}
	return inTime;
}

interface JestResult {
	testResults: Array<{
		message: string;
		assertionResults: Array<{ status: string; fullName: string }>;
	}>;
}

function failuresIn(file: string): string[] | undefined {
	if (!existsSync(file)) return undefined;
	const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as JestResult;
	return testResults.flatMap(({ assertionResults, message }) => {
		if (assertionResults.length === 0 && message) return ['(a suite could not run)'];
		return assertionResults
			.filter(({ status }) => status === 'failed')
			.map(({ fullName }) => fullName);
	});
}

/**
 * Which of the kept seeds, and of the first ones, break a promise without the mechanism.
 * @param enough no more seeds are started once this many did
 */
async function playSeeds(
	folder: string,
	mutant: Mutant,
	{ seeds, enough }: { seeds: string; enough: string },
): Promise<Outcome> {
	const startedAt = Date.now();
	const file = join(folder, 'seeds.json');
	rmSync(file, { force: true });
	const undo = apply(folder, mutant);
	try {
		const simulate = join(folder, 'test/simulation/simulate.ts');
		const args = ['--import', 'tsx', simulate, '--seeds', seeds, '--json', file];
		args.push('--kept', '--until-failed', enough, '--workers', '1');
		const ended = await run(folder, args, LONGEST_MS.acceptance);
		const { failed, seeds: played } = existsSync(file)
			? (JSON.parse(readFileSync(file, 'utf8')) as {
					failed: Array<{ seed: number; rules: string[] }>;
					seeds: number;
				})
			: { failed: [], seeds: 0 };
		return {
			mutant,
			played,
			red: failed.map(({ seed, rules }) => `seed ${seed}: ${rules.join(', ')}`),
			trouble: !ended ? 'the seeds do not end' : existsSync(file) ? undefined : 'it could not run',
			seconds: (Date.now() - startedAt) / 1000,
		};
	} finally {
		undo();
	}
}

async function tryOut(folder: string, mutant: Mutant): Promise<Outcome> {
	const startedAt = Date.now();
	const outcome = (red: string[], trouble?: string): Outcome => ({
		mutant,
		red,
		trouble,
		seconds: (Date.now() - startedAt) / 1000,
	});
	const results = join(folder, 'results');
	rmSync(results, { recursive: true, force: true });
	mkdirSync(results);
	const undo = apply(folder, mutant);
	try {
		for (const tests of mutant.tests) {
			const file = join(results, 'jest.json');
			const jest = join(folder, 'node_modules/jest/bin/jest.js');
			// Neither handles that a mutant leaves open, nor a test that waits for what is gone, must keep Jest from
			// ending.
			const args = [
				jest,
				'--forceExit',
				'--testTimeout=30000',
				'--json',
				`--outputFile=${file}`,
				'--testPathPatterns',
				tests,
			];
			if (!(await run(folder, args, LONGEST_MS.jest))) return outcome([], 'the tests do not end');
			const red = failuresIn(file);
			if (red === undefined) return outcome([], 'the tests could not run');
			if (red.length > 0) return outcome(red);
		}
		if (!mutant.acceptance) return outcome([]);
		const args = ['--import', 'tsx', join(folder, 'test/e2e/run.ts'), '--json', results];
		await run(folder, [...args, ...mutant.acceptance], LONGEST_MS.acceptance);
		const files = readdirSync(results).filter((name) => name.startsWith('n8n-'));
		const red = files.flatMap((name) => failuresIn(join(results, name)) ?? []);
		return files.length === 0 ? outcome([], 'the suites could not run') : outcome(red);
	} finally {
		undo();
	}
}

/** The code that the simulation runs, and in which it can find mistakes. */
const SIMULATED = /VoiceManagementTrigger\/((feed|execution)\/|production\.ts)/;

/** A row of the table of seeds, and its mechanism. */
const ROW = /^\| (?<mechanism>[^|]+?) +\|.*$/;

/** Updates the table in seeds.md: rows of mutants that were not played this time stay. */
function writeSeeds(outcomes: readonly Outcome[]): void {
	const file = join(__dirname, 'seeds.md');
	const [before = '', ...old] = readFileSync(file, 'utf8').split(/^(?=\|)/m);
	const known = new Map(old.map((row) => [ROW.exec(row.trim())?.groups?.mechanism, row.trim()]));
	const played = new Map(outcomes.map((outcome) => [outcome.mutant.mechanism, outcome]));
	const rows = mutants
		.filter(({ file: place, acceptance }) => SIMULATED.test(place) && !acceptance)
		.flatMap((mutant): string[] => {
			const { mechanism, beyondSeeds } = mutant;
			const outcome = played.get(mechanism);
			const row = known.get(mechanism);
			if (!outcome && !beyondSeeds) return row === undefined ? [] : [row];
			const { red = [], played: seeds = 0 } = outcome ?? {};
			const what = red[0] ?? beyondSeeds ?? '**nothing noticed**';
			return [`| ${mechanism} | ${outcome ? `${red.length} of ${seeds}` : '–'} | ${what} |`];
		});
	const head = [
		'| taken away | seeds that notice | the first of them, or why none can |',
		'| --- | --- | --- |',
	];
	writeFileSync(file, `${before}${[...head, ...rows].join('\n')}\n`);
}

function report(outcomes: Outcome[]): string {
	const table = new Table({
		head: ['Taken away', 'File', 'Red', 'Among them'],
		colWidths: [54, 38, 6, 76],
		wordWrap: true,
		style: { head: [], border: [] },
	});
	for (const { mutant, red, trouble } of outcomes) {
		const count = trouble ? '–' : String(red.length);
		table.push([
			mutant.mechanism,
			mutant.file.replace(/^nodes\//, ''),
			red.length > 0 ? count : pc.red(count),
			trouble ?? red[0] ?? pc.red('nothing noticed'),
		]);
	}
	return table.toString();
}

async function main(): Promise<void> {
	const command = new Command('npm run mutation --')
		.description('Removes mechanisms, one at a time, and shows which tests notice.')
		.option('--acceptance', 'the mutants that are tried in a real n8n, instead of the others')
		.option('--seeds <count>', 'play this many seeds of the simulation instead of the tests')
		.option(
			'--enough <count>',
			'with --seeds: play no more of them once this many noticed',
			'Infinity',
		)
		.option('--write', 'with --seeds: write the results into test/mutation/seeds.md')
		.option('--list', 'only list the mutants')
		.option('--json <file>', 'also write the results to this file')
		.argument('[patterns...]', 'only mechanisms and files that contain one of these')
		.parse();
	const options = command.opts<{
		acceptance?: boolean;
		list?: boolean;
		seeds?: string;
		enough: string;
		write?: boolean;
		json?: string;
	}>();
	const chosen = mutants.filter(
		({ mechanism, file, acceptance, beyondSeeds }) =>
			Boolean(acceptance) === Boolean(options.acceptance) &&
			(options.seeds === undefined || (SIMULATED.test(file) && beyondSeeds === undefined)) &&
			(command.args.length === 0 ||
				command.args.some((part) => `${file} ${mechanism}`.includes(part))),
	);
	const folder = copyProject();
	try {
		// All of them first, so that a mutant that no longer fits is reported now and not after an hour.
		for (const mutant of chosen) apply(folder, mutant)();
		if (options.list) {
			for (const { file, mechanism } of chosen) process.stdout.write(`${file}: ${mechanism}\n`);
			return;
		}
		const outcomes: Outcome[] = [];
		for (const mutant of chosen) {
			process.stderr.write(`${outcomes.length + 1}/${chosen.length} ${mutant.mechanism} … `);
			const outcome = options.seeds
				? await playSeeds(folder, mutant, { seeds: options.seeds, enough: options.enough })
				: await tryOut(folder, mutant);
			outcomes.push(outcome);
			if (options.seeds && options.write) writeSeeds(outcomes);
			const said = outcome.trouble ?? `${outcome.red.length} red`;
			process.stderr.write(`${said} (${outcome.seconds.toFixed(0)} s)\n`);
		}
		process.stdout.write(`${report(outcomes)}\n`);
		if (options.json) writeFileSync(options.json, JSON.stringify(outcomes, null, '\t'));
		const unnoticed = outcomes.filter(({ red }) => red.length === 0).length;
		process.stdout.write(`${outcomes.length - unnoticed} of ${outcomes.length} made a test fail\n`);
		if (unnoticed > 0) process.exitCode = 1;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
