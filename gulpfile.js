// Builds dist/: a file for each node and credential, one for the code that they share, one with the Socket.IO client,
// and the files that n8n reads beside the code (icons, codex files, output schemas), with the licences of the bundled
// packages.
const { execFile } = require('node:child_process');
const fs = require('node:fs/promises');
const path = require('node:path');
const { promisify } = require('node:util');
const { dest, parallel, series, src } = require('gulp');
const esbuild = require('esbuild');

const run = promisify(execFile);
const SOCKETIO = path.join(__dirname, 'nodes/VoiceManagementTrigger/feed/socketio');
const BUNDLE = 'dist/nodes/VoiceManagementTrigger/clients.js';
const SHARED = 'nodes/shared';
const NOTICES = 'THIRD_PARTY_NOTICES.md';

const clean = () => fs.rm('dist', { recursive: true, force: true });

async function check() {
	const tsc = require.resolve('typescript/bin/tsc');
	await run(process.execPath, [tsc, '-p', 'tsconfig.build.json']).catch(
		(/** @type {Error & { stdout?: string }} */ error) => {
			throw new Error(`TypeScript found errors:\n${error.stdout || error.message}`);
		},
	);
}

/**
 * The project's own code. Methods keep their names, so that a stack trace can be read.
 * @type {import('esbuild').BuildOptions}
 */
const OURS = {
	format: 'cjs',
	platform: 'node',
	target: 'node20',
	minify: true,
	lineLimit: 8000,
	logLevel: 'error',
};

/**
 * The code that both nodes and the credentials share is one file, since it keeps state for all of them.
 * @param {string} outfile
 * @returns {import('esbuild').Plugin}
 */
const keepApart = (outfile) => ({
	name: 'keep-apart',
	setup(build) {
		/** @param {string} file */
		const from = (file) => {
			const way = path.relative(path.dirname(outfile), file).split(path.sep).join('/');
			return { path: way.startsWith('.') ? way : `./${way}`, external: true };
		};
		build.onResolve({ filter: /\/shared\/\w+$/ }, () => from(`dist/${SHARED}/index.js`));
		build.onResolve({ filter: /^\.\/clients$/ }, () => from(BUNDLE));
	},
});

/**
 * The client is loaded with the first connection: n8n loads every node when it starts, and the client takes longer to
 * load than all the other files together.
 * @type {import('esbuild').Plugin}
 */
const loadLate = {
	name: 'load-late',
	setup(build) {
		const client = path.join(SOCKETIO, 'socket.ts');
		build.onResolve({ filter: /^\.\/socket$/ }, () => ({ path: client, namespace: 'late' }));
		build.onLoad({ filter: /./, namespace: 'late' }, async () => {
			const text = await fs.readFile(client, 'utf8');
			const names = [...text.matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
			const load = `require(${JSON.stringify(client)})`;
			return {
				contents: names
					.map((name) => `export const ${name} = (...given) => ${load}.${name}(...given);`)
					.join('\n'),
				resolveDir: SOCKETIO,
			};
		});
	},
};

async function compile() {
	const { nodes, credentials } = require('./package.json').n8n;
	for (const outfile of [...nodes, ...credentials]) {
		const source = path.relative('dist', outfile).replace(/js$/, 'ts');
		await esbuild.build({
			...OURS,
			bundle: true,
			external: ['n8n-workflow'],
			entryPoints: [source],
			outfile,
			plugins: [keepApart(outfile), loadLate],
		});
	}
	const parts = (await fs.readdir(SHARED)).filter((file) => file.endsWith('.ts')).sort();
	await esbuild.build({
		...OURS,
		bundle: true,
		external: ['n8n-workflow'],
		stdin: {
			contents: parts.map((file) => `export * from './${path.parse(file).name}';`).join('\n'),
			resolveDir: SHARED,
		},
		outfile: `dist/${SHARED}/index.js`,
	});
}

/** The module of the client that the build replaces with the project's own, which explains why. */
const GLOBALS = /engine\.io-client[\\/]build[\\/]esm[\\/]globals(\.node)?\.js$/;

/**
 * Fails if a new version of the client has no such module any more.
 * @type {import('esbuild').Plugin}
 */
const replaceGlobals = {
	name: 'replace-globals',
	setup(build) {
		let isReplaced = false;
		build.onLoad({ filter: GLOBALS }, () => {
			isReplaced = true;
			return {
				contents: `export * from ${JSON.stringify(path.join(SOCKETIO, 'timers.ts'))};`,
				resolveDir: SOCKETIO,
			};
		});
		build.onEnd(() => ({
			errors: isReplaced ? [] : [{ text: `engine.io-client has no module like ${GLOBALS.source}` }],
		}));
	},
};

/**
 * Bundles the client into one file; returns the paths of the bundled files. Also used by the tests.
 * @param {string} outfile
 */
async function bundleClients(outfile) {
	const { metafile, outputFiles } = await esbuild.build({
		entryPoints: [path.join(SOCKETIO, 'clients.ts')],
		outfile,
		write: false,
		bundle: true,
		format: 'cjs',
		// The browser build needs neither Node.js modules nor native parts.
		platform: 'browser',
		target: 'node20',
		plugins: [replaceGlobals],
		// Third-party code, and the largest part: nobody looks for a line in it.
		minify: true,
		// The licences are in THIRD_PARTY_NOTICES.md.
		legalComments: 'none',
		metafile: true,
		logLevel: 'error',
	});
	// Written to a temporary file and moved, so that a reader never finds an incomplete file.
	await fs.mkdir(path.dirname(outfile), { recursive: true });
	await fs.writeFile(`${outfile}.${process.pid}`, outputFiles[0]?.contents ?? '');
	await fs.rename(`${outfile}.${process.pid}`, outfile);
	return Object.keys(metafile.inputs);
}

const bundle = async () => writeNotices(await bundleClients(BUNDLE));

/**
 * The folders of the packages that are part of the bundle.
 * @param {string[]} inputs the bundled files
 */
const packagesOf = (inputs) =>
	new Set(
		inputs
			.filter((input) => !input.startsWith('(disabled)'))
			.flatMap((input) => {
				const folder = /^(.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(input)?.[1];
				return folder ? [folder] : [];
			}),
	);

/** @param {string} root folder of a package */
async function manifestOf(root) {
	const manifest = await fs.readFile(path.join(root, 'package.json'), 'utf8');
	return /** @type {(text: string) => { name: string, version: string, license?: string }} */ (
		JSON.parse
	)(manifest);
}

/** `name@version` of every package whose code ships. */
async function bundledPackages() {
	const inputs = await bundleClients('node_modules/.cache/voice-management/sbom.js');
	const manifests = await Promise.all([...packagesOf(inputs)].map(manifestOf));
	return manifests.map(({ name, version }) => `${name}@${version}`).sort();
}

/**
 * The licence text of every package that is part of the bundle.
 * @param {string[]} inputs the bundled files
 */
async function writeNotices(inputs) {
	/** The packages under each licence text, with their copyright lines: many share one text. @type {Map<string, { words: string, packages: string[] }>} */
	const notices = new Map();
	for (const root of packagesOf(inputs)) {
		const { name, version, license } = await manifestOf(root);
		const file = (await fs.readdir(root)).find((entry) => /^licen[cs]e/i.test(entry));
		if (!file) throw new Error(`${name} ships no licence text, so it can't be bundled`);
		const text = await fs.readFile(path.join(root, file), 'utf8');
		const lines = text.trim().split('\n');
		const isCopyright = (/** @type {string} */ line) => /^\W*copyright\b.*\d{4}/i.test(line);
		const holders = lines.filter(isCopyright).map((line) => `\n  ${line.trim()}`);
		const words = lines.filter((line) => !isCopyright(line)).join('\n');
		// The same licence may have another title, other whitespace or quotation marks.
		const terms = words
			.replace(/^[^]*?(?=Permission is hereby granted)/, '')
			.replace(/'/g, '"')
			.replace(/\s+/g, ' ')
			.trim();
		const title = `- ${name} ${version} (${license ?? 'see text'})${holders.join('')}`;
		const known = notices.get(terms) ?? { words: words.trim(), packages: [] };
		notices.set(terms, { ...known, packages: [...known.packages, title] });
	}
	const body = [...notices.values()]
		.map(({ words, packages }) => `${packages.sort().join('\n')}\n\n\`\`\`text\n${words}\n\`\`\`\n`)
		.sort();
	await fs.writeFile(
		NOTICES,
		`# Third-party notices\n\nThe file \`${BUNDLE}\` contains these packages.\n\n${body.join('\n')}`,
	);
}

const copy = () =>
	src(
		[
			'{nodes,credentials}/**/*.{svg,node.json}',
			'nodes/**/__schema__/**/*.json',
			// n8n looks up schemas by resource and operation, which a trigger does not have, so it can only show the
			// one for any event.
			'!nodes/VoiceManagementTrigger/__schema__/v1.0.0/**',
		],
		{
			encoding: false,
			// Without it, the pattern of the schemas would start below nodes/, and their paths in dist too.
			base: '.',
		},
	).pipe(dest('dist'));

const emit = parallel(compile, copy, bundle);

exports.bundleClients = bundleClients;
exports.bundledPackages = bundledPackages;
/** The build without type checking. */
exports.emit = series(clean, emit);
exports.default = exports.build = series(clean, parallel(check, emit));
