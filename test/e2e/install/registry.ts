/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// An npm registry on loopback that stands in for n8n's default one, and the means to publish to it. n8n lets only
// licensed instances name another registry (N8N_COMMUNITY_PACKAGES_REGISTRY), so this one is reached as many companies
// reach theirs: through a proxy, with a private certificate.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import axios from 'axios';

import { cacheRoot, ensureFolder } from '../../../dev/n8n/cacheFolder';
import type { N8nInstall } from '../../../dev/n8n/install';
import { runNpm } from '../../../dev/n8n/npm';
import { GuardedProcess } from '../../../dev/process/guarded';
import { freePorts } from '../../../dev/process/ports';
import { createProgress } from '../../../dev/progress';
import { UserError } from '../../../dev/userError';
import { startForwardProxy } from '../../support/forwardProxy';
import { nth } from '../../support/present';

const execFileAsync = promisify(execFile);
const SOURCE = join(__dirname, 'registry');
const START_TIMEOUT_MS = 60_000;
const ENTRY = 'node_modules/verdaccio/bin/verdaccio';

/** Verdaccio, installed once into the cache, like n8n itself. */
async function ensureVerdaccio({ node }: N8nInstall): Promise<string> {
	const key = createHash('sha256')
		.update(readFileSync(join(SOURCE, 'package.json')))
		.update(readFileSync(join(SOURCE, 'package-lock.json')))
		.digest('hex')
		.slice(0, 12);
	const progress = createProgress();
	return await ensureFolder(
		{
			name: `registry-${key}`,
			title: 'the registry of the install suite',
			bytesNeeded: 0.2e9,
			essentialFiles: [ENTRY],
			async make(target) {
				for (const file of ['package.json', 'package-lock.json']) {
					await copyFile(join(SOURCE, file), join(target, file));
				}
				await progress.during(
					'Installing the registry of the install suite (once)',
					async () =>
						await runNpm({
							cwd: target,
							args: ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
							nodeBinary: node.binary,
							headers: node.headers,
							logFile: join(cacheRoot(), 'registry.install.log'),
						}),
				);
			},
		},
		progress,
	);
}

/** The registry that this n8n release uses by default, from n8n's own settings. */
async function defaultRegistryHost({ node, folder }: N8nInstall): Promise<string> {
	const { stdout } = await execFileAsync(
		node.binary,
		[
			'-e',
			`const { CommunityPackagesConfig } = require('n8n/dist/modules/community-packages/community-packages.config.js');
			console.log(new CommunityPackagesConfig().registry);`,
		],
		{ cwd: folder },
	);
	return new URL(stdout.trim()).hostname;
}

async function makeCertificate(
	folder: string,
	host: string,
): Promise<{ key: string; cert: string }> {
	const key = join(folder, 'key.pem');
	const cert = join(folder, 'cert.pem');
	try {
		await execFileAsync('openssl', [
			...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'],
			...['-keyout', key, '-out', cert, '-subj', '/CN=loopback registry'],
			...['-addext', `subjectAltName=DNS:${host},IP:127.0.0.1`],
		]);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		throw new UserError(
			'The install suite needs openssl, which is not installed: apt-get install -y openssl',
		);
	}
	return { key, cert };
}

export interface Registry {
	/** Settings that lead n8n, and the npm that it runs, to this registry and nowhere else. */
	environment: Record<string, string>;
	/** Hosts other than the registry that were requested and rejected. */
	refusedHosts: readonly string[];
	/** Publishes a tarball, with its version as `latest`. */
	publish(tarball: string): Promise<void>;
	/** A published tarball as it is downloaded for an installation. */
	tarball(name: string, version: string): Promise<Buffer>;
	/** The tarballs that were downloaded so far, as `name-version.tgz`. */
	downloads(): string[];
	stop(): Promise<void>;
}

/**
 * Starts an empty registry that stores everything in `folder`.
 * @throws UserError if a program that it needs is missing.
 */
export async function startRegistry(install: N8nInstall, folder: string): Promise<Registry> {
	const [verdaccio, host] = await Promise.all([
		ensureVerdaccio(install),
		defaultRegistryHost(install),
	]);
	await mkdir(folder, { recursive: true });
	const { key, cert } = await makeCertificate(folder, host);
	const port = nth(await freePorts(1), 0);
	const logFile = join(folder, 'registry.log');
	await writeFile(
		join(folder, 'config.json'),
		JSON.stringify({
			storage: join(folder, 'storage'),
			auth: { htpasswd: { file: join(folder, 'htpasswd') } },
			packages: { '**': { access: '$all', publish: '$authenticated' } },
			web: { enable: false },
			https: { key, cert },
			listen: `https://127.0.0.1:${port}`,
			log: { type: 'stdout', format: 'json', level: 'http' },
		}),
	);
	const server = new GuardedProcess({
		command: install.node.binary,
		args: [join(verdaccio, ENTRY), '--config', join(folder, 'config.json')],
		cwd: folder,
		env: { PATH: process.env.PATH, HOME: folder },
		logFile,
		graceMs: 2_000,
	});
	try {
		await server.waitForLine(/http address/, START_TIMEOUT_MS);
		const proxy = await startForwardProxy({ hosts: { [host]: port } });
		const origin = `https://127.0.0.1:${port}`;
		const httpsAgent = new Agent({ ca: await readFile(cert) });
		const { data } = await axios.put<{ token: string }>(
			`${origin}/-/user/org.couchdb.user:publisher`,
			{ name: 'publisher', password: 'publisher-password' },
			{ httpsAgent, proxy: false },
		);
		const npmrc = join(folder, 'npmrc');
		// npm must not read the settings of this machine's user, who may have configured another registry.
		await writeFile(npmrc, '');
		const npmEnvironment = {
			NODE_EXTRA_CA_CERTS: cert,
			NPM_CONFIG_USERCONFIG: npmrc,
			NPM_CONFIG_GLOBALCONFIG: join(folder, 'npmrc-global'),
			NPM_CONFIG_CACHE: join(folder, 'npm-cache'),
			NPM_CONFIG_UPDATE_NOTIFIER: 'false',
		};
		const downloaded: string[] = [];
		server.onLine((line) => {
			const name = /"url":"[^"]*\/-\/([^"/]+\.tgz)"/.exec(line)?.[1];
			// There is one log line when the response begins, and one with its size when it has ended.
			if (name && /"status":200,.*"out":[1-9]/.test(line)) downloaded.push(name);
		});
		return {
			environment: {
				...npmEnvironment,
				HTTPS_PROXY: proxy.url,
				HTTP_PROXY: proxy.url,
				NO_PROXY: '127.0.0.1,localhost',
			},
			refusedHosts: proxy.refused,
			async publish(tarball) {
				await execFileAsync(
					'npm',
					[
						...['publish', tarball, '--ignore-scripts', '--registry', origin],
						`--//127.0.0.1:${port}/:_authToken=${data.token}`,
					],
					{ cwd: folder, env: { ...npmEnvironment, PATH: process.env.PATH, HOME: folder } },
				);
			},
			async tarball(name, version) {
				const { data: bytes } = await axios.get<Buffer>(
					`${origin}/${name}/-/${name}-${version}.tgz`,
					{ httpsAgent, proxy: false, responseType: 'arraybuffer' },
				);
				return bytes;
			},
			downloads: () => [...downloaded],
			async stop() {
				await proxy.close();
				await server.stop();
			},
		};
	} catch (error) {
		await server.stop();
		throw error;
	}
}
