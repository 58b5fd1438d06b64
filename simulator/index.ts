/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The simulated provider as a library: `startProvider()` starts one.

import type { Accounts, CallCentrePlan } from './accounts';
import { Control } from './control/control';
import { registerChat } from './chat/routes';
import { registerConsole } from './console/routes';
import { registerControl } from './control/routes';
import { startSocketServer } from './feed/socketServer';
import { makeCertificates } from './http/certificates';
import { Listener } from './http/listener';
import { buildServer, guardFeedPath } from './http/server';
import { completeOptions, type ProviderOptions } from './options';
import { Store } from './store';
import { Player } from './traffic/player';

export type { Accounts, CallCentrePlan } from './accounts';
export type { Burst } from './control/burst';
export type { Control } from './control/control';
export { remoteControl, type RemoteControl } from './control/remote';
export type { SocketView } from './feed/hub';
export type { Fault } from './http/faults';
export type { RecordedRequest } from './http/requestLog';
export { ProviderError, type ProviderOptions } from './options';
export type { MultipartPart } from './rest/multipart';
export { generateTraffic, type Traffic, type TrafficRequest } from './traffic/generate';
export type { CallLeg, CallRecord } from './traffic/ledger';
export type { Scene, SceneName, SceneOptions } from './traffic/scenes';

/** A running provider. One server on one port serves both hosts of the documents. */
export interface Provider {
	/** `{voice_url}` and `{api_url}`, without a trailing slash. */
	url: string;
	port: number;
	/** With `tls`: the file with the certificate of the authority that signed the provider's own. */
	caFile?: string;
	accounts: Accounts;
	/** The people, queues and numbers that the events are about. */
	plan: CallCentrePlan;
	control: Control;
	/**
	 * Calls `listener` for every message sent to the feed, connected or not. Returns a function that stops it.
	 * `at`: when it was sent, milliseconds since 1970; whoever receives it does so later.
	 */
	onEvent(
		listener: (name: string, args: unknown[], reached: number, at: number) => void,
	): () => void;
	/** Stops everything at once; idempotent. */
	close(): Promise<void>;
}

/** Starts a provider. Throws ProviderError if a setting is invalid or the port is in use. */
export async function startProvider(given: Partial<ProviderOptions> = {}): Promise<Provider> {
	const store = new Store(completeOptions(given));
	const certificates = store.options.tls ? makeCertificates() : undefined;
	let control!: Control;
	const { app, http } = await buildServer(
		store,
		(instance) => {
			// The routes call this only once the control exists.
			registerControl(instance, () => control);
			registerConsole(instance, store, () => control);
			registerChat(instance, store);
		},
		certificates,
	);
	const listener = new Listener(http, store.options.host, store.options.port, () =>
		store.changed(),
	);
	const player = new Player(store);
	control = new Control(store, listener, player);
	const sockets = await startSocketServer(http, store.hub, store.options);
	guardFeedPath(http, store);
	await listener.listen().catch((error: unknown) => {
		certificates?.remove();
		throw error;
	});
	player.play();
	const host = store.options.host.includes(':') ? `[${store.options.host}]` : store.options.host;
	let closing: Promise<void> | undefined;
	const close = async () => {
		player.pause();
		store.stop();
		sockets.close();
		await listener.close();
		await app.close();
		certificates?.remove();
	};
	return {
		url: `${certificates ? 'https' : 'http'}://${host}:${listener.port}`,
		...(certificates ? { caFile: certificates.caFile } : {}),
		port: listener.port,
		accounts: store.accounts,
		plan: store.plan,
		control,
		onEvent(listen) {
			store.news.on('event', listen);
			return () => void store.news.off('event', listen);
		},
		close: () => (closing ??= close()),
	};
}
