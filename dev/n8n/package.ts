// Packs this project as npm would publish it, and installs it into n8n in the same way as n8n's own installer.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as tar from 'tar';

import { UserError } from '../userError';
import type { N8nInstall } from './install';

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
		throw new UserError(`The build failed ("npx gulp emit"):\n${`${stdout}\n${stderr}`.trim()}`);
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

interface PackageJson {
	name: string;
	version: string;
	author?: { name?: string; email?: string };
}

/**
 * Unpacks a tarball below `<userFolder>/.n8n/nodes`, replacing an existing copy: n8n must not be running.
 * @returns name and version of the package.
 */
export async function installTarball(tarball: string, userFolder: string): Promise<PackageJson> {
	const nodes = join(userFolder, '.n8n/nodes');
	const unpacked = await mkdtemp(join(tmpdir(), 'voice-management-unpack-'));
	try {
		await tar.extract({
			file: tarball,
			cwd: unpacked,
			strip: 1,
			filter: (path) => path.endsWith('package/package.json'),
		});
		const { name, version, author } = JSON.parse(
			await readFile(join(unpacked, 'package.json'), 'utf8'),
		) as PackageJson;
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
		return { name, version, author };
	} finally {
		await rm(unpacked, { recursive: true, force: true });
	}
}

export interface InstalledNodeType {
	/** As n8n lists it: `<package>.<node>`. */
	type: string;
	displayName: string;
	latestVersion: number;
}

// Runs in n8n's own Node.js, with n8n's own database driver.
const RECORD_SCRIPT = `
const [, database, rows] = process.argv;
const { Database } = require('sqlite3');
const db = new Database(database);
db.configure('busyTimeout', 10000);
const run = (sql, values) => new Promise((done, fail) => db.run(sql, values, (error) => error ? fail(error) : done()));
(async () => {
	const { name, version, author, nodes } = JSON.parse(rows);
	await run('DELETE FROM installed_nodes WHERE package = ?', [name]);
	await run('DELETE FROM installed_packages WHERE packageName = ?', [name]);
	await run('INSERT INTO installed_packages (packageName, installedVersion, authorName, authorEmail) VALUES (?, ?, ?, ?)',
		[name, version, author?.name ?? null, author?.email ?? null]);
	for (const node of nodes) {
		await run('INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
			[node.displayName, node.type, node.latestVersion, name]);
	}
})().catch((error) => { console.error(error.message); process.exitCode = 1; });
`;

/**
 * Records the package in n8n's database as its installer does, so that "Settings, Community nodes" lists it and can
 * remove it. n8n loads the nodes even without this, and may be running meanwhile.
 */
export async function recordInstallation(
	install: N8nInstall,
	userFolder: string,
	installed: PackageJson,
	nodes: readonly InstalledNodeType[],
): Promise<void> {
	await execFileAsync(
		install.node.binary,
		[
			'-e',
			RECORD_SCRIPT,
			'--',
			join(userFolder, '.n8n/database.sqlite'),
			JSON.stringify({ ...installed, nodes }),
		],
		{ cwd: install.folder },
	);
}
