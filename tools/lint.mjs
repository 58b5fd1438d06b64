// `npm run lint`: formatting, types, n8n's two lint sets over the sources and over the tarball that would be published,
// with inline disables ignored, and the tarball's size. Zero errors and zero warnings, or exit code 1.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';
import pc from 'picocolors';
import * as tar from 'tar';

const run = promisify(execFile);
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

const bin = (name) => path.join(root, 'node_modules/.bin', name);

async function command(file, args) {
	try {
		await run(file, args, { cwd: root, maxBuffer: 1 << 26 });
		return '';
	} catch (error) {
		return `${error.stdout ?? ''}${error.stderr ?? ''}` || error.message;
	}
}

/** Our strict configuration; `folder` is the project or the unpacked tarball. */
async function eslint(folder, patterns) {
	const linter = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: path.join(root, 'eslint.config.mjs'),
		errorOnUnmatchedPattern: true,
	});
	const results = await linter.lintFiles(patterns);
	if (results.every((result) => result.errorCount + result.warningCount === 0)) return '';
	return (await linter.loadFormatter('stylish')).format(results);
}

/** n8n's own scanner, as it would judge a published version. */
async function scan(folder, patterns) {
	const result = await analyzePackage(folder, patterns);
	return result.passed ? '' : `${result.message}\n${result.details ?? ''}`;
}

async function unpackTarball(folder) {
	const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: root,
		maxBuffer: 1 << 26,
	});
	const [packed] = JSON.parse(stdout);
	await tar.x({ file: path.join(folder, packed.filename), cwd: folder });
	return packed.size;
}

/** What n8n downloads when it installs the package, in bytes. */
const MAX_TARBALL = 170_000;

const temporary = await mkdtemp(path.join(tmpdir(), 'voice-management-lint-'));
const unpacked = path.join(temporary, 'package');
let failures = 0;
try {
	const checks = [
		['formatting (prettier)', () => command(bin('prettier'), ['--check', '.'])],
		['types (tsc)', () => command(bin('tsc'), ['--noEmit'])],
		[
			'sources, both lint sets',
			() => eslint(root, ['package.json', 'nodes/**/*.ts', 'credentials/**/*.ts', 'index.js']),
		],
		["sources, n8n's scanner", () => scan(root, SOURCE_FILE_PATTERNS)],
		['build', () => command(bin('gulp'), ['build'])],
		[
			`tarball, ${MAX_TARBALL / 1000} KB at most`,
			async () => {
				const size = await unpackTarball(temporary);
				return size > MAX_TARBALL ? `It has ${size} bytes.` : '';
			},
		],
		['tarball, both lint sets', () => eslint(unpacked, ['package.json', '**/*.js'])],
		["tarball, n8n's scanner", () => scan(unpacked, ['**/*.js', 'package.json'])],
	];
	for (const [title, check] of checks) {
		const findings = await check();
		process.stdout.write(`${findings ? pc.red('✗') : pc.green('✓')} ${title}\n`);
		if (findings) {
			failures += 1;
			process.stdout.write(`${findings.trim()}\n`);
		}
	}
} finally {
	await rm(temporary, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;
