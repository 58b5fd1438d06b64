/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// What the documentation refers to exists: files and pictures behind links, sections behind anchors, npm scripts and
// their options, files and folders. And the project layout in docs/dev/architecture.md matches the folders.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { shownPictures } from '../../e2e/support/pictures';

const root = resolve(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Pages by others, and what builds and runs leave behind: not checked, and nothing may depend on them. */
const NOT_OURS = new Set([
	'node_modules',
	'dist',
	'coverage',
	'artifacts',
	'.git',
	'THIRD_PARTY_NOTICES.md',
]);

function filesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		if (NOT_OURS.has(entry.name)) return [];
		const path = join(folder, entry.name);
		return entry.isDirectory() ? filesBelow(path) : [path];
	});
}

const files = filesBelow('');
const pages = files.filter((file) => file.endsWith('.md'));

const BLOCK = /^```([^\n]*)\n([\s\S]*?)^```/gm;

/** Text without code, which may look like a link. */
const prose = (text: string) => text.replace(BLOCK, '').replace(/`[^`]*`/g, '');

/** The text between backticks, including spans with a line break. */
const spansOf = (text: string) =>
	[...text.replace(BLOCK, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) =>
		span.replace(/\s+/g, ' ').trim(),
	);

/** Everything that may contain a command, one command each: blocks by lines, code spans, prose by lines. */
function commandsOf(text: string): string[] {
	const blocks = [...text.matchAll(BLOCK)].map(([, , block = '']) => block.replace(/\\\n\s*/g, ''));
	const lines = [...blocks, prose(text)].flatMap((part) => part.split('\n'));
	return [...lines, ...spansOf(text)].flatMap((line) => line.split(/&&|[;|]|(?:^|\s)#/));
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): Set<string> {
	const anchors = new Set<string>();
	for (const [, heading = ''] of text.replace(BLOCK, '').matchAll(/^#{1,6}\s+(.+)$/gm)) {
		const slug = heading
			.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
			.replace(/[`*]/g, '')
			.trim()
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-');
		let anchor = slug;
		for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
		anchors.add(anchor);
	}
	return anchors;
}

/** The broken links of a page. */
function brokenLinks(page: string, text: string): string[] {
	const links = [...prose(text).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)|\bsrc="([^"]+)"/g)].map(
		([, link = '', source = '']) => link || source,
	);
	return links.flatMap((link) => {
		if (/^(https?|mailto):/.test(link)) return [];
		const [path = '', anchor] = link.split('#');
		const target = path === '' ? page : relative(root, resolve(root, dirname(page), path));
		if (target.startsWith('..')) return [`${link}: leads out of the project`];
		if (!existsSync(join(root, target))) return [`${link}: there is no ${target}`];
		if (anchor === undefined || statSync(join(root, target)).isDirectory()) return [];
		return anchorsOf(read(target)).has(anchor) ? [] : [`${link}: ${target} has no such section`];
	});
}

const linksIn = (text: string) => brokenLinks('README.md', text);

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** A script and the files beside it that it imports: either can declare options. */
function sourceOf(file: string): string {
	const own = read(file);
	const beside = [...own.matchAll(/from '(\.\.?\/[^']+)'/g)]
		.map(([, path = '']) => join(dirname(file), `${path}.ts`))
		.filter((path) => existsSync(join(root, path)));
	return [own, ...beside.map(read)].join('\n');
}

/** The options that a script declares with commander. */
function optionsOf(file: string): Set<string> {
	const declared = sourceOf(file).matchAll(
		/(?:(?:\.(?:requiredO|o)ption|new Option)\(|\[\s*'\w+',)\s*'((?:-\w, )?--[\w-]+)/g,
	);
	return new Set(['--help', ...[...declared].flatMap(([, flags = '']) => flags.split(', '))]);
}

/** What is wrong with an npm script in a command, and with its options. */
function brokenScript(command: string): string[] {
	const found = /\bnpm (?:run (?:-\S+ )*([\w:-]+)|(start|test)\b)(?:.*? -- (.*))?/.exec(command);
	if (!found) return [];
	const [, long, short, given = ''] = found;
	const name = long ?? short ?? '';
	const script = scripts[name];
	if (!script) return [`${command}: package.json has no script "${name}"`];
	const file = /^(?:tsx|node) (\S+)/.exec(script)?.[1];
	if (!file) return [];
	const known = optionsOf(file);
	return [...given.matchAll(/(?:^|\s)(--?[a-z][\w-]*)/g)]
		.filter(([, flag = '']) => !known.has(flag))
		.map(([, flag]) => `${command}: ${file} knows no ${flag}`);
}

/** What is wrong with the file that a command runs, and with the tests that it selects. */
function brokenFile(command: string): string[] {
	const program = /\b(?:tsx|node) ([\w./-]+\.[cm]?[jt]s)\b/.exec(command)?.[1];
	const pattern = /--testPathPatterns[ =](\S+)/.exec(command)?.[1];
	const picked = (file: string) => /\.test\.ts$/.test(file) && new RegExp(pattern!).test(file);
	return [
		...(program && !files.includes(program) ? [`${command}: there is no ${program}`] : []),
		...(pattern && !files.some(picked) ? [`${command}: no test is in ${pattern}`] : []),
	];
}

const brokenCommands = (text: string) =>
	commandsOf(text).flatMap((command) => [...brokenScript(command), ...brokenFile(command)]);

const folders = new Set(
	readdirSync(root).filter((name) => statSync(join(root, name)).isDirectory()),
);

/**
 * Whether code is a path of the project: `nodes/VoiceManagementTrigger/feed/feed.ts`, `resources/`, `state.ts`,
 * `.ci/run`.
 */
function isPath(code: string): boolean {
	if (!/^[\w.-]+(\/[\w.-]+)*\/?$/.test(code)) return false;
	const [first = '', ...others] = code.split('/');
	if (NOT_OURS.has(first)) return false;
	return (
		/\/$|\.([cm]?[jt]s|json|md|yml|svg|png)$/.test(code) ||
		(others.length > 0 && folders.has(first))
	);
}

/** The paths of a page that do not exist. A path may leave out its leading folders. */
function brokenPaths(text: string): string[] {
	const exists = (path: string) =>
		files.some((file) => `/${file}/`.includes(`/${path.replace(/\/$/, '')}/`));
	return spansOf(text).filter((code) => isPath(code) && !exists(code));
}

/** The paths of the trees that a page shows: two spaces are one level. */
function treesOf(text: string): string[] {
	const blocks = [...text.matchAll(BLOCK)].filter(([, language]) => language === 'text');
	return blocks.flatMap(([, , block = '']) => {
		const above: string[] = [];
		return block.split('\n').flatMap((line) => {
			const [, indent = '', name] = /^((?: {2})*)([\w.-]+\/?)/.exec(line) ?? [];
			if (name === undefined) return [];
			above.length = indent.length / 2;
			above.push(name);
			return [above.join('')];
		});
	});
}

test.each(pages)('%s: every link works', (page) => {
	expect(brokenLinks(page, read(page))).toEqual([]);
});

test.each(pages)('%s: every command exists', (page) => {
	expect(brokenCommands(read(page))).toEqual([]);
});

test.each(pages)('%s: every path exists', (page) => {
	expect(brokenPaths(read(page))).toEqual([]);
});

describe('docs/dev/architecture.md', () => {
	const tree = treesOf(read('docs/dev/architecture.md'));

	test('shows nothing that does not exist', () => {
		expect(tree.length).toBeGreaterThan(40);
		expect(tree.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});

	test('shows every folder of the first two levels', () => {
		const drawn = new Set(tree);
		const inside = new Set(
			files
				.map((file) => dirname(file).split('/').slice(0, 2))
				.filter(([first = '.']) => first !== '.' && !first.startsWith('.'))
				.flatMap(([first, second]) => [`${first}/`, ...(second ? [`${first}/${second}/`] : [])]),
		);
		expect([...inside].filter((folder) => !drawn.has(folder))).toEqual([]);
	});
});

test('every example has its page, and the page its picture and its workflow', () => {
	const files = readdirSync(join(root, 'examples'));
	const workflows = files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));
	expect(workflows.length).toBeGreaterThanOrEqual(6);
	for (const name of workflows) {
		const page = read(`examples/${name}.md`);
		expect(page).toContain(`(../docs/images/examples/${name}.png)`);
		expect(page).toContain(`(${name}.json)`);
		expect(read('examples/README.md')).toContain(`(${name}.md)`);
	}
});

test.each<[(text: string) => string[], string, string]>([
	[linksIn, '[a](docs/nothing.md)', 'there is no docs/nothing.md'],
	[linksIn, '![a](docs/troubleshooting.md#no-such-section)', 'has no such section'],
	[linksIn, '<img src="docs/images/nothing.png">', 'there is no docs/images/nothing.png'],
	[linksIn, '[a](../elsewhere.md)', 'leads out of the project'],
	[brokenCommands, '`npm\nrun no-such-script`', 'no script "no-such-script"'],
	[brokenCommands, 'npm run simulator -- --rat 5 # for long', 'knows no --rat'],
	[brokenCommands, '```sh\nnpm run bench -- \\\n  --other\n```', 'knows no --other'],
	[brokenCommands, '`npm run build && node tools/nothing.mjs`', 'there is no tools/nothing.mjs'],
	[brokenCommands, '`npm test -- --testPathPatterns no/such`', 'no test is in no/such'],
	[brokenPaths, 'In `nodes/VoiceManagementTrigger/feed/nothing.ts`', 'feed/nothing.ts'],
	[brokenPaths, 'In `eed.ts`', 'eed.ts'],
])('the check %p finds %j', (check, text, complaint) => {
	expect(check(text)).toEqual([expect.stringContaining(complaint)]);
});

test('docs/images contains what the pages show, and nothing else', () => {
	const taken = readdirSync(join(root, 'docs/images'), { recursive: true })
		.map((name) => String(name))
		.filter((name) => /\.(png|webp)$/.test(name));
	expect(new Set(taken)).toEqual(shownPictures());
});
