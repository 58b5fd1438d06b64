// `npm run set-repository -- <owner>/<name> --author <name> --email <address>`: replaces the repository and the author
// that package.json names, in every file of the tree. During development the tree contains placeholders.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';

export interface Owner {
	/** `owner/name` at GitHub. */
	repository: string;
	author: string;
	email: string;
}

/** The values in a tree's package.json. */
export async function ownerOf(root: string): Promise<Owner> {
	const { repository, author } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
		repository: { url: string };
		author: { name: string; email: string };
	};
	const slug = /github\.com\/(.+?)(?:\.git)?$/.exec(repository.url)?.[1];
	if (slug === undefined) throw new Error('package.json names no repository at GitHub');
	return { repository: slug, author: author.name, email: author.email };
}

/**
 * Changes the files of a tree.
 * @param files paths below `root`
 * @returns the files that were changed
 */
export async function setRepository(
	root: string,
	files: readonly string[],
	wanted: Owner,
): Promise<string[]> {
	const now = await ownerOf(root);
	const changed: string[] = [];
	for (const file of files) {
		const bytes = await readFile(join(root, file));
		if (bytes.includes(0)) continue;
		const text = bytes.toString('utf8');
		const owned = text
			.replaceAll(now.repository, wanted.repository)
			.replaceAll(now.author, wanted.author)
			.replaceAll(now.email, wanted.email);
		const set = file === 'README.md' ? withAbsolutePictures(owned, wanted.repository) : owned;
		if (set === text) continue;
		await writeFile(join(root, file), set);
		changed.push(file);
	}
	return changed;
}

/** npm shows the README outside the repository, so its pictures need absolute URLs. */
function withAbsolutePictures(text: string, repository: string): string {
	const pictures = `https://raw.githubusercontent.com/${repository}/HEAD/docs/images/`;
	return text.replace(/(!\[[^\]]*\]\(|src=")docs\/images\//g, `$1${pictures}`);
}

/** The files that belong to the tree in the working directory. */
async function filesHere(): Promise<string[]> {
	const { stdout } = await promisify(execFile)('git', ['ls-files', '-z']);
	return stdout.split('\0').filter((file) => file !== '');
}

async function main(): Promise<void> {
	const command = new Command('npm run set-repository --')
		.description('Puts the real repository and author in the place of the placeholders.')
		.argument('<owner/name>', 'the repository at GitHub')
		.requiredOption('--author <name>', 'who publishes the package, as npm knows them')
		.requiredOption('--email <address>', 'where npm reaches them')
		.parse();
	const [repository = ''] = command.args;
	if (!/^[\w-]+\/[\w.-]+$/.test(repository)) command.error(`"${repository}" is not <owner>/<name>`);
	const { author, email } = command.opts<{ author: string; email: string }>();
	const changed = await setRepository('.', await filesHere(), { repository, author, email });
	process.stdout.write(`${changed.join('\n')}\n${changed.length} files changed\n`);
}

if (require.main === module) void main();
