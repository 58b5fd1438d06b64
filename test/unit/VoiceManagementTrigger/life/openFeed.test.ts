import { removals } from '../../../../nodes/VoiceManagementTrigger/life/openFeed';
import { HandClock } from '../../../support/world';

it('a limit that is reached with each call gives one line every ten seconds, with the sum', async () => {
	const lines: string[] = [];
	const clock = new HandClock();
	const { signal } = new AbortController();
	const removed = removals({ warn: (line) => void lines.push(line) }, signal, clock);
	for (let second = 0; second < 25; second++) {
		for (let call = 0; call < 100; call++) removed();
		await clock.turn(1_000);
	}
	expect(lines).toEqual([
		expect.stringContaining('so 1000 calls'),
		expect.stringContaining('so 1000 calls'),
	]);
});

it('a trigger that has ended logs nothing', async () => {
	const lines: string[] = [];
	const clock = new HandClock();
	const aborter = new AbortController();
	const removed = removals({ warn: (line) => void lines.push(line) }, aborter.signal, clock);
	removed();
	aborter.abort();
	removed();
	await clock.turn(60_000);
	expect(lines).toEqual([]);
	expect(clock.pending).toBe(0);
});
