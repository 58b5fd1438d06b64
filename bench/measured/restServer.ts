// The number service of the bench: pages of postal codes encoded beforehand, and an upload that is read and dropped.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { serveCommands } from './commands';

let pages: Buffer[] = [];
let uploaded = 0;

const http = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bench');
	response.setHeader('Content-Type', 'application/json');
	if (pathname === '/vbapi/v1/regulation/zipcode') {
		const page = pages[Number(searchParams.get('pageNumber'))];
		response.statusCode = page ? 200 : 400;
		response.end(page ?? '{"errors":[{"apiErrorCode":"13"}]}');
		return;
	}
	for await (const chunk of request) uploaded += (chunk as Buffer).length;
	response.end('{"status":"SUCCESS"}');
}

serveCommands({
	async listen(): Promise<number> {
		http.listen(0, '127.0.0.1');
		await once(http, 'listening');
		return (http.address() as AddressInfo).port;
	},

	/** Postal codes in pages, as the third-party API shows them. */
	prepare({ count, pageSize }: { count: number; pageSize: number }) {
		pages = Array.from({ length: Math.ceil(count / pageSize) }, (_, page) => {
			const first = page * pageSize;
			const cityZipCodes = Array.from(
				{ length: Math.min(pageSize, count - first) },
				(_entry, index) => ({
					cityName: `City number ${first + index}`,
					zipCode: String(10_000 + first + index),
				}),
			);
			return Buffer.from(JSON.stringify({ cityZipCodes, resultCount: count }));
		});
	},

	/** Bytes of all uploads so far. */
	uploaded: () => uploaded,
});
