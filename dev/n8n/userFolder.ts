/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A user folder in which n8n has started once and has its owner: with a copy of it, n8n starts in three quarters of
// the processor time.
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Progress } from '../progress';
import { ensureFolder } from './cacheFolder';
import { N8nClient } from './client';
import type { N8nInstall } from './install';
import { N8nServer } from './server';

const DATA = '.n8n';

/**
 * Fills a new user folder from the one in the cache, which is created on first use.
 * @throws UserError if the cache can't be written; Error if n8n does not start.
 */
export async function prepareUserFolder(
	userFolder: string,
	install: N8nInstall,
	progress: Progress,
): Promise<void> {
	const prepared = await ensureFolder(
		{
			name: `${basename(install.folder)}-user`,
			title: `the tables of n8n ${install.release.version}`,
			bytesNeeded: 50e6,
			essentialFiles: [join(DATA, 'database.sqlite')],
			async make(folder) {
				const server = new N8nServer({ install, userFolder: folder });
				await server.start();
				try {
					await new N8nClient(server.url, install.release).signIn();
				} finally {
					await server.stop();
				}
			},
		},
		progress,
	);
	await cp(join(prepared, DATA), join(userFolder, DATA), { recursive: true });
}
