/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Shared by the suites of the example workflows: a sink for the messages that they send, their settings, their tables,
// and calls at the provider.
import type { N8nClient, WorkflowDefinition, WorkflowNode } from '../../../dev/n8n/client';
import { readExample } from '../../../dev/setup';
import type { Provider } from '../../../simulator';
import { answerWith } from '../../support/answers';
import { Arrivals } from '../../support/arrivals';

/** For a machine that is busy with other things; a test that expects something sooner sets its own limit. */
const WAIT_MS = 90_000;
const POLL_MS = 100;

/** What an expression leaves in a message when it found nothing, or the wrong thing. */
const BROKEN = /Invalid DateTime|\b(?:undefined|null|NaN)\b|\[object Object\]|\{\{/;

/** Receives an example's messages instead of a chat channel. */
export interface Sink {
	url: string;
	/** The `text` of each message, in order of arrival, with the path it was sent to. */
	messages: Array<{ path: string; text: string }>;
	/** Whether each message is refused; none of these is in `messages`. */
	isAway: boolean;
	/** Waits for this many messages in total, and returns their texts. */
	waitFor(count: number): Promise<string[]>;
	/** @throws if one of the messages has a hole */
	close(): Promise<void>;
}

export async function startSink(): Promise<Sink> {
	const messages: Sink['messages'] = [];
	const arrivals = new Arrivals();
	const server = await answerWith(({ url: path, body }) => {
		if (sink.isAway) return { status: 503 };
		messages.push({ path, text: (JSON.parse(body) as { text: string }).text });
		arrivals.changed();
		return { body: { ok: true } };
	});
	const sink: Sink = {
		url: server.url,
		messages,
		isAway: false,
		async waitFor(count) {
			await arrivals.until(
				() => messages.length >= count,
				() => `${count} messages; there are ${messages.length}`,
			);
			return messages.map(({ text }) => text);
		},
		async close() {
			await server.close();
			expect(messages.filter(({ text }) => BROKEN.test(text))).toEqual([]);
		},
	};
	return sink;
}

/**
 * An example with its settings filled in as its first note asks for.
 * @param settings values of the fields of its "Your settings…" nodes, by node and field
 * @throws Error if the example has no such node or field: then its note is wrong as well
 */
export function exampleWith(
	name: string,
	settings: Record<string, Record<string, string | number>>,
): WorkflowDefinition {
	const definition = readExample(name);
	for (const [nodeName, values] of Object.entries(settings)) {
		const node = nodeOf(definition, nodeName);
		const { assignments } = node.parameters.assignments as {
			assignments: Array<{ name: string; value: unknown }>;
		};
		for (const [field, value] of Object.entries(values)) {
			const assignment = assignments.find((candidate) => candidate.name === field);
			if (!assignment) throw new Error(`"${nodeName}" of ${name} has no field ${field}`);
			assignment.value = value;
		}
	}
	return definition;
}

/** A node of a workflow by its name. */
export function nodeOf(definition: WorkflowDefinition, name: string): WorkflowNode {
	const node = definition.nodes.find((candidate) => candidate.name === name);
	if (!node) throw new Error(`"${definition.name}" has no node "${name}"`);
	return node;
}

export type Row = Record<string, unknown>;

/** The rows of a data table, oldest first; an empty list if the table does not exist yet. */
export async function rowsOf(client: N8nClient, table: string): Promise<Row[]> {
	const { id: project } = await client.call<{ id: string }>('GET', '/rest/projects/personal');
	const { data: tables } = await client.call<{ data: Array<{ id: string; name: string }> }>(
		'GET',
		`/rest/projects/${project}/data-tables`,
	);
	const found = tables.find(({ name }) => name === table);
	if (!found) return [];
	const { data } = await client.call<{ data: Row[] }>(
		'GET',
		`/rest/projects/${project}/data-tables/${found.id}/rows`,
		undefined,
		{ take: '250', sortBy: 'id:asc' },
	);
	return data;
}

/** Waits until a condition is met; the error names it if it never is. */
export async function eventually<T>(
	what: string,
	look: () => Promise<T | undefined | false> | T | undefined | false,
	timeoutMs = WAIT_MS,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
}

/** Failed executions of a workflow with node and error: suites expect an empty list after each test. */
export async function failuresOf(client: N8nClient, workflowId: string): Promise<string[]> {
	const failed = await client.listExecutions({ workflowId, status: ['error', 'crashed'] });
	const failures: string[] = [];
	for (const { id } of failed) {
		const result = (await client.getExecution(id))?.data.resultData;
		const { message, description } = result?.error ?? {};
		failures.push(`${result?.lastNodeExecuted}: ${message} ${description ?? ''}`.trim());
	}
	return failures;
}

/** One caller of the simulated provider, moved by hand. */
export class Caller {
	constructor(
		private readonly provider: Provider,
		readonly call: number,
		readonly number: string,
		readonly queue = 301,
	) {}

	private send(event: string, fields: Record<string, unknown> = {}) {
		this.provider.control.send('queue', event, {
			id_call: this.call,
			id_queue: this.queue,
			id_client: 4242,
			...fields,
		});
	}

	calls(): this {
		this.send('insert_call', {
			call_duration: 0,
			caller_id_num: this.number,
			priority: 50,
			vip_rate: 0,
			duration_in_queue: 0,
		});
		return this;
	}

	isAnsweredBy(agent: number): this {
		this.send('connect_call', {
			status: 'connected',
			call_duration: 5,
			caller_id_num: this.number,
			step: 1,
			id_operator: agent,
		});
		return this;
	}

	hangsUp(): this {
		this.send('delete_call');
		return this;
	}
}
