// What the error workflow is told about a feed that does not hold, through the whole trigger.

import type { FeedOptions } from '../../../../nodes/VoiceManagementTrigger/feed/types';
import { listen } from '../../../support/production';

const MINUTE = 60_000;

it('a provider that ends each connection soon is one outage, reported once with what may be the cause', async () => {
	const { clock, provider, failed, close } = await listen();
	provider.handshake = 'throwOut';
	for (const socket of provider.live) provider.disconnect(socket);
	await clock.turn(4 * MINUTE);
	expect(failed).toEqual([]);
	await clock.turn(60 * MINUTE);
	expect(failed.map(({ message }) => message)).toEqual([
		expect.stringMatching(
			/^No connection to the provider has lasted since |^Nothing has been heard/,
		),
	]);
	expect(failed[0]?.description).toMatch(
		/ends each connection soon after it was opened.*allow one session per login.*Init Arguments/,
	);
	expect(failed[0]?.description).not.toContain('nothing to do in n8n');
	await close();
});

it('so is another n8n that takes the only session away again and again', async () => {
	const { clock, provider, failed, close } = await listen();
	for (let minute = 0; minute < 30; minute++) {
		await clock.turn(MINUTE / 2);
		provider.send();
		for (const socket of provider.live) provider.disconnect(socket);
	}
	expect(failed).toHaveLength(1);
	expect(failed[0]?.message).toContain('No connection to the provider has lasted since');
	await close();
});

it('a short connection in an outage that was reported hides no refusal that follows, and is no new outage', async () => {
	const { clock, provider, failed, close } = await listen();
	provider.send();
	provider.login = 'unreachable';
	for (const socket of provider.live) provider.drop(socket);
	await clock.turn(7 * MINUTE);
	expect(failed).toHaveLength(1);
	for (let time = 0; time < 3; time++) {
		provider.login = 'accept';
		while (provider.live.length === 0) await clock.turn(1_000);
		provider.send();
		await clock.turn(20_000);
		provider.login = 'unreachable';
		for (const socket of provider.live) provider.drop(socket);
		await clock.turn(8 * MINUTE);
	}
	expect(failed).toHaveLength(1);
	provider.login = { statusCode: 401, headers: {}, body: { err_msg: 'Account locked' } };
	await clock.turn(60 * MINUTE);
	expect(failed.map(({ message }) => message)).toEqual([
		expect.stringContaining('No connection to the provider has lasted'),
		expect.stringContaining('Account locked'),
	]);
	await close();
});

it('the gap says how it began, and why it lasted', async () => {
	const { clock, provider, of, close } = await listen({ emitFeedStatus: true });
	provider.send();
	await clock.turn(5 * MINUTE);
	provider.login = { statusCode: 401, headers: {}, body: { err_msg: 'Account locked' } };
	for (const socket of provider.live) provider.drop(socket, 'ping timeout');
	await clock.turn(5 * MINUTE);
	provider.login = 'accept';
	await clock.turn(40 * MINUTE);
	expect(of('gap').map(({ reason }) => reason)).toEqual(['ping timeout; then: Account locked']);
	await close();
});

it('a workflow that is unpublished in an outage is told what it has missed until then', async () => {
	const { clock, provider, items, of, close } = await listen({ emitFeedStatus: true });
	provider.send();
	await clock.turn(5 * MINUTE);
	provider.login = 'unreachable';
	for (const socket of provider.live) provider.drop(socket, 'ping timeout');
	await clock.turn(30 * MINUTE);
	expect(of('gap')).toEqual([]);
	await close();
	expect(of('gap')).toMatchObject([{ reason: 'ping timeout' }]);
	const { from, to } = of('gap')[0] as { from: string; to: string };
	expect(Date.parse(to) - Date.parse(from)).toBeGreaterThanOrEqual(30 * MINUTE);
	expect(items.at(-1)).toBe(of('gap')[0]);
});

it.each<[string, 'worked' | 'new', 'unreachable' | 'webPage' | 'unreadable', RegExp]>([
	[
		'that worked',
		'worked',
		'unreachable',
		/reconnects by itself, and there is nothing to do in n8n/,
	],
	['that never worked', 'new', 'unreachable', /goes on trying\. No connection has worked since/],
	[
		'that worked, and shows a web page',
		'worked',
		'webPage',
		/as soon as the provider answers as before/,
	],
	['that never worked, and shows a web page', 'new', 'webPage', /somebody has to correct this/],
	[
		'that worked, whose credential n8n cannot read any more',
		'worked',
		'unreadable',
		/somebody has to correct this/,
	],
])('an outage of a provider %s says what is to be done', async (_name, past, now, said) => {
	let isUnreadable = false;
	const login: FeedOptions['login'] = async (...given) => {
		if (!isUnreadable) return await provider.options().login(...given);
		const reason = "n8n can't read the credential";
		return {
			headers: {},
			problem: { kind: 'failed', reason, permanent: true, credential: 'unreadable' },
		};
	};
	const { clock, provider, failed, close } = await listen({}, { feed: { login } });
	if (past === 'worked') await clock.turn(10 * MINUTE);
	isUnreadable = now === 'unreadable';
	provider.login =
		now !== 'webPage'
			? 'unreachable'
			: { statusCode: 200, headers: { 'content-type': 'text/html' }, body: '<html>Down</html>' };
	for (const socket of provider.live) provider.drop(socket);
	await clock.turn(10 * MINUTE);
	expect(failed).toHaveLength(1);
	expect(failed[0]?.description).toMatch(said);
	await close();
});
