// A user's mistake, found before anything is sent. It knows no node: whoever catches it turns it into n8n's error
// (and the action node adds the item's index).

import type { HelpSection } from './help';

export class InputError extends Error {
	/**
	 * @param message what is wrong, naming the parameter as the panel does
	 * @param description what to do about it
	 * @param help where the documentation says more
	 */
	constructor(
		message: string,
		readonly description?: string,
		readonly help: HelpSection = 'a-parameter-is-wrong',
	) {
		super(message);
	}
}
