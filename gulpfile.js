// `npm run build`: makes dist/, with a file for each node and credential, one for the code that they share, one with the
// Socket.IO client, and the files that n8n reads beside the code (icons, codex files, output schemas); and the licences
// of the bundled packages.
const { execFile } = require('node:child_process');
const fs = require('node:fs/promises');
const path = require('node:path');
const { promisify } = require('node:util');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

const run = promisify(execFile);
const ROOT = __dirname;
const SOCKETIO = path.join(ROOT, 'nodes/VoiceManagementTrigger/feed/socketio');
const BUNDLE = 'dist/nodes/VoiceManagementTrigger/clients.js';
const SHARED = 'nodes/shared';
/** What the simulation drives the trigger with: so it can play the package itself. */
const SEAMS = './test/simulation/seams.ts';
const NOTICES = 'THIRD_PARTY_NOTICES.md';

async function check() {
	const tsc = require.resolve('typescript/bin/tsc');
	await run(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: ROOT }).catch(
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
	absWorkingDir: ROOT,
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
		build.onResolve({ filter: /^\.\.?\// }, ({ path: wanted, resolveDir }) =>
			path.resolve(resolveDir, wanted).startsWith(path.join(ROOT, SHARED))
				? from(`dist/${SHARED}/index.js`)
				: undefined,
		);
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
		const source = `./${path.relative('dist', outfile).replace(/js$/, 'ts')}`;
		const seams = source.includes('Trigger.node') ? `export * as simulated from '${SEAMS}';` : '';
		await esbuild.build({
			...OURS,
			bundle: true,
			external: ['n8n-workflow'],
			stdin: { contents: `export * from '${source}';${seams}`, resolveDir: ROOT },
			outfile,
			plugins: [keepApart(outfile), loadLate],
		});
	}
	const parts = (await fs.readdir(path.join(ROOT, SHARED), { recursive: true }))
		.filter((file) => file.endsWith('.ts'))
		.sort();
	await esbuild.build({
		...OURS,
		bundle: true,
		external: ['n8n-workflow'],
		stdin: {
			contents: parts.map((file) => `export * from './${file.replace(/\.ts$/, '')}';`).join('\n'),
			resolveDir: path.join(ROOT, SHARED),
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
		absWorkingDir: ROOT,
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

/**
 * The folders of the packages that are part of the bundle.
 * @param {string[]} inputs the bundled files
 */
const packagesOf = (inputs) => [
	...new Set(
		inputs.flatMap(
			(input) => /^(?:.*node_modules\/)(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? [],
		),
	),
];

/** @param {string} folder of a package */
async function manifestOf(folder) {
	const manifest = await fs.readFile(path.join(ROOT, folder, 'package.json'), 'utf8');
	return /** @type {(text: string) => { name: string, version: string }} */ (JSON.parse)(manifest);
}

/** `name@version` of every package whose code ships. */
async function bundledPackages() {
	const inputs = await bundleClients(
		path.join(ROOT, 'node_modules/.cache/voice-management/sbom.js'),
	);
	const manifests = await Promise.all(packagesOf(inputs).map(manifestOf));
	return manifests.map(({ name, version }) => `${name}@${version}`).sort();
}

/** The client, and the licence of every package in it. */
async function bundle() {
	const notices = [`# Third-party notices\n\nThe file \`${BUNDLE}\` contains these packages.\n`];
	const folders = packagesOf(await bundleClients(path.join(ROOT, BUNDLE)));
	for (const folder of folders.sort()) {
		const { name, version } = await manifestOf(folder);
		const files = await fs.readdir(path.join(ROOT, folder));
		const licence = files.find((file) => /^licen[cs]e/i.test(file));
		if (!licence) throw new Error(`${name} ships no licence, so it can't be bundled`);
		const text = await fs.readFile(path.join(ROOT, folder, licence), 'utf8');
		notices.push(`## ${name} ${version}\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`);
	}
	await fs.writeFile(path.join(ROOT, NOTICES), notices.join('\n'));
}

const copy = () =>
	src(
		[
			'{nodes,credentials}/**/*.{svg,node.json}',
			'nodes/**/__schema__/**/*.json',
			// n8n looks up schemas by resource and operation: of the trigger's it can only show the one for any event.
			'!nodes/VoiceManagementTrigger/__schema__/v1.0.0/**',
		],
		// Without a base, the pattern of the schemas would start below nodes/, and their paths in dist too.
		{ encoding: false, base: '.' },
	).pipe(dest('dist'));

const clean = () => fs.rm(path.join(ROOT, 'dist'), { recursive: true, force: true });
const emit = parallel(compile, copy, bundle);

exports.bundleClients = bundleClients;
exports.bundledPackages = bundledPackages;
/** The build without type checking. */
exports.emit = series(clean, emit);
exports.default = exports.build = series(clean, parallel(check, emit));
