// The Node.js versions that everything is measured with: those of the two n8n lines.
import { execFileSync } from 'node:child_process';

import { ensureNode } from '../../dev/n8n/install';
import { releases } from '../../dev/n8n/releases';
import type { Progress } from '../../dev/progress';

export interface Runtime {
	/** `Node 24.21.0` */
	name: string;
	major: number;
	binary: string;
	/** What the bundled client listens over there: Node has a WebSocket of its own from 22 on. */
	transport: 'websocket' | 'polling';
}

/** Newest first; fetched into the cache where they are missing. */
export async function runtimes(progress: Progress): Promise<Runtime[]> {
	const found: Runtime[] = [];
	for (const release of [releases['2.41'], releases['1.123']]) {
		const { binary } = await ensureNode(release, progress);
		const version = execFileSync(binary, ['-p', 'process.versions.node'], { encoding: 'utf8' });
		const major = Number(version.split('.')[0]);
		found.push({
			name: `Node ${version.trim()}`,
			major,
			binary,
			transport: major >= 22 ? 'websocket' : 'polling',
		});
	}
	return found;
}
