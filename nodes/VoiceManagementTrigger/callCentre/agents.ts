// Agents: each has two conditions, and an event changes one of them (docs/items.md, "An agent"). What an agent shows is
// the activity while there is one, otherwise the presence.

import { unknownAgent, type AgentState, type AgentView, type Change, type Talk } from './changes';
import { makeNewest } from './byAge';
import { Deadlines, type Dated } from './deadlines';
import type { Journey } from './journey';

/** Limit for the agents that are followed. */
const MOST_AGENTS = 10_000;

/** What an agent without an activity shows: `available` is whoever is ready. */
type Presence = Extract<AgentState, 'available' | 'on_break' | 'logged_out'>;
/** `unknown`: a status that is not documented, or `unavailable`. */
type Activity = Exclude<AgentState, Presence> | 'unknown' | 'none';

/** Due when a wrap-up is over. */
interface Agent extends Dated {
	presence: Presence | undefined;
	pause: string | undefined;
	activity: Activity;
	callId: string | undefined;
	queueId: string | undefined;
	caller: string | undefined;
	/** The phone does not ring any more, as the call shows. */
	rests: boolean;
	/** The last talk with a caller, for the wrap-up that follows it. */
	lastTalk: { call: Journey; talk: Talk } | undefined;
	/** `cpt` of the newest event of each condition. */
	newest: { presence: number | undefined; activity: number | undefined };
	/** In a wrap-up that time has ended, and that no status has followed yet. */
	wrapped: AgentView | undefined;
	view: AgentView;
	/** How many interruptions of the feed it knows of. */
	interruptions: number;
}

/** A change of an agent's status, as its event says it. */
export interface StatusEvent {
	status: string | undefined;
	callId: string | undefined;
	queueId: string | undefined;
	caller: string | undefined;
	/** Seconds of wrap-up. */
	catchup: number;
	/** It rings for a caller of a queue, so whoever was on a break or logged out is back. */
	endsAbsence: boolean;
}

export class Agents {
	private readonly byId = new Map<string, Agent>();
	private readonly deadlines = new Deadlines<Agent>();
	/** How often the feed was interrupted. Agents learn of it as calls do, when they are looked at. */
	private interruptions = 0;
	/** Agents of the newest login; undefined: it lists none. */
	listed: ReadonlySet<string> | undefined;
	/** Of these, how many are available or may be. */
	private possible = 0;
	/** Since when none of these is or may be available; undefined: one is, or nobody knows. */
	nobodySince: number | undefined;
	/** The status or the presence of some agent was heard. */
	heard = false;
	/** A wrap-up was announced: otherwise nothing says how long wrap-ups are. */
	announcesWrapUp = false;

	constructor(private readonly report: (change: Change) => void) {}

	/** @returns all agents that were heard of */
	*views(): Generator<AgentView> {
		for (const agent of this.byId.values()) yield this.knowing(agent).view;
	}

	get(id: string): AgentView {
		return this.known(id)?.view ?? unknownAgent(id);
	}

	/** `cpt` of the newest event of a condition. */
	newest(id: string, condition: 'presence' | 'activity'): number | undefined {
		return this.known(id)?.newest[condition];
	}

	/** A `UI` event. @param pause the type of the break */
	onPresence(
		id: string,
		event: string,
		pause: string | undefined,
		at: number,
		cpt: number | undefined,
	): void {
		const next = PRESENCE_OF_EVENT.get(event);
		if (next === undefined) return;
		const agent = this.hear(id, at);
		agent.newest.presence = cpt ?? agent.newest.presence;
		const nextPause = next === 'on_break' ? (pause ?? '') : undefined;
		// What is said again changes nothing.
		if (next === 'logged_out' || next !== agent.presence || nextPause !== agent.pause)
			this.wrapsUpAgain(agent, at);
		agent.presence = next;
		agent.pause = nextPause;
		if (next === 'logged_out') {
			this.setActivity(agent, 'none');
			// It ends both conditions; one that is late itself makes nothing newer old.
			agent.newest.activity = Math.max(cpt ?? 0, agent.newest.activity ?? 0);
		}
		// Who leaves a break, or logs in, was not available before; a break may only have changed its type.
		this.show(agent, at, false, next === 'available');
	}

	/** An `operator` event. @returns the seconds of wrap-up that it announces, besides those of one that goes on */
	onStatus(id: string, event: StatusEvent, at: number, cpt: number | undefined): number {
		const agent = this.hear(id, at);
		this.wrapsUpAgain(agent, at);
		agent.newest.activity = cpt ?? agent.newest.activity;
		const { status, catchup, endsAbsence } = event;
		if (endsAbsence) comesBack(agent);
		agent.presence ??= 'available';
		const goesOn = (agent.due ?? at) - at;
		this.announcesWrapUp ||= catchup > 0;
		const activity = catchup > 0 ? 'wrap_up' : (ACTIVITY_OF_STATUS.get(status) ?? 'unknown');
		this.setActivity(agent, activity, event);
		agent.rests = false;
		if (catchup > 0) this.deadlines.set(agent, at + catchup * 1000);
		this.show(agent, at);
		return Math.max(0, Math.round(catchup - goesOn / 1000));
	}

	/** An agent's call turns out to be one of that queue. */
	answersFor(id: string, callId: string, queueId: string | undefined, at: number): void {
		const agent = this.known(id);
		const isHad = agent?.callId === callId && agent.activity !== 'ringing';
		if (!isHad || queueId === undefined) return;
		agent.queueId = queueId;
		this.show(agent, at);
	}

	/** A call does not ring at the agent any more. */
	rests(id: string, callId: string, at: number): void {
		const agent = this.known(id);
		if (agent?.callId !== callId || agent.activity !== 'ringing' || agent.rests) return;
		agent.rests = true;
		this.show(agent, at);
	}

	/** A queue reports that it lets a call ring at the agent. */
	queueRings(id: string, at: number): void {
		const agent = this.meet(id, at);
		if (agent.presence === undefined) return;
		if (agent.presence !== 'available') this.wrapsUpAgain(agent, at);
		comesBack(agent);
		this.show(agent, at);
	}

	/** The feed was interrupted: nothing is known of anybody until it is heard again, as whoever follows knows. */
	interrupted(): void {
		this.interruptions++;
		this.deadlines.clear();
		this.possible = this.listed?.size ?? 0;
		this.nobodySince = undefined;
	}

	/** A login lists these agents; a login without a list, or with an empty one, drops nobody. */
	onLogin(ids: Iterable<string>, at: number): void {
		const listed = new Set(ids);
		if (listed.size === 0) return;
		const away = () => [...listed].flatMap((id) => this.get(id).awaySince ?? []);
		// Under the login before it was known, or somebody may have been available until now.
		const since = this.listed
			? (this.nobodySince ?? at)
			: away().reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
		for (const key of this.byId.keys()) if (!listed.has(key)) this.drop(key, at);
		this.listed = listed;
		this.possible = listed.size - away().length;
		this.nobodySince = this.possible === 0 ? since : undefined;
	}

	/** When a wrap-up is over next. */
	nextDue(): number {
		return this.deadlines.next();
	}

	/** Time has passed. */
	tick(now: number): void {
		for (let agent = this.deadlines.take(now); agent; agent = this.deadlines.take(now)) {
			const { view } = agent;
			if (!view.wrapUp) continue;
			this.setActivity(agent, 'none');
			agent.wrapped = view;
			this.show(agent, view.wrapUp.until, true);
		}
	}

	has(id: string): boolean {
		return this.byId.has(id);
	}

	/** The agent, also one whom so far only an event of a call names. */
	meet(id: string, at: number): Agent {
		const kept = makeNewest(this.byId, id);
		if (kept) return this.knowing(kept);
		const agent: Agent = {
			presence: undefined,
			pause: undefined,
			activity: 'none',
			callId: undefined,
			queueId: undefined,
			caller: undefined,
			rests: false,
			lastTalk: undefined,
			newest: { presence: undefined, activity: undefined },
			wrapped: undefined,
			view: unknownAgent(id),
			interruptions: this.interruptions,
			due: undefined,
			slot: undefined,
		};
		this.byId.set(id, agent);
		if (this.byId.size > MOST_AGENTS) {
			const [oldest = id] = this.byId.keys();
			this.drop(oldest, at);
			this.report({ kind: 'gaveUp', what: 'an agent' });
		}
		return agent;
	}

	private known(id: string): Agent | undefined {
		const agent = this.byId.get(id);
		return agent && this.knowing(agent);
	}

	/** The agent, as the interruptions since it was last looked at have left it. */
	private knowing(agent: Agent): Agent {
		if (agent.interruptions === this.interruptions) return agent;
		agent.interruptions = this.interruptions;
		agent.presence = undefined;
		agent.pause = undefined;
		// The numbers may begin anew.
		agent.newest = { presence: undefined, activity: undefined };
		// What the agent did may go on, until a status or a logout shows it; the end of a wrap-up was cleared.
		this.setActivity(agent, agent.activity === 'none' ? 'none' : 'unknown');
		agent.view = unknownAgent(agent.view.id);
		return agent;
	}

	private hear(id: string, at: number): Agent {
		this.heard = true;
		return this.meet(id, at);
	}

	/** What was held up may have been sent before time ended a wrap-up: then that is as it was. */
	private wrapsUpAgain(agent: Agent, at: number): void {
		const { view: before, wrapped: after } = agent;
		if (!after?.wrapUp || at >= after.wrapUp.until) return;
		this.setActivity(agent, 'wrap_up');
		this.deadlines.set(agent, after.wrapUp.until);
		agent.view = after;
		this.countPossible(before, after, at);
		this.report({ kind: 'agent', before, after, at, byTime: false });
	}

	private drop(id: string, at: number): void {
		const agent = this.known(id);
		if (!agent) return;
		this.deadlines.set(agent, undefined);
		this.byId.delete(id);
		const { view: before } = agent;
		this.countPossible(before, unknownAgent(id), at);
		this.report({ kind: 'agent', before, after: undefined, at, byTime: false });
	}

	private setActivity(agent: Agent, activity: Activity, event?: StatusEvent): void {
		agent.activity = activity;
		agent.wrapped = undefined;
		this.deadlines.set(agent, undefined);
		const inCall = activity !== 'none' && activity !== 'unknown' && activity !== 'wrap_up';
		const queueId = event?.queueId ?? (agent.callId === event?.callId ? agent.queueId : undefined);
		agent.queueId = inCall ? queueId : undefined;
		agent.callId = inCall ? event?.callId : undefined;
		agent.caller = inCall ? event?.caller : undefined;
	}

	/** Shows what the conditions have become. @param isBegun what they were is not known, but something else */
	private show(agent: Agent, at: number, byTime = false, isBegun = false): void {
		const { view: before } = agent;
		const after = viewOf(agent, at, isBegun);
		agent.view = after;
		this.countPossible(before, after, at);
		if (REPORTED.some((field) => after[field] !== before[field]))
			this.report({ kind: 'agent', before, after, at, byTime });
	}

	private countPossible(before: AgentView, after: AgentView, at: number): void {
		if (this.listed?.has(after.id) !== true) return;
		const isAway = (view: AgentView) => Number(view.awaySince !== undefined);
		this.possible += isAway(before) - isAway(after);
		if (this.possible > 0) this.nobodySince = undefined;
		else this.nobodySince ??= at;
	}
}

/** What is shown of an agent from a moment on. */
function viewOf(agent: Agent, at: number, isBegun: boolean): AgentView {
	const { presence, activity, pause, callId, queueId, caller, view: before } = agent;
	const resting = presence ?? null;
	const state = activity === 'none' ? resting : activity === 'unknown' ? null : activity;
	const isRinging = state === 'ringing' && !agent.rests;
	// A phone that rings again, after a ring of it had stopped, has begun anew.
	const isAgain = isRinging && before.ringsSince === undefined;
	const goesOn = state === before.state && callId === before.callId && !isAgain;
	const since = goesOn ? before.since : at;
	// Who is on a break is not available, also if it is not known what else they do.
	const mayBeAvailable = (state ?? presence ?? 'available') === 'available';
	const awaySince = before.awaySince ?? at;
	const breakSince = before.breakSince ?? (state === 'on_break' ? at : undefined);
	return {
		id: before.id,
		state,
		since: state === null ? undefined : since,
		isBegun: goesOn ? before.isBegun : isBegun || before.state !== null,
		awaySince: mayBeAvailable ? undefined : awaySince,
		pause,
		breakSince: pause === undefined ? undefined : breakSince,
		ringsSince: isRinging ? since : undefined,
		callId,
		queueId,
		caller,
		wrapUp: wrapUpOf(agent),
	};
}

/** @returns the same object if nothing of it has changed */
function wrapUpOf({ due: until, presence, view }: Agent): AgentView['wrapUp'] {
	if (until === undefined) return undefined;
	const { wrapUp } = view;
	const then = presence ?? null;
	return wrapUp?.until === until && wrapUp.then === then ? wrapUp : { until, then };
}

/** A change of one of these is reported. */
const REPORTED = [
	'state',
	'awaySince',
	'callId',
	'queueId',
	'pause',
	'ringsSince',
	'wrapUp',
] as const;

/** No queue rings at somebody who is on a break or logged out: the end of that was missed. */
function comesBack(agent: Agent): void {
	agent.presence = 'available';
	agent.pause = undefined;
}

const PRESENCE_OF_EVENT: ReadonlyMap<string, Presence> = new Map([
	['login', 'available'],
	['logout', 'logged_out'],
	['pause', 'on_break'],
	['unpause', 'available'],
]);

/** Every other status leaves it open what the agent does. */
const ACTIVITY_OF_STATUS: ReadonlyMap<string | undefined, Activity> = new Map([
	['available', 'none'],
	['ringing', 'ringing'],
	['connected', 'talking'],
	['calling', 'calling'],
	['transfert_start', 'transferring'],
	['transfert_end', 'talking'],
]);
