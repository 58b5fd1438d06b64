// The n8n release that this project is tested with. Any other version can be installed for a run of the compatibility
// matrix.

export interface N8nRelease {
	/** Folder next to this file with the package.json and lock file of the pinned release; other releases have none. */
	folder?: 'v2';
	/** Its name on the command line: the line of a pinned release, the version or the image of another. */
	label: string;
	/** The container image to run, instead of an installation. */
	image?: string;
	version: string;
	/** Exact version of Node.js to download if the running one does not fit. */
	nodeVersion: string;
	/** Major version of Node.js that this release runs with. */
	nodeMajor: number;
	/**
	 * Further options of npm. For a pinned release, those with which its lock file was made: with others, npm removes
	 * or adds packages that are only peer dependencies.
	 */
	installFlags: readonly string[];
	/** Versions of packages that npm must not choose by itself. */
	overrides?: Readonly<Record<string, string>>;
	/** Peer dependencies of its packages, if npm is told not to resolve these. */
	peers?: Readonly<Record<string, string>>;
	/** Packages whose native part is compiled after an install without scripts. */
	nativePackages: readonly string[];
	/** Settings that only this release knows. */
	environment: Readonly<Record<string, string>>;
	/**
	 * How a workflow is activated: by an update of the workflow (1.x), by a request that responds when the triggers
	 * run, or through the publication service (2.40 and newer), which is polled until it has decided.
	 */
	activation: 'update' | 'request' | 'publication';
}

const v2: N8nRelease = {
	folder: 'v2',
	label: '2.41',
	version: '2.41.1',
	nodeVersion: '24.21.0',
	nodeMajor: 24,
	installFlags: ['--legacy-peer-deps'],
	nativePackages: ['sqlite3'],
	// It would contact n8n's own registry at each start. The 1.x line refuses to start if it is told to disable an
	// unknown module.
	environment: { N8N_DISABLED_MODULES: 'mcp-registry' },
	activation: 'publication',
};

/** The pinned release. */
export const newest = v2;

/** n8n 1.x, of which its makers make no new ones: the package still runs there, but nothing is promised. */
const v1: N8nRelease = {
	...v2,
	nodeVersion: '20.20.2',
	nodeMajor: 20,
	installFlags: [],
	nativePackages: ['sqlite3', 'isolated-vm'],
	// By default there is a single connection: the transactions of two concurrent requests interfere with each other,
	// and n8n may then refuse every change until it is restarted. Its own documentation advises a pool; n8n 2 always
	// has one.
	environment: { DB_SQLITE_POOL_SIZE: '4' },
	activation: 'update',
};

/**
 * The releases of `npm run test:n8n -- --matrix`, newest first: one n8n of each quarter of the last year, in addition
 * to the pinned one, which is the newest that the registry has all packages of, and the last line of n8n 1. n8n is published without a lock file, and newer versions of its dependencies break older
 * releases. So npm installs the packages of a certain day, and the overrides fix what that does not.
 */
export const quarters: Readonly<
	Record<string, Partial<Pick<N8nRelease, 'installFlags' | 'overrides' | 'peers'>>>
> = {
	'2.35.7': {},
	'2.14.2': { installFlags: ['--before=2026-09-02'] },
	'2.11.4': {
		// Without peers: npm needs more than ten minutes to find a set that fits.
		installFlags: [...v2.installFlags, '--before=2026-09-02'],
		// Later versions need a newer LangChain core than this n8n has.
		overrides: { '@langchain/langgraph-checkpoint': '1.0.0' },
		peers: { '@opentelemetry/core': '^2.9.0', '@opentelemetry/sdk-trace-base': '^2.9.0' },
	},
	'1.123.81': { overrides: { 'isolated-vm': '5.0.4' } },
};

/**
 * A release by its label, its exact version, or its container image.
 * @param name `2.41`, a version such as `2.8.4`, or an image with its tag such as `n8nio/n8n:3.0.0`
 * @returns undefined if it is neither
 */
export function releaseOf(name: string): N8nRelease | undefined {
	if (name === newest.label || name === newest.version) return newest;
	if (/^[\w./-]+:[\w.-]+$/.test(name)) {
		return {
			...v2,
			folder: undefined,
			label: name,
			version: name.slice(name.lastIndexOf(':') + 1),
			image: name,
			// n8n 3 does not load packages that n8n has not verified unless it is told to.
			environment: { ...v2.environment, N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' },
		};
	}
	const [, major, minor] = (/^(\d+)\.(\d+)\.\d+$/.exec(name) ?? []).map(Number);
	if (major === undefined || minor === undefined) return undefined;
	const line = major < 2 ? v1 : v2;
	const activation = major < 2 ? 'update' : major === 2 && minor < 40 ? 'request' : 'publication';
	// An older release would not start if told to disable a module that it does not know.
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
