// Unit and integration tests, which need no n8n. The acceptance suites have their own configurations below test/e2e,
// since they install and start real n8n processes.
const { availableParallelism } = require('node:os');
const { BUNDLE } = require('./test/n8nWorkflow');

const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{ jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' } },
	],
};

/** @param {string} name */
const project = (name) => ({
	displayName: name,
	rootDir: __dirname,
	testEnvironment: 'node',
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	transform,
	setupFiles: ['<rootDir>/test/withoutJestsCosts.js', '<rootDir>/test/propertySeed.js'],
	// test/globalSetup.js builds both before the tests. The Socket.IO clients are the bundle that ships.
	moduleNameMapper: {
		'^n8n-workflow$': BUNDLE,
		'^\\./clients$': '<rootDir>/node_modules/.cache/voice-management/clients.js',
	},
	moduleFileExtensions: ['ts', 'js', 'json', 'node'],
});

module.exports = {
	// One more than cores: some tests wait for real sockets, and with more workers nothing is faster.
	maxWorkers: availableParallelism() + 1,
	// Jest kills a worker that does not end within half a second, and beside other work it takes that long to free a
	// gigabyte.
	workerIdleMemoryLimit: '400MB',
	// A test that hangs has to end, but none must fail because the machine is slow. Longer than the simulator's waits,
	// whose errors name what did not happen.
	testTimeout: 600_000,
	projects: [project('unit'), project('integration'), project('simulation')],
	globalSetup: '<rootDir>/test/globalSetup.js',
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts', 'simulator/**/*.ts', '!**/*.d.ts'],
	coverageProvider: 'v8',
};
