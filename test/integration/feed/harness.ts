/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Shared by the feed's cases with real sockets: a provider, and a subscriber that records everything. The feed's clock
// stands still unless a case advances it: timed waits take no test time, and network traffic may take as long as a busy
// machine needs.
import type { HttpResponse } from '../../../nodes/shared/answer/parse';
import { verdictOf } from '../../support/logins';
import { secretsOf } from '../../../nodes/shared/secrets';
import { request as plainRequest } from 'node:http';
import { setImmediate } from 'node:timers/promises';

import { openSocket, type SendRequest } from '../../../nodes/VoiceManagementTrigger/feed/socketio';
import { webSocketHandshake } from '../../../nodes/VoiceManagementTrigger/feed/socketio/webSockets';
import { Hub } from '../../../nodes/VoiceManagementTrigger/feed/hub';
import type {
	Clock,
	FeedEvent,
	FeedOptions,
	FeedState,
	FeedStatus,
	FeedSubscription,
} from '../../../nodes/VoiceManagementTrigger/feed/types';
import { startProvider, type Provider, type ProviderOptions } from '../../../simulator';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { Arrivals } from '../../support/arrivals';
import { httpRequest } from '../../support/n8nHttp';
import { HandClock, Witness } from '../../support/world';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy';
import { nth } from '../../support/present';

/** One request on a connection of its own, since a kept one may be one that a case has made half-open. */
export const send: SendRequest = async ({ url, body, ...options }) =>
	await new Promise((resolve, reject) => {
		const call = plainRequest(url, { agent: false, ...options }, (response) => {
			const pieces: Buffer[] = [];
			response.on('data', (piece: Buffer) => pieces.push(piece));
			response.on('error', reject);
			response.on('end', () => {
				const { statusCode = 0, headers } = response;
				resolve({ statusCode, headers, body: Buffer.concat(pieces) });
			});
		});
		call.on('error', reject);
		call.end(body);
	});

/** A login as the trigger sends it. */
const request = async (
	url: string,
	options: Pick<IHttpRequestOptions, 'method' | 'headers' | 'body'> & { signal?: AbortSignal },
) => {
	const { signal, ...rest } = options;
	return (await httpRequest({
		...rest,
		url,
		abortSignal: signal,
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	})) as HttpResponse;
};

/** The supervisor's login as the credential sends it. */
export function supervisorOptions(
	provider: Provider,
	given: Partial<FeedOptions> & { password?: string } = {},
): FeedOptions {
	const { password = provider.accounts.supervisor.password, ...rest } = given;
	const voiceUrl = rest.voiceUrl ?? provider.url;
	const xJson = JSON.stringify({
		requete: 'init',
		header: { login: provider.accounts.supervisor.login, password, account_type: 'supervisor' },
		msg: {},
	}).replace(
		/[\u0080-\uffff]/g,
		(char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	return {
		key: `supervisor ${voiceUrl} ${password}`,
		account: `supervisor ${voiceUrl}`,
		secrets: secretsOf({ login: provider.accounts.supervisor.login, password }),
		voiceUrl,
		initAccountType: 'supervisor',
		socketPath: '/socket.io/',
		protocol: 'auto',
		silenceTimeoutMs: 0,
		login: async (signal, askedAt) =>
			verdictOf(
				await request(`${voiceUrl}/ws/`, { method: 'POST', headers: { 'X-JSON': xJson }, signal }),
				'supervisor',
				askedAt,
			),
		loginUrl: `${voiceUrl}/ws/`,
		transport: 'auto',
		request: send,
		...rest,
	};
}

/** The full account feed. */
function accountOptions(provider: Provider, given: Partial<FeedOptions> = {}): FeedOptions {
	const { login, password, clientId } = provider.accounts.api;
	const basic = Buffer.from(`${login}:${password}`, 'utf8').toString('base64');
	return {
		...supervisorOptions(provider),
		key: `account ${provider.url}`,
		account: `account ${provider.url}`,
		secrets: secretsOf({ login, password }),
		loginUrl: `${provider.url}/vm/token`,
		initAccountType: 'api',
		target: clientId,
		login: async (signal, askedAt) =>
			verdictOf(
				await request(`${provider.url}/vm/token`, {
					method: 'POST',
					headers: { Authorization: `Basic ${basic}`, 'Content-Type': 'application/json' },
					body: JSON.stringify({ ip: '127.0.0.1', user_type: 'api' }),
					signal,
				}),
				'account',
				askedAt,
			),
		...given,
	};
}

/** A subscriber that records everything, in order, and can be waited for. */
export class Recorder extends Witness {
	/** Numbers of events, and gaps, in the order of their arrival. */
	readonly timeline: Array<number | 'gap'> = [];

	private readonly arrivals = new Arrivals();

	override onEvent(event: FeedEvent): void {
		if (typeof event.msg.n === 'number') this.timeline.push(event.msg.n);
		super.onEvent(event);
	}

	override onStatus(status: FeedStatus): void {
		if (status.event === 'gap') this.timeline.push('gap');
		super.onStatus(status);
	}

	protected override changed(): void {
		this.arrivals.changed();
	}

	count(event: FeedStatus['event']): number {
		return this.of(event).length;
	}

	/** Waits until `condition` is met, which is checked whenever something arrives. */
	async until(condition: (recorder: Recorder) => unknown, what: string) {
		await this.arrivals.until(
			() => condition(this),
			() => `${what}\n${this.lines.slice(-30).join('\n')}\n${JSON.stringify(this.statuses)}`,
		);
	}
}

/** A separate hub for a case, so that cases share nothing. */
export function makeHub(clock: Clock, random = Math.random, open = openSocket): Hub {
	return new Hub({
		clock,
		openSocket: open,
		webSocketHandshake,
		endpoints: new Map(),
		behindN8n: new Set(),
		random,
	});
}

/** The real sockets of a feed, counted. */
class WatchedSockets {
	opening = 0;

	connected = 0;

	readonly open: typeof openSocket = (options, handlers) => {
		let state: 'opening' | 'connected' | 'ended' = 'opening';
		this.opening++;
		const become = (next: typeof state) => {
			if (state === 'ended') return;
			this[state]--;
			state = next;
			if (next !== 'ended') this[next]++;
		};
		const socket = openSocket(options, {
			...handlers,
			connect: (recovered) => {
				become('connected');
				handlers.connect(recovered);
			},
			connectError: (...error) => {
				become('ended');
				handlers.connectError(...error);
			},
			disconnect: (reason) => {
				become('ended');
				handlers.disconnect(reason);
			},
		});
		return {
			...socket,
			close: () => {
				become('ended');
				socket.close();
			},
		};
	};
}

/** Everything that a case opened, closed together. */
export class Case {
	private readonly ends: Array<() => unknown> = [];

	async provider(options: Partial<ProviderOptions> = {}): Promise<Provider> {
		const provider = await startProvider(options);
		this.ends.push(() => provider.close());
		return provider;
	}

	subscribe(hub: Hub, options: FeedOptions, recorder = new Recorder()) {
		const subscription: FeedSubscription = hub.subscribe(options, recorder);
		this.ends.unshift(() => subscription.close());
		return { subscription, recorder };
	}

	onEnd(end: () => unknown): void {
		this.ends.unshift(end);
	}

	async end(): Promise<void> {
		for (const end of this.ends.splice(0)) await end();
	}
}

/** Waits for a condition that nobody reports, by checking it in every turn of the event loop. */
export async function turnsUntil(condition: () => boolean, what: string): Promise<void> {
	const end = performance.now() + 30_000;
	while (!condition()) {
		if (performance.now() > end) throw new Error(`Timed out waiting for ${what}`);
		await setImmediate();
	}
}

/** States in which nothing is under way and a timer leads on. */
const WAITING: FeedState[] = ['idle', 'waiting', 'refused'];

/** Waits until a feed is live; its waits between two tries are skipped. */
export async function untilLive(
	clock: HandClock,
	subscription: FeedSubscription,
	recorder: Recorder,
): Promise<void> {
	for (let state = subscription.state(); state !== 'live'; state = subscription.state()) {
		if (WAITING.includes(state)) await clock.turnToNext();
		else await recorder.until(() => subscription.state() !== state, `the end of ${state}`);
	}
}

/** Advances the clock to the time at which a live feed begins to renew its token. */
export async function untilRenewing(
	clock: HandClock,
	subscription: FeedSubscription,
): Promise<void> {
	while (subscription.state() === 'live') await clock.turnToNext();
}

/** Ends the current renewal as soon as both connections deliver events, which have to arrive in the meantime. */
export async function untilRenewed(
	clock: HandClock,
	subscription: FeedSubscription,
	recorder: Recorder,
): Promise<void> {
	const { duplicates } = subscription.counters();
	await recorder.until(
		() => subscription.counters().duplicates > duplicates,
		'events of both connections',
	);
	while (subscription.state() === 'renewing') await clock.turnToNext();
}

/** For cases that send events: everything sent is recorded and compared with what arrived. */
export interface Scene {
	clock: HandClock;
	provider: Provider;
	proxy: TcpProxy;
	hub: Hub;
	recorder: Recorder;
	subscription: FeedSubscription;
	/** A second subscriber of the same feed. */
	join(recorder?: Recorder): { subscription: FeedSubscription; recorder: Recorder };
	/** The maximum number of logins that were under way at the same time. */
	loginsAtOnce(): number;
	/** Logins that were tried, including rejected ones. */
	loginsTried(): number;
	/**
	 * Waits for something that takes more than network traffic; the feed's own waits are skipped as soon as that is
	 * quiet.
	 */
	turning(condition: () => boolean, what: string): Promise<void>;
	/** Sends one event; returns its number. */
	send(): number;
	/** Sends events until the returned function is called. */
	traffic(): () => void;
	/** Waits until the feed is in this state. */
	state(state: FeedState): Promise<void>;
	/** Waits until the feed is live; its waits between two tries are skipped. */
	live(): Promise<void>;
	/** … and until the provider has its one connection: a stall of this machine may end it in between. */
	connected(): Promise<void>;
	/** Waits until `condition` is met; a connection that a stall of this machine ends comes back. */
	until(condition: (recorder: Recorder) => unknown, what: string): Promise<void>;
	/** Applies `fault` to a live connection, and waits until that connection is lost. */
	losing(fault: () => unknown): Promise<void>;
	/** Makes this many tries to log in or to connect fail, without the waits between them. */
	failures(count: number): Promise<void>;
	/** Waits until everything that was sent has arrived or is lost. */
	arrived(): Promise<void>;
	/** Advances the feed to the time at which it renews its token. */
	renewing(): Promise<void>;
	/** Ends the current renewal as soon as both connections deliver events. */
	renewed(): Promise<void>;
	/** Waits until everything has arrived that will arrive, and compares. */
	compare(): Promise<Comparison>;
}

export interface Comparison {
	/** Numbers that arrived twice. */
	duplicates: number[];
	/** Numbers that did not arrive, without a gap at their place in the order of events. */
	lost: number[];
	/** Numbers that did not arrive. */
	missing: number[];
	/** Whether they arrived in the order of sending. */
	ordered: boolean;
}

/** The last number before and the first number after each gap. */
function placesOfGaps(timeline: Array<number | 'gap'>): Array<[number, number]> {
	return timeline.flatMap((entry, index) => {
		if (entry !== 'gap') return [];
		const isNumber = (one: number | 'gap') => one !== 'gap';
		const before = timeline.slice(0, index).findLast(isNumber) ?? 0;
		const after = timeline.slice(index).find(isNumber) ?? Infinity;
		return [[before, after] as [number, number]];
	});
}

export interface Setting {
	socketio: 4 | 2;
	provider?: Partial<ProviderOptions>;
	options?: Partial<FeedOptions>;
	account?: boolean;
	/** Additional fields of each event. */
	fields?: object;
	/** Called before the feed is opened. */
	before?: (scene: { provider: Provider; proxy: TcpProxy }) => unknown;
}

/** A running provider behind a proxy, and a feed that uses the proxy. */
export async function makeScene(run: Case, setting: Setting): Promise<Scene> {
	const clock = new HandClock();
	const provider = await run.provider({
		socketio: setting.socketio,
		...setting.provider,
	});
	const proxy = await startTcpProxy(provider.port);
	run.onEnd(() => proxy.close());
	await setting.before?.({ provider, proxy });
	const base = (setting.account ? accountOptions : supervisorOptions)(provider, {
		voiceUrl: proxy.url,
		...setting.options,
	});
	let underWay = 0;
	let atOnce = 0;
	let tried = 0;
	const options: FeedOptions = {
		...base,
		async login(signal, askedAt) {
			tried++;
			underWay++;
			atOnce = Math.max(atOnce, underWay);
			try {
				return await base.login(signal, askedAt);
			} finally {
				underWay--;
			}
		},
	};
	const sockets = new WatchedSockets();
	const hub = makeHub(clock, Math.random, sockets.open);
	const { subscription, recorder } = run.subscribe(hub, options);
	const initialised = () =>
		provider.control.sockets().filter(({ initialised }) => initialised).length;
	/** Whether nothing is on its way to the provider, and both sides have the same connections. */
	const isQuiet = () =>
		underWay === 0 && sockets.opening === 0 && initialised() === sockets.connected;
	let sent = 0;
	const send = () => {
		const n = ++sent;
		provider.control.send('queue', 'insert_call', { ...setting.fields, id_call: 100_000 + n, n });
		return n;
	};
	const isWaiting = () => WAITING.includes(subscription.state());
	const scene: Scene = {
		clock,
		provider,
		proxy,
		hub,
		recorder,
		subscription,
		join: (joining) => run.subscribe(hub, options, joining),
		loginsAtOnce: () => atOnce,
		loginsTried: () => tried,
		send,
		traffic() {
			const timer = setInterval(send, 5);
			run.onEnd(() => clearInterval(timer));
			return () => clearInterval(timer);
		},
		state: (state) => recorder.until(() => subscription.state() === state, `state ${state}`),
		live: async () => await untilLive(clock, subscription, recorder),
		async connected() {
			const isThere = () => initialised() === 1;
			do {
				await scene.live();
				await turnsUntil(() => isThere() || isWaiting(), 'the connection');
			} while (!isThere());
		},
		async turning(condition, what) {
			while (!condition()) {
				if (isQuiet()) await clock.turnToNext();
				await turnsUntil(() => condition() || isQuiet(), what);
			}
		},
		async until(condition, what) {
			while (!condition(recorder)) {
				await scene.live();
				await recorder.until(() => condition(recorder) || isWaiting(), what);
			}
		},
		async losing(fault) {
			await scene.live();
			const lost = recorder.count('disconnected');
			await fault();
			await recorder.until(() => recorder.count('disconnected') > lost, 'the loss');
		},
		async failures(count) {
			for (let failed = 0; failed < count; failed++) {
				while (isWaiting()) await clock.turnToNext();
				await recorder.until(isWaiting, 'a failure');
			}
		},
		async arrived() {
			// A last event shows that; more than one if a connection is lost at this moment.
			for (let came = false; !came;) {
				await scene.live();
				await provider.control.waitFor((control) => {
					const sockets = control.sockets().sort((a, b) => a.connectedAt - b.connectedAt);
					return sockets.at(-1)?.initialised;
				});
				const lost = recorder.count('disconnected');
				const n = send();
				await recorder.until(() => {
					came = recorder.timeline.includes(n);
					return came || recorder.count('disconnected') > lost;
				}, `event ${n}`);
			}
		},
		async renewing() {
			await scene.arrived();
			await untilRenewing(clock, subscription);
		},
		renewed: async () => await untilRenewed(clock, subscription, recorder),
		async compare() {
			await scene.arrived();
			const numbers = recorder.events.flatMap(({ msg }) =>
				typeof msg.n === 'number' ? [msg.n] : [],
			);
			const came = new Set(numbers);
			const all = Array.from({ length: sent }, (_, index) => index + 1);
			const missing = all.filter((n) => !came.has(n));
			const places = placesOfGaps(recorder.timeline);
			const covered = (n: number) => places.some(([before, after]) => n > before && n < after);
			return {
				duplicates: numbers.filter((n, index) => numbers.indexOf(n) !== index),
				lost: missing.filter((n) => !covered(n)),
				missing,
				ordered: numbers.every((n, index) => index === 0 || nth(numbers, index - 1) < n),
			};
		},
	};
	return scene;
}
