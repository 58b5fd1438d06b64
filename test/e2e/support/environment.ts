// What run.ts tells the suites: jest hands environment variables down, nothing else.
import { releaseOf, releases, type N8nRelease } from '../../../dev/n8n/releases';

/** The n8n that this run is about; the newest unless told. */
export function chosenRelease(): N8nRelease {
	const label = process.env.VOICE_MANAGEMENT_N8N ?? '2.41';
	const release = releaseOf(label);
	if (!release) {
		const known = Object.keys(releases).join(', ');
		throw new Error(`VOICE_MANAGEMENT_N8N is "${label}": use ${known} or an exact version`);
	}
	return release;
}

/** The tarball under test: run.ts builds and packs it once for all suites. */
export function tarballUnderTest(): string {
	const tarball = process.env.VOICE_MANAGEMENT_TARBALL;
	if (!tarball)
		throw new Error(
			'VOICE_MANAGEMENT_TARBALL is not set: start the suites with "npm run test:n8n"',
		);
	return tarball;
}
