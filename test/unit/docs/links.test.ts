// What the documentation promises exists: files and pictures behind links, sections behind anchors, npm scripts and their
// options behind commands.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

function pagesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return pagesBelow(path);
		return entry.name.endsWith('.md') ? [path] : [];
	});
}

const pages = [
	...readdirSync(root).filter((name) => name.endsWith('.md')),
	...pagesBelow('docs'),
	...pagesBelow('examples'),
];

/** Text without what stands in code, which may look like a link. */
const prose = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/** Anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): Set<string> {
	const anchors = new Set<string>();
	for (const [, heading] of text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6}\s+(.+)$/gm)) {
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

/** What is wrong with the links of a page. */
function brokenLinks(page: string, text: string): string[] {
	const links = [...prose(text).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)].map(
		([, link]) => link,
	);
	return links.flatMap((link) => {
		if (/^(https?|mailto):/.test(link)) return [];
		const [path, anchor] = link.split('#');
		const target = path === '' ? page : relative(root, resolve(root, dirname(page), path));
		if (target.startsWith('..')) return [`${link}: leads out of the project`];
		if (!existsSync(join(root, target))) return [`${link}: there is no ${target}`];
		if (anchor === undefined || statSync(join(root, target)).isDirectory()) return [];
		return anchorsOf(read(target)).has(anchor) ? [] : [`${link}: ${target} has no such section`];
	});
}

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** A script and what it imports from beside it: options are declared in either. */
function sourceOf(file: string): string {
	const own = read(file);
	const beside = [...own.matchAll(/from '(\.\.?\/[^']+)'/g)]
		.map(([, path]) => join(dirname(file), `${path}.ts`))
		.filter((path) => existsSync(join(root, path)));
	return [own, ...beside.map(read)].join('\n');
}

/** What is wrong with the npm commands that a page shows. */
function brokenCommands(text: string): string[] {
	const commands = text.matchAll(
		/\bnpm (run ([\w:-]+)|start|test)\b( -- ((?:--?[\w-]+(?:[ =][\w./:-]+)? ?)+))?/g,
	);
	return [...commands].flatMap(([command, first, name = first, , options = '']) => {
		const script = scripts[name];
		if (!script) return [`${command}: package.json has no script "${name}"`];
		const file = /(?:tsx|node) (\S+)/.exec(script)?.[1];
		const flags = options.match(/--[\w-]+/g) ?? [];
		if (!file) return [];
		const source = sourceOf(file);
		return flags
			.filter((flag) => flag !== '--help' && !source.includes(flag))
			.map((flag) => `${command}: ${file} knows no ${flag}`);
	});
}

test.each(pages)('%s: every link leads somewhere', (page) => {
	expect(brokenLinks(page, read(page))).toEqual([]);
});

test.each(pages)('%s: every command exists', (page) => {
	expect(brokenCommands(read(page))).toEqual([]);
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

describe('the check itself', () => {
	test.each([
		['[a](docs/nothing.md)', 'there is no docs/nothing.md'],
		['[a](docs/troubleshooting.md#no-such-section)', 'has no such section'],
		['[a](#no-such-section)', 'has no such section'],
		['![a](docs/images/nothing.png)', 'there is no docs/images/nothing.png'],
		['[a](../elsewhere.md)', 'leads out of the project'],
	])('finds %s', (text, complaint) => {
		expect(brokenLinks('README.md', text)).toEqual([expect.stringContaining(complaint)]);
	});

	test.each([
		['`npm run no-such-script`', 'no script "no-such-script"'],
		['npm run test:n8n -- --no-such-option', 'knows no --no-such-option'],
		['npm start -- --rate 2 --no-such-option', 'knows no --no-such-option'],
	])('finds %s', (text, complaint) => {
		expect(brokenCommands(text)).toEqual([expect.stringContaining(complaint)]);
	});

	test('takes what is right', () => {
		expect(brokenLinks('README.md', '[a](docs/troubleshooting.md#login-refused)')).toEqual([]);
		expect(brokenCommands('npm ci && npm test; npm run test:n8n -- --examples')).toEqual([]);
	});
});
