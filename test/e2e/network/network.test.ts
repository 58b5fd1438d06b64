// The trigger in the networks that n8n runs in, and with providers that accept only one reading of the documents: in a
// real n8n, since proxies, certificates and the protection against forged requests (SSRF) are n8n's own.
import { itemsOf, type Activation, type Credential, type Workflow } from '../../../dev/n8n/client';
import {
	API_CREDENTIAL,
	SUPERVISOR_CREDENTIAL,
	credentialData,
	withCredentials,
} from '../../../dev/setup';
import { startProvider, type Provider, type ProviderOptions } from '../../../simulator';
import { startForwardProxy, type ForwardProxy } from '../../support/forwardProxy';
import { refusalOf, startBench, type OwnBench } from '../support/bench';
import { TRIGGER, chain, noOpNode, triggerNode } from '../support/workflows';

const PROXIED_HOST = 'provider.example.com';

const providers: Provider[] = [];
let bench: OwnBench | undefined;

/** A provider notices soon when a client is gone, but not for a client on a machine that stands still for seconds. */
const PINGS = { pingInterval: 4_000, pingTimeout: 16_000 };

async function providerWith(options: Partial<ProviderOptions> = {}): Promise<Provider> {
	const provider = await startProvider({ ...PINGS, ...options });
	providers.push(provider);
	return provider;
}

afterEach(async () => {
	await bench?.quiet();
	await Promise.all(providers.splice(0).map((provider) => provider.close()));
});

interface Feed {
	workflow: Workflow;
	activation: Activation;
	/** The workflow's first items of this event, once there are this many. */
	items(event: string, count?: number): Promise<Array<Record<string, unknown>>>;
	/** The provider sends an event, and the workflow runs with it. */
	brings(idCall: number): Promise<void>;
}

/** Activates a workflow with feed status items. */
async function activate(
	provider: Provider,
	fields: Record<string, unknown> = {},
	parameters: Record<string, unknown> = {},
): Promise<Feed> {
	const { client } = bench as OwnBench;
	const account = parameters.feed === 'account';
	const { options, ...others } = parameters;
	const trigger = triggerNode({
		notificationTypes: ['queue'],
		...others,
		options: { emitFeedStatus: true, ...(options as object | undefined) },
	});
	const type = account ? API_CREDENTIAL : SUPERVISOR_CREDENTIAL;
	const credential: Credential = await client.createCredential(type, 'Provider', {
		...credentialData(provider, account ? 'api' : 'supervisor'),
		...fields,
	});
	const node = { ...trigger, credentials: { [type]: { id: '', name: '' } } };
	const workflow = await client.createWorkflow(
		withCredentials(chain('Feed', [node, noOpNode()]), [credential]),
	);
	const activation = await client.activate(workflow.id);
	const items = async (field: string, value: string, count: number) => {
		const wanted = ({ json }: { json: Record<string, unknown> }) => json[field] === value;
		const executions = await client.waitForExecutions(workflow.id, count, (execution) =>
			itemsOf(execution, TRIGGER).some(wanted),
		);
		return executions.flatMap((execution) =>
			itemsOf(execution, TRIGGER)
				.filter(wanted)
				.map(({ json }) => json),
		);
	};
	return {
		workflow,
		activation,
		items: async (event, count = 1) => await items('event', event, count),
		async brings(idCall) {
			await provider.control.waitForSockets(1);
			provider.control.send('queue', 'insert_call', { id_call: idCall, id_queue: 301 });
			expect(await items('id_call', String(idCall), 1)).toHaveLength(1);
		},
	};
}

const LIVE = { active: true };

const refused = async ({ workflow, activation }: Feed): Promise<Activation> =>
	await refusalOf((bench as OwnBench).client, workflow, activation);

/**
 * Settings of an n8n instance that reaches everything but this computer through a proxy, and this computer too if it is
 * addressed by name.
 */
const behind = ({ url }: ForwardProxy) => ({
	HTTP_PROXY: url,
	HTTPS_PROXY: url,
	NO_PROXY: '127.0.0.1',
});

describe('with n8n behind a forward proxy, and a certificate of a private authority', () => {
	let proxy: ForwardProxy;
	let proxied: Provider;
	let secured: Provider;

	beforeAll(async () => {
		secured = await startProvider({ tls: true });
		proxied = await startProvider(PINGS);
		// Only the proxy can resolve the name.
		proxy = await startForwardProxy({ hosts: { [PROXIED_HOST]: proxied.port } });
		bench = await startBench({
			name: 'network',
			environment: {
				...behind(proxy),
				NODE_EXTRA_CA_CERTS: String(secured.caFile),
			},
		});
	});

	afterAll(async () => {
		await bench?.close();
		bench = undefined;
		await proxy?.close();
		await proxied?.close();
		await secured?.close();
	});

	test('"Account Type Key" Auto: a provider that only accepts count_type is live', async () => {
		const provider = await providerWith({ accountTypeKey: 'count_type' });
		const feed = await activate(provider, { accountTypeKey: 'auto' });
		expect(feed.activation).toMatchObject(LIVE);
		await feed.brings(1);
	});

	test('a provider whose certificate is from the private authority is live', async () => {
		const feed = await activate(secured);
		expect(feed.activation).toMatchObject(LIVE);
		await feed.brings(3);
		expect(await feed.items('connected')).toMatchObject([{ transport: 'direct' }]);
	});

	test('a provider that only the proxy can resolve is live through n8n, and again after a restart of the proxy and a disconnect', async () => {
		const feed = await activate(proxied, { voiceUrl: `http://${PROXIED_HOST}:${proxied.port}` });
		expect(feed.activation).toMatchObject(LIVE);
		await feed.brings(4);
		expect(await feed.items('connected')).toMatchObject([{ transport: 'n8n' }]);

		await proxy.stop();
		expect(await feed.items('disconnected')).toMatchObject([{ reason: expect.any(String) }]);
		await proxy.start();
		expect(await feed.items('connected', 2)).toMatchObject([{}, { transport: 'n8n' }]);
		await feed.brings(5);

		proxied.control.disconnectSockets();
		expect(await feed.items('disconnected', 2)).toHaveLength(2);
		expect(await feed.items('connected', 3)).toMatchObject([{}, {}, { transport: 'n8n' }]);
		await feed.brings(6);
	});
});

describe('with n8n behind a forward proxy, on Node.js 24 with NODE_USE_ENV_PROXY', () => {
	let proxy: ForwardProxy;
	let provider: Provider;

	beforeAll(async () => {
		provider = await startProvider({ forms: ['websocket-only'] });
		proxy = await startForwardProxy({ hosts: { [PROXIED_HOST]: provider.port } });
		bench = await startBench({
			name: 'network-env-proxy',
			environment: { ...behind(proxy), NODE_USE_ENV_PROXY: '1' },
		});
	});

	afterAll(async () => {
		await bench?.close();
		bench = undefined;
		await proxy?.close();
		await provider?.close();
	});

	test('a provider that only accepts WebSocket and that only the proxy can resolve is live', async () => {
		const feed = await activate(provider, { voiceUrl: `http://${PROXIED_HOST}:${provider.port}` });
		expect(feed.activation).toMatchObject(LIVE);
		await feed.brings(7);
		expect(provider.control.sockets()).toMatchObject([{ transport: 'websocket' }]);
		expect(await feed.items('connected')).toMatchObject([{ transport: 'direct' }]);
	});
});

describe("with n8n's SSRF protection, which allows the name localhost, but not the computer's own IP addresses", () => {
	beforeAll(async () => {
		bench = await startBench({
			name: 'network-ssrf',
			environment: {
				N8N_SSRF_PROTECTION_ENABLED: 'true',
				N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
				NODE_EXTRA_CA_CERTS: '',
			},
		});
	});

	afterAll(async () => {
		await bench?.close();
		bench = undefined;
	});

	const byName = ({ url }: Provider) => url.replace('127.0.0.1', 'localhost');

	test('an allowed host is live', async () => {
		const provider = await providerWith();
		const feed = await activate(provider, { voiceUrl: byName(provider) });
		expect(feed.activation).toMatchObject(LIVE);
		await feed.brings(8);
	});

	test('a blocked host gets no connection, whatever the transport and the login, and the activation reports why', async () => {
		const forbidden = await providerWith();
		const halfForbidden = await providerWith();
		// All at once: n8n tries each activation five times, over about 18 s.
		const feeds = await Promise.all([
			...['auto', 'direct', 'n8n'].map(
				async (transport) => await activate(forbidden, { customConnection: true, transport }),
			),
			// The login is at an allowed host, the events are at a blocked one.
			activate(halfForbidden, { baseUrl: byName(halfForbidden) }, { feed: 'account' }),
		]);
		for (const feed of feeds) {
			expect(await refused(feed)).toMatchObject({
				active: false,
				error: expect.stringMatching(/SSRF protection forbids .*N8N_SSRF_ALLOWED_HOSTNAMES/),
			});
		}
		expect(forbidden.control.counts().tcp.accepted).toBe(0);
		expect(halfForbidden.control.logins('api')).toBeGreaterThan(0);
		expect(halfForbidden.control.requests({ area: 'feed' })).toEqual([]);
		expect(halfForbidden.control.counts().connected).toBe(0);
	});

	test('a provider with an unknown certificate: the activation names the setting that helps', async () => {
		const provider = await providerWith({ tls: true });
		const feed = await activate(provider, { voiceUrl: byName(provider) });
		expect(await refused(feed)).toMatchObject({
			active: false,
			error: expect.stringMatching(/certificate .* is not trusted .*NODE_EXTRA_CA_CERTS/),
		});
		expect(provider.control.sockets()).toEqual([]);
	});
});
