import {
	clearTimeout as cancel,
	setTimeout as start,
} from '../../../../../nodes/VoiceManagementTrigger/feed/socketio/timers';

const after = async (delayMs: number) =>
	await new Promise<void>((resolve) => setTimeout(resolve, delayMs));

describe('the timers of the bundled clients', () => {
	let waits: jest.SpyInstance;

	beforeEach(() => {
		waits = jest.spyOn(AbortSignal, 'timeout');
	});

	afterEach(() => waits.mockRestore());

	it('run once, with their arguments, and not too early', async () => {
		const started = performance.now();
		const seen = await new Promise<unknown[]>((resolve) => {
			start((...args) => resolve(args), 30, 'a', 2);
		});
		expect(seen).toEqual(['a', 2]);
		expect(performance.now() - started).toBeGreaterThanOrEqual(28);
	});

	it('never run after they were cancelled', async () => {
		const ran = jest.fn();
		cancel(start(ran, 20));
		await new Promise<void>((resolve) => void start(() => resolve(), 40));
		expect(ran).not.toHaveBeenCalled();
	});

	it('reuse the wait of a cancelled timer and still run at their own time', async () => {
		let timer = start(() => undefined, 20);
		const armed = waits.mock.calls.length;
		for (let packet = 0; packet < 1_000; packet++) {
			cancel(timer);
			timer = start(() => undefined, 20);
		}
		expect(waits.mock.calls.length - armed).toBeLessThanOrEqual(1);
		cancel(timer);
		const started = performance.now();
		await new Promise<void>((resolve) => void start(() => resolve(), 60));
		expect(performance.now() - started).toBeGreaterThanOrEqual(58);
	});

	it('do not wait for a longer timer that was cancelled', async () => {
		cancel(start(() => undefined, 60_000));
		await expect(
			new Promise<string>((resolve) => void start(() => resolve('ran'), 5)),
		).resolves.toBe('ran');
	});

	it('leave a running timer alone when one that has already run is cancelled again', async () => {
		const first = start(() => undefined, 5);
		await after(20);
		const second = new Promise<string>((resolve) => void start(() => resolve('ran'), 20));
		cancel(first);
		await expect(second).resolves.toBe('ran');
	});

	it('keep only a few waits when many timers are cancelled at once', () => {
		const removed = jest.spyOn(AbortSignal.prototype, 'removeEventListener');
		const timers = Array.from({ length: 40 }, () => start(() => undefined, 60_000));
		for (const timer of timers) cancel(timer);
		expect(removed.mock.calls.length).toBeGreaterThanOrEqual(20);
		removed.mockRestore();
	});

	it('can be cancelled even if there is none', () => {
		expect(() => {
			cancel(undefined);
			cancel(null);
		}).not.toThrow();
	});
});
