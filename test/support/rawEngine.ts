/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// An Engine.IO server written only from the description of the protocol, for tests: it produces handshakes and long
// polling payloads that other servers than Socket.IO's own, and intermediaries, may send. It does not support
// WebSocket.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The peculiarities of a server. */
export interface EngineForm {
	/** Changes the content of a handshake: text is sent unchanged. */
	handshake?(usual: Record<string, unknown>): object | string;
	/** Several packets as one payload. */
	payload?(packets: string[]): Buffer;
	/** Changes the bytes of each payload. */
	bytes?(payload: Buffer): Buffer;
	headers?: Record<string, string>;
	/** Returns true if it has responded itself. */
	respond?(request: IncomingMessage, response: ServerResponse): boolean;
	/** Polls that wait longer are ended without content. */
	emptyAfterMs?: number;
}

export interface RawEngine {
	url: string;
	/** How many polls were ended without content. */
	emptyPolls(): number;
	/** Sends an event to the client that sent `init` last; two were sent then. */
	update(msg: { n: number; [name: string]: unknown }): void;
	close(): Promise<void>;
}

const SEPARATOR = '\x1e';

/** The packets in a client's request body. */
function packetsOf(body: string, version: 3 | 4): string[] {
	if (version === 4) return body.split(SEPARATOR);
	const packets: string[] = [];
	for (let at = 0; at < body.length;) {
		const start = body.indexOf(':', at) + 1;
		at = start + Number(body.slice(at, start - 1));
		packets.push(body.slice(start, at));
	}
	return packets;
}

/** The server's state of one session. */
interface Session {
	waiting: string[];
	poll?: ServerResponse;
}

/** Starts a server that only knows its own version. */
export async function startRawEngine(version: 3 | 4, form: EngineForm = {}): Promise<RawEngine> {
	const sessions = new Map<string, Session>();
	let subscribed: Session | undefined;
	let empty = 0;
	const framed = (packets: string[]) =>
		form.payload?.(packets) ??
		Buffer.from(
			version === 4
				? packets.join(SEPARATOR)
				: packets.map((packet) => `${packet.length}:${packet}`).join(''),
		);
	const answer = (response: ServerResponse, packets: string[]) => {
		const payload = framed(packets);
		response
			.writeHead(200, { 'content-type': 'text/plain; charset=UTF-8', ...form.headers })
			.end(form.bytes?.(payload) ?? payload);
	};
	const flush = (session: Session) => {
		if (!session.poll || session.waiting.length === 0) return;
		answer(session.poll, session.waiting.splice(0));
		session.poll = undefined;
	};
	const send = (session: Session, packet: string) => {
		session.waiting.push(packet);
		flush(session);
	};
	const take = (session: Session, packet: string) => {
		if (version === 3 && packet === '2') send(session, '3');
		else if (version === 4 && packet === '40') send(session, '40{"sid":"n1"}');
		else if (packet.startsWith('42["init"')) {
			subscribed = session;
			for (const msg of [{ n: 1, nom: 'Zoë €𝄞' }, { n: 2 }]) send(session, updateOf(msg));
		}
	};
	const open = (response: ServerResponse) => {
		const sid = String(5_550_001 + sessions.size);
		sessions.set(sid, { waiting: [] });
		const usual = { sid, upgrades: [], pingInterval: 25_000, pingTimeout: 20_000 };
		const given = form.handshake?.(usual) ?? usual;
		const text = typeof given === 'string' ? given : JSON.stringify(given);
		answer(response, version === 4 ? [`0${text}`] : [`0${text}`, '40']);
	};
	const hold = (session: Session, response: ServerResponse) => {
		session.poll = response;
		response.on('close', () => {
			if (session.poll === response) session.poll = undefined;
		});
		if (form.emptyAfterMs !== undefined) {
			setTimeout(() => {
				if (session.poll !== response) return;
				session.poll = undefined;
				empty++;
				response.writeHead(200).end();
			}, form.emptyAfterMs).unref();
		}
		flush(session);
	};
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			if (form.respond?.(request, response)) return;
			const query = new URL(request.url ?? '', 'http://host').searchParams;
			const session = sessions.get(query.get('sid') ?? '');
			if (version === 4 && query.get('EIO') !== '4') {
				response.writeHead(400).end('{"code":5,"message":"Unsupported protocol version"}');
			} else if (!query.has('sid')) open(response);
			else if (!session) response.writeHead(400).end('{"code":1,"message":"Session ID unknown"}');
			else if (request.method === 'POST') {
				const packets = packetsOf(Buffer.concat(chunks).toString('utf8'), version);
				for (const packet of packets) take(session, packet);
				response.writeHead(200).end('ok');
			} else hold(session, response);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		emptyPolls: () => empty,
		update: (msg) => subscribed && send(subscribed, updateOf(msg)),
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function updateOf(msg: { n: number }): string {
	const event = { type_notification: 'queue', event: 'insert_call', msg };
	return `42["update",${JSON.stringify({ cpt: msg.n, ts: 1_790_000_000, elapse: 0, event })}]`;
}
