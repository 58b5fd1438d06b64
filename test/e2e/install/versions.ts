/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The tarball under test as another version of itself: the same files with another version number.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tar from 'tar';

/** Writes `tarball` with this version to `target`. */
export async function repackAs(tarball: string, version: string, target: string): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'voice-management-repack-'));
	try {
		await tar.extract({ file: tarball, cwd: folder });
		const file = join(folder, 'package/package.json');
		const content = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
		await writeFile(file, JSON.stringify({ ...content, version }, null, '\t'));
		await tar.create({ file: target, cwd: folder, gzip: true }, ['package']);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
