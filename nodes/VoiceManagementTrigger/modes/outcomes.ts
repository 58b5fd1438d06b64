// Trigger On: Call Outcomes. One item for each outcome of a call.

import { outcomeItem } from '../callCentre/outcomeItem';
import { shareCentre } from '../callCentre/sharedState';
import { compileCriteria } from '../events/filter';
import { namingOf, type Mode, type ModeContext } from './mode';

export function followCalls(context: ModeContext): Mode {
	const { settings, directory, take } = context;
	const { filter, outcomes, callCentre } = settings;
	const matches = compileCriteria(filter, directory);
	const naming = namingOf(context);
	return shareCentre(context, (changes) => {
		for (const change of changes) {
			if (change.kind !== 'outcome') continue;
			const { outcome } = change;
			const { caller, service, agents, queues, trunks } = outcome.call;
			const criteria = {
				agentIds: agents,
				queueIds: queues,
				trunkIds: trunks,
				callerNumber: caller,
				serviceNumber: service,
			};
			const isWanted = outcomes.length === 0 || outcomes.includes(outcome.kind);
			if (isWanted && matches(criteria))
				take({ item: outcomeItem(outcome, naming, callCentre.figures) });
		}
	});
}
