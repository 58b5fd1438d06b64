import {
	gapMessage,
	transitionMessage,
} from '../../../../nodes/VoiceManagementTrigger/feed/logMessages';
import type { FeedAction } from '../../../../nodes/VoiceManagementTrigger/feed/state/types';

const KNOWN = { route: { protocol: 4, transport: 'direct' }, now: 0 } as const;
const retrying = (reason: string): FeedAction => ({
	do: 'notify',
	notification: {
		event: 'retrying',
		failure: { kind: 'failed', reason },
		renewal: false,
		retryAt: 4_000,
	},
});

test('the reason of an interruption is logged once', () => {
	const disconnected: FeedAction = {
		do: 'notify',
		notification: { event: 'disconnected', reason: 'transport error' },
	};
	const effects = [disconnected, retrying('transport error')];
	expect(transitionMessage('live', 'waiting', effects, KNOWN)).toEqual({
		level: 'warn',
		text: 'live → waiting (disconnected: transport error; next attempt in 4.0 s)',
	});
});

test('a rejected login is logged with the time of the next one, and what makes it sooner', () => {
	const refused: FeedAction = {
		do: 'notify',
		notification: {
			event: 'refused',
			failure: { kind: 'refused', reason: 'wrong password' },
			first: true,
			retryAt: 300_000,
		},
	};
	expect(transitionMessage('authenticating', 'refused', [refused], KNOWN)).toEqual({
		level: 'error',
		text: 'authenticating → refused (wrong password; next login in 300.0 s, or within 30 s after the credential is changed)',
	});
});

test('the reason of a failed attempt is logged together with the next one', () => {
	const { text } = transitionMessage('connecting', 'waiting', [retrying('no answer')], KNOWN);
	expect(text).toContain('(no answer; next attempt in 4.0 s)');
});

test.each([
	[0, 'connecting → live (Socket.IO 4, direct)'],
	[1, 'connecting → live (Socket.IO 4, direct, after 1 failed attempt)'],
	[2, 'connecting → live (Socket.IO 4, direct, after 2 failed attempts)'],
])('a connection after %d failed attempts', (attempts, text) => {
	const connected: FeedAction = {
		do: 'notify',
		notification: { event: 'connected', attempts },
	};
	expect(transitionMessage('connecting', 'live', [connected], KNOWN).text).toBe(text);
});

test.each([
	[undefined, 'events may be missing for 35.8 s (number unknown): the server closed'],
	[12, 'events are missing for 35.8 s (12): the server closed'],
])('a gap in which the number of missing events is %s', (missed, text) => {
	expect(gapMessage({ from: 0, to: 35_800, reason: 'the server closed', missed })).toEqual({
		level: 'warn',
		text,
	});
});
