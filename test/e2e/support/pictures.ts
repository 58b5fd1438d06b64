// The pictures of the documentation: which there are, and where the suites put those that they take.
import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { projectRoot } from '../../../dev/n8n/package';

const FOLDER = 'docs/images';

/** The pictures that a page of the documentation shows, as names below docs/images. Those of the bench are drawn by it. */
export function shownPictures(): Set<string> {
	const pages = [
		'README.md',
		...['docs', 'examples'].flatMap((folder) =>
			readdirSync(join(projectRoot, folder))
				.filter((name) => name.endsWith('.md'))
				.map((name) => join(folder, name)),
		),
	];
	const names = pages.flatMap((page) =>
		[
			...readFileSync(join(projectRoot, page), 'utf8').matchAll(
				/\bimages\/([\w/-]+\.(?:png|webp))/g,
			),
		].map(([, name = '']) => name),
	);
	return new Set(names);
}

/**
 * Where a picture goes: to docs/images if VOICE_MANAGEMENT_PICTURES is set and a page shows it. Otherwise to the artifacts:
 * each run takes all of them, so that they can always be taken, and draws them a little differently.
 * @param name with its ending, such as `errors/path.png`
 */
export function pictureFile(name: string): string {
	const renewed = process.env.VOICE_MANAGEMENT_PICTURES && shownPictures().has(name);
	const file = join(projectRoot, renewed ? FOLDER : 'test/e2e/artifacts/images', name);
	mkdirSync(dirname(file), { recursive: true });
	return file;
}

/**
 * The pictures of the documentation that were not taken since then.
 * @param since milliseconds since 1970
 */
export function stalePictures(since: number): string[] {
	return [...shownPictures()].filter(
		(name) =>
			(statSync(join(projectRoot, FOLDER, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) < since,
	);
}
