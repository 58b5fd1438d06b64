// Trigger On: Call Outcomes. One item for each outcome of a call.

import { criteriaOf } from '../callCentre/candidates';
import type { CallView, OutcomeKind } from '../callCentre/changes';
import { outcomeItem } from '../callCentre/outcomeItem';
import { shareCentre, type CentreShare } from '../callCentre/sharedState';
import { compileCriteria } from '../events/filter';
import { namingOf, type Mode, type ModeContext } from './mode';

export function followCalls(context: ModeContext): Mode {
	const { settings, take } = context;
	const { filter, outcomes, callCentre } = settings;
	const matches = compileCriteria(filter, () => share.directory());
	const isWanted = (of: OutcomeKind, call: CallView) =>
		(outcomes.length === 0 || outcomes.includes(of)) && matches(criteriaOf(call));
	const naming = namingOf(context);
	/** Calls whose answer was told: what its first report left open, another one fills, and with that it may match. */
	const answered = new WeakSet<CallView>();
	const share: CentreShare = shareCentre(context, (changes) => {
		for (const change of changes) {
			if (change.kind !== 'outcome' || !isWanted(change.of, change.call)) continue;
			if (change.of === 'answered') {
				if (answered.has(change.call)) continue;
				answered.add(change.call);
			}
			take({ item: outcomeItem(change.outcome(), naming, callCentre.figures) });
		}
	});
	return { ...share, untoldSince: () => share.centre.untoldSince(isWanted) };
}
