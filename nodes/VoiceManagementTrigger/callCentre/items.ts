// What workflows map: the items of outcomes, alerts and snapshots. docs/items.md says what each field means. Moments are
// ISO 8601 by the machine's clock, durations whole seconds; null: not seen, not known, or it does not apply.

import type { AgentNamed, Named } from '../events/simplify';
import type { AlertKindName } from './alertKinds';
import type { AlertChange } from './alerts';
import type { EndReason } from './candidates';
import type { AgentState, MissedReason, OutcomeKind, PartialReason } from './changes';

export type OutcomeItem = {
	event: OutcomeKind;
	summary: string;
	caller_id_num: string | null;
	/** Only if the workflow names queues. */
	queue?: Named | null;
	/** Only with a supervisor's login, as `trunk`. */
	agent?: AgentNamed | null;
	/** Over all queues, to the first answer or to the end. */
	wait: number | null;
	missed_reason: MissedReason | null;
	/** The sum of `talks`. */
	talk: number | null;
	wrap_up: number | null;
	started_at: string | null;
	answered_at: string | null;
	ended_at: string | null;
	/** When the outcome became known. */
	date: string | null;
	within_service_level: boolean | null;
	offered_to: Array<{ agent: string; rang: number | null }>;
	queue_waits: Array<{ id_queue: string; wait: number | null }>;
	talks: Array<{ agent: string | null; talk: number | null }>;
	service: string | null;
	trunk?: Named | null;
	agents: string[];
	queues: string[];
	trunks: string[];
	recorded: boolean | null;
	answered: boolean | null;
	id_operator: string | null;
	id_queue: string | null;
	id_trunk: string | null;
	id_call: string;
	/** Something of the call was not seen, for this `reason`. */
	partial: boolean;
	reason: PartialReason | null;
	/** After an answer, the caller waited again and left. */
	gave_up?: boolean;
	/** What was reported of the call before it came back. */
	after_missed?: boolean;
	after_ended?: boolean;
	type_notification: 'call';
};

/** What does not apply is left out; what applies and is not known is null. */
export type AlertItem = {
	event: AlertChange['event'];
	summary: string;
	caller_id_num?: string | null;
	queue?: Named | null;
	agent?: AgentNamed | null;
	group?: Named;
	pause?: Named | null;
	/** Why it ended. */
	reason?: EndReason;
	/** Compared with the threshold, in its unit; null: no decided call is left in the window. */
	value: number | null;
	threshold: number;
	since: string | null;
	seconds: number;
	date: string | null;
	when: AlertKindName;
	id_queue?: string | null;
	id_call?: string | null;
	type_notification: 'alert';
};

/** By the names and units of the tables in figures.ts. */
type Figures = { [figure: string]: unknown };

/** What a snapshot counts. */
export type Period = {
	from: string | null;
	/** Only of a whole interval, as `time_zone`. */
	to?: string | null;
	time_zone?: string;
	/** From when it counts, if that is later than `from`. */
	counted_since: string | null;
	complete: boolean;
	missed_seconds: number;
};

type SnapshotOf<Event extends string> = Period &
	Figures & { type_notification: 'snapshot'; event: Event; date: string | null };

export type QueueItem = SnapshotOf<'queue'> & { id_queue: string; queue?: Named | null };

export type TotalsItem = SnapshotOf<'totals'>;

export type AgentItem = SnapshotOf<'agent'> & {
	agent: AgentNamed;
	state: AgentState | null;
	pause: Named | null;
	/** In this state, and for how many seconds. */
	since: string | null;
	seconds: number | null;
	id_call: string | null;
	id_queue: string | null;
};

export type SnapshotItem = QueueItem | TotalsItem | AgentItem;
