// Real calls, which differ from tidy ones: each kind that was reported in public, each rule of the model, and neighbours
// of each. The same cases are played by the trigger and by the second implementation.

import { playCases, type Case } from './cases';

const CASES: Record<string, Case> = {
	// 1: an answer ends the wait everywhere.
	'1: a caller in two queues who is answered in one waits in none': {
		steps:
			'0 enters 7, 0 enters 7 52, 10 answered 7 51, 10 connected 101 7 51, 200 leaves 7, 200 leaves 7 52',
		outcomes: [
			{ event: 'answered', wait: 10, within_service_level: true, id_queue: '51', agents: ['101'] },
			{ event: 'ended', wait: 10, talk: 190, talks: [{ agent: '101', talk: 190 }] },
		],
		at: {
			100: {
				queues: {
					51: { offered: 1, answered: 1, waiting: 0, talking: 1, longest_wait: null },
					52: { offered: 1, overflowed: 1, waiting: 0, talking: 0, longest_wait: null },
				},
				totals: { offered: 1, answered: 1, waiting: 0, talking: 1 },
			},
			201: {
				queues: { 51: { talks: 1, talk_seconds: 190, talking: 0 }, 52: { talks: 0 } },
				totals: { talks: 1, talk_seconds: 190, answer_wait_seconds: 10, average_talk: 190 },
			},
		},
		alerts: {
			rows: [
				{ when: 'callerWaiting', waitSeconds: 60 },
				{ when: 'callersWaiting', callers: 1, forSeconds: 20 },
			],
			told: [],
		},
	},
	'1: … in three, and one of them is never left': {
		steps:
			'0 enters 7, 2 enters 7 52, 4 enters 7 53, 30 answered 7 52, 40 leaves 7 51, 90 leaves 7 52',
		until: 900,
		outcomes: [
			{ event: 'answered', wait: 30, within_service_level: false, id_queue: '52' },
			{
				event: 'ended',
				talk: 60,
				queue_waits: [
					{ id_queue: '51', wait: 30 },
					{ id_queue: '52', wait: 28 },
					{ id_queue: '53', wait: 26 },
				],
			},
		],
		at: {
			800: {
				queues: {
					51: { overflowed: 1, late: 1, waiting: 0 },
					52: { answered: 1, late: 1, answer_wait_seconds: 28, waiting: 0 },
					53: { overflowed: 1, late: 1, waiting: 0 },
				},
				totals: {
					offered: 1,
					answered: 1,
					late: 1,
					answer_wait_seconds: 30,
					waiting: 0,
					talking: 0,
				},
			},
		},
	},
	'1: … by the status of the agent alone, in the queue that was entered last': {
		steps: '0 enters 7, 3 enters 7 52, 10 connected 101 7, 60 available 101 7',
		until: 130,
		outcomes: [
			{ event: 'answered', wait: 10, id_queue: '52', agents: ['101'] },
			{ event: 'ended', talk: 50, partial: true, reason: 'end-not-seen', date: 120 },
		],
		at: {
			70: {
				queues: { 51: { overflowed: 1, waiting: 0 }, 52: { answered: 1, answer_wait_seconds: 7 } },
				totals: { answered: 1, answer_wait_seconds: 10, talks: 1, talk_seconds: 50 },
			},
		},
	},
	'1: … of two reports the second fills in the queue': {
		steps: '0 enters 7, 3 enters 7 52, 10 connected 101 7, 11 answered 7 51, 60 leaves 7',
		outcomes: [
			{ event: 'answered', wait: 10 },
			{ event: 'ended', talk: 50, id_queue: '51' },
		],
		at: { 12: { queues: { 51: { answered: 1 }, 52: { overflowed: 1 } }, totals: { answered: 1 } } },
	},
	'1: … and the agent': {
		steps: '0 enters 7, 10 answered 7 51 none, 11 connected 101 7 51, 60 leaves 7',
		outcomes: [
			{ event: 'answered', wait: 10 },
			{ event: 'ended', talks: [{ agent: '101', talk: 50 }], agents: ['101'] },
		],
		at: { 20: { agents: { 101: { answered: 1, state: 'talking', id_call: '7' } } } },
	},
	'1: … an answer in a queue in which the call is not is one where it was last': {
		steps: '0 enters 7, 3 enters 7 52, 10 answered 7 99, 60 leaves 7 52',
		outcomes: [
			{ event: 'answered', id_queue: '52' },
			{ event: 'ended', talk: 50, id_queue: '52' },
		],
		at: { 20: { queues: { 51: { overflowed: 1 }, 52: { answered: 1, talking: 1 } } } },
	},
	'1: … which its agent’s row has too, whatever the queue’s own report says': {
		steps:
			'0 enters 7 52, 5 answered 7 53, 5 connected 101 7 53, 10 enters 8 52, 15 connected 102 8 53, 15.1 answered 8 53 102, 16 enters 8 51',
		at: {
			7: { agents: { 101: { state: 'talking', id_queue: '52' } } },
			20: { agents: { 101: { id_queue: '52' }, 102: { id_queue: '52' } } },
		},
	},
	'1: the alert about one who is answered is over as answered': {
		steps: '0 enters 7, 0 enters 7 52, 70 answered 7 51, 90 leaves 7, 90 leaves 7 52',
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 60 }],
			told: ['60 started callerWaiting 60 call=7', '70 resolved callerWaiting 70 answered call=7'],
		},
	},

	// 2: one name, one clock.
	'2: the wait is the caller’s, of each queue its own': {
		steps: '0 enters 7, 15 leaves 7, 15 enters 7 52, 25 answered 7 52, 60 leaves 7 52',
		outcomes: [
			{
				event: 'answered',
				wait: 25,
				within_service_level: false,
				queue_waits: [
					{ id_queue: '51', wait: 15 },
					{ id_queue: '52', wait: 10 },
				],
			},
			{ event: 'ended', wait: 25, talk: 35 },
		],
		at: {
			26: {
				queues: {
					51: { offered: 1, overflowed: 1, answered: 0, late: 0, service_level: null },
					52: { offered: 1, answered_in_time: 1, service_level: 100, average_speed_of_answer: 10 },
				},
				totals: {
					offered: 1,
					answered: 1,
					answered_in_time: 0,
					late: 1,
					service_level: 0,
					average_speed_of_answer: 25,
				},
			},
		},
	},
	'2: … what lies between two queues counts from the entry into the next one': {
		steps: '0 enters 7, 15 leaves 7, 25 enters 7 52, 27 leaves 7 52',
		until: 40,
		outcomes: [
			{
				event: 'missed',
				wait: 27,
				queue_waits: [
					{ id_queue: '51', wait: 15 },
					{ id_queue: '52', wait: 2 },
				],
				after_missed: true,
			},
		].flatMap((last) => [{ event: 'missed', wait: 15 }, last]),
		at: {
			20: { queues: { 51: { abandoned: 1 } }, totals: { abandoned: 1, late: 0, waiting: 0 } },
			26: {
				queues: { 51: { overflowed: 1, abandoned: 0 }, 52: { waiting: 1, longest_wait: 1 } },
				totals: { offered: 1, waiting: 1, longest_wait: 26, late: 1, abandoned: 0 },
			},
			30: {
				queues: { 52: { short_abandoned: 1 } },
				totals: { abandoned: 1, short_abandoned: 0, late: 1, abandon_wait_seconds: 27 },
			},
		},
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 20 }],
			told: ['25 started callerWaiting 25 call=7', '27 resolved callerWaiting 27 abandoned call=7'],
		},
	},

	// 3: time that is no wait.
	'3: a menu before the queue is no wait': {
		steps: '0 pause 101, 0 trunkIn 7, 30 enters 7, 30 trunkOut 7, 32 leaves 7',
		outcomes: [
			{
				event: 'missed',
				wait: 2,
				missed_reason: 'short_abandoned',
				started: 0,
				queue_waits: [{ id_queue: '51', wait: 2 }],
			},
		],
		at: { 33: { queues: { 51: { short_abandoned: 1, abandoned: 0, abandon_wait_seconds: 2 } } } },
	},
	'3: … also if the call stays in the trunk, and a mailbox behind the queue is none either': {
		steps: '0 pause 101, 0 trunkIn 7, 30 enters 7, 45 leaves 7, 90 trunkOut 7',
		outcomes: [{ event: 'missed', wait: 15, missed_reason: 'abandoned_before_ringing', date: 95 }],
		at: {
			50: {
				queues: { 51: { abandoned: 1, waiting: 0 } },
				totals: { abandoned: 1, waiting: 0, late: 0, abandoned_in_time: 1 },
			},
		},
		alerts: { rows: [{ when: 'callerWaiting', waitSeconds: 20 }], told: [] },
	},
	'3: … whose record comes a minute after the queue at the latest': {
		steps: '0 trunkIn 7, 0 enters 7, 30 leaves 7, 300 trunkOut 7',
		outcomes: [{ event: 'missed', wait: 30, date: 90 }],
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 20 }],
			told: ['20 started callerWaiting 20 call=7', '30 resolved callerWaiting 30 left call=7'],
		},
	},
	'3: a call that never enters a queue waits in its outcome alone': {
		steps: '0 trunkIn 7, 40 trunkOut 7',
		outcomes: [{ event: 'missed', wait: 40, id_queue: null, queue_waits: [] }],
		at: {
			30: { totals: { offered: 0, waiting: 0 } },
			45: { totals: { abandoned: 0, unknown: 0 } },
		},
		alerts: { rows: [{ when: 'callerWaiting', waitSeconds: 10 }], told: [] },
	},
	'3: a trunk’s own answer is told at the end': {
		steps: '0 trunkIn 7, 5 trunkAnswered 7, 40 trunkOut 7',
		outcomes: [{ event: 'ended', answered: true, agents: [], talks: [], wait: 5, date: 45 }],
		at: { 30: { totals: { answered: 0, talking: 0 } } },
	},
	'3: … also if it is delivered behind the deletion, by at most two seconds': {
		steps:
			'0 trunkIn 7, 5 trunkOut 7, 5.2 trunkAnswered 7, 20 trunkIn 8, 25 trunkOut 8, 27.1 trunkAnswered 8',
		outcomes: [
			{ event: 'ended', answered: true, wait: 5, answered_at: 5, ended_at: 5 },
			{ event: 'missed', wait: 5 },
		],
	},
	'3: … also if the feed was interrupted before it or behind it': {
		steps:
			'0 trunkIn 7 9, 0 trunkIn 8, 5 trunkAnswered 8, 7 cut, 10 trunkAnswered 7, 30 trunkOut 7, 31 trunkOut 8',
		outcomes: [
			{ event: 'ended', answered: true, wait: 10, within_service_level: true, reason: 'feed-gap' },
			{ event: 'ended', answered: true, wait: 5, answered_at: 5, reason: 'feed-gap' },
		],
	},
	'3: … and is none if a queue has the call': {
		steps: '0 trunkIn 7, 1 trunkAnswered 7, 5 enters 7, 35 leaves 7, 35 trunkOut 7',
		outcomes: [{ event: 'missed', answered: false, wait: 30 }],
	},

	// 4: a level that forgets.
	'4: callers who wait too long stay late, whatever becomes of them': {
		steps: [
			...[1, 2, 3, 4].map((call) => `0 enters ${call}`),
			...[1, 2, 3, 4].map((call) => `60 leaves ${call}, 60 enters ${call} 52`),
			...[1, 2, 3, 4].map((call) => `70 answered ${call} 52 20${call}`),
		].join(', '),
		at: {
			30: { queues: { 51: { late: 4, service_level: 0 } }, totals: { service_level: 0 } },
			75: {
				queues: {
					51: { service_level: 0, overflowed: 4, late: 4 },
					52: { service_level: 100, answered_in_time: 4 },
				},
				totals: { service_level: 0, average_speed_of_answer: 70, late: 4, answered: 4 },
			},
		},
		alerts: {
			rows: [{ when: 'serviceLevelBelow', percent: 80, minimumCalls: 4 }],
			told: ['20.001 started serviceLevelBelow 0 call=4 queue=51'],
		},
	},
	'4: … who gave up late is late once, who gave up sooner counts as given up in time': {
		steps: '0 enters 1, 0 enters 2, 0 enters 3, 3 leaves 3, 10 leaves 2, 40 leaves 1',
		at: {
			50: {
				queues: {
					51: {
						late: 1,
						abandoned: 2,
						abandoned_in_time: 1,
						short_abandoned: 1,
						abandon_wait_seconds: 53,
						service_level: 0,
						abandonment_rate: 100,
					},
				},
			},
		},
	},
	'4: … an answer at the level is in time': {
		steps: '0 enters 1, 0 enters 2, 20 answered 1, 20.5 answered 2 51 102',
		at: {
			21: { queues: { 51: { answered_in_time: 1, late: 1, answered: 2, service_level: 50 } } },
		},
	},
	'4: … by the seconds of the option': {
		steps: '0 enters 1, 30 answered 1, 40 enters 2, 47 leaves 2',
		options: { serviceLevelSeconds: 40, shortAbandonSeconds: 10 },
		outcomes: [
			{ event: 'answered', within_service_level: true },
			{ event: 'missed', missed_reason: 'short_abandoned' },
		],
		at: { 48: { queues: { 51: { answered_in_time: 1, late: 0, short_abandoned: 1 } } } },
	},

	// 5: two conditions in one.
	'5: a break asked for during a call shows after it': {
		steps: '15 connected 101 8 51, 40 pause 101 Lunch, 100 available 101, 1100 unpause 101',
		until: 2000,
		at: {
			50: { agents: { 101: { state: 'talking', pause: null } }, totals: { agents_talking: 1 } },
			110: {
				agents: { 101: { state: 'on_break', talk_seconds: 85, break_seconds: 10 } },
				totals: { agents_on_break: 1, agents_available: 0 },
			},
			1110: { agents: { 101: { state: 'available', break_seconds: 1000 } } },
		},
		alerts: {
			rows: [
				{ when: 'agentOnBreak', breakSeconds: 900 },
				{ when: 'agentIdle', idleSeconds: 600 },
			],
			told: [
				'1000 started agentOnBreak 900 agent=101',
				'1100 resolved agentOnBreak 1000 back agent=101',
				'1700 started agentIdle 600 agent=101',
			],
		},
	},
	'5: … and goes on through the agent’s own calls': {
		steps: '0 pause 101, 100 calling 101 900, 110 connected 101 900, 200 available 101',
		until: 320,
		at: {
			150: { agents: { 101: { state: 'talking' } } },
			210: { agents: { 101: { state: 'on_break', talk_seconds: 100, break_seconds: 110 } } },
		},
		alerts: {
			rows: [{ when: 'agentOnBreak', breakSeconds: 300 }],
			told: ['300 started agentOnBreak 300 agent=101'],
		},
	},
	'5: … a queue’s call that rings at the agent ends it': {
		steps: '0 pause 101, 50 enters 7, 51 ringing 101 7 51, 55 available 101',
		at: { 60: { agents: { 101: { state: 'available', break_seconds: 51 } } } },
	},
	'5: … wrap-up shows before it, for its seconds': {
		steps:
			'0 enters 7, 0 connected 101 7 51, 10 pause 101, 60 available 101 7 51 - 30, 60 leaves 7',
		until: 120,
		at: {
			70: { agents: { 101: { state: 'wrap_up' } }, queues: { 51: { wrap_up_seconds: 30 } } },
			100: {
				agents: {
					101: { state: 'on_break', wrap_up_seconds: 30, break_seconds: 10, talk_seconds: 60 },
				},
				queues: { 51: { average_handle_time: 90 } },
			},
		},
	},
	'5: … a login ends a break and a logout, a logout the break': {
		steps: '0 pause 101, 0 pause 102, 10 login 101, 20 logout 102, 40 unpause 102',
		at: {
			15: { agents: { 101: { state: 'available' } } },
			30: { agents: { 102: { state: 'logged_out' } } },
			41: { agents: { 102: { state: 'available' } } },
		},
	},
	'5: transferring lasts until it ends, calling is an activity, an unknown status is unknown': {
		steps:
			'0 connected 101 7 51, 10 transfert_start 101 7, 20 transfert_end 101 7, 30 transfert_end 102, 40 calling 102 900, 50 unavailable 102, 60 available 102',
		at: {
			15: { agents: { 101: { state: 'transferring', talk_seconds: 15 }, 102: { state: null } } },
			25: { agents: { 101: { state: 'talking' } } },
			45: { agents: { 102: { state: 'calling' } } },
			55: { agents: { 102: { state: null } }, totals: { agents_unknown: 1 } },
			61: { agents: { 102: { state: 'available' } } },
		},
	},
	'5: after an interruption a status alone means ready': {
		steps: '0 pause 101, 0 logout 102, 10 cut, 20 available 101',
		at: {
			15: { agents: { 101: { state: null }, 102: { state: null } } },
			21: { agents: { 101: { state: 'available' }, 102: { state: null } } },
		},
	},

	// 6: a state that only its own end can leave.
	'6: a talk is over when its agent is seen without it': {
		steps:
			'0 enters 7, 10 answered 7, 10 connected 101 7 51, 100 available 101, 110 enters 8, 112 answered 8, 112 connected 101 8 51, 150 leaves 8',
		until: 200,
		outcomes: [
			{ event: 'answered', id_call: '7' },
			{ event: 'answered', id_call: '8' },
			{ event: 'ended', id_call: '8', talk: 38, partial: false },
			{ event: 'ended', id_call: '7', talk: 90, partial: true, reason: 'end-not-seen', date: 160 },
		].sort((a, b) => Number(a.date ?? 155) - Number(b.date ?? 155)),
		at: {
			111: { queues: { 51: { talking: 0, talks: 1, talk_seconds: 90 } } },
			120: { queues: { 51: { talking: 1 } } },
		},
		alerts: { rows: [{ when: 'callLasting', callSeconds: 120 }], told: [] },
	},
	'5: … a call that no queue lets ring ends no break': {
		steps: '0 pause 102 Lunch, 0 enters 7, 5 answered 7, 20 ringing 102 7, 25 available 102',
		at: { 30: { agents: { 102: { state: 'on_break', break_seconds: 25 } } } },
	},
	'5: … a wrap-up ends with the next status, also if that is held up': {
		steps: '0 available 101 8 51 none 10 @0, 18 ringing 101 9 51 none @5',
		at: {
			20: { agents: { 101: { wrap_up_seconds: 8, available_seconds: 0, ringing_seconds: 12 } } },
		},
	},
	'6: … also if no queue ever had the call, and its trunk never loses it': {
		steps:
			'0 trunkIn 7, 0 trunkIn 8, 0 trunkIn 9, 10 connected 101 7, 10 connected 102 8, 10 connected 103 9, 80 available 101, 80 available 102, 81 available 103, 90 trunkOut 8, 95 trunkIn 9',
		until: 160,
		outcomes: [
			...['7', '8', '9'].map((id_call) => ({ event: 'answered', id_call })),
			{ event: 'ended', id_call: '8', talk: 70, partial: false, date: 95 },
			{ event: 'ended', id_call: '7', talk: 70, partial: true, reason: 'end-not-seen', date: 140 },
			{ event: 'ended', id_call: '9', talk: 71, partial: false, date: 141 },
		],
	},
	'6: … logged out, or in wrap-up': {
		steps:
			'0 enters 7, 10 answered 7, 0010 enters 8, 20 answered 8 51 102, 50 logout 101, 80 available 102 8 51 - 20',
		until: 150,
		outcomes: [
			{ event: 'answered', id_call: '7' },
			{ event: 'answered', id_call: '8' },
			{ event: 'ended', id_call: '7', talk: 40, reason: 'end-not-seen', date: 110 },
			{ event: 'ended', id_call: '8', talk: 60, wrap_up: 20, reason: 'end-not-seen', date: 140 },
		],
	},
	'6: … a transfer that follows goes on': {
		steps:
			'0 enters 7, 10 answered 7, 10 connected 101 7, 65 available 101, 90 connected 102 7, 150 leaves 7',
		outcomes: [
			{ event: 'answered' },
			{
				event: 'ended',
				talk: 115,
				talks: [
					{ agent: '101', talk: 55 },
					{ agent: '102', talk: 60 },
				],
				partial: false,
			},
		],
	},
	'6: a deletion at the answer is no end, in two queues neither': {
		steps:
			'0 enters 7, 0 enters 7 52, 10 answered 7 51, 10 connected 101 7 51, 10 leaves 7, 10 leaves 7 52, 70 available 101 7',
		outcomes: [
			{ event: 'answered', id_queue: '51' },
			{ event: 'ended', talk: 60, partial: false, date: 75 },
		],
		at: { 30: { queues: { 51: { talking: 1, answered: 1 }, 52: { overflowed: 1, talking: 0 } } } },
	},
	'6: … then the agent’s next status ends the talk, whatever it is': {
		steps:
			'0 enters 7, 10 answered 7, 10 connected 101 7 51, 10.5 leaves 7, 11 ringing 101 7 51, 40 unavailable 101, 70 available 101',
		outcomes: [{ event: 'answered' }, { event: 'ended', talk: 30, partial: false, date: 45 }],
		at: { 50: { queues: { 51: { talking: 0, talk_seconds: 30 } } } },
	},
	'6: … the last trunk’s is the end of the call, one that it had left before says nothing': {
		steps:
			'0 trunkIn 7 9, 0 trunkIn 8 9, 3 enters 8, 5 trunkIn 7 8, 6 trunkOut 8, 10 connected 101 7, 10 connected 102 8 51, 12.5 trunkOut 7 9, 13 trunkOut 8, 60 trunkOut 7 8, 61 available 101, 62 leaves 8, 62 available 102',
		outcomes: [
			{ event: 'answered', id_call: '7' },
			{ event: 'answered', id_call: '8' },
			{ event: 'ended', id_call: '7', talk: 50, date: 65 },
			{ event: 'ended', id_call: '8', talk: 52, date: 67 },
		],
	},
	'6: … that of the queue which the answer names is the end, also if the entry was not seen': {
		steps: '0 enters 7 52, 10 answered 7 51, 40 leaves 7 51, 60 available 101',
		outcomes: [{ event: 'answered' }, { event: 'ended', talk: 30, partial: false, date: 45 }],
	},
	'6: … also if it is delivered before the answer': {
		steps: '0 enters 7, 10 leaves 7, 10 answered 7, 10 connected 101 7 51, 70 available 101 7',
		outcomes: [
			{ event: 'answered', id_queue: '51', wait: 10 },
			{ event: 'ended', talk: 60 },
		],
		at: { 30: { queues: { 51: { answered: 1, abandoned: 0, overflowed: 0, talking: 1 } } } },
	},

	// 7: a part's name on the whole.
	'6: … that the second report of an answer names, after an interruption': {
		steps:
			'0 enters 7 53, 20 gap 10 20, 34 answered 7 none 104, 34.2 connected 104 7 52, 85 leaves 7 52',
		outcomes: [
			{ event: 'answered', date: 34 },
			{ event: 'ended', date: 90, ended_at: 85, partial: true },
		],
	},
	'6: … nor if it is delivered before: the queue that the answer names has answered the call': {
		steps:
			'0 enters 7, 2 enters 7 52, 10 leaves 7, 10 answered 7, 10.1 leaves 7 52, 60 available 101',
		outcomes: [
			{ event: 'answered', id_queue: '51', wait: 10 },
			{ event: 'ended', id_queue: '51', talk: 50, partial: false, date: 65 },
		],
		at: {
			61: {
				queues: {
					51: { answered: 1, overflowed: 0, talks: 1 },
					52: { overflowed: 1, answered: 0 },
				},
			},
		},
	},
	'6: … also if the second report names it': {
		steps:
			'0 enters 7, 2 enters 7 52, 10 leaves 7, 10 connected 101 7, 11 answered 7, 11 leaves 7 52, 60 available 101',
		outcomes: [{ event: 'answered' }, { event: 'ended', id_queue: '51', talk: 50, date: 65 }],
		at: { 61: { queues: { 51: { answered: 1, talks: 1 }, 52: { overflowed: 1, answered: 0 } } } },
	},
	'6: … and if one deletion was for all of its queues': {
		steps: '0 enters 7, 2 enters 7 52, 10 leaves 7 none, 11 answered 7, 60 available 101',
		outcomes: [
			{ event: 'answered', id_queue: '51', wait: 11 },
			{ event: 'ended', id_queue: '51', talk: 49, date: 65 },
		],
		at: { 61: { queues: { 51: { answered: 1, talks: 1 }, 52: { overflowed: 1 } } } },
	},
	'7: each talk stands beside its agent, in order': {
		steps: '0 enters 7, 5 answered 7, 60 answered 7 51 102, 120 leaves 7',
		outcomes: [
			{ event: 'answered', agents: ['101'] },
			{
				event: 'ended',
				talk: 115,
				talks: [
					{ agent: '101', talk: 55 },
					{ agent: '102', talk: 60 },
				],
				agents: ['101', '102'],
			},
		],
		at: {
			121: {
				queues: { 51: { talks: 2, talk_seconds: 115, answered: 1, average_talk: 57.5 } },
				agents: { 101: { answered: 1 }, 102: { answered: 0 } },
			},
		},
	},

	// 8: a reason against its own evidence.
	'8: what rang decides, not the alert before': {
		steps:
			'0 enters 7, 5 alert_op 7, 6 ringing 101 7 51, 26 available 101, 27 ringing 101 7 51, 46 available 101, 49 leaves 7',
		outcomes: [
			{
				event: 'missed',
				missed_reason: 'agents_did_not_answer',
				offered_to: [
					{ agent: '101', rang: 20 },
					{ agent: '101', rang: 19 },
				],
			},
		],
	},
	'8: … it rang, and none counts': {
		steps: '0 enters 7, 5 alert_op 7, 6 ringing 101 7 51, 20 leaves 7, 20 available 101',
		outcomes: [
			{ missed_reason: 'abandoned_while_ringing', offered_to: [{ agent: '101', rang: 14 }] },
		],
	},
	'8: … it rang nobody, and nobody was available': {
		steps: '0 pause 101, 0 logout 102, 10 enters 7, 40 leaves 7',
		outcomes: [{ missed_reason: 'no_available_agent' }],
	},
	'8: … somebody was available for a while, or nothing is known of one': {
		steps:
			'0 pause 101, 5 enters 6, 25 leaves 6, 40 pause 102, 50 enters 7, 55 unpause 102, 60 pause 102, 80 leaves 7',
		outcomes: [
			{ id_call: '6', missed_reason: 'abandoned_before_ringing' },
			{ id_call: '7', missed_reason: 'abandoned_before_ringing' },
		],
	},
	'8: … also if a login does not list that one any more': {
		steps:
			'0 pause 101, 0 available 102, 5 enters 7, 20 enters 8, 30 pause 102, 39 lists 101 103, 39 pause 103, 40 lists 101, 41 leaves 7, 42 enters 9, 60 leaves 9, 70 available 101, 80 leaves 8',
		outcomes: [
			{ id_call: '7', missed_reason: 'abandoned_before_ringing' },
			{ id_call: '9', missed_reason: 'no_available_agent' },
			{ id_call: '8', missed_reason: 'abandoned_before_ringing' },
		],
	},
	'8: … also if a login lists more, who are not available either': {
		steps:
			'0 lists 101, 0 pause 101, 0 pause 102, 5 enters 7, 6 pause 103, 7 lists 101 102 103, 40 leaves 7',
		outcomes: [{ id_call: '7', missed_reason: 'no_available_agent' }],
	},
	'8: … the provider says that nobody was': {
		steps: '0 enters 7, 5 alert_op 7, 40 leaves 7',
		outcomes: [{ missed_reason: 'no_available_agent' }],
	},
	'8: … no status of any agent was ever heard': {
		steps: '0 enters 7, 40 leaves 7',
		outcomes: [{ missed_reason: null }],
	},

	// 9: blame.
	'8: … from the moment of the entry on': {
		steps: '0 enters 7, 0 ringing 101 8 52, 10 leaves 7',
		agents: [101],
		outcomes: [{ event: 'missed', missed_reason: 'no_available_agent' }],
	},
	'9: of three phones that ring only those count that stop while the caller waits on': {
		agents: [101, 102, 103],
		steps:
			'0 enters 7, 1 ringing 101 7 51, 1 ringing 102 7 51, 1 ringing 103 7 51, 10 answered 7 51 102, 10 connected 102 7 51, 10 available 101, 11 available 103, 60 leaves 7',
		at: {
			30: {
				agents: {
					101: { not_answered: 0, ringing_seconds: 9 },
					102: { answered: 1, not_answered: 0 },
					103: { not_answered: 0, ringing_seconds: 10 },
				},
			},
		},
	},
	'9: … not if a colleague takes it within two seconds, or the caller hangs up': {
		steps:
			'0 enters 7, 1 ringing 101 7 51, 10 available 101, 11 connected 102 7 51, 40 enters 8, 41 ringing 101 8 51, 43 available 101, 44 leaves 8',
		until: 60,
		at: { 55: { agents: { 101: { not_answered: 0 } } } },
		outcomes: [
			{ id_call: '7', event: 'answered' },
			{ id_call: '8', event: 'missed', missed_reason: 'short_abandoned' },
		],
	},
	'9: … whatever documented status the queue reports of a phone that rings': {
		steps:
			'0 available 103, 0 enters 7, 0 enters 8, 0 enters 9, 5 rings 7 51 101 calling, 6 rings 8 51 102 available, 7 rings 9 51 103 unavailable, 30 leaves 7, 31 leaves 8, 32 leaves 9',
		outcomes: ['101', '102', '103'].map((agent) => ({
			missed_reason: 'abandoned_while_ringing',
			offered_to: [{ agent, rang: 25 }],
		})),
	},
	'9: … for a queue that the caller then never enters, it stops when the caller leaves': {
		steps: '0 enters 7, 10 ringing 101 7 52, 25 leaves 7',
		outcomes: [{ missed_reason: 'abandoned_while_ringing', offered_to: [{ rang: 15 }] }],
	},
	'9: … and of one that begins behind the end of its call, the end is not seen': {
		agents: [101, 110],
		steps:
			'10 trunkIn 7 9, 40 connected 110 7 none, 100 cut, 150 ringing 101 7 none, 151 available 110, 300 -',
		outcomes: [
			{ event: 'answered' },
			{ event: 'ended', date: 211, offered_to: [{ agent: '101', rang: null }] },
		],
		alerts: {
			rows: [{ when: 'agentRinging', ringSeconds: 8 }],
			emitResolved: true,
			told: [
				'158 started agentRinging 8 call=7 queue=null agent=101',
				'211 resolved agentRinging 61 left call=7 queue=null agent=101',
			],
		},
	},
	'9: … two seconds later it counts': {
		steps: '0 enters 7, 1 ringing 101 7 51, 10 available 101, 13 connected 102 7 51',
		at: {
			11: { agents: { 101: { not_answered: 0 } } },
			13: { agents: { 101: { not_answered: 1 } } },
		},
	},

	// 10: lists that only add.
	'10: who is not in the newest list is dropped': {
		agents: [101, 103],
		steps: '0 pause 101, 0 available 103, 60 lists 101, 61 -, 61 pause 101',
		until: 120,
		at: {
			50: { agents: { 103: { state: 'available' } }, totals: { agents_available: 1 } },
			70: { totals: { agents_available: 0, agents_on_break: 1, agents_unknown: 0 } },
		},
		alerts: {
			rows: [{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 30 }],
			told: ['91 started agentsAvailableBelow 0'],
		},
	},
	'10: … a login without a list drops nobody': {
		steps: '0 available 101, 20 lists, 21 pause 102',
		at: { 30: { totals: { agents_available: 1, agents_on_break: 1 } } },
	},

	// 11: back after more than five seconds.
	'10: … a ring of one who is dropped ends like any other': {
		steps: '0 enters 7, 0 ringing 101 7 51, 3 lists 102, 8 connected 101 7 51, 20 leaves 7',
		outcomes: [
			{ event: 'answered', offered_to: [{ agent: '101', rang: 8 }] },
			{ event: 'ended', talk: 12 },
		],
	},
	'11: a call that comes back goes on with its journey': {
		steps: '0 enters 7, 60 leaves 7, 72 enters 7, 90 answered 7, 100 leaves 7',
		outcomes: [
			{ event: 'missed', wait: 60, date: 65 },
			{
				event: 'answered',
				wait: 90,
				after_missed: true,
				queue_waits: [
					{ id_queue: '51', wait: 60 },
					{ id_queue: '51', wait: 18 },
				],
			},
			{ event: 'ended', talk: 10, wait: 90, after_missed: true },
		],
		at: {
			70: { queues: { 51: { abandoned: 1 } }, totals: { abandoned: 1 } },
			95: {
				queues: { 51: { offered: 2, overflowed: 1, answered: 1, abandoned: 0, late: 1 } },
				totals: { offered: 1, answered: 1, abandoned: 0, answer_wait_seconds: 90 },
			},
		},
		alerts: {
			rows: [{ when: 'missedCalls', calls: 1, windowMinutes: 60 }],
			told: ['65 started missedCalls 1 queue=51', '72 resolved missedCalls 0 below queue=51'],
		},
	},
	'11: … by a connected agent, but not by a ring or a deletion': {
		steps:
			'0 enters 7, 30 leaves 7, 40 ringing 101 7 51, 41 leaves 7, 42 available 101, 50 connected 102 7',
		outcomes: [
			{ event: 'missed', wait: 30, offered_to: [] },
			{ event: 'answered', wait: 50, after_missed: true, agents: ['102'] },
		],
		at: {
			51: {
				queues: { 51: { overflowed: 1, abandoned: 0 } },
				totals: { answered: 1, abandoned: 0, answer_wait_seconds: 50, late: 1 },
			},
		},
	},
	'11: … into a queue whose entry was not seen': {
		steps: '0 enters 7, 20 leaves 7, 30 answered 7 52, 50 leaves 7 52',
		outcomes: [
			{ event: 'missed', partial: false },
			{ event: 'answered', wait: 30, partial: true, reason: 'start-not-seen' },
			{ event: 'ended', partial: true, reason: 'start-not-seen', after_missed: true },
		],
	},
	'11: … later than a minute after its record it is another call': {
		steps: '0 enters 7, 30 leaves 7, 100 enters 7, 110 leaves 7',
		outcomes: [
			{ event: 'missed', wait: 30 },
			{ event: 'missed', wait: 10, started: 100 },
		],
		at: {
			120: { queues: { 51: { offered: 2, abandoned: 2 } }, totals: { offered: 2, abandoned: 2 } },
		},
	},
	'11: … or if another caller has the id': {
		steps: '0 enters 7 51 +331, 30 leaves 7, 50 enters 7 51 +442, 60 leaves 7',
		outcomes: [
			{ event: 'missed', wait: 30 },
			{ event: 'missed', wait: 10, caller_id_num: '+442' },
		],
	},
	'11: … within five seconds nothing was told': {
		steps: '0 enters 7, 30 leaves 7, 33 enters 7 52, 40 answered 7 52',
		outcomes: [{ event: 'answered', wait: 40 }],
	},
	'11: … what was told of a period stays, and the caller is in the next one’s before': {
		steps: '270 enters 7, 290 leaves 7, 340 enters 7 52, 350 answered 7 52',
		until: 700,
		intervals: {
			queues: {
				51: [
					{ offered: 1, abandoned: 1 },
					{ offered: 0, abandoned: 0 },
				],
				52: [{}, { offered: 1, answered: 1, answered_in_time: 1 }],
			},
			totals: [
				{ offered: 1, abandoned: 1, waiting: 0 },
				{ offered: 0, waiting_before: 1, answered: 1, late: 1, answer_wait_seconds: 80 },
			],
		},
	},
	'11: … but what becomes known before is put right': {
		steps: '270 enters 7, 297 leaves 7, 310 enters 7 52, 320 answered 7 52',
		until: 700,
		intervals: {
			queues: {
				51: [
					{ offered: 1, overflowed: 1 },
					{ offered: 0, waiting: 0 },
				],
			},
			totals: [
				{ offered: 1, abandoned: 0, waiting: 1, late: 1 },
				{ offered: 0, waiting_before: 1, answered: 1, late: 0 },
			],
		},
	},

	// 15: figures that can't be recomputed.
	'15: counts and seconds of a period add up': {
		steps:
			'10 enters 1, 15 answered 1, 15 connected 101 1 51, 20 enters 2, 100 leaves 1, 100 available 101 1 51 - 10, 290 answered 2, 290 connected 101 2 51, 320 leaves 2, 320 available 101',
		until: 700,
		intervals: {
			queues: {
				51: [
					{
						offered: 2,
						answered: 2,
						answered_in_time: 1,
						late: 1,
						answer_wait_seconds: 275,
						talks: 1,
						talk_seconds: 85,
						wrap_up_seconds: 10,
						average_handle_time: 95,
						longest_wait_of_period: 270,
						waiting: 0,
						talking: 1,
					},
					{ offered: 0, answered: 0, talks: 1, talk_seconds: 30, talking: 0, late: 0 },
				],
			},
		},
		at: {
			330: {
				agents: {
					101: {
						talk_seconds: 115,
						wrap_up_seconds: 10,
						ringing_seconds: 0,
						available_seconds: 190,
						occupancy: 39.7,
					},
				},
				totals: { agents_talk_seconds: 115, agents_available_seconds: 190, occupancy: 39.7 },
			},
		},
	},

	// 16: a clock that steps.
	'16: the provider’s clock goes back while a caller waits': {
		steps: '0 enters 7, 30 enters 8 51 - @-30, 40 leaves 7 51 @-20, 70 leaves 8 51 @10',
		outcomes: [
			{ event: 'missed', id_call: '7', wait: 40 },
			{ event: 'missed', id_call: '8' },
		],
		at: { 60: { queues: { 51: { waiting: 1, abandoned: 1 } } } },
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 60 }],
			told: [],
		},
	},
	'16: … without numbers': {
		steps: '0 enters 7 #-, 30 enters 8 52 - @28 #-, 35 leaves 7 51 @33 #-, 90 leaves 8 52 @88 #-',
		outcomes: [
			{ event: 'missed', id_call: '7', wait: 35 },
			{ event: 'missed', id_call: '8' },
		],
	},
	'16: … forward by an hour': {
		steps: '0 enters 7, 10 leaves 7 51 @3610, 20 enters 8 51 - @3620, 50 leaves 8 51 @3650',
		outcomes: [
			{ event: 'missed', id_call: '7', wait: 10, started: 0, ended: 10 },
			{ event: 'missed', id_call: '8', wait: 30, started: 20 },
		],
	},
	'16: a connection that stood still shows when it was': {
		steps: '0 available 102, 10 enters 7, 28 leaves 7 51 @20, 28 enters 8 51 @24',
		until: 60,
		outcomes: [{ event: 'missed', wait: 10, ended: 20, date: 33 }],
		at: { 30: { queues: { 51: { waiting: 1, longest_wait: 6, abandoned_in_time: 1 } } } },
	},
	'16: … by ten seconds at most, less than two are none': {
		steps: '0 enters 7, 21 answered 7 51 101 @20, 60 leaves 7 51 @39',
		outcomes: [
			{ event: 'answered', wait: 21, answered_at: 21 },
			{ event: 'ended', talk: 29 },
		],
	},
	'16: what was sent before changes nothing, by its number': {
		steps:
			'0 enters 7 #10, 20 leaves 7 #20, 20 enters 7 #12, 21 ringing 101 7 51 #15, 22 available 101 #30',
		until: 60,
		outcomes: [{ event: 'missed', wait: 20 }],
		at: { 30: { queues: { 51: { offered: 1, waiting: 0 } } } },
	},
	'16: … but of the deletions of one call none is too late': {
		steps: '0 enters 7 #1, 0 enters 7 52 #2, 30 leaves 7 52 #4, 30.1 leaves 7 51 #3',
		until: 300,
		outcomes: [{ event: 'missed', wait: 30, date: 35.1 }],
		at: { 300: { queues: { 51: { waiting: 0, abandoned: 1 }, 52: { overflowed: 1 } } } },
		alerts: { rows: [{ when: 'callerWaiting', waitSeconds: 60 }], told: [] },
	},
	'16: … also of the trunk and the queue': {
		steps: '0 trunkIn 7 #1, 1 enters 7 #2, 30 trunkOut 7 #4, 30.1 leaves 7 51 #3',
		until: 300,
		outcomes: [{ event: 'missed', wait: 29, date: 35.1 }],
		at: { 300: { totals: { waiting: 0, abandoned: 1 } } },
	},
	'16: … nor an entry behind the answer of a trunk, which is none of an agent': {
		steps:
			'0 trunkIn 7 #1, 1 trunkAnswered 7 #3, 1.1 enters 7 #2, 60 leaves 7 51 #4, 60 trunkOut 7 #5',
		outcomes: [{ event: 'missed', wait: 59, answered: false, date: 65 }],
		at: { 30: { queues: { 51: { offered: 1, waiting: 1 } } } },
	},
	'16: … and what was sent before a break or a logout ends neither': {
		steps:
			'0 available 101 #1, 0 available 102 #2, 0 available 103 #3, 10 enters 8 #4, 20 pause 101 L #6, 20.1 ringing 101 8 51 #5, 30 available 101 #7, 40 pause 102 L #9, 40.1 rings 8 51 102 #8, 50 logout 103 #11, 50.1 ringing 103 8 51 #10, 60 available 103 #12',
		agents: [101, 102, 103],
		until: 100,
		at: {
			99: {
				agents: {
					101: { state: 'on_break', break_seconds: 69 },
					102: { state: 'on_break', break_seconds: 59 },
					103: { state: 'logged_out' },
				},
			},
		},
		alerts: {
			rows: [{ when: 'agentOnBreak', breakSeconds: 50 }],
			told: ['70 started agentOnBreak 50 agent=101', '90 started agentOnBreak 50 agent=102'],
		},
	},
	'16: … while what the call shows too holds for its agent': {
		steps:
			'0 available 101 #1, 0 available 102 #2, 5 enters 7 #3, 6 ringing 101 7 51 #4, 6 ringing 102 7 51 #5, 10 answered 7 51 102 #7, 10.1 available 101 7 51 #6, 10.2 connected 102 7 51 #8, 40 leaves 7 #10, 40.1 available 102 7 51 - 20 #9, 70 enters 8 #11, 71 ringing 101 8 51 #12, 75 answered 8 51 101 #14, 75.1 connected 101 8 51 #13, 120 leaves 8 #15',
		until: 130,
		outcomes: [
			{ event: 'answered', id_call: '7', agents: ['102'] },
			{ event: 'ended', id_call: '7', talk: 30, wrap_up: 20 },
			{ event: 'answered', id_call: '8', agents: ['101'] },
			{ event: 'ended', id_call: '8', talk: 45 },
		],
		at: {
			65: {
				queues: { 51: { talks: 1, talk_seconds: 30, wrap_up_seconds: 20 } },
				agents: {
					101: { state: 'available', ringing_seconds: 4 },
					102: { state: 'available', talk_seconds: 30, wrap_up_seconds: 20 },
				},
			},
			119: { agents: { 101: { state: 'talking', talk_seconds: 44 } } },
		},
	},
	'16: … and does not end what the agent has taken since': {
		steps:
			'0 enters 7 #1, 5 answered 7 #2, 5 connected 101 7 51 #3, 30 enters 8 #4, 40 leaves 7 #6, 40 answered 8 #7, 40 available 101 7 #5, 100 leaves 8 #9, 100 available 101 8 #10, 110 enters 6 #11, 111 ringing 102 6 51 #12, 112 enters 9 #13, 114 answered 6 51 101 #15, 114 answered 9 51 102 #16, 114 available 102 6 #14, 160 leaves 9 #17, 160 leaves 6 #18',
		outcomes: [
			{ event: 'answered', id_call: '7' },
			{ event: 'answered', id_call: '8' },
			{ event: 'ended', id_call: '7', talk: 35 },
			{ event: 'ended', id_call: '8', talk: 60, ended: 100, partial: false },
			{ event: 'answered', id_call: '6' },
			{ event: 'answered', id_call: '9' },
			{ event: 'ended', id_call: '9', talk: 46, partial: false },
			{ event: 'ended', id_call: '6', talk: 46, partial: false },
		],
		at: { 105: { queues: { 51: { talks: 2, talk_seconds: 95 } } } },
	},
	'16: … nor does it revive a talk of which an interruption has hidden the end': {
		steps:
			'0 trunkIn 7 #1, 1 enters 7 #2, 5 answered 7 #3, 5 connected 101 7 51 #4, 20 cut, 30 trunkOut 7 #6, 31 connected 101 7 51 #5',
		until: 100,
		outcomes: [{ event: 'answered' }, { event: 'ended', ended: 30, date: 35, talk: null }],
		at: { 60: { queues: { 51: { talking: 0 } } } },
	},
	'16: … nor say what an agent does who has logged out since': {
		steps:
			'0 enters 7 #1, 5 answered 7 #2, 5 connected 101 7 51 #3, 20 leaves 7 #5, 20 logout 101 #6, 20 available 101 7 51 none 30 #4, 21 available 102 #7, 22 logout 102 #9, 22 ringing 102 8 51 #8',
		at: { 30: { agents: { 101: { state: 'logged_out' }, 102: { state: 'logged_out' } } } },
	},
	'16: … also before the end of a call of which nothing else was heard': {
		steps:
			'0 leaves 7 #11, 0.2 enters 7 #10, 1 trunkOut 8 #13, 1.2 trunkIn 8 #12, 2 leaves 9 #16, 2.1 answered 9 #14, 2.2 ringing 102 9 51 #15, 3 trunkOut 6 #18, 3.5 trunkIn 6 #17, 5 enters 6 #19, 40 leaves 6 #20',
		until: 43_300,
		outcomes: [{ event: 'missed', id_call: '6', wait: 35, date: 45 }],
		at: { 30: { totals: { offered: 1, waiting: 1, talking: 0 } } },
	},
	'16: … an entry behind the first ring is still an entry': {
		steps: '0 ringing 101 7 51 #11, 0 enters 7 #10, 20 leaves 7 #20',
		outcomes: [{ event: 'missed', wait: 20, partial: false }],
		at: { 10: { queues: { 51: { offered: 1, waiting_before: 0, waiting: 1 } } } },
	},
	'16: … of an agent too': {
		steps:
			'0 available 101 #10, 5 pause 101 - #20, 6 unpause 101 #15, 8 connected 101 7 51 #30, 9 available 101 #25',
		at: { 12: { agents: { 101: { state: 'talking' } } } },
	},

	// 18: an agent's own call.
	'18: a call that an agent began is nobody’s journey': {
		steps: '0 calling 101 9, 0 trunkIn 9, 30 trunkOut 9, 30 available 101',
		outcomes: [],
		at: { 10: { agents: { 101: { state: 'calling', id_call: '9' } }, totals: { offered: 0 } } },
	},
	'18: … also if the trunk reports it first, answered or not': {
		steps:
			'0 trunkIn 9, 4 calling 101 9, 10 trunkAnswered 9, 10 connected 101 9, 60 trunkOut 9, 60 available 101',
		outcomes: [],
		at: {
			70: { agents: { 101: { talk_seconds: 56, answered: 0 } }, totals: { answered: 0, talks: 0 } },
		},
	},
	'18: … so is one that is only seen as connected': {
		steps: '0 connected 101 9, 60 available 101',
		outcomes: [],
		at: { 10: { agents: { 101: { state: 'talking' } }, totals: { talking: 0 } } },
	},
	'18: … a consult call beside the queue’s changes nothing of it': {
		steps:
			'0 enters 7, 5 answered 7, 5 connected 101 7 51, 30 transfert_start 101 7, 31 calling 101 9, 35 connected 101 9, 50 connected 101 7 51, 80 leaves 7, 80 available 101',
		outcomes: [
			{ event: 'answered', id_call: '7' },
			{ event: 'ended', id_call: '7', talk: 75 },
		],
	},
	'18: … nor does one of which the end comes first (audit, seed 1141176)': {
		steps:
			'0 enters 7, 4 leaves 7, 4.2 connected 101 7 none, 66 leaves 8, 66.1 connected 101 8 none, 80 available 101',
		until: 100,
		outcomes: [
			{ event: 'answered', wait: 4 },
			{ event: 'ended', talk: 76, date: 85, partial: false },
		],
	},

	// The rules of the model, in their order.
	'rule 4: an entry into a queue within two seconds of the answer is an overflow': {
		steps: '0 enters 7, 10 answered 7, 11 enters 7 52, 60 leaves 7',
		outcomes: [{ event: 'answered' }, { event: 'ended', talk: 50 }],
		at: {
			20: {
				queues: { 51: { answered: 1, talking: 1 }, 52: { offered: 1, overflowed: 1, waiting: 0 } },
			},
		},
	},
	'rule 5: a caller who is given to a queue waits again': {
		steps: '0 enters 7, 10 answered 7, 50 enters 7 52, 50 leaves 7, 90 leaves 7 52',
		outcomes: [
			{ event: 'answered', wait: 10 },
			{
				event: 'ended',
				wait: 10,
				within_service_level: true,
				talk: 40,
				gave_up: true,
				answered: true,
				queue_waits: [
					{ id_queue: '51', wait: 10 },
					{ id_queue: '52', wait: 40 },
				],
			},
		],
		at: {
			95: {
				queues: { 52: { offered: 1, abandoned: 1, late: 1 } },
				totals: { offered: 2, answered: 1, abandoned: 1, late: 1, abandon_wait_seconds: 40 },
			},
		},
	},
	'rule 5: … and is answered again, told once': {
		steps: '0 enters 7, 10 answered 7, 50 enters 7 52, 55 answered 7 52 102, 90 leaves 7 52',
		outcomes: [
			{ event: 'answered', wait: 10 },
			{
				event: 'ended',
				wait: 10,
				talks: [
					{ agent: '101', talk: 40 },
					{ agent: '102', talk: 35 },
				],
			},
		],
		at: { 95: { totals: { offered: 2, answered: 2, answer_wait_seconds: 15, talks: 2 } } },
	},
	'rule 6: a caller who left counts at once, the outcome comes five seconds later': {
		steps: '0 enters 7, 30 leaves 7',
		outcomes: [{ event: 'missed', ended: 30, date: 35 }],
		at: { 31: { queues: { 51: { abandoned: 1, waiting: 0 } } } },
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 20 }],
			told: ['20 started callerWaiting 20 call=7', '30 resolved callerWaiting 30 abandoned call=7'],
		},
	},
	'rule 6: … of two queues the last one has abandoned it': {
		steps: '0 enters 7, 1 enters 7 52, 20 leaves 7, 30 leaves 7 52',
		outcomes: [{ event: 'missed', id_queue: '52', wait: 30 }],
		at: {
			31: { queues: { 51: { overflowed: 1 }, 52: { abandoned: 1 } }, totals: { abandoned: 1 } },
		},
	},
	'rule 6: … an ended call that comes back has a second record': {
		steps: '0 enters 7, 10 answered 7, 40 leaves 7, 70 enters 7 52, 80 leaves 7 52',
		outcomes: [
			{ event: 'answered' },
			{ event: 'ended', talk: 30 },
			{ event: 'ended', gave_up: true, after_ended: true, talk: 30 },
		],
		at: { 85: { totals: { offered: 2, answered: 1, abandoned: 1 } } },
	},
	'rule 7: a caller of whom nothing was heard for two hours is unknown': {
		steps: '0 enters 7',
		until: 7_300,
		at: {
			7199: { queues: { 51: { waiting: 1, late: 1 } } },
			7201: {
				queues: { 51: { waiting: 0, unknown: 1, late: 1 } },
				totals: { unknown: 1, waiting: 0 },
			},
		},
	},
	'rule 7: … also who is seen to wait or to be answered then, as after an interruption': {
		steps:
			'0 enters 7, 0 enters 8, 7300 ringing 101 7 51, 7301 answered 8, 7310 leaves 7, 7320 leaves 8',
		outcomes: [
			{ event: 'answered', id_call: '8', wait: 7301, partial: true },
			{ event: 'ended', id_call: '7', answered: null, wait: null, reason: 'end-not-seen' },
			{ event: 'ended', id_call: '8', answered: true, reason: 'start-not-seen' },
		],
		at: { 7315: { queues: { 51: { waiting_before: 2, unknown: 4, abandoned: 0 } } } },
	},
	'rule 7: … of a second wait too: the record is partial': {
		steps:
			'0 enters 7, 5 answered 7, 5 connected 101 7 51, 20 enters 7 52, 20 leaves 7, 20 available 101, 7300 leaves 7 52',
		outcomes: [
			{ event: 'answered', partial: false },
			{ event: 'ended', talk: 15, partial: true, reason: 'end-not-seen' },
		],
	},
	'rule 4: a talk whose end was not seen stays one if the call comes back': {
		steps: '0 enters 7, 12 answered 7 51 none, 12 leaves 7, 80 connected 102 7, 110 available 102',
		outcomes: [
			{ event: 'answered', partial: false },
			{ event: 'ended', talk: null, partial: true, reason: 'end-not-seen' },
			{ event: 'ended', after_ended: true, talk: null, partial: true, reason: 'end-not-seen' },
		],
	},
	'rule 7: … and is given up after twelve': {
		steps: '0 enters 7, 0 enters 8, 5 answered 8',
		until: 43_300,
		outcomes: [
			{ event: 'answered', id_call: '8' },
			{ event: 'ended', id_call: '7', answered: null, wait: null },
			{ event: 'ended', id_call: '8', answered: true, partial: true, reason: 'end-not-seen' },
		],
	},
	'rule 7: a deletion alone is no call': {
		steps: '0 leaves 7, 1 trunkOut 8',
		outcomes: [],
		at: { 5: { totals: { offered: 0, unknown: 0, waiting_before: 0 } } },
	},
	'rule 8: an interruption ends the counted wait, not what is seen': {
		steps:
			'0 enters 7, 0 enters 8, 10 cut, 15 ringing 101 7 51, 40 answered 7, 60 leaves 7, 60 leaves 8',
		outcomes: [
			{ event: 'answered', id_call: '7', wait: 40, partial: true, reason: 'feed-gap' },
			{ event: 'ended', id_call: '7', wait: 40, talk: 20, partial: true },
			{ event: 'ended', id_call: '8', answered: null, wait: null, within_service_level: null },
		],
		at: {
			12: { queues: { 51: { offered: 2, unknown: 2, waiting: 0 } }, totals: { unknown: 2 } },
			20: { queues: { 51: { offered: 2, unknown: 2, waiting_before: 1, waiting: 1 } } },
			50: {
				queues: {
					51: { offered: 2, unknown: 3, waiting_before: 1, answered: 0, talking: 1, waiting: 0 },
				},
				totals: { offered: 2, unknown: 3, waiting_before: 1, answered: 0 },
			},
		},
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 5 }],
			told: [
				'5 started callerWaiting 5 call=7',
				'5 started callerWaiting 5 call=8',
				'10 unknown callerWaiting 10 feed-gap call=7',
				'10 unknown callerWaiting 10 feed-gap call=8',
				'15 started callerWaiting 15 call=7',
				'40 resolved callerWaiting 40 answered call=7',
			],
		},
	},
	'rule 8: a talk ends with it, unless the same agent is seen in it': {
		steps:
			'0 enters 7, 10 answered 7, 0010 enters 8, 10 answered 8 51 102, 40 cut, 50 connected 101 7 51, 70 leaves 7, 70 leaves 8',
		outcomes: [
			{ event: 'answered', id_call: '7' },
			{ event: 'answered', id_call: '8' },
			{ event: 'ended', id_call: '7', talk: 60, partial: true },
			{
				event: 'ended',
				id_call: '8',
				talk: null,
				talks: [{ agent: '102', talk: null }],
				partial: true,
			},
		],
		at: {
			45: { queues: { 51: { talking: 0, talks: 2, talk_seconds: 60 } } },
			75: { queues: { 51: { talking: 0, talks: 2, talk_seconds: 90 } } },
		},
	},
	'rule 8: … of a call whose entry was not seen there is no wait': {
		steps: '0 ringing 101 7 51, 10 answered 7, 10 connected 101 7 51, 60 leaves 7',
		outcomes: [
			{ event: 'answered', wait: null, within_service_level: null, partial: true },
			{ event: 'ended', wait: null, talk: 50, partial: true },
		],
		at: {
			5: { queues: { 51: { offered: 0, waiting_before: 1, waiting: 1, longest_wait: null } } },
			65: {
				queues: {
					51: {
						offered: 0,
						waiting_before: 1,
						answered: 0,
						unknown: 1,
						talks: 1,
						talk_seconds: 50,
					},
				},
				totals: { offered: 0, waiting_before: 1, unknown: 1, talks: 1 },
			},
		},
	},
	'rule 8: … also if another agent has it then, and the queue had lost it at the answer': {
		steps:
			'0 enters 7, 10 leaves 7, 10.5 answered 7, 30 cut, 60 answered 7 51 102, 100 available 102',
		outcomes: [{ event: 'answered' }, { event: 'ended', talk: null, date: 105 }],
	},
	'the snapshots say what they cover': {
		steps: '10 enters 1, 20 down, 50 up, 60 -',
		at: { 61: { totals: { complete: false } } },
		intervals: { totals: [{ complete: false, missed_seconds: 30 }] },
		until: 330,
	},

	// Alerts of each kind.
	'alerts: levels of one kind, repeated while they last': {
		steps: '0 enters 7, 95 answered 7',
		alerts: {
			rows: [
				{ when: 'callerWaiting', waitSeconds: 30 },
				{ when: 'callerWaiting', waitSeconds: 60 },
			],
			repeatEvery: 40,
			told: [
				'30 started callerWaiting 30 call=7',
				'60 started callerWaiting 60 call=7',
				'70 repeated callerWaiting 70 call=7',
				'95 resolved callerWaiting 95 answered call=7',
				'95 resolved callerWaiting 95 answered call=7',
			],
		},
	},
	'alerts: a caller who moves to another queue is the same subject': {
		steps: '0 enters 7, 40 leaves 7, 42 enters 7 52, 80 answered 7 52',
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 30 }],
			told: ['30 started callerWaiting 30 call=7', '80 resolved callerWaiting 80 answered call=7'],
		},
	},
	'alerts: … a row has its own queues': {
		steps: '0 enters 7, 0 enters 8 52, 40 leaves 7, 40 enters 7 52, 80 answered 7 52',
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 30, queueIds: ['51'] }],
			told: ['30 started callerWaiting 30 call=7', '40 resolved callerWaiting 40 left call=7'],
		},
	},
	'alerts: too many callers wait, for some time': {
		steps:
			'0 enters 1, 5 enters 2, 6 enters 3 52, 20 answered 1, 30 enters 4, 35 leaves 2, 50 leaves 4',
		alerts: {
			rows: [{ when: 'callersWaiting', callers: 2, forSeconds: 10 }],
			told: ['15 started callersWaiting 2 queue=51', '20 resolved callersWaiting 1 below queue=51'],
		},
	},
	'alerts: … the end is that of the cause, also if a level was passed meanwhile': {
		steps: '0 enters 1 52 @0, 5 enters 7 @5, 10 enters 7 52 @10, 34.5 answered 7 51 101 @22',
		alerts: {
			rows: [
				{ when: 'callersWaiting', callers: 2, forSeconds: 20 },
				{ when: 'serviceLevelBelow', percent: 80, minimumCalls: 10 },
			],
			told: ['30 started callersWaiting 2 queue=52', '30 resolved callersWaiting 1 below queue=52'],
		},
	},
	'alerts: few agents, as soon as that is certain': {
		steps: '0 pause 101, 50 pause 102, 120 unpause 101',
		alerts: {
			rows: [{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 30 }],
			told: ['80 started agentsAvailableBelow 0', '120 resolved agentsAvailableBelow 1 above'],
		},
	},
	'a trunk that was left at the answer says nothing more, although its end is delivered twice': {
		steps:
			'1 trunkIn 7, 3 enters 7 52, 33 connected 101 7 52, 33.5 trunkOut 7, 38 trunkOut 7, 60 leaves 7 52, 60 available 101',
		outcomes: [{ event: 'answered' }, { event: 'ended', talk: 27, ended: 60 }],
		at: { 50: { queues: { 52: { talking: 1, talks: 0 } } } },
	},
	"an entry that is delivered behind a second agent's answer is no second wait": {
		steps:
			'0 enters 7, 5 answered 7 51 101, 5 connected 101 7 51, 60 leaves 7, 60.2 answered 7 52 102, 60.2 connected 102 7 52, 60.5 enters 7 52, 61 available 101, 120 leaves 7 52, 120 available 102',
		outcomes: [
			{ event: 'answered' },
			{
				event: 'ended',
				talks: [
					{ agent: '101', talk: 55 },
					{ agent: '102', talk: 60 },
				],
				queue_waits: [
					{ id_queue: '51', wait: 5 },
					{ id_queue: '52', wait: 0 },
				],
			},
		],
		at: {
			80: { queues: { 52: { offered: 1, answered: 1 } }, totals: { waiting: 0 } },
			130: {
				queues: { 51: { answered: 1, talks: 1 }, 52: { talks: 1, talk_seconds: 60 } },
				agents: { 102: { answered: 1 } },
				totals: { answered: 2, talks: 2 },
			},
		},
		alerts: { rows: [{ when: 'callerWaiting', waitSeconds: 30 }], told: [] },
	},
	'… also if only the second report names the queue': {
		steps:
			'0 enters 7, 5 connected 101 7 51, 59 leaves 7 51, 60 connected 102 7 none, 60.2 answered 7 52 102, 60.5 enters 7 52, 120 leaves 7 52, 120 available 102',
		outcomes: [
			{ event: 'answered' },
			{ event: 'ended', talk: 114, queue_waits: [{ wait: 5 }, { id_queue: '52', wait: 0 }] },
		],
		at: { 80: { queues: { 52: { offered: 1, answered: 1, waiting: 0 } } } },
		alerts: { rows: [{ when: 'callerWaiting', waitSeconds: 10 }], told: [] },
	},
	'… and the deletion of that queue is its end, although the entry came too late to count': {
		steps:
			'0 enters 7 #1, 5 connected 101 7 51 #2, 59 leaves 7 51 #3, 60 answered 7 52 102 #11, 60.2 connected 102 7 52 #12, 60.5 enters 7 52 #10, 120 leaves 7 52 #13, 130 available 102 #14',
		outcomes: [{ event: 'answered' }, { event: 'ended', ended: 120, talk: 114 }],
	},
	'… and of a call that only a trunk had, it is the first queue': {
		steps:
			'0 trunkIn 7, 5 connected 101 7 none, 60 connected 102 7 52, 60.5 enters 7 52, 80 enters 7 53, 100 connected 101 7 53, 120 leaves 7 53, 120 available 101, 121 trunkOut 7',
		outcomes: [{ event: 'answered' }, { event: 'ended', id_queue: '52' }],
		at: { 70: { queues: { 52: { talking: 1 } } } },
	},
	'… unless the answer does not name that queue: the caller waits there': {
		steps:
			'0 enters 7, 5 connected 101 7 51, 60 leaves 7 51, 60.2 connected 101 7 51, 60.5 enters 7 52, 61 available 101, 100 connected 102 7 52, 140 leaves 7 52, 140 available 102',
		at: { 80: { queues: { 52: { waiting: 1 } }, totals: { offered: 2 } } },
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 30 }],
			told: [
				'90.5 started callerWaiting 30 call=7',
				'100 resolved callerWaiting 40 answered call=7',
			],
		},
	},
	'… nor behind that of a colleague who takes over': {
		steps:
			'0 enters 7, 5 connected 101 7 51, 60 connected 102 7 52, 60.3 enters 7 52, 60.4 leaves 7 51, 120 leaves 7 52, 120 available 102',
		outcomes: [{ event: 'answered' }, { event: 'ended', talk: 115 }],
		at: { 80: { totals: { waiting: 0, talking: 1 } } },
		alerts: { rows: [{ when: 'callerWaiting', waitSeconds: 30 }], told: [] },
	},
	'alerts: … who pauses is not available, whatever an interruption or a status leaves open': {
		steps:
			'0 connected 101 55 51, 0 pause 102, 10 cut, 11 pause 102, 20 pause 101, 60 unpause 101, 100 -',
		alerts: {
			rows: [{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 5 }],
			told: [
				'5 started agentsAvailableBelow 0',
				'10 unknown agentsAvailableBelow 0 feed-gap',
				'20 started agentsAvailableBelow 0',
			],
		},
	},
	'alerts: … an unclear status before a break': {
		steps: '0 unavailable 101, 1 pause 102, 2 pause 101, 50 unpause 102',
		alerts: {
			rows: [{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 5 }],
			told: ['7 started agentsAvailableBelow 0', '50 resolved agentsAvailableBelow 1 above'],
		},
	},
	'nor whether somebody is of whom an interruption hid what they do, if a login lists nobody': {
		steps: '0 calling 101 40, 5 calling 102 41, 60 cut, 70 lists, 72 ringing 101 8 51',
		agents: [101],
		until: 100,
		alerts: {
			rows: [{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 10 }],
			told: ['10 started agentsAvailableBelow 0', '60 unknown agentsAvailableBelow 0 feed-gap'],
		},
	},
	'nobody knows whether somebody is available who logs in while it is not known what they do': {
		steps: '0 available 102, 0 logout 101, 5 unavailable 101, 30 login 101, 40 pause 102, 100 -',
		at: { 60: { totals: { agents_unknown: 1, agents_available: 0 } } },
		alerts: {
			rows: [{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 10 }],
			told: [],
		},
	},
	'… also after an interruption; who logs out is not available, whatever else they do': {
		steps:
			'0 available 101, 0 pause 102, 10 cut, 12 logout 101, 13 paused 101, 14 pause 102, 20 login 101, 60 logout 101',
		until: 100,
		alerts: {
			rows: [{ when: 'agentsAvailableBelow', agents: 1, belowForSeconds: 10 }],
			told: ['70 started agentsAvailableBelow 0'],
		},
	},
	"a colleague's talk that the trunk alone has goes on while the phone rings for another call": {
		steps:
			'0 trunkIn 7, 1 enters 7, 5 answered 7, 5 connected 101 7 51, 60 leaves 7, 60 available 101, 61 ringing 102 7, 70 connected 102 7, 80 enters 8, 81 ringing 102 8 51, 85 leaves 8, 85 available 101, 120 trunkOut 7, 120 available 102',
		outcomes: [
			{ event: 'answered' },
			{ event: 'missed', id_call: '8' },
			{ event: 'ended', talk: 105, talks: [{ talk: 55 }, { agent: '102', talk: 50 }] },
		],
		at: { 100: { queues: { 51: { talking: 1, talks: 1 } } } },
	},
	'… unless the agent took the caller, and the queue lost the call at the answer: then the next status ends it':
		{
			steps:
				'0 trunkIn 7, 1 enters 7, 5 answered 7, 5 connected 101 7 51, 60 enters 7 52, 60 available 101, 70 answered 7 52 102, 70 connected 102 7 52, 71 leaves 7 52, 81 ringing 102 8 51, 120 trunkOut 7, 120 available 102',
			outcomes: [{ event: 'answered' }, { event: 'ended', talks: [{ talk: 55 }, { talk: 11 }] }],
		},
	'… also if the caller had left the queue before an agent took the call from the trunk': {
		steps:
			'0 trunkIn 7, 1 enters 7, 10 leaves 7, 15 connected 101 7, 30 ringing 101 8 51, 35 leaves 8, 120 trunkOut 7, 120 available 101',
		outcomes: [
			{ event: 'answered' },
			{ event: 'missed', id_call: '8' },
			{ event: 'ended', talk: 105, date: 125 },
		],
	},
	'… and across an interruption': {
		steps:
			'0 trunkIn 7, 1 enters 7, 5 answered 7, 5 connected 101 7 51, 60 leaves 7, 60 available 101, 61 connected 102 7, 70 cut, 80 enters 8, 80 ringing 102 8 51, 85 leaves 8, 86 connected 102 7, 120 trunkOut 7, 120 available 102',
		outcomes: [
			{ event: 'answered' },
			{ event: 'missed', id_call: '8' },
			{ event: 'ended', talks: [{ talk: 55 }, { agent: '102', talk: 59 }] },
		],
	},
	'… of the agent who has the caller again': {
		steps:
			'0 trunkIn 7, 1 enters 7, 5 answered 7, 5 connected 101 7 51, 6 leaves 7, 30 connected 102 7, 50 available 102, 55 cut, 58 connected 101 7, 70 ringing 101 8 51, 120 trunkOut 7, 120 available 101',
		outcomes: [{ event: 'answered' }, { event: 'ended', talk: 115 }],
	},
	'… of a second wait that an interruption hid': {
		steps:
			'0 trunkIn 7, 1 enters 7, 5 connected 101 7, 20 leaves 7, 25 enters 7, 30 cut, 32 trunkIn 7 8, 33 connected 102 7, 44 ringing 102 8 51, 120 trunkOut 7 9, 121 trunkOut 7 8, 122 available 102',
		outcomes: [{ event: 'answered' }, { event: 'ended', talks: [{ talk: 15 }, { talk: 88 }] }],
	},
	'an entry behind its answer counts at the answer, also over the end of a period': {
		steps:
			'290 enters 7, 299.5 answered 7 52, 300.5 enters 7 52, 340 leaves 7 52, 340 available 101',
		until: 620,
		intervals: {
			queues: {
				51: [{ offered: 1, overflowed: 1 }, { offered: 0 }],
				52: [
					{ offered: 1, answered: 1, talking: 1 },
					{ offered: 0, talks: 1, talk_seconds: 41 },
				],
			},
			totals: [
				{ offered: 1, answered: 1 },
				{ offered: 0, talks: 1 },
			],
		},
	},
	'… if only the second report names the queue': {
		steps:
			'290 enters 7, 299.2 connected 101 7, 300.2 enters 7 52, 300.8 answered 7 52, 340 leaves 7 52, 340 available 101',
		outcomes: [{ event: 'answered' }, { event: 'ended', queue_waits: [{ wait: 9 }, { wait: 0 }] }],
		until: 620,
		intervals: {
			queues: {
				52: [
					{ offered: 1, answered: 1 },
					{ offered: 0, talks: 1 },
				],
			},
		},
	},
	'a phone that rings for the same call in its next queue has begun anew, for alert and snapshot': {
		steps:
			'0 enters 7, 1 ringing 101 7 51, 20 leaves 7, 22 enters 7 52, 25 ringing 101 7 52, 50 connected 101 7 52, 60 leaves 7 52, 60 available 101',
		at: { 40: { agents: { 101: { state: 'ringing', seconds: 15 } } } },
		alerts: {
			rows: [{ when: 'agentRinging', ringSeconds: 10 }],
			told: [
				'11 started agentRinging 10 call=7 queue=51 agent=101',
				'20 resolved agentRinging 19 abandoned call=7 queue=51 agent=101',
				'35 started agentRinging 10 call=7 queue=52 agent=101',
				'50 resolved agentRinging 25 answered call=7 queue=52 agent=101',
			],
		},
	},
	'after an interruption, a queue that loses the call at its answer has answered it': {
		steps:
			'5 enters 7 53, 22 cut, 27 leaves 7 53, 28 connected 101 7 53, 40 leaves 7 53, 40 available 101',
		outcomes: [
			{ event: 'answered', id_queue: '53' },
			{ event: 'ended', id_queue: '53', talk: 12 },
		],
		at: {
			50: {
				queues: { 53: { unknown: 1, talks: 1, talk_seconds: 12 } },
				totals: { talks: 1, talk_seconds: 12 },
			},
		},
	},
	'what time alone ends says nothing of the moment of a late event': {
		steps:
			'0 enters 7 51 @0, 2 connected 101 7 51 @2, 10 ringing 102 7 51 @10, 10 available 101 @10, 40 cut, 66 enters 8 54 @66, 75.5 connected 101 8 54 @67',
		outcomes: [
			{ event: 'answered', wait: 2 },
			{ event: 'ended', talk: 8 },
			{ event: 'answered', wait: 1 },
		],
	},
	"… nor of the seconds of an agent's state": {
		steps:
			'0 enters 7 51 @0, 1 ringing 101 7 52 @1, 10 leaves 7 51 @10, 20 connected 101 8 54 @12, 40 available 101 @40',
		at: {
			21: { agents: { 101: { seconds: 9, talk_seconds: 9, ringing_seconds: 11 } } },
			45: { agents: { 101: { talk_seconds: 28 } }, queues: { 54: { talk_seconds: 28 } } },
		},
	},
	'alerts: an agent lets it ring': {
		steps:
			'0 enters 7, 5 ringing 101 7 51, 40 available 101, 50 ringing 102 7 51, 80 connected 102 7 51',
		alerts: {
			rows: [{ when: 'agentRinging', ringSeconds: 20 }],
			told: [
				'25 started agentRinging 20 call=7 queue=51 agent=101',
				'40 resolved agentRinging 35 left call=7 queue=51 agent=101',
				'70 started agentRinging 20 call=7 queue=51 agent=102',
				'80 resolved agentRinging 30 answered call=7 queue=51 agent=102',
			],
		},
	},
	'alerts: a call lasts since its first answer, also through a transfer': {
		steps: '0 enters 7, 10 answered 7, 50 answered 7 51 102, 100 leaves 7',
		alerts: {
			rows: [{ when: 'callLasting', callSeconds: 60 }],
			told: [
				'70 started callLasting 60 call=7 agent=102',
				'100 resolved callLasting 90 ended call=7 agent=102',
			],
		},
	},
	'alerts: missed calls of a window, without the short ones': {
		steps: '0 enters 1, 10 leaves 1, 20 enters 2, 22 leaves 2, 30 enters 3, 40 leaves 3',
		until: 400,
		alerts: {
			rows: [{ when: 'missedCalls', calls: 2, windowMinutes: 5 }],
			told: ['45 started missedCalls 2 queue=51', '310.001 resolved missedCalls 1 below queue=51'],
		},
	},
	'alerts: the service level names the call that tipped it': {
		steps:
			'0 enters 1, 2 answered 1, 5 enters 2, 40 answered 2, 41 enters 3, 42 answered 3, 43 enters 4, 44 answered 4',
		alerts: {
			rows: [{ when: 'serviceLevelBelow', percent: 60, minimumCalls: 2 }],
			told: [
				'25.001 started serviceLevelBelow 50 call=2 queue=51',
				'42 resolved serviceLevelBelow 66.7 above queue=51',
			],
		},
	},
	'alerts: … by the exact figure, shown as finely as it takes': {
		steps:
			'0 enters 1, 0 enters 2, 0 enters 3, 1 answered 1, 1 answered 2 51 102, 30 leaves 3, 40 enters 4, 41 answered 4 51 103',
		alerts: {
			rows: [{ when: 'serviceLevelBelow', percent: 66.7, minimumCalls: 1 }],
			told: [
				'20.001 started serviceLevelBelow 66.67 call=3 queue=51',
				'41 resolved serviceLevelBelow 75 above queue=51',
			],
		},
	},
	'alerts: … also one whose entry was held up until it was late': {
		steps: '0 enters 1 @0, 40 enters 2 51 none @25',
		options: { serviceLevelSeconds: 5 },
		alerts: {
			rows: [{ when: 'serviceLevelBelow', percent: 80, minimumCalls: 2 }],
			told: ['40 started serviceLevelBelow 0 call=2 queue=51'],
		},
	},
	'alerts: without ends, one across an interruption is not told twice': {
		steps: '0 pause 101, 70 cut, 80 pause 101, 200 unpause 101, 210 pause 101',
		until: 280,
		alerts: {
			rows: [{ when: 'agentOnBreak', breakSeconds: 60 }],
			emitResolved: false,
			told: ['60 started agentOnBreak 60 agent=101', '270 started agentOnBreak 60 agent=101'],
		},
	},
	'alerts: … a caller is told once, whatever follows': {
		steps: '0 enters 7, 70 cut, 100 leaves 7, 120 enters 7',
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 60 }],
			emitResolved: false,
			told: ['60 started callerWaiting 60 call=7'],
		},
	},
	'alerts: … with ends, it is started again since the same moment': {
		steps: '0 pause 101, 70 cut, 80 pause 101, 200 unpause 101',
		alerts: {
			rows: [{ when: 'agentOnBreak', breakSeconds: 60 }],
			told: [
				'60 started agentOnBreak 60 agent=101',
				'70 unknown agentOnBreak 70 feed-gap agent=101',
				'80 started agentOnBreak 80 agent=101',
				'200 resolved agentOnBreak 200 back agent=101',
			],
		},
	},
	'alerts: … a ring that was seen to be over is another one': {
		steps: '0 ringing 101 7 51, 30 cut, 40 available 101, 50 ringing 101 7 51',
		alerts: {
			rows: [{ when: 'agentRinging', ringSeconds: 8 }],
			told: [
				'8 started agentRinging 8 call=7 queue=51 agent=101',
				'30 unknown agentRinging 30 feed-gap call=7 queue=51 agent=101',
				'58 started agentRinging 8 call=7 queue=51 agent=101',
			],
		},
	},
	'alerts: … just after a caller has left ends the alert as unknown; the outcome has seen all': {
		steps: '0 enters 7, 30 leaves 7, 32 cut',
		outcomes: [{ event: 'missed', wait: 30, partial: false }],
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 20 }],
			told: ['20 started callerWaiting 20 call=7', '32 unknown callerWaiting 32 feed-gap call=7'],
		},
	},
	'alerts: a caller who is seen to wait and to leave after an interruption': {
		steps: '0 enters 7, 10 cut, 15 ringing 101 7 51, 40 leaves 7',
		outcomes: [{ event: 'ended', answered: null, wait: null, partial: true }],
		alerts: {
			rows: [{ when: 'callerWaiting', waitSeconds: 20 }],
			told: ['20 started callerWaiting 20 call=7', '40 resolved callerWaiting 40 abandoned call=7'],
		},
	},
	'an agent: a logout during a call shows at once, a break that is asked for in wrap-up after it': {
		steps:
			'0 enters 7, 5 answered 7, 5 connected 101 7 51, 20 logout 101, 60 leaves 7, 70 enters 8, 75 answered 8 51 102, 75 connected 102 8 51, 80 leaves 8, 80 available 102 8 51 - 10, 82 pause 102 2',
		at: {
			30: { agents: { 101: { state: 'logged_out', talk_seconds: 15 } } },
			85: { agents: { 102: { state: 'wrap_up' } } },
			95: { agents: { 102: { state: 'on_break', seconds: 5 } } },
		},
		alerts: {
			rows: [{ when: 'agentOnBreak', breakSeconds: 10 }],
			told: ['100 started agentOnBreak 10 agent=102'],
		},
		until: 101,
	},
	'a ring that is delivered before the entries into trunk and queue: the call began in the trunk': {
		steps: '0 ringing 101 7 51, 1 trunkIn 7 9, 2 enters 7, 5 answered 7',
		outcomes: [{ event: 'answered', started: 1, wait: 3, partial: false, reason: null }],
	},
};

playCases(CASES);
