// A user folder in which n8n has started once and has its owner: an n8n with a copy of it starts in three quarters of
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
 * Fills a new user folder from the one in the cache, which is made the first time.
 * @throws UserError when the cache can't be written; Error when n8n does not start.
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
