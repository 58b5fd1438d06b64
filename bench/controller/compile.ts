// Makes what is measured: the measured processes as plain JavaScript (no loader beside them), and the package as it
// would be published, unpacked where they find it.
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as tar from 'tar';

import { buildPackage, packToTemporary, projectRoot } from '../../dev/n8n/package';

/** Of this run alone: two runs at once must not take each other's scripts away. */
const FOLDER = join(projectRoot, `node_modules/.cache/voice-management/bench-${process.pid}`);
const MEASURED = join(projectRoot, 'bench/measured');
const SCRIPTS = ['server', 'feedClient', 'loadTime', 'week'] as const;

export interface Compiled {
	/** The compiled script of `measured/<name>.ts`. */
	script(name: (typeof SCRIPTS)[number]): string;
	/** Where the package is unpacked. */
	packageFolder: string;
	/** Of the tarball, in bytes. */
	tarballBytes: number;
	remove(): Promise<void>;
}

/** @throws UserError when the build of the package fails. */
export async function compile(): Promise<Compiled> {
	const packageFolder = join(FOLDER, 'node_modules/n8n-nodes-voice-management');
	await mkdir(packageFolder, { recursive: true });
	await build({
		entryPoints: SCRIPTS.map((name) => join(MEASURED, `${name}.ts`)),
		outdir: FOLDER,
		bundle: true,
		packages: 'external',
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		logLevel: 'error',
	});
	await buildPackage();
	const { tarball, remove } = await packToTemporary();
	try {
		await tar.extract({ file: tarball, cwd: packageFolder, strip: 1 });
		return {
			script: (name) => join(FOLDER, `${name}.js`),
			packageFolder,
			tarballBytes: (await stat(tarball)).size,
			remove: async () => await rm(FOLDER, { recursive: true, force: true }),
		};
	} finally {
		await remove();
	}
}
