// Writes what `jest --json` prints to the file that TEST_RESULTS names, so that CI runs the very command of the README.
const { writeFileSync } = require('node:fs');
const { formatTestResults } = require('@jest/test-result');

module.exports = class ResultsFile {
	/**
	 * @param {unknown} _contexts
	 * @param {import('@jest/test-result').AggregatedResult} results
	 */
	onRunComplete(_contexts, results) {
		writeFileSync(String(process.env.TEST_RESULTS), JSON.stringify(formatTestResults(results)));
	}
};
