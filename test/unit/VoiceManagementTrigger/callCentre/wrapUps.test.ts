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
});
