// The trigger's live modes through a week on a clock that is turned: what is left on the heap after each day.
import { createSelection, type Selection } from '../../nodes/VoiceManagementTrigger/selection';
import { readSettings } from '../../nodes/VoiceManagementTrigger/settings';
import { readDirectory } from '../../nodes/shared/directory';
import type { Clock, FeedEvent } from '../../nodes/VoiceManagementTrigger/feed/types';
import { serveCommands } from './commands';
import { eventNumber, sessionInformation, type Traffic } from './events';

const DAY_S = 86_400;

/** A clock that stands still until it is turned; timers act at their time. */
class TurnedClock implements Clock {
	private time = 1_784_000_000_000;
	private readonly timers = new Set<{ at: number; action: () => void }>();

	now(): number {
		return this.time;
	}

	after(delayMs: number, action: () => void): () => void {
		const timer = { at: this.time + delayMs, action };
		this.timers.add(timer);
		return () => void this.timers.delete(timer);
	}

	turnTo(moment: number): void {
		for (;;) {
			let next: { at: number; action: () => void } | undefined;
			for (const timer of this.timers) if (timer.at < (next?.at ?? moment)) next = timer;
			if (!next) break;
			this.timers.delete(next);
			this.time = Math.max(this.time, next.at);
			next.action();
		}
		this.time = moment;
	}
}

interface Wire {
	cpt: number;
	ts: number;
	event: { msg: Record<string, unknown>; type_notification: string; event: string };
}

function heapUsed(): number {
	for (let pass = 0; pass < 3; pass++) global.gc?.();
	return process.memoryUsage().heapUsed;
}

serveCommands({
	/** @returns bytes on the heap after each day, and how many items came */
	week({
		days,
		rate,
		open,
		triggers,
	}: {
		days: number;
		/** Events a second. */
		rate: number;
		open: number;
		triggers: Array<Record<string, unknown>>;
	}): { heap: number[]; items: number } {
		const clock = new TurnedClock();
		const traffic: Traffic = { kind: 'centre', open, rate };
		const directory = readDirectory(sessionInformation(traffic));
		const key = {};
		let items = 0;
		const selections = triggers.map((parameters): Selection =>
			createSelection(
				readSettings(
					(name, fallback) => parameters[name] ?? fallback,
					() => 'Europe/Paris',
				),
				() => directory,
				clock,
				(entry) => {
					items += 'items' in entry ? entry.items.length : 1;
				},
				{ key },
			),
		);
		for (const selection of selections) {
			selection.onStatus({
				event: 'connected',
				at: clock.now(),
				attempts: 0,
				protocol: 4,
				transport: 'direct',
			});
		}
		const heap: number[] = [];
		const start = clock.now();
		for (let cpt = 1; cpt <= days * DAY_S * rate; cpt++) {
			clock.turnTo(start + (cpt / rate) * 1000);
			const { ts, event } = eventNumber(cpt, traffic) as Wire;
			const taken: FeedEvent = {
				type: event.type_notification,
				event: event.event,
				cpt,
				ts,
				msg: event.msg,
				raw: {},
				receivedAt: clock.now(),
			};
			for (const selection of selections) selection.onEvent(taken);
			if (cpt % (DAY_S * rate) === 0) heap.push(heapUsed());
		}
		for (const selection of selections) selection.close();
		return { heap, items };
	},
});
