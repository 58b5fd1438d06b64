// Both of n8n's lint sets in their strictest form: every rule of both plugins is an error, on the files that each
// set is made for. The composition follows n8n's own package scanner, which tools/lint.mjs runs as well.
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const everyCommunityRule = Object.fromEntries(
	Object.keys(n8nCommunityNodesPlugin.configs.recommended.rules).map((rule) => [rule, 'error']),
);

export default defineConfig(
	{ ignores: ['node_modules/', 'coverage/', 'eslint.config.mjs'] },
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
);
