// Makes what is measured: the measured processes as plain JavaScript (no loader beside them), and the package as it
// would be published, unpacked where they find it.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as tar from 'tar';

import { ensureNode } from '../../dev/n8n/install';
import { buildPackage, packPackage, projectRoot } from '../../dev/n8n/package';
import { releases, type N8nRelease } from '../../dev/n8n/releases';
import type { Progress } from '../../dev/progress';

/** Of this run alone: two runs at once must not take each other's scripts away. */
const FOLDER = join(projectRoot, `node_modules/.cache/voice-management/bench-${process.pid}`);
const SCRIPTS = ['client', 'loadTime', 'week'] as const;
export type Script = (typeof SCRIPTS)[number];

/** The compiled form of `measured/<name>.ts`. */
export function script(name: Script): string {
	return join(FOLDER, `${name}.js`);
}

/**
 * Fills the folder that {@link removeCompiled} removes. Returns the path of the package's tarball.
 * @throws UserError when the build of the package fails.
 */
export async function compile(): Promise<string> {
	const unpacked = join(FOLDER, 'node_modules/n8n-nodes-voice-management');
	await mkdir(unpacked, { recursive: true });
	await build({
		entryPoints: SCRIPTS.map((name) => join(projectRoot, `bench/measured/${name}.ts`)),
		outdir: FOLDER,
		bundle: true,
		packages: 'external',
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		logLevel: 'error',
	});
	await buildPackage();
	const tarball = await packPackage(FOLDER);
	await tar.extract({ file: tarball, cwd: unpacked, strip: 1 });
	return tarball;
}

export async function removeCompiled(): Promise<void> {
	await rm(FOLDER, { recursive: true, force: true });
}

/** A Node.js that everything is measured with, and the n8n that runs on it. */
export interface Runtime {
	release: N8nRelease;
	/** `Node 24` */
	name: string;
	binary: string;
	/** What the bundled client listens over there: Node has a WebSocket of its own from 22 on. */
	transport: 'websocket' | 'polling';
}

/** One for each line of n8n, newest first; fetched into the cache if missing. */
export async function runtimes(progress: Progress): Promise<Runtime[]> {
	const found: Runtime[] = [];
	for (const release of Object.values(releases)) {
		const { binary } = await ensureNode(release, progress);
		const transport = release.nodeMajor >= 22 ? 'websocket' : 'polling';
		found.push({ release, name: `Node ${release.nodeMajor}`, binary, transport });
	}
	return found;
}
