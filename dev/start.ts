/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// `npm start`: the package in a real n8n against a simulated provider, live. Builds, starts and connects both, prints
// their URLs, then prints each event and each execution as it happens, until Ctrl-C.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import pc from 'picocolors';

import { ProviderError, startProvider, type Provider } from '../simulator';
import { cacheRoot } from './n8n/cacheFolder';
import { N8nClient, owner, type Workflow } from './n8n/client';
import { ensureN8n } from './n8n/install';
import { buildPackage, installTarball, packToTemporary, projectRoot } from './n8n/package';
import { newest, type N8nRelease } from './n8n/releases';
import { N8nServer } from './n8n/server';
import { isPortFree } from './process/ports';
import { tryLock } from './lock';
import { createProgress } from './progress';
import { readNumber } from './readNumber';
import {
	API_CREDENTIAL,
	CREDENTIAL_NAMES,
	SUPERVISOR_CREDENTIAL,
	credentialData,
	DEMOS,
	ensureCredential,
	ensureWorkflow,
	readDemo,
} from './setup';
import { UserError } from './userError';
import { describeEvent, watchExecutions } from './watch';

/** The trigger with which "number-management-run" is started once, so that there is something to see right away. */
const MANUAL_TRIGGER = 'Run now';

/** One Ctrl-C can arrive twice, from the terminal and from npm; a later one was pressed by the user. */
const IMPATIENT_MS = 1_500;

interface Options {
	n8nPort: number;
	simulatorPort: number;
	socketio: '4' | '2' | '1';
	rate: number;
	seed: number;
	data?: string;
	fresh: boolean;
}

function readPort(text: string): number {
	const port = Number(text);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new InvalidArgumentError('A port is a whole number from 1 to 65535.');
	}
	return port;
}

function readOptions(): Options {
	return new Command('npm start --')
		.description('Runs the package in a real n8n against a simulated provider, until Ctrl-C.')
		.option('--n8n-port <port>', 'port of n8n', readPort, 5678)
		.option('--simulator-port <port>', 'port of the simulated provider', readPort, 8080)
		.addOption(
			new Option('--socketio <version>', 'Socket.IO version of the provider')
				.choices(['4', '2', '1'])
				.default('4'),
		)
		.option('--rate <events>', 'generated events per second; 0 = none', readNumber, 1)
		.option(
			'--seed <number>',
			'seed of the calls: the same seed gives the same calls',
			readNumber,
			1,
		)
		.option(
			'--data <folder>',
			"folder that keeps n8n's data between starts (default: in the cache)",
		)
		.option('--fresh', 'delete what earlier starts have left in n8n', false)
		.showHelpAfterError('(npm start -- --help shows all options)')
		.parse()
		.opts<Options>();
}

async function assertPort(port: number, what: string, option: string): Promise<void> {
	if (await isPortFree(port)) return;
	throw new UserError(
		`Port ${port} for ${what} is in use: stop what uses it, or choose another with "npm start -- ${option} <port>".`,
	);
}

/** n8n's data is kept between starts, for each checkout and release. */
function userFolderOf(release: N8nRelease): string {
	const checkout = createHash('sha256').update(projectRoot).digest('hex').slice(0, 8);
	return join(cacheRoot(), `start-${release.label}-${checkout}`);
}

async function holdFolder(folder: string): Promise<() => void> {
	const release = await tryLock(`${folder}.holder`);
	if (release) return release;
	throw new UserError(
		`Another "npm start" uses ${folder}: stop it first (Ctrl-C where it runs), or give this one a folder of its own with "npm start -- --data <folder>".`,
	);
}

/** Everything that has to be ended, in the opposite order of its start. */
class Endings {
	private readonly steps: Array<() => unknown> = [];

	add(step: () => unknown): void {
		this.steps.push(step);
	}

	async run(): Promise<void> {
		for (const step of this.steps.splice(0).reverse()) {
			try {
				await step();
			} catch (error) {
				process.stderr.write(`While stopping: ${(error as Error).message}\n`);
			}
		}
	}
}

function printFacts(
	server: N8nServer,
	release: N8nRelease,
	provider: Provider,
	workflows: readonly Workflow[],
): void {
	const { numbers, api, supervisor } = provider.accounts;
	const rows = [
		[`n8n ${release.version}`, server.url, `login ${owner.email}, password ${owner.password}`],
		...workflows.map(({ name, id }) => [`workflow, active`, name, `${server.url}/workflow/${id}`]),
		[
			'simulated provider',
			provider.url,
			`console, to make calls and alerts happen: ${provider.url}/console`,
			`number management: ${numbers.login} / ${numbers.password}`,
			`supervisor: ${supervisor.login} / ${supervisor.password}`,
			`API account: ${api.login} / ${api.password}, client account ${api.clientId}`,
		],
		[`log of n8n (process ${server.pid})`, server.logFile],
		[
			'not for production',
			'everything listens on this machine only, with the passwords that are printed here',
		],
		['stop', 'Ctrl-C'],
	];
	for (const [what = '', ...lines] of rows)
		process.stdout.write(`\n${pc.bold(what)}\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

async function run(options: Options, endings: Endings, signal: AbortSignal): Promise<void> {
	const release = newest;
	const progress = createProgress();
	await assertPort(options.n8nPort, 'n8n', '--n8n-port');
	await assertPort(options.simulatorPort, 'the simulated provider', '--simulator-port');

	const install = await ensureN8n(release, progress, signal);
	const userFolder = options.data ? resolve(options.data) : userFolderOf(release);
	mkdirSync(dirname(userFolder), { recursive: true });
	endings.add(await holdFolder(userFolder));
	if (options.fresh) await rm(userFolder, { recursive: true, force: true });

	await progress.during('Building the package', async () => await buildPackage(signal));
	const { tarball, remove } = await packToTemporary();
	await installTarball(tarball, userFolder).finally(remove);
	signal.throwIfAborted();

	const provider = await startProvider({
		port: options.simulatorPort,
		socketio: Number(options.socketio) as 4 | 2 | 1,
		rate: options.rate,
		seed: options.seed,
	});
	endings.add(async () => await provider.close());
	signal.throwIfAborted();

	const server = new N8nServer({
		install,
		userFolder,
		port: options.n8nPort,
		editor: true,
		codeNodes: true,
		// Live runs pile up, so n8n deletes the oldest ones.
		environment: {
			EXECUTIONS_DATA_PRUNE_MAX_COUNT: '1000',
			EXECUTIONS_DATA_MAX_AGE: '24',
			// n8n downloads this list from the internet, and logs a stack trace each time if it is offline.
			N8N_VERIFIED_PACKAGES_ENABLED: 'false',
			// Times in messages use the user's time zone; n8n's default is New York.
			GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		},
	});
	endings.add(async () => await server.stop());
	signal.addEventListener('abort', () => void server.stop(), { once: true });
	await progress.during(`Starting n8n ${release.version}`, async () => await server.start());
	signal.throwIfAborted();

	const client = new N8nClient(server.url, release);
	await client.signIn();
	const credentials = [
		await ensureCredential(
			client,
			API_CREDENTIAL,
			CREDENTIAL_NAMES[API_CREDENTIAL],
			credentialData(provider, 'numbers'),
		),
		await ensureCredential(
			client,
			SUPERVISOR_CREDENTIAL,
			CREDENTIAL_NAMES[SUPERVISOR_CREDENTIAL],
			credentialData(provider, 'supervisor'),
		),
	];
	const workflows: Workflow[] = [];
	for (const demo of DEMOS) {
		const workflow = await ensureWorkflow(client, readDemo(demo), credentials);
		workflows.push(workflow);
		// It is active since an earlier start, so its triggers have to connect to the new provider.
		if (workflow.active) await client.deactivate(workflow.id);
		const activation = await client.activate(workflow.id);
		if (!activation.active) {
			throw new UserError(
				`The workflow "${workflow.name}" could not be activated: ${activation.error ?? activation.status}. Log of n8n: ${server.logFile}`,
			);
		}
	}
	signal.throwIfAborted();
	printFacts(server, release, provider, workflows);

	endings.add(
		provider.onEvent((name, args, reached) => {
			const line = describeEvent(name, args, reached);
			if (line) process.stdout.write(`${line}\n`);
		}),
	);
	endings.add(await watchExecutions(client, (line) => process.stdout.write(`${line}\n`)));
	const manual = workflows.find(({ nodes: own }) =>
		own.some(({ name }) => name === MANUAL_TRIGGER),
	);
	if (manual) await client.runManually(manual, MANUAL_TRIGGER);

	await new Promise<void>((resolve, reject) => {
		signal.addEventListener('abort', () => resolve(), { once: true });
		if (signal.aborted) resolve();
		void server.exited.then(({ code, signal: by }) => {
			if (signal.aborted) return;
			reject(
				new UserError(
					`n8n ended by itself (${by ? `signal ${by}` : `exit code ${code}`}). Its log: ${server.logFile}`,
				),
			);
		});
	});
}

async function main(): Promise<void> {
	const options = readOptions();
	const endings = new Endings();
	const abort = new AbortController();
	let stoppingSince = 0;
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => {
			if (!stoppingSince) {
				stoppingSince = Date.now();
				process.stderr.write('\nStopping…\n');
			} else if (name === 'SIGINT' && Date.now() - stoppingSince > IMPATIENT_MS) {
				// n8n's guard ends it even if this process exits at once.
				process.exit(130);
			}
			abort.abort(new Error('stopped'));
		});
	}
	try {
		await run(options, endings, abort.signal);
	} catch (error) {
		if (!abort.signal.aborted) {
			process.exitCode = 1;
			const forUser = error instanceof UserError || error instanceof ProviderError;
			process.stderr.write(
				`${pc.red(forUser ? (error as Error).message : String((error as Error).stack ?? error))}\n`,
			);
		}
	} finally {
		await endings.run();
		if (abort.signal.aborted) process.stderr.write('Stopped.\n');
	}
}

void main();
