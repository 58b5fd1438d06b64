import {
	LoginFailed,
	LoginRefused,
	readExpire,
	readTokenLogin,
	TOKEN_VALIDITY_MS,
} from '../../../nodes/shared/loginResponse';
import { readSupervisorLogin } from '../../../nodes/shared/loginResponse';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 21, 12);
const answer = (statusCode: number, body: unknown, headers: Record<string, unknown> = {}) => ({
	statusCode,
	headers,
	body,
});
const good = { id_session: 'abc', target: 9001, ops: [{ id: 1, name: 'Ada', groups: [2] }] };

describe("the supervisor's login", () => {
	it('yields token, target, end and directory', () => {
		const session = readSupervisorLogin(answer(200, good), NOW);
		expect(session).toMatchObject({
			idSession: 'abc',
			target: 9001,
			expiresAt: NOW + TOKEN_VALIDITY_MS,
		});
		expect(session.directory.agents.get('1')?.name).toBe('Ada');
	});

	it.each<[unknown]>([
		[JSON.stringify(good)],
		[{ status: 200, msg: good }],
		[{ ...good, id_session: 77 }],
	])('is read %j', (body) => {
		expect(readSupervisorLogin(answer(200, body), NOW).target).toBe(9001);
	});

	it.each<[string, unknown, unknown]>([
		['{"id_session":77,"target":9001}', 77, 9001],
		['{"id_session":"77","target":"9001"}', '77', '9001'],
		['{"id_session":" a b ","target":" 9 "}', ' a b ', ' 9 '],
		['{"id_session":-5,"target":0}', -5, 0],
		[
			'{"id_session":-90071992547409931,"target":12345678901234567890}',
			'-90071992547409931',
			'12345678901234567890',
		],
	])('keeps %j unchanged', (body, idSession, target) => {
		expect(readSupervisorLogin(answer(200, body), NOW)).toMatchObject({ idSession, target });
	});

	it('fails without a target', () => {
		expect(() => readSupervisorLogin(answer(200, { id_session: 'abc' }), NOW)).toThrow(LoginFailed);
	});

	it("ends sooner if expire says so, by the operator's clock", () => {
		const date = new Date(NOW + 30 * MINUTE).toUTCString();
		const expire = '2026-11-21t13-10-00.000000+GMT';
		const { expiresAt } = readSupervisorLogin(
			answer(200, { ...good, expire }, { Date: date }),
			NOW,
		);
		expect(expiresAt).toBe(NOW + 40 * MINUTE);
	});

	it.each([['2026-11-21t15-00-00.000000+GMT'], ['2026-11-21t11-00-00.000000+GMT'], ['soon'], [5]])(
		'lasts two hours if expire is %j',
		(expire) => {
			const { expiresAt } = readSupervisorLogin(answer(200, { ...good, expire }), NOW);
			expect(expiresAt).toBe(NOW + TOKEN_VALIDITY_MS);
		},
	);
});

describe('the token request', () => {
	it('yields the token with the target that was requested', () => {
		expect(readTokenLogin(answer(201, { id_session: 'abc' }), '4242', NOW)).toMatchObject({
			idSession: 'abc',
			target: '4242',
			expiresAt: NOW + TOKEN_VALIDITY_MS,
		});
	});
});

describe('a login is rejected', () => {
	it.each<[number, unknown, string]>([
		[401, '', 'wrong login or password'],
		[401, { err_msg: 'Wrong password' }, 'Wrong password'],
		[401, '<html>no</html>', 'wrong login or password'],
		[
			403,
			{ status: 403, err_code: 'X', err_msg: 'This account is closed' },
			'This account is closed',
		],
		[200, {}, 'no session'],
		[200, { id_session: '', target: 1 }, 'no session'],
		[200, { id_session: null }, 'no session'],
		[200, '', 'no session'],
		[200, { status: 401, err_msg: 'Login unknown' }, 'Login unknown'],
		[400, { err_code: 'X', err_msg: 'Bad login or password' }, 'Bad login'],
		[400, { errors: [{ apiErrorMessage: 'User not authorized' }] }, 'User not authorized'],
	])('by %j: %j', (status, body, reason) => {
		const attempt = () => readSupervisorLogin(answer(status, body), NOW);
		expect(attempt).toThrow(LoginRefused);
		expect(attempt).toThrow(reason);
	});
});

describe('a login fails without a conclusion about the credentials', () => {
	it.each<[number, unknown, string]>([
		[500, { err_msg: 'password database down' }, 'HTTP 500: password database down'],
		[502, '<html>Bad gateway</html>', 'HTTP 502'],
		[503, '', 'HTTP 503'],
		[429, { err_msg: 'account in use' }, 'HTTP 429: account in use'],
		[408, { err_msg: 'login took too long' }, 'HTTP 408: login took too long'],
		[409, { err_msg: 'account in use' }, 'HTTP 409: account in use'],
		[423, { err_msg: 'account locked for now' }, 'HTTP 423: account locked for now'],
		[425, { err_msg: 'login too early' }, 'HTTP 425: login too early'],
		[404, 'Not found', 'Check "Voice Management URL"'],
		[301, '', 'HTTP 301'],
		[400, { err_msg: 'Unknown element' }, 'Unknown element'],
		[200, '<html>Maintenance</html>', 'a web page instead of data'],
		[200, { err_msg: 'Service unavailable, try again later' }, 'unavailable'],
	])('by %j: %j', (status, body, reason) => {
		const attempt = () => readSupervisorLogin(answer(status, body), NOW);
		expect(attempt).toThrow(LoginFailed);
		expect(attempt).toThrow(reason);
	});
});

it('a reason is one line, shortened, and only made of the fields for people', () => {
	const body = {
		err_msg: `first\r\nsecond\u0007 ${'x'.repeat(500)}`,
		header: { password: 'secret' },
	};
	try {
		readSupervisorLogin(answer(401, body), NOW);
		throw new Error('not refused');
	} catch (error) {
		const { reason } = error as LoginRefused;
		expect(reason).toMatch(/^first second x+…$/);
		expect(reason).toHaveLength(200);
	}
});

describe('expire', () => {
	const time = Date.UTC(2026, 10, 21, 14, 5, 9);
	it.each<[unknown, number | undefined]>([
		['2026-11-21t14-05-09.000000+GMT', time],
		['2026-11-21T14:05:09.000000+GMT', time],
		['2026-11-21 14:05:09', time],
		['2026-11-21t14-05-09', time],
		['2026-11-21T14:05:09Z', time],
		['2026-11-21T16:05:09+02:00', time],
		['2026-11-21T12:05:09.5-0200', time],
		['2026-02-31t14-05-09', undefined],
		['2026-11-21t25-05-09', undefined],
		['2026-11-21', undefined],
		['', undefined],
		[1_790_000_000, undefined],
		[null, undefined],
	])('%p is read as %p', (value, expected) => {
		expect(readExpire(value)).toBe(expected);
	});
});

it('handles an expire of any length in no time', () => {
	const started = performance.now();
	expect(readExpire(`2026-11-21t13-10-00${' '.repeat(400_000)}x`)).toBeUndefined();
	expect(readExpire(' '.repeat(400_000))).toBeUndefined();
	expect(performance.now() - started).toBeLessThan(10_000);
});

describe('a response that is no accepted login shows no token', () => {
	const token = '0f1e2d3c4b5a69788796a5b4c3d2e1f001234567';
	/** The pieces of the token that an error shows. */
	const shown = (response: Parameters<typeof readSupervisorLogin>[0]): string[] => {
		try {
			readSupervisorLogin(response, NOW);
		} catch (error) {
			return String(error).match(/[\da-f]{8,}/g) ?? [];
		}
		throw new Error('It was accepted');
	};

	it('wherever its words are cut', () => {
		for (let length = 100; length < 240; length++)
			expect(shown(answer(500, { error: `${'no '.repeat(99).slice(-length)}${token}` }))).toEqual(
				[],
			);
	});

	it('behind so much markup that they are cut early', () => {
		for (let length = 1_950; length < 2_000; length++)
			expect(
				shown(answer(500, { error: `no ${'<b>'.repeat(999).slice(-length)}${token}` })),
			).toEqual([]);
	});

	it('as its code', () => {
		expect(shown(answer(200, { status: 'ERROR', err_code: token }))).toEqual([]);
	});

	it('in the target of a redirect', () => {
		const location = `https://example.com/login/${token}/page`;
		expect(shown(answer(302, {}, { location }))).toEqual([]);
		expect(() => readSupervisorLogin(answer(302, {}, { location }), NOW)).toThrow(
			'(example.com/login/***/page)',
		);
	});
});
