// Live modes of the trigger through a week on a clock that is turned. Prints the bytes on the heap after each day as JSON.
import { createSelection } from '../../nodes/VoiceManagementTrigger/selection';
import { readSettings } from '../../nodes/VoiceManagementTrigger/settings';
import { readDirectory } from '../../nodes/shared/directory';
import { nth } from '../../test/support/present';
import { ProcessClock, Timeline, WallClock } from '../../test/simulation/virtualTime';
import { eventNumber, sessionInformation, START_S, type Traffic } from '../controller/events';

const DAYS = 7;
const DAY_S = 86_400;
/** One event a second, so that a week takes a minute. */
const TRAFFIC: Traffic = { open: 1_000, rate: 1 };

async function main(triggers: Array<Record<string, unknown>>): Promise<void> {
	const timeline = new Timeline();
	timeline.now = START_S * 1000;
	const clock = new ProcessClock(timeline, new WallClock(timeline, 0));
	const directory = readDirectory(sessionInformation(TRAFFIC));
	const key = {};
	const selections = triggers.map((parameters) => {
		const settings = readSettings(
			(name, fallback) => parameters[name] ?? fallback,
			() => 'Europe/Paris',
		);
		const nothing = () => {};
		return createSelection(settings, () => directory, clock, nothing, { key });
	});
	const connected = {
		attempts: 0,
		protocol: 4,
		transport: 'direct',
		continuous: null,
		at: clock.now(),
	} as const;
	for (const selection of selections) selection.onStatus({ event: 'connected', ...connected });
	const heap: number[] = [];
	for (let cpt = 1; cpt <= DAYS * DAY_S; cpt++) {
		const { ts, event } = eventNumber(cpt, TRAFFIC);
		await timeline.run(ts * 1000);
		const { type_notification: type, event: name, msg } = event;
		const taken = { type, event: name, cpt, ts, msg, raw: {}, receivedAt: clock.now() };
		for (const selection of selections) selection.onEvent(taken);
		if (cpt % DAY_S > 0) continue;
		for (let pass = 0; pass < 3; pass++) global.gc?.();
		heap.push(process.memoryUsage().heapUsed);
	}
	process.stdout.write(JSON.stringify(heap));
}

void main(JSON.parse(nth(process.argv, 2)) as Array<Record<string, unknown>>);
