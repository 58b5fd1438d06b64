// The operator's side of the soak run, in a separate process so that its memory is not counted: the simulated operator
// behind a TCP proxy, the events, and a random fault every few seconds.
import { startOperator } from '../../simulator';
import { startTcpProxy } from '../../simulator/tcpProxy';
import { nth, present } from '../../simulator/present';

export interface OperatorSettings {
	socketio: 4 | 2;
	/** Events per second. */
	rate: number;
	/** Seconds between two faults, on average. */
	every: number;
	seed: number;
}

/** The messages of the operator's process. */
export type Told =
	| { kind: 'ready'; url: string; password: string; login: string }
	/** The numbers of the events sent at one moment, first to last. */
	| { kind: 'sent'; first: number; last: number; at: number }
	| { kind: 'fault'; name: string }
	| { kind: 'settled'; sockets: number; logins: number; last: number };

/** A small random generator, so that a seed gives the same faults again. */
function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 4_294_967_296;
	};
}

async function run(settings: OperatorSettings): Promise<void> {
	const tell = (told: Told) => void process.send?.(told);
	const operator = await startOperator({
		socketio: settings.socketio,
		tokenLifetime: 60,
		pingInterval: 1_000,
		pingTimeout: 2_000,
		requestLogLimit: 100,
	});
	const proxy = await startTcpProxy(operator.port);
	const { control } = operator;
	const random = randomFrom(settings.seed);
	let last = 0;
	const send = () => {
		last++;
		control.send('queue', 'insert_call', { id_call: 100_000 + last, n: last });
	};

	const heal = async () => {
		proxy.heal();
		control.refuseLogins(null);
		control.refuseHandshakes(null);
		control.delayLogins(0);
		control.set({ singleSession: false, onExpiry: 'disconnect' });
		await control.listenAgain();
	};
	const faults: Record<string, () => unknown> = {
		'clean disconnect': () => control.disconnectSockets(),
		'TCP cut': () => control.destroySockets(),
		'RST through the proxy': () => proxy.cut('reset'),
		'FIN through the proxy': () => proxy.cut('end'),
		'half-open': () => proxy.halfOpen(),
		'half-open, events only': () => proxy.halfOpen('down'),
		'slow network': () => proxy.delay(150),
		'connections refused': () => {
			proxy.refuse();
			proxy.cut();
		},
		'operator away': () => control.goAway(),
		'login fails (500)': () => {
			control.refuseLogins(500);
			proxy.cut();
		},
		'login hangs': () => {
			control.refuseLogins('hang');
			proxy.cut();
		},
		'login slow': () => {
			control.delayLogins(1_500);
			control.disconnectSockets();
		},
		'handshake refused (503)': () => {
			control.refuseHandshakes(503);
			proxy.cut();
		},
		'tokens expire': () => control.expireTokens(),
		'tokens expire, silently': () => {
			control.set({ onExpiry: 'silence' });
			control.expireTokens();
		},
		'subscription forgotten': () => control.silenceSockets(),
		'one session only': () => control.set({ singleSession: true }),
		'numbering begins anew': () => control.setCpt(0),
		'unreadable payloads': () => {
			for (const args of [[], [null], ['{'], [7], [['update']]]) control.pushRaw('update', args);
		},
		'burst of 1,000': () => {
			const first = last + 1;
			for (let count = 0; count < 1_000; count++) send();
			tell({ kind: 'sent', first, last, at: Date.now() });
		},
	};
	const names = Object.keys(faults);

	let traffic: NodeJS.Timeout | undefined;
	/** From the first subscription on: the feed could not lose what was sent before it. */
	const startTraffic = () => {
		const begun = Date.now();
		let due = 0;
		traffic = setInterval(() => {
			const first = last + 1;
			for (; due < ((Date.now() - begun) / 1000) * settings.rate; due++) send();
			if (last >= first) tell({ kind: 'sent', first, last, at: Date.now() });
		}, 10);
	};

	let timer: NodeJS.Timeout | undefined;
	const plan = () => {
		const delay = settings.every * 1000 * (0.4 + 1.2 * random());
		timer = setTimeout(() => {
			void heal().then(() => {
				const name = nth(names, Math.floor(random() * names.length));
				tell({ kind: 'fault', name });
				present(faults[name])();
				// A lasting fault ends before the next one begins.
				timer = setTimeout(() => void heal().then(plan), 1_000 + random() * 2_000);
			});
		}, delay);
	};

	process.on('message', (message: 'begin' | 'settle' | 'finish' | 'end') => {
		if (message === 'begin') {
			void control
				.waitFor(() => control.sockets().some(({ initialised }) => initialised))
				.then(startTraffic)
				.then(plan);
		}
		if (message === 'settle') {
			clearTimeout(timer);
			void heal();
		}
		if (message === 'finish') {
			clearInterval(traffic);
			const first = last + 1;
			send();
			tell({ kind: 'sent', first, last, at: Date.now() });
			void control
				.waitFor(() => control.sockets().length === 1, 30_000)
				.catch(() => undefined)
				.then(() =>
					tell({
						kind: 'settled',
						sockets: control.sockets().length,
						logins: control.logins(),
						last,
					}),
				);
		}
		if (message === 'end') {
			clearInterval(traffic);
			clearTimeout(timer);
			void Promise.all([proxy.close(), operator.close()]).then(() => process.exit(0));
		}
	});
	// Without its parent the process would run for ever.
	process.on('disconnect', () => process.exit(0));
	tell({ kind: 'ready', url: proxy.url, ...operator.accounts.supervisor });
}

if (process.send) {
	void run(JSON.parse(nth(process.argv, 2)) as OperatorSettings).catch((error: Error) => {
		console.error(error.message);
		process.exit(1);
	});
}
