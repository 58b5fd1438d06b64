/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Installs a pinned n8n, and the Node.js it needs, on this machine: once, in the cache.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, statfsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Progress } from '../progress';
import { UserError } from '../userError';
import { cacheRoot, ensureFolder } from './cacheFolder';
import { runNpm } from './npm';
import { newest, type N8nRelease } from './releases';

const GIGABYTE = 1e9;

export interface NodeInstall {
	binary: string;
	/** Folder with `include/node`, for native builds. */
	headers: string;
}

export interface N8nInstall {
	release: N8nRelease;
	/** Folder whose `node_modules` contains n8n; empty for an image. */
	folder: string;
	/** n8n's start script. */
	script: string;
	node: NodeInstall;
}

/** The running Node.js, if its major version is right and it includes headers. */
function runningNode(major: number): NodeInstall | undefined {
	const headers = join(dirname(process.execPath), '..');
	if (Number(process.versions.node.split('.')[0]) !== major) return undefined;
	if (!existsSync(join(headers, 'include/node/node_api.h'))) return undefined;
	return { binary: process.execPath, headers };
}

/** The Node.js of a release: the running one if it fits, else one in the cache. */
export async function ensureNode(
	release: N8nRelease,
	progress: Progress,
	signal?: AbortSignal,
): Promise<NodeInstall> {
	const running = runningNode(release.nodeMajor);
	if (running) return running;
	const packageName = `node-${process.platform}-${process.arch}`;
	if (process.platform !== 'linux') {
		throw new UserError(
			`n8n ${release.version} is run with Node.js ${release.nodeMajor}, and the running one is ${process.versions.node}: install Node.js ${release.nodeVersion} and start again with it.`,
		);
	}
	const title = `Node.js ${release.nodeVersion}`;
	const folder = await ensureFolder(
		{
			name: `node-${release.nodeVersion}-${process.platform}-${process.arch}`,
			title,
			bytesNeeded: 0.6 * GIGABYTE,
			essentialFiles: [
				`node_modules/${packageName}/bin/node`,
				`node_modules/${packageName}/include/node/node_api.h`,
			],
			async make(target) {
				await writeFile(join(target, 'package.json'), '{ "private": true }\n');
				await progress.during(`Installing ${title}`, async () => {
					await runNpm({
						cwd: target,
						args: [
							'install',
							`${packageName}@${release.nodeVersion}`,
							'--ignore-scripts',
							'--no-audit',
							'--no-fund',
							'--save-exact',
						],
						nodeBinary: process.execPath,
						headers: join(dirname(process.execPath), '..'),
						logFile: join(cacheRoot(), `node-${release.nodeVersion}.install.log`),
						signal,
					});
				});
			},
		},
		progress,
		signal,
	);
	const headers = join(folder, 'node_modules', packageName);
	return { binary: join(headers, 'bin/node'), headers };
}

/** Compilers are needed because no registry serves n8n's database driver in prebuilt form. */
function assertCompiler(): void {
	const missing = ['python3', 'make', 'g++'].filter(
		(command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status !== 0,
	);
	if (missing.length > 0) {
		const names = missing.join(', ');
		throw new UserError(
			`n8n's database driver is compiled once and needs ${names}, not found on this machine: install it (Debian, Ubuntu: apt-get install -y python3 make g++) and start again.`,
		);
	}
}

/**
 * Returns a function that describes how much has been written since the call. It compares the disk's free space,
 * since counting the files below node_modules would slow down the installation.
 */
function watchDisk(folder: string): () => string {
	const free = () => {
		const { bavail, bsize } = statfsSync(folder);
		return bavail * bsize;
	};
	const before = free();
	return () => `about ${(Math.max(0, before - free()) / GIGABYTE).toFixed(1)} GB written`;
}

/**
 * The files that npm installs a release from, by name: for a pinned release the package.json and the lock file in its
 * folder. Other releases have no lock file, so their key changes only with the version.
 */
function manifestOf({ folder, version, overrides, peers }: N8nRelease): Record<string, string> {
	if (folder) {
		const read = (name: string) => [name, readFileSync(join(__dirname, folder, name), 'utf8')];
		return Object.fromEntries([read('package.json'), read('package-lock.json')]) as Record<
			string,
			string
		>;
	}
	// n8n downloads this package from another server, for which a registry is no replacement.
	const manifest = {
		private: true,
		overrides: { xlsx: '0.18.5', ...overrides },
		dependencies: { n8n: version, ...peers },
	};
	return { 'package.json': JSON.stringify(manifest, null, 2) };
}

/** The name of a release's folder in the cache: it differs whenever the content would differ. */
function folderName(release: N8nRelease): string {
	const key = createHash('sha256')
		.update(Object.values(manifestOf(release)).join(''))
		.update(
			`${release.nodeVersion} ${process.platform} ${process.arch} ${[...release.installFlags, ...release.nativePackages].join()}`,
		)
		.digest('hex')
		.slice(0, 12);
	return `n8n-${release.version}-${key}`;
}

/**
 * Copies the compiled part of a package from the pinned n8n for the same Node.js, since compiling takes minutes.
 * @returns whether that n8n is installed and has the same version of the package
 */
function copyCompiled(name: string, release: N8nRelease, target: string): boolean {
	if (newest.nodeVersion !== release.nodeVersion || newest.version === release.version)
		return false;
	const place = join('node_modules', name);
	const from = join(cacheRoot(), folderName(newest), place);
	const versionIn = (folder: string) => {
		const file = join(folder, 'package.json');
		if (!existsSync(file)) return undefined;
		return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
	};
	const to = join(target, place);
	if (!existsSync(join(from, 'build')) || versionIn(from) !== versionIn(to)) return false;
	cpSync(join(from, 'build'), join(to, 'build'), { recursive: true });
	return true;
}

/** Docker, or a program with the same commands. */
export const CONTAINERS = process.env.VOICE_MANAGEMENT_CONTAINERS || 'docker';

async function pullImage(image: string, progress: Progress): Promise<void> {
	const has = () => spawnSync(CONTAINERS, ['image', 'inspect', image]).status === 0;
	if (has()) return;
	await progress.during(`Fetching ${image}`, async () => {
		await once(spawn(CONTAINERS, ['pull', '--quiet', image], { stdio: 'ignore' }), 'close').catch(
			() => {},
		);
	});
	if (has()) return;
	throw new UserError(
		`The image ${image} can't be fetched: check its name, and that "${CONTAINERS}" works on this machine (VOICE_MANAGEMENT_CONTAINERS names another program, such as podman).`,
	);
}

/**
 * The installation of this n8n release, ready to run.
 * @throws UserError if the disk, the compilers or npm prevent it.
 */
export async function ensureN8n(
	release: N8nRelease,
	progress: Progress,
	signal?: AbortSignal,
): Promise<N8nInstall> {
	const { image } = release;
	if (image) {
		await pullImage(image, progress);
		return { release, folder: '', script: '', node: await ensureNode(newest, progress, signal) };
	}
	const files = manifestOf(release);
	const title = `n8n ${release.version}`;
	const node = await ensureNode(release, progress, signal);
	const script = 'node_modules/n8n/bin/n8n';

	const folder = await ensureFolder(
		{
			name: folderName(release),
			title,
			bytesNeeded: 4 * GIGABYTE,
			essentialFiles: [script, 'node_modules/sqlite3/build/Release/node_sqlite3.node'],
			async make(target) {
				assertCompiler();
				for (const [name, text] of Object.entries(files)) await writeFile(join(target, name), text);
				const npm = {
					cwd: target,
					nodeBinary: node.binary,
					headers: node.headers,
					logFile: join(cacheRoot(), `n8n-${release.version}.install.log`),
					signal,
				};
				await progress.during(
					`Installing ${title} (once, a few minutes)`,
					// Not "npm ci": it rejects the lock file, which leaves out optional packages of other platforms.
					async () =>
						await runNpm({
							...npm,
							args: [
								'install',
								'--ignore-scripts',
								...release.installFlags,
								'--no-audit',
								'--no-fund',
								'--prefer-offline',
							],
						}),
					watchDisk(target),
				);
				const names = release.nativePackages.filter((name) => !copyCompiled(name, release, target));
				if (names.length === 0) return;
				await progress.during(
					`Compiling ${names.join(' and ')} for Node.js ${release.nodeVersion}`,
					async () =>
						await runNpm({ ...npm, args: ['rebuild', ...names, '--ignore-scripts=false'] }),
				);
			},
		},
		progress,
		signal,
	);
	return { release, folder, script: join(folder, script), node };
}

/**
 * Removes an n8n that is not pinned from the cache, with its prepared user folder: gigabytes that only one run
 * needed.
 */
export async function removeN8n({ release, folder }: N8nInstall): Promise<void> {
	if (release.folder) return;
	for (const one of [folder, `${folder}-user`]) await rm(one, { recursive: true, force: true });
}
