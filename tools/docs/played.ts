// Plays a short day of a call centre through the code that makes the items: samples are then ones that a day can have.

import { Alerts, type AlertChange } from '../../nodes/VoiceManagementTrigger/callCentre/alerts';
import type { AlertRow } from '../../nodes/VoiceManagementTrigger/callCentre/candidates';
import type { FigureSettings } from '../../nodes/VoiceManagementTrigger/callCentre/figures';
import { CallCentre } from '../../nodes/VoiceManagementTrigger/callCentre/fold';
import type { Outcome } from '../../nodes/VoiceManagementTrigger/callCentre/changes';
import {
	SNAPSHOT_PARTS,
	Snapshots,
	type Snapshot,
} from '../../nodes/VoiceManagementTrigger/callCentre/snapshots';
import { NO_FILTER } from '../../nodes/VoiceManagementTrigger/events/filter';
import type { Directory } from '../../nodes/VoiceManagementTrigger/feed/types';

/** Seconds from the beginning, the event, and its message; `cut` is an interruption of the feed. */
export type Step = readonly [second: number, what: string, msg?: Record<string, unknown>];

export interface Day {
	/** Milliseconds since 1970: second 0. */
	at: number;
	directory: Directory;
	figures: FigureSettings;
	alerts?: readonly AlertRow[];
	repeatEvery?: number;
	/** The bounds of the period that the snapshot is of. */
	period: { from: number; until: number };
}

export interface Told {
	outcomes: Array<{ outcome: Outcome; at: number }>;
	alerts: AlertChange[];
	/** Of the period at its end. */
	snapshot: Snapshot;
}

/** @param steps in any order; each is played at its second */
export function play(steps: readonly Step[], day: Day): Told {
	const { directory, figures, period } = day;
	const outcomes: Told['outcomes'] = [];
	const alerts: AlertChange[] = [];
	const inOrder = steps.toSorted(([a], [b]) => a - b);
	let now = day.at + (inOrder[0]?.[0] ?? 0) * 1000;
	const centre = new CallCentre(() => directory.agents);
	const parts = { of: SNAPSHOT_PARTS, filter: NO_FILTER, namedQueues: [], figures };
	const snapshots = new Snapshots(
		parts,
		centre,
		() => directory,
		now,
		() => {},
	);
	const watch = new Alerts(
		{
			...{ alerts: day.alerts ?? [], filter: NO_FILTER, figures },
			...{ repeatEvery: day.repeatEvery ?? 0, emitResolved: true },
		},
		centre,
		() => directory,
		now,
		(change) => alerts.push(change),
		() => {},
	);
	const take = (changes: ReturnType<CallCentre['tick']>) => {
		for (const change of changes)
			if (change.kind === 'outcome') outcomes.push({ outcome: change.outcome(), at: now });
		snapshots.take(changes);
		watch.take(changes, now);
	};
	/** Whatever is due by then happens at its moment. */
	const passTo = (moment: number) => {
		const next = () => Math.min(centre.nextDue(), watch.nextDue());
		for (let due = next(); due <= moment; due = next()) {
			now = due;
			take(centre.tick(now));
		}
		now = moment;
	};
	const ends = [period.from, period.until];
	const endPeriods = (moment: number) => {
		for (let end = ends[0]; end !== undefined && end <= moment; end = ends[0]) {
			ends.shift();
			passTo(end);
			snapshots.told(now);
			snapshots.ends(end);
		}
	};
	for (const [second, what, msg = {}] of inOrder) {
		const moment = day.at + second * 1000;
		endPeriods(moment);
		passTo(moment);
		const [type = '', event = ''] = what.split(' ');
		if (type === 'cut') take(centre.onInterruption(now));
		else take(centre.onEvent({ type, event, msg, raw: {}, receivedAt: now }));
	}
	endPeriods(period.until);
	passTo(now + 90_000);
	return { outcomes, alerts, snapshot: snapshots.ended() };
}
