/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A cache of finished folders outside the checkout: each is made once, appears completely or not at all, and is made
// by one process at a time.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { tryLock } from '../lock';
import type { Progress } from '../progress';
import { UserError } from '../userError';

const MARKER = '.complete.json';
const LOCK_RETRY_MS = 1_000;

/** `VOICE_MANAGEMENT_CACHE`, or a folder of this project in the user's cache folder. */
export function cacheRoot(): string {
	return (
		process.env.VOICE_MANAGEMENT_CACHE ||
		join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-voice-management')
	);
}

export interface CachedFolder {
	/** Name below the cache root; must change whenever the content would change. */
	name: string;
	/** A description for messages: "n8n 2.41.1". */
	title: string;
	/** Free space that is needed to make it. */
	bytesNeeded: number;
	/** Files in a complete folder: if one is missing, somebody has deleted parts of it. */
	essentialFiles: readonly string[];
	/** Fills the empty folder; if it throws, the folder does not count as finished. */
	make(folder: string): Promise<void>;
}

async function assertSpace(root: string, needed: number, title: string): Promise<void> {
	const { bavail, bsize } = await statfs(root);
	const free = bavail * bsize;
	if (free < needed) {
		const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
		throw new UserError(
			`Not enough disk space to install ${title}: ${gigabytes(needed)} needed, ${gigabytes(free)} free below ${root}. ` +
				'Free some, or set VOICE_MANAGEMENT_CACHE to a folder on another disk.',
		);
	}
}

function isComplete(folder: string, essentialFiles: readonly string[]): boolean {
	return [MARKER, ...essentialFiles].every((file) => existsSync(join(folder, file)));
}

async function acquire(target: string, title: string, progress: Progress, signal?: AbortSignal) {
	let told = false;
	for (;;) {
		signal?.throwIfAborted();
		const release = await tryLock(`${target}.holder`);
		if (release) return release;
		if (!told) progress.log(`Another process is installing ${title}: waiting for it.`);
		told = true;
		await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
	}
}

/**
 * The path of a finished folder, which is made first if it is missing or damaged.
 * @throws UserError if the disk is too full or the cache folder cannot be written.
 */
export async function ensureFolder(
	wanted: CachedFolder,
	progress: Progress,
	signal?: AbortSignal,
): Promise<string> {
	const root = cacheRoot();
	const target = join(root, wanted.name);
	if (isComplete(target, wanted.essentialFiles)) return target;

	try {
		await mkdir(root, { recursive: true });
	} catch (error) {
		throw new UserError(
			`The cache folder ${root} cannot be made (${(error as NodeJS.ErrnoException).code}): set VOICE_MANAGEMENT_CACHE to a folder that can be written.`,
		);
	}
	const release = await acquire(target, wanted.title, progress, signal);
	try {
		// Another process may have made it while this one waited.
		if (isComplete(target, wanted.essentialFiles)) return target;
		const partial = `${target}.partial`;
		if (existsSync(partial)) {
			progress.log(
				`An earlier installation of ${wanted.title} was interrupted: starting it again.`,
			);
		} else if (existsSync(target)) {
			progress.log(`The installation of ${wanted.title} is damaged: installing it again.`);
		}
		await rm(partial, { recursive: true, force: true });
		await rm(target, { recursive: true, force: true });
		await assertSpace(root, wanted.bytesNeeded, wanted.title);
		await mkdir(partial);
		await wanted.make(partial);
		await writeFile(join(partial, MARKER), `${JSON.stringify({ title: wanted.title })}\n`);
		await rename(partial, target);
		return target;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
			throw new UserError(
				`The disk below ${root} is full: ${wanted.title} could not be installed. Free some space, or set VOICE_MANAGEMENT_CACHE to a folder on another disk.`,
			);
		}
		throw error;
	} finally {
		release();
	}
}
