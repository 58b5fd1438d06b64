// Reads the numbers and times of an event, in whatever notation the provider writes them. Pure.
import { isPlausible } from '../clock';

/** Longer text is not a time. */
const LONGEST = 64;
/** From these values on, a Unix timestamp is in nanoseconds, or in microseconds. */
const NANOSECONDS = 1e17;
const MICROSECONDS = 1e14;

/** Date, time and offset, separated by anything or nothing; other zones, and none, are read as UTC. */
const MOMENT =
	/^(\d{4})\D?(\d\d)\D?(\d\d)\D(\d\d)\D?(\d\d)(?:\D?(\d\d)(?:[.,](\d{1,9}))?)?(?:\s?([+-])(\d\d):?(\d\d)|[\s+a-z]*)$/i;
/** `Sun, 22 Nov 2026 06:10:00 GMT`: the zone is required. */
const MAIL_MOMENT = /^[a-z]{3},? .* (?:GMT|UTC|[+-]\d{4})$/i;

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
	// Whoever sends 0, the year 1 or the year 9999 does not know the time.
	return moment !== undefined && (isPlausible(moment * 1000) || isPlausible(moment))
		? moment
		: undefined;
}

function readMoment(value: unknown): number | undefined {
	if (typeof value === 'object' && value !== null) {
		// A date in an object, or the seconds beside a smaller fraction of one.
		const parts = Object.values(value).map((part) =>
			typeof part === 'object' ? undefined : momentOf(part),
		);
		return parts.reduce((most, part) => ((part ?? 0) > (most ?? 0) ? part : most), undefined);
	}
	if (typeof value === 'string' && value.length > LONGEST) return undefined;
	const number = numberOf(typeof value === 'string' ? value.replace(',', '.') : value);
	if (number !== undefined) return inSeconds(number);
	return typeof value === 'string' ? dateOf(value.trim()) : undefined;
}

function inSeconds(number: number): number {
	if (number >= NANOSECONDS) return number / 1e9;
	return number >= MICROSECONDS ? number / 1e6 : number;
}

function dateOf(text: string): number | undefined {
	const found = MOMENT.exec(text);
	if (!found && !MAIL_MOMENT.test(text)) return undefined;
	const [, year, month, day, hour, minute, second = '00', fraction = '0', sign, hours, minutes] =
		found ?? [];
	const zone = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
	const milliseconds = Date.parse(
		found ? `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${zone}` : text,
	);
	return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
