// The options by which figures are computed, in all modes that show any.

import type { INodeProperties } from 'n8n-workflow';
import { SERVICE_LEVEL_FORMULAS } from './callCentre/figures';
import { FORMULA_NAMES } from './callCentreSettings';

const OF_FIGURES = { show: { '/mode': ['callOutcomes', 'alerts', 'snapshots'] } };

export const serviceLevelFormula: INodeProperties = {
	displayName: 'Service Level Formula',
	name: 'serviceLevelFormula',
	type: 'options',
	displayOptions: OF_FIGURES,
	options: FORMULA_NAMES.map((value) => {
		const { name, description } = SERVICE_LEVEL_FORMULAS[value];
		return { name, value, description };
	}),
	default: 'withoutShort',
	description:
		'Which calls count for a service level. A caller who still waits is late, and counts as not in time, once the wait is longer than Service Level (Seconds).',
};

export const serviceLevelSeconds: INodeProperties = {
	displayName: 'Service Level (Seconds)',
	name: 'serviceLevelSeconds',
	type: 'number',
	typeOptions: { minValue: 1 },
	displayOptions: OF_FIGURES,
	default: 20,
	description: 'A call that is answered within this time is in time',
};

export const serviceLevelTarget: INodeProperties = {
	displayName: 'Service Level Target (Percent)',
	name: 'serviceLevelTarget',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 99.9 },
	displayOptions: { show: { '/mode': ['snapshots'] } },
	default: 80,
	description: 'For agents_needed: the percentage of callers who are to wait at most so long',
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
