import {
	backoffDelay,
	refusedDelay,
} from '../../../../../nodes/VoiceManagementTrigger/feed/state/backoff';

describe('the back-off', () => {
	it.each([
		[1, 1_000, 2_000],
		[2, 2_000, 4_000],
		[3, 4_000, 8_000],
		[5, 16_000, 32_000],
		[6, 30_000, 60_000],
		[7, 30_000, 60_000],
		[1_000_000, 30_000, 60_000],
	])('after %i failures is between %i and %i ms', (failures, least, most) => {
		expect(backoffDelay(failures, 0)).toBe(least);
		expect(backoffDelay(failures, 1)).toBe(most);
		expect(backoffDelay(failures, 0.5)).toBe((least + most) / 2);
	});

	it.each([
		[1, 5],
		[2, 10],
		[3, 20],
		[4, 30],
		[99, 30],
	])('after %i rejected logins is %i minutes and up to a tenth more', (refusals, minutes) => {
		expect(refusedDelay(refusals, 0)).toBe(minutes * 60_000);
		expect(refusedDelay(refusals, 1)).toBe(minutes * 66_000);
	});
});
