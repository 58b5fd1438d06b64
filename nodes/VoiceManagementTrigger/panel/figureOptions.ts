// The options by which figures are computed, in all modes that show any.

import type { INodeProperties } from 'n8n-workflow';

const OF_FIGURES = { show: { '/mode': ['callOutcomes', 'alerts', 'snapshots'] } };

export const serviceLevelSeconds: INodeProperties = {
	displayName: 'Service Level (Seconds)',
	name: 'serviceLevelSeconds',
	type: 'number',
	typeOptions: { minValue: 1 },
	displayOptions: OF_FIGURES,
	default: 20,
	description: 'Calls answered within this many seconds count as in time',
};

export const shortAbandonSeconds: INodeProperties = {
	displayName: 'Short Abandon (Seconds)',
	name: 'shortAbandonSeconds',
	type: 'number',
	typeOptions: { minValue: 0 },
	displayOptions: OF_FIGURES,
	default: 5,
	description: 'A caller who leaves sooner than this counts as a short abandon',
};
