/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What n8n's verification and every exported workflow rely on, as far as files show it: package.json, the licence, the
// README, the publishing workflow, and the imports and names of the shipped sources. docs/dev/verification.md lists the
// points.
import { execFileSync } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
	name: string;
	license: string;
	homepage: string;
	author: { name: string; email: string };
	repository: { url: string };
	bugs: { url: string };
	devDependencies: Record<string, string>;
	dependencies?: object;
	overrides?: object;
	peerDependencies: object;
	peerDependenciesMeta: object;
	keywords: string[];
	files: string[];
	scripts: Record<string, string>;
	n8n: { strict: boolean; n8nNodesApiVersion: number; nodes: string[]; credentials: string[] };
};

/** Every file below a folder with this ending. */
const filesOf = (folder: string, ending: RegExp) =>
	readdirSync(path.join(root, folder), { recursive: true })
		.map((file) => path.join(folder, String(file)))
		.filter((file) => ending.test(file));

const sources = [...filesOf('nodes', /\.ts$/), ...filesOf('credentials', /\.ts$/)];

/** A source file without its comments. */
const codeOf = (file: string) => read(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

describe('the package', () => {
	it('has no runtime dependencies and requires only n8n-workflow', () => {
		expect(manifest.dependencies).toBeUndefined();
		expect(manifest.overrides).toBeUndefined();
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	// n8n brings n8n-workflow. Otherwise a plain "npm install" would add a second one and compile its native parts.
	it('leaves n8n-workflow to n8n', () => {
		expect(manifest.peerDependenciesMeta).toEqual({ 'n8n-workflow': { optional: true } });
		expect(read('README.md')).not.toContain('--legacy-peer-deps');
	});

	it('has a reason in CONTRIBUTING.md for each version that is pinned', () => {
		const pinned = Object.entries(manifest.devDependencies)
			.filter(([, range]) => !/^(npm:[^^]*)?\^/.test(range))
			.map(([name]) => name);
		const reasons = read('CONTRIBUTING.md').matchAll(/^- `([^`]+)`: .{20,}/gm);
		expect(pinned.sort()).toEqual(Array.from(reasons, ([, name]) => name).sort());
	});

	it('is found by n8n', () => {
		expect(manifest.name).toBe('n8n-nodes-voice-management');
		expect(manifest.keywords).toContain('n8n-community-node-package');
		expect(manifest.n8n).toMatchObject({ strict: true, n8nNodesApiVersion: 1 });
	});

	it('names nodes and credentials that have a source', () => {
		const compiled = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
		expect(compiled).toHaveLength(4);
		for (const file of compiled) {
			const source = file.replace(/^dist\//, '').replace(/\.js$/, '.ts');
			expect([source, existsSync(path.join(root, source))]).toEqual([source, true]);
		}
	});

	it('is installed from a tarball, as the README describes it, and brings nothing else', () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'installed-by-hand-'));
		try {
			const [from, to] = ['from', 'nodes'].map((name) => path.join(folder, name));
			for (const one of [from, to]) mkdirSync(one!);
			for (const file of ['package.json', 'README.md']) {
				copyFileSync(path.join(root, file), path.join(from!, file));
			}
			const npm = (cwd: string, ...given: string[]) =>
				execFileSync('npm', [...given, '--offline', '--no-audit', '--silent'], {
					cwd,
					encoding: 'utf8',
				});
			const tarball = npm(from!, 'pack', '--ignore-scripts').trim();
			npm(to!, 'install', path.join(from!, tarball));
			const modules = path.join(to!, 'node_modules');
			expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual([manifest.name]);
			expect(existsSync(path.join(modules, manifest.name, 'README.md'))).toBe(true);
			const { dependencies } = JSON.parse(readFileSync(path.join(to!, 'package.json'), 'utf8')) as {
				dependencies: object;
			};
			// From there n8n knows what to load.
			expect(Object.keys(dependencies)).toEqual([manifest.name]);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it('runs nothing on the machine that installs it', () => {
		for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
			expect(manifest.scripts).not.toHaveProperty(script);
		}
	});

	it('ships what its licences require', () => {
		expect(manifest.files).toEqual(['dist', 'index.js', 'THIRD_PARTY_NOTICES.md']);
	});

	it('is under the MIT licence', () => {
		expect(manifest.license).toBe('MIT');
		expect(read('LICENSE')).toMatch(/^MIT License\n/);
	});

	it('names an author who can be contacted', () => {
		expect(manifest.author.name).not.toBe('');
		expect(manifest.author.email).toMatch(/^[^@\s]+@[^@\s]+\.[^@\s]+$/);
	});

	it('links to the same repository everywhere', () => {
		const linking = [...sources, ...filesOf('nodes', /\.node\.json$/)].map(read);
		const links = [manifest.homepage, manifest.repository.url, manifest.bugs.url, ...linking].map(
			(text) => [...text.matchAll(/https:\/\/github\.com\/[\w.-]+\/[\w-]+/g)].map(([link]) => link),
		);
		// Home page, repository, issues; both credentials; two links in each codex file; the help link of the errors.
		expect(links.flat()).toHaveLength(10);
		expect(new Set(links.flat())).toEqual(new Set([manifest.homepage.replace(/#.*/, '')]));
	});

	it('imports only n8n-workflow, crypto and the client that the build bundles, nothing else of Node.js', () => {
		const imported = sources.flatMap((file) =>
			[...codeOf(file).matchAll(/\b(?:from|import|require)[ (]+'([^'.][^']*)'/g)].map(
				([, name]) => name,
			),
		);
		const bundled = ['engine.io-client', 'socket.io-parser'];
		expect(new Set(imported)).toEqual(new Set(['n8n-workflow', 'crypto', ...bundled]));
		for (const client of bundled) expect(manifest.devDependencies).toHaveProperty([client]);
	});

	it('reads no environment variables and starts no processes', () => {
		const globals =
			/(?<![\w.'])(?:process|globalThis|global|__dirname|__filename)\b(?!['\w:])|\beval\(|\bnew Function\b/;
		expect(globals.test('const { HOME } = process.env;')).toBe(true);
		expect(sources.filter((file) => globals.test(codeOf(file)))).toEqual([]);
	});

	describe('is published by a workflow', () => {
		const workflow = read('.github/workflows/publish.yml');
		const [head = '', body = ''] = workflow.split(/^jobs:\n/m);
		const jobs = new Map(
			[...body.matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n)+)/gm)].map(([, name, job]) => [name, job]),
		);
		const [build = '', publish = ''] = jobs.values();
		const commandsOf = (job: string) =>
			[...job.matchAll(/^ {6}(?:- | {2})run: (.+)$/gm)].map(([, command = '']) => command);

		it('from a tag, in two jobs, of which the second waits for the first', () => {
			expect(head).toMatch(/^on:\n {2}push:\n {4}tags:/m);
			expect([...jobs.keys()]).toEqual(['build', 'publish']);
			expect(publish).toMatch(/^ {4}needs: build$/m);
		});

		it('only the second can publish, and nothing else', () => {
			const granted = (text: string) => text.match(/\b[a-z-]+: (?:write|read)\b/g);
			expect(granted(head)).toEqual(['contents: read']);
			expect(granted(build)).toEqual(['contents: read']);
			expect(granted(publish)).toEqual(['id-token: write']);
			expect(workflow).not.toMatch(/\bsecrets\b|-all\b/);
		});

		it('the first runs everything that CI checks, and hands over the tarball with its bill of materials', () => {
			const commands = commandsOf(build);
			const order = [
				/^\.ci\/run$/,
				/^npm run build$/,
				/^npm pack .*release$/,
				/sbom\.ts > release\//,
			];
			const places = order.map((step) => commands.findIndex((command) => step.test(command)));
			expect(places).toEqual([...places].sort((one, other) => one - other));
			expect(places).not.toContain(-1);
			expect(build.indexOf('uses: actions/upload-artifact')).toBeGreaterThan(
				build.indexOf('sbom.ts'),
			);
			expect(build).not.toMatch(/\bpublish\b/);
		});

		it('the second publishes that tarball with a pinned npm, and runs nothing else', () => {
			const used = [...publish.matchAll(/uses: (\S+)@/g)].map(([, action]) => action);
			expect(used).toEqual(['actions/setup-node', 'actions/download-artifact']);
			expect(commandsOf(publish)).toEqual([
				expect.stringMatching(
					/^npx --yes npm@\d+\.\d+\.\d+ publish --ignore-scripts --provenance --access public \.\/\*\.tgz$/,
				),
			]);
		});
	});

	it('runs only actions that are pinned to a commit', () => {
		const used = filesOf('.github/workflows', /\.yml$/).flatMap((file) =>
			[...read(file).matchAll(/uses: (\S+)/g)].map(([, action = '']) => action),
		);
		expect(used.length).toBeGreaterThan(0);
		expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
	});

	it('describes how to install it, log in and use it, and where examples are', () => {
		const headings = [...read('README.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
		for (const part of [
			/^Install/,
			/^Credentials$/,
			/action node/,
			/trigger node/,
			/^Compatib/,
			/^Examples$/,
			/^License$/,
		]) {
			expect(headings).toContainEqual(expect.stringMatching(part));
		}
	});

	it('says on every page whether it is published', () => {
		const unpublished = read('CHANGELOG.md').includes('Nothing has been published yet');
		expect({
			readme: read('README.md').includes('**Not published yet: install from a clone.**'),
			readmeLater: read('README.md').includes('**From the first release on**'),
			selfHosting: read('docs/self-hosting.md').includes('Until the first release'),
		}).toEqual({ readme: unpublished, readmeLater: unpublished, selfHosting: unpublished });
	});

	it('uses no letter of another alphabet, in the nodes and in the documentation', () => {
		const texts = [
			...sources,
			'README.md',
			...filesOf('docs', /\.md$/),
			...filesOf('examples', /\.md$/),
		];
		const foreign = /(?![\p{Script=Latin}\p{Script=Common}])\p{L}/u;
		expect(foreign.test('страница')).toBe(true);
		expect(texts.filter((file) => foreign.test(read(file)))).toEqual([]);
	});

	it('has a lock file without download URLs', () => {
		expect(read('package-lock.json').match(/"resolved": "(?!file:)[^"]*"/)).toBeNull();
	});
});
