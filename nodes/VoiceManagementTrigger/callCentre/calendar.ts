// Days and intervals on the clock of a time zone, also across daylight saving. All moments are of the machine's own
// clock, milliseconds since 1970.

/** `until` is the first moment after it. */
export interface Span {
	from: number;
	until: number;
}

const MINUTE_MS = 60_000;

/** The formats of a zone. Making one takes longer than everything else here. */
const zones = new Map<string, Record<'date' | 'minute', Intl.DateTimeFormat>>();

/** The periods that figures are of: the day, or so many minutes, which divide the hour. */
export const PERIODS = ['day', '60', '30', '15', '5'] as const;
export type PeriodName = (typeof PERIODS)[number];

/**
 * The period of a moment. A day begins where the date is another one, also if the day has 23 or 25 hours, or begins at
 * one o'clock; a shorter period where the minutes on the clock are a multiple of its own.
 * @param timeZone IANA name that {@link isTimeZone} knows
 */
export function periodOf(at: number, period: PeriodName, timeZone: string): Span {
	const { date, minute } = zoneOf(timeZone);
	const isBoundary = (moment: number) =>
		period === 'day'
			? date.format(moment) !== date.format(moment - MINUTE_MS)
			: Number(minute.format(moment)) % Number(period) === 0;
	let from = Math.floor(at / MINUTE_MS) * MINUTE_MS;
	let until = from + MINUTE_MS;
	while (!isBoundary(from)) from -= MINUTE_MS;
	while (!isBoundary(until)) until += MINUTE_MS;
	return { from, until };
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

function zoneOf(timeZone: string) {
	const zone = zones.get(timeZone) ?? {
		date: new Intl.DateTimeFormat('en-CA', { timeZone }),
		minute: new Intl.DateTimeFormat('en-GB', { timeZone, minute: 'numeric' }),
	};
	zones.set(timeZone, zone);
	return zone;
}
