// `npm run bench`: measures the package against a bare client and the machine's limits, prints one page, writes the
// figures as JSON, and exits with 1 when something is beyond its budget by more than the noise that it measured.
import { nth } from '../simulator/present';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Command, Option } from 'commander';
import pc from 'picocolors';

import { projectRoot } from '../dev/n8n/package';
import { releases } from '../dev/n8n/releases';
import type { Progress } from '../dev/progress';
import { compile } from './controller/compile';
import { writePlots } from './controller/plots';
import {
	machine,
	print,
	printVerdicts,
	type DatedSection,
	type Results,
	type Section,
} from './controller/results';
import { runtimes } from './controller/runtimes';
import { measureFeed } from './parts/feed';
import { measureGrowth } from './parts/growth';
import { measureLive } from './parts/live';
import { measureN8n } from './parts/n8n';

const PARTS = ['feed', 'growth', 'live', 'n8n'] as const;
type Part = (typeof PARTS)[number];

interface Options {
	quick: boolean;
	only?: Part;
	node?: string;
	rounds?: string;
	json: string;
	plots: boolean;
	markdown: boolean;
}

const program = new Command('bench')
	.description('Measures the nodes against a bare client, in the same run on the same machine.')
	.option('--quick', 'a short run: less certain, same budgets', false)
	.addOption(new Option('--only <part>', 'one part alone').choices(PARTS))
	.option('--node <major>', 'one Node.js version alone: 24 or 20')
	.option('--rounds <count>', 'how often everything is measured (7, quick 3)')
	.option(
		'--json <file>',
		'where the figures go',
		join(projectRoot, 'node_modules/.cache/voice-management/bench-results.json'),
	)
	.option('--plots', 'draw the pictures of docs/performance.md from the figures', false)
	.option('--markdown', 'print the tables as docs/performance.md has them', false);

async function main(): Promise<boolean> {
	const options = program.parse().opts<Options>();
	const { quick, only, node, rounds: wanted, json, plots, markdown } = options;
	const rounds = Number(wanted ?? (quick ? 3 : 7));
	const tell = (line: string) => process.stderr.write(`${pc.dim(line)}\n`);
	const progress: Progress = {
		log: tell,
		during: async (title, work) => {
			tell(title);
			return await work();
		},
	};

	tell('Building the package and what measures it');
	const compiled = await compile();
	const sections: DatedSection[] = [];
	const show = async (section: Section) => {
		const load = nth(loadavg(), 0);
		sections.push({ ...section, at: new Date().toISOString(), rounds, quick, load });
		print(section, markdown);
		if (load > 1.5 * machine().cores) {
			tell(
				`Others keep this machine busy (load ${load.toFixed(1)}): trust the ratios, not the rates.`,
			);
		}
		await save(json, sections);
	};
	const measures = (part: Part) => only === undefined || only === part;
	try {
		const found = await runtimes(progress);
		const server = nth(found, 0);
		for (const runtime of found) {
			if (node !== undefined && runtime.major !== Number(node)) continue;
			if (measures('feed')) {
				const amount = quick
					? { rounds, warmUp: 20_000, events: 60_000 }
					: { rounds, warmUp: 40_000, events: 160_000 };
				await show(await measureFeed(compiled, runtime, server, amount, tell));
			}
			if (measures('growth')) {
				const amount = { rounds: Math.min(rounds, 3), events: quick ? 20_000 : 60_000 };
				const environment = { compiled, runtime, serverRuntime: server };
				await show(await measureGrowth(environment, amount, tell));
			}
			if (measures('live')) {
				const amount = { rounds: Math.min(rounds, 3), seconds: quick ? 5 : 10 };
				await show(await measureLive(compiled, runtime, server, amount, tell));
			}
			if (measures('n8n')) {
				const release = Object.values(releases).find(
					({ nodeMajor }) => nodeMajor === runtime.major,
				)!;
				const amount = { rounds: Math.min(rounds, quick ? 1 : 3), quick };
				await show(await measureN8n(compiled, release, runtime, server, amount, progress));
			}
		}
	} finally {
		await compiled.remove();
	}
	tell(`Figures: ${relative(process.cwd(), json)}`);
	if (plots) {
		for (const path of await writePlots(
			await readResults(json),
			join(projectRoot, 'docs/images'),
		)) {
			tell(`Picture: ${relative(process.cwd(), path)}`);
		}
	}
	return printVerdicts(sections);
}

async function readResults(file: string): Promise<Results> {
	return JSON.parse(await readFile(file, 'utf8')) as Results;
}

/** Writes the figures after each section: a run that is broken off leaves what it has. */
async function save(file: string, sections: readonly DatedSection[]): Promise<void> {
	const results: Results = {
		at: new Date().toISOString(),
		machine: machine(),
		sections: [...(await otherSections(file, sections)), ...sections],
	};
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, `${JSON.stringify(results, null, '\t')}\n`);
}

/** Sections of an earlier run that this one did not measure again: a run of one part leaves the others' figures. */
async function otherSections(file: string, fresh: readonly Section[]): Promise<DatedSection[]> {
	let before: Partial<Results>;
	try {
		before = await readResults(file);
	} catch {
		return [];
	}
	return (before.sections ?? []).filter(({ title }) => fresh.every((one) => one.title !== title));
}

main().then(
	(holds) => {
		process.exitCode = holds ? 0 : 1;
	},
	(error: unknown) => {
		process.stderr.write(
			`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
		);
		process.exitCode = 2;
	},
);
