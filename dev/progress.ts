/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Shows what a long step is doing and for how long. On a terminal, one line is rewritten; elsewhere (CI, a pipe) a
// line is printed now and then, so that a log shows progress without being flooded.
import pc from 'picocolors';

const TTY_PERIOD_MS = 1_000;
const LOG_PERIOD_MS = 20_000;

/** `75_000` as `1:15`. */
export function formatElapsed(milliseconds: number): string {
	const seconds = Math.floor(milliseconds / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export interface Progress {
	/** Prints a line that stays. */
	log(line: string): void;
	/**
	 * Runs `work` and shows `title` with the elapsed time until it settles.
	 * @param detail may add a few words that change, such as how much has arrived
	 */
	during<T>(title: string, work: () => Promise<T>, detail?: () => string): Promise<T>;
}

/** Progress on a stream, by default stderr. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
	const clearLine = () => {
		if (stream.isTTY) stream.write('\r\x1b[K');
	};
	return {
		log(line) {
			stream.write(`${line}\n`);
		},
		async during(title, work, detail) {
			const startedAt = Date.now();
			const describe = () => {
				const words = detail?.();
				return `${title} ${pc.dim(`${formatElapsed(Date.now() - startedAt)}${words ? `, ${words}` : ''}`)}`;
			};
			const show = () => {
				if (stream.isTTY) stream.write(`\r\x1b[K${describe()}`);
				else stream.write(`${describe()}\n`);
			};
			show();
			const timer = setInterval(show, stream.isTTY ? TTY_PERIOD_MS : LOG_PERIOD_MS);
			try {
				const result = await work();
				clearLine();
				stream.write(
					`${title} ${pc.green('done')} ${pc.dim(formatElapsed(Date.now() - startedAt))}\n`,
				);
				return result;
			} catch (error) {
				clearLine();
				stream.write(
					`${title} ${pc.red('failed')} ${pc.dim(formatElapsed(Date.now() - startedAt))}\n`,
				);
				throw error;
			} finally {
				clearInterval(timer);
			}
		},
	};
}

/** Shows nothing: for tests that have their own output. */
export const silentProgress: Progress = {
	log() {},
	async during(_title, work) {
		return await work();
	},
};
