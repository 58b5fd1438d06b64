/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The pictures of the documentation: their names, and where the suites write those that they take.
import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { projectRoot } from '../../../dev/n8n/package';

const FOLDER = 'docs/images';

/** The pictures on the pages of the documentation, as names below docs/images, except those that the bench draws. */
export function shownPictures(): Set<string> {
	const pages = [
		'README.md',
		...['docs', 'examples'].flatMap((folder) =>
			readdirSync(join(projectRoot, folder), { recursive: true })
				.map(String)
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
 * The path for a picture: in docs/images if VOICE_MANAGEMENT_PICTURES is set and a page shows it, otherwise in the
 * artifacts. Each run takes all pictures, so that it is known that they can be taken, but draws them a little
 * differently.
 * @param name with its extension, such as `errors/path.png`
 */
export function pictureFile(name: string): string {
	const renewed = process.env.VOICE_MANAGEMENT_PICTURES && shownPictures().has(name);
	const file = join(projectRoot, renewed ? FOLDER : 'test/e2e/artifacts/images', name);
	mkdirSync(dirname(file), { recursive: true });
	return file;
}

/**
 * The pictures of the documentation that have not been taken since then.
 * @param since milliseconds since 1970
 */
export function stalePictures(since: number): string[] {
	return [...shownPictures()].filter(
		(name) =>
			(statSync(join(projectRoot, FOLDER, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) < since,
	);
}
