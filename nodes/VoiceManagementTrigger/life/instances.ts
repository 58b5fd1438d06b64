// The triggers that run in this process, by workflow and node. n8n has been seen to call `trigger()` twice and to close
// only one of the two instances; whichever it closes, at most one instance is live, and none after the close. The map
// is module state on purpose: the calls have nothing else in common.

import type { Directory } from '../../shared/directory';
import type { FeedOptions } from '../feed/types';

/** Its key is that of the password too: whoever does not have it sees no names. */
type ServedFeed = Pick<FeedOptions, 'key'>;

/** One run of `trigger()`. */
export interface ActiveTrigger {
	/**
	 * Aborts when this instance ends, for whatever reason. From then on nothing is received or started, except what the
	 * feed has already buffered.
	 */
	readonly signal: AbortSignal;
	/** Settles when the previous instance has ended. */
	readonly predecessorEnded: Promise<void>;
	/** Registers what to wait for when this instance ends; called at once if it has already ended. */
	onEnd(close: () => Promise<void> | void): void;
	/** Registers which feed this instance listens to, and how to get its names. */
	serves(feed: ServedFeed, directory: () => Directory | undefined): void;
	/** `trigger()` returns this instance to n8n. */
	returned(): void;
	/** Ends this instance, or the newer one that replaced it while this one was still starting. Never rejects. */
	close(): Promise<void>;
}

interface Instance {
	controller: AbortController;
	closers: Array<() => Promise<void> | void>;
	ended?: Promise<unknown>;
	returned: boolean;
	successor?: Instance;
	feed?: ServedFeed;
	directory?: () => Directory | undefined;
}

const instances = new Map<string, Instance>();

/**
 * Registers an instance and ends the previous one.
 * @param key workflow and node; a test run has its own key
 */
export function acquire(key: string): ActiveTrigger {
	const controller = new AbortController();
	const instance: Instance = { controller, closers: [], returned: false };
	const predecessor = instances.get(key);
	instances.set(key, instance);
	if (predecessor) predecessor.successor = instance;
	const end = async (one: Instance) => {
		one.ended ??= endOf(one);
		await one.ended;
		if (instances.get(key) === one) instances.delete(key);
	};
	return {
		signal: controller.signal,
		predecessorEnded: predecessor ? end(predecessor) : Promise.resolve(),
		onEnd: (close) => {
			if (controller.signal.aborted) void closeAll([close]);
			else instance.closers.push(close);
		},
		serves: (feed, directory) => {
			instance.feed = feed;
			instance.directory = directory;
		},
		returned: () => {
			instance.returned ||= instance.successor === undefined;
		},
		close: async () => {
			// If a newer instance replaced this one before `trigger()` returned, n8n may hold only this close function: it
			// has to close the newer one as well.
			let current = instance;
			while (!current.returned && current.successor) current = current.successor;
			await end(instance);
			if (current !== instance) await end(current);
		},
	};
}

async function endOf({ controller, closers }: Instance): Promise<void> {
	controller.abort();
	await closeAll(closers);
}

async function closeAll(closers: Instance['closers']): Promise<void> {
	await Promise.allSettled(closers.map(async (close) => await close()));
}

/**
 * The names from the login of a running trigger. The panel's lists use them: a login of their own would end the
 * running feed if the provider allows only one session.
 */
export function liveDirectory({ key }: ServedFeed): Directory | undefined {
	for (const instance of instances.values()) {
		if (instance.feed?.key !== key) continue;
		const directory = instance.directory?.();
		if (directory) return directory;
	}
	return undefined;
}
