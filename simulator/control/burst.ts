/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Bursts of numbered events, as fast as possible or at a rate.

import type { Store, WireOptions } from '../store';

export interface Burst extends WireOptions {
	count: number;
	/** Events per second; all at once if omitted. */
	rate?: number;
	type?: string;
	event?: string;
	/** Fields of every message. `id_call` counts up from `firstCall` unless it is given here. */
	msg?: Record<string, unknown>;
	/** `id_call` of the first event; 1 if omitted. */
	firstCall?: number;
}

/** Number of events that are sent before other tasks can run. */
const slice = 500;

/** Sends a burst; resolves with the first and last `cpt` when the last event has been passed to the connections. */
export async function sendBurst(
	store: Store,
	burst: Burst,
): Promise<{ first: number; last: number }> {
	const { count, rate, type = 'queue', event = 'insert_call', msg = {}, firstCall = 1 } = burst;
	const first = store.cpt + 1;
	let sent = 0;
	const sendUpTo = (target: number) => {
		for (; sent < target; sent++) {
			store.push(store.envelope(type, event, { id_call: firstCall + sent, ...msg }), burst);
		}
	};
	const started = Date.now();
	while (sent < count) {
		const due = rate === undefined ? count : Math.floor(((Date.now() - started) / 1000) * rate) + 1;
		sendUpTo(Math.min(count, due, sent + slice));
		if (sent >= count) break;
		await new Promise<void>((resolve) => {
			if (rate === undefined) setImmediate(resolve);
			else store.later(5, resolve);
		});
	}
	return { first, last: store.cpt };
}
