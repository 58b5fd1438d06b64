import { errorText } from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/socket';

describe('the text of a connection error', () => {
	it.each([
		['plain text', 'timeout', 'timeout'],
		['an Error', new Error('timeout'), 'timeout'],
		[
			'a client error with an HTTP status',
			Object.assign(new Error('the poll was answered with HTTP status'), { description: 502 }),
			'the poll was answered with HTTP status: 502',
		],
		[
			'a network error below a client error',
			Object.assign(new Error('the poll failed'), {
				description: Object.assign(new TypeError('fetch failed'), {
					cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), {
						code: 'ECONNREFUSED',
					}),
				}),
			}),
			'the poll failed: fetch failed: connect ECONNREFUSED 127.0.0.1:9',
		],
		[
			'an error that only has a code',
			Object.assign(new Error(''), { code: 'ENOTFOUND' }),
			'ENOTFOUND',
		],
		['nothing', undefined, 'unknown error'],
	])('is readable for %s', (_what, error, text) => {
		expect(errorText(error)).toBe(text);
	});

	it('ends if a cause refers to itself', () => {
		const error: Error & { cause?: unknown } = new Error('loop');
		error.cause = error;
		expect(errorText(error)).toBe('loop');
	});
});
