// Maps whose first entry is the one that was set or renewed longest ago. Finding it takes a while if many were deleted
// before it: it is asked for at a limit only.

/** Makes an entry the newest. @returns its value */
export function makeNewest<K, V>(map: Map<K, V>, key: K): V | undefined {
	const value = map.get(key);
	if (value === undefined) return undefined;
	map.delete(key);
	map.set(key, value);
	return value;
}

/** Removes and returns the oldest value if there are more than that many. */
export function dropOldest<V>(map: Map<unknown, V>, most: number): V | undefined {
	const [oldest] = map.size > most ? map : [];
	if (!oldest) return undefined;
	map.delete(oldest[0]);
	return oldest[1];
}
