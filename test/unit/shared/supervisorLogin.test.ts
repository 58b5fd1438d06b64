import type { IDataObject } from 'n8n-workflow';
import {
	SPELLING_HEADER,
	supervisorHeader,
	VoiceManagementSupervisorApi,
} from '../../../credentials/VoiceManagementSupervisorApi.credentials';
import type { HttpResponse } from '../../../nodes/shared/answer/parse';
import { LoginFailed, LoginRefused } from '../../../nodes/shared/loginResponse';
import { readSupervisorLogin } from '../../../nodes/shared/loginResponse';
import { supervisorLogin } from '../../../nodes/shared/supervisorLogin';
import { present } from '../../support/present';

const respond = (statusCode: number, body: unknown): HttpResponse => ({
	statusCode,
	headers: {},
	body: JSON.stringify(body),
});
const accepted = respond(200, { id_session: 'abc', target: 1 });
const refused = (err_msg: string) => respond(401, { err_msg });

let hosts = 0;
const newHost = () => `https://voice${++hosts}.example.com`;

/** Logs in and returns the result and the spellings that were requested. */
async function logIn(
	accountTypeKey: string | undefined,
	voiceUrl: string,
	answers: Record<string, HttpResponse>,
) {
	const asked: string[] = [];
	const ask = async (headers: IDataObject) => {
		const spelling = String(headers[SPELLING_HEADER]);
		asked.push(spelling);
		return await Promise.resolve(present(answers[spelling]));
	};
	const result = await supervisorLogin(
		{ accountTypeKey, voiceUrl, login: 'ada', password: 'secret' },
		ask,
	).catch((error: unknown) => error);
	return { asked, result };
}

describe('the login with automatic spelling', () => {
	it.each(['auto', undefined, ''])(
		'tries both (%j), and remembers the accepted one',
		async (key) => {
			const host = newHost();
			const answers = { account_type: refused('No'), count_type: accepted };
			const first = await logIn(key, host, answers);
			expect(first).toEqual({ asked: ['account_type', 'count_type'], result: accepted });
			expect((await logIn(key, host, answers)).asked).toEqual(['count_type']);
			expect((await logIn(key, newHost(), answers)).asked).toEqual(['account_type', 'count_type']);
		},
	);

	it('makes one request if the first is accepted', async () => {
		expect((await logIn('auto', newHost(), { account_type: accepted })).asked).toEqual([
			'account_type',
		]);
	});

	it('names what was tried if both are rejected', async () => {
		const both = { account_type: refused('Wrong'), count_type: refused('Wrong') };
		const { result } = await logIn('auto', newHost(), both);
		expect(result).toBeInstanceOf(LoginRefused);
		expect((result as Error).message).toBe('Wrong (tried with account_type and count_type)');
		const { result: other } = await logIn('auto', newHost(), {
			...both,
			account_type: refused('What?'),
		});
		expect((other as Error).message).toBe('What? (with account_type); Wrong (with count_type)');
	});

	it.each([400, 422, 500])(
		'takes a %i as a spelling that the operator cannot read',
		async (status) => {
			const answers = {
				account_type: respond(status, { err_msg: 'Bad header' }),
				count_type: accepted,
			};
			expect((await logIn('auto', newHost(), answers)).result).toBe(accepted);
		},
	);

	it.each([404, 429, 503, 302])('does not try the other one after a %i', async (status) => {
		const response = respond(status, {});
		const { asked, result } = await logIn('auto', newHost(), { account_type: response });
		expect({ asked, result }).toEqual({ asked: ['account_type'], result: response });
	});

	it('stays temporary if the second response says so', async () => {
		const answers = { account_type: refused('No'), count_type: respond(500, { err_msg: 'Down' }) };
		const { result } = await logIn('auto', newHost(), answers);
		expect(result).toBeInstanceOf(LoginFailed);
		expect((result as LoginFailed).permanent).toBe(false);
	});

	it('tries both again if the remembered one is rejected', async () => {
		const host = newHost();
		await logIn('auto', host, { account_type: refused('No'), count_type: accepted });
		const { result } = await logIn('auto', host, { count_type: refused('No') });
		expect(result).toBeInstanceOf(LoginRefused);
		const answers = { account_type: accepted, count_type: refused('No') };
		expect((await logIn('auto', host, answers)).asked).toEqual(['count_type', 'account_type']);
	});

	describe('at a provider that allows one login in a while', () => {
		it.each<[HttpResponse]>([
			[respond(429, {})],
			[respond(503, { err_msg: 'Down' })],
			[respond(200, { err_msg: 'Too many logins, try again later' })],
			[respond(403, { err_msg: 'Too many logins' })],
		])('keeps its Retry-After, then goes on with the second spelling: %j', async (answer) => {
			const host = newHost();
			const tooSoon = { ...answer, headers: { 'retry-after': '30' } };
			const first = await logIn('auto', host, {
				account_type: refused('Unknown field'),
				count_type: tooSoon,
			});
			expect(first.asked).toEqual(['account_type', 'count_type']);
			expect(first.result).toMatchObject({ retryAfterMs: 30_000 });
			expect((first.result as Error).message).toMatch(
				/\(with count_type\); Unknown field \(with account_type\)\. "Account Type Key" in the credential decides/,
			);
			const again = await logIn('auto', host, { count_type: tooSoon });
			expect(again.asked).toEqual(['count_type']);
			const last = await logIn('auto', host, { count_type: accepted });
			expect(last).toEqual({ asked: ['count_type'], result: accepted });
		});

		it('goes on with it if the request got lost', async () => {
			const host = newHost();
			const { result } = await logIn('auto', host, { account_type: refused('No') });
			expect(result).toBeInstanceOf(Error);
			expect((await logIn('auto', host, { count_type: accepted })).asked).toEqual(['count_type']);
		});

		it('refuses the login if both were refused, then tries both again', async () => {
			const host = newHost();
			await logIn('auto', host, { account_type: refused('No'), count_type: respond(429, {}) });
			const { asked, result } = await logIn('auto', host, { count_type: refused('No') });
			expect(asked).toEqual(['count_type']);
			expect(result).toMatchObject({ message: 'No (tried with account_type and count_type)' });
			const answers = { account_type: refused('No'), count_type: accepted };
			expect((await logIn('auto', host, answers)).asked).toEqual(['account_type', 'count_type']);
		});

		it('tries both with another password', async () => {
			const host = newHost();
			await logIn('auto', host, { account_type: refused('No'), count_type: respond(429, {}) });
			const asked: unknown[] = [];
			const credential = { voiceUrl: host, login: 'ada', password: 'new' };
			await supervisorLogin(credential, async ({ [SPELLING_HEADER]: spelling }) => {
				asked.push(spelling);
				return await Promise.resolve(accepted);
			});
			expect(asked).toEqual(['account_type']);
		});
	});
});

it.each(['account_type', 'count_type', 'both'])(
	'a chosen spelling (%s) is the only one',
	async (key) => {
		const { asked, result } = await logIn(key, newHost(), { undefined: refused('No') });
		expect(asked).toEqual(['undefined']);
		expect(result).toMatchObject({ statusCode: 401 });
	},
);

describe('the credential', () => {
	const credential = new VoiceManagementSupervisorApi();
	const sent = async (accountTypeKey: string, spelling?: string) => {
		const headers = { Accept: 'x', ...(spelling ? { [SPELLING_HEADER]: spelling } : {}) };
		const data = { login: 'a', password: 'b', accountTypeKey };
		const options = await credential.authenticate(data, {
			url: 'https://voice.example.com/ws/',
			headers,
		});
		return options.headers as Record<string, string>;
	};

	it("gets the spelling from the node's header, and does not send that header on", async () => {
		const headers = await sent('auto', 'count_type');
		expect(Object.keys(headers)).toEqual(['Accept', 'X-JSON']);
		expect(JSON.parse(present(headers['X-JSON']))).toMatchObject({
			header: { count_type: 'supervisor' },
		});
		expect(headers['X-JSON']).not.toContain('account_type');
		expect((await sent('auto'))['X-JSON']).toContain('account_type');
	});

	it('keeps a chosen spelling, whatever the node passes', async () => {
		expect((await sent('account_type', 'count_type'))['X-JSON']).toContain('account_type');
		expect(supervisorHeader({ accountTypeKey: 'both' })).toMatch(/account_type.*count_type/);
	});
});

describe('a login that fails', () => {
	const problem = (statusCode: number, body: unknown, headers: Record<string, unknown> = {}) => {
		try {
			readSupervisorLogin({ statusCode, headers, body }, 0);
		} catch (error) {
			return error as LoginFailed;
		}
		throw new Error('It did not fail');
	};

	it.each<[number, unknown]>([
		[404, 'Not found'],
		[301, ''],
		[200, '<html></html>'],
		[200, 'hello'],
		[400, '<html></html>'],
	])('until a person fixes it: %j, %j', (status, body) => {
		expect(problem(status, body)).toMatchObject({ name: 'LoginFailed', permanent: true });
	});

	it.each<[number, unknown]>([
		[503, ''],
		[429, {}],
		[200, '<html>Down for maintenance</html>'],
		[200, { err_msg: 'Try again later' }],
	])('temporarily: %j, %j', (status, body) => {
		expect(problem(status, body)).toMatchObject({ name: 'LoginFailed', permanent: false });
	});

	it.each<[unknown, number | undefined]>([
		['30', 30_000],
		[new Date(60_000).toUTCString(), 60_000],
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
		try {
			readSupervisorLogin({ statusCode: 200, headers: {}, body }, 0);
		} catch (error) {
			expect((error as Error).message).not.toContain('s3cret');
		}
	});
});

describe('a session is found', () => {
	it.each<[unknown]>([
		[{ status: 'OK', data: { id_session: 'abc', target: 9 } }],
		[[{ id_session: 'abc', target: 9 }]],
		[{ Id_Session: 'abc', Target: 9 }],
		[{ sessionId: 'abc', target_id: 9 }],
		[{ session: { id_session: 'abc' }, target: 9 }],
		[{ result: { token: 'abc', target: 9 } }],
	])('%j', (body) => {
		expect(readSupervisorLogin({ statusCode: 200, headers: {}, body }, 0)).toMatchObject({
			idSession: 'abc',
			target: 9,
		});
	});

	it.each([0, '0', '', ' ', null, false, 'null'])('not in %j', (id_session) => {
		const body = { id_session, target: 9 };
		expect(() => readSupervisorLogin({ statusCode: 200, headers: {}, body }, 0)).toThrow(
			LoginRefused,
		);
	});

	it('in XML', () => {
		const body =
			'<r><id_session>abc</id_session><target>9</target><ops><op><id>1</id><nom>A</nom></op></ops></r>';
		expect(readSupervisorLogin({ statusCode: 200, headers: {}, body }, 0).target).toBe('9');
	});
});
