// The control API: what tests, the console and a person can do to an operator. The same methods serve in-process and,
// with their arguments as a JSON list, over HTTP (routes.ts).

import type { Audience, SocketView } from '../feed/hub';
import type { FeedKind } from '../feed/tokens';
import { faultBodies, type Fault } from '../http/faults';
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
import { OperatorError, complaint, type OperatorOptions } from '../options';
import type { AddressStatus, Behaviour } from '../rest/state';
import type { HandshakeRefusal, Refusal, Store, WireOptions } from '../store';
import { sendBurst, type Burst } from './burst';

/** Settings that may change while the operator runs. */
export type Settings = Partial<
	Pick<
		OperatorOptions,
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

/** How long the waits wait where no time is given, in milliseconds: longer than the longest back-off of a client. */
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

	/** Sends an event object exactly as given to every initialised connection. Gives how many it went to. */
	push(event: unknown, options: WireOptions = {}): number {
		return this.store.push(event, options);
	}

	/** Sends a message in the document's envelope, with the next `cpt` and the time. Gives the object that was sent. */
	send(type: string, event: string, msg: Record<string, unknown> = {}, options: WireOptions = {}) {
		const envelope = this.store.envelope(type, event, msg);
		this.store.push(envelope, options);
		return envelope;
	}

	/** Sends any Socket.IO message with any arguments. Gives how many connections it went to. */
	pushRaw(name: string, args: unknown[], to: Audience = 'all'): number {
		return this.store.pushRaw(name, args, to);
	}

	/** Sends many numbered events, at once or at a rate; resolves when the last one was sent. */
	pushBurst(burst: Burst): Promise<{ first: number; last: number }> {
		return sendBurst(this.store, burst);
	}

	/** Plays a short scene, such as one missed call; resolves when its last event was sent. */
	async play(scene: SceneName, options: SceneOptions = {}): Promise<Scene> {
		if (!sceneNames.includes(scene)) {
			throw new OperatorError(
				`There is no scene "${scene}": choose one of ${sceneNames.join(', ')}.`,
			);
		}
		return this.stage.play(scene, options);
	}

	/** Sends the next events of the generated traffic at once, whatever the rate. Gives how many. */
	generate(count: number, options: WireOptions = {}): Promise<number> {
		return this.player.generate(count, options);
	}

	/** The ledger of generated calls: what really happened to each, as far as events were sent. */
	calls(): CallRecord[] {
		return this.player.calls();
	}

	/** Stops the live traffic, or goes on with it. */
	setTraffic(on: boolean) {
		if (on) this.player.play();
		else this.player.pause();
	}

	/** Whether generated traffic goes on. */
	trafficOn(): boolean {
		return this.player.playing;
	}

	/** Sets the sequence number: the next envelope has `cpt + 1`. */
	setCpt(cpt: number) {
		this.store.cpt = cpt;
	}

	// Sessions and connections

	/** Ends every token now, with what `onExpiry` says for its connections. Gives how many. */
	expireTokens(): number {
		return this.store.tokens.expire();
	}

	/** Clean disconnects by the server. Gives how many. */
	disconnectSockets(to: Audience = 'all'): number {
		return this.store.hub.disconnect(to);
	}

	/** Keeps the connections but sends them nothing more. */
	silenceSockets(to: Audience = 'all'): number {
		return this.store.hub.silence(to);
	}

	/** Ends the TCP connections of the feed without a word. */
	destroySockets(to: Audience = 'all'): number {
		return this.store.hub.destroy(to);
	}

	/** Ends every TCP connection, HTTP ones included; `reset` sends RST. */
	cutTcp({ reset = false }: { reset?: boolean } = {}): number {
		return this.listener.cut(reset);
	}

	/** Takes no new connections; open ones stay. With `forMs` it comes back by itself. */
	async stopListening({ forMs }: { forMs?: number } = {}) {
		await this.listener.stop();
		this.store.changed();
		if (forMs !== undefined) this.comeBack(forMs);
	}

	/** Listens again after a time; somebody else may have taken the port in between, and then has to leave it first. */
	private comeBack(afterMs: number) {
		this.store.later(afterMs, () => {
			this.listenAgain().catch(() => this.comeBack(100));
		});
	}

	/** Listens on the same port again. */
	async listenAgain() {
		await this.listener.listen();
		this.store.changed();
	}

	/** Away altogether: no listening, every connection ended. With `forMs` it comes back by itself. */
	async goAway({ forMs, reset = false }: { forMs?: number; reset?: boolean } = {}) {
		await this.stopListening(forMs === undefined ? {} : { forMs });
		this.listener.cut(reset);
	}

	/** How logins are refused from now on; null = they are not. */
	refuseLogins(how: Refusal | null) {
		this.store.refusal = how;
	}

	/** Milliseconds that every login waits; 0 = none. */
	delayLogins(ms: number) {
		this.store.loginDelay = ms;
	}

	/** How Socket.IO handshakes are refused from now on; null = they are not. */
	refuseHandshakes(how: HandshakeRefusal | null) {
		this.store.handshakeRefusal = how;
	}

	/** Changes settings while running. Throws OperatorError. */
	set(settings: Settings) {
		for (const [name, value] of Object.entries(settings)) {
			if (!(changeable as readonly string[]).includes(name)) {
				throw new OperatorError(`"${name}" can not be changed while the operator runs.`);
			}
			const reason = complaint(name as keyof Settings, value);
			if (reason) throw new OperatorError(reason);
		}
		Object.assign(this.store.options, settings);
	}

	// Numbers

	/** Changes answers that the documents leave open, the result of checkouts among them. */
	behave(behaviour: Partial<Behaviour>) {
		Object.assign(this.store.numbers.behaviour, behaviour);
	}

	/** The customer's money. */
	setBalance(balance: number) {
		this.store.numbers.balance = balance;
	}

	/** What is left of a DID group. */
	setStock(didGroupId: number, left: number) {
		const { numbers } = this.store;
		const group = numbers.group(didGroupId);
		if (!group) throw new OperatorError(`There is no DID group ${didGroupId}.`);
		group.size += left - [...numbers.inStock(group)].length;
	}

	/** The result of a review. */
	reviewAddress(addressId: number | string, status: AddressStatus, reasons: string[] = []) {
		const address = this.store.numbers.addresses.get(Number(addressId));
		if (!address) throw new OperatorError(`There is no address ${addressId}.`);
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

	/** How many numbers of a DID group are still to be had. */
	stockOf(didGroupId: number): number {
		const group = this.store.numbers.group(didGroupId);
		return group ? [...this.store.numbers.inStock(group)].length : 0;
	}

	// Faults

	/** What the next requests get instead of the operator's own answer. */
	fault(fault: Fault) {
		this.store.faults.add(fault);
	}

	/** The next request to a path gets the HTML error page of a proxy. */
	faultHtml(path: string, status = 502) {
		this.store.faults.add({ path, status, body: faultBodies.htmlPage });
	}

	/** The next request to a path is sent to a login page. */
	faultRedirect(path: string, location = '/login') {
		this.store.faults.add({
			path,
			status: 302,
			headers: { location },
			body: faultBodies.loginPage,
		});
	}

	clearFaults() {
		this.store.faults.clear();
	}

	// What happened

	/** Connections of the feed. */
	sockets(): SocketView[] {
		return this.store.hub.views();
	}

	/** Successful logins since the start. */
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
			pendingFaults: this.store.faults.pending(),
		};
	}

	/** Requests received, oldest first; those of the Socket.IO path only with `area: 'feed'`. */
	requests(filter: RequestFilter = {}): RecordedRequest[] {
		return this.store.requests.list(filter);
	}

	clearRequests() {
		this.store.requests.clear();
	}

	/** Waits until a condition over this operator holds; looked at after every change. Rejects after `timeoutMs`. */
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
				reject(new OperatorError(`Waited ${timeoutMs} ms in vain for: ${what}.`));
			}, timeoutMs);
			this.store.news.on('change', look);
			look();
		});
	}

	/** Waits until this many connections have said `init`. */
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

	/** Waits until the log has this many requests that match. */
	waitForRequests(filter: RequestFilter, count = 1, timeoutMs = defaultWait) {
		const found = () => this.requests(filter).length >= count;
		return this.waitFor(found, timeoutMs, `${count} requests ${JSON.stringify(filter)}`);
	}
}
