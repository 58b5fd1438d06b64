// Shows what the provider sends and no document explains (provider.md#not-understood): in the log and to every trigger,
// once for each shape.
import { shapesOf, withoutNumbers } from '../../shared/shown';
import {
	leftOutMessage,
	notUnderstoodMessage,
	notUnderstoodPayloadMessage,
	tooManyMessage,
} from './logMessages';
import type { Mask } from './mask';
import type { Oddity, Subscriber, Subscribers } from './subscribers';
import type { Directory, FeedEvent } from './types';

/** How many shapes are shown. */
const MOST_SHAPES = 20;
/** Characters of an event name that are shown. */
const LONGEST_SHOWN = 50;

export class NotUnderstood {
	/** How many messages had no event. */
	messages = 0;

	/** By what it has in common with others of its shape. */
	private readonly shapes = new Map<string, Oddity>();

	/** What was logged once. */
	private readonly logged = new Set<string>();

	constructor(
		private readonly mask: Mask,
		private readonly subscribers: Subscribers,
	) {}

	/** The events of one `update`. */
	events(events: readonly FeedEvent[]): void {
		for (const { type, event, raw, odd } of events) {
			const why = type === '' && event === '' ? this.noEventIn([raw]) : odd;
			if (why !== undefined) this.show('update', [raw], why);
		}
	}

	/** A message that has no event. Often it is the provider's reason for sending none. */
	message(name: string, args: unknown[]): void {
		this.messages++;
		this.show(name, args, this.noEventIn(args));
	}

	/** Names, groups, trunks and breaks are missing then. */
	login({ unread }: Directory): void {
		for (const odd of unread.values())
			this.logOnce(odd, notUnderstoodMessage('in the response to the login', odd));
	}

	/** @param what completes "the provider sent …", and was dropped because it exceeds a limit */
	leftOut(what: string): void {
		this.logOnce(what, leftOutMessage(what));
	}

	/** Shows a subscriber what arrived before it. */
	showTo(subscriber: Subscriber): void {
		for (const oddity of this.shapes.values()) this.subscribers.showTo(subscriber, oddity);
	}

	private noEventIn(args: unknown[]): string {
		return `it is no event, but ${shapesOf(args, (text) => this.mask.line(text))}`;
	}

	private show(name: string, args: unknown[], reason: string): void {
		// Not masked: every event of a feed can be odd, and masking costs more than all else that is done with one.
		const shape = `${name.slice(0, LONGEST_SHOWN)} ${reason}`.replace(/\d+/g, '#');
		if (this.shapes.has(shape)) return;
		if (this.shapes.size >= MOST_SHAPES) return this.logOnce(tooManyMessage.text, tooManyMessage);
		const why = withoutNumbers(reason);
		const shown = withoutNumbers(this.mask.line(name)).slice(0, LONGEST_SHOWN);
		const oddity = { name: shown, payload: this.mask.payload(args), why };
		this.shapes.set(shape, oddity);
		this.subscribers.log(notUnderstoodMessage(`under the event name "${shown}"`, why));
		this.subscribers.log(notUnderstoodPayloadMessage(shown, oddity.payload));
		this.subscribers.show(oddity);
	}

	private logOnce(key: string, message: Parameters<Subscribers['log']>[0]): void {
		if (this.logged.has(key)) return;
		this.logged.add(key);
		this.subscribers.log(message);
	}
}
