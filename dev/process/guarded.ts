/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Starts a program that can't outlive this process, keeps its output, and stops it with everything it started.
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const GUARD = join(__dirname, 'guard.cjs');
/** Number of output lines kept in memory; the log file has all of them. */
const KEPT_LINES = 2_000;

export interface GuardedOptions {
	command: string;
	args: readonly string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** All output is appended there. */
	logFile: string;
	/** How long the program may take to end after SIGTERM, in milliseconds. */
	graceMs?: number;
}

export interface ProgramExit {
	code: number | null;
	signal: string | null;
}

export class GuardedProcess {
	/** Settles when the program has ended and its process group is gone; never rejects. */
	readonly exited: Promise<ProgramExit>;

	/** Process id of the program itself (not of the guard). */
	pid = 0;

	private readonly guard: ChildProcess;

	private readonly log: WriteStream;

	private readonly emitter = new EventEmitter();

	private readonly lines: string[] = [];

	private hasExited = false;

	constructor(options: GuardedOptions) {
		this.log = createWriteStream(options.logFile, { flags: 'a' });
		this.guard = spawn(
			process.execPath,
			[GUARD, String(options.graceMs ?? 5_000), options.command, ...options.args],
			{
				cwd: options.cwd,
				env: options.env,
				stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
				// With its own process group the program does not get the terminal's Ctrl-C: this process stops things in
				// order.
				detached: true,
			},
		);
		for (const stream of [this.guard.stdout!, this.guard.stderr!]) {
			createInterface({ input: stream }).on('line', (line) => this.keep(line));
		}
		this.exited = new Promise((resolve) => {
			let exit: ProgramExit = { code: null, signal: null };
			this.guard.on('message', (message: { pid?: number; exit?: ProgramExit; error?: string }) => {
				if (message.pid) this.pid = message.pid;
				if (message.exit) exit = message.exit;
				if (message.error) this.keep(message.error);
			});
			this.guard.once('close', () => {
				this.hasExited = true;
				this.log.end(() => resolve(exit));
				this.emitter.emit('exit');
			});
			this.guard.once('error', (error) => this.keep(error.message));
		});
	}

	get running(): boolean {
		return !this.hasExited;
	}

	/** The last lines that the program printed. */
	output(): string {
		return this.lines.join('\n');
	}

	/** Calls back for each line printed from now on; returns a function that stops this. */
	onLine(listener: (line: string) => void): () => void {
		this.emitter.on('line', listener);
		return () => this.emitter.off('line', listener);
	}

	/**
	 * Resolves with the first matching line, printed already or later.
	 * @throws Error with the last output if the program ends first or the time is over.
	 */
	async waitForLine(pattern: RegExp, timeoutMs: number): Promise<string> {
		const seen = this.lines.find((line) => pattern.test(line));
		if (seen !== undefined) return seen;
		return await new Promise((resolve, reject) => {
			const finish = (settle: () => void) => {
				clearTimeout(timer);
				stopListening();
				this.emitter.off('exit', onExit);
				settle();
			};
			const fail = (what: string) =>
				finish(() =>
					reject(new Error(`${what}. Its last output:\n${this.lines.slice(-30).join('\n')}`)),
				);
			const onExit = () => fail(`The program ended before it printed ${pattern}`);
			const timer = setTimeout(
				() => fail(`The program did not print ${pattern} within ${timeoutMs} ms`),
				timeoutMs,
			);
			const stopListening = this.onLine((line) => {
				if (pattern.test(line)) finish(() => resolve(line));
			});
			if (this.hasExited) onExit();
			else this.emitter.once('exit', onExit);
		});
	}

	/** Ends the program: SIGTERM, and after the grace time SIGKILL for its whole process group. */
	async stop(): Promise<ProgramExit> {
		if (!this.hasExited) this.guard.kill('SIGTERM');
		return await this.exited;
	}

	/** Kills the program itself without a warning, as a crash would. */
	async crash(): Promise<ProgramExit> {
		if (!this.hasExited && this.pid === 0) await once(this.guard, 'message');
		try {
			process.kill(this.pid, 'SIGKILL');
		} catch {
			// It had ended already.
		}
		return await this.exited;
	}

	private keep(line: string): void {
		this.log.write(`${line}\n`);
		this.lines.push(line);
		if (this.lines.length > KEPT_LINES) this.lines.shift();
		this.emitter.emit('line', line);
	}
}
