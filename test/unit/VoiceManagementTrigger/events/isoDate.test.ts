import fc from 'fast-check';
import { isoOf } from '../../../../nodes/VoiceManagementTrigger/events/isoDate';

const LONGEST_MS = 8_640_000_000_000_000;

describe('isoOf', () => {
	it('returns the same as Date for every time that has a date', () => {
		fc.assert(
			fc.property(fc.double({ min: -LONGEST_MS, max: LONGEST_MS, noNaN: true }), (ms) => {
				expect(isoOf(ms)).toBe(new Date(ms).toISOString());
			}),
			{ numRuns: 2_000 },
		);
	});

	it('returns the same as Date on every day from 1896 to 2104, at its first and its last moment', () => {
		const day = 86_400_000;
		const wrong: number[] = [];
		for (let ms = Date.UTC(1896, 0, 1); ms < Date.UTC(2104, 0, 1); ms += day) {
			for (const moment of [ms, ms + day - 1]) {
				if (isoOf(moment) !== new Date(moment).toISOString()) wrong.push(moment);
			}
		}
		expect(wrong).toEqual([]);
	});

	it.each([
		['the first moment of year 1', -62_135_596_800_000, '0001-01-01T00:00:00.000Z'],
		['one before', -62_135_596_800_001, '0000-12-31T23:59:59.999Z'],
		['the last moment of 9999', 253_402_300_799_999, '9999-12-31T23:59:59.999Z'],
		['one after', 253_402_300_800_000, '+010000-01-01T00:00:00.000Z'],
		['a fraction before 1970', -0.5, '1970-01-01T00:00:00.000Z'],
		['a leap day', Date.UTC(2024, 1, 29, 12, 34, 56, 7), '2024-02-29T12:34:56.007Z'],
		['a day that a century leaves out', Date.UTC(2100, 2, 1), '2100-03-01T00:00:00.000Z'],
	])('knows %s', (_name, ms, iso) => {
		expect(isoOf(ms)).toBe(iso);
	});

	it.each([Number.NaN, Number.POSITIVE_INFINITY, LONGEST_MS + 1])(
		'returns nothing for %s',
		(ms) => {
			expect(isoOf(ms)).toBeUndefined();
		},
	);
});
