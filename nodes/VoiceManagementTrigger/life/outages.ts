// Reports once per outage that a feed has been down for a while: shorter interruptions end before anyone could act.

import type { Clock, FeedStatus } from '../feed/types';

/** How long the provider must be away before it is reported. */
const TOLD_AFTER_MS = 5 * 60_000;

/**
 * Watches a feed that is not connected yet.
 * @param report called once for each outage, with its beginning (milliseconds since 1970) and the feed's reason, if
 *   any
 * @returns a function that receives every status of the feed
 */
export function watchOutages(
	clock: Clock,
	signal: AbortSignal,
	report: (since: number, reason: string | undefined) => void,
): (status: FeedStatus) => void {
	let cancel: (() => void) | undefined;
	let down = false;
	const end = () => cancel?.();
	const begin = (since: number, reason?: string) => {
		if (down || signal.aborted) return;
		down = true;
		cancel = clock.after(TOLD_AFTER_MS, () => report(since, reason));
	};
	signal.addEventListener('abort', end, { once: true });
	begin(clock.now());
	return (status) => {
		if (status.event === 'disconnected') begin(status.at, status.reason);
		// A rejected login is reported elsewhere, with advice.
		else if (status.event === 'refused') end();
		else if (status.event === 'connected') {
			end();
			down = false;
		}
	};
}
