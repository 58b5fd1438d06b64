/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The control API: what tests, the console and a person can do to a provider. The same methods work in-process and,
// with their arguments as a JSON list, over HTTP (routes.ts).

import type { Audience, SocketView } from '../feed/hub';
import type { FeedKind } from '../feed/tokens';
import type { Fault } from '../http/faults';
import type { Listener } from '../http/listener';
import type { RecordedRequest, RequestFilter } from '../http/requestLog';
import type { CallRecord } from '../traffic/ledger';
import type { Player } from '../traffic/player';
import {
	sceneNames,
	Stage,
	type Scene,
	type SceneName,
	type SceneOptions,
} from '../traffic/scenes';
import { ProviderError, complaint, type ProviderOptions } from '../options';
import type { AddressStatus, Behaviour } from '../rest/state';
import type { HandshakeRefusal, Refusal, Store, WireOptions } from '../store';
import { sendBurst, type Burst } from './burst';

/** Settings that can change while the provider runs. */
export type Settings = Partial<
	Pick<
		ProviderOptions,
		'tokenLifetime' | 'onExpiry' | 'singleSession' | 'secondLogin' | 'reviewTime' | 'accountTypeKey'
	>
>;
const changeable = [
	'tokenLifetime',
	'onExpiry',
	'singleSession',
	'secondLogin',
	'reviewTime',
	'accountTypeKey',
] as const satisfies readonly (keyof Settings)[];

/** The default time limit of the waits, in milliseconds: longer than the longest back-off of a client. */
const defaultWait = 120_000;

export class Control {
	private readonly stage: Stage;

	constructor(
		private readonly store: Store,
		private readonly listener: Listener,
		private readonly player: Player,
	) {
		this.stage = new Stage(store);
	}

	// Events

	/** Sends an event object exactly as given to every initialised connection. Returns the number of recipients. */
	push(event: unknown, options: WireOptions = {}): number {
		return this.store.push(event, options);
	}

	/** Sends a message in the document's envelope, with the next `cpt` and the time. Returns the sent object. */
	send(type: string, event: string, msg: Record<string, unknown> = {}, options: WireOptions = {}) {
		const envelope = this.store.envelope(type, event, msg);
		this.store.push(envelope, options);
		return envelope;
	}

	/** Sends any Socket.IO message with any arguments. Returns the number of recipients. */
	pushRaw(name: string, args: unknown[], to: Audience = 'all'): number {
		return this.store.pushRaw(name, args, to);
	}

	/** Sends many numbered events, at once or at a rate; resolves when the last one has been sent. */
	pushBurst(burst: Burst): Promise<{ first: number; last: number }> {
		return sendBurst(this.store, burst);
	}

	/** Plays a short scene, such as one missed call; resolves when its last event has been sent. */
	play(scene: SceneName, options: SceneOptions = {}): Promise<Scene> {
		if (!sceneNames.includes(scene)) {
			throw new ProviderError(
				`There is no scene "${scene}": choose one of ${sceneNames.join(', ')}.`,
			);
		}
		return this.stage.play(scene, options);
	}

	/** The same without waiting for the end: a browser has only six connections, and a scene would keep one. */
	begin(scene: SceneName, options: SceneOptions = {}) {
		void this.play(scene, options);
	}

	/** Sends the next events of the generated traffic at once, whatever the rate. Returns how many. */
	generate(count: number, options: WireOptions = {}): Promise<number> {
		return this.player.generate(count, options);
	}

	/** The ledger of generated calls: what actually happened to each, up to the last sent event. */
	calls(): CallRecord[] {
		return this.player.calls();
	}

	/** Stops the live traffic, or resumes it. */
	setTraffic(on: boolean) {
		if (on) this.player.play();
		else this.player.pause();
	}

	/** Whether generated traffic is being sent. */
	trafficOn(): boolean {
		return this.player.playing;
	}

	// Sessions and connections

	/** Ends every token now; `onExpiry` decides what happens to its connections. Returns how many. */
	expireTokens(): number {
		return this.store.tokens.expire();
	}

	/** Disconnects cleanly from the server's side. Returns how many. */
	disconnectSockets(to: Audience = 'all'): number {
		return this.store.hub.disconnect(to);
	}

	/** Keeps the connections open but sends nothing more on them. Returns how many. */
	silenceSockets(to: Audience = 'all'): number {
		return this.store.hub.silence(to);
	}

	/** Ends the TCP connections of the feed without a goodbye. Returns how many. */
	destroySockets(to: Audience = 'all'): number {
		return this.store.hub.destroy(to);
	}

	/** Ends every TCP connection, including HTTP. Returns how many. */
	cutTcp(): number {
		return this.listener.cut();
	}

	/** Accepts no new connections; open ones stay. With `forMs` it listens again by itself. */
	async stopListening({ forMs }: { forMs?: number } = {}) {
		await this.listener.stop();
		this.store.changed();
		if (forMs !== undefined) this.#comeBack(forMs);
	}

	/** Listens again after a time; if another process has taken the port meanwhile, it waits until the port is free. */
	#comeBack(afterMs: number) {
		this.store.later(afterMs, () => {
			this.listenAgain().catch(() => this.#comeBack(100));
		});
	}

	/** Listens on the same port again. */
	async listenAgain() {
		await this.listener.listen();
		this.store.changed();
	}

	/** Goes away altogether: stops listening and ends every connection. With `forMs` it comes back by itself. */
	async goAway(options: { forMs?: number } = {}) {
		await this.stopListening(options);
		this.listener.cut();
	}

	/** How logins are refused from now on; null: they are accepted. */
	refuseLogins(how: Refusal | null) {
		this.store.refusal = how;
	}

	/** How Socket.IO handshakes are refused from now on; null: they are accepted. */
	refuseHandshakes(how: HandshakeRefusal | null) {
		this.store.handshakeRefusal = how;
	}

	/** Changes settings while running. Throws ProviderError. */
	set(settings: Settings) {
		for (const [name, value] of Object.entries(settings)) {
			if (!(changeable as readonly string[]).includes(name)) {
				throw new ProviderError(`"${name}" cannot be changed while the provider runs.`);
			}
			const reason = complaint(name as keyof Settings, value);
			if (reason) throw new ProviderError(reason);
		}
		Object.assign(this.store.options, settings);
	}

	// Numbers

	/** Changes behaviour that the documents leave open, including the result of checkouts. */
	behave(behaviour: Partial<Behaviour>) {
		Object.assign(this.store.numbers.behaviour, behaviour);
	}

	/** Sets the customer's money. */
	setBalance(balance: number) {
		this.store.numbers.balance = balance;
	}

	/** Sets the remaining stock of a DID group. */
	setStock(didGroupId: number, left: number) {
		const { numbers } = this.store;
		const group = numbers.group(didGroupId);
		if (!group) throw new ProviderError(`There is no DID group ${didGroupId}.`);
		group.size += left - [...numbers.inStock(group)].length;
	}

	/** Sets the result of a review. */
	reviewAddress(addressId: number | string, status: AddressStatus, reasons: string[] = []) {
		const address = this.store.numbers.addresses.get(Number(addressId));
		if (!address) throw new ProviderError(`There is no address ${addressId}.`);
		this.store.numbers.review(address, status, reasons);
		this.store.changed();
	}

	/** A copy of all number data. */
	numbers() {
		const { addresses, dids, didGroups, carts, orders, balance, behaviour } = this.store.numbers;
		return structuredClone({
			addresses: [...addresses.values()],
			dids: [...dids.values()],
			didGroups,
			carts: [...carts.values()],
			orders,
			balance,
			behaviour,
		});
	}

	/** The remaining stock of a DID group. */
	stockOf(didGroupId: number): number {
		const group = this.store.numbers.group(didGroupId);
		return group ? [...this.store.numbers.inStock(group)].length : 0;
	}

	// Faults

	/** Sets what the next requests get instead of the provider's own response. */
	fault(fault: Fault) {
		this.store.faults.add(fault);
	}

	// What happened

	/** Connections of the feed. */
	sockets(): SocketView[] {
		return this.store.hub.views();
	}

	/** Number of successful logins since the start. */
	logins(kind?: FeedKind): number {
		return this.store.logins(kind);
	}

	counts() {
		return {
			...this.store.hub.counts(),
			logins: this.store.logins(),
			tokens: this.store.tokens.count(),
			tcp: this.listener.counts(),
			cpt: this.store.cpt,
			listening: this.listener.listening,
		};
	}

	/** Requests received, oldest first; those of the Socket.IO path only with `area: 'feed'`. */
	requests(filter: RequestFilter = {}): RecordedRequest[] {
		return this.store.requests.list(filter);
	}

	clearRequests() {
		this.store.requests.clear();
	}

	/** Waits until a condition on this provider holds; checked after every change. Rejects after `timeoutMs`. */
	waitFor(condition: (control: Control) => unknown, timeoutMs = defaultWait, what = 'condition') {
		return new Promise<void>((resolve, reject) => {
			const stop = () => {
				this.store.news.off('change', look);
				clearTimeout(timer);
			};
			const look = () => {
				if (!condition(this)) return;
				stop();
				resolve();
			};
			const timer = setTimeout(() => {
				stop();
				reject(new ProviderError(`Timed out after ${timeoutMs} ms waiting for: ${what}.`));
			}, timeoutMs);
			this.store.news.on('change', look);
			look();
		});
	}

	/** Waits until this many connections have sent `init`. */
	waitForSockets(count: number, timeoutMs = defaultWait) {
		return this.waitFor(
			() => this.sockets().filter((socket) => socket.initialised).length === count,
			timeoutMs,
			`${count} initialised connections`,
		);
	}

	/** Waits until this many logins have succeeded since the start. */
	waitForLogins(count: number, timeoutMs = defaultWait) {
		return this.waitFor(() => this.logins() >= count, timeoutMs, `${count} logins`);
	}

	/** Waits until the log has this many matching requests. */
	waitForRequests(filter: RequestFilter, count = 1, timeoutMs = defaultWait) {
		const found = () => this.requests(filter).length >= count;
		return this.waitFor(found, timeoutMs, `${count} requests ${JSON.stringify(filter)}`);
	}
}
