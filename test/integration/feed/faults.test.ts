/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Aspects of a fault that only real sockets can show: how each client notices it, and that the feed copes. What the
// feed does about outages, renewals, rejected logins and numbers is tested by the simulation (test/simulation). Each
// case ends with the promises to a user: no event twice, none missing outside reported gaps, in order, over one
// connection, and nothing after the end of the subscription.
import { nth } from '../../support/present';
import { Case, makeScene, type Scene, type Setting } from './harness';

interface Fault extends Omit<Setting, 'socketio'> {
	name: string;
	/** Causes the fault, while events arrive. */
	act: (scene: Scene) => unknown;
	/** Whether events have to get lost; if false, none may be. By default either is accepted. */
	loses?: boolean;
}

const reconnected = async ({ recorder }: Scene, count = 2) =>
	await recorder.until(() => recorder.count('connected') === count, `connection ${count}`);

const anEvent = async (scene: Scene) => {
	const { length } = scene.recorder.events;
	await scene.until(({ events }) => events.length > length, 'an event');
};

/** Breaks the connection in this way, again and again. */
const breaking = (fault: (scene: Scene) => unknown) => async (scene: Scene) => {
	for (let count = 1; count <= 3; count++) {
		await scene.losing(() => fault(scene));
		await scene.connected();
		await anEvent(scene);
	}
};

/** Ends the TCP connection below the feed; with long polling there may be none at the moment. */
async function destroy({ provider, recorder }: Scene) {
	const lost = recorder.count('disconnected');
	const timer = setInterval(() => provider.control.destroySockets(), 5);
	await recorder
		.until(() => recorder.count('disconnected') > lost, 'the loss')
		.finally(() => clearInterval(timer));
}

/** The missing ping of a dead connection is noticed after 0.6 s. */
const QUICK_PINGS = { pingInterval: 300, pingTimeout: 300 };

const goingHalfOpen = (direction: 'both' | 'down') => async (scene: Scene) => {
	await scene.losing(() => scene.proxy.halfOpen(direction));
	scene.proxy.heal();
	// Connections that HTTP clients keep open are half-open as well.
	scene.proxy.cut();
	await scene.live();
};

const faults: Fault[] = [
	{
		name: 'the provider ends the connection',
		act: breaking(({ provider }) => provider.control.disconnectSockets()),
	},
	{ name: 'the provider destroys the TCP connection', act: breaking(destroy), loses: true },
	// If an upgrade is interrupted, a polling session is left behind, whose end an old server only notices by its
	// pings.
	{
		name: 'the TCP connection is reset',
		provider: QUICK_PINGS,
		act: breaking(({ proxy }) => proxy.cut()),
		loses: true,
	},
	{
		name: 'the TCP connection is ended by a proxy',
		provider: QUICK_PINGS,
		act: breaking(({ proxy }) => proxy.cut('end')),
		loses: true,
	},
	{
		name: 'the peer vanishes silently',
		provider: QUICK_PINGS,
		act: goingHalfOpen('both'),
		loses: true,
	},
	{
		name: 'only what the provider sends is lost',
		provider: QUICK_PINGS,
		act: goingHalfOpen('down'),
		loses: true,
	},
	{
		name: 'the network becomes slow',
		act: async (scene) => {
			scene.proxy.delay(80);
			for (let waited = 0; waited < 3; waited++) await anEvent(scene);
		},
		loses: false,
	},
	{
		name: 'the provider is away',
		provider: QUICK_PINGS,
		act: async (scene) => {
			await scene.losing(() => scene.provider.control.goAway());
			await scene.failures(6);
			await scene.provider.control.listenAgain();
		},
		loses: true,
	},
	{
		name: 'a proxy refuses every connection',
		provider: QUICK_PINGS,
		act: async (scene) => {
			await scene.losing(() => {
				scene.proxy.refuse();
				scene.proxy.cut();
			});
			await scene.failures(6);
			scene.proxy.heal();
		},
		loses: true,
	},
	{
		name: 'sockets connect and nothing ever gets through',
		provider: QUICK_PINGS,
		act: async (scene) => {
			await scene.losing(() => {
				scene.proxy.halfOpen();
				scene.proxy.cut();
			});
			for (let count = 0; count < 2; count++) {
				await hanging(scene, async () => await scene.proxy.waitForOpen(1));
			}
			scene.proxy.heal();
			scene.proxy.cut();
		},
		loses: true,
	},
	{
		name: 'the login fails in every way',
		act: async (scene) => {
			const { control } = scene.provider;
			for (const how of [500, 'html', 'destroy'] as const) {
				control.refuseLogins(how);
				if (how === 500) control.disconnectSockets();
				await scene.failures(1);
			}
			control.refuseLogins('hang');
			await hanging(scene, requested(scene, 'login'));
			control.refuseLogins(null);
		},
		loses: true,
	},
	{
		name: 'the handshake of Socket.IO fails in every way',
		act: async (scene) => {
			const { control } = scene.provider;
			for (const how of [403, 503, 'html', 'destroy'] as const) {
				control.refuseHandshakes(how);
				if (how === 403) control.disconnectSockets();
				await scene.failures(1);
			}
			control.refuseHandshakes('hang');
			await hanging(scene, requested(scene, 'feed'));
			control.refuseHandshakes(null);
		},
		loses: true,
	},
	{
		name: 'payloads in every odd form arrive',
		act: async (scene) => {
			const { control } = scene.provider;
			const long = 'x'.repeat(1_000_000);
			const deep = `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`;
			const before = scene.recorder.events.length;
			const odd = [
				{ type_notification: 'num', srv: 1, event: 'start', msg: { id_call: '-7', mark: 1 } },
				{ event: { msg: { mark: 2, long }, type_notification: 'operator', event: 'status' } },
				{ event: { msg: { mark: 3, deep: JSON.parse(deep) as unknown } } },
				JSON.parse(
					'{"__proto__":{"polluted":1},"constructor":1,"event":{"msg":{"mark":4}}}',
				) as object,
				{ event: { type_notification: 'unheard', event: 'of' } },
				{ cpt: 'x', msg: null },
				{},
			];
			for (const [index, payload] of odd.entries()) {
				control.push(payload, { form: (['args', 'array', 'text'] as const)[index % 3] });
			}
			control.pushRaw('update', [Buffer.from('{"event":{"msg":{"mark":8}}}')]);
			const odds = () =>
				scene.recorder.events.slice(before).filter(({ msg }) => msg.n === undefined);
			await scene.recorder.until(() => odds().length === 8, 'the odd payloads');
			const none = undefined;
			expect(odds().map(({ msg }) => msg.mark)).toEqual([1, 2, 3, 4, none, none, none, 8]);
			expect(({} as { polluted?: number }).polluted).toBeUndefined();
			expect(nth(odds(), 1).msg.long).toBe(long);
		},
		loses: false,
	},
	{
		name: 'two thousand events arrive at once in the middle of a renewal',
		act: async (scene) => {
			await scene.renewing();
			await scene.provider.control.waitFor(
				(control) => control.sockets().filter(({ initialised }) => initialised).length === 2,
			);
			for (let sent = 0; sent < 2_000; sent++) scene.send();
			await scene.renewed();
		},
		loses: false,
	},
	{
		name: 'the connection of an account feed is cut, and its token renewed',
		account: true,
		act: async (scene) => {
			await destroy(scene);
			await scene.live();
			await reconnected(scene);
			await scene.provider.control.waitForSockets(1);
			await scene.renewing();
			await scene.renewed();
			await scene.provider.control.waitForSockets(1);
			expect(scene.provider.control.sockets()).toMatchObject([{ kind: 'api', target: '4242' }]);
		},
		loses: true,
	},
];

/** Resolves at the next request of this kind. */
function requested({ provider: { control } }: Scene, area: 'login' | 'feed') {
	const requests = () => control.requests({ area }).length;
	const before = requests();
	return async () => await control.waitFor(() => requests() > before);
}

/** The next attempt, which gets no response, until its time is up. */
async function hanging({ clock, subscription }: Scene, begun: () => Promise<void>) {
	while (subscription.state() === 'waiting') await clock.turnToNext();
	await begun();
	while (subscription.state() !== 'waiting') await clock.turnToNext();
}

describe('the feed, when', () => {
	const run = new Case();
	afterEach(() => run.end());

	/** The promises, from the last event to the end of the subscription. */
	async function keepsItsPromises(scene: Scene, loses?: boolean) {
		const result = await scene.compare();
		expect(result).toMatchObject({ duplicates: [], lost: [], ordered: true });
		if (loses !== undefined) expect(result.missing.length > 0).toBe(loses);
		expect(scene.loginsAtOnce()).toBe(1);
		await scene.provider.control.waitFor((control) => control.sockets().length === 1);
		await scene.subscription.close();
		await scene.provider.control.waitFor((control) => control.sockets().length === 0);
	}

	/** Runs both versions side by side, since most of a fault is waiting until it is noticed. */
	const withBoth = async (play: (socketio: 4 | 2) => Promise<void>) => {
		const played = ([4, 2] as const).map(async (socketio) => {
			await play(socketio).catch((error: unknown) => {
				throw new Error(`Not on Socket.IO ${socketio}`, { cause: error });
			});
		});
		await Promise.all(played);
	};

	it.each(faults)('$name', async ({ act, loses, ...setting }) => {
		await withBoth(async (socketio) => {
			const scene = await makeScene(run, { ...setting, socketio });
			await scene.connected();
			const stop = scene.traffic();
			// Enough to recognize the numbering.
			await scene.until(({ events }) => events.length >= 20, 'the first events');
			await act(scene);
			await scene.live();
			await anEvent(scene);
			stop();
			await keepsItsPromises(scene, loses);
		});
	});

	it('the provider is down when the feed is opened', async () => {
		await withBoth(async (socketio) => {
			const scene = await makeScene(run, {
				socketio,
				before: ({ provider }) => provider.control.stopListening(),
			});
			expect(await scene.subscription.first).toMatchObject({ kind: 'unreachable' });
			await scene.provider.control.listenAgain();
			await scene.live();
			await keepsItsPromises(scene, false);
		});
	});
});
