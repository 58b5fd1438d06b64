// Test runs of the editor: what it shows, and that nothing is left behind however they end.

import { answerWith } from '../../support/answers';
import type { IDataObject, NodeOperationError } from 'n8n-workflow';
import { EVENT_KINDS } from '../../../nodes/VoiceManagementTrigger/events/kinds';
import { systemClock } from '../../../nodes/VoiceManagementTrigger/feed/clock';
import { startProvider, type Provider } from '../../../simulator';
import { ActiveTrigger, credentialsFor, loadOptions, startTest } from './harness';
import { nth } from '../../support/present';

let provider: Provider;

beforeEach(async () => {
	provider = await startProvider();
});

afterEach(async () => {
	await provider.control.waitForSockets(0);
	await provider.close();
});

const test = async (parameters: IDataObject = {}) =>
	await startTest({ parameters, credentials: credentialsFor(provider) });

describe('a test run', () => {
	it('shows the first event that matches, as one item, and disconnects', async () => {
		const run = await test({
			events: ['delete_call'],
			options: { batchSize: 50, emitFeedStatus: true },
		});
		await provider.control.waitForSockets(1);
		provider.control.send('queue', 'insert_call', { id_call: 1 });
		provider.control.send('queue', 'delete_call', { id_call: 2 });
		provider.control.send('queue', 'delete_call', { id_call: 3 });
		const items = nth(await run.result, 0);
		expect(items).toHaveLength(1);
		expect(nth(items, 0).json).toMatchObject({ event: 'delete_call', id_call: '2' });
		expect(run.emits()).toBe(1);
	});

	it('shows the outcome of a call', async () => {
		const run = await test({ mode: 'callOutcomes', outcomes: ['answered'] });
		await provider.control.waitForSockets(1);
		provider.control.send('queue', 'insert_call', { id_call: 1, id_queue: 301 });
		provider.control.send('queue', 'connect_call', { id_call: 1, id_queue: 301, id_operator: 501 });
		const items = nth(await run.result, 0);
		expect(nth(items, 0).json).toMatchObject({
			type_notification: 'call',
			event: 'answered',
			id_call: '1',
		});
	});

	it('leaves nothing behind if the person stops it', async () => {
		const run = await test();
		await provider.control.waitForSockets(1);
		run.stop();
		await provider.control.waitForSockets(0);
		provider.control.send('UI', 'login');
		expect(run.emits()).toBe(0);
	});

	it('does not even begin if the person stops it at once', async () => {
		const run = await test();
		run.stop();
		await run.ended;
		expect(provider.control.requests()).toEqual([]);
	});

	it('leaves nothing behind if the person stops it while it logs in', async () => {
		provider.control.refuseLogins('hang');
		const run = await test();
		await provider.control.waitForRequests({ path: '/ws/' });
		run.stop();
		await run.ended;
		expect(provider.control.counts()).toMatchObject({ connected: 0, logins: 0 });
	});

	it('fails at once with the provider’s reason if the login is rejected', async () => {
		provider.control.refuseLogins(401);
		const run = await test();
		await expect(run.result).rejects.toThrow(/^The provider refused the login/);
	});

	it('fails at once if the provider is unreachable', async () => {
		await provider.control.goAway();
		const run = await test();
		await expect(run.result).rejects.toThrow(/127\.0\.0\.1:\d+ (refused|closed) the connection/);
		await provider.control.listenAgain();
	});

	it('fails before connecting if the settings cannot work', async () => {
		const credentials = credentialsFor(provider);
		credentials.voiceManagementApi.ip = '';
		const failing = startTest({ parameters: { feed: 'account' }, credentials });
		await expect(failing).rejects.toThrow(/Machine IP Address/);
		expect(provider.control.requests()).toEqual([]);
	});

	it('runs beside the active trigger on its connection, which its end does not disturb', async () => {
		const active = await new ActiveTrigger({ credentials: credentialsFor(provider) }).start();
		await provider.control.waitForSockets(1);
		const run = await test();
		provider.control.send('UI', 'login', { id_operator: 501 });
		await run.result;
		expect(provider.control.logins()).toBe(1);
		provider.control.send('UI', 'logout', { id_operator: 501 });
		await active.untilItems(2);
		await active.close();
	});
});

describe('a test run in which nothing matches', () => {
	/** Advances the two minutes by hand; everything else is real. */
	async function withMinutesByHand(use: (endMinutes: () => void) => Promise<void>): Promise<void> {
		const real = systemClock.after.bind(systemClock);
		const waits: Array<() => void> = [];
		const spy = jest.spyOn(systemClock, 'after').mockImplementation((delayMs, action) => {
			if (delayMs !== 120_000) return real(delayMs, action);
			waits.push(action);
			return () => {};
		});
		try {
			await use(() => waits.pop()?.());
		} finally {
			spy.mockRestore();
		}
	}

	/** Makes events happen, and waits until they have arrived here. */
	async function arrive(send: () => number): Promise<void> {
		const witness = await new ActiveTrigger({ credentials: credentialsFor(provider) }).start();
		await witness.untilItems(send());
		await witness.close();
	}

	const failureOf = async (run: Awaited<ReturnType<typeof test>>) =>
		await run.result.then(
			() => undefined,
			(thrown: NodeOperationError) => thrown,
		);

	it('reports after two minutes which events arrived, by type and event', async () => {
		await withMinutesByHand(async (endMinutes) => {
			const run = await test({ notificationTypes: ['trunk'] });
			await provider.control.waitForSockets(1);
			await arrive(() => {
				for (let index = 0; index < 3; index++)
					provider.control.send('queue', 'insert_call', { index });
				provider.control.send('UI', 'login');
				return 4;
			});
			endMinutes();
			const error = await failureOf(run);
			expect(error?.message).toBe('No matching event came within 2 minutes');
			expect(error?.description).toContain('queue insert_call: 3, UI login: 1');
		});
	});

	it('does not say that the feed is not connected while its login is being renewed', async () => {
		await provider.close();
		// However late the renewal is on a busy machine, the connection goes on.
		provider = await startProvider({ tokenLifetime: 3, onExpiry: 'nothing' });
		await withMinutesByHand(async (endMinutes) => {
			const run = await test();
			await provider.control.waitForSockets(1);
			provider.control.refuseLogins('hang');
			await provider.control.waitForRequests({ path: '/ws/' }, 2);
			endMinutes();
			expect((await failureOf(run))?.description).toContain('The feed is connected');
		});
	});

	it('says so if the feed is not connected, and what happens in a published workflow', async () => {
		await withMinutesByHand(async (endMinutes) => {
			const run = await test();
			await provider.control.waitForSockets(1);
			const witness = await new ActiveTrigger({ credentials: credentialsFor(provider) }).start();
			await provider.control.goAway();
			await witness.untilLog(/live → waiting/);
			await witness.close();
			endMinutes();
			expect((await failureOf(run))?.description).toMatch(
				/^The feed is not connected(: .+)?\. Check the credential, .*When the workflow is published/,
			);
			await provider.control.listenAgain();
		});
	});

	it('says what may be wrong if the provider ends each connection, such as the Client Account ID', async () => {
		await withMinutesByHand(async (endMinutes) => {
			const credentials = credentialsFor(provider);
			credentials.voiceManagementApi.idClient = '9999';
			const parameters = { feed: 'account' };
			const run = await startTest({ parameters, credentials });
			const witness = await new ActiveTrigger({ parameters, credentials }).start();
			await witness.untilLog(/live → waiting/);
			await witness.close();
			endMinutes();
			expect((await failureOf(run))?.description).toMatch(
				/^The feed is not connected: the provider ends each connection .* "Client Account ID" of the credential/,
			);
		});
	});

	it('lists the values seen for each filter that is set, with their names if known', async () => {
		await withMinutesByHand(async (endMinutes) => {
			const run = await test({
				filters: { queueIds: '399', agentIds: ['999'], trunkIds: ['1'] },
				options: { queueNames: [{ id_queue: 301, name: 'Days' }] },
			});
			await provider.control.waitForSockets(1);
			await arrive(() => {
				provider.control.send('queue', 'connect_call', { id_queue: 302, id_operator: 501 });
				provider.control.send('queue', 'delete_call', { id_queue: 301 });
				return 2;
			});
			endMinutes();
			expect((await failureOf(run))?.description).toContain(
				'Agents seen: 501 (Ada Martin). Queues seen: 301 (Days), 302. Trunks seen: none.',
			);
		});
	});

	it('lists twenty values at most, none of them longer than a line', async () => {
		await withMinutesByHand(async (endMinutes) => {
			const run = await test({ filters: { queueIds: '399' } });
			await provider.control.waitForSockets(1);
			await arrive(() => {
				provider.control.send('queue', 'delete_call', { id_queue: '1'.repeat(81) });
				for (let queue = 411; queue < 441; queue++)
					provider.control.send('queue', 'delete_call', { id_queue: queue });
				return 31;
			});
			endMinutes();
			const list = Array.from({ length: 19 }, (_, index) => 411 + index).join(', ');
			expect((await failureOf(run))?.description).toContain(
				`Queues seen: ${'1'.repeat(80)}, ${list}.`,
			);
		});
	});

	it('reports calls and how they went if its mode is call outcomes', async () => {
		await withMinutesByHand(async (endMinutes) => {
			const run = await test({
				mode: 'callOutcomes',
				outcomes: ['answered'],
				filters: { queueIds: '301' },
			});
			await provider.control.waitForSockets(1);
			await arrive(() => {
				const call = { id_call: 1, id_queue: 302 };
				provider.control.send('queue', 'insert_call', call);
				provider.control.send('queue', 'connect_call', { ...call, id_operator: 501 });
				return 2;
			});
			endMinutes();
			const error = await failureOf(run);
			expect(error?.message).toBe('No matching call outcome came within 2 minutes');
			expect(error?.description).toContain(
				'Calls meanwhile: answered: 1; none matched the chosen outcomes and filters.',
			);
			expect(error?.description).toContain('Queues seen: 302.');
			expect(error?.description).toContain('Compare that with the chosen outcomes and filters');
		});
	});

	it("shows what arrived without another party's markup", async () => {
		await withMinutesByHand(async (endMinutes) => {
			const run = await test({ filters: { callerNumber: '+442079460123' } });
			await provider.control.waitForSockets(1);
			await arrive(() => {
				const caller = '<a href="https://evil.example">Help</a> 0199001234';
				provider.control.send('queue', 'insert_call', { id_call: 1, caller_id_num: caller });
				return 1;
			});
			endMinutes();
			const { description } = (await failureOf(run)) ?? {};
			expect(description).toContain('Caller numbers seen: Help 0199001234.');
			expect(description).not.toContain('evil');
		});
	});

	it('says when queues appear if every snapshot was empty', async () => {
		await withMinutesByHand(async (endMinutes) => {
			const run = await test({ mode: 'snapshots', snapshotOf: ['queues'] });
			await provider.control.waitForSockets(1);
			endMinutes();
			expect((await failureOf(run))?.description).toMatch(
				/^Every snapshot was empty: a queue appears with its first call, .*"Queue Names"/,
			);
		});
	});

	it('quotes messages that arrived under another event name', async () => {
		await withMinutesByHand(async (endMinutes) => {
			const run = await test({ notificationTypes: ['trunk'] });
			await provider.control.waitForSockets(1);
			const witness = await new ActiveTrigger({ credentials: credentialsFor(provider) }).start();
			provider.control.pushRaw('error_message', [{ reason: 'init refused' }]);
			await witness.untilLog(/error_message/);
			await witness.close();
			endMinutes();
			expect((await failureOf(run))?.description).toContain(
				'The provider sent [{"reason":"init refused"}] under the event name "error_message": it is no event, but { reason: text }: "init refused".',
			);
		});
	});

	describe('of a call that was under way when it began', () => {
		const call = { id_call: 1, id_queue: 301, id_operator: 501 };
		const parameters = { mode: 'callOutcomes', outcomes: ['answered'] };

		/** Sends the answer of a call without its beginning, and waits until an active trigger has emitted it. */
		async function answerOfHalfACall(): Promise<void> {
			const credentials = credentialsFor(provider);
			const witness = await new ActiveTrigger({ parameters, credentials }).start();
			provider.control.send('queue', 'connect_call', call);
			await witness.untilItems(1);
			await witness.close();
		}

		it('waits for a call that was seen from the beginning', async () => {
			const run = await test(parameters);
			await provider.control.waitForSockets(1);
			await answerOfHalfACall();
			provider.control.send('queue', 'insert_call', { ...call, id_call: 2 });
			provider.control.send('queue', 'connect_call', { ...call, id_call: 2 });
			const items = nth(await run.result, 0);
			expect(nth(items, 0).json).toMatchObject({ id_call: '2', partial: false });
		});

		it('shows it if nothing better arrived', async () => {
			await withMinutesByHand(async (endMinutes) => {
				const run = await test(parameters);
				await provider.control.waitForSockets(1);
				await answerOfHalfACall();
				// The test run's own timer may fire after the witness's; an event makes it look at what is due.
				await arrive(() => {
					provider.control.send('queue', 'insert_call', { ...call, id_call: 2 });
					return 1;
				});
				expect(run.emits()).toBe(0);
				endMinutes();
				const items = nth(await run.result, 0);
				expect(nth(items, 0).json).toMatchObject({ id_call: '1', partial: true });
			});
		});
	});
});

describe("the lists of the node's parameters", () => {
	const list = async (method: Parameters<typeof loadOptions>[0], parameters: IDataObject = {}) =>
		await loadOptions(method, { parameters, credentials: credentialsFor(provider) });

	it('contain agents, groups and trunks from the session information', async () => {
		expect((await list('getAgents'))[0]).toEqual({ name: 'Ada Martin (501)', value: '501' });
		expect(await list('getGroups')).toEqual([
			{ name: 'Billing (13)', value: '13' },
			{ name: 'Sales (11)', value: '11' },
			{ name: 'Support (12)', value: '12' },
		]);
		expect((await list('getTrunks')).map(({ value }) => value)).toEqual(['701', '702']);
	});

	it('that are opened together share one login', async () => {
		await Promise.all([list('getAgents'), list('getGroups'), list('getTrunks')]);
		expect(provider.control.logins()).toBe(1);
	});

	it('use the names of a running trigger instead of logging in again', async () => {
		const active = await new ActiveTrigger({ credentials: credentialsFor(provider) }).start();
		expect(await list('getAgents')).toHaveLength(12);
		expect(provider.control.logins()).toBe(1);
		await active.close();
	});

	it('are one line without markup each, and contain nothing that n8n would run as an expression', async () => {
		const ops = [
			{ id: '={{ $env }}', nom: 'Evil' },
			{ id: 501, nom: `<b onclick="x">Ada</b>\n\u001b[31m\u202e${'x'.repeat(300)}` },
			{ id: '=2' },
		];
		const server = await answerWith(() => ({
			body: { id_session: 'abcdefgh12345678', target: 7, ops },
		}));
		const { voiceManagementSupervisorApi, ...others } = credentialsFor(provider);
		const credentials = {
			...others,
			voiceManagementSupervisorApi: { ...voiceManagementSupervisorApi, voiceUrl: server.url },
		};
		const shown = await loadOptions('getAgents', { parameters: {}, credentials });
		await server.close();
		expect(shown).toEqual([
			{ name: expect.stringMatching(/^Ada \[31m x{100,} \(501\)$/), value: '501' },
		]);
	});

	it('explain why they are empty', async () => {
		await expect(list('getAgents', { feed: 'account' })).rejects.toThrow(
			/does not name its agents/,
		);
		provider.control.refuseLogins(401);
		await expect(list('getGroups')).rejects.toThrow(/refused the login/);
		await provider.control.goAway();
		await expect(list('getTrunks')).rejects.toThrow(
			/^The names of the trunks could not be read: .*127\.0\.0\.1/,
		);
		await provider.control.listenAgain();
	});

	it('offer the events of the chosen types', async () => {
		const ofTrunks = EVENT_KINDS.filter(({ type }) => type === 'trunk')
			.sort((one, other) => one.name.localeCompare(other.name, 'en'))
			.map(({ event }) => event);
		expect(ofTrunks).toEqual(
			expect.arrayContaining(['connect_call', 'insert_call', 'delete_call']),
		);
		expect(
			(await list('getEvents', { notificationTypes: ['trunk'] })).map(({ value }) => value),
		).toEqual(ofTrunks);
		expect((await list('getEvents')).length).toBeGreaterThan(10);
	});
});
