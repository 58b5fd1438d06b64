// Acceptance suites: real n8n processes, one suite at a time. Which n8n, and where results go: run.ts.
const path = require('node:path');

const root = path.join(__dirname, '../..');

module.exports = {
	rootDir: root,
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' } },
		],
	},
	reporters: ['default', path.join(__dirname, 'logsOfFailures.js')],
	globalSetup: path.join(__dirname, 'sharedN8n.ts'),
	globalTeardown: path.join(__dirname, 'sharedN8nEnd.ts'),
	moduleFileExtensions: ['ts', 'js', 'json', 'node'],
	// Two cores: a second n8n beside the first would only make both slow.
	maxWorkers: 1,
	// What takes long here is n8n; each wait has a limit of its own that says what did not come.
	testTimeout: 240_000,
};
