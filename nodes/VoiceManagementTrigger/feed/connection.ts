// One connection, from its login to its end: log in, learn how the operator is connected to, open a socket (direct, or
// through n8n), send `init`, pass events on; and what it has shown so far.
// It never tries anything twice (that is transition.ts's to decide), and after close() nothing comes out of it.
import { describeNetworkError, hostOf, needsPerson } from '../../shared/networkErrors';
import {
	LoginFailed,
	LoginRefused,
	readingSupervisorLogin,
	readTokenLogin,
	renewalTime,
} from '../../shared/loginResponse';
import { inSlices } from '../../shared/slices';
import { candidates, remaining, type Candidate, type Candidates } from './transportChoice';
import { failureOf, LoginUnanswered, TimedOut } from './connectErrors';
import { initMessage } from './initMessage';
import { findEndpoint, type Endpoint, type ProtocolVersion } from './probe';
import type { StreamConnection } from './stream/eventStream';
import { SequenceNumbers } from './stream/sequenceNumbers';
import { Cookies, type openSocket, type FeedSocket } from './socketio';
import type { LeftOut } from './socketio/types';
import type { WebSocketHandshake } from './socketio/webSocketHandshake';
import type { Failure } from './state/types';
import type { Clock, FeedOptions, HttpResponse, Session, Transport } from './types';

/** The document's name of what brings events, in any letter case. */
const UPDATE = /^updates?$/i;

/** How long each step can take before the attempt is given up. */
const LOGIN_TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 20_000;
/** Sooner if there is another way to try: a firewall that drops packets answers nothing at all. */
const FIRST_CANDIDATE_TIMEOUT_MS = 10_000;

const COOKIE_LEFT_OUT: LeftOut = {
	what: 'a cookie beyond the limits (50 cookies, 4 KB each, 7.9 KB in all)',
	isUpdate: false,
};

/** What a connection needs from outside. */
export interface Dependencies {
	clock: Clock;
	openSocket: typeof openSocket;
	/** Undefined if the runtime has no WebSocket. */
	webSocketHandshake?: WebSocketHandshake;
	/** How operators were found to be connected to, by URL and path; forgotten after a failure. */
	endpoints: Map<string, Endpoint>;
	/** Operators that no direct connection reaches: the next ones go through n8n at once, until a renewal. */
	behindN8n: Set<string>;
	/** 0 to 1, for the jitter. */
	random: () => number;
}

/** How a connection was made. */
export interface Route {
	protocol: ProtocolVersion;
	transport: Transport;
	/** Why it is not the direct connection that was tried before. */
	insteadOfDirect?: string;
}

/** Exactly one of `failed` and `lost` ends a connection that is not closed; nothing follows it. */
export interface ConnectionHandlers {
	loggedIn(connection: Connection): void;
	/** The connection is open and `init` goes out. */
	opened(connection: Connection): void;
	/** An `update` came. */
	update(connection: Connection, args: unknown[]): void;
	/** Something came under another event name. */
	otherEvent(connection: Connection, name: string, args: unknown[]): void;
	/** An event came that is beyond the bounds; `aliveAt` is still the moment of what came before it. */
	leftOut(connection: Connection, leftOut: LeftOut): void;
	failed(connection: Connection, failure: Failure): void;
	/** `clean`: the operator ended it, and everything before its end has arrived. */
	lost(connection: Connection, reason: string, clean: boolean): void;
}

export interface ConnectionOptions {
	/** Number by which transition.ts knows it. */
	id: number;
	feed: FeedOptions;
	/** Another connection is there meanwhile: time to find out whether the direct way works again. */
	renewal: boolean;
	dependencies: Dependencies;
	handlers: ConnectionHandlers;
}

/** What stays the same over all ways to open the socket. */
interface SocketAttempt {
	endpoint: Endpoint;
	cookies: Cookies;
	session: Session;
	renewAt: number;
}

export class Connection implements StreamConnection {
	readonly id: number;

	/** Undefined until it is open. */
	session?: Session;

	/** When its renewal is due; milliseconds since 1970 here and below. */
	renewAt = 0;

	route: Route = { protocol: 4, transport: 'direct' };

	openedAt = 0;

	/** Last event or ping: everything that the operator sent before has arrived. */
	aliveAt = 0;

	firstEventAt?: number;

	lastEventAt?: number;

	/** It is being replaced because it was silent for too long. */
	stale = false;

	readonly numbers = new SequenceNumbers();

	/** Names other than `update` under which something came, as they were reported. */
	readonly otherEvents = new Set<string>();

	/** What was left out, as it was reported. */
	readonly leftOutBefore = new Set<string>();

	private readonly options: FeedOptions;

	private readonly renewal: boolean;

	private readonly dependencies: Dependencies;

	private readonly handlers: ConnectionHandlers;

	private readonly aborter = new AbortController();

	private attempt?: SocketAttempt;

	private socket?: FeedSocket;

	private closed = false;

	private cancelConnectTimeout?: () => void;

	/** Why the direct way did not work. */
	private insteadOfDirect?: string;

	constructor({ id, feed, renewal, dependencies, handlers }: ConnectionOptions) {
		this.id = id;
		this.options = feed;
		this.renewal = renewal;
		this.dependencies = dependencies;
		this.handlers = handlers;
	}

	/** Begins. Results come through the handlers, never before this call has returned. */
	start(): void {
		void this.run().catch((error: unknown) => this.fail(failureOf(error)));
	}

	/** The machine's clock was set back: what has a time is as long ago as before. */
	setBack(ms: number): void {
		this.openedAt -= ms;
		this.aliveAt -= ms;
		this.renewAt -= ms;
		if (this.firstEventAt !== undefined) this.firstEventAt -= ms;
		if (this.lastEventAt !== undefined) this.lastEventAt -= ms;
		if (!this.attempt) return;
		this.attempt.renewAt -= ms;
		this.attempt.session.expiresAt -= ms;
	}

	/** Lets go of everything: a login under way is aborted, its late response dropped, the socket closed. */
	close(): void {
		this.closed = true;
		this.aborter.abort();
		this.cancelConnectTimeout?.();
		this.socket?.close();
	}

	private async run(): Promise<void> {
		await Promise.resolve();
		const { clock } = this.dependencies;
		const cookies = new Cookies(this.options.voiceUrl, () => {
			if (!this.closed) this.handlers.leftOut(this, COOKIE_LEFT_OUT);
		});
		// The token is no older, whatever the answer met on its way.
		const askedAt = clock.now();
		const response = await this.within(
			LOGIN_TIMEOUT_MS,
			async (signal) => await this.login(signal),
			'The operator did not respond to the login in time',
		);
		const session = await this.readLogin(response, askedAt);
		if (this.closed) return;
		cookies.keep(this.options.loginUrl, response.headers);
		this.handlers.loggedIn(this);
		const endpoint = await this.endpoint(cookies);
		if (this.closed) return;
		const renewAt = renewalTime(askedAt, session.expiresAt);
		this.attempt = { endpoint, cookies, session, renewAt };
		this.connect(this.attempt, this.candidates(endpoint));
	}

	private async login(signal: AbortSignal): Promise<HttpResponse> {
		return await this.options.login(signal).catch((error: unknown) => {
			if (error instanceof LoginRefused || error instanceof LoginFailed) throw error;
			throw new LoginUnanswered(
				`The login failed: ${describeNetworkError(error, this.options.loginUrl)}`,
				needsPerson(error),
			);
		});
	}

	private async readLogin(response: HttpResponse, askedAt: number): Promise<Session> {
		const { target } = this.options;
		return target === undefined
			? await inSlices(readingSupervisorLogin(response, askedAt))
			: readTokenLogin(response, target, askedAt);
	}

	private async endpoint(cookies: Cookies): Promise<Endpoint> {
		const { voiceUrl, protocol, socketPath, transport, request } = this.options;
		const { webSocketHandshake, endpoints } = this.dependencies;
		const known = endpoints.get(this.endpointKey());
		if (known) return known;
		const found = await this.within(
			PROBE_TIMEOUT_MS,
			(signal) =>
				findEndpoint({
					send: request,
					cookies,
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
			skipDirect: behindN8n.has(this.endpointKey()) && !this.renewal,
		});
	}

	private connect(attempt: SocketAttempt, [candidate, ...others]: Candidates): void {
		const { endpoint, cookies } = attempt;
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
		// On our clock as well: a socket that connects and never joins would otherwise wait for ever.
		this.cancelConnectTimeout = this.dependencies.clock.after(inTime, () =>
			failed(`The Socket.IO connection to ${host} was not ready in time`, true),
		);
		this.socket = this.dependencies.openSocket(
			{
				url: voiceUrl,
				path: endpoint.path,
				protocol: endpoint.protocol,
				transports: candidate.transports,
				connectTimeoutMs: inTime,
				cookies,
				...(candidate.transport === 'n8n' ? { send: request } : {}),
			},
			{
				connect: () => {
					if (current && !this.isOpen) this.open(attempt, candidate);
				},
				connectError: (message, unreached = false) => {
					if (this.isOpen) this.lose(message, false);
					else failed(this.notOpened(host, message), unreached);
				},
				disconnect: (reason) => {
					// socket.io's word for a DISCONNECT packet: the operator ended it, and everything before it arrived.
					if (this.isOpen) this.lose(reason, reason === 'io server disconnect');
					// Its transport was open and went before the operator let it join.
					else {
						const what = `The Socket.IO connection to ${host} broke while it was opened: ${reason}`;
						failed(what, false);
					}
				},
				pollRefused: () => this.pollRefused(endpoint),
				event: (name, args) => this.received(name, args),
				leftOut: (leftOut) => this.leftOut(leftOut),
				heartbeat: () => {
					if (!this.closed) this.aliveAt = this.dependencies.clock.now();
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
		this.route = {
			protocol: endpoint.protocol,
			transport,
			...(transport === 'n8n' && this.insteadOfDirect !== undefined
				? { insteadOfDirect: this.insteadOfDirect }
				: {}),
		};
		// Reported before it is sent: whatever the operator does about `init` comes after it.
		this.handlers.opened(this);
		if (this.closed) return;
		// "Sent after the connection is established": the account type, the target, the token.
		this.socket?.emit('init', ...initMessage(this.options, session));
	}

	private received(name: string, args: unknown[]): void {
		if (this.closed) return;
		const now = this.dependencies.clock.now();
		this.aliveAt = now;
		if (!UPDATE.test(name)) {
			this.handlers.otherEvent(this, name, args);
			return;
		}
		this.firstEventAt ??= now;
		this.lastEventAt = now;
		this.handlers.update(this, args);
	}

	private leftOut(leftOut: LeftOut): void {
		if (this.closed) return;
		this.handlers.leftOut(this, leftOut);
		this.aliveAt = this.dependencies.clock.now();
	}

	/** Engine.IO 3 joins with its handshake: only then polls show that they end on different servers. */
	private pollRefused(endpoint: Endpoint): void {
		const { webSocketHandshake, endpoints } = this.dependencies;
		const isNew = this.isOpen && this.aliveAt === this.openedAt && this.firstEventAt === undefined;
		// There is no WebSocket over n8n's helper.
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
		if (candidate.transport === 'n8n' && unreached) {
			this.dependencies.behindN8n.delete(this.endpointKey());
		}
		this.fail({ kind: 'failed', reason });
	}

	private remember({ transport }: Candidate): void {
		const { behindN8n } = this.dependencies;
		if (transport === 'direct') behindN8n.delete(this.endpointKey());
		else if (this.options.transport === 'auto') behindN8n.add(this.endpointKey());
	}

	private notOpened(host: string, message: string): string {
		const otherVersion = /v2\.x with a v3\.x client|Unsupported protocol version/i.test(message);
		return otherVersion && this.options.protocol !== 'auto'
			? `The Socket.IO connection to ${host} could not be opened: the server does not speak Socket.IO ${this.options.protocol}. Set the option "Protocol" to Auto`
			: `The Socket.IO connection to ${host} could not be opened: ${message.slice(0, 200)}`;
	}

	private fail(failure: Failure): void {
		if (this.closed) return;
		// The server may have been replaced by one of another version: ask again next time.
		this.dependencies.endpoints.delete(this.endpointKey());
		this.close();
		this.handlers.failed(this, failure);
	}

	private lose(reason: string, clean: boolean): void {
		if (this.closed) return;
		this.close();
		this.handlers.lost(this, reason, clean);
	}

	/** Runs `work` until it ends, time is up, or the connection is closed, which aborts it. */
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
