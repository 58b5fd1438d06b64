/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npm run test:n8n`: builds and packs the package once, then runs the acceptance suites against real n8n processes.
// Without options: the suites that need nothing but n8n. Each option runs one environment only, and
// --all runs every one.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

import { ensureN8n, removeN8n } from '../../dev/n8n/install';
import { buildPackage, packPackage, projectRoot } from '../../dev/n8n/package';
import { newest, quarters, releaseOf, type N8nRelease } from '../../dev/n8n/releases';
import { createProgress, formatElapsed, type Progress } from '../../dev/progress';
import { UserError } from '../../dev/userError';
import { record } from './compatibility';
import { stalePictures } from './support/pictures';

/** Folders of suites that have their own option. */
const ENVIRONMENTS = [
	'examples',
	'waits',
	'console',
	'install',
	'network',
	'queue',
	'outage',
	'browser',
	'video',
	// Last, since it builds the package again; the others have packed theirs by then.
	'start',
] as const;
type Environment = (typeof ENVIRONMENTS)[number];

interface Options extends Partial<Record<Environment, boolean>> {
	n8n?: N8nRelease[];
	image?: N8nRelease[];
	matrix?: boolean;
	suites?: boolean;
	all?: boolean;
	long?: boolean;
	build: boolean;
	package?: string;
	json?: string;
	record?: boolean;
	pictures?: boolean;
}

interface Run {
	title: string;
	release: N8nRelease;
	/** Folder below test/e2e. */
	folder: string;
	/** The one suite of the folder to run; all of them by default. */
	suite?: string;
}

function readRelease(text: string, earlier: N8nRelease[] = []): N8nRelease[] {
	const release = releaseOf(text);
	if (!release) {
		throw new InvalidArgumentError(`Choose ${newest.label}, an exact version, or an image.`);
	}
	return [...earlier, release];
}

function readCommandLine(): { options: Options; patterns: string[] } {
	const command = new Command('npm run test:n8n --')
		.description('Runs the acceptance suites in real n8n processes.')
		.option(
			'--n8n <version>',
			`run on this n8n (${newest.label}, or an exact version); may be given more than once`,
			readRelease,
		)
		.option(
			'--image <image>',
			'run on the n8n in this container image, such as n8nio/n8n:3.0.0',
			readRelease,
		)
		.option(
			'--matrix',
			'run the main job on one n8n release of each quarter of the last year; each is installed for it and removed when it has passed',
		)
		.option('--suites', 'the suites that need nothing but n8n, in addition to what else is chosen')
		.option('--start', '"npm start", and what it leaves behind')
		.option('--examples', 'each workflow of examples/')
		.option('--waits', "intervals, pauses and credentials, at n8n's own clock: minutes of waiting")
		.option(
			'--network',
			'proxies, private certificates, SSRF protection, forms of the provider (--form of the simulator)',
		)
		.option('--queue', 'queue mode: Postgres, Redis, workers')
		.option('--outage', "n8n's database, queue and processes go away and come back")
		.option('--long', 'with --outage: also the tests that take many minutes')
		.option('--browser', 'the editor in a real browser')
		.option('--video', "the recording for n8n's reviewers (test/e2e/artifacts/video.mp4)")
		.option('--install', "n8n's own installation of community packages")
		.option('--all', 'everything')
		.option('--console', "the simulated provider's console in a real browser")
		.option('--json <folder>', "also write jest's results to this folder, one file per run")
		.option('--record', 'record what passed in the table of docs/dev/verification.md')
		.option('--pictures', 'renew docs/images, by running the suites that take the pictures')
		.option('--no-build', 'do not build: test the existing dist folder')
		.option('--package <file>', 'test this tarball, as "npm pack" writes it')
		.argument('[patterns...]', 'run only suites whose path matches')
		.parse();
	const options = command.opts<Options>();
	if (options.pictures) {
		process.env.VOICE_MANAGEMENT_PICTURES = '1';
		for (const environment of ['browser', 'console', 'examples', 'video'] as const) {
			options[environment] = true;
		}
	}
	process.env.VOICE_MANAGEMENT_LONG = String(Boolean(options.long));
	if (options.image) options.n8n = [...(options.n8n ?? []), ...options.image];
	return { options, patterns: command.args };
}

function planRuns(options: Options): Run[] {
	const environments = ENVIRONMENTS.filter(
		// The recording tests nothing that the others do not.
		(name) => options[name] || (options.all && name !== 'video'),
	);
	const runs: Run[] = [];
	if (options.matrix) {
		const chosen =
			options.n8n ?? Object.keys(quarters).flatMap((version) => releaseOf(version) ?? []);
		return chosen.map((release) => ({
			title: `main job ${release.label}`,
			release,
			folder: 'suites',
			suite: 'mainJob',
		}));
	}
	const chosen = options.n8n ?? [newest];
	const isAlone = environments.length === 0 || options.all || options.suites;
	for (const release of chosen) {
		for (const folder of [...(isAlone ? (['suites'] as const) : []), ...environments]) {
			runs.push({ title: `${folder} ${release.label}`, release, folder });
		}
	}
	return runs;
}

interface Totals {
	passed: number;
	failed: number;
}

/** Runs Jest to its end and reads its counts; if Jest dies, that counts as a failure. */
async function runJest(
	run: Run,
	tarball: string,
	resultFile: string,
	patterns: string[],
): Promise<Totals> {
	const jest = join(projectRoot, 'node_modules/jest/bin/jest.js');
	const where = `test/e2e/${run.folder}/.*(${(run.suite ? [run.suite] : patterns).join('|')})`;
	const child = spawn(
		process.execPath,
		[
			jest,
			'--config',
			join(__dirname, 'jest.config.js'),
			'--verbose',
			'--json',
			`--outputFile=${resultFile}`,
			'--testPathPatterns',
			where,
		],
		{
			cwd: projectRoot,
			env: {
				...process.env,
				VOICE_MANAGEMENT_N8N: run.release.label,
				VOICE_MANAGEMENT_FOLDER: run.folder,
				VOICE_MANAGEMENT_TARBALL: tarball,
			},
			// With --json, Jest reports to stderr and writes the results to stdout, but the file contains those
			// already.
			stdio: ['ignore', 'ignore', 'inherit'],
		},
	);
	const forward = (signal: NodeJS.Signals) => child.kill(signal);
	process.on('SIGINT', forward);
	process.on('SIGTERM', forward);
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	process.off('SIGINT', forward);
	process.off('SIGTERM', forward);
	if (!existsSync(resultFile)) return { passed: 0, failed: 1 };
	const result = JSON.parse(readFileSync(resultFile, 'utf8')) as {
		numPassedTests: number;
		numFailedTests: number;
		numRuntimeErrorTestSuites: number;
	};
	const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
	return { passed: result.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

async function packed(folder: string, { build }: Options, progress: Progress): Promise<string> {
	if (build) await progress.during('Building the package', async () => await buildPackage());
	return await packPackage(folder);
}

async function main(): Promise<void> {
	const { options, patterns } = readCommandLine();
	const progress = createProgress();
	const temporary = mkdtempSync(join(tmpdir(), 'voice-management-acceptance-'));
	const results = options.json ?? temporary;
	const begun = Date.now();
	try {
		const runs = planRuns(options);
		// The matrix needs gigabytes for each release, so it installs one at a time.
		if (!options.matrix) {
			for (const release of new Set(runs.map(({ release }) => release))) {
				await ensureN8n(release, progress);
			}
		}
		const tarball = options.package ?? (await packed(temporary, options, progress));
		mkdirSync(results, { recursive: true });
		const total: Totals = { passed: 0, failed: 0 };
		for (const run of runs) {
			const startedAt = Date.now();
			progress.log(`\n=== ${run.title} ===`);
			const file = join(results, `n8n-${run.title.replace(/\W+/g, '-')}.json`);
			const install = await ensureN8n(run.release, progress);
			const { passed, failed } = await runJest(run, tarball, file, patterns);
			// A release with failures is kept for examination.
			if (options.matrix && failed === 0) await removeN8n(install);
			progress.log(
				`${run.title}: ${passed} passed, ${failed} failed in ${formatElapsed(Date.now() - startedAt)}`,
			);
			if (options.record && patterns.length === 0) {
				const seconds = (Date.now() - startedAt) / 1000;
				record(run.release, run.suite ?? run.folder, { passed, failed, seconds });
			}
			total.passed += passed;
			total.failed += failed;
		}
		if (options.pictures && patterns.length === 0) {
			const stale = stalePictures(begun);
			total.failed += stale.length;
			for (const name of stale)
				progress.log(`docs/images/${name} is shown on a page, but no picture was taken`);
		}
		process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
		if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
	} catch (error) {
		process.exitCode = 1;
		const message = error instanceof UserError ? error.message : (error as Error).stack;
		process.stderr.write(`${message}\n`);
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}

void main();
