// Maps in order of age: a Map keeps the order in which its entries were set, so that the first one is the oldest.

/** Makes an entry the newest. @returns its value */
export function renew<V>(map: Map<string, V>, key: string): V | undefined {
	const value = map.get(key);
	if (value === undefined) return undefined;
	map.delete(key);
	map.set(key, value);
	return value;
}

/** Removes the oldest entry if there are more than that many. @returns its value */
export function trim<V>(map: Map<string, V>, most: number): V | undefined {
	if (map.size <= most) return undefined;
	for (const [key, value] of map) {
		map.delete(key);
		return value;
	}
	return undefined;
}
