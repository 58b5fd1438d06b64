// `npm run build`: makes dist/, with the project's code in one file, the Socket.IO client in another, a line of code for
// each node and credential, and the files that n8n reads beside them (icons, codex files, output schemas); and the
// licences of the bundled packages.
const { execFile } = require('node:child_process');
const fs = require('node:fs/promises');
const path = require('node:path');
const { Transform } = require('node:stream');
const { promisify } = require('node:util');
const swc = require('@swc/core');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

const run = promisify(execFile);
const ROOT = __dirname;
const SOCKETIO = path.join(ROOT, 'nodes/VoiceManagementTrigger/feed/socketio');
/** The project's code: one file, since the nodes and credentials share most of it, and its state. */
const CODE = 'dist/code.js';
const BUNDLE = 'dist/clients.js';
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
 * The client is loaded with the first connection: n8n loads every node when it starts, and the client takes longer to
 * load than all the other files together.
 * @type {import('esbuild').Plugin}
 */
const loadLate = {
	name: 'load-late',
	setup(build) {
		build.onResolve({ filter: /^\.\/clients$/ }, () => ({ path: 'clients', namespace: 'late' }));
		build.onLoad({ filter: /./, namespace: 'late' }, async () => {
			const text = await fs.readFile(path.join(SOCKETIO, 'clients.ts'), 'utf8');
			const names = [...text.matchAll(/(\w+)(?=,| \} from)/g)].map(([name]) => name);
			return {
				contents: `
					let client;
					const load = () => (client ??= require('./${path.basename(BUNDLE)}'));
					module.exports = { ${names.map((name) => `get ${name}() { return load().${name}; }`).join(', ')} };`,
			};
		});
		build.onResolve({ filter: /./, namespace: 'late' }, ({ path: file }) => ({
			path: file,
			external: true,
		}));
	},
};

/**
 * What only the documentation says of a figure does not ship.
 * @type {import('esbuild').Plugin}
 */
const withoutDefinitions = {
	name: 'without-definitions',
	setup(build) {
		build.onLoad({ filter: /callCentre[\\/]figures\.ts$/ }, async ({ path: file }) => {
			const text = await fs.readFile(file, 'utf8');
			return {
				contents: text.replace(/\b(?:definition|nullIf):\s*(['"]).*?\1,/g, ''),
				loader: 'ts',
			};
		});
	},
};

/**
 * Makes what n8n downloads some kilobytes smaller than esbuild would.
 * @param {import('esbuild').OutputFile[]} bundle one file
 */
async function minified([bundle]) {
	const { code } = await swc.minify(bundle?.text ?? '', {
		compress: { ecma: 2020, passes: 4 },
		mangle: true,
		module: false,
		toplevel: true,
		// The licences are in THIRD_PARTY_NOTICES.md.
		format: { comments: false },
	});
	return code;
}

async function compile() {
	const { nodes, credentials } = require('./package.json').n8n;
	/** @type {string[]} */
	const files = [...nodes, ...credentials];
	const sources = files.map((file) => `./${path.relative('dist', file).replace(/js$/, 'ts')}`);
	const { outputFiles } = await esbuild.build({
		absWorkingDir: ROOT,
		stdin: {
			contents: [
				...sources.map((source) => `export * from '${source}';`),
				`export * as simulated from '${SEAMS}';`,
			].join('\n'),
			resolveDir: ROOT,
		},
		write: false,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'node20',
		minifySyntax: true,
		// Fields without a value are no code.
		tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
		external: ['n8n-workflow'],
		plugins: [loadLate, withoutDefinitions],
		logLevel: 'error',
	});
	await fs.mkdir(path.join(ROOT, 'dist'), { recursive: true });
	await fs.writeFile(path.join(ROOT, CODE), await minified(outputFiles));
	// n8n loads each class from the file that has its name.
	for (const file of files) {
		await fs.mkdir(path.join(ROOT, path.dirname(file)), { recursive: true });
		const way = path.relative(path.dirname(file), CODE).split(path.sep).join('/');
		await fs.writeFile(path.join(ROOT, file), `module.exports = require('${way}');\n`);
	}
}

/**
 * Modules of the client that the build replaces: its timers with the project's own, which explain why, and its
 * transports, which the project's own stand in for.
 */
const REPLACED = [
	{
		module: /engine\.io-client[\\/]build[\\/]esm[\\/]globals(\.node)?\.js$/,
		contents: `export * from ${JSON.stringify(path.join(SOCKETIO, 'timers.ts'))};`,
	},
	{
		module: /engine\.io-client[\\/]build[\\/]esm[\\/]transports[\\/]index\.js$/,
		contents: 'export const transports = {};',
	},
];

/**
 * Fails if a new version of the client has no such modules any more.
 * @type {import('esbuild').Plugin}
 */
const replaceModules = {
	name: 'replace-modules',
	setup(build) {
		const missing = new Set(REPLACED.map(({ module }) => module.source));
		for (const { module, contents } of REPLACED)
			build.onLoad({ filter: module }, () => {
				missing.delete(module.source);
				return { contents, resolveDir: SOCKETIO };
			});
		build.onEnd(() => ({
			errors: [...missing].map((source) => ({
				text: `engine.io-client has no module like ${source}`,
			})),
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
		plugins: [replaceModules],
		minifySyntax: true,
		metafile: true,
		logLevel: 'error',
	});
	// Written to a temporary file and moved, so that a reader never finds an incomplete file.
	await fs.mkdir(path.dirname(outfile), { recursive: true });
	await fs.writeFile(`${outfile}.${process.pid}`, await minified(outputFiles));
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

/** Without the blanks that are there for people. */
const compact = () =>
	new Transform({
		objectMode: true,
		/** @param {{ extname: string; contents: Buffer }} file */
		transform(file, _encoding, done) {
			if (file.extname === '.json')
				file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents.toString('utf8'))));
			done(null, file);
		},
	});

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
	)
		.pipe(compact())
		.pipe(dest('dist'));

const clean = () => fs.rm(path.join(ROOT, 'dist'), { recursive: true, force: true });
const emit = parallel(compile, copy, bundle);

exports.bundleClients = bundleClients;
exports.bundledPackages = bundledPackages;
/** The build without type checking. */
exports.emit = series(clean, emit);
exports.default = exports.build = series(clean, parallel(check, emit));
