// The two logins of the feed: what they accept, what they return, how they reject.

import axios from 'axios';
import { startOperator, type Operator } from '../../../simulator';
import { basic, connectSupervisor, login, supervisorHeader, tokenRequest, xJson } from './helpers';
import { firstOf } from '../../support/present';

let operator: Operator;
beforeEach(async () => {
	operator = await startOperator();
});
afterEach(() => operator.close());

/** Status and code of an error of this family. */
const refused = ({ status, data }: { status: number; data: unknown }) => {
	const body = data as { status: number; err_code: string; err_msg: string };
	expect(Object.keys(body)).toEqual(['status', 'err_code', 'err_msg']);
	expect(body.status).toBe(status);
	expect(body.err_msg).not.toBe('');
	return `${status} ${body.err_code}`;
};

describe('supervisor login on /ws/', () => {
	it.each([{ account_type: 'supervisor' }, { count_type: 'supervisor' }])(
		'returns session information for %j',
		async (type) => {
			const header = supervisorHeader(operator, { account_type: undefined, ...type });
			const response = await login(operator, header);
			expect(response.status).toBe(200);
			expect(response.data).toMatchObject({
				target: operator.plan.target,
				id_session: expect.stringMatching(/^[0-9a-f]{40}$/),
				expire: expect.stringMatching(/^\d{4}-\d\d-\d\dt\d\d-\d\d-\d\d\.000000\+GMT$/),
			});
		},
	);

	it('contains agents, groups, trunks and breaks, in both spellings and both kinds of id', async () => {
		const { data }: { data: unknown } = await login(operator);
		const { ops, groupes, trunks, pauses } = data as Record<
			'ops' | 'groupes' | 'trunks' | 'pauses',
			{ id: unknown; nom?: string; name?: string; value?: string; groups?: unknown[] }[]
		>;
		const { plan } = operator;
		const named = (list: typeof ops) => list.map(({ id, nom, name }) => [Number(id), nom ?? name]);
		expect(named(ops)).toEqual(plan.agents.map(({ id, name }) => [id, name]));
		expect(ops.map(({ groups }) => groups!.map(Number))).toEqual(
			plan.agents.map(({ groups }) => groups),
		);
		expect(named(groupes)).toEqual(plan.groups.map(({ id, name }) => [id, name]));
		expect(named(trunks)).toEqual(plan.trunks.map(({ id, name }) => [id, name]));
		expect(pauses.map(({ id, value }) => [Number(id), value])).toEqual(
			plan.pauses.map(({ id, value }) => [id, value]),
		);
		for (const key of ['nom', 'name'] as const)
			expect(ops.some((agent) => key in agent)).toBe(true);
		for (const kind of ['string', 'number'])
			expect(ops.some(({ id }) => typeof id === kind)).toBe(true);
	});

	it('contains the end of the token', async () => {
		operator.control.set({ tokenLifetime: 60 });
		const { data }: { data: unknown } = await login(operator);
		const [date, time] = firstOf((data as { expire: string }).expire.split(/t|\./), 2);
		const expires = Date.parse(`${date}T${time.replaceAll('-', ':')}Z`);
		expect(Math.abs(expires - Date.now() - 60_000)).toBeLessThan(30_000);
	});

	it.each<[string, unknown, string]>([
		['no header', '', '400 INVALID_VARS'],
		['text that is not JSON', '{', '400 INVALID_VARS'],
		['a list', [], '400 INVALID_VARS'],
		['another request', { requete: 'x', header: {}, msg: {} }, '400 INVALID_VARS'],
		['no msg', { requete: 'init', header: {} }, '400 INVALID_VARS'],
		['a msg with content', { requete: 'init', header: {}, msg: { x: 1 } }, '400 INVALID_VARS'],
		['no header object', { requete: 'init', msg: {} }, '400 INVALID_VARS'],
		['no login', { requete: 'init', header: {}, msg: {} }, '400 INVALID_VARS'],
	])('refuses %s', async (_what, value, error) => {
		expect(refused(await login(operator, value))).toBe(error);
	});

	it.each<[string, object, string]>([
		['a wrong password', { password: 'x' }, '401 INVALID_LOGIN'],
		['a wrong login', { login: 'x' }, '401 INVALID_LOGIN'],
		['the API account', { login: 'api', password: 'api-secret-é' }, '401 INVALID_LOGIN'],
		['another account type', { account_type: 'operator' }, '403 INVALID_ACCOUNT_TYPE'],
		['no account type', { account_type: undefined }, '400 INVALID_VARS'],
		['two account types that differ', { count_type: 'operator' }, '400 INVALID_VARS'],
	])('refuses %s', async (_what, header, error) => {
		expect(refused(await login(operator, supervisorHeader(operator, header)))).toBe(error);
		expect(operator.control.logins()).toBe(0);
	});

	it('rejects an unknown key beside the three', async () => {
		expect(refused(await login(operator, { ...supervisorHeader(operator), body: 1 }))).toBe(
			'400 INVALID_VARS',
		);
	});

	it('rejects a password that was damaged in the header', async () => {
		const latin1 = JSON.stringify(supervisorHeader(operator));
		const utf8 = Buffer.from(latin1, 'utf8').toString('latin1');
		expect(refused(await login(operator, utf8))).toBe('401 INVALID_LOGIN');
	});

	it.each(['account_type', 'count_type'] as const)(
		'accepts only %s if that is set',
		async (key) => {
			operator.control.set({ accountTypeKey: key });
			const other = key === 'account_type' ? 'count_type' : 'account_type';
			const header = (name: string) =>
				supervisorHeader(operator, { account_type: undefined, [name]: 'supervisor' });
			expect((await login(operator, header(key))).status).toBe(200);
			expect(refused(await login(operator, header(other)))).toBe('400 INVALID_VARS');
		},
	);

	it.each(['get', 'put', 'delete'] as const)('rejects %s', async (method) => {
		const response = await axios.request({
			method,
			url: `${operator.url}/ws/`,
			validateStatus: () => true,
		});
		expect(refused(response)).toBe('405 METHOD_NOT_ALLOWED');
	});
});

describe('token of an API account on /vm/token', () => {
	it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1'])(
		'returns a token for this machine as %s',
		async (ip) => {
			const response = await tokenRequest(operator, { ip, user_type: 'api' });
			expect(response.data).toMatchObject({ id_session: expect.stringMatching(/^[0-9a-f]{40}$/) });
		},
	);

	it.each<[string, unknown, Record<string, string>, string]>([
		['another address', { ip: '192.0.2.1', user_type: 'api' }, {}, '403 INVALID_IP'],
		['no address', { user_type: 'api' }, {}, '400 INVALID_VARS'],
		['another user type', { ip: '127.0.0.1', user_type: 'supervisor' }, {}, '400 INVALID_VARS'],
		['an unknown key', { ip: '127.0.0.1', user_type: 'api', x: 1 }, {}, '400 INVALID_VARS'],
		['a list', [], {}, '400 INVALID_VARS'],
		[
			'another content type',
			JSON.stringify({ ip: '127.0.0.1', user_type: 'api' }),
			{ 'Content-Type': 'text/plain' },
			'400 INVALID_VARS',
		],
		['text that is not JSON', '{', { 'Content-Type': 'application/json' }, '400 INVALID_VARS'],
		[
			'the numbers account',
			undefined,
			{ Authorization: basic({ login: 'numbers', password: 'numbers-secret-é' }) },
			'401 INVALID_LOGIN',
		],
		[
			'a wrong password',
			undefined,
			{ Authorization: basic({ login: 'api', password: 'x' }) },
			'401 INVALID_LOGIN',
		],
	])('refuses %s', async (_what, body, headers, error) => {
		expect(refused(await tokenRequest(operator, body, headers))).toBe(error);
		expect(operator.control.logins()).toBe(0);
	});

	it('rejects every other method', async () => {
		const response = await axios.get(`${operator.url}/vm/token`, { validateStatus: () => true });
		expect(refused(response)).toBe('405 METHOD_NOT_ALLOWED');
	});
});

describe('rejections that a test switches on', () => {
	it.each([
		[401, '401 INVALID_LOGIN'],
		[403, '403 FORBIDDEN'],
		[500, '500 INTERNAL_ERROR'],
	] as const)('reject with %s', async (how, error) => {
		operator.control.refuseLogins(how);
		expect(refused(await login(operator))).toBe(error);
		expect(refused(await tokenRequest(operator))).toBe(error);
		operator.control.refuseLogins(null);
		expect((await login(operator)).status).toBe(200);
	});

	it('return 200 without a session', async () => {
		operator.control.refuseLogins('noSession');
		const response = await login(operator);
		expect(response.status).toBe(200);
		expect(response.data).not.toHaveProperty('id_session');
	});

	it('return a login page', async () => {
		operator.control.refuseLogins('html');
		const response = await login(operator);
		expect(response.headers['content-type']).toMatch('text/html');
		expect(response.data).toMatch('<form');
	});

	it('end the connection', async () => {
		operator.control.refuseLogins('destroy');
		await expect(login(operator)).rejects.toThrow();
	});

	it('never respond, yet close', async () => {
		operator.control.refuseLogins('hang');
		const answer = login(operator).catch(() => 'cut');
		await operator.control.waitForRequests({ area: 'login' });
		await operator.close();
		expect(await answer).toBe('cut');
	});

	it('wait as long as set', async () => {
		operator.control.delayLogins(150);
		const before = performance.now();
		await login(operator);
		expect(performance.now() - before).toBeGreaterThan(140);
	});

	it('allow one session at a time', async () => {
		operator.control.set({ secondLogin: 'refuse' });
		const { client } = await connectSupervisor(operator, 4);
		expect(refused(await login(operator))).toBe('403 ALREADY_CONNECTED');
		// Another account is not affected.
		expect((await tokenRequest(operator)).status).toBe(200);
		await client.close();
		await operator.control.waitForSockets(0);
		expect((await login(operator)).status).toBe(200);
	});
});

it('the log contains the received header', async () => {
	await login(operator);
	expect(operator.control.requests({ area: 'login' })).toMatchObject([
		{
			method: 'POST',
			path: '/ws/',
			headers: { 'x-json': xJson(supervisorHeader(operator)) },
			body: null,
			status: 200,
			remoteAddress: '127.0.0.1',
		},
	]);
});
