// The end of a wrap-up, which no event shows.

import { playCases } from './cases';

playCases({
	'an agent is available between a wrap-up and the next ring, however short that is, and whatever else is due':
		{
			agents: [101],
			steps:
				'0 ringing 101 7 51, 19.95 leaves 7, 20 available 101 7 51 - 5, 25.009 ringing 101 8 51',
			until: 40,
			alerts: {
				rows: [{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 10 }],
				told: [
					'10 started agentsAvailableBelow 0',
					'25 resolved agentsAvailableBelow 1 above',
					'35.009 started agentsAvailableBelow 0',
				],
			},
		},
	'a wrap-up that interruptions hid is over with the next status, and one that is announced then counts as a whole':
		{
			agents: [101],
			steps:
				'0 enters 7 51, 10 answered 7 51, 40 available 101 7 51 - 60, 50 cut, 52 cut, 60 available 101 7 51 - 30',
			at: {
				45: { agents: { 101: { state: 'wrap_up', seconds: 5 } } },
				55: { agents: { 101: { state: null, wrap_up_seconds: 10 } } },
				70: {
					agents: { 101: { state: 'wrap_up', seconds: 10, wrap_up_seconds: 20 } },
					queues: { 51: { wrap_up_seconds: 90 } },
				},
				95: { agents: { 101: { state: 'available', seconds: 5, wrap_up_seconds: 40 } } },
			},
			until: 100,
			alerts: {
				rows: [{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 5 }],
				told: [
					'45 started agentsAvailableBelow 0',
					'50 unknown agentsAvailableBelow 0 feed-gap',
					'60 started agentsAvailableBelow 0',
					'90 resolved agentsAvailableBelow 1 above',
				],
			},
		},
});

// What a connection held up may have been sent before time ended a wrap-up. The first two events show how late others are.
const ON_TIME = '0 unpause 103 @0, 5 unpause 103 @5,';
const AGENTS = { agents: [101, 102, 103] };
const ON_BREAK = [{ when: 'agentOnBreak', breakSeconds: 10 }];

playCases({
	'announced again, both times behind its end: longer by the difference': {
		...AGENTS,
		steps: `${ON_TIME} 10 enters 7 @10, 15 answered 7 @15, 15 connected 101 7 51 @15, 48.5 leaves 7 @40, 48.5 available 101 7 51 - 6 @40, 48.5 available 101 7 51 - 6 @41, 70 unpause 103 @70`,
		outcomes: [{ event: 'answered' }, { event: 'ended', wrap_up: 7 }],
		at: {
			60: { queues: { 51: { wrap_up_seconds: 7 } }, agents: { 101: { wrap_up_seconds: 7 } } },
		},
	},
	'ended early by a status that is heard of behind its end': {
		...AGENTS,
		steps: `${ON_TIME} 20 available 101 - - - 7 @20, 32 available 101 @24, 70 unpause 103 @70`,
		at: { 60: { agents: { 101: { state: 'available', seconds: 36, wrap_up_seconds: 4 } } } },
	},
	'a break that is asked for in it': {
		...AGENTS,
		steps: `${ON_TIME} 10 enters 7 @10, 15 answered 7 @15, 15 connected 101 7 51 @15, 40 leaves 7 @40, 40 available 101 - - - 20 @40, 62 pause 101 2 @55, 80 unpause 101 @80`,
		at: {
			79: {
				queues: { 51: { wrap_up_seconds: 20 } },
				agents: { 101: { state: 'on_break', wrap_up_seconds: 20, break_seconds: 19 } },
			},
		},
		alerts: {
			rows: ON_BREAK,
			told: ['70 started agentOnBreak 10 agent=101', '80 resolved agentOnBreak 20 back agent=101'],
		},
	},
	'the end of a break in it': {
		...AGENTS,
		steps: `${ON_TIME} 17 pause 101 @17, 47 available 101 - - - 5 @47, 53 unpause 101 @48, 80 unpause 103 @80`,
		at: { 79: { agents: { 101: { state: 'available', seconds: 27, wrap_up_seconds: 5 } } } },
		alerts: {
			rows: ON_BREAK,
			told: ['27 started agentOnBreak 10 agent=101', '48 resolved agentOnBreak 31 back agent=101'],
		},
	},
	'a break that is asked for in it, and a ring that ends it': {
		...AGENTS,
		steps: `${ON_TIME} 10 enters 8 @10, 40 available 101 - - - 20 @40, 62 pause 101 @55, 63 ringing 101 8 none @57, 90 unpause 103 @90`,
		at: { 79: { agents: { 101: { state: 'ringing', wrap_up_seconds: 17, break_seconds: 0 } } } },
	},
	'what is said again changes nothing': {
		...AGENTS,
		steps: `${ON_TIME} 6 logout 102 @6, 6 logout 103 @6, 40 available 101 - - - 10 @40, 55 unpause 101 @46, 85 pause 101 @85`,
		alerts: {
			rows: [
				{ when: 'agentIdle', idleSeconds: 4 },
				{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 3 },
			],
			told: [
				'4 started agentIdle 4 agent=103',
				'6 resolved agentIdle 6 logged_out agent=103',
				'43 started agentsAvailableBelow 0',
				'50 resolved agentsAvailableBelow 1 above',
				'54 started agentIdle 4 agent=101',
				'85 resolved agentIdle 35 ended agent=101',
				'88 started agentsAvailableBelow 0',
			],
		},
	},
	'a break that shows behind it, once a call has ended it early': {
		...AGENTS,
		steps: `${ON_TIME} 10 enters 7 @10, 15 connected 101 7 51 @15, 20 pause 101 @20, 40 leaves 7 @40, 40 available 101 - - - 20 @40, 62 connected 101 8 52 @55, 85 unpause 103 @85, 100 available 101 @100, 120 unpause 103 @120`,
		alerts: {
			rows: [{ when: 'agentOnBreak', breakSeconds: 12 }],
			told: ['112 started agentOnBreak 12 agent=101'],
		},
	},
	'a queue rings at whoever is on a break in it': {
		...AGENTS,
		steps: `${ON_TIME} 17 pause 101 @17, 40 available 101 - - - 20 @40, 62 rings 7 51 101 ringing @55, 85 unpause 103 @85`,
		at: { 79: { agents: { 101: { state: 'available', seconds: 19, wrap_up_seconds: 20 } } } },
	},
	'a logout ends it': {
		...AGENTS,
		steps: `${ON_TIME} 40 available 101 - - - 20 @40, 62 logout 101 @55, 90 unpause 103 @90`,
		at: { 79: { agents: { 101: { state: 'logged_out', wrap_up_seconds: 15 } } } },
	},
});
