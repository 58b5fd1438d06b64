/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
import { readExpire, TOKEN_VALIDITY_MS } from '../../../nodes/shared/login';
import { verdictOf } from '../../support/logins';
import { present } from '../../support/present';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 21, 12);
const answer = (statusCode: number, body: unknown, headers: Record<string, unknown> = {}) => ({
	statusCode,
	headers,
	body,
});
const logIn = (response: ReturnType<typeof answer>) =>
	present(verdictOf(response, 'supervisor', NOW).session);
const problemOf = (response: ReturnType<typeof answer>) =>
	present(verdictOf(response, 'supervisor', NOW).problem);
const good = { id_session: 'abc', target: 9001, ops: [{ id: 1, name: 'Ada', groups: [2] }] };

describe("the supervisor's login", () => {
	it('yields token, target, end and directory', () => {
		const session = logIn(answer(200, good));
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
		expect(logIn(answer(200, body)).target).toBe(9001);
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
		expect(logIn(answer(200, body))).toMatchObject({ idSession, target });
	});

	it('is accepted without a target, which the feed needs', () => {
		expect(logIn(answer(200, { id_session: 'abc' })).target).toBeUndefined();
	});

	it("ends sooner if expire says so, by the provider's clock", () => {
		const date = new Date(NOW + 30 * MINUTE).toUTCString();
		const expire = '2026-11-21t13-10-00.000000+GMT';
		const { expiresAt } = logIn(answer(200, { ...good, expire }, { Date: date }));
		expect(expiresAt).toBe(NOW + 40 * MINUTE);
	});

	it.each([['2026-11-21t15-00-00.000000+GMT'], ['2026-11-21t11-00-00.000000+GMT'], ['soon'], [5]])(
		'lasts two hours if expire is %j',
		(expire) => {
			const { expiresAt } = logIn(answer(200, { ...good, expire }));
			expect(expiresAt).toBe(NOW + TOKEN_VALIDITY_MS);
		},
	);
});

describe('the token request', () => {
	it('yields the token', () => {
		const verdict = verdictOf(answer(201, { id_session: 'abc', ops: [{}] }), 'account', NOW);
		expect(verdict.session).toMatchObject({
			idSession: 'abc',
			target: undefined,
			expiresAt: NOW + TOKEN_VALIDITY_MS,
			record: { id_session: 'abc' },
		});
		expect(verdict.session?.directory.unread.size).toBe(0);
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
		[403, '<html>You have been blocked</html>', 'a web page'],
		[200, {}, 'no session'],
		[200, { id_session: '', target: 1 }, 'no session'],
		[200, { id_session: null }, 'no session'],
		[200, '', 'no session'],
		[200, { status: 401, err_msg: 'Login unknown' }, 'Login unknown'],
		[400, { err_code: 'X', err_msg: 'Bad login or password' }, 'Bad login'],
		[400, { errors: [{ apiErrorMessage: 'User not authorized' }] }, 'User not authorized'],
		...[200, 400, 401].map((status): [number, unknown, string] => [
			status,
			{ err_msg: 'Invalid login or password. Please try again.' },
			'Invalid login',
		]),
		[200, { err_msg: 'Compte momentanément bloqué, veuillez réessayer' }, 'bloqué'],
		// Tokens against forged requests, of other names.
		[200, { message: 'Mot de passe incorrect', token: 'pK2dd0vQ' }, 'incorrect'],
		[200, { message: 'Bad login', session_id: 'pK2dd0vQ' }, 'Bad login'],
	])('by %j: %j', (status, body, reason) => {
		expect(problemOf(answer(status, body))).toMatchObject({
			kind: 'refused',
			reason: expect.stringContaining(reason) as string,
		});
	});
});

describe('a login fails without a conclusion about the credentials', () => {
	it.each<[number, unknown, string]>([
		[500, { err_msg: 'password database down' }, 'HTTP 500: password database down'],
		[502, '<html>Bad gateway</html>', 'HTTP 502'],
		[403, '<html>Maintenance: we are back at 14:00</html>', 'HTTP 403'],
		[403, { err_msg: 'Service temporarily unavailable' }, 'HTTP 403: Service temporarily'],
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
		[200, { err_msg: 'Service momentanément indisponible, veuillez réessayer' }, 'indisponible'],
		[200, { err_msg: 'Erreur interne : base de données' }, 'interne'],
	])('by %j: %j', (status, body, reason) => {
		expect(problemOf(answer(status, body))).toMatchObject({
			kind: 'failed',
			reason: expect.stringContaining(reason) as string,
		});
	});
});

it('a reason is one line, shortened, and only made of the fields for people', () => {
	const body = {
		err_msg: `first\r\nsecond\u0007 ${'x'.repeat(500)}`,
		header: { password: 'secret' },
	};
	const { reason } = problemOf(answer(401, body));
	expect(reason).toMatch(/^first second x+…$/);
	expect(reason).toHaveLength(200);
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

describe('a response that is no accepted login shows no token', () => {
	const token = '0f1e2d3c4b5a69788796a5b4c3d2e1f001234567';
	/** The pieces of the token that an error shows. */
	const shown = (response: ReturnType<typeof answer>): string[] =>
		problemOf(response).reason.match(/[\da-f]{8,}/g) ?? [];

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
		expect(problemOf(answer(302, {}, { location })).reason).toContain(
			'(example.com/login/***/page)',
		);
	});
});

describe('a login that fails', () => {
	const problem = (status: number, body: unknown, headers: Record<string, unknown> = {}) =>
		problemOf(answer(status, body, headers));

	it.each<[number, unknown]>([
		[404, 'Not found'],
		[301, ''],
		[200, '<html></html>'],
		[200, '<html><script>setTimeout(internal, 9)</script><p>Our products</p></html>'],
		[200, 'hello'],
		[400, '<html></html>'],
	])('until a person fixes it: %j, %j', (status, body) => {
		expect(problem(status, body)).toMatchObject({ kind: 'failed', permanent: true });
	});

	it.each<[number, unknown]>([
		[503, ''],
		[429, {}],
		[200, '<html>Down for maintenance</html>'],
		[200, '<html><title>Site en maintenance</title><script>"a</script></html>'],
		[200, { err_msg: 'Try again later' }],
	])('temporarily: %j, %j', (status, body) => {
		expect(problem(status, body)).toMatchObject({ kind: 'failed', permanent: false });
	});

	it.each<[unknown, number | undefined]>([
		['30', 30_000],
		[new Date(NOW + 60_000).toUTCString(), 60_000],
		['86400', 3_600_000],
		['soon', undefined],
	])('keeps Retry-After %j', (value, ms) => {
		expect(problem(503, '', { 'Retry-After': value }).retryAfterMs).toBe(ms);
		expect(problem(401, '', { 'retry-after': value }).retryAfterMs).toBe(ms);
	});

	it.each([
		[['x', { id_session: 'tok-s3cret-1' }, 'y']],
		[{ err_code: 'E', err_msg: 'tok-s3cret-1 is used', id_session: 'tok-s3cret-1' }],
		['tok-s3cret-1'],
	])('repeats no token in %j', (body) => {
		expect(problem(200, body).reason).not.toContain('s3cret');
	});

	it('shows names and types of what has no token, and no value', () => {
		expect(problem(200, { jeton: 'abc-4711', agent: { id: 7 } }).reason).toBe(
			'the response has no session token (id_session), but { jeton: text, agent: { id: number } }',
		);
	});
});

describe('a session is found', () => {
	it.each<[unknown]>([
		[{ status: 'OK', data: { id_session: 'abc', target: 9 } }],
		[[{ id_session: 'abc', target: 9 }]],
		[{ Id_Session: 'abc', Target: 9 }],
		[{ result: { token: 'abc', target: 9 } }],
	])('%j', (body) => {
		expect(logIn(answer(200, body))).toMatchObject({ idSession: 'abc', target: 9 });
	});

	it.each([0, '0', '', ' ', null, false, 'null'])('not in %j', (id_session) => {
		expect(problemOf(answer(200, { id_session, target: 9 })).kind).toBe('refused');
	});

	it('not in XML, of which nothing is shown: any word may be the token', () => {
		const problem = problemOf(answer(200, '<r>\n<id_session>abc 12</id_session>\n</r>'));
		expect(problem.reason).toMatch(/something that is not JSON/);
		expect(problem.reason).not.toContain('abc');
	});
});
