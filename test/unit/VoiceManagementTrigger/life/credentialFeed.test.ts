// A credential that is changed while its workflows are published: they notice it by themselves, and move together.

import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';
import { provideDependencies } from '../../../../nodes/VoiceManagementTrigger/feed/hub';
import { feedOptions } from '../../../../nodes/VoiceManagementTrigger/life/account';
import { startProduction } from '../../../../nodes/VoiceManagementTrigger/life/activeWorkflow';
import { readSettings } from '../../../../nodes/VoiceManagementTrigger/panel/settings';
import { triggerContext } from '../../../support/n8n';
import { makeWorld, settle } from '../../../support/world';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** As n8n decrypts it; `away`: n8n can't read it. */
interface Credential extends Record<string, unknown> {
	password: string;
	away?: Error;
}

const credentialWith = (password: string, more: object = {}): Credential => ({
	voiceUrl: 'https://voice.example.com',
	login: 'boss',
	password,
	accountTypeKey: 'account_type',
	...more,
});

/** A provider that accepts one password, and workflows of one n8n. */
function makeScene() {
	const { clock, provider } = makeWorld();
	provideDependencies({
		clock,
		openSocket: provider.openSocket,
		endpoints: new Map(),
		behindN8n: new Set(),
		random: () => 0.5,
	});
	const account = { password: 'first-password', logins: [] as string[], mostSockets: 0 };
	const logIn = ({ password }: Credential) => {
		provider.logins++;
		account.logins.push(password);
		const answer = (statusCode: number, body: object) => ({
			statusCode,
			headers: {},
			body: JSON.stringify(body),
		});
		if (password !== account.password)
			return answer(401, { err_msg: 'Login or password is wrong' });
		const isTaken = provider.live.some(({ init }) => init);
		if (isTaken && provider.secondLogin === 'refuse')
			return answer(403, { err_msg: 'already connected' });
		return { ...provider.session(), body: JSON.stringify(provider.session().body) };
	};
	let workflows = 0;
	/** Starts a workflow that gets the feed's status too. */
	const start = async (credential: Credential, more: IDataObject = {}) => {
		const items: IDataObject[] = [];
		const failed: Error[] = [];
		const lines: string[] = [];
		/** When the trigger looked at its settings and its credential; a start of an execution reads it too. */
		const looks: number[] = [];
		const read = async () => {
			if (credential.away) throw credential.away;
			return await Promise.resolve({ ...credential } as never);
		};
		const id = `workflow-${++workflows}`;
		const context = triggerContext(lines, 'init', {
			getWorkflow: () => ({ id, name: id }),
			getCredentials: read,
			saveFailedExecution: (error: Error) => void failed.push(error),
			emit: (
				data: INodeExecutionData[][],
				_response: unknown,
				done?: { resolve: (run: IRun) => void },
			) => {
				items.push(...(data[0] ?? []).map(({ json }) => json));
				done?.resolve({ status: 'success', finished: true } as IRun);
			},
		});
		const parameters: IDataObject = { options: { emitFeedStatus: true }, ...more };
		const settings = readSettings((name, fallback) => parameters[name] ?? fallback);
		const prepare = async () => {
			looks.push(clock.now());
			const feed = feedOptions('supervisor', await read(), {
				credential: read,
				authenticated: async () => await Promise.resolve(logIn(credential)),
				plain: async (request) => await provider.options().request(request as never),
			});
			return { settings, feed };
		};
		const { closeFunction } = await startProduction(context, prepare, clock);
		await settle();
		const kinds = () =>
			items
				.filter(({ type_notification: type }) => type === 'feed')
				.map(({ event }) => String(event));
		const gaps = () => items.filter(({ event }) => event === 'gap');
		const numbers = () => items.filter(({ n }) => n !== undefined).map(({ n }) => n);
		const close = async () => {
			const closing = closeFunction?.();
			await clock.turn(5 * SECOND);
			await closing;
		};
		return { items, failed, lines, looks, kinds, gaps, numbers, close };
	};
	/** Advances the clock, with a ping and an event each second, or less often. */
	const live = async (seconds: number, everySeconds = 1) => {
		for (let passed = 0; passed < seconds; passed += everySeconds) {
			await clock.turn(everySeconds * SECOND);
			provider.ping();
			provider.send();
			account.mostSockets = Math.max(account.mostSockets, provider.live.length);
			await settle();
		}
	};
	/** Until a workflow gets the events again; returns the seconds that it took. */
	const liveAgain = async ({ numbers }: { numbers: () => unknown[] }, withinSeconds: number) => {
		for (let passed = 0; passed <= withinSeconds; passed++) {
			await live(1);
			if (numbers().at(-1) === provider.cpt) return passed;
		}
		throw new Error(`no event within ${withinSeconds} s`);
	};
	/** An event of call 9 in a queue. */
	const call = (event: string, more: object = {}) =>
		provider.push({
			cpt: ++provider.cpt,
			ts: Math.floor(clock.now() / 1000),
			event: { type_notification: 'queue', event, msg: { id_call: '9', id_queue: '301', ...more } },
		});
	return { clock, provider, account, start, live, liveAgain, call };
}

type Scene = ReturnType<typeof makeScene>;
type Workflow = Awaited<ReturnType<Scene['start']>>;

const lengthOf = ({ from, to }: IDataObject) => Date.parse(String(to)) - Date.parse(String(from));

/** What was sent after the first item, and is neither delivered nor in a gap. */
function unreported({ numbers, gaps, items }: Workflow, { provider }: Scene, sentAt: number[]) {
	const got = new Set(numbers());
	const first = Number(numbers()[0]);
	const inGap = (at: number) =>
		gaps().some(({ from, to }) => Date.parse(String(from)) <= at && at <= Date.parse(String(to)));
	expect(items.length).toBeGreaterThan(0);
	return Array.from({ length: provider.cpt }, (_, index) => index + 1).filter(
		(n) => n > first && !got.has(n) && !inGap(sentAt[n - 1] ?? 0),
	);
}

describe('a password that is changed', () => {
	it.each([false, true])(
		'moves three workflows with one login and one gap of seconds; one session only: %s',
		async (singleSession) => {
			const scene = makeScene();
			const { provider, account, live } = scene;
			provider.singleSession = singleSession;
			const credential = credentialWith('first-password');
			const workflows = [];
			for (let count = 0; count < 3; count++) workflows.push(await scene.start(credential));
			await live(90);
			expect(account.logins).toEqual(['first-password']);
			account.password = 'second-password';
			credential.password = 'second-password';
			const sentAt: number[] = [];
			for (let sent = 0; sent < 310; sent++) {
				sentAt[provider.cpt] = scene.clock.now() + SECOND;
				await live(1);
			}
			expect(account.logins).toEqual(['first-password', 'second-password']);
			expect(account.mostSockets).toBe(1);
			expect(provider.live).toHaveLength(1);
			for (const workflow of workflows) {
				expect(workflow.kinds()).toEqual(['connected', 'disconnected', 'connected', 'gap']);
				const [gap] = workflow.gaps() as [IDataObject];
				expect(gap.reason).toBe('the credential was changed');
				expect(lengthOf(gap)).toBeLessThan(5 * SECOND);
				expect(unreported(workflow, scene, sentAt)).toEqual([]);
				expect(new Set(workflow.numbers()).size).toBe(workflow.numbers().length);
				expect(workflow.numbers().at(-1)).toBe(provider.cpt);
			}
			const lines = workflows.flatMap((workflow) => workflow.lines);
			expect(lines.filter((line) => line.includes('connecting with what it says'))).toEqual([
				expect.stringContaining('Feed of 3 triggers: the credential was changed'),
			]);
			// All later logins use the new one.
			await live(2 * 60 * 60, 10);
			expect(new Set(account.logins.slice(1))).toEqual(new Set(['second-password']));
			for (const workflow of workflows) expect(workflow.gaps()).toHaveLength(1);
			for (const { close } of workflows) await close();
		},
	);

	it('is noticed by the login itself if the provider ends the connection', async () => {
		const { provider, account, start, live } = makeScene();
		provider.singleSession = true;
		const credential = credentialWith('first-password');
		const workflows = [await start(credential), await start(credential), await start(credential)];
		await live(60);
		account.password = 'second-password';
		credential.password = 'second-password';
		for (const socket of provider.live) provider.disconnect(socket);
		await live(5);
		expect(account.logins).toEqual(['first-password', 'second-password']);
		await live(600);
		expect(account.logins).toHaveLength(2);
		for (const { kinds, numbers, close } of workflows) {
			expect(kinds()).toEqual(['connected', 'disconnected', 'connected', 'gap']);
			expect(numbers().at(-1)).toBe(provider.cpt);
			await close();
		}
	});

	it.each(['', ' beside an untouched credential of the same login'])(
		'and is mistyped first%s, is one gap from the interruption on',
		async (beside) => {
			const scene = makeScene();
			const { provider, account, start, live } = scene;
			const credential = credentialWith('first-password');
			const other = beside === '' ? undefined : await start(credentialWith('first-password'));
			const workflow = await start(credential);
			await live(60);
			account.password = 'second-password';
			credential.password = 'secnod-password';
			const sentAt: number[] = [];
			const passing = async (seconds: number) => {
				for (let passed = 0; passed < seconds; passed++) {
					sentAt[provider.cpt] = scene.clock.now() + SECOND;
					await live(1);
				}
			};
			for (const socket of provider.live) provider.disconnect(socket);
			await passing(90);
			expect(account.logins).toContain('secnod-password');
			credential.password = 'second-password';
			await passing(60);
			expect(workflow.kinds().filter((kind) => kind !== 'refused')).toEqual([
				'connected',
				'disconnected',
				'connected',
				'gap',
			]);
			expect(unreported(workflow, scene, sentAt)).toEqual([]);
			await workflow.close();
			await other?.close();
		},
	);

	it.each([false, true])(
		'is followed at once if one of the workflows is published again; one session only: %s',
		async (singleSession) => {
			const { provider, account, start, live } = makeScene();
			provider.singleSession = singleSession;
			const credential = credentialWith('first-password');
			const again = await start(credential);
			const others = [await start(credential), await start(credential)];
			await live(60);
			account.password = 'second-password';
			credential.password = 'second-password';
			await again.close();
			await live(2);
			const republished = await start(credential);
			await live(10);
			expect(account.logins).toEqual(['first-password', 'second-password']);
			expect(account.mostSockets).toBe(1);
			for (const workflow of others) {
				expect(workflow.kinds()).toEqual(['connected', 'disconnected', 'connected', 'gap']);
				expect(lengthOf(workflow.gaps()[0] as IDataObject)).toBeLessThan(10 * SECOND);
				expect(workflow.numbers().at(-1)).toBe(provider.cpt);
			}
			expect(republished.kinds()).toEqual(['connected']);
			for (const { close } of [...others, republished]) await close();
		},
	);

	it('to a different one in each of two credentials, does not mix up what their workflows derive', async () => {
		const { account, start, live, call } = makeScene();
		const [one, two] = [credentialWith('first-password'), credentialWith('first-password')];
		const outcomes = { mode: 'callOutcomes', outcomes: ['missed'] };
		const workflows = [await start(one, outcomes), await start(two, outcomes)];
		await live(60);
		account.password = 'second-password';
		one.password = 'second-password';
		// The same login with another way to connect.
		Object.assign(two, { password: 'second-password', customConnection: true, protocol: '4' });
		await live(330);
		call('insert_call');
		await live(20);
		call('delete_call');
		await live(60);
		for (const { items, close } of workflows) {
			expect(items.filter(({ id_call: id }) => id === '9')).toHaveLength(1);
			await close();
		}
	});

	it('to that of another account leaves the calls alone that its workflows follow there', async () => {
		const { start, live, call } = makeScene();
		const outcomes = { mode: 'callOutcomes', outcomes: [] };
		const changed = credentialWith('first-password', { login: 'chief' });
		const moving = await start(changed, outcomes);
		const untouched = await start(credentialWith('first-password'), outcomes);
		await live(60);
		changed.login = 'boss';
		await live(200);
		call('insert_call');
		await live(120);
		call('delete_call');
		await live(60);
		expect(moving.gaps()).toHaveLength(1);
		const missed = untouched.items.filter(({ id_call: id }) => id === '9');
		expect(missed).toMatchObject([{ event: 'missed', partial: false }]);
		for (const { close } of [moving, untouched]) await close();
	});

	it('with two connections, is one gap', async () => {
		const { provider, account, start, live } = makeScene();
		const redundant = { customConnection: true, redundantConnection: true };
		const credential = credentialWith('first-password', redundant);
		const workflow = await start(credential);
		await live(60);
		expect(provider.live).toHaveLength(2);
		account.password = 'second-password';
		credential.password = 'second-password';
		await live(400);
		expect(provider.live).toHaveLength(2);
		expect(workflow.gaps()).toHaveLength(1);
		expect(account.logins.slice(2)).toEqual(['second-password', 'second-password']);
		await workflow.close();
	});

	it('leaves calls and figures as an interruption does', async () => {
		const { account, start, live, call } = makeScene();
		const credential = credentialWith('first-password');
		const workflow = await start(credential, {
			mode: 'callOutcomes',
			outcomes: ['missed', 'answered', 'ended'],
		});
		await live(5);
		call('insert_call', { caller_id_num: '+32470000001' });
		await live(30);
		account.password = 'second-password';
		credential.password = 'second-password';
		await live(320);
		call('delete_call');
		await live(60);
		const outcomes = workflow.items.filter(({ type_notification: type }) => type !== 'feed');
		// It is known from before: the caller, and that something may have been missed since.
		expect(outcomes).toEqual([
			expect.objectContaining({ caller_id_num: '+32470000001', partial: true, reason: 'feed-gap' }),
		]);
		await workflow.close();
	});

	it('and a workflow that is ended just after it has moved alone: what it missed is told', async () => {
		const { provider, account, start, live } = makeScene();
		const changed = credentialWith('first-password');
		const untouched = await start(credentialWith('first-password'));
		const moving = await start(changed);
		await live(60);
		changed.password = 'second-password';
		await live(330);
		const missedFrom = Number(moving.numbers().at(-1));
		account.password = 'second-password';
		for (let minute = 0; Number(moving.numbers().at(-1)) === missedFrom; minute++) {
			expect(minute).toBeLessThan(3_600);
			await live(1);
		}
		expect(moving.gaps()).toEqual([]);
		await moving.close();
		const [gap] = moving.gaps() as Array<{ from: string; to: string }>;
		expect(moving.gaps()).toHaveLength(1);
		expect(Number(moving.numbers().at(-1))).toBe(provider.cpt);
		const missedMs = Date.parse(String(gap?.to)) - Date.parse(String(gap?.from));
		expect(missedMs / SECOND).toBeGreaterThan(provider.cpt - missedFrom - 10);
		await untouched.close();
	});

	it('in one of two credentials of a login leaves the workflow of the other one alone', async () => {
		const { provider, account, start, live } = makeScene();
		const changed = credentialWith('first-password');
		const untouched = await start(credentialWith('first-password'));
		const moving = await start(changed);
		await live(60);
		account.password = 'second-password';
		changed.password = 'second-password';
		await live(330);
		expect(account.logins).toEqual(['first-password', 'second-password']);
		expect(provider.live).toHaveLength(2);
		expect(untouched.kinds()).toEqual(['connected']);
		expect(moving.gaps()).toHaveLength(1);
		expect([untouched, moving].map(({ numbers }) => numbers().at(-1))).toEqual([
			provider.cpt,
			provider.cpt,
		]);
		await untouched.close();
		await moving.close();
	});
});

describe('a credential that is not accepted', () => {
	it('is tried within 30 seconds after it is corrected, and not before', async () => {
		const { account, start, live, liveAgain } = makeScene();
		const credential = credentialWith('a-wrong-one');
		const workflow = await start(credential);
		const other = await start(credential);
		await live(130);
		// The start of the second workflow, by n8n itself, is no reason to try.
		expect(account.logins).toEqual(['a-wrong-one']);
		credential.password = 'first-password';
		expect(await liveAgain(workflow, 35)).toBeLessThanOrEqual(31);
		expect(account.logins.slice(1)).toEqual(['first-password']);
		expect(workflow.kinds()).toEqual(['refused', 'connected']);
		expect(other.kinds()).toEqual(['refused', 'connected']);
		await workflow.close();
		await other.close();
	});

	it('is tried within 30 seconds after it was refused again', async () => {
		const { account, start, live, liveAgain } = makeScene();
		const credential = credentialWith('a-wrong-one');
		const workflow = await start(credential);
		await live(60);
		credential.password = 'another-wrong-one';
		await live(60);
		credential.password = 'first-password';
		expect(await liveAgain(workflow, 35)).toBeLessThanOrEqual(31);
		expect(account.logins).toEqual(['a-wrong-one', 'another-wrong-one', 'first-password']);
		await workflow.close();
	});

	it.each([
		['host', { voiceUrl: 'https://other.example.com' }],
		['login', { login: 'chief' }],
		['way to connect', { customConnection: true, protocol: '4', transport: 'direct' }],
	])('is followed to another %s within five minutes while connected', async (_what, change) => {
		const { provider, start, live } = makeScene();
		const credential = credentialWith('first-password');
		const workflow = await start(credential);
		await live(20);
		Object.assign(credential, change);
		await live(300);
		expect(workflow.kinds()).toEqual(['connected', 'disconnected', 'connected', 'gap']);
		expect(provider.live).toHaveLength(1);
		await workflow.close();
	});

	it('and cannot be used any more is reported once, with what to correct', async () => {
		const { provider, start, live } = makeScene();
		const credential = credentialWith('first-password');
		const workflow = await start(credential, { options: {} });
		await live(20);
		credential.voiceUrl = '';
		await live(30 * 60, 10);
		expect(workflow.failed.map(({ message }) => message)).toEqual([
			'"Voice Management URL" in the credential is empty',
		]);
		expect(provider.live).toEqual([]);
		credential.voiceUrl = 'https://voice.example.com';
		await live(31);
		expect(provider.live).toHaveLength(1);
		await workflow.close();
	});

	it('is read every five minutes while connected, and nothing is sent for it', async () => {
		const { clock, account, start, live } = makeScene();
		const workflow = await start(credentialWith('first-password'));
		await live(10);
		const from = clock.now();
		await live(3_000, 10);
		const looks = workflow.looks.slice(1);
		expect(looks.length).toBeLessThanOrEqual(10);
		expect(looks[0]).toBeLessThanOrEqual(from + 5 * MINUTE);
		expect(account.logins).toHaveLength(1);
		await workflow.close();
	});
});

describe('a credential that n8n cannot read', () => {
	const away = Object.assign(new Error('Credentials could not be decrypted'), {
		name: 'CredentialDataError',
	});

	it('is tried within 30 seconds after n8n can read it again', async () => {
		const { provider, start, live, liveAgain } = makeScene();
		const credential = credentialWith('first-password');
		const workflow = await start(credential);
		await live(60);
		credential.away = away;
		for (const socket of provider.live) provider.disconnect(socket);
		await live(600);
		expect(provider.logins).toBe(1);
		delete credential.away;
		expect(await liveAgain(workflow, 35)).toBeLessThanOrEqual(31);
		expect(workflow.gaps()).toHaveLength(1);
		await workflow.close();
	});

	it('when n8n starts, is tried within 30 seconds after it can', async () => {
		const { start, live, liveAgain } = makeScene();
		const credential = credentialWith('first-password', { away });
		const workflow = await start(credential);
		await live(100);
		expect(workflow.failed).toHaveLength(1);
		delete credential.away;
		expect(await liveAgain(workflow, 35)).toBeLessThanOrEqual(31);
		await workflow.close();
	});

	it('does not take the connection from the workflows of another one', async () => {
		const { provider, start, live } = makeScene();
		const deleted = credentialWith('first-password');
		const untouched = await start(credentialWith('first-password'));
		const workflow = await start(deleted);
		await live(60);
		deleted.away = away;
		for (const socket of provider.live) provider.disconnect(socket);
		await live(10);
		expect(untouched.numbers().at(-1)).toBe(provider.cpt);
		await untouched.close();
		await workflow.close();
	});

	it('while connected, interrupts nothing', async () => {
		const { provider, start, live } = makeScene();
		const credential = credentialWith('first-password');
		const workflow = await start(credential);
		await live(60);
		credential.away = away;
		await live(60 * 60, 10);
		expect(workflow.kinds()).toEqual(['connected']);
		expect(workflow.numbers().at(-1)).toBe(provider.cpt);
		await workflow.close();
	});
});

it('leaves no timer and no connection when the workflows end, even during a move', async () => {
	const { clock, provider, account, start, live } = makeScene();
	provider.cutAtExpiry = false;
	const credential = credentialWith('first-password');
	const workflows = [await start(credential), await start(credential)];
	await live(60);
	account.password = 'second-password';
	credential.password = 'second-password';
	for (const socket of provider.live) provider.disconnect(socket);
	await Promise.all(workflows.map(async ({ close }) => await close()));
	await clock.turn(10 * MINUTE);
	expect(provider.live).toEqual([]);
	expect(clock.pending).toBe(0);
});
