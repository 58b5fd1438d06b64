/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A throwaway n8n instance: its own user folder, its own loopback ports, nothing shared with the user's own instance.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

import { GuardedProcess, type ProgramExit } from '../process/guarded';
import { freePorts } from '../process/ports';
import { cacheRoot } from './cacheFolder';
import { CONTAINERS, type N8nInstall } from './install';

/** n8n prints this when its REST interface is ready; its health check responds earlier, before the migrations. */
const READY = /Editor is now accessible/;
const READY_TIMEOUT_MS = 180_000;

export interface N8nServerOptions {
	install: N8nInstall;
	/** n8n keeps everything below `<userFolder>/.n8n`. */
	userFolder: string;
	/** The file for its output; `<userFolder>/n8n.log` if omitted. */
	logFile?: string;
	/** A free port if omitted. */
	port?: number;
	/** Settings in addition to those that every instance here gets. */
	environment?: Readonly<Record<string, string>>;
	/** n8n's command: `start`, or `worker` in queue mode. */
	command?: 'start' | 'worker';
	/** Serve the editor as well, and what the editor knows of nodes: takes a quarter of the start. */
	editor?: boolean;
	/** Run Code nodes, in a process of their own: takes a fifth of the start of n8n 2. */
	codeNodes?: boolean;
	/** How long n8n may take to finish running executions when it is stopped, in milliseconds. */
	graceMs?: number;
}

/** The part of our own environment that programs need: no `N8N_…`, no proxy, no secrets. */
function inherited(): Record<string, string> {
	const names = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'USER', 'NODE_EXTRA_CA_CERTS'];
	return Object.fromEntries(
		names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
	);
}

export class N8nServer {
	readonly logFile: string;

	private process?: GuardedProcess;

	private port = 0;

	/** The name of its container, if it runs in one. */
	private container?: string;

	constructor(private readonly options: N8nServerOptions) {
		mkdirSync(options.userFolder, { recursive: true });
		this.logFile = options.logFile ?? join(options.userFolder, 'n8n.log');
	}

	/** `http://127.0.0.1:<port>`; the port stays the same after a restart. */
	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	get running(): boolean {
		return this.process?.running ?? false;
	}

	/** n8n's own process id. */
	get pid(): number {
		return this.process?.pid ?? 0;
	}

	/** Settles when the running n8n has ended, in any way. */
	get exited(): Promise<ProgramExit> {
		if (!this.process) throw new Error('n8n was not started');
		return this.process.exited;
	}

	/**
	 * Starts n8n and resolves when it is ready.
	 * @param settings of this start, in addition to its others
	 * @throws Error with n8n's last output if it ends or does not become ready.
	 */
	async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
		if (this.running) throw new Error('n8n is already running');
		// n8n needs more than its own port: the broker of its task runners has a fixed default port, on which two
		// instances would collide. The runner itself listens for health checks.
		const [freePort = 0, brokerPort, runnerPort] = await freePorts(3);
		this.port ||= this.options.port ?? freePort;
		appendFileSync(this.logFile, `--- ${new Date().toISOString()} starting n8n\n`);
		const environment: Record<string, string> = {
			N8N_USER_FOLDER: this.options.userFolder,
			N8N_HOST: '127.0.0.1',
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: String(this.port),
			N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
			N8N_RUNNERS_BROKER_PORT: String(brokerPort),
			N8N_RUNNERS_HEALTH_CHECK_SERVER_HOST: '127.0.0.1',
			N8N_RUNNERS_HEALTH_CHECK_SERVER_PORT: String(runnerPort),
			N8N_ENCRYPTION_KEY: 'throwaway-instance-without-secrets',
			// Nothing leaves this machine.
			N8N_DIAGNOSTICS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
			N8N_TEMPLATES_ENABLED: 'false',
			N8N_PERSONALIZATION_ENABLED: 'false',
			N8N_HIRING_BANNER_ENABLED: 'false',
			EXTERNAL_FRONTEND_HOOKS_URLS: '',
			// Plain HTTP on loopback.
			N8N_SECURE_COOKIE: 'false',
			N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
			N8N_LOG_LEVEL: process.env.N8N_LOG_LEVEL ?? 'info',
			N8N_LOG_OUTPUT: 'console',
			NO_COLOR: '1',
			N8N_DISABLE_UI: String(!this.options.editor),
			// Seconds that running executions get when n8n is stopped.
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
			// n8n then expects an external process for Code nodes, which is never started here.
			...(!this.options.codeNodes && {
				N8N_RUNNERS_MODE: 'external',
				N8N_RUNNERS_AUTH_TOKEN: 'nobody comes with it',
			}),
			...this.options.install.release.environment,
			...this.options.environment,
			...settings,
		};
		this.process = new GuardedProcess({
			...this.program(environment),
			cwd: this.options.userFolder,
			logFile: this.logFile,
			graceMs: this.options.graceMs ?? 8_000,
		});
		const ready = this.options.command === 'worker' ? /n8n worker is now ready/i : READY;
		try {
			await this.process.waitForLine(ready, READY_TIMEOUT_MS);
		} catch (error) {
			await this.process.stop();
			throw error;
		}
	}

	/** n8n itself, or its image on this machine's network: it keeps its user folder where it is. */
	private program(environment: Record<string, string>) {
		const { install, userFolder, command = 'start' } = this.options;
		const { image } = install.release;
		if (!image) {
			// Without it, each start would compile thousands of files again. An instance that ends by itself writes it.
			const NODE_COMPILE_CACHE = join(cacheRoot(), 'compiled');
			const env = { ...inherited(), NODE_COMPILE_CACHE, ...environment };
			return { command: install.node.binary, args: [install.script, command], env };
		}
		this.container = `voice-management-${randomUUID()}`;
		const { uid, gid } = userInfo();
		const settings = Object.entries(environment).flatMap(([name, value]) => [
			'--env',
			`${name}=${value}`,
		]);
		const args = [
			...['run', '--rm', '--init', '--name', this.container, '--network', 'host'],
			...['--user', `${uid}:${gid}`, '--volume', `${userFolder}:${userFolder}`],
			...settings,
			image,
			command,
		];
		return { command: CONTAINERS, args, env: process.env };
	}

	/** Stops n8n and everything it started. Harmless if it is not running. */
	async stop(): Promise<void> {
		await this.process?.stop();
	}

	/** Kills n8n without a warning, as a crash would. */
	async crash(): Promise<void> {
		if (this.container) spawnSync(CONTAINERS, ['kill', this.container]);
		await this.process?.crash();
	}

	/** Stops n8n if it is running and starts it again with the same user folder and port. */
	async restart(): Promise<void> {
		await this.stop();
		await this.start();
	}

	/** n8n's last output lines. */
	output(): string {
		return this.process?.output() ?? '';
	}

	/** Calls back for each line that the running n8n prints. */
	onLine(listener: (line: string) => void): () => void {
		if (!this.process) throw new Error('n8n was not started');
		return this.process.onLine(listener);
	}

	/**
	 * Highest resident memory of n8n's main process so far, in bytes (Linux only).
	 * @throws Error if n8n is not running.
	 */
	peakMemory(): number {
		const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
		return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
	}
}
