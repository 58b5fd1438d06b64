/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The last node of a workflow reports each execution here, outside n8n, so that it is known what arrived, whatever
// becomes of n8n and its database.
import { answerWith } from '../../support/answers';

/** One execution: the JSON of all its items. */
export interface Report {
	/** The last part of the URL that it was sent to, which identifies the workflow. */
	from: string;
	items: Array<Record<string, unknown>>;
}

export interface Sink {
	/** Accepts `{ "items": […] }` at `<url>/<name of the workflow>`, and responds with 200 at once. */
	url: string;
	/** In the order of their arrival. */
	reports: Report[];
	/** Resolves with true once the reports satisfy a condition, and with false if nothing arrived for `quietMs`. */
	settled(enough: () => boolean, quietMs: number): Promise<boolean>;
	/** From now on it answers 500, and forgets what it was sent; or accepts again. */
	refuse(isRefusing: boolean): void;
	/** Forgets all reports. */
	clear(): void;
	close(): Promise<void>;
}

/** Starts a sink on a free port of this machine. */
export async function startSink(): Promise<Sink> {
	const reports: Report[] = [];
	const listeners = new Set<() => void>();
	let isDown = false;
	const { url, close } = await answerWith((request) => {
		if (isDown) return { status: 500, body: { error: 'busy' } };
		const { items } = JSON.parse(request.body) as Pick<Report, 'items'>;
		reports.push({ from: request.url.slice(1), items });
		for (const listener of listeners) listener();
		return { body: {} };
	});
	return {
		url,
		reports,
		settled: async (enough, quietMs) =>
			await new Promise<boolean>((resolve) => {
				let timer: NodeJS.Timeout;
				const finish = (value: boolean) => {
					clearTimeout(timer);
					listeners.delete(look);
					resolve(value);
				};
				const look = () => {
					clearTimeout(timer);
					if (enough()) finish(true);
					else timer = setTimeout(() => finish(false), quietMs);
				};
				listeners.add(look);
				look();
			}),
		refuse(isRefusing) {
			isDown = isRefusing;
		},
		clear() {
			reports.length = 0;
		},
		close,
	};
}
