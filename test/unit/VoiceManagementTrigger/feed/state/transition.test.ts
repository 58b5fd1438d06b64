// The table of transitions of docs/dev/feed.md: what happens in a state, the state that follows, and what is done.
import {
	initialState,
	transition,
} from '../../../../../nodes/VoiceManagementTrigger/feed/state/transition';
import type {
	FeedAction,
	Input,
	OpenConnection,
	State,
} from '../../../../../nodes/VoiceManagementTrigger/feed/state/types';

const MINUTE = 60_000;
const NOW = 1_000_000_000;
const context = {
	now: NOW,
	random: 0,
	silenceTimeoutMs: 30 * MINUTE,
	notBefore: 0,
	brokeAt: -Infinity,
};

const open = (id: number, given: Partial<OpenConnection> = {}): OpenConnection => ({
	id,
	openedAt: NOW - MINUTE,
	renewAt: NOW + 100 * MINUTE,
	expiresAt: NOW + 110 * MINUTE,
	confirmed: true,
	...given,
});
const state = (given: Partial<State>): State => ({ ...initialState, newestId: 3, ...given });
const live = state({ name: 'live', current: open(1) });
const young = state({ name: 'live', current: open(1, { openedAt: NOW - 1, confirmed: false }) });
const renewing = state({ name: 'renewing', current: open(1), attemptId: 3 });
const both = state({ name: 'renewing', current: open(1), next: open(3, { confirmed: false }) });
const atTheEnd = open(1, { renewAt: NOW - 9 * MINUTE, expiresAt: NOW + MINUTE });

const failed = (kind: 'failed' | 'refused'): Input => ({
	type: 'failed',
	id: 3,
	failure: { kind, reason: 'why' },
});
const opened: Input = { type: 'opened', id: 3, renewAt: NOW + MINUTE, expiresAt: NOW + 2 * MINUTE };
const lost = (id: number, clean: boolean): Input => ({ type: 'lost', id, reason: 'why', clean });
const timer = (name: 'retry' | 'renew' | 'silence' | 'compare'): Input => ({ type: 'timer', name });
const compared = (decision: 'switch' | 'revert' | 'wait'): Input => ({
	type: 'compared',
	decision,
});

/** The effects in short; cancelled timers are left out. */
const brief = (effects: FeedAction[]) =>
	effects
		.flatMap((effect) => {
			switch (effect.do) {
				case 'cancel':
					return [];
				case 'timer':
					return [`${effect.name} in ${effect.delayMs}`];
				case 'notify':
					return [effect.notification.event];
				case 'compare':
					return [effect.force ? 'compare now' : 'compare'];
				default:
					return [`${effect.do} ${effect.id}`];
			}
		})
		.join(', ');

const STATES: Record<string, State> = {
	...{ live, young, renewing, both },
	new: state({ newestId: 0 }),
	authenticating: state({ name: 'authenticating', attemptId: 3 }),
	connecting: state({ name: 'connecting', attemptId: 3 }),
	thirdTry: state({ name: 'connecting', attemptId: 3, failures: 2 }),
	youngAgain: { ...young, immediateUsed: true },
	youngAfterFailures: { ...young, failures: 3 },
	renewingLoggedIn: { ...renewing, loggedIn: true },
	rejectedToTheEnd: state({ name: 'renewing', current: atTheEnd, renewalRejected: true }),
	// It delivered an event, and was lost at once.
	brief: state({ name: 'live', current: open(1, { openedAt: NOW - 9_000 }), failures: 3 }),
	failingToTheEnd: state({ name: 'renewing', current: atTheEnd }),
	waiting: state({ name: 'waiting' }),
	refused: state({ name: 'refused' }),
	closed: state({ name: 'closed' }),
};

const INPUTS: Record<string, Input> = {
	...{ start: { type: 'start' }, loggedIn: { type: 'loggedIn', id: 3 }, opened },
	...{ refused: failed('refused'), failed: failed('failed') },
	...{ ended1: lost(1, true), broke1: lost(1, false), broke3: lost(3, false) },
	...{ unknownEnded: lost(2, true), retry: timer('retry'), renew: timer('renew') },
	...{ silence: timer('silence'), compare: timer('compare'), wait: compared('wait') },
	...{ switch: compared('switch'), revert: compared('revert') },
	...{ subscriber: { type: 'retryNow' }, close: { type: 'close' } },
};

/** A state, what happens, the state that follows, and what is done. Connection 1 is the old one, 3 the next one. */
const ROWS = `
new start → authenticating: open 1
authenticating loggedIn → connecting:
authenticating refused → refused: retry in 300000, refused
authenticating failed → waiting: retry in 1000, retrying
thirdTry failed → waiting: retry in 4000, retrying
connecting opened → live: connected, renew in 60000, confirm in 30000, silence in 1800000
live ended1 → authenticating: disconnected, open 4
young ended1 → authenticating: disconnected, open 4
youngAgain ended1 → waiting: disconnected, retry in 1000, retrying
live broke1 → waiting: disconnected, retry in 1000, retrying
youngAfterFailures broke1 → waiting: disconnected, retry in 8000, retrying
brief broke1 → waiting: disconnected, retry in 8000, retrying
live renew → renewing: open 4
live silence → renewing: silence in 1800000, open 4
renewing silence → renewing: silence in 1800000
renewing opened → renewing: compare in 1000, renew in 60000, confirm in 30000, silence in 1800000
renewing failed → renewing: renew in 1000, retrying
renewing refused → renewing: renew in 300000, retrying
renewing ended1 → authenticating: disconnected
renewingLoggedIn broke1 → connecting: disconnected
both compare → renewing: compare
both renew → renewing: compare now
both wait → renewing: compare in 1000
both switch → live: drop 1, renewed, renew in 6000000
both revert → renewing: drop 3, reverted, silence in 1800000, renew in 1000, retrying
both broke3 → renewing: reverted, silence in 1800000, renew in 1000, retrying
both ended1 → live: renewed, renew in 6000000
rejectedToTheEnd renew → authenticating: drop 1, disconnected, open 4
failingToTheEnd renew → renewing: open 4
waiting retry → authenticating: open 4
refused subscriber → authenticating: open 4
live subscriber → live:
both close → closed: drop 1, drop 3
closed opened → closed:
live unknownEnded → live:
`;

it.each(ROWS.trim().split('\n'))('%s', (row) => {
	const [, before = '', input = ''] = /^(\S+) (\S+) →/.exec(row) ?? [];
	const [after, done] = transition(STATES[before] as State, INPUTS[input] as Input, context);
	expect(`${before} ${input} → ${after.name}: ${brief(done)}`.trim()).toBe(row);
});

it('no login is sent before the moment that the provider asked for', () => {
	const asked = { ...context, notBefore: NOW + 3 * MINUTE };
	const connecting = state({ name: 'connecting', attemptId: 3 });
	for (const [before, input] of [
		[connecting, failed('failed')],
		[renewing, failed('failed')],
		[live, lost(1, true)],
	] as const) {
		const [, done] = transition(before, input, asked);
		expect(brief(done)).toMatch(new RegExp(`(retry|renew) in ${3 * MINUTE}`));
		expect(brief(done)).not.toContain('open');
	}
});

it('the next connection of a renewal that worked ends the failures before it, also if it is lost', () => {
	const current = open(1, { confirmed: false });
	const [reverted] = transition(
		{ ...both, current, next: open(3), failures: 3 },
		lost(3, true),
		context,
	);
	const [, effects] = transition(reverted, lost(1, false), context);
	expect(brief(effects)).toBe('disconnected, retry in 1000, retrying');
});

it('a connection that the feed closed no longer explains a refusal when the next one has opened', () => {
	const connecting = state({ name: 'connecting', attemptId: 3, closedAt: NOW - MINUTE });
	const [live3] = transition(connecting, opened, context);
	const broken = { ...context, brokeAt: NOW };
	const [waiting] = transition(live3, lost(3, false), broken);
	const [trying] = transition(waiting, timer('retry'), broken);
	const refused: Input = {
		type: 'failed',
		id: trying.newestId,
		failure: { kind: 'refused', reason: 'why' },
	};
	expect(brief(transition(trying, refused, broken)[1])).toBe('retry in 30000, refused');
});

it('a connection that worked until its renewal ends the failures before it', () => {
	const [after] = transition({ ...both, failures: 3 }, lost(1, true), context);
	const [, done] = transition(after, lost(3, false), context);
	expect(brief(done)).toBe('disconnected, retry in 1000, retrying');
});

it.each([
	['after a break', {}, { brokeAt: NOW - MINUTE }, 'retry in 30000, refused'],
	['after the feed closed it', { closedAt: NOW - MINUTE }, {}, 'retry in 1000, refused'],
	['long after a break', {}, { brokeAt: NOW - 3 * MINUTE }, 'retry in 300000, refused'],
	[
		'just after the time in which it may be, as if none had been refused before',
		{ refusals: 4, lingering: 4 },
		{ brokeAt: NOW - 3 * MINUTE },
		'retry in 300000, refused',
	],
])(
	'a refusal may mean that the old connection is still counted: %s',
	(_when, known, when, done) => {
		const before = state({ name: 'authenticating', attemptId: 3, ...known });
		const [, effects] = transition(before, failed('refused'), { ...context, ...when });
		expect(brief(effects)).toBe(done);
	},
);
