// Converts a Socket.IO connection error to one line: its message, then its causes (an HTTP status, a network error).
// The URL is never included, because its query contains the connection's identifier.

/** How far a chain of causes is followed. */
const DEEPEST_CAUSE = 4;

/** @param error what a client reported: an Error with `description`, an HTTP status, a timeout, text */
export function errorText(error: unknown): string {
	const parts: string[] = [];
	let current = error;
	for (let depth = 0; depth < DEEPEST_CAUSE; depth += 1) {
		const part = partOf(current);
		if (part && !parts.includes(part)) parts.push(part);
		current = causeOf(current);
	}
	return parts.join(': ') || 'unknown error';
}

function partOf(value: unknown): string {
	if (typeof value === 'string' || typeof value === 'number') return String(value);
	if (typeof value !== 'object' || value === null) return '';
	const { message, code } = value as { message?: unknown; code?: unknown };
	if (typeof message === 'string' && message !== '') return message;
	return typeof code === 'string' ? code : '';
}

function causeOf(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return undefined;
	const { description, cause } = value as { description?: unknown; cause?: unknown };
	return description ?? cause;
}
