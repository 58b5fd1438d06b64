/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Fills the cache without starting n8n: `tsx dev/n8n/install-cli.ts [<version>]`.
import { createProgress } from '../progress';
import { UserError } from '../userError';
import { ensureN8n } from './install';
import { newest, releaseOf } from './releases';

async function main(labels: string[]): Promise<void> {
	const progress = createProgress();
	const known = [newest.label];
	for (const label of labels.length > 0 ? labels : known) {
		const release = releaseOf(label);
		if (!release)
			throw new UserError(
				`There is no n8n "${label}" here: choose one of ${known.join(', ')}, or an exact version.`,
			);
		const { folder } = await ensureN8n(release, progress);
		progress.log(`n8n ${release.version} is ready: ${folder}`);
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	process.stderr.write(
		`${error instanceof UserError ? error.message : String((error as Error).stack ?? error)}\n`,
	);
	process.exitCode = 1;
});
