// Calls in which several agents take part: consultations, conferences and transfers, also across an interruption.

import { playCases, type Case } from './cases';

const CASES: Record<string, Case> = {
	'a colleague who was consulted leaves: the first agent has the call again': {
		steps:
			'0 enters 7, 10 answered 7, 10 connected 101 7 51, 40 transfert_start 101 7 51, 45 connected 102 7, 60 available 102, 61 transfert_end 101 7, 300 leaves 7, 300 available 101',
		outcomes: [
			{ event: 'answered', wait: 10 },
			{
				event: 'ended',
				talks: [
					{ agent: '101', talk: 35 },
					{ agent: '102', talk: 15 },
					{ agent: '101', talk: 240 },
				],
				talk: 290,
				partial: false,
				ended: 300,
				date: 305,
			},
		],
		at: {
			70: {
				queues: { 51: { talking: 1, talks: 2 } },
				agents: { 101: { state: 'talking', id_call: '7' }, 102: { state: 'available' } },
			},
			301: { queues: { 51: { talking: 0, talks: 3, talk_seconds: 290, answered: 1 } } },
		},
		alerts: {
			rows: [{ when: 'callLasting', callSeconds: 80 }],
			told: [
				'90 started callLasting 80 call=7 agent=101',
				'300 resolved callLasting 290 ended call=7 agent=101',
			],
		},
	},
	'… also if the queue was left at the answer': {
		steps:
			'0 enters 7, 10 answered 7, 10 leaves 7, 10 connected 101 7 51, 45 connected 102 7, 60 available 102, 300 available 101',
		outcomes: [
			{ event: 'answered' },
			{ event: 'ended', talk: 290, partial: false, ended: 300, date: 305 },
		],
		at: { 200: { queues: { 51: { talking: 1 } } } },
	},
	'… and of two who leave together, neither has it once more': {
		steps:
			'0 enters 7, 10 answered 7, 10 connected 101 7 51, 40 connected 102 7, 100 available 102, 100 available 101, 101 leaves 7, 110 enters 8, 110 answered 8, 110 connected 101 8 51, 120 connected 102 8, 150 available 102, 150.5 leaves 8, 151 available 101',
		outcomes: [
			{ event: 'answered', id_call: '7' },
			{
				event: 'ended',
				talks: [
					{ agent: '101', talk: 30 },
					{ agent: '102', talk: 60 },
				],
			},
			{ event: 'answered', id_call: '8' },
			{
				event: 'ended',
				talks: [
					{ agent: '101', talk: 10 },
					{ agent: '102', talk: 30 },
				],
			},
		],
		at: { 155: { queues: { 51: { talks: 4, talk_seconds: 130, talking: 0 } } } },
		alerts: {
			rows: [{ when: 'callLasting', callSeconds: 50 }],
			told: [
				'60 started callLasting 50 call=7 agent=102',
				'100 resolved callLasting 90 ended call=7 agent=101',
			],
		},
	},
	'an agent who begins a transfer after an interruption had the call all the time': {
		steps:
			'0 enters 7, 5 answered 7, 5 connected 101 7 51, 20 cut, 30 transfert_start 101 7 51, 60 leaves 7',
		outcomes: [
			{ event: 'answered' },
			{ event: 'ended', talk: 55, partial: true, reason: 'feed-gap' },
		],
		at: { 40: { queues: { 51: { talking: 1, talks: 0 } } } },
		alerts: {
			rows: [{ when: 'callLasting', callSeconds: 10 }],
			told: [
				'15 started callLasting 10 call=7 agent=101',
				'20 unknown callLasting 15 feed-gap call=7 agent=101',
				'30 started callLasting 25 call=7 agent=101',
				'60 resolved callLasting 55 ended call=7 agent=101',
			],
		},
	},
	'a transfer that rings at a colleague on a break does not end it, whatever queue the event names':
		{
			steps:
				'0 pause 102 Lunch, 0 enters 7, 5 answered 7, 5 connected 101 7 51, 20 ringing 102 7 51, 25 connected 102 7 51, 25 available 101, 60 leaves 7, 60 available 102, 80 unpause 102',
			at: {
				30: { agents: { 102: { state: 'talking' } } },
				70: { agents: { 102: { state: 'on_break', pause: { id: 'Lunch' } } } },
			},
			alerts: {
				rows: [
					{ when: 'agentOnBreak', breakSeconds: 70 },
					{ when: 'agentIdle', idleSeconds: 5 },
				],
				told: [
					'30 started agentIdle 5 agent=101',
					'70 started agentOnBreak 70 agent=102',
					'80 resolved agentOnBreak 80 back agent=102',
					'85 started agentIdle 5 agent=102',
				],
			},
		},
	'… also if the first agent has left already; but if the caller waits again, it does': {
		steps:
			'0 pause 102, 0 enters 7, 5 answered 7, 5 connected 101 7 51, 20 available 101, 22 ringing 102 7 51, 25 available 102, 40 enters 7 52, 42 ringing 102 7 52, 45 available 102',
		at: {
			30: { agents: { 102: { state: 'on_break' } } },
			50: { agents: { 102: { state: 'available', not_answered: 1 } } },
		},
	},
	'the wait of a call that an agent took from a trunk stays when the agent gives it to a queue': {
		steps:
			'0 trunkIn 7, 5 connected 101 7, 30 enters 7 52, 40 answered 7 52 102, 60 leaves 7 52, 60 trunkOut 7',
		outcomes: [
			{ event: 'answered', wait: 5, within_service_level: true },
			{
				event: 'ended',
				wait: 5,
				within_service_level: true,
				queue_waits: [{ id_queue: '52', wait: 10 }],
				talk: 45,
			},
		],
		at: { 61: { totals: { offered: 1, answered: 1, answer_wait_seconds: 10, talks: 1 } } },
	},
};

playCases(CASES);
