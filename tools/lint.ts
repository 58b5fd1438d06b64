/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npm run lint`: formatting, types, regular expressions, our own rules (eslint.house.mjs), n8n's rules as its tools apply
// them (`n8n-node lint` in strict mode; the package scanner on the sources and on the tarball that would be published),
// and the size of the tarball. Without zero errors and zero warnings it exits with 1.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ESLint, type Linter } from 'eslint';
import pc from 'picocolors';
import * as tar from 'tar';
import ts from 'typescript';

const run = promisify(execFile);
const root = path.join(__dirname, '..');

/** The findings of a check; empty if it passed. */
type Check = readonly [title: string, findings: () => string | Promise<string>];

async function command(name: string, ...args: string[]): Promise<string> {
	try {
		await run(path.join(root, 'node_modules/.bin', name), args, { cwd: root, maxBuffer: 1 << 26 });
		return '';
	} catch (error) {
		const { stdout = '', stderr = '', message } = error as Error & Record<string, string>;
		return `${stdout}${stderr}` || message;
	}
}

/** The types of the project. The typed rules use the same programs, because making them takes as long as the rules. */
const programs = ['tsconfig.json', 'tsconfig.pages.json'].map((name) => {
	const file = path.join(root, name);
	const { config } = ts.readConfigFile(file, (read) => ts.sys.readFile(read)) as {
		config: unknown;
	};
	const parsed = ts.parseJsonConfigFileContent(config, ts.sys, root, undefined, file);
	return ts.createProgram(parsed.fileNames, parsed.options);
});

const TYPED: Linter.Config = {
	files: ['**/*.{ts,js,mjs,cjs}'],
	ignores: ['index.js'],
	languageOptions: { parserOptions: { programs } },
};

function typeErrors(): string {
	const found = programs.flatMap((program) => ts.getPreEmitDiagnostics(program));
	return ts.formatDiagnostics(found, {
		getCurrentDirectory: () => root,
		getCanonicalFileName: (name) => name,
		getNewLine: () => '\n',
	});
}

async function build(): Promise<string> {
	return await command('gulp', 'emit');
}

/** Runs our own rules. */
async function house(): Promise<string> {
	const linter = new ESLint({
		cwd: root,
		allowInlineConfig: false,
		overrideConfigFile: path.join(root, 'eslint.house.mjs'),
		overrideConfig: TYPED,
	});
	const results = await linter.lintFiles(['.']);
	if (results.every((result) => result.errorCount + result.warningCount === 0)) return '';
	return await (await linter.loadFormatter('stylish')).format(results);
}

/** Runs n8n's lint as its reviewers do. */
async function n8nNodeLint(): Promise<string> {
	const { stdout } = await run('npx', ['n8n-node', 'lint'], {
		cwd: root,
		maxBuffer: 1 << 26,
	}).catch((error: unknown) => ({
		stdout: `${(error as Error & { stdout?: string }).stdout}\nexit code 1`,
	}));
	return /exit code|problem/.test(stdout) ? stdout : '';
}

/** Runs n8n's own scanner, as it would check a published version. */
async function scan(folder: string, patterns?: string[]): Promise<string> {
	const scanner = await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const result = await scanner.analyzePackage(folder, patterns ?? scanner.SOURCE_FILE_PATTERNS);
	return result.passed ? '' : `${result.message ?? ''}\n${result.details ?? ''}`;
}

interface Tarball {
	/** Size of n8n's download, in bytes. */
	size: number;
	/** Its hash. */
	integrity: string;
}

async function unpackTarball(folder: string): Promise<Tarball> {
	const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: root,
		maxBuffer: 1 << 26,
	});
	const [packed] = JSON.parse(stdout) as [Tarball & { filename: string }];
	await tar.x({ file: path.join(folder, packed.filename), cwd: folder });
	return packed;
}

/** The hash of a tarball from another build. */
async function hashOfAnotherBuild(): Promise<string> {
	await build();
	const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: root });
	const [packed] = JSON.parse(stdout) as [Tarball];
	return packed.integrity;
}

/** The maximum size of n8n's download when it installs the package, in bytes. */
const MAX_TARBALL = 150_000;

let failures = 0;

/** Runs one check after the other. */
async function lane(...checks: Check[]): Promise<void> {
	for (const [title, check] of checks) {
		const findings = await check();
		process.stdout.write(`${findings ? pc.red('✗') : pc.green('✓')} ${title}\n`);
		if (!findings) continue;
		failures += 1;
		process.stdout.write(`${findings.trim()}\n`);
	}
}

async function main(): Promise<void> {
	const temporary = await mkdtemp(path.join(tmpdir(), 'voice-management-lint-'));
	try {
		// In parallel: one lane runs in this process, the other in child processes.
		await Promise.all([
			lane(
				['types', typeErrors],
				[
					'walls between the rooms (dependency-cruiser)',
					() => command('depcruise', 'nodes', 'credentials', 'simulator'),
				],
				['names that two files declare', () => command('tsx', 'tools/names.ts')],
				['our own rules', house],
				["sources, n8n's scanner", () => scan(root)],
			),
			lane(
				['formatting (prettier)', () => command('prettier', '--check', '.')],
				['regular expressions (recheck)', () => command('tsx', 'tools/expressions.ts')],
				['n8n-node lint', n8nNodeLint],
				['build', build],
			),
		]);
		const unpacked = path.join(temporary, 'package');
		const tarball = await unpackTarball(temporary);
		await lane(
			[
				`tarball, ${MAX_TARBALL / 1000} KB at most`,
				() => (tarball.size > MAX_TARBALL ? `It has ${tarball.size} bytes.` : ''),
			],
			[
				'tarball, the same from another build',
				async () =>
					(await hashOfAnotherBuild()) === tarball.integrity ? '' : 'It has another hash.',
			],
			["tarball, n8n's scanner", () => scan(unpacked, ['**/*.js', 'package.json'])],
		);
	} finally {
		await rm(temporary, { recursive: true, force: true });
	}
	process.exitCode = failures > 0 ? 1 : 0;
}

void main();
