// An error whose message is meant for the user: one clear sentence, no stack trace.

/** A mistake or a missing prerequisite that the user can fix: print the message, exit with code 1. */
export class UserError extends Error {
	override readonly name = 'UserError';
}
