/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Cookies } from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/cookies';
import {
	LONGEST_POLL,
	PollingHttp,
	sendDirectly,
} from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/pollingHttp';
import { nth } from '../../../../support/present';

describe('the HTTP side of long polling', () => {
	let server: Server;
	let url: string;
	let seen: IncomingMessage[];
	let respond: (request: IncomingMessage, response: ServerResponse) => void;
	const polling = (path?: string) => new PollingHttp(sendDirectly, new Cookies(url), path);

	beforeEach(async () => {
		seen = [];
		respond = (_request, response) => response.end('ok');
		server = createServer((request, response) => {
			seen.push(request);
			respond(request, response);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	});

	afterEach(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});

	it('polls with GET and writes with POST', async () => {
		const http = polling();
		const answer = await http.request(url);
		expect(answer).toMatchObject({ ok: true, status: 200 });
		expect(Buffer.from(answer.body).toString()).toBe('ok');
		await http.request(url, '40');
		expect(seen.map((request) => request.method)).toEqual(['GET', 'POST']);
		expect(nth(seen, 1).headers['content-type']).toBe('text/plain;charset=UTF-8');
	});

	it('sends back the cookie that ties it to one server, until that cookie ends', async () => {
		const http = polling();
		respond = (_request, response) =>
			response.setHeader('set-cookie', ['node=b; Path=/; HttpOnly', 'x=1']).end();
		await http.request(url);
		respond = (_request, response) => response.setHeader('set-cookie', 'x=; Max-Age=0').end();
		await http.request(url);
		await http.request(url);
		expect(seen.map((request) => request.headers.cookie)).toEqual([
			undefined,
			'node=b; x=1',
			'node=b',
		]);
	});

	it('keeps the cookies of connections apart', async () => {
		respond = (_request, response) => response.setHeader('set-cookie', 'node=b').end();
		await polling().request(url);
		await polling().request(url);
		expect(nth(seen, 1).headers.cookie).toBeUndefined();
	});

	it('ends a pending poll when it is aborted, and starts no other', async () => {
		const http = polling();
		let arrived = () => {};
		const pending = new Promise<void>((resolve) => (arrived = resolve));
		let hungUp = () => {};
		const left = new Promise<void>((resolve) => (hungUp = resolve));
		respond = (request) => {
			request.socket.on('close', () => hungUp());
			arrived();
		};
		const poll = http.request(url);
		await pending;
		http.abort();
		await expect(poll).rejects.toThrow(/abort/i);
		await left;
		await expect(http.request(url)).rejects.toThrow(/abort/i);
		expect(seen).toHaveLength(1);
	});

	it('gives each request its own abort signal: over months a connection would pile up listeners on one', async () => {
		const http = polling();
		const sent = jest.spyOn(globalThis, 'fetch');
		await http.request(url);
		await http.request(url);
		const [first, second] = sent.mock.calls.map(([, options]) => options?.signal);
		sent.mockRestore();
		expect(first).toBeInstanceOf(AbortSignal);
		expect(second).toBeInstanceOf(AbortSignal);
		expect(second).not.toBe(first);
	});

	it('follows a redirect on the host, with method and body', async () => {
		respond = ({ url: path }, response) => {
			if (path?.startsWith('/new')) response.end('ok');
			else response.writeHead(308, { location: '/new/' }).end();
		};
		const answer = await polling().request(`${url}old?sid=1`, '40');
		expect(answer).toMatchObject({ ok: true, url: `${url}new/?sid=1` });
		expect(seen.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
			'POST /old?sid=1',
			'POST /new/?sid=1',
		]);
	});

	it('follows none to another host, where the feed is not', async () => {
		respond = (_request, response) =>
			response.writeHead(302, { location: 'https://other.example.com/login' }).end();
		await expect(polling().request(url)).resolves.toMatchObject({ ok: false, status: 302 });
		expect(seen).toHaveLength(1);
	});

	it('uses the path that the server expects, without the slash that the clients add', async () => {
		await polling('/feed').request(`${url}feed/?EIO=4`);
		expect(nth(seen, 0).url).toBe('/feed?EIO=4');
	});

	it('stops reading a response that does not end', async () => {
		const piece = Buffer.alloc(1024 * 1024);
		let sent = 0;
		respond = (_request, response) => {
			const more = () => {
				while (!response.destroyed && response.write(piece)) sent += piece.length;
			};
			response.on('drain', more);
			more();
		};
		await expect(polling().request(url)).rejects.toThrow('larger than');
		expect(sent).toBeLessThan(2 * LONGEST_POLL);
	});
});
