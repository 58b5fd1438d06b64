// Parameter values as users and expressions give them: numbers, text and lists alike.

import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../shared/inputError';

/** Text of a parameter: numbers become text, nothing becomes ''. Spaces at the ends go. */
export function toText(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	return typeof value === 'string' ? value.trim() : '';
}

/**
 * An identifier as text.
 * @param label the parameter's name in the panel
 * @throws InputError when there is none, or something else than text or a number
 */
export function toId(value: unknown, label: string): string {
	if (typeof value === 'object' && value !== null) {
		throw new InputError(
			`"${label}" is ${Array.isArray(value) ? 'a list' : 'an object'}, not one identifier`,
			'Let the expression give a single number or text.',
		);
	}
	// As it was given, spaces in the middle included: an identifier is opaque.
	const text = toText(value);
	if (text === '') {
		throw new InputError(`"${label}" is empty`, `Set "${label}", or check the expression in it.`);
	}
	return text;
}

/**
 * An identifier for a JSON body: a number where it is one, since both ways are taken and numbers are what the
 * vendor's schema says; text for everything else and for numbers that JavaScript can't hold exactly.
 */
export function toJsonId(text: string): number | string {
	return /^(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/**
 * Identifiers of numbers ("DIDs") from comma-separated text, a list or one number. Each comes once.
 * @throws InputError when there is none or one of them is not a number
 */
export function toDidIds(value: unknown): Array<number | string> {
	const list = Array.isArray(value)
		? value
		: toText(value)
				.replace(/^\[|\]$/g, '')
				.split(/[,;\s]+/);
	const ids = list.map((entry: unknown) => toText(entry)).filter((entry) => entry !== '');
	const wrong = Array.isArray(value)
		? value.find((entry: unknown) => !/^\d+$/.test(toText(entry)))
		: ids.find((id) => !/^\d+$/.test(id));
	if (wrong !== undefined) {
		throw new InputError(
			`"DID IDs" holds ${JSON.stringify(wrong)}, which is not a DID identifier`,
			"DID IDs are the operator's internal numbers, for example 1234567, not phone numbers. Give them with commas between them, or as a list.",
		);
	}
	if (ids.length === 0) {
		throw new InputError('"DID IDs" is empty', 'Give at least one DID identifier.');
	}
	return [...new Set(ids)].map(toJsonId);
}

/**
 * A quantity.
 * @param step what it must be a multiple of
 * @throws InputError for everything else than a positive multiple
 */
export function toQuantity(value: unknown, step: number): number {
	const quantity = Number(toText(value) || Number.NaN);
	if (!Number.isSafeInteger(quantity) || quantity <= 0 || quantity % step !== 0) {
		throw new InputError(
			step === 1
				? '"Quantity" is not a whole number above zero'
				: `"Quantity" is not a multiple of ${step}`,
			step === 1 ? 'Set it to 1 or more.' : 'Channels are sold in tens: 10, 20, 30 and so on.',
		);
	}
	return quantity;
}

/** How many entries to give out. @throws InputError for everything else than a whole number above zero */
export function toLimit(value: unknown): number {
	const limit = Number(toText(value) || Number.NaN);
	if (!Number.isSafeInteger(limit) || limit < 1) {
		throw new InputError('"Limit" is not a whole number above zero', 'Set it to 1 or more.');
	}
	return limit;
}

/** A collection's entries that are set. */
export function compact(values: IDataObject): IDataObject {
	const set = Object.entries(values).filter(
		([, value]) => value !== undefined && value !== null && value !== '',
	);
	return Object.fromEntries(set);
}

/**
 * Phone numbers from comma-separated text or a list, as the user wrote them.
 * @throws InputError when there is none
 */
export function toPhoneNumbers(value: unknown): string[] {
	const list = Array.isArray(value) ? value : toText(value).split(/[,;\n]+/);
	const numbers = list.map((entry: unknown) => toText(entry)).filter((entry) => entry !== '');
	if (numbers.length === 0) {
		throw new InputError('"Phone Numbers" is empty', 'Give at least one phone number.');
	}
	return [...new Set(numbers)];
}
