// Identifiers of the feed. The provider sends the same one as a number in one place and as text in another
// (provider.md#identifiers), so they are only ever compared as text.

/**
 * The text form of an identifier.
 * @returns undefined for what cannot be one: nothing, blank text, NaN, an object
 */
export function idText(value: unknown): string | undefined {
	if (typeof value === 'string') {
		const text = value.trim();
		return text === '' ? undefined : text;
	}
	if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
	return typeof value === 'bigint' ? String(value) : undefined;
}

/** Whether a value is an object with named fields (not an array, not null). */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value has values of its own: an object or an array. */
export function isCompound(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
