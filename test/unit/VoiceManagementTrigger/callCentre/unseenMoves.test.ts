// Calls that went to another queue during an interruption of the feed.

import { playCases, type Case } from './cases';

const CASES: Record<string, Case> = {
	'a waiting call that leaves a queue which nobody saw it enter is over': {
		steps: '0 enters 7, 10 cut, 60 leaves 7 52',
		outcomes: [
			{
				event: 'ended',
				answered: null,
				partial: true,
				reason: 'feed-gap',
				ended: 60,
				date: 65,
			},
		],
		at: { 61: { queues: { 51: { offered: 1, unknown: 1, waiting: 0 } }, totals: { unknown: 1 } } },
	},
	'… also one with which an agent talked': {
		steps: '0 enters 7, 5 answered 7, 20 cut, 60 leaves 7 52',
		outcomes: [{ event: 'answered' }, { event: 'ended', talk: null, partial: true, date: 65 }],
	},
	'… but a queue that lost the call at the answer says nothing': {
		steps:
			'0 enters 7, 0 enters 7 52, 5 answered 7, 20 cut, 30 leaves 7 52, 40 connected 101 7 51, 60 leaves 7',
		outcomes: [{ event: 'answered' }, { event: 'ended', talk: 55, date: 65 }],
	},
	'a caller with whom an agent talked waits in another queue, as an alert shows': {
		steps:
			'0 enters 7, 5 answered 7, 20 cut, 30 alert_file 7 52, 50 answered 7 52 102, 60 leaves 7 52',
		outcomes: [
			{ event: 'answered' },
			{
				event: 'ended',
				talks: [
					{ agent: '101', talk: null },
					{ agent: '102', talk: 10 },
				],
			},
		],
		at: {
			40: {
				queues: { 51: { waiting: 0 }, 52: { waiting: 1, waiting_before: 1, longest_wait: null } },
				totals: { offered: 1, waiting_before: 1, waiting: 1 },
			},
			55: {
				queues: { 52: { waiting: 0, unknown: 1, talking: 1 } },
				totals: { answered: 1, unknown: 1, talking: 1 },
			},
		},
	},
	'… and a ring for that queue, but not one for the queue of the talk: that may be a transfer': {
		steps:
			'0 enters 7, 0 enters 8, 5 answered 7, 5 answered 8 51 102, 20 cut, 30 ringing 103 7 52, 30 ringing 104 8 51',
		agents: [101, 102, 103, 104],
		at: { 35: { queues: { 51: { waiting: 0 }, 52: { waiting: 1, waiting_before: 1 } } } },
	},
	'after an interruption, an answer within two seconds of another one is no second report of it': {
		steps: '0 enters 7, 10 answered 7 51 102, 10.5 cut, 11 answered 7 51 101, 60 leaves 7',
		outcomes: [
			{ event: 'answered' },
			{
				event: 'ended',
				talks: [
					{ agent: '102', talk: null },
					{ agent: '101', talk: 49 },
				],
			},
		],
		at: { 70: { queues: { 51: { talks: 2, talk_seconds: 50 } } } },
		alerts: {
			rows: [{ when: 'callLasting', callSeconds: 8 }],
			told: [
				'18 started callLasting 8 call=7 agent=101',
				'60 resolved callLasting 50 ended call=7 agent=101',
			],
		},
	},
	'a transfer that is begun after the end of the call was seen does not bring it back': {
		steps:
			'0 enters 7, 2 answered 7, 30 cut, 40 leaves 7, 42 transfert_start 101 7, 55 transfert_start 101 7, 80 leaves 7',
		outcomes: [{ event: 'answered' }, { event: 'ended', date: 45 }],
		at: { 90: { queues: { 51: { talks: 1, talk_seconds: 28 } } } },
	},
	'whoever left during an interruption, and is answered in another queue, waited there': {
		steps:
			'46 enters 1 52, 49 cut, 62 leaves 1 52, 82.9 connected 102 1 51, 87.9 down, 89.9 up, 90.5 ringing 101 1 51, 120 -',
		at: {
			85: {
				queues: {
					51: { talking: 1, waiting_before: 1, unknown: 1 },
					52: { offered: 1, unknown: 1 },
				},
			},
			95: { totals: { waiting: 0 } },
		},
		alerts: { rows: [{ when: 'callerWaiting', waitSeconds: 5 }], told: [] },
	},
	'the same agent has the call again in another queue: the end there is that of the call': {
		steps:
			'4 answered 7 53 101, 54 down, 60 up, 98 connected 101 7 51, 186 available 101, 187 leaves 7 51',
		outcomes: [{ event: 'answered' }, { event: 'ended', talk: 182, date: 192 }],
	},
	'a phone rings before it is seen that the caller waits again: the ring is an offer from then on':
		{
			steps:
				'0 enters 7, 5 answered 7 51 102, 10 cut, 20 ringing 101 7 51, 30 ringing 101 7 52, 40 available 101, 60 -',
			at: { 50: { agents: { 101: { not_answered: 1 } } } },
		},
	'… and is none if nothing shows that': {
		steps:
			'0 enters 7, 5 answered 7 51 102, 10 cut, 20 ringing 101 7 51, 30 ringing 101 7 51, 40 available 101, 60 -',
		at: { 50: { agents: { 101: { not_answered: 0 } } } },
	},
};

playCases(CASES);
