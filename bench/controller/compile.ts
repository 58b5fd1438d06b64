/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Makes what is measured: the measured processes as plain JavaScript (no loader beside them), and the package as it
// would be published, unpacked where they find it.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as tar from 'tar';

import { buildPackage, packPackage, projectRoot } from '../../dev/n8n/package';

/** Of this run alone: two runs at once must not take each other's scripts away. */
const FOLDER = join(projectRoot, `node_modules/.cache/voice-management/bench-${process.pid}`);
export type Script = 'client' | 'interruption' | 'loadTime' | 'week';

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
		entryPoints: [join(projectRoot, 'bench/measured/*.ts')],
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
