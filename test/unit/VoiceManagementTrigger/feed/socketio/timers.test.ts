import { globalThisShim } from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/timers';

const { setTimeout: start, clearTimeout: cancel } = globalThisShim;

describe('the timers of the bundled client', () => {
	it('run once, and not too early', async () => {
		const started = performance.now();
		await new Promise<void>((resolve) => void start(resolve, 30));
		expect(performance.now() - started).toBeGreaterThanOrEqual(28);
	});

	it('never run after they were cancelled', async () => {
		const ran = jest.fn();
		cancel(start(ran, 20));
		await new Promise<void>((resolve) => void start(resolve, 40));
		expect(ran).not.toHaveBeenCalled();
	});

	it('can be cancelled even if there is none', () => {
		expect(() => cancel(undefined)).not.toThrow();
	});
});
