// The last node of a workflow reports each execution here, outside n8n, so that it is known what arrived, whatever
// becomes of n8n and its database.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One execution: the JSON of all its items. */
export interface Report {
	/** The last part of the URL that it was sent to, which identifies the workflow. */
	from: string;
	/** When it arrived, in milliseconds since 1970. */
	at: number;
	items: Array<Record<string, unknown>>;
}

export interface Sink {
	/** Accepts `{ "items": […] }` at `<url>/<name of the workflow>`, and responds with 200 at once. */
	url: string;
	/** In the order of their arrival. */
	reports: Report[];
	/** Resolves once there are this many items. */
	waitForItems(count: number, timeoutMs: number): Promise<void>;
	/** Resolves with true once the reports satisfy a condition, and with false if nothing arrived for `quietMs`. */
	settled(enough: () => boolean, quietMs: number): Promise<boolean>;
	/** Forgets all reports. */
	clear(): void;
	close(): Promise<void>;
}

/** Starts a sink on a free port of this machine. */
export async function startSink(): Promise<Sink> {
	const reports: Report[] = [];
	const listeners = new Set<() => void>();
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { items } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Pick<Report, 'items'>;
			reports.push({ from: (request.url ?? '').slice(1), at: Date.now(), items });
			response.setHeader('content-type', 'application/json').end('{}');
			for (const listener of listeners) listener();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const count = () => reports.reduce((sum, { items }) => sum + items.length, 0);
	const wait = async (enough: () => boolean, patience: { ms: number; anew: boolean }) =>
		await new Promise<boolean>((resolve) => {
			let timer: NodeJS.Timeout;
			const finish = (value: boolean) => {
				clearTimeout(timer);
				listeners.delete(look);
				resolve(value);
			};
			const arm = () => {
				clearTimeout(timer);
				timer = setTimeout(() => finish(false), patience.ms);
			};
			const look = () => {
				if (enough()) finish(true);
				else if (patience.anew) arm();
			};
			arm();
			listeners.add(look);
			look();
		});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		reports,
		async waitForItems(wanted, timeoutMs) {
			if (await wait(() => count() >= wanted, { ms: timeoutMs, anew: false })) return;
			throw new Error(`${count()} of ${wanted} items after ${timeoutMs} ms`);
		},
		settled: async (enough, quietMs) => await wait(enough, { ms: quietMs, anew: true }),
		clear() {
			reports.length = 0;
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
