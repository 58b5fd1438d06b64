// The part of XMLHttpRequest that engine.io-client 3 (Socket.IO 2) uses for long polling, on top of PollingHttp.
// The build puts it in place of that client's own `xmlhttprequest` module. That it has a `responseType` makes the client
// ask for the binary framing, the only one in which Socket.IO 1 gets accents right.
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

	/** PollingHttp sets the headers that matter. */
	setRequestHeader(): void {}

	getResponseHeader(name: string): string | null {
		return name.toLowerCase() === 'content-type' ? this.contentType : null;
	}

	/** Reports like the browser's: status 0 if no answer came. */
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
		// The client goes by the type, which some servers name wrongly.
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
 * @param options engine options; its `agent` is the connection's network (the one option that the client hands on to
 * every request), absent if the client only asks what the runtime can do
 */
export default function createRequest(options: {
	agent?: ConnectionNetwork | false;
}): XmlHttpRequest {
	return new XmlHttpRequest(options.agent || undefined);
}
