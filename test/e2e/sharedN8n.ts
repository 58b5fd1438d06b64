/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// One n8n instance for the suites of a folder that do not stop it and need no settings of their own, since n8n takes
// longer to start than most of them to run. Jest starts it before the first suite and ends it after the last.
import { startN8n, type RunningN8n } from './support/bench';
import { tellSharedN8n } from './support/environment';

/** The folders below test/e2e whose suites share one. */
const FOLDERS: readonly string[] = ['suites', 'examples', 'waits'];

let running: RunningN8n | undefined;

export default async function setup(): Promise<void> {
	const folder = process.env.VOICE_MANAGEMENT_FOLDER;
	if (!folder || !FOLDERS.includes(folder)) return;
	running = await startN8n({ name: folder, editor: true, codeNodes: folder !== 'suites' });
	tellSharedN8n(running.server.url);
}

/** For sharedN8nEnd.ts, since Jest takes one function per file. */
export async function end(): Promise<void> {
	await running?.end();
}
