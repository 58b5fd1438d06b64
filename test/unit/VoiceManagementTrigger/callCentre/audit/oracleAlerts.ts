/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// The second implementation of the call centre, third part: alerts. After each change every row is looked at as a whole.

import type { Plain } from '../../../../../nodes/VoiceManagementTrigger/events/simplify';
import type { Directory } from '../../../../../nodes/VoiceManagementTrigger/feed/types';
import type { Agent, Call, Journeys, Stay } from './journeys';

export interface Row {
	when: string;
	queueIds?: readonly string[];
	groupIds?: readonly string[];
	[field: string]: unknown;
}

interface Settings {
	rows: readonly Row[];
	levelMs: number;
	shortMs: number;
	repeatMs: number;
	emitResolved: boolean;
}

const THRESHOLDS: Record<string, readonly [string, number]> = {
	callerWaiting: ['waitSeconds', 60],
	callersWaiting: ['callers', 5],
	agentsAvailableBelow: ['agents', 1],
	agentOnBreak: ['breakSeconds', 900],
	agentIdle: ['idleSeconds', 900],
	agentRinging: ['ringSeconds', 20],
	callLasting: ['callSeconds', 1800],
	missedCalls: ['calls', 10],
	serviceLevelBelow: ['percent', 80],
};

/** Somebody or something for which a row's condition holds. */
interface Subject {
	key: string | Call;
	since: number;
	/** When the alert starts. */
	due: number;
	value: (at: number, since: number) => number | null;
	fields: Plain;
}

/** A call that is decided for the service level. */
interface Decided {
	inTime: boolean;
	at: number;
	known: number;
	call: string;
	stay: Stay;
}

interface Active extends Subject {
	/** Since when its condition is seen; after an interruption later than `since`. */
	seenSince: number;
	startedAt: number;
	repeatAt: number;
}

const whole = (ms: number) => Math.round(ms / 1000);
const wanted = (list: readonly string[] | undefined, id: string | null) =>
	!list || list.length === 0 || (id !== null && list.map(String).includes(id));

class Watch {
	readonly active = new Map<string | Call, Active>();
	/** Callers who are in no queue any more, with the moment at which it is said. */
	readonly leaving = new Map<Call, number>();
	readonly told = new Set<string | Call>();
	/** Callers who waited in a queue at an interruption, with its time. */
	perhaps: Array<{ call: Call; queue: string; at: number }> = [];
	/** Alerts that an interruption has made unknown. */
	readonly suspended = new Map<string | Call, { since: number; at: number }>();
	/** Whose calls were decided when it was looked at last, by queue. */
	readonly decided = new Map<string, ReadonlySet<Stay>>();
	/** Since when a condition over several subjects holds. */
	readonly holds = new Map<string, number>();
	readonly threshold: number;
	readonly windowMs: number;

	constructor(readonly row: Row) {
		const [field, fallback] = THRESHOLDS[row.when] as readonly [string, number];
		this.threshold = Number(row[field] ?? fallback);
		this.windowMs = this.number('windowMinutes', 60) * 60_000;
	}

	number(field: string, fallback: number): number {
		return Number(this.row[field] ?? fallback);
	}
}

export class OracleAlerts {
	private readonly watches: Watch[];
	private isOpen = false;
	private missed: Array<{ call: Call; queue: string; at: number; known: number }> = [];
	private scheduled = Infinity;
	/** When the record came of each stay that was abandoned. */
	private readonly confirmed = new WeakMap<object, number>();

	constructor(
		private readonly settings: Settings,
		private readonly journeys: Journeys,
		private readonly directory: () => Directory | undefined,
		private readonly give: (item: Plain) => void,
	) {
		const seen = new Set<string>();
		this.watches = settings.rows
			.map((row) => new Watch(row))
			.filter((watch) => {
				const key = JSON.stringify([watch.row, watch.threshold]);
				return !seen.has(key) && seen.add(key);
			});
	}

	begin(): void {
		this.isOpen = true;
	}

	record(call: Call, kind: string): void {
		for (const wait of call.waits)
			for (const stay of wait.stays)
				if (stay.end?.how === 'abandoned' && !this.confirmed.has(stay))
					this.confirmed.set(stay, this.journeys.now);
		const queue = call.leftLast;
		const start = call.waits[0]?.start;
		const left = call.wait?.outAt;
		if (kind === 'missed' && queue !== undefined && left !== undefined) {
			const isShort = start !== undefined && left - start < this.settings.shortMs;
			if (!isShort) this.missed.push({ call, queue, at: left, known: this.journeys.now });
		}
		// Two calls may end at one moment: a window is told with the record that tips it, everything else once.
		const isMore = this.journeys.agenda.next === this.journeys.now;
		const isWindow = ({ row }: Watch) => ['missedCalls', 'serviceLevelBelow'].includes(row.when);
		this.settled(isMore ? this.watches.filter(isWindow) : this.watches);
	}

	cameBack(call: Call): void {
		this.missed = this.missed.filter((one) => one.call !== call);
	}

	interrupted(): void {
		const { now } = this.journeys;
		for (const watch of this.watches) {
			if (['missedCalls', 'serviceLevelBelow'].includes(watch.row.when)) continue;
			for (const active of watch.active.values()) {
				if (this.settings.emitResolved) this.tell(watch, active, 'unknown', now, 'feed-gap');
				watch.suspended.set(active.key, { since: active.since, at: now });
				if (this.settings.emitResolved) watch.told.delete(active.key);
			}
			// Who was unknown before an alert began was not counted in it.
			watch.perhaps = watch.perhaps.filter(
				(one) => watch.suspended.has(one.queue) && this.mayWait(one),
			);
			// The journeys have ended the stays already, at this moment.
			for (const call of this.journeys.calls.values())
				for (const { queue, end } of call.waits.flatMap(({ stays }) => stays))
					if (end?.how === 'unknown' && end.known === now && watch.suspended.has(queue))
						watch.perhaps.push({ call, queue, at: now });
			watch.active.clear();
			watch.leaving.clear();
			watch.holds.clear();
		}
	}

	settled(watches = this.watches): void {
		if (!this.isOpen) return;
		this.ofThisLook.clear();
		for (const call of this.journeys.calls.values())
			for (const wait of call.waits) for (const stay of wait.stays) this.callOf.set(stay, call);
		let next = Infinity;
		for (const watch of watches) next = Math.min(next, this.look(watch));
		if (next >= this.scheduled) return;
		this.scheduled = next;
		// After each timer everything is looked at.
		this.journeys.agenda.add(next, () => {
			if (this.scheduled === next) this.scheduled = Infinity;
		});
	}

	/** Returns when the row has to be looked at again. */
	private look(watch: Watch): number {
		const { now, moment } = this.journeys;
		const subjects = new Map(this.subjects(watch).map((subject) => [subject.key, subject]));
		let next = this.nextOf(watch);
		for (const [key, active] of watch.active) {
			const subject = subjects.get(key);
			const goesOn = subject !== undefined && subject.since === active.seenSince;
			if (goesOn) {
				Object.assign(active, { value: subject.value });
				// The present queue or agent; of a window, the call that tipped it.
				if (watch.row.when !== 'serviceLevelBelow') active.fields = subject.fields;
				if (typeof key !== 'string') watch.leaving.delete(key);
				continue;
			}
			const due = this.endDue(watch, active);
			if (due > now) {
				next = Math.min(next, due);
				continue;
			}
			const [reason, at] = this.endOf(watch, active, moment);
			watch.active.delete(key);
			if (this.settings.emitResolved)
				this.tell(watch, active, 'resolved', Math.max(at, active.startedAt), reason);
		}
		for (const [key, { since, at }] of watch.suspended) {
			const isLongAgo = typeof key === 'string' && now - at >= 15 * 60_000;
			// Who left a break, or logged in, was not idle before.
			const isNew =
				watch.row.when === 'agentIdle' &&
				subjects.get(key)?.since === this.journeys.agents.get(String(key))?.readyAt;
			if (isNew && subjects.has(key)) watch.suspended.delete(key);
			const subject = isLongAgo || isNew ? undefined : subjects.get(key);
			if (!subject) {
				if (this.isContrary(watch, key)) watch.suspended.delete(key);
				continue;
			}
			watch.suspended.delete(key);
			const active = this.activate(watch, subject, since);
			if (this.settings.emitResolved) this.tell(watch, active, 'started', now);
		}
		for (const subject of subjects.values()) {
			const { key, due } = subject;
			if (watch.active.has(key) || watch.told.has(key)) continue;
			if (due > now) {
				next = Math.min(next, due);
				continue;
			}
			this.tell(watch, this.activate(watch, subject), 'started', now);
		}
		if (this.settings.repeatMs === 0) return next;
		for (const active of watch.active.values()) {
			if (!subjects.has(active.key)) continue;
			// What passed while the caller was in no queue is not made up for.
			if (active.repeatAt === now) this.tell(watch, active, 'repeated', now);
			while (active.repeatAt <= now) active.repeatAt += this.settings.repeatMs;
			next = Math.min(next, active.repeatAt);
		}
		return next;
	}

	private activate(watch: Watch, subject: Subject, since = subject.since): Active {
		const { now } = this.journeys;
		const active = {
			...subject,
			since,
			seenSince: subject.since,
			startedAt: now,
			repeatAt: now + this.settings.repeatMs,
		};
		watch.active.set(subject.key, active);
		if (typeof subject.key !== 'string') watch.told.add(subject.key);
		return active;
	}

	private tell(watch: Watch, active: Active, event: string, at: number, reason?: string): void {
		this.give({
			type_notification: 'alert',
			event,
			when: watch.row.when,
			threshold: watch.threshold,
			value: active.value(at, active.since),
			since: new Date(active.since).toISOString(),
			seconds: whole(at - active.since),
			...active.fields,
			...(typeof active.key === 'string' ? {} : { caller_id_num: active.key.caller }),
			...(watch.row.when === 'agentRinging' && this.callerOf(active.fields)),
			...(reason === undefined ? {} : { reason }),
			date: new Date(at).toISOString(),
		});
	}

	/** The call's number, though the leg to the agent may have another one. */
	private callerOf({ id_call, number }: Plain): Plain {
		const call = this.journeys.calls.get(String(id_call));
		return { number: undefined, caller_id_num: call?.caller ?? number };
	}

	// Who or what a row is about

	private subjects(watch: Watch): Subject[] {
		switch (watch.row.when) {
			case 'callerWaiting':
				return this.waitingCallers(watch);
			case 'callersWaiting':
				return this.fullQueues(watch);
			case 'agentsAvailableBelow':
				return this.fewAgents(watch);
			case 'callLasting':
				return this.lastingCalls(watch);
			case 'missedCalls':
				return this.missingQueues(watch);
			case 'serviceLevelBelow':
				return this.lowLevels(watch);
			default:
				return this.agents(watch).flatMap((agent) => this.agentSubject(watch, agent));
		}
	}

	private get calls(): Call[] {
		return [...this.journeys.calls.values()].filter(
			({ own, recordAt }) => !own && recordAt === undefined,
		);
	}

	private waitingCallers({ row, threshold }: Watch): Subject[] {
		return this.calls.flatMap((call) => {
			const stay = call.openStays.filter(({ queue }) => wanted(row.queueIds, queue)).at(-1);
			const since = call.wait?.start;
			if (!stay || since === undefined) return [];
			return [
				{
					key: call,
					since,
					due: since + threshold * 1000,
					value: (at: number, from: number) => whole(at - from),
					fields: { id_call: call.id, id_queue: stay.queue, caller_id_num: call.caller },
				},
			];
		});
	}

	private lastingCalls({ row, threshold }: Watch): Subject[] {
		return this.calls.flatMap((call) => {
			const { talk, firstAnswer } = call;
			if (!talk || !firstAnswer || !call.hadQueue || !wanted(row.queueIds, talk.queue)) return [];
			const since = firstAnswer.at;
			return [
				{
					key: call,
					since,
					due: since + threshold * 1000,
					value: (at: number, from: number) => whole(at - from),
					fields: {
						id_call: call.id,
						id_queue: talk.queue,
						caller_id_num: call.caller,
						agent: talk.agent === null ? null : { id: talk.agent },
					},
				},
			];
		});
	}

	private fullQueues(watch: Watch): Subject[] {
		const counts = new Map<string, number>();
		for (const queue of this.journeys.queues)
			if (wanted(watch.row.queueIds, queue)) counts.set(queue, 0);
		for (const call of this.calls)
			for (const { queue } of call.openStays)
				if (counts.has(queue)) counts.set(queue, (counts.get(queue) ?? 0) + 1);
		for (const active of watch.active.values()) {
			const queue = String(active.fields.id_queue);
			active.value = () => counts.get(queue) ?? 0;
		}
		return [...counts].flatMap(([queue, count]) => {
			const isFull = count >= watch.threshold;
			const since = this.held(watch, queue, isFull);
			if (!isFull) return [];
			const due = since + watch.number('forSeconds', 0) * 1000;
			return [{ key: queue, since, due, value: () => count, fields: { id_queue: queue } }];
		});
	}

	private held(watch: Watch, key: string, holds: boolean, from = this.journeys.moment): number {
		if (!holds) watch.holds.delete(key);
		else if (!watch.holds.has(key)) watch.holds.set(key, from);
		return watch.holds.get(key) ?? 0;
	}

	private agents({ row }: Watch): Array<[string, Agent | undefined]> {
		const listed = (this.journeys.login ?? this.directory())?.agents;
		// Others are known by their own events alone.
		const heard = [...this.journeys.agents.values()].filter(({ states }) => states.length > 0);
		const ids = new Set([...(listed?.keys() ?? []), ...heard.map(({ id }) => id)]);
		return [...ids]
			.filter((id) => {
				const groups = listed?.get(id)?.groups ?? [];
				const { groupIds } = row;
				return !groupIds?.length || groups.some((group) => wanted(groupIds, group));
			})
			.map((id) => [id, this.journeys.agents.get(id)]);
	}

	private fewAgents(watch: Watch): Subject[] {
		const agents = this.agents(watch).map(([, agent]) => agent);
		const available = agents.filter((agent) => agent?.state === 'available').length;
		const unknown = agents.filter(
			(agent) => (agent?.state ?? null) === null && !agent?.isAway,
		).length;
		const isActive = watch.active.has('all');
		for (const active of watch.active.values()) active.value = () => available;
		const isFew = agents.length > 0 && available + (isActive ? 0 : unknown) < watch.threshold;
		const since = this.held(watch, 'all', isFew);
		if (!isFew) return [];
		const due = since + watch.number('belowForSeconds', 30) * 1000;
		return [{ key: 'all', since, due, value: () => available, fields: {} }];
	}

	private agentSubject(
		{ row, threshold }: Watch,
		[id, agent]: [string, Agent | undefined],
	): Subject[] {
		if (!agent) return [];
		let since: number | null | undefined;
		let fields: Plain = { agent: { id } };
		let key = id;
		if (row.when === 'agentOnBreak') {
			since = agent.breakSince;
			fields = { ...fields, pause: agent.pause === null ? null : { id: agent.pause } };
		} else if (row.when === 'agentIdle') {
			since = agent.state === 'available' ? agent.since : undefined;
		} else if (agent.ringsSince !== undefined) {
			since = agent.ringsSince;
			key = `${id} ${String(agent.call)}`;
			fields = { ...fields, id_call: agent.call, id_queue: agent.queue, number: agent.number };
		}
		if (since == null) return [];
		const from = since;
		const value = (at: number, first: number) => whole(at - first);
		return [{ key, since: from, due: from + threshold * 1000, value, fields }];
	}

	private missingQueues(watch: Watch): Subject[] {
		const { now } = this.journeys;
		const { windowMs } = watch;
		const lists = new Map<string, typeof this.missed>();
		for (const one of this.missed) {
			// Rings are judged a hundredth of a millisecond before their moment.
			if (Math.floor(now) - one.at > windowMs || !wanted(watch.row.queueIds, one.queue)) continue;
			lists.set(one.queue, [...(lists.get(one.queue) ?? []), one]);
		}
		for (const active of watch.active.values()) {
			const count = lists.get(String(active.key))?.length ?? 0;
			active.value = () => count;
		}
		return [...lists].flatMap(([queue, list]) => {
			const isMany = list.length >= watch.threshold;
			const since = this.held(watch, queue, isMany);
			if (!isMany) return [];
			const value = () => list.length;
			return [{ key: queue, since, due: since, value, fields: { id_queue: queue } }];
		});
	}

	/** The decided calls of a queue: whether in time, and when. */
	private decided(queue: string): Decided[] {
		const known = this.ofThisLook.get(queue);
		if (known) return known;
		const decided = this.decide(queue);
		this.ofThisLook.set(queue, decided);
		return decided;
	}

	private decide(queue: string): Decided[] {
		const { now } = this.journeys;
		const { levelMs, shortMs } = this.settings;
		const decided: Decided[] = [];
		for (const stay of this.journeys.stays.get(queue) ?? []) {
			if (!stay.seen) continue;
			const passes = stay.enter.at + levelMs + 1;
			const { end } = stay;
			const call = this.callOf.get(stay)?.id ?? '';
			if (end ? end.at >= passes : now >= passes)
				decided.push({ inTime: false, at: passes, known: passes, call, stay });
			else if (end?.how === 'answered')
				decided.push({ inTime: true, at: end.at, known: end.at, call, stay });
			else if (
				end?.how === 'abandoned' &&
				end.at - stay.enter.at >= shortMs &&
				this.confirmed.has(stay)
			) {
				const known = this.confirmed.get(stay) as number;
				decided.push({ inTime: false, at: end.at, known, call, stay });
			}
		}
		return decided;
	}

	private readonly callOf = new WeakMap<object, Call>();
	private readonly ofThisLook = new Map<string, Decided[]>();

	private lowLevels(watch: Watch): Subject[] {
		const { now, moment } = this.journeys;
		const { windowMs } = watch;
		return [...this.journeys.queues].flatMap((queue) => {
			if (!wanted(watch.row.queueIds, queue)) return [];
			const calls = this.decided(queue).filter(
				({ at }) => Math.floor(now) - at <= windowMs && at <= now,
			);
			const inTime = calls.filter((one) => one.inTime).length;
			const level = calls.length === 0 ? undefined : (100 * inTime) / calls.length;
			const active = watch.active.get(queue);
			// A figure below the limit is not shown as the limit.
			const shown = (decimals: number): number =>
				decimals > 9 || Number(level?.toFixed(decimals)) < watch.threshold === isLevelLow
					? Number(level?.toFixed(decimals))
					: shown(decimals + 1);
			const isLevelLow = level !== undefined && level < watch.threshold;
			if (active) active.value = () => (level === undefined ? null : shown(1));
			const isLow =
				isLevelLow && (active !== undefined || calls.length >= watch.number('minimumCalls', 10));
			const before = watch.decided.get(queue) ?? new Set();
			watch.decided.set(queue, new Set(calls.map(({ stay }) => stay)));
			// Of the calls that have just been decided, the one that tipped it; nothing but time may have changed the figure.
			const added = calls.filter(({ stay }) => !before.has(stay));
			added.sort((a, b) => a.known - b.known);
			const tips = added.findIndex((_, index) => {
				const later = new Set(added.slice(index + 1));
				const then = calls.filter((each) => !later.has(each));
				const timely = then.filter((each) => each.inTime).length;
				const isEnough = then.length >= watch.number('minimumCalls', 10);
				return isEnough && (100 * timely) / then.length < watch.threshold;
			});
			const tipped = added.at(tips);
			// What was decided may be known of later: then the event that shows it tips the figure.
			const tippedAt = Math.max(tipped?.known ?? moment, moment);
			const since = this.held(watch, queue, isLow, tippedAt);
			if (!isLow) return [];
			const value = () => shown(1);
			// Of calls that are decided at one moment, each may be the one that tipped it, also if its record is told next.
			const decidedThen = calls.filter(({ known }) => known === tipped?.known);
			const toldNext = (this.journeys.stays.get(queue) ?? []).filter(
				(stay) => stay.end?.how === 'abandoned' && this.callOf.get(stay)?.tellsAt === now,
			);
			const tied = [...decidedThen.map(({ stay }) => stay), ...toldNext].map(
				(stay) => this.callOf.get(stay)?.id,
			);
			const fields = { id_queue: queue, ...(tipped && { id_call: tipped.call, tied }) };
			return [{ key: queue, since, due: since, value, fields }];
		});
	}

	/** When a window or a level changes by itself. */
	private nextOf(watch: Watch): number {
		const { when } = watch.row;
		if (when !== 'missedCalls' && when !== 'serviceLevelBelow') return Infinity;
		const { now } = this.journeys;
		const { windowMs } = watch;
		const times: number[] = [];
		if (when === 'missedCalls') times.push(...this.missed.map(({ at }) => at + windowMs + 1));
		if (when === 'serviceLevelBelow')
			for (const queue of this.journeys.queues) {
				times.push(...this.decided(queue).map(({ at }) => at + windowMs + 1));
				for (const { enter, end } of this.journeys.stays.get(queue) ?? [])
					if (!end) times.push(enter.at + this.settings.levelMs + 1);
			}
		return Math.min(Infinity, ...times.filter((at) => at > now));
	}

	// Ends

	private endDue({ row }: Watch, { key }: Active): number {
		if (row.when !== 'callerWaiting' || typeof key === 'string') return 0;
		const isOut = key.wait?.outAt !== undefined && !key.talk && key.openStays.length === 0;
		if (!isOut || !key.queueLeft) return 0;
		// Of a caller who is nowhere, it comes with the record.
		const { known } = key.trunks.size > 0 ? key.queueLeft : (key.placeLeft ?? key.queueLeft);
		return Math.max(key.queueLeft.known, known) + 5_000;
	}

	private endOf({ row }: Watch, { key }: Active, moment: number): [string, number] {
		const call = typeof key === 'string' ? undefined : key;
		switch (row.when) {
			case 'callerWaiting': {
				if (call?.wait?.answeredAt !== undefined) return ['answered', call.wait.answeredAt];
				if (call?.wait?.outAt === undefined) return ['left', moment];
				return [
					call.trunks.size > 0 && call.recordAt === undefined ? 'left' : 'abandoned',
					call.wait.outAt,
				];
			}
			case 'callLasting':
				return [
					call?.talk || (call?.openStays.length ?? 0) > 0 ? 'left' : 'ended',
					(call?.talks.at(-1)?.cut ? undefined : call?.talkEnded?.at) ?? moment,
				];
			case 'callersWaiting':
			case 'missedCalls':
				return ['below', moment];
			case 'agentsAvailableBelow':
			case 'serviceLevelBelow':
				return ['above', moment];
			default:
				return [this.endOfAgent(row.when, String(key)), moment];
		}
	}

	private endOfAgent(when: string, key: string): string {
		const [id = '', callId = ''] = key.split(' ');
		const agent = this.journeys.agents.get(id);
		if (!agent) return 'left';
		if (agent.presence === 'logged_out' && agent.activity === 'none') return 'logged_out';
		if (when === 'agentRinging') {
			const call = this.journeys.calls.get(callId);
			if (agent.call === callId && agent.activity !== 'ringing') return 'answered';
			if (call?.talk?.agent === id) return 'answered';
			return call?.wait?.outAt === undefined ? 'left' : 'abandoned';
		}
		if (agent.presence === 'logged_out') return 'logged_out';
		return when === 'agentOnBreak' ? 'back' : 'ended';
	}

	/** Whether it is seen that the reason of a suspended alert is over. */
	private isContrary({ row }: Watch, key: string | Call): boolean {
		if (typeof key !== 'string')
			return key.recordAt !== undefined || (row.when === 'callerWaiting' && key.talk !== undefined);
		if (row.when === 'callersWaiting') {
			const watch = this.watches.find((one) => one.row === row) as Watch;
			const perhaps = watch.perhaps.filter((one) => one.queue === key && this.mayWait(one));
			const calls = new Set(perhaps.map(({ call }) => call));
			for (const call of this.calls)
				if (call.openStays.some(({ queue }) => queue === key)) calls.add(call);
			return calls.size < watch.threshold;
		}
		if (row.when === 'agentsAvailableBelow') return this.isEnough(row, key);
		const agent = this.journeys.agents.get(key.split(' ')[0] ?? '');
		return !agent || (agent.presence !== undefined && agent.activity !== 'unknown');
	}

	/** Nothing was seen of it in that queue since, nor what shows it elsewhere. */
	private mayWait({ call, queue, at }: Watch['perhaps'][number]): boolean {
		if (!call.maybeIn.has(queue)) return false;
		const isSeen = call.waits.some(({ stays }) =>
			stays.some((stay) => stay.queue === queue && stay.enter.known > at),
		);
		return !isSeen;
	}

	private isEnough(row: Row, _key: string): boolean {
		const watch = this.watches.find((one) => one.row === row) as Watch;
		const states = this.agents(watch).map(([, agent]) => agent?.state);
		return states.filter((state) => state === 'available').length >= watch.threshold;
	}
}
