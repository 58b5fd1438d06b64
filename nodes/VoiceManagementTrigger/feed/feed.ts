// One feed: carries out what state.ts decides, over as many connections as are open, and hands each event once to
// every subscriber. Everything with a consequence in time goes through the injected clock.
import { Connection, type Route, type Dependencies } from './connection';
import { Continuity, type Gap } from './continuity';
import { readUpdate } from './envelope';
import { Handover } from './handover';
import { isHealthy, completeUntil, type OpenedConnection } from './link';
import {
	redactedPayload,
	redactedText,
	gapMessage,
	otherEventMessage,
	renewalFailedMessage,
	routeMessage,
	transitionMessage,
	type LogMessage,
} from './logMessages';
import { Subscribers, type Subscriber } from './subscribers';
import { HOLD_MS, decideOverlap } from './overlap';
import {
	initialState,
	transition,
	type Effect,
	type Input,
	type State,
	type TimerName,
} from './state';
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
const UNCERTAIN = {
	dead: 'the connection was dead without notice until its renewal',
	stale: 'the connection had stopped delivering events until its renewal',
	unknown: 'nothing was heard for a long time: events may have been missed',
};

/** Names of other events that one connection tells of. */
const MOST_OTHER_EVENTS = 20;

/** Timers that decide nothing about the connection. */
type OwnTimer = 'start' | 'hold' | 'continuity';

type Counters = { -readonly [name in keyof FeedCounters]: number };

export class Feed {
	private state_: State = initialState;

	private readonly subscribers = new Subscribers();

	private readonly connections = new Map<number, OpenedConnection>();

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
	private readonly queue: Input[] = [];

	private busy = false;

	/** @param options of the first subscriber; its silence timeout is part of what subscribers share */
	constructor(
		private readonly options: FeedOptions,
		private readonly dependencies: Dependencies,
		private readonly onEmpty: () => void,
	) {}

	/** @param delayMs a predecessor with the same account has only just closed */
	start(delayMs: number): void {
		if (delayMs <= 0) this.dispatch({ type: 'start' });
		else this.setTimer('start', delayMs, () => this.dispatch({ type: 'start' }));
	}

	/** Adds a subscriber; a feed that waits for its next attempt makes it now. */
	add(subscriber: FeedSubscriber, options: FeedOptions): FeedSubscription {
		const added = this.subscribers.add(subscriber, options);
		if (this.state_.current) this.notifyLate(added);
		else this.dispatch({ type: 'retryNow' });
		let closing: Promise<void> | undefined;
		return {
			first: added.first,
			state: () => (closing ? 'closed' : this.state_.name),
			directory: () => this.newestSession?.directory,
			countsByOne: () => this.continuity.countsByOne,
			counters: () => this.counters(),
			close: () => (closing ??= this.remove(added)),
		};
	}

	state(): FeedState {
		return this.state_.name;
	}

	/** Resolves when nothing of this feed is left that could act. */
	private async remove(subscriber: Subscriber): Promise<void> {
		this.subscribers.remove(subscriber);
		if (this.subscribers.size > 0) return;
		this.dispatch({ type: 'close' });
		this.onEmpty();
	}

	/** A subscriber that comes to an open connection hears so at once, after its subscribe() has returned. */
	private notifyLate(subscriber: Subscriber): void {
		const { route, connectedAt } = this;
		void Promise.resolve().then(() => {
			if (!subscriber.present || !subscriber.settle) return;
			subscriber.settle({ kind: 'live' });
			this.subscribers.notifyOne(subscriber, {
				event: 'connected',
				at: connectedAt,
				attempts: 0,
				protocol: route.protocol,
				transport: route.transport,
			});
		});
	}

	// ── deciding and doing ──────────────────────────────────────────────────────────────────────────────────

	private dispatch(input: Input): void {
		this.queue.push(input);
		if (this.busy) return;
		this.busy = true;
		try {
			for (let one = this.queue.shift(); one; one = this.queue.shift()) this.step(one);
		} finally {
			this.busy = false;
		}
	}

	private step(input: Input): void {
		const before = this.state_.name;
		const now = this.now();
		const [state, effects] = transition(this.state_, input, {
			now,
			random: this.dependencies.random(),
			silenceTimeoutMs: this.options.silenceTimeoutMs,
		});
		this.state_ = state;
		if (state.name !== before) {
			const { route } = this;
			this.log(transitionMessage(before, state.name, effects, { route, now }));
		}
		for (const effect of effects) this.run(effect);
		if (state.name === 'closed') this.clear();
	}

	private run(effect: Effect): void {
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
				return this.beginOverlap(effect.previousId, effect.nextId);
			case 'decide':
				return this.decideOverlap(effect.force);
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
		const options = this.subscribers.newest()?.options ?? this.options;
		const connection: OpenedConnection = {
			id,
			route: this.route,
			openedAt: 0,
			aliveAt: 0,
			healthy: true,
			otherEvents: new Set(),
			connection: new Connection(
				options,
				this.dependencies,
				{
					loggedIn: () => this.dispatch({ type: 'loggedIn', id }),
					opened: (session, renewAt, route) => {
						const now = this.now();
						connection.session = session;
						connection.route = route;
						connection.openedAt = now;
						connection.aliveAt = now;
						this.counts.connections++;
						this.newestSession = session;
						this.route = route;
						if (route.insteadOfDirect !== undefined) this.log(routeMessage(route.insteadOfDirect));
						this.dispatch({ type: 'opened', id, renewAt, expiresAt: session.expiresAt });
					},
					event: (name, args) => this.received(connection, name, args),
					heartbeat: () => {
						connection.aliveAt = this.now();
					},
					failed: (failure) => {
						this.connections.delete(id);
						this.dispatch({ type: 'failed', id, failure });
					},
					lost: (reason, clean) => {
						this.dispatch({ type: 'lost', id, reason, clean });
						this.connections.delete(id);
					},
				},
				this.state_.current !== undefined,
			),
		};
		this.connections.set(id, connection);
		this.counts.logins++;
		connection.connection.start();
	}

	private drop(id: number): void {
		this.connections.get(id)?.connection.close();
		this.connections.delete(id);
	}

	private connected(attempts: number): void {
		const at = this.now();
		this.connectedAt = at;
		this.continuity.reconnected(at);
		this.armGaps();
		this.subscribers.settleFirst({ kind: 'live' });
		const { protocol, transport } = this.route;
		this.subscribers.notify({ event: 'connected', at, attempts, protocol, transport });
	}

	private disconnected({
		id,
		reason,
		clean,
		renewing,
	}: Extract<Effect, { do: 'disconnected' }>): void {
		const at = this.now();
		const connection = this.connections.get(id);
		this.endHandover();
		if (connection)
			this.continuity.lost(
				id,
				completeUntil(connection, clean ? at : connection.aliveAt),
				reason,
				renewing,
			);
		this.subscribers.notify({ event: 'disconnected', at, reason });
	}

	private refused({ failure, first, retryAt }: Extract<Effect, { do: 'refused' }>): void {
		const { reason, statusCode } = failure;
		this.subscribers.settleFirst({
			kind: 'refused',
			reason,
			...(statusCode === undefined ? {} : { statusCode }),
		});
		this.subscribers.notify({
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
			this.log(renewalFailedMessage(failure.reason, retryAt - this.now()));
		} else {
			const kind = failure.permanent ? 'unusable' : 'unreachable';
			this.subscribers.settleFirst({ kind, reason: failure.reason });
		}
	}

	private silent(id: number): void {
		const connection = this.connections.get(id);
		if (connection) connection.healthy = false;
	}

	// ── timers ──────────────────────────────────────────────────────────────────────────────────────────────

	private setTimer(name: TimerName | OwnTimer, delayMs: number, action: () => void): void {
		this.cancelTimer(name);
		this.timers.set(
			name,
			this.dependencies.clock.after(delayMs, () => {
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
		this.dispatch({ type: 'timer', name });
	}

	/** When the current connection will have been silent for too long. */
	private quietUntil(): number {
		const connection = this.state_.current && this.connections.get(this.state_.current.id);
		if (!connection) return 0;
		return (connection.lastEventAt ?? connection.openedAt) + this.options.silenceTimeoutMs;
	}

	private armGaps(): void {
		const due = this.continuity.nextDue();
		if (due === undefined) return this.cancelTimer('continuity');
		this.setTimer('continuity', Math.max(0, due - this.now()), () => {
			for (const gap of this.continuity.due(this.now())) this.notifyGap(gap);
			this.armGaps();
		});
	}

	// ── events ──────────────────────────────────────────────────────────────────────────────────────────────

	private received(connection: OpenedConnection, name: string, args: unknown[]): void {
		const now = this.now();
		connection.aliveAt = now;
		if (name !== 'update') {
			this.otherEvent(connection, name, args);
			return;
		}
		connection.firstEventAt ??= now;
		connection.lastEventAt = now;
		const events = readUpdate(args, now);
		if (events.length === 0) {
			this.counts.unreadable++;
			this.logPayload('update could not be read', args, connection);
		}
		for (const event of events) this.take(connection, event);
	}

	private take(connection: OpenedConnection, event: FeedEvent): void {
		const alone = this.state_.previous === undefined;
		const dueBefore = this.continuity.nextDue();
		if (this.isCurrent(connection.id)) {
			this.continuity.received(connection.id, event, alone);
			if (!this.state_.current?.confirmed) this.dispatch({ type: 'confirmed', id: connection.id });
		} else if (this.state_.previous?.id === connection.id) {
			this.continuity.received(connection.id, event, false);
		}
		if (this.handover)
			for (const one of this.pass(connection, event, this.handover)) this.deliver(one);
		else this.deliver(event);
		if (this.continuity.nextDue() !== dueBefore) this.armGaps();
	}

	private isCurrent(id: number): boolean {
		return this.state_.current?.id === id;
	}

	/** Through an overlap that is, or was a moment ago. */
	private pass(connection: OpenedConnection, event: FeedEvent, handover: Handover): FeedEvent[] {
		if (handover.isPast(event.receivedAt)) {
			this.forgetHandover();
			return [event];
		}
		const passed = handover.pass(connection.id, event);
		if (handover.isHolding && !this.timers.has('hold')) this.armHold();
		return passed;
	}

	private deliver(event: FeedEvent): void {
		const gap = this.continuity.beforeEvent(event);
		if (gap) this.notifyGap(gap);
		this.counts.events++;
		this.subscribers.deliver(event);
	}

	// ── renewal ─────────────────────────────────────────────────────────────────────────────────────────────

	private beginOverlap(previous: number, next: number): void {
		this.forgetHandover();
		this.handover = new Handover(previous, next, this.now(), this.continuity.lastCpt(previous));
	}

	private armHold(): void {
		this.setTimer('hold', HOLD_MS, () => {
			const { handover } = this;
			if (!handover) return;
			for (const event of handover.due(this.now())) this.deliver(event);
			if (handover.isHolding) this.armHold();
		});
	}

	private decideOverlap(force: boolean): void {
		const { handover } = this;
		const previous = handover && this.connections.get(handover.previousId);
		const next = handover && this.connections.get(handover.nextId);
		if (!handover || !previous || !next) return;
		const now = this.now();
		const statistics = handover.statistics(now);
		const decided = decideOverlap(
			statistics,
			{ aliveAt: previous.aliveAt, healthy: isHealthy(previous, now) },
			next.openedAt,
			now,
			force,
		);
		if (decided.decision === 'switch') this.uncertain(decided.uncertainty, previous, next);
		this.dispatch({ type: 'decided', decision: decided.decision });
	}

	/** What the previous connection may have missed before the next one took over. */
	private uncertain(
		uncertainty: 'none' | 'dead' | 'stale' | 'unknown',
		previous: OpenedConnection,
		next: OpenedConnection,
	): void {
		if (uncertainty === 'none') return;
		const deferred = uncertainty === 'unknown';
		const heard = uncertainty === 'stale' ? { ...previous, healthy: false } : previous;
		const from = completeUntil(heard, previous.aliveAt);
		this.uncertainBetween(previous, next, {
			from,
			reason: UNCERTAIN[uncertainty],
			deferred,
		});
		this.armGaps();
	}

	private uncertainBetween(
		previous: OpenedConnection,
		next: OpenedConnection,
		uncertainty: { from: number; reason: string; deferred: boolean },
	): void {
		// Complete again from the next connection's first event on, where one came.
		const { openedAt, firstEventAt } = next;
		const to = firstEventAt ?? openedAt;
		const exact = firstEventAt !== undefined;
		const gap = this.continuity.uncertainUntil(previous.id, next.id, { ...uncertainty, to, exact });
		if (gap) this.notifyGap(gap);
	}

	private switched({
		previousId: previous,
		nextId: next,
		ended,
	}: Extract<Effect, { do: 'switched' }>): void {
		this.counts.renewals++;
		const previousConnection = this.connections.get(previous);
		const nextConnection = this.connections.get(next);
		if (ended !== 'replaced' && previousConnection && nextConnection)
			this.endedInOverlap(previousConnection, nextConnection, ended);
		const numbersDiffer = this.handover?.numbersDiffer;
		const gap = this.continuity.tookOver(previous, next, this.now(), numbersDiffer);
		if (gap) this.notifyGap(gap);
		this.endHandover();
		this.armGaps();
	}

	/** The previous connection ended before it was let go: fine where it was seen to deliver what the next one did. */
	private endedInOverlap(
		previous: OpenedConnection,
		next: OpenedConnection,
		ended: 'clean' | 'broken',
	): void {
		const statistics = this.handover?.statistics(this.now());
		if (statistics && statistics.matched > 0) return;
		if (!isHealthy(previous, this.now())) this.uncertain('unknown', previous, next);
		else if (ended === 'broken' && previous.aliveAt <= next.openedAt)
			this.uncertain('dead', previous, next);
	}

	private reverted({
		previousId: previous,
		nextId: next,
		reason,
	}: Extract<Effect, { do: 'reverted' }>): void {
		this.log({ level: 'warn', text: `renewal undone, the previous connection goes on: ${reason}` });
		const previousConnection = this.connections.get(previous);
		if (previousConnection?.session) {
			this.newestSession = previousConnection.session;
			this.route = previousConnection.route;
		}
		this.continuity.forget(next);
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

	private notifyGap(gap: Gap): void {
		this.counts.gaps++;
		this.log(gapMessage(gap));
		this.subscribers.notify({ event: 'gap', ...gap });
	}

	private log({ level, text }: LogMessage): void {
		this.subscribers.log(level, text);
	}

	/** Often the operator's reason for silence. Once for each name, so that a chatty server does not fill the log. */
	private otherEvent(connection: OpenedConnection, name: string, args: unknown[]): void {
		const shown = redactedText(name, connection.session?.idSession).slice(0, 50);
		if (connection.otherEvents.has(shown) || connection.otherEvents.size >= MOST_OTHER_EVENTS)
			return;
		connection.otherEvents.add(shown);
		const payload = redactedPayload(args, connection.session?.idSession);
		this.log(otherEventMessage(shown, payload));
		this.subscribers.otherEvent(shown, payload);
	}

	private logPayload(what: string, args: unknown[], { session }: OpenedConnection): void {
		this.log({
			level: 'debug',
			text: `${what}: ${redactedPayload(args, session && String(session.idSession))}`,
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
		for (const id of [...this.connections.keys()]) this.drop(id);
		this.handover = undefined;
	}

	private now(): number {
		return this.dependencies.clock.now();
	}
}
