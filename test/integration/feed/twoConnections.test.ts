/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Two connections with real sockets: one connection after the other is cut, and no event is missing or comes twice, and no
// gap is reported.
import { nth } from '../../support/present';
import { Case, makeScene, turnsUntil, type Scene, type Setting } from './harness';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Each connection is cut twice. */
const CUTS = 4;

const connections = ({ provider }: Scene) =>
	provider.control.sockets().filter(({ initialised }) => initialised);

/** Waits for this many connections; the feed's own waits are skipped. */
const untilLines = async (scene: Scene, count: number) =>
	await scene.turning(() => connections(scene).length === count, `${count} connections`);

/** Waits until the provider no longer counts a connection. */
async function untilGone({ provider: { control } }: Scene, id: string) {
	await control.waitFor(() => !control.sockets().some((socket) => socket.id === id));
}

/** Waits until both connections were seen to work, while events arrive. */
async function untilPaired({ recorder, subscription }: Scene) {
	const { duplicates } = subscription.counters();
	await recorder.until(() => subscription.counters().duplicates > duplicates, 'events of both');
}

/**
 * Waits until both connections, which were open before the first event, have delivered every event: nothing is in transit.
 */
async function untilBothBrought({ recorder, subscription }: Scene) {
	const { length } = recorder.events;
	await turnsUntil(() => subscription.counters().duplicates >= length, 'the copies');
}

describe.each([
	[4, 'supervisor'],
	[2, 'account'],
] as const)('two connections on Socket.IO %i, %s feed', (socketio, feed) => {
	const run = new Case();
	afterEach(() => run.end());

	const open = async (given: Partial<Setting> = {}) => {
		const scene = await makeScene(run, {
			socketio,
			account: feed === 'account',
			options: { redundantConnection: true },
			...given,
		});
		await scene.live();
		await scene.provider.control.waitFor(() => connections(scene).length > 0);
		return scene;
	};

	it('loses nothing while one connection after the other is cut', async () => {
		const scene = await open();
		const { recorder, provider, subscription } = scene;
		await untilLines(scene, 2);
		const stop = scene.traffic();
		await recorder.until(({ events }) => events.length >= 20, 'the first events');
		for (let count = 1; count <= CUTS; count++) {
			await untilPaired(scene);
			// A connection that breaks as soon as the other one opens may show that the provider allows one session.
			await scene.clock.turn(2 * SECOND);
			// With long polling a connection may have no request under way at the moment.
			const { id } = nth(connections(scene), count % 2);
			const cut = () => provider.control.destroySockets({ socket: id });
			const timer = setInterval(cut, 5);
			await recorder
				.until(() => recorder.count('connection_lost') === count, 'the loss of a connection')
				.finally(() => clearInterval(timer));
			await untilGone(scene, id);
			await untilLines(scene, 2);
		}
		await untilPaired(scene);
		stop();
		const result = await scene.compare();
		expect(result).toEqual({ duplicates: [], lost: [], missing: [], ordered: true });
		expect(recorder.count('gap')).toBe(0);
		expect(recorder.count('disconnected')).toBe(0);
		expect(scene.loginsAtOnce()).toBe(1);
		expect(scene.loginsTried()).toBe(2 + CUTS);
		await subscription.close();
		await provider.control.waitFor((control) => control.sockets().length === 0);
	});

	it('replaces a connection before its token ends', async () => {
		const scene = await open();
		const { recorder, subscription } = scene;
		await untilLines(scene, 2);
		const stop = scene.traffic();
		await recorder.until(
			() => subscription.counters().duplicates > 20,
			'events of both connections',
		);
		const before = connections(scene).map(({ id }) => id);
		await untilPaired(scene);
		// Two hours pass at once, so a copy in transit would arrive two hours late.
		stop();
		await scene.arrived();
		await untilBothBrought(scene);
		const isGone = () => !connections(scene).some(({ id }) => id === nth(before, 0));
		await scene.turning(isGone, 'the renewal');
		const stopAgain = scene.traffic();
		await untilLines(scene, 2);
		expect(connections(scene).map(({ id }) => id)).toContain(nth(before, 1));
		await untilPaired(scene);
		stopAgain();
		// Their order is tested by the simulation: the clock that is advanced here ends waits while events are in
		// transit.
		expect(await scene.compare()).toMatchObject({ duplicates: [], missing: [] });
		expect(recorder.count('gap')).toBe(0);
	});

	it.each([
		['ends the older connection', { singleSession: true }, 3],
		['rejects the second login', { secondLogin: 'refuse' }, 2],
	] as const)('keeps one connection if the provider %s', async (_what, rule, logins) => {
		const scene = await open({ provider: rule });
		const { recorder } = scene;
		const stop = scene.traffic();
		const told = () =>
			recorder.of('connection_lost').some(({ reason }) => reason.includes('one session'));
		await scene.turning(told, 'what the provider allows');
		await scene.clock.turn(9 * MINUTE);
		stop();
		expect(await scene.compare()).toMatchObject({ duplicates: [], missing: [], ordered: true });
		expect(scene.loginsTried()).toBe(logins);
		expect(connections(scene)).toHaveLength(1);
	});
});
