// The n8n releases that this project is run with: the newest line, and the last one that takes Node 20. Any other
// version can be installed for a run of the compatibility matrix.

export interface N8nRelease {
	/** Folder with the package.json and lock file of a pinned release, beside this file; the others have none. */
	folder?: 'v1' | 'v2';
	/** What the command lines call it: the line of a pinned release, the version of another. */
	label: string;
	version: string;
	/** Exact Node.js to fetch where the running one does not fit. */
	nodeVersion: string;
	/** Majors of Node.js that this release is run with. */
	nodeMajor: number;
	/**
	 * What npm is told besides: for a pinned release how its lock file was made, since with another way npm takes out or
	 * adds packages that are only somebody's peer.
	 */
	installFlags: readonly string[];
	/** Versions of packages that npm must not choose by itself. */
	overrides?: Readonly<Record<string, string>>;
	/** What packages of it ask for beside themselves, where npm is told not to look. */
	peers?: Readonly<Record<string, string>>;
	/** Packages whose native part is compiled after an install without scripts. */
	nativePackages: readonly string[];
	/** Settings that this release alone knows. */
	environment: Readonly<Record<string, string>>;
	/**
	 * How a workflow is activated: by an update of the workflow (1.x), by a request that answers when the triggers run,
	 * or through the publication service (2.40 and newer), which is asked until it has settled.
	 */
	activation: 'update' | 'request' | 'publication';
}

/** The releases that are pinned, by what the command lines call them. */
export type PinnedLabel = '2.41' | '1.123';

const v2: N8nRelease = {
	folder: 'v2',
	label: '2.41',
	version: '2.41.1',
	nodeVersion: '24.21.0',
	nodeMajor: 24,
	installFlags: ['--legacy-peer-deps'],
	nativePackages: ['sqlite3'],
	// It would ask a registry of n8n's own at each start. The 1.x line refuses to start with a module it does not know.
	environment: { N8N_DISABLED_MODULES: 'mcp-registry' },
	activation: 'publication',
};

const v1: N8nRelease = {
	folder: 'v1',
	label: '1.123',
	version: '1.123.81',
	nodeVersion: '20.20.2',
	nodeMajor: 20,
	installFlags: [],
	nativePackages: ['sqlite3', 'isolated-vm'],
	// Its default is one connection for all: with two requests at a time their transactions get into each other's way, and it
	// may refuse every change until it is started again. Its own documentation advises a pool; n8n 2 has nothing else.
	environment: { DB_SQLITE_POOL_SIZE: '4' },
	activation: 'update',
};

export const releases: Readonly<Record<PinnedLabel, N8nRelease>> = {
	'2.41': v2,
	'1.123': v1,
};

/**
 * What `npm run test:n8n -- --matrix` runs, newest first: an n8n of each quarter of the last year, beside the pinned ones.
 * n8n is published without a lock file, and packages that an older one allows have left it behind: so npm takes what there
 * was on a day, and what even that does not mend is named.
 */
export const quarters: Readonly<
	Record<string, Partial<Pick<N8nRelease, 'installFlags' | 'overrides' | 'peers'>>>
> = {
	'2.35.7': {},
	'2.14.2': { installFlags: ['--before=2026-09-02'] },
	'2.11.4': {
		// Without peers: npm needs more than ten minutes to find out which of them fit.
		installFlags: [...v2.installFlags, '--before=2026-09-02'],
		// Later ones ask for a newer core of LangChain than this n8n has.
		overrides: { '@langchain/langgraph-checkpoint': '1.0.0' },
		peers: { '@opentelemetry/core': '^2.9.0', '@opentelemetry/sdk-trace-base': '^2.9.0' },
	},
};

/**
 * A release by its label, or by an exact version.
 * @param name `2.41`, `1.123`, or a version such as `2.8.4`
 * @returns undefined where it is neither
 */
export function releaseOf(name: string): N8nRelease | undefined {
	const pinned = Object.values(releases).find(
		({ label, version }) => name === label || name === version,
	);
	if (pinned) return pinned;
	const [, major, minor] = (/^(\d+)\.(\d+)\.\d+$/.exec(name) ?? []).map(Number);
	if (major === undefined || minor === undefined) return undefined;
	const line = major < 2 ? v1 : v2;
	const activation = major < 2 ? 'update' : major === 2 && minor < 40 ? 'request' : 'publication';
	// A module that it does not know yet would keep an older one from starting.
	const environment = major === 2 && minor < 20 ? {} : line.environment;
	return {
		...line,
		folder: undefined,
		label: name,
		version: name,
		environment,
		activation,
		...quarters[name],
	};
}
