/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The settings that run.ts passes to the suites in environment variables, since Jest passes nothing else on.
import { newest, releaseOf, type N8nRelease } from '../../../dev/n8n/releases';

/** The n8n release of this run; by default the newest. */
export function chosenRelease(): N8nRelease {
	const label = process.env.VOICE_MANAGEMENT_N8N ?? newest.label;
	const release = releaseOf(label);
	if (!release) throw new Error(`VOICE_MANAGEMENT_N8N is "${label}": use an exact version`);
	return release;
}

/** Whether the drills of many minutes run as well. */
export const isLong = process.env.VOICE_MANAGEMENT_LONG === 'true';

/** The tarball under test: run.ts builds and packs it once for all suites. */
export function tarballUnderTest(): string {
	const tarball = process.env.VOICE_MANAGEMENT_TARBALL;
	if (!tarball)
		throw new Error(
			'VOICE_MANAGEMENT_TARBALL is not set: start the suites with "npm run test:n8n"',
		);
	return tarball;
}

const SHARED_URL = 'VOICE_MANAGEMENT_SHARED_N8N_URL';

/** Passes the URL of the shared n8n instance to the suites. */
export function tellSharedN8n(url: string): void {
	process.env[SHARED_URL] = url;
}

/** The URL of the n8n instance that the suites of this folder share. */
export function sharedN8nUrl(): string {
	const url = process.env[SHARED_URL];
	if (!url)
		throw new Error(
			'No n8n is shared in this folder: use startBench, or add the folder to sharedN8n.ts',
		);
	return url;
}
