// One feed: carries out what state.ts decides, over as many connections as are open, and hands each event once to
// every subscriber. Everything with a consequence in time goes through the injected clock.
import { Connection, type Route, type Surroundings } from './connection';
import { Continuity, type Gap } from './continuity';
import { readUpdate } from './envelope';
import { Handover } from './handover';
import { isTrusted, knownComplete, type Link } from './link';
import {
	cutPayload,
	cutText,
	gapLine,
	otherEventLine,
	renewalFailedLine,
	routeLine,
	transitionLine,
	type LogLine,
} from './logLines';
import { Members, type Member } from './members';
import { HOLD_MS, judge } from './overlap';
import { initial, next, type Effect, type Happening, type Machine, type TimerName } from './state';
import type {
	FeedCounters,
	FeedEvent,
	FeedOptions,
	FeedState,
	FeedSubscriber,
	FeedSubscription,
	Session,
} from './types';

/** Why a gap is reported although one connection took over from the other in time. */
const DOUBTS = {
	dead: 'the connection was dead without notice until its renewal',
	deaf: 'the connection had stopped delivering events until its renewal',
	unknown: 'nothing was heard for a long time: events may have been missed',
};

/** Names of other events that one connection tells of. */
const MOST_OTHER_EVENTS = 20;

/** Timers that decide nothing about the connection. */
type OwnTimer = 'start' | 'hold' | 'continuity';

type Counters = { -readonly [name in keyof FeedCounters]: number };

export class Feed {
	private machine: Machine = initial;

	private readonly members = new Members();

	private readonly links = new Map<number, Link>();

	private readonly timers = new Map<TimerName | OwnTimer, () => void>();

	private readonly continuity = new Continuity();

	private readonly counts: Counters = {
		events: 0,
		duplicates: 0,
		unreadable: 0,
		repeated: 0,
		late: 0,
		restarts: 0,
		logins: 0,
		connections: 0,
		renewals: 0,
		gaps: 0,
	};

	private handover?: Handover;

	private newestSession?: Session;

	private connectedAt = 0;

	private route: Route = { protocol: 4, transport: 'direct' };

	/** Happenings are taken one after the other, also those that come out of an effect. */
	private readonly queue: Happening[] = [];

	private busy = false;

	/** @param options of the first subscriber; its silence timeout is part of what subscribers share */
	constructor(
		private readonly options: FeedOptions,
		private readonly surroundings: Surroundings,
		private readonly onEmpty: () => void,
	) {}

	/** @param delayMs a predecessor with the same account has only just closed */
	start(delayMs: number): void {
		if (delayMs <= 0) this.happen({ type: 'start' });
		else this.setTimer('start', delayMs, () => this.happen({ type: 'start' }));
	}

	/** Adds a subscriber; a feed that waits for its next attempt makes it now. */
	add(subscriber: FeedSubscriber, options: FeedOptions): FeedSubscription {
		const member = this.members.add(subscriber, options);
		if (this.machine.current) this.welcome(member);
		else this.happen({ type: 'nudge' });
		let closing: Promise<void> | undefined;
		return {
			first: member.first,
			state: () => (closing ? 'closed' : this.machine.name),
			directory: () => this.newestSession?.directory,
			countsByOne: () => this.continuity.countsByOne,
			counters: () => this.counters(),
			close: () => (closing ??= this.remove(member)),
		};
	}

	state(): FeedState {
		return this.machine.name;
	}

	/** Resolves when nothing of this feed is left that could act. */
	private async remove(member: Member): Promise<void> {
		this.members.remove(member);
		if (this.members.size > 0) return;
		this.happen({ type: 'close' });
		this.onEmpty();
	}

	/** A subscriber that comes to an open connection hears so at once, after its subscribe() has returned. */
	private welcome(member: Member): void {
		const { route, connectedAt } = this;
		void Promise.resolve().then(() => {
			if (!member.present || !member.settle) return;
			member.settle({ kind: 'live' });
			this.members.tellOne(member, {
				event: 'connected',
				at: connectedAt,
				attempts: 0,
				protocol: route.protocol,
				transport: route.transport,
			});
		});
	}

	// ── deciding and doing ──────────────────────────────────────────────────────────────────────────────────

	private happen(happening: Happening): void {
		this.queue.push(happening);
		if (this.busy) return;
		this.busy = true;
		try {
			for (let one = this.queue.shift(); one; one = this.queue.shift()) this.step(one);
		} finally {
			this.busy = false;
		}
	}

	private step(happening: Happening): void {
		const before = this.machine.name;
		const now = this.now();
		const [machine, effects] = next(this.machine, happening, {
			now,
			random: this.surroundings.random(),
			silenceTimeoutMs: this.options.silenceTimeoutMs,
		});
		this.machine = machine;
		if (machine.name !== before) {
			const { route } = this;
			this.log(transitionLine(before, machine.name, effects, { route, now }));
		}
		for (const effect of effects) this.carryOut(effect);
		if (machine.name === 'closed') this.clear();
	}

	private carryOut(effect: Effect): void {
		switch (effect.do) {
			case 'open':
				return this.open(effect.id);
			case 'drop':
				return this.drop(effect.id);
			case 'timer':
				return this.setTimer(effect.name, effect.delayMs, () => this.fire(effect.name));
			case 'cancel':
				return this.cancelTimer(effect.name);
			case 'connected':
				return this.connected(effect.attempts);
			case 'disconnected':
				return this.disconnected(effect);
			case 'refused':
				return this.refused(effect);
			case 'retrying':
				return this.retrying(effect);
			case 'overlap':
				return this.beginOverlap(effect.old, effect.fresh);
			case 'judge':
				return this.judgeOverlap(effect.force);
			case 'switched':
				return this.switched(effect);
			case 'reverted':
				return this.reverted(effect);
			case 'silent':
				return this.silent(effect.id);
		}
	}

	private open(id: number): void {
		// The feed outlives the trigger that opened it: a login goes through one that is still there.
		const options = this.members.newest()?.options ?? this.options;
		const link: Link = {
			id,
			route: this.route,
			openedAt: 0,
			aliveAt: 0,
			trusted: true,
			otherEvents: new Set(),
			connection: new Connection(
				options,
				this.surroundings,
				{
					loggedIn: () => this.happen({ type: 'loggedIn', id }),
					opened: (session, renewAt, route) => {
						const now = this.now();
						link.session = session;
						link.route = route;
						link.openedAt = now;
						link.aliveAt = now;
						this.counts.connections++;
						this.newestSession = session;
						this.route = route;
						if (route.insteadOfDirect !== undefined) this.log(routeLine(route.insteadOfDirect));
						this.happen({ type: 'opened', id, renewAt, expiresAt: session.expiresAt });
					},
					event: (name, args) => this.received(link, name, args),
					heartbeat: () => {
						link.aliveAt = this.now();
					},
					failed: (failure) => {
						this.links.delete(id);
						this.happen({ type: 'failed', id, failure });
					},
					lost: (reason, clean) => {
						this.happen({ type: 'lost', id, reason, clean });
						this.links.delete(id);
					},
				},
				this.machine.current !== undefined,
			),
		};
		this.links.set(id, link);
		this.counts.logins++;
		link.connection.start();
	}

	private drop(id: number): void {
		this.links.get(id)?.connection.close();
		this.links.delete(id);
	}

	private connected(attempts: number): void {
		const at = this.now();
		this.connectedAt = at;
		this.continuity.mended(at);
		this.armContinuity();
		this.members.settleFirst({ kind: 'live' });
		const { protocol, transport } = this.route;
		this.members.tell({ event: 'connected', at, attempts, protocol, transport });
	}

	private disconnected({
		id,
		reason,
		clean,
		renewing,
	}: Extract<Effect, { do: 'disconnected' }>): void {
		const at = this.now();
		const link = this.links.get(id);
		this.endHandover();
		if (link)
			this.continuity.broke(id, knownComplete(link, clean ? at : link.aliveAt), reason, renewing);
		this.members.tell({ event: 'disconnected', at, reason });
	}

	private refused({ failure, first, retryAt }: Extract<Effect, { do: 'refused' }>): void {
		const { reason, statusCode } = failure;
		this.members.settleFirst({
			kind: 'refused',
			reason,
			...(statusCode === undefined ? {} : { statusCode }),
		});
		this.members.tell({
			event: 'refused',
			at: this.now(),
			reason,
			...(statusCode === undefined ? {} : { statusCode }),
			first,
			retryAt,
		});
	}

	private retrying({ failure, retryAt, renewal }: Extract<Effect, { do: 'retrying' }>): void {
		if (renewal) {
			this.log(renewalFailedLine(failure.reason, retryAt - this.now()));
		} else {
			const kind = failure.permanent ? 'unusable' : 'unreachable';
			this.members.settleFirst({ kind, reason: failure.reason });
		}
	}

	private silent(id: number): void {
		const link = this.links.get(id);
		if (link) link.trusted = false;
	}

	// ── timers ──────────────────────────────────────────────────────────────────────────────────────────────

	private setTimer(name: TimerName | OwnTimer, delayMs: number, action: () => void): void {
		this.cancelTimer(name);
		this.timers.set(
			name,
			this.surroundings.clock.after(delayMs, () => {
				this.timers.delete(name);
				action();
			}),
		);
	}

	private cancelTimer(name: TimerName | OwnTimer): void {
		this.timers.get(name)?.();
		this.timers.delete(name);
	}

	private fire(name: TimerName): void {
		if (name === 'silence') {
			// Events do not turn the timer back, which would cost a timer for each: it looks when it was last set off.
			const rest = this.quietUntil() - this.now();
			if (rest > 0) return this.setTimer('silence', rest, () => this.fire('silence'));
		}
		this.happen({ type: 'timer', name });
	}

	/** When the current connection will have been silent for too long. */
	private quietUntil(): number {
		const link = this.machine.current && this.links.get(this.machine.current.id);
		if (!link) return 0;
		return (link.lastEventAt ?? link.openedAt) + this.options.silenceTimeoutMs;
	}

	private armContinuity(): void {
		const due = this.continuity.nextDue();
		if (due === undefined) return this.cancelTimer('continuity');
		this.setTimer('continuity', Math.max(0, due - this.now()), () => {
			for (const gap of this.continuity.due(this.now())) this.tellGap(gap);
			this.armContinuity();
		});
	}

	// ── events ──────────────────────────────────────────────────────────────────────────────────────────────

	private received(link: Link, name: string, args: unknown[]): void {
		const now = this.now();
		link.aliveAt = now;
		if (name !== 'update') {
			this.otherEvent(link, name, args);
			return;
		}
		link.firstEventAt ??= now;
		link.lastEventAt = now;
		const events = readUpdate(args, now);
		if (events.length === 0) {
			this.counts.unreadable++;
			this.logPayload('update could not be read', args, link);
		}
		for (const event of events) this.take(link, event);
	}

	private take(link: Link, event: FeedEvent): void {
		const alone = this.machine.old === undefined;
		const jumpsBefore = this.continuity.nextDue();
		if (this.isCurrent(link.id)) {
			this.continuity.received(link.id, event, alone);
			if (!this.machine.current?.proved) this.happen({ type: 'proved', id: link.id });
		} else if (this.machine.old?.id === link.id) {
			this.continuity.received(link.id, event, false);
		}
		if (this.handover) for (const one of this.pass(link, event, this.handover)) this.deliver(one);
		else this.deliver(event);
		if (this.continuity.nextDue() !== jumpsBefore) this.armContinuity();
	}

	private isCurrent(id: number): boolean {
		return this.machine.current?.id === id;
	}

	/** Through an overlap that is, or was a moment ago. */
	private pass(link: Link, event: FeedEvent, handover: Handover): FeedEvent[] {
		if (handover.isPast(event.receivedAt)) {
			this.forgetHandover();
			return [event];
		}
		const passed = handover.pass(link.id, event);
		if (handover.isHolding && !this.timers.has('hold')) this.armHold();
		return passed;
	}

	private deliver(event: FeedEvent): void {
		const gap = this.continuity.beforeEvent(event);
		if (gap) this.tellGap(gap);
		this.counts.events++;
		this.members.deliver(event);
	}

	// ── renewal ─────────────────────────────────────────────────────────────────────────────────────────────

	private beginOverlap(old: number, fresh: number): void {
		this.forgetHandover();
		this.handover = new Handover(old, fresh, this.now(), this.continuity.lastCpt(old));
	}

	private armHold(): void {
		this.setTimer('hold', HOLD_MS, () => {
			const { handover } = this;
			if (!handover) return;
			for (const event of handover.due(this.now())) this.deliver(event);
			if (handover.isHolding) this.armHold();
		});
	}

	private judgeOverlap(force: boolean): void {
		const { handover } = this;
		const old = handover && this.links.get(handover.old);
		const fresh = handover && this.links.get(handover.fresh);
		if (!handover || !old || !fresh) return;
		const now = this.now();
		const evidence = handover.evidence(now);
		const judgement = judge(
			evidence,
			{ aliveAt: old.aliveAt, trusted: isTrusted(old, now) },
			fresh.openedAt,
			now,
			force,
		);
		if (judgement.verdict === 'switch') this.doubt(judgement.doubt, old, fresh);
		this.happen({ type: 'judged', verdict: judgement.verdict });
	}

	/** What the old connection may have missed before the fresh one took over. */
	private doubt(doubt: 'none' | 'dead' | 'deaf' | 'unknown', old: Link, fresh: Link): void {
		if (doubt === 'none') return;
		const patient = doubt === 'unknown';
		const heard = doubt === 'deaf' ? { ...old, trusted: false } : old;
		const from = knownComplete(heard, old.aliveAt);
		this.doubted(old, fresh, {
			from,
			reason: DOUBTS[doubt],
			patient,
		});
		this.armContinuity();
	}

	private doubted(
		old: Link,
		fresh: Link,
		doubt: { from: number; reason: string; patient: boolean },
	): void {
		// Complete again from the fresh connection's first event on, where one came.
		const { openedAt, firstEventAt } = fresh;
		const to = firstEventAt ?? openedAt;
		const exact = firstEventAt !== undefined;
		const gap = this.continuity.doubted(old.id, fresh.id, { ...doubt, to, exact });
		if (gap) this.tellGap(gap);
	}

	private switched({ old, fresh, ended }: Extract<Effect, { do: 'switched' }>): void {
		this.counts.renewals++;
		const oldLink = this.links.get(old);
		const freshLink = this.links.get(fresh);
		if (ended !== 'replaced' && oldLink && freshLink)
			this.endedInOverlap(oldLink, freshLink, ended);
		const numbersDiffer = this.handover?.numbersDiffer;
		const gap = this.continuity.tookOver(old, fresh, this.now(), numbersDiffer);
		if (gap) this.tellGap(gap);
		this.endHandover();
		this.armContinuity();
	}

	/** The old connection ended before it was let go: fine where it was seen to deliver what the fresh one did. */
	private endedInOverlap(old: Link, fresh: Link, ended: 'clean' | 'broken'): void {
		const evidence = this.handover?.evidence(this.now());
		if (evidence && evidence.matched > 0) return;
		if (!isTrusted(old, this.now())) this.doubt('unknown', old, fresh);
		else if (ended === 'broken' && old.aliveAt <= fresh.openedAt) this.doubt('dead', old, fresh);
	}

	private reverted({ old, fresh, reason }: Extract<Effect, { do: 'reverted' }>): void {
		this.log({ level: 'warn', text: `renewal undone, the old connection goes on: ${reason}` });
		const oldLink = this.links.get(old);
		if (oldLink?.session) {
			this.newestSession = oldLink.session;
			this.route = oldLink.route;
		}
		this.continuity.forget(fresh);
		this.endHandover();
	}

	/** One of the two is gone: hands on what was held; copies are still known for a while. */
	private endHandover(): void {
		const { handover } = this;
		if (!handover) return;
		this.cancelTimer('hold');
		for (const event of handover.end(this.now())) this.deliver(event);
	}

	private forgetHandover(): void {
		this.endHandover();
		this.counts.duplicates += this.handover?.duplicates ?? 0;
		this.handover = undefined;
	}

	// ── telling ─────────────────────────────────────────────────────────────────────────────────────────────

	private tellGap(gap: Gap): void {
		this.counts.gaps++;
		this.log(gapLine(gap));
		this.members.tell({ event: 'gap', ...gap });
	}

	private log({ level, text }: LogLine): void {
		this.members.log(level, text);
	}

	/** Often the operator's reason for silence. Once for each name, so that a chatty server does not fill the log. */
	private otherEvent(link: Link, name: string, args: unknown[]): void {
		const shown = cutText(name, link.session?.idSession).slice(0, 50);
		if (link.otherEvents.has(shown) || link.otherEvents.size >= MOST_OTHER_EVENTS) return;
		link.otherEvents.add(shown);
		const payload = cutPayload(args, link.session?.idSession);
		this.log(otherEventLine(shown, payload));
		this.members.otherEvent(shown, payload);
	}

	private logPayload(what: string, args: unknown[], { session }: Link): void {
		this.log({
			level: 'debug',
			text: `${what}: ${cutPayload(args, session && String(session.idSession))}`,
		});
	}

	private counters(): FeedCounters {
		const { repeated, late, restarts } = this.continuity;
		const duplicates = this.counts.duplicates + (this.handover?.duplicates ?? 0);
		return { ...this.counts, duplicates, repeated, late, restarts };
	}

	private clear(): void {
		for (const cancel of this.timers.values()) cancel();
		this.timers.clear();
		for (const id of [...this.links.keys()]) this.drop(id);
		this.handover = undefined;
	}

	private now(): number {
		return this.surroundings.clock.now();
	}
}
