// Trigger On: Snapshots. The figures of periods on the clock: of the current one every few seconds, or of each one when it is
// over and its last events have arrived.

import { periodOf, type Span } from '../callCentre/calendar';
import { wholeSeconds, type Change } from '../callCentre/changes';
import { MOST_LATE_MS } from '../callCentre/lag';
import { MomentTimer } from '../callCentre/momentTimer';
import type { Naming } from '../callCentre/naming';
import { Interruptions } from '../callCentre/interruptions';
import { shareCentre, type CentreShare } from '../callCentre/sharedState';
import {
	agentItem,
	snapshotContent,
	queueItem,
	totalsItem,
	type Head,
} from '../callCentre/snapshotItems';
import { Snapshots, type Snapshot } from '../callCentre/snapshots';
import type { SnapshotItem } from '../callCentre/items';
import { machineTime, steadyTime } from '../feed/clock';
import type { Directory } from '../feed/types';
import { namingOf, type Mode, type ModeContext } from './mode';

/** Agents that are converted before n8n gets its turn: ten thousand at once would hold it up. */
const AGENTS_AT_ONCE = 250;
/** By then the last events of a period have arrived, and it is known whether a caller who left is elsewhere. */
const TOLD_MS = 15_000;

export function takeSnapshots(context: ModeContext): Mode {
	const outages = new Interruptions();
	// Until the feed has opened, nothing is seen.
	outages.begins(Number.NEGATIVE_INFINITY);
	let teller: Teller | undefined;
	const share = shareCentre(context, (changes, now) => teller?.take(changes, now));
	return {
		onEvent: share.onEvent,
		onStatus: (status) => {
			const now = context.clock.now();
			share.onStatus(status);
			if (status.event === 'disconnected') outages.begins(now);
			else if (status.event === 'gap') outages.add(status.from, status.to);
			else if (status.event === 'connected') {
				outages.ends(now);
				teller ??= new Teller(context, share, outages, now);
			}
		},
		close: () => {
			share.close();
			teller?.close();
		},
	};
}

/** What was told of a current period, and the names that its items may have. */
interface Told {
	readonly content: readonly unknown[];
	readonly directory: Directory | undefined;
}

class Teller {
	private readonly naming: Naming;
	private readonly timer: MomentTimer;
	private readonly snapshots: Snapshots;
	/** Each period is told when it is over, not every few seconds. */
	private readonly isInterval: boolean;
	/** The current period, and the one before if it was not told yet, by the machine's clock. */
	private period: Span;
	private ended: Span | undefined;
	/** When the current period is told next. */
	private nextAt: number;
	/** The last snapshot of a current period; undefined: there was no row yet. */
	private told: Told | undefined;
	/** Of a snapshot with many agents: makes the rest of it at once. */
	private finishItems = () => {};

	constructor(
		private readonly context: ModeContext,
		private readonly share: CentreShare,
		private readonly outages: Interruptions,
		private readonly startedAt: number,
	) {
		const { settings, directory, clock, gaveUp } = context;
		const { filter, queueNames, callCentre } = settings;
		const { snapshotOf, figures, every } = callCentre;
		const namedQueues = [...(queueNames?.keys() ?? [])];
		const options = { of: snapshotOf, filter, namedQueues, figures };
		this.isInterval = every === undefined;
		this.naming = namingOf(context);
		this.timer = new MomentTimer(clock, () => {
			share.passTime();
			this.look(clock.now());
		});
		this.snapshots = new Snapshots(options, share.centre, directory, startedAt, gaveUp);
		this.period = this.periodOf(this.machine(startedAt));
		this.nextAt = startedAt;
		this.look(startedAt);
	}

	take(changes: readonly Change[], now: number): void {
		this.endPeriods(now);
		this.snapshots.take(changes);
		// A first snapshot comes as soon as there is a row.
		if (!this.told && this.showsCurrent && changes.length > 0) this.look(now);
	}

	close(): void {
		this.timer.cancel();
		this.finishItems();
	}

	/** Whoever tests the workflow sees one snapshot at once. */
	private get showsCurrent(): boolean {
		return !this.isInterval || (this.context.test && !this.told);
	}

	/** Does what is due by now. */
	private look(now: number): void {
		this.endPeriods(now);
		if (this.ended && now >= this.steady(this.ended.until) + TOLD_MS)
			this.tellEnded(this.ended, now);
		if (this.showsCurrent && (!this.told || now >= this.nextAt)) this.tellSoFar(now);
		const ends = this.steady(this.period.until) + MOST_LATE_MS;
		const tells = this.ended ? this.steady(this.ended.until) + TOLD_MS : Infinity;
		this.timer.set(this.isInterval ? Math.min(ends, tells) : this.nextAt);
	}

	/**
	 * Ends the current period if nothing can happen in it any more.
	 * @param now the clock, or before it when something was due
	 */
	private endPeriods(now: number): void {
		const { snapshots, isInterval } = this;
		const machineNow = this.machine(this.context.clock.now());
		const until = this.steady(this.period.until);
		// What is shown every few seconds is told with its period; the last events of an interval are waited for.
		const latest = isInterval && this.share.centre.moment < until ? until + MOST_LATE_MS : until;
		if (now < latest) {
			// The machine's clock was set back: the period in which it is now contains what was not told yet.
			if (machineNow < this.period.from) this.period = this.periodOf(machineNow);
			return;
		}
		if (this.ended) this.tellEnded(this.ended, now);
		snapshots.ends(until);
		if (isInterval) this.ended = this.period;
		else snapshots.told(now);
		const next = this.periodOf(Math.max(this.period.until, machineNow - MOST_LATE_MS));
		// Periods through which the machine slept, or of which no snapshot was due, are not told: they end with the next one.
		if (next.from > this.period.until) {
			if (this.ended) this.tellEnded(this.ended, now);
			snapshots.ends(this.steady(next.from));
			snapshots.told(now);
		}
		this.period = next;
		this.endPeriods(now);
	}

	private tellEnded(span: Span, now: number): void {
		this.ended = undefined;
		const snapshot = this.snapshots.ended();
		this.snapshots.told(now);
		this.makeItems(snapshot, this.headOf(span, this.steady(span.until)));
	}

	private tellSoFar(now: number): void {
		const { every = Infinity, onlyWhenChanged } = this.context.settings.callCentre;
		if (now >= this.nextAt) this.nextAt = now + every * 1000;
		const snapshot = this.snapshots.soFar(now);
		const { queues, agents, totals } = snapshot;
		if (queues.length + agents.length + totals.length === 0) return;
		const head = this.headOf(this.period, now);
		const told = {
			content: onlyWhenChanged ? snapshotContent(snapshot, head) : [],
			directory: agents.length > 0 ? this.naming.directory() : undefined,
		};
		if (onlyWhenChanged && this.told && saysTheSame(told, this.told)) return;
		this.told = told;
		this.makeItems(snapshot, head);
	}

	private headOf(span: Span, at: number): Head {
		const { naming, outages, startedAt } = this;
		const { timeZone } = this.context.settings;
		const from = this.steady(span.from);
		const missedMs = outages.within(from, at);
		const to = this.isInterval && { to: naming.machineIso(span.until), time_zone: timeZone };
		return {
			at,
			date: naming.iso(at),
			period: {
				from: naming.machineIso(span.from),
				...to,
				counted_since: naming.iso(startedAt > from ? startedAt : undefined),
				complete: missedMs === 0 && !outages.touches(from, at),
				missed_seconds: wholeSeconds(missedMs),
			},
		};
	}

	/** Converts a snapshot to its items: at once, unless there are many agents. */
	private makeItems({ queues, agents, totals }: Snapshot, head: Head): void {
		const { take, clock } = this.context;
		const { naming } = this;
		const items: SnapshotItem[] = queues.map((row) => queueItem(row, head, naming));
		let made = 0;
		const make = (count: number) => {
			for (const agent of agents.slice(made, made + count))
				items.push(agentItem(agent, head, naming));
			made += count;
			if (made < agents.length) {
				const cancel = clock.after(0, () => make(AGENTS_AT_ONCE));
				this.finishItems = () => {
					cancel();
					make(Infinity);
				};
				return;
			}
			this.finishItems = () => {};
			items.push(...totals.map((row) => totalsItem(row, head, naming)));
			if (items.length > 0) take({ items });
		};
		this.finishItems();
		make(AGENTS_AT_ONCE);
	}

	private periodOf(at: number): Span {
		const { settings } = this.context;
		return periodOf(at, settings.callCentre.period, settings.timeZone);
	}

	/** A moment as the machine's clock shows it, by which periods begin and end. */
	private machine(at: number): number {
		return machineTime(this.context.clock, at);
	}

	/** A moment of the machine's clock by the steady one, by which events are counted. */
	private steady(at: number): number {
		return steadyTime(this.context.clock, at);
	}
}

function saysTheSame(one: Told, other: Told): boolean {
	return (
		one.content.length === other.content.length &&
		one.content.every((value, index) => value === other.content[index]) &&
		(one.directory === other.directory || namesOfAll(one) === namesOfAll(other))
	);
}

/** Another login may bring the same names. */
function namesOfAll({ directory }: Told): string | undefined {
	return JSON.stringify(
		directory && [...directory.agents, ...directory.groups, ...directory.pauses],
	);
}
