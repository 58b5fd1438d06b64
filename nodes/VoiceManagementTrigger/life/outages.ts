// Reports once per outage that a feed has been down for a while: shorter interruptions end before anyone could act.

import { BACKOFF_MAX_MS } from '../feed/state/backoff';
import { CREDENTIAL_CHANGED } from '../feed/gap';
import type { Clock, FeedStatus } from '../feed/types';

/** How long the provider must be away before it is reported. */
const REPORTED_AFTER_MS = 5 * 60_000;
/**
 * A connection that lasts no longer than this does not end an outage: another n8n with the same login, at a provider that
 * allows one session, takes it away again after its own longest wait.
 */
const LASTING_MS = BACKOFF_MAX_MS;

export interface Outage {
	/** Milliseconds since 1970. */
	since: number;
	/** Of the feed, if it was connected before. */
	reason: string | undefined;
	/** Whether there were connections in it, which did not last. */
	hasConnections: boolean;
	/** Whether a connection has lasted before it. */
	hasWorked: boolean;
}

type Refused = Extract<FeedStatus, { event: 'refused' }>;

/** Called at most once for each outage. */
export interface OutageReports {
	lasts(outage: Readonly<Outage>): void;
	refused(status: Refused): void;
}

export interface OutageWatch {
	/** Receives every status of the feed. */
	note(status: FeedStatus): void;
	/** The outage that goes on was reported otherwise. */
	reported(): void;
}

/** Watches a feed that is not connected yet. */
export function watchOutages(
	clock: Clock,
	signal: AbortSignal,
	reports: OutageReports,
): OutageWatch {
	let hasWorked = false;
	/** The outage that goes on; `dueAt` is undefined once it needs no report any more. */
	let outage: (Outage & { dueAt: number | undefined; isRefused: boolean }) | undefined;
	let cancel = () => {};
	const after = (delayMs: number, action: () => void) => {
		cancel();
		if (!signal.aborted) cancel = clock.after(delayMs, action);
	};
	const report = () => {
		if (outage?.dueAt === undefined) return;
		outage.dueAt = undefined;
		reports.lasts(outage);
	};
	const isDown = (since: number, reason?: string) => {
		outage ??= {
			since,
			reason,
			hasConnections: false,
			hasWorked,
			isRefused: false,
			dueAt: clock.now() + REPORTED_AFTER_MS,
		};
		// The connection that has ended did not last.
		cancel();
		const { dueAt } = outage;
		// At the earliest when the feed has said why the connection was lost.
		if (dueAt !== undefined) after(Math.max(0, dueAt - clock.now()), report);
	};
	signal.addEventListener('abort', () => cancel(), { once: true });
	isDown(clock.now());
	const note = (status: FeedStatus) => {
		if (status.event === 'disconnected') {
			// With what it says now, nothing has worked yet.
			if (status.reason === CREDENTIAL_CHANGED) hasWorked = false;
			isDown(status.at, status.reason);
		} else if (status.event === 'refused' && outage) {
			outage.dueAt = undefined;
			if (!outage.isRefused) reports.refused(status);
			outage.isRefused = true;
		} else if (status.event === 'connected' && outage) {
			outage.hasConnections = true;
			after(LASTING_MS, () => {
				outage = undefined;
				hasWorked = true;
			});
		}
	};
	const reported = () => {
		if (outage) outage.dueAt = undefined;
	};
	return { note, reported };
}
