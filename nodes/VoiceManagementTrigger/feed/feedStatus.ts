// Converts the state machine's notifications to the status that subscribers get, and to the outcome of the first
// attempt. Pure.
import type { AttemptFailure, Notification } from './state/types';
import type { FeedStatus, FirstOutcome } from './types';

/** @returns undefined if the notification does not decide the outcome of the first attempt */
export function firstOutcomeOf(notification: Notification): FirstOutcome | undefined {
	switch (notification.event) {
		case 'connected':
			return { kind: 'live' };
		case 'disconnected':
		case 'renewed':
		case 'reverted':
			return undefined;
		case 'refused':
			return { kind: 'refused', ...refusalOf(notification.failure) };
		case 'retrying': {
			const { failure, renewal } = notification;
			if (renewal) return undefined;
			return { kind: failure.permanent ? 'unusable' : 'unreachable', reason: failure.reason };
		}
	}
}

/**
 * @param at now, in milliseconds since 1970
 * @returns undefined if subscribers get no status for this notification
 */
export function feedStatusOf(notification: Notification, at: number): FeedStatus | undefined {
	switch (notification.event) {
		case 'disconnected':
			return { event: 'disconnected', at, reason: notification.reason };
		case 'refused': {
			const { failure, first, retryAt } = notification;
			return { event: 'refused', at, ...refusalOf(failure), first, retryAt };
		}
		// feed.ts reports it when it is known whether anything was missed.
		case 'connected':
		case 'renewed':
		case 'reverted':
		case 'retrying':
			return undefined;
	}
}

function refusalOf({ reason, statusCode }: AttemptFailure): {
	reason: string;
	statusCode?: number;
} {
	return statusCode === undefined ? { reason } : { reason, statusCode };
}
