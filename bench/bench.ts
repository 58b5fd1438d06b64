// `npm run bench`: measures the package against a bare client, prints one page, writes the figures as JSON, and exits with
// 1 when something is beyond its goal by more than the noise that it measured.
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Command, Option } from 'commander';

import { projectRoot } from '../dev/n8n/package';
import { createProgress } from '../dev/progress';
import { nth } from '../simulator/present';
import { compile, removeCompiled, runtimes } from './controller/compile';
import { draw } from './controller/plots';
import { print, printVerdicts, type Section } from './controller/report';
import type { Bench } from './controller/sample';
import { BenchServer } from './controller/server';
import { measureFeed } from './parts/feed';
import { measureGrowth } from './parts/growth';
import { measureLive } from './parts/live';
import { measureN8n } from './parts/n8n';

type Part = 'feed' | 'growth' | 'live' | 'n8n';

/** The parts, and how often they are measured at most: the later ones take long and vary less. */
const PARTS: Record<Part, { measure: (bench: Bench) => Promise<Section>; most: number }> = {
	feed: { measure: measureFeed, most: Infinity },
	growth: { measure: measureGrowth, most: 3 },
	live: { measure: measureLive, most: 3 },
	n8n: { measure: measureN8n, most: 3 },
};

interface Options {
	quick: boolean;
	only?: Part;
	node?: string;
	rounds?: string;
	json: string;
	plots: boolean;
}

const program = new Command('bench')
	.description('Measures the nodes against a bare client, in the same run on the same machine.')
	.option('--quick', 'a short run: the same goals, less certain', false)
	.addOption(new Option('--only <part>', 'measure this part only').choices(Object.keys(PARTS)))
	.option('--node <major>', 'measure on this Node.js version only: 24 or 20')
	.option(
		'--rounds <count>',
		'how often the feed is measured (default: 7, with --quick 3); the other parts 3 times at most',
	)
	.option(
		'--json <file>',
		'file for all figures',
		join(projectRoot, 'node_modules/.cache/voice-management/bench-results.json'),
	)
	.option('--plots', 'draw the pictures of docs/performance.md', false);

async function main(): Promise<boolean> {
	const { quick, only, node, json, plots, ...options } = program.parse().opts<Options>();
	const rounds = Number(options.rounds ?? (quick ? 3 : 7));
	const progress = createProgress();
	const machine = { processor: nth(cpus(), 0).model, cores: cpus().length };
	const sections: Array<Section & { part: string; rounds: number; quick: boolean; load: number }> =
		[];
	const server = await new BenchServer().start();
	try {
		progress.log('Building the package and what measures it');
		const tarball = await compile();
		for (const runtime of await runtimes(progress)) {
			const { nodeMajor } = runtime.release;
			if (node !== undefined && nodeMajor !== Number(node)) continue;
			for (const [part, { measure, most }] of Object.entries(PARTS)) {
				if (only !== undefined && part !== only) continue;
				const often = Math.min(rounds, part === 'n8n' && quick ? 1 : most);
				const bench = { server, runtime, tarball, rounds: often, quick, progress };
				const section = await measure(bench);
				await print(section);
				const load = nth(loadavg(), 0);
				if (load > 1.5 * machine.cores) {
					progress.log(
						`Load ${load.toFixed(1)}: others keep this machine busy. Trust the ratios, not the rates.`,
					);
				}
				sections.push({ ...section, part, rounds: often, quick, load });
				// After each part: a run that is interrupted leaves what it has.
				await mkdir(dirname(json), { recursive: true });
				await writeFile(json, `${JSON.stringify({ machine, sections }, null, '\t')}\n`);
				if (!plots || !section.plot) continue;
				const picture = join(projectRoot, `docs/images/${part}-node-${nodeMajor}.svg`);
				await writeFile(picture, draw(section.plot));
				progress.log(`Picture: ${relative(process.cwd(), picture)}`);
			}
		}
	} finally {
		server.stop();
		await removeCompiled();
	}
	progress.log(`Figures: ${relative(process.cwd(), json)}`);
	return printVerdicts(sections);
}

main().then(
	(passes) => {
		process.exitCode = passes ? 0 : 1;
	},
	(error: unknown) => {
		console.error(error);
		process.exitCode = 2;
	},
);
