// One connection, from its login to its end: logs in, finds the provider's endpoint, opens a socket (directly or
// through n8n), sends `init` and passes events on. Also records what is known about the connection so far.
// It never retries (transition.ts decides about that), and calls no handler after close().
import { describeNetworkError, hostOf, isWrongUrl, needsPerson } from '../../shared/networkErrors';
import { shapesOf } from '../../shared/shown';
import { candidates, remaining, type Candidate, type Candidates } from './transportChoice';
import { LoginUnanswered, TimedOut } from '../../shared/errors';
import { machineTime } from './clock';
import { connectFailureOf } from './connectErrors';
import { initMessage } from './initMessage';
import { findEndpoint, type Endpoint } from './findEndpoint';
import { Standstill } from './standstill';
import { CONFIRM_MS } from './state/backoff';
import { renewalTime } from './state/renewal';
import { readUpdate } from './envelope/envelope';
import type { Life } from './merge/coverage';
import type { Merge } from './merge/merge';
import type { Mask } from './mask';
import type { NotUnderstood } from './notUnderstood';
import { Cookies, type openSocket, type FeedSocket, type Resume } from './socketio';
import type { LeftOut } from './socketio/types';
import type { WebSocketHandshake } from './socketio/webSockets';
import type { AttemptFailure, Loss } from './state/types';
import type { Clock, FeedLogin, FeedOptions, Route, FeedSession } from './types';

/** The event name of notifications (provider.md#envelope). */
const UPDATE = 'update';

/** How long each step can take before the attempt is given up. */
const LOGIN_TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 20_000;
/** Shorter if there is another way to try: a firewall that drops packets never responds. */
const FIRST_CANDIDATE_TIMEOUT_MS = 10_000;

const NO_TARGET: AttemptFailure = {
	kind: 'failed',
	reason: 'The login was accepted, but its response has no "target"',
	permanent: true,
};

const COOKIE_LEFT_OUT = 'a cookie beyond the limits (50 cookies, 4 KB each, 7.9 KB in all)';

/** What a connection needs from outside. */
export interface Dependencies {
	clock: Clock;
	openSocket: typeof openSocket;
	/** Undefined if the runtime has no WebSocket. */
	webSocketHandshake?: WebSocketHandshake;
	/** The endpoints that probes found, by URL and options; forgotten after a failed attempt. */
	endpoints: Map<string, Endpoint>;
	/**
	 * Keys (as in `endpoints`) of providers that could not be reached directly. Reconnections go through n8n at once; a
	 * renewal tries the direct connection again.
	 */
	behindN8n: Set<string>;
	/** 0 to 1, for the jitter. */
	random: () => number;
}

/** A connection that is not closed ends with one call of `failed` or `lost`; no call follows it. */
export interface ConnectionOwner {
	/** The provider accepted the login. */
	loggedIn(connection: Connection): void;
	/** The connection is open; `init` is sent next. */
	opened(connection: Connection): void;
	/** Its first event has arrived. */
	delivered(connection: Connection): void;
	failed(connection: Connection, failure: AttemptFailure): void;
	lost(connection: Connection, loss: Loss): void;
}

/** The feed of a connection: what all its connections have in common. */
export interface ConnectionFeed {
	readonly dependencies: Dependencies;
	readonly mask: Mask;
	/** Receives the events. */
	readonly merge: Merge;
	/** Receives everything that is not as documented. */
	readonly notUnderstood: NotUnderstood;
	/** The connection that the next one can continue, when its socket is opened. */
	readonly resume?: Resume | undefined;
}

export interface ConnectionOptions {
	/** The number by which transition.ts identifies this connection. */
	id: number;
	options: FeedOptions;
	/** Another connection stays open meanwhile, so the direct way can be tried again even if it failed before. */
	isRenewal: boolean;
	feed: ConnectionFeed;
}

/** What stays the same while one way to open the socket is tried after another. */
interface SocketAttempt {
	endpoint: Endpoint;
	session: FeedSession;
	renewAt: number;
}

export class Connection implements Life {
	readonly id: number;

	/** Undefined until the connection is open. */
	session?: FeedSession;

	/** When its renewal is due, in milliseconds since 1970, like all times below. */
	renewAt = 0;

	route: Route = { protocol: 4, transport: 'direct' };

	openedAt = 0;

	/** The provider continues the connection before it: it sends first what came in between. */
	recovered = false;

	aliveAt = 0;

	firstEventAt?: number;

	lastEventAt?: number;

	shownAt?: number;

	private readonly options: FeedOptions;

	private readonly isRenewal: boolean;

	private readonly feed: ConnectionFeed;

	private readonly dependencies: Dependencies;

	private readonly mask: Mask;

	private readonly aborter = new AbortController();

	private readonly cookies: Cookies;

	/** Of the login, before the connection is open. */
	private token?: FeedSession['idSession'];

	private attempt?: SocketAttempt;

	private socket?: FeedSocket;

	private closed = false;

	/** What the provider sent before the first event: if it ends the connection, that is its reason. */
	private words?: string;

	private hasDelivered = false;

	private cancelConnectTimeout?: () => void;

	private standstill?: Standstill;

	/** Why the direct connection failed. */
	private insteadOfDirect?: string;

	private readonly keepMasked: () => void;

	constructor(
		private readonly owner: ConnectionOwner,
		{ id, options, isRenewal, feed }: ConnectionOptions,
	) {
		this.id = id;
		this.options = options;
		this.isRenewal = isRenewal;
		this.feed = feed;
		this.dependencies = feed.dependencies;
		this.mask = feed.mask;
		this.cookies = new Cookies(options.voiceUrl, () => {
			if (!this.closed) feed.notUnderstood.leftOut(COOKIE_LEFT_OUT);
		});
		this.keepMasked = this.mask.addConnection(() => [
			...(this.token === undefined ? [] : [String(this.token)]),
			...this.cookies.values,
		]);
	}

	/** When its token ends. */
	get expiresAt(): number {
		return this.session?.expiresAt ?? Infinity;
	}

	/** Since when the process stood still, while what arrives may still be old. */
	get stillFrom(): number | undefined {
		return this.standstill?.since(this.dependencies.clock.now());
	}

	/** Where the provider can continue it once it has ended. */
	get resume(): Resume | undefined {
		return this.socket?.resume();
	}

	/** Starts the attempt. Calls no handler before it has returned. */
	start(): void {
		void this.run().catch((error: unknown) => this.fail(connectFailureOf(error)));
	}

	/** Aborts a login under way, ignores its response if it still comes, and closes the socket. */
	close(): void {
		this.keepMasked();
		this.closed = true;
		this.aborter.abort();
		this.cancelConnectTimeout?.();
		this.standstill?.close();
		this.socket?.close();
	}

	private async run(): Promise<void> {
		await Promise.resolve();
		const { clock } = this.dependencies;
		// Taken before the request: the token can't be older than this, however long the response takes.
		const askedAt = clock.now();
		const { session, problem, headers } = await this.within(
			LOGIN_TIMEOUT_MS,
			async (signal) => await this.logIn(signal, machineTime(clock, askedAt)),
			'The provider did not respond to the login in time',
		);
		if (problem) return this.fail(problem);
		const target = this.options.target ?? session.target;
		this.token = session.idSession;
		if (this.closed) return;
		if (target === undefined) return this.fail(NO_TARGET);
		this.cookies.keep(this.options.loginUrl, headers);
		this.owner.loggedIn(this);
		const endpoint = await this.endpoint();
		if (this.closed) return;
		// The provider's dates are compared with the machine's clock, which may have been set back since.
		const expiresAt = session.expiresAt + askedAt - machineTime(clock, askedAt);
		const renewAt = renewalTime(askedAt, expiresAt);
		this.attempt = { endpoint, session: { ...session, target, expiresAt }, renewAt };
		this.connect(this.attempt, this.candidates(endpoint));
	}

	private async logIn(signal: AbortSignal, askedAt: number): Promise<FeedLogin> {
		return await this.options.login(signal, askedAt).catch((error: unknown) => {
			throw new LoginUnanswered(
				`The login failed: ${describeNetworkError(error, this.options.loginUrl)}`,
				needsPerson(error) || isWrongUrl(error),
			);
		});
	}

	private async endpoint(): Promise<Endpoint> {
		const { voiceUrl, protocol, socketPath, transport, request } = this.options;
		const { webSocketHandshake, endpoints } = this.dependencies;
		const known = endpoints.get(this.endpointKey());
		if (known) return known;
		const found = await this.within(
			PROBE_TIMEOUT_MS,
			(signal) =>
				findEndpoint({
					send: request,
					cookies: this.cookies,
					voiceUrl,
					socketPath,
					protocol,
					direct: transport !== 'n8n',
					webSocketHandshake,
					signal,
				}),
			`${hostOf(voiceUrl)} did not answer the Socket.IO handshake in time`,
		);
		endpoints.set(this.endpointKey(), found);
		return found;
	}

	private endpointKey(): string {
		const { voiceUrl, socketPath, protocol, transport } = this.options;
		return `${voiceUrl} ${socketPath} ${protocol} ${transport}`;
	}

	private candidates({ transports }: Endpoint): Candidates {
		const { behindN8n, webSocketHandshake } = this.dependencies;
		return candidates({
			offered: transports,
			transport: this.options.transport,
			hasWebSocket: webSocketHandshake !== undefined,
			skipDirect: behindN8n.has(this.endpointKey()) && !this.isRenewal,
		});
	}

	private connect(attempt: SocketAttempt, [candidate, ...others]: Candidates): void {
		const { endpoint } = attempt;
		const { voiceUrl, request } = this.options;
		const host = hostOf(voiceUrl);
		const inTime = others.length > 0 ? FIRST_CANDIDATE_TIMEOUT_MS : CONNECT_TIMEOUT_MS;
		let current = true;
		const failed = (reason: string, unreached: boolean) => {
			if (!current || this.closed) return;
			current = false;
			this.cancelConnectTimeout?.();
			this.socket?.close();
			this.candidateFailed(attempt, { candidate, others, reason, unreached });
		};
		this.cancelConnectTimeout = this.dependencies.clock.after(inTime, () =>
			failed(`The Socket.IO connection to ${host} was not ready in time`, true),
		);
		this.socket = this.dependencies.openSocket(
			{
				url: voiceUrl,
				path: endpoint.path,
				protocol: endpoint.protocol,
				transports: candidate.transports,
				cookies: this.cookies,
				resume: this.feed.resume,
				...(candidate.transport === 'n8n' ? { send: request } : {}),
			},
			{
				connect: (recovered) => {
					if (!current || this.isOpen) return;
					this.recovered = recovered;
					this.open(attempt, candidate);
				},
				connectError: (message, unreached = false) => {
					const shown = this.mask.line(message);
					if (this.isOpen) this.lose({ reason: shown, clean: false });
					else failed(this.notOpened(host, shown), unreached);
				},
				disconnect: (reason) => {
					// Socket.IO's reason for a DISCONNECT packet: the provider ended the connection, and everything
					// before it has arrived.
					const clean = reason === 'io server disconnect';
					if (this.isOpen) this.lose({ reason, clean });
					// The transport was open, but was closed before the provider let the socket join.
					else {
						const what = `The Socket.IO connection to ${host} broke while it was opened: ${reason}`;
						failed(what, false);
					}
				},
				pollRefused: () => this.pollRefused(endpoint),
				event: (name, args) => this.received(name, args),
				leftOut: (leftOut) => this.leftOut(leftOut),
				heartbeat: () => {
					if (!this.closed) this.showAlive(this.dependencies.clock.now());
				},
			},
		);
	}

	private get isOpen(): boolean {
		return this.session !== undefined;
	}

	private open({ endpoint, session, renewAt }: SocketAttempt, candidate: Candidate): void {
		if (this.closed) return;
		const { transport } = candidate;
		this.cancelConnectTimeout?.();
		this.remember(candidate);
		this.session = session;
		this.renewAt = renewAt;
		this.openedAt = this.dependencies.clock.now();
		this.aliveAt = this.openedAt;
		this.standstill = new Standstill(this.dependencies.clock);
		this.route = {
			protocol: endpoint.protocol,
			transport,
			...(transport === 'n8n' && this.insteadOfDirect !== undefined
				? { insteadOfDirect: this.insteadOfDirect }
				: {}),
		};
		// Reported before `init` is sent, so that whatever the provider does about `init` comes afterwards.
		this.owner.opened(this);
		if (this.closed) return;
		// provider.md#init: sent after the connection is established.
		this.socket?.emit('init', ...initMessage(this.options, session));
	}

	private received(name: string, args: unknown[]): void {
		if (this.closed) return;
		const now = this.dependencies.clock.now();
		this.showAlive(now);
		const { merge, notUnderstood } = this.feed;
		const events = name === UPDATE ? readUpdate(args, now) : [];
		const hasEvent = events.some(({ type, event }) => type !== '' || event !== '');
		notUnderstood.events(events);
		if (!hasEvent) notUnderstood.message(name, args);
		if (!this.hasDelivered) {
			this.words = hasEvent ? undefined : this.wordsOf(name, args);
			if (hasEvent) this.owner.delivered(this);
		}
		this.hasDelivered ||= hasEvent;
		if (name !== UPDATE) return;
		this.firstEventAt ??= now;
		this.lastEventAt = now;
		this.shownAt = this.aliveAt;
		merge.receive(this, events);
	}

	/** Something has arrived. */
	private showAlive(now: number): void {
		this.aliveAt = Math.max(this.aliveAt, this.standstill?.since(now) ?? now);
	}

	private wordsOf(name: string, args: unknown[]): string {
		const mask = (text: string) => this.mask.line(text);
		return `"${mask(name).slice(0, 50)}" ${shapesOf(args, mask)}`;
	}

	private leftOut(leftOut: LeftOut): void {
		if (this.closed) return;
		this.feed.notUnderstood.leftOut(leftOut.what);
		if (leftOut.isUpdate) this.feed.merge.dropped(this, `the provider sent ${leftOut.what}`);
		this.showAlive(this.dependencies.clock.now());
	}

	/**
	 * Engine.IO 3 joins with its handshake, so only a later poll shows that a load balancer sends polls to different
	 * servers. If one is refused on a connection that has not delivered anything, the next connection uses WebSocket
	 * only.
	 */
	private pollRefused(endpoint: Endpoint): void {
		const { webSocketHandshake, endpoints } = this.dependencies;
		const isNew = this.isOpen && this.aliveAt === this.openedAt && this.firstEventAt === undefined;
		// n8n's request helper can't carry a WebSocket.
		const canUpgrade =
			endpoint.transports.includes('websocket') && this.route.transport === 'direct';
		if (!isNew || !webSocketHandshake || !canUpgrade) return;
		endpoints.set(this.endpointKey(), { ...endpoint, transports: ['websocket'] });
	}

	private candidateFailed(
		attempt: SocketAttempt,
		failed: { candidate: Candidate; others: Candidate[]; reason: string; unreached: boolean },
	): void {
		const { candidate, others, reason, unreached } = failed;
		const [next, ...further] = remaining(candidate, others, unreached);
		if (next) {
			this.insteadOfDirect = reason;
			this.connect(attempt, [next, ...further]);
			return;
		}
		if (candidate.transport === 'n8n') this.dependencies.behindN8n.delete(this.endpointKey());
		this.fail({ kind: 'failed', reason });
	}

	private remember({ transport }: Candidate): void {
		const { behindN8n } = this.dependencies;
		if (transport === 'direct') behindN8n.delete(this.endpointKey());
		else if (this.options.transport === 'auto') behindN8n.add(this.endpointKey());
	}

	private notOpened(host: string, message: string): string {
		const otherVersion = /speaks Socket\.IO 2|Unsupported protocol version/i.test(message);
		return otherVersion && this.options.protocol !== 'auto'
			? `The Socket.IO connection to ${host} could not be opened: the server does not speak Socket.IO ${this.options.protocol}. Set "Protocol" in the credential to Auto`
			: `The Socket.IO connection to ${host} could not be opened: ${message}`;
	}

	private fail(failure: AttemptFailure): void {
		if (this.closed) return;
		// The server may have been replaced by one with another version: probe again next time.
		this.dependencies.endpoints.delete(this.endpointKey());
		this.close();
		this.owner.failed(this, failure);
	}

	private lose({ reason, clean }: Loss): void {
		if (this.closed) return;
		const { behindN8n, clock } = this.dependencies;
		const isBrief = clock.now() - this.openedAt < CONFIRM_MS;
		// Long polls may not get through a proxy: then the direct way is the better one.
		if (isBrief && !clean && this.route.transport === 'n8n') behindN8n.delete(this.endpointKey());
		this.close();
		const { words } = this;
		const whole = words === undefined ? reason : `${reason}, after the provider sent ${words}`;
		this.owner.lost(this, { reason: whole, clean });
	}

	/** Runs `work`, and aborts it if it takes too long or the connection is closed. @throws TimedOut */
	private async within<T>(
		timeoutMs: number,
		work: (signal: AbortSignal) => Promise<T>,
		message: string,
	): Promise<T> {
		const { signal } = this.aborter;
		return await new Promise<T>((resolve, reject) => {
			const cancel = this.dependencies.clock.after(timeoutMs, () => {
				this.aborter.abort();
				reject(new TimedOut(message));
			});
			signal.addEventListener('abort', cancel, { once: true });
			const settle = () => {
				cancel();
				signal.removeEventListener('abort', cancel);
			};
			work(signal).then(
				(value) => {
					settle();
					resolve(value);
				},
				(error: unknown) => {
					settle();
					reject(error);
				},
			);
		});
	}
}
