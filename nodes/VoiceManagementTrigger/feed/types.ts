// Types that the feed, the trigger and the tests share.
import type { Directory } from '../../shared/directory';
import type { Echo, LoginVerdict, Session as LoginSession } from '../../shared/login';
import type { Secrets } from '../../shared/secrets';
import type { Gap } from './gap';
import type { SendRequest } from './socketio';
import type { AttemptFailure, FeedState } from './state/types';

export type { Clock } from './clock';
export type { Directory, FeedState };

/** A session that `init` can be sent for. */
export type FeedSession = Omit<LoginSession, 'target'> & { target: Echo };

/** The levels of n8n's logger. The feed masks every line. */
export interface FeedLogger {
	debug(message: string): void;
	info(message: string): void;
	warn(message: string): void;
	error(message: string): void;
}

/** One event of the feed, as envelope.ts reads it. All subscribers share the object, so they must not change it. */
export interface FeedEvent {
	/** `type_notification`; '' when absent. */
	readonly type: string;
	/** The event kind; '' when absent. */
	readonly event: string;
	/** `cpt` as a number, by which events are counted; undefined if it is none, or beyond 2^53. */
	readonly cpt?: number;
	/** `cpt` as it came; undefined when absent. */
	readonly sentCpt?: unknown;
	/** Unix timestamp as sent (seconds; milliseconds if the provider sends those). */
	readonly ts?: number;
	/** As it came; undefined when absent. */
	readonly elapse?: unknown;
	/** The message as it came, except that `statut` is `status`; empty if it is no object. */
	readonly msg: Readonly<Record<string, unknown>>;
	/** Fields of the envelope that are not documented; undefined if there are none. */
	readonly further?: Readonly<Record<string, unknown>>;
	/**
	 * The received object, without an `'update'` in front of it or a wrapper around it. Its integers beyond 2^53 are text.
	 */
	readonly raw: Readonly<Record<string, unknown>>;
	/** When it arrived here, milliseconds since 1970. */
	readonly receivedAt: number;
	/** Its number had been jumped over: what has a higher number was sent later, and arrived before. */
	readonly isLate?: true;
	/** What is not as documented, such as `the event "queue moved" is not documented`; undefined if nothing is. */
	readonly odd?: string;
}

/** How a connection is made: by the runtime's own clients, or through n8n's request helper. */
export type Transport = 'direct' | 'n8n';

/** How a connection was made. */
export interface Route {
	protocol: 2 | 4;
	transport: Transport;
	/** Why the direct connection, which was tried first, failed. */
	insteadOfDirect?: string;
}

/**
 * What a feed reports to its subscribers about itself, in addition to the events. Times are in milliseconds since 1970.
 */
export type FeedStatus =
	| {
			event: 'connected';
			at: number;
			/** Failed attempts since the last connection. */ attempts: number;
			protocol: 2 | 4;
			transport: Transport;
			/**
			 * Whether it is proven that nothing was missed since the connection before; null if there was none. After an
			 * interruption `connected` is reported when that is known: with the first event, or 5 s after `init`.
			 */
			continuous: boolean | null;
	  }
	| { event: 'disconnected'; at: number; reason: string }
	/** One of two connections was lost; the feed continues with the other one. */
	| { event: 'connection_lost'; at: number; reason: string }
	| ({ event: 'gap' } & Gap)
	| {
			event: 'refused';
			at: number;
			/** The provider's own reason. */
			reason: string;
			statusCode?: number;
			/** True for the first refusal of an outage: the moment to notify the user. */
			first: boolean;
			/** When the next login is tried. */
			retryAt: number;
	  };

/** How to reach the provider, and the key by which triggers share a connection. */
export interface FeedOptions {
	/** Triggers with equal keys share one feed: it has the account, the password, and what changes the connection. */
	key: string;
	/** Who logs in, whatever the password and the way to connect: its feeds follow one another. Nothing of the login can be
	 * read from it. */
	readonly account: string;
	/** Equal for the same login at the same host, in whatever credential; undefined if nobody asks. */
	readonly hostLoginKey?: string | undefined;
	/** What to mask of the login. */
	readonly secrets: Secrets;
	/** Scheme, host and port, already validated: `https://voice.example.com` */
	voiceUrl: string;
	/** First argument of `init`. */
	initAccountType: string;
	/**
	 * All arguments of `init`, in place of the built-in ones. `{clientId}` and `{token}` in strings are replaced; a
	 * string that is only a placeholder becomes the value in its own type.
	 */
	initArguments?: readonly unknown[];
	/** Socket.IO path, `/socket.io/` unless set. */
	socketPath: string;
	protocol: 'auto' | '4' | '2';
	/** `auto`: direct, or through n8n if the login worked but no direct connection can be made. */
	transport: 'auto' | Transport;
	/** 0 = off. */
	silenceTimeoutMs: number;
	/** Keep two connections at all times, so that the loss of one causes no gap. */
	redundantConnection?: boolean;
	/** The account feed's `init` target (client account identifier); a supervisor's comes with the login. */
	target?: string;
	/**
	 * Reads the credential, sends the login and reads its response. Rejects with the network error if there was none. The
	 * signal aborts the request, so that a closed feed leaves none pending.
	 * @param askedAt when it is sent, by the machine's clock: the token can't be older. Milliseconds since 1970.
	 */
	login(signal: AbortSignal | undefined, askedAt: number): Promise<FeedLogin>;
	/** The URL of {@link login}; its cookies belong to that host. */
	loginUrl: string;
	/** Sends one request through n8n's helper, so that n8n's proxy, certificates and egress rules apply. */
	request: SendRequest;
}

/** The provider's verdict, or why the login was not sent. */
export type FeedLogin =
	LoginVerdict | { session?: undefined; problem: AttemptFailure; headers: Record<string, unknown> };

/** What the feeds of an account know of its outage, whichever password they use. */
export interface AccountOutage {
	/** When a connection of the account last broke: until the provider has noticed, it may refuse a login. */
	readonly brokeAt: number;
	/** Refusals in an outage that goes on. */
	readonly refusals: number;
}

/**
 * What goes on if all triggers of a feed move to another one of the same account: the same object for all that listen to
 * the one or the other, and when the first one stopped.
 */
export interface Stream extends AccountOutage {
	readonly id: object;
	/** Milliseconds since 1970; undefined if nothing was connected yet. */
	readonly coveredUntil: number | undefined;
	/** Why it stopped. */
	readonly reason: string;
}

/** How a trigger moves to the feed that its credential names now. */
export interface Move {
	/** Of the feed that it moves to; undefined if the credential can't be used. */
	readonly key: string | undefined;
	/** Called for all triggers that move, before the first one joins: a provider may allow one session. */
	leave(): void;
	/** @param stream if all triggers of the feed move, and to the same one */
	join(stream: Stream | undefined): void;
}

export interface FeedSubscriber {
	/** Called in order, synchronously. An exception is caught and logged, and does not affect other subscribers. */
	onEvent(event: FeedEvent): void;
	onStatus(status: FeedStatus): void;
	/**
	 * The provider sent something that is not documented; called once for each shape.
	 * @param name the Socket.IO event name
	 * @param payload shortened and masked
	 * @param why what is not documented about it
	 */
	onNotUnderstood?(name: string, payload: string, why: string): void;
	/**
	 * The credential of one of the feed's triggers was changed: this one reads its own again. Never rejects.
	 * @returns how it moves; undefined to stay. If omitted, it stays.
	 */
	moves?(): Promise<Move | undefined>;
	/**
	 * Whether a person waits for the outcome, so that a feed that waits for its next attempt makes it now. Otherwise each
	 * workflow would send a refused login again when n8n starts.
	 */
	isAwaited?(): boolean;
	logger: FeedLogger;
}

/** The outcome of the first attempt, which an activation can show to the user. */
export type FirstOutcome =
	| { kind: 'live' }
	| { kind: 'refused'; reason: string; statusCode?: number }
	/** Login and password are not the cause, but only the user can correct it: a wrong host or path, an old runtime. */
	| { kind: 'unusable'; reason: string }
	| { kind: 'unreachable'; reason: string }
	| { kind: 'closed' };

/** What a feed can say about itself at any time. */
export interface Vitals {
	/** How many connections are open: 0 to 2. */
	readonly connections: number;
	/** Of the newest connection; undefined if none is open. */
	readonly protocol?: 2 | 4;
	readonly transport?: Transport;
	/**
	 * Everything that the provider sent up to then is here, or lies in a gap that was reported: milliseconds since 1970;
	 * undefined before the first connection.
	 */
	readonly coveredUntil?: number;
}

export interface FeedSubscription {
	/** Settles once, after the first login and connection (or its failure) of the shared feed; never rejects. */
	readonly first: Promise<FirstOutcome>;
	state(): FeedState;
	/** The directory of the newest connection's login; undefined before the first connection. */
	directory(): Directory | undefined;
	/** Whether `cpt` was seen to count by one on this account. */
	countsByOne(): boolean;
	/**
	 * Up to when everything is here, in milliseconds since 1970; undefined before the first connection. After `close`, the
	 * value at that time.
	 */
	coveredUntil(): number | undefined;
	vitals(): Vitals;
	/** Copies that the shared feed has dropped, and messages that are no event since this subscription began. */
	counters(): { readonly duplicates: number; readonly unreadable: number };
	/**
	 * Why the newest attempt to connect failed, and whether only a person can correct it; undefined if none failed since
	 * the last connection.
	 */
	failure():
		Pick<AttemptFailure, 'kind' | 'reason' | 'permanent' | 'rejected' | 'credential'> | undefined;
	/** The same for triggers that receive the same events: what they derive from them can be shared. See {@link Stream}. */
	readonly streamId: object;
	/** The feed itself reports what is missing since the feed before it stopped. */
	readonly goesOn: boolean;
	/**
	 * The trigger has read its credential again: if that names another feed, all triggers of this one read theirs; if a
	 * login could not read it before, the feed logs in now.
	 * @param key undefined if the credential can't be used
	 */
	credentialRead(key: string | undefined): void;
	/** Idempotent. During the call, this subscriber gets the events that were still held back, and nothing after it. */
	close(): Promise<void>;
}
