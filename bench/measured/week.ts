/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// All modes of the trigger through a week on a clock that is turned. Prints the bytes on the heap after each day as JSON.
import { nth } from '../../test/support/present';
import { ProcessClock, Timeline, WallClock } from '../../test/simulation/virtualTime';
import { eventNumber, START_S, type Traffic } from '../controller/events';
import { openModes } from './modes';

const DAYS = 7;
const DAY_S = 86_400;
/** One event a second, so that a week takes a minute. */
const TRAFFIC: Traffic = { open: 1_000, rate: 1 };

async function main(triggers: Array<Record<string, unknown>>): Promise<void> {
	const timeline = new Timeline();
	timeline.now = START_S * 1000;
	const clock = new ProcessClock(timeline, new WallClock(timeline, 0));
	const modes = openModes(triggers, TRAFFIC, clock);
	modes.connected(null);
	const heap: number[] = [];
	for (let cpt = 1; cpt <= DAYS * DAY_S; cpt++) {
		await timeline.run(eventNumber(cpt, TRAFFIC).ts * 1000);
		modes.onEvent(cpt);
		if (cpt % DAY_S > 0) continue;
		for (let pass = 0; pass < 3; pass++) global.gc?.();
		heap.push(process.memoryUsage().heapUsed);
	}
	process.stdout.write(JSON.stringify(heap));
}

void main(JSON.parse(nth(process.argv, 2)) as Array<Record<string, unknown>>);
