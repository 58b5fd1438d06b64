/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Pages that show the provider: each gets the whole state at once and again after changes (server-sent events).

import type { ServerResponse } from 'node:http';
import type { Store } from '../store';

/** Shortest time between two states, in milliseconds. */
const shortest = 150;

export class Live {
	private readonly pages = new Set<ServerResponse>();
	private planned = false;

	/** @param state returns what the pages show */
	constructor(
		private readonly store: Store,
		private readonly state: () => unknown,
	) {}

	/** Sends updates to a page until its connection ends. */
	open(page: ServerResponse) {
		page.writeHead(200, {
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-store',
			// A page that lost the provider reconnects after a second.
			connection: 'keep-alive',
		});
		page.write(`retry: 1000\n\n${this.message()}`);
		this.pages.add(page);
		page.on('close', () => this.pages.delete(page));
		page.on('error', () => this.pages.delete(page));
	}

	/** Something changed: the pages are updated soon, once for many changes. */
	changed() {
		if (this.planned || this.pages.size === 0) return;
		this.planned = true;
		this.store.later(shortest, () => {
			this.planned = false;
			const message = this.message();
			for (const page of this.pages) page.write(message);
		});
	}

	private message() {
		return `data: ${JSON.stringify(this.state())}\n\n`;
	}
}
