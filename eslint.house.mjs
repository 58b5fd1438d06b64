// Our own rules, for the whole tree: types. n8n's rules are in eslint.config.mjs, which n8n's
// strict mode wants unchanged; what each folder may import is in .dependency-cruiser.cjs. tools/lint.ts runs all three.
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

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
		files: ['simulator/console/page/*.{js,jsx}'],
		extends: [tseslint.configs.disableTypeChecked],
		languageOptions: {
			parserOptions: { project: './tsconfig.pages.json', ecmaFeatures: { jsx: true } },
		},
	},
);
