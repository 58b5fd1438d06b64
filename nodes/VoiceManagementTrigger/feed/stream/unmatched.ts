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

/** Events by a key. They are read into it when somebody asks: usually the first one is the right one, and nobody does. */
class Index<K> {
	private readonly lists = new Map<K, Entry[]>();

	/** The events before this one have been read, or were gone before. */
	private read = 0;

	constructor(private readonly keyOf: (entry: Entry) => K | undefined) {}

	/** Those with a key, in order. */
	of(key: K, entries: Fifo<Entry>, count: number): readonly Entry[] {
		if (this.read < count) {
			for (const entry of entries.last(count - this.read)) {
				if (!entry.gone && entry.order >= this.read) this.put(entry);
			}
			this.read = count;
		}
		return this.lists.get(key) ?? NONE;
	}

	private put(entry: Entry): void {
		const key = this.keyOf(entry);
		if (key === undefined) return;
		const list = this.lists.get(key);
		if (list) list.push(entry);
		else this.lists.set(key, [entry]);
	}

	drop(entry: Entry): void {
		if (entry.order >= this.read) return;
		const key = this.keyOf(entry);
		const list = key === undefined ? undefined : this.lists.get(key);
		const index = list?.indexOf(entry) ?? -1;
		if (key === undefined || !list || index === -1) return;
		if (list.length === 1) this.lists.delete(key);
		else list.splice(index, 1);
	}
}

/** Events of one connection that the other one has not brought, in the order in which they came. */
export class Unmatched {
	/** In order. Those that are gone may still be among them, but not in front. */
	private readonly entries = new Fifo<Entry>();

	private left = 0;

	private readonly byNumber = new Index(({ event }) => event.cpt);

	private readonly byContent = new Index(({ content }) => content);

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
		if (entry.event.cpt === undefined) this.unnumbered++;
	}

	/** The one that came first. */
	get first(): Entry | undefined {
		return this.entries.peek();
	}

	all(): Entry[] {
		return this.entries.toArray().filter(({ gone }) => !gone);
	}

	numbered(cpt: number): readonly Entry[] {
		return this.byNumber.of(cpt, this.entries, this.count);
	}

	alike(content: string): readonly Entry[] {
		return this.byContent.of(content, this.entries, this.count);
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
		if (entry.event.cpt === undefined) this.unnumbered--;
		this.byNumber.drop(entry);
		this.byContent.drop(entry);
		this.left--;
		while (this.entries.peek()?.gone) this.entries.shift();
		if (this.entries.size > MOST_GONE + 2 * this.left) this.entries.refill(this.all());
	}
}
