// The soak run: a random fault every few seconds for as long as you like, in real time, and a table of the results.
//   npm run soak -- --minutes 20
import { fork } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import Table from 'cli-table3';
import { Command, InvalidArgumentError } from 'commander';

import type {
	FeedOptions,
	FeedStatus,
	FeedSubscriber,
	FeedSubscription,
	HttpResponse,
} from '../../nodes/VoiceManagementTrigger/feed/types';
import { loadFeed } from './loadFeed';
import type { OperatorSettings, Told } from './operatorProcess';
import { nth } from '../../simulator/present';

const positive = (text: string): number => {
	const value = Number(text);
	if (!(value > 0)) throw new InvalidArgumentError('It has to be a number above 0.');
	return value;
};
const whole = (text: string): number => {
	const value = positive(text);
	if (!Number.isInteger(value)) throw new InvalidArgumentError('It has to be a whole number.');
	return value;
};
const generation = (text: string): 4 | 2 => {
	if (text !== '4' && text !== '2') throw new InvalidArgumentError('It has to be 4 or 2.');
	return text === '4' ? 4 : 2;
};

const program = new Command('soak')
	.description(
		'Runs the feed against the simulated operator with a random fault every few seconds.',
	)
	.option('--minutes <n>', 'how long', positive, 20)
	.option('--rate <n>', 'events per second', positive, 200)
	.option('--every <s>', 'seconds between faults, on average', positive, 4)
	.option('--subscribers <n>', 'triggers that share the feed', whole, 3)
	.option('--socketio <version>', 'version of the Socket.IO server: 4 or 2', generation, 4 as const)
	.option('--log', "print the feed's own log lines", false)
	.option('--seed <n>', 'seed of the faults: the same seed gives the same faults', whole, 1)
	.parse();
const options = program.opts<{
	minutes: number;
	rate: number;
	every: number;
	subscribers: number;
	socketio: 4 | 2;
	seed: number;
	log: boolean;
}>();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MOST_GROWTH_MB = 5;
/** By then everything is compiled and every pool is filled. */
const WARM_UP = 0.2;

/** Allocated for every event from the beginning, so that the bookkeeping does not look like a leak. */
const room = Math.ceil(options.minutes * 60 * options.rate * 2) + 200_000;
const sentAt = new Float64Array(room);
let lastSent = 0;

class Counted implements FeedSubscriber {
	readonly came = new Uint8Array(room);

	received = 0;

	newest = 0;

	/** Gaps that were reported and after which no event has arrived yet. */
	private pendingPlaces = 0;

	/** The numbers before and after each reported gap. */
	readonly places = new Float64Array(40_000);

	placeCount = 0;

	readonly gaps = new Float64Array(40_000);

	gapCount = 0;

	readonly statuses: Record<string, number> = {};

	private readonly print = (line: string) => {
		if (options.log && this.index === 0) console.log(new Date().toISOString(), line);
	};

	readonly logger = { debug: this.print, info: this.print, warn: this.print, error: this.print };

	constructor(private readonly index: number) {}

	onEvent(event: { msg: Readonly<Record<string, unknown>> }): void {
		const { n } = event.msg;
		if (typeof n !== 'number') return;
		this.received++;
		this.came[n] = nth(this.came, n) + 1;
		for (; this.pendingPlaces > 0; this.pendingPlaces--) {
			this.places[2 * this.placeCount] = this.newest;
			this.places[2 * this.placeCount + 1] = n;
			this.placeCount++;
		}
		this.newest = Math.max(this.newest, n);
	}

	onStatus(status: FeedStatus): void {
		this.statuses[status.event] = (this.statuses[status.event] ?? 0) + 1;
		if (status.event !== 'gap') return;
		this.gaps[2 * this.gapCount] = status.from;
		this.gaps[2 * this.gapCount + 1] = status.to;
		this.gapCount++;
		this.pendingPlaces = 1;
	}

	/** The events that did not arrive, and those of them that no gap covers, neither by time nor by place. */
	result(): { missing: number; lost: number; duplicates: number; losses: string[] } {
		let missing = 0;
		let lost = 0;
		let duplicates = 0;
		/** Runs of consecutive numbers that were lost, first and last of each. */
		const runs: Array<[number, number]> = [];
		for (let n = 1; n <= lastSent; n++) {
			if (nth(this.came, n) > 1) duplicates += nth(this.came, n) - 1;
			if (nth(this.came, n) > 0) continue;
			missing++;
			if (this.covered(n)) continue;
			lost++;
			const run = runs.at(-1);
			if (run?.[1] === n - 1) run[1] = n;
			else runs.push([n, n]);
		}
		const losses = runs.map(
			([first, last]) =>
				`lost ${first} to ${last}, sent ${[first, last].map((n) => new Date(nth(sentAt, n)).toISOString()).join(' to ')}`,
		);
		return { missing, lost, duplicates, losses };
	}

	private covered(n: number): boolean {
		for (let gap = 0; gap < this.gapCount; gap++) {
			if (
				nth(sentAt, n) >= nth(this.gaps, 2 * gap) &&
				nth(sentAt, n) <= nth(this.gaps, 2 * gap + 1)
			)
				return true;
		}
		for (let place = 0; place < this.placeCount; place++) {
			if (n > nth(this.places, 2 * place) && n < nth(this.places, 2 * place + 1)) return true;
		}
		return false;
	}
}

async function send(
	url: string,
	init: { method?: string; headers?: Record<string, string>; signal?: AbortSignal },
): Promise<HttpResponse> {
	return await new Promise((resolve, reject) => {
		const call = request(url, { agent: false, ...init }, (response) => {
			let body = '';
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => (body += chunk));
			response.on('error', reject);
			response.on('end', () =>
				resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body }),
			);
		});
		call.on('error', reject);
		call.end();
	});
}

function feedOptions({ url, login, password }: Extract<Told, { kind: 'ready' }>): FeedOptions {
	const header = JSON.stringify({
		requete: 'init',
		header: { login, password, account_type: 'supervisor' },
		msg: {},
	}).replace(
		/[\u0080-\uffff]/g,
		(char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	return {
		key: 'soak',
		voiceUrl: url,
		initAccountType: 'supervisor',
		socketPath: '/socket.io/',
		protocol: 'auto',
		silenceTimeoutMs: 5_000,
		login: (signal) =>
			send(`${url}/ws/`, { method: 'POST', headers: { 'X-JSON': header }, signal }),
		loginUrl: `${url}/ws/`,
		transport: 'direct',
		request: async ({ url: address, method, headers, body, signal }) => {
			const answer = await fetch(address, { method, headers, body, signal, redirect: 'manual' });
			return {
				statusCode: answer.status,
				headers: Object.fromEntries(answer.headers),
				body: new Uint8Array(await answer.arrayBuffer()),
			};
		},
	};
}

const heapMb = (): number => {
	collectGarbage();
	collectGarbage();
	return process.memoryUsage().heapUsed / 1024 / 1024;
};

async function main(): Promise<void> {
	const { subscribe } = await loadFeed();
	const settings: OperatorSettings = options;
	const operator = fork(join(__dirname, 'operatorProcess.ts'), [JSON.stringify(settings)]);
	const subscribers = Array.from(
		{ length: options.subscribers },
		(_none, index) => new Counted(index),
	);
	const faults: Record<string, number> = {};
	let faultCount = 0;
	let subscriptions: FeedSubscription[] = [];
	const begun = Date.now();
	let warmHeap = 0;
	let peakHeap = 0;
	const timers: NodeJS.Timeout[] = [];
	process.on('SIGINT', () => {
		operator.disconnect();
		process.exit(130);
	});
	operator.on('exit', (code) => {
		if (code) process.exit(1);
	});

	const progress = () => {
		const { heapUsed } = process.memoryUsage();
		peakHeap = Math.max(peakHeap, heapUsed / 1024 / 1024);
		const first = nth(subscribers, 0);
		const line = [
			`${((Date.now() - begun) / 60_000).toFixed(1)}/${options.minutes} min`,
			subscriptions[0]?.state() ?? 'starting',
			`sent ${lastSent}`,
			`received ${first.received}`,
			`faults ${faultCount}`,
			`gaps ${first.gapCount}`,
			`heap ${(heapUsed / 1024 / 1024).toFixed(0)} MB`,
		].join(' · ');
		if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${line}`);
		else if (Math.round((Date.now() - begun) / 1000) % 30 === 0) console.log(line);
	};

	const report = async (settled: Extract<Told, { kind: 'settled' }>) => {
		const finalHeap = heapMb();
		const counters = nth(subscriptions, 0).counters();
		const growth = finalHeap - warmHeap;
		if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
		const table = new Table({
			head: ['what', ...subscribers.map((_one, index) => `subscriber ${index + 1}`)],
		});
		const results = subscribers.map((one) => one.result());
		table.push(
			['events sent', ...subscribers.map(() => lastSent)],
			['received', ...subscribers.map(({ received }) => received)],
			['missing, inside reported gaps', ...results.map(({ missing, lost }) => missing - lost)],
			['lost outside gaps', ...results.map(({ lost }) => lost)],
			['duplicates', ...results.map(({ duplicates }) => duplicates)],
			['gaps reported', ...subscribers.map(({ gapCount }) => gapCount)],
			[
				'disconnected / connected',
				...subscribers.map(
					({ statuses }) => `${statuses.disconnected ?? 0} / ${statuses.connected ?? 0}`,
				),
			],
		);
		console.log(table.toString());
		const whole = new Table();
		whole.push(
			[
				'run',
				`${options.minutes} min, Socket.IO ${options.socketio}, Node ${process.versions.node}, seed ${options.seed}`,
			],
			['faults', faultCount],
			['logins accepted', settled.logins],
			['renewals (make-before-break)', counters.renewals],
			['copies dropped in overlaps', counters.duplicates],
			['unreadable payloads', counters.unreadable],
			['sockets at the operator in the end', settled.sockets],
			[
				'heap after warm-up → end, after collection',
				`${warmHeap.toFixed(1)} → ${finalHeap.toFixed(1)} MB (${growth >= 0 ? '+' : ''}${growth.toFixed(1)})`,
			],
			['highest heap seen', `${peakHeap.toFixed(0)} MB`],
		);
		console.log(whole.toString());
		const each = new Table({ head: ['fault', 'times'] });
		for (const [name, count] of Object.entries(faults).sort()) each.push([name, count]);
		console.log(each.toString());
		for (const loss of nth(results, 0).losses) console.log(loss);
		await Promise.all(subscriptions.map(async (one) => await one.close()));
		operator.send('end');
		const bad = [
			results.some(({ lost }) => lost > 0) && 'events were lost outside the reported gaps',
			results.some(({ duplicates }) => duplicates > 0) && 'events came twice',
			settled.sockets !== 1 && 'the operator does not have exactly one socket',
			growth >= MOST_GROWTH_MB && `the heap grew by ${growth.toFixed(1)} MB`,
			subscribers.some(({ received }) => received === 0) && 'nothing was received',
		].filter(Boolean);
		console.log(bad.length === 0 ? 'The feed passed.' : `The feed failed: ${bad.join('; ')}.`);
		process.exitCode = bad.length === 0 ? 0 : 1;
	};

	operator.on('message', (told: Told) => {
		if (told.kind === 'ready') {
			const feed = feedOptions(told);
			subscriptions = subscribers.map((one) => subscribe(feed, one));
			void nth(subscriptions, 0).first.then(() => operator.send('begin'));
			const runMs = options.minutes * 60_000;
			timers.push(
				setInterval(progress, 1_000),
				setTimeout(() => (warmHeap = heapMb()), runMs * WARM_UP),
				setTimeout(() => {
					operator.send('settle');
					// The effects of the last fault are over when the feed has stayed live for a while.
					let liveFor = 0;
					const watch = setInterval(() => {
						liveFor = nth(subscriptions, 0).state() === 'live' ? liveFor + 1 : 0;
						if (liveFor < 20) return;
						clearInterval(watch);
						operator.send('finish');
					}, 500);
				}, runMs),
			);
		} else if (told.kind === 'sent') {
			for (let n = told.first; n <= told.last; n++) sentAt[n] = told.at;
			lastSent = Math.max(lastSent, told.last);
		} else if (told.kind === 'fault') {
			faultCount++;
			faults[told.name] = (faults[told.name] ?? 0) + 1;
			if (options.log) console.log(new Date().toISOString(), 'fault:', told.name);
		} else {
			for (const timer of timers) clearInterval(timer);
			// The last event may still be in transit.
			setTimeout(() => void report(told), 2_000);
		}
	});
}

void main();
