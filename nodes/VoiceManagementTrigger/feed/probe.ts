// How an operator is connected to: which version of Socket.IO it speaks (a client of version 4 can't talk to a server of
// version 1 or 2, and the documents do not say which one there is), at which form of its path, and over what. Asked by
// the handshake of long polling first, which any HTTP client can do, and of WebSocket if the server refuses that.
import { describeNetworkError, hostOf, needsPerson, wasClosed } from '../../shared/networkErrors';
import { oneLine } from '../../shared/response';
import type { Cookies, SendRequest } from './socketio';
import { beginOf, handshakeIn } from './socketio/handshake';
import { PollingHttp } from './socketio/pollingHttp';
import type { WebSocketHandshake } from './socketio/webSocketHandshake';

export type ProtocolVersion = 2 | 4;

export interface Endpoint {
	protocol: ProtocolVersion;
	/** As the server wants it: with or without its last slash. */
	path: string;
	transports: Array<'polling' | 'websocket'>;
}

/** The host does not answer as a Socket.IO server does; the message is one sentence for the user. */
export class ProbeFailed extends Error {
	override name = 'ProbeFailed';

	constructor(
		message: string,
		/** Only the user can correct it: waiting changes nothing. */
		readonly permanent = false,
	) {
		super(message);
	}
}

export interface ProbeOptions {
	/** Sends through n8n, whose rules decide whether the host may be reached at all. */
	send: SendRequest;
	cookies: Cookies;
	/** Scheme and host. */
	voiceUrl: string;
	socketPath: string;
	protocol: 'auto' | '4' | '2';
	/** Whether connections past n8n's request helper are wanted. */
	direct: boolean;
	/** Undefined if the runtime has no WebSocket. */
	webSocketHandshake?: WebSocketHandshake;
	signal?: AbortSignal;
}

/** What one question brought: an endpoint, or why there is none. */
interface Refusal {
	status: number;
	/** Engine.IO's own error, if it was one. */
	engine?: { code: number; message: string };
	/** A handshake of the version that was not asked for. */
	other?: ProtocolVersion;
	/** There was no answer: the server closed the connection. */
	closed?: ProbeFailed;
}

/** @throws ProbeFailed */
export async function findEndpoint(options: ProbeOptions): Promise<Endpoint> {
	const versions: ProtocolVersion[] =
		options.protocol === 'auto' ? [4, 2] : [options.protocol === '4' ? 4 : 2];
	let refusal: Refusal | undefined;
	for (const path of formsOf(options.socketPath)) {
		for (const version of versions) {
			const found = await probePolling(options, path, version);
			if ('protocol' in found) return found;
			if (!refusal || informativeness(found) > informativeness(refusal)) refusal = found;
		}
		// Whatever closes connections does so at the other form of the path as well.
		if (refusal?.closed) throw refusal.closed;
	}
	if (refusal && !isBusy(refusal) && !isOtherVersion(refusal, options)) {
		const found = await probeWebSocket(options, versions);
		if (found) return found;
	}
	throw probeError(refusal as Refusal, options);
}

/** How much a refusal says: a connection that was closed least, a page that is not found little. */
function informativeness({ engine, other, closed }: Refusal): number {
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
			const url = `${voiceUrl.replace(/^http/, 'ws')}${path}`;
			const found = await webSocketHandshake(url, version, cookies, signal);
			if (found && (protocol === 'auto' || found === version)) {
				return { protocol: found, path, transports: ['websocket'] };
			}
		}
	}
	return undefined;
}

/** The path as it was given, then with its last slash taken away or added. */
function formsOf(path: string): string[] {
	const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
	return other === '' ? [path] : [path, other];
}

const engineVersion = (version: ProtocolVersion): number => (version === 4 ? 4 : 3);

/** A handshake with its length in front is Socket.IO 1 or 2. */
async function probePolling(
	options: ProbeOptions,
	path: string,
	version: ProtocolVersion,
): Promise<Endpoint | Refusal> {
	const { voiceUrl, cookies, send, signal } = options;
	// b64: Socket.IO 1 would otherwise answer in its binary form.
	const endpoint = `${voiceUrl}${path}?transport=polling&b64=1&EIO=${engineVersion(version)}`;
	const http = new PollingHttp(send, cookies);
	const end = () => http.abort();
	if (signal?.aborted) end();
	signal?.addEventListener('abort', end, { once: true });
	const answer = await http
		.request(endpoint)
		.catch((error: unknown) => {
			const failed = new ProbeFailed(describeNetworkError(error, voiceUrl), needsPerson(error));
			// An old server may do so with the version that it does not know.
			if (wasClosed(error)) return failed;
			throw failed;
		})
		.finally(() => signal?.removeEventListener('abort', end));
	if (answer instanceof ProbeFailed) return { status: 0, closed: answer };
	const found = handshakeIn(answer);
	if (!found) return { status: answer.status, engine: engineRefusal(beginOf(answer)) };
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
 * The handshake opened a session at the operator (on version 2 even a socket), which would linger until its ping
 * times out. A GET is all we have here, and polls that overlap make the server end the session: of three, one may
 * fetch what waited and one hangs, the third overlaps. Nobody waits for the answers.
 */
function endSession(http: PollingHttp, url: string): void {
	AbortSignal.timeout(5_000).addEventListener('abort', () => http.abort(), { once: true });
	for (let poll = 0; poll < 3; poll++) {
		http.request(url).catch(() => undefined);
	}
}

/** Engine.IO's own codes. */
const TRANSPORT_UNKNOWN = 0;
const UNSUPPORTED_VERSION = 5;

function isOverloaded({ status }: Refusal): boolean {
	return status >= 500 || status === 408 || status === 425 || status === 429;
}

/** Not to be asked more than it was; a 500 or 501 may be its way to refuse long polling. */
function isBusy(refusal: Refusal): boolean {
	return isOverloaded(refusal) && refusal.status !== 500 && refusal.status !== 501;
}

/** The server speaks Socket.IO, and not in the version that is set. */
function isOtherVersion({ engine, other }: Refusal, { protocol }: Pick<ProbeOptions, 'protocol'>) {
	return other !== undefined || (engine?.code === UNSUPPORTED_VERSION && protocol !== 'auto');
}

function probeError(
	refusal: Refusal,
	{ voiceUrl, socketPath, protocol, direct, webSocketHandshake }: ProbeOptions,
): ProbeFailed {
	const { status, engine } = refusal;
	const host = hostOf(voiceUrl);
	if (isOtherVersion(refusal, { protocol })) {
		return new ProbeFailed(
			`The Socket.IO server at ${host} does not speak Socket.IO ${protocol}: set the option "Protocol" to Auto`,
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
		direct && webSocketHandshake ? '' : `. If the operator takes WebSocket only: ${needed(direct)}`;
	return new ProbeFailed(
		`${host} is not a Socket.IO server at ${socketPath} (status ${status}): check "Voice Management URL" in the credential and the option "Socket Path"${hint}`,
		true,
	);
}

/** What a server that takes WebSocket alone needs here. */
function needed(direct: boolean): string {
	return direct
		? 'WebSocket needs n8n to run on Node.js 22 or newer'
		: 'n8n\'s request helper can\'t carry WebSocket, set the option "Transport" to Auto or Direct';
}

/** Engine.IO's own error form: `{"code":5,"message":"Unsupported protocol version"}`. */
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
