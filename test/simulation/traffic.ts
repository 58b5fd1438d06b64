// A simulated call center, whose activity becomes the events of the feed. Each event carries a mark by which the judge
// recognizes it. The trigger cannot make use of the mark, since it looks like a duration.
import { Random } from '../../simulator/traffic/random';
import type { Timeline } from './virtualTime';

/** One event of the account. */
export interface Sent {
	id: number;
	at: number;
	type: string;
	event: string;
	/** Without the fields that are computed for each delivery. */
	msg: Record<string, unknown>;
	/** Events with the same look cannot be told apart. */
	look: string;
	cpt?: number;
	/** How much later than it happened the provider sent it. */
	lateMs?: number;
	/** Whether it was given to no connection at all. */
	withheld?: boolean;
	/** Whether at least one connection did not get it. */
	dropped?: boolean;
	/** How often the provider had restarted its numbers. */
	era: number;
}

/** A call as it really took place. */
export interface Call {
	id: number;
	queue: number;
	agent: number;
	answered: boolean;
	events: Sent[];
	over: boolean;
}

type Send = (type: string, event: string, msg: Record<string, unknown>) => Sent;

const AGENTS = [501, 502, 503, 504];
const QUEUES = [51, 52];

/** The mark of an event, in its `msg`. */
export function markOf(id: number): string {
	return `0:00#${id}`;
}

/** The identifier in an item's mark; undefined if it has none. */
export function markIn(item: Record<string, unknown>): number | undefined {
	const inside = item.event as { msg?: { mark?: unknown } } | undefined;
	const msg = item.msg as { mark?: unknown } | undefined;
	const mark = item.mark ?? inside?.msg?.mark ?? msg?.mark;
	return typeof mark === 'string' ? Number(mark.slice(mark.indexOf('#') + 1)) : undefined;
}

export class Traffic {
	readonly calls: Call[] = [];

	private readonly random: Random;

	/** Agents who talk. */
	private readonly busy = new Set<number>();

	private stopped = false;

	private quietUntil = 0;

	constructor(
		private readonly timeline: Timeline,
		private readonly send: Send,
		private readonly everyMs: number,
		seed: number,
	) {
		this.random = new Random(seed);
	}

	start(): void {
		this.timeline.after(this.random.exponential(this.everyMs), () => {
			if (this.stopped) return;
			if (this.timeline.now >= this.quietUntil) this.scene();
			this.start();
		});
	}

	/** Sends an event every few seconds, so that a feed that has not come back is noticed. */
	steadily(everyMs: number): void {
		this.timeline.after(everyMs, () => {
			if (this.stopped) return;
			this.isFree(this.random.pick(AGENTS));
			this.steadily(everyMs);
		});
	}

	stop(): void {
		this.stopped = true;
	}

	/** No new scene begins for a while; calls continue. */
	quiet(forMs: number): void {
		this.quietUntil = this.timeline.now + forMs;
	}

	burst(count: number): void {
		for (let index = 0; index < count; index++) this.status(this.random.pick(AGENTS), 'calling');
	}

	private scene(): void {
		const { random } = this;
		const scene = random.integer(0, 9);
		if (scene < 5) this.call();
		else if (scene < 6) this.twins();
		else if (scene < 8) {
			const agent = random.pick(AGENTS);
			if (random.pick(['available', 'calling']) === 'available') this.isFree(agent);
			else this.status(agent, 'calling');
		} else {
			const event = random.pick(['login', 'logout', 'pause', 'unpause']);
			const agent = random.pick(AGENTS);
			// Nobody logs out during a call.
			this.ui(agent, event === 'logout' && this.busy.has(agent) ? 'pause' : event);
		}
	}

	/** The agent is available, or back from a break if there is a call: an agent who talks is not available. */
	private isFree(agent: number): void {
		if (this.busy.has(agent)) this.ui(agent, 'unpause');
		else this.status(agent, 'available');
	}

	private ui(agent: number, event: string): Sent {
		return this.send('UI', event, { id_operator: agent, supp: 3 });
	}

	private status(agent: number, status: string, id_call?: number): Sent {
		return this.send('operator', 'status', {
			status,
			id_operator: agent,
			...(id_call === undefined ? {} : { id_call }),
			call_duration: 0,
			id_client: 4242,
		});
	}

	/** Two separate events that look the same. */
	private twins(): void {
		const agent = this.random.pick(AGENTS);
		this.status(agent, 'unavailable');
		this.timeline.after(this.random.pick([0, 0, 300, 1_500]), () =>
			this.status(agent, 'unavailable'),
		);
	}

	private call(): void {
		const { random } = this;
		const call: Call = {
			id: 70_000 + this.calls.length,
			queue: random.pick(QUEUES),
			agent: random.pick(AGENTS),
			answered: random.chance(0.6),
			events: [],
			over: false,
		};
		this.calls.push(call);
		const common = { id_call: call.id, id_queue: call.queue, id_client: 4242 };
		const note = (sent: Sent) => void call.events.push(sent);
		note(
			this.send('queue', 'insert_call', {
				...common,
				caller_id_num: `+3361234${call.id}`,
				duration_in_queue: 0,
				call_duration: 0,
				priority: 1,
			}),
		);
		const end = () => {
			note(this.send('queue', 'delete_call', common));
			call.over = true;
		};
		const wait = 1_000 + random.exponential(15_000);
		if (!call.answered) {
			this.timeline.after(wait, end);
			return;
		}
		this.timeline.after(wait / 2, () => note(this.status(call.agent, 'ringing', call.id)));
		this.timeline.after(wait, () => {
			// One call at a time: a colleague takes it, or nobody does.
			const at = AGENTS.indexOf(call.agent);
			const colleagues = [...AGENTS.slice(at), ...AGENTS.slice(0, at)];
			const free = colleagues.find((agent) => !this.busy.has(agent));
			if (free === undefined) {
				call.answered = false;
				end();
				return;
			}
			call.agent = free;
			this.busy.add(free);
			note(
				this.send('queue', 'connect_call', {
					...common,
					status: 'connected',
					id_operator: call.agent,
					call_duration: 0,
				}),
			);
			note(this.status(call.agent, 'connected', call.id));
			// A deletion within two seconds of the answer does not end a talk.
			this.timeline.after(3_000 + random.exponential(60_000), () => {
				this.busy.delete(free);
				end();
			});
		});
	}
}
