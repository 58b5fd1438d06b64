// Up to when a connection has certainly delivered everything, which is where a gap begins.
import {
	isHealthy,
	completeUntil,
	TRANSIT_MS,
	type Delivery,
} from '../../../../../nodes/VoiceManagementTrigger/feed/stream/gapStart';

const MINUTE = 60_000;
const OPENED = 1_000 * MINUTE;
/** When the token ends at the earliest: its end is known to within two seconds. */
const EXPIRES = OPENED + 120 * MINUTE;
const TOLD = EXPIRES + 2_000;

const delivery = (given: Partial<Delivery> = {}): Delivery => ({
	session: { expiresAt: TOLD },
	openedAt: OPENED,
	stale: false,
	...given,
});

describe('everything had arrived', () => {
	it('by the last sign of life, minus the time that events may have been in transit', () => {
		const seen = OPENED + 50 * MINUTE;
		expect(completeUntil(delivery({ lastEventAt: OPENED + 10 * MINUTE }), seen)).toBe(
			seen - TRANSIT_MS,
		);
	});

	it('by the end of the token, if only pings arrived after it', () => {
		const afterwards = EXPIRES + 5 * MINUTE;
		expect(completeUntil(delivery({ lastEventAt: OPENED + 10 * MINUTE }), afterwards)).toBe(
			EXPIRES - TRANSIT_MS,
		);
	});

	it('by the last event, if one arrived after the end of the token', () => {
		const lastEventAt = EXPIRES + MINUTE;
		expect(completeUntil(delivery({ lastEventAt }), EXPIRES + 5 * MINUTE)).toBe(
			lastEventAt - TRANSIT_MS,
		);
	});

	it('by the last event, if it is replaced because of its silence', () => {
		const lastEventAt = OPENED + 10 * MINUTE;
		expect(completeUntil(delivery({ lastEventAt, stale: true }), OPENED + 40 * MINUTE)).toBe(
			lastEventAt - TRANSIT_MS,
		);
	});

	it('by its beginning, if it never delivered an event: pings do not prove a subscription', () => {
		expect(completeUntil(delivery(), OPENED + 40 * MINUTE)).toBe(OPENED);
	});

	it('no earlier than its beginning', () => {
		expect(completeUntil(delivery({ lastEventAt: OPENED + 1 }), OPENED + 1)).toBe(OPENED);
	});
});

it('a quiet connection is healthy until its token ends or its silence has lasted too long', () => {
	expect(isHealthy(delivery(), EXPIRES - 1)).toBe(true);
	expect(isHealthy(delivery(), EXPIRES)).toBe(false);
	expect(isHealthy(delivery({ stale: true }), OPENED)).toBe(false);
	expect(isHealthy(delivery({ session: undefined }), OPENED)).toBe(false);
});
