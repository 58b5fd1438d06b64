// The network between n8n and the operator, and the Socket.IO connections over it, seen from both ends. What happens to
// a connection is written down in true time: that is what the trigger is judged by.
import type {
	FeedSocket,
	SocketHandlers,
	SocketOptions,
} from '../../nodes/VoiceManagementTrigger/feed/socketio';
import { Random } from '../../simulator/traffic/random';
import type { NetworkPlan, OperatorPlan } from './plan';
import type { Story } from './story';
import type { Sent } from './traffic';
import { ProcessClock, type Timeline } from './virtualTime';

/** Where a process reaches the network from. */
export interface Host {
	readonly name: string;
	/** Of the code under test. */
	readonly clock: ProcessClock;
	/** Of the client library, whose timers are none of the trigger's. */
	readonly libraryClock: ProcessClock;
	/** Killed: it hears nothing and says nothing any more. */
	readonly dead: boolean;
}

export class Network {
	/** Packets wait until then, and come then. */
	heldUntil = 0;

	/** Connections can't be made until then. */
	unreachableUntil = 0;

	slowUntil = 0;

	private readonly random: Random;

	constructor(
		readonly timeline: Timeline,
		private readonly plan: NetworkPlan,
		seed: number,
	) {
		this.random = new Random(seed);
	}

	/** When a packet arrives that leaves now. */
	arrival(): number {
		const { timeline, random } = this;
		const slow = timeline.now < this.slowUntil ? random.integer(0, 900) : 0;
		const after = this.plan.delayMs + Math.floor(random.next() * this.plan.jitterMs) + slow;
		const { now } = timeline;
		// What was held is sent again by TCP a while after the network is back.
		return now < this.heldUntil ? this.heldUntil + random.integer(0, 1_000) + after : now + after;
	}

	get refuses(): boolean {
		return this.timeline.now < this.unreachableUntil;
	}
}

/** What the operator does about a connection. */
export interface ServerSide {
	readonly plan: OperatorPlan;
	/** A client wants to open one. */
	handshake(): 'accept' | 'hang' | 'fail';
	readonly generation: 2 | 4;
	init(connection: Connection, args: unknown[]): void;
	/** The server counts it no more. */
	gone(connection: Connection): void;
}

export class Connection {
	readonly startedAt: number;

	/** The client has joined. */
	openedAt?: number;

	/** The same as a place among all that happened: much can happen in one millisecond. */
	openedPlace = Infinity;

	/** For the client it is over: it was told, or let go of it. */
	endedAt?: number;

	/** As {@link openedPlace}. */
	endedPlace = Infinity;

	endedBy?: 'client' | 'server' | 'network';

	/** The server has heard a good `init`. */
	subscribedAt?: number;

	/** The server sends nothing any more. */
	unsubscribedAt?: number;

	/** Whatever is sent from here on is lost. */
	severedAt?: number;

	/** The server forgot the subscription. */
	deafAt?: number;

	tokenEndsAt = Infinity;

	/** Up to when the client can tell that its token lasts: it is no younger than its login. */
	tokenKnownUntil = Infinity;

	/** Events that the client handed on, in order. */
	readonly arrivals: Array<{ sent: Sent; at: number }> = [];

	/** When pings, or their answers, came. */
	lastBeatAt?: number;

	/** Numbers of the connection itself. */
	cpt = 0;

	/** How much later than others it is served. */
	readonly lagMs: number;

	/** The server knows that it is over. */
	private serverGone = false;

	private lastToClient = 0;

	private lastToServer = 0;

	private pongDue?: number;

	private lastClientPing = 0;

	/** In the library's time. */
	private lastServerSign = 0;

	constructor(
		readonly id: number,
		readonly host: Host,
		private readonly options: SocketOptions,
		private readonly handlers: SocketHandlers,
		private readonly server: ServerSide,
		private readonly network: Network,
		private readonly story: Story,
		random: Random,
	) {
		this.startedAt = network.timeline.now;
		this.lagMs = random.pick([0, 0, 20, 200]);
		this.open();
	}

	get socket(): FeedSocket {
		return {
			emit: (name, ...args) => {
				if (name === 'init' && !this.isOver) this.toServer(() => this.server.init(this, args));
			},
			close: () => this.letGo(),
		};
	}

	/** Not told to be over, and not let go. */
	get isOver(): boolean {
		return this.endedAt !== undefined || this.host.dead;
	}

	/** The server knows that it is over. */
	get isGone(): boolean {
		return this.serverGone;
	}

	/** Whether the server counts it. */
	get isCounted(): boolean {
		return this.subscribedAt !== undefined && !this.serverGone;
	}

	/**
	 * The server sends events of one moment over it, in one message.
	 * @param withheldMs how much later than usual
	 */
	push(events: readonly Sent[], payload: (at: number) => unknown[], withheldMs = 0): void {
		const sentAt = this.now;
		const at = sentAt + this.lagMs + withheldMs;
		this.network.timeline.at(at, () => {
			// What the operator holds back goes with the connection that it was for, and nothing can show that.
			if (this.serverGone && withheldMs > 0) for (const sent of events) sent.withheld = true;
			if (this.serverGone || (this.deafAt ?? Infinity) <= sentAt) return;
			this.toClient(() => {
				for (const sent of events) this.arrivals.push({ sent, at: this.now });
				this.handlers.event('update', payload(at));
			});
		});
	}

	/** Something that is no event of the feed. */
	say(name: string, args: unknown[]): void {
		this.toClient(() => this.handlers.event(name, args));
	}

	/** The server says goodbye, after what it was about to send. @param laterMs how much later than that */
	disconnect(laterMs = 0): void {
		// It goes last: what happens from here on comes too late for this connection.
		if (!this.serverGone) this.unsubscribedAt ??= this.now;
		this.network.timeline.after(this.lagMs + laterMs, () => {
			if (this.serverGone) return;
			this.toClient(() => this.tell('server', 'io server disconnect'));
			this.leaveServer();
		});
	}

	/** The network ends it, and both ends notice at once. */
	cut(reason = 'transport close'): void {
		if (this.severedAt !== undefined || this.endedAt !== undefined) return;
		this.sever();
		this.leaveServer();
		this.host.libraryClock.enter(() => this.tell('network', reason));
	}

	/** Nothing arrives any more, and nobody is told. */
	sever(): void {
		this.severedAt ??= this.now;
	}

	/** The client's machine is gone: its system says so for it, unless the power went. */
	abandoned(silently: boolean): void {
		this.endedAt ??= this.now;
		this.endedBy ??= 'client';
		if (silently) this.sever();
		else this.toServer(() => this.leaveServer());
	}

	private get now(): number {
		return this.network.timeline.now;
	}

	private open(): void {
		const { network, server, handlers } = this;
		if (network.refuses) {
			network.timeline.at(network.arrival(), () =>
				this.enter(() => this.failToOpen('fetch failed: ECONNREFUSED', true)),
			);
			return;
		}
		this.toServer(() => {
			const answer = server.handshake();
			if (answer === 'hang') return;
			this.toClient(() => {
				if (answer === 'fail') this.failToOpen('xhr poll error', false);
				else if (server.generation !== this.options.protocol) {
					this.failToOpen('Unsupported protocol version', false);
				} else {
					this.openedAt = this.now;
					this.openedPlace = this.network.timeline.handled;
					this.story.tell(`${this.name} opens`);
					this.beginPings();
					handlers.connect();
				}
			});
		});
	}

	get name(): string {
		return `connection ${this.id}`;
	}

	private failToOpen(message: string, unreached: boolean): void {
		this.endedAt = this.now;
		this.endedBy = 'network';
		this.handlers.connectError(message, unreached);
	}

	private noteEnd(): void {
		this.endedAt = this.now;
		this.endedPlace = this.network.timeline.handled;
	}

	/** The client learns that it is over. */
	private tell(by: 'server' | 'network', reason: string): void {
		if (this.isOver) return;
		this.noteEnd();
		this.endedBy = by;
		this.story.tell(`${this.name} ends: ${reason}`);
		if (this.openedAt === undefined) this.handlers.connectError(reason, false);
		else this.handlers.disconnect(reason);
	}

	private letGo(): void {
		if (this.isOver) return;
		this.noteEnd();
		this.endedBy = 'client';
		this.story.tell(`${this.name} is let go`);
		const { slowCloseMs } = this.server.plan;
		this.toServer(() => {
			if (slowCloseMs === 0) this.leaveServer();
			else this.network.timeline.after(slowCloseMs, () => this.leaveServer());
		}, true);
	}

	private leaveServer(): void {
		if (this.serverGone) return;
		this.serverGone = true;
		this.unsubscribedAt ??= this.now;
		this.server.gone(this);
	}

	// ── pings ───────────────────────────────────────────────────────────────────────────────────────────────

	private beginPings(): void {
		const { pingIntervalMs, pingTimeoutMs } = this.server.plan;
		this.lastServerSign = this.host.libraryClock.monotonic;
		this.lastClientPing = this.now;
		if (this.options.protocol === 4) {
			this.serverPings(pingIntervalMs, pingTimeoutMs);
			this.watchServer(pingIntervalMs + pingTimeoutMs);
		} else {
			this.clientPings(pingIntervalMs, pingTimeoutMs);
			this.watchClient(pingIntervalMs + pingTimeoutMs);
		}
	}

	/** Socket.IO 4: the server asks, the client answers. */
	private serverPings(interval: number, timeout: number): void {
		this.network.timeline.after(interval, () => {
			if (this.serverGone) return;
			if (this.pongDue !== undefined && this.now >= this.pongDue) {
				this.leaveServer();
				return;
			}
			this.pongDue ??= this.now + timeout;
			this.toClient(() => {
				this.beat();
				this.toServer(() => (this.pongDue = undefined));
			}, false);
			this.serverPings(interval, timeout);
		});
	}

	private watchServer(limit: number): void {
		const { libraryClock } = this.host;
		const rest = this.lastServerSign + limit - libraryClock.monotonic;
		libraryClock.after(rest, () => {
			if (this.isOver) return;
			if (libraryClock.monotonic - this.lastServerSign >= limit) this.timedOut();
			else this.watchServer(limit);
		});
	}

	/** Socket.IO 2: the client asks, the server answers. */
	private clientPings(interval: number, timeout: number): void {
		const { libraryClock } = this.host;
		libraryClock.after(interval, () => {
			if (this.isOver) return;
			const asked = libraryClock.monotonic;
			this.toServer(() => {
				this.lastClientPing = this.now;
				if (!this.serverGone) this.toClient(() => this.beat(), false);
			});
			libraryClock.after(timeout, () => {
				if (this.isOver) return;
				if (this.lastServerSign < asked) this.timedOut();
			});
			this.clientPings(interval, timeout);
		});
	}

	private watchClient(limit: number): void {
		this.network.timeline.at(this.lastClientPing + limit, () => {
			if (this.serverGone) return;
			if (this.now - this.lastClientPing >= limit) this.leaveServer();
			else this.watchClient(limit);
		});
	}

	private beat(): void {
		this.lastBeatAt = this.now;
		this.lastServerSign = this.host.libraryClock.monotonic;
		this.handlers.heartbeat?.();
	}

	private timedOut(): void {
		this.tell('network', 'ping timeout');
		this.toServer(() => this.leaveServer(), true);
	}

	// ── packets ─────────────────────────────────────────────────────────────────────────────────────────────

	private toClient(action: () => void, stirs = true): void {
		if (this.severedAt !== undefined) return;
		this.lastToClient = Math.max(this.lastToClient, this.network.arrival());
		this.network.timeline.at(this.lastToClient, () => {
			if (this.severedAt === undefined) this.enter(action, stirs);
		});
	}

	private enter(action: () => void, stirs = true): void {
		this.host.libraryClock.enter(() => {
			if (!this.isOver) action();
		}, stirs);
	}

	/** @param late also after the client's end */
	private toServer(action: () => void, late = false): void {
		if (this.severedAt !== undefined) return;
		this.lastToServer = Math.max(this.lastToServer, this.network.arrival());
		this.network.timeline.at(this.lastToServer, () => {
			if (this.severedAt !== undefined) return;
			if (late || !this.serverGone) action();
		});
	}
}
