import { describeNetworkError, needsPerson } from '../../../nodes/shared/networkErrors';
import { readVoiceUrl } from '../../../nodes/shared/voiceUrl';

describe('the voice URL', () => {
	it.each([
		['https://voice.example.com', 'https://voice.example.com'],
		['https://voice.example.com/', 'https://voice.example.com'],
		['  http://Voice.Example.com:8080/ ', 'http://voice.example.com:8080'],
		['http://[::1]:3000', 'http://[::1]:3000'],
	])('%s is accepted', (text, expected) => {
		expect(readVoiceUrl(text)).toBe(expected);
	});

	it.each([
		['voice.example.com', 'has no scheme: write https://voice.example.com'],
		['127.0.0.1:8080', 'has no scheme: write http://127.0.0.1:8080'],
		['user:secret@voice.example.com/x', 'write https://voice.example.com'],
		['ws://voice.example.com', 'write http:// instead'],
		['wss://voice.example.com', 'write https:// instead'],
		['ftp://voice.example.com', 'has to start with https:// or http://'],
		['https://voice.example.com/labo', 'has a path (/labo): enter only https://voice.example.com'],
		['https://voice.example.com/?a=1', 'has a path'],
		['https://', 'not a valid URL'],
		['https://user:secret@voice.example.com', 'contains a login'],
	])('%p is rejected with its own message', (text, sentence) => {
		expect(() => readVoiceUrl(text)).toThrow(sentence);
		try {
			readVoiceUrl(text);
		} catch (error) {
			expect((error as Error).message).not.toContain('secret');
		}
	});
});

describe('a network error is explained', () => {
	const url = 'https://voice.example.com:8443/ws/';
	it.each([
		['ENOTFOUND', 'was not found'],
		['EAI_AGAIN', 'was not found'],
		['ECONNREFUSED', 'refused the connection'],
		['EHOSTUNREACH', 'no route'],
		['ECONNRESET', 'closed the connection'],
		['UND_ERR_SOCKET', 'closed the connection'],
		['ETIMEDOUT', 'did not respond in time'],
		['ECONNABORTED', 'did not respond in time'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'is not trusted'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'is not trusted'],
		['CERT_HAS_EXPIRED', 'has expired'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'belongs to another host'],
		['EPROTO', 'could not agree on TLS (EPROTO)'],
		['ERR_SSL_UNSUPPORTED_PROTOCOL', 'could not agree on TLS'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'not with TLS: write http://'],
		['EWHATEVER', 'did not respond (EWHATEVER)'],
	])('%s', (code, sentence) => {
		const bare = Object.assign(new Error('password=secret'), { code, config: { auth: 'secret' } });
		const wrapped = new Error('failed', { cause: new Error('deeper', { cause: bare }) });
		for (const error of [bare, wrapped, { errors: [bare] }]) {
			const text = describeNetworkError(error, url);
			expect(text).toContain(sentence);
			expect(text).toContain('voice.example.com:8443');
			expect(text).not.toContain('secret');
		}
	});

	it("of n8n's own network protection", () => {
		const bare = Object.assign(new Error('password=secret'), { name: 'SsrfBlockedIpError' });
		const wrapped = new Error('failed', { cause: bare });
		for (const error of [bare, wrapped]) {
			expect(describeNetworkError(error, url)).toMatch(
				/^n8n's SSRF protection forbids requests to voice\.example\.com:8443: .*N8N_SSRF_ALLOWED_HOSTNAMES/,
			);
		}
	});

	it.each([
		[{ name: 'SsrfBlockedHostnameError' }, true],
		[{ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, true],
		[{ code: 'CERT_HAS_EXPIRED' }, true],
		[{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, true],
		[{ code: 'ECONNREFUSED' }, false],
		[{ code: 'EAI_AGAIN' }, false],
		[{}, false],
	])('a person has to act: %j', (properties, expected) => {
		const bare = Object.assign(new Error('failed'), properties);
		expect(needsPerson(new Error('failed', { cause: bare }))).toBe(expected);
	});

	it('without a code', () => {
		expect(describeNetworkError(new Error('secret'), url)).toBe(
			'voice.example.com:8443 did not respond',
		);
		expect(describeNetworkError(undefined, 'no URL')).toBe('the provider did not respond');
		expect(
			describeNetworkError(Object.assign(new Error(''), { name: 'TimeoutError' }), url),
		).toContain('in time');
	});
});
