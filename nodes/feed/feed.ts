// One feed: carries out what state.ts decides, over as many connections as are open, and hands each event once to
// every subscriber. Everything with a consequence in time goes through the injected clock.
import { Connection, type Surroundings } from './connection';
import { Continuity, type Gap } from './continuity';
import { readUpdate } from './envelope';
import { HOLD_MS, judge, LAG_MS, Overlap } from './overlap';
import { initial, next, type Effect, type Happening, type Machine, type TimerName } from './state';
import type {
	FeedCounters,
	FeedEvent,
	FeedLogger,
	FeedOptions,
	FeedState,
	FeedStatus,
	FeedSubscriber,
	FeedSubscription,
	FirstOutcome,
	Session,
} from './types';

interface Member {
	subscriber: FeedSubscriber;
	options: FeedOptions;
	/** Settles `first`; undefined once settled. */
	settle?: (outcome: FirstOutcome) => void;
}

/** What is known about one connection beside what decides the next state. */
interface Link {
	id: number;
	connection: Connection;
	session?: Session;
	renewAt: number;
	generation: 2 | 4;
	openedAt: number;
	/** Last event or ping: everything that the service sent before has arrived. */
	aliveAt: number;
	firstEventAt?: number;
	lastEventAt?: number;
	/** False once it was silent for so long that it is being replaced for it. */
	trusted: boolean;
}

/**
 * What arrives was sent a little earlier, and what was sent in between may have been on its way when the connection
 * ended: a gap begins this much before the last thing that arrived.
 */
export const TRANSIT_MS = 1_000;

/** Why a gap is reported although one connection took over from the other in time. */
const DOUBTS = {
	dead: 'the connection was dead without notice until its renewal',
	deaf: 'the connection had stopped delivering events until its renewal',
	unknown: 'nothing was heard for a long time: events may have been missed',
};

/** The two connections of a renewal, and the memory of them afterwards. */
interface Handover {
	overlap: Overlap;
	old: number;
	fresh: number;
	/** The moment one of the two was gone; copies are still known for LAG_MS. */
	endedAt?: number;
}

/** Timers that decide nothing about the connection. */
type OwnTimer = 'start' | 'hold' | 'continuity';

type Counters = { -readonly [name in keyof FeedCounters]: number };

export class Feed {
	private machine: Machine = initial;

	private readonly members = new Set<Member>();

	/** The same in an array of its own for each change: an event goes to those who were there when it came. */
	private roster: readonly Member[] = [];

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

	private generation: 2 | 4 = 4;

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
		let settle: ((outcome: FirstOutcome) => void) | undefined;
		const first = new Promise<FirstOutcome>((resolve) => {
			settle = resolve;
		});
		const member: Member = { subscriber, options };
		member.settle = (outcome) => {
			member.settle = undefined;
			settle?.(outcome);
		};
		this.members.add(member);
		this.roster = [...this.members];
		if (this.machine.current) this.welcome(member);
		else this.happen({ type: 'nudge' });
		let closing: Promise<void> | undefined;
		return {
			first,
			state: () => (closing ? 'closed' : this.machine.name),
			directory: () => this.newestSession?.directory,
			counters: () => this.counters(),
			close: () => (closing ??= this.remove(member)),
		};
	}

	state(): FeedState {
		return this.machine.name;
	}

	/** Resolves when nothing of this feed is left that could act. */
	private async remove(member: Member): Promise<void> {
		this.members.delete(member);
		this.roster = [...this.members];
		member.settle?.({ kind: 'closed' });
		if (this.members.size > 0) return;
		this.happen({ type: 'close' });
		this.onEmpty();
	}

	/** A subscriber that comes to an open connection hears so at once, after its subscribe() has returned. */
	private welcome(member: Member): void {
		const { generation, connectedAt } = this;
		void Promise.resolve().then(() => {
			if (!this.members.has(member) || !member.settle) return;
			member.settle({ kind: 'live' });
			this.tellOne(member, {
				event: 'connected',
				at: connectedAt,
				attempts: 0,
				protocol: generation,
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
		const [machine, effects] = next(this.machine, happening, {
			now: this.now(),
			random: this.surroundings.random(),
			silenceTimeoutMs: this.options.silenceTimeoutMs,
		});
		this.machine = machine;
		if (machine.name !== before) this.logTransition(before, machine.name, effects);
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
		const options = this.newestOptions();
		const link: Link = {
			id,
			renewAt: 0,
			generation: 4,
			openedAt: 0,
			aliveAt: 0,
			trusted: true,
			connection: new Connection(options, this.surroundings, {
				loggedIn: () => this.happen({ type: 'loggedIn', id }),
				opened: (session, renewAt, generation) => {
					const now = this.now();
					link.session = session;
					link.renewAt = renewAt;
					link.generation = generation;
					link.openedAt = now;
					link.aliveAt = now;
					this.counts.connections++;
					this.newestSession = session;
					this.generation = generation;
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
			}),
		};
		this.links.set(id, link);
		this.counts.logins++;
		link.connection.start();
	}

	private drop(id: number): void {
		this.links.get(id)?.connection.close();
		this.links.delete(id);
	}

	/** The feed outlives the trigger that opened it: a login goes through one that is still there. */
	private newestOptions(): FeedOptions {
		let options = this.options;
		for (const member of this.members) options = member.options;
		return options;
	}

	private connected(attempts: number): void {
		const at = this.now();
		this.connectedAt = at;
		this.continuity.mended(at);
		this.armContinuity();
		this.settleFirst({ kind: 'live' });
		this.tell({ event: 'connected', at, attempts, protocol: this.generation });
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
		this.tell({ event: 'disconnected', at, reason });
	}

	private refused({ failure, first, retryAt }: Extract<Effect, { do: 'refused' }>): void {
		const { reason, statusCode } = failure;
		this.settleFirst({
			kind: 'refused',
			reason,
			...(statusCode === undefined ? {} : { statusCode }),
		});
		this.tell({
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
			const seconds = inSeconds(retryAt - this.now());
			this.log(
				'warn',
				`renewal failed, the old connection goes on; next try in ${seconds}: ${failure.reason}`,
			);
		} else {
			this.settleFirst({ kind: 'unreachable', reason: failure.reason });
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
			this.log(
				'debug',
				`event "${name.slice(0, 50)}" is none of the document's: ${this.cut(args, link)}`,
			);
			return;
		}
		link.firstEventAt ??= now;
		link.lastEventAt = now;
		const event = readUpdate(args, now);
		if (!event) {
			this.counts.unreadable++;
			this.log('debug', `update could not be read: ${this.cut(args, link)}`);
			return;
		}
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
		if (handover.endedAt !== undefined && event.receivedAt - handover.endedAt > LAG_MS) {
			this.forgetHandover();
			return [event];
		}
		if (link.id === handover.old) return handover.overlap.fromOld(event);
		if (link.id !== handover.fresh) return [event];
		const passed = handover.overlap.fromFresh(event);
		if (handover.overlap.isHolding() && !this.timers.has('hold')) this.armHold();
		return passed;
	}

	private deliver(event: FeedEvent): void {
		const gap = this.continuity.beforeEvent(event);
		if (gap) this.tellGap(gap);
		this.counts.events++;
		for (const member of this.roster) {
			if (!this.members.has(member)) continue;
			try {
				member.subscriber.onEvent(event);
			} catch (error) {
				this.blame(member, 'event', error);
			}
		}
	}

	private blame(member: Member, what: string, error: unknown): void {
		const name = error instanceof Error ? error.name : typeof error;
		this.logTo(member, 'error', `this trigger threw on an ${what} (${name}); it goes on`);
	}

	// ── renewal ─────────────────────────────────────────────────────────────────────────────────────────────

	private beginOverlap(old: number, fresh: number): void {
		this.forgetHandover();
		this.handover = {
			old,
			fresh,
			overlap: new Overlap(this.now(), this.continuity.lastCpt(old)),
		};
	}

	private armHold(): void {
		this.setTimer('hold', HOLD_MS, () => {
			const { handover } = this;
			if (!handover) return;
			for (const event of handover.overlap.due(this.now())) this.deliver(event);
			if (handover.overlap.isHolding()) this.armHold();
		});
	}

	private judgeOverlap(force: boolean): void {
		const { handover } = this;
		const old = handover && this.links.get(handover.old);
		const fresh = handover && this.links.get(handover.fresh);
		if (!handover || !old || !fresh) return;
		const now = this.now();
		const evidence = handover.overlap.evidence(now);
		const judgement = judge(
			evidence,
			{ aliveAt: old.aliveAt, trusted: this.isTrusted(old) },
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
		const gap = this.continuity.tookOver(old, fresh, this.now());
		if (gap) this.tellGap(gap);
		this.endHandover();
		this.armContinuity();
	}

	/** The old connection ended before it was let go: fine where it was seen to deliver what the fresh one did. */
	private endedInOverlap(old: Link, fresh: Link, ended: 'clean' | 'broken'): void {
		const evidence = this.handover?.overlap.evidence(this.now());
		if (evidence && evidence.matched > 0) return;
		if (!this.isTrusted(old)) this.doubt('unknown', old, fresh);
		else if (ended === 'broken' && old.aliveAt <= fresh.openedAt) this.doubt('dead', old, fresh);
	}

	/** Whether a quiet connection may be taken for a working one. */
	private isTrusted({ trusted, session }: Link): boolean {
		return trusted && this.now() < (session?.expiresAt ?? 0);
	}

	private reverted({ old, fresh, reason }: Extract<Effect, { do: 'reverted' }>): void {
		this.log('warn', `renewal undone, the old connection goes on: ${reason}`);
		const oldLink = this.links.get(old);
		if (oldLink?.session) {
			this.newestSession = oldLink.session;
			this.generation = oldLink.generation;
		}
		this.continuity.forget(fresh);
		this.endHandover();
	}

	/** One of the two is gone: hands on what was held; copies are still known for a while. */
	private endHandover(): void {
		const { handover } = this;
		if (!handover || handover.endedAt !== undefined) return;
		handover.endedAt = this.now();
		this.cancelTimer('hold');
		for (const event of handover.overlap.end()) this.deliver(event);
	}

	private forgetHandover(): void {
		this.endHandover();
		this.counts.duplicates += this.handover?.overlap.duplicates ?? 0;
		this.handover = undefined;
	}

	// ── telling ─────────────────────────────────────────────────────────────────────────────────────────────

	private tellGap(gap: Gap): void {
		this.counts.gaps++;
		const missed =
			gap.missed === undefined ? 'an unknown number of events' : `${gap.missed} events`;
		this.log('warn', `gap of ${inSeconds(gap.durationMs)}, ${missed} missed: ${gap.reason}`);
		this.tell({ event: 'gap', ...gap });
	}

	private tell(status: FeedStatus): void {
		for (const member of [...this.members]) {
			if (this.members.has(member)) this.tellOne(member, status);
		}
	}

	private tellOne(member: Member, status: FeedStatus): void {
		try {
			member.subscriber.onStatus(status);
		} catch (error) {
			this.blame(member, 'status', error);
		}
	}

	private settleFirst(outcome: FirstOutcome): void {
		for (const member of this.members) member.settle?.(outcome);
	}

	private logTransition(from: FeedState, to: FeedState, effects: Effect[]): void {
		const level =
			to === 'waiting' ? 'warn' : to === 'refused' ? 'error' : to === 'live' ? 'info' : 'debug';
		const detail = effects.map((effect) => this.describe(effect)).filter(Boolean);
		this.log(level, `${from} → ${to}${detail.length > 0 ? ` (${detail.join('; ')})` : ''}`);
	}

	private describe(effect: Effect): string {
		switch (effect.do) {
			case 'connected':
				return `Socket.IO ${this.generation}, ${effect.attempts} failed attempts before`;
			case 'disconnected':
				return `disconnected: ${effect.reason}`;
			case 'refused':
				return `refused: ${effect.failure.reason}; next login in ${inSeconds(effect.retryAt - this.now())}`;
			case 'retrying':
				return `${effect.failure.reason}; next attempt in ${inSeconds(effect.retryAt - this.now())}`;
			case 'switched':
				return 'renewed';
			case 'silent':
				return 'nothing was heard for the silence timeout';
			default:
				return '';
		}
	}

	/** One line to every trigger's own logger, which names workflow and node. */
	private log(level: keyof FeedLogger, line: string): void {
		for (const member of [...this.members]) this.logTo(member, level, line);
	}

	private logTo(member: Member, level: keyof FeedLogger, line: string): void {
		try {
			member.subscriber.logger[level](`Feed: ${line}`);
		} catch {
			// A logger that throws must not stop the feed, and there is nobody left to tell.
		}
	}

	/** The beginning of a payload for a log line, without the token. */
	private cut(args: unknown[], link: Link): string {
		let text: string;
		try {
			text = JSON.stringify(args) ?? '';
		} catch {
			text = '[nested too deeply]';
		}
		const token = link.session?.idSession;
		if (token) text = text.split(token).join('***');
		return text.length > 200 ? `${text.slice(0, 200)}…` : text;
	}

	private counters(): FeedCounters {
		const { repeated, late, restarts } = this.continuity;
		const duplicates = this.counts.duplicates + (this.handover?.overlap.duplicates ?? 0);
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

/**
 * The last moment at which a connection is known to have brought everything: `seen`, which is its end where the service
 * ended it properly and its last sign of life otherwise. After the end of its token only events prove anything, and
 * one that never brought an event, or that is being replaced for its silence, has shown nothing since its last one.
 */
function knownComplete(link: Link, seen: number): number {
	const { lastEventAt, trusted, session } = link;
	const known =
		lastEventAt === undefined || !trusted
			? (lastEventAt ?? link.openedAt)
			: Math.min(seen, Math.max(lastEventAt, session?.expiresAt ?? seen));
	return Math.max(link.openedAt, known - TRANSIT_MS);
}

function inSeconds(ms: number): string {
	return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
