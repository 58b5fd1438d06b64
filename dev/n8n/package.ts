/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Packs this project as npm would publish it, and installs it into n8n in the same way as n8n's own installer.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as tar from 'tar';

import { UserError } from '../userError';

const execFileAsync = promisify(execFile);

/** Root of the checkout. */
export const projectRoot = join(__dirname, '../..');

/**
 * Builds `dist`. Types are for the linter to check, so that nobody waits for them here.
 * @throws UserError with the output of the build if it fails.
 */
export async function buildPackage(signal?: AbortSignal): Promise<void> {
	const gulp = join(projectRoot, 'node_modules/gulp/bin/gulp.js');
	try {
		await execFileAsync(process.execPath, [gulp, 'emit'], { cwd: projectRoot, signal });
	} catch (error) {
		signal?.throwIfAborted();
		const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
		throw new UserError(`The build failed ("npm run build"):\n${`${stdout}\n${stderr}`.trim()}`);
	}
}

/** Runs `npm pack` on the built project and returns the path of the tarball, in `folder`. */
export async function packPackage(folder: string): Promise<string> {
	// As published: only the files in "files", by npm's own rules.
	const { stdout } = await execFileAsync(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		{ cwd: projectRoot },
	);
	const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
	return join(folder, filename);
}

/** Packs into a new folder, which the caller removes. */
export async function packToTemporary(): Promise<{ tarball: string; remove: () => Promise<void> }> {
	const folder = await mkdtemp(join(tmpdir(), 'voice-management-pack-'));
	const remove = async () => await rm(folder, { recursive: true, force: true });
	try {
		return { tarball: await packPackage(folder), remove };
	} catch (error) {
		await remove();
		throw error;
	}
}

/** Unpacks a tarball below `<userFolder>/.n8n/nodes`, replacing an existing copy: n8n must not be running. */
export async function installTarball(tarball: string, userFolder: string): Promise<void> {
	const nodes = join(userFolder, '.n8n/nodes');
	const unpacked = await mkdtemp(join(tmpdir(), 'voice-management-unpack-'));
	try {
		await tar.extract({
			file: tarball,
			cwd: unpacked,
			strip: 1,
			filter: (path) => path.endsWith('package/package.json'),
		});
		const { name, version } = JSON.parse(
			await readFile(join(unpacked, 'package.json'), 'utf8'),
		) as { name: string; version: string };
		const target = join(nodes, 'node_modules', name);
		await rm(target, { recursive: true, force: true });
		await mkdir(target, { recursive: true });
		await tar.extract({ file: tarball, cwd: target, strip: 1 });
		await writeFile(
			join(nodes, 'package.json'),
			JSON.stringify(
				{ name: 'installed-nodes', private: true, dependencies: { [name]: version } },
				null,
				2,
			),
		);
	} finally {
		await rm(unpacked, { recursive: true, force: true });
	}
}
