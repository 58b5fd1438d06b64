// Typed rules for the whole tree, and both of n8n's lint sets in their strictest form: every rule of both plugins is an
// error, for the files that each set is made for. The composition follows n8n's own package scanner, which
// tools/lint.ts runs as well.
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const everyCommunityRule = Object.fromEntries(
	Object.keys(n8nCommunityNodesPlugin.configs.recommended.rules).map((rule) => [rule, 'error']),
);

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
		// Loads the client with the first connection; import() would be a tick too late.
		files: ['nodes/VoiceManagementTrigger/feed/socketio/index.ts'],
		rules: { '@typescript-eslint/no-require-imports': ['error', { allow: ['^\\./socket$'] }] },
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
			// Made for n8n's own nodes, whose documentation is identified by a word; this package has a URL.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			// The community set's credential-password-field checks the same and knows more.
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// These two require the text 'main', but n8n's own type and the community set require NodeConnectionTypes.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			// The provider's limits are real: a page has at most 5000 entries, a batch 1000.
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{
		// The feed runs in n8n's main process: a text from the provider must not make a regular expression slow. The
		// simulator and the tools read foreign text as well.
		files: ['{nodes,credentials,simulator,dev,tools}/**/*.ts'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
);
