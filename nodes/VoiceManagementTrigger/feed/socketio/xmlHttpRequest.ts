// The part of XMLHttpRequest that engine.io-client 3 (Socket.IO 2) uses for long polling, on top of PollingHttp.
// The build puts it in place of that client's own `xmlhttprequest` module. There is no `responseType` on purpose:
// the client then asks the server for text (base64 for binary), which is all that fetch's text() can carry.
import type { PollingHttp } from './pollingHttp';

const HEADERS_RECEIVED = 2;
const DONE = 4;

class XmlHttpRequest {
	onreadystatechange: () => void = () => undefined;

	readyState = 0;

	status = 0;

	responseText = '';

	private url = '';

	private contentType = '';

	private aborted = false;

	constructor(private readonly http: PollingHttp | undefined) {}

	open(_method: string, url: string): void {
		this.url = url;
	}

	/** PollingHttp sets the only header that matters. */
	setRequestHeader(): void {}

	getResponseHeader(name: string): string | null {
		return name.toLowerCase() === 'content-type' ? this.contentType : null;
	}

	/** Reports like the browser's: status 0 where no answer came. */
	send(body: string | null): void {
		if (!this.http) throw new Error('Long polling was started without its HTTP client');
		this.http.request(this.url, body ?? undefined).then(
			(answer) => {
				this.contentType = answer.contentType;
				this.status = answer.status;
				this.responseText = answer.text;
				this.finish();
			},
			() => this.finish(),
		);
	}

	abort(): void {
		this.aborted = true;
	}

	private finish(): void {
		if (this.aborted) return;
		this.readyState = HEADERS_RECEIVED;
		this.onreadystatechange();
		this.readyState = DONE;
		this.onreadystatechange();
	}
}

/**
 * @param options engine options; its `agent` is the connection's {@link PollingHttp} (the one option that the
 * client hands on to every request), absent where the client only asks what the runtime can do
 */
export default function createRequest(options: { agent?: PollingHttp | false }): XmlHttpRequest {
	return new XmlHttpRequest(options.agent || undefined);
}
