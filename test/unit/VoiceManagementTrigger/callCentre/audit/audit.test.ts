// Every figure of every interval, compared with the second implementation: calls with transfers and overflows, events
// that come late or twice, interruptions that are noticed at once or only later, and restarts. AUDIT_CALLS sets how many
// calls are played.

import { createSelection } from '../../../../../nodes/VoiceManagementTrigger/selection';
import { readSettings } from '../../../../../nodes/VoiceManagementTrigger/settings';
import { emptyDirectory } from '../../../../../nodes/shared/directory';
import type { Clock, FeedStatus } from '../../../../../nodes/VoiceManagementTrigger/feed/types';
import type { Plain } from '../../../../../nodes/VoiceManagementTrigger/events/simplify';
import { Random } from '../../../../../simulator/traffic/random';
import { Auditor, type Figures, type Settings } from './auditor';
import { AuditTraffic, type Sent } from './traffic';

const CALLS = Number(process.env.AUDIT_CALLS ?? 12_000);
const START_S = Date.UTC(2026, 9, 24, 21, 3, 20) / 1000;
const INTERVAL_MS = 300_000;
/** By how many seconds an event can be late. */
const MOST_LATE_S = 8;

/** A clock that is turned, without a turn of the event loop. */
class TurnedClock implements Clock {
	private timers: Array<{ at: number; action: () => void }> = [];

	constructor(private time: number) {}

	now(): number {
		return this.time;
	}

	after(delayMs: number, action: () => void): () => void {
		const timer = { at: this.time + delayMs, action };
		this.timers.push(timer);
		return () => {
			this.timers = this.timers.filter((one) => one !== timer);
		};
	}

	turnTo(time: number): void {
		for (;;) {
			let next: (typeof this.timers)[number] | undefined;
			for (const timer of this.timers)
				if (timer.at <= time && (!next || timer.at < next.at)) next = timer;
			if (!next) break;
			this.timers = this.timers.filter((one) => one !== next);
			this.time = Math.max(this.time, next.at);
			next.action();
		}
		this.time = Math.max(this.time, time);
	}
}

const CONNECTED = { attempts: 0, protocol: 4, transport: 'direct', continuous: null } as const;
const SIZE = {
	queues: [51, 52, 53],
	agents: Array.from({ length: 24 }, (_, index) => 101 + index),
};

class Audit {
	figures = 0;
	records = 0;
	incomplete = 0;
	readonly deviations: string[] = [];
	/** What was sent and has not arrived yet. */
	onItsWay: Array<{ at: number; sent: Sent }> = [];
	private readonly clock = new TurnedClock(START_S * 1000 + 400);
	private selection: ReturnType<typeof createSelection> | undefined;
	private auditor: Auditor | undefined;
	private items: Plain[][] = [];
	private missed: Array<{ from: number; to: number }> = [];
	private recordedTo = 0;

	constructor(
		private readonly settings: Settings,
		private readonly timeZone: string,
	) {}

	get now(): number {
		return this.clock.now();
	}

	start(): void {
		const { serviceLevelTarget, ...figures } = this.settings;
		const parameters: Record<string, unknown> = {
			mode: 'snapshots',
			snapshotWhen: 'interval',
			intervalMinutes: 5,
			snapshotOf: [],
			options: { ...figures, serviceLevelTarget },
		};
		const settings = readSettings(
			(name, fallback) => parameters[name] ?? fallback,
			() => this.timeZone,
		);
		const directory = emptyDirectory();
		this.selection = createSelection(
			settings,
			() => directory,
			this.clock,
			(entry) => {
				if ('items' in entry) this.items.push([...entry.items]);
			},
		);
		this.auditor = new Auditor(Math.floor(this.now / 1000) * 1000, this.settings);
		this.recordedTo = this.auditor.startedAt;
		this.missed = [];
		this.status({ event: 'connected', at: this.now, ...CONNECTED });
		this.auditor.opened(this.now);
	}

	stop(): void {
		this.judge();
		this.selection?.close();
		this.selection = undefined;
		this.auditor = undefined;
	}

	get runs(): boolean {
		return this.selection !== undefined;
	}

	turnTo(at: number): void {
		this.clock.turnTo(at);
		this.judge();
	}

	disconnect(): void {
		this.status({ event: 'disconnected', at: this.now, reason: 'cut' });
		this.auditor?.interrupted(this.now);
		this.missed.push({ from: this.now, to: Infinity });
	}

	connect(): void {
		this.status({ event: 'connected', at: this.now, ...CONNECTED });
		this.auditor?.opened(this.now);
		for (const gap of this.missed) gap.to = Math.min(gap.to, this.now);
	}

	/** The feed notices only now what it lost. */
	gap(from: number, to: number): void {
		this.status({ event: 'gap', from, to, reason: 'silence' });
		this.auditor?.interrupted(this.now);
		this.missed.push({ from, to });
	}

	/** Everything that arrives before a moment, in its order. */
	arrives(before: number): void {
		const arrived = this.onItsWay.filter(({ at }) => at < before).sort((a, b) => a.at - b.at);
		for (const coming of arrived) {
			this.turnTo(coming.at);
			this.onItsWay = this.onItsWay.filter((one) => one !== coming);
			this.deliver(coming.sent);
		}
	}

	private deliver(sent: Sent): void {
		const { type, event, ts, cpt, msg } = sent;
		const receivedAt = this.now;
		this.selection?.onEvent({ type, event, ts, cpt, msg, raw: {}, receivedAt });
		this.auditor?.take(sent, receivedAt);
	}

	private status(status: FeedStatus): void {
		this.selection?.onStatus(status);
	}

	/** Compares the records that have come since. */
	private judge(): void {
		for (const record of this.items.splice(0)) this.compare(record);
	}

	private compare(items: Plain[]): void {
		const { auditor } = this;
		if (!auditor) return;
		const [first] = items;
		const to = Date.parse(String(first?.to));
		const from = Date.parse(String(first?.from));
		const since = Math.max(this.recordedTo, auditor.startedAt);
		this.recordedTo = to;
		this.records++;
		// The figures are final: what was sent before the end belongs to them, even if it is still on its way.
		for (const { sent } of this.onItsWay) if (sent.ts * 1000 < to) auditor.take(sent, this.now);
		this.note(to % INTERVAL_MS === 0 && to - from === INTERVAL_MS, `bounds ${String(first?.to)}`);
		const ids = auditor.queueIds();
		for (const id of ids) {
			const item = items.find((one) => one.id_queue === String(id) && one.event === 'queue');
			this.same(`queue ${id}`, item, auditor.queues([id], since, to), from);
		}
		for (const id of auditor.agentIds()) {
			const item = items.find(
				(one) => one.event === 'agent' && (one.agent as { id: string }).id === String(id),
			);
			this.same(`agent ${id}`, item, auditor.agent(id, since, to), from);
		}
		const totals = items.find(({ event }) => event === 'totals');
		this.same('totals', totals, auditor.queues(ids, since, to), from);
		// What was noticed only after its record is in the next one's.
		let lost = 0;
		for (const gap of this.missed) {
			lost += Math.max(0, Math.min(gap.to, to) - gap.from);
			gap.from = Math.max(gap.from, Math.min(gap.to, to));
		}
		this.missed = this.missed.filter((gap) => gap.to > gap.from);
		const missed = (since - from + lost) / 1000;
		if (missed > 0) this.incomplete++;
		this.note(
			Math.abs(Number(totals?.missed_seconds) - missed) <= 0.11,
			`missed ${String(totals?.missed_seconds)} instead of ${missed} in ${String(first?.from)}`,
		);
		auditor.forget(to);
	}

	private same(what: string, item: Plain | undefined, expected: Figures, from: number): void {
		for (const [field, value] of Object.entries(expected)) {
			const optional = ['overflowed', 'unknown', 'waiting_before'].includes(field);
			const shown = item?.[field] ?? (optional ? 0 : null);
			// A queue of which there is nothing to show has no item.
			const nothing = item === undefined && value === 0;
			this.note(
				nothing || shown === value,
				`${new Date(from).toISOString()} ${what} ${field}: ${String(shown)} instead of ${String(value)}`,
			);
		}
	}

	private note(agrees: boolean, what: string): void {
		this.figures++;
		if (!agrees) this.deviations.push(what);
	}
}

/** Plays a number of calls, with everything that can go wrong with their events. */
function play(audit: Audit, seed: number, calls: number): void {
	const random = new Random(seed);
	const traffic = new AuditTraffic(seed + 1, START_S, { ...SIZE, rate: 0.25 });
	let second = START_S;
	let opensAt: number | undefined;
	let startsAt: number | undefined = second;
	let silence: { from: number; to: number; told: number } | undefined;
	while (traffic.calls < calls) {
		second++;
		const now = second * 1000;
		const deaf = opensAt !== undefined || startsAt !== undefined;
		if (startsAt !== undefined && second >= startsAt) {
			audit.turnTo(now);
			audit.start();
			startsAt = undefined;
		}
		if (opensAt !== undefined && second >= opensAt) {
			audit.turnTo(now);
			audit.connect();
			opensAt = undefined;
		}
		for (const sent of traffic.second()) {
			const lost = silence && now >= silence.from && now < silence.to;
			if (deaf || lost) continue;
			const at =
				now +
				random.integer(0, 400) +
				(random.chance(0.03) ? random.integer(1, MOST_LATE_S) * 1000 : 0);
			audit.onItsWay.push({ at, sent });
			if (random.chance(0.01)) audit.onItsWay.push({ at: at + random.integer(1, 900), sent });
		}
		audit.arrives(now + 1000);
		if (silence && now >= silence.told) {
			audit.turnTo(now + 999);
			audit.gap(silence.from, silence.to);
			silence = undefined;
		}
		if (opensAt !== undefined || startsAt !== undefined || silence) continue;
		// What was on its way is lost with the connection.
		if (random.chance(1 / 3_000)) {
			audit.turnTo(now + 999);
			audit.disconnect();
			audit.onItsWay = [];
			opensAt = second + random.integer(1, 60);
		} else if (random.chance(1 / 9_000)) {
			const to = now + random.integer(1, 20) * 1000;
			silence = { from: now + 1000, to: to + 1000, told: to + random.integer(0, 20) * 1000 };
		} else if (random.chance(1 / 40_000)) {
			audit.turnTo(now + 999);
			audit.stop();
			audit.onItsWay = [];
			startsAt = second + random.integer(1, 500);
		}
	}
	audit.arrives(Infinity);
	audit.turnTo(second * 1000 + 2 * INTERVAL_MS);
	if (audit.runs) audit.stop();
}

describe.each([
	['withoutShort', 20, 5, 'Europe/Paris'],
	['answeredOnly', 10, 0, 'America/New_York'],
	['allAbandons', 30, 5, 'Asia/Kathmandu'],
	['earlyAbandonsInTime', 20, 10, 'UTC'],
])('the figures of each interval, %s', (serviceLevelFormula, level, short, timeZone) => {
	it('are those of the second implementation', () => {
		const settings = {
			serviceLevelSeconds: level,
			shortAbandonSeconds: short,
			serviceLevelFormula,
			serviceLevelTarget: 80,
		};
		const audit = new Audit(settings, timeZone);
		play(audit, level * 100 + short, CALLS / 4);
		if (process.env.AUDIT_CALLS)
			process.stderr.write(
				`${serviceLevelFormula}: ${CALLS / 4} calls, ${audit.records} records, ${audit.incomplete} of them incomplete, ${audit.figures} figures, ${audit.deviations.length} deviations\n`,
			);
		expect(audit.deviations.slice(0, 20)).toEqual([]);
		expect(audit.figures).toBeGreaterThan(5_000);
		expect(audit.incomplete).toBeGreaterThan(0);
	}, 3_600_000);
});
