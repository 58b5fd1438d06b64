// The table of transitions: state, input, next state, effects. docs/feed.md describes it in words.
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
import { nth, present } from '../../../../../simulator/present';

const MINUTE = 60_000;
const NOW = 1_000_000_000;
const context = { now: NOW, random: 0, silenceTimeoutMs: 30 * MINUTE };

const open = (id: number, given: Partial<OpenConnection> = {}): OpenConnection => ({
	id,
	openedAt: NOW - MINUTE,
	renewAt: NOW + 100 * MINUTE,
	expiresAt: NOW + 110 * MINUTE,
	confirmed: true,
	...given,
});

const states: Record<string, State> = {
	begun: initialState,
	authenticating: { ...initialState, name: 'authenticating', newestId: 1, attemptId: 1 },
	connecting: { ...initialState, name: 'connecting', newestId: 1, attemptId: 1, loggedIn: true },
	live: { ...initialState, name: 'live', newestId: 1, current: open(1) },
	'live, just opened': {
		...initialState,
		name: 'live',
		newestId: 1,
		current: open(1, { openedAt: NOW - 1, confirmed: false }),
	},
	'live, just opened after three failures': {
		...initialState,
		name: 'live',
		newestId: 4,
		failures: 3,
		current: open(4, { openedAt: NOW - MINUTE / 3, confirmed: false }),
	},
	'live, proved after three failures': {
		...initialState,
		name: 'live',
		newestId: 4,
		failures: 3,
		current: open(4),
	},
	'live, immediate attempt used': {
		...initialState,
		name: 'live',
		newestId: 1,
		immediateUsed: true,
		current: open(1, { openedAt: NOW - 1 }),
	},
	'renewing, logging in': {
		...initialState,
		name: 'renewing',
		newestId: 2,
		current: open(1),
		attemptId: 2,
	},
	'renewing, opening its socket': {
		...initialState,
		name: 'renewing',
		newestId: 2,
		current: open(1),
		attemptId: 2,
		loggedIn: true,
	},
	'renewing, both open': {
		...initialState,
		name: 'renewing',
		newestId: 2,
		current: open(2, { confirmed: false }),
		previous: open(1),
	},
	'renewing, waiting for the next try': {
		...initialState,
		name: 'renewing',
		newestId: 2,
		current: open(1),
		renewalFailures: 1,
	},
	'renewing, rejected, last resort': {
		...initialState,
		name: 'renewing',
		newestId: 5,
		renewalFailures: 4,
		renewalRejected: true,
		current: open(1, { renewAt: NOW - 9 * MINUTE, expiresAt: NOW + MINUTE }),
	},
	'renewing, logging in at the last resort': {
		...initialState,
		name: 'renewing',
		newestId: 8,
		renewalFailures: 7,
		renewalRejected: true,
		attemptId: 8,
		current: open(1, { renewAt: NOW - 9 * MINUTE, expiresAt: NOW + MINUTE }),
	},
	'renewing, failing, at the end': {
		...initialState,
		name: 'renewing',
		newestId: 5,
		renewalFailures: 4,
		current: open(1, { renewAt: NOW - 9 * MINUTE, expiresAt: NOW + MINUTE }),
	},
	waiting: { ...initialState, name: 'waiting', newestId: 3, failures: 2, attempts: 2 },
	refused: { ...initialState, name: 'refused', newestId: 3, refusals: 1, attempts: 1 },
	closed: { ...initialState, name: 'closed', newestId: 3 },
};

const failed = (id: number, kind: 'failed' | 'refused'): Input => ({
	type: 'failed',
	id,
	failure: { kind, reason: 'why' },
});
const opened = (id: number): Input => ({
	type: 'opened',
	id,
	renewAt: NOW + 100 * MINUTE,
	expiresAt: NOW + 110 * MINUTE,
});
const lost = (id: number, clean: boolean): Input => ({
	type: 'lost',
	id,
	reason: 'why',
	clean,
});
const timer = (name: 'retry' | 'renew' | 'confirm' | 'silence' | 'overlap'): Input => ({
	type: 'timer',
	name,
});

/** The effects in short form: their names and subjects. Cancelled timers are left out. */
const brief = (effects: Effect[]) =>
	effects
		.filter((effect) => effect.do !== 'cancel')
		.map((effect) => {
			if (effect.do === 'timer') return `${effect.name} in ${effect.delayMs}`;
			if (effect.do === 'open' || effect.do === 'drop') return `${effect.do} ${effect.id}`;
			if (effect.do === 'notify') return effect.notification.event;
			if (effect.do === 'switched') return `switched ${effect.ended}`;
			return effect.do;
		})
		.join(', ');

const whenOpen = `renew in ${100 * MINUTE}, confirm in 30000, silence in ${30 * MINUTE}`;

it.each<[string, Input, State['name'], string]>([
	['begun', { type: 'start' }, 'authenticating', 'open 1'],
	['begun', { type: 'retryNow' }, 'idle', ''],
	['begun', { type: 'close' }, 'closed', ''],

	['authenticating', { type: 'loggedIn', id: 1 }, 'connecting', ''],
	['authenticating', { type: 'loggedIn', id: 9 }, 'authenticating', ''],
	['authenticating', { type: 'start' }, 'authenticating', ''],
	['authenticating', { type: 'retryNow' }, 'authenticating', ''],
	['authenticating', failed(1, 'failed'), 'waiting', 'retry in 1000, retrying'],
	['authenticating', failed(1, 'refused'), 'refused', `retry in ${5 * MINUTE}, refused`],
	['authenticating', failed(9, 'failed'), 'authenticating', ''],
	['authenticating', { type: 'close' }, 'closed', 'drop 1'],

	['connecting', opened(1), 'live', `reconnected, connected, ${whenOpen}`],
	['connecting', opened(9), 'connecting', ''],
	['connecting', failed(1, 'failed'), 'waiting', 'retry in 1000, retrying'],
	['connecting', timer('retry'), 'connecting', ''],
	['connecting', { type: 'close' }, 'closed', 'drop 1'],

	['live', lost(1, true), 'authenticating', 'interrupted, disconnected, open 2'],
	['live', lost(1, false), 'waiting', 'interrupted, disconnected, retry in 1000, retrying'],
	['live', lost(9, false), 'live', ''],
	['live', timer('renew'), 'renewing', 'open 2'],
	['live', timer('silence'), 'renewing', `stale, silence in ${30 * MINUTE}, open 2`],
	['live', timer('retry'), 'live', ''],
	['live', timer('overlap'), 'live', ''],
	['live', { type: 'retryNow' }, 'live', ''],
	['live', opened(1), 'live', ''],
	['live', { type: 'decided', decision: 'switch' }, 'live', ''],
	['live', { type: 'close' }, 'closed', 'drop 1'],
	['live, just opened', timer('confirm'), 'live', ''],
	['live, just opened', { type: 'confirmed', id: 1 }, 'live', ''],
	['live, just opened', lost(1, true), 'authenticating', 'interrupted, disconnected, open 2'],
	[
		'live, just opened',
		lost(1, false),
		'waiting',
		'interrupted, disconnected, retry in 1000, retrying',
	],
	// The back-off continues until a connection is confirmed.
	[
		'live, just opened after three failures',
		lost(4, false),
		'waiting',
		'interrupted, disconnected, retry in 8000, retrying',
	],
	[
		'live, proved after three failures',
		lost(4, false),
		'waiting',
		'interrupted, disconnected, retry in 1000, retrying',
	],
	// Rejected twice: an event in between does not confirm the connection.
	[
		'live, immediate attempt used',
		lost(1, true),
		'waiting',
		'interrupted, disconnected, retry in 1000, retrying',
	],

	['renewing, logging in', { type: 'loggedIn', id: 2 }, 'renewing', ''],
	['renewing, logging in', failed(2, 'failed'), 'renewing', 'renew in 1000, retrying'],
	['renewing, logging in', failed(2, 'refused'), 'renewing', 'renew in 1000, retrying'],
	['renewing, logging in', lost(1, true), 'authenticating', 'interrupted, disconnected'],
	['renewing, logging in', timer('renew'), 'renewing', ''],
	['renewing, logging in', timer('silence'), 'renewing', `stale, silence in ${30 * MINUTE}`],
	['renewing, logging in', { type: 'close' }, 'closed', 'drop 2, drop 1'],
	['renewing, opening its socket', lost(1, false), 'connecting', 'interrupted, disconnected'],
	['renewing, opening its socket', opened(2), 'renewing', `overlap, overlap in 1000, ${whenOpen}`],
	['renewing, both open', timer('overlap'), 'renewing', 'decide'],
	['renewing, both open', timer('renew'), 'renewing', 'decide'],
	['renewing, both open', { type: 'decided', decision: 'wait' }, 'renewing', 'overlap in 1000'],
	[
		'renewing, both open',
		{ type: 'decided', decision: 'switch' },
		'live',
		'switched replaced, drop 1',
	],
	[
		'renewing, both open',
		{ type: 'decided', decision: 'revert' },
		'renewing',
		`reverted, silence in ${30 * MINUTE}, renew in 1000, retrying, drop 2`,
	],
	['renewing, both open', lost(1, true), 'live', 'switched clean'],
	['renewing, both open', lost(1, false), 'live', 'switched broken'],
	[
		'renewing, both open',
		lost(2, false),
		'renewing',
		`reverted, silence in ${30 * MINUTE}, renew in 1000, retrying`,
	],
	['renewing, both open', { type: 'close' }, 'closed', 'drop 1, drop 2'],
	['renewing, waiting for the next try', timer('renew'), 'renewing', 'open 3'],
	// The next try has its own time, which a silence does not bring forward.
	[
		'renewing, waiting for the next try',
		timer('silence'),
		'renewing',
		`stale, silence in ${30 * MINUTE}`,
	],
	[
		'renewing, waiting for the next try',
		lost(1, false),
		'waiting',
		'interrupted, disconnected, retry in 1000, retrying',
	],
	[
		'renewing, rejected, last resort',
		timer('renew'),
		'authenticating',
		'interrupted, disconnected, drop 1, open 6',
	],
	// The back-off has grown beyond the end of the token.
	[
		'renewing, logging in at the last resort',
		failed(8, 'refused'),
		'renewing',
		'renew in 1000, retrying',
	],
	[
		'renewing, logging in at the last resort',
		failed(8, 'failed'),
		'renewing',
		'renew in 30000, retrying',
	],
	['renewing, failing, at the end', timer('renew'), 'renewing', 'open 6'],

	['waiting', timer('retry'), 'authenticating', 'open 4'],
	['waiting', { type: 'retryNow' }, 'authenticating', 'open 4'],
	['waiting', lost(3, false), 'waiting', ''],
	['waiting', { type: 'close' }, 'closed', ''],
	['refused', timer('retry'), 'authenticating', 'open 4'],
	['refused', { type: 'retryNow' }, 'authenticating', 'open 4'],
	['refused', { type: 'close' }, 'closed', ''],

	['closed', { type: 'start' }, 'closed', ''],
	['closed', { type: 'retryNow' }, 'closed', ''],
	['closed', opened(3), 'closed', ''],
	['closed', failed(3, 'refused'), 'closed', ''],
	['closed', timer('retry'), 'closed', ''],
	['closed', { type: 'close' }, 'closed', ''],
])('%s: %j → %s (%s)', (from, input, to, effects) => {
	const [state, done] = transition(present(states[from]), input, context);
	expect([state.name, brief(done)]).toEqual([to, effects]);
});

/** A small random generator that always yields the same sequence. */
function chances(): (below: number) => number {
	let seed = 1;
	return (below) => {
		seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
		return seed % below;
	};
}

describe('two lines', () => {
	const withTwo = { ...context, twoLines: true };
	const paired: State = {
		...initialState,
		name: 'live',
		newestId: 2,
		current: open(2),
		previous: open(1),
		paired: true,
	};
	const lines: Record<string, State> = {
		connecting: present(states.connecting),
		'connecting after three failures': { ...present(states.connecting), failures: 3 },
		'one, a second is being made': { ...present(states['renewing, opening its socket']) },
		'both open': present(states['renewing, both open']),
		'both open, just now': {
			...present(states['renewing, both open']),
			current: open(2, { openedAt: NOW - 1, confirmed: false }),
		},
		'both open, just now, rejected once': {
			...present(states['renewing, both open']),
			current: open(2, { openedAt: NOW - 1, confirmed: false }),
			secondRejections: 1,
		},
		'both open, just now, rejected twice': {
			...present(states['renewing, both open']),
			current: open(2, { openedAt: NOW - 1, confirmed: false }),
			secondRejections: 2,
		},
		paired,
		'paired, the older is due': { ...paired, previous: open(1, { renewAt: NOW }) },
		'paired, its replacement logs in': { ...paired, name: 'renewing', newestId: 3, attemptId: 3 },
		'paired, rejected at the end': {
			...paired,
			name: 'renewing',
			renewalRejected: true,
			previous: open(1, { renewAt: NOW - 10 * MINUTE, expiresAt: NOW + MINUTE }),
		},
		'one line for now': {
			...present(states['renewing, both open']),
			secondLineAt: NOW + MINUTE,
		},
	};
	const decided = (decision: 'switch' | 'revert', sound = false): Input => ({
		type: 'decided',
		decision,
		sound,
	});

	it.each<[string, Input, State['name'], string]>([
		// A second login follows the first connection, later if earlier connections did not last.
		[
			'connecting',
			opened(1),
			'live',
			`reconnected, connected, renew in 1000, confirm in 30000, silence in ${30 * MINUTE}`,
		],
		[
			'connecting after three failures',
			opened(1),
			'live',
			`reconnected, connected, renew in 4000, confirm in 30000, silence in ${30 * MINUTE}`,
		],
		[
			'both open',
			decided('switch', true),
			'live',
			`paired, overlap in 10000, renew in ${100 * MINUTE}`,
		],
		// The older one had stopped, so it is closed and a second line is opened.
		['both open', decided('switch'), 'live', 'switched replaced, drop 1, renew in 0'],
		['both open', decided('revert'), 'live', 'lineLost, drop 2, line_lost, renew in 1000'],
		['paired', timer('overlap'), 'live', 'compare, overlap in 10000'],
		['paired', lost(1, false), 'live', 'lineLost, line_lost, renew in 1000'],
		['paired', lost(2, false), 'live', 'lineLost, line_lost, renew in 1000'],
		['paired', lost(2, true), 'live', 'lineLost, line_lost, renew in 1000'],
		['paired', { type: 'close' }, 'closed', 'drop 1, drop 2'],
		// Renewal: a third login; the older line is closed when that is accepted, never before.
		['paired, the older is due', timer('renew'), 'renewing', 'open 3'],
		['paired', timer('silence'), 'renewing', `stale, stale, silence in ${30 * MINUTE}, open 3`],
		[
			'paired, its replacement logs in',
			{ type: 'loggedIn', id: 3 },
			'renewing',
			'switched replaced, drop 1',
		],
		// … or the newer one is closed, if it delivered none of the events of the older one.
		[
			'paired, its replacement logs in',
			{ type: 'loggedIn', id: 3, behind: 2 },
			'renewing',
			'lineLost, drop 2',
		],
		['paired, its replacement logs in', failed(3, 'failed'), 'renewing', 'renew in 1000, retrying'],
		[
			'paired, its replacement logs in',
			failed(3, 'refused'),
			'renewing',
			'renew in 1000, retrying',
		],
		[
			'paired, its replacement logs in',
			lost(1, false),
			'renewing',
			'lineLost, line_lost, renew in 1000',
		],
		[
			'paired, rejected at the end',
			timer('renew'),
			'renewing',
			'switched replaced, drop 1, open 3',
		],
		// An operator that allows one session ends the other one twice, or rejects the second login.
		['both open, just now', lost(1, true), 'live', 'lineLost, line_lost, renew in 1000'],
		[
			'both open, just now, rejected once',
			lost(1, true),
			'live',
			`lineLost, line_lost, renew in ${30 * MINUTE}`,
		],
		[
			'both open, just now, rejected once',
			lost(2, true),
			'live',
			`lineLost, line_lost, renew in ${30 * MINUTE}`,
		],
		// Reported once, however often it is tried.
		[
			'both open, just now, rejected twice',
			lost(1, true),
			'live',
			`lineLost, renew in ${30 * MINUTE}`,
		],
		// A connection that broke shows nothing about the operator's rules.
		[
			'both open, just now, rejected once',
			lost(1, false),
			'live',
			'lineLost, line_lost, renew in 1000',
		],
		[
			'one, a second is being made',
			failed(2, 'refused'),
			'live',
			`line_lost, renew in ${30 * MINUTE}`,
		],
		['one, a second is being made', failed(2, 'failed'), 'renewing', 'renew in 1000, retrying'],
		// With one line, renewals work as without the option. … and a second line is tried again at its time.
		[
			'one line for now',
			decided('switch', true),
			'live',
			`switched replaced, drop 1, renew in ${MINUTE}`,
		],
		['one line for now', lost(1, true), 'live', `switched clean, renew in ${MINUTE}`],
	])('%s: %j → %s (%s)', (from, input, to, effects) => {
		const [state, done] = transition(present(lines[from]), input, withTwo);
		expect([state.name, brief(done)]).toEqual([to, effects]);
	});

	it('keeps the back-off of a line that was lost, even during a silence', () => {
		const [alone] = transition(paired, lost(2, false), withTwo);
		const [state, done] = transition(alone, timer('silence'), withTwo);
		expect([state.name, brief(done)]).toEqual(['live', `stale, silence in ${30 * MINUTE}`]);
	});

	it('does not wait in a silence for a line that was due long ago, since the clock was set forward', () => {
		const [alone] = transition(paired, lost(2, false), withTwo);
		const later = { ...withTwo, now: withTwo.now + 2 * MINUTE };
		const [state, done] = transition(alone, timer('silence'), later);
		expect([state.name, brief(done)]).toEqual([
			'renewing',
			`stale, silence in ${30 * MINUTE}, open 3`,
		]);
	});

	it("reports the operator's reason for rejecting a second login", () => {
		const [, effects] = transition(
			present(lines['one, a second is being made']),
			{ type: 'failed', id: 2, failure: { kind: 'refused', reason: 'the password has changed' } },
			withTwo,
		);
		expect(JSON.stringify(effects)).toContain('the password has changed');
	});

	it('keeps the Retry-After of a rejected second login beyond its renewal', () => {
		const soon = open(1, { renewAt: NOW + MINUTE, expiresAt: NOW + 101 * MINUTE });
		const [, effects] = transition(
			{ ...present(lines['one, a second is being made']), current: soon },
			{
				type: 'failed',
				id: 2,
				failure: { kind: 'refused', reason: 'why', retryAfterMs: 20 * MINUTE },
			},
			withTwo,
		);
		expect(brief(effects)).toBe(`line_lost, renew in ${20 * MINUTE}`);
	});

	it('never has three connections open, nor two attempts under way', () => {
		const chance = chances();
		const broken: string[] = [];
		for (let run = 0; run < 60; run++) {
			let state: State = initialState;
			const open = new Map<number, 'begun' | 'logged in' | 'open'>();
			let now = NOW;
			for (let step = 0; step < 200; step++) {
				now += chance(2 * MINUTE);
				const id = Math.max(0, state.newestId - chance(3));
				const stage = open.get(id);
				const inputs: Input[] = [
					{ type: 'start' },
					timer('retry'),
					timer('renew'),
					timer('silence'),
					timer('overlap'),
					decided('switch', true),
					decided('switch'),
					decided('revert'),
				];
				if (stage === 'begun') {
					const behind = state.current?.id;
					inputs.push({ type: 'loggedIn', id }, { type: 'loggedIn', id, behind });
					inputs.push(failed(id, 'refused'));
				}
				if (stage === 'logged in') inputs.push(opened(id), failed(id, 'failed'));
				if (stage === 'open')
					inputs.push(lost(id, true), lost(id, false), {
						...lost(id, false),
						stale: true,
					} as Input);
				const input = nth(inputs, chance(inputs.length));
				if (input.type === 'loggedIn') open.set(id, 'logged in');
				if (input.type === 'opened') open.set(id, 'open');
				if (input.type === 'failed' || input.type === 'lost') open.delete(id);
				const [after, effects] = transition(state, input, { ...withTwo, now });
				for (const effect of effects) {
					if (effect.do === 'open') {
						if (state.attemptId !== undefined) broken.push('a second attempt');
						open.set(effect.id, 'begun');
					}
					if (effect.do === 'drop') open.delete(effect.id);
				}
				state = after;
				if (!knows(state, [...open.keys()])) broken.push('an unknown connection');
				// A login beside two lines opens no socket before the older line has been closed.
				if ([...open.values()].filter((one) => one !== 'begun').length > 2)
					broken.push('three sockets');
				if (state.paired && state.previous === undefined) broken.push('a pair of one');
				if (isConnected(state) !== (state.current !== undefined)) broken.push('its name');
				if (broken.length > 0) throw new Error(`${String(broken)} in ${JSON.stringify(state)}`);
			}
		}
	});
});

it('never has two attempts under way, nor an attempt beside an overlap, whatever happens in whatever order', () => {
	const chance = chances();
	const broken: string[] = [];
	for (let run = 0; run < 60; run++) {
		let state: State = initialState;
		const alive = new Set<number>();
		let now = NOW;
		for (let step = 0; step < 100; step++) {
			now += chance(20 * MINUTE);
			const id = Math.max(0, state.newestId - chance(3));
			const inputs: Input[] = [
				{ type: 'start' },
				{ type: 'retryNow' },
				{ type: 'loggedIn', id },
				opened(id),
				failed(id, 'failed'),
				failed(id, 'refused'),
				lost(id, true),
				lost(id, false),
				{ type: 'confirmed', id },
				timer('retry'),
				timer('renew'),
				timer('silence'),
				timer('overlap'),
				{ type: 'decided', decision: 'switch' },
				{ type: 'decided', decision: 'revert' },
			];
			const input = nth(inputs, chance(inputs.length));
			// Nothing is reported about a connection that is already gone.
			if ('id' in input && !alive.has(input.id)) continue;
			if (input.type === 'failed' && input.id !== state.attemptId) continue;
			if (input.type === 'lost' && input.id === state.attemptId) continue;
			if (input.type === 'failed' || input.type === 'lost') alive.delete(input.id);
			const [after, effects] = transition(state, input, { ...context, now });
			for (const effect of effects) {
				if (effect.do === 'open') {
					if (state.attemptId !== undefined) broken.push('a second attempt');
					alive.add(effect.id);
				}
				if (effect.do === 'drop') alive.delete(effect.id);
			}
			state = after;
			if (!knows(state, [...alive])) broken.push('an unknown connection');
			if (state.attemptId !== undefined && state.previous !== undefined)
				broken.push('an attempt beside an overlap');
			if (isConnected(state) !== (state.current !== undefined)) broken.push('its name');
			if (broken.length > 0) throw new Error(`${String(broken)} in ${JSON.stringify(state)}`);
		}
		expect(transition(state, { type: 'close' }, context)[0].name).toBe('closed');
	}
});

/** Whether the state knows exactly the connections that are alive. */
function knows({ attemptId, current, previous }: State, alive: number[]): boolean {
	const known = [attemptId, current?.id, previous?.id].filter((id) => id !== undefined);
	return known.length === alive.length && known.every((id) => alive.includes(id));
}

const isConnected = ({ name }: State) => name === 'live' || name === 'renewing';
