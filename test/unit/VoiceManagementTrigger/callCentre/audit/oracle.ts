// The second implementation of the call centre, second part: what outcomes, snapshots and alerts show of calls and
// agents. Figures of a period are evaluated from all stays, waits and talks when they are asked for.

import type {
	Clock,
	Directory,
	FeedEvent,
	FeedStatus,
} from '../../../../../nodes/VoiceManagementTrigger/feed/types';
import type { Plain } from '../../../../../nodes/VoiceManagementTrigger/events/simplify';
import { OracleAlerts, type Row } from './oracleAlerts';
import {
	Journeys,
	type Agent,
	type AgentSpan,
	type Call,
	type CountedWait,
	type Mark,
	type StayEnd,
} from './journeys';

const FINAL_MS = 15_000;

/** A wait or a talk, rounded once. */
const whole = (ms: number) => Math.round(ms / 1000);
const isoOf = (at: number | null | undefined) => (at == null ? null : new Date(at).toISOString());
const tenth = (value: number) => Math.round(value * 10) / 10;
const share = (part: number, all: number, factor = 1) =>
	all === 0 ? null : tenth((factor * part) / all);

interface Span {
	from: number;
	to: number;
}

/** The periods on the clock of a time zone. */
export class Calendar {
	private readonly offsets = new Map<number, number>();
	private readonly format: Intl.DateTimeFormat;
	private last: Span = { from: 0, to: 0 };

	constructor(
		timeZone: string,
		private readonly period: string,
	) {
		this.format = new Intl.DateTimeFormat('en-US', {
			timeZone,
			hourCycle: 'h23',
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
			second: 'numeric',
		});
	}

	private offset(at: number): number {
		const quarter = Math.floor(at / 900_000);
		const kept = this.offsets.get(quarter);
		if (kept !== undefined) return kept;
		const parts = this.format.formatToParts(quarter * 900_000);
		const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
		const local = Date.UTC(
			part('year'),
			part('month') - 1,
			part('day'),
			part('hour'),
			part('minute'),
			part('second'),
		);
		const offset = local - quarter * 900_000;
		this.offsets.set(quarter, offset);
		return offset;
	}

	of(at: number): Span {
		if (at >= this.last.from && at < this.last.to) return this.last;
		if (this.period !== 'day') {
			const ms = Number(this.period) * 60_000;
			const offset = this.offset(at);
			const from = Math.floor((at + offset) / ms) * ms - offset;
			return (this.last = { from, to: from + ms });
		}
		const day = Math.floor((at + this.offset(at)) / 86_400_000);
		return (this.last = { from: this.midnight(day), to: this.midnight(day + 1) });
	}

	private midnight(day: number): number {
		const local = day * 86_400_000;
		const guess = local - this.offset(local);
		return local - this.offset(guess);
	}
}

type Parameters = Readonly<Record<string, unknown>>;

export class Oracle {
	readonly items: Plain[] = [];
	readonly executions: Plain[][] = [];
	readonly journeys: Journeys;
	private readonly mode: string;
	private readonly levelMs: number;
	private readonly shortMs: number;
	private readonly calendar: Calendar;
	private readonly finalMs: number;
	private readonly every: number | undefined;
	private readonly outcomes: readonly string[];
	private readonly parts: readonly string[];
	private readonly alerts: OracleAlerts | undefined;
	private readonly timeZone: string;
	private readonly onlyWhenChanged: boolean;
	private content = '';
	private opened: number | undefined;
	private shown = false;
	private outages: Array<{ from: number; to: number }> = [];

	constructor(
		parameters: Parameters,
		private readonly directory: () => Directory | undefined,
		now: number,
		timeZone = 'Europe/Paris',
	) {
		const options = (parameters.options ?? {}) as Parameters;
		this.mode = String(parameters.mode);
		this.levelMs = Number(options.serviceLevelSeconds ?? 20) * 1000;
		this.shortMs = Number(options.shortAbandonSeconds ?? 5) * 1000;
		this.timeZone = timeZone;
		const isInterval = parameters.snapshotWhen === 'interval';
		const period = String(parameters.period ?? (isInterval ? '15' : 'day'));
		this.calendar = new Calendar(timeZone, period);
		this.finalMs = isInterval ? FINAL_MS : 0;
		this.every = isInterval ? undefined : Number(parameters.every ?? 30) * 1000;
		this.outcomes = (parameters.outcomes ?? ['missed']) as string[];
		this.parts = (parameters.snapshotOf ?? ['queues']) as string[];
		this.onlyWhenChanged = parameters.onlyWhenChanged !== false;
		this.journeys = new Journeys(
			now,
			directory,
			(at, seen) => this.mode === 'snapshots' && seen >= this.calendar.of(at).to + this.finalMs,
			{
				answered: (call, at) => this.outcome(call, 'answered', at),
				record: (call, kind, at) => {
					this.outcome(call, kind, at);
					this.alerts?.record(call, kind);
				},
				cameBack: (call) => this.alerts?.cameBack(call),
				interrupted: () => this.alerts?.interrupted(),
				settled: () => this.alerts?.settled(),
			},
		);
		this.journeys.levelMs = this.levelMs;
		if (this.mode === 'alerts') {
			const rows = (parameters.alerts as { alert: Row[] }).alert;
			const settings = {
				rows,
				levelMs: this.levelMs,
				shortMs: this.shortMs,
				repeatMs: Number(options.repeatEvery ?? 0) * 1000,
				emitResolved: options.emitResolved === true,
			};
			this.alerts = new OracleAlerts(settings, this.journeys, directory, (item) =>
				this.give([item]),
			);
		}
	}

	private give(items: Plain[]): void {
		this.executions.push(items);
		this.items.push(...items);
	}

	get next(): number | undefined {
		return this.journeys.agenda.next;
	}

	turnTo(time: number): void {
		this.journeys.turnTo(time);
	}

	onEvent(event: FeedEvent): void {
		this.turnTo(event.receivedAt);
		this.journeys.event(event);
		this.alerts?.settled();
		const waitsForFirst = this.mode === 'snapshots' && this.every !== undefined && !this.shown;
		if (waitsForFirst && this.opened !== undefined) this.snapshot();
	}

	onStatus(status: FeedStatus): void {
		if (status.event === 'refused' || status.event === 'connection_lost') return;
		const now = status.event === 'gap' ? this.journeys.now : status.at;
		this.turnTo(now);
		const last = this.outages.findLast(({ to }) => to === Infinity);
		if (status.event === 'disconnected') this.outages.push({ from: now, to: Infinity });
		if (status.event === 'gap') this.outages.push({ from: status.from, to: status.to });
		if (status.event === 'connected' && last) last.to = now;
		this.journeys.status(status);
		if (status.event === 'connected' && this.opened === undefined) this.open(now);
		this.alerts?.settled();
	}

	private open(now: number): void {
		this.opened = now;
		this.alerts?.begin();
		if (this.mode !== 'snapshots') return;
		const { agenda } = this.journeys;
		const { every } = this;
		if (every === undefined) {
			const record = (period: Span) => {
				agenda.add(period.to + FINAL_MS, () => {
					this.interval(period);
					record(this.calendar.of(period.to));
				});
			};
			record(this.calendar.of(now));
			return;
		}
		const tick = (at: number) => {
			// Behind everything else of that moment.
			agenda.add(at, () =>
				agenda.add(at, () => {
					this.snapshot();
					tick(at + every);
				}),
			);
		};
		this.snapshot();
		tick(now + every);
	}

	// Outcomes

	private outcome(call: Call, event: 'answered' | 'missed' | 'ended', now: number): void {
		if (this.mode !== 'callOutcomes') return;
		if (this.outcomes.length > 0 && !this.outcomes.includes(event)) return;
		this.give([this.outcomeItem(call, event, now)]);
	}

	private outcomeItem(call: Call, event: 'answered' | 'missed' | 'ended', now: number): Plain {
		const answered = call.isUnknown ? null : call.isAnswered;
		const first = call.waits[0];
		const isFromTrunk = call.firstAnswer?.queue === null;
		const start = call.hadQueue && !isFromTrunk ? first?.start : call.firstEntryAt;
		const left = call.placeLeft?.at;
		const until =
			call.firstAnswer?.at ??
			(call.hadQueue ? first?.outAt : (call.trunkAnswer ?? left)) ??
			undefined;
		const waitMs =
			answered === null || start === undefined || until === undefined
				? undefined
				: Math.max(0, until - start);
		// One that goes on has no length yet.
		const talks = call.talks.map(({ agent, from, to, cut }) => ({
			agent,
			talk: cut || to === undefined ? null : whole(to - from),
		}));
		const talkFields = {
			talks,
			talk:
				answered === null || talks.some(({ talk }) => talk === null)
					? null
					: talks.reduce((sum, { talk }) => sum + (talk ?? 0), 0),
		};
		const stays = call.waits.flatMap((wait) => wait.stays);
		const answeredIn = call.firstAnswer?.queue ?? call.talks.find(({ queue }) => queue)?.queue;
		const lastQueue = answeredIn ?? call.leftLast ?? call.lastQueue;
		// Of the last wait, or of a talk before, nobody knows the end.
		const lastStay = stays.at(-1);
		const isEndHidden =
			(lastStay?.seen === true && lastStay.end?.how === 'unknown') ||
			talks.slice(0, event === 'answered' ? -1 : undefined).some(({ talk }) => talk === null);
		const reason =
			answered !== false && call.endNotSeen && event === 'ended'
				? 'end-not-seen'
				: call.isPartlyUnseen
					? 'feed-gap'
					: answered === null || isEndHidden
						? 'end-not-seen'
						: call.firstEntryAt === undefined ||
							  stays.some(({ seen }) => !seen) ||
							  (call.hadQueue && !isFromTrunk && first?.start === undefined)
							? 'start-not-seen'
							: null;
		const endedAt =
			event === 'answered' ? null : Math.max(call.placeLeft?.at ?? 0, call.talkEnded?.at ?? 0);
		return {
			type_notification: 'call',
			event,
			id_call: call.id,
			caller_id_num: call.caller ?? null,
			id_queue: lastQueue ?? null,
			answered,
			wait: waitMs === undefined ? null : whole(waitMs),
			within_service_level:
				event === 'missed' ? false : waitMs === undefined ? null : waitMs <= this.levelMs,
			missed_reason: event === 'missed' ? this.reason(call, waitMs) : null,
			offered_to: call.rings.map(({ agent, from, to }) => ({
				agent,
				rang: to === undefined ? null : whole(to - from),
			})),
			queue_waits: stays.flatMap(({ queue, seen, enter, end }, index) => {
				const before = stays[index - 1];
				// It went on through an interruption.
				if (!seen && before?.queue === queue && before.end?.how === 'unknown') return [];
				const isKnown = seen && end && end.how !== 'unknown';
				return [{ id_queue: queue, wait: isKnown ? whole(end.at - enter.at) : null }];
			}),
			agents: [...new Set(call.talks.map(({ agent }) => agent).filter((one) => one !== null))],
			started_at: isoOf(call.firstEntryAt),
			answered_at: isoOf(call.firstAnswer?.at ?? call.trunkAnswer),
			ended_at: endedAt === 0 ? null : isoOf(endedAt),
			...(event === 'answered' ? {} : { ...talkFields, wrap_up: call.wrapUp }),
			partial: reason !== null,
			reason,
			...(event === 'ended' && call.firstAnswer && call.hadQueue && call.wait?.outAt !== undefined
				? { gave_up: true }
				: {}),
			...(call.records.length > 0 ? { [`after_${call.records.at(-1)}`]: true } : {}),
			date: isoOf(now),
		};
	}

	private reason(call: Call, waitMs: number | undefined): string | null {
		if (call.isWaitCut) return null;
		if (waitMs !== undefined && waitMs < this.shortMs) return 'short_abandoned';
		if (call.rings.some(({ notAnswered }) => notAnswered)) return 'agents_did_not_answer';
		if (call.rings.length > 0) return 'abandoned_while_ringing';
		if (call.alertedNobody || call.nobodyThen) return 'no_available_agent';
		return this.journeys.statusHeard ? 'abandoned_before_ringing' : null;
	}

	// Figures

	/** The moment at which something is counted: its own, unless its period had been told before it became known. */
	private effective({ at, known }: Mark): number {
		return this.isTold(at, known) ? known : at;
	}

	/** Whether the period of a moment had been told at another one. */
	private isTold(at: number, seen: number): boolean {
		return this.mode === 'snapshots' && seen >= this.calendar.of(at).to + this.finalMs;
	}

	private snapshot(): void {
		const { now } = this.journeys;
		const { from } = this.calendar.of(now);
		const items = this.rows({ from, to: now + 1 }, now);
		if (items.length === 0) return;
		this.forget(from);
		const covered = this.covered(from, now);
		if (this.onlyWhenChanged) {
			// Whoever is not in the list has no name.
			const hasAgents = items.some(({ event }) => event === 'agent');
			const listed = hasAgents ? [...(this.directory()?.agents.keys() ?? [])] : [];
			// A new period is another one.
			const content = JSON.stringify([from, ...[...items, covered].map(withoutTimes), ...listed]);
			if (content === this.content) return;
			this.content = content;
		}
		this.shown = true;
		const head = { date: isoOf(now), ...covered };
		this.give(items.map((item) => ({ ...item, ...head })));
	}

	private interval(period: Span): void {
		const items = this.rows(period, period.to);
		this.forget(period.to);
		const head = {
			date: isoOf(period.to),
			from: isoOf(period.from),
			to: isoOf(period.to),
			time_zone: this.timeZone,
			...this.covered(period.from, period.to),
		};
		if (items.length > 0) this.give(items.map((item) => ({ ...item, ...head })));
	}

	private covered(from: number, to: number): Plain {
		const opened = this.opened ?? to;
		const holes = [{ from: -Infinity, to: opened }, ...this.outages]
			.map((hole) => ({ from: Math.max(from, hole.from), to: Math.min(to, hole.to) }))
			.filter((hole) => hole.to > hole.from)
			.sort((a, b) => a.from - b.from);
		let missed = 0;
		let upTo = from;
		for (const hole of holes) {
			missed += Math.max(0, hole.to - Math.max(hole.from, upTo));
			upTo = Math.max(upTo, hole.to);
		}
		return {
			...(opened > from && opened <= to ? { counted_since: isoOf(opened) } : {}),
			complete: missed === 0,
			missed_seconds: Math.round(missed / 1000),
		};
	}

	private rows(period: Span, moment: number): Plain[] {
		const { journeys } = this;
		const all = this.parts.length === 0;
		const items: Plain[] = [];
		if (all || this.parts.includes('queues')) {
			for (const queue of journeys.queues)
				items.push({
					type_notification: 'snapshot',
					event: 'queue',
					id_queue: queue,
					...this.queueRow(queue, period, moment),
				});
		}
		const isQueuesOnly = !all && this.parts.every((part) => part === 'queues');
		const agents = isQueuesOnly ? [] : this.agentRows(period, moment);
		if (all || this.parts.includes('agents')) items.push(...agents);
		if (all || this.parts.includes('totals')) {
			items.push({
				type_notification: 'snapshot',
				event: 'totals',
				...this.totalsRow(period, moment),
				...totalsOfAgents(agents),
			});
		}
		return items;
	}

	/** @param moment to which waits that go on are measured */
	queueRow(queue: string, period: Span, moment = period.to): Plain {
		const tally = new Tally(this.levelMs, this.shortMs);
		for (const stay of this.journeys.stays.get(queue) ?? []) {
			const { enter, end, seen } = stay;
			const began = this.effective(enter);
			const ended = end ? this.effective(end) : Infinity;
			if (began >= period.to || ended < period.from) continue;
			tally.begins(seen && began >= period.from);
			const passes = enter.at + this.levelMs + 1;
			const passed = end ? end.at >= passes : this.journeys.now >= passes;
			if (seen && passed && isIn(this.effective(later(passes, enter)), period)) tally.late++;
			if (end && ended < period.to) tally.ends(end.how, seen ? end.at - enter.at : undefined);
			else tally.goesOn(seen ? moment - enter.at : undefined, seen ? enter.at : undefined);
		}
		this.addTalks(tally, period, queue);
		return tally.figures(this.journeys.hasCatchup);
	}

	private totalsRow(period: Span, moment: number): Plain {
		const tally = new Tally(this.levelMs, this.shortMs);
		for (const counted of this.journeys.counted) {
			const { wait, enter, end, seen, carried } = counted;
			const began = this.effective(enter);
			const ended = end ? this.effective(end) : Infinity;
			if (began >= period.to || ended < period.from) continue;
			tally.begins(seen && !carried && began >= period.from);
			const late = seen ? this.journeys.lateMark(wait, counted, this.levelMs) : undefined;
			if (late && isIn(this.effective(late), period)) tally.late++;
			const start = seen ? wait.start : undefined;
			if (end && ended < period.to)
				tally.ends(end.how, start === undefined ? undefined : end.at - start);
			else
				tally.goesOn(start === undefined ? undefined : waitUntil(counted, moment) - start, start);
		}
		this.addTalks(tally, period);
		return tally.figures(this.journeys.hasCatchup);
	}

	private addTalks(tally: Tally, period: Span, queue?: string): void {
		const calls = new Set<Call>();
		for (const talk of this.journeys.talks) {
			if (queue !== undefined && talk.queue !== queue) continue;
			const { end, from, call } = talk;
			if (from < period.to && (!end || end.at >= period.to)) calls.add(call);
			if (!end || talk.isLost || !isIn(this.effective(end), period)) continue;
			tally.talks++;
			tally.talkSeconds += whole(end.at - from);
		}
		tally.talking = calls.size;
		for (const wrapUp of this.journeys.wrapUps)
			if ((queue === undefined || wrapUp.queue === queue) && isIn(this.effective(wrapUp), period))
				tally.wrapUpSeconds += wrapUp.seconds;
	}

	private agentRows(period: Span, moment: number): Plain[] {
		const listed = [...(this.directory()?.agents.keys() ?? [])];
		const shown = [...this.journeys.agents.values()].filter(
			({ states, answered, notAnswered }) =>
				states.length + answered.length + notAnswered.length > 0,
		);
		const ids = new Set([...listed, ...shown.map(({ id }) => id)]);
		return [...ids].map((id) => this.agentRow(id, this.journeys.agents.get(id), period, moment));
	}

	private agentRow(id: string, agent: Agent | undefined, period: Span, moment: number): Plain {
		const spans = agent?.spans ?? [];
		const current = spans.findLast((span) => span.from < period.to);
		const spent = timesOf(spans, period.from, Math.min(period.to, moment));
		const isKnown = current !== undefined && current.state !== null;
		const seconds = (...states: string[]) =>
			spent.size === 0 && !isKnown
				? null
				: whole(states.reduce((sum, state) => sum + (spent.get(state) ?? 0), 0));
		const count = (marks: readonly Mark[] = []) =>
			marks.filter((mark) => isIn(this.effective(mark), period)).length;
		const times = {
			talk_seconds: seconds('talking', 'calling', 'transferring'),
			ringing_seconds: seconds('ringing'),
			wrap_up_seconds: seconds('wrap_up'),
			available_seconds: seconds('available'),
			break_seconds: seconds('on_break'),
		};
		return {
			type_notification: 'snapshot',
			event: 'agent',
			agent: { id },
			state: current?.state ?? null,
			pause: current?.pause == null ? null : { id: current.pause },
			since: isKnown ? isoOf(current.since) : null,
			seconds: isKnown ? whole(moment - current.since) : null,
			id_call: current?.call ?? null,
			id_queue: current?.queue ?? null,
			answered: count(agent?.answered),
			not_answered: count(agent?.notAnswered),
			...times,
			occupancy: occupancyOf(times),
		};
	}

	/** What no later period can need. */
	private forget(from: number): void {
		const { journeys } = this;
		const before = from - 3_600_000;
		const isOver = (end: Mark | undefined) => end !== undefined && end.known < before;
		for (const [queue, stays] of journeys.stays)
			if (stays.some(({ end }) => isOver(end)))
				journeys.stays.set(
					queue,
					stays.filter(({ end }) => !isOver(end)),
				);
		journeys.talks = journeys.talks.filter(({ end }) => !isOver(end));
		journeys.wrapUps = journeys.wrapUps.filter((wrapUp) => !isOver(wrapUp));
		for (const agent of journeys.agents.values()) {
			agent.answered = agent.answered.filter((mark) => !isOver(mark));
			agent.notAnswered = agent.notAnswered.filter((mark) => !isOver(mark));
			const first = agent.spans.findLastIndex((span) => span.from < before);
			if (first > 0) agent.spans = agent.spans.slice(first);
			agent.states = agent.states.slice(-1_000);
		}
	}
}

/** The fields that move with time alone. */
const TIMES = new Set([
	...['longest_wait', 'longest_wait_of_period', 'seconds', 'talk_seconds', 'ringing_seconds'],
	...['wrap_up_seconds', 'available_seconds', 'break_seconds', 'occupancy', 'missed_seconds'],
	...['agents_talk_seconds', 'agents_ringing_seconds', 'agents_wrap_up_seconds'],
	...['agents_available_seconds', 'agents_break_seconds'],
]);

function withoutTimes(item: Plain): Plain {
	const ofAgent = item.event === 'agent';
	return Object.fromEntries(
		Object.entries(item).filter(
			([field]) =>
				!TIMES.has(field) || (!ofAgent && ['talk_seconds', 'wrap_up_seconds'].includes(field)),
		),
	);
}

const isIn = (at: number, { from, to }: Span) => at >= from && at < to;

const later = (at: number, { known }: Mark): Mark => ({ at, known: Math.max(at, known) });

/** Up to when a caller has waited at a moment: outside of every queue the wait stands still. */
function waitUntil({ wait }: CountedWait, moment: number): number {
	let latest = wait.start as number;
	for (const { enter, end } of wait.stays) {
		if (enter.at > moment) continue;
		latest = Math.max(latest, Math.min(end?.at ?? Infinity, moment));
	}
	return latest;
}

function timesOf(spans: readonly AgentSpan[], from: number, to: number): Map<string, number> {
	const spent = new Map<string, number>();
	spans.forEach(({ state, from: begins }, index) => {
		const until = Math.min(to, spans[index + 1]?.from ?? Infinity);
		const ms = until - Math.max(from, begins);
		if (state !== null && ms > 0) spent.set(state, (spent.get(state) ?? 0) + ms);
	});
	return spent;
}

function occupancyOf(times: Plain): number | null {
	const of = (name: string) => Number(times[name] ?? 0);
	const busy = of('talk_seconds') + of('wrap_up_seconds');
	const all = busy + of('ringing_seconds') + of('available_seconds');
	return times.talk_seconds === null ? null : share(busy, all, 100);
}

function totalsOfAgents(agents: readonly Plain[]): Plain {
	const inState = (...states: Array<string | null>) =>
		agents.filter(({ state }) => states.includes(state as string | null)).length;
	const sum = (field: string) => {
		const known = agents.map((row) => row[field]).filter((value) => value !== null);
		return known.length === 0 ? null : known.reduce((all: number, one) => all + Number(one), 0);
	};
	const times = {
		talk_seconds: sum('talk_seconds'),
		ringing_seconds: sum('ringing_seconds'),
		wrap_up_seconds: sum('wrap_up_seconds'),
		available_seconds: sum('available_seconds'),
		break_seconds: sum('break_seconds'),
	};
	return {
		agents_available: inState('available'),
		agents_ringing: inState('ringing'),
		agents_talking: inState('talking', 'calling', 'transferring'),
		agents_wrap_up: inState('wrap_up'),
		agents_on_break: inState('on_break'),
		agents_logged_out: inState('logged_out'),
		agents_unknown: inState(null),
		...Object.fromEntries(
			Object.entries(times).map(([name, seconds]) => [`agents_${name}`, seconds]),
		),
		occupancy: occupancyOf(times),
	};
}

class Tally {
	late = 0;
	talks = 0;
	talkSeconds = 0;
	wrapUpSeconds = 0;
	talking = 0;
	private offered = 0;
	private before = 0;
	private answered = 0;
	private inTime = 0;
	private abandoned = 0;
	private short = 0;
	private leftLastTime = 0;
	private overflowed = 0;
	private unknown = 0;
	private waiting = 0;
	private answerWait = 0;
	private abandonWait = 0;
	private longest: number | null = null;
	private longestSince: number | null = null;
	private longestOfPeriod: number | null = null;

	constructor(
		private readonly levelMs: number,
		private readonly shortMs: number,
	) {}

	begins(isOffered: boolean): void {
		if (isOffered) this.offered++;
		else this.before++;
	}

	ends(how: StayEnd, waited: number | undefined): void {
		if (waited !== undefined) this.longestOfPeriod = Math.max(this.longestOfPeriod ?? 0, waited);
		if (waited === undefined || how === 'unknown') {
			this.unknown++;
			return;
		}
		if (how === 'overflowed') this.overflowed++;
		else if (how === 'answered') {
			this.answered++;
			this.answerWait += whole(waited);
			if (waited <= this.levelMs) this.inTime++;
		} else {
			this.abandonWait += whole(waited);
			if (waited < this.shortMs) this.short++;
			else {
				this.abandoned++;
				if (waited <= this.levelMs) this.leftLastTime++;
			}
		}
	}

	goesOn(waited: number | undefined, since: number | undefined): void {
		this.waiting++;
		if (waited === undefined || since === undefined) return;
		this.longestOfPeriod = Math.max(this.longestOfPeriod ?? 0, waited);
		if (this.longest !== null && waited <= this.longest) return;
		this.longest = waited;
		this.longestSince = since;
	}

	figures(hasCatchup: boolean): Plain {
		const wrapUp = hasCatchup ? this.wrapUpSeconds : null;
		const decided = this.inTime + this.late + this.leftLastTime;
		return {
			offered: this.offered,
			waiting_before: this.before,
			answered: this.answered,
			answered_in_time: this.inTime,
			late: this.late,
			abandoned: this.abandoned,
			short_abandoned: this.short,
			abandoned_in_time: this.leftLastTime,
			overflowed: this.overflowed,
			unknown: this.unknown,
			answer_wait_seconds: this.answerWait,
			abandon_wait_seconds: this.abandonWait,
			talks: this.talks,
			talk_seconds: this.talkSeconds,
			wrap_up_seconds: wrapUp,
			longest_wait_of_period: this.longestOfPeriod === null ? null : whole(this.longestOfPeriod),
			waiting: this.waiting,
			longest_wait: this.longest === null ? null : whole(this.longest),
			longest_since: isoOf(this.longestSince),
			talking: this.talking,
			service_level: share(this.inTime, decided, 100),
			abandonment_rate: share(this.abandoned, this.answered + this.abandoned, 100),
			average_speed_of_answer: share(this.answerWait, this.answered),
			average_talk: share(this.talkSeconds, this.talks),
			average_handle_time: wrapUp === null ? null : share(this.talkSeconds + wrapUp, this.talks),
		};
	}
}

/** The oracle in the place of a trigger's selection. */
export function oracleSelection(
	parameters: Parameters,
	directory: () => Directory | undefined,
	clock: Clock,
	take: (items: Plain[]) => void,
) {
	const oracle = new Oracle(parameters, directory, clock.now());
	let given = 0;
	let cancel = () => {};
	const settle = () => {
		for (; given < oracle.executions.length; given++) take(oracle.executions[given] as Plain[]);
		cancel();
		const { next } = oracle;
		if (next === undefined) return;
		cancel = clock.after(next - clock.now(), () => {
			oracle.turnTo(clock.now());
			settle();
		});
	};
	return {
		onEvent: (event: FeedEvent) => {
			oracle.onEvent(event);
			settle();
		},
		onStatus: (status: FeedStatus) => {
			oracle.turnTo(clock.now());
			oracle.onStatus(status);
			settle();
		},
		close: () => cancel(),
	};
}
