// One attempt and what comes of it: log in, learn how the service is connected to, open a socket (direct, or through
// n8n), send `init`, pass events on.
// It never tries anything twice (that is state.ts's to decide), and after close() nothing comes out of it.
import { describeNetworkError, hostOf, needsPerson } from '../../shared/networkErrors';
import { initMessage } from './initMessage';
import { findEndpoint, ProbeFailed, type Endpoint, type ProtocolVersion } from './probe';
import {
	LoginFailed,
	LoginRefused,
	readSupervisorLogin,
	readTokenLogin,
	renewalTime,
} from '../../shared/session';
import { Cookies, type openSocket, type FeedSocket } from './socketio';
import type { WebSocketHandshake } from './socketio/webSocketHandshake';
import type { Failure } from './state';
import type { Clock, FeedOptions, HttpResponse, Session, Transport } from './types';
import { readVoiceUrl, VoiceUrlError } from '../../shared/voiceUrl';

/** How long each step may take before the attempt is given up. */
export const LOGIN_TIMEOUT_MS = 30_000;
export const PROBE_TIMEOUT_MS = 15_000;
export const CONNECT_TIMEOUT_MS = 20_000;
/** Sooner if there is another way to try: a firewall that drops packets answers nothing at all. */
export const FIRST_WAY_TIMEOUT_MS = 10_000;

/** What a connection needs from outside. */
export interface Dependencies {
	clock: Clock;
	openSocket: typeof openSocket;
	/** Undefined if the runtime has no WebSocket. */
	webSocketHandshake?: WebSocketHandshake;
	/** How services were found to be connected to, by URL and path; forgotten after a failure. */
	endpoints: Map<string, Endpoint>;
	/** Services that no direct connection reaches: the next ones go through n8n at once, until a renewal. */
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

/** One way to open the socket. */
interface Candidate {
	transport: Transport;
	transports: Endpoint['transports'];
}

/** In the order in which they are tried; there is always one. */
type Candidates = [Candidate, ...Candidate[]];

/** Exactly one of `failed` and `lost` ends a connection that is not closed; nothing follows it. */
export interface ConnectionHandlers {
	loggedIn(): void;
	/** The connection is open and `init` goes out. */
	opened(session: Session, renewAt: number, route: Route): void;
	event(name: string, args: unknown[]): void;
	heartbeat(): void;
	failed(failure: Failure): void;
	lost(reason: string, clean: boolean): void;
}

/** What stays the same over all ways to open the socket. */
interface SocketAttempt {
	voiceUrl: string;
	endpoint: Endpoint;
	cookies: Cookies;
	session: Session;
	renewAt: number;
}

class TimedOut extends Error {}

/** The login's request brought no answer; the message is for a person. */
class Unanswered extends Error {
	constructor(
		message: string,
		/** Only a person can mend it. */
		readonly permanent: boolean,
	) {
		super(message);
	}
}

export class Connection {
	private readonly aborter = new AbortController();

	private socket?: FeedSocket;

	private closed = false;

	private opened = false;

	private cancelConnectTimeout?: () => void;

	/** Why the direct way did not work. */
	private insteadOfDirect?: string;

	/** @param renewal another connection is there meanwhile: time to find out whether the direct way works again */
	constructor(
		private readonly options: FeedOptions,
		private readonly dependencies: Dependencies,
		private readonly handlers: ConnectionHandlers,
		private readonly renewal = false,
	) {}

	/** Begins. Results come through the handlers, never before this call has returned. */
	start(): void {
		void this.run().catch((error: unknown) => this.fail(this.failureOf(error)));
	}

	/** Lets go of everything: a login under way is aborted, its late answer dropped, the socket closed. */
	close(): void {
		this.closed = true;
		this.aborter.abort();
		this.cancelConnectTimeout?.();
		this.socket?.close();
	}

	private async run(): Promise<void> {
		await Promise.resolve();
		const voiceUrl = readVoiceUrl(this.options.voiceUrl);
		const { clock } = this.dependencies;
		const cookies = new Cookies(voiceUrl);
		const answer = await this.within(
			LOGIN_TIMEOUT_MS,
			async (signal) => await this.login(signal),
			'The login was not answered in time',
		);
		const loggedInAt = clock.now();
		const session = this.readLogin(answer, loggedInAt);
		if (this.closed) return;
		cookies.keep(this.options.loginUrl, answer.headers);
		this.handlers.loggedIn();
		const endpoint = await this.endpoint(voiceUrl, cookies);
		if (this.closed) return;
		const renewAt = renewalTime(loggedInAt, session.expiresAt);
		this.connect({ voiceUrl, endpoint, cookies, session, renewAt }, this.candidates(endpoint));
	}

	private async login(signal: AbortSignal): Promise<HttpResponse> {
		return await this.options.login(signal).catch((error: unknown) => {
			if (error instanceof LoginRefused || error instanceof LoginFailed) throw error;
			throw new Unanswered(
				`The login failed: ${describeNetworkError(error, this.options.loginUrl)}`,
				needsPerson(error),
			);
		});
	}

	private readLogin(answer: HttpResponse, now: number): Session {
		const { target } = this.options;
		return target === undefined
			? readSupervisorLogin(answer, now)
			: readTokenLogin(answer, target, now);
	}

	private async endpoint(voiceUrl: string, cookies: Cookies): Promise<Endpoint> {
		const { protocol, socketPath, transport, request } = this.options;
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

	/** The ways to open the socket, in the order in which they are tried. */
	private candidates({ transports }: Endpoint): Candidates {
		const { transport } = this.options;
		const { behindN8n, webSocketHandshake } = this.dependencies;
		const offered = transports.filter((one) => one === 'polling' || webSocketHandshake);
		const polls = transports.includes('polling');
		const throughN8n: Candidate = { transport: 'n8n', transports: ['polling'] };
		const direct: Candidates = [{ transport: 'direct', transports: offered }];
		// Polls that end on different servers are refused; one WebSocket is on one server.
		if (offered.length > 1) direct.push({ transport: 'direct', transports: ['websocket'] });
		if (transport === 'direct') return direct;
		if (transport === 'n8n') return [throughN8n];
		if (behindN8n.has(this.endpointKey()) && !this.renewal && polls) return [throughN8n];
		return polls ? [...direct, throughN8n] : direct;
	}

	private connect(attempt: SocketAttempt, [way, ...others]: Candidates): void {
		const { voiceUrl, endpoint, cookies, session, renewAt } = attempt;
		const host = hostOf(voiceUrl);
		const inTime = others.length > 0 ? FIRST_WAY_TIMEOUT_MS : CONNECT_TIMEOUT_MS;
		let current = true;
		const failed = (reason: string, unreached: boolean) => {
			if (!current || this.closed) return;
			current = false;
			this.cancelConnectTimeout?.();
			this.socket?.close();
			const [next, ...further] = this.following(way, others, unreached);
			if (next) {
				this.insteadOfDirect = reason;
				this.connect(attempt, [next, ...further]);
				return;
			}
			if (way.transport === 'n8n' && unreached)
				this.dependencies.behindN8n.delete(this.endpointKey());
			this.fail({ kind: 'failed', reason });
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
				transports: way.transports,
				connectTimeoutMs: inTime,
				cookies,
				...(way.transport === 'n8n' ? { send: this.options.request } : {}),
			},
			{
				connect: () => {
					if (!current || this.closed || this.opened) return;
					this.cancelConnectTimeout?.();
					this.opened = true;
					this.remember(way);
					// Told before it is sent: whatever the service does about `init` comes after it.
					this.handlers.opened(session, renewAt, {
						protocol: endpoint.protocol,
						transport: way.transport,
						...(way.transport === 'n8n' && this.insteadOfDirect !== undefined
							? { insteadOfDirect: this.insteadOfDirect }
							: {}),
					});
					if (this.closed) return;
					// "Sent after the connection is established": the account type, the target, the token.
					this.socket?.emit('init', ...initMessage(this.options, session));
				},
				connectError: (message, unreached = false) => {
					if (this.opened) this.end(() => this.handlers.lost(message, false));
					else failed(this.notOpened(host, message), unreached);
				},
				disconnect: (reason) => {
					if (this.opened) this.disconnected(reason);
					// Its transport was open and went before the service let it join.
					else {
						failed(
							`The Socket.IO connection to ${host} broke while it was opened: ${reason}`,
							false,
						);
					}
				},
				event: (name, args) => {
					if (!this.closed) this.handlers.event(name, args);
				},
				heartbeat: () => {
					if (!this.closed) this.handlers.heartbeat();
				},
			},
		);
	}

	/** What is left to try: another direct way if the service answered, n8n's if nothing did. */
	private following(way: Candidate, others: Candidate[], unreached: boolean): Candidate[] {
		if (way.transport === 'n8n') return [];
		return others.filter(({ transport }) => transport === (unreached ? 'n8n' : 'direct'));
	}

	private remember({ transport }: Candidate): void {
		const { behindN8n } = this.dependencies;
		if (transport === 'direct') behindN8n.delete(this.endpointKey());
		else if (this.options.transport === 'auto') behindN8n.add(this.endpointKey());
	}

	private disconnected(reason: string): void {
		// socket.io's word for a DISCONNECT packet: the service ended it, and everything before it arrived.
		this.end(() => this.handlers.lost(reason, reason === 'io server disconnect'));
	}

	private notOpened(host: string, message: string): string {
		const otherVersion = /v2\.x with a v3\.x client|Unsupported protocol version/i.test(message);
		return otherVersion && this.options.protocol !== 'auto'
			? `The Socket.IO connection to ${host} could not be opened: the server does not speak Socket.IO ${this.options.protocol}. Set the option "Protocol" to Auto`
			: `The Socket.IO connection to ${host} could not be opened: ${message.slice(0, 200)}`;
	}

	private fail(failure: Failure): void {
		// The service may have been replaced by one of another version: ask again next time.
		this.dependencies.endpoints.delete(this.endpointKey());
		this.end(() => this.handlers.failed(failure));
	}

	private end(tell: () => void): void {
		if (this.closed) return;
		this.close();
		tell();
	}

	private failureOf(error: unknown): Failure {
		if (error instanceof LoginRefused) {
			const { reason, statusCode, retryAfterMs } = error;
			return { kind: 'refused', reason, statusCode, retryAfterMs };
		}
		if (error instanceof LoginFailed) {
			const { reason, statusCode, retryAfterMs, permanent } = error;
			return { kind: 'failed', reason, statusCode, retryAfterMs, permanent };
		}
		// An address that can't be used is the user's to mend, like a wrong password.
		if (error instanceof VoiceUrlError) return { kind: 'refused', reason: error.message };
		if (error instanceof ProbeFailed || error instanceof Unanswered) {
			return { kind: 'failed', reason: error.message, permanent: error.permanent };
		}
		if (error instanceof TimedOut) return { kind: 'failed', reason: error.message };
		const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
		return { kind: 'failed', reason: `The connection failed: ${what.slice(0, 200)}` };
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
					reject(error as Error);
				},
			);
		});
	}
}
