/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// All state of one provider in one object, so that several providers can run side by side in one process.

import { EventEmitter } from 'node:events';
import { demoAccounts, demoPlan } from './accounts';
import { Forms } from './forms';
import { FeedHub, type Audience } from './feed/hub';
import { Tokens, type FeedKind } from './feed/tokens';
import { Faults } from './http/faults';
import { RequestLog } from './http/requestLog';
import type { ProviderOptions } from './options';
import { NumberState } from './rest/state';

/** How logins on `/ws/` and `/vm/token` are refused; null: they are accepted. */
export type Refusal = 401 | 403 | 500 | 'noSession' | 'html' | 'hang' | 'destroy';

/** How Socket.IO handshakes (and polling requests) are refused; null: they are accepted. */
export type HandshakeRefusal = 403 | 503 | 'html' | 'hang' | 'destroy';

/** A message that came to the chat channel. */
export interface ChatMessage {
	/** Milliseconds since 1970. */
	at: number;
	/** `/chat`, or a channel of it: `/chat/manager`. */
	path: string;
	text: string;
}

export interface WireOptions {
	/** The recipients; all initialised connections if omitted. */
	to?: Audience;
	/**
	 * `args`: the document's form, message `update` with the object as its argument. `array`: the argument is itself
	 * `['update', object]`. `text`: the argument is JSON text.
	 */
	form?: 'args' | 'array' | 'text';
}

export class Store {
	readonly accounts = demoAccounts();
	readonly plan = demoPlan();
	readonly forms: Forms;
	readonly numbers: NumberState;
	readonly tokens: Tokens;
	readonly hub: FeedHub;
	readonly requests: RequestLog;
	readonly faults = new Faults();
	refusal: Refusal | null = null;
	handshakeRefusal: HandshakeRefusal | null = null;
	/** Last event sequence number used. */
	cpt = 0;
	/** Messages of the chat channel, newest first. */
	readonly chat: ChatMessage[] = [];
	/** 'change' after anything that a test may wait for; 'event' (name, args, reached, at) for each sent message. */
	readonly news = new EventEmitter();
	private readonly loginCounts = { supervisor: 0, api: 0 };
	private readonly timers = new Set<NodeJS.Timeout>();

	constructor(readonly options: ProviderOptions) {
		this.news.setMaxListeners(0);
		this.forms = new Forms(options.forms);
		this.numbers = new NumberState(options.balance);
		const changed = () => this.changed();
		this.requests = new RequestLog(changed);
		this.tokens = new Tokens((token) => this.hub.tokenEnded(token));
		this.hub = new FeedHub(
			options,
			this.forms.reading,
			this.tokens,
			changed,
			(args, memory, send) => this.forms.update(args, memory, send),
			this.accounts.api.clientId,
		);
	}

	changed() {
		this.news.emit('change');
	}

	countLogin(kind: FeedKind) {
		this.loginCounts[kind]++;
		this.changed();
	}

	/** Number of successful logins. */
	logins(kind?: FeedKind) {
		return kind ? this.loginCounts[kind] : this.loginCounts.supervisor + this.loginCounts.api;
	}

	/** Sends an event object exactly as given. Returns the number of recipients. */
	push(event: unknown, { to = 'all', form = 'args' }: WireOptions = {}): number {
		const argument =
			form === 'text' ? JSON.stringify(event) : form === 'array' ? ['update', event] : event;
		return this.pushRaw('update', [argument], to);
	}

	/** Sends any Socket.IO message. */
	pushRaw(name: string, args: unknown[], to: Audience = 'all'): number {
		// Before it leaves: a listener of another process may have it before this one goes on.
		const at = Date.now();
		const reached = this.hub.send(name, args, to);
		this.news.emit('event', name, args, reached, at);
		return reached;
	}

	/** Wraps a message in the document's envelope, with the next sequence number and the time of sending. */
	envelope(type: string, event: string, msg: unknown, at = Date.now()) {
		return {
			cpt: ++this.cpt,
			elapse: 0,
			ts: Math.floor(at / 1000),
			event: { msg, type_notification: type, event },
		};
	}

	/** Starts the timed review of an address: verified if there is a proof, otherwise rejected. */
	startReview(addressId: number) {
		if (this.options.reviewTime === 0) return;
		this.later(this.options.reviewTime, () => {
			const address = this.numbers.addresses.get(addressId);
			if (address?.status !== 'VERIFICATION_REQUESTED') return;
			const proven = address.internal.proofs.length > 0;
			this.numbers.review(address, proven ? 'VERIFIED' : 'REJECTED', ['No proof of the address']);
			this.changed();
		});
	}

	/** Runs something later, unless the provider is closed by then. */
	later(delayMs: number, act: () => void) {
		const timer = setTimeout(() => {
			this.timers.delete(timer);
			act();
		}, delayMs);
		this.timers.add(timer);
		return () => {
			clearTimeout(timer);
			this.timers.delete(timer);
		};
	}

	stop() {
		this.tokens.stop();
		for (const timer of this.timers) clearTimeout(timer);
		this.timers.clear();
	}
}
