// Simulates a call center on a clock of its own: callers arrive, wait, are answered, transferred, overflow or give
// up; agents log in, ring, talk, take breaks; alerts are raised. Deterministic: the seed decides everything.

import type { Agent, CallCentrePlan } from '../accounts';
import { Agenda } from './agenda';
import { EventBuilder, type CallView, type EventSeed, type TrafficEvent } from './events';
import { Ledger, type CallRecord } from './ledger';
import { Random } from './random';

export interface CallCentreOptions {
	seed: number;
	plan: CallCentrePlan;
	/** Include `num` and `input` events. */
	numEvents: boolean;
	/** All times are multiplied by this; 1 is a small call center in real time. */
	pace: number;
	/** Unix timestamp (seconds) of second 0; later if the traffic was paused. */
	start: () => number;
}

type Desk = Agent & {
	state: 'out' | 'available' | 'busy' | 'pause';
	/** Since when it has been available: the longest idle agent is rung first. */
	since: number;
	call?: Call;
	/** Counts the logins, so that plans of an earlier shift are ignored. */
	shift: number;
};

interface Call {
	id: number;
	caller: string;
	priority: number;
	vipRate: number;
	rec: number;
	startedAt: number;
	enteredAt: number;
	queue: number;
	/** The agent who rings or talks. */
	desk?: Desk;
	/** Agents who did not pick up: they are not rung again for this call in this queue. */
	tried: Set<Desk>;
	cancel: (() => void)[];
}

/** Times in seconds at pace 1. */
const times = {
	betweenCalls: 8,
	betweenTrunkCalls: 25,
	betweenPushes: 90,
	betweenNumCalls: 30,
	patience: 60,
	talk: 55,
	noAnswer: 15,
	overflowAfter: 35,
	fileAlertAfter: 20,
	opAlertEvery: 30,
};

export class CallCentre {
	private readonly random: Random;
	private readonly agenda = new Agenda();
	private readonly build: EventBuilder;
	private readonly desks: Desk[];
	private readonly waiting = new Map<number, Call[]>();
	private readonly lastOpAlert = new Map<number, number>();
	/** Events of the current moment that have not been taken yet, with what they add to the ledger. */
	private readonly ready: { event: TrafficEvent; note: () => void }[] = [];
	private readonly ledger: Ledger;
	private nextCall = 100_001;

	constructor(private readonly options: CallCentreOptions) {
		const { plan, seed, start } = options;
		this.random = new Random(seed);
		this.build = new EventBuilder(this.random, plan.clientId);
		this.ledger = new Ledger(() => Math.floor(start() + this.agenda.now));
		this.desks = plan.agents.map((agent) => ({ ...agent, state: 'out', since: 0, shift: 0 }));
		for (const queue of plan.queues) this.waiting.set(queue.id, []);
		for (const [index, desk] of this.desks.entries()) {
			// Two thirds are present from the beginning, the others come later.
			const delay = index % 3 === 2 ? this.random.integer(60, 300) : this.random.next() * 5;
			this.after(delay, () => this.logIn(desk));
		}
		this.repeat(times.betweenCalls, () => this.callArrives());
		this.repeat(times.betweenTrunkCalls, () => this.trunkCall());
		this.repeat(times.betweenPushes, () => this.outgoing());
		if (options.numEvents) this.repeat(times.betweenNumCalls, () => this.numCall());
	}

	/** The next event; the clock jumps to it. */
	next(): TrafficEvent {
		while (this.ready.length === 0) this.agenda.step();
		const { event, note } = this.ready.shift()!;
		// The ledger only contains events that have been taken.
		note();
		return event;
	}

	/** When the next event is due, in seconds since the start, without taking it. */
	nextAt(): number {
		while (this.ready.length === 0) this.agenda.step();
		return this.ready[0]!.event.at;
	}

	/** The calls so far. */
	calls(): CallRecord[] {
		return this.ledger.list();
	}

	private after(seconds: number, act: () => void) {
		return this.agenda.at(this.agenda.now + seconds * this.options.pace, act);
	}

	private repeat(mean: number, act: () => void) {
		this.after(this.random.exponential(mean), () => {
			act();
			this.repeat(mean, act);
		});
	}

	private tell(seed: EventSeed, note: () => void = () => undefined) {
		const elapse = this.random.chance(0.1) ? 1 : 0;
		this.ready.push({ event: { ...seed, at: this.agenda.now, elapse }, note });
	}

	// Agents

	private logIn(desk: Desk) {
		this.tell(this.build.ui('login', desk.id));
		desk.shift++;
		this.free(desk);
		this.planBreak(desk);
		this.after(this.random.integer(1200, 3600), () => this.wantHome(desk));
	}

	private free(desk: Desk) {
		desk.state = 'available';
		desk.since = this.agenda.now;
		delete desk.call;
		this.tell(this.build.agentStatus(desk.id, 'available', null));
		this.serve();
	}

	private planBreak(desk: Desk) {
		const { shift } = desk;
		this.after(this.random.exponential(600), () => this.wantBreak(desk, shift));
	}

	/** A break starts when the agent is free; until then it is tried again a little later. */
	private wantBreak(desk: Desk, shift: number) {
		if (desk.state === 'out' || desk.shift !== shift) return;
		if (desk.state !== 'available') return void this.after(5, () => this.wantBreak(desk, shift));
		desk.state = 'pause';
		const pause = this.random.pick(this.options.plan.pauses);
		this.tell(this.build.ui('pause', desk.id, pause.id));
		this.after(this.random.integer(30, 300), () => {
			this.tell(this.build.ui('unpause', desk.id, pause.id));
			this.free(desk);
			this.planBreak(desk);
		});
	}

	private wantHome(desk: Desk) {
		if (desk.state !== 'available') return void this.after(5, () => this.wantHome(desk));
		desk.state = 'out';
		this.tell(this.build.agentStatus(desk.id, 'unavailable', null));
		this.tell(this.build.ui('logout', desk.id));
		this.after(this.random.integer(300, 1200), () => this.logIn(desk));
	}

	/** A call that an agent makes: it is pushed to the agent's interface, then placed or cancelled. */
	private outgoing() {
		const desk = this.longestIdle(this.desks);
		if (!desk) return;
		desk.state = 'busy';
		this.tell(this.build.uiPush(desk.id, this.number()));
		if (this.random.chance(0.3)) {
			this.after(4, () => {
				this.tell(this.build.ui('push_cancel', desk.id));
				this.free(desk);
			});
			return;
		}
		this.after(3, () => {
			this.tell(this.build.pushCall(desk.id));
			this.tell(this.build.agentStatus(desk.id, 'calling', null));
			this.after(this.random.exponential(30) + 5, () => this.free(desk));
		});
	}

	private longestIdle(desks: Desk[]) {
		return desks
			.filter((desk) => desk.state === 'available')
			.sort((one, other) => one.since - other.since || one.id - other.id)[0];
	}

	private desksOf(queue: number) {
		const group = this.queue(queue).group;
		return this.desks.filter((desk) => desk.groups.includes(group));
	}

	private queue(id: number) {
		return this.options.plan.queues.find((queue) => queue.id === id)!;
	}

	// Calls for agents

	private callArrives() {
		const { queues } = this.options.plan;
		const call: Call = {
			id: this.callId(),
			caller: this.number(),
			priority: this.random.integer(1, 100),
			vipRate: this.random.chance(0.1) ? this.random.integer(1, 5) : 0,
			rec: this.random.chance(0.4) ? 1 : 0,
			startedAt: this.agenda.now,
			enteredAt: this.agenda.now,
			queue: 0,
			tried: new Set(),
			cancel: [],
		};
		this.enter(call, this.random.pick(queues).id, () =>
			this.ledger.start(call.id, 'queue', call.caller, call.rec === 1),
		);
	}

	private enter(call: Call, queue: number, first: () => void = () => undefined) {
		call.queue = queue;
		call.enteredAt = this.agenda.now;
		call.tried.clear();
		delete call.desk;
		this.waiting.get(queue)!.push(call);
		this.tell(this.build.queueInsert(this.view(call), queue), () => {
			first();
			this.ledger.enter(call.id, { queue });
		});
		this.alertNobodyThere(call);
		call.cancel = [
			this.after(this.random.exponential(times.patience) + 3, () => this.giveUp(call)),
			this.after(times.fileAlertAfter, () =>
				this.tell(this.build.alert('alert_file', this.view(call), queue)),
			),
			this.after(times.overflowAfter, () => this.overflow(call)),
		];
		this.serve();
	}

	/** `alert_op`: a caller waits and the queue has no agent; at most once every half minute. */
	private alertNobodyThere(call: Call) {
		const staffed = this.desksOf(call.queue).some(
			(desk) => desk.state === 'available' || desk.state === 'busy',
		);
		const last = this.lastOpAlert.get(call.queue) ?? -Infinity;
		const pause = times.opAlertEvery * this.options.pace;
		const crowded = this.waiting.get(call.queue)!.length > 3;
		if ((staffed && !crowded) || this.agenda.now - last < pause) return;
		this.lastOpAlert.set(call.queue, this.agenda.now);
		this.tell(this.build.alert('alert_op', this.view(call), call.queue));
	}

	/** Rings free agents for waiting calls: higher priority first, then the longest wait. */
	private serve() {
		for (const [queue, calls] of this.waiting) {
			const order = [...calls].sort(
				(one, other) => other.priority - one.priority || one.enteredAt - other.enteredAt,
			);
			for (const call of order) {
				if (call.desk) continue;
				const desk = this.longestIdle(this.desksOf(queue).filter((each) => !call.tried.has(each)));
				if (desk) this.ring(call, desk);
			}
		}
	}

	private ring(call: Call, desk: Desk) {
		desk.state = 'busy';
		desk.call = call;
		call.desk = desk;
		this.tell(this.build.agentStatus(desk.id, 'ringing', this.about(call)));
		const pickUp = this.random.chance(0.88);
		const delay = pickUp ? 2 + this.random.next() * 6 : times.noAnswer;
		const cancel = this.after(delay, () => {
			if (pickUp) return this.connect(call, desk);
			call.tried.add(desk);
			delete call.desk;
			this.free(desk);
		});
		call.cancel.push(cancel);
	}

	/** Removes the call from its queue; an agent who rings for it is free again. */
	private stopWaiting(call: Call, freeDesk: boolean) {
		for (const cancel of call.cancel) cancel();
		call.cancel = [];
		const calls = this.waiting.get(call.queue)!;
		calls.splice(calls.indexOf(call), 1);
		const { desk } = call;
		if (!desk || !freeDesk) return;
		delete call.desk;
		this.free(desk);
	}

	private giveUp(call: Call) {
		this.leaveQueue(call, 'abandoned');
		this.stopWaiting(call, true);
	}

	private overflow(call: Call) {
		const target = this.queue(call.queue).overflow;
		// A call that is ringing stays.
		if (target === undefined || call.desk) return;
		this.leaveQueue(call, 'overflow');
		this.stopWaiting(call, true);
		this.after(this.random.next(), () => this.enter(call, target));
	}

	private connect(call: Call, desk: Desk) {
		this.stopWaiting(call, false);
		this.tell(this.build.queueConnect(this.view(call), call.queue, desk.id), () =>
			this.ledger.answer(call.id, desk.id),
		);
		this.tell(this.build.agentStatus(desk.id, 'connected', this.about(call)));
		const talk = 5 + this.random.exponential(times.talk);
		const kind = this.random.next();
		if (kind < 0.07) this.after(talk / 2, () => this.transferToAgent(call, desk, talk / 2));
		else if (kind < 0.14) this.after(talk / 2, () => this.transferToQueue(call, desk));
		else this.after(talk, () => this.hangUp(call, desk));
	}

	private leaveQueue(call: Call, why: 'ended' | 'abandoned' | 'overflow' | 'transfer') {
		this.tell(this.build.queueDelete(call.id, call.queue), () => {
			if (why === 'transfer') this.ledger.transfer(call.id);
			this.ledger.leave(call.id, why);
		});
	}

	private hangUp(call: Call, desk: Desk) {
		this.leaveQueue(call, 'ended');
		this.wrapUp(call, desk);
	}

	/** The agent's part of a call is over; after the wrap-up time the agent can take the next one. */
	private wrapUp(call: Call, desk: Desk) {
		const catchup = this.random.integer(2, 12);
		this.tell(this.build.agentStatus(desk.id, 'available', this.about(call), catchup));
		delete desk.call;
		this.after(catchup, () => {
			desk.state = 'available';
			desk.since = this.agenda.now;
			this.serve();
		});
	}

	private transferToAgent(call: Call, from: Desk, rest: number) {
		const to = this.longestIdle(this.desks);
		if (!to) return void this.after(rest, () => this.hangUp(call, from));
		to.state = 'busy';
		to.call = call;
		this.tell(this.build.agentStatus(from.id, 'transfert_start', this.about(call)));
		this.tell(this.build.agentStatus(to.id, 'ringing', this.about(call)));
		this.after(4, () => {
			call.desk = to;
			this.tell(this.build.queueConnect(this.view(call), call.queue, to.id), () => {
				this.ledger.transfer(call.id);
				this.ledger.answer(call.id, to.id);
			});
			this.tell(this.build.agentStatus(to.id, 'connected', this.about(call)));
			this.tell(this.build.agentStatus(from.id, 'transfert_end', this.about(call)));
			this.wrapUp(call, from);
			this.after(rest, () => this.hangUp(call, to));
		});
	}

	private transferToQueue(call: Call, from: Desk) {
		const others = this.options.plan.queues.filter((queue) => queue.id !== call.queue);
		const target = this.random.pick(others).id;
		this.tell(this.build.agentStatus(from.id, 'transfert_start', this.about(call)));
		this.tell(this.build.agentStatus(from.id, 'transfert_end', this.about(call)));
		this.leaveQueue(call, 'transfer');
		this.wrapUp(call, from);
		this.after(this.random.next(), () => this.enter(call, target));
	}

	// Calls that are only routed, and number services

	private trunkCall() {
		const trunk = this.random.pick(this.options.plan.trunks).id;
		const id = this.callId();
		const caller = this.number();
		const startedAt = this.agenda.now;
		const view = (): CallView => {
			const duration = Math.floor(this.agenda.now - startedAt);
			return { id, caller, priority: 0, vipRate: 0, rec: 0, duration, inQueue: duration };
		};
		const end = (why: 'ended' | 'abandoned') => {
			this.tell(this.build.trunkDelete(id, trunk), () => this.ledger.leave(id, why));
		};
		this.tell(this.build.trunkInsert(view(), trunk), () => {
			this.ledger.start(id, 'trunk', caller, false);
			this.ledger.enter(id, { trunk });
		});
		const answered = this.random.chance(0.8);
		this.after(this.random.integer(3, 15), () => {
			if (!answered) return end('abandoned');
			this.tell(this.build.trunkConnect(view(), trunk), () => this.ledger.answer(id, null));
			this.after(5 + this.random.exponential(times.talk), () => end('ended'));
		});
	}

	private numCall() {
		const number = this.random.pick(this.options.plan.numbers);
		const id = this.callId();
		const caller = this.number();
		this.tell(this.build.num('start', id, number, caller));
		this.after(2, () => this.tell(this.build.num('answer', id, number, caller)));
		this.after(6, () => this.tell(this.build.asr(id)));
		this.after(10, () => this.tell(this.build.num('end', id, number, caller)));
	}

	// Small things

	private view(call: Call): CallView {
		return {
			id: call.id,
			caller: call.caller,
			priority: call.priority,
			vipRate: call.vipRate,
			rec: call.rec,
			duration: Math.floor(this.agenda.now - call.startedAt),
			inQueue: Math.floor(this.agenda.now - call.enteredAt),
		};
	}

	private about(call: Call) {
		return { view: this.view(call), queue: call.queue };
	}

	/** Unique; one call in ten has a negative identifier, which the document allows. */
	private callId() {
		const id = this.nextCall++;
		return this.random.chance(0.1) ? -id : id;
	}

	private number() {
		return `+331990${String(this.random.integer(0, 99_999)).padStart(5, '0')}`;
	}
}
