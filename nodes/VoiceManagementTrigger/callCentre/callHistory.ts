// What was seen of one call, and its summary. The events are stored and read in the order in which the provider sent
// them, so that late, repeated and out-of-order events give the same result as orderly ones.

/** One event of a call. */
export interface CallEvent {
	kind:
		| 'insert'
		/** It rings somewhere: nobody has taken it yet. */
		| 'ringing'
		| 'connect'
		/** Reported as connected, with a status that may mean something else. */
		| 'unclear'
		| 'delete'
		| 'agentConnected'
		| 'transferStart'
		| 'transferEnd'
		/** It still waits: stored only if an interruption made that doubtful. */
		| 'waits'
		| 'break';
	/**
	 * `queue:5` or `trunk:2`; `queue:` or `trunk:` alone if the event doesn't name the place. Agents' events have a
	 * place only if they name a queue.
	 */
	place?: string;
	agent?: string;
	/** When the provider sent it, milliseconds since 1970. */
	at: number;
	/** The feed's sequence number, which orders what was sent in the same second. */
	cpt?: number;
	/** The same moment by our own clock, milliseconds since 1970. */
	seen: number;
	/** The event's name and status as sent, for the timeline. */
	name?: string;
	status?: string;
}

/** One stay of a call in a queue. Moments in milliseconds since 1970: `…At` by the provider's clock, `…Seen` by ours. */
export interface Visit {
	queue: string;
	/** Undefined if its beginning was not seen. */
	enteredAt?: number;
	/** When its first event arrived, by our clock. */
	since: number;
	answeredAt?: number;
	answeredSeen?: number;
	leftAt?: number;
	leftSeen?: number;
	/** The trunk that the call has entered since, if it was there when it left, or came there then. */
	trunk?: { readonly leftSeen?: number };
	/** The feed was interrupted at this time, and no event since has shown whether the call is still here. */
	doubtSince?: number;
}

/** How long a caller waited in a queue; null means waiting outside of any queue. */
export interface QueueWait {
	queue: string | null;
	/** Seconds. */
	wait: number;
}

/** The summary of a call's events so far. Times in milliseconds since 1970. */
export interface CallSummary {
	/** First time it entered a queue or trunk; undefined if that was not seen. */
	startedAt?: number;
	/** First time someone took it, and where. */
	answeredAt?: number;
	answeredIn?: string;
	/** It was answered by a trunk, which may still put the caller into a queue to wait there. */
	answeredByTrunk: boolean;
	/** It is unknown whether someone took it: the provider used a status that the document doesn't list. */
	unclear: boolean;
	/** The place that it entered last. */
	lastPlace?: string;
	/** Last time it left a queue or trunk. */
	leftAt?: number;
	/** Whether it is in no queue and no trunk any more. */
	left: boolean;
	/** Something happened in a place that it was never seen to enter. */
	startUnseen: boolean;
	transfers: number;
	/** All agents who had the call, in order, and when each of them got it, by our clock. New lists if there is another. */
	agents: readonly string[];
	agentsSince: readonly number[];
	queues: string[];
	trunks: string[];
	/** Each stay in a queue, in order. */
	visits: Visit[];
	/** Since when someone has had the call without interruption, by our clock; undefined while nobody has it. */
	talkingSince?: number;
	/** Who got it last, and the queue where they have it. */
	agent?: string;
	talkingIn?: string;
	/** How many seconds someone had the call, up to the last time that nobody did. */
	talked?: number;
}

/** Limit for the events stored per call. */
export const MOST_CALL_EVENTS = 256;

/** Nothing arrives so late: what was sent later and shows an older time shows that the provider's clock was set back. */
const SET_BACK_MS = 60_000;

/** Inserts an event in order, unless it is a repetition. @returns its position; undefined for a repetition */
export function addCallEvent(events: CallEvent[], callEvent: CallEvent): number | undefined {
	followSetClock(events, callEvent);
	const newest = events.at(-1);
	// Usually events arrive in order.
	if (!newest || newest.at < callEvent.at) return events.push(callEvent) - 1;
	if (events.some((known) => same(known, callEvent))) return undefined;
	const place = events.findLastIndex((known) => !earlier(callEvent, known)) + 1;
	events.splice(place, 0, callEvent);
	return place;
}

/** If the provider's clock was set back during the call, the rest of it happens after its beginning by our clock. */
function followSetClock(events: readonly CallEvent[], callEvent: CallEvent): void {
	const last = events.findLast(({ kind }) => kind !== 'break');
	if (last?.cpt === undefined || callEvent.cpt === undefined || callEvent.cpt < last.cpt) return;
	if (callEvent.at >= last.at - SET_BACK_MS) return;
	callEvent.at = last.at + Math.max(0, callEvent.seen - last.seen);
}

/** What orders events. */
export type Sent = Pick<CallEvent, 'at' | 'cpt'>;

/** Whether `a` was sent before `b`; if that is unclear, the order of arrival counts. */
export function earlier(a: Sent, b: Sent): boolean {
	if (a.at !== b.at) return a.at < b.at;
	return a.cpt !== undefined && b.cpt !== undefined && a.cpt < b.cpt;
}

/** A place where a call is or was. */
interface Place {
	readonly name: string;
	connected: boolean;
	left: boolean;
	leftSeen?: number;
	/** The call was here when the feed was interrupted: if its next event is elsewhere, it has left. */
	doubtful: boolean;
	/** The newest stay there, if it is a queue. */
	readonly visit: Visit | undefined;
}

/** Reads the events of one call in their order. */
export class CallReader {
	/** Number of events that have been read. */
	private count = 0;
	private readonly result: CallSummary = {
		startedAt: undefined,
		answeredAt: undefined,
		answeredIn: undefined,
		lastPlace: undefined,
		leftAt: undefined,
		talkingSince: undefined,
		agent: undefined,
		talkingIn: undefined,
		talked: undefined,
		answeredByTrunk: false,
		unclear: false,
		left: false,
		startUnseen: false,
		transfers: 0,
		agents: [],
		agentsSince: [],
		queues: [],
		trunks: [],
		visits: [],
	};

	/** Every place of the call, in the order in which it entered them: usually one or two. */
	private places: Place[] = [];
	private inDoubt = false;
	private unclear = false;
	private transferOpen = false;
	/** The last transfer is counted, so the change of agent that belongs to it must not be counted again. */
	private changeCovered = false;
	/** Since when someone has had the call, by the provider's clock. */
	private connectedAt: number | undefined;
	/** The event being read. */
	private now: Pick<CallEvent, 'at' | 'seen'> = { at: 0, seen: 0 };

	/**
	 * Reads the events that were added since the last time. Usually they arrive in order; to insert one among older
	 * events, use a new reader. The result belongs to the reader and changes with later events.
	 */
	summarise(events: readonly CallEvent[]): CallSummary {
		for (; this.count < events.length; this.count++) this.take(events[this.count] as CallEvent);
		const { result, places } = this;
		result.unclear = this.unclear && result.answeredAt === undefined;
		result.left = places.length > 0 && places.every(({ left }) => left);
		return result;
	}

	private take(callEvent: CallEvent): void {
		const { kind } = callEvent;
		this.now = callEvent;
		if (kind === 'break') {
			this.breakOff(callEvent.seen);
			return;
		}
		this.read(kind, callEvent);
		this.countTalk(callEvent);
	}

	/** The feed was interrupted: what the call did meanwhile is in doubt. */
	private breakOff(seen: number): void {
		for (const place of this.places) place.doubtful = !place.left;
		this.inDoubt = true;
		for (const visit of this.result.visits) {
			if (visit.leftAt === undefined) visit.doubtSince ??= seen;
		}
		this.result.talkingSince = undefined;
	}

	private read(kind: Exclude<CallEvent['kind'], 'break'>, { place, agent, at }: CallEvent): void {
		switch (kind) {
			case 'insert':
				if (place !== undefined) this.enter(place, at);
				break;
			case 'ringing':
			case 'unclear':
				if (place !== undefined) this.ring(place);
				if (kind === 'unclear') this.unclear = true;
				break;
			case 'waits':
				if (place !== undefined && isNamed(place)) this.ring(place);
				else if (this.open().length > 0) this.settleDoubts(this.open().at(-1) as string);
				break;
			case 'connect':
				if (place !== undefined) this.connect(place, agent, at);
				break;
			case 'agentConnected':
				this.answered(this.placeOf(place), agent, at);
				break;
			case 'delete':
				if (place !== undefined) this.leave(place, at);
				break;
			case 'transferStart':
				if (!this.transferOpen) this.countTransfer();
				this.transferOpen = true;
				break;
			case 'transferEnd':
				if (!this.transferOpen && !this.changeCovered) this.countTransfer();
				this.transferOpen = false;
		}
	}

	private countTalk({ seen, at }: CallEvent): void {
		const { result, connectedAt } = this;
		const place = this.connectedIn();
		if (place) {
			result.talkingIn = isQueue(place.name) ? idOf(place.name) : undefined;
			result.talkingSince ??= seen;
			this.connectedAt ??= at;
			return;
		}
		result.talkingSince = undefined;
		if (connectedAt !== undefined) result.talked = (result.talked ?? 0) + (at - connectedAt) / 1000;
		this.connectedAt = undefined;
	}

	private enter(place: string, at: number): void {
		this.settleDoubts(place);
		if (this.isIn(place)) return;
		if (isQueue(place)) this.unanswerTrunk();
		// A call that was answered and enters a queue again was transferred.
		const passedOn = this.result.answeredAt !== undefined && !this.connectedIn();
		if (passedOn && !this.transferOpen && !this.changeCovered) this.countTransfer();
		this.visit(place);
		this.result.startedAt ??= at;
		this.places = this.places.filter(({ name }) => name !== place);
		this.come(place, this.beginVisit(place, at));
	}

	private ring(named: string): void {
		const place = this.resolve(named);
		if (place === undefined) return;
		this.settleDoubts(place);
		this.visit(place);
		if (!this.find(place)) this.come(place, this.beginVisit(place));
	}

	private connect(named: string, agent: string | undefined, at: number): void {
		const place = this.resolve(named);
		if (place === undefined) {
			this.answered(undefined, agent, at);
			return;
		}
		this.settleDoubts(place);
		this.visit(place);
		// If this arrives after the call has left that place, it still shows who took the call, but the place stays
		// closed.
		const known = this.find(place) ?? this.come(place, this.beginVisit(place));
		if (!known.left) known.connected = true;
		if (isQueue(place)) {
			this.unanswerTrunk();
		} else if (agent === undefined) {
			if (this.waitsInQueue()) return;
			this.result.answeredByTrunk ||= this.result.answeredAt === undefined;
		}
		this.answered(place, agent, at);
	}

	/** The trunk that took the call stays connected while the caller waits in a queue: nobody has answered yet. */
	private unanswerTrunk(): void {
		const { answeredByTrunk, answeredIn } = this.result;
		if (!answeredByTrunk || answeredIn === undefined || !this.isIn(answeredIn)) return;
		this.result.answeredByTrunk = false;
		this.result.answeredAt = undefined;
		this.result.answeredIn = undefined;
		this.connectedAt = undefined;
		this.result.talked = undefined;
	}

	private waitsInQueue(): boolean {
		return this.places.some(({ name, connected, left }) => !left && !connected && isQueue(name));
	}

	/** A provider may name no place, or one in which the call never was: then it left the one where it is. */
	private leave(named: string, at: number): void {
		const open = this.open();
		const ofKind = open.filter((place) => place.startsWith(named.slice(0, named.indexOf(':') + 1)));
		// After an interruption it may have moved to that place unseen.
		const isHere = this.find(named) !== undefined || ofKind.length === 0 || this.inDoubt;
		if (isNamed(named) && isHere) this.leavePlace(named, at);
		else for (const place of ofKind.length > 0 ? ofKind : open) this.leavePlace(place, at);
	}

	private leavePlace(place: string, at: number): void {
		this.settleDoubts(place);
		this.visit(place);
		let known = this.find(place);
		if (!known) {
			this.result.startUnseen = true;
			known = this.come(place, undefined, false);
		}
		// If a provider says it again with a later time, the first time counts.
		if (known.left) return;
		known.left = true;
		known.leftSeen = this.now.seen;
		const { visit } = known;
		if (visit) {
			visit.leftAt = at;
			visit.leftSeen = this.now.seen;
			visit.trunk ??= this.trunkSince(known);
		}
		this.result.leftAt = Math.max(this.result.leftAt ?? at, at);
	}

	private answered(place: string | undefined, agent: string | undefined, at: number): void {
		const known = place === undefined ? undefined : this.find(place);
		if (known && !known.left) known.connected = true;
		const visit = known?.visit;
		if (visit) {
			visit.answeredAt ??= at;
			visit.answeredSeen ??= this.now.seen;
			visit.doubtSince = undefined;
		}
		this.result.answeredAt ??= at;
		this.result.answeredIn ??= place;
		if (agent !== undefined) this.result.answeredByTrunk = false;
		if (agent === undefined || agent === this.result.agent) return;
		if (this.result.agent !== undefined) {
			if (!this.changeCovered) this.result.transfers++;
			this.changeCovered = false;
		}
		this.result.agent = agent;
		if (this.result.agents.includes(agent)) return;
		this.result.agents = [...this.result.agents, agent];
		this.result.agentsSince = [...this.result.agentsSince, this.now.seen];
	}

	/** The place itself; without a name, the last entered place of that kind, else of any kind. */
	private resolve(place: string): string | undefined {
		if (isNamed(place)) return place;
		const open = this.open();
		return open.findLast((one) => one.startsWith(place)) ?? open.at(-1);
	}

	/** The place that an agent's "connected" refers to: the queue that it names, else the last entered place. */
	private placeOf(named: string | undefined): string | undefined {
		return named !== undefined && this.isIn(named) ? named : this.open().at(-1);
	}

	private settleDoubts(place: string): void {
		if (this.inDoubt) this.leaveDoubtful(place);
		const known = this.find(place);
		if (known?.visit && !known.left) known.visit.doubtSince = undefined;
	}

	private leaveDoubtful(place: string): void {
		this.inDoubt = false;
		for (const one of this.places) {
			if (one.doubtful && one.name !== place) one.left = true;
			one.doubtful = false;
		}
	}

	private find(place: string): Place | undefined {
		return this.places.find(({ name }) => name === place);
	}

	private isIn(place: string): boolean {
		return this.find(place)?.left === false;
	}

	/** The places where the call is, the last entered one at the end. */
	private open(): string[] {
		return this.places.filter(({ left }) => !left).map(({ name }) => name);
	}

	/** @param entered whether it was seen there, and not only leave */
	private come(name: string, visit?: Visit, entered = true): Place {
		const place = {
			name,
			connected: false,
			left: false,
			leftSeen: undefined,
			doubtful: false,
			visit,
		};
		const before = this.places.at(-1)?.visit;
		if (entered && before?.leftSeen !== undefined && !isQueue(name)) before.trunk ??= place;
		this.places.push(place);
		this.result.lastPlace = name;
		return place;
	}

	/** The trunk where the call is and which it has entered since that place. */
	private trunkSince(place: Place): Place | undefined {
		const since = this.places.slice(this.places.indexOf(place) + 1);
		return since.find(({ name, left }) => !left && !isQueue(name));
	}

	private beginVisit(place: string, enteredAt?: number): Visit | undefined {
		if (!isQueue(place)) return undefined;
		const visit: Visit = {
			queue: idOf(place),
			enteredAt,
			since: this.now.seen,
			answeredAt: undefined,
			answeredSeen: undefined,
			leftAt: undefined,
			leftSeen: undefined,
			trunk: undefined,
			doubtSince: undefined,
		};
		this.result.visits.push(visit);
		return visit;
	}

	/**
	 * Where someone has the call. A call in two queues at once is where it entered last. The trunk by which a call came
	 * stays connected while it waits in a queue, so a trunk counts only if the call entered it after its queues.
	 */
	private connectedIn(): Place | undefined {
		let queue: Place | undefined;
		let trunk: Place | undefined;
		for (const place of this.places) {
			if (!isQueue(place.name)) {
				if (place.connected && !place.left) trunk ??= place;
				continue;
			}
			trunk = undefined;
			if (!place.left) queue = place;
		}
		if (!queue) return trunk;
		return queue.connected ? queue : undefined;
	}

	private countTransfer(): void {
		this.result.transfers++;
		this.changeCovered = true;
	}

	private visit(place: string): void {
		const list = isQueue(place) ? this.result.queues : this.result.trunks;
		const id = idOf(place);
		if (!list.includes(id)) list.push(id);
	}
}

/**
 * How the time from `from` to `until` (by the provider's clock) was divided among queues; the waits add up to it. A call
 * in two queues at once is in the one that it entered last.
 */
export function queueWaits(visits: readonly Visit[], from: number, until: number): QueueWait[] {
	const waits = new Map<string | null, number>();
	const queueAt = (moment: number) =>
		visits.findLast(
			({ enteredAt = Infinity, leftAt = Infinity }) => enteredAt <= moment && leftAt > moment,
		)?.queue ?? null;
	const moves = visits.flatMap(({ enteredAt = until, leftAt = until }) => [enteredAt, leftAt]);
	let since = from;
	for (const at of [...moves, until].sort((a, b) => a - b)) {
		if (at <= since || at > until) continue;
		const queue = queueAt(since);
		waits.set(queue, (waits.get(queue) ?? 0) + at - since);
		since = at;
	}
	if (waits.size === 0) waits.set(visits.at(-1)?.queue ?? null, 0);
	return [...waits].map(([queue, ms]) => ({ queue, wait: ms / 1000 }));
}

/** The identifier in `queue:5`. */
export function idOf(place: string): string {
	return place.slice(place.indexOf(':') + 1);
}

/** Whether a place has its identifier: some events only contain its kind. */
export function isNamed(place: string): boolean {
	return place.indexOf(':') + 1 < place.length;
}

function isQueue(place: string): boolean {
	return place.startsWith('queue:');
}

function same(a: CallEvent, b: CallEvent): boolean {
	return (
		a.kind === b.kind &&
		a.place === b.place &&
		a.agent === b.agent &&
		a.at === b.at &&
		(a.cpt === b.cpt || a.cpt === undefined || b.cpt === undefined)
	);
}
