// All errors of this package that are more than a message, with when each is thrown. What a user sees is n8n's own
// errors, which are made of these.

import type { HelpSection } from './help';

/**
 * A user's mistake, found before anything is sent. The code that catches it makes n8n's error of it, and the action node
 * adds the item's index.
 */
export class InputError extends Error {
	override name = 'InputError';

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

/** The URL of the voice host can't be used; the message says what is wrong and what to do. */
export class VoiceUrlError extends Error {
	override name = 'VoiceUrlError';
}

/** A response is longer than any sensible one. */
export class BodyTooLong extends Error {
	override name = 'BodyTooLong';

	constructor(limit: number) {
		super(`The response is larger than ${Math.round(limit / 1024 / 1024)} MB`);
	}
}

/** The connection ended in the middle of a response. */
export class BrokenOff extends Error {
	override name = 'BrokenOff';

	constructor(
		readonly received: Uint8Array,
		cause: unknown,
	) {
		super('The response broke off', { cause });
	}
}

/** A user canceled the execution of the action node. */
export class Cancelled extends Error {
	override name = 'Cancelled';
}

/** An attempt to connect to the feed failed; the message is one sentence for the user. */
export class ConnectError extends Error {
	override name = 'ConnectError';

	constructor(
		message: string,
		/** True if only the user can correct the cause, so that waiting does not help. */
		readonly permanent = false,
	) {
		super(message);
	}
}

/** The login request got no response. */
export class LoginUnanswered extends ConnectError {
	override name = 'LoginUnanswered';
}

/** The host did not respond as a Socket.IO server does. */
export class ProbeFailed extends ConnectError {
	override name = 'ProbeFailed';
}

/** A step of the attempt took too long. */
export class TimedOut extends ConnectError {
	override name = 'TimedOut';
}
