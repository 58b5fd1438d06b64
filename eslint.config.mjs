// Typed rules over the whole tree, and both of n8n's lint sets in their strictest form: every rule of both plugins is an
// error, on the files that each set is made for. The composition follows n8n's own package scanner, which tools/lint.ts
// runs as well.
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const everyCommunityRule = Object.fromEntries(
	Object.keys(n8nCommunityNodesPlugin.configs.recommended.rules).map((rule) => [rule, 'error']),
);

/**
 * A wall between the rooms of nodes/. Imports are seen as they are written, so each rule names how many folders up a
 * path leads, and what it may lead to from there.
 * @param {string} files
 * @param {string} message
 * @param {Array<[up: number, ...allowed: string[]]>} rules
 * @returns {import('eslint').Linter.Config}
 */
function wall(files, message, ...rules) {
	const patterns = rules.map(([up, ...allowed]) => ({
		regex: `^${'\\.\\./'.repeat(up)}(?!(?:${allowed.join('|')})(?:/|$))`,
		message,
	}));
	return {
		files: [`nodes/${files}`],
		rules: { 'no-restricted-imports': ['error', { patterns: [...patterns, ONE_ENTRANCE] }] },
	};
}

/** What a room of the feed keeps to itself: the others see what it decides and lets through. */
const ONE_ENTRANCE = {
	regex:
		'/(?:stream/(?:overlap|overlapDecision|unmatched|copies)|state/(?:nextLogin|twoLines)|envelope/(?:documentNames|eventTime|looseEvent))$',
	message: 'This file is for its own folder alone.',
};

const UP = '\\.\\.';
const ACTION =
	'The action node shares nodes/shared alone, and its resources do not import each other.';
const FEED = 'The feed knows nothing but nodes/shared.';

export default defineConfig(
	{ ignores: ['node_modules/', 'coverage/'] },
	{
		files: ['**/*.{ts,js,mjs,cjs}'],
		ignores: ['dist/**', 'index.js'],
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: { project: ['./tsconfig.json', './tsconfig.pages.json'] },
		},
		rules: {
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			// What was thrown is passed on as it came.
			'@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
			'prefer-const': ['error', { ignoreReadBeforeAssign: true }],
			// A field is left out by naming it beside the rest, and a name that begins with _ is there for its place.
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
			],
		},
	},
	{
		// Node.js runs these as they are, as CommonJS.
		files: ['**/*.{js,cjs}'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	{
		// Measures what loading the package costs, by require() as n8n does.
		files: ['bench/measured/*.ts', 'test/soak/*.ts'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	{
		// Loads one of the clients with the first connection; import() would be too late by a tick.
		files: ['nodes/VoiceManagementTrigger/feed/socketio/index.ts'],
		rules: { '@typescript-eslint/no-require-imports': ['error', { allow: ['^\\./version[24]$'] }] },
	},
	{
		// Stand-ins for what is asynchronous in real life: `async` makes what they throw a rejection, as there.
		files: ['{test,bench}/**/*.ts'],
		rules: { '@typescript-eslint/require-await': 'off' },
	},
	{
		// Fields of an item are whatever JSON holds: one that is not a text makes the comparison fail, as it should.
		files: ['test/**/*.ts'],
		rules: { '@typescript-eslint/no-base-to-string': 'off' },
	},
	{
		// Pages as a browser gets them, without a build and so without types.
		files: ['simulator/{page,console/page}/*.js'],
		extends: [tseslint.configs.disableTypeChecked],
		languageOptions: { parserOptions: { project: './tsconfig.pages.json' } },
	},
	{
		files: ['package.json', '{nodes,credentials,dist}/**/*.{js,ts,json}', 'index.js'],
		plugins: { '@n8n/community-nodes': n8nCommunityNodesPlugin, 'n8n-nodes-base': n8nNodesBase },
		languageOptions: { parser: tseslint.parser },
		rules: { ...everyCommunityRule, 'no-console': 'error' },
	},
	{ files: ['package.json'], rules: n8nNodesBase.configs.community.rules },
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// Made for n8n's own nodes, whose documentation is addressed by a word: ours has a web address.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			// The community set's credential-password-field looks at the same and knows more.
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// These two want the text 'main' where n8n's own type and the community set want NodeConnectionTypes.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			// The operator's limits are real: a page holds 5000 at most, a batch 1000.
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{
		// The feed runs in n8n's main process: a text of the operator must not make an expression take its time. The simulator
		// and the tools read foreign text as well.
		files: ['{nodes,credentials,simulator,dev,tools}/**/*.ts'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	wall('shared/*.ts', 'nodes/shared imports no node.', [1, `${UP}/credentials`]),
	wall('VoiceManagement/*.ts', ACTION, [1, 'shared']),
	wall('VoiceManagement/{fields,input,methods,transport}/*.ts', ACTION, [2, 'shared', UP]),
	wall('VoiceManagement/resources/*/*.ts', ACTION, [3, 'shared'], [1, UP]),
	wall('VoiceManagementTrigger/feed/*.ts', FEED, [1, `${UP}/shared`]),
	wall('VoiceManagementTrigger/feed/socketio/*.ts', FEED, [2, `${UP}/shared`]),
	wall(
		'VoiceManagementTrigger/feed/state/*.ts',
		'What the feed does next is decided without connections, events and time.',
		[1, 'types'],
	),
	wall(
		'VoiceManagementTrigger/feed/stream/*.ts',
		'The stream knows of a connection what StreamConnection has.',
		[1, 'envelope', 'fifo', 'namedTimers', 'types', UP],
		[2, `${UP}/shared`],
	),
	wall(
		'VoiceManagementTrigger/feed/envelope/*.ts',
		'An update is read without anything of the feed.',
		[1, 'types', UP],
		[2, `${UP}/shared`],
	),
	wall(
		'VoiceManagementTrigger/events/*.ts',
		'What an event is to a workflow depends on the feed alone.',
		[1, 'feed', `${UP}/shared`],
	),
	wall(
		'VoiceManagementTrigger/live/*.ts',
		'Followed calls depend on the feed and on what an event is.',
		[1, 'feed', 'events', `${UP}/shared`],
	),
	wall(
		'VoiceManagementTrigger/execution/*.ts',
		'The way into n8n knows nothing of logins and of how events are selected.',
		[1, 'feed', 'events', 'context', 'settings', `${UP}/shared`],
	),
	wall('VoiceManagementTrigger/*.ts', 'The trigger shares nodes/shared alone.', [1, 'shared']),
);
