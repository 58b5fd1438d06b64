// From entries to executions: batches, a bound on the executions under way, and a bounded buffer for what has to
// wait. n8n starts whatever a trigger emits at once, and a thousand unawaited executions take it down; so this
// waits for the end of each execution and lets batches grow while it is behind.

import type { Clock } from '../feed/types';
import { RingBuffer } from './ringBuffer';

export interface OutletOptions {
	/** Items of one execution at most. */
	batchSize: number;
	/** How long an incomplete batch waits for more, in milliseconds; 0 = not at all. */
	batchIntervalMs: number;
	/** Executions under way at once. */
	maxInFlight: number;
	/** Entries that may wait; beyond it the oldest go. */
	bufferLimit: number;
	/** After this long, an execution that never told its end gives its place back (milliseconds). */
	leaseMs: number;
	/** How long `close` waits for places to hand over what is buffered (milliseconds). */
	flushMs: number;
}

/** What was dropped because the buffer was full. */
export interface Overflow {
	dropped: number;
	/** First and last moment at which something was dropped, milliseconds since 1970. */
	from: number;
	to: number;
}

export interface OutletPorts<T> {
	/**
	 * Starts one execution with a batch.
	 * @returns settles when the execution has ended, in whatever way; a throw means that it could not start
	 */
	start(batch: T[]): Promise<unknown>;
	/** The buffer had to drop entries: asked once the next batch can leave; what it returns heads that batch. */
	overflowed(overflow: Overflow): T | undefined;
	/** An execution could not be started: its entries are lost. */
	failed(entries: number, error: unknown): void;
	/** An execution has not told its end for the length of the lease. */
	leaseEnded(): void;
	/** Entries that were still waiting when the time for flushing was over. */
	abandoned(entries: number): void;
}

/** Hands entries to n8n in order. */
export class Outlet<T> {
	private readonly waiting: RingBuffer<T>;
	private readonly inFlight = new Set<{ startedAt: number }>();
	private overflow: Overflow | undefined;
	private pumpSoon = false;
	private intervalOver = false;
	private cancelInterval: (() => void) | undefined;
	private cancelLease: (() => void) | undefined;
	private closing: Promise<void> | undefined;
	private drained: (() => void) | undefined;
	private closed = false;

	constructor(
		private readonly options: OutletOptions,
		private readonly ports: OutletPorts<T>,
		private readonly clock: Clock,
	) {
		this.waiting = new RingBuffer<T>(options.bufferLimit);
	}

	/** Takes an entry; it leaves in the order of arrival. After `close` nothing is taken any more. */
	push(entry: T): void {
		if (this.closing) return;
		const now = this.clock.now();
		if (this.waiting.push(entry, now)) {
			this.overflow ??= { dropped: 0, from: now, to: now };
			this.overflow.dropped++;
			this.overflow.to = now;
		}
		if (this.options.batchSize === 1 || this.waiting.size >= this.options.batchSize) this.pump();
		else if (this.options.batchIntervalMs === 0) this.pumpAfterThisTick();
		else this.armInterval();
	}

	/** Entries that wait, and executions under way. */
	load(): { waiting: number; inFlight: number } {
		return { waiting: this.waiting.size, inFlight: this.inFlight.size };
	}

	/**
	 * Hands over what waits, within `flushMs`, then stops for good. Executions under way go on by themselves.
	 * Idempotent, never rejects.
	 */
	async close(): Promise<void> {
		this.closing ??= this.flush();
		return await this.closing;
	}

	private async flush(): Promise<void> {
		// Set by the caller only after this function's first await: from here on batches need not be full.
		await Promise.resolve();
		this.pump();
		if (this.waiting.size > 0) {
			await new Promise<void>((resolve) => {
				const cancel = this.clock.after(this.options.flushMs, resolve);
				this.drained = () => {
					cancel();
					resolve();
				};
			});
		}
		this.closed = true;
		this.cancelInterval?.();
		this.cancelLease?.();
		const left = this.waiting.clear();
		if (left > 0) this.ports.abandoned(left);
	}

	/** Starts executions as long as there is something that may leave and a place for it. */
	private pump(): void {
		while (!this.closed && this.waiting.size > 0 && this.mayLeave()) {
			if (this.inFlight.size >= this.options.maxInFlight) {
				this.armLease();
				return;
			}
			this.startOne();
		}
		if (this.closed) return;
		if (this.waiting.size > 0) this.armInterval();
		else this.drained?.();
	}

	/** Whether a batch is full, has waited long enough, or nothing more will come. */
	private mayLeave(): boolean {
		if (this.waiting.size >= this.options.batchSize || this.intervalOver || this.closing)
			return true;
		return this.clock.now() - (this.waiting.oldestAt ?? 0) >= this.options.batchIntervalMs;
	}

	private startOne(): void {
		this.intervalOver = false;
		this.cancelInterval?.();
		this.cancelInterval = undefined;
		const head = this.takeOverflow();
		const batch = this.waiting.take(this.options.batchSize - head.length);
		const entries = head.concat(batch);
		const place = { startedAt: this.clock.now() };
		this.inFlight.add(place);
		const free = () => {
			if (this.inFlight.delete(place)) this.pump();
		};
		try {
			this.ports.start(entries).then(free, free);
		} catch (error) {
			this.inFlight.delete(place);
			this.ports.failed(entries.length, error);
		}
	}

	/** Tells what was dropped ahead of what comes next, which is where it is missing. */
	private takeOverflow(): T[] {
		if (!this.overflow) return [];
		const status = this.ports.overflowed(this.overflow);
		this.overflow = undefined;
		return status === undefined ? [] : [status];
	}

	private pumpAfterThisTick(): void {
		if (this.pumpSoon) return;
		this.pumpSoon = true;
		void Promise.resolve().then(() => {
			this.pumpSoon = false;
			this.pump();
		});
	}

	private armInterval(): void {
		if (this.cancelInterval || this.closing) return;
		const since = this.waiting.oldestAt ?? this.clock.now();
		// Never more than one interval, also where the machine's clock was set back meanwhile.
		const wait = Math.min(since - this.clock.now(), 0) + this.options.batchIntervalMs;
		this.cancelInterval = this.clock.after(Math.max(0, wait), () => {
			this.cancelInterval = undefined;
			this.intervalOver = true;
			this.pump();
		});
	}

	/**
	 * n8n 1.x never settles the promise of an execution that could not be started. Without this, a few such
	 * failures would use up every place and the trigger would be silently dead.
	 */
	private armLease(): void {
		if (this.cancelLease) return;
		const [oldest] = this.inFlight;
		const wait = oldest.startedAt + this.options.leaseMs - this.clock.now();
		this.cancelLease = this.clock.after(Math.max(0, wait), () => {
			this.cancelLease = undefined;
			const now = this.clock.now();
			for (const place of this.inFlight) {
				if (place.startedAt + this.options.leaseMs > now) break;
				this.inFlight.delete(place);
				this.ports.leaseEnded();
			}
			this.pump();
		});
	}
}
