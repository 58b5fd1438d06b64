// The sentences of outcomes and alerts are true as they stand, also of calls with several waits, queues or talks: each
// duration stands beside what it measures, and nobody does what somebody else did.

import { LiveScene } from './scene';

const LOGIN = {
	ops: [
		{ id: 101, nom: 'Ada' },
		{ id: 102, nom: 'Ben' },
		{ id: 103, nom: '' },
	],
	trunks: [{ id: 9, nom: 'Head office' }],
};
const queueNames = [
	{ id_queue: 51, name: 'Sales' },
	{ id_queue: 52, name: 'Support' },
];

async function sentences(mode: Record<string, unknown>, steps: string, options = {}) {
	const all = { emitResolved: true, queueNames, ...options };
	const live = await new LiveScene({ ...mode, options: all }, LOGIN).open().play(steps);
	return live.items.map(({ summary }) => summary);
}

it.each<[string, string, string]>([
	[
		'the wait of the first queue, if there was a second wait',
		'0 enters 7 51 N, 10 answered 7, 40 enters 7 52, 60 leaves 7 52, 80 -',
		'N talked to Ada for 30 s, after a wait of 10 s in Sales; then waited again, and gave up',
	],
	[
		'two queues before the answer',
		'0 enters 7 51 N, 5 enters 7 52, 10 answered 7, 40 leaves 7, 60 -',
		'N talked to Ada for 30 s, after a wait of 10 s in 2 queues',
	],
	[
		'a call that a queue got only after a talk',
		'0 trunkIn 7 9 N, 5 trunkOut 7, 5 connected 101 7 none, 7 -, 30 enters 7 52, 60 leaves 7 52, 80 -',
		'N talked to Ada for 25 s, after a wait of 5 s in Head office; then waited again, and gave up',
	],
	[
		'a trunk that answers after another one, in which nothing says how long the caller was',
		'0 trunkIn 7 9 N, 10 trunkAnswered 7, 20 trunkOut 7, 20 trunkIn 7 8, 50 trunkOut 7 8, 60 -',
		'N was connected, after a wait of 10 s',
	],
	[
		'an interruption, and a time in no queue behind it',
		'0 enters 7 51 N, 5 cut, 30 leaves 7 51, 30 trunkIn 7, 60 enters 7 52, 90 answered 7 52, 100 leaves 7 52, 100 trunkOut 7, 120 -',
		'N talked to Ada for 10 s, after a wait of 90 s in 2 queues and elsewhere',
	],
	[
		'two silent hours, and a time in no queue behind them',
		'0 enters 7 51 N, 7300 leaves 7 51, 7303 enters 7 52, 7330 answered 7 52, 7400 leaves 7 52, 7420 -',
		'N talked to Ada for 70 s, after a wait of 7330 s in 2 queues and elsewhere',
	],
	[
		'a time outside of the trunk',
		'0 trunkIn 7 9 N, 10 trunkOut 7, 13 trunkIn 7, 60 trunkOut 7, 80 -',
		'N gave up after 60 s in Head office and elsewhere',
	],
	[
		'an agent without a name',
		'0 enters 7 51 N, 10 answered 7 51 103, 40 leaves 7, 60 -',
		'N talked to agent 103 for 30 s, after a wait of 10 s in Sales',
	],
	[
		'a talk of unknown length beside another one',
		'0 enters 7 51 N, 10 answered 7, 20 cut, 30 answered 7 51 102, 60 leaves 7, 80 -',
		'N talked to Ada for an unknown time and Ben for 30 s, after a wait of 10 s in Sales',
	],
	[
		'a caller who is passed on to a mailbox',
		'0 available 101, 0 enters 7 51 N, 40 leaves 7, 41 trunkIn 7, 43 trunkAnswered 7, 90 trunkOut 7, 99 -',
		"N waited 40 s in Sales and was not answered: no agent's phone rang",
	],
	[
		'… and to a trunk that keeps the call',
		'0 trunkIn 7 9 N, 0 enters 7 51 N, 30 leaves 7, 300 trunkOut 7',
		'N waited 30 s in Sales and was not answered',
	],
	[
		'… but not one who hangs up, so that the trunk is left too',
		'0 trunkIn 7 9 N, 0 enters 7 51 N, 30 leaves 7, 31 trunkOut 7, 60 -',
		'N gave up after 30 s in Sales',
	],
	[
		'a ring that was over long before',
		'0 enters 7 51 N, 1 ringing 101 7 51, 20 leaves 7, 20 available 101, 23 enters 7 52, 99 leaves 7 52, 120 -',
		"N gave up after 99 s in 2 queues and elsewhere: an agent's phone rang",
	],
	[
		'a menu between two waits in one queue',
		'0 trunkIn 7 9 N, 0 enters 7 51 N, 10 leaves 7, 40 enters 7, 60 leaves 7, 60 trunkOut 7, 80 -',
		'N gave up after 60 s in Sales and elsewhere',
	],
	[
		'… answered there',
		'0 enters 7 51 N, 10 leaves 7, 13 enters 7, 20 answered 7, 60 leaves 7, 80 -',
		'N talked to Ada for 40 s, after a wait of 20 s in Sales and elsewhere',
	],
	[
		'a menu after two queues at once',
		'0 trunkIn 7 9 N, 0 enters 7 51 N, 0 enters 7 52, 30 leaves 7 51, 30 leaves 7 52, 50 enters 7 51, 60 leaves 7 51, 60 trunkOut 7, 80 -',
		'N gave up after 60 s in 2 queues and elsewhere',
	],
	[
		'… before an interruption',
		'0 enters 7 51 N, 10 leaves 7, 14 trunkIn 7 9, 40 enters 7 52, 45 cut, 50 ringing 101 7 52, 60 answered 7 52, 90 leaves 7 52, 90 trunkOut 7, 99 -',
		'N talked to Ada for 30 s, after a wait of 60 s in 2 queues and elsewhere',
	],
	[
		'a call whose wait was not seen, and that another queue gave to a second agent',
		'0 connected 101 7 51 +331, 40 enters 7 52, 40 leaves 7, 40 available 101, 50 answered 7 52 102, 80 leaves 7 52, 99 -',
		'N talked to Ada for 40 s and Ben for 30 s, after waiting in Sales',
	],
	[
		'a call that is given up, and may still go on',
		'0 enters 7 51 N, 43300 -',
		'The call from N in Sales is no longer followed: nobody knows whether it was answered',
	],
])('of %s', async (_what, steps, expected) => {
	const played = steps.replaceAll(' N', ' +331');
	const outcomes = ['missed', 'ended'];
	const told = await sentences({ mode: 'callOutcomes', outcomes }, played);
	expect(told).toEqual([expected.replaceAll('N ', '+331 ')]);
});

it.each<[string, Record<string, unknown>, string, string[]]>([
	[
		'a call that another queue gave to an agent',
		{ when: 'callLasting', callSeconds: 60 },
		'0 enters 7 51 N, 0 answered 7, 30 enters 7 52, 40 answered 7 52 102, 80 leaves 7 52',
		[
			'N was answered 60 s ago and is with Ben in Support',
			'Call Lasts Too Long is over: no agent has N any more, 80 s after the answer',
		],
	],
	[
		'… or that its agent gave to a queue',
		{ when: 'callLasting', callSeconds: 60 },
		'0 enters 7 51 N, 0 answered 7, 80 enters 7 52, 99 -',
		[
			'N was answered 60 s ago and is with Ada in Sales',
			'Call Lasts Too Long is over: N was passed on, 80 s after the answer',
		],
	],
	[
		'a phone that its agent answers',
		{ when: 'agentRinging', ringSeconds: 10 },
		'0 enters 7, 0 ringing 101 7 51, 12 connected 101 7 51',
		['Ada has let it ring for 10 s', 'Agent Lets It Ring is over: Ada answered after 12 s'],
	],
	[
		'… that rang until the caller left',
		{ when: 'agentRinging', ringSeconds: 10 },
		'0 enters 7, 0 ringing 101 7 51, 12 leaves 7, 12 available 101',
		[
			'Ada has let it ring for 10 s',
			'Agent Lets It Ring is over: the phone of Ada stopped ringing after 12 s',
		],
	],
	[
		'an idle agent who gets a call',
		{ when: 'agentIdle', idleSeconds: 60 },
		'0 available 101, 70 ringing 101 7 51',
		['Ada has been idle for 60 s', 'Agent Idle Too Long is over: Ada was idle for 70 s'],
	],
	[
		'a caller in two queues, answered in the one that the alert did not name',
		{ when: 'callerWaiting', waitSeconds: 30 },
		'0 enters 7 51 N, 20 enters 7 52, 40 answered 7 51',
		[
			'N has been waiting for 30 s, now in Support',
			'Caller Waits Too Long is over: N was answered after 40 s',
		],
	],
	[
		'… of whom nothing was heard for two hours',
		{ when: 'callerWaiting', waitSeconds: 30 },
		'0 enters 7 51 N, 7201 -',
		[
			'N has been waiting for 30 s in Sales',
			'Caller Waits Too Long is over: nobody knows what became of N in Sales, 7200 s after the wait began',
		],
	],
	[
		'… of whom nobody knows whether an agent took the call',
		{ when: 'callerWaiting', waitSeconds: 30 },
		'0 enters 7 51 N, 10 rings 7 51 101 held, 40 leaves 7, 50 -',
		[
			'N has been waiting for 30 s in Sales',
			'Caller Waits Too Long is over: nobody knows what became of N in Sales, 40 s after the wait began',
		],
	],
	[
		'a caller who gives up after two queues',
		{ when: 'callerWaiting', waitSeconds: 30 },
		'0 enters 7 51 N, 40 leaves 7, 40 enters 7 52, 50 leaves 7 52, 60 -',
		['N has been waiting for 30 s in Sales', 'Caller Waits Too Long is over: N gave up after 50 s'],
	],
	[
		'… who was in a menu meanwhile',
		{ when: 'callerWaiting', waitSeconds: 30 },
		'0 trunkIn 7 9 N, 0 enters 7 51 N, 10 leaves 7, 40 enters 7, 50 leaves 7, 50 trunkOut 7, 60 -',
		[
			'N has been waiting for 40 s, now in Sales',
			'Caller Waits Too Long is over: N gave up after 50 s',
		],
	],
	[
		'… who moves on to a queue of another row',
		{ when: 'callerWaiting', waitSeconds: 30, queueIds: ['Support'] },
		'0 enters 7 51 N, 40 leaves 7, 40 enters 7 52, 50 leaves 7 52, 50 enters 7 51',
		[
			'N has been waiting for 40 s, now in Support',
			'Caller Waits Too Long is over: N no longer waits in Support, 50 s after the wait began',
		],
	],
	[
		'… who moved on unseen, during an interruption',
		{ when: 'callerWaiting', waitSeconds: 60 },
		'0 enters 7 51 N, 50 cut, 55 enters 7 52, 70 answered 7 52, 90 leaves 7 52',
		[
			'N has been waiting for 60 s, now in Support',
			'Caller Waits Too Long is over: N was answered after 70 s',
		],
	],
	[
		'… who had moved on before it',
		{ when: 'callerWaiting', waitSeconds: 60 },
		'0 enters 7 51 N, 20 enters 7 52, 20.1 leaves 7, 50 cut, 55 ringing 102 7 52, 70 answered 7 52 102',
		[
			'N has been waiting for 60 s, now in Support',
			'Caller Waits Too Long is over: N was answered after 70 s',
		],
	],
	[
		'a call in time with which there are enough calls',
		{ when: 'serviceLevelBelow', percent: 80, minimumCalls: 2 },
		'0 enters 6, 30 leaves 6, 40 enters 7 51 N, 41 answered 7',
		['Sales: service level 50%, below 80%, with call 7 from N'],
	],
])('of an alert about %s', async (_what, row, steps, expected) => {
	const played = steps.replaceAll(' N', ' +331');
	const told = await sentences({ mode: 'alerts', alerts: { alert: [row] } }, played);
	expect(told).toEqual(expected.map((one) => one.replaceAll(/\bN\b/g, '+331')));
});
