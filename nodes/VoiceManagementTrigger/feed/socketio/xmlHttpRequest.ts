// Implements the part of XMLHttpRequest that engine.io-client 3 (Socket.IO 2) uses for long polling, on top of
// PollingHttp. The build puts it in place of that client's own `xmlhttprequest` module. Because it has a
// `responseType`, the client requests the binary framing, the only one in which Socket.IO 1 sends accents correctly.
import { framing, readPackets } from './payload3';
import type { Payload } from './pieces';
import type { ConnectionNetwork } from './network';

const HEADERS_RECEIVED = 2;
const DONE = 4;

class XmlHttpRequest {
	onreadystatechange: () => void = () => undefined;

	readyState = 0;

	status = 0;

	responseType = '';

	response?: ArrayBuffer;

	responseText = '';

	private url = '';

	private contentType = '';

	private aborted = false;

	constructor(private readonly network: ConnectionNetwork | undefined) {}

	open(_method: string, url: string): void {
		this.url = url;
	}

	/** Ignored: PollingHttp sets the headers that matter. */
	setRequestHeader(): void {}

	getResponseHeader(name: string): string | null {
		return name.toLowerCase() === 'content-type' ? this.contentType : null;
	}

	/** As in browsers, the status is 0 if there was no response. */
	send(body: string | null): void {
		const { network } = this;
		if (!network) throw new Error('Long polling was started without its HTTP client');
		const { http, broken } = network;
		const next = body === null ? http.pieces.next() : undefined;
		const done = next
			? next.then((piece) => this.finish(200, piece))
			: http.request(this.url, body ?? undefined).then(
					async (answer) => {
						if (!answer.ok) this.finish(answer.status, '');
						else if (body !== null) this.finish(200, 'ok');
						else this.finish(200, await http.pieces.first(readPackets(answer), framing));
					},
					() => this.finish(0, ''),
				);
		done.catch((error: unknown) => broken(error));
	}

	abort(): void {
		this.aborted = true;
	}

	private finish(status: number, payload: Payload): void {
		if (this.aborted) return;
		this.status = status;
		// The client relies on the content type, which some servers send wrongly: it is set by what was read.
		const isText = typeof payload === 'string';
		this.contentType = isText ? 'text/plain' : 'application/octet-stream';
		if (isText) this.responseText = payload;
		else this.response = new Uint8Array(payload).buffer;
		this.readyState = HEADERS_RECEIVED;
		this.onreadystatechange();
		this.readyState = DONE;
		this.onreadystatechange();
	}
}

/**
 * @param options engine options. Their `agent` is the connection's network (the only option that the client passes on
 *   to every request); absent if the client only checks what the runtime supports
 */
export default function createRequest(options: {
	agent?: ConnectionNetwork | false;
}): XmlHttpRequest {
	return new XmlHttpRequest(options.agent || undefined);
}
