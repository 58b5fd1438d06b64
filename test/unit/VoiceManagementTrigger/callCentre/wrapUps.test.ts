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
