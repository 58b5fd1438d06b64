// The tests load this instead of n8n-workflow: the library in one file, without the parts that neither the nodes nor
// the tests use. Jest loads every module again for every test file, and the whole library has 700.
const { createHash } = require('node:crypto');
const fs = require('node:fs/promises');
const path = require('node:path');

const ROOT = path.join(__dirname, '..');
const BUNDLE = path.join(ROOT, 'node_modules/.cache/voice-management/n8n-workflow.js');

const NAMES = [
	'isObjectEmpty',
	'NodeApiError',
	'NodeConnectionTypes',
	'NodeHelpers',
	'NodeOperationError',
	'sleep',
	'updateDisplayOptions',
];

/** Any other name is looked up in the whole library. */
const others = `
const bundled = module.exports;
module.exports = new Proxy(bundled, {
	get: (_target, name) =>
		name in bundled ? bundled[name] : require('n8n-workflow/dist/cjs/index.js')[name],
});`;

/**
 * The library does not declare that its modules have no side effects, without which all of them would be kept.
 * @type {import('esbuild').Plugin}
 */
const withoutSideEffects = {
	name: 'without-side-effects',
	setup(build) {
		build.onResolve({ filter: /^(\.|@?n8n)/ }, async ({ path: wanted, pluginData, ...from }) => {
			const isOfN8n = from.importer === '<stdin>' || /[\\/]@?n8n\b/.test(from.importer);
			if (!isOfN8n || pluginData === 'resolved') return undefined;
			const found = await build.resolve(wanted, { ...from, pluginData: 'resolved' });
			return found.external ? found : { ...found, sideEffects: false };
		});
	},
};

/** Changes if the packages or this file change, so that the file is written again. */
async function stampOf() {
	const hash = createHash('sha256');
	for (const file of [__filename, path.join(ROOT, 'node_modules/.package-lock.json')])
		hash.update(await fs.readFile(file));
	return `// ${hash.digest('hex')}\n`;
}

/** Writes the file unless it already exists. */
async function bundleN8nWorkflow() {
	const stamp = await stampOf();
	const present = await fs.readFile(BUNDLE, 'utf8').catch(() => '');
	if (present.startsWith(stamp)) return;
	const { outputFiles } = await require('esbuild').build({
		stdin: { contents: `export { ${NAMES.join(', ')} } from 'n8n-workflow';`, resolveDir: ROOT },
		plugins: [withoutSideEffects],
		bundle: true,
		write: false,
		format: 'cjs',
		platform: 'node',
		mainFields: ['module', 'main'],
		target: 'node20',
		// Errors are named after their classes.
		keepNames: true,
		minifyWhitespace: true,
		legalComments: 'none',
		footer: { js: others },
		logLevel: 'error',
	});
	// Written to a temporary file and moved, so that a reader never finds an incomplete file.
	await fs.mkdir(path.dirname(BUNDLE), { recursive: true });
	await fs.writeFile(`${BUNDLE}.${process.pid}`, stamp + (outputFiles[0]?.text ?? ''));
	await fs.rename(`${BUNDLE}.${process.pid}`, BUNDLE);
}

module.exports = { BUNDLE, bundleN8nWorkflow };
