// The ledger: what actually happened to each generated call. Tests compare call outcomes with it.

/** Times are Unix timestamps in whole seconds, equal to `ts` of the event that reports them. Identifiers are text. */
export interface CallRecord {
	id: string;
	kind: 'queue' | 'trunk';
	caller: string;
	startedAt: number;
	/** Null while the call continues. */
	endedAt: number | null;
	/** `answered`: connected at least once. Null while it continues unanswered. */
	outcome: 'answered' | 'missed' | null;
	/** First agent who took it; null for trunk calls and missed ones. */
	agent: string | null;
	/** Seconds from the start to the first answer. */
	wait: number | null;
	/** Seconds from the first answer to the end, queues after a transfer included. */
	talk: number | null;
	/** Transfers to another agent or queue by an agent. */
	transfers: number;
	/** Moves to another queue because nobody answered. */
	overflows: number;
	recorded: boolean;
	/** Each stay in a queue or on a trunk, in order. */
	legs: CallLeg[];
}

export interface CallLeg {
	queue: string | null;
	trunk: string | null;
	enteredAt: number;
	/** Each connection in this stay; more than one after a transfer to an agent. */
	answers: { agent: string | null; at: number }[];
	leftAt: number | null;
	/** Why it ended: talked to the end, gave up, moved on unanswered, transferred by an agent. */
	left: 'ended' | 'abandoned' | 'overflow' | 'transfer' | null;
}

/** Number of finished calls to keep. */
const kept = 100_000;

export class Ledger {
	private readonly records = new Map<string, CallRecord>();

	/** @param now returns the timestamp of the current event */
	constructor(private readonly now: () => number) {}

	start(id: number, kind: CallRecord['kind'], caller: string, recorded: boolean) {
		this.records.set(String(id), {
			id: String(id),
			kind,
			caller,
			startedAt: this.now(),
			endedAt: null,
			outcome: null,
			agent: null,
			wait: null,
			talk: null,
			transfers: 0,
			overflows: 0,
			recorded,
			legs: [],
		});
		if (this.records.size > kept) this.forgetOldest();
	}

	enter(id: number, place: { queue: number } | { trunk: number }) {
		this.get(id).legs.push({
			queue: 'queue' in place ? String(place.queue) : null,
			trunk: 'trunk' in place ? String(place.trunk) : null,
			enteredAt: this.now(),
			answers: [],
			leftAt: null,
			left: null,
		});
	}

	answer(id: number, agent: number | null) {
		const call = this.get(id);
		const name = agent === null ? null : String(agent);
		call.legs.at(-1)!.answers.push({ agent: name, at: this.now() });
		if (call.outcome === 'answered') return;
		call.outcome = 'answered';
		call.agent = name;
		call.wait = this.now() - call.startedAt;
	}

	transfer(id: number) {
		this.get(id).transfers++;
	}

	leave(id: number, why: NonNullable<CallLeg['left']>) {
		const call = this.get(id);
		const leg = call.legs.at(-1)!;
		leg.leftAt = this.now();
		leg.left = why;
		if (why === 'overflow') call.overflows++;
		if (why === 'overflow' || why === 'transfer') return;
		call.endedAt = this.now();
		if (call.outcome === null) call.outcome = 'missed';
		else call.talk = call.endedAt - call.startedAt - call.wait!;
	}

	/** All calls in the order in which they began. */
	list(): CallRecord[] {
		return structuredClone([...this.records.values()]);
	}

	private get(id: number) {
		return this.records.get(String(id))!;
	}

	private forgetOldest() {
		for (const [id, record] of this.records) {
			if (record.endedAt === null) continue;
			this.records.delete(id);
			return;
		}
	}
}
