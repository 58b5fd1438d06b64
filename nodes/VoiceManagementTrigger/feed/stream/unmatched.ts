// The events of one connection that the other one of an overlap has not brought yet.
import { contentOf } from './copies';
import { Fifo } from '../fifo';
import type { FeedEvent } from '../types';

/** How far one connection may lag behind the other for its copies still to be known as copies. */
export const LAG_MS = 15_000;

/** So many that are gone, and half of all, are let go of together. */
const MOST_GONE = 1_000;

export class Entry {
	/** How many events of its connection came before it. */
	order = 0;

	/** The other connection brought it, or nobody waits for that any more. */
	gone = false;

	/** The other connection had come to its number, or past it, before. */
	behind = false;

	/** It looked like the copy of an event with another number: it is evidence of two numberings once. */
	doubted = false;

	private known?: string;

	/**
	 * @param at when it came, in milliseconds since 1970
	 * @param held not handed on yet
	 */
	constructor(
		readonly event: FeedEvent,
		public at: number,
		public held: boolean,
	) {}

	/** What it is recognised by. Read only where the numbers do not tell: it costs as much as all the rest. */
	get content(): string {
		return (this.known ??= contentOf(this.event));
	}
}

const NONE: readonly Entry[] = [];

/** Events of one connection that the other one has not brought, in the order in which they came. */
export class Unmatched {
	/** In order. Those that are gone may still be among them. */
	private readonly entries = new Fifo<Entry>();

	private left = 0;

	private readonly byNumber = new Map<number, Entry[]>();

	private readonly byContent = new Map<string, Entry[]>();

	/** So many are in {@link byContent}, or were gone before. */
	private read = 0;

	private unnumbered = 0;

	/** How many of them are {@link Entry.behind}. */
	behind = 0;

	private count = 0;

	/** When the latest one came that the other connection never brought. */
	forgottenAt = 0;

	/** The latest one that the other connection brought. */
	private passed = -1;

	add(entry: Entry): void {
		this.entries.push(entry);
		this.left++;
		entry.order = this.count++;
		if (entry.behind) this.behind++;
		if (entry.event.cpt !== undefined) put(this.byNumber, entry.event.cpt, entry);
		else this.unnumbered++;
	}

	all(): Entry[] {
		return this.entries.toArray().filter(({ gone }) => !gone);
	}

	numbered(cpt: number): readonly Entry[] {
		return this.byNumber.get(cpt) ?? NONE;
	}

	alike(content: string): readonly Entry[] {
		for (const entry of this.entries.last(this.count - this.read)) {
			if (!entry.gone && entry.order >= this.read) put(this.byContent, entry.content, entry);
		}
		this.read = this.count;
		return this.byContent.get(content) ?? NONE;
	}

	/** Whether each of them has a number. */
	get areNumbered(): boolean {
		return this.unnumbered === 0;
	}

	/** Whether the other connection has brought what came after this one: it will hardly bring this one. */
	isPassed(entry: Entry): boolean {
		return entry.order < this.passed;
	}

	/** The other connection brought an event that came after all of these. */
	pass(): void {
		this.passed = this.count;
	}

	/** The other connection brought it. */
	use(entry: Entry): void {
		this.passed = Math.max(this.passed, entry.order);
		this.remove(entry);
	}

	forget(now: number): void {
		for (const entry of this.all()) {
			if (entry.held) continue;
			if (now - entry.at < LAG_MS) return;
			this.forgottenAt = entry.at;
			this.remove(entry);
		}
	}

	/** The machine's clock was set back: what has a time is as long ago as before. */
	setBack(ms: number): void {
		this.forgottenAt -= ms;
		for (const entry of this.all()) entry.at -= ms;
	}

	private remove(entry: Entry): void {
		if (entry.gone) return;
		entry.gone = true;
		if (entry.behind) this.behind--;
		if (entry.event.cpt !== undefined) drop(this.byNumber, entry.event.cpt, entry);
		else this.unnumbered--;
		if (entry.order < this.read) drop(this.byContent, entry.content, entry);
		this.left--;
		while (this.entries.peek()?.gone) this.entries.shift();
		if (this.entries.size > MOST_GONE + 2 * this.left) this.entries.refill(this.all());
	}
}

function put<K>(lists: Map<K, Entry[]>, key: K, entry: Entry): void {
	const list = lists.get(key);
	if (list) list.push(entry);
	else lists.set(key, [entry]);
}

function drop<K>(lists: Map<K, Entry[]>, key: K, entry: Entry): void {
	const list = lists.get(key);
	const index = list?.indexOf(entry) ?? -1;
	if (!list || index === -1) return;
	if (list.length === 1) lists.delete(key);
	else list.splice(index, 1);
}
