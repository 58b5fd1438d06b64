// Where an error is resolved: the sections of docs/troubleshooting.md. A test holds this list against the page.

const PAGE =
	'https://github.com/example/n8n-nodes-voice-management/blob/main/docs/troubleshooting.md';

export const HELP_SECTIONS = [
	'a-parameter-is-wrong',
	'a-web-page-instead-of-data',
	'address-in-the-credential',
	'addresses-and-numbers',
	'events-are-dropped',
	'login-refused',
	'nothing-arrives',
	'orders',
	'refused-for-another-reason',
	'service-not-reached',
	'the-file',
	'the-full-account-feed',
	'the-order-may-have-been-placed',
	'too-many-requests',
] as const;

export type HelpSection = (typeof HELP_SECTIONS)[number];

/** The address of a section. */
export const helpUrl = (section: HelpSection) => `${PAGE}#${section}`;

/**
 * A description with the address of the section that resolves it. Plain text: descriptions end up in items, in logs and in
 * messages as well as in the editor.
 */
export function withHelp(description: string | undefined, section: HelpSection): string {
	const text = description?.trim() ?? '';
	const stop = text === '' || /[.!?]$/.test(text) ? '' : '.';
	return `${text}${stop} Help: ${helpUrl(section)}`.trim();
}
