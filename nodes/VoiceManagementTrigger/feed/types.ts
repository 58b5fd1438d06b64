// The words that the feed, the trigger and the tests share. Types only: nothing here runs.
import type { Directory } from '../../shared/directory';
import type { HttpResponse } from '../../shared/response';
import type { Session } from '../../shared/loginResponse';
import type { SendRequest } from './socketio';

export type { Clock } from './clock';
export type { Directory, HttpResponse, Session };

/** The levels of n8n's logger. The feed never passes a secret to it. */
export interface FeedLogger {
	debug(message: string): void;
	info(message: string): void;
	warn(message: string): void;
	error(message: string): void;
}

/** One `update` of the feed as envelope.ts reads it. Shared by all subscribers: nobody changes it. */
export interface FeedEvent {
	/** `type_notification`; '' when absent. */
	readonly type: string;
	/** The event kind; '' when absent. */
	readonly event: string;
	readonly cpt?: number;
	/** Unix timestamp as sent (seconds; milliseconds if the operator sends those). */
	readonly ts?: number;
	readonly elapse?: number;
	readonly msg: Readonly<Record<string, unknown>>;
	/** The received object, unchanged: without the `'update'` in front of it if that came along. */
	readonly raw: Readonly<Record<string, unknown>>;
	/** The same in the document's form and names, if it came in another one; `raw` has them otherwise. */
	readonly renamed?: Readonly<Record<string, unknown>>;
	/** When it arrived here, milliseconds since 1970. */
	readonly receivedAt: number;
}

export type FeedState =
	'idle' | 'authenticating' | 'connecting' | 'live' | 'renewing' | 'waiting' | 'refused' | 'closed';

/** Who carries a connection: the runtime's own clients, or n8n's request helper. */
export type Transport = 'direct' | 'n8n';

/** What a feed reports to its subscribers about itself, beside the events. All times in milliseconds since 1970. */
export type FeedStatus =
	| {
			event: 'connected';
			at: number;
			/** Failed attempts since the last connection. */ attempts: number;
			protocol: 2 | 4;
			transport: Transport;
	  }
	| { event: 'disconnected'; at: number; reason: string }
	/** One of two connections is gone, and nothing was missed. */
	| { event: 'line_lost'; at: number; reason: string }
	| {
			event: 'gap';
			/** Last moment the feed is known to have been complete, and the first one afterwards. */
			from: number;
			to: number;
			durationMs: number;
			reason: string;
			lastCpt?: number;
			firstCpt?: number;
			/** Only if `cpt` was seen to count by one on this account. */
			missed?: number;
	  }
	| {
			event: 'refused';
			at: number;
			/** The operator's own reason. */
			reason: string;
			statusCode?: number;
			/** True for the first refusal of an outage: the moment to notify the user. */
			first: boolean;
			/** When the next login is tried. */
			retryAt: number;
	  };

/** What makes two triggers share one connection, and how to reach the operator. */
export interface FeedOptions {
	/** Equal keys share one feed: made from everything below that changes the connection, the password (hashed) included. */
	key: string;
	/** Scheme, host and port, checked before it comes here: `https://voice.example.com` */
	voiceUrl: string;
	/** First argument of `init`. */
	initAccountType: string;
	/**
	 * All arguments of `init`, in the place of the built-in ones: `{clientId}` and `{token}` in texts are replaced, a
	 * text that is nothing else by the value with its type.
	 */
	initArguments?: readonly unknown[];
	/** Socket.IO path, `/socket.io/` unless set. */
	socketPath: string;
	protocol: 'auto' | '4' | '2';
	/** `auto`: direct, and through n8n if the login answers and no direct connection can be made. */
	transport: 'auto' | Transport;
	/** 0 = off. */
	silenceTimeoutMs: number;
	/** Two connections at all times, so that the loss of one is no gap. */
	twoLines?: boolean;
	/** The account feed's `init` target (client account identifier); the supervisor's login brings its own. */
	target?: string;
	/**
	 * Performs the HTTP login; resolves with any status. Rejects with LoginRefused or LoginFailed if several spellings were
	 * tried in vain, and with the network's error if no response came. The signal aborts the request: a closed feed must not
	 * leave one hanging.
	 */
	login(signal?: AbortSignal): Promise<HttpResponse>;
	/** Where {@link login} goes: its cookies belong to that host. */
	loginUrl: string;
	/** One request through n8n's helper, whose proxy, certificates and egress rules apply. */
	request: SendRequest;
}

export interface FeedSubscriber {
	/** Called in order, synchronously; a throw is caught, logged and does not reach other subscribers. */
	onEvent(event: FeedEvent): void;
	onStatus(status: FeedStatus): void;
	/**
	 * The operator sent something under another event name than `update`: reported once for each name and connection.
	 * @param payload cut, without the token
	 */
	onOtherEvent?(name: string, payload: string): void;
	logger: FeedLogger;
}

/** How the first attempt went: what an activation may show to the user. */
export type FirstOutcome =
	| { kind: 'live' }
	| { kind: 'refused'; reason: string; statusCode?: number }
	/** Nothing about the login and password, but waiting does not correct it either: a wrong host, a path, a runtime. */
	| { kind: 'unusable'; reason: string }
	| { kind: 'unreachable'; reason: string }
	| { kind: 'closed' };

/** Counts since a feed was opened. */
export interface FeedCounters {
	/** Copies of an event that a second connection brought, dropped. */
	readonly duplicates: number;
	/** `update`s in which no event could be found. */
	readonly unreadable: number;
	readonly renewals: number;
}

export interface FeedSubscription {
	/** Settles once, after the first login and connection (or its failure) of the shared feed; never rejects. */
	readonly first: Promise<FirstOutcome>;
	state(): FeedState;
	/** The newest login's directory; undefined before the first login. */
	directory(): Directory | undefined;
	/** Whether `cpt` was seen to count by one on this account. */
	countsByOne(): boolean;
	/**
	 * Up to when everything surely came, while that is in doubt, in milliseconds since 1970; undefined if it is not. After
	 * `close`, as it was then.
	 */
	provenUntil(): number | undefined;
	/** What the shared feed counted since it was opened. */
	counters(): FeedCounters;
	/** Idempotent; ends within 2 s; after it resolves (and from the call on) this subscriber gets nothing more. */
	close(): Promise<void>;
}
