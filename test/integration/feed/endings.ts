/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The ways in which a connection of the feed can end. Each is a path of one small server of Engine.IO 3 and 4, written
// by hand, since a real server does not misbehave.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';

export interface Ending {
	/** Whether the client closes it once it has joined. */
	closes?: boolean;
	/** Status of the handshake's response; 0: there is no response. */
	handshake?: number;
	/** What follows once it has joined: packets, nothing, a reset, or bytes that are not packets. */
	then?: '41' | '1' | 'nothing' | 'reset' | 'garbage';
	/** Whether it never joins. */
	neverJoins?: boolean;
	/** What happens to a WebSocket beside the polling. */
	upgrade?: 'swallow' | 'refuse' | 'break';
}

export const WAYS = {
	'closed-by-client': { closes: true, then: 'nothing' },
	'disconnected-by-server': { then: '41' },
	'transport-closed-by-server': { then: '1' },
	reset: { then: 'reset' },
	garbage: { then: 'garbage' },
	'ping-missing': { then: 'nothing' },
	'never-joined': { neverJoins: true },
	'handshake-refused': { handshake: 403 },
	'handshake-unanswered': { handshake: 0 },
	'upgrade-swallowed': { closes: true, then: 'nothing', upgrade: 'swallow' },
	'upgrade-refused': { closes: true, then: 'nothing', upgrade: 'refuse' },
	'upgrade-broken': { closes: true, then: 'nothing', upgrade: 'break' },
} satisfies Record<string, Ending>;

export type Way = keyof typeof WAYS;

const endingOf = (url = ''): { ending: Ending; protocol: number } => {
	const [, way = '', protocol] = url.split('/');
	return { ending: WAYS[way as Way] ?? {}, protocol: Number(protocol) };
};

/** Starts the server on a free port of this machine. */
export async function startEndings(): Promise<{ server: Server; url: string; open: () => number }> {
	let open = 0;
	const polls = new Map<string, number>();
	const write = (response: ServerResponse, protocol: number, packets: string[]) =>
		response.end(
			protocol === 4
				? packets.join('\x1e')
				: packets.map((packet) => `${packet.length}:${packet}`).join(''),
		);
	const answer = (request: IncomingMessage, response: ServerResponse) => {
		request.resume();
		const { ending, protocol } = endingOf(request.url);
		if (request.method === 'POST') return response.end('ok');
		const path = String(request.url).split('?')[0] ?? '';
		const poll = (polls.get(path) ?? 0) + 1;
		polls.set(path, poll);
		if (poll === 1) {
			const { handshake = 200, neverJoins, upgrade, closes } = ending;
			if (handshake === 0) return;
			response.statusCode = handshake;
			const interval = closes ? 20_000 : 150;
			const open = JSON.stringify({
				sid: 'a',
				upgrades: upgrade ? ['websocket'] : [],
				pingInterval: interval,
				pingTimeout: interval,
				maxPayload: 1e6,
			});
			const joined = protocol === 4 || neverJoins ? [] : ['40'];
			return void write(response, protocol, [`0${open}`, ...joined]);
		}
		if (ending.neverJoins) return;
		if (protocol === 4 && poll === 2) return void write(response, protocol, ['40{"sid":"b"}']);
		if (ending.then === 'reset') return void request.socket.resetAndDestroy();
		if (ending.then === 'garbage') return void response.end(Buffer.from([0, 255, 7, 1]));
		if (ending.then === 'nothing') return;
		write(response, protocol, [ending.then ?? '1']);
	};
	const server = createServer(answer);
	server.keepAliveTimeout = 1_000;
	server.on('connection', (socket) => {
		open++;
		socket.on('close', () => open--);
		socket.on('error', () => socket.destroy());
	});
	const sockets = new WebSocketServer({ noServer: true });
	server.on('upgrade', (request, socket, head) => {
		const { upgrade } = endingOf(request.url).ending;
		socket.on('error', () => socket.destroy());
		if (upgrade === 'swallow') socket.resume().on('end', () => socket.destroy());
		else if (upgrade === 'break') {
			sockets.handleUpgrade(request, socket, head, (webSocket) => webSocket.terminate());
		} else socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	return { server, url: `http://127.0.0.1:${port}`, open: () => open };
}
