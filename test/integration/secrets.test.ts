/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// No secret leaves the package: every operation of the action node and every mode of the trigger, as listed in their
// descriptions, with a provider that repeats the login in every response, good or bad. Everything that n8n would store
// or show is searched: items, errors, hints, static data, names of files, the log, the lists of the node's parameters.

import { inspect } from 'node:util';
import { NodeHelpers, type IDataObject, type INodeProperties } from 'n8n-workflow';
import { basicAuthorization } from '../../credentials/VoiceManagementApi.credentials';
import { supervisorHeader } from '../../credentials/VoiceManagementSupervisorApi.credentials';
import { resources } from '../../nodes/VoiceManagement/resources';
import { VoiceManagement } from '../../nodes/VoiceManagement/VoiceManagement.node';
import { VoiceManagementTrigger } from '../../nodes/VoiceManagementTrigger/VoiceManagementTrigger.node';
import { startProvider, type Provider } from '../../simulator';
import { nth, present } from '../support/present';
import { credentialsAt } from '../support/credentials';
import { answerWith, type Asked, type AnswerServer, type Given } from '../support/answers';
import { itemWithFile } from './VoiceManagement/forms';
import { listContext, runNode, testContext, type RunResult } from './VoiceManagement/harness';
import {
	ActiveTrigger,
	credentialsFor as triggerCredentials,
	loadOptions,
	startTest,
} from './VoiceManagementTrigger/harness';

/**
 * Quotes, letters beyond ASCII, and special characters of HTML and URLs: each has a different escape in each format.
 */
const PASSWORD = 'pass"wörd &<42>/!';
const TOKEN = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678';
const COOKIE = 'cookie-value-0815';

const login = { login: 'someone', password: PASSWORD };
const json = (text: string) => JSON.stringify(text).slice(1, -1);

/** Every form in which the login is sent, or could be printed. */
const LOGIN_FORMS = [
	PASSWORD,
	json(PASSWORD),
	json(json(PASSWORD)),
	json(PASSWORD).replace('ö', '\\u00f6'),
	PASSWORD.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
	encodeURIComponent(PASSWORD),
	basicAuthorization(login).slice('Basic '.length).replace(/=+$/, ''),
	supervisorHeader(login),
	COOKIE,
];
/** Names of headers, which an error only contains if a whole request is attached to it. */
const HEADER_NAMES = /authorization|x-json|set-cookie/i;

/** The secrets in what n8n stores, as text and with everything attached to it. */
function leaks(kept: unknown, secrets: string[] = [...LOGIN_FORMS, TOKEN]): string[] {
	const texts = [
		inspect(kept, { depth: 20, showHidden: true, getters: true, maxStringLength: null }),
		JSON.stringify(kept, (_key, value: unknown) =>
			value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value,
		),
	];
	return secrets.filter((secret) => texts.some((text) => text.includes(secret)));
}

/** The login of a request in words with which a provider could repeat it. */
const repeated = ({ headers }: Asked) => {
	const header = String(headers.authorization ?? headers['x-json'] ?? '');
	return `You sent ${header} with the password ${PASSWORD} (${encodeURIComponent(PASSWORD)})`;
};
const cookies = { 'set-cookie': `sid=${COOKIE}` };

/** The same in every place of a response. */
const echo = (request: Asked) => ({
	note: repeated(request),
	request: { headers: request.headers, credentials: [PASSWORD, { text: repeated(request) }] },
});

/** A response that every operation takes as a success, according to its own part. */
const success = (request: Asked): IDataObject => {
	const address = { regulationAddressId: 7, city: `Liège ${PASSWORD}`, zipCode: '4000' };
	const named = [{ id: 501, name: `Ada ${PASSWORD}`, groups: [11] }];
	return {
		status: 'SUCCESS',
		...address,
		cartIdentifier: '7',
		linked: true,
		isValid: true,
		resultCount: 1,
		regulationAddresses: [{ ...address, ...echo(request) }],
		zipCodes: [{ zipCode: '4000', cityName: repeated(request) }],
		target: 9001,
		ops: named,
		groupes: named,
		trunks: named,
		pauses: named,
		id_session: TOKEN,
		...echo(request),
	};
};

/** Failing responses by description; each repeats the login. The tokens in them are under their name. */
const failures: Array<[string, (request: Asked) => Given]> = [
	...[401, 403, 400, 422, 429, 500].map((status): [string, (request: Asked) => Given] => [
		`HTTP ${status}`,
		(request) => ({
			status,
			body: {
				apiModule: 'ORDERING',
				id_session: TOKEN,
				errors: [{ apiErrorCode: '77', apiErrorMessage: `${repeated(request)} ${TOKEN}` }],
				...echo(request),
			},
		}),
	]),
	[
		'a failure inside a 200',
		(request) => ({ body: { status: 'ERROR', message: repeated(request), ...echo(request) } }),
	],
	['text', (request) => ({ status: 400, body: `Refused: ${repeated(request)}` })],
	['text with a good status', (request) => ({ body: `Error: ${repeated(request)}` })],
	[
		'a web page',
		(request) => ({
			status: 502,
			headers: { 'content-type': 'text/html' },
			body: `<html><title>${repeated(request).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</title></html>`,
		}),
	],
	[
		'XML',
		(request) => ({
			status: 400,
			headers: { 'content-type': 'application/xml' },
			body: `<error><message><![CDATA[${repeated(request)}]]></message></error>`,
		}),
	],
	[
		'a redirect',
		(request) => ({
			status: 302,
			headers: { location: `/login/${encodeURIComponent(repeated(request))}` },
		}),
	],
	['nothing', () => ({ status: 503 })],
];

let answer: (request: Asked) => Given;
let service: AnswerServer;

beforeEach(async () => {
	service = await answerWith((request) => {
		const given = answer(request);
		return { ...given, headers: { ...cookies, ...given.headers } };
	});
});

afterEach(async () => await service.close());

const credentials = () => {
	const { voiceManagementApi, voiceManagementSupervisorApi } = credentialsAt(service.url, login);
	return {
		voiceManagementApi,
		voiceManagementSupervisorApi: { ...voiceManagementSupervisorApi, accountTypeKey: 'auto' },
	};
};

const { description, methods } = new VoiceManagement();

/** The parameters of an operation: n8n's defaults, the purchase confirmed, and a value in every empty field. */
function parametersOf(resource: string, operation: string, chosen: IDataObject): IDataObject {
	const parameters: IDataObject = { resource, operation, confirmPurchase: true, ...chosen };
	const filled = shownFields(parameters).flatMap(({ name, type }): Array<[string, unknown]> => {
		if (name in parameters) return [];
		if (type === 'resourceLocator') return [[name, { __rl: true, mode: 'id', value: '7' }]];
		if (/country/i.test(name)) return [[name, 'BEL']];
		if (type !== 'string') return [];
		return [[name, name === 'binaryPropertyName' ? 'data' : '7']];
	});
	return { ...parameters, ...(Object.fromEntries(filled) as IDataObject) };
}

function shownFields(parameters: IDataObject): INodeProperties[] {
	return description.properties.filter(({ displayOptions: { show = {}, hide } = {} }) => {
		const holds = (name: string, values: readonly unknown[]) => {
			const property = description.properties.find((one) => one.name === name);
			return values.includes(parameters[name] ?? property?.default);
		};
		return (
			Object.entries(show).every(([name, values]) => holds(name, values ?? [])) &&
			!Object.entries(hide ?? {}).some(([name, values]) => holds(name, values ?? []))
		);
	});
}

/** The variants of an operation: its defaults, and every other value of every choice that it offers. */
function variants(resource: string, operation: string): IDataObject[] {
	const values = ({ type, options = [], default: usual }: INodeProperties) =>
		type === 'boolean'
			? [true, false].filter((value) => value !== usual)
			: type === 'options'
				? options.flatMap((option) => ('value' in option ? [option.value] : []))
				: [];
	const fields = shownFields(parametersOf(resource, operation, {})).filter(
		({ name }) => !['resource', 'operation', 'confirmPurchase'].includes(name),
	);
	const own = fields
		.filter(({ name }) => !/country/i.test(name))
		.flatMap((field) => values(field).map((value) => ({ [field.name]: value })));
	const inOptions = fields
		.filter(({ name }) => name === 'options')
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.flatMap((option) => values(option).map((value) => ({ options: { [option.name]: value } })));
	return [{}, ...own, ...inOptions] as IDataObject[];
}

const cases = resources.flatMap(({ value: resource, operations }) =>
	operations.flatMap(({ value: operation }) =>
		variants(resource, operation).map(
			(chosen) =>
				[
					`${resource} ${operation} ${JSON.stringify(chosen)}`,
					resource,
					operation,
					chosen,
				] as const,
		),
	),
);

/** Operations whose purpose is to return the token; they must not reveal the login either. */
const handsOutToken = (operation: string, chosen: IDataObject) =>
	['createToken', 'getTestPageUrl'].includes(operation) ||
	(chosen.options as IDataObject | undefined)?.includeToken === true;

type Outcome = RunResult | { error: unknown };

describe.each(cases)('%s', (_title, resource, operation, chosen) => {
	const run = async (continueOnFail: boolean): Promise<Outcome> =>
		await runNode({
			credentials: credentials(),
			parameters: parametersOf(resource, operation, chosen),
			items: [itemWithFile()],
			continueOnFail,
		}).catch((error: unknown) => ({ error }));

	test('succeeds, and does not reveal the login', async () => {
		answer = (request) => ({ body: success(request) });
		const done = await run(false);
		expect(done).not.toHaveProperty('error');
		const { items } = done as RunResult;
		expect(service.asked).not.toHaveLength(0);
		expect(items).not.toHaveLength(0);
		const handsOut = handsOutToken(operation, chosen);
		expect(
			leaks(done, [...LOGIN_FORMS, ...(resource === 'session' && !handsOut ? [TOKEN] : [])]),
		).toEqual([]);
		// This is the exception: the token has to be there.
		if (handsOut) expect(JSON.stringify(items)).toContain(TOKEN);
	});

	test('a warning beside a success does not reveal the login', async () => {
		answer = (request) => ({
			body: { ...success(request), status: 'WARNING', message: repeated(request) },
		});
		expect(leaks(await run(false), LOGIN_FORMS)).toEqual([]);
	});

	// How a request fails does not depend on the chosen values.
	if (Object.keys(chosen).length > 0) return;

	test.each(failures)('fails with %s, and does not reveal the login', async (_what, given) => {
		answer = given;
		for (const continueOnFail of [false, true]) {
			expect(leaks(await run(continueOnFail))).toEqual([]);
			expect(service.asked).not.toHaveLength(0);
		}
	});

	test('fails without a response, and no request is attached to the error', async () => {
		await service.close();
		for (const continueOnFail of [false, true]) {
			const outcome = await run(continueOnFail);
			expect(leaks(outcome)).toEqual([]);
			expect(inspect(outcome, { depth: 20, showHidden: true })).not.toMatch(HEADER_NAMES);
		}
	});
});

describe('the requests for the lists of the action node', () => {
	const asked = {
		...methods.listSearch,
		...Object.fromEntries(
			Object.entries(methods.credentialTest).map(([name, test]) => [
				name,
				async () => {
					const { voiceManagementApi, voiceManagementSupervisorApi } = credentials();
					const data = { ...voiceManagementApi, ...voiceManagementSupervisorApi };
					return await test.call(testContext, { id: '1', name: 'Login', type: 'any', data });
				},
			]),
		),
	};

	test.each(Object.entries(asked))('%s', async (_name, ask) => {
		// A retry after 429 is the same request again, and the lists really wait for it.
		const others = failures.filter(([what]) => what !== 'HTTP 429');
		for (const given of [
			(request: Asked) => ({ body: success(request) }),
			...others.map(([, one]) => one),
		]) {
			answer = given;
			const outcome = await ask
				.call(listContext(credentials(), { countryCodeA3: 'BEL' }))
				.catch((error: unknown) => ({ error }));
			expect(leaks(outcome)).toEqual([]);
		}
		expect(service.asked.length).toBeGreaterThan(others.length);
	});
});

describe('the trigger', () => {
	const node = new VoiceManagementTrigger();
	const valuesOf = (name: string) =>
		(node.description.properties.find((property) => property.name === name)?.options ?? []).map(
			(option) => ('value' in option ? String(option.value) : ''),
		);
	const modes = valuesOf('feed').flatMap((feed) =>
		valuesOf('mode').flatMap((mode) => valuesOf('output').map((output) => [feed, mode, output])),
	);

	/** A provider whose login contains agents, groups and trunks with a password in each name. */
	async function startTelling(): Promise<Provider> {
		const provider = await startProvider();
		for (const one of [...provider.plan.agents, ...provider.plan.groups, ...provider.plan.trunks]) {
			one.name = `${one.name} ${provider.accounts.supervisor.password}`;
		}
		return provider;
	}

	/** Like the provider's tokens: 40 hexadecimal digits. */
	const TOKEN_FORM = /(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/;

	function expectNoSecret(provider: Provider, kept: unknown): void {
		const { numbers, api, supervisor } = provider.accounts;
		const passwords = [numbers, api, supervisor].flatMap((account) => [
			account.password,
			json(account.password).replace('é', '\\u00e9'),
			basicAuthorization({ ...account }).slice('Basic '.length),
		]);
		expect(leaks(kept, [...passwords, TOKEN, COOKIE])).toEqual([]);
		const text = inspect(kept, { depth: 20, showHidden: true, maxStringLength: null });
		expect(text).not.toMatch(TOKEN_FORM);
		expect(text).not.toMatch(HEADER_NAMES);
	}

	/** Every login is rejected with words that repeat it. */
	const refuse = (provider: Provider, feed: string) => {
		const account = provider.accounts[feed === 'account' ? 'api' : 'supervisor'];
		const words = `${basicAuthorization(account)} ${account.password}`.slice('Basic '.length);
		provider.control.fault({
			path: feed === 'account' ? '/vm/token' : '/ws/',
			times: 1_000,
			status: 401,
			headers: cookies,
			body: { id_session: TOKEN, err_msg: `Refused: ${words} ${TOKEN}`, headers: [words] },
		});
	};

	const parameters = (feed: string, mode: string, output: string): IDataObject =>
		NodeHelpers.getNodeParameters(
			node.description.properties,
			{
				feed,
				mode,
				output,
				every: 1,
				outcomes: [],
				snapshotOf: [],
				alerts: { alert: [{ when: 'callerWaiting', waitSeconds: 1 }] },
				options: { emitFeedStatus: true },
			},
			true,
			false,
			{ typeVersion: 1 },
			node.description,
		) as IDataObject;

	async function playActive(provider: Provider, feed: string, mode: string, output: string) {
		const staticData: IDataObject = {};
		const workflowId = `${feed} ${mode} ${output}`;
		const options = {
			parameters: parameters(feed, mode, output),
			credentials: triggerCredentials(provider),
			staticData,
			workflowId,
		};
		const trigger = await new ActiveTrigger(options).start();
		await provider.control.waitForSockets(1);
		provider.control.pushRaw('error', ['something else']);
		provider.control.send('queue', 'insert_call', { id_call: 7, id_queue: 301 });
		if (mode === 'callOutcomes') provider.control.send('queue', 'connect_call', { id_call: 7 });
		await trigger.until(({ items }) => items.some(({ event }) => event !== 'connected'));
		refuse(provider, feed);
		provider.control.disconnectSockets();
		await trigger.until(({ items }) => items.some(({ event }) => event === 'refused'));
		await trigger.close();
		const { executions, failedExecutions, emittedErrors, logs } = trigger;
		expect(logs).not.toHaveLength(0);
		expect(staticData).not.toEqual({});
		expectNoSecret(provider, {
			executions: executions.map(({ items, key }) => ({ items, key })),
			failedExecutions,
			emittedErrors,
			logs,
			staticData,
		});

		// The rejected login fails the next activation, and the test run; without feed status it runs the error
		// workflow.
		const refused = new ActiveTrigger({ ...options, workflowId: `${workflowId} refused` });
		const error = await refused.start().catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(Error);
		const run = await startTest({ ...options, workflowId: `${workflowId} run` });
		const failure = await run.result.catch((thrown: unknown) => thrown);
		expect(failure).toBeInstanceOf(Error);
		expectNoSecret(provider, [error, refused.logs, failure, run.logs, staticData]);
	}

	async function playTestRun(provider: Provider, feed: string, mode: string, output: string) {
		const run = await startTest({
			parameters: parameters(feed, mode, output),
			credentials: triggerCredentials(provider),
			workflowId: `${feed} ${mode} ${output}`,
		});
		// A test run of snapshots ends with its connection: the first one is taken at once.
		if (mode !== 'snapshots') await provider.control.waitForSockets(1);
		provider.control.send('queue', 'insert_call', { id_call: 7, id_queue: 301 });
		if (mode === 'callOutcomes') provider.control.send('queue', 'connect_call', { id_call: 7 });
		const items = await run.result;
		expect(nth(items, 0)).not.toHaveLength(0);
		await run.ended;
		expectNoSecret(provider, [items, run.logs]);
	}

	describe.each([
		['an active workflow', playActive],
		['a test run', playTestRun],
	] as const)('%s', (_what, play) => {
		/** Side by side, each with a provider of its own, since most of each is waiting. */
		const played = new Map<string, Promise<void>>();
		beforeAll(() => {
			for (const [feed = '', mode = '', output = ''] of modes) {
				const playing = startTelling().then(async (provider) => {
					await play(provider, feed, mode, output).finally(async () => await provider.close());
				});
				playing.catch(() => undefined);
				played.set(`${feed} ${mode} ${output}`, playing);
			}
		});

		test.each(modes)('%s feed, %s, %s', async (...mode) => {
			await present(played.get(mode.join(' ')));
		});
	});

	test.each(Object.keys(node.methods.loadOptions) as Array<keyof typeof node.methods.loadOptions>)(
		'%s',
		async (method) => {
			const provider = await startTelling();
			const options = {
				parameters: { feed: 'supervisor' },
				credentials: triggerCredentials(provider),
			};
			const list = await loadOptions(method, options);
			expect(list).not.toHaveLength(0);
			refuse(provider, 'supervisor');
			const refused = await loadOptions(method, options).catch((error: unknown) => error);
			await provider.close();
			expectNoSecret(provider, [list, refused]);
		},
	);
});
