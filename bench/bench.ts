// `npm run bench`: measures the package against a bare client, prints one page, and exits with 1 when something is beyond
// its goal by more than the noise that it measured.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';

import { ensureNode } from '../dev/n8n/install';
import { projectRoot } from '../dev/n8n/package';
import { releases } from '../dev/n8n/releases';
import { createProgress } from '../dev/progress';
import { compile, removeCompiled } from './controller/compile';
import { draw } from './controller/plots';
import { print, printVerdicts, type Section } from './controller/report';
import { BenchServer } from './controller/server';
import { measureFeed } from './parts/feed';
import { measureGrowth } from './parts/growth';
import { measureLive } from './parts/live';
import { measureN8n } from './parts/n8n';

/** The parts, and how often they are measured unless told: the later ones take long and vary less. */
const PARTS = {
	feed: { measure: measureFeed, usual: 7 },
	growth: { measure: measureGrowth, usual: 3 },
	live: { measure: measureLive, usual: 3 },
	n8n: { measure: measureN8n, usual: 1 },
};

interface Options {
	quick: boolean;
	only?: string;
	node?: string;
	rounds?: string;
	plots: boolean;
}

const majors = Object.values(releases).map(({ nodeMajor }) => String(nodeMajor));
const program = new Command('bench')
	.description('Measures the nodes against a bare client, in the same run on the same machine.')
	.option('--quick', 'a short run: the same goals, less certain', false)
	.addOption(new Option('--only <part>', 'measure this part only').choices(Object.keys(PARTS)))
	.addOption(new Option('--node <major>', 'measure on this Node.js version only').choices(majors))
	.option(
		'--rounds <count>',
		'how often everything is measured (default: the feed 7 times, with --quick 3)',
	)
	.option('--plots', 'draw the pictures of docs/performance.md', false);

async function main(): Promise<void> {
	const { quick, only, node: wanted, rounds, plots } = program.parse().opts<Options>();
	const progress = createProgress();
	const sections: Section[] = [];
	const server = await new BenchServer().start();
	try {
		progress.log('Building the package and what measures it');
		const tarball = await compile();
		for (const release of Object.values(releases)) {
			const { nodeMajor } = release;
			if (wanted && nodeMajor !== Number(wanted)) continue;
			const { binary } = await ensureNode(release, progress);
			const node = `Node ${nodeMajor}`;
			const transport = nodeMajor >= 22 ? 'websocket' : 'polling';
			const here = { server, release, binary, node, transport, tarball, quick, progress } as const;
			for (const [part, { measure, usual }] of Object.entries(PARTS)) {
				if (only && part !== only) continue;
				const often = Number(rounds ?? Math.min(usual, quick ? 3 : usual));
				const section = await measure({ ...here, rounds: often });
				await print(section);
				sections.push(section);
				if (!plots || !section.plot) continue;
				const picture = `docs/images/${part}-node-${nodeMajor}.svg`;
				await writeFile(join(projectRoot, picture), draw(section.plot));
				progress.log(`Picture: ${picture}`);
			}
		}
	} finally {
		server.stop();
		await removeCompiled();
	}
	process.exitCode = printVerdicts(sections) ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 2;
});
