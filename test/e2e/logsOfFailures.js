// After a failed suite, prints the end of each log that was written during it. A CI run keeps nothing but its output.
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const path = require('node:path');

const FOLDER = path.join(__dirname, 'artifacts');
const MOST_LINES = 40;

module.exports = class LogsOfFailures {
	/**
	 * @param {import('@jest/test-result').Test} _test
	 * @param {import('@jest/test-result').TestResult} result
	 */
	onTestResult(_test, { numFailingTests, testExecError, perfStats }) {
		if (numFailingTests === 0 && !testExecError) return;
		// Not every suite starts something that writes a log.
		if (!existsSync(FOLDER)) return;
		for (const name of readdirSync(FOLDER)) {
			const file = path.join(FOLDER, name);
			if (!name.endsWith('.log') || statSync(file).mtimeMs < perfStats.start) continue;
			const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
			console.error(`\n--- the end of ${name} ---\n${lines.slice(-MOST_LINES).join('\n')}`);
		}
	}
};
