// The feed as it ships, with its bundled Socket.IO clients, built into a separate file: a soak run of an hour must not
// be affected if somebody builds the package in the meantime.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from 'esbuild';

const root = join(__dirname, '../..');

export async function loadFeed(): Promise<
	typeof import('../../nodes/VoiceManagementTrigger/feed/hub')
> {
	const folder = mkdtempSync(join(tmpdir(), 'voice-management-soak-'));
	const clients = join(folder, 'clients.js');
	const { bundleClients } = require(join(root, 'gulpfile.js')) as {
		bundleClients: (file: string) => Promise<unknown>;
	};
	await bundleClients(clients);
	const file = join(folder, 'feed.js');
	await build({
		entryPoints: [join(root, 'nodes/VoiceManagementTrigger/feed/hub.ts')],
		outfile: file,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		logLevel: 'error',
		plugins: [
			{
				name: 'clients',
				setup: (build) => build.onResolve({ filter: /^\.\/clients$/ }, () => ({ path: clients })),
			},
		],
	});
	return require(file) as typeof import('../../nodes/VoiceManagementTrigger/feed/hub');
}
