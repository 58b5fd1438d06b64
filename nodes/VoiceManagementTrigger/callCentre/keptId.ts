import { idText } from '../../shared/ids';

/** Longer than any identifier, telephone number or name of an event. */
export const LONGEST_ID = 300;

/** The text form of an identifier that is stored for hours, for thousands of calls; undefined if it is too long. */
export function keptId(value: unknown): string | undefined {
	// Checked before trimming: a part of a long text keeps the whole text in memory.
	return typeof value === 'string' && value.length > LONGEST_ID ? undefined : idText(value);
}
