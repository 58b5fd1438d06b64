// Keeps one connection to the provider open: runs the state machine of state/transition.ts over a connection and its
// successor. What they deliver goes to the merge; what is to be known of them goes to the feed.
import { Connection, type ConnectionHandlers, type Dependencies } from './connection';
import type { Mask } from './mask';
import type { Merge } from './merge/merge';
import { NamedTimers } from './namedTimers';
import { initialState, transition } from './state/transition';
import type { Effect, Failure, Input, Notification, State, TimerName } from './state/types';
import type { Resume } from './socketio';
import type { FeedOptions, FeedState } from './types';

/** A timer that fires later than this was held up: the process stood still. */
const LATE_MS = 500;
/** The events that arrived meanwhile are read next, and show within this time which connection delivers. */
const LOOK_AGAIN_MS = 2_000;
/** How long a renewal waits for a login that is in progress elsewhere. */
const BUSY_MS = 1_000;

const STOPPED = 'it had stopped delivering events';

/** What a keeper needs of its feed. */
export interface KeeperHost {
	readonly merge: Merge;
	readonly mask: Mask;
	readonly dependencies: Dependencies;
	readonly silenceTimeoutMs: number;
	/** No login before this moment, because the provider asked for a wait. */
	notBefore(): number;
	/** When a connection of the feed last broke. */
	brokeAt(): number;
	/** The options for the next login. */
	options(): FeedOptions;
	/** The connection that the next one can continue. */
	resume(): Resume | undefined;
	/** Whether a renewal can begin; `never`: another keeper takes over, and this one was closed. */
	mayRenew(keeper: Keeper): 'yes' | 'later' | 'never';
	/** The provider accepted the login of a connection; called before the state changes. */
	loggedIn(connection: Connection): void;
	/** A connection has sent `init`, and the state is changed. */
	opened(keeper: Keeper, connection: Connection): void;
	/** @returns whether another connection goes on, and this keeper was closed */
	lost(keeper: Keeper, connection: Connection, reason: string, clean: boolean): boolean;
	/** An attempt failed; called before the state changes. @returns whether this keeper was closed because of it */
	failed(keeper: Keeper, connection: Connection, failure: Failure): boolean;
	changed(keeper: Keeper, from: FeedState, effects: readonly Effect[]): void;
	notified(keeper: Keeper, notification: Notification): void;
	/** The three below are passed on as the connection reports them. */
	update(connection: Connection, args: unknown[]): boolean;
	otherEvent(name: string, args: unknown[]): void;
	leftOut: ConnectionHandlers['leftOut'];
}

export class Keeper {
	private state: State = initialState;

	private readonly connections = new Map<number, Connection>();

	private readonly timers: NamedTimers<TimerName>;

	/** Inputs are processed one after another: if an effect of one dispatches another, that one waits here. */
	private readonly inputs: Input[] = [];

	private dispatching = false;

	constructor(private readonly host: KeeperHost) {
		this.timers = new NamedTimers(host.dependencies.clock);
	}

	get name(): FeedState {
		return this.state.name;
	}

	/** The open connection, if there is one. */
	get connection(): Connection | undefined {
		return this.of(this.state.current?.id);
	}

	/** A login is in progress, or two connections are open for a renewal. */
	get isBusy(): boolean {
		return this.state.attemptId !== undefined || this.state.next !== undefined;
	}

	start(): void {
		this.dispatch({ type: 'start' });
	}

	/** If it waits for its next attempt, it makes that attempt now. */
	retryNow(): void {
		this.dispatch({ type: 'retryNow' });
	}

	/** Renews its connection now, unless it is busy. */
	renewNow(): void {
		if (!this.isBusy) this.fire('renew', 0);
	}

	close(): void {
		this.dispatch({ type: 'close' });
	}

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
		const { host } = this;
		const from = this.state.name;
		const [state, effects] = transition(this.state, input, {
			now: this.now(),
			random: host.dependencies.random(),
			silenceTimeoutMs: host.silenceTimeoutMs,
			notBefore: host.notBefore(),
			brokeAt: host.brokeAt(),
		});
		this.state = state;
		if (state.name !== from) host.changed(this, from, effects);
		for (const effect of effects) this.run(effect);
	}

	private run(effect: Effect): void {
		switch (effect.do) {
			case 'open':
				return this.open(effect.id);
			case 'drop':
				return this.drop(effect);
			case 'timer':
				return this.arm(effect.name, effect.delayMs);
			case 'cancel':
				return this.timers.cancel(effect.name);
			case 'notify':
				return this.host.notified(this, effect.notification);
			case 'compare':
				return this.compare(effect.force);
		}
	}

	private open(id: number): void {
		const connection = new Connection({
			id,
			feed: this.host.options(),
			renewal: this.state.current !== undefined,
			resume: () => this.host.resume(),
			dependencies: this.host.dependencies,
			mask: this.host.mask,
			handlers: this.handlers,
		});
		this.connections.set(id, connection);
		connection.start();
	}

	private drop({ id, reason }: Extract<Effect, { do: 'drop' }>): void {
		const connection = this.of(id);
		if (!connection) return;
		this.host.merge.ended(connection, { reason, clean: false });
		connection.close();
		this.connections.delete(id);
	}

	private compare(force: boolean): void {
		const { current, next } = this.state;
		const [older, newer] = [this.of(current?.id), this.of(next?.id)];
		if (!older || !newer) return;
		this.dispatch({ type: 'compared', decision: this.host.merge.compare(older, newer, force) });
	}

	private arm(name: TimerName, delayMs: number): void {
		const due = this.now() + delayMs;
		this.timers.set(name, delayMs, () => this.fire(name, this.now() - due));
	}

	private fire(name: TimerName, lateMs: number): void {
		if (name === 'compare' && lateMs > LATE_MS) return this.arm(name, LOOK_AGAIN_MS);
		if (name === 'silence') {
			// Events don't restart the timer, because a new timer for each would be expensive.
			const rest = this.quietUntil() - this.now();
			if (rest > 0) return this.arm(name, rest);
		}
		if ((name === 'silence' || name === 'renew') && !this.isBusy) {
			const wait = this.host.notBefore() - this.now();
			if (wait > 0) return this.arm(name, wait);
			const may = this.host.mayRenew(this);
			if (may === 'later') this.arm(name, BUSY_MS);
			if (may !== 'yes') return;
		}
		this.dispatch({ type: 'timer', name });
	}

	/** When the newest connection reaches the silence timeout if no further event comes. */
	private quietUntil(): number {
		const { openedAt = 0, lastEventAt = openedAt } = this.connection ?? {};
		return lastEventAt + this.host.silenceTimeoutMs;
	}

	private readonly handlers: ConnectionHandlers = {
		loggedIn: (connection) => {
			this.host.loggedIn(connection);
			this.dispatch({ type: 'loggedIn', id: connection.id });
		},
		opened: (connection) => {
			const { id, renewAt, expiresAt } = connection;
			this.dispatch({ type: 'opened', id, renewAt, expiresAt });
			this.host.opened(this, connection);
		},
		update: (connection, args) => {
			const { id } = connection;
			if (!this.host.update(connection, args)) return false;
			const { current, next } = this.state;
			const open = current?.id === id ? current : next;
			if (open?.id === id && !open.confirmed) this.dispatch({ type: 'confirmed', id });
			return true;
		},
		otherEvent: (_connection, name, args) => this.host.otherEvent(name, args),
		leftOut: (connection, leftOut) => this.host.leftOut(connection, leftOut),
		failed: (connection, failure) => {
			const { id } = connection;
			this.connections.delete(id);
			if (!this.host.failed(this, connection, failure))
				this.dispatch({ type: 'failed', id, failure });
		},
		lost: (connection, reason, clean) => {
			const { id } = connection;
			this.connections.delete(id);
			this.host.merge.ended(connection, { reason, clean });
			if (this.host.lost(this, connection, reason, clean)) return;
			this.dispatch({ type: 'lost', id, reason, clean });
			this.giveUpStopped();
		},
	};

	/** The next connection of a renewal was lost, after it had shown that the current one had stopped. */
	private giveUpStopped(): void {
		const { connection } = this;
		if (!connection || !this.host.merge.lacks(connection)) return;
		connection.close();
		this.handlers.lost(connection, STOPPED, false);
	}

	private of(id: number | undefined): Connection | undefined {
		return id === undefined ? undefined : this.connections.get(id);
	}

	private now(): number {
		return this.host.dependencies.clock.now();
	}
}
