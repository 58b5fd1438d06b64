// The second implementation of every figure, written from the words of docs/items.md alone: it keeps all events of a
// call and of an agent, and reads them from the beginning for each record. It shares no code with the trigger.

import type { Sent } from './traffic';

export interface Settings {
	serviceLevelSeconds: number;
	shortAbandonSeconds: number;
	serviceLevelFormula: string;
	serviceLevelTarget: number;
}

export type Figures = Record<string, number | string | null>;

interface Step {
	ts: number;
	cpt: number;
	/** Milliseconds; `ts`, or later if it arrived after an interruption. */
	at: number;
	what: string;
	queue: number | undefined;
	agent: number | undefined;
	call: number | undefined;
	waited: number;
	status: string | undefined;
	catchup: number;
}

interface Leg {
	queue: number;
	since: number;
	entered: boolean;
	answered?: number;
	left?: number;
	/** Seconds of the talk, if its end was seen. */
	doubt?: number | undefined;
	open: boolean;
	doubtful: boolean;
}

interface CallFile {
	steps: Step[];
	/** Waiting time behind it when it came just after the feed had opened. */
	cameFromElsewhere: boolean;
	legs?: ReturnType<typeof readCall> | undefined;
	lastAt: number;
	/** When it was known to have left its last queue; five seconds later it is over. */
	goneAt?: number | undefined;
}

interface AgentFile {
	steps: Step[];
	breaks: number[];
	/** When the newest interruption was. */
	notBefore: number;
}

function precedes(a: Step, b: Step): boolean {
	return a.ts !== b.ts ? a.ts < b.ts : a.cpt < b.cpt;
}

function readCall({ steps, cameFromElsewhere }: CallFile) {
	const legs: Leg[] = [];
	const takenBy = new Map<number, number>();
	let sure = !cameFromElsewhere;
	let enteredSomewhere = false;
	let doubts = false;
	const newestOpen = () => legs.findLast((leg) => leg.open);
	const here = (queue: number | undefined) =>
		legs.findLast((leg) => leg.open && leg.queue === queue) ?? undefined;
	const settle = (queue: number | undefined) => {
		if (doubts) {
			for (const leg of legs) {
				if (leg.doubtful && leg.queue !== queue) leg.open = false;
				leg.doubtful = false;
			}
		}
		doubts = false;
		const leg = here(queue);
		if (leg) leg.doubt = undefined;
	};
	const begin = (step: Step, entered: boolean) => {
		const queue = step.queue as number;
		const leg: Leg = { queue, since: step.at, entered, open: true, doubtful: false };
		legs.push(leg);
		return leg;
	};
	for (const step of steps) {
		if (step.what === 'break') {
			sure = false;
			doubts = true;
			for (const leg of legs) {
				if (!leg.open) continue;
				leg.doubtful = true;
			}
			for (const leg of legs) if (leg.left === undefined) leg.doubt ??= step.at;
			continue;
		}
		if (step.what === 'insert') {
			settle(step.queue);
			if (here(step.queue)) continue;
			enteredSomewhere = true;
			begin(step, true);
		} else if (step.what === 'connect' || step.what === 'agentConnected') {
			if (step.what === 'connect') settle(step.queue);
			const known =
				here(step.queue) ??
				(step.what === 'connect' ? legs.findLast((leg) => leg.queue === step.queue) : newestOpen());
			const leg = known ?? (step.what === 'connect' ? begin(step, false) : undefined);
			if (leg) {
				leg.answered ??= step.at;
				leg.doubt = undefined;
			}
			if (step.agent !== undefined && !takenBy.has(step.agent)) takenBy.set(step.agent, step.at);
		} else if (step.what === 'delete') {
			const doubted = doubts;
			settle(step.queue);
			const named = here(step.queue) ?? legs.findLast(({ queue }) => queue === step.queue);
			// A queue in which the call never was: it left the one where it is, unless it may have moved unseen.
			const left = named || doubted ? [named] : legs.filter(({ open }) => open);
			if (!left[0]) sure = false;
			for (const leg of left) {
				if (!leg) continue;
				leg.open = false;
				leg.left ??= step.at;
			}
		} else if (step.what === 'waits') {
			// It names where the caller is.
			settle(step.queue);
			if (!legs.some(({ queue }) => queue === step.queue)) begin(step, false);
		}
	}
	return { legs, takenBy, sure: sure && enteredSomewhere };
}

/** One stay, in the words of the documentation. Moments in milliseconds, durations in seconds. */
interface Stay {
	since: number;
	entered: boolean;
	wait: number | undefined;
	end?: { at: number; as: 'answered' | 'left' | 'overflowed' | 'unknown' };
	talk?: { at: number; seconds: number | undefined };
}

export class Auditor {
	private readonly calls = new Map<number, CallFile>();
	private readonly agents = new Map<number, AgentFile>();
	/** Calls that are over and began again are kept under numbers of their own. */
	private archived = 0;
	/** Calls that are over for good are not read any more. */
	private openedAt: number;

	constructor(
		readonly startedAt: number,
		private readonly settings: Settings,
	) {
		this.openedAt = startedAt;
	}

	opened(at: number): void {
		this.openedAt = at;
	}

	interrupted(at: number): void {
		for (const call of this.calls.values()) {
			const last = call.steps.at(-1);
			if (!last || last.what === 'break') continue;
			if (call.goneAt !== undefined && call.goneAt + 5_000 <= at) continue;
			call.steps.push({ ...last, what: 'break', at });
			call.legs = undefined;
		}
		for (const agent of this.agents.values()) {
			agent.breaks.push(at);
			agent.notBefore = at;
		}
	}

	take({ ts, cpt, type, event, msg }: Sent, arrivedAt: number): void {
		const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
		const status = typeof msg.status === 'string' ? msg.status : undefined;
		const step: Step = {
			ts,
			cpt,
			at: ts * 1000,
			what: '',
			queue: number(msg.id_queue),
			agent: number(msg.id_operator),
			call: number(msg.id_call),
			waited: number(msg.duration_in_queue) ?? 0,
			status: type === 'UI' ? event : status,
			catchup: number(msg.catchup) ?? 0,
		};
		if (type !== 'queue' && step.agent !== undefined) this.takeOfAgent(step.agent, step);
		const call = number(msg.id_call);
		const what =
			type === 'queue'
				? event === 'alert_file'
					? 'waits'
					: event.replace('_call', '')
				: ({ connected: 'agentConnected', ringing: 'waits' } as Record<string, string>)[
						status ?? ''
					];
		if (call === undefined || what === undefined) return;
		let file = this.calls.get(call);
		if (file?.goneAt !== undefined && file.goneAt + 5_000 <= arrivedAt) {
			// The call was over: only what was sent later begins it again.
			const last = file.steps.at(-1) as Step;
			const again = what === 'insert' ? precedes(last, { ...step, what }) : what === 'connect';
			if (!again || (what === 'connect' && step.ts <= last.ts)) return;
			this.calls.set(--this.archived, file);
			file = undefined;
		}
		const wasCut = file?.steps.some((one) => one.what === 'break') === true;
		if (what === 'waits' && !wasCut) return;
		if (!file) {
			if (type !== 'queue' || what === 'waits') return;
			const soon = arrivedAt - this.openedAt <= 5_000;
			const cameFromElsewhere = what === 'insert' && soon && step.waited > 0;
			this.calls.set(call, (file = { steps: [], cameFromElsewhere, lastAt: 0 }));
		}
		if (file.steps.some((one) => one.cpt === cpt && one.what !== 'break')) return;
		const index = file.steps.findLastIndex((one) => !precedes({ ...step, what }, one)) + 1;
		file.steps.splice(index, 0, { ...step, what });
		file.lastAt = Math.max(file.lastAt, step.at);
		file.legs = readCall(file);
		const isGone = file.legs.legs.every(({ open }) => !open);
		file.goneAt = isGone ? (file.goneAt ?? arrivedAt) : undefined;
	}

	private takeOfAgent(id: number, step: Step): void {
		const agent = this.agents.get(id) ?? { steps: [], breaks: [], notBefore: 0 };
		this.agents.set(id, agent);
		if (agent.steps.some((one) => one.cpt === step.cpt)) return;
		const at = Math.max(step.at, agent.notBefore);
		agent.steps.push({ ...step, at });
		agent.steps.sort((a, b) => a.at - b.at || a.cpt - b.cpt);
	}

	/** Forgets what no later record needs. */
	forget(before: number): void {
		for (const [id, { steps, lastAt }] of this.calls) {
			const last = steps.at(-1);
			if (last?.what === 'delete' && lastAt < before - 60_000) this.calls.delete(id);
			else if (lastAt < before - 43_200_000) this.calls.delete(id);
		}
		for (const agent of this.agents.values()) {
			const keep = agent.steps.findLastIndex(({ at }) => at < before);
			if (keep > 20) agent.steps.splice(0, keep - 20);
			agent.breaks = agent.breaks.filter((at) => at >= (agent.steps[0]?.at ?? 0));
		}
	}

	private staysIn(queue: number): Stay[] {
		const stays: Stay[] = [];
		for (const file of this.calls.values()) {
			const { legs, sure } = (file.legs ??= readCall(file));
			for (const [index, leg] of legs.entries()) {
				if (leg.queue !== queue) continue;
				stays.push(stayOf(leg, legs[index + 1], sure));
			}
		}
		return stays;
	}

	queueIds(): number[] {
		const ids = new Set<number>();
		for (const file of this.calls.values())
			for (const { queue } of (file.legs ??= readCall(file)).legs) ids.add(queue);
		for (const id of this.agents.keys())
			for (const { step } of this.timeline(id)) if (step?.queue !== undefined) ids.add(step.queue);
		return [...ids];
	}

	agentIds(): number[] {
		return [...this.agents.keys()];
	}

	/** The figures of queues, all together, from one moment up to another. */
	queues(ids: readonly number[], from: number, until: number): Figures {
		const stays = ids.flatMap((id) => this.staysIn(id));
		const within = (at: number | undefined) => at !== undefined && at >= from && at < until;
		const { serviceLevelSeconds: level, shortAbandonSeconds, serviceLevelFormula } = this.settings;
		const ended = (as: string) => stays.filter(({ end }) => end?.as === as && within(end.at));
		const answered = ended('answered');
		const left = ended('left');
		const short = left.filter(({ wait }) => wait !== undefined && wait < shortAbandonSeconds);
		const waiting = (moment: number) =>
			stays.filter(({ since, end }) => since < moment && !(end && end.at < moment));
		const now = waiting(until);
		const late = now.filter(({ since }) => until - since > level * 1000).length;
		const waits = answered.map(({ wait }) => wait).filter((wait) => wait !== undefined);
		const inTime = waits.filter((wait) => wait <= level).length;
		const early = left.filter(({ wait }) => wait !== undefined && wait <= level).length;
		const long = left.length - short.length;
		const divisor =
			{
				withoutShort: waits.length + long + late,
				answeredOnly: waits.length + late,
			}[serviceLevelFormula] ?? waits.length + left.length + late;
		const good = inTime + (serviceLevelFormula === 'earlyAbandonsInTime' ? early : 0);
		const longest = Math.min(...now.map(({ since }) => since));
		const talks = stays
			.filter(({ talk }) => within(talk?.at) && talk?.seconds !== undefined)
			.map(({ talk }) => talk?.seconds as number);
		const wraps = this.wrapUps(ids, within);
		const handle = talks.length && wraps.length ? mean(talks) + mean(wraps) : undefined;
		const cameIn = stays.filter(({ since }) => within(since));
		const offered = cameIn.filter(({ entered }) => entered).length;
		return {
			waiting: now.length,
			longest_wait: now.length === 0 ? null : tenth((until - longest) / 1000),
			longest_since: now.length === 0 ? null : new Date(longest).toISOString(),
			talking: stays.filter(
				({ end, talk }) => end?.as === 'answered' && end.at < until && !(talk && talk.at < until),
			).length,
			offered,
			answered: answered.length,
			abandoned: long,
			short_abandoned: short.length,
			overflowed: ended('overflowed').length,
			unknown: ended('unknown').length,
			// Who was first seen later than at the entry had waited before.
			waiting_before: waiting(from).length + cameIn.length - offered,
			late,
			service_level: share(good, divisor),
			abandonment_rate: share(long, answered.length + long),
			average_speed_of_answer: waits.length ? tenth(mean(waits)) : null,
			average_wait_of_abandoned: left.length
				? tenth(mean(left.map(({ wait }) => wait ?? 0)))
				: null,
			average_talk: talks.length ? tenth(mean(talks)) : null,
			average_wrap_up: wraps.length ? tenth(mean(wraps)) : null,
			average_handle_time: handle === undefined ? null : tenth(handle),
			agents_needed:
				offered < 10 || handle === undefined
					? null
					: this.needed(offered / ((until - from) / 1000), handle),
		};
	}

	/** The textbook's sum, instead of a recursion. */
	private needed(perSecond: number, handle: number): number {
		const load = perSecond * handle;
		const { serviceLevelSeconds, serviceLevelTarget } = this.settings;
		for (let agents = Math.floor(load) + 1; ; agents++) {
			let term = 1;
			let sum = 1;
			for (let k = 1; k < agents; k++) sum += term *= load / k;
			const last = ((term * load) / agents) * (agents / (agents - load));
			const waits = last / (sum + last);
			const served = 1 - waits * Math.exp(((load - agents) * serviceLevelSeconds) / handle);
			if (served * 100 >= serviceLevelTarget) return agents;
		}
	}

	/** What each agent did, as a list of times; null: not known. */
	private timeline(id: number) {
		const { steps, breaks } = this.agents.get(id) ?? { steps: [], breaks: [] };
		const points = [
			...steps.map((step) => ({ at: step.at, step })),
			...breaks.map((at) => ({ at, step: undefined })),
		].sort((a, b) => a.at - b.at || (a.step ? (b.step ? a.step.cpt - b.step.cpt : 1) : -1));
		const spans: Array<{
			at: number;
			state: string | null;
			call?: number;
			step?: Step | undefined;
		}> = [];
		for (const { at, step } of points) {
			if (!step) {
				spans.push({ at, state: null });
				continue;
			}
			const state = {
				available: step.catchup > 0 ? 'wrap_up' : 'available',
				ringing: 'ringing',
				connected: 'talking',
				transfert_start: 'transferring',
				pause: 'on_break',
				unpause: 'available',
			}[step.status ?? ''];
			if (state === undefined) continue;
			spans.push({ at, state, step });
		}
		return spans;
	}

	private wrapUps(queues: readonly number[], within: (at: number) => boolean): number[] {
		const seconds: number[] = [];
		for (const id of this.agents.keys()) {
			let before: string | null = null;
			let ofCall: number | undefined;
			for (const { at, state, step } of this.timeline(id)) {
				const talked = before === 'talking' || before === 'transferring';
				const queue = step?.queue ?? (talked ? ofCall : undefined);
				const finished = step?.status === 'available' && (step.catchup > 0 || talked);
				if (finished && queue !== undefined && queues.includes(queue) && within(at))
					seconds.push(step.catchup);
				before = state;
				if (state === 'talking') ofCall = step?.queue ?? ofCall;
			}
		}
		return seconds;
	}

	agent(id: number, from: number, until: number): Figures {
		const spans = this.timeline(id);
		const sum: Record<string, number> = {};
		let state: string | null = null;
		let since: number | null = null;
		let notAnswered = 0;
		for (const [index, span] of spans.entries()) {
			if (span.at >= until) break;
			const next = Math.min(spans[index + 1]?.at ?? Infinity, until);
			const wrapEnd = span.state === 'wrap_up' ? span.at + (span.step?.catchup ?? 0) * 1000 : next;
			const add = (name: string | null, begin: number, end: number) => {
				const overlap = Math.min(end, until) - Math.max(begin, from);
				if (name !== null && overlap > 0) sum[name] = (sum[name] ?? 0) + overlap / 1000;
			};
			add(span.state, span.at, Math.min(wrapEnd, next));
			add('available', Math.min(wrapEnd, next), next);
			const before = spans[index - 1];
			const rang = before?.state === 'ringing';
			if (rang && span.state !== null && span.at >= from) {
				const call = span.step?.call ?? before.step?.call;
				const goesOn = span.state === 'talking' || span.state === 'ringing';
				const took = goesOn && call === before.step?.call;
				if (!took) notAnswered++;
			}
			// The last state at the end, and since when.
			const last =
				next === until || index === spans.length - 1 || (spans[index + 1]?.at ?? 0) >= until;
			const shown =
				span.state === 'wrap_up' && wrapEnd < until && wrapEnd <= next ? 'available' : span.state;
			const began = shown === span.state ? span.at : wrapEnd;
			if (shown !== state || shown === 'ringing') since = began;
			if (shown === null) since = null;
			if (shown === 'wrap_up') since = began;
			state = shown;
			if (last) break;
		}
		const talk = (sum.talking ?? 0) + (sum.transferring ?? 0);
		const busy = talk + (sum.ringing ?? 0) + (sum.wrap_up ?? 0);
		let answered = 0;
		for (const file of this.calls.values()) {
			const at = (file.legs ??= readCall(file)).takenBy.get(id);
			if (at !== undefined && at >= from && at < until) answered++;
		}
		return {
			state,
			seconds: since === null ? null : tenth((until - since) / 1000),
			answered,
			not_answered: notAnswered,
			talk_seconds: tenth(talk),
			wrap_up_seconds: tenth(sum.wrap_up ?? 0),
			available_seconds: tenth(sum.available ?? 0),
			break_seconds: tenth(sum.on_break ?? 0),
			occupancy: share(busy, busy + (sum.available ?? 0)),
		};
	}
}

function stayOf(leg: Leg, next: Leg | undefined, sure: boolean): Stay {
	const { since, entered, answered, doubt } = leg;
	const seen = { since, entered };
	const wait = (until: number) => (entered ? (until - since) / 1000 : undefined);
	if (answered !== undefined) {
		const end = { at: answered, as: 'answered' as const };
		if (doubt !== undefined)
			return { ...seen, wait: wait(answered), end, talk: { at: doubt, seconds: undefined } };
		const over = Math.min(leg.left ?? Infinity, next?.since ?? Infinity);
		const talk = over === Infinity ? undefined : { at: over, seconds: (over - answered) / 1000 };
		return { ...seen, wait: wait(answered), end, ...(talk ? { talk } : {}) };
	}
	if (doubt !== undefined) return { ...seen, wait: undefined, end: { at: doubt, as: 'unknown' } };
	const gone = leg.left ?? next?.since;
	if (gone === undefined) return { ...seen, wait: undefined };
	if (next) return { ...seen, wait: wait(gone), end: { at: gone, as: 'overflowed' } };
	return {
		...seen,
		wait: wait(gone),
		end: { at: gone, as: sure && entered ? 'left' : 'unknown' },
	};
}

function mean(list: readonly number[]): number {
	return list.reduce((sum, one) => sum + one, 0) / list.length;
}

function share(part: number, of: number): number | null {
	return of === 0 ? null : tenth((part / of) * 100);
}

function tenth(value: number): number {
	// Halves upwards, although a binary fraction may fall short of one.
	return Math.round(value * 10 + 1e-6) / 10;
}
