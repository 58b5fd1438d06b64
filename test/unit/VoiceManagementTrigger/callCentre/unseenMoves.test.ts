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
};

playCases(CASES);
