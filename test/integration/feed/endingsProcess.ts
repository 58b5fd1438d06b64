/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A separate process that opens connections with the bundled client to a server that ends each in one of the possible
// ways, and prints how many descriptors and timers it has before and after. Arguments: URL of the server, connections
// for each way and version.

import { readdirSync } from 'node:fs';
import './bundledClients';
import {
	openSocket,
	type SocketOptions,
} from '../../../nodes/VoiceManagementTrigger/feed/socketio';
import { WAYS, type Ending, type Way } from './endings';

const [url = '', count = ''] = process.argv.slice(2);
const SIDE_BY_SIDE = 60;
let opened = 0;

/** One connection, until it has ended by itself, or was closed when it had joined. */
async function connection(way: Way, protocol: 2 | 4): Promise<void> {
	const options: SocketOptions = {
		url,
		path: `/${way}/${protocol}/${opened++}/`,
		protocol,
	};
	await new Promise<void>((resolve) => {
		// One that has not joined by then hangs.
		const patience = setTimeout(() => end(), 400);
		const end = () => {
			clearTimeout(patience);
			socket.close();
			resolve();
		};
		const socket = openSocket(options, {
			connect: () => {
				clearTimeout(patience);
				socket.emit('init', 'supervisor', 1, 'token');
				if ((WAYS[way] as Ending).closes) setTimeout(end, 20);
			},
			disconnect: end,
			connectError: end,
			event: () => undefined,
		});
	});
}

async function all(each: number): Promise<void> {
	const left = (Object.keys(WAYS) as Way[]).flatMap((way) =>
		([4, 2] as const).flatMap((protocol) =>
			Array.from({ length: each }, () => ({ way, protocol })),
		),
	);
	const one = async () => {
		for (let next = left.pop(); next; next = left.pop()) await connection(next.way, next.protocol);
	};
	await Promise.all(Array.from({ length: SIDE_BY_SIDE }, one));
}

/** The descriptors of this process, and whatever else keeps it alive. */
const held = () => ({
	descriptors: readdirSync('/dev/fd').length,
	resources: process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').length,
	timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
});

/**
 * Resolves when nothing is left but what was there before, or after half a minute: a server keeps idle connections for
 * seconds.
 */
async function settled(before?: ReturnType<typeof held>) {
	for (let tries = 0; ; tries++) {
		await new Promise((resolve) => setTimeout(resolve, 250));
		const now = held();
		const done = before
			? now.descriptors <= before.descriptors && now.timers <= before.timers
			: tries >= 10;
		if (done || tries >= 120) return now;
	}
}

async function main() {
	await all(1);
	const before = await settled();
	opened = 0;
	await all(Number(count));
	const after = await settled(before);
	process.stdout.write(JSON.stringify({ opened, before, after }));
	process.exit();
}

main().catch((error: unknown) => {
	process.stderr.write(String(error));
	process.exit(1);
});
