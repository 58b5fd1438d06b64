import { probeGeneration, ProbeFailed } from '../../../../nodes/VoiceManagementTrigger/feed/probe';
import { coded, makeWorld, settle } from '../../../support/world';

const probe = async (statusCode: number, body: unknown) => {
	const urls: string[] = [];
	const get = async (url: string) => {
		urls.push(url);
		return { statusCode, headers: {}, body };
	};
	const generation = await probeGeneration(get, 'https://voice.example.com', '/socket.io/');
	return { generation, urls };
};

describe('the generation of a service', () => {
	it.each<[string, number, unknown, 2 | 4]>([
		['a handshake of Socket.IO 3 or 4', 200, '0{"sid":"a/b","upgrades":[]}', 4],
		['a handshake of Socket.IO 1 or 2', 200, '95:0{"sid":"a/b","upgrades":[]}2:40', 2],
		[
			'"unsupported protocol version"',
			400,
			{ code: 5, message: 'Unsupported protocol version' },
			2,
		],
		['the same as text', 400, '{"code":5,"message":"Unsupported protocol version"}', 2],
	])('is told by %s', async (_name, status, body, expected) => {
		expect((await probe(status, body)).generation).toBe(expected);
	});

	it.each<[string, number, unknown, string]>([
		[
			'a page',
			200,
			'<html>',
			'voice.example.com is not a Socket.IO server at /socket.io/ (status 200)',
		],
		['404', 404, 'Not found', 'is not a Socket.IO server'],
		['JSON of something else', 200, { hello: 1 }, 'is not a Socket.IO server'],
		['503', 503, '', 'answers with status 503'],
		['a refusal', 403, { code: 4, message: 'Forbidden' }, 'refused the connection: Forbidden'],
	])('is not told by %s, which is explained', async (_name, status, body, sentence) => {
		await expect(probe(status, body)).rejects.toThrow(ProbeFailed);
		await expect(probe(status, body)).rejects.toThrow(sentence);
	});

	it('is asked without leaving a session: overlapping polls end the one that the handshake opened', async () => {
		const { urls } = await probe(200, '95:0{"sid":"a/b"}');
		expect(urls).toHaveLength(4);
		expect(urls.slice(1).every((url) => url.includes('EIO=3&sid=a%2Fb'))).toBe(true);
	});

	it('explains an error of the network', async () => {
		const get = async () => {
			throw coded('ENOTFOUND');
		};
		await expect(probeGeneration(get, 'https://voice.example.com', '/socket.io/')).rejects.toThrow(
			'was not found',
		);
	});

	it('is remembered for the service, and asked again after a failure', async () => {
		const world = makeWorld();
		const asked = () => world.operator.gets.filter((url) => !url.includes('sid=')).length;
		await world.subscribe({ protocol: 'auto' }).subscription.first;
		await world.clock.turn(60_000);
		expect(asked()).toBe(1);
		world.operator.disconnect(world.operator.live[0]);
		await settle();
		expect(world.operator.live).toHaveLength(1);
		expect(asked()).toBe(1);
		// The service comes back with the other generation: the client of the first fails, the probe tells.
		world.operator.probe = { statusCode: 200, headers: {}, body: '9:0{"sid":"x"}' };
		world.operator.handshake = 'fail';
		world.operator.drop(world.operator.live[0]);
		await world.clock.turn(10_000);
		expect(asked()).toBeGreaterThan(1);
		world.operator.handshake = 'accept';
		await world.clock.turn(60_000);
		expect(world.operator.live[0].options.protocol).toBe(2);
	});

	it('is not asked where the user has set it', async () => {
		const world = makeWorld();
		await world.subscribe({ protocol: '2' }).subscription.first;
		expect(world.operator.gets).toHaveLength(0);
		expect(world.operator.live[0].options.protocol).toBe(2);
	});
});
