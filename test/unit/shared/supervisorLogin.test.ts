import type { IDataObject } from 'n8n-workflow';
import {
	SPELLING_HEADER,
	supervisorHeader,
	VoiceManagementSupervisorApi,
} from '../../../credentials/VoiceManagementSupervisorApi.credentials';
import { parse, type HttpResponse } from '../../../nodes/shared/answer/parse';
import type { LoginVerdict } from '../../../nodes/shared/login';
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
		return await Promise.resolve(parse(present(answers[spelling])));
	};
	const credential = { accountTypeKey, voiceUrl, login: 'ada', password: 'secret' };
	const { session, problem } = await supervisorLogin(credential, ask, 0).catch(
		(): Partial<LoginVerdict> => ({}),
	);
	return { asked, isAccepted: session !== undefined, problem };
}

describe('the login with automatic spelling', () => {
	it.each(['auto', undefined, ''])(
		'tries both (%j), and remembers the accepted one',
		async (key) => {
			const host = newHost();
			const answers = { account_type: refused('No'), count_type: accepted };
			const first = await logIn(key, host, answers);
			expect(first).toEqual({
				asked: ['account_type', 'count_type'],
				isAccepted: true,
				problem: undefined,
			});
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
		expect((await logIn('auto', newHost(), both)).problem).toMatchObject({
			kind: 'refused',
			reason: 'Wrong (tried with account_type and count_type)',
		});
		const other = { ...both, account_type: refused('What?') };
		expect((await logIn('auto', newHost(), other)).problem).toMatchObject({
			reason: 'What? (with account_type); Wrong (with count_type)',
		});
	});

	it.each([400, 422, 500])(
		'takes a %i as a spelling that the provider cannot read',
		async (status) => {
			const answers = {
				account_type: respond(status, { err_msg: 'Bad header' }),
				count_type: accepted,
			};
			expect((await logIn('auto', newHost(), answers)).isAccepted).toBe(true);
		},
	);

	it.each([404, 429, 503, 302])('does not try the other one after a %i', async (status) => {
		const response = respond(status, {});
		const { asked, problem } = await logIn('auto', newHost(), { account_type: response });
		expect({ asked, status: problem?.statusCode }).toEqual({ asked: ['account_type'], status });
	});

	it('keeps the longest wait that was asked for', async () => {
		const locked = { ...refused('Account locked'), headers: { 'retry-after': '900' } };
		const { problem } = await logIn('auto', newHost(), {
			account_type: refused('Wrong'),
			count_type: locked,
		});
		expect(problem?.retryAfterMs).toBe(900_000);
	});

	it('stays temporary if the second response says so', async () => {
		const answers = { account_type: refused('No'), count_type: respond(500, { err_msg: 'Down' }) };
		const { problem } = await logIn('auto', newHost(), answers);
		expect(problem).toMatchObject({ kind: 'failed', permanent: false });
	});

	it('tries both again if the remembered one is rejected', async () => {
		const host = newHost();
		await logIn('auto', host, { account_type: refused('No'), count_type: accepted });
		const { problem } = await logIn('auto', host, { count_type: refused('No') });
		expect(problem?.kind).toBe('refused');
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
			expect(first.problem).toMatchObject({ retryAfterMs: 30_000 });
			expect(first.problem?.reason).toMatch(
				/\(with count_type\); Unknown field \(with account_type\)\. "Account Type Key" in the credential decides/,
			);
			const again = await logIn('auto', host, { count_type: tooSoon });
			expect(again.asked).toEqual(['count_type']);
			const last = await logIn('auto', host, { count_type: accepted });
			expect(last).toEqual({ asked: ['count_type'], isAccepted: true, problem: undefined });
		});

		it('goes on with it if the request got lost', async () => {
			const host = newHost();
			const { isAccepted } = await logIn('auto', host, { account_type: refused('No') });
			expect(isAccepted).toBe(false);
			expect((await logIn('auto', host, { count_type: accepted })).asked).toEqual(['count_type']);
		});

		it('refuses the login if both were refused, then tries both again', async () => {
			const host = newHost();
			await logIn('auto', host, { account_type: refused('No'), count_type: respond(429, {}) });
			const { asked, problem } = await logIn('auto', host, { count_type: refused('No') });
			expect(asked).toEqual(['count_type']);
			expect(problem?.reason).toBe('No (tried with account_type and count_type)');
			const answers = { account_type: refused('No'), count_type: accepted };
			expect((await logIn('auto', host, answers)).asked).toEqual(['account_type', 'count_type']);
		});

		it('tries both with another password', async () => {
			const host = newHost();
			await logIn('auto', host, { account_type: refused('No'), count_type: respond(429, {}) });
			const asked: unknown[] = [];
			const credential = { voiceUrl: host, login: 'ada', password: 'new' };
			const ask = async ({ [SPELLING_HEADER]: spelling }: IDataObject) => {
				asked.push(spelling);
				return await Promise.resolve(parse(accepted));
			};
			await supervisorLogin(credential, ask, 0);
			expect(asked).toEqual(['account_type']);
		});
	});
});

it.each(['account_type', 'count_type', 'both'])(
	'a chosen spelling (%s) is the only one, and a refusal names the field of the credential',
	async (key) => {
		const answers = { undefined: respond(400, { err_msg: 'Unknown element' }) };
		const first = await logIn(key, newHost(), answers);
		expect(first.asked).toEqual(['undefined']);
		expect(first.problem?.reason).toContain(`; "Account Type Key" in the credential is ${key}`);
		const { problem } = await logIn(key, newHost(), { undefined: respond(503, {}) });
		expect(problem?.reason).not.toContain('Account Type Key');
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
