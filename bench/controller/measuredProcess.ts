// A process of its own for each measured thing, under the Node.js that is asked for.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export class MeasuredProcess {
	private readonly child: ChildProcess;

	private readonly waiting = new Map<
		number,
		{ resolve: (value: unknown) => void; reject: (error: Error) => void }
	>();

	private requests = 0;

	/**
	 * @param script compiled JavaScript that serves commands (measured/commands.ts)
	 * @param binary of the Node.js to run it with
	 */
	constructor(script: string, binary: string, flags: readonly string[] = []) {
		this.child = fork(script, [], {
			execPath: binary,
			execArgv: [...flags],
			env: { PATH: process.env.PATH, HOME: process.env.HOME },
			stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		});
		this.child.on('message', (message: { id: number; result?: unknown; error?: string }) => {
			const request = this.waiting.get(message.id);
			this.waiting.delete(message.id);
			if (message.error === undefined) request?.resolve(message.result);
			else request?.reject(new Error(message.error));
		});
		this.child.on('exit', (code, signal) => {
			for (const { reject } of this.waiting.values()) {
				reject(new Error(`${script} ended (${signal ?? code}) before it answered`));
			}
		});
	}

	get pid(): number {
		return this.child.pid ?? 0;
	}

	/** @throws Error with the other side's stack where the command failed or the process ended. */
	async call<T = void>(command: string, argument: unknown = {}): Promise<T> {
		const id = ++this.requests;
		const answer = new Promise<unknown>((resolve, reject) => {
			this.waiting.set(id, { resolve, reject });
		});
		this.child.send({ id, command, argument });
		return (await answer) as T;
	}

	async stop(): Promise<void> {
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		const exited = once(this.child, 'exit');
		this.child.kill('SIGKILL');
		await exited;
	}
}
