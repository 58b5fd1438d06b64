// A world for the feed in which the test decides everything: a fake clock, and a provider in memory with its logins,
// its rules about sessions, and its sockets.
import { secretsOf } from '../../nodes/shared/secrets';
import type { HttpResponse } from '../../nodes/shared/answer/parse';
import { verdictOf } from './logins';
import type {
	SocketHandlers,
	SocketOptions,
} from '../../nodes/VoiceManagementTrigger/feed/socketio';
import type {
	Clock,
	FeedEvent,
	FeedLogger,
	FeedOptions,
	FeedState,
	FeedStatus,
	FeedSubscriber,
} from '../../nodes/VoiceManagementTrigger/feed/types';
import { steady } from '../../nodes/VoiceManagementTrigger/feed/clock';
import { Hub } from '../../nodes/VoiceManagementTrigger/feed/hub';

export const START = Date.UTC(2026, 10, 21, 12);

/** This many timers at one moment mean that the feed is in an endless loop. */
const MOST_AT_ONCE = 5_000;

/** Months of renewals need fewer. */
const MOST_LOGINS = 10_000;

export class HandClock implements Clock {
	/** @param time the initial time, in milliseconds since 1970 */
	constructor(private time = START) {}

	private readonly timers = new Set<{ at: number; order: number; action: () => void }>();

	private order = 0;

	now(): number {
		return this.time;
	}

	after(delayMs: number, action: () => void): () => void {
		const timer = { at: this.time + Math.max(0, delayMs), order: this.order++, action };
		this.timers.add(timer);
		return () => void this.timers.delete(timer);
	}

	/** Timers that have not fired and were not cancelled. */
	get pending(): number {
		return this.timers.size;
	}

	/** Advances the clock, letting promises settle after every timer. */
	async turn(ms: number): Promise<void> {
		const until = this.time + ms;
		let atOnce = 0;
		await settle();
		for (;;) {
			const due = [...this.timers]
				.filter((timer) => timer.at <= until)
				.sort((a, b) => a.at - b.at || a.order - b.order)[0];
			if (!due) break;
			this.timers.delete(due);
			atOnce = due.at > this.time ? 0 : atOnce + 1;
			if (atOnce > MOST_AT_ONCE)
				throw new Error('The feed is in an endless loop without time passing');
			this.time = Math.max(this.time, due.at);
			due.action();
			await settle();
		}
		this.time = until;
	}

	/** The machine's clock is set; timers fire after the same time as before. */
	jump(ms: number): void {
		this.time += ms;
		for (const timer of this.timers) timer.at += ms;
	}

	/** Advances it to the next thing that is due. Throws if nothing is. */
	async turnToNext(): Promise<void> {
		const due = Math.min(...[...this.timers].map(({ at }) => at));
		if (!Number.isFinite(due)) throw new Error('Nothing is due');
		await this.turn(due - this.time);
	}
}

/** Lets everything happen that only waits for promises. */
export async function settle(): Promise<void> {
	for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

export interface FakeSocket {
	options: SocketOptions;
	open: boolean;
	/** Closed by the feed. */
	closed: boolean;
	init?: unknown[];
	silent: boolean;
	handlers: SocketHandlers;
}

export type LoginRule = 'accept' | 'hang' | 'unreachable' | HttpResponse;

/** A provider in memory. Rules can be changed at any time. */
class FakeProvider {
	login: LoginRule = 'accept';

	/** How a new socket behaves. */
	handshake: 'accept' | 'hang' | 'fail' | 'break' | 'throwOut' = 'accept';

	/** What it says if it fails. */
	refusal = 'websocket error';

	/** A login sets it. */
	cookie = 'node=a';

	/** What a connection that bypasses n8n's request helper finds: `refused` responds, `unreached` never does. */
	direct: 'open' | 'unreached' | 'refused' = 'open';

	singleSession = false;

	secondLogin: 'allow' | 'refuse' = 'allow';

	validityMs = 2 * 60 * 60_000;

	/** Whether a connection ends together with its token. */
	cutAtExpiry = true;

	/** Whether new subscriptions are dropped silently. */
	newAreSilent = false;

	/** The response to the probe's GET. */
	probe: HttpResponse | 'hang' | 'unreachable' = {
		statusCode: 200,
		headers: {},
		body: '0{"sid":"probe"}',
	};

	readonly sockets: FakeSocket[] = [];

	logins = 0;

	loginsUnderWay = 0;

	mostAtOnce = 0;

	aborted = 0;

	gets: string[] = [];

	cpt = 0;

	constructor(readonly clock: HandClock) {}

	get live(): FakeSocket[] {
		return this.sockets.filter((socket) => socket.open && !socket.closed);
	}

	options(given: Partial<FeedOptions> = {}): FeedOptions {
		return {
			key: 'account, first password',
			account: 'account',
			secrets: secretsOf({ login: 'boss', password: 'first-password' }),
			voiceUrl: 'https://voice.example.com',
			initAccountType: 'supervisor',
			socketPath: '/socket.io/',
			protocol: '4',
			silenceTimeoutMs: 0,
			login: async (signal, askedAt) =>
				verdictOf(await this.answerLogin(signal), 'supervisor', askedAt),
			loginUrl: 'https://voice.example.com/ws/',
			transport: 'auto',
			request: async ({ url, signal }) => {
				this.gets.push(url);
				if (url.includes('sid=')) return { statusCode: 400, headers: {}, body: new Uint8Array() };
				if (this.probe === 'hang') return await hang(signal);
				if (this.probe === 'unreachable') throw coded('ECONNREFUSED');
				return { ...this.probe, body: Buffer.from(String(this.probe.body)) };
			},
			...given,
		};
	}

	private async answerLogin(signal?: AbortSignal): Promise<HttpResponse> {
		this.logins++;
		this.loginsUnderWay++;
		this.mostAtOnce = Math.max(this.mostAtOnce, this.loginsUnderWay);
		try {
			await Promise.resolve();
			// A feed that retries without waiting never yields to the event loop, so the test could not even fail.
			if (this.login === 'hang' || this.logins > MOST_LOGINS) {
				return await hang(signal, () => {
					this.aborted++;
				});
			}
			if (this.login === 'unreachable') throw coded('ECONNREFUSED');
			if (this.login !== 'accept') return this.login;
			if (this.secondLogin === 'refuse' && this.live.some(({ init }) => init)) {
				return { statusCode: 403, headers: {}, body: { err_msg: 'already connected' } };
			}
			return this.session();
		} finally {
			this.loginsUnderWay--;
		}
	}

	session(): HttpResponse {
		const token = `token-${this.logins}`;
		const ends = this.clock.now() + this.validityMs;
		const expire = `${new Date(ends).toISOString().slice(0, 19).replace('T', 't')}.000000+GMT`;
		return {
			statusCode: 200,
			headers: { date: new Date(this.clock.now()).toUTCString(), 'set-cookie': this.cookie },
			body: { id_session: token, target: 9001, expire, ops: [{ id: 1, nom: 'Ada', groups: [] }] },
		};
	}

	readonly openSocket = (options: SocketOptions, handlers: SocketHandlers) => {
		const socket: FakeSocket = {
			options,
			open: false,
			closed: false,
			silent: this.newAreSilent,
			handlers,
		};
		this.sockets.push(socket);
		void Promise.resolve().then(() => {
			if (socket.closed || this.handshake === 'hang') return;
			if (!options.send && this.direct !== 'open') {
				return handlers.connectError('fetch failed', this.direct === 'unreached');
			}
			if (this.handshake === 'fail') return handlers.connectError(this.refusal);
			// What socket.io-client reports if a transport opens and closes before the namespace is joined.
			if (this.handshake === 'break') return handlers.disconnect('ping timeout');
			socket.open = true;
			handlers.connect(false);
		});
		return {
			emit: (name: string, ...args: unknown[]) => {
				if (name !== 'init' || socket.closed) return;
				socket.init = args;
				if (this.handshake === 'throwOut') {
					void Promise.resolve().then(() => this.disconnect(socket));
					return;
				}
				if (this.singleSession) {
					for (const other of this.live) if (other !== socket) this.disconnect(other);
				}
				if (this.cutAtExpiry) {
					this.clock.after(this.validityMs, () => this.disconnect(socket));
				}
			},
			resume: () => undefined,
			close: () => {
				socket.closed = true;
				socket.open = false;
			},
		};
	};

	/** A clean disconnect by the provider. */
	disconnect(socket: FakeSocket): void {
		this.drop(socket, 'io server disconnect');
	}

	drop(socket: FakeSocket, reason = 'transport close'): void {
		if (!socket.open || socket.closed) return;
		socket.open = false;
		socket.handlers.disconnect(reason);
	}

	/** Sends an object to every socket that sent init; returns how many got it. */
	push(payload: unknown, to = this.live): number {
		let reached = 0;
		for (const socket of to) {
			if (!socket.init || socket.silent || socket.closed) continue;
			socket.handlers.event('update', [payload]);
			reached++;
		}
		return reached;
	}

	/** Sends one numbered event. */
	send(msg: Record<string, unknown> = {}, to = this.live): Record<string, unknown> {
		const payload = {
			cpt: ++this.cpt,
			elapse: 0,
			ts: Math.floor(this.clock.now() / 1000),
			event: {
				msg: { n: this.cpt, id_operator: 101, ...msg },
				type_notification: 'operator',
				event: 'status',
			},
		};
		this.push(payload, to);
		return payload;
	}

	/** Pings every live connection. */
	ping(to = this.live): void {
		for (const socket of to) socket.handlers.heartbeat?.();
	}
}

async function hang(signal?: AbortSignal, onAbort?: () => void): Promise<never> {
	return await new Promise((_resolve, reject) => {
		signal?.addEventListener('abort', () => {
			onAbort?.();
			reject(new Error('aborted'));
		});
	});
}

export function coded(code: string): Error {
	return Object.assign(new Error(`connect ${code} password=hidden`), { code });
}

/** A subscriber that records everything. */
export class Witness implements FeedSubscriber {
	readonly events: FeedEvent[] = [];

	readonly statuses: FeedStatus[] = [];

	readonly lines: string[] = [];

	/** Messages under other event names. */
	readonly others: string[] = [];

	/** @param awaited whether a person waits for the outcome */
	constructor(private readonly awaited = true) {}

	isAwaited(): boolean {
		return this.awaited;
	}

	readonly logger: FeedLogger = {
		debug: (line) => this.note(`debug ${line}`),
		info: (line) => this.note(`info ${line}`),
		warn: (line) => this.note(`warn ${line}`),
		error: (line) => this.note(`error ${line}`),
	};

	onEvent(event: FeedEvent): void {
		this.events.push(event);
		this.changed();
	}

	onStatus(status: FeedStatus): void {
		this.statuses.push(status);
		this.changed();
	}

	onNotUnderstood(name: string, payload: string): void {
		this.others.push(`${name} ${payload}`);
	}

	private note(line: string): void {
		this.lines.push(line);
		this.changed();
	}

	/** Called whenever something has been recorded. */
	protected changed(): void {}

	/** The numbers of the events, in order of arrival. */
	get numbers(): unknown[] {
		return this.events.map(({ msg }) => msg.n);
	}

	get kinds(): string[] {
		return this.statuses.map(({ event }) => event);
	}

	of<E extends FeedStatus['event']>(event: E): Array<Extract<FeedStatus, { event: E }>> {
		return this.statuses.filter((status) => status.event === event) as Array<
			Extract<FeedStatus, { event: E }>
		>;
	}

	get states(): FeedState[] {
		return this.lines.flatMap((line) => {
			const found = / Feed: \w+ → (\w+)/.exec(line);
			return found ? [found[1] as FeedState] : [];
		});
	}
}

interface WorldOptions {
	/** Always 0.5 by default. */
	random?: () => number;
	/** Whether the runtime has a WebSocket. */
	webSocket?: boolean;
}

/** The clock, the provider and the feed together. */
export function makeWorld({ random = () => 0.5, webSocket = false }: WorldOptions = {}) {
	const clock = new HandClock();
	const provider = new FakeProvider(clock);
	const hub = new Hub({
		clock: steady(clock),
		openSocket: provider.openSocket,
		...(webSocket ? { webSocketHandshake: async () => await Promise.resolve(undefined) } : {}),
		endpoints: new Map(),
		behindN8n: new Set(),
		random,
	});
	return {
		clock,
		provider,
		hub,
		/** Advances by minutes, in each of which every connection is pinged. */
		passing: async (minutes: number) => {
			for (let ping = 0; ping < minutes * 12; ping++) {
				await clock.turn(5_000);
				provider.ping();
			}
		},
		subscribe: (given: Partial<FeedOptions> = {}, witness = new Witness()) => {
			const subscription = hub.subscribe(provider.options(given), witness);
			return { subscription, witness };
		},
	};
}
