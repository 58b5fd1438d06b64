// "Custom Fields": the user's own JSON, for fields that the provider accepts but does not document.

import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../shared/ids';
import { InputError } from '../../shared/errors';
import { parseJson } from '../../shared/json';
import type { OperationContext } from '../operation';
import { refuseLostDigits } from './values';

/** The deepest nesting; an object that contains itself has no end. */
const DEEPEST_JSON = 100;

/** Names that would change the object itself rather than one of its fields. */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The body of a write with the item's custom fields on top.
 * @returns the body to send, and the custom fields: the fields that they set are not checked, since the user knows
 *   the provider
 */
export function withCustomFields(
	context: OperationContext,
	body: IDataObject,
): { body: IDataObject; custom: IDataObject } {
	const custom = readCustomFields(context.collection('options').customFields);
	return { body: mergeCustomFields(body, custom), custom };
}

/**
 * Reads the parameter.
 * @param value JSON text, or an object from an expression; empty means none
 * @throws InputError if it is not an object, or uses a name that has a meaning in JavaScript
 */
export function readCustomFields(value: unknown): IDataObject {
	if (value === undefined || value === null || value === '') return {};
	let fields: unknown = value;
	if (typeof value === 'string') {
		try {
			fields = parseJson(value);
		} catch {
			fields = undefined;
		}
	}
	if (!isRecord(fields)) {
		throw new InputError(
			'"Custom Fields" is not a JSON object',
			'Write it with braces and double quotes, for example {"customerReference": "A-17"}.',
		);
	}
	refuseUnsendable(fields);
	return fields as IDataObject;
}

/** The body with the custom fields on top. Objects are merged field by field; `null` removes a field. */
export function mergeCustomFields(body: IDataObject, custom: IDataObject): IDataObject {
	const merged: IDataObject = { ...body };
	for (const [name, value] of Object.entries(custom)) {
		const own = merged[name];
		if (value === null) delete merged[name];
		else
			merged[name] =
				isRecord(own) && isRecord(value)
					? mergeCustomFields(own as IDataObject, value as IDataObject)
					: value;
	}
	return merged;
}

function refuseUnsendable(value: unknown, depth = 0): void {
	refuseLostDigits(value, 'Custom Fields');
	if (typeof value !== 'object' || value === null) return;
	if (depth === DEEPEST_JSON) {
		throw new InputError(
			`"Custom Fields" has more than ${DEEPEST_JSON} levels, or contains itself`,
			'Pass only the fields that the provider needs.',
		);
	}
	for (const [name, inner] of Object.entries(value)) {
		if (UNSAFE.has(name)) {
			throw new InputError(
				`"Custom Fields" can't have a field named "${name}"`,
				'Remove that field.',
			);
		}
		refuseUnsendable(inner, depth + 1);
	}
}
