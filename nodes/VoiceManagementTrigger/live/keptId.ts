import { idText } from '../../shared/ids';

/** Longer than any identifier, telephone number or name of an event. */
export const LONGEST_ID = 300;

/** The text form of an identifier that is kept for hours, of thousands of calls: what is longer is none. */
export function keptId(value: unknown): string | undefined {
	// Before it is trimmed: what is cut out of a long text keeps all of it.
	return typeof value === 'string' && value.length > LONGEST_ID ? undefined : idText(value);
}
