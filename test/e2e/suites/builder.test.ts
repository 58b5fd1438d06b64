/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Found: n8n's own searches, that of its assistant and its MCP server and that of the node creator, over n8n's nodes and
// those of this package.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { ensureN8n } from '../../../dev/n8n/install';
import { projectRoot } from '../../../dev/n8n/package';
import { silentProgress } from '../../../dev/progress';
import { VoiceManagement } from '../../../nodes/VoiceManagement/VoiceManagement.node';
import { EVENT_KINDS } from '../../../nodes/VoiceManagementTrigger/events/kinds';
import { VoiceManagementTrigger } from '../../../nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';
import { samplesByFile } from '../../../tools/docs/samples';
import { chosenRelease } from '../support/environment';

interface SearchEngine {
	searchByName(query: string, limit: number): Array<{ name: string }>;
}

type Searched = INodeTypeDescription & { codex?: { alias?: string[] } };

interface Entry {
	properties: Searched;
}

const OURS = 'n8n-nodes-voice-management';
/** How many results a model sees. */
const SEEN = 5;
/** The share of all phrases that has to find a node of this package among those. */
const SHARE = 0.95;

const phrases = (text: string) => text.trim().split(/,\s+/);

const PHRASES = phrases(`
	missed call, incoming call, call ended, abandoned call, callback, call center,
	contact center, telephony, PBX, VoIP, waiting caller, queue alert, service level,
	agent status, agent on break, who is available, wallboard, phone number, regulatory address,
	postal code
`);
/** In the words of people who build such workflows. */
const FURTHER = phrases(`
	inbound call, lost call, phone call, call queue, call waiting too long, ringing,
	missed phone call alert, agent available, agent logged out, break time, DID,
	order phone number, buy number, address verification, callback request, unanswered call,
	hung up, hang up, live feed, presence, call outcome, queue snapshot, switchboard, trunk, SIP,
	customer waiting in queue, supervisor dashboard, call statistics, who called, return call,
	zip code, SLA, real time calls, KYC document, hotline, carrier, IVR, telephone, phone queue,
	customer waiting, live dashboard, quarter hour, call routing
`);

/** What people type into the node creator, who search the whole phrase, plurals included. */
const TYPED = phrases(`
	missed calls, missed call, abandoned calls, lost calls, unanswered, unanswered calls,
	phone call, incoming calls, call history, call log, call outcome, live calls, call queue,
	queues, call waiting, wait time, waiting callers, callbacks, call back, call center,
	call centre, contact center, contact centre, telephony, cart, operators, agents,
	agent status, available agents, busy, on break, ringing, supervisor, service level, SLA,
	wallboard, voip, pbx, sip trunk, trunks, phone numbers, buy phone number, order numbers,
	DIDs, upload proof, addresses, regulatory address, postal codes, zip code, caller waiting,
	nobody free, no agent, one agent, statistics, create address, list addresses, buy a number,
	call-back list, real time calls, KYC document, hotline, carrier, IVR, telephone, phone queue,
	customer waiting, live dashboard, quarter hour, call routing
`);
/** What neither the feed nor the numbers' interface has: to be found for it would be a promise. */
const LACKING = phrases(`
	voicemail, on hold, hold music, sms, recording, speech recognition
`);

let engine: SearchEngine;
let inCreator: (typed: string) => string[];

function readJson(path: string): unknown {
	return JSON.parse(readFileSync(path, 'utf8'));
}

/** With the part of its codex file that n8n reads. From the sources: another lane of CI may be building `dist`. */
function ourNode(Node: new () => INodeType): Searched {
	const { description } = new Node();
	const { alias } = readJson(join(projectRoot, 'nodes', Node.name, `${Node.name}.node.json`)) as {
		alias: string[];
	};
	return { ...description, name: `${OURS}.${description.name}`, codex: { alias } };
}

/** n8n's own function that makes the types for its builder: texts by file name, one for each mode or operation. */
let typesOf: (node: Searched, version: number) => Map<string, string>;

beforeAll(async () => {
	const { folder } = await ensureN8n(chosenRelease(), silentProgress);
	const modules = join(folder, 'node_modules');
	const { planSplitVersionFiles } = createRequire(__filename)(
		join(modules, '@n8n/workflow-sdk/dist/generate-types/generate-types.js'),
	) as { planSplitVersionFiles: typeof typesOf };
	typesOf = planSplitVersionFiles;
	const nodes = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].flatMap((origin) =>
		(readJson(join(modules, origin, 'dist/types/nodes.json')) as Searched[]).map((node) => ({
			...node,
			name: `${origin}.${node.name}`,
		})),
	);
	const { NodeSearchEngine } = createRequire(__filename)(
		join(modules, '@n8n/ai-utilities/dist/cjs/node-catalog/search-engine.js'),
	) as { NodeSearchEngine: new (nodes: Searched[]) => SearchEngine };
	engine = new NodeSearchEngine([
		...nodes,
		ourNode(VoiceManagement),
		ourNode(VoiceManagementTrigger),
	]);
	const { sublimeSearch } = createRequire(__filename)(
		join(modules, '@n8n/utils/dist/search/sublime-search.cjs'),
	) as { sublimeSearch: (typed: string, entries: Entry[]) => Array<{ item: Entry }> };
	// The creator shows a trigger and the node beside it as one entry, and searches the aliases of the latter alone.
	const names = new Set(nodes.map(({ name }) => name));
	const entries = [...nodes, ourNode(VoiceManagement)]
		.filter(({ hidden }) => !hidden)
		.filter(({ name }) => !name.endsWith('Trigger') || !names.has(name.slice(0, -'Trigger'.length)))
		.map((properties) => ({ properties }));
	inCreator = (typed) =>
		sublimeSearch(typed, entries).map(({ item: { properties } }) => properties.name);
});

describe('the node creator', () => {
	test.each(TYPED)('finds the package by "%s"', (typed) => {
		expect(inCreator(typed).slice(0, SEEN)).toContain(`${OURS}.voiceManagement`);
	});

	test.each(LACKING)('does not by "%s"', (typed) => {
		expect(inCreator(typed)).not.toContain(`${OURS}.voiceManagement`);
	});

	test.each([VoiceManagement, VoiceManagementTrigger])('%p has at most 30 aliases', (Node) => {
		const { alias = [] } = ourNode(Node).codex ?? {};
		expect(alias.length).toBeLessThanOrEqual(30);
		expect(new Set(alias).size).toBe(alias.length);
	});
});

const isFound = (phrase: string) =>
	engine
		.searchByName(phrase, 20)
		.slice(0, SEEN)
		.some(({ name }) => name.startsWith(OURS));

test.each(PHRASES)('"%s" finds the package', (phrase) => {
	expect(isFound(phrase)).toBe(true);
});

test('so do 95 % of all phrases', () => {
	const all = [...PHRASES, ...FURTHER];
	const missed = all.filter((phrase) => !isFound(phrase));
	expect({ missed, enough: missed.length <= all.length * (1 - SHARE) }).toMatchObject({
		enough: true,
	});
});

describe('the types that n8n makes of both nodes', () => {
	const words = (text = '') => new Set(text.match(/\w+/g));
	const fieldsOf = (kinds: string[]) => [
		...new Set(
			[...samplesByFile()]
				.filter(([name]) => kinds.some((kind) => name.startsWith(`${kind}/`)))
				.flatMap(([, sample]) => Object.keys(sample)),
		),
	];

	test.each([
		['callOutcomes', 'mode_call_outcomes.ts', ['call']],
		['alerts', 'mode_alerts.ts', ['alert']],
		['snapshots', 'mode_snapshots.ts', ['snapshot']],
		['events', 'mode_events.ts', [...new Set(EVENT_KINDS.map(({ type }) => type)), 'feed']],
	])('contain every field of the items in mode %s', (_mode, file, kinds) => {
		const known = words(typesOf(ourNode(VoiceManagementTrigger), 1).get(file));
		const fields = fieldsOf(kinds);
		expect(fields.length).toBeGreaterThan(10);
		expect(fields.filter((field) => !known.has(field))).toEqual([]);
	});

	test.each([VoiceManagement, VoiceManagementTrigger])('%p have no property twice', (Node) => {
		for (const [file, text] of typesOf(ourNode(Node), 1)) {
			if (!file.endsWith('.ts')) continue;
			// The properties of each pair of braces, without comments.
			const open: Array<Set<string>> = [new Set()];
			for (const line of text.replace(/\/\*[\s\S]*?\*\//g, '').split('\n')) {
				const name = /^\s*(\w+)\??: /.exec(line)?.[1];
				if (/^\s*\}/.test(line) && open.length > 1) open.pop();
				if (name !== undefined) {
					expect({ file, twice: open.at(-1)?.has(name) ? name : '' }).toEqual({ file, twice: '' });
					open.at(-1)?.add(name);
				}
				if (/\{\s*$/.test(line)) open.push(new Set());
			}
		}
	});

	test.each(['call_outcomes', 'alerts', 'snapshots', 'events'])(
		'say which filters narrow mode_%s, and which option makes a field',
		(mode) => {
			const text = typesOf(ourNode(VoiceManagementTrigger), 1).get(`mode_${mode}.ts`);
			expect(text).toMatch(/\* Filters: /);
			expect(text).toContain('Field "queue": only with the option queueNames');
		},
	);

	test('contain every event of the feed', () => {
		const known = words(typesOf(ourNode(VoiceManagementTrigger), 1).get('mode_events.ts'));
		const events = EVENT_KINDS.map(({ event }) => event).filter((event) => event !== '');
		expect(events.filter((event) => !known.has(event))).toEqual([]);
	});

	test('contain every operation with its output', () => {
		const files = [...typesOf(ourNode(VoiceManagement), 1)].filter(([name]) =>
			/operation_\w+\.ts$/.test(name),
		);
		expect(files).toHaveLength(16);
		for (const [name, text] of files)
			expect([name, /Output = \{/.test(text)]).toEqual([name, true]);
	});
});
