// Reads the numbers and times of an event, in whatever notation the operator writes them. Pure.
import { readExpire } from '../../../shared/loginResponse';

/** Longer text is not a time. */
const LONGEST = 64;
/** From these values on, a Unix timestamp is in nanoseconds, or in microseconds. */
const NANOSECONDS = 1e17;
const MICROSECONDS = 1e14;

/** Without a zone it is read as UTC, like a Unix timestamp. */
const ISO_MOMENT =
	/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?$/i;
const BASIC_MOMENT = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(?:\.\d{1,9})?(Z|[+-]\d{4})?$/i;
/** `Sun, 22 Nov 2026 06:10:00 GMT`: the zone is required. */
const MAIL_MOMENT = /^[a-z]{3},? .* (?:GMT|UTC|[+-]\d{4})$/i;

/** Fields that can contain the time if it is sent as an object. */
const PARTS = ['$date', 'date', 'value', 'sec', 'seconds', '_seconds'];

/** Reads a number, or a number in text. */
export function numberOf(value: unknown): number | undefined {
	const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
}

/**
 * Reads a time. Unix timestamps in seconds or milliseconds are returned as they are; those in microseconds or
 * nanoseconds, and dates in text, are returned in seconds.
 */
export function momentOf(value: unknown): number | undefined {
	const moment = readMoment(value);
	// Whoever sends 0, -1 or the year 1 does not know the time.
	return moment !== undefined && moment > 0 ? moment : undefined;
}

function readMoment(value: unknown): number | undefined {
	const number = numberOf(value) ?? numberOf(decimal(value));
	if (number !== undefined) return inSeconds(number);
	if (typeof value === 'string') return value.length > LONGEST ? undefined : dateOf(value.trim());
	if (typeof value !== 'object' || value === null) return undefined;
	for (const name of PARTS) {
		const part = (value as Record<string, unknown>)[name];
		const read = typeof part === 'object' ? undefined : momentOf(part);
		if (read !== undefined) return read;
	}
	return undefined;
}

/** Replaces a decimal comma: `1795326309,25`. */
function decimal(value: unknown): unknown {
	return typeof value === 'string' && /^\s?\d{1,12},\d{1,9}\s?$/.test(value)
		? value.replace(',', '.')
		: undefined;
}

function inSeconds(number: number): number {
	if (number >= NANOSECONDS) return number / 1e9;
	return number >= MICROSECONDS ? number / 1e6 : number;
}

function dateOf(given: string): number | undefined {
	const text = given.replace(/\//g, '-').replace(/(:\d\d),(\d)/, '$1.$2');
	const [, day, time, zone = 'Z'] = ISO_MOMENT.exec(text) ?? [];
	if (day !== undefined) return seconds(Date.parse(`${day}T${time}${zone.toUpperCase()}`));
	const basic = BASIC_MOMENT.exec(text);
	if (basic) {
		const [, year, month, date, hour, minute, second, offset = 'Z'] = basic;
		return seconds(Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}${offset}`));
	}
	const likeExpire = readExpire(text);
	if (likeExpire !== undefined) return likeExpire / 1000;
	return MAIL_MOMENT.test(given) ? seconds(Date.parse(given)) : undefined;
}

const seconds = (milliseconds: number) =>
	Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
