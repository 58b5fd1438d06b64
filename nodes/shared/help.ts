// The sections of docs/troubleshooting.md that explain errors. A test compares this list with the page.

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
	'the-feed-was-interrupted',
	'the-file',
	'the-full-account-feed',
	'the-order-may-have-been-placed',
	'too-many-requests',
] as const;

export type HelpSection = (typeof HELP_SECTIONS)[number];

/** The URL of a section. */
export const helpUrl = (section: HelpSection) => `${PAGE}#${section}`;

/**
 * A text with the URL of the section that explains it, as plain text: for items, logs and credential tests, which n8n
 * shows as they are.
 */
export function withHelp(text: string | undefined, section: HelpSection): string {
	return `${sentence(text)} Help: ${helpUrl(section)}`.trim();
}

/** The same with a clickable link: n8n renders the descriptions of errors and its hints as HTML (1.123 to 2.41). */
export function withHelpLink(text: string | undefined, section: HelpSection): string {
	return `${sentence(text)} <a href="${helpUrl(section)}" target="_blank">Help</a>`.trim();
}

/** Plain text: links become their text and URL. */
export function plainText(text: string): string {
	return text.replace(/<a href="([^"<]*)"[^<>]*>([^<]*)<\/a>/g, '$2: $1');
}

function sentence(text: string | undefined): string {
	const trimmed = text?.trim() ?? '';
	return trimmed === '' || /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
