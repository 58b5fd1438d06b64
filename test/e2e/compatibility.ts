/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Which releases were tested: `npm run test:n8n -- --record` writes compatibility.json, from which the table in
// docs/dev/verification.md is made. A run with failures is removed, so that the table never promises more than was seen.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatElapsed } from '../../dev/progress';
import { projectRoot } from '../../dev/n8n/package';
import type { N8nRelease } from '../../dev/n8n/releases';
import { fill, table } from '../../tools/docs/markdown';

/** The newest run of one environment on one n8n release in which every test passed. */
export interface Recorded {
	n8n: string;
	node: string;
	/** Folder below test/e2e. */
	environment: string;
	tests: number;
	seconds: number;
	/** Version of the package, and the date (UTC). */
	package: string;
	day: string;
}

const file = join(__dirname, 'compatibility.json');
const page = join(projectRoot, 'docs/dev/verification.md');

const TITLES: Readonly<Record<string, string>> = {
	mainJob: 'both nodes are loaded and do the main job',
	suites: "both nodes, the trigger's life and its failures",
	start: '`npm start`',
	examples: 'the example workflows',
	waits: 'intervals, pauses, credentials that change',
	console: "the simulated provider's console",
	install: "n8n's own installation and upgrade",
	network: 'proxy, private certificates, SSRF protection',
	queue: 'queue mode, two workers',
	outage: 'what n8n needs goes away and comes back',
	browser: 'the editor in a browser',
};

export function readRecord(): Recorded[] {
	return JSON.parse(readFileSync(file, 'utf8')) as Recorded[];
}

/** Records the result of a run, and writes the table. */
export function record(
	release: N8nRelease,
	environment: string,
	run: { passed: number; failed: number; seconds: number },
): void {
	const others = readRecord().filter(
		(one) => one.n8n !== release.version || one.environment !== environment,
	);
	const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
		version: string;
	};
	const now: Recorded = {
		n8n: release.version,
		node: release.nodeVersion,
		environment,
		tests: run.passed,
		seconds: Math.round(run.seconds),
		package: version,
		day: new Date().toISOString().slice(0, 10),
	};
	const all = run.failed === 0 && run.passed > 0 ? [...others, now] : others;
	all.sort(inOrder);
	writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
	writeFileSync(page, fill(page, compatibilityBlock(all)));
}

/** The newest n8n release first, then in the order of the titles. */
function inOrder(a: Recorded, b: Recorded): number {
	const titles = Object.keys(TITLES);
	return (
		b.n8n.localeCompare(a.n8n, 'en', { numeric: true }) ||
		titles.indexOf(a.environment) - titles.indexOf(b.environment)
	);
}

/** The block of docs/dev/verification.md. */
export function compatibilityBlock(all = readRecord()): Record<string, string> {
	return {
		compatibility: table(
			['n8n', 'Node.js', 'Run with it', 'Tests', 'Time', 'Version of this package, day'],
			all.map(({ n8n, node, environment, tests, seconds, package: version, day }) => [
				n8n,
				node,
				TITLES[environment] ?? environment,
				`${tests} passed`,
				formatElapsed(seconds * 1000),
				`${version}, ${day}`,
			]),
		),
	};
}
