/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A real Socket.IO server that keeps what it sends to a connection that broke ("connection state recovery").
import { Case, makeScene, type Scene } from './harness';

const run = new Case();
afterEach(() => run.end());

const server = { socketio: 4, provider: { recovery: 60_000 } } as const;

/** A server notices the end of long polling with the next poll only. */
const upgraded = async ({ provider }: Scene) =>
	await provider.control.waitFor((control) =>
		control.sockets().every(({ transport }) => transport === 'websocket'),
	);

/** Cuts the connection, and sends while none is open. */
async function cut(scene: Scene): Promise<void> {
	await scene.arrived();
	await upgraded(scene);
	const length = scene.recorder.count('connected');
	await scene.losing(() => scene.proxy.cut());
	for (let missed = 0; missed < 3; missed++) scene.send();
	await scene.arrived();
	await scene.recorder.until((one) => one.count('connected') > length, 'the connection');
}

it('cut 20 times at 50 events a second, nothing is missing, and no gap is reported', async () => {
	const scene = await makeScene(run, server);
	await scene.connected();
	const timer = setInterval(() => scene.send(), 20);
	run.onEnd(() => clearInterval(timer));
	for (let times = 0; times < 20; times++) await cut(scene);
	clearInterval(timer);
	expect(await scene.compare()).toEqual({ duplicates: [], lost: [], missing: [], ordered: true });
	expect(scene.recorder.count('gap')).toBe(0);
	expect(scene.recorder.of('connected').map(({ continuous }) => continuous)).toEqual([
		null,
		...Array.from({ length: 20 }, () => true),
	]);
});

it('a connection that was continued is continued again, even if nothing came in between', async () => {
	const scene = await makeScene(run, server);
	await scene.connected();
	await scene.arrived();
	for (let times = 0; times < 3; times++) {
		await upgraded(scene);
		const length = scene.recorder.count('connected');
		await scene.losing(() => scene.proxy.cut());
		await scene.connected();
		await scene.recorder.until((one) => one.count('connected') > length, 'the connection');
	}
	expect(scene.recorder.of('connected').map(({ continuous }) => continuous)).toEqual([
		null,
		...[true, true, true],
	]);
	expect(scene.recorder.count('gap')).toBe(0);
});

it('each event comes as it was sent, without the position in the history', async () => {
	const scene = await makeScene(run, server);
	await scene.connected();
	const { provider, recorder } = scene;
	provider.control.send('queue', 'insert_call', { id_call: 7 });
	await recorder.until(({ events }) => events.length === 1, 'the event');
	expect(recorder.events[0]?.msg).toEqual({ id_call: 7 });
	expect(Object.keys(recorder.events[0]?.raw ?? {})).toEqual(['cpt', 'elapse', 'ts', 'event']);
	expect(recorder.count('gap')).toBe(0);
});

it('a renewal begins anew, and what the renewed connection misses is recovered', async () => {
	const scene = await makeScene(run, server);
	await scene.connected();
	const stop = scene.traffic();
	await scene.renewing();
	await scene.renewed();
	await cut(scene);
	stop();
	expect(await scene.compare()).toEqual({ duplicates: [], lost: [], missing: [], ordered: true });
	expect(scene.recorder.count('gap')).toBe(0);
});

it('what a server does not keep long enough lies in a gap', async () => {
	const scene = await makeScene(run, { socketio: 4, provider: { recovery: 1 } });
	await scene.connected();
	await cut(scene);
	const { lost, missing } = await scene.compare();
	expect({ lost, missing: missing.length }).toEqual({ lost: [], missing: 3 });
	expect(scene.recorder.count('gap')).toBe(1);
	expect(scene.recorder.of('connected').map(({ continuous }) => continuous)).toEqual([null, false]);
});
