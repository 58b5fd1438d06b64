// The n8n releases that this project is run with: the newest line, and the last one that takes Node 20.

export interface N8nRelease {
	/** Folder with the package.json and lock file of this release, beside this file. */
	folder: 'v1' | 'v2';
	/** What the command lines call it. */
	label: '2.41' | '1.123';
	version: string;
	/** Exact Node.js to fetch where the running one does not fit. */
	nodeVersion: string;
	/** Majors of Node.js that this release is run with. */
	nodeMajor: number;
	/**
	 * How its lock file was made, and so has to be installed: with the other way npm takes out or adds
	 * packages that are only somebody's peer.
	 */
	peerFlags: readonly string[];
	/** Packages whose native part is compiled after an install without scripts. */
	nativePackages: readonly string[];
	/** Settings that this release alone knows. */
	environment: Readonly<Record<string, string>>;
	/** Whether a workflow is activated through the publication service (n8n 2.40 and newer). */
	publishes: boolean;
}

const v2: N8nRelease = {
	folder: 'v2',
	label: '2.41',
	version: '2.41.1',
	nodeVersion: '24.21.0',
	nodeMajor: 24,
	peerFlags: ['--legacy-peer-deps'],
	nativePackages: ['sqlite3'],
	// It would ask a registry of n8n's own at each start. The 1.x line refuses to start with a module it does not know.
	environment: { N8N_DISABLED_MODULES: 'mcp-registry' },
	publishes: true,
};

const v1: N8nRelease = {
	folder: 'v1',
	label: '1.123',
	version: '1.123.81',
	nodeVersion: '20.20.2',
	nodeMajor: 20,
	peerFlags: [],
	nativePackages: ['sqlite3', 'isolated-vm'],
	environment: {},
	publishes: false,
};

export const releases: Readonly<Record<N8nRelease['label'], N8nRelease>> = {
	'2.41': v2,
	'1.123': v1,
};
