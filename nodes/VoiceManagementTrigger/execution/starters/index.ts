// Chooses the way in which n8n reports what became of a batch.

import type { ITriggerFunctions } from 'n8n-workflow';
import { ConfirmedStarter } from './confirmed';
import type { Starter, StarterContext } from './starter';
import { UnconfirmedStarter } from './unconfirmed';

/** `emit` of the releases that take no key with a batch: they do not report either what they could not start. */
const PARAMETERS_WITHOUT_KEY = 3;

/** @param settings of the workflow */
export function createStarter(
	context: StarterContext,
	settings: Partial<ReturnType<ITriggerFunctions['getWorkflowSettings']>>,
): Starter {
	const isEngine2 = (settings as { engineType?: unknown }).engineType === 'v2';
	const isOld = context.n8n.emit.length === PARAMETERS_WITHOUT_KEY;
	if (isEngine2 || isOld) return new UnconfirmedStarter(context, !isEngine2);
	return new ConfirmedStarter(context);
}
