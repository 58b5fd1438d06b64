/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// A separate process that connects the bundled client to a server once for each path, and prints for each the longest
// time in which this process did nothing else (milliseconds), and how the connection ended. Arguments: the server's URL,
// the paths.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import './bundledClients';
import { openSocket } from '../../../nodes/VoiceManagementTrigger/feed/socketio';

async function stretchOf(url: string, path: string) {
	const delay = monitorEventLoopDelay({ resolution: 1 });
	const end = await new Promise<string>((resolve) => {
		const socket = openSocket(
			{ url, path, protocol: 4, transports: ['websocket'] },
			{
				connect: () => {
					delay.enable();
					socket.emit('init', 'supervisor', 1, 'token');
				},
				disconnect: resolve,
				connectError: resolve,
				event: (_name, args) => {
					if (args[0] !== 'end') return;
					socket.close();
					resolve('end');
				},
				leftOut: ({ what }) => resolve(what),
			},
		);
	});
	// The histogram gets the last turn only after it.
	const { count } = delay;
	while (delay.count < count + 2) await new Promise((resolve) => setTimeout(resolve, 1));
	delay.disable();
	return { path, end, stretchMs: delay.max / 1e6 };
}

async function main() {
	const [url = '', ...paths] = process.argv.slice(2);
	const found: unknown[] = [];
	for (const path of paths) found.push(await stretchOf(url, path));
	process.stdout.write(JSON.stringify(found));
	process.exit();
}

void main();
