// Traffic without a provider: a pure function for tests that need thousands of events at once.

import { demoPlan, type CallCentrePlan } from '../accounts';
import { CallCentre } from './callCentre';
import { wireForm, type TrafficEvent } from './events';
import type { CallRecord } from './ledger';

export interface TrafficRequest {
	seed: number;
	/** Number of events. */
	events: number;
	numEvents?: boolean;
	/** Unix timestamp (seconds) of the beginning. */
	start?: number;
}

export interface Traffic {
	/** As sent, `cpt` from 1. */
	events: object[];
	/** When each is due, in seconds since the beginning. */
	at: number[];
	/** What actually happened; calls that continue after the last event have `endedAt: null`. */
	calls: CallRecord[];
}

/** The same request generates the same traffic. */
export function generateTraffic(request: TrafficRequest): Traffic {
	const { seed, numEvents = false, start = 1_700_000_000 } = request;
	const centre = new CallCentre({
		...{ seed, plan: demoPlan(), numEvents, pace: 1 },
		start: () => start,
	});
	let cpt = 0;
	const taken: TrafficEvent[] = [];
	for (let index = 0; index < request.events; index++) taken.push(centre.next());
	return {
		events: taken.map((event) => wireForm(event, start, () => ++cpt)),
		at: taken.map((event) => event.at),
		calls: centre.calls(),
	};
}

/** Events per second of this traffic at pace 1, measured in a dry run with the same seed. */
export function naturalRate(seed: number, plan: CallCentrePlan, numEvents: boolean): number {
	const sample = 5000;
	const centre = new CallCentre({ seed, plan, numEvents, pace: 1, start: () => 0 });
	let last = 0;
	for (let index = 0; index < sample; index++) last = centre.next().at;
	return sample / last;
}
