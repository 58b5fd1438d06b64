// Generated traffic that is stopped and goes on.

import { demoPlan } from '../../../simulator/accounts';
import type { Store } from '../../../simulator/store';
import { Player } from '../../../simulator/traffic/player';

it('traffic that was stopped goes on where it stopped, with the times of now', () => {
	let now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	const sent: Array<{ ts: number }> = [];
	let due: { at: number; act: () => void } | undefined;
	const store = {
		options: { seed: 1, rate: 10, numEvents: false },
		plan: demoPlan(),
		cpt: 0,
		later: (ms: number, act: () => void) => {
			due = { at: now + ms, act };
			return () => (due = undefined);
		},
		push: (event: { ts: number }) => sent.push(event),
	} as unknown as Store;
	const runFor = (seconds: number) => {
		for (const until = now + seconds * 1000; due && due.at <= until;) {
			now = due.at;
			due.act();
		}
	};
	const player = new Player(store);
	player.play();
	runFor(60);
	player.pause();
	const before = sent.length;
	expect(before).toBeGreaterThan(100);
	now += 3_600_000;
	player.play();
	runFor(1);
	// A second brings some ten events, an hour 36,000.
	expect(sent.length - before).toBeLessThan(100);
	runFor(10);
	expect(sent.at(-1)?.ts).toBeGreaterThan(now / 1000 - 2);
	jest.restoreAllMocks();
});
