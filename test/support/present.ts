// For values that must exist: a list can be read without a `!` after every index, and an error names what was
// missing.

/** The entry at this index; a negative one counts from the end. Throws if there is none. */
export function nth<T>(list: ArrayLike<T>, index: number): T {
	const place = index < 0 ? list.length + index : index;
	if (!(place >= 0 && place < list.length)) {
		throw new Error(`There is no entry ${index} in a list of ${list.length}`);
	}
	return list[place] as T;
}

/** The first `count` entries. Throws if there are fewer. */
export function firstOf<T>(list: ArrayLike<T>, count: 2): [T, T];
export function firstOf<T>(list: ArrayLike<T>, count: 3): [T, T, T];
export function firstOf<T>(list: ArrayLike<T>, count: number): T[] {
	return Array.from({ length: count }, (_, index) => nth(list, index));
}

/** The value. Throws if it is undefined. */
export function present<T>(value: T | undefined): T {
	if (value === undefined) throw new Error('There is no value here');
	return value;
}
