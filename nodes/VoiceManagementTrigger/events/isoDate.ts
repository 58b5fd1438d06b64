// ISO 8601 of a moment, by arithmetic: every simplified event has a date, and Date's own toISOString() would cost
// more than the rest of the conversion.

const DAY_MS = 86_400_000;
/** 0001-01-01 to 9999-12-31: years of four digits. Date converts all other moments. */
const FIRST_MS = -62_135_596_800_000;
const LAST_MS = 253_402_300_799_999;

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

/** The last result: timestamps are in seconds, so many events share one. */
let last: { ms: number; iso: string | undefined } = { ms: 0, iso: '1970-01-01T00:00:00.000Z' };

/** @param ms milliseconds since 1970; the result is undefined if it is not a number, or outside of Date's range */
export function isoOf(ms: number): string | undefined {
	if (ms !== last.ms) last = { ms, iso: written(ms) };
	return last.iso;
}

function written(ms: number): string | undefined {
	if (!(ms >= FIRST_MS && ms <= LAST_MS)) {
		const date = new Date(ms);
		return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
	}
	const whole = Math.trunc(ms);
	const day = Math.floor(whole / DAY_MS);
	const time = whole - day * DAY_MS;
	const seconds = Math.floor(time / 1000);
	const rest = time - seconds * 1000;
	const hundreds = Math.floor(rest / 100);
	return `${calendarDay(day)}T${TWO_DIGITS[Math.floor(seconds / 3600)]}:${TWO_DIGITS[Math.floor(seconds / 60) % 60]}:${TWO_DIGITS[seconds % 60]}.${hundreds}${TWO_DIGITS[rest - hundreds * 100]}Z`;
}

/**
 * `YYYY-MM-DD` of a day counted from 1970-01-01, in years that begin in March, so that the leap day is the last one
 * (Howard Hinnant, "chrono-compatible low-level date algorithms").
 */
function calendarDay(day: number): string {
	const fromMarch = day + 719_468;
	const era = Math.floor(fromMarch / 146_097);
	const dayOfEra = fromMarch - era * 146_097;
	const yearOfEra = Math.floor(
		(dayOfEra -
			Math.floor(dayOfEra / 1_460) +
			Math.floor(dayOfEra / 36_524) -
			Math.floor(dayOfEra / 146_096)) /
			365,
	);
	const dayOfYear =
		dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
	const month = Math.floor((5 * dayOfYear + 2) / 153);
	const dayOfMonth = dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
	const year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0);
	return `${TWO_DIGITS[Math.floor(year / 100)]}${TWO_DIGITS[year % 100]}-${TWO_DIGITS[month < 10 ? month + 3 : month - 9]}-${TWO_DIGITS[dayOfMonth]}`;
}
