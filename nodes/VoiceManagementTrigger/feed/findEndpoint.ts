// Finds out how to connect to a provider: the version of Socket.IO (a client of version 4 can't talk to a server of
// version 1 or 2, and no version is documented: provider.md#connection), the path with or without its last slash, and the
// transports. Tries the handshake of long polling first, which any HTTP client can send, then that of WebSocket if the
// server refuses long polling.
import {
	describeNetworkError,
	hostOf,
	isWrongUrl,
	needsPerson,
	wasClosed,
} from '../../shared/networkErrors';
import { oneLine } from '../../shared/oneLine';
import type { Cookies, SendRequest } from './socketio';
import { payloadText, readHandshake, readPayload } from './socketio/packets';
import { ProbeFailed } from '../../shared/errors';
import { PollingHttp, type PollingAnswer } from './socketio/pollingHttp';
import type { WebSocketHandshake } from './socketio/webSockets';

export type ProtocolVersion = 2 | 4;

export interface Endpoint {
	protocol: ProtocolVersion;
	/** With or without its last slash, as the server expects it. */
	path: string;
	transports: Array<'polling' | 'websocket'>;
}

export interface ProbeOptions {
	/** Sends through n8n, whose rules decide whether the host can be reached at all. */
	send: SendRequest;
	cookies: Cookies;
	/** Scheme, host and port. */
	voiceUrl: string;
	socketPath: string;
	protocol: 'auto' | '4' | '2';
	/** Whether the user allows connections that bypass n8n's request helper. */
	direct: boolean;
	/** Undefined if the runtime has no WebSocket. */
	webSocketHandshake?: WebSocketHandshake;
	signal?: AbortSignal;
}

/** Why a handshake did not lead to an endpoint. */
interface ProbeRefusal {
	status: number;
	/** Engine.IO's own error, if the response contained one. */
	engine?: { code: number; message: string };
	/** The server's version, if it is not the one that the user chose. */
	other?: ProtocolVersion;
	/** The error, if the server closed the connection without a response. */
	closed?: ProbeFailed;
}

/** @throws ProbeFailed */
export async function findEndpoint(options: ProbeOptions): Promise<Endpoint> {
	const versions: ProtocolVersion[] =
		options.protocol === 'auto' ? [4, 2] : [options.protocol === '4' ? 4 : 2];
	let refusal: ProbeRefusal | undefined;
	for (const path of formsOf(options.socketPath)) {
		for (const version of versions) {
			const found = await probePolling(options, path, version);
			if ('protocol' in found) return found;
			if (!refusal || informativeness(found) > informativeness(refusal)) refusal = found;
		}
		// A server that closes connections does so for the other form of the path as well.
		if (refusal?.closed) throw refusal.closed;
		// The path is right: a server may never answer at its other form, and the wait would be taken for its answer.
		if (refusal && informativeness(refusal) > 1) break;
	}
	if (refusal && !isServerBusy(refusal) && !isOtherVersion(refusal, options)) {
		const found = await probeWebSocket(options, versions);
		if (found) return found;
	}
	throw probeError(refusal as ProbeRefusal, options);
}

/** Ranks refusals by how much they reveal about the server: a closed connection least, another version most. */
function informativeness({ engine, other, closed }: ProbeRefusal): number {
	if (other !== undefined) return 3;
	if (engine?.code === TRANSPORT_UNKNOWN) return 2;
	return engine ? 1 : closed ? -1 : 0;
}

async function probeWebSocket(
	{ socketPath, voiceUrl, protocol, direct, webSocketHandshake, cookies, signal }: ProbeOptions,
	versions: ProtocolVersion[],
): Promise<Endpoint | undefined> {
	if (!direct || !webSocketHandshake) return undefined;
	for (const path of formsOf(socketPath)) {
		for (const version of versions) {
			if (signal?.aborted) return undefined;
			const url = `${voiceUrl.replace(/^http/, 'ws')}${path}`;
			const found = await webSocketHandshake(url, version, cookies, signal);
			if (found && (protocol === 'auto' || found === version)) {
				return { protocol: found, path, transports: ['websocket'] };
			}
		}
	}
	return undefined;
}

/** The path as given, then with its last slash removed or added. */
function formsOf(path: string): string[] {
	const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
	return other === '' ? [path] : [path, other];
}

const engineVersion = (version: ProtocolVersion): number => (version === 4 ? 4 : 3);

/** Sends the handshake of long polling. If a length precedes the response, the server is Socket.IO 1 or 2. */
async function probePolling(
	options: ProbeOptions,
	path: string,
	version: ProtocolVersion,
): Promise<Endpoint | ProbeRefusal> {
	const { voiceUrl, cookies, send, signal } = options;
	// b64: without it, Socket.IO 1 would respond in its binary framing.
	const endpoint = `${voiceUrl}${path}?transport=polling&b64=1&EIO=${engineVersion(version)}`;
	const http = new PollingHttp(send, cookies);
	const end = () => http.abort();
	if (signal?.aborted) end();
	signal?.addEventListener('abort', end, { once: true });
	const answer = await http
		.request(endpoint)
		.catch((error: unknown) => {
			const failed = new ProbeFailed(
				describeNetworkError(error, voiceUrl),
				needsPerson(error) || isWrongUrl(error),
			);
			// An old server can close the connection if it does not know the requested version.
			if (wasClosed(error)) return failed;
			throw failed;
		})
		.finally(() => signal?.removeEventListener('abort', end));
	if (answer instanceof ProbeFailed) return { status: 0, closed: answer };
	const found = handshakeIn(answer);
	if (!found) return { status: answer.status, engine: engineRefusal(payloadText(answer)) };
	const { handshake, counted } = found;
	const protocol = counted ? 2 : 4;
	endSession(http, `${answer.url}&sid=${encodeURIComponent(handshake.sid)}`);
	if (options.protocol !== 'auto' && String(protocol) !== options.protocol) {
		return { status: answer.status, other: protocol };
	}
	return {
		protocol,
		path: new URL(answer.url).pathname,
		transports: handshake.upgrades.length > 0 ? ['polling', 'websocket'] : ['polling'],
	};
}

/**
 * The handshake at the beginning of a poll, and whether a length precedes it, as in version 2; undefined if there is
 * none.
 */
function handshakeIn(answer: PollingAnswer) {
	try {
		const { packets, counted } = readPayload(answer);
		const [first] = packets;
		const handshake = String(first).startsWith('0')
			? readHandshake(String(first).slice(1))
			: undefined;
		return handshake && { handshake, counted };
	} catch {
		return undefined;
	}
}

/**
 * Ends the session that the handshake opened at the provider (with version 2 even a socket), and that would linger
 * until its ping times out. Overlapping polls make a server end a session. It takes three: the first one can return
 * what was waiting, the second one hangs, and the third one overlaps with it. The responses are ignored.
 */
function endSession(http: PollingHttp, url: string): void {
	AbortSignal.timeout(5_000).addEventListener('abort', () => http.abort(), { once: true });
	for (let poll = 0; poll < 3; poll++) {
		http.request(url).catch(() => undefined);
	}
}

/** Engine.IO's error codes. */
const TRANSPORT_UNKNOWN = 0;
const UNSUPPORTED_VERSION = 5;

function isOverloaded({ status }: ProbeRefusal): boolean {
	return status >= 500 || status === 408 || status === 425 || status === 429;
}

/**
 * Whether the server is overloaded and must not get more handshakes. A 500 or 501 can also be its way to refuse long
 * polling.
 */
function isServerBusy(refusal: ProbeRefusal): boolean {
	return isOverloaded(refusal) && refusal.status !== 500 && refusal.status !== 501;
}

/** Whether the server speaks Socket.IO, but not in the version that the user chose. */
function isOtherVersion(
	{ engine, other }: ProbeRefusal,
	{ protocol }: Pick<ProbeOptions, 'protocol'>,
) {
	return other !== undefined || (engine?.code === UNSUPPORTED_VERSION && protocol !== 'auto');
}

function probeError(
	refusal: ProbeRefusal,
	{ voiceUrl, socketPath, protocol, direct, webSocketHandshake }: ProbeOptions,
): ProbeFailed {
	const { status, engine } = refusal;
	const host = hostOf(voiceUrl);
	if (isOtherVersion(refusal, { protocol })) {
		return new ProbeFailed(
			`The Socket.IO server at ${host} does not speak Socket.IO ${protocol}: set "Protocol" in the credential to Auto`,
			true,
		);
	}
	if (isOverloaded(refusal)) {
		return new ProbeFailed(`The Socket.IO server at ${host} answers with status ${status}`);
	}
	if (engine?.code === TRANSPORT_UNKNOWN && !(direct && webSocketHandshake)) {
		return new ProbeFailed(
			`The Socket.IO server at ${host} refuses long polling. ${needed(direct)}`,
			true,
		);
	}
	if (engine) {
		return new ProbeFailed(
			`The Socket.IO server at ${host} refused the connection: ${oneLine(engine.message)}`,
		);
	}
	const hint =
		direct && webSocketHandshake ? '' : `. If the provider takes WebSocket only: ${needed(direct)}`;
	return new ProbeFailed(
		`${host} is not a Socket.IO server at ${socketPath} (status ${status}): check "Voice Management URL" and "Socket Path" in the credential${hint}`,
		true,
	);
}

/** What the user must change for a server that accepts only WebSocket. */
function needed(direct: boolean): string {
	return direct
		? 'WebSocket needs n8n to run on Node.js 22 or newer'
		: 'n8n\'s request helper can\'t carry a WebSocket: set "Transport" in the credential to Auto or Direct';
}

/** Reads Engine.IO's error response: `{"code":5,"message":"Unsupported protocol version"}`. */
function engineRefusal(text: string): { code: number; message: string } | undefined {
	if (!text.startsWith('{')) return undefined;
	let value: unknown;
	try {
		value = JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
	if (typeof value !== 'object' || value === null) return undefined;
	const { code, message } = value as { code?: unknown; message?: unknown };
	return typeof code === 'number' && typeof message === 'string' ? { code, message } : undefined;
}
