/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npx tsx tools/rehearse.ts`: a release from its tag to its rollback, in a clone of the committed tree and against a
// registry on loopback. Nothing leaves this machine. Prints one line for each step.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import pc from 'picocolors';

import { formatElapsed } from '../dev/progress';

const root = join(__dirname, '..');
const started = Date.now();

function say(mark: string, text: string): void {
	process.stdout.write(`${mark} ${text} (${formatElapsed(Date.now() - started)})\n`);
}

/**
 * Runs a program in the clone. @returns its output, both streams. @throws Error with the end of the output if it fails
 */
async function run(cwd: string, name: string, ...args: string[]): Promise<string> {
	const child = spawn(name, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	const take = (chunk: Buffer) => (output += chunk.toString('utf8'));
	child.stdout.on('data', take);
	child.stderr.on('data', take);
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once('error', reject).once('close', resolve);
	});
	if (code !== 0) throw new Error(`${[name, ...args].join(' ')}\n${output.slice(-5_000)}`);
	return output;
}

async function main(): Promise<void> {
	const { ci } = new Command('npx tsx tools/rehearse.ts')
		.description('Rehearses a release of what is committed, against a registry on this machine.')
		.option('--no-ci', 'leave out .ci/run, which takes some twelve minutes; the log says so')
		.parse()
		.opts<{ ci: boolean }>();
	const folder = await mkdtemp(join(tmpdir(), 'voice-management-release-'));
	const clone = join(folder, 'clone');
	const step = async (title: string, work: () => Promise<unknown>) => {
		await work();
		say(pc.green('✓'), title);
	};
	try {
		await run(root, 'git', 'clone', '--quiet', '--no-hardlinks', root, clone);
		const { version } = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8')) as {
			version: string;
		};
		await step(`tagged v${version}, and the tag is the version`, async () => {
			await run(clone, 'git', 'tag', `v${version}`);
			const tag = (await run(clone, 'git', 'describe', '--exact-match', '--tags')).trim();
			if (tag !== `v${version}`) throw new Error(`The commit has the tag ${tag} already.`);
		});
		if (ci) await step('.ci/run', () => run(clone, '.ci/run'));
		else {
			// .ci/run would have installed them.
			await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
			say(pc.yellow('–'), '.ci/run left out (--no-ci)');
		}
		await step('built', () => run(clone, 'npm', 'run', 'build'));
		const release = join(folder, 'release');
		let tarball = '';
		await step('packed', async () => {
			await mkdir(release);
			await run(clone, 'npm', 'pack', '--ignore-scripts', '--pack-destination', release);
			const [name = ''] = await readdir(release);
			tarball = join(release, name);
		});
		let output = '';
		// Publishes the tarball to the registry, and installs, upgrades, scans and rolls back from there.
		await step('published, installed, upgraded, scanned, rolled back', async () => {
			const args = ['run', 'test:n8n', '--', '--install', '--package', tarball];
			output = await run(clone, 'npm', ...args);
		});
		const passed = output.split('\n').filter((line) => line.trim().startsWith('✓'));
		process.stdout.write(`${passed.join('\n')}\n`);
	} catch (error) {
		process.exitCode = 1;
		say(pc.red('✗'), (error as Error).message);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

void main();
