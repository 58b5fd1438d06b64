// The triggers that run in this process, by workflow and node. n8n has been seen to call `trigger()` twice and
// close only one of the two copies; whichever it closes, one copy at most is live, and none after the close.
// The map is module state on purpose: the calls have nothing else in common.

import type { Directory } from '../feed/types';

/** A copy's place in the registry. */
export interface Claim {
	/** Says which feed this copy listens to, and where its names are. */
	serves(feedKey: string, directory: () => Directory | undefined): void;
	/** Settles once the copy before this one has ended. */
	readonly predecessorGone: Promise<void>;
	/** Says that `trigger()` has returned this copy to n8n. */
	returned(): void;
	/** Ends this copy, or the later one that took over while this one was still starting. Never rejects. */
	close(): Promise<void>;
}

interface Copy {
	end(): Promise<void>;
	ended?: Promise<void>;
	returned: boolean;
	successor?: Copy;
	feedKey?: string;
	directory?: () => Directory | undefined;
}

const copies = new Map<string, Copy>();

/**
 * Takes the place of a trigger and ends whoever had it.
 * @param key workflow and node; a test run has a place of its own
 * @param end ends this copy: called once
 */
export function claim(key: string, end: () => Promise<void>): Claim {
	const copy: Copy = { end, returned: false };
	const predecessor = copies.get(key);
	copies.set(key, copy);
	if (predecessor) predecessor.successor = copy;
	const finish = async (one: Copy) => {
		one.ended ??= one.end().catch(() => {});
		await one.ended;
		if (copies.get(key) === one) copies.delete(key);
	};
	return {
		serves: (feedKey, directory) => {
			copy.feedKey = feedKey;
			copy.directory = directory;
		},
		predecessorGone: predecessor ? finish(predecessor) : Promise.resolve(),
		returned: () => {
			copy.returned ||= copy.successor === undefined;
		},
		close: async () => {
			// A copy that was overtaken before n8n had it stands for the one that overtook it: n8n may hold this one only.
			let current = copy;
			while (!current.returned && current.successor) current = current.successor;
			await finish(copy);
			if (current !== copy) await finish(current);
		},
	};
}

/**
 * The names that a running trigger got with its login. The panel's lists take them from here: a login of their own
 * would end the running feed where the operator allows one session only.
 */
export function liveDirectory(feedKey: string): Directory | undefined {
	for (const copy of copies.values()) {
		if (copy.feedKey !== feedKey) continue;
		const directory = copy.directory?.();
		if (directory) return directory;
	}
	return undefined;
}

/** How many copies are registered: for tests. */
export function registered(): number {
	return copies.size;
}
