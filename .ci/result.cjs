// Prints what the lanes of .ci/run have written, what failed once more at the end, and the sum of all suites.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

/** @typedef {{ status: string, fullName: string, failureMessages: string[] }} Test */
/** @typedef {{ name: string, message: string, assertionResults: Test[] }} File */
/** @typedef {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number, testResults: File[] }} Result */

const read = /** @type {(text: string) => Result} */ (JSON.parse);
const [, , lanes = ''] = process.argv;
let passed = 0;
let failed = 0;
/** @type {string[]} */
const failures = [];
for (const lane of readdirSync(lanes)) {
	const folder = path.join(lanes, lane);
	console.log(`\n=== ${lane} ===\n${readFileSync(path.join(folder, 'log'), 'utf8').trimEnd()}`);
	let failedHere = 0;
	for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
		const result = read(readFileSync(path.join(folder, file), 'utf8'));
		passed += result.numPassedTests;
		failedHere += result.numFailedTests + result.numRuntimeErrorTestSuites;
		for (const { name, message, assertionResults } of result.testResults) {
			const tests = assertionResults.filter(({ status }) => status === 'failed');
			if (tests.length === 0 && message) failures.push(`${name}\n${message}`);
			for (const { fullName, failureMessages } of tests)
				failures.push(`${name}: ${fullName}\n${failureMessages.join('\n')}`);
		}
	}
	const code = path.join(folder, 'code');
	const ended = existsSync(code) ? readFileSync(code, 'utf8').trim() : 'none: it was killed';
	if (ended !== '0' && failedHere === 0) {
		failedHere = 1;
		failures.push(`${lane}: exit code ${ended}`);
	}
	failed += failedHere;
}
console.log(`\n=== Result ===\n${failures.map((text) => `${text}\n`).join('\n')}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
