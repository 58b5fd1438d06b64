// The network between n8n and the provider, and the Socket.IO connections over it, seen from both ends. The history of
// each connection is recorded in true time, which the judge compares with the trigger's reports.
import type {
	FeedSocket,
	Resume,
	SocketHandlers,
	SocketOptions,
} from '../../nodes/VoiceManagementTrigger/feed/socketio';
import { Random } from '../../simulator/traffic/random';
import type { NetworkPlan, ProviderPlan } from './plan';
import type { Story } from './story';
import type { Sent } from './traffic';
import { ProcessClock, type Timeline } from './virtualTime';

/** The process at the client's end of a connection. */
export interface Host {
	readonly name: string;
	/** The clock of the code under test. */
	readonly clock: ProcessClock;
	/** The clock of the client library, whose timers do not count as the trigger's. */
	readonly libraryClock: ProcessClock;
	/** Whether the process was killed: it neither receives nor sends anything any more. */
	readonly dead: boolean;
}

export class Network {
	/** Packets are held back until then, and arrive afterwards. */
	heldUntil = 0;

	/** No connection can be opened until then. */
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

	/** When a packet that is sent now arrives. */
	arrival(): number {
		const { timeline, random } = this;
		const slow = timeline.now < this.slowUntil ? random.integer(0, 900) : 0;
		const after = this.plan.delayMs + Math.floor(random.next() * this.plan.jitterMs) + slow;
		const { now } = timeline;
		// TCP sends packets that were held back again a while after the network is back.
		return now < this.heldUntil ? this.heldUntil + random.integer(0, 1_000) + after : now + after;
	}

	get refuses(): boolean {
		return this.timeline.now < this.unreachableUntil;
	}
}

/** What a server keeps of a connection and of those that continue it. */
export interface Session {
	readonly id: number;
	/** In order; the client knows the number of the last one that arrived. */
	readonly messages: Message[];
	/** The connection that it is sent to. */
	connection: Connection;
	/** When that one broke. */
	brokeAt?: number;
	/** The last one that opened for the client. */
	opened?: Connection;
}

/** One `update`. */
interface Message {
	events: readonly Sent[];
	args: unknown[];
}

/** How the provider treats a connection. */
export interface ServerSide {
	readonly plan: ProviderPlan;
	/** A client wants to open a connection. */
	handshake(): 'accept' | 'hang' | 'fail';
	readonly generation: 2 | 4;
	init(connection: Connection, args: unknown[]): void;
	/**
	 * Gives a new connection a session, if the provider keeps a history.
	 * @returns how many of its messages have arrived, if the connection continues one
	 */
	join(connection: Connection, resume?: Resume): number | undefined;
	/** The server no longer counts the connection. @param broke neither side ended it on purpose */
	gone(connection: Connection, broke: boolean): void;
}

export class Connection {
	readonly startedAt: number;

	/** When the client had joined. */
	openedAt?: number;

	/** The position of `openedAt` among all events of the run, since many things can happen in one millisecond. */
	openedPlace = Infinity;

	/** When it ended for the client: the client noticed the end, or closed it. */
	endedAt?: number;

	/** As {@link openedPlace}. */
	endedPlace = Infinity;

	endedBy?: 'client' | 'server' | 'network';

	/** When the server had received a valid `init`. */
	subscribedAt?: number;

	/** From when on the server sends nothing more. */
	unsubscribedAt?: number;

	/** From when on everything that is sent gets lost. */
	severedAt?: number;

	/** When the server forgot the subscription. */
	deafAt?: number;

	tokenEndsAt = Infinity;

	/** The end of the token as far as the client can know: a token is at least as old as its login. */
	tokenKnownUntil = Infinity;

	/** Events that the client passed on, in order. */
	readonly arrivals: Array<{ sent: Sent; at: number }> = [];

	/** When the last ping, or the response to one, arrived. */
	lastBeatAt?: number;

	/** What the server keeps of it. */
	session?: Session;

	/** How many messages of the session have arrived. */
	private arrived = 0;

	/** For the client, it continues one that was served since then: nothing is missing in between. */
	continuesFrom?: number;

	/** For the client, another connection continues it. */
	isContinued = false;

	/** The connection's own count of numbers. */
	cpt = 0;

	/** How much later than others this connection is served. */
	readonly lagMs: number;

	/** Whether the server knows that the connection is over. */
	private serverGone = false;

	private lastToClient = 0;

	private lastToServer = 0;

	private pongDue?: number;

	private lastClientPing = 0;

	/** When the library last received something, in its own time. */
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
			resume: () =>
				this.session && this.arrived > 0
					? { pid: String(this.session.id), offset: String(this.arrived) }
					: undefined,
			close: () => this.letGo(),
		};
	}

	/** Whether it has ended for the client, or the client is dead. */
	get isOver(): boolean {
		return this.endedAt !== undefined || this.host.dead;
	}

	/** Whether the server knows that the connection is over. */
	get isGone(): boolean {
		return this.serverGone;
	}

	/** Whether the server counts it. */
	get isCounted(): boolean {
		return this.subscribedAt !== undefined && !this.serverGone;
	}

	/**
	 * Sends events of one moment over the connection, in one message.
	 * @param withheldMs how much later than usual
	 */
	push(events: readonly Sent[], payload: (at: number) => unknown[], withheldMs = 0): void {
		const sentAt = this.now;
		const at = sentAt + this.lagMs + withheldMs;
		this.network.timeline.at(at, () => {
			// Events that the provider holds back are lost with the connection that they were for, and nothing can show
			// that.
			const { session } = this;
			const current = session?.connection ?? this;
			const isKept = session && (!current.serverGone || session.brokeAt !== undefined);
			if (this.serverGone && !isKept && withheldMs > 0)
				for (const sent of events) sent.withheld = true;
			if ((this.deafAt ?? Infinity) <= sentAt) return;
			const message = { events, args: payload(at) };
			if (isKept) session.messages.push(message);
			if (!current.serverGone) current.bring(message, session?.messages.length ?? 0);
		});
	}

	/** @param number its place in the session */
	private bring({ events, args }: Message, number: number): void {
		this.toClient(() => {
			for (const sent of events) this.arrivals.push({ sent, at: this.now });
			this.arrived = number;
			this.handlers.event('update', args);
		});
	}

	/** Sends something that is not an event of the feed. */
	say(name: string, args: unknown[]): void {
		this.toClient(() => this.handlers.event(name, args));
	}

	/** The server disconnects, after what it was about to send. @param laterMs how much later than that */
	disconnect(laterMs = 0): void {
		// The disconnect is sent last: whatever happens from now on is too late for this connection.
		if (!this.serverGone) this.unsubscribedAt ??= this.now;
		this.network.timeline.after(this.lagMs + laterMs, () => {
			if (this.serverGone) return;
			this.toClient(() => this.tell('server', 'io server disconnect'));
			this.leaveServer(false);
		});
	}

	/** The network breaks the connection, and both ends notice at once. */
	cut(reason = 'transport close'): void {
		if (this.severedAt !== undefined || this.endedAt !== undefined) return;
		this.sever();
		this.leaveServer();
		this.host.libraryClock.enter(() => this.tell('network', reason));
	}

	/** Nothing arrives any more, and neither end notices. */
	sever(): void {
		this.severedAt ??= this.now;
	}

	/** The client's process is gone: the operating system closes the connection, unless the power failed. */
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
			const joins = answer === 'accept' && server.generation === this.options.protocol;
			const arrived = joins ? server.join(this, this.options.resume) : undefined;
			this.toClient(() => {
				if (answer === 'fail') this.failToOpen('xhr poll error', false);
				else if (server.generation !== this.options.protocol) {
					this.failToOpen('Unsupported protocol version', false);
				} else {
					this.openedAt = this.now;
					this.openedPlace = this.network.timeline.handled;
					this.story.tell(`${this.name} opens`);
					this.beginPings();
					if (arrived !== undefined) this.continues(arrived);
					if (this.session) this.session.opened = this;
					handlers.connect(arrived !== undefined);
				}
			});
			if (arrived === undefined) return;
			this.session?.messages
				.slice(arrived)
				.forEach((message, index) => this.bring(message, arrived + index + 1));
		});
	}

	private continues(arrived: number): void {
		const { opened } = this.session ?? {};
		if (!opened) return;
		this.story.tell(`${this.name} continues ${opened.name}`);
		this.arrived = arrived;
		this.continuesFrom = opened.continuesFrom ?? opened.subscribedAt;
		opened.isContinued = true;
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

	/** The client learns that the connection is over. */
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
			if (slowCloseMs === 0) this.leaveServer(false);
			else this.network.timeline.after(slowCloseMs, () => this.leaveServer(false));
		}, true);
	}

	private leaveServer(broke = true): void {
		if (this.serverGone) return;
		this.serverGone = true;
		this.unsubscribedAt ??= this.now;
		this.server.gone(this, broke);
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

	/** Socket.IO 4: the server pings, the client responds. */
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

	/** Socket.IO 2: the client pings, the server responds. */
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

	/** @param late whether it is sent even after the client's end */
	private toServer(action: () => void, late = false): void {
		if (this.severedAt !== undefined) return;
		this.lastToServer = Math.max(this.lastToServer, this.network.arrival());
		this.network.timeline.at(this.lastToServer, () => {
			if (this.severedAt !== undefined) return;
			if (late || !this.serverGone) action();
		});
	}
}
