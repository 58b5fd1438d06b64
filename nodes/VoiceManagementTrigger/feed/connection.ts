// One attempt and what comes of it: log in, learn the generation, open one socket, send `init`, pass events on.
// It never tries anything twice (that is state.ts's to decide), and after close() nothing comes out of it.
import { explainNetworkError, hostOf } from '../../shared/networkErrors';
import { probeGeneration, ProbeFailed, type Generation } from './probe';
import {
	LoginFailed,
	LoginRefused,
	readSupervisorLogin,
	readTokenLogin,
	renewalTime,
} from '../../shared/session';
import type { openSocket, FeedSocket } from './socketio';
import type { Failure } from './state';
import type { Clock, FeedOptions, HttpAnswer, Session } from './types';
import { readVoiceUrl, VoiceUrlError } from '../../shared/voiceUrl';

/** How long each step may take before the attempt is given up. */
export const LOGIN_TIMEOUT_MS = 30_000;
export const PROBE_TIMEOUT_MS = 15_000;
export const CONNECT_TIMEOUT_MS = 20_000;

/** What a connection needs from outside. */
export interface Surroundings {
	clock: Clock;
	openSocket: typeof openSocket;
	/** The generations that services were found to speak, by address; forgotten after a failure. */
	generations: Map<string, Generation>;
	/** 0 to 1, for the jitter. */
	random: () => number;
}

/** Exactly one of `failed` and `lost` ends a connection that is not closed; nothing follows it. */
export interface ConnectionHandlers {
	loggedIn(): void;
	/** The connection is open and `init` goes out. */
	opened(session: Session, renewAt: number, generation: Generation): void;
	event(name: string, args: unknown[]): void;
	heartbeat(): void;
	failed(failure: Failure): void;
	lost(reason: string, clean: boolean): void;
}

class TimedOut extends Error {}

/** The login's request brought no answer; the message is for a person. */
class Unanswered extends Error {}

export class Connection {
	private readonly aborter = new AbortController();

	private socket?: FeedSocket;

	private over = false;

	private opened = false;

	private cancelConnectTimeout?: () => void;

	constructor(
		private readonly options: FeedOptions,
		private readonly surroundings: Surroundings,
		private readonly handlers: ConnectionHandlers,
	) {}

	/** Begins. Results come through the handlers, never before this call has returned. */
	start(): void {
		void this.run().catch((error: unknown) => this.fail(this.failureOf(error)));
	}

	/** Lets go of everything: a login under way is aborted, its late answer dropped, the socket closed. */
	close(): void {
		this.over = true;
		this.aborter.abort();
		this.cancelConnectTimeout?.();
		this.socket?.close();
	}

	private async run(): Promise<void> {
		await Promise.resolve();
		const voiceUrl = readVoiceUrl(this.options.voiceUrl);
		const { clock } = this.surroundings;
		const answer = await this.within(
			LOGIN_TIMEOUT_MS,
			async (signal) => await this.login(voiceUrl, signal),
			'The login was not answered in time',
		);
		const loggedInAt = clock.now();
		const session = this.readLogin(answer, loggedInAt);
		if (this.over) return;
		this.handlers.loggedIn();
		const generation = await this.generation(voiceUrl);
		if (this.over) return;
		this.connect(voiceUrl, generation, session, renewalTime(loggedInAt, session.expiresAt));
	}

	private async login(voiceUrl: string, signal: AbortSignal): Promise<HttpAnswer> {
		return await this.options.login(signal).catch((error: unknown) => {
			throw new Unanswered(`The login failed: ${explainNetworkError(error, voiceUrl)}`);
		});
	}

	private readLogin(answer: HttpAnswer, now: number): Session {
		const { target } = this.options;
		return target === undefined
			? readSupervisorLogin(answer, now)
			: readTokenLogin(answer, target, now);
	}

	private async generation(voiceUrl: string): Promise<Generation> {
		const { protocol, socketPath } = this.options;
		if (protocol !== 'auto') return protocol === '4' ? 4 : 2;
		const known = this.surroundings.generations.get(this.service());
		if (known) return known;
		const found = await this.within(
			PROBE_TIMEOUT_MS,
			(signal) =>
				probeGeneration((url, until) => this.options.get(url, until), voiceUrl, socketPath, signal),
			`${hostOf(voiceUrl)} did not answer the Socket.IO handshake in time`,
		);
		this.surroundings.generations.set(this.service(), found);
		return found;
	}

	private service(): string {
		return `${this.options.voiceUrl} ${this.options.socketPath}`;
	}

	private connect(
		voiceUrl: string,
		generation: Generation,
		session: Session,
		renewAt: number,
	): void {
		const host = hostOf(voiceUrl);
		// On our clock as well: a socket that connects and never joins would otherwise wait for ever.
		this.cancelConnectTimeout = this.surroundings.clock.after(CONNECT_TIMEOUT_MS, () =>
			this.fail({
				kind: 'failed',
				reason: `The Socket.IO connection to ${host} was not ready in time`,
			}),
		);
		this.socket = this.surroundings.openSocket(
			{
				url: voiceUrl,
				path: this.options.socketPath,
				protocol: generation,
				connectTimeoutMs: CONNECT_TIMEOUT_MS,
			},
			{
				connect: () => {
					if (this.over || this.opened) return;
					this.cancelConnectTimeout?.();
					this.opened = true;
					// Told before it is sent: whatever the service does about `init` comes after it.
					this.handlers.opened(session, renewAt, generation);
					if (this.over) return;
					// "Sent after the connection is established": the account type, the target, the token.
					this.socket?.emit(
						'init',
						this.options.initAccountType,
						session.target,
						session.idSession,
					);
				},
				connectError: (message) => this.socketFailed(host, generation, message),
				disconnect: (reason) => this.disconnected(host, reason),
				event: (name, args) => {
					if (!this.over) this.handlers.event(name, args);
				},
				heartbeat: () => {
					if (!this.over) this.handlers.heartbeat();
				},
			},
		);
	}

	private disconnected(host: string, reason: string): void {
		if (!this.opened) {
			// Its transport was open and went before the service let it join.
			this.fail({
				kind: 'failed',
				reason: `The Socket.IO connection to ${host} broke while it was opened: ${reason}`,
			});
			return;
		}
		// socket.io's word for a DISCONNECT packet: the service ended it, and everything before it arrived.
		this.end(() => this.handlers.lost(reason, reason === 'io server disconnect'));
	}

	private socketFailed(host: string, generation: Generation, message: string): void {
		if (this.opened) {
			this.end(() => this.handlers.lost(message, false));
			return;
		}
		const otherGeneration = /v2\.x with a v3\.x client|Unsupported protocol version/i.test(message);
		const advice =
			otherGeneration && this.options.protocol !== 'auto'
				? `: it speaks another generation of Socket.IO than ${generation}, set the protocol to automatic`
				: `: ${message.slice(0, 200)}`;
		this.fail({
			kind: 'failed',
			reason: `The Socket.IO connection to ${host} could not be opened${advice}`,
		});
	}

	private fail(failure: Failure): void {
		// The service may have been replaced by one of another generation: ask again next time.
		this.surroundings.generations.delete(this.service());
		this.end(() => this.handlers.failed(failure));
	}

	private end(tell: () => void): void {
		if (this.over) return;
		this.close();
		tell();
	}

	private failureOf(error: unknown): Failure {
		if (error instanceof LoginRefused) {
			return { kind: 'refused', reason: error.reason, statusCode: error.statusCode };
		}
		if (error instanceof LoginFailed) {
			return { kind: 'failed', reason: error.reason, statusCode: error.statusCode };
		}
		// An address that can't be used is the user's to mend, like a wrong password.
		if (error instanceof VoiceUrlError) return { kind: 'refused', reason: error.message };
		if (error instanceof ProbeFailed || error instanceof TimedOut || error instanceof Unanswered) {
			return { kind: 'failed', reason: error.message };
		}
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
			const cancel = this.surroundings.clock.after(timeoutMs, () => {
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
