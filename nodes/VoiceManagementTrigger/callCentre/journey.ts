// One call: where it is, who has it, and what became of it (docs/items.md, "A call"). It goes forward only; each method
// takes the moment of an event, and reports what has changed. The waits of its caller stand in callerWait.ts, the phones
// that ring for it in rings.ts.

import {
	CallerWait,
	MOST_PARTS,
	NONE,
	ONE_ANSWER_MS,
	TURNS_UP_MS,
	withId,
	without,
} from './callerWait';
import type {
	CallView,
	Change,
	Outcome,
	Moment,
	OutcomeKind,
	PartialReason,
	Stay,
	Talk,
	Wait,
} from './changes';
import type { Dated } from './deadlines';
import { Rings } from './rings';

/** By then a call that the queue has lost, or that its agent was seen without, is over; and it may come back. */
const OVER_MS = 60_000;
/** Of whoever was silent for so long, nobody knows whether they still wait. */
const SILENT_MS = 2 * 3_600_000;
const GIVEN_UP_MS = 12 * 3_600_000;
/** An agent's own call may be reported by the trunk first. */
const OWN_MS = 5_000;
type PlaceKind = 'queue' | 'trunk';

/** The first report of an answer. */
interface AgentAnswer {
	/** Its arrival. */
	readonly heardAt: number;
	/** In which queues the call was. */
	queues: readonly string[];
	/** The queue that it or another report names, perhaps before the call's entry is reported. */
	named: string | undefined;
}
const NO_ANSWER: AgentAnswer = { heardAt: 0, queues: NONE, named: undefined };

/** What a call needs to know of the rest. */
export interface Surroundings {
	report(change: Change): void;
	/** An agent has the call, or has it no more. */
	takes(agent: string, call: Journey, talk: Talk): void;
	releases(agent: string, call: Journey): void;
	/** An agent's phone does not ring for the call any more. */
	rests(agent: string, call: Journey): void;
	/** Whether any was heard, and since when none of the login is or may be available (undefined: one is, or nobody knows). */
	readonly agents: { readonly heard: boolean; readonly nobodySince: number | undefined };
}

/** An interruption of the feed, and the one after it. */
export interface Break {
	/** When it is known, and from when it may have hidden something. */
	readonly at: number;
	readonly from: number;
	next?: Break;
}

export class Journey implements CallView, Dated {
	caller: string | undefined;
	service: string | undefined;
	recorded: boolean | undefined;
	/** An agent's own call: no caller waits. */
	isOwn = false;
	/** The agent who began it, also if it has entered a queue since. */
	startedBy: string | undefined;
	/** Arrival of the `connected` by which it was taken for an agent's own, before any queue reported it. */
	connectedAt: number | undefined;
	/** Everybody who was reported in it since it was taken: whoever still is has it when its agent leaves. */
	seenAgents: readonly string[] = NONE;
	/** There was an `alert_op`. */
	isAlerted = false;
	/** The arrival of the newest event of the call. */
	heardAt: number;
	/** In which order events have changed calls. */
	turn = 0;
	/** `cpt` of the newest entry, answer or end, and of the newest entry or answer. */
	newest: number | undefined;
	newestStart: number | undefined;
	/** The newest interruption that it knows of. */
	lastBreak: Break;
	/** Its weight as it was counted last. */
	weighed = 0;
	due: number | undefined;
	slot: number | undefined;
	// Lists are replaced, not pushed to, as in callerWait.ts.
	trunks: readonly string[] = NONE;
	agents: readonly string[] = NONE;
	answeredAt: number | undefined;

	/** In which queues it is and was. */
	private readonly waiting = new CallerWait(this);
	private inTrunks: readonly string[] = NONE;
	/** In which it was when the talk began: the end of another one, to transfer it, is not that of the call. */
	private talkTrunks: readonly string[] = NONE;
	// The parts of the record, in order.
	private talks: Outcome['talks'] = NONE;
	readonly rings: Rings;
	talk: Talk | undefined;
	private answer = NO_ANSWER;
	/** The queue of the newest talk: a transfer keeps it. */
	private talkQueue: string | undefined;
	/** The arrival of the report by which the talk began. */
	private talkHeardAt = 0;
	/** The queue that this report, or a second one, names. */
	private talkNamed: string | undefined;
	/** It began with a caller whom its agent took. */
	private tookCaller = false;
	/** The queue lost the call when its agent took it: the agent's next status ends the talk, whatever trunk has it. */
	private isLostAtAnswer = false;
	/** The colleague with whom its agent had the call has left it. */
	private isRest = false;
	/** The talk of which the feed lost sight, when that was, and the talks before it. */
	private cutTalk: { talk: Talk; lostAt: Moment; talks: Outcome['talks'] } | undefined;
	/** The talk ended with its agent's status, and nothing was heard of the call since. */
	private isEndUnseen = false;
	private isSilent = false;
	/** It may have been answered: under a status that is not documented, or after nothing more was heard of it. */
	private unclearIn: PlaceKind | undefined;
	/** The arrival of a queue's report of it. */
	private unclearAt = 0;
	private nobodyAvailable = false;
	/** Moments. The newest interruption of the first wait that may have hidden something, or else the first one after it. */
	private hiddenAt: number | undefined;
	private startedAt: number | undefined;
	/** The first report of a trunk; `at` is undefined if its entry was not seen. */
	private firstTrunk: { at: number | undefined; heardAt: number } | undefined;
	private trunkAnsweredAt: number | undefined;
	/** For how long the caller was in no queue during the first wait; in no trunk, if no queue had the call. */
	private away = 0;
	/** The first queue in which an agent answered it, and when. */
	private answeredIn: { queue: string; at: number } | undefined;
	/** When it left a place, or a talk ended, last; and when that was a queue or a talk. */
	private left: Moment | undefined;
	private queueLeft: Moment | undefined;
	private wrapUp: number | undefined;
	/** The arrival of its record, unless something has followed that is worth another one. */
	private recordedAt: number | undefined;
	private after: OutcomeKind | undefined;

	constructor(
		readonly id: string,
		now: number,
		private readonly around: Surroundings,
		lastBreak: Break,
	) {
		this.rings = new Rings((agent) => around.rests(agent, this));
		this.lastBreak = lastBreak;
		this.heardAt = now;
	}

	get queues(): readonly string[] {
		return this.waiting.queues;
	}

	get waitingIn(): readonly string[] {
		return this.waiting.places;
	}

	get wait(): Wait | undefined {
		return this.waiting.wait;
	}

	get isSomewhere(): boolean {
		return this.waiting.placeCount + this.inTrunks.length > 0;
	}

	private get hadQueue(): boolean {
		return this.waiting.stays.length > 0;
	}

	/** Whether something has had the call: a queue, a trunk or an agent. */
	get wasHad(): boolean {
		return this.hadQueue || this.trunks.length + this.talks.length > 0 || !!this.talk;
	}

	/** Its record was told, and the call has not come back. */
	get isRecorded(): boolean {
		return this.recordedAt !== undefined;
	}

	/** Who has it, or had it when the feed was interrupted and was not seen without it since. */
	get agent(): string | undefined {
		return (this.talk ?? this.cutTalk?.talk)?.agent;
	}

	/** What it weighs, in parts of about the same size. */
	get weight(): number {
		return 3 + this.waiting.stays.length + this.talks.length + this.rings.count;
	}

	/** Whether an agent's `calling` makes it the agent's own call. */
	mayBeOwn(now: number): boolean {
		const isNobodys = !this.hadQueue && this.answeredAt === undefined;
		return isNobodys && now - (this.firstTrunk?.heardAt ?? now) <= OWN_MS;
	}

	enterQueue(queue: string, when: Moment): void {
		const { at } = when;
		// No call is in so many queues: one identifier is used for many calls.
		if (this.waiting.placeCount >= MOST_PARTS) return;
		if (this.talk) {
			if (this.isAtAnswer(when)) {
				this.entersAtAnswer(queue, when);
				return;
			}
			if (this.isTransferBehind(queue, when)) {
				this.answeredTransfer(this.talk, queue);
				return;
			}
			this.endTalk(when);
		}
		if (this.waitingIn.includes(queue)) {
			this.seeEntry(queue, at);
			return;
		}
		if (!this.wasHad) this.startedAt = at;
		this.beginStay(queue, at, true);
		this.rings.areOffers(at);
	}

	/** @param at undefined: it was there before */
	enterTrunk(trunk: string, at: number | undefined): void {
		if (!this.wasHad) this.startedAt = at;
		if (at !== undefined && !this.hadQueue) this.returns(at);
		this.noteHidden();
		// Nobody but trunks has had it: it goes on.
		if (!this.hadQueue && this.talks.length === 0) this.recordedAt = undefined;
		this.firstTrunk ??= { at, heardAt: this.heardAt };
		this.trunks = withId(this.trunks, trunk);
		this.inTrunks = withId(this.inTrunks, trunk);
		// Whoever was with an agent and is in a trunk now was passed on: the queue has lost the call, as is known from now on.
		const isLost = !this.talk && this.talks.length > 0 && !this.waiting.isSomewhere;
		if (!isLost) return;
		const wasPlaced = this.waiting.placeCount > 0;
		this.losePlaces();
		if (wasPlaced) this.queueLeft &&= { at: this.queueLeft.at, heardAt: this.heardAt };
	}

	/** An event shows that the caller waits, in a queue if it names one. */
	waits(queue: string | undefined, at: number): void {
		if (this.talk || this.isRecorded) return;
		// After an interruption of a talk, only another queue shows that the caller waits again.
		this.seeUnseenWait(queue, at, this.cutTalk !== undefined && this.waiting.isNew(queue));
		if (!this.waiting.isSomewhere) return;
		this.rings.areOffers(at);
		this.seeWaiting();
	}

	/** A caller whose wait was not seen waits, or did. @param isElsewhere in another queue than is known */
	private seeUnseenWait(queue: string | undefined, at: number, isElsewhere: boolean): void {
		const doubtful = this.waiting.doubtfulQueue;
		const where = queue ?? doubtful;
		const isUnseen = this.wait === undefined || doubtful !== undefined || isElsewhere;
		if (where !== undefined && isUnseen) this.beginStay(where, at, false);
	}

	/** A `connect_call` of which nobody knows whether it is an answer. */
	mayBeAnswered(): void {
		if (this.talk) return;
		this.unclearIn = 'queue';
		this.unclearAt = this.heardAt;
	}

	/** The caller waits: what may have been an answer was none, unless it was just now. */
	private seeWaiting(): void {
		if (this.heardAt - this.unclearAt > ONE_ANSWER_MS) this.unclearIn = undefined;
	}

	/** @param isSure otherwise nobody knows whether it is an answer */
	trunkAnswers(trunk: string, at: number, isSure: boolean): void {
		if (!this.wasHad) this.enterTrunk(trunk, undefined);
		// A deletion at the answer may be delivered first.
		const { at: leftAt = at, heardAt = 0 } = this.left ?? {};
		const isIn = this.inTrunks.includes(trunk);
		const hasJustLeft = this.trunks.includes(trunk) && this.heardAt - heardAt <= ONE_ANSWER_MS;
		if (!isIn && !hasJustLeft) return;
		if (isSure) this.trunkAnsweredAt ??= isIn ? at : leftAt;
		else this.unclearIn ??= 'trunk';
	}

	/** As a trunk's own answer, its unclear one counts only if no queue had the call. */
	private get isUnclear(): boolean {
		return this.unclearIn === 'queue' || (this.unclearIn === 'trunk' && !this.hadQueue);
	}

	/**
	 * An agent has the call.
	 * @param queue of the answer, if it names one
	 * @param isStatus it is the agent's own status, no report of the queue
	 */
	answered(
		queue: string | undefined,
		agent: string | undefined,
		when: Moment,
		isStatus = false,
	): void {
		if (this.talk) this.answeredAgain(this.talk, queue, agent, when);
		else if (this.mayGoOn(agent)) this.resumeTalk(queue);
		else if (isStatus || !this.isAnswerOver(queue, agent, when)) this.takeCall(queue, agent, when);
	}

	/** An agent is seen in the call, of which the feed may have lost sight. */
	seenWith(queue: string | undefined, agent: string, when: Moment): void {
		const isOver = this.isRecorded || !(this.isSomewhere || this.mayTalk);
		if ((!isOver && this.mayGoOn(agent)) || this.waiting.doubtfulQueue !== undefined)
			this.answered(queue, agent, when);
	}

	/** Whether the feed lost sight of the agent's talk, and nothing has shown its end. */
	private mayGoOn(agent: string | undefined): boolean {
		return this.cutTalk !== undefined && !this.isEndUnseen && this.cutTalk.talk.agent === agent;
	}

	/** While an agent has the call: a second report of the answer, or another agent's. */
	private answeredAgain(
		talk: Talk,
		queue: string | undefined,
		agent: string | undefined,
		when: Moment,
	): void {
		if (agent !== undefined) this.seenAgents = withId(this.seenAgents, agent);
		const isSame = this.isAtAnswer(when);
		const isOfTalk = agent === undefined || agent === talk.agent;
		if (isOfTalk && this.isAtTalk(when)) this.talkNamed ??= queue;
		if (isSame || talk.agent === undefined) this.completeAnswer(isSame ? queue : undefined, agent);
		else if (agent !== undefined && agent !== talk.agent) {
			this.endTalk(when);
			this.beginTalk(this.talkQueue, agent, when, false);
			this.talkNamed = queue;
		}
	}

	/** Whether it is a report of an answer whose talk has ended already. */
	private isAnswerOver(
		queue: string | undefined,
		agent: string | undefined,
		when: Moment,
	): boolean {
		// If only a trunk had it, a queue that is heard of for the first time is another answer.
		const isDecided = this.wait ? this.wait.result === 'answered' : queue === undefined;
		const isNobodys = agent === undefined && !this.isRecorded;
		// After an interruption of the talk it is no second report.
		const isAgain = isNobodys || (!this.cutTalk && this.isAtAnswer(when));
		return this.answeredAt !== undefined && isDecided && isAgain;
	}

	/** Whether it belongs to the newest answer. */
	private isAtAnswer({ heardAt }: Moment): boolean {
		return heardAt - this.answer.heardAt <= ONE_ANSWER_MS;
	}

	/** Whether it belongs to the beginning of the talk, which need not be an answer. */
	private isAtTalk({ heardAt }: Moment): boolean {
		return heardAt - this.talkHeardAt <= ONE_ANSWER_MS;
	}

	private takeCall(queue: string | undefined, agent: string | undefined, when: Moment): void {
		const { at, heardAt } = when;
		this.forgetCutTalk();
		this.unclearIn = undefined;
		this.seenAgents = agent === undefined ? NONE : [agent];
		// A deletion at the answer may be delivered first.
		const hasJustLeft = heardAt - (this.queueLeft?.heardAt ?? 0) <= ONE_ANSWER_MS;
		// One that had left another queue unanswered, for all that is known, is in that of its answer.
		const { result } = this.wait ?? {};
		const isUnanswered =
			result === 'abandoned' || (result === 'unknown' && this.answeredAt === undefined);
		const isElsewhere = isUnanswered && !hasJustLeft && queue !== this.waiting.last?.queue;
		this.seeUnseenWait(queue, at, isElsewhere);
		if (!hasJustLeft) this.returns(at);
		const left = this.comeBack(at);
		const isWait = this.waiting.isSomewhere;
		// An interruption may have hidden the wait, not that the agent took the caller.
		const tookCaller = isWait || (this.answeredAt === undefined && this.hadQueue);
		const isDeleted = hasJustLeft || !!this.waiting.justLeft(queue, heardAt);
		const queues = this.waitingIn;
		// An interruption may have hidden that it still waited in the queue that lost it at the answer.
		const isOfQueue = hasJustLeft && this.answeredAt === undefined && !this.waiting.isNew(queue);
		const answeredIn = isWait
			? this.waiting.answer(queue, left, when)
			: (this.talkQueue ?? (isOfQueue ? queue : undefined));
		this.waiting.leaveOthers(answeredIn);
		this.waiting.seeIn(queue);
		if (tookCaller || this.answeredAt === undefined)
			this.answer = { heardAt, queues, named: queue };
		this.beginTalk(answeredIn, agent, when, tookCaller);
		this.isLostAtAnswer = tookCaller && isDeleted;
		this.talkNamed = queue;
	}

	/**
	 * A `delete_call`.
	 * @param id undefined: it names no place, so the call left all of that kind
	 */
	leave(kind: PlaceKind, id: string | undefined, when: Moment): void {
		if (this.talk) this.leaveTalk(this.talk, kind, id, when);
		else if (kind === 'queue') this.leaveQueues(id, when);
		else this.leaveTrunks(id, when);
		if (this.isOwn && !this.isSomewhere) this.endsUntold(when);
	}

	private leaveTalk({ queue }: Talk, kind: PlaceKind, id: string | undefined, when: Moment): void {
		if (kind === 'queue') {
			// A queue that lost the call at the answer says nothing.
			const isAnswers = [queue, this.answer.named, this.talkNamed].includes(id);
			if (id !== undefined && queue !== undefined && !isAnswers) return;
			this.waiting.leaveOthers();
		} else {
			// The last trunk's is the end of the call, if that had it when the talk began and has it still, or was not heard of.
			const has = (trunks: readonly string[]) => trunks.includes(id ?? '');
			const isCallers = (has(this.inTrunks) && has(this.talkTrunks)) || !has(this.trunks);
			this.inTrunks = without(this.inTrunks, id);
			if (id !== undefined && (this.inTrunks.length > 0 || !isCallers)) return;
		}
		this.left = when;
		if (this.isAtTalk(when)) {
			this.isLostAtAnswer ||= this.tookCaller && kind === 'queue';
			return;
		}
		this.endTalk(when);
		this.waiting.leaveOthers();
	}

	private leaveTrunks(id: string | undefined, when: Moment): void {
		const left = without(this.inTrunks, id);
		if (left.length === this.inTrunks.length) return;
		this.inTrunks = left;
		this.left = when;
		// Of a call that its agent was seen without, or of whose talk the feed lost sight, a trunk's is the end.
		if (this.isEndUnseen || (this.cutTalk && left.length === 0)) this.losePlaces();
		if (!this.isSomewhere) this.ringsAreLeft(when);
		if (!this.wait) this.noteNobodyAvailable();
	}

	/** Nothing has the call any more that had it when the talk began. */
	private losePlaces(): void {
		this.waiting.leaveOthers();
		this.talkTrunks = NONE;
	}

	private leaveQueues(id: string | undefined, when: Moment): void {
		const { waiting } = this;
		const waited = waiting.isSomewhere;
		if (!waiting.leave(id, when, this.isUnclear ? 'unknown' : 'abandoned')) return;
		this.left = when;
		if (waiting.isSomewhere) return;
		this.queueLeft = when;
		if (waited) this.ringsAreLeft(when);
		this.noteNobodyAvailable();
	}

	/** The caller has left; a phone may ring already for the next queue. */
	private ringsAreLeft(when: Moment): void {
		this.rings.left(when, (queue) => this.waiting.isNew(queue));
	}

	private noteNobodyAvailable(): void {
		const since = this.around.agents.nobodySince ?? Infinity;
		this.nobodyAvailable = since <= (this.wait?.since ?? this.startedAt ?? 0);
	}

	/** An agent's phone rings. @param queue that the event names */
	ring(agent: string, queue: string | undefined, at: number): void {
		// While an agent has the call, phones ring for a transfer: that is no offer, unless the caller waits next.
		const isHad = this.talk !== undefined || (this.hadQueue && this.mayTalk);
		// Behind a queue, it may ring in the trunk that has the caller then, but not for that queue.
		const isBehind = this.inTrunks.length > 0 && (queue === undefined || this.waiting.isNew(queue));
		const isOffer = this.wait?.decidedAt === undefined || isBehind;
		this.rings.begins(agent, queue, isHad || this.isRecorded || !isOffer ? undefined : at);
	}

	/** It is over, without a record; what is still reported of it belongs to it. */
	endsUntold({ heardAt }: Moment): void {
		this.recordedAt = heardAt;
	}

	/** @param seconds as announced */
	wrapsUp(seconds: number): void {
		this.wrapUp = (this.wrapUp ?? 0) + seconds;
	}

	/**
	 * Its agent has another status now.
	 * @param isWithout it shows the agent without any call
	 * @param other another agent who is still in the call
	 */
	agentLeft(isWithout: boolean, when: Moment, other: string | undefined): void {
		// As long as a place has the call, its end is that of the talk, unless the agent is seen without it.
		const hasPlace = this.isLostAtAnswer ? this.waiting.placeCount > 0 : this.isSomewhere;
		if (!isWithout && hasPlace) return;
		this.endCutTalk(when);
		if (!this.talk) return;
		this.endTalk(when);
		if (other === undefined) this.isEndUnseen = true;
		else {
			this.beginTalk(this.talkQueue, other, { at: when.at, heardAt: this.talkHeardAt }, false);
			this.isRest = true;
		}
	}

	/** The feed was interrupted. Nothing is reported: whoever follows the call centre knows it of all calls. */
	interrupted({ at, from }: Break): void {
		this.newest = this.newestStart = undefined;
		this.rings.end(null);
		if (!this.wasHad) return;
		if (!this.talk && !this.isSomewhere) {
			// It had begun before the call left, as is found later.
			if (this.left && from < this.left.at) this.hides(this.left.at);
			return;
		}
		this.hides(at);
		this.isSilent = true;
		this.waiting.loseSight(at);
		this.isSilent = false;
		const { talk } = this;
		if (!talk) return;
		this.talk = undefined;
		const lostAt = { at, heardAt: at };
		this.left = this.queueLeft = lostAt;
		this.cutTalk = { talk, lostAt, talks: this.talks };
		this.pushTalk(talk.agent, undefined);
	}

	/** An interruption after the first wait does not replace one in it. */
	private hides(at: number): void {
		if (at <= (this.waitedUntil ?? Infinity)) this.hiddenAt = at;
		else this.hiddenAt ??= at;
	}

	/** A talk that no place and no agent's status can end is over soon. */
	private get givenUpMs(): number {
		const { talk } = this;
		return talk && talk.agent === undefined && !this.isSomewhere ? OVER_MS : GIVEN_UP_MS;
	}

	/** When something is due next. */
	nextDue(): number {
		const silentMs = this.waiting.isSomewhere ? SILENT_MS : this.givenUpMs;
		const silentAt = this.heardAt + silentMs;
		return Math.min(silentAt, this.rings.nextDue(), this.recordDue(), this.forgetDue());
	}

	/** Time has passed. @param passed the moment of what time decides @returns whether the call is to be forgotten */
	tick(now: number, passed: () => number): boolean {
		const isWaiting = this.waiting.isSomewhere;
		// Whoever is in a trunk before any queue waits in the outcome alone, until somebody or the trunk itself answers.
		const isInTrunk = this.isSomewhere && !this.hadQueue;
		const waits = isWaiting || (isInTrunk && this.isAnswered() === false);
		for (const { agent, to } of this.rings.decide(now, waits))
			if (isWaiting && typeof to === 'number') this.report({ kind: 'notAnswered', agent, at: to });
		if (this.recordDue() <= now)
			this.tellRecord(this.isEndLost() ? 'end-not-seen' : undefined, now);
		if (this.forgetDue() <= now) return true;
		const { givenUpMs } = this;
		if (this.heardAt + givenUpMs <= now) {
			this.giveUp('end-not-seen', passed(), now);
			return givenUpMs === GIVEN_UP_MS;
		}
		if (this.waiting.isSomewhere && this.heardAt + SILENT_MS <= now)
			this.waiting.loseSight(passed());
		return false;
	}

	/** Nobody will hear of it any more. */
	giveUp(reason: PartialReason, at: number, now: number): void {
		const { talk } = this;
		// What it has left is not its end if a talk began later, or it is still somewhere.
		if (this.isSomewhere || (talk && this.left && this.left.at < talk.since))
			this.left = this.queueLeft = undefined;
		this.unclearIn ??= 'trunk';
		this.waiting.loseSight(at);
		if (talk) {
			this.pushTalk(talk.agent, undefined);
			this.talkIsOver(talk, at, true);
		}
		if (!this.isOwn && this.wasHad && !this.isRecorded) this.tellRecord(reason, now);
		this.waiting.leaveOthers();
	}

	/** What is going on, as if it had just begun. */
	*state(): Generator<Change> {
		yield* this.waiting.state();
		if (this.talk) yield { kind: 'talk', call: this, after: this.talk };
	}

	report(change: Change): void {
		if (!this.isSilent) this.around.report(change);
	}

	// ---- Waiting ----

	/** @param isSeen otherwise it has been there before */
	private beginStay(queue: string, at: number, isSeen: boolean): void {
		this.seeWaiting();
		this.returns(at, true);
		this.comeBack(at);
		this.goesOn();
		this.forgetCutTalk();
		this.waiting.begin(queue, at, isSeen);
	}

	/** The first wait goes on, or is answered: perhaps the caller was nowhere. */
	private returns(at: number, isToQueue = false): void {
		if (this.answeredAt !== undefined) return;
		const left = this.hadQueue ? this.queueLeft : this.left;
		// What was before the first queue is not of its wait.
		if (isToQueue && !this.hadQueue) this.away = 0;
		// No queue has it any more, or no trunk if no queue ever had it.
		else if (left && !(this.hadQueue ? this.waiting.placeCount : this.isSomewhere))
			this.away += at - left.at;
	}

	/** The caller waits, or an agent has the call: it is not over. */
	private goesOn(): void {
		this.isEndUnseen = false;
		this.noteHidden();
		this.recordedAt = undefined;
	}

	/** An interruption while nothing had the call hid something, if it goes on. */
	private noteHidden(): void {
		const { left, lastBreak } = this;
		if (left && lastBreak.at >= left.heardAt) this.hides(lastBreak.at);
	}

	private seeEntry(queue: string, at: number): void {
		const since = this.waiting.seeEntry(queue, at);
		if (since === undefined || since > (this.answeredAt ?? Infinity)) return;
		this.startedAt ??= this.firstTrunk ? this.firstTrunk.at : since;
	}

	/** What enters a queue together with an answer came before it. */
	private entersAtAnswer(queue: string, when: Moment): void {
		if (!this.hadQueue) this.completeAnswer(queue, undefined, true);
		else if (queue === this.talkQueue) {
			// What an interruption hid stays hidden.
			if (this.hiddenAt === undefined) this.seeEntry(queue, when.at);
		} else if (!this.waiting.justLeft(queue, when.heardAt)) {
			this.answer.queues = [...this.answer.queues, queue];
			this.waiting.addToAnswer(queue, when);
			this.completeAnswer(queue === this.answer.named ? queue : undefined, undefined);
		}
	}

	/** If the caller had left, the wait goes on. @returns the stay that has ended before */
	private comeBack(at: number): Stay | undefined {
		const left = this.waiting.comeBack(at);
		if (left && this.isRecorded) this.report({ kind: 'back', call: this, at });
		return left;
	}

	// ---- Talking ----

	private beginTalk(
		queue: string | undefined,
		agent: string | undefined,
		{ at, heardAt }: Moment,
		tookCaller: boolean,
	): void {
		const waitedIn = this.wait?.queues ?? NONE;
		this.talk = { agent, queue, waitedIn, since: at, endedAt: undefined, isVoid: undefined };
		this.talkQueue = queue;
		this.talkHeardAt = heardAt;
		this.talkNamed = undefined;
		this.talkTrunks = this.inTrunks;
		this.tookCaller = tookCaller;
		this.isLostAtAnswer = false;
		this.isRest = false;
		this.goesOn();
		this.rings.end(at);
		const isFirst = this.answeredAt === undefined;
		if (isFirst) this.answeredAt = at;
		const where = queue ?? (isFirst ? this.waiting.stays.at(-1)?.queue : undefined);
		if (where !== undefined) this.answeredIn ??= { queue: where, at };
		this.report({ kind: 'talk', call: this, after: this.talk });
		if (agent !== undefined) this.addAgent(agent, at);
		if (isFirst) this.tell('answered', undefined, heardAt);
	}

	private addAgent(agent: string, at: number): void {
		this.agents = withId(this.agents, agent);
		if (this.talk) this.around.takes(agent, this, this.talk);
		if (this.tookCaller) this.report({ kind: 'taken', agent, at });
	}

	/** A second report of the answer: what the first one left open. */
	private completeAnswer(
		queue: string | undefined,
		agent: string | undefined,
		isSeen = false,
	): void {
		const before = this.talk;
		if (!before) return;
		const hadNoQueue = !this.hadQueue;
		const { named = queue } = this.answer;
		const isOpen = queue !== undefined && queue === named && this.nameQueue(queue, before, isSeen);
		const after = {
			...before,
			agent: before.agent ?? agent,
			queue: isOpen ? queue : before.queue,
			waitedIn: this.wait?.queues ?? NONE,
		};
		const isSameWait = after.waitedIn === before.waitedIn;
		if (isSameWait && after.agent === before.agent && after.queue === before.queue) return;
		const { at = before.since } = this.answeredIn ?? {};
		if (isOpen && before.since === at) this.answeredIn = { queue, at };
		this.amendTalk(before, after, isOpen && hadNoQueue);
		// Again, for whoever wants it because of that.
		if (before.since === this.answeredAt) this.tell('answered', undefined, this.heardAt);
	}

	/** The talk is what a later report says. @param tookCaller this report shows that its agent took a caller */
	private amendTalk(before: Talk, after: Talk, tookCaller: boolean): void {
		this.talk = after;
		this.talkQueue = after.queue;
		this.tookCaller ||= tookCaller;
		this.report({ kind: 'talk', call: this, before, after });
		if (after.agent === undefined) return;
		if (tookCaller || before.agent === undefined) this.addAgent(after.agent, before.since);
		else this.around.takes(after.agent, this, after);
	}

	/** It was another one of its queues that the agent answered. @returns whether it was in that queue */
	private nameQueue(queue: string, talk: Talk, isSeen: boolean): boolean {
		this.answer.named = queue;
		const { heardAt, queues } = this.answer;
		// It may have been left already, within the time of the answer.
		if (this.hadQueue)
			return this.waiting.answerInstead(queue, talk, heardAt, queues.includes(queue));
		this.beginAnswered(queue, { at: talk.since, heardAt }, isSeen);
		return true;
	}

	/** An entry that is heard of behind its answer: a wait of no time. */
	private beginAnswered(queue: string, when: Moment, isSeen: boolean): void {
		this.beginStay(queue, when.at, isSeen);
		this.waiting.answer(queue, undefined, when);
	}

	/** Whether a transfer to a queue is delivered behind the agent there who took the caller at once. */
	private isTransferBehind(queue: string, when: Moment): boolean {
		return !this.tookCaller && queue === this.talkNamed && this.isAtTalk(when);
	}

	/** As if the entry had come before the talk. */
	private answeredTransfer(before: Talk, queue: string): void {
		const when = { at: before.since, heardAt: this.talkHeardAt };
		this.beginAnswered(queue, when, true);
		this.answer = { heardAt: when.heardAt, queues: [queue], named: queue };
		this.answeredIn ??= { queue, at: when.at };
		this.amendTalk(before, { ...before, queue, waitedIn: this.wait?.queues ?? NONE }, true);
	}

	private endTalk(when: Moment): void {
		const before = this.talk;
		if (!before) return;
		const endedAt = Math.max(when.at, before.since);
		const talked = endedAt - before.since;
		// Who had the call before, and leaves it together with a colleague, did not have it a second time.
		const isVoid =
			talked < ONE_ANSWER_MS &&
			this.isRest &&
			this.talks.some(({ agent }) => agent === before.agent);
		if (!isVoid) this.pushTalk(before.agent, talked);
		this.left = this.queueLeft = when;
		this.talkIsOver(before, endedAt, isVoid);
	}

	private talkIsOver(before: Talk, endedAt: number, isVoid: boolean): void {
		this.talk = undefined;
		if (before.agent !== undefined) this.around.releases(before.agent, this);
		this.report({ kind: 'talk', call: this, before, after: { ...before, endedAt, isVoid } });
	}

	private pushTalk(agent: string | undefined, talk: number | undefined): void {
		if (this.talks.length < MOST_PARTS) this.talks = this.talks.concat({ agent, talk });
	}

	/** The agent of the talk of which the feed lost sight is seen without it: its end was not seen. */
	endCutTalk({ heardAt }: Moment): void {
		if (!this.cutTalk || !this.left) return;
		this.isEndUnseen = true;
		if (this.mayTalk || this.isEndLost()) this.queueLeft = this.left = { ...this.left, heardAt };
		const { agent } = this.cutTalk.talk;
		if (agent !== undefined) this.around.releases(agent, this);
	}

	/** The feed lost sight of a talk, and nothing of the call was seen since. */
	private get mayTalk(): boolean {
		const { cutTalk, left, queueLeft } = this;
		return cutTalk !== undefined && left === cutTalk.lostAt && queueLeft === cutTalk.lostAt;
	}

	private forgetCutTalk(): void {
		const { agent } = this.cutTalk?.talk ?? {};
		this.cutTalk = undefined;
		if (agent !== undefined) this.around.releases(agent, this);
	}

	/** After an interruption the same agent is seen in the same call: the talk went on. */
	private resumeTalk(queue: string | undefined): void {
		const { talk, lostAt, talks } = this.cutTalk as NonNullable<typeof this.cutTalk>;
		this.cutTalk = undefined;
		this.talks = talks;
		this.talk = talk;
		this.recordedAt = undefined;
		this.waiting.seeIn(queue);
		this.report({ kind: 'talk', call: this, before: { ...talk, endedAt: lostAt.at }, after: talk });
		if (talk.agent !== undefined) this.around.takes(talk.agent, this, talk);
	}

	// ---- The record ----

	/** When the wait of the outcome began; undefined: that was not seen. */
	private get firstSince(): number | undefined {
		const { first } = this.waiting;
		// Otherwise an agent took the call from a trunk.
		const isWait = first && first.since <= (this.answeredAt ?? Infinity);
		if (!isWait) return this.startedAt;
		return first.isKnown ? first.since : undefined;
	}

	/** When it ended: an agent took the call, or the caller left. Undefined: it has not, or that was not seen. */
	private get waitedUntil(): number | undefined {
		const { wait } = this;
		return this.answeredAt ?? (wait?.result === 'abandoned' ? wait.decidedAt : undefined);
	}

	private recordDue(): number {
		if (this.isOwn || this.isRecorded || this.talk || this.waiting.isSomewhere) return Infinity;
		if (this.mayTalk) {
			const isNobodys = this.cutTalk?.talk.agent === undefined && !this.isSomewhere;
			return isNobodys ? this.heardAt + OVER_MS : Infinity;
		}
		if (this.waiting.isPerhapsSomewhere && !this.isEndUnseen) return Infinity;
		const { heardAt: queueLeftAt = Infinity } = this.queueLeft ?? {};
		if (this.isEndLost()) return Math.max(this.heardAt, this.queueLeft?.heardAt ?? 0) + OVER_MS;
		const { heardAt: leftAt = Infinity } = (!this.isSomewhere && this.left) || {};
		return Math.min(leftAt + TURNS_UP_MS, queueLeftAt + OVER_MS);
	}

	/** Since when its record is due, which is not told yet. */
	get untold(): { of: OutcomeKind; since: number } | undefined {
		const since = (this.queueLeft ?? this.left)?.at;
		return since === undefined || this.recordDue() === Infinity
			? undefined
			: { of: this.recordKind, since };
	}

	private get recordKind(): OutcomeKind {
		return this.isAnswered() === false ? 'missed' : 'ended';
	}

	private forgetDue(): number {
		if (this.recordedAt === undefined || this.inTrunks.length > 0) return Infinity;
		return 1 + Math.max(this.recordedAt + OVER_MS, (this.left?.heardAt ?? 0) + TURNS_UP_MS);
	}

	/** The agent was seen without the call, which its queue still has, or its trunk if no queue ever had it. */
	private isEndLost(): boolean {
		if (!this.isEndUnseen) return false;
		if (this.hadQueue) return this.waiting.placeCount > 0;
		return this.talkTrunks.some((id) => this.inTrunks.includes(id));
	}

	private tellRecord(reason: PartialReason | undefined, now: number): void {
		const kind = this.recordKind;
		const { left } = this;
		// No queue follows in which a phone might ring; it may go on in a trunk that has the caller.
		if (left && (!this.isSomewhere || this.isEndLost())) this.rings.left(left, () => false);
		this.tell(kind, reason, now);
		this.recordedAt = now;
		this.after = kind;
	}

	private tell(of: OutcomeKind, reason: PartialReason | undefined, now: number): void {
		const { after } = this;
		let made: Outcome | undefined;
		const outcome = () => (made ??= this.outcome(of, reason, now, after));
		this.report({ kind: 'outcome', call: this, of, outcome });
	}

	/** When the trunk itself answered, if no queue had the call. */
	private get ownAnswerAt(): number | undefined {
		return this.hadQueue ? undefined : this.trunkAnsweredAt;
	}

	/** Whether an agent had the call, or the trunk itself; undefined: nobody knows. */
	private isAnswered(): boolean | undefined {
		if ((this.answeredAt ?? this.ownAnswerAt) !== undefined) return true;
		// Of a wait that was seen from its beginning, figures say what became of it.
		const isHidden = this.hiddenAt !== undefined && this.wait?.isSeen !== true;
		const isLost = isHidden || this.wait?.seenAgain !== undefined;
		return isLost || this.isUnclear || this.wait?.result === 'unknown' ? undefined : false;
	}

	private outcome(
		kind: OutcomeKind,
		given: PartialReason | undefined,
		knownAt: number,
		after: OutcomeKind | undefined,
	): Outcome {
		const answered = this.isAnswered();
		const { answeredAt = this.ownAnswerAt, wait, hiddenAt = -1 } = this;
		const { abandoned, last } = this.waiting;
		const { firstSince: since } = this;
		const until = this.waitedUntil ?? answeredAt ?? this.left?.at;
		const isKnown = answered !== undefined && since !== undefined && until !== undefined;
		return {
			kind,
			knownAt,
			call: this,
			answered,
			queue: (this.answeredIn ?? last)?.queue,
			wait: isKnown ? Math.max(0, until - since) : undefined,
			away: this.away,
			stays: this.waiting.recorded(),
			talks: this.talk ? [...this.talks, { agent: this.talk.agent, talk: undefined }] : this.talks,
			rings: this.rings.offers(),
			wrapUp: this.wrapUp,
			recorded: this.recorded,
			startedAt: this.startedAt,
			answeredAt,
			endedAt: kind === 'answered' ? undefined : this.left?.at,
			leftAt: (this.queueLeft ?? this.left)?.at,
			abandoned,
			nobodyAvailable: this.isAlerted || this.nobodyAvailable,
			agentsHeard: this.around.agents.heard,
			gaveUp: answered === true && wait?.result === 'abandoned',
			isPassedOn: this.isPassedOn(),
			after,
			reason: given ?? this.reason(answered),
			isWaitCut: hiddenAt >= (since ?? 0) && hiddenAt <= (until ?? Infinity),
		};
	}

	/** It is in a trunk, or was after the last queue. */
	private isPassedOn(): boolean {
		if (this.queueLeft === undefined) return false;
		const after = (this.left?.heardAt ?? 0) - this.queueLeft.heardAt;
		return this.isSomewhere || after > ONE_ANSWER_MS;
	}

	private reason(answered: boolean | undefined): PartialReason | undefined {
		if (this.hiddenAt !== undefined) return 'feed-gap';
		const isAllKnown =
			answered !== undefined &&
			this.wait?.result !== 'unknown' &&
			this.talks.every(({ talk }) => talk !== undefined);
		if (!isAllKnown) return this.isUnclear ? 'status-not-known' : 'end-not-seen';
		const isSeen = this.startedAt !== undefined && this.waiting.stays.every((one) => one.isSeen);
		return isSeen ? undefined : 'start-not-seen';
	}
}
