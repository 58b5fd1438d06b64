// One entry of a list in a node's panel, built from the provider's data.
import { oneLine } from './oneLine';

/**
 * An entry as n8n can show it: one line without markup.
 * @param value what choosing it sets
 * @returns undefined for a value that n8n would take for an expression, and run as code, since it begins with `=`
 */
export function listOption(
	name: string,
	value: string,
): { name: string; value: string } | undefined {
	return value.startsWith('=') ? undefined : { name: oneLine(name), value };
}
