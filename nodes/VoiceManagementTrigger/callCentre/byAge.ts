// A map that knows which of its entries was set longest ago. A Map keeps that order too, but each request for its
// first entry skips over all that were deleted before: among thousands that takes longer than everything else.

export interface Aged<V> {
	readonly key: string;
	value: V;
}

interface Link<V> extends Aged<V> {
	older: Link<V> | undefined;
	newer: Link<V> | undefined;
}

export class ByAge<V> {
	private readonly links = new Map<string, Link<V>>();
	private first: Link<V> | undefined;
	private last: Link<V> | undefined;

	get size(): number {
		return this.links.size;
	}

	get(key: string): V | undefined {
		return this.links.get(key)?.value;
	}

	has(key: string): boolean {
		return this.links.has(key);
	}

	/** Makes an entry the newest. @returns its value */
	renew(key: string): V | undefined {
		const link = this.links.get(key);
		if (link && link !== this.last) {
			this.unlink(link);
			this.append(link);
		}
		return link?.value;
	}

	/** In no particular order. */
	keys(): IterableIterator<string> {
		return this.links.keys();
	}

	/** Sets an entry and makes it the newest. */
	set(key: string, value: V): void {
		let link = this.links.get(key);
		if (link) {
			link.value = value;
			this.unlink(link);
		} else {
			link = { key, value, older: undefined, newer: undefined };
			this.links.set(key, link);
		}
		this.append(link);
	}

	/** @returns whether the entry existed */
	delete(key: string): boolean {
		const link = this.links.get(key);
		if (!link) return false;
		this.links.delete(key);
		this.unlink(link);
		return true;
	}

	/** The entry that was set longest ago. */
	oldest(): Aged<V> | undefined {
		return this.first;
	}

	/** Removes and returns the oldest entry if there are more than that many. */
	trim(most: number): Aged<V> | undefined {
		const { first } = this;
		if (!first || this.links.size <= most) return undefined;
		this.delete(first.key);
		return first;
	}

	/** Starts with the oldest; the current entry may be deleted meanwhile. */
	*[Symbol.iterator](): Generator<Aged<V>, void> {
		for (let link = this.first; link; link = link.newer) yield link;
	}

	private append(link: Link<V>): void {
		link.older = this.last;
		link.newer = undefined;
		if (this.last) this.last.newer = link;
		else this.first = link;
		this.last = link;
	}

	private unlink({ older, newer }: Link<V>): void {
		if (older) older.newer = newer;
		else this.first = newer;
		if (newer) newer.older = older;
		else this.last = older;
	}
}
