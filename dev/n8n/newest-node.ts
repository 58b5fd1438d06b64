// Runs jest or the simulation on the Node.js of the newest n8n, which has WebSocket built in and is faster:
// `npm run test:newest-node -- <jest's options>`, `npm run simulate:newest-node -- <options of npm run simulate>`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { createProgress } from '../progress';
import { UserError } from '../userError';
import { ensureNode } from './install';
import { releases } from './releases';

const PROGRAMS: Readonly<Record<string, string[]>> = {
	jest: [require.resolve('jest/bin/jest')],
	simulate: ['--import', 'tsx', join(__dirname, '../../test/simulation/simulate.ts')],
};

async function main(): Promise<void> {
	const [, , program = '', ...options] = process.argv;
	const { binary } = await ensureNode(releases['2.41'], createProgress());
	const args = [...(PROGRAMS[program] ?? []), ...options];
	const { status } = spawnSync(binary, args, { stdio: 'inherit' });
	process.exitCode = status ?? 1;
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof UserError ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
