// Runs jest on the Node.js of the newest n8n, which has WebSocket built in: `npm run test:newest-node -- <jest's
// options>`.
import { spawnSync } from 'node:child_process';
import { createProgress } from '../progress';
import { UserError } from '../userError';
import { ensureNode } from './install';
import { releases } from './releases';

async function main(): Promise<void> {
	const { binary } = await ensureNode(releases['2.41'], createProgress());
	const jest = require.resolve('jest/bin/jest');
	const { status } = spawnSync(binary, [jest, ...process.argv.slice(2)], { stdio: 'inherit' });
	process.exitCode = status ?? 1;
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof UserError ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
