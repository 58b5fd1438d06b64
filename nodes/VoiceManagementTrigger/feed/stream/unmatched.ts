// Collects the events that one of two open connections has delivered and the other one has not (yet).
import { contentOf, type Traits } from './copies';
import { Fifo } from '../fifo';
import type { FeedEvent } from '../types';

/** How far one connection can lag behind the other one with its events still recognised as copies. */
export const LAG_MS = 15_000;

/** Gone entries that are not at the front are removed together, once they outnumber the others by more than this. */
const MOST_GONE = 1_000;

/** An event of one connection, and its state while its copy from the other connection is awaited. */
export class Entry {
	/** How many entries were added to its {@link Unmatched} before it. */
	order = 0;

	/** Its copy is no longer awaited: the other connection delivered it, or it was forgotten. */
	gone = false;

	/**
	 * When it came, the other connection's numbers had already reached or passed its own; that connection had not
	 * delivered it.
	 */
	behind = false;

	/** An event with another number has the same content. That counts only once as a sign of two numberings. */
	doubted = false;

	event: Traits;

	/**
	 * The event, if it is not passed on yet because it came first over the next connection and the previous one may still
	 * deliver it.
	 */
	held?: FeedEvent;

	private known?: string;

	/** @param at when it came, in milliseconds since 1970 */
	constructor(
		event: FeedEvent,
		public at: number,
		held: boolean,
	) {
		this.event = event;
		if (held) this.held = event;
	}

	/**
	 * The key by which copies are recognised (copies.ts). Read only if the numbers do not identify the copy, because
	 * computing it costs as much as everything else that is done with an event here.
	 */
	get content(): string {
		return (this.known ??= contentOf(this.event));
	}
}

const NONE: readonly Entry[] = [];

/**
 * Finds entries by a key. Entries are indexed on lookup and not when they are added, because a lookup is rarely needed:
 * the copy is usually the first entry.
 */
class Index<K> {
	private readonly lists = new Map<K, Entry[]>();

	/** The entries whose `order` is lower are indexed, unless they were gone by then. */
	private read = 0;

	constructor(private readonly keyOf: (entry: Entry) => K | undefined) {}

	/**
	 * The entries with a key, in order of arrival.
	 * @param count how many entries were ever added
	 */
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

	/** Removes an entry if it is indexed. */
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

/** The events of one connection that the other one has not delivered, in order of arrival. */
export class Unmatched {
	/** In order of arrival. Gone entries can be among them, but never at the front. */
	private readonly entries = new Fifo<Entry>();

	/** How many entries are not gone. */
	private left = 0;

	private readonly byNumber = new Index(({ event }) => event.cpt);

	private readonly byContent = new Index(({ content }) => content);

	/** How many of these have no `cpt`. */
	private unnumbered = 0;

	/** How many of these are {@link Entry.behind}. */
	behind = 0;

	/** How many entries were ever added. */
	private count = 0;

	/** When the latest event came that was forgotten because the other connection never delivered it; 0 at first. */
	forgottenAt = 0;

	/** The other connection has delivered a later event than the entries whose `order` is lower than this. */
	private passed = -1;

	add(entry: Entry): void {
		const { type, event, cpt, ts, msg } = entry.event;
		// In a burst thousands wait, and the garbage collector copies everything that they keep alive.
		entry.event = { type, event, cpt, ts, msg };
		this.entries.push(entry);
		this.left++;
		entry.order = this.count++;
		if (entry.behind) this.behind++;
		if (cpt === undefined) this.unnumbered++;
	}

	/** The entry that came first; undefined if there is none. */
	get first(): Entry | undefined {
		return this.entries.peek();
	}

	/** The entries that are not gone, in order of arrival. */
	all(): Entry[] {
		return this.entries.toArray().filter(({ gone }) => !gone);
	}

	numbered(cpt: number): readonly Entry[] {
		return this.byNumber.of(cpt, this.entries, this.count);
	}

	alike(content: string): readonly Entry[] {
		return this.byContent.of(content, this.entries, this.count);
	}

	/** Whether every entry that is not gone has a number. */
	get areNumbered(): boolean {
		return this.unnumbered === 0;
	}

	/** Whether the other connection has delivered a later event, and so will probably never deliver this one. */
	isPassed(entry: Entry): boolean {
		return entry.order < this.passed;
	}

	/** Whether the other connection can still deliver an event that came before this one, apart from doubted ones. */
	isPreceded({ order }: Entry): boolean {
		return this.all().some((one) => one.order < order && !one.doubted && !this.isPassed(one));
	}

	/** The other connection delivered an event that came after all entries so far. */
	pass(): void {
		this.passed = this.count;
	}

	/** The other connection delivered this event: removes it. */
	use(entry: Entry): void {
		this.passed = Math.max(this.passed, entry.order);
		this.remove(entry);
	}

	/** Removes events that are older than LAG_MS, except held ones. */
	forget(now: number): void {
		for (const entry of this.all()) {
			if (entry.held) continue;
			if (now - entry.at < LAG_MS) return;
			this.forgottenAt = entry.at;
			this.remove(entry);
		}
	}

	/** The machine's clock was set back: shifts all stored times, so that they are as long ago as before. */
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
