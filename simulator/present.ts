// For what must be there: a list is read without a `!` behind every index, and an error says what was missing.

/** The entry at this place; a negative index counts from the end. Throws where there is none. */
export function nth<T>(list: ArrayLike<T>, index: number): T {
	const place = index < 0 ? list.length + index : index;
	if (!(place >= 0 && place < list.length)) {
		throw new Error(`There is no entry ${index} in a list of ${list.length}`);
	}
	return list[place] as T;
}

/** The first entries, as many as are asked for. Throws where there are fewer. */
export function firstOf<T>(list: ArrayLike<T>, count: 2): [T, T];
export function firstOf<T>(list: ArrayLike<T>, count: 3): [T, T, T];
export function firstOf<T>(list: ArrayLike<T>, count: number): T[] {
	return Array.from({ length: count }, (_, index) => nth(list, index));
}

/** The value, which is not undefined. Throws where it is. */
export function present<T>(value: T | undefined): T {
	if (value === undefined) throw new Error('There is no value here');
	return value;
}
