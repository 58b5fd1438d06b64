// `npm run mutation -- FILES`: changes these files in one place after the other, in a copy, and lists the changes that
// no test noticed. docs/dev/verification.md has the files to try before a release.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jest from './jest.config.js';

const { projects, ...options } = jest;
const [unit] = projects;

/** Which tests may notice: a pattern below test/. */
const tests = process.env.TESTS ?? '{unit,integration}/**/*';

export default {
	testRunner: 'jest',
	jest: {
		// Stryker merges this over jest.config.js, and would run every test once for each of its projects.
		config: {
			...options,
			...unit,
			projects: [],
			rootDir: '.',
			testMatch: [`<rootDir>/test/${tests}.test.ts`],
		},
	},
	coverageAnalysis: 'perTest',
	concurrency: 1,
	timeoutMS: 60_000,
	// Nothing is compiled in the copy, and there is no compiler beside Stryker.
	tsconfigFile: '',
	disableTypeChecks: false,
	// The copy; below the project, other tools would find it.
	tempDirName: join(tmpdir(), 'voice-management-mutation'),
	cleanTempDir: 'always',
	ignorePatterns: ['dist', 'coverage'],
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { reportTests: false },
};
