// A call centre for the audit, with everything in which real calls differ from tidy ones: queues that overlap, menus,
// overflows, transfers, callers who wait a second time or come back, lost ends, breaks during calls, agents' own calls,
// interruptions, clocks that step, connections that stand still, events twice, ids used again. The seed decides
// everything.

import { Random } from '../../../../../simulator/traffic/random';
import { Agenda } from './journeys';

export type Step = {
	/** When it reaches the trigger, in milliseconds since 1970. */ at: number;
} & (
	| {
			kind: 'event';
			type: string;
			event: string;
			msg: Record<string, unknown>;
			ts?: number;
			cpt?: number;
	  }
	| { kind: 'down' }
	| { kind: 'up' }
	| { kind: 'gap'; from: number; to: number }
	| { kind: 'login'; agents: readonly number[] }
);

type Sent = Omit<Extract<Step, { kind: 'event' }>, 'at' | 'kind'>;

export interface Shape {
	queues: readonly number[];
	agents: readonly number[];
	/** Calls a second, on average. */
	rate: number;
	/** Whether events have numbers, and a time at which they were sent. */
	numbered: boolean;
	timed: boolean;
	/** Whether the connection and the provider's clock have faults. */
	faults: boolean;
	/** Whether more happens with each call than in a busy, but orderly call centre. */
	wild: boolean;
}

interface Agent {
	id: number;
	isFree: boolean;
	isAway: boolean;
}

interface Call {
	id: number;
	caller: string;
	queues: Set<number>;
	inTrunk: boolean;
	agent?: Agent | undefined;
	/** Rings that go on. */
	ringing: Set<Agent>;
	isOver: boolean;
	/** Nobody hears its end. */
	isLost: boolean;
	hops: number;
}

const SECOND = 1000;

export class Traffic {
	calls = 0;
	private readonly random: Random;
	private readonly agents: Agent[];
	private readonly agenda = new Agenda();
	private readonly arriving = new Agenda();
	private arrived: Step[] = [];
	private cpt = 1000;
	/** What the provider's clock is ahead, in seconds. */
	private ahead = 0;
	/** Until when the connection stands still, or is down. */
	private stillUntil = 0;
	private downUntil = 0;
	private lostUntil = 0;
	private lastArrival = 0;
	private readonly oldIds: number[] = [];
	private listed: readonly number[];

	constructor(
		seed: number,
		private now: number,
		private readonly shape: Shape,
	) {
		this.random = new Random(seed);
		this.agents = shape.agents.map((id) => ({ id, isFree: true, isAway: false }));
		this.listed = shape.agents;
		for (const agent of this.agents)
			if (this.random.chance(0.7)) this.after(this.between(0, 5), () => this.ui(agent, 'login'));
		this.callsArrive();
		this.agentsRest();
		if (shape.faults) this.faults();
	}

	/** What arrives up to a moment. */
	until(moment: number): Step[] {
		while ((this.agenda.next ?? Infinity) <= moment) {
			const timer = this.agenda.take();
			if (!timer) break;
			this.now = Math.max(this.now, timer.at);
			timer.act();
		}
		this.now = Math.max(this.now, moment);
		this.arrived = [];
		while ((this.arriving.next ?? Infinity) <= moment) this.arriving.take()?.act();
		return this.arrived;
	}

	private after(ms: number, act: () => void): void {
		this.agenda.add(this.now + Math.round(ms), act);
	}

	private between(from: number, to: number): number {
		return this.random.integer(from * SECOND, to * SECOND);
	}

	// The way to the trigger

	private send(type: string, event: string, msg: Record<string, unknown>): void {
		const { random, shape } = this;
		const sent: Sent = {
			...{ type, event, msg },
			...(shape.timed ? { ts: Math.floor(this.now / SECOND) + this.ahead } : {}),
			...(shape.numbered ? { cpt: ++this.cpt } : {}),
		};
		const isSlow = shape.faults && random.chance(0.01);
		this.deliver(sent, random.integer(0, isSlow ? 1_800 : 300));
		if (!shape.faults) return;
		if (random.chance(0.005)) this.deliver(sent, random.integer(300, 900));
		if (random.chance(0.002)) this.deliver(sent, random.integer(1_000, 9_000));
	}

	private deliver(sent: Sent, delay: number): void {
		const isSwapped = this.shape.faults && this.shape.numbered && this.random.chance(0.005);
		let at = Math.max(this.now + delay, this.stillUntil);
		if (isSwapped) at += this.random.integer(200, 1_500);
		else this.lastArrival = at = Math.max(at, this.lastArrival);
		const isLost = this.now < this.downUntil || this.now < this.lostUntil;
		if (isLost) return;
		this.arriving.add(at, () => {
			// What is on its way is lost with the connection.
			if (at >= this.downUntil || this.now < at) this.arrived.push({ at, kind: 'event', ...sent });
		});
	}

	private status(step: Step): void {
		this.arriving.add(step.at, () => this.arrived.push(step));
	}

	private faults(): void {
		const { random } = this;
		const often = (seconds: number, act: () => void) => {
			this.after(1_000 + random.exponential(seconds) * SECOND, () => {
				act();
				often(seconds, act);
			});
		};
		often(1_500, () => {
			this.stillUntil = Math.max(this.stillUntil, this.now + this.between(1, 8));
		});
		often(3_000, () => this.goesDown());
		often(9_000, () => this.losesSome());
		often(2_500, () => {
			this.ahead -= random.integer(2, 60);
		});
		often(6_000, () => {
			this.ahead = random.pick([3_600, -3_600, 0, 0, 7]);
		});
		often(4_000, () => this.logsIn());
	}

	private goesDown(): void {
		const at = Math.max(this.now, this.lastArrival, this.stillUntil) + 1;
		if (this.downUntil > this.now || this.lostUntil > this.now) return;
		const until = at + this.between(1, 40);
		this.downUntil = until;
		this.lastArrival = until;
		this.status({ at, kind: 'down' });
		this.status({ at: until, kind: 'up' });
	}

	/** The feed notices only later what it lost. */
	private losesSome(): void {
		if (this.downUntil > this.now || this.stillUntil > this.now) return;
		const from = Math.max(this.now, this.lastArrival) + 1;
		const to = from + this.between(1, 20);
		this.lostUntil = to;
		this.status({ at: to + this.between(0, 4), kind: 'gap', from, to });
	}

	private logsIn(): void {
		const { random, shape } = this;
		const isEmpty = random.chance(0.2);
		const some = shape.agents.filter(() => !random.chance(0.1));
		this.listed = isEmpty ? [] : random.chance(0.5) ? shape.agents : some;
		const at = Math.max(this.now, this.lastArrival) + 1;
		this.status({ at, kind: 'login', agents: this.listed });
	}

	// Calls

	private callsArrive(): void {
		// Busy and quiet hours, so that there are jams.
		const rate = this.shape.rate * (1 + 0.8 * Math.sin(this.now / 2_000_000));
		this.after((this.random.exponential(1) / rate) * SECOND, () => {
			this.arrives();
			this.callsArrive();
		});
	}

	private idFor(): number {
		this.calls++;
		const isOld = this.shape.wild && this.oldIds.length > 20 && this.random.chance(0.02);
		return isOld ? (this.oldIds.shift() as number) : this.calls;
	}

	private is(probability: number): boolean {
		return this.shape.wild && this.random.chance(probability);
	}

	private queue(name: string, call: Call, queue: number | undefined, more = {}): void {
		const where = queue === undefined ? {} : { id_queue: queue };
		this.send('queue', name, { id_call: call.id, ...where, ...more });
	}

	private trunk(name: string, call: Call): void {
		this.send('trunk', name, { id_call: call.id, id_trunk: 9 });
		if (name === 'insert_call') call.inTrunk = true;
		if (name === 'delete_call') call.inTrunk = false;
	}

	private arrives(): void {
		const { random } = this;
		const call: Call = {
			...{ id: this.idFor(), caller: `+4420${random.integer(1000, 9999)}` },
			...{ queues: new Set<number>(), inTrunk: false, agent: undefined },
			...{ ringing: new Set<Agent>(), isOver: false, isLost: this.is(0.04), hops: 0 },
		};
		if (this.is(0.01)) {
			const queue = random.pick(this.shape.queues);
			this.queue('delete_call', call, queue);
			return;
		}
		if (!random.chance(0.4)) {
			this.enters(call);
			return;
		}
		this.trunk('insert_call', call);
		if (random.chance(0.3)) this.after(this.between(0, 3), () => this.trunk('connect_call', call));
		this.after(this.between(0, 40), () => {
			if (this.is(0.1)) {
				this.trunk('delete_call', call);
				return;
			}
			if (this.is(0.05)) {
				this.takenFromTrunk(call);
				return;
			}
			if (random.chance(0.6)) this.trunk('delete_call', call);
			this.enters(call);
		});
	}

	private takenFromTrunk(call: Call): void {
		const agent = this.freeAgent();
		if (agent) this.connects(call, agent, undefined);
		else this.ends(call);
	}

	private enters(call: Call, given?: number): void {
		const { random } = this;
		const queue = given ?? random.pick(this.shape.queues);
		call.queues.add(queue);
		call.hops++;
		const caller = this.is(0.1) ? call.caller.replace('+', '00') : call.caller;
		if (!this.is(0.02)) this.queue('insert_call', call, queue, { caller_id_num: caller });
		if (this.is(0.15)) {
			const other = random.pick(this.shape.queues);
			this.after(this.between(0, 10), () => {
				if (call.isOver || call.agent || call.queues.size === 0 || call.queues.has(other)) return;
				call.queues.add(other);
				this.queue('insert_call', call, other, { caller_id_num: call.caller });
			});
		}
		const { hops } = call;
		const waits = () => !call.isOver && !call.agent && call.queues.has(queue) && call.hops === hops;
		const patience = random.chance(0.15) ? this.between(0, 6) : 2_000 + random.exponential(60_000);
		this.after(patience, () => {
			if (waits()) this.givesUp(call);
		});
		if (random.chance(0.5))
			this.after(this.between(10, 50), () => {
				if (waits() && call.hops < 6) this.overflows(call, queue);
			});
		if (random.chance(0.1))
			this.after(this.between(1, 20), () => {
				if (waits()) this.queue(random.chance(0.5) ? 'alert_op' : 'alert_file', call, queue);
			});
		this.after(this.between(0, 4), () => this.hunt(call, hops));
	}

	private overflows(call: Call, queue: number): void {
		const { random } = this;
		const others = this.shape.queues.filter((one) => !call.queues.has(one));
		if (others.length === 0) return;
		const other = random.pick(others);
		if (this.is(0.1)) {
			this.enters(call, other);
			this.leaves(call, queue);
			return;
		}
		this.leaves(call, queue);
		if (call.queues.size > 0 && random.chance(0.5)) return;
		// In an orderly call centre a call is in the next queue before anything is told of it.
		const isLong = this.is(0.3);
		const gap = isLong ? this.between(5, 100) : random.chance(0.6) ? 0 : this.between(0, 4);
		call.hops++;
		const { hops } = call;
		this.after(gap, () => {
			if (!call.isOver && !call.agent && call.hops === hops) this.enters(call, other);
		});
	}

	private leaves(call: Call, queue: number): void {
		call.queues.delete(queue);
		if (call.isLost && this.random.chance(0.7)) return;
		this.queue('delete_call', call, this.is(0.02) ? undefined : queue);
		if (this.is(0.02)) this.queue('delete_call', call, queue);
	}

	private givesUp(call: Call): void {
		for (const queue of [...call.queues]) this.leaves(call, queue);
		this.stopRinging(call, this.between(0, 2));
		call.hops++;
		const { hops } = call;
		if (this.is(0.06)) {
			this.after(this.random.chance(0.6) ? 0 : this.between(0, 8), () => {
				if (call.hops === hops) this.ringsBehind(call);
			});
			return;
		}
		if (this.is(0.12)) {
			this.after(this.between(1, 90), () => {
				if (call.isOver || call.hops !== hops) return;
				if (this.random.chance(0.7)) this.enters(call);
				else this.takenFromTrunk(call);
			});
			if (!this.random.chance(0.3)) return;
		}
		this.ends(call);
	}

	/** Behind the queue phones ring in a trunk: somebody takes the call, the caller waits in a queue again, or gives up. */
	private ringsBehind(call: Call): void {
		const { random } = this;
		this.trunk('insert_call', call);
		const { hops } = call;
		const agent = this.freeAgent();
		if (agent) {
			agent.isFree = false;
			call.ringing.add(agent);
			this.after(this.between(0, 3), () => {
				if (call.ringing.has(agent)) this.provider(agent, 'ringing', call);
			});
		}
		this.after(this.between(3, 30), () => {
			if (call.hops !== hops) return;
			if (agent && random.chance(0.3)) {
				call.ringing.delete(agent);
				this.connects(call, agent, undefined);
				return;
			}
			this.stopRinging(call, random.chance(0.5) ? 0 : this.between(0, 4));
			if (random.chance(0.5)) this.ends(call);
			else {
				this.trunk('delete_call', call);
				this.enters(call);
			}
		});
	}

	private ends(call: Call): void {
		if (call.inTrunk && !(call.isLost && this.random.chance(0.5)))
			this.after(this.random.chance(0.8) ? 0 : this.between(1, 80), () =>
				this.trunk('delete_call', call),
			);
		this.oldIds.push(call.id);
		if (!this.is(0.5)) call.isOver = true;
	}

	// Agents

	private freeAgent(): Agent | undefined {
		const free = this.agents.filter(({ isFree, isAway }) => isFree && !isAway);
		return free.length === 0 ? undefined : this.random.pick(free);
	}

	private provider(agent: Agent, status: string, call?: Call, queue?: number, more = {}): void {
		const about = {
			...(call ? { id_call: call.id } : {}),
			...(queue === undefined ? {} : { id_queue: queue }),
		};
		this.send('operator', 'status', { id_operator: agent.id, status, ...about, ...more });
	}

	private ui(agent: Agent, event: string, supp?: string): void {
		this.send('UI', event, { id_operator: agent.id, ...(supp ? { supp } : {}) });
	}

	/** Lets phones ring until somebody answers. */
	private hunt(call: Call, hops: number): void {
		const { random } = this;
		const waits = () => !call.isOver && !call.agent && call.queues.size > 0 && call.hops === hops;
		if (!waits()) return;
		const queue = [...call.queues].at(0) as number;
		if (this.is(0.01)) {
			this.recorded(call, queue);
			return;
		}
		const phones = this.is(0.2) ? 3 : 1;
		for (let phone = 0; phone < phones; phone++) {
			const agent = this.freeAgent();
			if (!agent) break;
			agent.isFree = false;
			call.ringing.add(agent);
			if (this.is(0.2))
				this.queue('connect_call', call, queue, { id_operator: agent.id, status: 'ringing' });
			this.provider(agent, 'ringing', call, this.is(0.1) ? undefined : queue);
		}
		if (call.ringing.size === 0) {
			this.after(this.between(1, 8), () => this.hunt(call, hops));
			return;
		}
		this.after(this.between(1, 18), () => {
			const [agent] = call.ringing;
			if (waits() && agent && random.chance(0.65)) {
				call.ringing.delete(agent);
				this.connects(call, agent, queue);
				this.stopRinging(call, this.between(0, 1));
				return;
			}
			this.stopRinging(call, 0);
			this.after(this.between(0, 4), () => this.hunt(call, hops));
		});
	}

	/** A mailbox answers: no agent has the call. */
	private recorded(call: Call, queue: number): void {
		call.hops++;
		this.queue('connect_call', call, queue);
		this.after(this.random.chance(0.5) ? this.between(0, 2) : this.between(3, 30), () => {
			for (const one of [...call.queues]) this.leaves(call, one);
			this.ends(call);
		});
	}

	/** Two pick up at once, and one of them is left. */
	private picksUpToo(call: Call, agent: Agent, rival: Agent, queue: number | undefined): void {
		const { random } = this;
		call.ringing.delete(rival);
		this.provider(rival, 'connected', call, queue);
		const [loser, winner] = random.chance(0.5) ? [agent, rival] : [rival, agent];
		this.after(this.between(0, 2), () => this.finishes(loser, call, queue));
		if (winner === agent) return;
		call.agent = rival;
		const { hops } = call;
		this.after(this.between(2, 5) + random.exponential(60_000), () => {
			if (call.hops === hops) this.afterTalk(call, rival, queue);
		});
	}

	private stopRinging(call: Call, within: number): void {
		for (const agent of call.ringing) {
			call.ringing.delete(agent);
			this.after(within, () => {
				agent.isFree = true;
				this.provider(agent, 'available', this.random.chance(0.5) ? call : undefined);
			});
		}
	}

	private connects(call: Call, agent: Agent, queue: number | undefined): void {
		const { random } = this;
		agent.isFree = false;
		call.agent = agent;
		call.hops++;
		const inQueue = () => {
			if (queue === undefined) return;
			const more = this.is(0.1) ? {} : { id_operator: agent.id };
			this.queue('connect_call', call, this.is(0.05) ? undefined : queue, {
				...more,
				...(random.chance(0.8) ? { status: 'connected' } : {}),
			});
		};
		const byAgent = () => this.provider(agent, 'connected', call, this.is(0.2) ? undefined : queue);
		const isEarly = this.is(0.08) && queue !== undefined;
		if (isEarly && random.chance(0.5)) this.leaves(call, queue);
		const first = random.chance(0.5);
		const order = first ? [inQueue, byAgent] : [byAgent, inQueue];
		const [one, two] = order as [() => void, () => void];
		if (!this.is(0.05)) one();
		this.after(random.chance(0.7) ? 0 : this.between(0, 3), two);
		if (isEarly && call.queues.has(queue)) this.leaves(call, queue);
		// Some providers take it out of the other queues later, or never.
		for (const other of [...call.queues])
			if (other !== queue && random.chance(0.7)) {
				call.queues.delete(other);
				this.after(random.chance(0.6) ? 0 : this.between(0, 20), () =>
					this.queue('delete_call', call, other),
				);
			}
		const { hops } = call;
		const [rival] = call.ringing;
		if (rival && this.is(0.3)) {
			call.ringing.delete(rival);
			this.after(random.integer(0, 1_500), () => this.picksUpToo(call, agent, rival, queue));
		}
		this.after(this.between(2, 5) + random.exponential(60_000), () => {
			if (call.hops === hops && call.agent === agent) this.afterTalk(call, agent, queue);
		});
		if (this.is(0.1))
			this.after(this.between(0, 20), () => {
				if (call.hops === hops) this.consults(call, agent, queue);
			});
		if (this.is(0.03)) this.after(this.between(0, 2), () => this.enters(call));
	}

	private consults(call: Call, agent: Agent, queue: number | undefined): void {
		const other: Call = { ...call, id: this.idFor(), queues: new Set(), ringing: new Set() };
		this.provider(agent, 'transfert_start', call, queue);
		if (this.random.chance(0.5)) {
			this.provider(agent, 'calling', other);
			this.after(this.between(1, 5), () => this.provider(agent, 'connected', other));
		}
		const { hops } = call;
		this.after(this.between(5, 10), () => {
			if (call.hops === hops) this.provider(agent, 'transfert_end', call, queue);
		});
	}

	private afterTalk(call: Call, agent: Agent, queue: number | undefined): void {
		const { random } = this;
		if (this.is(0.15)) {
			const next = this.freeAgent();
			if (next) {
				this.provider(next, 'ringing', call, queue);
				next.isFree = false;
				const isBefore = random.chance(0.5);
				if (isBefore) this.finishes(agent, call, queue);
				this.after(this.between(0, isBefore ? 70 : 4), () => {
					this.connects(call, next, queue);
					if (!isBefore) this.finishes(agent, call, queue);
				});
				call.hops++;
				return;
			}
		}
		call.agent = undefined;
		call.hops++;
		if (this.is(0.1)) {
			const before = [...call.queues];
			call.queues.clear();
			const isFirst = random.chance(0.5);
			if (isFirst) this.enters(call);
			for (const one of before) if (!call.queues.has(one)) this.leaves(call, one);
			if (!isFirst) this.enters(call);
			this.finishes(agent, call, queue);
			return;
		}
		if (random.chance(0.3)) this.finishes(agent, call, queue);
		else this.after(random.integer(0, 1_500), () => this.finishes(agent, call, queue));
		for (const one of [...call.queues]) this.leaves(call, one);
		this.ends(call);
		if (this.is(0.03))
			this.after(this.between(6, 90), () => {
				if (!call.isOver) this.enters(call);
			});
	}

	private finishes(agent: Agent, call: Call, queue: number | undefined): void {
		const { random } = this;
		if (this.is(0.02)) {
			this.ui(agent, 'logout');
			agent.isAway = true;
			this.after(this.between(10, 200), () => {
				agent.isAway = false;
				agent.isFree = true;
				this.ui(agent, 'login');
			});
			return;
		}
		if (this.is(0.02)) this.provider(agent, 'unavailable', call, queue);
		const catchup = random.chance(0.5) ? random.integer(0, 30) : null;
		this.provider(agent, 'available', call, queue, { catchup });
		this.after((catchup ?? 0) * SECOND * random.next(), () => {
			agent.isFree = true;
			if (random.chance(0.3) && catchup) this.provider(agent, 'available');
		});
	}

	/** Breaks, logouts, calls of their own. */
	private agentsRest(): void {
		const { random } = this;
		this.after(random.exponential(20_000), () => {
			this.agentsRest();
			const agent = random.pick(this.agents);
			if (agent.isAway) return;
			if (random.chance(0.5)) this.takesBreak(agent);
			else if (agent.isFree) this.callsSomebody(agent);
		});
	}

	private takesBreak(agent: Agent): void {
		const { random } = this;
		if (!agent.isFree && !this.is(0.5)) return;
		agent.isAway = true;
		const isLogout = random.chance(0.2);
		this.ui(agent, isLogout ? 'logout' : 'pause', random.pick(['1', '2', 'Lunch']));
		this.after(this.between(5, 400), () => {
			agent.isAway = false;
			if (!this.is(0.1))
				this.ui(agent, isLogout ? 'login' : random.pick(['unpause', 'unpause', 'login']));
		});
		if (this.is(0.2)) this.after(this.between(1, 4), () => this.callsSomebody(agent));
	}

	/** The agent is the caller who waits, and is connected with the queue's music. */
	private dialsQueue(agent: Agent, call: Call): void {
		const { random } = this;
		this.provider(agent, 'calling', call);
		this.after(this.between(0, 4), () => {
			if (random.chance(0.6))
				this.after(this.between(0, 4), () => this.provider(agent, 'connected', call));
			this.enters(call);
			const hangsUp = () =>
				this.after(this.between(1, 3), () => {
					if (!call.isOver) {
						hangsUp();
						return;
					}
					this.provider(agent, 'available', random.chance(0.5) ? call : undefined);
					agent.isFree = true;
				});
			hangsUp();
		});
	}

	private callsSomebody(agent: Agent): void {
		const { random } = this;
		if (!agent.isFree) return;
		agent.isFree = false;
		const call: Call = {
			...{ id: this.idFor(), caller: '', queues: new Set<number>(), inTrunk: false },
			...{ ringing: new Set<Agent>(), isOver: false, isLost: false, hops: 0, agent: undefined },
		};
		if (random.chance(0.2)) {
			this.dialsQueue(agent, call);
			return;
		}
		const isTrunkFirst = random.chance(0.4);
		if (isTrunkFirst) this.trunk('insert_call', call);
		this.after(isTrunkFirst ? this.between(0, 4) : 0, () => {
			if (!this.is(0.2)) this.provider(agent, 'calling', call);
			if (!isTrunkFirst && random.chance(0.5)) this.trunk('insert_call', call);
			this.after(this.between(2, 20), () => {
				const isTaken = random.chance(0.6);
				if (isTaken) this.provider(agent, 'connected', call);
				this.after(isTaken ? this.between(5, 60) : 0, () => {
					const isDeletedFirst = random.chance(0.5);
					if (call.inTrunk && isDeletedFirst) this.trunk('delete_call', call);
					this.provider(agent, 'available', random.chance(0.5) ? call : undefined);
					if (call.inTrunk) this.trunk('delete_call', call);
					agent.isFree = true;
				});
			});
		});
	}
}

/** A step as LiveScene.play writes it. */
export function asPlayed(step: Step, start: number): string {
	const at = (step.at - start) / SECOND;
	if (step.kind === 'down' || step.kind === 'up') return `${at} ${step.kind}`;
	if (step.kind === 'gap')
		return `${at} gap ${(step.from - start) / SECOND} ${(step.to - start) / SECOND}`;
	if (step.kind === 'login') return [at, 'lists', ...step.agents].join(' ');
	const { type, event, msg, ts, cpt } = step;
	const word = (value: unknown) => (value == null ? 'none' : String(value));
	const sent = ts === undefined ? '@-' : `@${ts - Math.floor(start / SECOND)}`;
	const number = cpt === undefined ? '#-' : `#${cpt}`;
	const words = (...list: unknown[]) => [at, ...list.map(word), sent, number].join(' ');
	const call = msg.id_call;
	if (type === 'UI') return words(event, msg.id_operator, msg.supp);
	if (type === 'trunk')
		return words(
			{ insert_call: 'trunkIn', connect_call: 'trunkAnswered', delete_call: 'trunkOut' }[event],
			...[call, msg.id_trunk, msg.caller_id_num],
		);
	if (type === 'operator') {
		const about = [msg.id_call, msg.id_queue, msg.caller_id_num, msg.catchup];
		return words(msg.status, msg.id_operator, ...about);
	}
	if (event === 'insert_call') return words('enters', call, msg.id_queue, msg.caller_id_num);
	if (event === 'delete_call') return words('leaves', call, msg.id_queue);
	if (event === 'connect_call')
		return words(
			msg.status === 'ringing' ? 'rings' : 'answered',
			...[call, msg.id_queue, msg.id_operator],
		);
	return words(event, call, msg.id_queue);
}
