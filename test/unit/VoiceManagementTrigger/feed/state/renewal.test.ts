import { renewalTime } from '../../../../../nodes/VoiceManagementTrigger/feed/state/renewal';

const MINUTE = 60_000;
const NOW = 1_795_000_000_000;

describe('a renewal begins', () => {
	it.each([
		[120, 110],
		[60, 50],
		[50, 40],
		[49, 39.2],
		[10, 8],
	])('for a validity of %d minutes after %d', (validity, after) => {
		expect(renewalTime(NOW, NOW + validity * MINUTE)).toBe(NOW + after * MINUTE);
	});

	it('never sooner than a second after the login', () => {
		expect(renewalTime(NOW, NOW + 10)).toBe(NOW + 1_000);
	});
});
