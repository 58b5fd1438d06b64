// One feed: runs the state machine of state/transition.ts over its connections, and passes what they deliver through
// stream/eventStream.ts to the subscribers. All timing uses the injected clock, so that tests control it.
import { watched } from './clock';
import { Connection, type ConnectionHandlers, type Dependencies, type Route } from './connection';
import { EventStream } from './stream/eventStream';
import {
	gapMessage,
	leftOutMessage,
	lineLostMessage,
	otherEventMessage,
	renewalFailedMessage,
	renewalRevertedMessage,
	routeMessage,
	transitionMessage,
	unreadableMessage,
	type LogMessage,
} from './logMessages';
import { gap, type Gap } from './stream/gaps';
import { TRANSIT_MS } from './stream/gapStart';
import { NamedTimers } from './namedTimers';
import { firstOutcomeOf, statusOf } from './feedStatus';
import { initialState, setBack, transition } from './state/transition';
import type { Effect, Input, Notification, State, TimerName } from './state/types';
import { redactedPayload, redactedText } from './redaction';
import { Subscribers, type Subscriber } from './subscribers';
import type { FeedCounters, FeedOptions, FeedSubscriber, FeedSubscription } from './types';

/** How many event names other than `update` are reported per connection. */
const MOST_OTHER_EVENTS = 20;

/** A timer that fires later than this was held up. */
const LATE_MS = 500;
/** After this, an event that one of two connections delivers counts as missing on the other one (GRACE_MS of overlap.ts). */
const LOOK_AGAIN_MS = 2_000;

const NO_ROUTE: Route = { protocol: 4, transport: 'direct' };

export interface FeedSetup {
	/**
	 * The options of the first subscriber. Subscribers of one feed have equal keys, and so the same silence timeout.
	 */
	options: FeedOptions;
	dependencies: Dependencies;
	/** Called when the last subscriber has left. */
	onEmpty: () => void;
}

export class Feed {
	private state: State = initialState;

	private readonly subscribers = new Subscribers();

	private readonly connections = new Map<number, Connection>();

	private readonly stream: EventStream;

	private readonly timers: NamedTimers<TimerName | 'start'>;

	/** The newest connection that opened and was not given up: the feed reports its directory and its route. */
	private newest?: Connection;

	private connectedAt = 0;

	private renewals = 0;

	private unreadable = 0;

	/** Inputs are processed one after another: if an effect of one dispatches another, that one waits here. */
	private readonly inputs: Input[] = [];

	private dispatching = false;

	private readonly dependencies: Dependencies;

	constructor(private readonly setup: FeedSetup) {
		const clock = watched(setup.dependencies.clock, (ms) => this.setBack(ms));
		this.dependencies = { ...setup.dependencies, clock };
		this.timers = new NamedTimers(clock);
		this.stream = new EventStream(clock, {
			onEvent: (event) => this.subscribers.deliver(event),
			onGap: (gap) => this.missed(gap),
		});
	}

	/** @param delayMs how long to wait, because another feed with the same key has only just closed */
	start(delayMs: number): void {
		if (delayMs <= 0) this.dispatch({ type: 'start' });
		else this.timers.set('start', delayMs, () => this.dispatch({ type: 'start' }));
	}

	/** Adds a subscriber. If the feed is waiting for its next attempt, it makes that attempt now. */
	add(handlers: FeedSubscriber, options: FeedOptions): FeedSubscription {
		const subscriber = this.subscribers.add(handlers, options, this.stream.waiting);
		if (this.state.current) this.notifyLate(subscriber);
		else this.dispatch({ type: 'retryNow' });
		let leaving = false;
		/** `provenUntil` at the time of `close`: the trigger saves its position after that. */
		let provenAtEnd: number | undefined;
		return {
			first: subscriber.first,
			state: () => (leaving ? 'closed' : this.state.name),
			directory: () => this.newest?.session?.directory,
			countsByOne: () => this.stream.countsByOne,
			provenUntil: () => (leaving ? provenAtEnd : this.stream.provenUntil),
			counters: () => this.counters(),
			close: () =>
				new Promise((resolve) => {
					// Removing the subscriber delivers the events that were held back, and its handler can call `close`
					// again.
					if (!leaving) {
						provenAtEnd = this.stream.provenUntil;
						leaving = true;
						this.remove(subscriber);
					}
					resolve();
				}),
		};
	}

	/** Removes a subscriber, which the feed never calls again, and closes the feed if it was the last one. */
	private remove(subscriber: Subscriber): void {
		this.subscribers.remove(subscriber, this.stream.waiting);
		if (this.subscribers.size > 0) return;
		this.dispatch({ type: 'close' });
		this.setup.onEmpty();
	}

	/** Notifies a subscriber that joins while a connection is open, right after its subscribe() has returned. */
	private notifyLate(subscriber: Subscriber): void {
		void Promise.resolve().then(() => {
			if (!subscriber.present || !subscriber.settle) return;
			subscriber.settle({ kind: 'live' });
			const connected = { event: 'connected', attempts: 0 } as const;
			const status = statusOf(connected, this.connectedAt, this.route);
			if (status) this.subscribers.notifyOne(subscriber, status);
		});
	}

	// ── the state machine ───────────────────────────────────────────────────────────────────────────────────

	private dispatch(input: Input): void {
		this.inputs.push(input);
		if (this.dispatching) return;
		this.dispatching = true;
		try {
			for (let one = this.inputs.shift(); one; one = this.inputs.shift()) this.step(one);
		} finally {
			this.dispatching = false;
		}
	}

	private step(input: Input): void {
		const before = this.state.name;
		const now = this.now();
		const { options } = this.setup;
		const [state, effects] = transition(this.state, input, {
			now,
			random: this.dependencies.random(),
			silenceTimeoutMs: options.silenceTimeoutMs,
			twoLines: options.twoLines,
		});
		this.state = state;
		if (state.name !== before) {
			this.log(transitionMessage(before, state.name, effects, { route: this.route, now }));
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
				return this.arm(effect.name, effect.delayMs);
			case 'cancel':
				return this.timers.cancel(effect.name);
			case 'notify':
				return this.notify(effect.notification);
			case 'reconnected':
				return this.stream.reconnected();
			case 'interrupted':
				return this.interrupted(effect);
			case 'overlap':
				return this.beginOverlap(effect.previousId, effect.nextId);
			case 'decide':
				return this.decideOverlap(effect.force);
			case 'switched':
				return this.switched(effect);
			case 'reverted':
				return this.reverted(effect);
			case 'paired':
				return this.stream.pair();
			case 'compare':
				return this.compareLines();
			case 'lineLost':
				return this.lineLost(effect);
			case 'stale':
				return this.markStale(effect.id);
		}
	}

	private open(id: number): void {
		const { options } = this.setup;
		const connection = new Connection({
			id,
			// The trigger that opened the feed may be gone, so each login uses the options of one that is still
			// subscribed.
			feed: this.subscribers.newest()?.options ?? options,
			renewal: this.state.current !== undefined,
			dependencies: this.dependencies,
			handlers: this.handlers,
		});
		this.connections.set(id, connection);
		connection.start();
	}

	private drop(id: number): void {
		this.connections.get(id)?.close();
		this.connections.delete(id);
	}

	private interrupted(effect: Extract<Effect, { do: 'interrupted' }>): void {
		const connection = this.connections.get(effect.id);
		if (!connection) return;
		this.lookAtSilence(connection);
		this.stream.interrupted(connection, effect);
	}

	/**
	 * No timer runs while the machine sleeps, so a lost connection can have exceeded the silence timeout unnoticed:
	 * marks it as stale if so.
	 */
	private lookAtSilence(gone: Connection): void {
		const { silenceTimeoutMs } = this.setup.options;
		if (silenceTimeoutMs > 0 && this.quietUntil(gone) <= this.now()) gone.stale = true;
	}

	private beginOverlap(previousId: number, nextId: number): void {
		const previous = this.connections.get(previousId);
		const next = this.connections.get(nextId);
		if (previous && next) this.stream.beginOverlap(previous, next);
	}

	private decideOverlap(force: boolean): void {
		const decided = this.stream.decideOverlap(force);
		if (decided) this.dispatch({ type: 'decided', ...decided });
	}

	private compareLines(): void {
		const silent = this.stream.silentLine();
		if (!silent) return;
		const { id } = silent;
		silent.stale = true;
		const reason = 'it delivered none of the events that the other connection did';
		this.dispatch({ type: 'lost', id, reason, clean: false, stale: true });
	}

	private lineLost({ id, clean }: Extract<Effect, { do: 'lineLost' }>): void {
		const gone = this.connections.get(id);
		if (!gone) return;
		this.lookAtSilence(gone);
		this.stream.lineLost(gone, clean);
		const { current } = this.state;
		if (this.newest === gone && current) this.newest = this.connections.get(current.id);
	}

	private switched({ previousId, ended }: Extract<Effect, { do: 'switched' }>): void {
		this.renewals++;
		const previous = this.connections.get(previousId);
		if (previous) this.lookAtSilence(previous);
		this.stream.tookOver(ended);
	}

	private reverted({ previousId, reason, clean }: Extract<Effect, { do: 'reverted' }>): void {
		this.log(renewalRevertedMessage(reason));
		this.newest = this.connections.get(previousId) ?? this.newest;
		this.stream.nextGone(clean);
	}

	private markStale(id: number): void {
		const connection = this.connections.get(id);
		if (connection) connection.stale = true;
	}

	private notify(notification: Notification): void {
		const at = this.now();
		if (notification.event === 'connected') this.connectedAt = at;
		if (notification.event === 'line_lost') this.log(lineLostMessage(notification.reason));
		if (notification.event === 'retrying' && notification.renewal) {
			const { failure, retryAt } = notification;
			this.log(renewalFailedMessage(failure.reason, retryAt - at));
		}
		const outcome = firstOutcomeOf(notification);
		if (outcome) this.subscribers.settleFirst(outcome);
		const status = statusOf(notification, at, this.route);
		if (status) this.subscribers.notify(status);
	}

	private arm(name: TimerName, delayMs: number): void {
		const due = this.now() + delayMs;
		this.timers.set(name, delayMs, () => this.fire(name, this.now() - due));
	}

	private fire(name: TimerName, lateMs: number): void {
		// The process stood still. The events that arrived meanwhile are read next, and show which connection delivers.
		if (name === 'overlap' && lateMs > LATE_MS) return this.arm('overlap', LOOK_AGAIN_MS);
		if (name === 'silence') {
			// Events don't restart the timer, because a new timer for each would be expensive: the remaining time is
			// computed here. `now()` comes first: if the clock was set back, it shifts the times that are compared with
			// it.
			const now = this.now();
			const rest = Math.max(...this.lines.map((one) => this.quietUntil(one))) - now;
			if (rest > 0) return this.arm('silence', rest);
		}
		this.dispatch({ type: 'timer', name });
	}

	/** When a connection reaches the silence timeout if no further event comes. */
	private quietUntil({ lastEventAt, openedAt }: Connection): number {
		return (lastEventAt ?? openedAt) + this.setup.options.silenceTimeoutMs;
	}

	/** The connection in use, or both if there are two lines. */
	private get lines(): Connection[] {
		const { current, previous, paired } = this.state;
		const open = paired ? [current, previous] : [current];
		return open.flatMap((one) => (one && this.connections.get(one.id)) ?? []);
	}

	// ── what the connections report ─────────────────────────────────────────────────────────────────────────

	private readonly handlers: ConnectionHandlers = {
		loggedIn: ({ id }) => {
			const behind = this.stream.newerBehind();
			if (behind) behind.stale = true;
			this.dispatch({ type: 'loggedIn', id, behind: behind?.id });
		},
		opened: (connection) => {
			const { id, renewAt, route, session } = connection;
			this.newest = connection;
			if (route.insteadOfDirect !== undefined) this.log(routeMessage(route.insteadOfDirect));
			this.dispatch({ type: 'opened', id, renewAt, expiresAt: session?.expiresAt ?? renewAt });
		},
		update: (connection, args) => {
			const { id } = connection;
			if (this.stream.receive(connection, args)) {
				const { current, previous } = this.state;
				const open = current?.id === id ? current : previous;
				if (open?.id === id && !open.confirmed) this.dispatch({ type: 'confirmed', id });
			} else {
				this.unreadable++;
				this.log(unreadableMessage(redactedPayload(args, connection.secrets)));
			}
		},
		otherEvent: (connection, name, args) => this.otherEvent(connection, name, args),
		leftOut: ({ leftOutBefore, openedAt, aliveAt }, { what, isUpdate }) => {
			if (!leftOutBefore.has(what)) this.log(leftOutMessage(what));
			leftOutBefore.add(what);
			if (!isUpdate) return;
			const from = Math.max(openedAt, aliveAt - TRANSIT_MS);
			this.missed(gap(from, this.now(), `the operator sent ${what}`));
		},
		failed: ({ id }, failure) => {
			this.connections.delete(id);
			this.dispatch({ type: 'failed', id, failure });
		},
		lost: ({ id }, reason, clean) => {
			this.dispatch({ type: 'lost', id, reason, clean });
			this.connections.delete(id);
		},
	};

	private missed(gap: Gap): void {
		this.log(gapMessage(gap));
		this.subscribers.notify({ event: 'gap', ...gap });
	}

	/**
	 * Reports something under an event name other than `update`, often the operator's reason for sending no events.
	 * Once per name and connection, so that a chatty server does not fill the log.
	 */
	private otherEvent({ secrets, otherEvents }: Connection, name: string, args: unknown[]): void {
		const shown = redactedText(name, secrets).slice(0, 50);
		if (otherEvents.has(shown) || otherEvents.size >= MOST_OTHER_EVENTS) return;
		otherEvents.add(shown);
		const payload = redactedPayload(args, secrets);
		this.log(otherEventMessage(shown, payload));
		this.subscribers.otherEvent(shown, payload);
	}

	private log({ level, text }: LogMessage): void {
		this.subscribers.log(level, text);
	}

	private counters(): FeedCounters {
		const { renewals, unreadable } = this;
		return { renewals, unreadable, duplicates: this.stream.duplicates };
	}

	private clear(): void {
		this.timers.cancelAll();
		this.stream.close();
		for (const id of [...this.connections.keys()]) this.drop(id);
	}

	private get route(): Route {
		return this.newest?.route ?? NO_ROUTE;
	}

	private now(): number {
		return this.dependencies.clock.now();
	}

	/**
	 * The machine's clock was set back: shifts all stored times. Otherwise everything that is due at a certain time
	 * (silence timeout, renewal, a gap to be reported) would be late by as much.
	 */
	private setBack(ms: number): void {
		this.state = setBack(this.state, ms);
		this.stream.setBack(ms);
		for (const connection of this.connections.values()) connection.setBack(ms);
	}
}
