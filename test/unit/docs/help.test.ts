/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Every error links to the section of docs/troubleshooting.md that resolves it, and every such section exists.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';

import {
	HELP_SECTIONS,
	plainText,
	withHelp,
	withHelpLink,
	type HelpSection,
} from '../../../nodes/shared/help';
import { InputError } from '../../../nodes/shared/errors';
import { parse } from '../../../nodes/shared/answer/parse';
import { readHost } from '../../../nodes/shared/hosts';
import {
	itemError,
	lostRequestError,
	apiError,
} from '../../../nodes/VoiceManagement/transport/errors';
import { readFailure } from '../../../nodes/shared/failure';
import { asNodeError, refusedError } from '../../../nodes/VoiceManagementTrigger/life/errors';
import { feedOptions } from '../../../nodes/VoiceManagementTrigger/life/account';
import { readSettings } from '../../../nodes/VoiceManagementTrigger/panel/settings';
import { VoiceManagementTrigger } from '../../../nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';

const page = readFileSync(join(__dirname, '../../../docs/troubleshooting.md'), 'utf8');
const node = { name: 'Voice', type: 'voiceManagement', typeVersion: 1, parameters: {} } as INode;

/** The section that a description links to. */
const sectionOf = (description: unknown) =>
	/docs\/troubleshooting\.md#([\w-]+)("|$)/.exec(String(description))?.[1];

test.each(HELP_SECTIONS)('troubleshooting.md has the section "%s"', (section) => {
	const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\w\s-]/g, '')
			.replace(/\s/g, '-'),
	);
	expect(headings).toContain(section);
});

test('the text comes first and ends like a sentence', () => {
	expect(withHelp('Do this', 'orders')).toMatch(/^Do this\. Help: https:\/\/\S+#orders$/);
	expect(withHelp('Do this.', 'orders')).toMatch(/^Do this\. Help: /);
	expect(withHelp(undefined, 'orders')).toMatch(/^Help: /);
});

test('it is a link in the editor, and plain text with the same words elsewhere', () => {
	const link = withHelpLink('Do this', 'orders');
	expect(link).toMatch(/^Do this\. <a href="https:\/\/\S+#orders" target="_blank">Help<\/a>$/);
	expect(plainText(link)).toBe(withHelp('Do this', 'orders'));
});

const json = (body: object) => ({ body: JSON.stringify(body), type: 'application/json' });
const rest = (apiModule: string, apiErrorCode: string) =>
	json({ apiModule, errors: [{ apiErrorCode, apiErrorMessage: 'No' }] });

test.each<[string, number, { body: string; type: string }, HelpSection]>([
	['a rejected login', 401, json({ message: 'No' }), 'login-refused'],
	[
		'a login page of a proxy with 403',
		403,
		{ body: '<html></html>', type: 'text/html' },
		'login-refused',
	],
	['a web page', 200, { body: '<html></html>', type: 'text/html' }, 'a-web-page-instead-of-data'],
	['a redirect', 302, { body: '', type: 'text/plain' }, 'a-web-page-instead-of-data'],
	['an error of an address', 400, rest('REGULATION', '507'), 'addresses-and-numbers'],
	['an error of a cart', 400, rest('ORDERING', '404'), 'orders'],
	['too many requests', 429, json({ message: 'Slow down' }), 'too-many-requests'],
	['a fault at the provider', 500, json({ message: 'Oops' }), 'refused-for-another-reason'],
])('%s links to its section', (_what, statusCode, { body, type }, section) => {
	const answer = parse({
		statusCode,
		headers: { 'content-type': type },
		body: Buffer.from(body),
	});
	const failure = readFailure(answer, { effect: 'read', urlField: 'Base URL' });
	expect(failure).toBeDefined();
	expect(sectionOf(apiError(node, failure!).description)).toBe(section);
});

test.each<[string, 'read' | 'write' | 'purchase', HelpSection]>([
	['ECONNREFUSED', 'read', 'service-not-reached'],
	['ECONNRESET', 'write', 'service-not-reached'],
	['ECONNRESET', 'purchase', 'the-order-may-have-been-placed'],
	['ECONNREFUSED', 'purchase', 'service-not-reached'],
])('a lost request (%s, %s) links to its section', (code, effect, section) => {
	const error = lostRequestError(node, { code }, 'https://api.example.com', 'Base URL', effect);
	expect(sectionOf(error.description)).toBe(section);
});

test('a mistake in a parameter, and one in the credential, link to their sections', () => {
	expect(
		sectionOf(itemError(node, new InputError('"City" is empty', 'Set it'), 0).description),
	).toBe('a-parameter-is-wrong');
	const thrown = (() => {
		try {
			return readHost('nonsense', 'baseUrl');
		} catch (error) {
			return error;
		}
	})();
	expect(sectionOf(itemError(node, thrown, 0).description)).toBe('address-in-the-credential');
});

describe('the trigger', () => {
	const noHttp = {
		credential: async () => ({}),
		authenticated: async () => ({}),
		plain: async () => ({}),
	};
	const account = { baseUrl: 'https://api.example.com', voiceUrl: 'https://voice.example.com' };
	const prepare = (given: Record<string, unknown>, credential: Record<string, string>) => {
		try {
			const settings = readSettings((name, fallback) => given[name] ?? fallback);
			return feedOptions(settings.feed, credential, noHttp);
		} catch (error) {
			return (asNodeError(node, error) as { description?: string }).description;
		}
	};

	test.each<[string, Record<string, unknown>, Record<string, string>, HelpSection]>([
		['an option out of range', { options: { batchSize: 0 } }, account, 'a-parameter-is-wrong'],
		['a feed without an address', {}, {}, 'address-in-the-credential'],
		[
			'the account feed without an IP',
			{ feed: 'account' },
			{ ...account, idClient: '1' },
			'the-full-account-feed',
		],
		[
			'the account feed without a client account',
			{ feed: 'account' },
			{ ...account, ip: '203.0.113.7' },
			'the-full-account-feed',
		],
		[
			'the account feed without a base URL',
			{ feed: 'account' },
			{ voiceUrl: 'https://voice.example.com', idClient: '1', ip: '203.0.113.7' },
			'address-in-the-credential',
		],
	])('%s links to its section', (_what, given, credential, section) => {
		expect(sectionOf(prepare(given, credential))).toBe(section);
	});

	test('a rejected login links to its section', () => {
		expect(sectionOf(refusedError(node, 'No', 401).description)).toBe('login-refused');
	});

	test('each hint before a run has a link', () => {
		const { hints = [] } = new VoiceManagementTrigger().description;
		expect(hints.length).toBeGreaterThan(0);
		for (const { message } of hints) expect(message).toMatch(/<a href="https:\/\/\S+#[\w-]+"/);
	});
});
