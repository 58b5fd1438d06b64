// The second implementation of the call centre, first part: calls and agents. Written from the contract, corrected where a
// story that was computed by hand shows it wrong, and in another shape than the trigger's: each call keeps everything
// that happened to it, each agent all its states, and figures are evaluated from these lists when they are asked for.
// Clear before fast. Moments are in milliseconds.

import type {
	Directory,
	FeedEvent,
	FeedStatus,
} from '../../../../../nodes/VoiceManagementTrigger/feed/types';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** An identifier as text: the provider sends numbers and text. */
function textOf(value: unknown): string | undefined {
	const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
	return text === '' ? undefined : text;
}

/** When something happened, and when it became known here. */
export interface Mark {
	at: number;
	known: number;
}

export type StayEnd = 'answered' | 'abandoned' | 'overflowed' | 'unknown';

/** A stay of a call in a queue. */
export interface Stay {
	queue: string;
	/** Whether its entry was seen. */
	seen: boolean;
	enter: Mark;
	end?: (Mark & { how: StayEnd }) | undefined;
}

/** What the totals count of a caller's wait. After an interruption, or after a told end, a wait has another one. */
export interface CountedWait {
	wait: Wait;
	seen: boolean;
	/** It was told as ended before, so that it is not offered again. */
	carried: boolean;
	/** It was told as late before. */
	wasLate: boolean;
	enter: Mark;
	end?: (Mark & { how: Exclude<StayEnd, 'overflowed'> }) | undefined;
}

/** A wait of a caller, through one or several queues. */
export interface Wait {
	/** Undefined if its beginning was not seen. */
	start: number | undefined;
	stays: Stay[];
	/** When the last queue was left, while the call is in none. */
	outAt?: number | undefined;
	answeredAt?: number | undefined;
}

export interface CountedTalk {
	queue: string | null;
	call: Call;
	from: number;
	end?: Mark | undefined;
	/** Nobody knows how long it was. */
	isLost?: true;
}

interface Talk {
	agent: string | null;
	queue: string | null;
	from: number;
	to?: number | undefined;
	/** The feed was interrupted while it went on, and nothing showed it again. */
	cut: boolean;
	counted?: CountedTalk | undefined;
	/** The agent was seen without it since. */
	isOver?: boolean;
	/** It was left to the agent by a colleague. */
	isRest?: boolean;
	/** Of a caller who was not seen to wait. */
	isTransfer?: boolean;
	/** Its queue lost the call within two seconds of the answer. */
	isLostByQueue?: boolean;
	/** The queue that a report of it names: the transfer there may be reported behind it. */
	transferredTo?: string | undefined;
}

interface Ring {
	agent: string;
	queue: string | undefined;
	from: number;
	to?: number | undefined;
	/** Its end can't be known any more. */
	lost: boolean;
	notAnswered: boolean;
	/** It stopped less than two seconds ago. */
	isJudged: boolean;
}

interface Answer {
	at: number;
	arrived: number;
	stay: Stay | undefined;
	/** The stays that lost the call at this moment. */
	others: Stay[];
	/** Those that had lost it within two seconds before. */
	left?: Stay[];
	queueOpen: boolean;
	/** By a report of it; the entry may be reported later. */
	named?: string | undefined;
}

export class Call {
	caller: string | undefined;
	/** The agent's own: no caller's journey. */
	own = false;
	/** The agent who began it: also of one that has entered a queue since. */
	startedBy: string | undefined;
	/** When its agent's `connected` made it that agent's own. */
	connectedAt: number | undefined;
	/** When a trunk was first heard of, and the trunks that it was in when the talk began. */
	trunkKnownAt: number | undefined;
	talkTrunks = new Set<string>();
	/** Every trunk that was heard of. */
	readonly knownTrunks = new Set<string>();
	trunks = new Set<string>();
	trunkEnteredAt: number | undefined;
	/** A trunk had it before its entry could be seen. */
	startUnseen = false;
	trunkAnsweredAt: number | undefined;
	firstEntryAt: number | undefined;
	waits: Wait[] = [];
	talks: Talk[] = [];
	/** Who may have it besides: by the second report of the answer, or before a colleague was connected. */
	readonly besides = new Set<string>();
	/** Whose phones ring while it does not wait: an entry may be reported behind the ring. */
	readonly early = new Map<string, string | undefined>();
	rings: Ring[] = [];
	answer: Answer | undefined;
	firstAnswer: { at: number; agent: string | null; queue: string | null } | undefined;
	/** Queues in which an answered call still is. */
	placed = new Set<string>();
	/** Queues in which it may still be: the feed was interrupted. */
	maybeIn = new Set<string>();
	interrupted = false;
	/** When the feed was interrupted while it was nowhere, until it goes on. */
	cutAway: number | undefined;
	/** When interruptions hid something of it. */
	readonly hiddenAt: number[] = [];
	/** Its figures have a wait of it as unknown. */
	unknownWait = false;
	queueLeft: Mark | undefined;
	/** The queue that lost it last, though its entry there was not seen. */
	leftUnseen: string | undefined;
	/** Since an interruption, nothing has shown that the queue still has it. */
	placedInDoubt = false;
	/** When its record is due. */
	tellsAt: number | undefined;
	placeLeft: Mark | undefined;
	talkEnded: Mark | undefined;
	/** The talk ended because its agent was seen without it. */
	endNotSeen = false;
	alertedNobody = false;
	/** Order of delivery: entry of the first wait, and the last leaving. */
	waitedFrom = 0;
	waitedTo = 0;
	/** Each agent of the login was known not to be available during the first wait. */
	nobodyThen = false;
	newestNumber: number | undefined;
	/** … without deletions: of several that come together, none is too late. */
	newestStart: number | undefined;
	lastHeard: number;
	records: Array<'missed' | 'ended'> = [];
	recordAt: number | undefined;
	toldAnswered = false;
	wrapUp: number | null = null;
	/** When the newest talk was first reported. */
	talkArrived = 0;
	/** Of the newest timer. */
	version = 0;

	constructor(
		readonly id: string,
		readonly bornAt: number,
	) {
		this.lastHeard = bornAt;
	}

	/** @param queue of the ring; that it rings is reported again by the agent, who may name none */
	ringsEarly(agent: string, queue: string | undefined): void {
		if (!this.early.has(agent)) this.early.set(agent, queue);
	}

	/** An interruption hid some of it. */
	get isPartlyUnseen(): boolean {
		return this.hiddenAt.length > 0;
	}

	/** Nobody knows: an agent may have had it before its wait was seen, while the feed was interrupted. */
	get isUnknown(): boolean {
		const isHidden = this.isPartlyUnseen && this.wait?.start === undefined;
		return !this.isAnswered && (this.unknownWait || isHidden);
	}

	/** By an agent, or by the trunk itself, as was seen. */
	get isAnswered(): boolean {
		return this.firstAnswer !== undefined || this.trunkAnswer !== undefined;
	}

	/** No queue ever had it. */
	get trunkAnswer(): number | undefined {
		return this.hadQueue ? undefined : this.trunkAnsweredAt;
	}

	/** The feed was interrupted during the first wait. */
	get isWaitCut(): boolean {
		const { start = 0, outAt = Infinity } = this.waits[0] ?? {};
		return this.hiddenAt.some((at) => at >= start && at <= outAt);
	}

	get wait(): Wait | undefined {
		return this.waits.at(-1);
	}

	get openStays(): Stay[] {
		return this.wait?.stays.filter(({ end }) => !end) ?? [];
	}

	get talk(): Talk | undefined {
		const last = this.talks.at(-1);
		return last && last.to === undefined ? last : undefined;
	}

	/** If nothing had it before. */
	entered(at: number): void {
		if (!this.startUnseen && !this.hadQueue && this.talks.length === 0) this.firstEntryAt ??= at;
	}

	/** By a queue, a trunk or an agent. */
	get wasHad(): boolean {
		const wasInTrunk = this.startUnseen || this.trunkEnteredAt !== undefined;
		return wasInTrunk || this.hadQueue || this.talks.length > 0;
	}

	/** A place still has the call that its agent left: a queue, or the trunk of a call that no queue ever had. */
	get isHeld(): boolean {
		const byTrunk = !this.hadQueue && [...this.talkTrunks].some((one) => this.trunks.has(one));
		return byTrunk || this.placed.size > 0;
	}

	get hadQueue(): boolean {
		return this.waits.length > 0;
	}

	/** For certain, so far. */
	get isUnanswered(): boolean {
		return !this.isAnswered && !this.isUnknown;
	}

	/** The one that was left last; of two at once not the one that was left for the other. */
	get leftLast(): string | undefined {
		const left = this.waits.flatMap(({ stays }) =>
			stays.flatMap(({ queue, end }) =>
				end ? [{ queue, at: end.at, rank: Number(end.how !== 'overflowed') }] : [],
			),
		);
		return left.sort((a, b) => a.at - b.at || a.rank - b.rank).at(-1)?.queue;
	}

	get lastQueue(): string | null {
		const stays = this.waits.flatMap(({ stays: all }) => all);
		return stays.at(-1)?.queue ?? null;
	}
}

/** Otherwise the ring is reported again. */
function isNewRing(call: Call | undefined, agent: string): boolean {
	if (!call) return true;
	const rings = call.rings.some((one) => one.agent === agent && one.to === undefined && !one.lost);
	return !rings && !call.early.has(agent) && call.wait?.answeredAt === undefined;
}

export type Presence = 'logged_out' | 'on_break' | 'ready' | undefined;
export type Activity =
	'none' | 'ringing' | 'talking' | 'calling' | 'transferring' | 'wrap_up' | 'unknown';

export interface AgentSpan {
	state: string | null;
	pause: string | null;
	call: string | null;
	queue: string | null;
	since: number;
	/** From when it shows this, which may have begun before. */
	from: number;
}

export class Agent {
	presence: Presence;
	pause: string | null = null;
	activity: Activity = 'none';
	call: string | null = null;
	queue: string | null = null;
	activitySince = 0;
	/** The caller's, by the newest status. */
	number: string | undefined;
	/** Since when the phone rings, as far as its agent and the call show. */
	ringsSince: number | undefined;
	ringHeard = 0;
	numbers: { presence?: number | undefined; activity?: number | undefined } = {};
	/** When the agent left a break or logged in last. */
	readyAt: number | undefined;
	/** When the break that goes on showed first. */
	breakSince: number | undefined;
	answered: Mark[] = [];
	notAnswered: Mark[] = [];
	spans: AgentSpan[] = [];
	/** The states that it showed, in order of delivery: nothing goes back. */
	states: Array<{ isAway: boolean; from: number; order: number }> = [];
	/** What the newest span is about. */
	shown = '';
	version = 0;
	wrapsUpTo = 0;
	/** Time has ended its wrap-up, and no status has followed. */
	wrapOver = false;
	/** Since when its break had been shown then. */
	breakBefore: number | undefined;

	constructor(readonly id: string) {}

	get state(): string | null {
		if (this.presence === undefined || this.activity === 'unknown') return null;
		if (this.activity !== 'none') return this.activity;
		return this.presence === 'ready' ? 'available' : this.presence;
	}

	/** Certainly not available, whatever else is not known. */
	get isAway(): boolean {
		const { state, presence } = this;
		if (state !== null) return state !== 'available';
		return presence === 'on_break' || presence === 'logged_out';
	}

	get since(): number | null {
		return this.state === null ? null : (this.spans.at(-1)?.since ?? null);
	}
}

export interface Observer {
	answered(call: Call, now: number): void;
	record(call: Call, kind: 'missed' | 'ended', now: number): void;
	/** A call that was told as missed goes on. */
	cameBack(call: Call): void;
	interrupted(now: number): void;
	/** Something has happened by itself. */
	settled(): void;
}

interface Timer {
	at: number;
	order: number;
	act: () => void;
}

/** Actions in the order of their time. */
export class Agenda {
	private readonly heap: Timer[] = [];
	private order = 0;

	add(at: number, act: () => void): void {
		const { heap } = this;
		heap.push({ at, order: this.order++, act });
		for (let child = heap.length - 1; child > 0;) {
			const parent = (child - 1) >> 1;
			if (!this.isBefore(child, parent)) break;
			this.swap(child, parent);
			child = parent;
		}
	}

	get next(): number | undefined {
		return this.heap[0]?.at;
	}

	take(): Timer | undefined {
		const { heap } = this;
		const first = heap[0];
		const last = heap.pop();
		if (!first || !last || heap.length === 0) return first;
		heap[0] = last;
		for (let parent = 0; ;) {
			let least = parent;
			for (const child of [2 * parent + 1, 2 * parent + 2])
				if (child < heap.length && this.isBefore(child, least)) least = child;
			if (least === parent) return first;
			this.swap(least, parent);
			parent = least;
		}
	}

	private isBefore(one: number, other: number): boolean {
		const [a, b] = [this.heap[one] as Timer, this.heap[other] as Timer];
		return a.at < b.at || (a.at === b.at && a.order < b.order);
	}

	private swap(one: number, other: number): void {
		const { heap } = this;
		[heap[one], heap[other]] = [heap[other] as Timer, heap[one] as Timer];
	}
}

/** The moments of events: their arrival, less their lateness. */
export class Moments {
	private lag: number | undefined;
	private late: { ts: number; receivedAt: number } | undefined;
	private last = Number.NEGATIVE_INFINITY;

	/** Nothing that comes later has happened before this. */
	passed(now: number): void {
		this.last = Math.max(this.last, now);
	}

	of({ ts, receivedAt }: FeedEvent): number {
		this.last = Math.max(this.last, receivedAt - this.lateness(ts, receivedAt));
		return this.last;
	}

	private lateness(sent: number | undefined, receivedAt: number): number {
		if (sent === undefined) return 0;
		const ts = sent * SECOND;
		if (!(ts >= Date.UTC(2000, 0) && ts < Date.UTC(2100, 0))) return 0;
		const lag = receivedAt - ts;
		this.lag = Math.min(this.lag ?? lag, lag);
		const late = lag - this.lag;
		if (late < 2 * SECOND) {
			this.late = undefined;
			return 0;
		}
		// Equally late: as much time lies between the two on both clocks.
		const first = this.late;
		const sentLater = first ? ts - first.ts : 0;
		const isEqual = first && Math.abs(receivedAt - first.receivedAt - sentLater) < SECOND;
		if (!isEqual) this.late = { ts, receivedAt };
		else if (sentLater >= 2 * SECOND) {
			this.lag = lag;
			this.late = undefined;
			return 0;
		}
		return Math.min(late, 10 * SECOND);
	}
}

const ACTIVITIES: Record<string, Activity> = {
	ringing: 'ringing',
	connected: 'talking',
	calling: 'calling',
	transfert_start: 'transferring',
};

/** Of a queue's `connect_call`: a phone rings. */
const RINGS = new Set(['ringing', 'calling', 'available', 'unavailable']);

export class Journeys {
	now: number;
	readonly calls = new Map<string, Call>();
	readonly agents = new Map<string, Agent>();
	/** Everything that figures are evaluated from. */
	readonly stays = new Map<string, Stay[]>();
	counted: CountedWait[] = [];
	talks: CountedTalk[] = [];
	wrapUps: Array<Mark & { queue: string | null; seconds: number }> = [];
	hasCatchup = false;
	statusHeard = false;
	readonly queues = new Set<string>();
	readonly agenda = new Agenda();
	private readonly moments = new Moments();
	/** Counts what was delivered. */
	private order = 0;
	/** The newest one with a list. */
	login: Directory | undefined;
	private isOpen = false;
	/** Of what is being taken now. */
	moment = 0;

	constructor(
		now: number,
		private readonly directory: () => Directory | undefined,
		/** Whether a period that contains this moment was told. */
		private readonly isTold: (at: number, now: number) => boolean,
		private readonly observer: Observer,
	) {
		this.now = now;
	}

	// Time and delivery

	turnTo(time: number): void {
		while ((this.agenda.next ?? Infinity) <= time) {
			const timer = this.agenda.take() as Timer;
			this.now = Math.max(this.now, timer.at);
			this.moment = this.now;
			timer.act();
			// What happens at one moment is looked at together.
			if (this.agenda.next !== timer.at) this.observer.settled();
		}
		this.now = Math.max(this.now, time);
	}

	status(status: FeedStatus): void {
		if (status.event === 'connected') this.isOpen = true;
		if (!this.isOpen || (status.event !== 'disconnected' && status.event !== 'gap')) return;
		this.order++;
		this.moment = this.now;
		this.moments.passed(this.now);
		this.readLogin();
		const from = status.event === 'gap' ? status.from : this.now;
		for (const call of this.calls.values()) this.interrupt(call, from);
		for (const agent of this.agents.values()) {
			// Nobody has seen the end of what the agent did.
			agent.wrapOver = false;
			const activity = agent.activity === 'none' ? 'none' : 'unknown';
			Object.assign(agent, { presence: undefined, pause: null, activity });
			Object.assign(agent, { call: null, queue: null, numbers: {}, breakSince: undefined });
			agent.ringsSince = undefined;
			agent.version++;
			this.changed(agent, this.now);
		}
		this.observer.interrupted(this.now);
	}

	event(event: FeedEvent): void {
		this.order++;
		const at = this.moments.of(event);
		this.moment = at;
		this.readLogin();
		if (event.type === 'UI') this.userInterface(event, at);
		else if (event.type === 'operator' && event.event === 'status') this.agentStatus(event, at);
		else if (event.type === 'queue') this.queueEvent(event, at);
		else if (event.type === 'trunk') this.trunkEvent(event, at);
	}

	private readLogin(): void {
		const login = this.directory();
		if (!login || login === this.login) return;
		// One without a list says nothing of who there is.
		if (login.agents.size === 0) return;
		this.login = login;
		this.logins.push({ ids: [...login.agents.keys()], order: this.order, at: this.moment });
		for (const agent of this.agents.values()) {
			if (login.agents.has(agent.id)) continue;
			this.agents.delete(agent.id);
			this.dropped.set(agent.id, [
				...(this.dropped.get(agent.id) ?? []),
				...agent.states,
				{ isAway: false, from: this.moment, order: this.order },
			]);
			this.lastTalks.delete(agent.id);
			this.endsCut(agent.id);
		}
		for (const id of this.rung) if (!login.agents.has(id)) this.rung.delete(id);
		this.observer.settled();
	}

	// Which call an event is about

	/** A call that goes on, or undefined if the id is unknown, or of a call whose time to come back has passed. */
	private known(id: string): Call | undefined {
		const call = this.calls.get(id);
		if (!call) return undefined;
		if (call.recordAt === undefined || !this.isExpired(call)) return call;
		this.calls.delete(id);
		return undefined;
	}

	/** It does not come back: its minute is over, and it is in no trunk, nor on its way from there. */
	private isExpired({ recordAt = Infinity, trunks, placeLeft }: Call): boolean {
		const until = Math.max(recordAt + MINUTE, (placeLeft?.known ?? 0) + 5 * SECOND);
		return this.now > until && trunks.size === 0;
	}

	private make(id: string): Call {
		const call = new Call(id, this.now);
		this.calls.set(id, call);
		return call;
	}

	private heard(call: Call, { event, msg, cpt }: FeedEvent, decides: boolean): void {
		call.lastHeard = this.now;
		// The number that an agent calls is not the caller's.
		if (textOf(msg.status) !== 'calling') call.caller ??= textOf(msg.caller_id_num);
		if (!decides || cpt === undefined) return;
		call.newestNumber = Math.max(call.newestNumber ?? cpt, cpt);
		if (event !== 'delete_call') call.newestStart = Math.max(call.newestStart ?? cpt, cpt);
	}

	private isOld(call: Call | undefined, { event, cpt }: FeedEvent): boolean {
		const newest = event === 'delete_call' ? call?.newestStart : call?.newestNumber;
		return cpt !== undefined && newest !== undefined && cpt < newest;
	}

	// Queues

	private queueEvent(event: FeedEvent, at: number): void {
		const { msg } = event;
		const id = textOf(msg.id_call);
		const queue = textOf(msg.id_queue);
		if (id === undefined) return;
		const call = this.known(id);
		if (this.isOld(call, event)) return;
		switch (event.event) {
			case 'insert_call':
				if (queue !== undefined) this.inserted(id, queue, event, at);
				return;
			case 'connect_call': {
				const agent = textOf(msg.id_operator) ?? null;
				const status = textOf(msg.status);
				if (status === undefined || status === 'connected')
					this.connected(id, queue, agent, event, at);
				else if (RINGS.has(status) && agent !== null) {
					const [known, one] = [this.known(id), this.agents.get(agent)];
					// Of an agent's own call, nothing is said of others before it enters a queue.
					const isIn = queue !== undefined || (known?.openStays.length ?? 0) > 0;
					const isQueueCall = isIn && known?.own !== true;
					const isRing = isQueueCall && isNewRing(known, agent);
					if (one?.presence !== undefined && isRing && !this.isBeforeBreak(one, event))
						this.endsBreak(one, at);
					this.stopsRinging(agent, id, at);
					this.rings(id, queue, agent, event, at);
				}
				return;
			}
			case 'delete_call':
				if (call) this.deleted(call, queue, event, at);
				else this.noteEnd(id, event);
				return;
			case 'alert_op':
			case 'alert_file':
				// It is one for the call, whenever it comes.
				if (call && event.event === 'alert_op') call.alertedNobody = true;
				if (call?.own || call?.recordAt !== undefined) return;
				this.alerted(call ?? this.make(id), queue, event, at);
		}
	}

	/** Of a call that was not heard of before: what was sent before it changes nothing. */
	private noteEnd(id: string, event: FeedEvent): void {
		const call = this.make(id);
		this.heard(call, event, true);
		call.recordAt = this.now;
	}

	private alerted(call: Call, queue: string | undefined, event: FeedEvent, at: number): void {
		this.shows(call, queue, at);
		if (event.event === 'alert_op') call.alertedNobody = true;
		this.heard(call, event, false);
		this.schedule(call);
	}

	private inserted(id: string, queue: string, event: FeedEvent, at: number): void {
		let call = this.known(id);
		if (!call || call.own || isOther(call, event)) {
			const startedBy = call?.own ? call.startedBy : undefined;
			call = this.make(id);
			call.startedBy = startedBy;
		}
		this.enter(call, queue, at);
		this.heard(call, event, true);
		this.schedule(call);
	}

	private enter(call: Call, queue: string, at: number): void {
		const open = call.openStays.find((stay) => stay.queue === queue);
		if (open) {
			if (!open.seen) this.wasSeen(call, open, at);
			return;
		}
		const { talk, answer } = call;
		if (talk) {
			if (answer && this.now - answer.arrived <= 2 * SECOND) {
				const mark = { at, known: this.now };
				const first = call.waits[0]?.stays[0];
				if (!call.hadQueue)
					this.wasAnsweredIn(call, talk, answer, queue, { ...mark, at: answer.at });
				else if (talk.queue === queue) {
					// It was there already.
					const { stay } = answer;
					const isBehind =
						stay !== undefined &&
						!stay.seen &&
						!call.interrupted &&
						at - stay.enter.at <= 5 * SECOND &&
						// What was told stays as it was told.
						!(stay.end && this.wasTold(stay.end));
					const then = { ...mark, at: answer.at };
					if (isBehind && stay === first) this.wasSeenAtAnswer(call, stay, then);
					else if (isBehind)
						Object.assign(stay, { seen: true, enter: then, end: { ...then, how: 'answered' } });
				} else if (!this.hasJustOverflowed(call, queue)) {
					const stay = this.stay(call, queue, at, true);
					stay.end = { ...mark, how: 'overflowed' };
					answer.others.push(stay);
					if (answer.named !== queue) return;
					// It came before the answer, however late it is heard of.
					const then = { ...mark, at: Math.min(at, answer.at) };
					Object.assign(stay, { enter: then, end: { ...then, how: 'overflowed' } });
					this.fill(call, answer, talk, queue, null);
				}
				return;
			}
			const isAtTalk = this.now - call.talkArrived <= 2 * SECOND;
			if ((talk.isTransfer || talk.isRest) && talk.transferredTo === queue && isAtTalk) {
				this.transferred(call, talk, queue);
				return;
			}
			this.endTalk(call, at);
			call.placed.clear();
		}
		this.comesBack(call);
		call.maybeIn.clear();
		call.placed.clear();
		call.endNotSeen = false;
		call.entered(at);
		const wait = this.openWait(call, at, true);
		this.stay(call, queue, at, true, wait);
		this.offersEarly(call, at);
	}

	/** The caller waits from now on, so what rings already is an offer. */
	private offersEarly(call: Call, at: number): void {
		const early = [...call.early];
		call.early.clear();
		for (const [agent, named] of early) this.ringsAt(call, agent, named, at);
	}

	/** A transfer to a queue is delivered behind the agent who took the caller there at once. */
	private transferred(call: Call, talk: Talk, queue: string): void {
		const mark = { at: talk.from, known: this.now };
		Object.assign(talk, { isTransfer: false, isRest: false });
		const wait = this.openWait(call, mark.at, true);
		const stay = this.stay(call, queue, mark.at, true, wait);
		stay.end = { ...mark, how: 'answered' };
		Object.assign(this.countedOf(wait) as CountedWait, { enter: mark, end: stay.end });
		Object.assign(wait, { answeredAt: mark.at, outAt: undefined });
		const { talkArrived: arrived } = call;
		call.answer = { at: mark.at, arrived, stay, others: [], queueOpen: false, named: queue };
		call.placed = new Set([queue]);
		call.maybeIn.clear();
		talk.queue = queue;
		if (!talk.counted) this.talks.push((talk.counted = { queue, call, from: talk.from }));
		talk.counted.queue = queue;
		if (talk.agent === null) return;
		this.hasTalk(talk.agent, call, queue);
		this.agent(talk.agent).answered.push(mark);
	}

	/** The entry of a call that no queue had is delivered behind its answer: as if it had come before. */
	private wasAnsweredIn(
		call: Call,
		talk: Talk,
		answer: Answer,
		queue: string,
		mark: Mark,
		seen = true,
	): void {
		const start = seen ? mark.at : undefined;
		const wait: Wait = { start, stays: [], answeredAt: mark.at };
		call.waits.push(wait);
		const stay = this.stay(call, queue, mark.at, seen, wait);
		const how = seen ? 'answered' : 'unknown';
		stay.end = { ...mark, how };
		this.counted.push({
			...{ wait, seen, carried: false, wasLate: false },
			...{ enter: mark, end: { ...mark, how } },
		});
		Object.assign(answer, { stay, queueOpen: false });
		if (call.firstAnswer) call.firstAnswer.queue = queue;
		talk.queue = queue;
		talk.counted = { queue, call, from: talk.from };
		this.talks.push(talk.counted);
		call.placed = new Set([queue]);
		if (talk.agent === null) return;
		this.hasTalk(talk.agent, call, queue);
		this.agent(talk.agent).answered.push({ at: answer.at, known: this.now });
	}

	/** An entry that was delivered behind its answer. */
	private wasSeenAtAnswer(call: Call, stay: Stay, mark: Mark): void {
		const wait = call.wait as Wait;
		if (!call.startUnseen) call.firstEntryAt ??= call.trunkEnteredAt ?? mark.at;
		wait.start = mark.at;
		const end = { ...mark, how: 'answered' as const };
		Object.assign(stay, { seen: true, enter: mark, end });
		Object.assign(this.countedOf(wait) as CountedWait, { seen: true, enter: mark, end });
	}

	/** An entry that was delivered behind a ring of its call. */
	private wasSeen(call: Call, stay: Stay, at: number): void {
		if (at - stay.enter.at > 5 * SECOND) return;
		stay.seen = true;
		stay.enter = { at, known: this.now };
		const wait = call.wait as Wait;
		if (!call.startUnseen) call.firstEntryAt ??= call.trunkEnteredAt ?? at;
		if (wait.start !== undefined || wait.stays[0] !== stay) return;
		wait.start = at;
		const counted = this.countedOf(wait);
		if (counted && !counted.end) Object.assign(counted, { seen: true, enter: stay.enter });
	}

	/** The wait that goes on, goes on again, or begins. */
	private openWait(call: Call, at: number, seen: boolean): Wait {
		const last = call.wait;
		const mark = { at, known: this.now };
		if (last && last.answeredAt === undefined) {
			const counted = this.countedOf(last) as CountedWait;
			const hadLeft = last.outAt !== undefined;
			last.outAt = undefined;
			if (hadLeft && counted.end) this.goesOn(last, counted);
			else if (counted.end)
				this.counted.push({ wait: last, seen: false, carried: false, wasLate: false, enter: mark });
			return last;
		}
		const wait: Wait = { start: seen ? at : undefined, stays: [] };
		call.waits.push(wait);
		if (call.waits.length === 1) call.waitedFrom = this.order;
		this.counted.push({ wait, seen, carried: false, wasLate: false, enter: mark });
		return wait;
	}

	/** A caller who had abandoned is there again. */
	private goesOn(wait: Wait, counted: CountedWait): void {
		const end = counted.end as Mark;
		for (const stay of wait.stays)
			if (stay.end?.how === 'abandoned' && !this.wasTold(stay.end)) stay.end.how = 'overflowed';
		// It was told as late before it was known that the caller had left in time.
		const passes = (wait.start ?? Infinity) + this.levelMs + 1;
		const wasInTime = end.at < passes && passes <= end.known;
		counted.wasLate ||= counted.seen && wasInTime && this.isTold(passes, end.known);
		if (!this.wasTold(end)) {
			counted.end = undefined;
			return;
		}
		this.counted.push({
			wait,
			seen: counted.seen,
			carried: true,
			wasLate: counted.wasLate || this.lateMark(wait, counted, this.levelMs) !== undefined,
			enter: { at: this.now, known: this.now },
		});
	}

	private wasTold({ at, known }: Mark): boolean {
		return this.isTold(this.isTold(at, known) ? known : at, this.now);
	}

	countedOf(wait: Wait): CountedWait | undefined {
		for (let index = this.counted.length - 1; index >= 0; index--)
			if (this.counted[index]?.wait === wait) return this.counted[index];
		return undefined;
	}

	private stay(call: Call, queue: string, at: number, seen: boolean, wait = call.wait): Stay {
		const stay: Stay = { queue, seen, enter: { at, known: this.now } };
		(wait as Wait).stays.push(stay);
		this.backAfter(call);
		const list = this.stays.get(queue);
		if (list) list.push(stay);
		else this.stays.set(queue, [stay]);
		this.queues.add(queue);
		return stay;
	}

	/** It goes on: an interruption while it was nowhere hid something. */
	private backAfter(call: Call): void {
		if (call.cutAway !== undefined) call.hiddenAt.push(call.cutAway);
		call.cutAway = undefined;
	}

	/** An event shows that the caller waits in a queue. */
	private shows(call: Call, named: string | undefined, at: number): void {
		if (call.talk || call.openStays.length > 0) return;
		// Nobody has waited again since the talk.
		const isCut = call.talks.at(-1)?.cut === true && (!call.wait || !!call.wait.answeredAt);
		const isLost =
			(call.maybeIn.size > 0 && call.unknownWait && !call.wait?.answeredAt) ||
			(call.recordAt === undefined && isCut && isNewTo(call, named));
		if (call.hadQueue && !isLost) return;
		const queue = named ?? [...call.maybeIn].at(-1);
		if (queue === undefined) return;
		call.endNotSeen = false;
		call.maybeIn.clear();
		call.placed.clear();
		const wait = this.openWait(call, at, false);
		this.stay(call, queue, at, false, wait);
		this.offersEarly(call, at);
	}

	private deleted(call: Call, queue: string | undefined, event: FeedEvent, at: number): void {
		if (call.own) {
			if (call.trunks.size === 0) call.recordAt = this.now;
			return;
		}
		const mark = { at, known: this.now };
		const isPlaced = queue === undefined ? call.placed.size > 0 : call.placed.has(queue);
		const isIn = queue === undefined || isNewTo(call, queue) || call.maybeIn.has(queue);
		if (call.maybeIn.size > 0 && isIn) {
			if (isNewTo(call, queue)) call.leftUnseen = queue;
			if (queue === undefined || isNewTo(call, queue)) call.maybeIn.clear();
			else call.maybeIn.delete(queue);
			call.queueLeft = call.placeLeft = mark;
		}
		const { talk, answer } = call;
		if (talk) {
			const named = answer?.stay?.queue;
			const isOther = ![named, answer?.named, talk.transferredTo].includes(queue);
			if (queue !== undefined && named !== undefined && isOther) {
				// It has lost the call at the answer.
			} else {
				const isLater = this.now - call.talkArrived > 2 * SECOND;
				if (!talk.isTransfer && !talk.isRest && !isLater) talk.isLostByQueue = true;
				if (answer && isLater) this.endTalk(call, at);
				call.placed.clear();
				call.queueLeft = call.placeLeft = mark;
			}
		} else if (
			isPlaced ||
			(call.endNotSeen && (call.talks.at(-1)?.cut || call.placedInDoubt) && isNewTo(call, queue))
		) {
			call.placed.clear();
			call.queueLeft = call.placeLeft = mark;
			call.endNotSeen = false;
		}
		this.leave(call, queue, at);
		this.heard(call, event, true);
		this.schedule(call);
	}

	private leave(call: Call, queue: string | undefined, at: number): void {
		const open = call.openStays;
		const leaving = queue === undefined ? open : open.filter((stay) => stay.queue === queue);
		if (leaving.length === 0) return;
		const mark = { at, known: this.now };
		const stillIn = open.length > leaving.length;
		for (const stay of leaving) {
			const last = !stillIn && stay === leaving.at(-1);
			stay.end = { ...mark, how: !stay.seen ? 'unknown' : last ? 'abandoned' : 'overflowed' };
		}
		call.queueLeft = call.placeLeft = mark;
		if (stillIn) return;
		const wait = call.wait as Wait;
		wait.outAt = at;
		if (call.waits.length === 1) this.waitedUpTo(call);
		const counted = this.countedOf(wait) as CountedWait;
		counted.end = { ...mark, how: counted.seen ? 'abandoned' : 'unknown' };
		// The caller may wait on elsewhere.
		for (const ring of this.endRings(call, at, true)) this.judgeRing(call, ring);
	}

	/** @param isLeaving then a phone may ring already for a queue that the call enters next */
	private endRings(call: Call, at: number, isLeaving = false): Call['rings'] {
		const ended = call.rings.filter(
			({ to, lost, queue }) => to === undefined && !lost && !(isLeaving && isNewTo(call, queue)),
		);
		for (const ring of ended) ring.to = Math.max(at, ring.from);
		for (const ring of ended) this.fallsSilent(call, ring.agent);
		return ended;
	}

	/** The call does not ring there any more, whatever the agent's status says. */
	private fallsSilent(call: Call, id: string): void {
		const agent = this.agents.get(id);
		if (agent?.call === call.id && agent.activity === 'ringing') agent.ringsSince = undefined;
	}

	private judgeRing(call: Call, ring: Call['rings'][number]): void {
		ring.isJudged = true;
		const stopped = this.now;
		// Before a snapshot of the same moment.
		this.agenda.add(this.now + 2 * SECOND + 0.99, () => {
			ring.isJudged = false;
			if (ring.lost || call.talk) return;
			// In a trunk the caller waits in the outcome alone.
			const isInTrunk = !call.hadQueue && call.trunks.size > 0 && call.isUnanswered;
			if (call.openStays.length === 0) ring.notAnswered = isInTrunk;
			if (call.openStays.length === 0) return;
			// Somebody had it meanwhile.
			if (call.talkArrived >= stopped) return;
			ring.notAnswered = true;
			if (this.agents.has(ring.agent) || this.rung.has(ring.agent))
				this.agent(ring.agent).notAnswered.push({
					at: ring.to as number,
					known: stopped + 2 * SECOND + 1,
				});
		});
	}

	// Answers and talks

	private connected(
		id: string,
		queue: string | undefined,
		agent: string | null,
		event: FeedEvent,
		at: number,
	): void {
		let call = this.known(id);
		const isStatus = event.type === 'operator';
		// The queue reports the answer after its agent.
		const isReport = !isStatus && queue !== undefined && call?.connectedAt !== undefined;
		if (call?.own && isReport && this.now - (call.connectedAt ?? 0) <= 2 * SECOND) call = undefined;
		if (call?.own) return;
		if (!call?.wasHad && isStatus && queue === undefined) {
			Object.assign(this.make(id), { own: true, startedBy: agent, connectedAt: this.now });
			return;
		}
		if (call && isStatus && this.isItsOwn(call, agent)) {
			this.heard(call, event, false);
			this.schedule(call);
			return;
		}
		if (call && isOther(call, event)) {
			if (isStatus && queue === undefined) return;
			call = undefined;
		}
		call ??= this.make(id);
		this.heard(call, event, true);
		this.takes(call, queue, agent, at, isStatus);
		this.schedule(call);
	}

	/** @param isStatus it is the agent's own: it shows a talk, whatever was heard of the answer before */
	private takes(
		call: Call,
		queue: string | undefined,
		agent: string | null,
		at: number,
		isStatus: boolean,
	): void {
		const { talk, answer, wait } = call;
		const isSecond = answer !== undefined && this.now - answer.arrived <= 2 * SECOND;
		if (talk) {
			const isAgain = this.now - call.talkArrived <= 2 * SECOND;
			if ((talk.isTransfer || talk.isRest) && isAgain && (agent === null || agent === talk.agent))
				talk.transferredTo ??= queue;
			// Of two who are named for one answer, each may have it.
			if (isSecond) for (const one of [talk.agent, agent]) if (one !== null) call.besides.add(one);
			if (isSecond) this.fill(call, answer, talk, queue, agent);
			else if (agent !== null && talk.agent === null) {
				this.hasAgent(call, talk, agent, at);
				if (call.hadQueue && talk.from === answer?.at)
					this.agent(agent).answered.push({ at: talk.from, known: this.now });
			} else if (agent !== null && agent !== talk.agent) {
				this.endTalk(call, at);
				this.beginTalk(call, agent, talk.queue, at);
				Object.assign(call.talk as Talk, { isTransfer: true, transferredTo: queue });
				call.besides.add(talk.agent as string);
			}
			return;
		}
		const last = call.talks.at(-1);
		// Unless the caller has waited again since, or another agent took the call in the first queue that is heard of.
		const isOther = agent !== null && agent !== last?.agent;
		const isQueues = wait === undefined && queue !== undefined && isOther;
		const isSame = call.openStays.length === 0 && wait?.outAt === undefined && !isQueues;
		// A report that names nobody shows nobody in the call.
		const isShown = agent !== null || last?.agent === null;
		if (last?.cut && !last.isOver && !call.endNotSeen && isSame && isShown) {
			this.comesBack(call);
			this.goesOnTalking(call, last, queue, agent, at);
			call.placedInDoubt = isNewTo(call, queue);
			return;
		}
		call.besides.clear();
		if (wait && wait.answeredAt === undefined) {
			this.comesBack(call);
			this.answers(call, wait, queue, agent, at);
			return;
		}
		// Of a call that only a trunk had, a queue is heard of for the first time.
		if (wait || (call.answer && queue === undefined)) {
			const isNobodys = agent === null && call.recordAt === undefined;
			if ((isSecond && !isStatus) || isNobodys) return;
			this.comesBack(call);
			this.endRings(call, at);
			this.beginTalk(call, agent, last?.queue ?? null, at);
			Object.assign(call.talk as Talk, { isTransfer: true, transferredTo: queue });
			call.endNotSeen = false;
			// An interruption hid how it came to that queue.
			if (call.interrupted && isNewTo(call, queue)) call.placedInDoubt = true;
			return;
		}
		this.comesBack(call);
		if (queue !== undefined) {
			const unseen = this.openWait(call, at, false);
			const stay = this.stay(call, queue, at, false, unseen);
			this.waitedUpTo(call);
			this.decide(call, unseen, stay, [stay], queue, agent, at);
			return;
		}
		// Only a trunk had it.
		call.answer = { at, arrived: this.now, stay: undefined, others: [], queueOpen: false };
		call.firstAnswer = { at, agent, queue: null };
		this.endRings(call, at);
		this.beginTalk(call, agent, null, at);
		this.tellAnswered(call);
	}

	private goesOnTalking(
		call: Call,
		last: Talk,
		queue: string | undefined,
		agent: string | null,
		at: number,
	): void {
		const isPlaced = call.maybeIn.size > 0;
		call.maybeIn.clear();
		const { counted } = last;
		if (!isPlaced) call.placed.clear();
		else if (queue !== undefined || counted?.queue != null)
			call.placed = new Set([counted?.queue ?? (queue as string)]);
		if (agent !== null && agent !== last.agent) {
			this.endRings(call, at);
			this.beginTalk(call, agent, last.queue, at);
			Object.assign(call.talk as Talk, { isTransfer: true, transferredTo: queue });
			return;
		}
		last.cut = false;
		const from = last.to as number;
		last.to = undefined;
		if (last.agent !== null) this.hasTalk(last.agent, call, last.queue);
		if (!counted) return;
		if (counted.end && this.wasTold(counted.end)) {
			last.counted = { queue: counted.queue, call, from };
			this.talks.push(last.counted);
		} else counted.end = undefined;
	}

	private answers(
		call: Call,
		wait: Wait,
		queue: string | undefined,
		agent: string | null,
		at: number,
	): void {
		const open = call.openStays;
		if (open.length > 0) {
			const named = open.find((one) => one.queue === queue);
			const left = named ? undefined : this.leftBefore(wait, queue);
			const stay = named ?? left ?? open.at(-1);
			this.decide(call, wait, stay, left ? [...open, left] : open, queue, agent, at);
			if (left) this.loseQueue(call);
			return;
		}
		const counted = this.countedOf(wait) as CountedWait;
		const hasJustLeft = this.now - (call.queueLeft?.known ?? 0) <= 2 * SECOND;
		const isOther = queue !== undefined && queue !== call.leftLast;
		const isElsewhere = isOther && !hasJustLeft && !call.firstAnswer;
		if (wait.outAt === undefined && call.maybeIn.size === 0 && !isElsewhere) {
			// It had left the queue after an interruption: nobody knows how.
			const isNamed = hasJustLeft && (!isNewTo(call, queue) || queue === call.leftUnseen);
			const talkQueue = call.talks.at(-1)?.queue ?? (isNamed && queue !== undefined ? queue : null);
			call.answer ??= { at, arrived: this.now, stay: undefined, others: [], queueOpen: false };
			call.firstAnswer ??= { at, agent, queue: talkQueue ?? call.lastQueue };
			this.endRings(call, at);
			this.beginTalk(call, agent, talkQueue, at);
			if (hasJustLeft && !call.toldAnswered) this.loseQueue(call);
			if (agent !== null && !call.toldAnswered)
				this.agent(agent).answered.push({ at, known: this.now });
			this.tellAnswered(call);
			return;
		}
		if (call.maybeIn.size > 0 || wait.outAt === undefined) {
			// It turns out to have waited through an interruption.
			const where = queue ?? [...call.maybeIn].at(-1) ?? wait.stays.at(-1)?.queue;
			call.maybeIn.clear();
			this.openWait(call, at, false);
			const stay = this.stay(call, where as string, at, false, wait);
			this.decide(call, wait, stay, [stay], queue, agent, at);
			return;
		}
		const isOwnEnd = this.now - (call.queueLeft as Mark).known <= 2 * SECOND;
		if (isOwnEnd) {
			// The one that it left last: of another one whose entry was not seen, the end says nothing.
			const endOf = ({ end }: Stay) => end?.at ?? Infinity;
			const last = wait.stays
				.filter(({ end }) => end && this.now - end.known <= 2 * SECOND && end.how !== 'overflowed')
				.sort((one, other) => endOf(one) - endOf(other))
				.at(-1);
			const stay = this.leftBefore(wait, queue) ?? last;
			if (stay) {
				this.goesOn(wait, counted);
				this.decide(call, wait, stay, [stay], queue, agent, at);
				this.loseQueue(call);
				return;
			}
		}
		const { leftLast } = call;
		if (wait.outAt !== undefined && counted.end) this.goesOn(wait, counted);
		if (queue !== undefined && queue !== leftLast && !isOwnEnd) {
			// Its entry was not seen.
			const stay = this.stay(call, queue, at, false, wait);
			this.decide(call, wait, stay, [stay], queue, agent, at);
			return;
		}
		this.decide(call, wait, undefined, [], queue, agent, at);
		if (isOwnEnd) this.loseQueue(call);
	}

	/** The queue had lost the call just before the answer. */
	private loseQueue(call: Call): void {
		call.placed.clear();
		if (call.talk) call.talk.isLostByQueue = true;
	}

	/** It is a late report of the entry. */
	private hasJustOverflowed(call: Call, queue: string): boolean {
		const last = call.waits.flatMap(({ stays }) => stays).findLast((stay) => stay.queue === queue);
		const isLost = last?.end?.how === 'overflowed' || (last?.end?.how === 'unknown' && !last.seen);
		return isLost && this.now - (last?.end?.known ?? 0) <= 2 * SECOND;
	}

	/** A queue's stay that ended within two seconds before: its deletion was delivered before the answer. */
	private leftBefore({ stays }: Wait, queue: string | undefined): Stay | undefined {
		const last = stays.findLast((stay) => stay.queue === queue);
		return last?.end && this.now - last.end.known <= 2 * SECOND ? last : undefined;
	}

	/** An answer, of a wait that is counted as going on. */
	private decide(
		call: Call,
		wait: Wait,
		stay: Stay | undefined,
		open: Stay[],
		named: string | undefined,
		agent: string | null,
		at: number,
	): void {
		const mark = { at, known: this.now };
		const left = wait.stays.filter(
			({ seen, end }) =>
				end && (end.how === 'overflowed' || !seen) && this.now - end.known <= 2 * SECOND,
		);
		for (const one of open) {
			// What was told stays as it was.
			if (one.end && this.wasTold(one.end)) continue;
			const how = !one.seen ? 'unknown' : one === stay ? 'answered' : 'overflowed';
			one.end = { ...mark, how };
		}
		const counted = this.countedOf(wait) as CountedWait;
		if (!counted.end) counted.end = { ...mark, how: counted.seen ? 'answered' : 'unknown' };
		wait.answeredAt = at;
		wait.outAt = undefined;
		this.waitedUpTo(call);
		call.answer = {
			at,
			arrived: this.now,
			stay,
			others: open.filter((one) => one !== stay),
			left: left.filter((one) => one !== stay),
			queueOpen: stay === undefined || stay.queue !== named,
			named,
		};
		const queue = stay?.queue ?? null;
		call.firstAnswer ??= { at, agent, queue: queue ?? call.lastQueue };
		call.placed = new Set(queue === null ? [] : [queue]);
		this.endRings(call, at);
		this.beginTalk(call, agent, queue, at);
		if (agent !== null) this.agent(agent).answered.push(mark);
		this.tellAnswered(call);
	}

	private tellAnswered(call: Call): void {
		if (call.toldAnswered) return;
		call.toldAnswered = true;
		this.observer.answered(call, this.now);
	}

	/** The second report of an answer fills what the first one left open. */
	private fill(
		call: Call,
		answer: Answer,
		talk: Talk,
		queue: string | undefined,
		agent: string | null,
	): void {
		if (talk.agent === null && agent !== null) {
			this.hasAgent(call, talk, agent, answer.at);
			if (call.hadQueue) this.agent(agent).answered.push({ at: answer.at, known: this.now });
		}
		if (queue !== undefined && !call.hadQueue) {
			const mark = { at: answer.at, known: this.now };
			this.wasAnsweredIn(call, talk, answer, queue, mark, false);
			return;
		}
		if (!answer.queueOpen || queue === undefined) return;
		answer.named ??= queue;
		const other = answer.others.find((one) => one.queue === queue);
		const right = other ?? answer.left?.findLast((one) => one.queue === queue);
		if (queue === answer.stay?.queue) answer.queueOpen = false;
		if (!right?.end || !answer.stay?.end) return;
		answer.queueOpen = false;
		const { at, known } = answer.stay.end;
		// It came before the answer, however late it is heard of.
		right.enter = { ...right.enter, at: Math.min(right.enter.at, at) };
		if (!this.wasTold(right.end))
			right.end = { at, known, how: right.seen ? 'answered' : 'unknown' };
		if (answer.stay.seen) answer.stay.end.how = 'overflowed';
		answer.others = [...answer.others.filter((one) => one !== right), answer.stay];
		answer.stay = right;
		talk.queue = queue;
		if (talk.agent !== null) this.hasTalk(talk.agent, call, queue);
		if (talk.counted) talk.counted.queue = queue;
		call.placed = new Set(other ? [queue] : []);
		if (call.firstAnswer?.at === answer.at) call.firstAnswer.queue = queue;
	}

	private hasAgent(call: Call, talk: Talk, agent: string, at: number): void {
		talk.agent = agent;
		if (call.firstAnswer?.at === at) call.firstAnswer.agent = agent;
		this.hasTalk(agent, call, talk.queue);
	}

	private beginTalk(call: Call, agent: string | null, queue: string | null, at: number): void {
		const counted = call.hadQueue ? { queue, call, from: at } : undefined;
		if (counted) this.talks.push(counted);
		call.talks.push({ agent, queue, from: at, cut: false, counted });
		call.endNotSeen = false;
		this.backAfter(call);
		// A ring of before is one of an earlier call with that identifier.
		for (const [id, { ringHeard }] of this.agents)
			if (ringHeard >= call.bornAt) this.fallsSilent(call, id);
		call.early.clear();
		call.talkArrived = this.now;
		call.talkTrunks = new Set(call.trunks);
		if (agent !== null) this.hasTalk(agent, call, queue);
	}

	/** The calls that each agent has had: a lost end leaves one open. */
	private readonly lastTalks = new Map<
		string,
		{ call: Call; queue: string | null; isCounted: boolean }
	>();
	private readonly talkingTo = new Map<string, Set<Call>>();

	private hasTalk(agent: string, call: Call, queue: string | null): void {
		this.fallsSilent(call, agent);
		// A talk from a trunk is in no figure, nor is the wrap-up after it.
		this.lastTalks.set(agent, { call, queue, isCounted: call.hadQueue });
		const open = [...(this.talkingTo.get(agent) ?? [])].filter(
			({ talks }) => talks.at(-1)?.agent === agent && (talks.at(-1)?.cut || !talks.at(-1)?.to),
		);
		this.talkingTo.set(agent, new Set([...open, call]));
		const one = this.agents.get(agent);
		if (one?.call !== call.id || one.activity === 'ringing' || queue === null) return;
		one.queue = queue;
		this.changed(one, this.moment);
	}

	/** Of several agents in one call, one has it: after that one another who is still there. */
	private passOn(call: Call, from: string, at: number): boolean {
		const { queue = null } = call.talks.at(-1) ?? {};
		const next = [...call.besides].find((id) => {
			const { activity = '', call: current } = this.agents.get(id) ?? {};
			return id !== from && current === call.id && ['talking', 'transferring'].includes(activity);
		});
		if (!next) return false;
		const { talkArrived } = call;
		this.beginTalk(call, next, queue, at);
		(call.talk as Talk).isRest = true;
		call.talkArrived = talkArrived;
		return true;
	}

	private endTalk(call: Call, at: number): void {
		const { talk } = call;
		if (!talk) return;
		talk.to = at;
		call.talkEnded = { at, known: this.now };
		const isAgain = call.talks.some((one) => one !== talk && one.agent === talk.agent);
		if (isAgain && talk.isRest && at - talk.from < 2 * SECOND) {
			call.talks.splice(call.talks.indexOf(talk), 1);
			if (talk.counted) this.talks.splice(this.talks.indexOf(talk.counted), 1);
		}
		if (talk.counted) talk.counted.end = { at, known: this.now };
	}

	/** It goes on after its record. */
	private comesBack(call: Call): void {
		if (call.recordAt === undefined) return;
		call.recordAt = undefined;
		this.observer.cameBack(call);
	}

	// Trunks

	private trunkEvent(event: FeedEvent, at: number): void {
		const id = textOf(event.msg.id_call);
		const trunk = textOf(event.msg.id_trunk) ?? '';
		if (id === undefined) return;
		let call = this.known(id);
		if (this.isOld(call, event)) return;
		const mark = { at, known: this.now };
		if (event.event === 'insert_call') {
			if (call && isOther(call, event)) call = undefined;
			call ??= this.make(id);
			// It was in trunks alone, and goes on in one.
			if (!call.hadQueue && call.talks.length === 0) call.recordAt = undefined;
			if (!call.wasHad) call.waitedFrom = this.order;
			call.trunks.add(trunk);
			call.knownTrunks.add(trunk);
			call.trunkEnteredAt ??= at;
			call.trunkKnownAt ??= this.now;
			call.entered(at);
			this.backAfter(call);
			// Whoever was with an agent was passed on.
			const wasPassedOn = call.talks.length > 0 && !call.talk && call.openStays.length === 0;
			if (wasPassedOn && !call.hadQueue) {
				call.talkTrunks.clear();
				call.endNotSeen = false;
			} else if (wasPassedOn && call.maybeIn.size + call.placed.size > 0) {
				call.maybeIn.clear();
				call.placed.clear();
				call.endNotSeen = false;
				if (call.queueLeft) call.queueLeft = { at: call.queueLeft.at, known: this.now };
				else if (call.talkEnded) call.talkEnded = { at: call.talkEnded.at, known: this.now };
			}
		} else if (event.event === 'connect_call') {
			if (!call?.wasHad) {
				// It came before it was heard of.
				call ??= this.make(id);
				call.recordAt = undefined;
				call.startUnseen = true;
				call.trunks.add(trunk);
				call.knownTrunks.add(trunk);
				call.trunkKnownAt = this.now;
			}
			const { placeLeft } = call;
			const isLate = placeLeft !== undefined && this.now - placeLeft.known <= 2 * SECOND;
			if (call.trunks.has(trunk)) call.trunkAnsweredAt ??= at;
			else if (isLate && call.knownTrunks.has(trunk)) call.trunkAnsweredAt ??= placeLeft.at;
		} else if (event.event === 'delete_call') {
			if (!call) {
				this.noteEnd(id, event);
				return;
			}
			const wasIn = call.trunks.delete(trunk);
			if (call.own) {
				if (call.trunks.size === 0) call.recordAt = this.now;
				return;
			}
			// Of a transfer that failed, or of a site that has passed the call on.
			const isItsTrunk = (wasIn && call.talkTrunks.has(trunk)) || !call.knownTrunks.has(trunk);
			if (call.talk && !(call.trunks.size === 0 && isItsTrunk)) {
				this.heard(call, event, true);
				this.schedule(call);
				return;
			}
			if (call.talk) {
				if (call.answer && this.now - call.talkArrived > 2 * SECOND) {
					this.endTalk(call, at);
					call.placed.clear();
				}
				call.placeLeft = mark;
			} else if (wasIn) {
				call.placeLeft = mark;
				// Its agent was seen without it, or its talk lost: then a trunk's deletion is the end of the call.
				const last = call.talks.at(-1);
				if (call.endNotSeen || (last?.cut && !last.isOver && call.trunks.size === 0)) {
					call.endNotSeen = false;
					call.placed.clear();
					call.maybeIn.clear();
					call.talkTrunks.clear();
				}
			}
			const isNowhere = call.trunks.size + call.placed.size + call.maybeIn.size === 0;
			// It may be in a queue next.
			if (wasIn && isNowhere && call.openStays.length === 0)
				for (const ring of this.endRings(call, at, true)) this.judgeRing(call, ring);
			if (!call.hadQueue && wasIn) this.waitedUpTo(call);
		} else return;
		// The trunk's own answer is none of an agent.
		this.heard(call, event, event.event !== 'connect_call');
		this.schedule(call);
	}

	// Agents

	agent(id: string): Agent {
		let agent = this.agents.get(id);
		if (!agent) {
			agent = new Agent(id);
			this.agents.set(id, agent);
		}
		return agent;
	}

	private changed(agent: Agent, at: number): void {
		const { state, call, queue, isAway } = agent;
		const pause = state === 'on_break' ? agent.pause : null;
		const shown = [state, call, isAway].join('|');
		if (state === 'on_break') agent.breakSince ??= at;
		if (agent.presence !== 'on_break') agent.breakSince = undefined;
		const isSame = shown === agent.shown;
		const last = agent.spans.at(-1);
		if (isSame && last && last.queue === queue && last.pause === pause) return;
		agent.shown = shown;
		const since = isSame && last ? last.since : at;
		// A wrap-up that time had ended was ended sooner by an event that was late.
		agent.states.push({ isAway, from: at, order: this.order });
		while ((agent.spans.at(-1)?.from ?? 0) > at) agent.spans.pop();
		agent.spans.push({ state, pause, call, queue, since, from: at });
	}

	private userInterface({ event, msg, cpt }: FeedEvent, at: number): void {
		const id = textOf(msg.id_operator);
		if (id === undefined || !['login', 'logout', 'pause', 'unpause'].includes(event)) return;
		const agent = this.agent(id);
		const { numbers } = agent;
		if (cpt !== undefined && numbers.presence !== undefined && cpt < numbers.presence) return;
		numbers.presence = cpt ?? numbers.presence;
		this.statusHeard = true;
		const presence = event === 'logout' ? 'logged_out' : event === 'pause' ? 'on_break' : 'ready';
		const pause = event === 'pause' ? (textOf(msg.supp) ?? null) : null;
		// What is said again changes nothing.
		const isAgain = presence === agent.presence && pause === agent.pause;
		if (event === 'logout' || !isAgain) this.asAt(agent, at);
		Object.assign(agent, { presence, pause });
		if (agent.presence === 'ready') agent.readyAt = at;
		if (event === 'logout') {
			this.stopsRinging(id, undefined, at);
			this.seenWithout(agent, at);
			Object.assign(agent, { activity: 'none', call: null, queue: null, activitySince: at });
			agent.wrapOver = false;
			numbers.activity = Math.max(cpt ?? 0, numbers.activity ?? 0);
			agent.ringsSince = undefined;
			agent.version++;
		}
		this.changed(agent, at);
	}

	private agentStatus(event: FeedEvent, at: number): void {
		const { msg, cpt } = event;
		const id = textOf(msg.id_operator);
		const status = textOf(msg.status);
		if (id === undefined || status === undefined) return;
		const queue = textOf(msg.id_queue);
		const agent = this.agent(id);
		const has = ['ringing', 'talking', 'calling', 'transferring'].includes(agent.activity);
		const callId = textOf(msg.id_call) ?? (has ? (agent.call ?? undefined) : undefined);
		const call = callId === undefined ? undefined : this.known(callId);
		const { numbers } = agent;
		// That an agent has the call, or has not, changes nothing in a call of which that is known.
		const isKnown = status === (call?.talk?.agent === id ? 'connected' : 'available');
		const isOfCall = textOf(msg.id_call) !== undefined || call?.talk?.agent === id;
		if (isOfCall && !isKnown && this.isOld(call, event)) return;
		// Nor does it end what the agent has taken since.
		if (this.callsOf(id).some((one) => one !== call && this.isOld(one, event))) return;
		if (cpt !== undefined && numbers.activity !== undefined && cpt < numbers.activity) return;
		this.statusHeard = true;
		this.asAt(agent, at);

		const isNothing = status === 'transfert_end' && agent.activity !== 'transferring';
		// What says nothing makes nothing old.
		if (!isNothing) numbers.activity = cpt ?? numbers.activity;
		if (status === 'connected') call?.early.delete(id);
		if (!isNothing && (status !== 'ringing' || callId !== agent.call))
			this.stopsRinging(id, ['connected', 'ringing'].includes(status) ? callId : undefined, at);
		// Connected in a call of the agent's own: the caller may be on hold.
		const isConsulting =
			status === 'connected' &&
			((call && this.isItsOwn(call, id)) ||
				call?.own === true ||
				// Also if its deletion was delivered before.
				(call?.wasHad !== true && queue === undefined));
		if (status === 'available') this.seenWithout(agent, at);
		else if (!status.startsWith('transfert_') && status !== 'calling' && !isConsulting)
			this.nextStatus(agent, ['connected', 'ringing'].includes(status) ? callId : undefined, at);
		if (status === 'available' && call?.own) call.recordAt = this.now;
		if (status === 'available') this.wrapsUp(agent, msg.catchup, at);
		if (status === 'ringing' && call && !call.own && call.recordAt === undefined)
			this.shows(call, queue, at);
		const isAnswered = call?.wait?.answeredAt !== undefined;
		const isQueueCall = (queue !== undefined && !isAnswered) || (call?.openStays.length ?? 0) > 0;
		// Without a transfer it says nothing.
		if (isNothing) {
			if (!call || call.own || call.recordAt !== undefined) return;
			this.heard(call, event, false);
			this.schedule(call);
			return;
		}
		if (agent.presence === undefined) agent.presence = 'ready';
		const isRing = status === 'ringing' && isQueueCall && isNewRing(call, id);
		if (isRing && !this.isBeforeBreak(agent, event)) this.endsBreak(agent);
		this.act(agent, status, callId, queue, msg.catchup, at);
		agent.number = textOf(msg.caller_id_num);
		this.changed(agent, at);

		if (callId === undefined) return;
		if (status === 'connected') this.connected(callId, queue, id, event, at);
		else if (status === 'ringing') this.rings(callId, queue, id, event, at);
		else if (status === 'calling') this.calling(callId, id);
		// Who calls somebody without having a caller has no talk to wrap up.
		const isOwn = this.known(callId)?.own === true;
		if (isOwn && !['ringing', 'available'].includes(status) && this.callsOf(id).length === 0)
			this.lastTalks.delete(id);
		if (['connected', 'ringing', 'calling'].includes(status)) return;
		if (call && !call.own && call.recordAt === undefined) {
			const last = call.talks.at(-1);
			const isCut = last?.cut && !call.endNotSeen && last.agent === id;
			// A transfer of a call that has left everything since is too late.
			const isSomewhere = call.placed.size + call.maybeIn.size + call.trunks.size > 0;
			const hasLeft = (call.placeLeft?.known ?? 0) > (last?.to ?? 0);
			if (status.startsWith('transfert_') && isCut && (isSomewhere || !hasLeft))
				this.goesOnTalking(call, last, queue, id, at);
			// Who transfers a call has it: it was answered while the feed was interrupted.
			const mayWait = call.maybeIn.size > 0 && call.wait?.answeredAt === undefined && !call.talk;
			if (status === 'transfert_start' && mayWait && !this.isItsOwn(call, id))
				this.connected(callId, queue, id, event, at);
			// The status that ended the talk is no further event of the call.
			this.heard(call, event, false);
			this.schedule(call);
		}
	}

	/** It was sent before the agent paused, or logged out. */
	private isBeforeBreak({ numbers: { presence } }: Agent, { cpt }: FeedEvent): boolean {
		return cpt !== undefined && presence !== undefined && cpt < presence;
	}

	/** A queue lets its phone ring: the end of a break was missed. */
	private endsBreak(agent: Agent, at?: number): void {
		if (agent.presence === 'ready') return;
		if (at !== undefined) this.asAt(agent, at);
		agent.presence = 'ready';
		agent.pause = null;
		if (at !== undefined) this.changed(agent, at);
	}

	private act(
		agent: Agent,
		status: string,
		callId: string | undefined,
		queue: string | undefined,
		catchup: unknown,
		at: number,
	): void {
		let activity: Activity;
		const seconds = numberOf(catchup);
		if (status === 'available') activity = seconds > 0 ? 'wrap_up' : 'none';
		else if (status === 'transfert_end') {
			if (agent.activity !== 'transferring') return;
			activity = 'talking';
		} else activity = ACTIVITIES[status] ?? 'unknown';
		const hasCall = activity !== 'none' && activity !== 'wrap_up' && activity !== 'unknown';
		const call = hasCall ? (callId ?? null) : null;
		if (activity !== 'ringing') agent.ringsSince = undefined;
		else if (agent.call !== call || agent.ringsSince === undefined)
			// Another ring, also if nothing showed the end of the one before.
			Object.assign(agent, { ringsSince: at, ringHeard: this.now, shown: '' });
		if (activity !== agent.activity || call !== agent.call || activity === 'wrap_up')
			agent.activitySince = at;
		const of = call === null ? undefined : this.calls.get(call);
		const talking = of?.talk?.agent === agent.id ? of.talk.queue : null;
		const where = talking ?? queue ?? of?.openStays.at(-1)?.queue;
		Object.assign(agent, {
			activity,
			queue: hasCall ? (where ?? (call === agent.call ? agent.queue : null)) : null,
			call,
		});
		agent.version++;
		agent.wrapOver = false;
		if (activity !== 'wrap_up') return;
		agent.wrapsUpTo = at + seconds * SECOND;
		this.endsWrapUp(agent);
	}

	/** What was held up may have been sent before time ended a wrap-up, which was going on then, as it was. */
	private asAt(agent: Agent, at: number): void {
		if (!agent.wrapOver || at >= agent.wrapsUpTo) return;
		agent.wrapOver = false;
		agent.activity = 'wrap_up';
		agent.breakSince = agent.breakBefore;
		this.endsWrapUp(agent);
		while ((agent.spans.at(-1)?.from ?? 0) > at) agent.spans.pop();
		const { state, call, isAway } = agent;
		agent.shown = [state, call, isAway].join('|');
		agent.states.push({ isAway, from: at, order: this.order });
	}

	private endsWrapUp(agent: Agent): void {
		const until = agent.wrapsUpTo;
		const version = ++agent.version;
		this.agenda.add(Math.max(until, this.now), () => {
			if (agent.version !== version || agent.activity !== 'wrap_up') return;
			agent.activity = 'none';
			agent.wrapOver = true;
			agent.breakBefore = agent.breakSince;
			this.order++;
			this.moment = until;
			this.changed(agent, until);
		});
	}

	/** The agent's phone rings for nothing, or for another call. */
	private stopsRinging(agent: string, connectedIn: string | undefined, at: number): void {
		for (const call of this.calls.values()) if (call.id !== connectedIn) call.early.delete(agent);
		for (const call of this.callsRingingAt(agent)) {
			if (call.id === connectedIn) continue;
			for (const ring of call.rings) {
				if (ring.agent !== agent || ring.to !== undefined || ring.lost) continue;
				ring.to = Math.max(at, ring.from);
				this.judgeRing(call, ring);
			}
		}
	}

	/** Agents whose phone rang, also those whose status was never heard. */
	private readonly rung = new Set<string>();
	private readonly ringingAt = new Map<string, Set<Call>>();

	private callsRingingAt(agent: string): Call[] {
		const calls = [...(this.ringingAt.get(agent) ?? [])];
		this.ringingAt.delete(agent);
		return calls;
	}

	/** The agent is seen without any call. */
	private seenWithout(agent: Agent, at: number): void {
		for (const call of this.callsOf(agent.id)) {
			this.endTalk(call, at);
			call.endNotSeen = !this.passOn(call, agent.id, at) && call.isHeld;
			call.lastHeard = this.now;
			this.schedule(call);
		}
		this.endsCut(agent.id);
	}

	/** The agent does not have the calls any more whose talk an interruption cut. */
	private endsCut(agent: string): void {
		for (const call of this.talkingTo.get(agent) ?? []) {
			const last = call.talks.at(-1);
			if (!last?.cut || last.agent !== agent) continue;
			this.endsUnseen(call, last);
			if (call.isHeld && !call.hadQueue && !call.endNotSeen) {
				call.endNotSeen = true;
				call.lastHeard = this.now;
				this.schedule(call);
			}
			if (call.maybeIn.size === 0) continue;
			// The caller has waited again since.
			if (call.wait?.answeredAt === undefined) continue;
			// Of a talk that was going on at an interruption.
			call.endNotSeen = true;
			if (call.talkEnded) call.talkEnded = { at: call.talkEnded.at, known: this.now };
			call.placed = call.maybeIn;
			call.maybeIn = new Set();
			call.lastHeard = this.now;
			this.schedule(call);
		}
	}

	/** Its agent is seen without a call of which the feed had lost sight. */
	private endsUnseen(call: Call, last: Talk): void {
		const isUnseen = this.isCutUnseen(call) && call.maybeIn.size === 0;
		last.isOver = true;
		if (isUnseen && call.talkEnded) call.talkEnded = { at: call.talkEnded.at, known: this.now };
		if (isUnseen) this.schedule(call);
	}

	/**
	 * A talk whose queue was left at the answer ends with its agent's next status.
	 * @param callId in which the agent is connected, or the phone rings
	 */
	private nextStatus(agent: Agent, callId: string | undefined, at: number): void {
		for (const call of this.callsOf(agent.id)) {
			const isLeft = call.hadQueue
				? call.placed.size === 0 && call.queueLeft !== undefined
				: call.trunks.size === 0;
			if (!isLeft || call.id === callId || !call.answer) continue;
			if (isOfTrunk(call, call.talk)) continue;
			this.endTalk(call, at);
			this.passOn(call, agent.id, at);
			this.schedule(call);
		}
		for (const call of this.talkingTo.get(agent.id) ?? []) {
			const last = call.talks.at(-1);
			const isElsewhere = call.hadQueue ? call.placed.size > 0 : call.trunks.size > 0;
			if (isElsewhere || isOfTrunk(call, last) || call.maybeIn.size > 0 || call.id === callId)
				continue;
			if (last?.cut && last.agent === agent.id) this.endsUnseen(call, last);
		}
	}

	private callsOf(agent: string): Call[] {
		return [...(this.talkingTo.get(agent) ?? [])].filter(({ talk }) => talk?.agent === agent);
	}

	private wrapsUp(agent: Agent, catchup: unknown, at: number): void {
		const seconds = numberOf(catchup);
		if (!(seconds > 0)) return;
		this.hasCatchup = true;
		const lastTalk = this.lastTalks.get(agent.id);
		if (!lastTalk) return;
		const goesOn = agent.activity === 'wrap_up' ? Math.max(0, agent.wrapsUpTo - at) : 0;
		const more = Math.max(0, Math.round(seconds - goesOn / SECOND));
		lastTalk.call.wrapUp = (lastTalk.call.wrapUp ?? 0) + more;
		if (!lastTalk.isCounted) return;
		this.wrapUps.push({ at, known: this.now, queue: lastTalk.queue, seconds: more });
	}

	/** The agent's own call that a queue has now: unless the queue says so, they don't answer it. */
	private isItsOwn(call: Call, agent: string | null): boolean {
		return call.startedBy === agent && !call.talks.some((talk) => talk.agent === agent);
	}

	private calling(id: string, agent: string): void {
		const call = this.known(id);
		if (!call) Object.assign(this.make(id), { own: true, startedBy: agent });
		else if (
			!call.hadQueue &&
			!call.answer &&
			this.now - (call.trunkKnownAt ?? this.now) <= 5 * SECOND
		) {
			Object.assign(call, { own: true, startedBy: agent, recordAt: undefined });
		}
	}

	private rings(
		id: string,
		queue: string | undefined,
		agent: string,
		event: FeedEvent,
		at: number,
	): void {
		let call = this.known(id);
		if (call?.own) return;
		// The queue offers it to whoever began it.
		if (call?.startedBy === agent) call.startedBy = undefined;
		if (call?.recordAt !== undefined) {
			call.ringsEarly(agent, queue);
			return;
		}
		call ??= this.make(id);
		this.shows(call, queue, at);
		this.heard(call, event, false);
		this.ringsAt(call, agent, queue, at);
		this.schedule(call);
	}

	private ringsAt(call: Call, agent: string, queue: string | undefined, at: number): void {
		// Behind a queue, it may ring in the trunk that has the call then, but not for that queue.
		const isElsewhere = queue === undefined || isNewTo(call, queue);
		const isBehind = call.trunks.size > 0 && isElsewhere && !this.isCutUnseen(call);
		const waits = call.openStays.length > 0 || (!call.talk && (!call.hadQueue || isBehind));
		const rings = call.rings.some(
			(ring) => ring.agent === agent && ring.to === undefined && !ring.lost,
		);
		if (waits && !rings)
			call.rings.push({ agent, queue, from: at, lost: false, notAnswered: false, isJudged: false });
		if (waits) {
			this.rung.add(agent);
			const calls = this.ringingAt.get(agent);
			if (calls) calls.add(call);
			else this.ringingAt.set(agent, new Set([call]));
		} else call.ringsEarly(agent, queue);
	}

	// Ends

	private interrupt(call: Call, from: number): void {
		call.newestNumber = call.newestStart = undefined;
		// One that is somewhere may come back.
		const isNowhere = call.trunks.size + call.placed.size === 0;
		if (isNowhere && call.wasHad && call.openStays.length === 0 && !call.talk)
			call.cutAway = this.now;
		call.early.clear();
		if (call.own || (call.recordAt !== undefined && isNowhere)) return;
		const mark = { at: this.now, known: this.now };
		const open = call.openStays;
		const { talk } = call;
		for (const ring of call.rings) ring.lost ||= ring.to === undefined || ring.isJudged;
		if (open.length > 0) {
			for (const stay of open) {
				stay.end = { ...mark, how: 'unknown' };
				call.maybeIn.add(stay.queue);
			}
			const counted = this.countedOf(call.wait as Wait) as CountedWait;
			counted.end = { ...mark, how: 'unknown' };
			call.unknownWait = true;
			call.interrupted = true;
		} else if (talk) {
			// Nobody has seen the agent leave together with a colleague.
			talk.isRest = false;
			this.endTalk(call, this.now);
			talk.cut = true;
			call.maybeIn = new Set(call.placed);
			call.placed.clear();
			call.interrupted = true;
		} else if (call.placed.size > 0 || call.trunks.size > 0) {
			call.interrupted = true;
			call.placedInDoubt = call.placed.size > 0;
		} else {
			// It had left, but something was missed before.
			const left = Math.max(call.placeLeft?.at ?? 0, call.talkEnded?.at ?? 0);
			if (call.wasHad && from < left) {
				call.interrupted = true;
				call.hiddenAt.push(left);
			}
			this.schedule(call);
			return;
		}
		call.hiddenAt.push(this.now);
		this.schedule(call);
	}

	/** When the record of a call is due, if nothing happens. */
	private recordDue(call: Call): number | undefined {
		if (call.talk || call.openStays.length > 0) return undefined;
		if (call.maybeIn.size > 0) return undefined;
		if (this.isCutUnseen(call)) {
			const isNobodys =
				call.talks.at(-1)?.agent === null && call.trunks.size + call.placed.size === 0;
			return isNobodys ? call.lastHeard + MINUTE : undefined;
		}
		const left = [call.queueLeft, call.talkEnded].map((mark) => mark?.known ?? -Infinity);
		const lastQueue = Math.max(...left);
		const atLatest = lastQueue === -Infinity ? Infinity : lastQueue + MINUTE;
		if (call.placed.size > 0 || (call.endNotSeen && call.isHeld)) return call.lastHeard + MINUTE;
		if (call.trunks.size > 0) return atLatest === Infinity ? undefined : atLatest;
		const lastPlace = Math.max(lastQueue, call.placeLeft?.known ?? -Infinity);
		if (lastPlace === -Infinity) return undefined;
		return Math.min(lastPlace + 5 * SECOND, atLatest);
	}

	/** An interruption cut a talk, and nothing was seen of the call or of its agent since. */
	private isCutUnseen({ talks, queueLeft, placeLeft, talkEnded }: Call): boolean {
		const last = talks.at(-1);
		if (!last?.cut || last.isOver) return false;
		return [queueLeft, placeLeft, talkEnded].every((mark) => !mark || mark.known <= (last.to ?? 0));
	}

	private schedule(call: Call): void {
		if (call.recordAt !== undefined || call.own) return;
		const due = this.recordDue(call);
		const silent = call.openStays.length > 0 ? call.lastHeard + 2 * HOUR : Infinity;
		const isNowhere = call.talk?.agent === null && call.placed.size + call.trunks.size === 0;
		const forgotten = call.lastHeard + (isNowhere ? MINUTE : 12 * HOUR);
		const at = Math.min(due ?? Infinity, silent, forgotten);
		// Of two calls that left at one moment, the first one is told first.
		const isSame = at === due && call.tellsAt === due;
		call.tellsAt = at === due ? due : undefined;
		if (isSame) return;
		const version = ++call.version;
		this.agenda.add(Math.max(at, this.now), () => {
			if (call.version !== version || call.own || call.recordAt !== undefined) return;
			if (at === due) {
				// No queue comes next in which a phone may ring; it may ring on in a trunk.
				const marks = [call.queueLeft, call.placeLeft, call.talkEnded];
				const leftAt = Math.max(...marks.map((mark) => mark?.at ?? Number.NEGATIVE_INFINITY));
				const isOver = call.trunks.size === 0 || (call.endNotSeen && call.isHeld);
				for (const ring of isOver ? this.endRings(call, leftAt) : [])
					if (ring.from > leftAt) Object.assign(ring, { lost: true, to: undefined });
				this.tell(call);
			} else if (at === silent) this.nothingHeard(call);
			else this.giveUp(call);
		});
	}

	private nothingHeard(call: Call): void {
		const mark = { at: this.now, known: this.now };
		for (const stay of call.openStays) {
			stay.end = { ...mark, how: 'unknown' };
			call.maybeIn.add(stay.queue);
		}
		const counted = this.countedOf(call.wait as Wait) as CountedWait;
		counted.end = { ...mark, how: 'unknown' };
		call.unknownWait = true;
		this.schedule(call);
	}

	private giveUp(call: Call): void {
		this.moments.passed(this.now);
		call.endNotSeen = true;
		const { talk } = call;
		if (talk) {
			talk.cut = true;
			talk.to = this.now;
			if (call.placeLeft && call.placeLeft.at < talk.from) call.placeLeft = undefined;
			if (call.talkEnded && call.talkEnded.at < talk.from) call.talkEnded = undefined;
			if (talk.counted)
				Object.assign(talk.counted, { end: { at: this.now, known: this.now }, isLost: true });
		}
		call.trunks.clear();
		call.placed.clear();
		call.maybeIn.clear();
		if (!call.firstAnswer && !call.wait?.outAt) call.unknownWait = true;
		this.tell(call);
	}

	private tell(call: Call): void {
		call.recordAt = this.now;
		const { recordAt } = call;
		this.agenda.add(recordAt + MINUTE + 1, () => {
			const isRetired = call.recordAt === recordAt && this.isExpired(call);
			if (isRetired && this.calls.get(call.id) === call) this.calls.delete(call.id);
		});
		if (!call.wasHad) return;
		const kind = call.isUnanswered ? 'missed' : 'ended';
		this.observer.record(call, kind, this.now);
		call.records.push(kind);
	}

	/** When a wait passed the level, if it did. */
	lateMark(wait: Wait, counted: CountedWait, levelMs: number): Mark | undefined {
		if (wait.start === undefined || counted.wasLate) return undefined;
		const passes = wait.start + levelMs + 1;
		const until = Math.min(wait.answeredAt ?? Infinity, counted.end?.at ?? Infinity);
		if (counted.end && !counted.seen) return undefined;
		let first: Mark | undefined;
		for (const { enter, end } of wait.stays) {
			const to = end?.at ?? Infinity;
			if (to < passes || (enter.at > passes && enter.at > until)) continue;
			const at = Math.max(passes, enter.at);
			if (at <= until && (!first || at < first.at))
				first = { at, known: Math.max(at, enter.known) };
		}
		// As far as was known at that moment, the caller may have been in another queue.
		const { at: passed = 0 } = first ?? {};
		const wasSeen = wait.stays.some(
			({ enter, end }) => enter.known <= passed && (end?.known ?? Infinity) > passed,
		);
		if (first && wasSeen) first.known = passed;
		if (
			!first &&
			wait.answeredAt !== undefined &&
			wait.answeredAt >= passes &&
			wait.answeredAt <= until
		)
			first = { at: wait.answeredAt, known: Math.max(wait.answeredAt, counted.end?.known ?? 0) };
		if (!first || first.at > this.now) return undefined;
		return { at: first.at, known: Math.max(first.known, counted.enter.known) };
	}

	levelMs = 20 * SECOND;

	/** The logins, and what the agents showed whom one of them dropped. */
	private readonly logins: Array<{ ids: string[]; order: number; at: number }> = [];
	private readonly dropped = new Map<string, Agent['states']>();

	/** The first wait ended: nobody was available if, under each login in it, all of its agents were away. */
	private waitedUpTo(call: Call): void {
		call.waitedTo = this.order;
		const entered = call.waits[0]?.stays[0]?.enter.at ?? call.firstEntryAt ?? -Infinity;
		const first = this.logins.findLastIndex(
			({ order, at }) => order <= call.waitedFrom || at <= entered,
		);
		const during = this.logins.slice(Math.max(0, first));
		call.nobodyThen =
			during.length > 0 &&
			during.every(({ ids, order, at }, index) => {
				const since = index > 0 ? { order, at } : { order: call.waitedFrom, at: entered };
				const until = during[index + 1]?.order ?? call.waitedTo + 1;
				return ids.every((id) => this.wasAway(id, since, until));
			});
	}

	/** A state that ended at that moment does not count. @param until the order of what is behind */
	private wasAway(id: string, since: { order: number; at: number }, until: number): boolean {
		const states = [...(this.dropped.get(id) ?? []), ...(this.agents.get(id)?.states ?? [])];
		const known = states.filter(({ order }) => order < until || order <= since.order);
		const from = known.findLastIndex((one) => one.order <= since.order || one.from <= since.at);
		if (from < 0) return false;
		return known.slice(from).every(({ isAway }) => isAway);
	}
}

export function numberOf(value: unknown): number {
	const number = typeof value === 'number' ? value : Number(textOf(value) ?? 0);
	return Number.isFinite(number) ? number : 0;
}

/** Whether a recorded call's identifier is another caller's now. Of one number, all forms have the same last digits. */
function isOther({ recordAt, caller }: Call, { msg }: FeedEvent): boolean {
	const [before, now] = [caller, textOf(msg.caller_id_num)].map((one) =>
		one?.replace(/\D|^00/g, '').slice(-9),
	);
	return recordAt !== undefined && !!before && !!now && before !== now;
}

/** Whether the call was not seen in that queue yet. */
function isNewTo(call: Call, queue: string | undefined): boolean {
	const stays = call.waits.flatMap((wait) => wait.stays);
	return queue !== undefined && !stays.some((stay) => stay.queue === queue);
}

/** The deletion that ends it is a trunk's. */
function isOfTrunk(call: Call, talk: Talk | undefined): boolean {
	return talk?.isLostByQueue !== true && call.trunks.size > 0;
}
