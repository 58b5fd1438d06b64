/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The trigger with each form of a provider that affects the feed: an event is sent, and the workflow gets it.

import type { IDataObject } from 'n8n-workflow';
import { startProvider, type Provider, type ProviderOptions } from '../../../simulator';
import type { Form } from '../../../simulator/forms/form';
import { Case, makeScene, turnsUntil } from '../feed/harness';
import { HandClock } from '../../support/world';
import {
	ActiveTrigger,
	credentialsFor,
	loadOptions,
	startTest,
	turnedUntil,
	type TriggerOptions,
} from '../VoiceManagementTrigger/harness';

let provider: Provider;
let trigger: ActiveTrigger | undefined;

afterEach(async () => {
	await trigger?.close();
	trigger = undefined;
	await provider?.close();
});

async function serve(forms: Array<string | Form>, options: Partial<ProviderOptions> = {}) {
	provider = await startProvider({ forms, ...options });
}

/** A trigger with the default credential. */
function prepare(options: TriggerOptions) {
	const credentials = credentialsFor(provider);
	Object.assign(credentials.voiceManagementSupervisorApi, { accountTypeKey: 'auto' });
	return new ActiveTrigger({ credentials, ...options });
}

async function active(parameters: IDataObject = {}, options: Partial<TriggerOptions> = {}) {
	trigger = prepare({ parameters, ...options });
	await trigger.start();
	await provider.control.waitForSockets(1);
	return trigger;
}

/** Sends one call from its first to its last event; returns what its items have to contain. */
function call() {
	const { control } = provider;
	const caller = { id_call: 7, caller_id_num: '+33199001234' };
	control.send('queue', 'insert_call', { ...caller, id_queue: 301, duration_in_queue: 0 });
	control.send('operator', 'status', { ...caller, id_operator: 502, status: 'connected' });
	control.send('UI', 'pause', { id_operator: 502, supp: 1 });
	control.send('queue', 'delete_call', { id_call: 7, id_queue: 301 });
	return ['queue insert_call', 'operator status', 'UI pause', 'queue delete_call'];
}

/** The words of a text, which may have several lines. */
const words = (text: string): string[] => text.trim().split(/\s+/);

const kinds = (items: IDataObject[]) =>
	items.map(({ type_notification, event }) => `${String(type_notification)} ${String(event)}`);

describe.each([4, 1] as const)(
	'whatever form a Socket.IO %i provider uses, the workflow gets each event once',
	(socketio) => {
		it.each([
			...words(`
				target-text token-number count-type-only account-type-only login-cookie cookies polling-only redirect-slash redirect-307
				no-form-type no-type-without-body login-retry-after path-without-slash acknowledged
				ts-milliseconds ts-text event-text update-text several-arguments several-list
				cpt-per-connection cpt-absent durations-differ
			`),
			...(typeof WebSocket === 'undefined' ? [] : ['websocket-only']),
			...(socketio === 1 ? ['eio4-refused'] : []),
		])('%s', async (form) => {
			await serve([form], { socketio });
			const trigger = await active();
			const before = Date.now();
			const sent = call();
			const items = await trigger.untilItems(sent.length);
			expect(kinds(items)).toEqual(sent);
			expect(items[0]).toMatchObject({
				id_call: '7',
				id_queue: '301',
				caller_id_num: '+33199001234',
			});
			for (const { date } of items) {
				expect(Math.abs(Date.parse(String(date)) - before)).toBeLessThan(60_000);
			}
		});
	},
);

it('a provider that rations logins and takes count_type gets to see it', async () => {
	let logins = 0;
	const rationed: Form = {
		says: 'a login that follows another one at once is answered with 429',
		intercept: ({ area }) =>
			area === 'login' && ++logins % 2 === 0
				? { status: 429, headers: {}, body: { err_msg: 'One login in 10 seconds' } }
				: undefined,
	};
	await serve([rationed, 'count-type-only']);
	const clock = new HandClock(Date.now());
	trigger = prepare({ clock });
	await trigger.start();
	await turnedUntil(clock, provider.control.waitForSockets(1, 30_000));
	expect(logins).toBe(3);
	expect(trigger.logs.map(({ message }) => message).join()).toMatch(
		/One login in 10 seconds \(with count_type\).*"Account Type Key"/,
	);
	const sent = call();
	expect(kinds(await trigger.untilItems(sent.length))).toEqual(sent);
});

describe('a filter by group', () => {
	const group = { filters: { groupIds: ['12'] } };
	/** The supervisor's login with other lists. */
	const lists = (change: (ops: Array<Record<string, unknown>>) => object): Form => ({
		says: '',
		respond: (response, { area }) => {
			const body = response.body as Record<string, unknown>;
			if (area !== 'login' || !Array.isArray(body.ops)) return response;
			const { ops, ...rest } = body;
			return { ...response, body: { ...rest, ...change(ops as Array<Record<string, unknown>>) } };
		},
	});

	it('works with names in other fields, and groups as objects', async () => {
		const renamed = lists((ops) => ({
			ops: ops.map(({ id, nom, groups }) => ({
				id: String(id),
				firstname: String(nom).split(' ')[0],
				lastname: String(nom).split(' ')[1],
				groups: (groups as unknown[]).map((group) => ({ id: group })),
			})),
		}));
		await serve([renamed]);
		const trigger = await active(group);
		// Group 12 of the simulator: the agents 504 to 508.
		provider.control.send('UI', 'pause', { id_operator: 501 });
		provider.control.send('UI', 'pause', { id_operator: 505 });
		const [item] = await trigger.untilItems(1);
		expect(item).toMatchObject({
			id_operator: '505',
			agent: { name: expect.stringMatching(/^\S+ \S+$/) as string },
		});
	});

	it('names the lists that cannot be read in the log', async () => {
		await serve([
			lists((ops) => ({ ops: Object.fromEntries(ops.map((op) => [String(op.id), op])) })),
		]);
		const trigger = await active();
		await trigger.until(({ logs }) =>
			logs.some(
				({ level, message }) =>
					level === 'warn' &&
					message.includes('in the response to the login: "ops" that is { #: { id: number,'),
			),
		);
	});

	it.each<[string, Form, RegExp]>([
		['without a list of agents', lists(() => ({})), /names no group of any agent/],
		[
			'without identifiers',
			lists((ops) => ({ ops: ops.map(({ nom }) => ({ nom })) })),
			/has "ops" that is a list with { nom: text } instead of an entry with "id"/,
		],
		[
			'without groups',
			lists((ops) => ({ ops: ops.map(({ groups: _groups, ...op }) => op) })),
			/names no group of any agent/,
		],
	])(
		'%s fails activation and test run, and is a warning when n8n starts',
		async (_name, form, why) => {
			await serve([form]);
			trigger = prepare({ parameters: group });
			await expect(trigger.start()).rejects.toThrow(why);
			await trigger.close();
			const credentials = credentialsFor(provider);
			const run = await startTest({ parameters: group, credentials });
			await expect(run.result).rejects.toThrow(why);
			trigger = prepare({ parameters: group, activation: 'init' });
			await trigger.start();
			await trigger.until(({ logs }) =>
				logs.some(({ level, message }) => level === 'warn' && why.test(message)),
			);
		},
	);

	it('with a group that has no agent is a warning', async () => {
		await serve([lists((ops) => ({ ops: ops.map((op) => ({ ...op, groups: [11] })) }))]);
		const trigger = await active(group);
		await trigger.until(({ logs }) =>
			logs.some(({ level, message }) => level === 'warn' && /no agent belongs to 12/.test(message)),
		);
	});

	it('… as is one that has none of the chosen agents', async () => {
		await serve([]);
		const trigger = await active({ filters: { groupIds: ['11'], agentIds: ['999'] } });
		await trigger.until(({ logs }) =>
			logs.some(({ message }) => /no agent of the filters belongs to 11/.test(message)),
		);
	});

	it('a row whose groups hold no agent is refused, and one with an agent is accepted', async () => {
		await serve([lists((ops) => ({ ops: ops.map((op) => ({ ...op, groups: [11] })) }))]);
		const alerts = (groupIds: string[], filters = {}) => ({
			parameters: {
				mode: 'alerts',
				alerts: { alert: [{ when: 'agentsAvailableBelow', groupIds }] },
				filters,
			},
		});
		for (const one of [alerts(['12']), alerts(['11'], { agentIds: ['999'] })]) {
			trigger = prepare(one);
			await expect(trigger.start()).rejects.toThrow(
				/"Group Names or IDs" of alert 1 \(Too Few Agents Available\) lets nothing through: no agent.* belongs to 1[12]\. Choose other groups/,
			);
			await trigger.close();
		}
		await active(alerts(['11']).parameters);
	});

	it('and filters by agent or trunk whom the login does not list are a warning', async () => {
		await serve([]);
		const trigger = await active({ filters: { agentIds: ['501', '999'], trunkIds: ['98'] } });
		for (const says of ['"Agent Names or IDs" has 999,', '"Trunk Names or IDs" has 98,'])
			await trigger.until(({ logs }) =>
				logs.some(
					({ level, message }) =>
						level === 'warn' && message.endsWith(`${says} which the login does not list`),
				),
			);
	});

	it('with a group that the login does not have is refused, and one from the list is accepted', async () => {
		await serve([]);
		trigger = prepare({ parameters: { filters: { groupIds: ['99'] } } });
		await expect(trigger.start()).rejects.toThrow(
			/"Group Names or IDs" lets nothing through: the login has no group 99\. Choose the groups from the list/,
		);
		await trigger.close();
		await active(group);
	});

	it('says in the panel which list cannot be read', async () => {
		await serve([lists((ops) => ({ ops: ops.map(({ nom }) => ({ nom })) }))]);
		const credentials = credentialsFor(provider);
		await expect(loadOptions('getAgents', { parameters: {}, credentials })).rejects.toThrow(
			/can't be read: it has "ops" that is a list with { nom: text } instead of an entry with "id"\. Switch this field to Expression/,
		);
		expect(await loadOptions('getGroups', { parameters: {}, credentials })).toHaveLength(3);
	});
});

describe('the account feed', () => {
	it.each([
		['account-init-pair', '["api", "{token}"]'],
		['account-init-object', '[{ "id_client": "{clientId}", "id_session": "{token}" }]'],
	])('%s, with the arguments that the user sets', async (form, initArguments) => {
		await serve([form]);
		const credentials = credentialsFor(provider);
		Object.assign(credentials.voiceManagementApi, { customConnection: true, initArguments });
		const trigger = await active({ feed: 'account' }, { credentials });
		const sent = call();
		expect(kinds(await trigger.untilItems(sent.length))).toEqual(sent);
	});
});

describe('numbers are distinguished by their digits', () => {
	it.each(['numbers-bare', 'numbers-00', 'numbers-national'])('%s', async (form) => {
		await serve([form]);
		const trigger = await active({ filters: { callerNumber: '+33 1 99 00 12 34' } });
		// Another caller first, who is only excluded by the filter.
		provider.control.send('queue', 'insert_call', { id_call: 6, caller_id_num: '+33199001235' });
		call();
		const items = await trigger.untilItems(2);
		expect(kinds(items)).toEqual(['queue insert_call', 'operator status']);
		expect(items.map(({ id_call }) => id_call)).toEqual(['7', '7']);
	});
});

describe('over a renewal', () => {
	const run = new Case();
	afterEach(() => run.end());

	it.each([
		'cpt-per-connection',
		'durations-differ',
		'cpt-absent',
		'numbers-national',
		'strict-addresses',
	])('%s: each event once and in order, and no gap', async (form) => {
		const fields = {
			id_queue: 301,
			caller_id_num: '+33199001234',
			call_duration: 3,
			duration_in_queue: 2,
		};
		const scene = await makeScene(run, { socketio: 4, provider: { forms: [form] }, fields });
		const { control } = scene.provider;
		const send = () => Array.from({ length: 20 }, () => scene.send());
		await scene.live();
		await control.waitForSockets(1);
		send();
		await scene.renewing();
		await control.waitFor(
			() => control.sockets().filter(({ initialised }) => initialised).length === 2,
		);
		const { duplicates } = scene.subscription.counters();
		const { length } = send();
		await turnsUntil(
			() => scene.subscription.counters().duplicates === duplicates + length,
			'the copies of both connections',
		);
		while (scene.subscription.state() === 'renewing') await scene.clock.turnToNext();
		await control.waitFor(() => control.sockets().length === 1);
		send();
		expect(await scene.compare()).toEqual({
			duplicates: [],
			lost: [],
			missing: [],
			ordered: true,
		});
		expect(scene.recorder.statuses.map(({ event }) => event)).toEqual(['connected']);
		expect(control.logins()).toBe(2);
	});
});

describe('a provider that distinguishes ::1 from 127.0.0.1', () => {
	const families = (...hosts: [string, string]) => {
		const [baseUrl, voiceUrl] = hosts.map((host) => `http://${host}:${provider.port}`);
		return { baseUrl, voiceUrl };
	};
	const accountFeed = async (hosts: [string, string], ip: string) => {
		await serve(['strict-addresses'], { host: '::' });
		const credentials = credentialsFor(provider);
		Object.assign(credentials.voiceManagementApi, families(...hosts), { ip });
		trigger = new ActiveTrigger({
			parameters: { feed: 'account' },
			credentials,
		});
		return trigger;
	};

	it.each([
		['127.0.0.1', '127.0.0.1'],
		['[::1]', '::1'],
	])('is live if login and events use the same address (%s)', async (host, ip) => {
		await (await accountFeed([host, host], ip)).start();
		await provider.control.waitForSockets(1);
		const sent = call();
		expect(kinds(await trigger!.untilItems(sent.length))).toEqual(sent);
	});

	it('rejects a token for another address, which the activation names', async () => {
		const refused = await accountFeed(['[::1]', '[::1]'], '127.0.0.1');
		await expect(refused.start()).rejects.toThrow(/127\.0\.0\.1|::1/);
	});

	it('ends the connection if login and events use different addresses, and the log names a remedy', async () => {
		const torn = await accountFeed(['[::1]', '127.0.0.1'], '::1');
		await torn.start();
		await torn.untilLog(
			/the provider ends each connection .* another IP address, .*"Init Arguments" in the credential/,
		);
	});
});

describe('call outcomes', () => {
	it.each(['connect-ringing', 'trunk-first', 'delete-bare', 'durations-differ'])(
		'%s: a caller who gives up while it rings was missed, once',
		async (form) => {
			await serve([form]);
			const clock = new HandClock(Date.now());
			const trigger = await active({ mode: 'callOutcomes' }, { clock });
			// It subscribes later, so it gets each event later.
			const witness = prepare({ parameters: { events: ['login'] }, workflowId: 'witness', clock });
			await witness.start();
			const caller = { id_call: 7, caller_id_num: '+33199001234', call_duration: 0 };
			provider.control.send('queue', 'insert_call', {
				...caller,
				id_queue: 301,
				duration_in_queue: 0,
			});
			provider.control.send('queue', 'delete_call', { id_call: 7, id_queue: 301 });
			provider.control.send('UI', 'login', { id_operator: 502 });
			await witness.untilItems(1);
			// Another queue could get the call for a while.
			await turnedUntil(clock, trigger.untilItems(1));
			expect(trigger.items).toMatchObject([{ event: 'missed', id_call: '7' }]);
			await witness.close();
		},
	);
});

describe('what cannot work is reported', () => {
	it.each(['login-404', 'login-html', 'redirect-other-host'])(
		'%s fails the activation',
		async (form) => {
			await serve([form]);
			const credentials = credentialsFor(provider);
			trigger = new ActiveTrigger({ credentials });
			await expect(trigger.start()).rejects.toThrow();
		},
	);

	it.each(['error', 'message'])('refusal-%s is a warning in the log', async (name) => {
		await serve([`refusal-${name}`, 'account-init-pair']);
		const credentials = credentialsFor(provider);
		trigger = new ActiveTrigger({
			parameters: { feed: 'account' },
			credentials,
		});
		await trigger.start();
		await trigger.until(({ logs }) =>
			logs.some(
				({ level, message }) =>
					level === 'warn' && message.includes(`under the event name "${name}"`),
			),
		);
		// A sentence of the provider is its reason.
		const saying = trigger.logs.filter(({ message }) => message.includes('Session refused'));
		expect(saying.map(({ level }) => level)).toEqual(['warn', 'debug']);
	});
});
