/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A private certificate authority and a certificate signed by it, made by openssl, as for a provider inside a
// company.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProviderError } from '../options';

export interface Certificates {
	/** PEM. */
	key: string;
	/** PEM. */
	cert: string;
	/** File with the authority's certificate, for `NODE_EXTRA_CA_CERTS`. */
	caFile: string;
	/** Deletes the files. */
	remove(): void;
}

const names = 'DNS:localhost,DNS:*.example.com,IP:127.0.0.1,IP:::1';
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/**
 * Makes both, valid for a month, for `localhost`, `127.0.0.1`, `::1` and every name directly below `example.com`.
 * Throws ProviderError if openssl can't be run.
 */
export function makeCertificates(): Certificates {
	const folder = mkdtempSync(join(tmpdir(), 'simulated-provider-'));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	const openssl = (...args: string[]) =>
		execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
	try {
		const authority = ['-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Simulated authority'];
		openssl('req', '-x509', ...newKey, ...authority, '-days', '30');
		const request = [
			'-keyout',
			'key.pem',
			'-out',
			'request.pem',
			'-subj',
			'/CN=Simulated provider',
		];
		openssl('req', ...newKey, ...request, '-addext', `subjectAltName=${names}`);
		const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'cert.pem'];
		openssl(
			'x509',
			'-req',
			'-in',
			'request.pem',
			...signed,
			'-days',
			'30',
			'-copy_extensions',
			'copy',
		);
		return {
			key: readFileSync(join(folder, 'key.pem'), 'utf8'),
			cert: readFileSync(join(folder, 'cert.pem'), 'utf8'),
			caFile: join(folder, 'ca.pem'),
			remove,
		};
	} catch (error) {
		remove();
		const reason = error instanceof Error ? error.message : String(error);
		throw new ProviderError(`The certificates for TLS could not be made with openssl: ${reason}`);
	}
}
