// Describes network errors in words that tell the user what to do. Only codes and the host are used: the errors of
// HTTP clients contain whole requests, including passwords.

/** Causes are followed to this depth. */
const MAX_DEPTH = 6;

/** Names of the errors with which n8n's SSRF protection rejects a request before it is sent. */
const FORBIDDEN = /^SsrfBlocked/;
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
/** The host speaks plain HTTP: then only a URL with http:// reaches it. */
const PLAIN_HTTP = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/;
/** Both sides speak TLS, but could not agree: an old version, no common cipher, a client certificate that is missing. */
const TLS = /^(?:EPROTO$|ERR_SSL_)/;
/** A record that was damaged on its way: it can come after the request. */
const DAMAGED = /RECORD_MAC/;
/** OpenSSL's reason in the message of an EPROTO: `error:0A00010B:SSL routines:ssl3_get_record:wrong version number`. */
const OPENSSL_REASON = /:SSL routines:[^:]{0,100}:([a-z0-9 _/-]{1,80})/i;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/;
/** Codes of Node.js and of axios for a connection that did not come about. */
const NOT_OPENED = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
	'ERR_INVALID_URL',
]);
/** What fails before a connection is open. A route can be lost later: then the call is `read` or `write`. */
const OPENING = new Set<unknown>([undefined, 'connect', 'getaddrinfo']);

/**
 * @param error what an HTTP client rejected with
 * @param url where the request went; only its host is shown
 * @param isFirst whether the URL may be wrong, with or without TLS; of a change, the host may have answered before
 * @returns one sentence
 */
export function describeNetworkError(error: unknown, url: string, isFirst = true): string {
	const host = hostOf(url);
	const codes = networkCodes(error);
	const proxy = proxyIn(error, url);
	if (proxy !== undefined)
		return `The proxy that n8n uses, ${proxy}, can't be reached, so ${host} was not asked: check HTTP_PROXY and HTTPS_PROXY of n8n (${codes[0]})`;
	const isPlain = isFirst && url.startsWith('http:');
	for (const code of codes) {
		if (CLOSED.has(code) && isPlain)
			return `${host} closed the connection before it responded (${code}): if it expects TLS, write https:// in the URL`;
		const sentence = sentenceFor(code, host, isFirst);
		if (sentence) return sentence;
	}
	const [code] = codes;
	return `${host} did not respond${code ? ` (${code})` : ''}`;
}

/**
 * Whether a retry is useless until somebody changes a setting: n8n forbids the host, or this machine does not accept
 * the certificate.
 */
export function needsPerson(error: unknown): boolean {
	return networkCodes(error).some((code) => FORBIDDEN.test(code) || CERTIFICATE.test(code));
}

/** Whether the URL itself is wrong: no such host, or one that speaks plain HTTP where TLS was asked for. */
export function isWrongUrl(error: unknown): boolean {
	return networkCodes(error).some((code) => code === 'ENOTFOUND' || PLAIN_HTTP.test(code));
}

/**
 * The proxy that did not answer, if the connection that failed was to another place than the URL's: n8n's own settings
 * name it.
 * @returns host and port; undefined if the connection went to the URL's host
 */
export function proxyIn(error: unknown, url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const { hostname, port, protocol } = new URL(url);
	const expected = Number(port || (protocol === 'https:' ? 443 : 80));
	for (const layer of causesOf(error)) {
		const { code, syscall, address, port: asked, hostname: name } = layer;
		if (syscall === 'connect' && typeof asked === 'number' && asked !== expected)
			return `${String(address)}:${asked}`;
		if (code === 'ENOTFOUND' && typeof name === 'string' && name !== hostname) return name;
	}
	return undefined;
}

/** Whether the host accepted the connection and closed it without a response. */
export function wasClosed(error: unknown): boolean {
	return networkCodes(error).some((code) => CLOSED.has(code));
}

/** Whether the host and this machine do not understand each other's TLS: then the host is up. */
export function failedToAgreeOnTls(error: unknown): boolean {
	const codes = networkCodes(error).filter((code) => TLS.test(code));
	return codes.length > 0 && !codes.some((code) => DAMAGED.test(code));
}

/**
 * Whether it is certain that nothing was sent. Errors of TLS, and a certificate that the host does not accept, are the
 * same before and after a request.
 */
export function wasNeverSent(error: unknown): boolean {
	const codes = networkCodes(error);
	return (
		(needsPerson(error) || codes.some((code) => NOT_OPENED.has(code))) &&
		!codes.some((code) => TLS.test(code)) &&
		causesOf(error).every(({ syscall }) => OPENING.has(syscall))
	);
}

/** Only the host and port of a URL. */
export function hostOf(url: string): string {
	try {
		return new URL(url).host;
	} catch {
		return 'the provider';
	}
}

function sentenceFor(code: string, host: string, isFirst: boolean): string | undefined {
	switch (code) {
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
			return `The host ${host} was not found: check the host name and this machine's DNS (${code})`;
		case 'ECONNREFUSED':
			return `${host} refused the connection: the server is down or the port is wrong (${code})`;
		case 'EHOSTUNREACH':
		case 'ENETUNREACH':
			return `There is no route to ${host}: this machine's network does not lead there (${code})`;
		case 'ETIMEDOUT':
		case 'ECONNABORTED':
		case 'ESOCKETTIMEDOUT':
		case 'UND_ERR_CONNECT_TIMEOUT':
		case 'UND_ERR_HEADERS_TIMEOUT':
		case 'TimeoutError':
			return `${host} did not respond in time (${code})`;
		case 'ERR_CANCELED':
			return `The execution was canceled before ${host} responded`;
		case 'CERT_HAS_EXPIRED':
			return `The certificate of ${host} has expired (${code})`;
		case 'CERT_NOT_YET_VALID':
			return `By the clock of this machine, the certificate of ${host} is not valid yet (${code})`;
		case 'CERT_REVOKED':
			return `The certificate of ${host} was revoked by its authority (${code})`;
		case 'ERR_TLS_CERT_ALTNAME_INVALID':
			return `The certificate of ${host} belongs to another host (${code})`;
	}
	if (CLOSED.has(code)) return `${host} closed the connection before it responded (${code})`;
	if (TLS.test(code) && (!isFirst || DAMAGED.test(code)))
		return `The encrypted connection to ${host} broke (${code})`;
	if (PLAIN_HTTP.test(code)) {
		return `${host} responded, but not with TLS: write http:// in the URL, or correct the port (${code})`;
	}
	if (TLS.test(code)) {
		return `n8n and ${host} could not agree on TLS (${code}): the host may only speak an old version of it, or want a client certificate`;
	}
	if (FORBIDDEN.test(code)) {
		return `n8n's SSRF protection forbids requests to ${host}: if it is the provider's, allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES in n8n's environment`;
	}
	if (CERTIFICATE.test(code)) {
		return `The certificate of ${host} is not trusted by this machine (${code}): install its authority's certificate, e.g. with NODE_EXTRA_CA_CERTS`;
	}
	return undefined;
}

/** The error codes in an error and in what caused it, the outermost first; HTTP clients wrap them in several layers. */
export function networkCodes(error: unknown): string[] {
	const codes: string[] = [];
	for (const { code, name, message } of causesOf(error)) {
		const reason = code === 'EPROTO' ? OPENSSL_REASON.exec(String(message).slice(0, 2_000)) : null;
		// Some releases of Node.js give the reason in the code, others in the message alone.
		if (reason?.[1])
			codes.push(
				`ERR_SSL_${reason[1]
					.trim()
					.replace(/[^a-z0-9]/gi, '_')
					.toUpperCase()}`,
			);
		else if (typeof code === 'string' && /^[A-Z0-9_]+$/.test(code)) codes.push(code);
		if (name === 'AbortError') codes.push('ERR_CANCELED');
		if (name === 'TimeoutError' || FORBIDDEN.test(String(name))) codes.push(String(name));
	}
	return codes;
}

function causesOf(error: unknown): Array<Record<string, unknown>> {
	const layers: Array<Record<string, unknown>> = [];
	let layer: unknown = error;
	while (layers.length < MAX_DEPTH && typeof layer === 'object' && layer !== null) {
		const one = layer as Record<string, unknown>;
		layers.push(one);
		// The AggregateError of a host with several IP addresses.
		layer = one.cause ?? (Array.isArray(one.errors) ? (one.errors as unknown[])[0] : undefined);
	}
	return layers;
}
