// Chooses the way in which n8n reports what became of a batch.

import { ConfirmedStarter } from './confirmed';
import type { Starter, StarterContext } from './starter';
import { UnconfirmedStarter } from './unconfirmed';

/** @param settings of the workflow */
export function createStarter(context: StarterContext, settings: object): Starter {
	const { engineType } = settings as { engineType?: unknown };
	return engineType === 'v2' ? new UnconfirmedStarter(context) : new ConfirmedStarter(context);
}
