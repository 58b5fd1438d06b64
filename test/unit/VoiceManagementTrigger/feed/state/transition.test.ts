// The table of transitions of docs/dev/feed.md: what happens in a state, the state that follows, and what is done.
import {
	initialState,
	transition,
} from '../../../../../nodes/VoiceManagementTrigger/feed/state/transition';
import type {
	Effect,
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
const brief = (effects: Effect[]) =>
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

const AFTER_OPENING = `renew in ${MINUTE}, confirm in 30000, silence in ${30 * MINUTE}`;

const ROWS: ReadonlyArray<[string, State, Input, State['name'], string]> = [
	['begins', state({ newestId: 0 }), { type: 'start' }, 'authenticating', 'open 1'],
	[
		'logged in',
		state({ name: 'authenticating', attemptId: 3 }),
		{ type: 'loggedIn', id: 3 },
		'connecting',
		'',
	],
	[
		'refused',
		state({ name: 'authenticating', attemptId: 3 }),
		failed('refused'),
		'refused',
		`retry in ${5 * MINUTE}, refused`,
	],
	[
		'failed',
		state({ name: 'authenticating', attemptId: 3 }),
		failed('failed'),
		'waiting',
		'retry in 1000, retrying',
	],
	[
		'failed for the third time',
		state({ name: 'connecting', attemptId: 3, failures: 2 }),
		failed('failed'),
		'waiting',
		'retry in 4000, retrying',
	],
	[
		'joined',
		state({ name: 'connecting', attemptId: 3 }),
		opened,
		'live',
		`connected, ${AFTER_OPENING}`,
	],
	['ended by the provider', live, lost(1, true), 'authenticating', 'disconnected, open 4'],
	['ended by the provider at once', young, lost(1, true), 'authenticating', 'disconnected, open 4'],
	[
		'ended by the provider at once again',
		{ ...young, immediateUsed: true },
		lost(1, true),
		'waiting',
		'disconnected, retry in 1000, retrying',
	],
	['broken', live, lost(1, false), 'waiting', 'disconnected, retry in 1000, retrying'],
	[
		'broken after failures, before it was confirmed',
		{ ...young, failures: 3 },
		lost(1, false),
		'waiting',
		'disconnected, retry in 8000, retrying',
	],
	['renewal due', live, timer('renew'), 'renewing', 'open 4'],
	['silent', live, timer('silence'), 'renewing', `silence in ${30 * MINUTE}, open 4`],
	[
		'silent while a login is in progress',
		renewing,
		timer('silence'),
		'renewing',
		`silence in ${30 * MINUTE}`,
	],
	['the next one joined', renewing, opened, 'renewing', `compare in 1000, ${AFTER_OPENING}`],
	['the renewal failed', renewing, failed('failed'), 'renewing', 'renew in 1000, retrying'],
	['the renewal was refused', renewing, failed('refused'), 'renewing', 'renew in 1000, retrying'],
	['ended while the renewal logs in', renewing, lost(1, true), 'authenticating', 'disconnected'],
	[
		'ended while the renewal opens its socket',
		{ ...renewing, loggedIn: true },
		lost(1, false),
		'connecting',
		'disconnected',
	],
	['to be compared', both, timer('compare'), 'renewing', 'compare'],
	['to be renewed before it was compared', both, timer('renew'), 'renewing', 'compare now'],
	['nothing decided', both, compared('wait'), 'renewing', 'compare in 1000'],
	[
		'the next one takes over',
		both,
		compared('switch'),
		'live',
		`drop 1, renewed, renew in ${100 * MINUTE}`,
	],
	[
		'the next one delivers nothing',
		both,
		compared('revert'),
		'renewing',
		`drop 3, reverted, silence in ${30 * MINUTE}, renew in 1000, retrying`,
	],
	[
		'the next one broke',
		both,
		lost(3, false),
		'renewing',
		`reverted, silence in ${30 * MINUTE}, renew in 1000, retrying`,
	],
	[
		'the old one ended beside the next one',
		both,
		lost(1, true),
		'live',
		`renewed, renew in ${100 * MINUTE}`,
	],
	[
		'second login refused until the token ends',
		state({ name: 'renewing', current: atTheEnd, renewalRejected: true }),
		timer('renew'),
		'authenticating',
		'drop 1, disconnected, open 4',
	],
	[
		'second login failing until the token ends',
		state({ name: 'renewing', current: atTheEnd }),
		timer('renew'),
		'renewing',
		'open 4',
	],
	['the wait is over', state({ name: 'waiting' }), timer('retry'), 'authenticating', 'open 4'],
	[
		'a subscriber comes',
		state({ name: 'refused' }),
		{ type: 'retryNow' },
		'authenticating',
		'open 4',
	],
	['a subscriber comes to an open feed', live, { type: 'retryNow' }, 'live', ''],
	['closed', both, { type: 'close' }, 'closed', 'drop 1, drop 3'],
	['anything after that', state({ name: 'closed' }), opened, 'closed', ''],
	['a connection that is no longer known', live, lost(2, true), 'live', ''],
];

it.each(ROWS)('%s', (_what, before, input, name, effects) => {
	const [after, done] = transition(before, input, context);
	expect([after.name, brief(done)]).toEqual([name, effects]);
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

it.each([
	['after a break', {}, { brokeAt: NOW - MINUTE }, 'retry in 30000, refused'],
	['after the feed closed it', { closedAt: NOW - MINUTE }, {}, 'retry in 1000, refused'],
	['long after a break', {}, { brokeAt: NOW - 3 * MINUTE }, 'retry in 300000, refused'],
])(
	'a refusal may mean that the old connection is still counted: %s',
	(_when, known, when, done) => {
		const before = state({ name: 'authenticating', attemptId: 3, ...known });
		const [, effects] = transition(before, failed('refused'), { ...context, ...when });
		expect(brief(effects)).toBe(done);
	},
);
