// Acceptance suites: real n8n processes, one suite at a time. run.ts chooses the n8n release and where results go.
const path = require('node:path');

const root = path.join(__dirname, '../..');

/** @type {Record<string, number>} */
const WORKERS = { waits: 3, browser: 2 };

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
	// Two cores: a second suite beside the first would only slow both down, unless they wait, for the clock or a page.
	maxWorkers: WORKERS[process.env.VOICE_MANAGEMENT_FOLDER ?? ''] ?? 1,
	// n8n takes long; each wait has its own limit, whose error names what did not happen.
	testTimeout: 240_000,
};
