// Days and intervals on the clock of a time zone, also across daylight saving. All moments are of the machine's own
// clock, milliseconds since 1970.

/** `until` is the first moment after it. */
export interface Span {
	from: number;
	until: number;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The formats of a zone. Making one takes longer than everything else here. */
const zones = new Map<string, Record<'date' | 'minute', Intl.DateTimeFormat>>();

/** The periods that figures are of: the day, or so many minutes, which divide the hour. */
export const PERIODS = ['day', '60', '30', '15', '5'] as const;
export type PeriodName = (typeof PERIODS)[number];

/**
 * The period of a moment.
 * @param timeZone IANA name that {@link isTimeZone} knows
 */
export function periodOf(at: number, period: PeriodName, timeZone: string): Span {
	return period === 'day' ? dayOf(at, timeZone) : intervalOf(at, Number(period), timeZone);
}

/** Whether the runtime knows a time zone. */
export function isTimeZone(timeZone: string): boolean {
	try {
		zoneOf(timeZone);
		return true;
	} catch {
		return false;
	}
}

/** The day of a moment, also if it has 23 or 25 hours, or begins at one o'clock. */
function dayOf(at: number, timeZone: string): Span {
	const date = (moment: number) => zoneOf(timeZone).date.format(moment);
	const today = date(at);
	return {
		from: firstMinute(at - 27 * HOUR_MS, at, (moment) => date(moment) === today),
		until: firstMinute(at, at + 27 * HOUR_MS, (moment) => date(moment) !== today),
	};
}

/**
 * The interval of a moment: it begins and ends where the minutes on the clock are a multiple of its own.
 * @param minutes divides the hour
 */
function intervalOf(at: number, minutes: number, timeZone: string): Span {
	const isBoundary = (moment: number) =>
		Number(zoneOf(timeZone).minute.format(moment)) % minutes === 0;
	let from = Math.floor(at / MINUTE_MS) * MINUTE_MS;
	let until = from + MINUTE_MS;
	while (!isBoundary(from)) from -= MINUTE_MS;
	while (!isBoundary(until)) until += MINUTE_MS;
	return { from, until };
}

/** The first full minute after `low`, up to `high`, for which `holds` is true. */
function firstMinute(low: number, high: number, holds: (moment: number) => boolean): number {
	let before = Math.floor(low / MINUTE_MS);
	let after = Math.ceil(high / MINUTE_MS);
	while (after - before > 1) {
		const middle = Math.floor((before + after) / 2);
		if (holds(middle * MINUTE_MS)) after = middle;
		else before = middle;
	}
	return after * MINUTE_MS;
}

function zoneOf(timeZone: string) {
	const zone = zones.get(timeZone) ?? {
		date: new Intl.DateTimeFormat('en-CA', { timeZone }),
		minute: new Intl.DateTimeFormat('en-GB', { timeZone, minute: 'numeric' }),
	};
	zones.set(timeZone, zone);
	return zone;
}
