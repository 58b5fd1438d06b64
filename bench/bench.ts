/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npm run bench`: measures the package against a bare client, prints one page, and exits with 1 when something is beyond
// its goal by more than the noise that it measured.
import { Command, Option } from 'commander';

import { ensureNode } from '../dev/n8n/install';
import { newest } from '../dev/n8n/releases';
import { createProgress } from '../dev/progress';
import { readNumber } from '../dev/readNumber';
import { compile, removeCompiled } from './controller/compile';
import { print, printVerdicts, type Section } from './controller/report';
import { BenchServer } from './controller/server';
import { measureFeed, measureFirst } from './parts/feed';
import { measureGrowth } from './parts/growth';
import { measureCallCentre } from './parts/callCentre';
import { measureN8n } from './parts/n8n';

/** The parts, and how often they are measured unless told: the later ones take long and vary less. */
const PARTS = {
	feed: { measure: measureFeed, usual: 7 },
	first: { measure: measureFirst, usual: 7 },
	growth: { measure: measureGrowth, usual: 3 },
	live: { measure: measureCallCentre, usual: 3 },
	n8n: { measure: measureN8n, usual: 1 },
};

interface Options {
	quick: boolean;
	only?: string;
	rounds?: number;
}

const program = new Command('bench')
	.description('Measures the nodes against a bare client, in the same run on the same machine.')
	.option('--quick', 'a short run: the same goals, less certain', false)
	.addOption(new Option('--only <part>', 'measure this part only').choices(Object.keys(PARTS)))
	.option(
		'--rounds <count>',
		'how often everything is measured (default: feed and first 7 times, with --quick 3)',
		readNumber,
	);

async function main(): Promise<void> {
	const { quick, only, rounds } = program.parse().opts<Options>();
	const progress = createProgress();
	const sections: Section[] = [];
	const server = await new BenchServer().start();
	try {
		progress.log('Building the package and what measures it');
		const tarball = await compile();
		const { nodeMajor } = newest;
		const { binary } = await ensureNode(newest, progress);
		const node = `Node ${nodeMajor}`;
		const common = { release: newest, node, transport: 'websocket', tarball, quick } as const;
		for (const [part, { measure, usual }] of Object.entries(PARTS)) {
			if (only && part !== only) continue;
			const often = rounds ?? Math.min(usual, quick ? 3 : usual);
			const section = await measure({ ...common, server, binary, progress, rounds: often });
			await print(section);
			sections.push(section);
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
