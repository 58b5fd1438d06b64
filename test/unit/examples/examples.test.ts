/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The example workflows as files: they can be imported anywhere, and contain nothing but n8n's core nodes, the nodes of
// this package, and invented hosts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

import { CREDENTIAL_NAMES } from '../../../dev/setup';
import { VoiceManagement } from '../../../nodes/VoiceManagement/VoiceManagement.node';
import { VoiceManagementTrigger } from '../../../nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';
import { present } from '../../support/present';

interface Node {
	id: string;
	name: string;
	type: string;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: unknown; name: string }>;
	retryOnFail?: boolean;
}
interface Example {
	nodes: Node[];
	/** By node and by kind: `main`, or `ai_tool` and the like below an agent. */
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
	pinData?: object;
}

const root = join(__dirname, '../../..');
/** The examples, and the workflows that `npm start` runs. */
const names = ['examples', 'dev/workflows'].flatMap((folder) =>
	readdirSync(join(root, folder))
		.filter((file) => file.endsWith('.json'))
		.map((file) => `${folder}/${file.slice(0, -5)}`),
);
const read = (name: string) => readFileSync(join(root, `${name}.json`), 'utf8');
const example = (name: string) => JSON.parse(read(name)) as Example;

/** The size of a node on the canvas, including the label below it. */
const NODE_WIDTH = 96;
const NODE_HEIGHT = 136;

const OURS = 'n8n-nodes-voice-management.';
const descriptions: Record<string, INodeTypeDescription> = {
	voiceManagement: new VoiceManagement().description,
	voiceManagementTrigger: new VoiceManagementTrigger().description,
	// n8n makes this node from the action node, for agents.
	voiceManagementTool: new VoiceManagement().description,
};

/** The names of properties in a collection, or of the node itself. */
const namesOf = (properties: readonly INodeProperties[]) => properties.map(({ name }) => name);

type AlertRow = Record<string, unknown>;

/** Fields of alerts that the kind of their row does not show. */
function unknownInAlerts({ options = [] }: INodeProperties, { alert }: { alert: AlertRow[] }) {
	const [{ values: fields }] = options as [INodePropertyCollection];
	return alert.flatMap((row) =>
		Object.keys(row)
			.filter(
				(name) =>
					!fields.some(
						(field) =>
							field.name === name &&
							(field.displayOptions?.show?.when ?? [row.when]).includes(row.when),
					),
			)
			.map((name) => `alerts.${name} of ${String(row.when)}`),
	);
}

/** Values that a list of choices does not have. */
function unknownChoices(same: INodeProperties[], value: unknown): string[] {
	if (!same.every(({ type }) => ['options', 'multiOptions'].includes(type))) return [];
	const options = same.flatMap((property) => property.options ?? []) as INodePropertyOptions[];
	if (options.length === 0) return [];
	return [value]
		.flat()
		.filter(
			(one) => !String(one).startsWith('=') && !options.some((option) => option.value === one),
		)
		.map(String);
}

/** Parameters of a node of this package that its description does not have. */
function unknownParameters({ type, parameters }: Node): string[] {
	const { properties } = present(descriptions[type.slice(OURS.length)]);
	return Object.entries(parameters).flatMap(([name, value]) => {
		const same = properties.filter((property) => property.name === name);
		const [first] = same;
		if (!first) return [name];
		if (name === 'alerts') return unknownInAlerts(first, value as { alert: AlertRow[] });
		if (first.type !== 'collection') return unknownChoices(same, value);
		const known = same.flatMap(({ options = [] }) => namesOf(options as INodeProperties[]));
		return Object.keys(value as object)
			.filter((option) => !known.includes(option))
			.map((option) => `${name}.${option}`);
	});
}

test('the gallery names each example with its number of nodes, the smallest first', () => {
	const gallery = readFileSync(join(root, 'examples/README.md'), 'utf8').split('\n### ').slice(1);
	const told = gallery.map((entry) => ({
		name: /\]\(([\w-]+)\.md\)/.exec(entry)?.[1] ?? '',
		nodes: Number(/(\d+)\s+nodes/.exec(entry)?.[1]),
	}));
	const counted = names
		.filter((name) => name.startsWith('examples/'))
		.map((name) => ({
			name: name.slice('examples/'.length),
			nodes: example(name).nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length,
		}));
	expect([...told].sort((a, b) => a.name.localeCompare(b.name))).toEqual(counted);
	expect(told.map(({ nodes }) => nodes)).toEqual(
		told.map(({ nodes }) => nodes).sort((a, b) => a - b),
	);
});

test('there are examples', () => {
	expect(names.length).toBeGreaterThanOrEqual(8);
});

describe.each(names)('%s', (name) => {
	const { nodes, connections, pinData = {} } = example(name);

	test('has nodes with unique names and identifiers, all of them connected', () => {
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		expect(new Set(nodes.map((node) => node.name)).size).toBe(nodes.length);
		const known = nodes.map((node) => node.name);
		const targets = Object.values(connections)
			.flatMap((kinds) => Object.values(kinds).flat(2))
			.map(({ node }) => node);
		expect(
			[...Object.keys(connections), ...targets].filter((each) => !known.includes(each)),
		).toEqual([]);
		const loose = nodes.filter(
			({ type, name: own }) =>
				!type.endsWith('.stickyNote') && !connections[own] && !targets.includes(own),
		);
		expect(loose.map((node) => node.name)).toEqual([]);
	});

	test("uses n8n's core nodes and those of this package, with existing parameters", () => {
		for (const node of nodes) {
			if (!node.type.startsWith(OURS)) {
				expect(node.type).toMatch(/^(n8n-nodes-base|@n8n\/n8n-nodes-langchain)\./);
				continue;
			}
			expect(Object.keys(descriptions)).toContain(node.type.slice(OURS.length));
			expect({ node: node.name, unknown: unknownParameters(node) }).toEqual({
				node: node.name,
				unknown: [],
			});
		}
	});

	test('explains itself in a note, and contains no data, no credential of an n8n instance and no real host', () => {
		expect(nodes.some(({ type }) => type === 'n8n-nodes-base.stickyNote')).toBe(true);
		expect(pinData).toEqual({});
		for (const { credentials = {} } of nodes) {
			for (const { id } of Object.values(credentials)) expect(id).toBeNull();
		}
		const hosts = [...read(name).matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host = '']) => host);
		// Apart from example hosts, the chat channel of the simulated provider, with which an example runs before it is
		// filled in.
		const invented = /(^|\.)example\.com$|^127\.0\.0\.1$/;
		expect(hosts.filter((host) => !invented.test(host))).toEqual([]);
		expect(read(name).match(/http:\/\/127\.0\.0\.1(?!:8080\/chat(\/\w+)?")/g)).toBeNull();
	});

	test("names credentials as n8n names a user's first ones, by which it finds them", () => {
		for (const { credentials = {} } of nodes) {
			for (const [type, { name: credential }] of Object.entries(credentials)) {
				expect({ type, credential }).toEqual({
					type,
					credential: CREDENTIAL_NAMES[type as keyof typeof CREDENTIAL_NAMES],
				});
			}
		}
	});

	test('has notes that cover a node with its label, or do not touch it', () => {
		const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
		const crossing = notes.flatMap(({ name: note, position: [left, top], parameters }) => {
			const right = left + Number(parameters.width);
			const bottom = top + Number(parameters.height);
			return nodes
				.filter(({ type }) => !type.endsWith('.stickyNote'))
				.filter(({ position: [x, y] }) => {
					const meets = x < right && x + NODE_WIDTH > left && y < bottom && y + NODE_HEIGHT > top;
					const inside =
						x >= left && x + NODE_WIDTH <= right && y >= top && y + NODE_HEIGHT <= bottom;
					return meets && !inside;
				})
				.map(({ name: node }) => `${note} / ${node}`);
		});
		expect(crossing).toEqual([]);
	});

	test('never sends an order twice', () => {
		const checkouts = nodes.filter(({ parameters }) => parameters.operation === 'checkout');
		const adds = nodes.filter(({ parameters }) => parameters.operation === 'addProduct');
		expect([...checkouts, ...adds].filter(({ retryOnFail }) => retryOnFail)).toEqual([]);
		// Checkouts that a model can call do not buy; the others do, since a person has decided before.
		for (const { type, parameters } of checkouts) {
			expect(parameters.confirmPurchase).toBe(!type.endsWith('Tool'));
		}
	});

	test('reads nothing that n8n refuses to read', () => {
		expect(read(name)).not.toMatch(/\$json\.(caller|callee|constructor|prototype)\b/);
	});
});

describe('call-back-until-reached', () => {
	type Conditions = { conditions: Array<{ condition: string; keyValue: string }> };
	const nodes = example('examples/call-back-until-reached').nodes;
	const nodeOf = (name: string) => present(nodes.find((node) => node.name === name)).parameters;
	const { columns, filters: ofAdding } = nodeOf('Add caller to list');
	const { filters: ofRemoving } = nodeOf('Remove caller from list');

	/** What n8n makes of a field with expressions. */
	const filled = (field: string, number: string) =>
		field
			.replace(/^=/, '')
			.replace(/\{\{(.*?)\}\}/g, (_, expression: string) =>
				String(runInNewContext(expression, { $json: { caller_id_num: number } })),
			);
	const listed = (number: string) =>
		filled((columns as { value: { digits: string } }).value.digits, number);
	/** As n8n compares: the conditions are `eq`, and `like` with a `%` in front. */
	const finds = (filters: unknown, number: string, row: string) =>
		(filters as Conditions).conditions.some(({ condition, keyValue }) => {
			const value = filled(keyValue, number);
			return condition === 'eq' ? row === value : row.endsWith(value.replace(/^%/, ''));
		});

	test.each([
		[
			'+33612345678',
			'0033612345678',
			'33612345678',
			'0612345678',
			'612345678',
			'+33 6 12 34 56 78',
		],
		['+442079460123', '00442079460123', '02079460123', '020 7946 0123', '+44-20-7946-0123'],
		['+14155550123', '4155550123', '14155550123', '(415) 555-0123', '0014155550123'],
		// No zero in front within the country, and eight or seven digits.
		['+4532123456', '32123456', '004532123456'],
		['+3545551234', '5551234', '003545551234'],
	])('finds a number on the list in each of its forms: %s', (...forms) => {
		for (const missed of forms) {
			for (const called of forms) {
				expect({ missed, called, found: finds(ofRemoving, called, listed(missed)) }).toEqual({
					missed,
					called,
					found: true,
				});
				expect(finds(ofAdding, called, listed(missed))).toBe(true);
			}
		}
	});

	test.each([
		['+33612345678', '+34612345678'],
		['+33612345678', '0612345679'],
		['+33199000601', '0499000601'],
		['+33612345301', '301'],
		['301', '1301'],
	])('does not take %s for %s', (one, other) => {
		expect(finds(ofRemoving, one, listed(other))).toBe(false);
		expect(finds(ofRemoving, other, listed(one))).toBe(false);
	});
});

/** What n8n makes of the text of a message. */
function messageOf(name: string, node: string, globals: object): string {
	const { parameters } = present(
		example(`examples/${name}`).nodes.find((one) => one.name === node),
	);
	const { bodyParameters } = parameters as {
		bodyParameters: { parameters: Array<{ value: string }> };
	};
	const { value } = present(bodyParameters.parameters[0]);
	return value
		.replace(/^=/, '')
		.replace(/\{\{([^]*?)\}\}(?=[^}]|$)/g, (_all, expression: string) => {
			return String(runInNewContext(expression, globals));
		});
}

describe.each(['order-numbers-with-approval', 'assistant-prepares-an-order'])('%s', (name) => {
	const report = (json: object) =>
		messageOf(name, 'Report order', {
			$json: { status: 'SUCCESS', productCheckoutList: [], failed: [], ...json },
			$: () => ({ first: () => ({ json: { name: 'Ada', 'Your name': 'Grace' } }) }),
		});

	test('says "Ordered" only if every product is', () => {
		expect(report({ ordered: true })).toMatch(/^Ordered for Ada/);
		expect(report({ ordered: 'partly', failed: [{ reason: 'Out of stock' }] })).toMatch(
			/^Only partly ordered for Ada.*\. Not ordered: Out of stock\. Approved by Grace\.$/,
		);
		expect(report({ ordered: null })).toMatch(/^Not confirmed by the provider yet: the order for/);
	});
});

test.each([
	['nothing', 72, 0, 'average speed of answer 1 s$'],
	['seconds that the rows miss', 72, 420, 'The feed was not seen for 7 min of it\\.$'],
	['and quarters without a row', 60, 420, 'The feed was not seen for 187 min of it\\.$'],
])('the daily report says what was not seen: %s', (_what, rows, missed, end) => {
	const zone = 'Europe/Paris';
	const at = (iso: string) => ({
		toFormat: () => '2026-03-02',
		minus: () => at(new Date(Date.parse(iso) - 20_000).toISOString()),
		startOf: () => '2026-03-02T00:00:00+01:00',
		diff: (other: string) => ({ minutes: (Date.parse(iso) - Date.parse(other)) / 60_000 }),
	});
	const names = ['offered', 'answered', 'answered_in_time', 'late', 'abandoned'];
	const sums = [...names, 'short_abandoned', 'abandoned_in_time', 'answer_wait_seconds'];
	const json = {
		...Object.fromEntries(sums.map((field) => [`sum_${field}`, 3])),
		...{ queue: 'All queues', count_time: rows, sum_missed_seconds: missed },
	};
	const globals = {
		$input: { all: () => [{ json }] },
		$now: at('2026-03-02T18:01:00+01:00'),
		zone,
	};
	expect(messageOf('daily-call-report', 'Send the report', globals)).toMatch(new RegExp(end));
});

describe('the wallboard', () => {
	const { nodes } = example('examples/live-wallboard');
	const { parameters } = present(nodes.find(({ name }) => name === 'Write the page'));
	const pageAt = (secondsAgo: number, states: Array<string | null> = ['available']) => {
		const date = new Date(Date.now() - secondsAgo * 1000).toISOString();
		const items = [
			{ event: 'totals', date, waiting: 1, service_level: null },
			...states.map((state) => ({
				...{ event: 'agent', state, since: date, agent: { id: '1', name: 'Ada' } },
			})),
		];
		const code = `(() => {${String(parameters.jsCode)}})()`;
		const page = runInNewContext(code, { $getWorkflowStaticData: () => ({ items }) }) as Array<{
			json: { html: string };
		}>;
		return present(page[0]).json.html;
	};

	test('is not "live" if no snapshot has come for two minutes', () => {
		expect(pageAt(31)).toContain('id="feed">live');
		expect(pageAt(9 * 3600)).toContain('bad" id="feed">no news for 540:00');
	});

	test.each([
		[[], 'Nobody was seen yet'],
		[[null], 'Nobody was seen yet'],
		[['logged_out'], 'Nobody is known to be logged in'],
		[[null, 'logged_out'], 'Nobody is known to be logged in'],
	])('says of agents in the states %j: %s', (states, said) => {
		expect(pageAt(31, states)).toContain(`<div class="agents">${said}</div>`);
	});
});

test('the assistant is told not to guess what no tool can look up', () => {
	const { nodes } = example('examples/assistant-prepares-an-order');
	const { options } = present(nodes.find(({ name }) => name === 'Order assistant')).parameters;
	const { systemMessage } = options as { systemMessage: string };
	expect(systemMessage).toMatch(/never guess .*DID group.*quantity.*company.*street.*building/);
	expect(systemMessage).toMatch(/if one is missing, .* say what is missing/);
});

test.each<[string, object]>([
	['Sales', { queue: { name: 'Sales' }, id_queue: '301', trunk: null }],
	['queue 301', { id_queue: '301', trunk: null }],
	['Head office', { id_queue: null, trunk: { name: 'Head office' }, id_trunk: '9' }],
	['trunk 9', { id_queue: null, trunk: null, id_trunk: '9' }],
	['', { id_queue: null, trunk: null, id_trunk: null }],
])('the callback list names the place of a missed call: %j', (place, json) => {
	const row = example('examples/missed-call-callback-list').nodes.find(
		({ parameters }) => parameters.operation === 'upsert',
	);
	const { queue } = (row?.parameters.columns as { value: { queue: string } }).value;
	const expression = queue.replace(/^=\{\{(.*)\}\}$/, '$1');
	expect(runInNewContext(expression, { $: () => ({ item: { json } }) })).toBe(place);
});
