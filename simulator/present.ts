/** The value. Throws if it is undefined. */
export function present<T>(value: T | undefined): T {
	if (value === undefined) throw new Error('There is no value here');
	return value;
}
