// A start of n8n with settings that cannot be read yet: reported once, tried again every 30 seconds, until the trigger
// listens.

import type { INodeExecutionData } from 'n8n-workflow';
import { verdictOf } from '../../../support/logins';
import { secretsOf } from '../../../../nodes/shared/secrets';
import type { FeedOptions, FeedStatus } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import type { Prepare, Prepared } from '../../../../nodes/VoiceManagementTrigger/life/openFeed';
import { watchOutages, type Outage } from '../../../../nodes/VoiceManagementTrigger/life/outages';
import { startProduction } from '../../../../nodes/VoiceManagementTrigger/life/activeWorkflow';
import { readSettings } from '../../../../nodes/VoiceManagementTrigger/panel/settings';
import { listen } from '../../../support/production';
import { triggerContext } from '../../../support/n8n';
import { HandClock } from '../../../support/world';

function contextOf(activation: string) {
	const failed: Error[] = [];
	const lines: string[] = [];
	const context = triggerContext(lines, activation, {
		saveFailedExecution: (error: Error) => void failed.push(error),
	});
	return { context, failed, lines };
}

/** The feed's options, if only the login matters. */
function feedWith(key: string, login: FeedOptions['login']): FeedOptions {
	return {
		key,
		account: key,
		secrets: secretsOf({}),
		voiceUrl: 'https://voice.example.com',
		initAccountType: 'supervisor',
		socketPath: '/socket.io/',
		protocol: '4',
		silenceTimeoutMs: 0,
		login,
		loginUrl: 'https://voice.example.com/ws/',
		transport: 'auto',
		request: async () => await Promise.reject(new Error('not asked for')),
	};
}

const settings = readSettings((_name, fallback) => fallback);

/** A credential store that fails for the first `failures` reads. */
function awayFor(failures: number) {
	const counts = { prepared: 0, logins: 0 };
	const prepare: Prepare = async () => {
		counts.prepared++;
		if (counts.prepared <= failures) throw new Error('The credential store is away');
		const feed = feedWith(`prepared-${failures}`, async () => {
			counts.logins++;
			return await Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
		});
		return await Promise.resolve({ settings, feed });
	};
	return { prepare, counts };
}

function refusing() {
	const counts = { logins: 0 };
	const feed = feedWith('refusing', async () => {
		counts.logins++;
		const body = { err_msg: 'Login or password is wrong' };
		return await Promise.resolve(verdictOf({ statusCode: 401, headers: {}, body }));
	});
	const prepare: Prepare = async () => await Promise.resolve({ settings, feed });
	return { prepare, counts };
}

describe('a start of n8n while the settings cannot be read', () => {
	it('is reported once, tried again every 30 seconds, and recovers', async () => {
		const clock = new HandClock();
		const { context, failed } = contextOf('init');
		const { prepare, counts } = awayFor(3);
		const response = await startProduction(context, prepare, clock);
		expect(failed.map(({ message }) => message)).toEqual(['The credential store is away']);
		await clock.turn(29_999);
		expect(counts.prepared).toBe(1);
		await clock.turn(60_000);
		expect([counts.prepared, counts.logins]).toEqual([3, 0]);
		await clock.turn(1);
		expect(counts.prepared).toBe(4);
		expect(counts.logins).toBeGreaterThan(0);
		expect(failed).toHaveLength(1);
		await response.closeFunction?.();
	});

	it('is tried again also if a read never ends', async () => {
		const clock = new HandClock();
		const { prepare, counts } = awayFor(1);
		let reads = 0;
		const response = await startProduction(
			contextOf('init').context,
			async () => await (++reads === 2 ? new Promise<Prepared>(() => {}) : prepare()),
			clock,
		);
		await clock.turn(5 * 60_000);
		expect(counts.logins).toBeGreaterThan(0);
		await response.closeFunction?.();
		expect(clock.pending).toBe(0);
	});

	it('is not tried any more once the workflow is deactivated', async () => {
		const clock = new HandClock();
		const { prepare, counts } = awayFor(1);
		const response = await startProduction(contextOf('init').context, prepare, clock);
		await response.closeFunction?.();
		await clock.turn(600_000);
		expect(counts).toEqual({ prepared: 1, logins: 0 });
		expect(clock.pending).toBe(0);
	});

	it('is shown to a person who activates the workflow instead', async () => {
		const clock = new HandClock();
		const { prepare } = awayFor(1);
		const { context, failed } = contextOf('activate');
		await expect(startProduction(context, prepare, clock)).rejects.toThrow(
			'credential store is away',
		);
		expect(failed).toEqual([]);
		expect(clock.pending).toBe(0);
	});
});

describe('a provider that rejects the login again and again', () => {
	it('runs the error workflow once for the whole outage', async () => {
		const clock = new HandClock();
		const { context, failed } = contextOf('init');
		const { prepare, counts } = refusing();
		const response = await startProduction(context, prepare, clock);
		await clock.turn(60 * 60_000);
		expect(counts.logins).toBeGreaterThan(2);
		expect(failed.map(({ message }) => message)).toEqual([
			'The provider refused the login: Login or password is wrong. Check "Login" and "Password" in the credential',
		]);
		expect(failed[0]).toMatchObject({
			description: expect.stringContaining('The workflow stays published') as string,
		});
		await response.closeFunction?.();
	});

	it('says when the next login is, which is then', async () => {
		const clock = new HandClock();
		const { context, failed } = contextOf('init');
		const { prepare, counts } = refusing();
		const response = await startProduction(context, prepare, clock);
		await clock.turn(1);
		const said =
			/tried in [56] minutes \(at ([^)]+)\), or within 30 seconds after you change the credential/.exec(
				(failed[0] as { description?: string } | undefined)?.description ?? '',
			);
		const at = Date.parse(said?.[1] ?? '');
		await clock.turn(at - clock.now() - 1);
		expect(counts.logins).toBe(1);
		await clock.turn(2);
		expect(counts.logins).toBe(2);
		await response.closeFunction?.();
	});

	it('is asked at once when the workflow is published again', async () => {
		const clock = new HandClock();
		const { prepare, counts } = refusing();
		const response = await startProduction(contextOf('init').context, prepare, clock);
		await clock.turn(1);
		expect(counts.logins).toBe(1);
		await response.closeFunction?.();
		const again = startProduction(contextOf('activate').context, prepare, clock);
		// Much less than the five minutes that the feed would wait.
		await Promise.all([expect(again).rejects.toThrow('refused the login'), clock.turn(1_000)]);
		expect(counts.logins).toBe(2);
	});
});

describe('a login that is refused while a person publishes', () => {
	let workflow = 0;
	beforeEach(() => void workflow++);

	async function publish(clock: HandClock, prepare: Prepare) {
		const { context } = contextOf('activate');
		context.getWorkflow = () => ({ id: `refused ${workflow}`, name: 'Workflow', active: true });
		const published = startProduction(context, prepare, clock);
		const said = expect(published).rejects.toThrow(
			'The provider refused the login: Login or password is wrong. Check "Login" and "Password" in the credential',
		);
		await Promise.all([said, clock.turn(100)]);
	}

	it('is one login, however often n8n repeats the activation, and the title says what to do', async () => {
		const clock = new HandClock();
		const { prepare, counts } = refusing();
		await publish(clock, prepare);
		for (const seconds of [1, 2, 4, 8]) {
			await clock.turn(seconds * 1_000);
			await publish(clock, prepare);
		}
		expect(counts.logins).toBe(1);
		// The next one is a person's.
		await clock.turn(1_000);
		await publish(clock, prepare);
		expect(counts.logins).toBe(2);
	});

	it('starts no execution of the workflow, which is not published', async () => {
		const { prepare } = refusing();
		const emitted: unknown[] = [];
		const context = triggerContext([], 'activate', { emit: (data: unknown) => emitted.push(data) });
		const withStatus = readSettings((name, fallback) =>
			name === 'options' ? { emitFeedStatus: true } : fallback,
		);
		const start = startProduction(
			context,
			async () => ({ ...(await prepare()), settings: withStatus }),
			new HandClock(),
		);
		await expect(start).rejects.toThrow('refused');
		expect(emitted).toEqual([]);
	});

	it('is tried again for a person who publishes a few seconds later', async () => {
		const clock = new HandClock();
		const { prepare, counts } = refusing();
		await publish(clock, prepare);
		await clock.turn(4_000);
		await publish(clock, prepare);
		expect(counts.logins).toBe(2);
	});

	it('is tried again with another password', async () => {
		const clock = new HandClock();
		const { prepare, counts } = refusing();
		await publish(clock, prepare);
		await clock.turn(1_000);
		await publish(clock, async () => {
			const { feed, ...prepared } = await prepare();
			return { ...prepared, feed: { ...feed, key: 'another' } };
		});
		expect(counts.logins).toBe(2);
	});
});

describe('a provider that is away', () => {
	const MINUTE = 60_000;
	/** A connection that is taken away again after 50 seconds. */
	const flapping = ['disconnected', 1, 'connected', 0.8] as const;

	it('is reported once in a failed execution, with what is lost and that the trigger keeps trying', async () => {
		const clock = new HandClock();
		const { context, failed } = contextOf('activate');
		const { prepare } = awayFor(0);
		const began = clock.now();
		const started = startProduction(context, prepare, clock);
		await clock.turn(5 * MINUTE - 1);
		expect(failed).toEqual([]);
		await clock.turn(60 * MINUTE);
		expect(failed).toEqual([
			expect.objectContaining({
				message: `Nothing has been heard from the provider since ${new Date(began).toISOString()}`,
				description: expect.stringMatching(
					/are lost: .* stays published and goes on trying\. No connection has worked.*#the-feed-was-interrupted"/,
				) as string,
			}),
		]);
		await (await started).closeFunction?.();
		expect(clock.pending).toBe(0);
	});

	it('is told the workflow itself once if that gets feed status items, also one that joins in the outage', async () => {
		const clock = new HandClock();
		const { prepare } = awayFor(0);
		const start = async (id: string) => {
			const { context, failed } = contextOf('init');
			const told: unknown[] = [];
			const n8n = Object.assign(context, {
				getWorkflow: () => ({ id, name: id }),
				getWorkflowStaticData: () => ({}),
				emit: (
					[given = []]: INodeExecutionData[][],
					_: unknown,
					done?: { resolve(run: object): void },
				) => {
					told.push(...given.map(({ json: { event, reason } }) => ({ event, reason })));
					done?.resolve({});
				},
			});
			const { closeFunction } = await startProduction(
				n8n,
				async () => ({
					...(await prepare()),
					settings: { ...settings, emitFeedStatus: true },
				}),
				clock,
			);
			return { failed, told, closeFunction };
		};
		const first = await start('first');
		await clock.turn(60 * MINUTE);
		const second = await start('second');
		await clock.turn(1);
		expect(second.told).toHaveLength(1);
		await clock.turn(60 * MINUTE);
		for (const { failed, told, closeFunction } of [first, second]) {
			expect(failed).toEqual([]);
			expect(told).toEqual([
				{ event: 'disconnected', reason: expect.stringContaining('ECONNREFUSED') },
			]);
			await closeFunction?.();
		}
	});

	it('is a gap of a workflow too that is published and ended within it', async () => {
		const options = { emitFeedStatus: true };
		const feed = { key: 'published in an outage', account: 'published in an outage' };
		const first = await listen(options, { feed });
		const { clock, provider } = first;
		provider.send();
		await clock.turn(MINUTE);
		provider.login = 'unreachable';
		for (const socket of provider.live) provider.drop(socket);
		await clock.turn(30 * MINUTE);
		const before = await listen(options, { feed, world: first });
		await clock.turn(5 * MINUTE);
		await before.end();
		const to = new Date(clock.now()).toISOString();
		const second = await listen(options, { feed, world: first });
		provider.login = 'accept';
		await clock.turn(2 * MINUTE);
		provider.send();
		await clock.turn(MINUTE);
		expect(first.of('gap')).toHaveLength(1);
		expect(before.of('gap')).toEqual([expect.objectContaining({ to, missed: null })]);
		expect(second.of('gap')).toHaveLength(1);
		await Promise.all([first.end(), second.end()]);
	});

	it.each<[string, Array<FeedStatus['event'] | number>, number, number?]>([
		['a short interruption', ['connected', 60, 'disconnected', 4, 'connected', 60], 0],
		[
			'two short ones, with a connection in between that lasts',
			['connected', 60, 'disconnected', 4, 'connected', 2, 'disconnected', 4, 'connected', 60],
			0,
		],
		[
			'short ones without a connection that lasts, which are one long one',
			[60, 'connected', 60, ...flapping, ...flapping, ...flapping, ...flapping, ...flapping],
			2,
		],
		['a long one', ['connected', 60, 'disconnected', 5, 'disconnected', 60], 1],
		['two long ones', ['connected', 60, 'disconnected', 6, 'connected', 60, 'disconnected', 6], 2],
		[
			'a rejected login, which is reported as such, and once',
			[
				'connected',
				60,
				'disconnected',
				1,
				'refused',
				60,
				'refused',
				'connected',
				0.5,
				'disconnected',
				'refused',
				9,
			],
			0,
			1,
		],
		['a deactivated workflow', ['connected', 60, 'disconnected', -1, 60], 0],
	])('%s', async (_name, history, told, refusals = 0) => {
		const clock = new HandClock();
		const ended = new AbortController();
		const reports: Outage[] = [];
		let refused = 0;
		const watch = watchOutages(clock, ended.signal, {
			lasts: (outage) => void reports.push({ ...outage }),
			refused: () => void refused++,
		});
		const downs = [clock.now()];
		for (const step of history) {
			if (step === -1) ended.abort();
			else if (typeof step === 'number') await clock.turn(step * MINUTE);
			else {
				if (step === 'disconnected') downs.push(clock.now());
				watch.note({ event: step, at: clock.now(), reason: 'transport close' } as FeedStatus);
			}
		}
		expect(reports).toHaveLength(told);
		expect(refused).toBe(refusals);
		for (const { since, reason, hasWorked } of reports) {
			expect(downs).toContain(since);
			expect(reason).toBe(hasWorked ? 'transport close' : undefined);
		}
	});
});
