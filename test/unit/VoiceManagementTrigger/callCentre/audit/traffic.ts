// A call centre for the audit: callers wait, are answered, transferred, overflow and give up; agents ring, talk, wrap up
// and take breaks. It yields what the provider sends, second by second. The seed decides everything.

import { Random } from '../../../../../simulator/traffic/random';

export interface Sent {
	/** Unix timestamp in seconds. */
	ts: number;
	cpt: number;
	type: 'queue' | 'operator' | 'UI';
	event: string;
	msg: Record<string, unknown>;
}

export interface Size {
	queues: readonly number[];
	agents: readonly number[];
	/** Calls a second, on average. */
	rate: number;
}

interface Agent {
	id: number;
	free: boolean;
}

interface Call {
	id: number;
	queue: number;
	enteredAt: number;
	waits: boolean;
	agent?: Agent | undefined;
	over: boolean;
}

export class AuditTraffic {
	calls = 0;
	private readonly random: Random;
	private readonly agents: Agent[];
	private waiting: Call[] = [];
	private readonly agenda = new Map<number, Array<() => void>>();
	private sent: Sent[] = [];
	private cpt = 0;

	constructor(
		seed: number,
		private now: number,
		private readonly size: Size,
	) {
		this.random = new Random(seed);
		this.agents = size.agents.map((id) => ({ id, free: true }));
	}

	/** What is sent in the next second. */
	second(): Sent[] {
		this.now++;
		this.sent = [];
		// Busy and quiet hours, so that there are jams.
		const rate = this.size.rate * (1 + Math.sin(this.now / 2_000));
		if (this.random.chance(rate)) this.arrives();
		const due = this.agenda.get(this.now) ?? [];
		this.agenda.delete(this.now);
		for (const act of due) act();
		if (this.random.chance(0.01)) this.takesBreak();
		this.serve();
		return this.sent;
	}

	private after(seconds: number, act: () => void): void {
		const at = this.now + Math.max(1, Math.round(seconds));
		const acts = this.agenda.get(at);
		if (acts) acts.push(act);
		else this.agenda.set(at, [act]);
	}

	private tell(type: Sent['type'], event: string, msg: Record<string, unknown>): void {
		this.sent.push({ ts: this.now, cpt: ++this.cpt, type, event, msg });
	}

	private status(agent: Agent, status: string, call?: Call, more = {}): void {
		const about = call ? { id_call: call.id, id_queue: call.queue } : {};
		this.tell('operator', 'status', { id_operator: agent.id, status, ...about, ...more });
	}

	private arrives(): void {
		const call: Call = {
			id: ++this.calls,
			queue: this.random.pick([...this.size.queues]),
			enteredAt: this.now,
			waits: true,
			over: false,
		};
		const { random } = this;
		const patience = random.chance(0.1) ? random.integer(1, 4) : 5 + random.exponential(60);
		this.enters(call, call.queue, 0);
		this.after(patience, () => {
			if (call.waits && !call.agent) this.leaves(call);
		});
	}

	private enters(call: Call, queue: number, waited: number): void {
		call.queue = queue;
		call.enteredAt = this.now;
		call.waits = true;
		this.waiting.push(call);
		const { id } = call;
		this.tell('queue', 'insert_call', { id_call: id, id_queue: queue, duration_in_queue: waited });
		const stays = () => call.waits && call.queue === queue && !call.over;
		this.after(30, () => {
			if (stays()) this.tell('queue', 'alert_file', { id_call: id, id_queue: queue });
		});
		this.after(45, () => {
			if (!stays() || call.agent || this.random.chance(0.4)) return;
			const waitedHere = this.now - call.enteredAt;
			this.leaves(call);
			call.over = false;
			const other = this.random.pick(this.size.queues.filter((one) => one !== queue));
			if (this.random.chance(0.5)) this.enters(call, other, waitedHere);
			else this.after(1, () => this.enters(call, other, waitedHere));
		});
	}

	private leaves(call: Call): void {
		call.over = true;
		call.waits = false;
		this.waiting = this.waiting.filter((one) => one !== call);
		this.tell('queue', 'delete_call', { id_call: call.id, id_queue: call.queue });
	}

	private serve(): void {
		for (const call of this.waiting) {
			if (call.agent) continue;
			const free = this.agents.filter((agent) => agent.free);
			if (free.length === 0) return;
			this.rings(call, this.random.pick(free));
		}
	}

	private rings(call: Call, agent: Agent): void {
		agent.free = false;
		call.agent = agent;
		this.status(agent, 'ringing', call);
		this.after(this.random.integer(2, 7), () => {
			if (this.random.chance(0.85)) {
				this.takes(call, agent);
				return;
			}
			call.agent = undefined;
			this.status(agent, 'available');
			this.after(3, () => (agent.free = true));
			if (this.random.chance(0.2)) this.leaves(call);
		});
	}

	private takes(call: Call, agent: Agent): void {
		call.waits = false;
		call.agent = agent;
		this.waiting = this.waiting.filter((one) => one !== call);
		const about = { id_call: call.id, id_queue: call.queue };
		this.tell('queue', 'connect_call', { ...about, id_operator: agent.id, status: 'connected' });
		this.status(agent, 'connected', call);
		const talk = 3 + this.random.exponential(50);
		const fate = this.random.next();
		this.after(talk, () => {
			if (fate < 0.1) this.toQueue(call, agent);
			else if (fate < 0.17) this.toAgent(call, agent);
			else {
				this.leaves(call);
				this.wrapsUp(call, agent);
			}
		});
	}

	private toQueue(call: Call, agent: Agent): void {
		this.status(agent, 'transfert_start', call);
		const from = call.queue;
		this.leaves(call);
		this.wrapsUp(call, agent);
		call.over = false;
		call.agent = undefined;
		const other = this.random.pick(this.size.queues.filter((one) => one !== from));
		this.after(1, () => {
			this.enters(call, other, 0);
			this.after(20 + this.random.exponential(60), () => {
				if (call.waits && !call.agent) this.leaves(call);
			});
		});
	}

	private toAgent(call: Call, agent: Agent): void {
		const to = this.agents.find((one) => one.free);
		if (!to) {
			this.leaves(call);
			this.wrapsUp(call, agent);
			return;
		}
		to.free = false;
		this.status(agent, 'transfert_start', call);
		this.wrapsUp(call, agent);
		this.takes(call, to);
	}

	private wrapsUp(call: Call, agent: Agent): void {
		const catchup = this.random.pick([null, 0, 3, 8, 15]);
		this.status(agent, 'available', call, { catchup });
		const early = this.random.chance(0.3);
		this.after((catchup ?? 0) * (early ? 0.5 : 1) + 1, () => {
			if (this.random.chance(0.5)) this.status(agent, 'available');
			agent.free = true;
		});
	}

	private takesBreak(): void {
		const agent = this.random.pick(this.agents);
		if (!agent.free) return;
		agent.free = false;
		this.tell('UI', 'pause', { id_operator: agent.id, supp: 2 });
		this.after(this.random.exponential(300), () => {
			this.tell('UI', 'unpause', { id_operator: agent.id, supp: 2 });
			agent.free = true;
		});
	}
}
