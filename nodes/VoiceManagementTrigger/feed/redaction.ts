// Text from the operator for logs and errors, without the secrets of the connection that brought it.

/** Characters that are shown. */
const SHOWN = 200;

/** Masks the secrets in a text, also in the form that they have in JSON. */
export function masked(text: string, secrets: readonly string[]): string {
	return secrets
		.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
		.filter((secret) => secret !== '')
		.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

/** Masked, on one line and shortened. */
export function redactedText(foreign: string, secrets: readonly string[]): string {
	// Longer than what is shown, so that a secret is recognised even if it crosses the final cut.
	const text = masked(foreign.slice(0, 10 * SHOWN), secrets).replace(/[\s\p{Cc}]+/gu, ' ');
	return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** The beginning of a payload, redacted. */
export function redactedPayload(args: unknown[], secrets: readonly string[]): string {
	let text: string;
	try {
		text = JSON.stringify(args) ?? '';
	} catch {
		text = '[nested too deeply]';
	}
	return redactedText(text, secrets);
}
