// Our own rules, for the whole tree: types, regular expressions, and what each folder may import. n8n's rules are in
// eslint.config.mjs, which n8n's strict mode wants unchanged; tools/lint.ts runs both.
import { defineConfig } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/**
 * Restricts the imports between the folders of nodes/. Rules match imports as they are written, so each one specifies
 * how many folders up a path leads, and what may be imported from there.
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

/** Internal modules of the feed's folders: other folders must only import their entry points. */
const ONE_ENTRANCE = {
	regex: '/(?:merge/(?:copies|numbers)|envelope/(?:eventTime|names))$',
	message: 'This file is internal to its folder.',
};

const UP = '\\.\\.';
const ACTION =
	'The action node must only import nodes/shared from outside, and its resources must not import each other.';
const FEED = 'The feed must only import nodes/shared from outside.';

export default defineConfig(
	{ ignores: ['dist/', 'coverage/'] },
	{
		files: ['**/*.{ts,js,mjs,cjs}'],
		ignores: ['index.js'],
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: { project: ['./tsconfig.json', './tsconfig.pages.json'] },
		},
		rules: {
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			// Thrown values are passed on unchanged.
			'@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
			'prefer-const': ['error', { ignoreReadBeforeAssign: true }],
			// A field is omitted by naming it beside the rest, and a name that begins with _ only keeps a position.
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
			],
		},
	},
	{
		// Node.js runs these unchanged, as CommonJS.
		files: ['**/*.{js,cjs}'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	{
		// Measures the cost of loading the package with require(), as n8n does.
		files: ['bench/measured/*.ts'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	{
		// Stand-ins for asynchronous functions: `async` turns what they throw into a rejection, as in the original.
		files: ['{test,bench}/**/*.ts'],
		rules: { '@typescript-eslint/require-await': 'off' },
	},
	{
		// Fields of an item can be any JSON value: if one is not text, the comparison fails, as it should.
		files: ['test/**/*.ts'],
		rules: { '@typescript-eslint/no-base-to-string': 'off' },
	},
	{
		// Pages that a browser loads directly, without a build and so without types.
		files: ['simulator/{page,console/page}/*.js'],
		extends: [tseslint.configs.disableTypeChecked],
		languageOptions: { parserOptions: { project: './tsconfig.pages.json' } },
	},
	{
		// The feed runs in n8n's main process: a text from the operator must not make a regular expression slow. The
		// simulator and the tools read foreign text as well.
		files: ['{nodes,credentials,simulator,dev,tools}/**/*.ts'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	wall('shared/*.ts', 'nodes/shared must not import a node.', [1, `${UP}/credentials`]),
	wall('VoiceManagement/*.ts', ACTION, [1, 'shared']),
	wall('VoiceManagement/{fields,input,methods,transport}/*.ts', ACTION, [2, 'shared', UP]),
	wall('VoiceManagement/resources/*/*.ts', ACTION, [3, 'shared'], [1, UP]),
	wall('VoiceManagementTrigger/feed/*.ts', FEED, [1, `${UP}/shared`]),
	wall('VoiceManagementTrigger/feed/socketio/*.ts', FEED, [2, `${UP}/shared`]),
	wall(
		'VoiceManagementTrigger/feed/state/*.ts',
		'The state machine must not depend on connections, events or time.',
		[1, 'types'],
	),
	wall(
		'VoiceManagementTrigger/feed/merge/*.ts',
		'The merge must only know the life of a connection.',
		[1, 'envelope', 'fifo', 'gap', 'namedTimers', 'types', UP],
		[2, `${UP}/shared`],
	),
	wall(
		'VoiceManagementTrigger/feed/envelope/*.ts',
		'Reading an update must not depend on the rest of the feed.',
		[1, 'clock', 'types', UP],
		[2, `${UP}/shared`, 'events/kinds'],
	),
	wall('VoiceManagementTrigger/events/*.ts', 'Events must only depend on the feed.', [
		1,
		'feed',
		`${UP}/shared`,
	]),
	wall(
		'VoiceManagementTrigger/callCentre/*.ts',
		'Followed calls must only depend on the feed and on events.',
		[1, 'feed', 'events', `${UP}/shared`],
	),
	wall(
		'VoiceManagementTrigger/execution/*.ts',
		'The way into n8n must not depend on logins or on the selection of events.',
		[1, 'feed', 'events', 'context', 'settings', `${UP}/shared`],
	),
	wall('VoiceManagementTrigger/*.ts', 'The trigger must only import nodes/shared from outside.', [
		1,
		'shared',
	]),
);
