/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Runs npm under a certain Node.js, without this project's own npm settings.
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';

import { UserError } from '../userError';

/** The script of the npm that came with the running Node.js, or of the npm that started this process. */
function npmScript(): string {
	const node = dirname(process.execPath);
	const candidates = [
		process.env.npm_execpath ?? '',
		join(node, '../lib/node_modules/npm/bin/npm-cli.js'),
		join(node, '../share/nodejs/npm/bin/npm-cli.js'),
		join(node, 'node_modules/npm/bin/npm-cli.js'),
	];
	const found = candidates.find((path) => path.endsWith('npm-cli.js') && existsSync(path));
	if (!found) {
		throw new UserError(
			'npm was not found beside Node.js: start this through "npm start" or "npm run".',
		);
	}
	return found;
}

/**
 * The environment without what `npm run` adds for this project: its `.npmrc` reaches child processes as
 * `npm_config_*`, and `ignore-scripts` among these would leave the native packages uncompiled. Settings for reaching
 * the registry (proxy, certificates, cache) stay.
 */
function npmEnvironment(nodeBinary: string, headers: string): NodeJS.ProcessEnv {
	const kept =
		/^npm_config_(registry|https?_?proxy|proxy|noproxy|cafile|ca|cert|key|cache|userconfig|globalconfig|strict_ssl|prefix)$/i;
	const environment: NodeJS.ProcessEnv = {};
	for (const [name, value] of Object.entries(process.env)) {
		if (!/^npm_/i.test(name) || (kept.test(name) && value)) environment[name] = value;
	}
	delete environment.NODE_OPTIONS;
	// Lifecycle scripts call `node`: it must be the one that the packages are compiled for.
	environment.PATH = `${dirname(nodeBinary)}:${process.env.PATH ?? ''}`;
	// Headers from disk; otherwise node-gyp would download them.
	environment.npm_config_nodedir = headers;
	return environment;
}

export interface NpmRun {
	cwd: string;
	args: readonly string[];
	nodeBinary: string;
	/** Folder that contains `include/node`. */
	headers: string;
	/** The file for npm's whole output; the message of a failure names it. */
	logFile: string;
	signal?: AbortSignal;
}

/**
 * Runs npm to its end.
 * @throws UserError with npm's last lines of output and the path of the whole log if it fails.
 */
export async function runNpm(run: NpmRun): Promise<void> {
	const log = createWriteStream(run.logFile, { flags: 'a' });
	let tail = '';
	const child = spawn(run.nodeBinary, [npmScript(), ...run.args], {
		cwd: run.cwd,
		env: npmEnvironment(run.nodeBinary, run.headers),
		stdio: ['ignore', 'pipe', 'pipe'],
		// A process group of its own, so that npm's compilers end with it when this process is interrupted.
		detached: true,
	});
	const stop = () => {
		try {
			if (child.pid) process.kill(-child.pid, 'SIGKILL');
		} catch {
			// It has ended by itself in the meantime.
		}
	};
	run.signal?.addEventListener('abort', stop, { once: true });
	process.once('exit', stop);
	const keep = (chunk: Buffer) => {
		log.write(chunk);
		tail = (tail + chunk.toString()).slice(-4_000);
	};
	child.stdout.on('data', keep);
	child.stderr.on('data', keep);
	try {
		const code = await new Promise<number | null>((resolve, reject) => {
			child.once('error', reject);
			child.once('close', resolve);
		});
		run.signal?.throwIfAborted();
		if (code !== 0) {
			const reason = tail
				.split('\n')
				.filter((line) => /error|ERR!/i.test(line) && !/complete log|A complete|logs\//i.test(line))
				.map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
				.filter(Boolean)
				.slice(0, 3)
				.join('; ');
			throw new UserError(
				`npm ${run.args[0]} failed (exit code ${code}): ${reason || 'it gave no reason'}. ` +
					`Check the network connection to the npm registry, then start again. Whole log: ${run.logFile}`,
			);
		}
	} finally {
		run.signal?.removeEventListener('abort', stop);
		process.removeListener('exit', stop);
		log.end();
		await finished(log).catch(() => undefined);
	}
}
