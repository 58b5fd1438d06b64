/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// All modes of the trigger with as many calls under way as they keep, and an interruption of the feed. Prints the longest
// time in milliseconds for which nothing else could run, from the interruption until seconds after the feed is back.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../nodes/VoiceManagementTrigger/feed/clock';
import { nth } from '../../test/support/present';
import type { Traffic } from '../controller/events';
import { openModes } from './modes';

const CALLS = 20_000;
const TRAFFIC: Traffic = { open: CALLS, rate: 500 };
/** Half of the calls were answered by then, and many have come and gone. */
const EVENTS = 6 * CALLS;
/** Longer than the slowest alert of those that wait needs to be decided after an interruption. */
const AFTERWARDS_MS = 8_000;

async function main(triggers: Array<Record<string, unknown>>): Promise<void> {
	const modes = openModes(triggers, TRAFFIC, systemClock);
	modes.connected(null);
	for (let cpt = 1; cpt <= EVENTS; cpt++) {
		modes.onEvent(cpt);
		if (cpt % 1_000 === 0) await pause(0);
	}
	await pause(2_000);
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	await pause(100);
	const from = systemClock.now();
	modes.onStatus({ event: 'disconnected', at: from, reason: 'transport close' });
	await pause(1_000);
	const to = systemClock.now();
	modes.onStatus({ event: 'gap', from, to, reason: 'transport close' });
	await pause(100);
	modes.connected(false);
	for (let cpt = EVENTS + 1; cpt <= EVENTS + AFTERWARDS_MS / 2; cpt++) {
		modes.onEvent(cpt);
		if (cpt % 10 === 0) await pause(20);
	}
	delay.disable();
	process.stdout.write(JSON.stringify(delay.max / 1e6));
	process.exit();
}

void main(JSON.parse(nth(process.argv, 2)) as Array<Record<string, unknown>>);
