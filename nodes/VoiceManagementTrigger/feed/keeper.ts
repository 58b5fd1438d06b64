// Keeps one connection to the provider open: runs the state machine of state/transition.ts over a connection and its
// successor, and reports to its feed what becomes of them. What they deliver goes from them to the merge.
import { Connection, type ConnectionFeed, type ConnectionOwner } from './connection';
import { NamedTimers } from './namedTimers';
import { initialState, transition } from './state/transition';
import type {
	FeedAction,
	AttemptFailure,
	Input,
	Loss,
	Notification,
	State,
	TimerName,
} from './state/types';
import type { FeedOptions, FeedState } from './types';

/** How long a renewal waits for a login that is in progress elsewhere. */
const ASK_AGAIN_MS = 1_000;

const GAVE_UP = 'it had stopped delivering events';

/** `wait`: ask again later. `replaced`: another keeper took over, and this one was closed. */
export type RenewalRequest = 'renewItself' | 'wait' | 'replaced';

/** The feed of a keeper. */
export interface KeeperOwner extends ConnectionFeed {
	readonly silenceTimeoutMs: number;
	/** No login before this moment, because the provider asked for a wait. */
	readonly notBefore: number;
	/** When a connection of the feed last broke. */
	readonly brokeAt: number;
	/** The options for the next login. */
	nextLogin(): FeedOptions;
	/** A renewal is due. */
	requestRenewal(keeper: Keeper): RenewalRequest;
	/** A connection has sent `init`, and the state is changed. */
	opened(keeper: Keeper, connection: Connection): void;
	/** @returns whether another connection goes on, and this keeper was closed */
	lost(keeper: Keeper, connection: Connection, loss: Loss): boolean;
	/** An attempt failed; called before the state changes. @returns whether this keeper was closed because of it */
	failed(keeper: Keeper, failure: AttemptFailure): boolean;
	changed(keeper: Keeper, from: FeedState, effects: readonly FeedAction[]): void;
	notified(keeper: Keeper, notification: Notification): void;
	/** An effect threw an exception. */
	effectFailed(error: unknown): void;
}

export class Keeper implements ConnectionOwner {
	private state: State;

	private readonly connections = new Map<number, Connection>();

	private readonly timers: NamedTimers<TimerName>;

	/** Inputs are processed one after another: if an effect of one dispatches another, that one waits here. */
	private readonly inputs: Input[] = [];

	private dispatching = false;

	/** @param refusals before, in an outage that goes on */
	constructor(
		private readonly feed: KeeperOwner,
		refusals = 0,
	) {
		this.state = { ...initialState, refusals };
		this.timers = new NamedTimers(feed.dependencies.clock);
	}

	get name(): FeedState {
		return this.state.name;
	}

	get refusals(): number {
		return this.state.refusals;
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
		const { feed } = this;
		const from = this.state.name;
		const [state, effects] = transition(this.state, input, {
			now: this.now(),
			random: feed.dependencies.random(),
			silenceTimeoutMs: feed.silenceTimeoutMs,
			notBefore: feed.notBefore,
			brokeAt: feed.brokeAt,
		});
		this.state = state;
		if (state.name !== from) feed.changed(this, from, effects);
		for (const effect of effects) {
			// Whatever goes wrong with one, the timer of the next attempt must be set.
			try {
				this.run(effect);
			} catch (error) {
				feed.effectFailed(error);
			}
		}
	}

	private run(effect: FeedAction): void {
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
				return this.feed.notified(this, effect.notification);
			case 'compare':
				return this.compare(effect.force);
		}
	}

	private open(id: number): void {
		const { feed } = this;
		const connection = new Connection(this, {
			id,
			options: feed.nextLogin(),
			isRenewal: feed.merge.isOpen,
			feed,
		});
		this.connections.set(id, connection);
		connection.start();
	}

	private drop({ id, reason }: Extract<FeedAction, { do: 'drop' }>): void {
		const connection = this.of(id);
		if (!connection) return;
		this.feed.merge.ended(connection, { reason, clean: false });
		connection.close();
		this.connections.delete(id);
	}

	private compare(force: boolean): void {
		const { current, next } = this.state;
		const [older, newer] = [this.of(current?.id), this.of(next?.id)];
		if (!older || !newer) return;
		this.dispatch({ type: 'compared', decision: this.feed.merge.compare(older, newer, force) });
	}

	private arm(name: TimerName, delayMs: number): void {
		const fire = () => this.fire(name);
		// The others end no connection.
		const judges = name === 'compare' || name === 'renew' || name === 'silence';
		if (judges) this.timers.setToJudge(name, delayMs, fire);
		else this.timers.set(name, delayMs, fire);
	}

	private fire(name: TimerName): void {
		if (name === 'silence') {
			// Events don't restart the timer, because a new timer for each would be expensive.
			const rest = this.quietUntil() - this.now();
			if (rest > 0) return this.arm(name, rest);
		}
		if ((name === 'silence' || name === 'renew') && !this.isBusy) {
			const waitMs = this.feed.notBefore - this.now();
			if (waitMs > 0) return this.arm(name, waitMs);
			const request = this.feed.requestRenewal(this);
			if (request === 'wait') return this.arm(name, ASK_AGAIN_MS);
			if (request === 'replaced') return;
		}
		this.dispatch({ type: 'timer', name });
	}

	/** When the newest connection reaches the silence timeout if no further event comes. */
	private quietUntil(): number {
		const { openedAt = 0, lastEventAt = openedAt } = this.connection ?? {};
		return lastEventAt + this.feed.silenceTimeoutMs;
	}

	// ── what its connections report ─────────────────────────────────────────────────────────────────────────

	loggedIn({ id }: Connection): void {
		this.dispatch({ type: 'loggedIn', id });
	}

	opened(connection: Connection): void {
		const { id, renewAt, expiresAt } = connection;
		this.dispatch({ type: 'opened', id, renewAt, expiresAt });
		this.feed.opened(this, connection);
	}

	delivered({ id }: Connection): void {
		const { current, next } = this.state;
		const open = current?.id === id ? current : next;
		if (!open?.confirmed) this.dispatch({ type: 'confirmed', id });
	}

	failed({ id }: Connection, failure: AttemptFailure): void {
		this.connections.delete(id);
		if (!this.feed.failed(this, failure)) this.dispatch({ type: 'failed', id, failure });
	}

	lost(connection: Connection, loss: Loss): void {
		const { id } = connection;
		this.connections.delete(id);
		this.feed.merge.ended(connection, loss);
		if (this.feed.lost(this, connection, loss)) return;
		this.dispatch({ type: 'lost', id, ...loss });
		this.giveUpStopped();
	}

	/** The next connection of a renewal was lost, after it had shown that the current one had stopped. */
	private giveUpStopped(): void {
		const { connection } = this;
		if (!connection || !this.feed.merge.hasStopped(connection)) return;
		connection.close();
		this.lost(connection, { reason: GAVE_UP, clean: false });
	}

	private of(id: number | undefined): Connection | undefined {
		return id === undefined ? undefined : this.connections.get(id);
	}

	private now(): number {
		return this.feed.dependencies.clock.now();
	}
}
