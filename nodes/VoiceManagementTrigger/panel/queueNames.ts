// The names of queues, which the provider does not send: the user gives them.

import { InputError } from '../../shared/errors';
import { record, text } from '../../shared/settingValues';

/** By identifier. */
export type QueueNames = ReadonlyMap<string, { name: string }>;

/**
 * Names of queues: `[{ id_queue, name }]`, as JSON text or as rows of the panel's collection.
 * @throws InputError for anything else
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
	const names = new Map<string, { name: string }>();
	for (const row of Array.isArray(rows) ? rows : []) {
		const { id_queue: id, name } = record(row);
		const queue = text(id);
		if (queue !== '' && text(name) !== '') names.set(queue, { name: text(name) });
	}
	const given = Array.isArray(rows) ? rows.length > 0 : list === null;
	if (given && names.size === 0) {
		throw new InputError(
			'"Queue Names" must be a list of queues with their names',
			'Give each queue its ID and its name, for example [{ "id_queue": 51, "name": "Sales" }]',
		);
	}
	return names.size === 0 ? undefined : names;
}

/**
 * Identifiers of queues, with each given name replaced by the identifiers that have it.
 * @param of distinguishes the field if there are several
 * @throws InputError for a word that is no known name: as an identifier it would match nothing
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
		if (/\d/.test(queue)) return [queue];
		const known = [...(names?.values() ?? [])].map(({ name }) => name).join(', ');
		throw new InputError(
			`"Queue IDs"${of} has the queue ${queue}, which "Queue Names" does not have`,
			known === ''
				? 'Enter the ID of the queue, which a test run shows as id_queue, or give it this name in the option "Queue Names"'
				: `"Queue Names" has ${known}. Correct the name, or add a row with it and the ID of the queue`,
		);
	});
}
