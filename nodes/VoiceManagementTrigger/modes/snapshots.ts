// Trigger On: Snapshots. The figures of periods on the clock: of the current one every few seconds, or of each one when it is
// over and its last events have arrived.

import { periodOf, type Span } from '../callCentre/calendar';
import { MOST_LATE_MS } from '../callCentre/lag';
import { MomentTimer } from '../callCentre/momentTimer';
import type { Naming } from '../callCentre/naming';
import { Interruptions } from '../callCentre/interruptions';
import { shareCentre, type CentreShare } from '../callCentre/sharedState';
import {
	agentItem,
	isSameSnapshot,
	queueItem,
	totalsItem,
	writeHead,
	type Head,
	type Told,
} from '../callCentre/snapshotItems';
import { Snapshots, type Snapshot } from '../callCentre/snapshots';
import type { SnapshotItem } from '../callCentre/items';
import { machineTime } from '../feed/clock';
import type { FeedStatus } from '../feed/types';
import { namingOf, type Mode, type ModeContext } from './mode';

/** Agents that are converted before n8n gets its turn: ten thousand at once would hold it up. */
const AGENTS_AT_ONCE = 250;
/** By then the last events of a period have arrived, and it is known whether a caller who left is elsewhere. */
const TOLD_MS = 15_000;

export function takeSnapshots(context: ModeContext): Mode {
	return new SnapshotMode(context);
}

class SnapshotMode implements Mode {
	private readonly share: CentreShare;
	private readonly naming: Naming;
	private readonly timer: MomentTimer;
	private readonly outages = new Interruptions();
	/** From when the feed has opened. */
	private running: { snapshots: Snapshots; startedAt: number } | undefined;
	/** The current period, and the one before if it was not told yet, by the machine's clock. */
	private period: Span = { from: 0, until: 0 };
	private ended: Span | undefined;
	private nextAt = 0;
	/** The last snapshot of the current period; undefined: it had no row yet. */
	private told: Told | undefined;
	private stopItems = () => {};

	constructor(private readonly context: ModeContext) {
		const { clock } = context;
		this.naming = namingOf(context);
		this.timer = new MomentTimer(clock, () => {
			this.share.passTime();
			this.look(clock.now());
		});
		this.share = shareCentre(context, (changes, now) => {
			if (!this.running) return;
			this.endPeriods(now);
			this.running.snapshots.take(changes);
			// A first snapshot comes as soon as there is a row.
			if (!this.isShown && changes.length > 0) this.look(now);
		});
	}

	get onEvent() {
		return this.share.onEvent;
	}

	onStatus(status: FeedStatus): void {
		const now = this.context.clock.now();
		this.share.onStatus(status);
		if (status.event === 'disconnected') this.outages.begins(now);
		else if (status.event === 'connected') this.outages.ends(now);
		else if (status.event === 'gap') this.outages.add(status.from, status.to);
		if (status.event === 'connected' && !this.running) this.open(now);
	}

	close(): void {
		this.timer.cancel();
		this.stopItems();
		this.share.close();
	}

	private get isShown(): boolean {
		return this.told !== undefined || (this.isInterval && !this.context.test);
	}

	private get isInterval(): boolean {
		return this.context.settings.callCentre.every === undefined;
	}

	private open(now: number): void {
		const { settings, directory, gaveUp } = this.context;
		const { snapshotOf, figures } = settings.callCentre;
		const { filter, queueNames } = settings;
		const namedQueues = [...(queueNames?.keys() ?? [])];
		const options = { of: snapshotOf, filter, namedQueues, figures };
		const snapshots = new Snapshots(options, this.share.centre, directory, now, gaveUp);
		this.running = { snapshots, startedAt: now };
		this.period = this.periodOf(this.machine(now));
		this.nextAt = now;
		this.look(now);
	}

	/** Does what is due by now. */
	private look(now: number): void {
		if (!this.running) return;
		this.endPeriods(now);
		if (this.ended && this.isInterval && now >= this.steady(this.ended.until) + TOLD_MS)
			this.tellEnded(this.ended, now);
		if (!this.isInterval && now >= this.nextAt) {
			this.nextAt = now + (this.context.settings.callCentre.every ?? 0) * 1000;
			this.tellSoFar(now);
		} else if (!this.isShown) {
			this.tellSoFar(now);
		}
		this.timer.set(this.nextDue());
	}

	private nextDue(): number {
		const ends = this.steady(this.period.until) + (this.isInterval ? MOST_LATE_MS : 0);
		const tells = this.ended ? this.steady(this.ended.until) + TOLD_MS : Infinity;
		return this.isInterval ? Math.min(ends, tells) : this.nextAt;
	}

	/**
	 * Ends the current period if nothing can happen in it any more.
	 * @param now the clock, or before it when something was due
	 */
	private endPeriods(now: number): void {
		const { running } = this;
		if (!running) return;
		const { moment } = this.share.centre;
		const machineNow = this.machine(this.context.clock.now());
		const until = this.steady(this.period.until);
		// What is shown every few seconds is told with its period; the last events of an interval are waited for.
		if (!this.isInterval ? now < until : moment < until && now < until + MOST_LATE_MS) {
			// The machine's clock was set back: the period in which it is now contains what was not told yet.
			if (machineNow < this.period.from) this.period = this.periodOf(machineNow);
			return;
		}
		if (this.ended) this.tellEnded(this.ended, now);
		running.snapshots.ends(Math.max(until, running.startedAt));
		if (this.isInterval) this.ended = this.period;
		else running.snapshots.told(now);
		// Periods through which the machine slept are not told.
		this.period = this.periodOf(Math.max(this.period.until, machineNow - MOST_LATE_MS));
	}

	private tellEnded(span: Span, now: number): void {
		const { running } = this;
		this.ended = undefined;
		if (!running) return;
		const snapshot = running.snapshots.ended();
		running.snapshots.told(now);
		this.makeItems(snapshot, this.headOf(span, this.steady(span.until), true));
	}

	private tellSoFar(now: number): void {
		const { running } = this;
		if (!running) return;
		const snapshot = running.snapshots.soFar(now);
		const isEmpty = snapshot.queues.length + snapshot.agents.length === 0;
		if (isEmpty && !snapshot.totals) return;
		const head = this.headOf(this.period, now, false);
		const told = { snapshot, head, directory: this.naming.directory() };
		const { onlyWhenChanged } = this.context.settings.callCentre;
		if (onlyWhenChanged && this.told && isSameSnapshot(told, this.told, this.naming)) return;
		this.told = told;
		this.makeItems(snapshot, head);
	}

	private headOf(span: Span, at: number, isOver: boolean): Head {
		const { settings, test } = this.context;
		const from = this.steady(span.from);
		const { startedAt = at } = this.running ?? {};
		const countedFrom = Math.max(from, startedAt);
		const missedMs =
			Math.max(0, Math.min(at, countedFrom) - from) + this.outages.within(countedFrom, at);
		const isInterval = isOver || (this.isInterval && test);
		return {
			at,
			from: span.from,
			interval: isInterval ? { to: span.until, timeZone: settings.timeZone } : undefined,
			countedSince: startedAt > from ? startedAt : undefined,
			isComplete: missedMs === 0 && !this.outages.touches(countedFrom, at),
			missedMs,
		};
	}

	/** Converts a snapshot to its items: at once, unless there are many agents. */
	private makeItems(snapshot: Snapshot, about: Head): void {
		const { take, clock } = this.context;
		const { naming } = this;
		const { queues, totals, agents, everybody, announcesWrapUp } = snapshot;
		const head = writeHead(about, announcesWrapUp, naming);
		const items: SnapshotItem[] = queues.map(({ queue, page }) =>
			queueItem(queue, page, head, naming),
		);
		let made = 0;
		const go = () => {
			for (const agent of agents.slice(made, made + AGENTS_AT_ONCE))
				items.push(agentItem(agent, head, naming));
			made += AGENTS_AT_ONCE;
			if (made < agents.length) {
				this.stopItems = clock.after(0, go);
				return;
			}
			if (totals && everybody) items.push(totalsItem(totals, everybody, head, naming));
			if (items.length > 0) take({ items });
		};
		this.stopItems();
		go();
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
		const now = this.context.clock.now();
		return at + now - this.machine(now);
	}
}
