// "Test" of both credentials against every form of a success, of a refusal and of garbage: green for a login that the
// provider accepts, red for everything else.

import { credentialsAt } from '../../support/credentials';
import { answerWith, type AnswerServer, type Given } from '../../support/answers';
import { credentialTest } from '../VoiceManagement/harness';
import { HELD_OUT } from './heldOut';

const USER = { login: 'someone', password: 'right-of-it' };
const basic = ({ login, password }: typeof USER) =>
	`Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

type Request = 'list' | 'token' | 'supervisor';
/** How a service responds to a login: the right one, one with another password, and one that does not exist. */
type Service = (request: Request, login: 'right' | 'wrong' | 'unknown') => Given;

let service: Service;
let server: AnswerServer;
beforeAll(async () => {
	server = await answerWith(({ url, headers }) => {
		if (url.startsWith('/ws')) {
			const isRight = String(headers['x-json']).includes(USER.password);
			return service('supervisor', isRight ? 'right' : 'wrong');
		}
		const request = url.startsWith('/vm/token') ? 'token' : 'list';
		const sent = headers.authorization ?? '';
		const name = Buffer.from(sent.slice('Basic '.length), 'base64').toString().split(':')[0];
		if (sent === basic(USER)) return service(request, 'right');
		return service(request, name === USER.login ? 'wrong' : 'unknown');
	});
});
afterAll(async () => await server.close());

async function result(kind: keyof typeof credentialTest, password: string, given: Service) {
	service = given;
	const login = { login: USER.login, password };
	const all = credentialsAt(server.url, login);
	const data = { ...all.voiceManagementApi, ...all.voiceManagementSupervisorApi };
	const { status, message } = await credentialTest[kind]({
		...data,
		accountTypeKey: 'account_type',
	});
	expect(message).not.toContain(password);
	return status;
}

const xml = (body: string): Given => ({ body, headers: { 'content-type': 'application/xml' } });
const text = (status: number, body: string): Given => ({
	status,
	body,
	headers: { 'content-type': 'text/plain' },
});

/** A list that the login may read. */
const LISTS: Record<string, Given> = {
	'as documented': { body: { regulationAddresses: [{ addressId: 1 }], resultCount: 1 } },
	empty: { body: { regulationAddresses: [], resultCount: 0 } },
	null: { body: { regulationAddresses: null } },
	'bare and empty': { body: [] },
	'bare and renamed': { body: [{ id: 1, city: 'Liège' }] },
	'wrapped and renamed': { body: { status: 'OK', data: { adresses: [{ id: 1 }] } } },
	'a success without data': { body: { status: 'SUCCESS', data: null } },
	'an empty object': { body: {} },
	'a sentence': { body: { message: 'No address found' } },
	'in XML': xml('<response><adresses><adresse><id>1</id></adresse></adresses></response>'),
	'no content': { status: 204 },
	'nothing found, by its code': {
		status: 404,
		body: { errors: [{ apiErrorCode: '15', apiErrorMessage: 'None' }] },
	},
	'no such page': { status: 400, body: { errors: [{ apiErrorCode: '13' }] } },
};

/** A login that is accepted, whose token request lacks its two fields. */
const TOKEN_REQUESTS: Record<string, Given> = {
	'400 about ip': { status: 400, body: { err_code: 'IP_MISSING', err_msg: 'ip is missing' } },
	'403 about ip': { status: 403, body: { err_msg: 'ip is missing' } },
	'403 about the address': { status: 403, body: { message: 'IP not allowed' } },
	'422 by field': { status: 422, body: { errors: { ip: ['is required'], user_type: ['?'] } } },
	'400 without words': { status: 400, body: {} },
	'400 in text': text(400, '"user_type" must be "api"'),
	'a failure in a 200': { body: { status: 'ERROR', message: 'Missing parameter ip' } },
	'a failure in XML': { ...xml('<error><message>ip missing</message></error>'), status: 400 },
	'a token all the same': { body: { id_session: 'abc-123' } },
};

/** A login that is refused; a service may distinguish a wrong password from an unknown login. */
const REFUSALS: Record<string, (login: string) => Given> = {
	'401': () => ({ status: 401, body: {} }),
	'401 without a body': () => ({ status: 401 }),
	'401 with a page': () => ({ status: 401, body: '<html><title>Sign in</title></html>' }),
	'403': () => ({ status: 403, body: { message: 'Forbidden' } }),
	'400 with a code': () => ({ status: 400, body: { err_code: 'INVALID_AUTH' } }),
	'400 by the password': (login) => ({
		status: 400,
		body: { message: login === 'wrong' ? 'Wrong password' : 'Login unknown' },
	}),
	'422 in a list': () => ({
		status: 422,
		body: { errors: [{ apiErrorMessage: 'Wrong password' }] },
	}),
	'a status in a 200': () => ({ body: { status: 'error', message: 'Login unknown' } }),
	'a flag in a 200': () => ({ body: { success: false, error: { message: 'Bad credentials' } } }),
	'401 in a 200': () => ({ body: { code: 401, message: 'Nope' } }),
	'text in a 400': () => text(400, 'Mot de passe incorrect'),
	XML: () => ({ ...xml('<error><message>Access denied</message></error>'), status: 400 }),
	'a locked account': (login) => ({
		status: 403,
		body: { message: login === 'wrong' ? 'Account locked' : 'Login unknown' },
	}),
	'an abbreviation': (login) => ({
		status: 400,
		body: {
			status: 400,
			...(login === 'wrong'
				? { err_code: 'WRONG_PWD', err_msg: 'Mauvais code secret' }
				: { err_code: 'UNKNOWN_USER', err_msg: 'Utilisateur inconnu' }),
		},
	}),
	'words of its own': (login) => ({
		status: 400,
		body: { message: login === 'wrong' ? 'Wrong PIN' : 'Login unknown' },
	}),
	'words of its own in a 200': (login) => ({
		body: { status: 400, err_code: login === 'wrong' ? 'E17' : 'E16', err_msg: login },
	}),
	'nothing that is about it': () => ({ status: 400, body: { message: 'Bad request' } }),
	'an identifier of its own': () => ({
		status: 400,
		body: { message: `Request ${crypto.randomUUID()} failed at ${Date.now()}` },
	}),
};

/** Responses to every login that show nothing about it. */
const GARBAGE: Record<string, Given> = {
	'a web page': { body: '<html><title>Welcome</title></html>' },
	'another service': { body: { status: 'UP', components: ['a', 'b'] } },
	'an empty object': { body: {} },
	'an empty list': { body: [] },
	nothing: { body: '' },
	'no content': { status: 204 },
	OK: text(200, 'OK'),
	'truncated JSON': { body: '{"regulationAddresses":[{"a' },
	NULs: text(200, '\0\0\0'),
	'a redirect': { status: 302, headers: { location: 'https://login.example.com/' } },
	'a busy service': { status: 429, body: { message: 'Slow down' } },
	'a broken service': { status: 500, body: { message: 'Oops' } },
	'no service': { status: 503, body: '<html>Down</html>' },
	'not found': { status: 404, body: 'Not found' },
	'not found, with a reason': { status: 404, body: { message: 'Nothing to show' } },
	'wrong parameters': { status: 400, body: { message: 'ip is missing' } },
	'an accepted word': { body: { accepted: false, reason: 'Not now' } },
};

const pairs = Object.entries(REFUSALS).flatMap(([refused, refuse]) => [
	...Object.entries(LISTS).map(([form, list]): [string, Service] => [
		`number management, ${form}, or ${refused}`,
		(request, login) => (request === 'list' && login === 'right' ? list : refuse(login)),
	]),
	...Object.entries(TOKEN_REQUESTS).map(([form, token]): [string, Service] => [
		`the API account, ${form}, or ${refused}`,
		(request, login) => (request === 'token' && login === 'right' ? token : refuse(login)),
	]),
]);

describe('the API credential', () => {
	test.each(pairs)('%s: green only with the right password', async (_name, given) => {
		expect(await result('api', USER.password, given)).toBe('OK');
		expect(await result('api', 'something-else', given)).toBe('Error');
	});

	test.each(Object.entries(GARBAGE))('%s for everyone: red', async (_name, garbage) => {
		expect(await result('api', USER.password, () => garbage)).toBe('Error');
	});

	test.each(Object.entries(GARBAGE))('%s, or 401 for others: red', async (name, garbage) => {
		// What a service says to this login alone proves it; a page, a redirect or a broken service proves nothing.
		const isSaid = /object|list|another|word|content|OK|nothing|parameters|reason/.test(name);
		const given: Service = (_request, login) =>
			login === 'right' ? garbage : { status: 401, body: {} };
		expect(await result('api', USER.password, given)).toBe(isSaid ? 'OK' : 'Error');
	});

	test.each(['the parameters first', 'the login in its words'])(
		'a service that checks %s: green by its list only',
		async (how) => {
			const given =
				(list: Given): Service =>
				(request) =>
					request === 'list' ? list : { status: 400, body: { message: 'ip is missing' } };
			const named = (name: string): Given => ({
				status: 400,
				body: { message: `${name}: the page is missing` },
			});
			const wrong: Service = (request, login) =>
				how.startsWith('the login')
					? named(login === 'unknown' ? 'credential-test' : USER.login)
					: given({ status: 401 })(request, login);
			expect(await result('api', USER.password, given(LISTS['as documented']!))).toBe('OK');
			expect(await result('api', USER.password, wrong)).toBe('Error');
		},
	);

	test('a token request that gets lost does not hide that the login is valid', async () => {
		const given: Service = (request) =>
			request === 'list' ? LISTS['as documented']! : { headers: { 'content-length': '999' } };
		expect(await result('api', USER.password, given)).toBe('OK');
	});
});

/** Sessions of a supervisor, and responses that are none. */
const SESSION = { id_session: 'abc-123', target: 1 };
const SESSIONS: Record<string, Given> = {
	'as documented': { body: SESSION },
	wrapped: { body: { status: 'OK', data: SESSION } },
	'in a list': { body: [SESSION] },
	'with a code': { body: { err_code: 'OK', ...SESSION } },
	'with a number': { body: { ...SESSION, id_session: 77 } },
	'without its account': { body: { id_session: 'abc-123' } },
};
const NO_SESSIONS: Record<string, Given> = {
	...GARBAGE,
	'in XML': xml('<login><id_session>abc-123</id_session><target>1</target></login>'),
	'an empty token': { body: { id_session: '', target: 1 } },
	'a token of zero': { body: { id_session: 0, err_code: 'INVALID_LOGIN' } },
	'a token beside an error': { body: { ...SESSION, status: 'error', message: 'No' } },
	'no token': { body: { target: 1 } },
	'a token alone': text(200, '3f2a9c0d1e4b5a69788796a5b4c3d2e1'),
	'a token under another name': { body: { jeton: 'abc-123', target: 1 } },
	'a token somewhere': { body: { auth: { id_session: 'abc-123' }, user: { target: 1 } } },
};

describe('the supervisor credential', () => {
	test.each(
		Object.entries(SESSIONS).flatMap(([form, session]) =>
			Object.entries(REFUSALS).map(([refused, refuse]): [string, Service] => [
				`a session ${form}, or ${refused}`,
				(_request, login) => (login === 'right' ? session : refuse(login)),
			]),
		),
	)('%s: green only with the right password', async (_name, given) => {
		expect(await result('supervisor', USER.password, given)).toBe('OK');
		expect(await result('supervisor', 'something-else', given)).toBe('Error');
	});

	test.each(Object.entries(NO_SESSIONS))('%s: red', async (_name, given) => {
		expect(await result('supervisor', USER.password, () => given)).toBe('Error');
	});
});

describe('the held-out forms of a login', () => {
	/** Those that are documented or in no wrapper, since a wrapper is the same for all. */
	const of = (operation: string) =>
		HELD_OUT.filter((form) => form.operation === operation).filter(({ name }) =>
			/documented|bare, asIs$|^[^,]+$/.test(name),
		);

	test.each([
		['api', of('address/getAll')],
		['supervisor', of('session/getInfo')],
	] as const)(
		'of the %s credential: never green for a refusal, and mostly green for a success',
		async (kind, given) => {
			const wrong: string[] = [];
			for (const form of given) {
				const isGood = !('error' in form.expected);
				const status = await result(kind, USER.password, (_request, login) =>
					isGood && login !== 'right' ? { status: 401 } : form,
				);
				if (isGood && status === 'Error') wrong.push(form.name);
				if (!isGood) expect([form.name, status]).toEqual([form.name, 'Error']);
			}
			expect(wrong.length).toBeLessThanOrEqual(given.length * 0.12);
		},
	);
});
