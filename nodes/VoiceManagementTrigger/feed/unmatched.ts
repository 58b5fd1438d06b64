// The events of one connection that the other one of an overlap has not brought yet.
import type { Content } from './copies';
import type { FeedEvent } from './types';

/** How far one connection may lag behind the other for its copies still to be known as copies. */
export const LAG_MS = 15_000;

export interface Entry extends Content {
	event: FeedEvent;
	at: number;
	/** Not handed on yet. */
	held: boolean;
}

/** Events of one connection that the other one has not brought, in the order in which they came. */
export class Unmatched {
	private readonly entries = new Set<Entry>();

	private readonly byNumber = new Map<number, Entry[]>();

	private readonly byContent = new Map<string, Entry[]>();

	/** How many events came before each. */
	private readonly order = new WeakMap<Entry, number>();

	private count = 0;

	/** The latest one that the other connection brought. */
	private passed = -1;

	add(entry: Entry): void {
		this.entries.add(entry);
		this.order.set(entry, this.count++);
		if (entry.event.cpt !== undefined) put(this.byNumber, entry.event.cpt, entry);
		put(this.byContent, entry.content, entry);
	}

	all(): Iterable<Entry> {
		return this.entries;
	}

	numbered(cpt: number): readonly Entry[] {
		return this.byNumber.get(cpt) ?? [];
	}

	alike(content: string): readonly Entry[] {
		return this.byContent.get(content) ?? [];
	}

	/** Whether the other connection has brought what came after this one: it will hardly bring this one. */
	isPassed(entry: Entry): boolean {
		return (this.order.get(entry) ?? 0) < this.passed;
	}

	/** The other connection brought an event that came after all of these. */
	pass(): void {
		this.passed = this.count;
	}

	/** The other connection brought it. */
	use(entry: Entry): void {
		this.passed = Math.max(this.passed, this.order.get(entry) ?? -1);
		this.remove(entry);
	}

	forget(now: number): void {
		for (const entry of this.entries) {
			if (entry.held) continue;
			if (now - entry.at < LAG_MS) return;
			this.remove(entry);
		}
	}

	private remove(entry: Entry): void {
		this.entries.delete(entry);
		if (entry.event.cpt !== undefined) drop(this.byNumber, entry.event.cpt, entry);
		drop(this.byContent, entry.content, entry);
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
	list.splice(index, 1);
	if (list.length === 0) lists.delete(key);
}
