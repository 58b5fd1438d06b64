/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// An npm registry on loopback that stands in for n8n's default one, and the means to publish to it: as much of the
// protocol as `npm publish`, `npm install` and n8n use. n8n lets only licensed instances name another registry
// (N8N_COMMUNITY_PACKAGES_REGISTRY), so this one is reached as many companies reach theirs: through a proxy, with a
// private certificate.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';

import type { N8nInstall } from '../../../dev/n8n/install';
import { UserError } from '../../../dev/userError';
import { startForwardProxy } from '../../support/forwardProxy';
import { present } from '../../support/present';

const execFileAsync = promisify(execFile);

/** What `npm publish` sends, and what the registry answers about a package. */
interface Packument {
	name: string;
	versions: Record<string, { dist: { tarball: string } }>;
	'dist-tags': Record<string, string>;
	_attachments?: Record<string, { data: string }>;
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
	tarball(name: string, version: string): Buffer;
	/** The tarballs that were downloaded so far, as `name-version.tgz`. */
	downloads(): string[];
	stop(): Promise<void>;
}

/** The packages of the registry, and its answers to requests that change nothing. */
class Packages {
	private readonly packuments = new Map<string, Packument>();

	/** By file name. */
	readonly tarballs = new Map<string, Buffer>();

	add({ _attachments = {}, ...sent }: Packument): void {
		for (const [file, { data }] of Object.entries(_attachments))
			this.tarballs.set(file, Buffer.from(data, 'base64'));
		const before = this.packuments.get(sent.name);
		this.packuments.set(sent.name, {
			...sent,
			versions: { ...before?.versions, ...sent.versions },
			'dist-tags': { ...before?.['dist-tags'], ...sent['dist-tags'] },
		});
	}

	/** @returns undefined if there is nothing at this path */
	at(path: string, origin: string): object | Buffer | undefined {
		const [name = '', ...rest] = path.slice(1).split('/').map(decodeURIComponent);
		if (rest[0] === '-') return this.tarballs.get(rest[1] ?? '');
		const packument = this.packuments.get(name);
		if (!packument) return undefined;
		const versions = Object.fromEntries(
			Object.entries(packument.versions).map(([version, { dist, ...manifest }]) => {
				const tarball = `${origin}/${name}/-/${name}-${version}.tgz`;
				return [version, { ...manifest, dist: { ...dist, tarball } }];
			}),
		);
		const [version] = rest;
		if (version === undefined) return { ...packument, versions };
		return versions[packument['dist-tags'][version] ?? version];
	}
}

/**
 * Starts an empty registry.
 * @param folder for npm's files
 * @throws UserError if a program that it needs is missing.
 */
export async function startRegistry(install: N8nInstall, folder: string): Promise<Registry> {
	const host = await defaultRegistryHost(install);
	await mkdir(folder, { recursive: true });
	const { key, cert } = await makeCertificate(folder, host);
	const packages = new Packages();
	const downloaded: string[] = [];
	const server = createServer(
		{ key: await readFile(key), cert: await readFile(cert) },
		(request, response) => {
			const { method, url = '', headers } = request;
			const answer = async () => {
				if (method === 'PUT') {
					packages.add((await json(request)) as Packument);
					return response.writeHead(201).end('{}');
				}
				const found = packages.at(url.replace(/\?.*/, ''), `https://${headers.host}`);
				if (!found) return response.writeHead(404).end('{}');
				if (!Buffer.isBuffer(found)) return response.end(JSON.stringify(found));
				downloaded.push(url.replace(/.*\//, ''));
				response.end(found);
			};
			answer().catch((error: Error) => response.writeHead(500).end(error.message));
		},
	);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const proxy = await startForwardProxy({ hosts: { [host]: port } });
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
					...['publish', tarball, '--ignore-scripts', '--registry', `https://127.0.0.1:${port}`],
					`--//127.0.0.1:${port}/:_authToken=any`,
				],
				{ cwd: folder, env: { ...npmEnvironment, PATH: process.env.PATH, HOME: folder } },
			);
		},
		tarball: (name, version) => present(packages.tarballs.get(`${name}-${version}.tgz`)),
		downloads: () => [...downloaded],
		async stop() {
			await proxy.close();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
