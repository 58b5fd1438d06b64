// The names of queues, which the provider does not send: the user gives them.

import { InputError } from '../../shared/errors';
import { isRecord } from '../../shared/ids';
import { record, text } from '../../shared/settingValues';

/** By identifier. */
export type QueueNames = ReadonlyMap<string, { name: string }>;

/**
 * Names of queues: `[{ id_queue, name }]`, as JSON text or as rows of the panel's collection.
 * @throws InputError for anything else, and for a row without an identifier or a name
 */
export function readQueueNames(value: unknown): QueueNames | undefined {
	let list = value;
	try {
		if (typeof value === 'string') list = JSON.parse(value.trim() === '' ? '[]' : value);
	} catch {
		list = null;
	}
	const rows: unknown = Array.isArray(list)
		? list
		: Object.values(record(list)).find(Array.isArray);
	if (!Array.isArray(rows)) {
		// Nothing was added.
		if (list === undefined || (isRecord(list) && Object.keys(list).length === 0)) return undefined;
		throw noNames('"Queue Names" must be a list of queues with their names');
	}
	const names = new Map<string, { name: string }>();
	for (const [index, row] of rows.entries()) {
		const { id_queue: id, name } = record(row);
		const queue = text(id);
		const given = { name: text(name) };
		if (queue === '' || given.name === '')
			throw noNames(`Row ${index + 1} of "Queue Names" has no ${queue === '' ? 'ID' : 'name'}`);
		if (!canBeId(queue))
			throw noNames(`Row ${index + 1} of "Queue Names" has the ID ${queue}, which is no ID`);
		if (names.has(queue))
			throw noNames(`Row ${index + 1} of "Queue Names" has the ID ${queue}, as a row before`);
		names.set(queue, given);
	}
	return names.size === 0 ? undefined : names;
}

const noNames = (message: string) =>
	new InputError(
		message,
		'Give each queue its ID and its name, for example [{ "id_queue": 51, "name": "Sales" }]',
	);

/** Whether it can be an identifier and is not a name. */
export const canBeId = (id: string): boolean => /\d/.test(id) && !/\s/.test(id);

/**
 * Identifiers of queues, with each given name replaced by the identifiers that have it.
 * @param of distinguishes the field if there are several
 * @throws InputError for a word that is no known name: as an identifier it would match nothing. Identifiers of queues
 *   are numbers; one with letters needs a row of its own
 */
export function queuesNamed(
	queues: readonly string[],
	names: QueueNames | undefined,
	of = '',
): string[] {
	const called = (queue: string) =>
		[...(names ?? [])].filter(([, { name }]) => name.toLowerCase() === queue.toLowerCase());
	return queues.flatMap((queue) => {
		const ids = names?.has(queue) === true ? [queue] : called(queue).map(([id]) => id);
		if (ids.length > 0) return ids;
		if (/^-?\d+$/.test(queue)) return [queue];
		const known = [...(names?.values() ?? [])].map(({ name }) => name).join(', ');
		throw new InputError(
			`"Queue IDs"${of} has the queue ${queue}, which "Queue Names" does not have`,
			known === ''
				? 'Enter the ID of the queue, which a test run shows as id_queue, or give it this name in the option "Queue Names"'
				: `"Queue Names" has ${known}. Correct the name, or add a row with it and the ID of the queue`,
		);
	});
}
