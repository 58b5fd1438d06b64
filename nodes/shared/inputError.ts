// A user's mistake, found before anything is sent. It is independent of any node: the code that catches it turns it
// into n8n's error (and the action node adds the item's index).

import type { HelpSection } from './help';

export class InputError extends Error {
	/**
	 * @param message what is wrong, naming the parameter as the panel does
	 * @param description what to do about it
	 * @param help the section of the documentation about it
	 */
	constructor(
		message: string,
		readonly description?: string,
		readonly help: HelpSection = 'a-parameter-is-wrong',
	) {
		super(message);
	}
}
