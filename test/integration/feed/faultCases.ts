// Faults, one by one, against real servers of both generations behind a TCP proxy. Each case compares what was sent
// with what came: nothing doubled, nothing lost outside the gaps that the feed reported, one socket in the end, as many
// logins as expected, and the states passed. The feed's own delays run on a faster clock; sockets and pings are real.
import type { FeedState } from '../../../nodes/VoiceManagementTrigger/feed/types';
import { Case, makeScene, type Scene, type Setting } from './harness';
import { nth } from '../../../simulator/present';

interface Fault extends Omit<Setting, 'socketio'> {
	name: string;
	/** Does the fault, with events coming in, and waits until the feed has coped. */
	act(scene: Scene): Promise<unknown>;
	/** Logins tried, first one included: exactly, or at least and at most. */
	logins: number | [number, number];
	/** States passed after the first connection, in this order (others may lie between where there is '…'). */
	states: Array<FeedState | '…'>;
	/** Gaps reported: exactly, or at least and at most. */
	gaps?: number | [number, number];
	/** Refusals told. */
	refused?: number | [number, number];
	/** The operator is left with a connection whose end it has not heard of. */
	leavesHalfOpen?: boolean;
	/** Some events must have been lost for the case to mean anything. */
	loses?: boolean;
}

const RECONNECTED: FeedState[] = ['waiting', 'authenticating', 'connecting', 'live'];
const AT_ONCE: FeedState[] = ['authenticating', 'connecting', 'live'];
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Cuts the feed's connections and the way back in one go. */
const away = async ({ operator, recorder }: Scene) => {
	await operator.control.goAway();
	await recorder.until(() => recorder.count('disconnected') > 0, 'the loss');
};

/** Ends the TCP connection below the feed; in long polling there may be none at the moment. */
async function destroy({ operator, recorder }: Scene) {
	const lost = recorder.count('disconnected') + 1;
	const timer = setInterval(() => operator.control.destroySockets(), 5);
	await recorder
		.until(() => recorder.count('disconnected') === lost, 'the loss')
		.finally(() => clearInterval(timer));
}

/** Makes the next attempts fail in some way, breaks the connection, waits for failures, then heals. */
function failing(
	break_: (scene: Scene) => unknown,
	heal: (scene: Scene) => unknown,
	attempts: number,
) {
	return async (scene: Scene) => {
		await break_(scene);
		scene.proxy.cut();
		const tried = scene.loginsTried();
		await scene.recorder.until(
			() => scene.loginsTried() >= tried + attempts,
			'the attempts',
			20_000,
		);
		await heal(scene);
		await scene.state('live', 20_000);
	};
}

/** Refuses logins, ends the connection, waits for the refusal to be told; then a new subscriber tries at once. */
function refusing(how: 401 | 403 | 'noSession') {
	return async (scene: Scene) => {
		const { operator, recorder } = scene;
		operator.control.refuseLogins(how);
		operator.control.disconnectSockets();
		await recorder.until(() => recorder.count('refused') === 1, 'the refusal');
		expect(scene.subscription.state()).toBe('refused');
		const { at, retryAt, first, reason } = nth(recorder.of('refused'), 0);
		expect({ first, slow: retryAt - at >= 30 * SECOND }).toEqual({ first: true, slow: true });
		expect(reason).not.toBe('');
		const tried = scene.loginsTried();
		await scene.pass(20 * SECOND);
		expect(scene.loginsTried()).toBe(tried);
		operator.control.refuseLogins(null);
		const { subscription } = scene.join();
		expect(await subscription.first).toEqual({ kind: 'live' });
		await subscription.close();
	};
}

const renewed = async ({ recorder, subscription }: Scene, count = 1) =>
	await recorder.until(
		() => subscription.counters().renewals >= count && subscription.state() === 'live',
		`${count} renewals`,
		20_000,
	);

const faults: Fault[] = [
	// The connection
	{
		name: 'the operator ends the connection properly',
		act: async (scene) => {
			scene.operator.control.disconnectSockets();
			await scene.recorder.until((recorder) => recorder.count('connected') === 2, 'it');
		},
		logins: [2, 3],
		// In long polling the end of the transport can overtake the operator's goodbye.
		states: ['…', 'live'],
		gaps: 1,
	},
	{
		name: 'the operator ends two connections in a row',
		act: async (scene) => {
			for (const connected of [2, 3]) {
				scene.operator.control.disconnectSockets();
				await scene.recorder.until(() => scene.recorder.count('connected') === connected, 'it');
				await scene.operator.control.waitForSockets(1);
			}
		},
		logins: 3,
		states: [...AT_ONCE, ...RECONNECTED],
		gaps: [1, 2],
	},
	{
		name: 'the TCP connection is cut',
		act: async (scene) => {
			await destroy(scene);
			await scene.recorder.until(() => scene.recorder.count('connected') === 2, 'it');
		},
		logins: 2,
		states: RECONNECTED,
		gaps: 1,
		loses: true,
	},
	{
		name: 'the TCP connection is reset',
		act: async (scene) => {
			scene.proxy.cut('reset');
			await scene.recorder.until(() => scene.recorder.count('connected') === 2, 'it');
		},
		logins: 2,
		states: RECONNECTED,
		gaps: 1,
		loses: true,
	},
	{
		name: 'the proxy ends all connections with FIN',
		act: async (scene) => {
			scene.proxy.cut('end');
			await scene.recorder.until(() => scene.recorder.count('connected') === 2, 'it');
		},
		logins: 2,
		states: RECONNECTED,
		gaps: 1,
		loses: true,
	},
	{
		name: 'the connection is cut five times',
		act: async (scene) => {
			for (let cut = 2; cut <= 6; cut++) {
				scene.proxy.cut('reset');
				await scene.recorder.until(() => scene.recorder.count('connected') === cut, 'it');
				const { length } = scene.recorder.events;
				await scene.recorder.until(({ events }) => events.length > length, 'an event');
			}
		},
		logins: [6, 8],
		states: [...RECONNECTED, '…', ...RECONNECTED],
		gaps: [5, 5],
		loses: true,
	},
	{
		name: 'the connection goes half-open: the peer is gone without a word',
		operator: { pingInterval: 300, pingTimeout: 300 },
		act: async (scene) => {
			scene.proxy.halfOpen();
			await scene.recorder.until(
				() => scene.recorder.count('disconnected') === 1,
				'the loss',
				3_000,
			);
			scene.proxy.heal();
			scene.proxy.cut();
			await scene.state('live', 20_000);
		},
		logins: [2, 4],
		states: ['waiting', 'authenticating', '…', 'live'],
		gaps: 1,
		loses: true,
	},
	{
		name: 'the connection goes half-open in the direction of the events alone',
		operator: { pingInterval: 300, pingTimeout: 300 },
		act: async (scene) => {
			scene.proxy.halfOpen('down');
			await scene.recorder.until(
				() => scene.recorder.count('disconnected') === 1,
				'the loss',
				3_000,
			);
			scene.proxy.heal();
			scene.proxy.cut();
			await scene.state('live', 20_000);
		},
		logins: [2, 4],
		states: ['waiting', 'authenticating', '…', 'live'],
		gaps: 1,
		loses: true,
	},
	{
		name: 'the network becomes slow',
		act: async (scene) => {
			scene.proxy.delay(80);
			await scene.pass(10 * SECOND);
		},
		logins: 1,
		states: [],
		gaps: 0,
	},
	{
		name: 'the operator is away for a minute',
		act: async (scene) => {
			await away(scene);
			await scene.pass(MINUTE);
			await scene.operator.control.listenAgain();
			await scene.state('live', 20_000);
		},
		logins: [4, 9],
		states: ['waiting', 'authenticating', 'waiting', '…', 'live'],
		gaps: 1,
		loses: true,
	},
	{
		name: 'the operator is away for three minutes',
		speed: 20,
		act: async (scene) => {
			await away(scene);
			await scene.pass(3 * MINUTE);
			await scene.operator.control.listenAgain();
			await scene.state('live', 20_000);
		},
		logins: [6, 14],
		states: ['waiting', 'authenticating', 'waiting', '…', 'live'],
		gaps: 1,
		loses: true,
	},
	{
		name: 'the proxy refuses connections for a minute',
		act: async (scene) => {
			scene.proxy.refuse();
			scene.proxy.cut();
			await scene.pass(MINUTE);
			scene.proxy.heal();
			await scene.state('live', 20_000);
		},
		logins: [4, 9],
		states: ['waiting', 'authenticating', 'waiting', '…', 'live'],
		gaps: 1,
		loses: true,
	},
	{
		name: 'sockets connect but nothing ever gets through',
		operator: { pingInterval: 300, pingTimeout: 300 },
		act: async (scene) => {
			scene.proxy.halfOpen();
			scene.proxy.cut();
			const tried = scene.loginsTried();
			await scene.recorder.until(() => scene.loginsTried() >= tried + 2, 'two attempts', 20_000);
			scene.proxy.heal();
			scene.proxy.cut();
			await scene.state('live', 20_000);
		},
		logins: [3, 6],
		states: ['waiting', 'authenticating', 'waiting', 'authenticating', '…', 'live'],
		gaps: 1,
		loses: true,
	},
	// Logins
	{
		name: 'the login is refused with 401 after a disconnect',
		act: refusing(401),
		logins: 3,
		states: ['authenticating', 'refused', ...AT_ONCE],
		gaps: 1,
		refused: 1,
		loses: true,
	},
	{
		name: 'the login is refused with 403 after a disconnect',
		act: refusing(403),
		logins: 3,
		states: ['authenticating', 'refused', ...AT_ONCE],
		gaps: 1,
		refused: 1,
		loses: true,
	},
	{
		name: 'the login answers 200 without id_session after a disconnect',
		act: refusing('noSession'),
		logins: 3,
		states: ['authenticating', 'refused', ...AT_ONCE],
		gaps: 1,
		refused: 1,
		loses: true,
	},
	{
		name: 'the login fails with 500',
		act: failing(
			({ operator }) => operator.control.refuseLogins(500),
			({ operator }) => operator.control.refuseLogins(null),
			3,
		),
		logins: [4, 6],
		states: ['waiting', 'authenticating', 'waiting', 'authenticating', '…', 'live'],
		gaps: 1,
		refused: 0,
		loses: true,
	},
	{
		name: 'the login is answered with an HTML page',
		act: failing(
			({ operator }) => operator.control.refuseLogins('html'),
			({ operator }) => operator.control.refuseLogins(null),
			3,
		),
		logins: [4, 6],
		states: ['waiting', 'authenticating', 'waiting', 'authenticating', '…', 'live'],
		gaps: 1,
		refused: 0,
		loses: true,
	},
	{
		name: 'the login request is cut',
		act: failing(
			({ operator }) => operator.control.refuseLogins('destroy'),
			({ operator }) => operator.control.refuseLogins(null),
			3,
		),
		logins: [4, 6],
		states: ['waiting', 'authenticating', 'waiting', 'authenticating', '…', 'live'],
		gaps: 1,
		refused: 0,
		loses: true,
	},
	{
		name: 'the login hangs',
		speed: 20,
		act: failing(
			({ operator }) => operator.control.refuseLogins('hang'),
			({ operator }) => operator.control.refuseLogins(null),
			2,
		),
		logins: [3, 5],
		states: ['waiting', 'authenticating', 'waiting', 'authenticating', '…', 'live'],
		gaps: 1,
		refused: 0,
		loses: true,
	},
	{
		name: 'the login is slow',
		act: async (scene) => {
			scene.operator.control.delayLogins(300);
			scene.operator.control.disconnectSockets();
			await scene.recorder.until(() => scene.recorder.count('connected') === 2, 'it');
		},
		logins: 2,
		states: AT_ONCE,
		gaps: 1,
		loses: true,
	},
	// Handshakes
	...([403, 503, 'html', 'destroy'] as const).map((how): Fault => ({
		name: `the Socket.IO handshake is refused (${how})`,
		act: failing(
			({ operator }) => operator.control.refuseHandshakes(how),
			({ operator }) => operator.control.refuseHandshakes(null),
			3,
		),
		logins: [4, 6],
		states: ['waiting', ...AT_ONCE.slice(0, 2), 'waiting', ...AT_ONCE.slice(0, 2), '…', 'live'],
		gaps: 1,
		refused: 0,
		loses: true,
	})),
	{
		name: 'the Socket.IO handshake hangs',
		speed: 20,
		act: failing(
			({ operator }) => operator.control.refuseHandshakes('hang'),
			({ operator }) => operator.control.refuseHandshakes(null),
			2,
		),
		logins: [3, 5],
		states: ['waiting', ...AT_ONCE.slice(0, 2), 'waiting', ...AT_ONCE.slice(0, 1), '…', 'live'],
		gaps: 1,
		loses: true,
	},
	{
		name: 'a proxy refuses upgrades to websocket',
		before: ({ proxy }) => proxy.dropUpgrades(),
		act: async (scene) => {
			await scene.pass(10 * SECOND);
			expect(scene.operator.control.sockets()).toMatchObject([{ transport: 'polling' }]);
		},
		logins: 1,
		states: [],
		gaps: 0,
	},
	// Tokens
	{
		name: 'the token ends and the operator disconnects',
		operator: { onExpiry: 'disconnect' },
		act: async (scene) => {
			scene.operator.control.expireTokens();
			await scene.recorder.until(() => scene.recorder.count('connected') === 2, 'it');
		},
		logins: 2,
		states: AT_ONCE,
		gaps: 1,
	},
	{
		name: 'the token ends and the operator goes silent',
		operator: { onExpiry: 'silence' },
		options: { silenceTimeoutMs: 20 * SECOND },
		act: async (scene) => {
			scene.operator.control.expireTokens();
			await renewed(scene);
		},
		logins: 2,
		states: ['renewing', 'live'],
		gaps: 1,
		loses: true,
	},
	{
		name: 'the token ends and the operator does not mind',
		operator: { onExpiry: 'nothing' },
		act: async (scene) => {
			scene.operator.control.expireTokens();
			await scene.pass(10 * SECOND);
		},
		logins: 1,
		states: [],
		gaps: 0,
	},
	{
		name: 'the token is renewed ahead of its end',
		speed: 5,
		operator: { tokenLifetime: 16 },
		act: (scene) => renewed(scene),
		logins: 2,
		states: ['renewing', 'live'],
		gaps: 0,
	},
	{
		name: 'the token is renewed three times in a row',
		speed: 5,
		operator: { tokenLifetime: 16 },
		act: (scene) => renewed(scene, 3),
		logins: 4,
		states: ['renewing', 'live', 'renewing', 'live', 'renewing', 'live'],
		gaps: 0,
	},
	{
		name: 'the operator lets one session in: the renewal cuts the older connection',
		speed: 5,
		operator: { tokenLifetime: 16, singleSession: true },
		act: (scene) => renewed(scene, 2),
		logins: 3,
		states: ['renewing', 'live', 'renewing', 'live'],
		gaps: 0,
	},
	{
		name: 'the operator refuses a second login: the connection is broken before the token ends',
		speed: 5,
		operator: { tokenLifetime: 16, secondLogin: 'refuse' },
		act: async (scene) => {
			await scene.recorder.until(
				() => scene.recorder.count('connected') === 2,
				'the new one',
				20_000,
			);
		},
		logins: [3, 12],
		states: ['renewing', 'authenticating', '…', 'live'],
		gaps: [0, 1],
		refused: [0, 6],
	},
	{
		name: 'the renewal fails for a while: the old connection goes on',
		speed: 5,
		operator: { tokenLifetime: 16 },
		act: async (scene) => {
			scene.operator.control.refuseLogins(500);
			await scene.state('renewing');
			const tried = scene.loginsTried();
			await scene.recorder.until(() => scene.loginsTried() >= tried + 3, 'three tries', 20_000);
			scene.operator.control.refuseLogins(null);
			await renewed(scene);
		},
		logins: [4, 8],
		states: ['renewing', 'live'],
		gaps: 0,
		refused: 0,
	},
	{
		name: 'the login of the renewal hangs: the old connection goes on',
		speed: 10,
		operator: { tokenLifetime: 20 },
		act: async (scene) => {
			scene.operator.control.refuseLogins('hang');
			await scene.state('renewing');
			const tried = scene.loginsTried();
			await scene.recorder.until(() => scene.loginsTried() > tried, 'the next try', 20_000);
			scene.operator.control.refuseLogins(null);
			await renewed(scene);
		},
		logins: [3, 5],
		states: ['renewing', 'live'],
		gaps: 0,
	},
	{
		name: 'the old connection ends while the renewal logs in',
		speed: 5,
		operator: { tokenLifetime: 16 },
		act: async (scene) => {
			scene.operator.control.delayLogins(300);
			await scene.state('renewing');
			scene.operator.control.disconnectSockets();
			await scene.recorder.until(() => scene.recorder.count('connected') === 2, 'the new one');
		},
		logins: 2,
		states: ['renewing', 'authenticating', 'connecting', 'live'],
		gaps: 1,
		loses: true,
	},
	{
		name: 'the old connection is half-open when the renewal comes',
		leavesHalfOpen: true,
		speed: 10,
		operator: { tokenLifetime: 80, pingInterval: 10_000, pingTimeout: 10_000 },
		act: async (scene) => {
			await scene.pass(10 * SECOND);
			scene.proxy.halfOpen();
			// Longer than an HTTP client keeps a connection that it does not use.
			await scene.pass(45 * SECOND);
			scene.proxy.heal();
			await renewed(scene);
		},
		logins: [2, 8],
		states: ['renewing', '…', 'live'],
		gaps: [1, 3],
		loses: true,
	},
	// Silence
	{
		name: 'the operator forgets the subscription and keeps the socket',
		options: { silenceTimeoutMs: 20 * SECOND },
		act: async (scene) => {
			scene.operator.control.silenceSockets();
			await renewed(scene);
		},
		logins: 2,
		states: ['renewing', 'live'],
		gaps: 1,
		loses: true,
	},
	{
		name: 'the operator keeps a socket and drops its init, again and again',
		options: { silenceTimeoutMs: 20 * SECOND },
		act: async (scene) => {
			for (let time = 1; time <= 3; time++) {
				scene.operator.control.silenceSockets();
				await renewed(scene, time);
			}
		},
		logins: 4,
		states: ['renewing', 'live', 'renewing', 'live', 'renewing', 'live'],
		gaps: [1, 3],
		loses: true,
	},
	// Numbering
	{
		name: 'the counter begins anew',
		act: async (scene) => {
			scene.operator.control.setCpt(0);
			await scene.pass(5 * SECOND);
		},
		logins: 1,
		states: [],
		gaps: 0,
	},
	{
		name: 'numbers are missing although the connection holds',
		act: async (scene) => {
			scene.operator.control.setCpt(scene.operator.control.counts().cpt + 5);
			await scene.recorder.until(() => scene.recorder.count('gap') === 1, 'the gap');
			expect(scene.recorder.of('gap')[0]).toMatchObject({ missed: 5 });
		},
		logins: 1,
		states: [],
		gaps: 1,
	},
	// Payloads
	{
		name: 'payloads that can not be read come between the others',
		act: async (scene) => {
			const { control } = scene.operator;
			for (const args of [
				[],
				[null],
				['text'],
				['{"half":'],
				[42],
				[true],
				[[]],
				[['update']],
				[['update', null]],
				[Buffer.from([1, 2, 3])],
			]) {
				control.pushRaw('update', args);
				scene.send();
			}
			control.pushRaw('other', [{ n: 1 }]);
			await scene.recorder.until(
				() => scene.subscription.counters().unreadable === 10,
				'the count',
			);
		},
		logins: 1,
		states: [],
		gaps: 0,
	},
	{
		name: 'payloads of every odd form come between the others',
		act: async (scene) => {
			const { control } = scene.operator;
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
			await scene.recorder.until(() => odds().length === 8, 'the odd ones');
			expect(odds().map(({ msg }) => msg.mark)).toEqual([
				1,
				2,
				3,
				4,
				undefined,
				undefined,
				undefined,
				8,
			]);
			expect(({} as { polluted?: number }).polluted).toBeUndefined();
			expect(nth(odds(), 1).msg.long).toBe(long);
		},
		logins: 1,
		states: [],
		gaps: 0,
	},
	{
		name: 'five thousand events come at once',
		act: async (scene) => {
			for (let sent = 0; sent < 5_000; sent++) scene.send();
			await Promise.resolve();
		},
		logins: [1, 3],
		// A machine that is busy elsewhere can miss its pings.
		states: ['…'],
		gaps: [0, 2],
	},
	{
		name: 'five thousand events come at once in the middle of a renewal',
		speed: 5,
		operator: { tokenLifetime: 16 },
		act: async (scene) => {
			await scene.state('renewing');
			await scene.operator.control.waitForSockets(2);
			for (let sent = 0; sent < 5_000; sent++) scene.send();
			await renewed(scene);
		},
		logins: [2, 4],
		states: ['renewing', '…', 'live'],
		// A machine that is busy elsewhere takes longer than the overlap lasts on the fast clock.
		gaps: [0, 2],
	},
	{
		name: 'truly equal events come in the middle of a renewal',
		speed: 5,
		operator: { tokenLifetime: 16 },
		act: async (scene) => {
			const { control } = scene.operator;
			const equal = { event: { msg: { id_operator: 1 }, type_notification: 'UI', event: 'pause' } };
			await scene.state('renewing');
			await control.waitForSockets(2);
			for (let sent = 0; sent < 50; sent++) control.push(equal);
			await renewed(scene);
			expect(scene.recorder.events.filter(({ type }) => type === 'UI')).toHaveLength(50);
			scene.recorder.events.splice(
				0,
				Infinity,
				...scene.recorder.events.filter(({ type }) => type !== 'UI'),
			);
		},
		logins: 2,
		states: ['renewing', 'live'],
		gaps: 0,
	},
	// The account feed
	{
		name: 'the account feed: the TCP connection is cut',
		account: true,
		act: async (scene) => {
			await destroy(scene);
			await scene.recorder.until(() => scene.recorder.count('connected') === 2, 'it');
			await scene.operator.control.waitForSockets(1);
			expect(scene.operator.control.sockets()).toMatchObject([{ kind: 'api', target: '4242' }]);
		},
		logins: 2,
		states: RECONNECTED,
		gaps: 1,
		loses: true,
	},
	{
		name: 'the account feed: the token is renewed ahead of its end',
		account: true,
		speed: 5,
		operator: { tokenLifetime: 16 },
		act: (scene) => renewed(scene),
		logins: 2,
		states: ['renewing', 'live'],
		gaps: 0,
	},
	// Down from the beginning
	{
		name: 'the operator is down when the feed is opened',
		before: ({ operator }) => operator.control.stopListening(),
		act: async (scene) => {
			expect(await scene.subscription.first).toMatchObject({ kind: 'unreachable' });
			await scene.operator.control.listenAgain();
			await scene.state('live', 20_000);
		},
		logins: [2, 4],
		states: ['waiting', 'authenticating', '…', 'live'],
		gaps: 0,
	},
];

/** Whether `states` are `wanted`, where '…' stands for anything. */
function matches(states: string[], wanted: string[]): boolean {
	if (wanted.length === 0) return states.length === 0;
	const [first, ...rest] = wanted;
	if (first === '…' && rest.length === 0) return true;
	if (first !== '…') return states[0] === first && matches(states.slice(1), rest);
	return states.some((_state, index) => matches(states.slice(index), rest));
}

function expectWithin(what: string, count: number, bounds: number | [number, number]) {
	const [least, most] = typeof bounds === 'number' ? [bounds, bounds] : bounds;
	if (count < least || count > most)
		throw new Error(`${what}: ${count}, expected ${least} to ${most}`);
}

export function describeFaults(socketio: 4 | 2): void {
	jest.setTimeout(90_000);
	const run = new Case();
	afterEach(() => run.end());

	it.each(faults)('$name', async (fault) => {
		const scene = await makeScene(run, { ...fault, socketio });
		const fromDown = fault.before && fault.states[0] === 'waiting';
		if (!fromDown) {
			await scene.state('live');
			await scene.operator.control.waitForSockets(1);
		}
		const passedBefore = scene.recorder.states.length;
		let stop = () => {};
		if (!fromDown) {
			stop = scene.traffic();
			// Enough for the numbering to be learned.
			await scene.recorder.until(({ events }) => events.length >= 20, 'the first events');
		}
		await fault.act(scene);
		await scene.recorder.until(() => scene.subscription.state() === 'live', 'live', 20_000);
		await scene.pass(SECOND);
		stop();
		const result = await scene.compare();
		expect(result).toMatchObject({ duplicates: [], lost: [] });
		// Where two connections overlap, a machine that is busy elsewhere can put events out of order.
		if (!fault.states.includes('renewing')) expect(result.ordered).toBe(true);
		if (fault.loses) expect(result.missing).not.toHaveLength(0);
		else if (fault.gaps === 0) expect(result.missing).toHaveLength(0);
		// A half-open connection is one that the operator still counts: it is gone when its TCP connection is.
		const counted = fault.leavesHalfOpen ? 2 : 1;
		await scene.operator.control.waitFor((control) => control.sockets().length <= counted);
		expect(scene.loginsAtOnce()).toBe(1);
		const passed = scene.recorder.states.slice(fromDown ? 1 : passedBefore);
		if (!matches(passed, fault.states)) {
			throw new Error(`states: ${passed.join(' ')}, expected ${fault.states.join(' ')}`);
		}
		expectWithin('logins', scene.loginsTried(), fault.logins);
		expectWithin('gaps', scene.recorder.count('gap'), fault.gaps ?? 0);
		expectWithin('refusals', scene.recorder.count('refused'), fault.refused ?? 0);
		await scene.subscription.close();
		// In long polling no TCP connection tells the operator of the end: its own pings have to.
		if (fault.leavesHalfOpen) scene.proxy.cut();
		const patience = fault.leavesHalfOpen ? 40_000 : 3_000;
		await scene.operator.control.waitFor((control) => control.sockets().length === 0, patience);
	});
}
