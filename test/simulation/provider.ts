// The provider, in one of the readings that its documents allow: two kinds of login, tokens that end, sessions,
// numbers, and the messages of its Socket.IO servers. It is as strict as the reading that was drawn for the seed.
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { Random } from '../../simulator/traffic/random';
import { writeExpire } from '../../simulator/feed/sessionInfo';
import type {
	Resume,
	SocketHandlers,
	SocketOptions,
} from '../../nodes/VoiceManagementTrigger/feed/socketio';
import { Connection, type Host, type Network, type ServerSide, type Session } from './network';
import type { ProviderPlan } from './plan';
import type { Story } from './story';
import { markOf, type Sent } from './traffic';

/** One attempt to log in: several requests if several spellings are tried. */
export interface Login {
	at: number;
	/** Its position among all events of the run, as {@link Connection.endedPlace}. */
	place: number;
	host: Host;
	/** When and how it ended; undefined while it is under way. */
	endedAt?: number;
	endedPlace: number;
	result?: 'accepted' | 'refused' | 'failed' | 'aborted';
	askedToWaitMs?: number;
}

interface Token {
	text: string;
	/** When its login was sent. */
	askedAt: number;
	endsAt: number;
	/** How many connections sent `init` with it. */
	used: number;
}

interface Answer {
	status: number;
	body: unknown;
	headers?: IDataObject;
}

export const FIRST_PASSWORD = 'a secret of the simulation';
const TARGET = 9_001;
const CLIENT = '4242';

export class Provider implements ServerSide {
	readonly connections: Connection[] = [];

	/** Connections that sent a valid `init` and have not ended. */
	private readonly counted = new Set<Connection>();

	/** What its servers keep, if they keep a history. */
	private sessions: Session[] = [];

	readonly events: Sent[] = [];

	readonly logins: Login[] = [];

	generation: 2 | 4;

	/** The only one that it accepts. */
	password = FIRST_PASSWORD;

	/** For each fault that is going on, when it ends. */
	readonly until = {
		away: 0,
		loginFails: 0,
		loginHangs: 0,
		loginRefused: 0,
		loginAsksToWait: 0,
		handshakeHangs: 0,
		handshakeFails: 0,
		throwsOut: 0,
		deaf: 0,
	};

	/** How many of the next events are sent late, so that their numbers arrive out of order. */
	private swapNext = 0;

	private loseNext = 0;

	private tokens: Token[] = [];

	private cpt = 1_000;

	/** How often the numbers have restarted. */
	private era = 0;

	/** Whether nothing goes missing any more. */
	calm = false;

	/** What is sent together at the end of this moment. */
	private together: Sent[] = [];

	private readonly random: Random;

	/**
	 * Decides which events go missing. It has random numbers of its own, so that the rest of the run does not change.
	 */
	private readonly losses: Random;

	constructor(
		readonly plan: ProviderPlan,
		private readonly network: Network,
		private readonly story: Story,
		seed: number,
	) {
		this.random = new Random(seed);
		this.losses = new Random(seed + 50_000);
		this.generation = plan.generation;
	}

	// ── HTTP ────────────────────────────────────────────────────────────────────────────────────────────────

	/** Handles one request of a process and responds as n8n's helper does. */
	async request(host: Host, request: IHttpRequestOptions): Promise<unknown> {
		const login = request.method === 'POST';
		const entry = login ? this.noteLogin(host) : undefined;
		const { timeline } = this.network;
		return await new Promise((resolve, reject) => {
			const end = (result: Login['result'], settle: () => void) => {
				if (entry && entry.endedAt === undefined) {
					entry.endedAt = timeline.now;
					entry.endedPlace = timeline.handled;
					entry.result = result;
				}
				settle();
			};
			const signal = request.abortSignal as AbortSignal | undefined;
			const fail = (code: string, result: Login['result']) =>
				end(result, () => reject(Object.assign(new Error(`request ${code}`), { code })));
			if (signal?.aborted) {
				fail('ABORTED', 'aborted');
				return;
			}
			let over = false;
			const abort = () => {
				over = true;
				fail('ABORTED', 'aborted');
			};
			signal?.addEventListener('abort', abort, { once: true });
			const back = (answer: Answer | undefined) => {
				const date = new Date(this.time).toUTCString();
				timeline.at(this.network.arrival(), () =>
					host.clock.enter(() => {
						if (over || host.dead) return;
						signal?.removeEventListener('abort', abort);
						if (!answer) {
							fail('ECONNREFUSED', 'failed');
							return;
						}
						const { status, body, headers = {} } = answer;
						const text = typeof body === 'string' ? body : JSON.stringify(body);
						const result =
							status >= 500 || status === 429 ? 'failed' : isSession(body) ? 'accepted' : 'refused';
						if (entry && headers['retry-after'] !== undefined)
							entry.askedToWaitMs = Number(headers['retry-after']) * 1_000;
						end(login ? result : undefined, () =>
							resolve({
								statusCode: status,
								headers: {
									'content-type': 'application/json',
									...(this.plan.tellsDate ? { date } : {}),
									...headers,
								},
								body: Buffer.from(text),
							}),
						);
					}),
				);
			};
			if (this.network.refuses || timeline.now < this.until.away) {
				back(undefined);
				return;
			}
			timeline.at(this.network.arrival(), () => {
				if (timeline.now < this.until.away) back(undefined);
				else if (login && timeline.now < this.until.loginHangs) return;
				else back(entry ? this.answerLogin(request, entry) : this.answerProbe(String(request.url)));
			});
		});
	}

	/** n8n could not send the request for the other spelling, which was due: the attempt failed, and was not refused. */
	breaksOff(host: Host, dueAt: number): void {
		const last = this.logins.at(-1);
		if (last?.result !== 'refused' || last.host !== host || last.endedAt !== dueAt) return;
		last.result = 'failed';
		last.endedAt = this.network.timeline.now;
	}

	private noteLogin(host: Host): Login {
		const { now } = this.network.timeline;
		const last = this.logins.at(-1);
		// The client requests the other spelling at once, as part of the same attempt.
		if (last?.result === 'refused' && last.host === host && last.endedAt === now) {
			last.endedAt = undefined;
			last.result = undefined;
			return last;
		}
		const entry: Login = {
			at: now,
			place: this.network.timeline.handled,
			endedPlace: Infinity,
			host,
		};
		this.logins.push(entry);
		return entry;
	}

	private answerLogin(request: IHttpRequestOptions, { at }: Login): Answer {
		const { plan, until } = this;
		const { now } = this.network.timeline;
		if (now < until.loginFails) return { status: 503, body: { err_msg: 'Service unavailable' } };
		if (now < until.loginAsksToWait) {
			const headers = { 'retry-after': String(this.random.integer(5, 600)) };
			return { status: 429, body: { err_msg: 'Too many requests' }, headers };
		}
		if (plan.feed === 'supervisor') {
			const header = JSON.parse(String(request.headers?.['X-JSON'])) as {
				header: Record<string, unknown>;
			};
			const given = Object.keys(header.header).filter((name) => name.endsWith('t_type'));
			if (plan.spelling !== 'either' && (given.length !== 1 || given[0] !== plan.spelling)) {
				return {
					status: plan.spellingRefusal,
					body: { status: 401, err_msg: 'Login failed: bad account' },
				};
			}
			if (header.header.password !== this.password) return refusal('wrong password');
		} else {
			const expected = Buffer.from(`api:${this.password}`).toString('base64');
			if (request.headers?.Authorization !== `Basic ${expected}`) return refusal('wrong password');
			const { ip, user_type } = request.body as IDataObject;
			if (ip !== '192.0.2.7' || user_type !== 'api') return refusal('wrong ip');
		}
		if (now < until.loginRefused) return refusal('Login or password is wrong');
		if (plan.sessions === 'refuseSecond' && this.counted.size > 0) {
			return refusal('already connected with this account');
		}
		return { status: 200, body: this.session(at) };
	}

	private session(askedAt: number): unknown {
		const { plan, random } = this;
		const token: Token = {
			text: `t${this.logins.length}-${random.integer(1e6, 9e6)}`,
			askedAt,
			endsAt: this.network.timeline.now + plan.tokenLifeMs,
			used: 0,
		};
		this.tokens = this.tokens.filter(({ endsAt }) => endsAt > this.network.timeline.now).slice(-50);
		this.tokens.push(token);
		return {
			id_session: token.text,
			...(plan.feed === 'supervisor' ? { target: TARGET } : {}),
			...(plan.tellsExpiry ? { expire: writeExpire(this.time + plan.tokenLifeMs) } : {}),
			ops: [501].map((id) => ({ id, nom: `Agent ${id}`, groups: [1] })),
			groupes: [{ id: 1, name: 'All' }],
			...(plan.emptyLists === 'false' ? { trunks: false, pauses: null } : {}),
		};
	}

	/** Engine.IO's handshake, in the format of its version. */
	private answerProbe(url: string): Answer {
		const asked = new URL(url).searchParams;
		if (asked.has('sid')) return { status: 400, body: { code: 1, message: 'Session ID unknown' } };
		const { until, generation } = this;
		if (this.network.timeline.now < until.handshakeFails)
			return { status: 502, body: 'Bad gateway' };
		if (generation === 4 && asked.get('EIO') !== '4') {
			return { status: 400, body: { code: 5, message: 'Unsupported protocol version' } };
		}
		const handshake = `0${JSON.stringify({ sid: 'probe', upgrades: ['websocket'], pingInterval: 25_000, pingTimeout: 20_000 })}`;
		const body = generation === 4 ? handshake : `${handshake.length}:${handshake}2:40`;
		return { status: 200, body };
	}

	/** The provider's own clock. */
	private get time(): number {
		return this.network.timeline.now + this.plan.skewMs;
	}

	// ── connections ─────────────────────────────────────────────────────────────────────────────────────────

	connect(host: Host, options: SocketOptions, handlers: SocketHandlers): Connection {
		const connection = new Connection(
			this.connections.length + 1,
			host,
			options,
			handlers,
			this,
			this.network,
			this.story,
			this.random,
		);
		this.connections.push(connection);
		return connection;
	}

	handshake(): 'accept' | 'hang' | 'fail' {
		const { now } = this.network.timeline;
		if (now < this.until.away || now < this.until.handshakeFails) return 'fail';
		return now < this.until.handshakeHangs ? 'hang' : 'accept';
	}

	join(connection: Connection, resume?: Resume): number | undefined {
		const { keepsHistoryMs, atExpiry } = this.plan;
		if (keepsHistoryMs === 0 || this.generation !== 4) return undefined;
		const { now } = this.network.timeline;
		const found = this.sessions.find(({ id }) => String(id) === resume?.pid);
		const before = found?.connection;
		const isKept = found?.brokeAt !== undefined && now - found.brokeAt <= keepsHistoryMs;
		if (before && isKept && (before.tokenEndsAt > now || atExpiry === 'nothing')) {
			Object.assign(found, { connection, brokeAt: undefined });
			connection.session = found;
			connection.subscribedAt = now;
			connection.cpt = before.cpt;
			connection.tokenEndsAt = before.tokenEndsAt;
			connection.tokenKnownUntil = before.tokenKnownUntil;
			this.counted.add(connection);
			return Number(resume?.offset);
		}
		connection.session = { id: connection.id, messages: [], connection };
		this.sessions.push(connection.session);
		return undefined;
	}

	init(connection: Connection, [type, target, text]: unknown[]): void {
		const { plan } = this;
		const { timeline } = this.network;
		const token = this.tokens.find((one) => one.text === text);
		const wanted = plan.feed === 'supervisor' ? ['supervisor', TARGET] : ['api', CLIENT];
		if (!token || token.endsAt <= timeline.now || type !== wanted[0] || target !== wanted[1]) {
			connection.disconnect();
			return;
		}
		token.used++;
		if (timeline.now < this.until.throwsOut) {
			timeline.after(this.random.integer(0, 3_000), () => connection.disconnect());
		}
		if (plan.sessions === 'newestWins') {
			for (const other of this.counted) {
				if (other === connection) continue;
				other.disconnect(plan.farewellMs);
				if (plan.farewellMs > 0) this.counted.delete(other);
			}
		}
		if (plan.tellsOfSessions && !this.calm) this.send('UI', 'login', { id_operator: 501, supp: 3 });
		if (plan.servesAfterMs === 0) this.serve(connection, token);
		else timeline.after(plan.servesAfterMs, () => this.serve(connection, token));
	}

	private serve(connection: Connection, token: Token): void {
		const { plan } = this;
		const { timeline } = this.network;
		if (connection.isGone) return;
		connection.subscribedAt ??= timeline.now;
		this.counted.add(connection);
		connection.tokenEndsAt = token.endsAt;
		connection.tokenKnownUntil = token.askedAt + plan.tokenLifeMs;
		if (timeline.now < this.until.deaf) {
			connection.deafAt = timeline.now;
			this.story.tell(`the provider drops the subscription of ${connection.name}`);
		}
		timeline.at(token.endsAt, () => {
			if (!connection.isCounted || plan.atExpiry === 'nothing') return;
			if (plan.atExpiry === 'cut') connection.disconnect();
			else connection.deafAt ??= timeline.now;
		});
	}

	gone(connection: Connection, broke: boolean): void {
		this.counted.delete(connection);
		const { session, subscribedAt, deafAt } = connection;
		if (!session) return;
		if (broke && subscribedAt !== undefined && deafAt === undefined) {
			session.brokeAt = this.network.timeline.now;
		} else this.sessions = this.sessions.filter((one) => one !== session);
	}

	/** Connections that are served, and those that broke and may be continued. */
	private get receivers(): Connection[] {
		const { keepsHistoryMs } = this.plan;
		const { now } = this.network.timeline;
		this.sessions = this.sessions.filter(
			({ brokeAt }) => brokeAt === undefined || now - brokeAt <= keepsHistoryMs,
		);
		const broken = this.sessions.filter(({ brokeAt }) => brokeAt !== undefined);
		return [...this.counted, ...broken.map(({ connection }) => connection)];
	}

	// ── events ──────────────────────────────────────────────────────────────────────────────────────────────

	send(type: string, event: string, msg: Record<string, unknown>): Sent {
		const { plan, random, events } = this;
		const { timeline } = this.network;
		if (plan.cpt === 'account') this.cpt++;
		if (plan.cpt === 'sparse') this.cpt += random.integer(1, 3);
		const sent: Sent = {
			id: events.length + 1,
			at: timeline.now,
			type,
			event,
			msg,
			look: JSON.stringify([type, event, msg]),
			era: this.era,
			...(plan.cpt === 'account' || plan.cpt === 'sparse' ? { cpt: this.cpt } : {}),
		};
		events.push(sent);
		if (timeline.now < this.until.away) return sent;
		if (this.loseNext > 0) {
			this.loseNext--;
			sent.withheld = true;
			return sent;
		}
		let late = 0;
		if (this.swapNext > 0) {
			this.swapNext--;
			late = random.integer(100, 1_400);
			sent.lateMs = late;
		}
		if (plan.several === 'apart' || late > 0) {
			for (const connection of this.receivers) this.deliver(connection, [sent], late);
			return sent;
		}
		if (this.together.push(sent) > 1) return sent;
		timeline.after(0, () => {
			for (const connection of this.receivers) this.deliver(connection, this.together);
			this.together = [];
		});
		return sent;
	}

	private deliver(connection: Connection, events: readonly Sent[], lateMs = 0): void {
		const { plan } = this;
		const given: Array<{ sent: Sent; cpt?: number }> = [];
		for (const sent of events) {
			const cpt = plan.cpt === 'connection' ? ++connection.cpt : sent.cpt;
			if (this.loses()) sent.dropped = true;
			else given.push({ sent, cpt });
		}
		if (given.length === 0) return;
		connection.push(
			given.map(({ sent }) => sent),
			(at) => this.message(given.map(({ sent, cpt }) => this.object(sent, cpt, at))),
			lateMs,
		);
	}

	private loses(): boolean {
		const { losesOneIn } = this.plan;
		return losesOneIn > 0 && !this.calm && this.losses.chance(1 / losesOneIn);
	}

	private object(sent: Sent, cpt: number | undefined, at: number): object {
		const { plan } = this;
		const perDelivery = plan.stamp === 'delivery';
		// Durations are in whole seconds of a clock, so two deliveries a moment apart may differ by one.
		const seconds = Math.floor(at / 1_000) - Math.floor(sent.at / 1_000);
		const msg: Record<string, unknown> = { ...sent.msg, mark: markOf(sent.id) };
		if (perDelivery && 'call_duration' in msg) msg.call_duration = seconds;
		const stampedAt = (perDelivery ? at : sent.at) + plan.skewMs;
		return {
			...(cpt === undefined ? {} : { cpt }),
			elapse: perDelivery ? seconds : 0,
			ts: Math.floor(stampedAt / 1_000),
			event: { msg, type_notification: sent.type, event: sent.event },
		};
	}

	/** The arguments of one `update` message. */
	private message(objects: object[]): unknown[] {
		const [first, ...others] = objects;
		if (others.length > 0 && this.plan.several === 'arguments') return objects;
		const one = others.length === 0 ? first : objects;
		switch (this.plan.payload) {
			case 'array':
				return [['update', ...objects]];
			case 'text':
				return [JSON.stringify(one)];
			case 'arrayText':
				return [JSON.stringify(['update', ...objects])];
			case 'object':
				return [one];
		}
	}

	// ── faults ──────────────────────────────────────────────────────────────────────────────────────────────

	disconnectAll(): void {
		for (const connection of this.counted) connection.disconnect();
	}

	goDeaf(): void {
		for (const connection of this.counted) connection.deafAt ??= this.network.timeline.now;
	}

	/** Of several connections, only one loses its subscription. */
	oneGoesDeaf(choice: number): void {
		const counted = [...this.counted];
		const one = counted[Math.floor(choice * counted.length)];
		if (one && counted.length > 1) one.deafAt ??= this.network.timeline.now;
	}

	restart(forMs: number, politely: boolean): void {
		this.until.away = Math.max(this.until.away, this.network.timeline.now + forMs);
		for (const connection of this.connections) {
			if (connection.endedAt !== undefined) continue;
			if (politely && connection.isCounted) connection.disconnect();
			else connection.cut();
		}
		this.sessions = [];
		if (!this.plan.tokensSurviveRestart) this.tokens = [];
		if (!this.plan.numbersSurviveRestart) this.beginNumbersAnew();
	}

	beginNumbersAnew(): void {
		this.cpt = 0;
		this.era++;
		for (const connection of this.connections) connection.cpt = 0;
	}

	swap(count: number): void {
		this.swapNext = count;
	}

	lose(count: number): void {
		this.loseNext = count;
	}

	unreadable(): void {
		for (const connection of this.counted) {
			const broken = this.random.pick(['{"broken', 7, null]);
			if (connection.deafAt === undefined) connection.say('update', [broken]);
			connection.say('notice', ['maintenance']);
		}
	}
}

function refusal(reason: string): Answer {
	return { status: 401, body: { status: 401, err_msg: reason } };
}

function isSession(body: unknown): boolean {
	return (body as { id_session?: unknown } | null)?.id_session !== undefined;
}
