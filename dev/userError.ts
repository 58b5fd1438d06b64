// An error whose message is meant for the person at the keyboard: one clear sentence, no stack trace.

/** A mistake or a lack that the user can do something about: print the message, exit with code 1. */
export class UserError extends Error {
	override readonly name = 'UserError';
}
