/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Prints one line for each event of the provider and for each execution of n8n.
import pc from 'picocolors';

import type { Execution, ExecutionSummary, N8nClient } from './n8n/client';

const POLL_MS = 700;
/** If a poll finds more new executions than this, their items are not counted: the list alone is cheap. */
const DETAILED = 25;
const FIELDS = [
	'id_call',
	'caller_id_num',
	'id_queue',
	'id_trunk',
	'id_operator',
	'status',
	'supp',
	'service',
	'input',
] as const;

function time(at: Date): string {
	return pc.dim(at.toTimeString().slice(0, 8));
}

/** A line for a message of the feed; undefined unless it is an `update`. */
export function describeEvent(
	name: string,
	args: readonly unknown[],
	reached: number,
): string | undefined {
	if (name !== 'update') return undefined;
	const [payload] = args as [Record<string, unknown> | undefined];
	const envelope =
		payload && typeof payload.event === 'object' && payload.event !== null
			? (payload.event as Record<string, unknown>)
			: payload;
	const msg = (envelope?.msg ?? {}) as Record<string, unknown>;
	const details = FIELDS.filter((field) => msg[field] !== undefined)
		.map((field) => `${pc.dim(field)} ${String(msg[field])}`)
		.join('  ');
	const kind = `${String(envelope?.type_notification)} ${String(envelope?.event)}`;
	const listeners = reached === 0 ? pc.dim('nobody listens') : `${reached} listening`;
	return `${time(new Date())} ${pc.cyan('event')}  ${kind.padEnd(20)} ${details}  ${listeners}`;
}

/**
 * An item for the terminal, without tokens, alone or in the URL of the test page: other people may see the screen.
 */
export function withoutSecrets(json: unknown): string {
	return JSON.stringify(json, (name, value: unknown) => {
		if (name === 'id_session') return '***';
		return typeof value === 'string' ? value.replace(/(id_session=)[^&\s"]+/g, '$1***') : value;
	});
}

function describeExecution(
	summary: ExecutionSummary,
	execution: Execution | undefined,
	name: string,
): string {
	const { startedAt, stoppedAt, status } = summary;
	const took = stoppedAt ? `${Date.parse(stoppedAt) - Date.parse(startedAt)} ms` : '';
	const paint = status === 'success' ? pc.green : pc.red;
	const words = [`#${summary.id}`, paint(status), summary.mode, took];
	const result = execution?.data.resultData;
	if (result?.lastNodeExecuted) {
		const runs = result.runData[result.lastNodeExecuted] ?? [];
		const items = runs.flatMap((run) => run.data?.main?.[0] ?? []);
		words.push(`${items.length} item${items.length === 1 ? '' : 's'}`);
		const [only, ...more] = items;
		if (only && more.length === 0) words.push(pc.dim(withoutSecrets(only.json).slice(0, 160)));
	}
	if (result?.error) words.push(pc.red(result.error.message));
	return `${time(new Date(stoppedAt ?? startedAt))} ${pc.magenta('run')}    ${name.padEnd(20)} ${words.join('  ')}`;
}

/** Prints each execution that ends after this has resolved. Returns a function that stops it. */
export async function watchExecutions(
	client: N8nClient,
	say: (line: string) => void,
): Promise<() => void> {
	const told = new Set<string>();
	let newest = -1;
	let stopped = false;
	let timer: NodeJS.Timeout | undefined;

	const look = async () => {
		const ended = (await client.listExecutions({}, 100))
			.filter(
				({ id, status }) =>
					!told.has(id) && Number(id) > newest - 200 && status !== 'new' && status !== 'running',
			)
			.reverse();
		for (const summary of ended) {
			told.add(summary.id);
			newest = Math.max(newest, Number(summary.id));
			const execution =
				ended.length <= DETAILED ? await client.getExecution(summary.id) : undefined;
			if (stopped) return;
			say(describeExecution(summary, execution, summary.workflowName ?? summary.workflowId));
		}
		// Only identifiers near the newest one can still appear.
		for (const id of told) if (Number(id) < newest - 400) told.delete(id);
	};
	const poll = async () => {
		try {
			await look();
		} catch (error) {
			if (!stopped) say(pc.dim(`n8n did not respond: ${(error as Error).message}`));
		}
		if (!stopped) timer = setTimeout(() => void poll(), POLL_MS);
	};
	for (const { id } of await client.listExecutions({}, 100)) told.add(id);
	timer = setTimeout(() => void poll(), POLL_MS);
	return () => {
		stopped = true;
		clearTimeout(timer);
	};
}
